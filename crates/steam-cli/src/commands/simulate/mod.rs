//! `steam simulate`: a program under the user's hands, in a terminal or by a script.

mod explore;
mod surroundings;

use std::io::{self, IsTerminal};
use std::sync::Arc;

use anyhow::bail;
use steam_check::{Accesses, ErrorClass, Judgement, Scenario, Setup, known, piloted, record};
use steam_simulate::{Scene, Session, Simulation, script, terminal, tui};

use self::surroundings::Host;
use crate::config::simulate::SimulatePlan;
use crate::executable;
use crate::interrupt;
use crate::outcome::Outcome;

/// Lets the user step through the program of a plan.
pub fn simulate(plan: SimulatePlan) -> anyhow::Result<Outcome> {
    let SimulatePlan { check, trail, tui } = plan;
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if tui && !is_terminal {
        bail!("--tui needs a terminal; without it commands are read from standard input");
    }
    let config = &check.config;
    let scenario = &config.scenario;
    let executable = executable::load(&scenario.origin, &scenario.guest)?;
    if trail.as_ref().is_some_and(|trail| trail.sha256 != executable.sha256) {
        bail!("the program changed since the trail was made; steam check makes a new one");
    }
    // A user who walks by hand may loop as often as wanted: progress matters to searches alone.
    let judgement = Judgement { progress_lines: Vec::new(), ..scenario.judgement.clone() };
    let walked = Scenario { judgement, ..scenario.clone() };
    let (image, accesses) = (&executable.image, Accesses::default());
    let setup = Setup::new(image, &walked, accesses, config.bounds.memory)?;
    let stop = interrupt::stop_flag()?;
    let trail = match trail {
        Some(trail) => trail,
        None => record(config, &executable.sha256, piloted(&setup, config.find(), &stop)?),
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

impl Host {
    /// The scene of a trail of this program.
    fn scene(&self, trail: steam_trail::Trail) -> anyhow::Result<Scene> {
        let program = self.setup.program_with(&known(&trail))?;
        Ok(Scene { program, trail, deadlocks: self.check.config.looks_for(ErrorClass::Deadlock) })
    }
}
