//! The random walk: every enabled action is as likely as the others.

use steam_model::Model;

use super::{Guide, Numbers, Visit};

/// The guide of one random path.
pub(super) struct Random {
    pub(super) numbers: Numbers,
    /// The length at which the path ends.
    pub(super) steps: usize,
}

impl<M: Model> Guide<M> for Random {
    const RETURNS: bool = false;

    fn enter(&mut self, _: &mut M::Worker, _: &Visit<'_, M>) -> bool {
        true
    }

    fn accepts(&mut self, _depth: usize) -> bool {
        true
    }

    fn choose(&mut self, _: &M, depth: usize, enabled: &[M::Action], done: usize) -> Option<usize> {
        let goes_on = done == 0 && depth < self.steps && !enabled.is_empty();
        goes_on.then(|| self.numbers.below(enabled.len()))
    }
}
