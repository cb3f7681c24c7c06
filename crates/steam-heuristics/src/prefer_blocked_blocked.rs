//! `pbb`: blocked threads, in large groups.
//!
//! p = B³ + B² + G(blocked), at most 2 n³ + n², by Table 2 of the StEAM paper. The text of its section
//! 6 leaves B² out (`pbb-text`), and its Figure 3 has slips: the groups weigh 84, not 94; five blocked
//! threads give 5³ = 125, not 625; together 209 by the text and 234 by the table, where the paper
//! prints 721.

use steam_model::Tally;

use crate::prefer_blocked_text;
use crate::table::Bounds;

pub(crate) fn preference(tally: &Tally) -> i64 {
    prefer_blocked_text::preference(tally).saturating_add(tally.blocked.saturating_pow(2))
}

pub(crate) fn maximum(bounds: &Bounds) -> i64 {
    let square = i64::from(bounds.threads).saturating_pow(2);
    prefer_blocked_text::maximum(bounds).saturating_add(square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::{BOUNDS, tally};

    #[test]
    fn figure_three() {
        assert_eq!(preference(&tally(".BB..BBB")), 125 + 25 + (12 + 72));
        assert_eq!(preference(&tally(".BB..BBB")), 234);
        assert_eq!(preference(&tally("BBBBBBBB")), maximum(&BOUNDS));
    }
}
