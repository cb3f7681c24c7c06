//! What a walk by hand asks of searches: what threads share, and what can follow from where it stands.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use steam_explain::Explainer;
use steam_program::{Action, Program, Violation};
use steam_search::Finding;
use steam_session::{Algorithm, Control, Options, PilotRuns};
use steam_state::Table;
use steam_trail::{ProgramInfo, Report, Verdict};

use crate::about::version;
use crate::class::ErrorClass;
use crate::conclusion::{statistics, verdict};
use crate::config::Config;
use crate::error::Error;
use crate::options::session_options;
use crate::outside::{Listener, Outside};
use crate::searches::check;
use crate::setup::Setup;
use crate::wanted::{Sought, Wanted};

/// Random runs from which is learned what threads share, as before a check.
const RUNS: u64 = 10;
/// Steps of each of them.
const STEPS: u32 = 1000;
/// The depth of the bugs that they aim at.
const DEPTH: u32 = 3;

/// What a few random runs learn of shared memory, so that the steps of a walk are those of a check.
pub fn piloted(setup: &Setup, find: &[ErrorClass], stop: &AtomicBool) -> Result<String, Error> {
    let program = setup.program()?;
    let options = Options {
        algorithm: Algorithm::Pct { runs: RUNS, depth: DEPTH },
        run_steps: STEPS,
        all: true,
        past_unknown: true,
        trails: false,
        pilot_runs: PilotRuns { runs: 0, ..Options::default().pilot_runs },
        ..Options::default()
    };
    let mut control = Control { stop: Some(stop), ..Control::default() };
    let wanted =
        Wanted { program: &program, find, start: None, invariants: None, suppressed: None };
    check(&wanted, &Sought, &options, &mut control)?;
    // Who walks by hand may come to where the clock is read, although no run did.
    Ok(format!("{} clock", program.known_in(usize::MAX)))
}

/// What a search from a state on came to.
pub struct Beyond {
    /// The first error.
    pub finding: Option<Finding<Violation, Action>>,
    /// The counts and, where there is no error, the verdict.
    pub report: Report,
}

/// Looks for an error that can follow on a state of a program.
pub fn explore_from(
    config: &Config,
    (program, start): (&Program, Option<Table>),
    stop: Arc<AtomicBool>,
    listener: &mut dyn Listener,
) -> Result<Beyond, Error> {
    let outside = Outside::new(&config.bounds, stop, listener);
    let find = config.find();
    let wanted = Wanted { program, find, start, invariants: None, suppressed: None };
    let usual = session_options(config);
    // Only then is an error one of the last iteration, by whose rules its way is reported.
    let pilot_runs = PilotRuns { tells: false, ..usual.pilot_runs };
    let options = Options { pilot_runs, ..usual };
    let checked = outside.search(|control| check(&wanted, &Sought, &options, control))?;
    let outcome = &checked.outcome;
    let running = program.running();
    let unknowns = outcome.unknowns.iter().map(|unknown| &unknown.what.report);
    let unknowns = unknowns.chain(running.iter().map(|it| &it.report));
    let mut explainer = Explainer::new(program);
    let unknowns: Vec<_> = unknowns.map(|it| explainer.without_trail(it)).collect();
    let report = Report {
        version: version(),
        program: ProgramInfo::default(),
        configuration: config.described(),
        verdict: match verdict(config, outcome) {
            Verdict::Complete if !unknowns.is_empty() => Verdict::NotModelled,
            verdict => verdict,
        },
        violations: Vec::new(),
        unknowns,
        statistics: statistics(config, &checked),
        claims: Vec::new(),
        notes: Vec::new(),
        unconfirmed: Vec::new(),
        exits: program.exits(),
        own_errors: Vec::new(),
    };
    Ok(Beyond { finding: checked.outcome.violations.into_iter().next(), report })
}
