//! Whether a replay went the way that was recorded.

use crate::render::clean;
use crate::trail::{Step, Trail};
use crate::violation::ViolationInfo;

/// What of a step must agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// The address of the code: the same executable.
    Code,
    /// File and line: the program was compiled again.
    Lines,
}

/// Where and why a replay left the recorded way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The number of the step, one more than the last for the end.
    pub step: u32,
    /// Why, in words.
    pub why: String,
}

/// How a replay compares with its trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// All steps and the end are the recorded ones.
    Same,
    /// They are not.
    Diverged(Divergence),
}

impl Compared {
    /// The verdict's line of a replay.
    pub fn line(&self, recorded: &Trail, found: Option<&ViolationInfo>) -> String {
        let line = match self {
            Self::Same => {
                let what = match found {
                    Some(found) => found.headline.as_str(),
                    None if recorded.end.kind.is_empty() => "nothing is wrong at its end",
                    None => recorded.end.kind.as_str(),
                };
                format!("REPRODUCED  {what}")
            }
            Self::Diverged(at) => format!("DIVERGED  at step {}: {}", at.step, at.why),
        };
        clean(&line)
    }

    /// 0 if the trail was reproduced, 3 if not.
    pub const fn exit_status(&self) -> u8 {
        match self {
            Self::Same => 0,
            Self::Diverged(_) => 3,
        }
    }
}

/// Compares a recorded trail with what happened when it was run again. `replayed` ends where the
/// replay could not go on; its end has an empty kind if nothing was found there.
pub fn compare(recorded: &Trail, replayed: &Trail, follow: Follow) -> Compared {
    let diverged = |step: u32, why: String| Compared::Diverged(Divergence { step, why });
    for (old, new) in recorded.steps.iter().zip(&replayed.steps) {
        if let Some(why) = difference(old, new, follow) {
            return diverged(old.number, why);
        }
    }
    let (old, new) = (recorded.steps.len(), replayed.steps.len());
    if let Some(step) = recorded.steps.get(new) {
        let why = format!("thread {} cannot take this step (choice {})", step.thread, step.choice);
        return diverged(step.number, why);
    }
    if let Some(step) = replayed.steps.get(old) {
        return diverged(step.number, "the program goes on where the trail ends".to_owned());
    }
    let end = recorded.steps.last().map_or(1, |step| step.number.saturating_add(1));
    match (recorded.end.kind.as_str(), replayed.end.kind.as_str()) {
        (old, new) if old == new => Compared::Same,
        (old, "") => diverged(end, format!("the trail ends with {old}, but nothing is wrong here")),
        (old, new) => diverged(end, format!("the trail ends with {old}, this run with {new}")),
    }
}

fn difference(old: &Step, new: &Step, follow: Follow) -> Option<String> {
    if (old.thread, old.choice) != (new.thread, new.choice) {
        return Some(format!(
            "thread {} (choice {}) was recorded, thread {} (choice {}) ran",
            old.thread, old.choice, new.thread, new.choice
        ));
    }
    let (old_line, new_line) = (old.place.line_position(), new.place.line_position());
    match follow {
        Follow::Code if old.pc != new.pc => Some(format!(
            "thread {} was at {:#010x} ({old_line}), now it is at {:#010x} ({new_line})",
            old.thread, old.pc, new.pc
        )),
        Follow::Lines if old_line != new_line => {
            Some(format!("thread {} was at {old_line}, now it is at {new_line}", old.thread))
        }
        Follow::Code | Follow::Lines => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Place;
    use crate::trail::End;

    fn trail(steps: &[(u32, u32, u32)], end: &str) -> Trail {
        let steps = steps.iter().zip(1..).map(|(&(thread, pc, line), number)| Step {
            number,
            thread,
            pc,
            place: Place::at("a.c", line),
            ..Step::default()
        });
        let end = End { kind: end.into(), ..End::default() };
        Trail { steps: steps.collect(), end, ..Trail::default() }
    }

    fn why(old: &Trail, new: &Trail, follow: Follow) -> (u32, String) {
        match compare(old, new, follow) {
            Compared::Diverged(at) => (at.step, at.why),
            Compared::Same => (0, String::new()),
        }
    }

    #[test]
    fn equal_runs_are_the_same() {
        let old = trail(&[(1, 16, 1), (2, 32, 2)], "assert");
        assert_eq!(compare(&old, &old, Follow::Code), Compared::Same);
        let moved = trail(&[(1, 17, 1), (2, 33, 2)], "assert");
        assert_eq!(compare(&old, &moved, Follow::Lines), Compared::Same);
        assert_eq!(why(&old, &moved, Follow::Code).0, 1);
    }

    #[test]
    fn every_difference_is_named() {
        let old = trail(&[(1, 16, 1), (2, 32, 2)], "assert");
        let other = trail(&[(1, 16, 1), (2, 32, 3)], "assert");
        assert_eq!(
            why(&old, &other, Follow::Lines),
            (2, "thread 2 was at a.c:2, now it is at a.c:3".into())
        );
        let thread = trail(&[(3, 16, 1), (2, 32, 2)], "assert");
        assert_eq!(
            why(&old, &thread, Follow::Code),
            (1, "thread 1 (choice 0) was recorded, thread 3 (choice 0) ran".into())
        );
        let short = trail(&[(1, 16, 1)], "");
        assert_eq!(
            why(&old, &short, Follow::Code),
            (2, "thread 2 cannot take this step (choice 0)".into())
        );
        let (step, _) = why(&short, &old, Follow::Code);
        assert_eq!(step, 2);
        let fine = trail(&[(1, 16, 1), (2, 32, 2)], "");
        assert_eq!(
            why(&old, &fine, Follow::Code),
            (3, "the trail ends with assert, but nothing is wrong here".into())
        );
        let dead = trail(&[(1, 16, 1), (2, 32, 2)], "deadlock");
        assert_eq!(
            why(&old, &dead, Follow::Code),
            (3, "the trail ends with assert, this run with deadlock".into())
        );
    }
}
