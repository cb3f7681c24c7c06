//! Which of the enabled actions are enough: the place of reductions for searches with a store.

use crate::model::Model;

/// A choice among enabled actions that keeps what is looked for.
///
/// Programs are explored with [`NoReduction`] today: what a step is has left out most interleavings already. A stubborn-set
/// reduction is implemented here, and its author shows, for the set T that is chosen in a state s:
///
/// 1. *Nothing outside interferes.* Along every path from s by actions that are not in T, no action depends on one of T
///    (Valmari's D1; persistent sets are the special case in which T holds enabled actions only). Then each path to an
///    error or a deadlock can be reordered to begin in T.
/// 2. *One action can go on.* Unless nothing is enabled, T holds an enabled action that no action outside disables.
///    Choosing nothing means everything.
/// 3. *States alone decide.* T is a function of the state and of what counts in this refinement iteration
///    ([`Learns`](crate::Learns)), never of the path, the worker or the store: else the states that are found depend on
///    the order of the search and on the number of workers.
/// 4. *No action is ignored forever.* The search expands a state fully whenever one of the chosen actions leads to a
///    state that was known before, and whenever it reopens a state (the closed-set proviso in its strong form). What
///    counts as known is what was known before the batch began, which is the same for every number of workers. A
///    reduction that breaks cycles by itself, by a property of the transitions, does not need it.
/// 5. *What is looked for is kept.* Properties are asked in every stored state. A property of pairs of pending operations,
///    such as a data race, and a search for cycles need arguments of their own.
///
/// The twin of a reduction is [`NoReduction`]: errors, deadlocks and races have to be equal on random systems, in each
/// order of search and with several workers, and each of the conditions has a system that fails without it
/// (`crates/steam-search/tests/exploration/reductions.rs`).
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
