//! The heuristics that look at states alone, chosen while the checker runs.

use steam_model::{Heuristic, Tally, Threads};

/// A preference that is a function of a state's sums. One type for all of them, so that every search
/// is compiled once; the choice costs one call for each new state.
#[derive(Clone, Copy, Debug)]
pub struct Directed {
    preference: Option<fn(&Tally) -> i64>,
    maximum: i64,
    /// The largest estimate that is given.
    most: i64,
}

impl Directed {
    /// Prefers nothing.
    pub fn blind() -> Self {
        Self { preference: None, maximum: 0, most: i64::MAX }
    }

    pub(crate) fn new(preference: fn(&Tally) -> i64, maximum: i64) -> Self {
        Self { preference: Some(preference), maximum, most: i64::MAX }
    }

    /// The same, with no estimate larger than this.
    pub(crate) fn at_most(self, most: i64) -> Self {
        Self { most, ..self }
    }
}

impl<M: Threads> Heuristic<M> for Directed {
    type Path = ();
    const FOLLOWS_PATH: bool = false;

    fn maximum(&self) -> i64 {
        self.maximum
    }

    fn preference(&self, model: &M, worker: &mut M::Worker, state: &M::State, (): &()) -> i64 {
        let preference = self.preference.map_or(0, |of| of(&model.tally(worker, state)));
        preference.max(self.maximum.saturating_sub(self.most))
    }

    fn extend(&self, _: &M, (): &(), _: &M::State, _: M::Action) {}
}
