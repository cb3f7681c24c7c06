//! PCT: random priorities, few random points at which they change.
//!
//! Burckhardt, Kothari, Musuvathi, Nagarakatte, "A randomized scheduler with probabilistic
//! guarantees of finding bugs", ASPLOS 2010. The agent with the highest priority runs; at the
//! i-th of d - 1 change points the agent that would run falls to priority i, below all initial
//! ones. A run of n agents and k steps finds a bug of depth d with probability at least
//! 1 / (n k^(d-1)). An agent that yields or sleeps falls below all others, as it asks for: else one that waits for
//! another in a loop would keep it from running up to the end of the run. Among several actions of one agent each is as likely as the others.

use std::collections::HashMap;

use steam_model::Livelocks;

use super::idle::Idle;
use super::{Guide, Numbers, Visit};

/// The lowest priority at a change point; an agent that yields gets one below all others.
const LEAST_CHANGED: u64 = 1 << 62;

/// The guide of one run.
pub(super) struct Pct {
    numbers: Numbers,
    /// The length at which the run ends.
    steps: usize,
    /// What the priorities of new agents are made from.
    seed: u64,
    priorities: HashMap<u32, u64>,
    /// The depths at which a priority changes.
    change_points: Vec<usize>,
    /// How often agents let others go first.
    yields: u64,
    idle: Idle,
}

impl Pct {
    /// A run with `depth` - 1 change points among the first `length` steps.
    pub(super) fn new(mut numbers: Numbers, steps: usize, depth: u32, length: usize) -> Self {
        let change_points = (1..depth).map(|_| numbers.below(length.max(1))).collect();
        let seed = numbers.next();
        let (priorities, idle) = (HashMap::new(), Idle::default());
        Self { numbers, steps, seed, priorities, change_points, yields: 0, idle }
    }

    /// An agent's priority. It depends on the agent alone, not on when it is first seen.
    fn priority(&mut self, agent: u32) -> u64 {
        let seed = self.seed;
        *self.priorities.entry(agent).or_insert_with(|| {
            let initial = 1 << 63;
            Numbers::of_part(seed, u64::from(agent)).next() | initial
        })
    }

    /// Of the agents whose actions are left, the one with the highest priority.
    fn highest(&mut self, left: &[(usize, u32)]) -> Option<u32> {
        let ranked = left.iter().map(|&(_, agent)| (self.priority(agent), agent));
        ranked.max().map(|(_, agent)| agent)
    }
}

impl<M: Livelocks> Guide<M> for Pct {
    const RETURNS: bool = false;

    fn enter(&mut self, _: &mut M::Worker, visit: &Visit<'_, M>) -> bool {
        self.idle.enter(visit);
        if let Some((before, action, _)) = visit.step
            && visit.model.yields(before, action)
        {
            self.yields += 1;
            self.priorities.insert(visit.model.agent(action), LEAST_CHANGED - self.yields);
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
            left.map(|position| (position, model.agent(enabled[position]))).collect();
        for point in 0..self.change_points.len() {
            if done == 0 && self.change_points[point] == depth {
                let agent = self.highest(&left)?;
                self.priorities.insert(agent, LEAST_CHANGED + point as u64);
            }
        }
        let agent = self.highest(&left)?;
        let its = || left.iter().filter(|(_, own)| *own == agent);
        let pick = self.numbers.below(its().count());
        its().nth(pick).map(|&(position, _)| self.idle.chosen(position))
    }
}
