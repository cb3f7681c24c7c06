//! When a step that takes long is given up: a search that has to end does not wait for it.
//!
//! A step that was given up leads nowhere. That is not what the program does, so whoever searched has to ask
//! [`Program::gave_up`] before it says that it has been everywhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::Program;

/// After so many instructions of one step it is asked whether there is time for more.
pub(super) const GLANCE: u64 = 4_000_000;

/// And after so many calls that were answered: a copy of many megabytes is few instructions.
pub(super) const ANSWERS: u32 = 4;

/// When searches have to end.
#[derive(Debug, Default)]
pub(super) struct Deadline {
    deadline: Option<Instant>,
    stops: Vec<Arc<AtomicBool>>,
    gave_up: AtomicBool,
}

impl Program {
    /// Says when searches have to end: at some time, or once a flag is set.
    pub fn end_by(&mut self, deadline: Option<Instant>, stops: Vec<Arc<AtomicBool>>) {
        self.deadline = Deadline { deadline, stops, gave_up: AtomicBool::new(false) };
    }

    /// Whether a step was given up because the search had to end.
    pub fn gave_up(&self) -> bool {
        self.deadline.gave_up.load(Ordering::Relaxed)
    }

    /// Whether there is no time to go on with a step; then it is given up.
    pub(super) fn is_late(&self) -> bool {
        let Deadline { deadline, stops, gave_up } = &self.deadline;
        let late = deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || stops.iter().any(|stop| stop.load(Ordering::Relaxed));
        if late {
            gave_up.store(true, Ordering::Relaxed);
        }
        late
    }
}
