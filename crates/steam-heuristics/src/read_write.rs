//! `rw`: writes to shared variables, and few reads since a thread's last write.
//!
//! p = W − Σ r(t), where W counts the writes of all threads to shared memory and r(t) the reads of
//! thread t since its last write. From the StEAM paper, section 6, with no term that grows by the step.

use std::sync::Arc;

use steam_model::{SharedAccess, Tally};

use crate::followed::{ARC, Trace};

/// What was read and written so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    writes: i64,
    reads: i64,
    /// By the thread's number its reads since its last write.
    by_thread: Arc<Vec<u16>>,
}

impl Trace for Counts {
    fn step(&self, thread: u32, access: Option<SharedAccess>) -> Self {
        let mut next = self.clone();
        let Some(access) = access else { return next };
        let known = self.by_thread.get(thread as usize).copied().unwrap_or(0);
        let now = match access {
            SharedAccess::Read => known.saturating_add(1),
            SharedAccess::Write => 0,
        };
        next.writes += i64::from(access == SharedAccess::Write);
        next.reads += i64::from(now) - i64::from(known);
        if now != known {
            let by_thread = Arc::make_mut(&mut next.by_thread);
            by_thread.resize(by_thread.len().max(thread as usize + 1), 0);
            by_thread[thread as usize] = now;
        }
        next
    }

    fn preference(&self, _: &Tally) -> i64 {
        self.writes - self.reads
    }

    fn bytes(&self) -> usize {
        size_of_val(&**self.by_thread) + size_of_val(&*self.by_thread) + ARC
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SharedAccess::{Read, Write};

    fn walked(steps: &[(u32, Option<SharedAccess>)]) -> i64 {
        let end = steps.iter().fold(Counts::default(), |counts, it| counts.step(it.0, it.1));
        end.preference(&Tally::default())
    }

    #[test]
    fn a_write_forgets_the_thread_s_own_reads() {
        assert_eq!(walked(&[(1, Some(Read)), (2, Some(Read)), (1, Some(Read))]), -3);
        assert_eq!(walked(&[(1, Some(Read)), (2, Some(Read)), (1, Some(Write))]), 1 - 1);
        assert_eq!(walked(&[(2, Some(Write)), (2, Some(Write)), (3, None)]), 2);
    }
}
