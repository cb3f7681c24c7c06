//! `steam simulate`: a program under the user's hands, in a terminal or by a script.

mod explore;
mod surroundings;

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::bail;
use steam_check::{ErrorClass, Sought, Wanted};
use steam_session::{Algorithm, Control, Options, Scouting};
use steam_simulate::{Scene, Session, Simulation, script, terminal, tui};

use self::surroundings::Host;
use crate::args::check::{Mld, Volatile};
use crate::config::simulate::SimulatePlan;
use crate::executable;
use crate::exploration::{Judgement, Setup, record};
use crate::interrupt;
use crate::outcome::Outcome;

/// Random runs from which is learned what threads share, as before a check.
const RUNS: u64 = 10;
/// Steps of each of them.
const STEPS: u32 = 1000;
/// The depth of the bugs that they aim at.
const DEPTH: u32 = 3;

/// Lets the user step through the program of a plan.
pub fn simulate(plan: SimulatePlan) -> anyhow::Result<Outcome> {
    let SimulatePlan { check, trail, tui } = plan;
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if tui && !is_terminal {
        bail!("--tui needs a terminal; without it commands are read from standard input");
    }
    let executable = executable::load(&check.program, &check.guest)?;
    if trail.as_ref().is_some_and(|trail| trail.sha256 != executable.sha256) {
        bail!("the program changed since the trail was made; steam check makes a new one");
    }
    let judgement = Judgement {
        atomic: check.atomic,
        find: &check.find,
        spurious: check.spurious,
        still: check.still,
        divergence: check.divergence,
        atomic_vars: &[],
        volatile: Volatile::Race,
        intended: &[],
        progress: &[],
        mld: Mld::Off,
        uninitialised: false,
    };
    let setup = Setup::new(&executable.image, &check.guest, judgement, check.bounds.memory)?;
    let stop = interrupt::stop_flag()?;
    let trail = match trail {
        Some(trail) => trail,
        None => record(&check, &executable, scouted(&setup, &check.find, &stop)?),
    };
    let image = Arc::clone(&executable.image);
    let mut host = Host { check, executable, setup, stop: Arc::clone(&stop) };
    let simulation = Simulation::new(&image, host.scene(trail)?, stop);
    let mut session = Session::new(simulation, &mut host);
    if tui {
        tui::run(&mut session)?;
        return Ok(Outcome::Success);
    }
    if is_terminal {
        terminal::run(&mut session)?;
        return Ok(Outcome::Success);
    }
    let all_well = script::run(&mut session, io::stdin().lock(), &mut io::stdout().lock())?;
    Ok(if all_well { Outcome::Success } else { Outcome::UserError })
}

/// What a few random runs learn of shared memory: steps are to be those of a check.
fn scouted(setup: &Setup, find: &[ErrorClass], stop: &AtomicBool) -> anyhow::Result<String> {
    let program = setup.program()?;
    let options = Options {
        algorithm: Algorithm::Pct { runs: RUNS, depth: DEPTH },
        run_steps: STEPS,
        all: true,
        past_unknown: true,
        trails: false,
        scouting: Scouting { runs: 0, ..Options::default().scouting },
        ..Options::default()
    };
    let mut control = Control { stop: Some(stop), ..Control::default() };
    let wanted =
        Wanted { program: &program, find, start: None, invariants: None, suppressed: None };
    steam_check::check(&wanted, &Sought, &options, &mut control)?;
    // Who walks by hand may come to where the clock is read, although no run did.
    Ok(format!("{} clock", program.known_in(usize::MAX)))
}

impl Host {
    /// The scene of a trail of this program.
    fn scene(&self, trail: steam_trail::Trail) -> anyhow::Result<Scene> {
        let program = self.setup.program_with(&crate::config::replay::shared(&trail))?;
        Ok(Scene { program, trail, deadlocks: self.check.find.contains(&ErrorClass::Deadlock) })
    }
}
