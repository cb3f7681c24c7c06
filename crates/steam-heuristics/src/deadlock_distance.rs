//! `dl`: how many steps a deadlock needs at least. Not in the paper.
//!
//! h = the number of different objects that threads are about to acquire and could, where a thread that
//! is about to do something else counts as an object of its own. In a deadlock each of these threads
//! has ended or waits: it, or whoever took its object before, has acted on that object, and a step acts
//! on one object. So h is admissible and consistent for deadlocks, as long as no atomic block acquires
//! twice. Other errors may be nearer: where they are looked for too, h is at most 1.

use steam_model::Tally;

pub(crate) fn preference(tally: &Tally) -> i64 {
    -tally.objects
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::tally;

    #[test]
    fn each_object_needs_a_step() {
        // Two threads are before lock Q, one before lock R, one does something else, one is blocked.
        assert_eq!(preference(&tally("QQR.B")), -3);
        assert_eq!(preference(&tally("BBx")), 0);
    }
}
