//! One replay: the program of a trail, run along its schedule again.

use std::rc::Rc;

use steam_explain::{Ends, Explainer, RaceSought, Retraced, retrace};
use steam_program::{Action, Program};
use steam_report::Kind;
use steam_state::ThreadId;
use steam_trail::{
    Configuration, End, Recorded, Report, Statistics, Trail, Verdict, ViolationInfo, quoted,
};

use crate::about::{about, version};
use crate::choice::{Choice as _, Store};
use crate::claimed::{Claimed, judge};
use crate::class::ErrorClass;
use crate::described::names;
use crate::error::Error;
use crate::executable::Executable;
use crate::files::files_changed;
use crate::printed::Printed;
use crate::recorded::Kept;
use crate::setup::{Accesses, Setup};
use crate::wanted::unwanted;

/// A replay that is about to be made.
pub struct Replay<'a> {
    /// The recorded trail.
    pub trail: &'a Trail,
    /// What it keeps beside its schedule.
    pub kept: &'a Kept,
    /// The program, which may be another one than the recorded one.
    pub executable: &'a Executable,
    /// Expressions whose values are shown along the way.
    pub print: &'a [String],
}

/// What came of a replay.
pub struct Replayed {
    /// The trail that was made.
    pub trail: Trail,
    /// What is reported of it; its violation, if any, carries the trail.
    pub report: Report,
}

impl Replay<'_> {
    /// Runs the program along the trail.
    pub fn run(&self) -> Result<Replayed, Error> {
        let (setup, program, claimed) = self.program(self.is_to(Kind::Uninitialised))?;
        let claims = claimed.map(Rc::new).zip(self.kept.claim);
        let prints = match self.print.is_empty() {
            true => None,
            false => Some(Printed::new(&program, self.print)?),
        };
        let retraced = retrace(&program, &self.actions(), self.ends(claims.as_ref()));
        let mut explainer = Explainer::new(&program);
        let mut steps = explainer.steps(&retraced);
        let printed = prints.map(|prints| prints.add_to(&retraced, &mut steps));
        let mut found = explainer.finding(&retraced);
        if let Some((claimed, claim)) = &claims {
            let start = claimed.tell_atoms(&program, *claim, &retraced, &mut steps);
            found.iter_mut().for_each(|found| found.text.extend(start.clone()));
        }
        let end = found.as_ref();
        let end = end.map(|it| End { kind: it.kind.clone(), place: it.location.clone() });
        let trail = Trail { steps, end: end.unwrap_or_default(), ..self.trail.clone() };
        let recorded = Recorded { file: None, trail: trail.clone() };
        let found = found.map(|found| ViolationInfo { trail: Some(recorded), ..found });
        let mut report = self.report(Some(&program), found);
        report.notes.extend(printed.into_iter().flatten());
        report.notes.extend(self.used_on_the_way()?);
        report.notes.extend(files_changed(setup.host(), self.trail));
        Ok(Replayed { trail, report })
    }

    /// What is reported where the program cannot be run along the trail.
    pub fn without_run(&self) -> Report {
        self.report(None, None)
    }

    /// Whether the trail leads to an error of a kind.
    fn is_to(&self, kind: Kind) -> bool {
        self.trail.end.kind == kind.name()
    }

    fn finds(&self, class: ErrorClass) -> bool {
        self.kept.scenario.judgement.find.contains(&class)
    }

    fn program(&self, uninitialised: bool) -> Result<(Setup, Program, Option<Claimed>), Error> {
        let accesses = Accesses { uninitialised, ..Accesses::default() };
        let scenario = &self.kept.scenario;
        let setup = Setup::new(&self.executable.image, scenario, accesses, u64::MAX)?;
        let (program, claimed) = setup.program_claimed(&self.kept.known)?;
        Ok((setup, program, claimed))
    }

    fn actions(&self) -> Vec<Action> {
        let steps = self.trail.steps.iter();
        steps.map(|it| Action { thread: ThreadId(it.thread), choice: it.choice }).collect()
    }

    /// What the trail may end with.
    fn ends(&self, claims: Option<&(Rc<Claimed>, usize)>) -> Ends {
        let Kept { scenario, claim, .. } = self.kept;
        let end = &self.trail.end;
        let find = &scenario.judgement.find;
        Ends {
            deadlock: self.finds(ErrorClass::Deadlock) && claim.is_none(),
            hang: self.is_to(Kind::Hang),
            livelock: scenario.judgement.livelock,
            cycle: self.trail.cycle,
            race: self.is_to(Kind::Race).then(|| RaceSought::At(end.place.clone())),
            judge: claims.map(|(claimed, claim)| judge(Rc::clone(claimed), *claim)),
            unwanted: Some(unwanted(find, claim.is_some(), &end.kind)),
            deadline: None,
        }
    }

    /// A use of what was never written on the way to another error, if memory errors are looked for: the trail is run
    /// once more.
    fn used_on_the_way(&self) -> Result<Option<String>, Error> {
        if self.is_to(Kind::Uninitialised) || !self.finds(ErrorClass::Memory) {
            return Ok(None);
        }
        let (_, program, _claimed) = self.program(true)?;
        let find = &self.kept.scenario.judgement.find;
        let kind = Kind::Uninitialised.name();
        let unwanted = Some(unwanted(find, self.kept.claim.is_some(), kind));
        let ends = Ends { unwanted, ..Ends::default() };
        let retraced: Retraced = retrace(&program, &self.actions(), ends);
        let found = Explainer::new(&program).finding(&retraced);
        Ok(found.filter(|found| found.kind == kind).map(|found| {
            format!("on the way, at {}: {}", found.location.line_position(), found.message)
        }))
    }

    fn report(&self, program: Option<&Program>, found: Option<ViolationInfo>) -> Report {
        let Kept { scenario, .. } = self.kept;
        let (guest, judgement) = (&scenario.guest, &scenario.judgement);
        let command = guest.arguments.first().map(|name| quoted(&String::from_utf8_lossy(name)));
        let lines = &self.executable.image.lines;
        Report {
            version: version(),
            program: about(self.executable, guest, &command.unwrap_or_default(), program),
            configuration: Configuration {
                algo: "replay".to_owned(),
                atomic: judgement.atomic.name().to_owned(),
                seed: self.trail.seed,
                jobs: 1,
                store: Store::Tree.name().to_owned(),
                find: names(&judgement.find),
                ..Configuration::default()
            },
            verdict: if found.is_some() { Verdict::Violation } else { Verdict::Complete },
            violations: found.into_iter().collect(),
            unknowns: Vec::new(),
            statistics: Statistics::default(),
            claims: Vec::new(),
            notes: lines.missing().map(ToString::to_string).into_iter().collect(),
            unconfirmed: Vec::new(),
            exits: program.map(Program::exits).unwrap_or_default(),
            own_errors: Vec::new(),
        }
    }
}
