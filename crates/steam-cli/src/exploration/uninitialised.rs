//! One execution in which uses of what nobody wrote are looked for.
//!
//! What nobody wrote is no part of a state, so a search that goes from state to state does not know it.
//! It is looked for along single executions: all of those of random and pct, and one before any other
//! search. What was not looked for is told with the verdict.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use steam_check::{ErrorClass, Sought, Wanted, check};
use steam_image::Image;
use steam_program::Program;
use steam_report::Kind;
use steam_session::{Algorithm as Order, Options, Scouting};

use super::options::session_options;
use super::phases::{Phase, Stops, explore};
use super::setup::{Judgement, Setup};
use crate::args::check::Algorithm;
use crate::config::check::CheckPlan;

/// Instructions after which the execution is given up: about a second.
const LONGEST: u64 = 20_000_000;
/// Steps after which it is given up.
const STEPS: u32 = 20_000;

/// What came of the execution.
pub struct Looked {
    /// How the program was made, for a replay of what was found.
    pub setup: Setup,
    /// The program.
    pub program: Program,
    /// The search, if it found such a use.
    pub found: Option<Phase>,
    /// Whether the execution was given up before its end.
    pub cut: bool,
}

/// What is to be told where no error was found, the execution being given up before its end or not.
pub fn looked_for(cut: bool) -> String {
    let cut = match cut {
        true => ", which was given up before its end,",
        false => "",
    };
    format!(
        "values that nobody wrote (uninitialised) were looked for on 1 execution{cut} and not in \
         the search; --algo random looks for them on each of its executions"
    )
}

/// Whether a plan asks for uses of what nobody wrote.
pub fn is_wanted(plan: &CheckPlan) -> bool {
    plan.uninitialised && plan.find.contains(&ErrorClass::Memory)
}

/// Whether all executions of a plan are looked at.
pub fn in_all_executions(plan: &CheckPlan) -> bool {
    is_wanted(plan) && matches!(plan.search.algorithm, Algorithm::Random | Algorithm::Pct)
}

/// Looks at one execution, if the plan asks for it and its own executions are not looked at.
pub fn look(
    plan: &CheckPlan,
    image: &Arc<Image>,
    judgement: Judgement<'_>,
    (stop, full): (&Arc<AtomicBool>, &Arc<AtomicBool>),
    end: Option<Instant>,
) -> anyhow::Result<Option<Looked>> {
    if !is_wanted(plan) || in_all_executions(plan) {
        return Ok(None);
    }
    let divergence = judgement.divergence.min(LONGEST);
    let judgement = Judgement { uninitialised: true, divergence, ..judgement };
    let setup = Setup::new(image, &plan.guest, judgement, plan.bounds.memory)?;
    let mut program = setup.program()?;
    program.end_by(end, vec![Arc::clone(stop), Arc::clone(full)]);
    let stops = Stops { asked: stop, full };
    let usual = session_options(plan);
    let options = Options {
        algorithm: Order::Random { runs: 1 },
        heuristic: None,
        bound: None,
        jobs: 1,
        run_steps: STEPS,
        run_effort: LONGEST,
        all: false,
        past_unknown: true,
        scouting: Scouting { runs: 0, ..usual.scouting },
        ..usual
    };
    let before = program.rounds();
    let wanted = Wanted {
        program: &program,
        find: &[ErrorClass::Memory],
        start: None,
        invariants: None,
        suppressed: None,
    };
    let checked = explore(plan, stops, |control| check(&wanted, &Sought, &options, control))?;
    let outcome = &checked.outcome;
    let counts = &outcome.statistics;
    let cut = counts.effort >= LONGEST || counts.depth >= STEPS || program.running().is_some();
    let first = outcome.violations.first();
    let found = first.is_some_and(|finding| finding.what.kind == Kind::Uninitialised);
    let phase =
        Phase { checked, before, asked: Vec::new(), running: None, passed: None, scouted: false };
    Ok(Some(Looked { setup, program, found: found.then_some(phase), cut }))
}
