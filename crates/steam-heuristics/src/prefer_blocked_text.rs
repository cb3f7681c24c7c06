//! `pbb-text`: blocked threads, in large groups, as the text of the StEAM paper has it.
//!
//! p = B³ + G(blocked), at most 2 n³, by the text of section 6; its Table 2 adds B² (`pbb`).

use steam_model::Tally;

use crate::table::Bounds;

pub(crate) fn preference(tally: &Tally) -> i64 {
    tally.blocked.saturating_pow(3).saturating_add(tally.blocked_groups)
}

pub(crate) fn maximum(bounds: &Bounds) -> i64 {
    i64::from(bounds.threads).saturating_pow(3).saturating_mul(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::{BOUNDS, tally};

    #[test]
    fn figure_three() {
        assert_eq!(preference(&tally(".BB..BBB")), 125 + (12 + 72));
        assert_eq!(preference(&tally(".BB..BBB")), 209);
        assert_eq!(preference(&tally("BBBBBBBB")), maximum(&BOUNDS));
    }
}
