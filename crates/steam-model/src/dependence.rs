//! Which steps depend on each other: what a search must know that leaves out orders that nothing can tell
//! apart.

use std::fmt::Debug;

use crate::model::Model;
use crate::vector::Delta;

/// A model that can say which steps of different processes commute.
///
/// Laws that reductions rely on, and that `steam_search::laws` checks:
///
/// * a process's pending operation, and what a step by it does, change only by its own steps and by
///   steps that depend on that operation;
/// * two operations that do not depend on each other can be done in either order, from every state
///   in which both can be done, with the same end; and neither makes the other possible or
///   impossible.
pub trait Dependence: Model {
    /// What a step does to what processes have in common.
    type Operation: Clone + PartialEq + Debug + Send + Sync;

    /// Visits the pending operation of each process, whether it can be done now or not, ascending by
    /// process. A model may look ahead for it: what a step does as a whole is known only when it is done.
    fn pending(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        visit: &mut dyn FnMut(u32, Self::Operation),
    );

    /// Appends what a step did: its process's operation first, which was `pending` before unless the
    /// action is another one, then what followed from it, such as the release of a lock.
    fn performed(
        &self,
        pending: &Self::Operation,
        before: &Self::State,
        action: Self::Action,
        delta: &Delta,
        operations: &mut Vec<Self::Operation>,
    );

    /// Whether the order of two operations of different processes can matter.
    fn dependent(&self, one: &Self::Operation, other: &Self::Operation) -> bool;

    /// Whether two operations may be an error for being both pending in a state, such as a data race:
    /// numbers by which such pairs are distinguished, in ascending order.
    fn clash(&self, _: &Self::Operation, _: &Self::Operation) -> Option<(u32, u32)> {
        None
    }

    /// Whether there may be a state in which both can be done. Where there is none, their order is
    /// no choice of the scheduler.
    fn may_meet(&self, one: &Self::Operation, other: &Self::Operation) -> bool;
}
