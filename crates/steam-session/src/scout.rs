//! A few random runs before the first round, from which to learn.

use steam_model::{Learns, Model, Property};
use steam_search::walk::{Plan, Scheduler, run};
use steam_search::{Config, Control, OutcomeOf};

use crate::options::Options;

/// The depth of the bugs that scouts aim at.
const DEPTH: u32 = 3;

/// The work after which a scout gives up, and the others with it. It knows nothing yet of what
/// threads share, so a thread that waits for another one runs on until its step is cut, millions of
/// instructions long; the first round learns in less time from which words that comes.
const EFFORT: u64 = 1 << 23;

/// Does the runs of scouts, past everything that they find.
pub(crate) fn scout<M: Model + Learns>(
    model: &M,
    property: &dyn Property<M>,
    options: &Options,
    config: &Config,
    control: &Control<'_>,
) -> OutcomeOf<M> {
    let plan = Plan {
        scheduler: Scheduler::Pct { depth: DEPTH },
        runs: options.scouting.runs,
        steps: options.scouting.steps,
        effort: EFFORT,
        seed: options.seed,
    };
    let config = Config { all: true, past_unknown: true, ..*config };
    let mut control = Control { stop: control.stop, ..Control::default() };
    model.begin_round();
    run(model, property, &plan, &config, &mut control)
}
