//! Steps of one process that lead back to where it was, such as those of a loop that waits for a variable
//! to change.
//!
//! Such steps change nothing in the end, and no step of another process has to come between them: they
//! can be done in a row, and the execution without them leads to the same state. So from then on the
//! process does nothing
//! any more, as if the loop were an assumption that does not hold (what state-less model checkers do
//! with loops that spin). Nothing gets lost. An execution to an error that is as short as possible has
//! no cycle in it, whichever order of independent steps is chosen. And whether a process has gone
//! round depends on its steps and on those that come before them, not on the order of independent
//! ones: so what is left is a system like the one before, in which some steps are missing that no such
//! execution takes. A step of another process that the loop waits for is in a race with the loop's reads;
//! that it comes first is then tried as any other order is.

use steam_model::Change;

/// Cycles of more steps are not looked for.
pub(super) const MOST_STEPS: usize = 32;
/// Nor those in which the process comes more often to the operation that is next now.
pub(super) const MOST_TIMES: usize = 4;

/// What some steps change together, beginning with the last of them.
#[derive(Default)]
pub(super) struct Together(Vec<Change>);

impl Together {
    /// Puts the changes of a step before the others.
    pub(super) fn precede(&mut self, changes: &[Change]) {
        for change in changes {
            match self.0.iter_mut().find(|later| later.slot == change.slot) {
                Some(later) => later.old = change.old,
                None => self.0.push(*change),
            }
        }
    }

    /// Whether the steps lead back to where they began.
    pub(super) fn is_cycle(&self) -> bool {
        self.0.iter().all(|change| change.old == change.new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(slot: u32, old: u32, new: u32) -> Change {
        Change { slot, old, new }
    }

    #[test]
    fn changes_that_are_undone_make_a_cycle() {
        let mut together = Together::default();
        assert!(together.is_cycle());
        together.precede(&[change(3, 7, 5), change(4, 1, 1)]);
        assert!(!together.is_cycle());
        together.precede(&[change(3, 6, 7)]);
        assert!(!together.is_cycle());
        together.precede(&[change(3, 5, 6)]);
        assert!(together.is_cycle());
        together.precede(&[change(9, 0, 1)]);
        assert!(!together.is_cycle());
    }
}
