//! A few random runs from which to learn: before the first iteration, and beside one that learns nothing by much work.

use steam_model::{Learns, Livelocks, Property};
use steam_search::walk::{Plan, Scheduler, run};
use steam_search::{Config, Control, OutcomeOf};

use crate::options::Options;

/// The depth of the bugs that pilots aim at.
const DEPTH: u32 = 3;

/// The work after which a pilot gives up, and the others with it. It knows nothing yet of what
/// threads share, so a thread that waits for another one runs on until its step is cut, millions of
/// instructions long; the first iteration learns in less time from which words that comes.
const EFFORT: u64 = 1 << 23;

/// Runs of pilots that are sent in the midst of an iteration: one that gives all threads their turns meets
/// nearly all that any run does.
const RUNS_BESIDE: u64 = 2;

/// Does the runs of pilots before the first iteration, past everything that they find.
pub(crate) fn pilot<M: Livelocks + Learns>(
    model: &M,
    property: &dyn Property<M>,
    options: &Options,
    config: &Config,
    control: &Control<'_>,
) -> OutcomeOf<M> {
    let plan = Plan {
        scheduler: Scheduler::Pct { depth: DEPTH },
        runs: options.pilot_runs.runs,
        steps: options.pilot_runs.steps,
        effort: EFFORT,
        seed: options.seed,
    };
    let config = Config { all: true, past_unknown: true, ..*config };
    let mut control = Control { stop: control.stop, full: control.full, ..Control::default() };
    model.begin_iteration();
    run(model, property, &plan, &config, &mut control)
}

/// Does some runs in the midst of an iteration, by what counts in it. Every thread gets its turns, so that
/// one thread does what others wait for. What they find is left to the iteration; `turn` tells several such
/// calls apart.
pub(crate) fn pilot_beside<M: Livelocks>(
    model: &M,
    property: &dyn Property<M>,
    options: &Options,
    turn: u64,
    config: &Config,
    control: &Control<'_>,
) -> OutcomeOf<M> {
    let plan = Plan {
        scheduler: Scheduler::Random,
        runs: options.pilot_runs.runs.min(RUNS_BESIDE),
        steps: options.pilot_runs.steps,
        effort: EFFORT,
        seed: options.seed.wrapping_add(turn),
    };
    let config = Config { all: true, past_unknown: true, jobs: 1, ..*config };
    let mut control = Control { stop: control.stop, full: control.full, ..Control::default() };
    run(model, property, &plan, &config, &mut control)
}
