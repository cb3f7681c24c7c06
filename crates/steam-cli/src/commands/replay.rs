//! `steam replay`: runs a program along a trail; whether it was reproduced, and what is reported of it.

use steam_check::{Replay, Replayed, Report};
use steam_trail::render::{human_replay, json_replay, short};
use steam_trail::{Compared, Divergence, Trail, compare};

use crate::args::check::Format;
use crate::config::replay::ReplayPlan;
use crate::executable;
use crate::outcome::Outcome;
use crate::terminal;

/// Runs the program of a plan along its trail.
pub fn replay(plan: &ReplayPlan) -> anyhow::Result<Outcome> {
    let ReplayPlan { trail, kept, print, .. } = plan;
    let executable = &executable::load(&kept.scenario.origin, &kept.scenario.guest)?;
    let replay = Replay { trail, kept, executable, print };
    if let Some(refused) = refusal(plan, &executable.sha256) {
        return conclude(plan, &Trail::default(), &replay.without_run(), &refused);
    }
    let Replayed { trail: replayed, report } = replay.run()?;
    conclude(plan, &replayed, &report, &compare(trail, &replayed, plan.follow))
}

/// Why a trail cannot be followed from its first step, if the executable is not the recorded one.
fn refusal(plan: &ReplayPlan, sha256: &str) -> Option<Compared> {
    let changed = plan.trail.sha256 != sha256 && plan.follow == steam_trail::Follow::Code;
    changed.then(|| {
        let why = "the program changed since the trail was made; --loose follows its lines";
        Compared::Diverged(Divergence { step: 1, why: why.to_owned() })
    })
}

/// Prints the result of a replay and says how it ended.
fn conclude(
    plan: &ReplayPlan,
    replayed: &Trail,
    report: &Report,
    compared: &Compared,
) -> anyhow::Result<Outcome> {
    terminal::print(&text(plan, replayed, report, compared))?;
    Ok(match compared {
        Compared::Same => Outcome::Success,
        Compared::Diverged(_) => Outcome::Unknown,
    })
}

fn text(plan: &ReplayPlan, replayed: &Trail, report: &Report, compared: &Compared) -> String {
    let verdict = || compared.line(&plan.trail, report.violations.first()) + "\n";
    match plan.output.format {
        Format::Json => json_replay(report, compared, &plan.output.view),
        Format::Short if *compared == Compared::Same => short(report),
        Format::Short => verdict(),
        Format::Human if plan.output.quiet => verdict(),
        Format::Human => human_replay(report, &plan.trail, replayed, compared, &plan.output.view),
    }
}
