//! Models that find out while they are explored what has to be explored.

/// A model that assumes something, such as that a cell of memory belongs to one thread, and that
/// notices when this was wrong.
///
/// What is learned during an iteration must not change the steps of that iteration: it counts from the
/// next [`begin_iteration`](Learns::begin_iteration) on, because all steps of one search have to be made
/// by the same rules. A violation that is met in any iteration is real; that there is none is only
/// shown by an iteration in which nothing was learned.
///
/// The default learns nothing.
pub trait Learns {
    /// Lets everything that was learned so far count from now on.
    fn begin_iteration(&self) {}

    /// Hears that the iteration has gone everywhere: what it did not show is not there. That itself may be
    /// something learned.
    fn conclude_iteration(&self) {}

    /// Whether anything was learned since the iteration began.
    fn learned(&self) -> bool {
        false
    }
}
