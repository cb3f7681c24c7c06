//! One execution in which uses of what was never written are looked for.
//!
//! What was never written is no part of a state, so a search that goes from state to state does not know it.
//! It is looked for along single executions: all of those of random and pct, and one before any other
//! search. What was not looked for is said with the verdict.

use std::sync::Arc;

use steam_image::Image;
use steam_program::Program;
use steam_report::Kind;
use steam_session::{Algorithm, Options, PilotRuns};

use crate::choice::AlgorithmName;
use crate::class::ErrorClass;
use crate::config::{Config, Judgement, Scenario};
use crate::error::Error;
use crate::options::session_options;
use crate::outside::Outside;
use crate::phases::Phase;
use crate::searches::check;
use crate::setup::{Accesses, Setup};
use crate::wanted::{Sought, Wanted};

/// Instructions after which the execution is given up: about a second.
const LONGEST: u64 = 20_000_000;
/// Steps after which it is given up.
const STEPS: u32 = 20_000;

/// What came of the execution.
pub(crate) struct Looked {
    /// How the program was made, for a replay of what was found.
    pub setup: Setup,
    /// The program.
    pub program: Program,
    /// The search, if it found such a use.
    pub found: Option<Phase>,
    /// Whether the execution was given up before its end.
    pub cut: bool,
}

/// What is to be said where no error was found, the execution being given up before its end or not.
pub(crate) fn looked_for(cut: bool) -> String {
    let cut = match cut {
        true => ", which was given up before its end,",
        false => "",
    };
    format!(
        "values that were never written (uninitialised) were looked for on 1 execution{cut} and not in \
         the search; --algo random looks for them on each of its executions"
    )
}

/// Whether a configuration asks for uses of what was never written.
fn is_wanted(config: &Config) -> bool {
    config.uninitialised && config.looks_for(ErrorClass::Memory)
}

/// Whether all executions of a search are looked at.
pub(crate) fn in_all_executions(config: &Config) -> bool {
    is_wanted(config)
        && matches!(config.search.algorithm, AlgorithmName::Random | AlgorithmName::Pct)
}

/// Looks at one execution, if that is asked for and the search's own executions are not looked at.
pub(crate) fn look(
    config: &Config,
    image: &Arc<Image>,
    accesses: Accesses<'_>,
    outside: &Outside<'_>,
) -> Result<Option<Looked>, Error> {
    if !is_wanted(config) || in_all_executions(config) {
        return Ok(None);
    }
    let judgement = config.scenario.judgement.clone();
    let divergence = judgement.divergence.map_or(LONGEST, |limit| limit.min(LONGEST));
    let judgement = Judgement { divergence: Some(divergence), ..judgement };
    let scenario = Scenario { judgement, ..config.scenario.clone() };
    let accesses = Accesses { uninitialised: true, ..accesses };
    let setup = Setup::new(image, &scenario, accesses, config.bounds.memory)?;
    let mut program = setup.program()?;
    outside.end(&mut program);
    let usual = session_options(config);
    let options = Options {
        algorithm: Algorithm::Random { runs: 1 },
        heuristic: None,
        bound: None,
        jobs: 1,
        run_steps: STEPS,
        run_effort: LONGEST,
        all: false,
        past_unknown: true,
        pilot_runs: PilotRuns { runs: 0, ..usual.pilot_runs },
        ..usual
    };
    let before = program.iterations();
    let wanted = Wanted {
        program: &program,
        find: &[ErrorClass::Memory],
        start: None,
        invariants: None,
        suppressed: None,
    };
    let checked = outside.search(|control| check(&wanted, &Sought, &options, control))?;
    let outcome = &checked.outcome;
    let counts = &outcome.statistics;
    let cut = counts.effort >= LONGEST || counts.depth >= STEPS || program.running().is_some();
    let first = outcome.violations.first();
    let found = first.is_some_and(|finding| finding.what.kind == Kind::Uninitialised);
    let phase =
        Phase { checked, before, asked: Vec::new(), running: None, passed: None, piloted: false };
    Ok(Some(Looked { setup, program, found: found.then_some(phase), cut }))
}
