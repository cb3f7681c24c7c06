//! The random walk: every enabled action is as likely as the others, but for those of processes that wait.

use std::collections::HashMap;

use steam_model::{Livelocks, Model};

use super::idle::Idle;
use super::waiters::Waiters;
use super::{Guide, Numbers, Visit};

/// How much likelier the action of a process is than that of one that waits.
const LIKELIER: usize = 8;
/// For so many steps of its own a process counts as one that waits.
const WAITS_FOR: u32 = 8;

/// The guide of one random path.
pub(super) struct Random {
    numbers: Numbers,
    /// The length at which the path ends.
    steps: usize,
    idle: Idle,
    waiters: Waiters,
    /// The processes that wait, each with the number of steps after which it no longer counts as one.
    waiting: HashMap<u32, u32>,
}

impl Random {
    /// A path of at most so many steps.
    pub(super) fn new(numbers: Numbers, steps: usize) -> Self {
        let (idle, waiters, waiting) = (Idle::default(), Waiters::default(), HashMap::new());
        Self { numbers, steps, idle, waiters, waiting }
    }

    /// One of some positions: of the actions of processes that wait each is less likely than one of the others.
    fn pick<M: Model>(&mut self, model: &M, enabled: &[M::Action], left: &[usize]) -> usize {
        let weight = |position: usize| {
            let waits = self.waiting.contains_key(&model.process(enabled[position]));
            if waits { 1 } else { LIKELIER }
        };
        if self.waiting.is_empty() || left.iter().all(|it| weight(*it) == weight(left[0])) {
            return left[self.numbers.below(left.len())];
        }
        let mut number = self.numbers.below(left.iter().map(|it| weight(*it)).sum());
        let chosen = left.iter().find(|&&position| {
            let within = number < weight(position);
            number = number.saturating_sub(weight(position));
            within
        });
        *chosen.expect("the number is less than the sum")
    }
}

impl<M: Livelocks> Guide<M> for Random {
    const RETURNS: bool = false;

    fn enter(&mut self, worker: &mut M::Worker, visit: &Visit<'_, M>) -> bool {
        self.idle.enter(visit);
        let Some((_, action, _)) = visit.step else { return true };
        let process = visit.model.process(action);
        if self.waiters.enter(worker, visit).is_some() {
            self.waiting.insert(process, WAITS_FOR);
        } else if let Some(left) = self.waiting.get_mut(&process) {
            *left -= 1;
            if *left == 0 {
                self.waiting.remove(&process);
            }
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
        let left = self.idle.left(enabled.len(), done);
        if depth >= self.steps || left.is_empty() {
            return None;
        }
        let chosen = self.pick(model, enabled, &left);
        Some(self.idle.chosen(chosen))
    }
}
