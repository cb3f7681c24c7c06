//! `pba`: blocked threads, and threads that are alive in large groups.
//!
//! p = B³ + A² + G(alive), at most 2 n³ + n² as `pbb`, by Table 2 of the StEAM paper.

use steam_model::Tally;

pub(crate) use crate::prefer_blocked_blocked::maximum;

pub(crate) fn preference(tally: &Tally) -> i64 {
    let alive = tally.alive.saturating_pow(2).saturating_add(tally.alive_groups);
    tally.blocked.saturating_pow(3).saturating_add(alive)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::{BOUNDS, tally};

    #[test]
    fn figure_three() {
        assert_eq!(preference(&tally(".BB..BBB")), 125 + 64 + 512);
        assert_eq!(preference(&tally("Bx.")), 1 + 4 + (1 + 3));
        assert_eq!(preference(&tally("BBBBBBBB")), maximum(&BOUNDS));
    }
}
