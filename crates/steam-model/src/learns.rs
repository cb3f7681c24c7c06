//! Models that find out while they are explored what has to be explored.

/// A model that assumes something, such as that a cell of memory belongs to one thread, and that
/// notices when this was wrong.
///
/// What is learned during a round must not change the steps of that round: it counts from the
/// next [`begin_round`](Learns::begin_round) on, because all steps of one search have to be made
/// by the same rules. A violation that is met in any round is real; that there is none is only
/// shown by a round in which nothing was learned.
///
/// The default learns nothing.
pub trait Learns {
    /// Lets everything that was learned so far count from now on.
    fn begin_round(&self) {}

    /// Hears that the round has gone everywhere: what it did not show is not there. That itself may be
    /// something learned.
    fn conclude_round(&self) {}

    /// Whether anything was learned since the round began.
    fn learned(&self) -> bool {
        false
    }
}
