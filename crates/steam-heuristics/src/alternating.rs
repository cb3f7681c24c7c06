//! `aa`: threads that read and write shared memory by turns.
//!
//! p = − D, where D grows by 1 with each step, but not with one whose access differs in kind (read or
//! write) from the same thread's access before. From the StEAM paper, section 6; that D grows with the
//! depth follows from its tables, in which best-first search with `aa` behaves like breadth-first.

use std::sync::Arc;

use steam_model::{SharedAccess, Tally};

use crate::followed::{ARC, Trace};

/// What was done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Accesses {
    repetitions: i64,
    /// By the thread's number its last access.
    last: Arc<Vec<Option<SharedAccess>>>,
}

impl Trace for Accesses {
    fn step(&self, thread: u32, access: Option<SharedAccess>) -> Self {
        let mut next = self.clone();
        let before = self.last.get(thread as usize).copied().flatten();
        next.repetitions += i64::from(access.is_none() || access == before);
        if access.is_some() && access != before {
            let last = Arc::make_mut(&mut next.last);
            last.resize(last.len().max(thread as usize + 1), None);
            last[thread as usize] = access;
        }
        next
    }

    fn preference(&self, _: &Tally) -> i64 {
        -self.repetitions
    }

    fn bytes(&self) -> usize {
        size_of_val(&**self.last) + size_of_val(&*self.last) + ARC
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SharedAccess::{Read, Write};

    fn walked(steps: &[(u32, Option<SharedAccess>)]) -> i64 {
        let end = steps.iter().fold(Accesses::default(), |accesses, it| accesses.step(it.0, it.1));
        end.preference(&Tally::default())
    }

    #[test]
    fn only_a_change_of_kind_is_free() {
        assert_eq!(walked(&[(1, Some(Read)), (1, Some(Write)), (1, Some(Read))]), 0);
        assert_eq!(walked(&[(1, Some(Read)), (2, Some(Read)), (1, Some(Read))]), -1);
        assert_eq!(walked(&[(1, Some(Read)), (1, None), (1, Some(Read)), (1, Some(Write))]), -2);
    }
}
