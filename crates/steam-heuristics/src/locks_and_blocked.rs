//! `lnb`: locks that are held, and threads that are blocked.
//!
//! p = L + B, at most Lmax + n. From the StEAM paper, section 6.

use steam_model::Tally;

use crate::table::Bounds;

pub(crate) fn preference(tally: &Tally) -> i64 {
    tally.locks.saturating_add(tally.blocked)
}

pub(crate) fn maximum(bounds: &Bounds) -> i64 {
    i64::from(bounds.locks) + i64::from(bounds.threads)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::{BOUNDS, tally};

    #[test]
    fn both_count_the_same() {
        assert_eq!(preference(&tally(".BB..BBB")), 5);
        assert_eq!(preference(&tally("12bB")), 4 + 2);
        assert_eq!(maximum(&BOUNDS), 16);
    }
}
