//! Errors that have to do with each other: an assertion fails in a run over a data race.

use crate::{Place, ViolationInfo};

/// The kind of data races.
const RACE: &str = "race";
/// So many others one error names.
const MOST: usize = 3;

/// Lets errors and the data races that lie on the path to them name each other: a run that ends with an
/// error goes over a race if two threads do its accesses.
pub fn relate(violations: &mut [ViolationInfo]) {
    let mut notes: Vec<(usize, String)> = Vec::new();
    for (at, error) in violations.iter().enumerate().filter(|(_, it)| it.kind != RACE) {
        let races = violations.iter().enumerate().filter(|(_, it)| it.kind == RACE);
        for (other, race) in races.filter(|(_, race)| leads_over(error, race)).take(MOST) {
            notes.push((at, format!("note: this run goes over a {}", headline_and_places(race))));
            let place = error.location.line_position();
            notes.push((
                other,
                format!("note: a run over it ends with: {} ({place})", error.headline),
            ));
        }
    }
    for (at, note) in notes {
        let text = &mut violations[at].text;
        if text.iter().filter(|line| line.starts_with("note: a run over")).count() < MOST {
            text.push(note);
        }
    }
}

/// Whether two threads do both accesses of a race on the path to an error.
fn leads_over(error: &ViolationInfo, race: &ViolationInfo) -> bool {
    let [first, second] = &race.accesses[..] else { return false };
    let Some(recorded) = &error.trail else { return false };
    let doers = |place: &Place| {
        let steps = recorded.trail.steps.iter();
        let there =
            steps.filter(|step| (&step.place.file, step.place.line) == (&place.file, place.line));
        there.map(|step| step.thread).collect::<Vec<_>>()
    };
    let (some, others) = (doers(&first.place), doers(&second.place));
    some.iter().any(|one| others.iter().any(|other| one != other))
}

/// A data race in half a sentence.
fn headline_and_places(race: &ViolationInfo) -> String {
    let places: Vec<String> =
        race.accesses.iter().map(|access| access.place.line_position()).collect();
    format!("{} at {}", race.headline, places.join(" and "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AccessInfo, Recorded, Step, Trail};

    fn error(steps: &[(u32, u32)]) -> ViolationInfo {
        let step =
            |&(thread, line)| Step { thread, place: Place::at("a.c", line), ..Step::default() };
        let steps = steps.iter().map(step).collect();
        let trail = Trail { steps, ..Trail::default() };
        ViolationInfo {
            kind: "assert".into(),
            headline: "assertion failed: x".into(),
            location: Place::at("a.c", 9),
            trail: Some(Recorded { file: None, trail }),
            ..ViolationInfo::default()
        }
    }

    fn race(lines: [u32; 2]) -> ViolationInfo {
        let access = |line| AccessInfo { place: Place::at("a.c", line), ..AccessInfo::default() };
        ViolationInfo {
            kind: RACE.into(),
            headline: "data race on `x` (4 bytes)".into(),
            accesses: lines.map(access).to_vec(),
            ..ViolationInfo::default()
        }
    }

    #[test]
    fn an_error_and_the_race_on_its_way_name_each_other() {
        let mut both = [error(&[(1, 5), (2, 6), (1, 7)]), race([5, 6])];
        relate(&mut both);
        assert_eq!(
            both[0].text,
            ["note: this run goes over a data race on `x` (4 bytes) at a.c:5 and a.c:6"]
        );
        assert_eq!(both[1].text, ["note: a run over it ends with: assertion failed: x (a.c:9)"]);
    }

    #[test]
    fn what_one_thread_does_is_no_race() {
        for steps in [&[(1, 5), (1, 6)][..], &[(1, 5), (2, 7)], &[]] {
            let mut both = [error(steps), race([5, 6])];
            relate(&mut both);
            assert!(both.iter().all(|it| it.text.is_empty()), "{steps:?}");
        }
        let mut same = [error(&[(1, 5), (2, 5)]), race([5, 5])];
        relate(&mut same);
        assert_eq!(same[1].text.len(), 1, "two threads are at the same line");
    }
}
