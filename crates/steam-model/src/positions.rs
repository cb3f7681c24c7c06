//! Where processes stand: what a search must know that learns what each of them may still do.

use crate::dependence::Dependence;
use crate::vector::Delta;

/// A process that has something to do in a state.
#[derive(Clone, Debug)]
pub struct Standing<O> {
    /// Who it is.
    pub process: u32,
    /// Where it stands: see [`Positions`].
    pub position: u64,
    /// What it does next, whether it can be done now or not.
    pub operation: O,
}

/// A model that can say where its processes stand.
///
/// A *position* is a number that a process has in a state; what a process may still do is learned by position. Laws that
/// stubborn sets ([`steam_search::Stubborn`]) rely on:
///
/// * processes have finitely many positions;
/// * each change of a position is reported by [`moved`](Positions::moved), whoever made it;
/// * in a state of which [`standing`](Positions::standing) says that it is covered, all that processes may do next is
///   what is pending, and the laws of [`Dependence`] hold of it.
///
/// [`steam_search::Stubborn`]: ../steam_search/struct.Stubborn.html
pub trait Positions: Dependence {
    /// Appends all processes that have something to do, ascending by process. Whether the state is covered: if not, all
    /// of its actions have to be explored.
    fn standing(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        enabled: &[Self::Action],
        standing: &mut Vec<Standing<Self::Operation>>,
    ) -> bool;

    /// Reports who may stand elsewhere after a step than before, and where; `None` stands for those that are no more. Who
    /// was not there before was created by the step.
    fn moved(&self, before: &Self::State, delta: &Delta, visit: &mut dyn FnMut(u32, Option<u64>));

    /// The one process without a step of which another one, which cannot act, will not be able to: who has the lock that
    /// it waits for. `None` if there may be several, or that is not known.
    fn awaited(&self, state: &Self::State, waiting: &Standing<Self::Operation>) -> Option<u32>;

    /// Whether another process's operation may make possible one that is not; `awaited` says that it is known who is waited
    /// for, so that only others are asked about.
    fn enables(
        &self,
        operation: &Self::Operation,
        waiting: &Self::Operation,
        awaited: bool,
    ) -> bool;
}
