//! PCT: random priorities, few random points at which they change.
//!
//! Burckhardt, Kothari, Musuvathi, Nagarakatte, "A randomized scheduler with probabilistic
//! guarantees of finding bugs", ASPLOS 2010. The process with the highest priority runs; at the
//! i-th of d - 1 change points the process that would run falls to priority i, below all initial
//! ones. A run of n processes and k steps finds a bug of depth d with probability at least
//! 1 / (n k^(d-1)). A process that loops without effect falls below all others: else one that waits for
//! another in a loop would keep it from running up to the end of the run. So does one that yields or sleeps, as it asks for, but
//! not always: what it does next may be part of a bug before the others do anything. Among several actions of one process
//! each is as likely as the others.

use std::collections::HashMap;

use steam_model::Livelocks;

use super::idle::Idle;
use super::waiters::{Waiters, Waits};
use super::{Guide, Numbers, Visit};

/// The lowest priority at a change point; a process that waits gets one below all others.
const LEAST_CHANGED: u64 = 1 << 62;
/// Of so many yields of a process one leaves its priority as it is.
const KEPT_OF: usize = 8;

/// The guide of one run.
pub(super) struct Pct {
    numbers: Numbers,
    /// The length at which the run ends.
    steps: usize,
    /// What the priorities of new processes are made from.
    seed: u64,
    priorities: HashMap<u32, u64>,
    /// The depths at which a priority changes.
    change_points: Vec<usize>,
    /// How often processes fell below all others.
    falls: u64,
    idle: Idle,
    waiters: Waiters,
}

impl Pct {
    /// A run with `depth` - 1 change points among the first `length` steps.
    pub(super) fn new(mut numbers: Numbers, steps: usize, depth: u32, length: usize) -> Self {
        let change_points = (1..depth).map(|_| numbers.below(length.max(1))).collect();
        let seed = numbers.next();
        let (priorities, idle, waiters) = (HashMap::new(), Idle::default(), Waiters::default());
        Self { numbers, steps, seed, priorities, change_points, falls: 0, idle, waiters }
    }

    /// A process's priority. It depends on the process alone, not on when it is first seen.
    fn priority(&mut self, process: u32) -> u64 {
        let seed = self.seed;
        *self.priorities.entry(process).or_insert_with(|| {
            let initial = 1 << 63;
            Numbers::of_part(seed, u64::from(process)).next() | initial
        })
    }

    /// Of the processes whose actions are left, the one with the highest priority.
    fn highest(&mut self, left: &[(usize, u32)]) -> Option<u32> {
        let ranked = left.iter().map(|&(_, process)| (self.priority(process), process));
        ranked.max().map(|(_, process)| process)
    }
}

impl<M: Livelocks> Guide<M> for Pct {
    const RETURNS: bool = false;

    fn enter(&mut self, worker: &mut M::Worker, visit: &Visit<'_, M>) -> bool {
        self.idle.enter(visit);
        let Some((_, action, _)) = visit.step else { return true };
        let falls = match self.waiters.enter(worker, visit) {
            None => false,
            Some(Waits::Spins) => true,
            Some(Waits::Yields) => self.numbers.below(KEPT_OF) > 0,
        };
        if falls {
            self.falls += 1;
            self.priorities.insert(visit.model.process(action), LEAST_CHANGED - self.falls);
        }
        true
    }

    fn led_nowhere(&mut self) {
        self.idle.led_nowhere();
    }

    fn accepts(&mut self, _depth: usize) -> bool {
        true
    }

    fn choose(
        &mut self,
        model: &M,
        depth: usize,
        enabled: &[M::Action],
        done: usize,
    ) -> Option<usize> {
        if depth >= self.steps {
            return None;
        }
        let left = self.idle.left(enabled.len(), done).into_iter();
        let left: Vec<_> =
            left.map(|position| (position, model.process(enabled[position]))).collect();
        for point in 0..self.change_points.len() {
            if done == 0 && self.change_points[point] == depth {
                let process = self.highest(&left)?;
                self.priorities.insert(process, LEAST_CHANGED + point as u64);
            }
        }
        let process = self.highest(&left)?;
        let its = || left.iter().filter(|(_, own)| *own == process);
        let pick = self.numbers.below(its().count());
        its().nth(pick).map(|&(position, _)| self.idle.chosen(position))
    }
}
