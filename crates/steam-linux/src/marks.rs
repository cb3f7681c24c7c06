//! What the plain locking discipline remembers of a word along an execution (`steam_program`, `plain.rs`): who has it
//! to itself, and then which locks were held at every access.

use steam_state::ThreadId;
use steam_visibility::Hold;

/// What is remembered of a word.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Mark {
    /// It was not touched.
    #[default]
    Untouched,
    /// Only this thread has.
    Own(ThreadId),
    /// Several threads have.
    Common {
        /// The locks that were held at every access since the second thread came, ascending.
        locks: Vec<u64>,
        /// Whether it was written since then.
        written: bool,
    },
}

impl Mark {
    /// What is remembered after an access.
    #[must_use]
    pub fn after(&self, who: ThreadId, write: bool, holds: &[Hold]) -> Self {
        // Whoever writes must keep others from reading.
        let serving = holds.iter().filter(|hold| hold.exclusive || !write).map(|hold| hold.lock);
        match self {
            Self::Untouched => Self::Own(who),
            Self::Own(owner) if *owner == who => self.clone(),
            Self::Own(_) => Self::Common { locks: serving.collect(), written: write },
            Self::Common { locks, written } => {
                let serving: Vec<u64> = serving.collect();
                let left = locks.iter().copied().filter(|lock| serving.contains(lock));
                Self::Common { locks: left.collect(), written: *written || write }
            }
        }
    }

    /// Whether the word violates the discipline.
    pub fn is_breach(&self) -> bool {
        matches!(self, Self::Common { locks, written: true } if locks.is_empty())
    }

    /// Whether an access would still be part of the word's initialisation.
    pub fn is_initialised_by(&self, who: ThreadId) -> bool {
        *self == Self::Untouched || *self == Self::Own(who)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Access<'a> = (u32, bool, &'a [u64]);

    /// The definition, by looking at all accesses of an execution.
    fn violates(accesses: &[Access<'_>]) -> bool {
        let second = accesses.iter().position(|access| access.0 != accesses[0].0);
        let Some(shared) = second.map(|second| &accesses[second..]) else { return false };
        let locked = |lock: u64| shared.iter().all(|it| it.2.contains(&lock));
        shared.iter().any(|it| it.1) && !(0..3).any(locked)
    }

    #[test]
    fn a_mark_sums_up_an_execution() {
        let mut seed = 5u32;
        let mut below = |count: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % count
        };
        let sets: [&[u64]; 5] = [&[], &[0], &[0, 1], &[0, 2], &[1, 2]];
        let mut seen = [0; 2];
        for _ in 0..4000 {
            let access = |_| (1 + below(2), below(3) == 0, sets[below(5) as usize]);
            let accesses: Vec<Access<'_>> = (0..5).map(access).collect();
            let step = |mark: Mark, &(who, write, locks): &Access<'_>| {
                let holds: Vec<Hold> =
                    locks.iter().map(|&lock| Hold { lock, exclusive: true }).collect();
                mark.after(ThreadId(who), write, &holds)
            };
            let mark = accesses.iter().fold(Mark::default(), step);
            assert_eq!(mark.is_breach(), violates(&accesses), "{accesses:?}");
            seen[usize::from(mark.is_breach())] += 1;
        }
        assert!(seen.iter().all(|count| *count > 500), "{seen:?}");
    }

    #[test]
    fn a_lock_for_reading_serves_readers_only() {
        let shared = [Hold { lock: 8, exclusive: false }];
        let read = Mark::Own(ThreadId(1)).after(ThreadId(2), false, &shared);
        assert_eq!(read, Mark::Common { locks: vec![8], written: false });
        assert!(read.after(ThreadId(1), true, &shared).is_breach());
    }
}
