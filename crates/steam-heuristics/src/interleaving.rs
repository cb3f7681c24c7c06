//! `int`: threads take turns.
//!
//! p = − Σ (K − age) · A over the last K steps that were made by the thread of the last step, where age
//! is 0 for the last step and A is the number of threads alive; 0 if only one is. From Groce and
//! Visser, as Java PathFinder's `Interleaving` computes it, with K = 16 steps that are remembered (there
//! it is an option, which by default remembers none).

use std::sync::Arc;

use steam_model::{SharedAccess, Tally};

use crate::followed::{ARC, Trace};

const REMEMBERED: usize = 16;

/// The threads of the last steps, the latest first; 0 where there was none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Turns(Arc<[u32; REMEMBERED]>);

impl Trace for Turns {
    fn step(&self, thread: u32, _: Option<SharedAccess>) -> Self {
        let mut turns = [thread; REMEMBERED];
        turns[1..].copy_from_slice(&self.0[..REMEMBERED - 1]);
        Self(Arc::new(turns))
    }

    fn preference(&self, tally: &Tally) -> i64 {
        if tally.alive <= 1 || self.0[0] == 0 {
            return 0;
        }
        let same = self.0.iter().enumerate().filter(|(_, thread)| **thread == self.0[0]);
        let ages: i64 = same.map(|(age, _)| (REMEMBERED - age) as i64).sum();
        -ages * tally.alive
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.0) + ARC
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::tally;

    fn walked(threads: &[u32]) -> Turns {
        threads.iter().fold(Turns::default(), |turns, &thread| turns.step(thread, None))
    }

    #[test]
    fn repeated_turns_count_against_a_state() {
        assert_eq!(walked(&[]).preference(&tally("..")), 0);
        assert_eq!(walked(&[1]).preference(&tally("..")), -32);
        assert_eq!(walked(&[1, 2]).preference(&tally("..")), -32);
        assert_eq!(walked(&[2, 1, 2]).preference(&tally("...")), -(16 + 14) * 3);
        assert_eq!(walked(&[1, 1]).preference(&tally(".x")), 0, "nobody else is there");
    }

    #[test]
    fn only_the_last_steps_are_remembered() {
        let turns = walked(&[7; 40]);
        assert_eq!(turns.preference(&tally("..")), -(1..=16).sum::<i64>() * 2);
        let others = (0..16).fold(turns, |turns, _| turns.step(8, None));
        assert_eq!(others.step(7, None).preference(&tally("..")), -32);
    }
}
