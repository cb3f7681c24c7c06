//! `steam check`: explores a program and gives out what was found.

use steam_check::{Check, Report};

use crate::config::check::CheckPlan;
use crate::delivery::deliver;
use crate::executable;
use crate::interrupt;
use crate::outcome::Outcome;
use crate::terminal;

/// Explores the program of a plan and reports what it found.
pub fn check(plan: &CheckPlan) -> anyhow::Result<Outcome> {
    let scenario = &plan.config.scenario;
    let executable = executable::load(&scenario.origin, &scenario.guest)?;
    let mut shown = terminal::Shown::new(plan.progress);
    let check = Check::new(plan.config.clone()).of(executable).heard_by(&mut shown);
    let report = check.stopped_by(interrupt::stop_flag()?).run()?;
    conclude(plan, report)
}

fn conclude(plan: &CheckPlan, report: Report) -> anyhow::Result<Outcome> {
    report.own_errors.iter().for_each(|error| terminal::complain(error));
    let is_wrong = !report.own_errors.is_empty();
    let outcome = deliver(plan, report)?;
    Ok(if is_wrong && outcome != Outcome::Violation { Outcome::OwnError } else { outcome })
}
