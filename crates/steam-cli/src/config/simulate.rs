//! The plan of `steam simulate`: a program, or a trail whose program and schedule are taken over.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use clap::Parser;
use steam_check::{Config, Judgement, Kept, Scenario};
use steam_trail::{ProgressMode, Trail};

use super::check::{CheckPlan, check};
use super::replay;
use crate::args::check::CheckArguments;
use crate::args::simulate::SimulateArguments;
use crate::args::{Arguments, Command};

/// How each trail file begins.
const TRAIL: &[u8] = b"steam-trail ";

/// What `steam simulate` is to do.
#[derive(Debug)]
pub struct SimulatePlan {
    /// The program, what its steps are, and how it is explored.
    pub check: CheckPlan,
    /// The recorded schedule.
    pub trail: Option<Trail>,
    /// Whether there are panes.
    pub tui: bool,
}

/// Makes the plan of `steam simulate`.
pub fn simulate(typed: SimulateArguments) -> anyhow::Result<SimulatePlan> {
    let tui = typed.tui;
    if typed.judgement.all {
        bail!("--all is for steam check: a simulation goes on after an error by itself");
    }
    if let [path] = &typed.inputs[..]
        && is_trail(path)
    {
        if !typed.arguments.is_empty() {
            bail!("{} says which arguments the program gets: leave them out", path.display());
        }
        let trail = replay::read(path)?;
        let check =
            followed(&trail).with_context(|| format!("{} cannot be followed", path.display()))?;
        return Ok(SimulatePlan { check: quiet(check, tui), trail: Some(trail), tui });
    }
    let SimulateArguments { inputs, arguments, judgement, guest, .. } = typed;
    let check = check(CheckArguments { inputs, arguments, judgement, guest, ..usual()? })?;
    Ok(SimulatePlan { check: quiet(check, tui), trail: None, tui })
}

/// Among panes there is no room for how far a search is.
fn quiet(check: CheckPlan, tui: bool) -> CheckPlan {
    let progress = if tui { ProgressMode::None } else { check.progress };
    CheckPlan { progress, ..check }
}

/// Whether a file is a trail; what cannot be read is reported later, as a program.
fn is_trail(path: &Path) -> bool {
    let mut begin = [0; TRAIL.len()];
    let read = steam_image::open_regular(path).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && begin == TRAIL
}

/// A check of which nothing was said but the program.
fn usual() -> anyhow::Result<CheckArguments> {
    match Arguments::try_parse_from(["steam", "check", "program"])?.command {
        Command::Check(typed) => Ok(*typed),
        _ => bail!("internal error, please report: check is another command"),
    }
}

/// A check of the program of a trail. What is claimed of it, and what is progress, means nothing to a walk by hand.
fn followed(trail: &Trail) -> anyhow::Result<CheckPlan> {
    let plan = check(usual()?)?;
    let Kept { scenario, .. } = replay::kept(trail)?;
    let usual = plan.config.scenario;
    let judgement = Judgement {
        livelock: usual.judgement.livelock,
        progress_lines: usual.judgement.progress_lines,
        ..scenario.judgement
    };
    let scenario = Scenario { judgement, claims: usual.claims, ..scenario };
    Ok(CheckPlan { config: Config { scenario, ..plan.config }, ..plan })
}
