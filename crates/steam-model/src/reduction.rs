//! Which of the enabled actions are enough.

use crate::model::Model;

/// A choice among enabled actions that keeps what is looked for.
///
/// The search guards against ignoring an action forever: it expands a state fully whenever a
/// chosen action leads back to a state that was known before (the closed-set proviso in its strong
/// form), and whenever it reopens a state.
pub trait Reduction<M: Model>: Sync {
    /// Appends the positions in `enabled`, ascending, of the actions to explore.
    fn choose(&self, model: &M, state: &M::State, enabled: &[M::Action], chosen: &mut Vec<usize>);
}

/// Explores every enabled action.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoReduction;

impl<M: Model> Reduction<M> for NoReduction {
    fn choose(&self, _: &M, _: &M::State, enabled: &[M::Action], chosen: &mut Vec<usize>) {
        chosen.extend(0..enabled.len());
    }
}
