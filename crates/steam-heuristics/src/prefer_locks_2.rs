//! `pl2`: many locks held, and blocked threads in large groups.
//!
//! p = L² + G(blocked) + G(alive), at most Lmax² + 2 n³, where G is the weight of groups
//! ([`steam_model::Groups`]). The paper's "blocked and alive" is read as both kinds of groups; while
//! no thread begins or ends, the second is constant.

use steam_model::Tally;

use crate::table::Bounds;

pub(crate) fn preference(tally: &Tally) -> i64 {
    let locks = tally.locks.saturating_pow(2);
    locks.saturating_add(tally.blocked_groups).saturating_add(tally.alive_groups)
}

pub(crate) fn maximum(bounds: &Bounds) -> i64 {
    let cube = i64::from(bounds.threads).saturating_pow(3);
    i64::from(bounds.locks).saturating_pow(2).saturating_add(cube.saturating_mul(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::{BOUNDS, tally};

    #[test]
    fn figure_three() {
        // Groups of 12 and 72 are blocked, and eight alive in one of 512.
        assert_eq!(preference(&tally(".BB..BBB")), 84 + 512);
        assert_eq!(preference(&tally("1b")), 4 + 2 + 8);
    }

    #[test]
    fn threads_that_ended_split_groups() {
        // Threads 1 and 3 are alive: 1 + 3.
        assert_eq!(preference(&tally(".x.")), 4);
        assert_eq!(preference(&tally("...")), 27);
    }

    #[test]
    fn the_maximum_is_reached_when_all_are_blocked_with_all_locks() {
        assert_eq!(preference(&tally("bbbbbbbb")), maximum(&BOUNDS));
    }
}
