//! Which of the enabled actions are enough: the place of reductions for searches with a store.

use crate::model::Model;
use crate::vector::Delta;

/// Whether a step speaks for it that the chosen actions of a state are enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// It does if it leads to a state that was not known; all chosen steps have to (the closed-set proviso).
    IfNew,
    /// It does: one of the chosen steps has to.
    For,
    /// It does not.
    Neutral,
    /// The others have to be explored, too.
    Against,
}

/// A choice among enabled actions that keeps what is looked for.
///
/// It is made by a [stubborn set](../steam_search/struct.Stubborn.html), or not at all ([`NoReduction`]). Who implements it
/// shows, for the set T that is chosen in a state s:
///
/// 1. *Nothing outside interferes.* Along every path from s by actions that are not in T, no action depends on one of T
///    (Valmari's D1; persistent sets are the special case in which T holds enabled actions only). Then each path to an
///    error or a deadlock can be reordered to begin in T.
/// 2. *One action can go on.* Unless nothing is enabled, T holds an enabled action that no action outside disables.
///    Choosing nothing means everything.
/// 3. *States alone decide.* T is a function of the state and of what counts in this refinement iteration
///    ([`Learns`](crate::Learns)), never of the path, the worker or the store: else the states that are found depend on
///    the order of the search and on the number of workers.
/// 4. *No action is ignored forever.* Either by the store: the search expands a state fully whenever one of the chosen
///    actions leads to a state that was known before, and whenever it reopens a state (the closed-set proviso in its
///    strong form). What counts as known is what was known before the batch began, which is the same for every number
///    of workers. Or by a property of the steps, which needs no look at the store: each of them is said to speak for the
///    choice or not ([`Support`]), and a path of steps that speak for it cannot go on forever. The two are not to be
///    mixed.
/// 5. *What is looked for is kept.* Properties are asked in every stored state. A property of pairs of pending operations,
///    such as a data race, and a search for cycles need arguments of their own.
///
/// The twin of a reduction is [`NoReduction`]: errors, deadlocks and races have to be equal on random systems, in each
/// order of search and with several workers, and each of the conditions has a system that fails without it
/// (`crates/steam-search/tests/exploration/reductions.rs`, `stubborn.rs`).
pub trait Reduction<M: Model>: Sync {
    /// What a worker keeps from the choice in a state for the steps from it.
    type Notes: Default + Send;

    /// Appends the positions in `enabled`, ascending, of the actions to explore.
    fn choose(
        &self,
        system: (&M, &mut M::Worker),
        state: &M::State,
        enabled: &[M::Action],
        notes: &mut Self::Notes,
        chosen: &mut Vec<usize>,
    );

    /// Hears of each step from the state in which was chosen last: its changes, or `None` if it led nowhere. Whether it
    /// speaks for the choice; the answers for all steps are of one kind.
    fn hear(
        &self,
        _model: &M,
        _before: &M::State,
        _action: M::Action,
        _changes: Option<&Delta>,
        _notes: &mut Self::Notes,
    ) -> Support {
        Support::IfNew
    }
}

/// Explores every enabled action.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoReduction;

impl<M: Model> Reduction<M> for NoReduction {
    type Notes = ();

    fn choose(
        &self,
        _: (&M, &mut M::Worker),
        _: &M::State,
        enabled: &[M::Action],
        (): &mut (),
        chosen: &mut Vec<usize>,
    ) {
        chosen.extend(0..enabled.len());
    }
}
