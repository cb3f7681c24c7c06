//! Sums over the threads of a state: all that most heuristics ask.
//!
//! A [`Census`] keeps them while threads change one by one, so that a state that differs in few
//! threads from the last one costs little, however many threads there are. Its naive twin is
//! [`Tally::of`].

use std::collections::BTreeMap;

use crate::groups::Groups;
use crate::threads::ThreadFacts;

/// Sums over the threads of one state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Threads that were created and have not ended.
    pub alive: i64,
    /// Threads that cannot go on.
    pub blocked: i64,
    /// Locks that threads hold.
    pub locks: i64,
    /// The weight of the groups of threads that are alive, see [`Groups`].
    pub alive_groups: i64,
    /// The weight of the groups of blocked threads.
    pub blocked_groups: i64,
    /// Different objects that threads are about to acquire and could; a thread that is about to do
    /// something else counts as an object of its own.
    pub objects: i64,
}

impl Tally {
    /// The sums over these threads.
    pub fn of(threads: impl IntoIterator<Item = ThreadFacts>) -> Self {
        let mut census = Census::default();
        for thread in threads {
            census.set(thread.number, Some(thread));
        }
        census.tally()
    }
}

/// The threads of a state, counted.
#[derive(Clone, Debug, Default)]
pub struct Census {
    threads: BTreeMap<u32, ThreadFacts>,
    sums: Tally,
    alive: Groups,
    blocked: Groups,
    /// For each object how many threads are about to acquire it and could.
    wanted: BTreeMap<Wanted, u32>,
}

/// What a thread that can go on acts on: an object, or itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wanted {
    Object(u64),
    Itself(u32),
}

impl Census {
    /// Says what is known of a thread now; `None` for one that is not there.
    pub fn set(&mut self, number: u32, facts: Option<ThreadFacts>) {
        let before = match facts {
            Some(facts) => self.threads.insert(number, facts),
            None => self.threads.remove(&number),
        };
        if before == facts {
            return;
        }
        if let Some(before) = before {
            self.count(&before, -1);
        }
        if let Some(facts) = facts {
            self.count(&facts, 1);
        }
    }

    fn count(&mut self, thread: &ThreadFacts, sign: i64) {
        let change = |groups: &mut Groups| match sign {
            1 => groups.insert(thread.number),
            _ => groups.remove(thread.number),
        };
        self.sums.locks += sign * i64::from(thread.locks);
        if thread.alive {
            self.sums.alive += sign;
            change(&mut self.alive);
        }
        if thread.blocked {
            self.sums.blocked += sign;
            change(&mut self.blocked);
        } else if thread.alive {
            let wanted = thread.wants.map_or(Wanted::Itself(thread.number), Wanted::Object);
            let count = self.wanted.entry(wanted).or_default();
            *count = count.saturating_add_signed(sign as i32);
            if *count == 0 {
                self.wanted.remove(&wanted);
            }
        }
    }

    /// The sums.
    pub fn tally(&self) -> Tally {
        Tally {
            alive_groups: self.alive.weight(),
            blocked_groups: self.blocked.weight(),
            objects: self.wanted.len() as i64,
            ..self.sums
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changing_threads_one_by_one_counts_as_much_as_counting_all() {
        let (mut census, mut threads) = (Census::default(), BTreeMap::new());
        let mut seed = 9u32;
        let mut below = |bound: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % bound
        };
        for _ in 0..5000 {
            let number = 1 + below(12);
            let facts = (below(4) > 0).then(|| ThreadFacts {
                number,
                alive: true,
                blocked: below(2) == 0,
                locks: below(3),
                wants: (below(2) == 0).then(|| 100 + u64::from(below(4))),
            });
            census.set(number, facts);
            match facts {
                Some(facts) => threads.insert(number, facts),
                None => threads.remove(&number),
            };
            assert_eq!(census.tally(), naive(&threads), "{threads:?}");
        }
    }

    /// From the definitions, without a census.
    fn naive(threads: &BTreeMap<u32, ThreadFacts>) -> Tally {
        let weight = |has: fn(&ThreadFacts) -> bool| {
            let numbers: Vec<u32> =
                threads.values().filter(|thread| has(thread)).map(|it| it.number).collect();
            let runs = numbers.chunk_by(|a, b| a + 1 == *b);
            runs.map(|run| (run.len() as i64).pow(2) * i64::from(run[run.len() - 1])).sum()
        };
        let mut objects: Vec<(bool, u64)> = threads
            .values()
            .filter(|thread| !thread.blocked)
            .map(|it| it.wants.map_or((true, u64::from(it.number)), |object| (false, object)))
            .collect();
        objects.sort_unstable();
        objects.dedup();
        Tally {
            alive: threads.len() as i64,
            blocked: threads.values().filter(|thread| thread.blocked).count() as i64,
            locks: threads.values().map(|thread| i64::from(thread.locks)).sum(),
            alive_groups: weight(|it| it.alive),
            blocked_groups: weight(|it| it.blocked),
            objects: objects.len() as i64,
        }
    }
}
