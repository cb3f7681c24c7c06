//! Looks after limits, the stop flag and progress while a search runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::config::{Control, Limits, Progress};
use crate::outcome::{End, LimitKind};

/// The watch over one search.
pub(crate) struct Watch<'a, 'c> {
    control: &'a mut Control<'c>,
    limits: Limits,
    started: Instant,
    told: Instant,
}

impl<'a, 'c> Watch<'a, 'c> {
    pub(crate) fn new(control: &'a mut Control<'c>, limits: Limits) -> Self {
        let now = Instant::now();
        Self { control, limits, started: now, told: now }
    }

    /// The flag by which somebody may ask for the end.
    pub(crate) fn stop_flag(&self) -> Option<&'c AtomicBool> {
        self.control.stop
    }

    /// Tells progress when it is time to, and says whether the search has to end.
    pub(crate) fn check(&mut self, mut progress: Progress) -> Option<End> {
        let now = Instant::now();
        progress.elapsed = now - self.started;
        if now - self.told >= self.control.interval {
            self.told = now;
            if let Some(tell) = &mut self.control.progress {
                tell(&progress);
            }
        }
        if self.stop_flag().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(End::Interrupted);
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
