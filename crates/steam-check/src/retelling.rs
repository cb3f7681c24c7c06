//! What a search found, explained for people: each schedule is run again by the rules of its iteration.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use steam_explain::{Deadline, Ended, Ends, Explainer, RaceSought, Retraced, retrace};
use steam_program::{Action, Program, Unknown, Violation};
use steam_report::{Kind, Report};
use steam_search::Finding;
use steam_trail::quantity::counted;
use steam_trail::{End, Recorded, Step, Trail, ViolationInfo};

use crate::claimed::{Claimed, judge};
use crate::class::ErrorClass;
use crate::config::Config;
use crate::error::Error;
use crate::files::files_read;
use crate::printed::Printed;
use crate::recorded::{claim_setting, record};
use crate::setup::Setup;
use crate::wanted::unwanted;

/// A finding as reports show it, and how sure it is.
pub(crate) type Retold = Result<(ViolationInfo, Certainty), Error>;

/// Runs schedules of a search again.
pub(crate) struct Retelling<'a> {
    config: &'a Config,
    sha256: &'a str,
    setup: &'a Setup,
    /// The program that was searched.
    program: &'a Program,
    /// Who says that there is no time to go along trails.
    deadline: Deadline,
    /// Programs that make steps by the rules of some iteration. What a program learns counts from its next iteration on,
    /// and these have none: so one serves all findings of an iteration.
    by_rules: RefCell<Vec<Rc<ByRules>>>,
}

/// A program that makes the steps of some iteration.
struct ByRules {
    known: String,
    program: Program,
    claimed: Option<Rc<Claimed>>,
}

/// Where something was found.
#[derive(Clone, Copy)]
struct Found {
    /// The position of its iteration among those of the program.
    iteration: usize,
    /// The claim that it breaks.
    claim: Option<u32>,
}

/// How sure a finding is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Certainty {
    /// Its trail leads to it.
    Sure,
    /// An atom of the claim that it breaks has no value on the way.
    WithoutValue,
    /// Its trail does not lead there again.
    Lost,
}

impl<'a> Retelling<'a> {
    /// Nothing was run again yet.
    pub fn new(
        (config, sha256): (&'a Config, &'a str),
        (setup, program): (&'a Setup, &'a Program),
        deadline: Deadline,
    ) -> Self {
        Self { config, sha256, setup, program, deadline, by_rules: RefCell::default() }
    }

    /// A program that knows what an iteration knew.
    fn by_rules(&self, known: &str) -> Result<Rc<ByRules>, Error> {
        let mut list = self.by_rules.borrow_mut();
        if let Some(found) = list.iter().find(|it| it.known == known) {
            // Each finding has to say for itself which atoms have no value on its way.
            found.claimed.iter().for_each(|claimed| claimed.propositions.forget_failures());
            return Ok(Rc::clone(found));
        }
        let (program, claimed) = self.setup.program_claimed(known)?;
        let claimed = claimed.map(Rc::new);
        let made = Rc::new(ByRules { known: known.to_owned(), program, claimed });
        list.push(Rc::clone(&made));
        Ok(made)
    }

    /// Explains a finding; a panic of ours on the way loses this one, and no other.
    fn guarded(&self, cause: &Report, tell: impl FnOnce() -> Retold) -> Retold {
        catch_unwind(AssertUnwindSafe(tell)).unwrap_or_else(|_| {
            // It may have left them in the middle of something.
            self.by_rules.borrow_mut().clear();
            let known = Explainer::new(self.program).without_trail(cause);
            Ok((unconfirmed(known, "a panic ended the replay of its schedule"), Certainty::Lost))
        })
    }

    /// An error as reports show it; how sure it is.
    pub fn violation(&self, finding: &Finding<Violation, Action>, iteration: usize) -> Retold {
        let found = Found { iteration, claim: finding.what.claim };
        self.guarded(&finding.what.report, || self.error(finding, found))
    }

    /// Something that is not modelled, likewise.
    pub fn unknown(&self, finding: &Finding<Unknown, Action>, iteration: usize) -> Retold {
        let (report, found) = (&finding.what.report, Found { iteration, claim: None });
        self.guarded(report, || self.info(finding, report, found, None))
    }

    fn error(&self, finding: &Finding<Violation, Action>, found: Found) -> Retold {
        let cause = &finding.what.report;
        let race = cause.kind == Kind::Race;
        let sought = race.then(|| RaceSought::Error(finding.what.clone()));
        let (mut info, sure) = self.info(finding, cause, found, sought)?;
        if race {
            info.text.extend(self.other_elements(finding, &info));
            info.text.push(format!("met in {}", counted(finding.met, "state", "states")));
        }
        info.text
            .push(format!("to leave it out: `{}` in a file for --suppress", info.suppression()));
        Ok((info, sure))
    }

    /// The other elements of an array that race on the same lines.
    fn other_elements(
        &self,
        finding: &Finding<Violation, Action>,
        info: &ViolationInfo,
    ) -> Option<String> {
        /// So many are named.
        const NAMED: usize = 4;
        let own = &info.accesses.first()?.variable;
        let mut names = self.program.raced_names(&finding.what);
        names.remove(own);
        let list: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
        let more = if names.len() > NAMED { " and others" } else { "" };
        (!list.is_empty())
            .then(|| format!("note: the same lines race on {}{more}", list.join(", ")))
    }

