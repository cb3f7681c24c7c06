//! Looks after limits, the stop flag and progress while a search runs.
//!
//! What a search has found by then must not depend on time, as far as it is not ended by time. So there are
//! two clocks: a [`Pace`] counts what was done, and a [`Glance`] sees that time is over also where a single
//! step takes long.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::config::{Control, Limits, Progress};
use crate::outcome::{End, LimitKind};

/// Steps that are together this much work are enough for another look, however few they are.
const EFFORT: u64 = 1 << 20;

/// Steps between two glances at the clock: looking there costs as much as a small part of a step.
const STEPS_OF_GLANCE: u32 = 16;

/// When it is time for another look at all that may end a search: by what was done alone.
pub(crate) struct Pace {
    every: u64,
    count: u64,
    effort: u64,
}

impl Pace {
    /// A look each time that a count has grown by so much, if the work does not ask for it before.
    pub(crate) fn new(every: u64) -> Self {
        Self { every, count: every, effort: EFFORT }
    }

    /// Whether it is time, as the count and the work are now.
    pub(crate) fn is_due(&mut self, count: u64, effort: u64) -> bool {
        let due = count >= self.count || effort >= self.effort;
        if due {
            (self.count, self.effort) = (count + self.every, effort + EFFORT);
        }
        due
    }
}

/// Who says that there is no time left: the clock, or the user.
#[derive(Clone, Copy)]
pub(crate) struct Deadline<'a> {
    at: Option<Instant>,
    stop: Option<&'a AtomicBool>,
    full: Option<&'a AtomicBool>,
}

impl Deadline<'_> {
    /// Whether the end was asked for.
    pub(crate) fn is_asked(&self) -> bool {
        is_set(self.stop)
    }

    /// Whether there is no memory left.
    pub(crate) fn is_full(&self) -> bool {
        is_set(self.full)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_asked() || self.is_full() || self.at.is_some_and(|at| Instant::now() >= at)
    }
}

fn is_set(flag: Option<&AtomicBool>) -> bool {
    flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
}

/// A worker's glances at the clock, every few steps.
#[derive(Default)]
pub(crate) struct Glance {
    steps: u32,
}

impl Glance {
    /// Counts a step that is about to be done; whether there is no time for it.
    pub(crate) fn is_late(&mut self, deadline: &Deadline<'_>) -> bool {
        self.steps += 1;
        if self.steps < STEPS_OF_GLANCE {
            return deadline.is_full() || deadline.is_asked();
        }
        self.steps = 0;
        deadline.is_over()
    }
}

/// The watch over one search.
pub(crate) struct Watch<'a, 'c> {
    control: &'a mut Control<'c>,
    limits: Limits,
    started: Instant,
    reported: Instant,
}

impl<'a, 'c> Watch<'a, 'c> {
    pub(crate) fn new(control: &'a mut Control<'c>, limits: Limits) -> Self {
        let now = Instant::now();
        Self { control, limits, started: now, reported: now }
    }

    /// When there is no time left.
    pub(crate) fn deadline(&self) -> Deadline<'c> {
        let at = self.limits.time.and_then(|limit| self.started.checked_add(limit));
        Deadline { at, stop: self.control.stop, full: self.control.full }
    }

    /// Reports progress when it is time to, and says whether the search has to end.
    pub(crate) fn check(&mut self, mut progress: Progress) -> Option<End> {
        let now = Instant::now();
        progress.elapsed = now - self.started;
        if now - self.reported >= self.control.interval {
            self.reported = now;
            if let Some(tell) = &mut self.control.progress {
                tell(&progress);
            }
        }
        if self.deadline().is_asked() {
            return Some(End::Interrupted);
        }
        if self.deadline().is_full() {
            return Some(End::Limit(LimitKind::Memory));
        }
        if self.limits.time.is_some_and(|limit| progress.elapsed >= limit) {
            return Some(End::Limit(LimitKind::Time));
        }
        if self.limits.memory.is_some_and(|limit| progress.bytes >= limit) {
            return Some(End::Limit(LimitKind::Memory));
        }
        let abandon = self.control.abandon.as_mut();
        abandon.is_some_and(|ask| ask(&progress)).then_some(End::Abandoned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_is_due_by_count_or_by_work() {
        let mut pace = Pace::new(100);
        assert!(!pace.is_due(99, 0));
        assert!(pace.is_due(100, 0));
        assert!(!pace.is_due(199, EFFORT - 1));
        assert!(pace.is_due(101, EFFORT));
        assert!(!pace.is_due(200, EFFORT + 1));
        assert!(pace.is_due(201, EFFORT + 1));
    }
}
