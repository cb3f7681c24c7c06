//! States written down by hand, for the tests of formulas.

use steam_model::{Tally, ThreadFacts};

use crate::table::Bounds;

/// Bounds of eight threads and locks.
pub(crate) const BOUNDS: Bounds = Bounds { threads: 8, locks: 8, only_deadlocks: true };

/// Threads 1 to n, by letters: `.` runs, `B` is blocked, `x` has ended; a digit runs and holds so
/// many locks, `b` is blocked and holds one, and any other capital letter is about to acquire the
/// object of that name.
pub(crate) fn tally(letters: &str) -> Tally {
    let thread = |(number, letter): (u32, char)| {
        let blocked = letter.eq_ignore_ascii_case(&'b');
        ThreadFacts {
            number,
            alive: letter != 'x',
            blocked,
            locks: if letter == 'b' { 1 } else { letter.to_digit(10).unwrap_or(0) },
            wants: (letter.is_ascii_uppercase() && !blocked)
                .then_some(u64::from(u32::from(letter))),
        }
    };
    Tally::of((1..).zip(letters.chars()).map(thread))
}
