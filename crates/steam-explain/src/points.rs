//! What is shown in the source: the error, the writes that led to it, the locks of a deadlock.

use steam_trail::{Place, Point, Step, ThreadInfo, who};

/// The last writes of a variable that are shown.
const WRITES: usize = 4;

/// The place of an error and, where its line names variables that the trail changed, the places of
/// those changes. `line` is the text of the error's line, `thread` what its thread is called.
pub fn of_error(place: &Place, thread: &str, line: &str, steps: &[Step]) -> Vec<Point> {
    let writes = writes(line, steps);
    let mut values: Vec<String> = Vec::new();
    for write in writes.iter().rev() {
        let value = format!("{} = {}", write.name, write.to);
        if !values.iter().any(|known| known.starts_with(&format!("{} = ", write.name))) {
            values.push(value);
        }
    }
    values.reverse();
    let values = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
    let label = format!("{thread}{values}");
    let mut points = vec![Point { place: place.clone(), label, primary: true }];
    for write in &writes[writes.len().saturating_sub(WRITES)..] {
        let label = format!("{} wrote {} (step {})", write.thread, write.to, write.step);
        add(&mut points, write.place, label);
    }
    points
}

/// The places at which threads wait, and those at which they took what they hold.
pub fn of_deadlock(threads: &[ThreadInfo], concerned: &[u32]) -> Vec<Point> {
    let mut points = Vec::new();
    let concerned = || threads.iter().filter(|thread| concerned.contains(&thread.id));
    for thread in concerned() {
        if let Some(waits) = &thread.waits {
            let label = format!("{} waits for {}", thread.who(), waits.what);
            match points.iter_mut().find(|point: &&mut Point| same_line(&point.place, &waits.place))
            {
                Some(point) => point.label = format!("{}, {label}", point.label),
                None => points.push(Point { place: waits.place.clone(), label, primary: true }),
            }
        }
    }
    for thread in concerned() {
        for held in &thread.holds {
            add(&mut points, &held.taken, format!("{} took {}", thread.who(), held.what));
        }
    }
    points
}

/// The lines of the loops of a hang, and the last writes of what they read.
pub fn of_hang(threads: &[ThreadInfo], steps: &[Step]) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    let looping =
        || threads.iter().filter_map(|thread| thread.loops.as_ref().map(|loops| (thread, loops)));
    for (thread, loops) in looping() {
        let reads = loops.reads();
        let reads = if reads.is_empty() { reads } else { format!(" while {reads}") };
        let label = format!("{} loops forever{reads}", thread.who());
        for place in &loops.places {
            match points.iter_mut().find(|point| same_line(&point.place, place)) {
                Some(point) => point.label = format!("{}, {label}", point.label),
                None => {
                    points.push(Point { place: place.clone(), label: label.clone(), primary: true })
                }
            }
        }
    }
    let names: Vec<&str> =
        looping().flat_map(|(_, loops)| &loops.reads).map(|it| it.variable.as_str()).collect();
    let writes = writes(&names.join(" "), steps);
    for write in &writes[writes.len().saturating_sub(WRITES)..] {
        let label = format!("{} wrote {} (step {})", write.thread, write.to, write.step);
        add(&mut points, write.place, label);
    }
    points
}

/// The places over which a cycle leads.
pub fn of_cycle(steps: &[Step]) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    for step in steps {
        let who = who(step.thread, step.process);
        match points.iter_mut().find(|point| same_line(&point.place, &step.place)) {
            Some(point) if point.label.contains(&who) => {}
            Some(point) => point.label = format!("{}, {who}", point.label),
            None => {
                let primary = points.is_empty();
                let label = format!("again and again: {who}");
                points.push(Point { place: step.place.clone(), label, primary });
            }
        }
    }
    points
}

/// Adds a point beside the error, together with another one of the same line.
fn add(points: &mut Vec<Point>, place: &Place, label: String) {
    let same = |point: &&mut Point| !point.primary && same_line(&point.place, place);
    match points.iter_mut().find(same) {
        Some(point) => point.label = format!("{}, {label}", point.label),
        None => points.push(Point { place: place.clone(), label, primary: false }),
    }
}

fn same_line(one: &Place, other: &Place) -> bool {
    (&one.file, one.line) == (&other.file, other.line)
}

struct Write<'a> {
    name: &'a str,
    to: &'a str,
    thread: String,
    step: u32,
    place: &'a Place,
}

/// The changes of the variables that a line names.
fn writes<'a>(line: &str, steps: &'a [Step]) -> Vec<Write<'a>> {
    let words: Vec<&str> = line
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|it| !it.is_empty())
        .collect();
    let mut writes = Vec::new();
    for step in steps {
        for change in &step.changes {
            if words.contains(&change.expression.as_str()) {
                writes.push(Write {
                    name: &change.expression,
                    to: &change.to,
                    thread: who(step.thread, step.process),
                    step: step.number,
                    place: &step.place,
                });
            }
        }
    }
    writes
}

#[cfg(test)]
mod tests {
    use super::*;
    use steam_trail::Change;

    fn step(number: u32, thread: u32, name: &str, to: &str) -> Step {
        let change = Change { expression: name.into(), from: "0".into(), to: to.into() };
        let place = Place::at("b.c", 15);
        Step { number, thread, place, changes: vec![change], ..Step::default() }
    }

    #[test]
    fn writes_of_named_variables_are_shown_with_the_error() {
        let steps = [step(3, 3, "glob", "3"), step(4, 2, "globe", "5"), step(5, 2, "glob", "8")];
        let points = of_error(&Place::at("a.c", 20), "thread 1", "VASSERT(glob != 8);", &steps);
        let told: Vec<(&str, bool)> =
            points.iter().map(|point| (point.label.as_str(), point.primary)).collect();
        assert_eq!(
            told,
            [
                ("thread 1: glob = 8", true),
                ("thread 3 wrote 3 (step 3), thread 2 wrote 8 (step 5)", false)
            ]
        );
    }
}
