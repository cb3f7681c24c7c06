//! `mb`: the more threads are blocked, the better.
//!
//! p = B, at most n. From Groce and Visser, whose `MostBlocked` in Java PathFinder is the same but
//! for a constant.

use steam_model::Tally;

use crate::table::Bounds;

pub(crate) fn preference(tally: &Tally) -> i64 {
    tally.blocked
}

pub(crate) fn maximum(bounds: &Bounds) -> i64 {
    i64::from(bounds.threads)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::{BOUNDS, tally};

    #[test]
    fn it_counts_blocked_threads() {
        assert_eq!(preference(&tally(".BB..BBB")), 5);
        assert_eq!(preference(&tally("xxB1b")), 2);
        assert_eq!(maximum(&BOUNDS), 8);
    }
}
