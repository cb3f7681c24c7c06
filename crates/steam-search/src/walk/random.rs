//! The random walk: every enabled action is as likely as the others.

use steam_model::Model;

use super::idle::Idle;
use super::{Guide, Numbers, Visit};

/// The guide of one random path.
pub(super) struct Random {
    pub(super) numbers: Numbers,
    /// The length at which the path ends.
    pub(super) steps: usize,
    pub(super) idle: Idle,
}

impl<M: Model> Guide<M> for Random {
    const RETURNS: bool = false;

    fn enter(&mut self, _: &mut M::Worker, visit: &Visit<'_, M>) -> bool {
        self.idle.enter(visit);
        true
    }

    fn led_nowhere(&mut self) {
        self.idle.led_nowhere();
    }

    fn accepts(&mut self, _depth: usize) -> bool {
        true
    }

    fn choose(&mut self, _: &M, depth: usize, enabled: &[M::Action], done: usize) -> Option<usize> {
        let left = self.idle.left(enabled.len(), done);
        let goes_on = depth < self.steps && !left.is_empty();
        goes_on.then(|| self.idle.chosen(left[self.numbers.below(left.len())]))
    }
}
