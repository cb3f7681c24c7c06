//! `pl1`: many locks held, and many threads blocked.
//!
//! p = L² + B², at most Lmax² + n². The paper's "squared number of locks in all threads" is read as
//! the square of their sum.

use steam_model::Tally;

use crate::table::Bounds;

pub(crate) fn preference(tally: &Tally) -> i64 {
    tally.locks.saturating_pow(2).saturating_add(tally.blocked.saturating_pow(2))
}

pub(crate) fn maximum(bounds: &Bounds) -> i64 {
    i64::from(bounds.locks).saturating_pow(2) + i64::from(bounds.threads).saturating_pow(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::{BOUNDS, tally};

    #[test]
    fn the_sums_are_squared() {
        assert_eq!(preference(&tally(".BB..BBB")), 25);
        assert_eq!(preference(&tally("12bB")), 16 + 4);
        assert_eq!(maximum(&BOUNDS), 128);
    }
}
