//! `pbb`: blocked threads, in large groups.
//!
//! p = B³ + B² + G(blocked), at most 2 n³ + n², by Table 2 of the StEAM paper. The text of its section
//! 6 leaves B² out, and its Figure 3 has slips: the groups weigh 84, not 94; five blocked threads give
//! 5³ = 125, not 625; together 209 by the text and 234 by the table, where the paper prints 721.

use steam_model::Tally;

use crate::table::Bounds;

pub(crate) fn preference(tally: &Tally) -> i64 {
    let squares = tally.blocked.saturating_pow(2).saturating_add(tally.blocked_groups);
    tally.blocked.saturating_pow(3).saturating_add(squares)
}

pub(crate) fn maximum(bounds: &Bounds) -> i64 {
    let threads = i64::from(bounds.threads);
    threads.saturating_pow(3).saturating_mul(2).saturating_add(threads.saturating_pow(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::{BOUNDS, tally};

    #[test]
    fn figure_three() {
        let figure = tally(".BB..BBB");
        assert_eq!(figure.blocked_groups + figure.blocked.pow(3), 209, "by the text");
        assert_eq!(preference(&figure), 234, "by the table");
        assert_eq!(preference(&tally("BBBBBBBB")), maximum(&BOUNDS));
    }
}
