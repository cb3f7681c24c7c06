//! Many random paths, each from the initial state to its end.
//!
//! A run depends on the seed and its number alone (and, for PCT, on the longest run of the batches
//! before), so several workers find the same as one: the error of the first run that has one.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use steam_model::{Livelocks, Model, Property};

use super::pct::Pct;
use super::random::Random;
use super::{Numbers, Walk};
use crate::config::{Config, Control, Progress};
use crate::outcome::{End, LimitKind, OutcomeOf, Statistics};
use crate::watch::{Deadline, Watch};

const BATCH: u64 = 64;
/// Where a run is on average more work than this, it is asked more often whether to go on.
const HEAVY: u64 = 1 << 20;
/// Runs between two such questions then.
const HEAVY_BATCH: u64 = 2;

/// How a run chooses its actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduler {
    /// Every action is as likely as the others.
    Random,
    /// Random priorities with change points.
    Pct {
        /// The depth of the bugs that are aimed at: one more than the change points.
        depth: u32,
    },
}

/// Which runs to do.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How actions are chosen.
    pub scheduler: Scheduler,
    /// The number of runs.
    pub runs: u64,
    /// Steps after which a run is given up; the depth limit counts too.
    pub steps: u32,
    /// The work ([`Model::effort`]) after which a run is given up, and so are those that come after it.
    pub effort: u64,
    /// What all choices depend on.
    pub seed: u64,
}

/// What the workers of a batch have in common.
struct Shift<'a, M: Model, P: ?Sized> {
    model: &'a M,
    property: &'a P,
    config: &'a Config,
    plan: &'a Plan,
    crew: Vec<Mutex<M::Worker>>,
    deadline: Deadline<'a>,
}

impl<'a, M: Livelocks, P: Property<M> + ?Sized> Shift<'a, M, P> {
    /// Does one run.
    fn run(&self, number: u64, length: usize) -> (Walk<'a, M, P>, ControlFlow<End>) {
        let member = rayon::current_thread_index().unwrap_or(0) % self.crew.len();
        let mut worker = self.crew[member].lock().unwrap_or_else(PoisonError::into_inner);
        let mut walk = Walk::new((self.model, self.property), self.config, self.deadline);
        walk.most_effort = self.plan.effort;
        let numbers = Numbers::of_part(self.plan.seed, number);
        let steps = self.plan.steps.min(self.config.limits.depth.unwrap_or(u32::MAX)) as usize;
        let end = match self.plan.scheduler {
            Scheduler::Random => {
                walk.go(&mut worker, &mut Random::new(numbers, steps), |_, _| self.halted())
            }
            Scheduler::Pct { depth } => {
                let mut guide = Pct::new(numbers, steps, depth, length);
                walk.go(&mut worker, &mut guide, |_, _| self.halted())
            }
        };
        (walk, end)
    }

    /// Whether a run was more work than a run may be.
    fn gives_up(&self, walk: &Walk<'a, M, P>) -> bool {
        walk.statistics.effort >= self.plan.effort
    }

    fn halted(&self) -> Option<End> {
        if self.deadline.is_asked() {
            return Some(End::Interrupted);
        }
        if self.deadline.is_full() {
            return Some(End::Limit(LimitKind::Memory));
        }
        self.deadline.is_over().then_some(End::Limit(LimitKind::Time))
    }

    fn run_batch(
        &self,
        numbers: std::ops::Range<u64>,
        length: usize,
    ) -> Vec<(Walk<'a, M, P>, ControlFlow<End>)> {
        if self.crew.len() == 1 {
            let mut done = Vec::new();
            for number in numbers {
                let (walk, end) = self.run(number, length);
                let ends = end.is_break() || self.gives_up(&walk);
                done.push((walk, end));
                if ends {
                    break;
                }
            }
            return done;
        }
        numbers.into_par_iter().map(|number| self.run(number, length)).collect()
    }
}

/// Does the planned runs. Its end is never [`End::Exhausted`]: single paths prove nothing.
pub fn run<M: Livelocks, P: Property<M> + ?Sized>(
    model: &M,
    property: &P,
    plan: &Plan,
    config: &Config,
    control: &mut Control<'_>,
) -> OutcomeOf<M> {
    let watch = Watch::new(control, config.limits);
    let shift = Shift {
        model,
        property,
        config,
        plan,
        crew: (0..config.jobs.max(1)).map(|_| Mutex::new(model.worker())).collect(),
        deadline: watch.deadline(),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(config.jobs);
    match (config.jobs > 1).then(|| pool.build()) {
        Some(Ok(pool)) => pool.install(|| run_all(&shift, watch)),
        Some(Err(_)) | None => run_all(&shift, watch),
    }
}

fn run_all<M: Livelocks, P: Property<M> + ?Sized>(
    shift: &Shift<'_, M, P>,
    mut watch: Watch<'_, '_>,
) -> OutcomeOf<M> {
    let mut total = Walk::new((shift.model, shift.property), shift.config, shift.deadline);
    let mut first = 0;
    while first < shift.plan.runs {
        // The first run is alone: it says how long runs are.
        let heavy = total.statistics.effort > HEAVY * first;
        let batch = match first {
            0 => 1,
            _ if heavy => HEAVY_BATCH,
            _ => BATCH,
        };
        let next = (first + batch).min(shift.plan.runs);
        let length = total.statistics.depth as usize;
        for (walk, end) in shift.run_batch(first..next, length) {
            let gives_up = shift.gives_up(&walk);
            total.absorb(walk);
            if let ControlFlow::Break(end) = end {
                return total.into_outcome(end, true);
            }
            if gives_up {
                return total.into_outcome(End::Limit(LimitKind::Runs), true);
            }
        }
        let Statistics { states, transitions, effort, expanded, depth, .. } = total.statistics;
        let known = Progress {
            states,
            transitions,
            effort,
            expanded,
            depth,
            bytes: shift.model.bytes(),
            ..Progress::default()
        };
        if let Some(end) = watch.check(known) {
            return total.into_outcome(end, true);
        }
        first = next;
    }
    total.into_outcome(End::Limit(LimitKind::Runs), true)
}