    /// A finding as reports show it: its trail is run again, by the rules of its iteration. And how
    /// sure it is.
    fn info<T>(
        &self,
        finding: &Finding<T, Action>,
        cause: &Report,
        found: Found,
        race: Option<RaceSought>,
    ) -> Retold {
        let known = self.program.known_in(found.iteration);
        let by_rules = self.by_rules(&known)?;
        let program = &by_rules.program;
        let Some(actions) = &finding.trail else {
            return Ok((Explainer::new(program).without_trail(cause), Certainty::Sure));
        };
        let claims = by_rules.claimed.as_ref().zip(found.claim);
        let ends = Ends { race, cycle: finding.cycle, ..self.ends(cause, claims) };
        let retraced = retrace(program, actions, ends);
        let (mut info, mut steps, mut sure) = confirmed(program, &retraced, actions, cause);
        if !self.config.print.is_empty() {
            let printed = Printed::new(program, &self.config.print)?;
            info.text.extend(printed.add_to(&retraced, &mut steps));
        }
        if let Some((claimed, claim)) = claims
            && sure == Certainty::Sure
            && !is_late(&retraced)
        {
            info.text.extend(claimed.tell_atoms(program, claim as usize, &retraced, &mut steps));
            if let Some(failure) = claimed.failures_of(claim as usize).first() {
                info = without_value(info, &failure.to_string());
                sure = Certainty::WithoutValue;
            }
        }
        let end = End { kind: info.kind.clone(), place: info.location.clone() };
        let mut trail =
            Trail { steps, end, cycle: finding.cycle, ..record(self.config, self.sha256, known) };
        trail.settings.extend(files_read(self.setup.host()));
        trail.settings.extend(found.claim.map(claim_setting));
        Ok((ViolationInfo { trail: Some(Recorded { file: None, trail }), ..info }, sure))
    }

    /// What the trail of a finding may end with.
    fn ends(&self, cause: &Report, claims: Option<(&Rc<Claimed>, u32)>) -> Ends {
        let breaks = claims.is_some();
        Ends {
            deadlock: self.config.looks_for(ErrorClass::Deadlock) && !breaks,
            hang: cause.kind == Kind::Hang,
            livelock: self.config.scenario.judgement.livelock,
            judge: claims.map(|(claimed, claim)| judge(Rc::clone(claimed), claim as usize)),
            unwanted: Some(unwanted(self.config.find(), breaks, cause.kind.name())),
            deadline: Some(Rc::clone(&self.deadline)),
            ..Ends::default()
        }
    }
}

/// What is reported of a schedule that was run again, its steps, and whether it led to the error.
fn confirmed(
    program: &Program,
    retraced: &Retraced,
    actions: &[Action],
    cause: &Report,
) -> (ViolationInfo, Vec<Step>, Certainty) {
    let mut explainer = Explainer::new(program);
    let mut steps = explainer.steps(retraced);
    if let Some(info) = explainer.finding(retraced) {
        return (info, steps, Certainty::Sure);
    }
    steps.extend(actions.iter().zip(1..).skip(steps.len()).map(only_action));
    let known = explainer.without_trail(cause);
    match is_late(retraced) {
        true => (not_replayed(known, actions.len()), steps, Certainty::Sure),
        false => (unconfirmed(known, &lost(retraced, actions.len())), steps, Certainty::Lost),
    }
}

/// Whether there was no time to go along a schedule to its end.
fn is_late(retraced: &Retraced) -> bool {
    matches!(retraced.end, Ended::Late)
}

/// What is reported where an atom of the claim has no value on the way.
fn without_value(info: ViolationInfo, why: &str) -> ViolationInfo {
    let [headline, message, summary] = [(); 3].map(|()| why.to_owned());
    ViolationInfo { headline, message, summary, ..info }
}

/// What the search knew of an error, with why that is not enough.
fn unconfirmed(mut known: ViolationInfo, why: &str) -> ViolationInfo {
    known.text.push(format!(
        "internal error, please report: the search met this error, but {why}; it may be none, and \
         the rest of the report holds without it"
    ));
    known
}

/// What the search knew of an error, where there was no time to go along its trail.
fn not_replayed(mut known: ViolationInfo, steps: usize) -> ViolationInfo {
    known.text.push(format!(
        "there was no time to go along its {steps} steps again: steam replay shows the rest"
    ));
    known
}

/// Where a schedule that should have led to an error went instead.
fn lost(retraced: &Retraced, steps: usize) -> String {
    let made = retraced.steps.len();
    match retraced.end {
        Ended::Stuck => format!("step {} of its {steps} steps is not possible", made + 1),
        _ => format!("its {steps} steps lead to a state without it"),
    }
}

/// A step of which nothing is known but who made it.
fn only_action((action, number): (&Action, u32)) -> Step {
    Step { number, thread: action.thread.0, choice: action.choice, ..Step::default() }
}
