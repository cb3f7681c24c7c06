//! A few random runs before the first round, from which to learn.

use steam_model::{Learns, Model, Property};
use steam_search::walk::{Plan, Scheduler, run};
use steam_search::{Config, Control, OutcomeOf};

use crate::options::Options;

/// The depth of the bugs that scouts aim at.
const DEPTH: u32 = 3;

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
        seed: options.seed,
    };
    let config = Config { all: true, past_unknown: true, ..*config };
    let mut control = Control { stop: control.stop, ..Control::default() };
    model.begin_round();
    run(model, property, &plan, &config, &mut control)
}
