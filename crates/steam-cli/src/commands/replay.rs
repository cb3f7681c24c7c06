//! `steam replay`: runs a program along a trail; whether it was reproduced, and what is told of it.

use std::rc::Rc;

use steam_check::{ErrorClass, unwanted};
use steam_program::{Action, Program};
use steam_report::Kind;
use steam_state::ThreadId;
use steam_story::{Ends, RaceSought, Teller, retrace};
use steam_trail::render::{human_replay, json_replay, short};
use steam_trail::{
    Compared, Configuration, Divergence, End, Recorded, Report, Statistics, Trail, Verdict,
    Violation, compare, quoted,
};

use crate::args::check::{Format, Mld, Volatile, name_of};
use crate::config::replay::ReplayPlan;
use crate::executable::{self, Executable};
use crate::exploration::{Judgement, Printed, Setup, about, files_changed, judge, version};
use crate::outcome::Outcome;
use crate::terminal;

/// Runs the program of a plan along its trail.
pub fn replay(plan: &ReplayPlan) -> anyhow::Result<Outcome> {
    let executable = executable::load(&plan.program, &plan.guest)?;
    if let Some(refused) = refusal(plan, &executable.sha256) {
        let replayed = Trail::default();
        return conclude(plan, &replayed, &report(plan, &executable, None, None), &refused);
    }
    let judgement = Judgement {
        atomic: plan.atomic,
        find: &plan.find,
        spurious: plan.spurious,
        still: plan.still,
        divergence: plan.divergence,
        atomic_vars: &[],
        volatile: Volatile::Race,
        intended: &[],
        progress: &plan.progress_lines,
        mld: Mld::Off,
        uninitialised: plan.trail.end.kind == Kind::Uninitialised.name(),
    };
    let setup = Setup::new(&executable.image, &plan.guest, judgement, u64::MAX)?;
    let (program, claimed) = setup.program_claimed(&plan.claims, &plan.shared)?;
    let claims = claimed.map(Rc::new).zip(plan.claim);
    let prints = match plan.print.is_empty() {
        true => None,
        false => Some(Printed::new(&program, &plan.print)?),
    };
    let steps = plan.trail.steps.iter();
    let actions: Vec<Action> =
        steps.map(|step| Action { thread: ThreadId(step.thread), choice: step.choice }).collect();
    let sought = Ends {
        deadlock: plan.find.contains(&ErrorClass::Deadlock) && plan.claim.is_none(),
        hang: plan.trail.end.kind == Kind::Hang.name(),
        livelock: plan.livelock,
        cycle: plan.trail.cycle,
        race: (plan.trail.end.kind == Kind::Race.name())
            .then(|| RaceSought::At(plan.trail.end.place.clone())),
        judge: claims.clone().map(|(claimed, claim)| judge(claimed, claim)),
        unwanted: Some(unwanted(&plan.find, plan.claim.is_some(), &plan.trail.end.kind)),
        hurry: None,
    };
    let retraced = retrace(&program, &actions, sought);
    let mut teller = Teller::new(&program);
    let mut steps = teller.steps(&retraced);
    let printed = prints.map(|prints| prints.add_to(&retraced, &mut steps));
    let mut found = teller.finding(&retraced);
    if let Some((claimed, claim)) = &claims {
        let start = claimed.tell_atoms(&program, *claim, &retraced, &mut steps);
        found.iter_mut().for_each(|found| found.text.extend(start.clone()));
    }
    let end =
        found.as_ref().map(|found| End { kind: found.kind.clone(), place: found.location.clone() });
    let replayed = Trail { steps, end: end.unwrap_or_default(), ..plan.trail.clone() };
    let recorded = Recorded { file: None, trail: replayed.clone() };
    let found = found.map(|found| Violation { trail: Some(recorded), ..found });
    let mut report = report(plan, &executable, Some(&program), found);
    report.notes.extend(printed.into_iter().flatten());
    if !judgement.uninitialised {
        report.notes.extend(used_on_the_way(plan, &executable, judgement, &actions)?);
    }
    report.notes.extend(files_changed(setup.host(), &plan.trail));
    deliver(plan, &replayed, &report)
}

/// A use of what nobody wrote on the way to another error, if memory errors are looked for: the trail is run
/// once more.
fn used_on_the_way(
    plan: &ReplayPlan,
    executable: &Executable,
    judgement: Judgement<'_>,
    actions: &[Action],
) -> anyhow::Result<Option<String>> {
    if !plan.find.contains(&ErrorClass::Memory) {
        return Ok(None);
    }
    let judgement = Judgement { uninitialised: true, ..judgement };
    let setup = Setup::new(&executable.image, &plan.guest, judgement, u64::MAX)?;
    let (program, _claimed) = setup.program_claimed(&plan.claims, &plan.shared)?;
    let sought = Ends {
        deadlock: false,
        hang: false,
        livelock: None,
        cycle: None,
        race: None,
        judge: None,
        unwanted: Some(unwanted(&plan.find, plan.claim.is_some(), Kind::Uninitialised.name())),
        hurry: None,
    };
    let retraced = retrace(&program, actions, sought);
    let found = Teller::new(&program).finding(&retraced);
    let found = found.filter(|found| found.kind == Kind::Uninitialised.name());
    Ok(found.map(|found| {
        format!("on the way, at {}: {}", found.location.line_position(), found.message)
    }))
}

/// The report of a replay.
fn report(
    plan: &ReplayPlan,
    executable: &Executable,
    program: Option<&Program>,
    found: Option<Violation>,
) -> Report {
    let command = plan.guest.arguments.first().map(|name| quoted(&String::from_utf8_lossy(name)));
    let about = about(executable, &plan.guest, &command.unwrap_or_default(), program);
    let (verdict, violations) = match found {
        Some(found) => (Verdict::Violation, vec![found]),
        None => (Verdict::Complete, Vec::new()),
    };
    Report {
        version: version(),
        program: about,
        configuration: Configuration {
            algo: "replay".to_owned(),
            atomic: name_of(plan.atomic),
            seed: plan.trail.seed,
            jobs: 1,
            store: "tree".to_owned(),
            find: plan.find.iter().map(|class| class.name().to_owned()).collect(),
            ..Configuration::default()
        },
        verdict,
        violations,
        unknowns: Vec::new(),
        statistics: Statistics::default(),
        claims: Vec::new(),
        notes: executable.image.lines.missing().map(ToString::to_string).into_iter().collect(),
        unconfirmed: Vec::new(),
        exits: program.map(Program::exits).unwrap_or_default(),
    }
}

/// Why a trail cannot be followed from its first step, if the executable is not the recorded one.
pub fn refusal(plan: &ReplayPlan, sha256: &str) -> Option<Compared> {
    let changed = plan.trail.sha256 != sha256 && plan.follow == steam_trail::Follow::Code;
    changed.then(|| {
        let why = "the program changed since the trail was made; --loose follows its lines";
        Compared::Diverged(Divergence { step: 1, why: why.to_owned() })
    })
}

/// Compares what was recorded with what was run, prints the result and says how it ended.
/// `report` is about the replay; its violation, if any, carries the trail `replayed`.
pub fn deliver(plan: &ReplayPlan, replayed: &Trail, report: &Report) -> anyhow::Result<Outcome> {
    conclude(plan, replayed, report, &compare(&plan.trail, replayed, plan.follow))
}

/// Prints the result of a replay and says how it ended.
pub fn conclude(
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
