//! `steam check`: explores a program; what it found is told by running its trails again.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::bail;
use steam_access::{Atomics, Unmatched};
use steam_check::{ErrorClass, Suppressed, unwanted};
use steam_program::{Action, Hangs, Program, Violation as Error};
use steam_props::{Failure, Propositions};
use steam_report::{Kind, Report as Cause};
use steam_search::laws::{self, Audited};
use steam_search::{End as SearchEnd, Finding};
use steam_story::{Ended, Ends, Hurry, RaceSought, Retraced, Teller, retrace};
use steam_trail::quantity::counted;
use steam_trail::{
    AccessInfo, Decision, End, Recorded, Report, Setting, Step, Suppression, Trail, Verdict,
    Violation, relate,
};

use crate::args::check::{Algorithm, Mld, Reduction};
use crate::config::check::CheckPlan;
use crate::config::claims::CLAIM;
use crate::delivery::deliver;
use crate::executable::{self, Executable};
use crate::exploration::{
    Claimed, Judged, Judgement, Looked, PATHS_END, Phase, Printed, Setup, Stops, about, files_read,
    in_all_executions, judge, look, looked_for, phases, record, version,
};
use crate::interrupt;
use crate::memory_guard;
use crate::outcome::Outcome;
use crate::terminal;

/// Explores the program of a plan and reports what it found.
pub fn check(plan: &CheckPlan) -> anyhow::Result<Outcome> {
    let executable = executable::load(&plan.program, &plan.guest)?;
    let atomic = Names::new(&executable, "--atomic-var", &plan.atomic_vars)?;
    let intended = Names::new(&executable, "--intended-race", &plan.intended)?;
    let judgement = Judgement {
        atomic: plan.atomic,
        find: &plan.find,
        spurious: plan.spurious,
        still: plan.still,
        divergence: plan.divergence,
        atomic_vars: &atomic.of_program,
        volatile: plan.volatile,
        intended: &intended.of_program,
        progress: &plan.progress_lines,
        mld: plan.mld,
        uninitialised: in_all_executions(plan),
    };
    let setup = Setup::new(&executable.image, &plan.guest, judgement, plan.bounds.memory)?;
    let mut program = setup.program()?;
    if program.options().hangs != Hangs::Ignored {
        program.look_for_hangs(where_hangs_show(plan));
    }
    let claimed = Claimed::understand(&mut program, &plan.claims)?;
    // A mistake in an expression is told before the search, and only expressions need debug information.
    if !plan.print.is_empty() {
        Printed::new(&program, &plan.print)?;
    }
    let stop = interrupt::stop_flag()?;
    let started = Instant::now();
    let time = plan.bounds.time.and_then(|time| started.checked_add(time));
    let full = memory_guard::watch(plan.bounds.memory);
    program.end_by(time, vec![Arc::clone(&stop), Arc::clone(&full)]);
    let stops = Stops { asked: &stop, full: &full };
    let suppressed = Rc::new(Suppressed::new(left_out(plan, [&atomic, &intended])));
    let hurry = hurry(time, Arc::clone(&stop));
    let looked = look(plan, &executable.image, judgement, (&stop, &full), time)?;
    let (note, also) = match looked {
        None => (None, None),
        Some(Looked { setup, program, found: Some(phase), .. }) => {
            let account = Account {
                plan,
                executable: &executable,
                setup,
                program,
                claimed: None,
                suppressed: Rc::clone(&suppressed),
                hurry: Rc::clone(&hurry),
            };
            let report = account.report(&[phase])?;
            let found = !report.violations.is_empty();
            if found && !plan.all && plan.claims.is_empty() {
                return deliver(plan, report);
            }
            // A suppressed one says nothing of the rest.
            ((!found).then(|| looked_for(true)), found.then_some(report))
        }
        Some(looked) => (Some(looked_for(looked.cut)), None),
    };
    let phases = phases(plan, &program, claimed.as_ref(), &suppressed, stops, started)?;
    let audited = plan.audit.then(|| {
        let is_over =
            || stop.load(Ordering::Relaxed) || time.is_some_and(|time| Instant::now() >= time);
        audit(&program, plan.search.seed, &is_over)
    });
    let executable = &executable;
    let account = Account { plan, executable, setup, program, claimed, suppressed, hurry };
    let mut report = account.report(&phases)?;
    let is_wrong = matches!(audited, Some(Err(_)));
    match audited {
        Some(Err(why)) => terminal::complain(&why),
        audited => report.notes.extend(audited.and_then(Result::ok)),
    }
    report.notes.extend(note.filter(|_| report.violations.is_empty()));
    if let Some(also) = also {
        report.violations.splice(..0, also.violations);
        report.verdict = also.verdict;
    }
    let outcome = deliver(plan, report)?;
    Ok(if is_wrong && outcome != Outcome::Violation { Outcome::OwnError } else { outcome })
}

/// What telling what was found may take when the search has no time left.
const GRACE: Duration = Duration::from_millis(700);

/// Who says that there is no time to go along trails: some time after the search had to end.
fn hurry(deadline: Option<Instant>, stop: Arc<AtomicBool>) -> Hurry {
    let asked: Cell<Option<Instant>> = Cell::new(None);
    Rc::new(move || {
        let now = Instant::now();
        let over = stop.load(Ordering::Relaxed) || deadline.is_some_and(|it| now >= it);
        if over && asked.get().is_none() {
            asked.set(Some(now));
        }
        asked.get().is_some_and(|asked| now - asked >= GRACE)
    })
}

/// Where it is enough to look for hangs, by the order of search.
fn where_hangs_show(plan: &CheckPlan) -> Hangs {
    match plan.search.algorithm {
        Algorithm::Stateless if plan.search.reduction != Reduction::None => Hangs::WhereStopped,
        Algorithm::Dfs | Algorithm::Bfs | Algorithm::Bf | Algorithm::Astar
            if plan.search.bound.is_none() =>
        {
            Hangs::AfterFirstSteps
        }
        _ => Hangs::AfterSteps,
    }
}

/// What the user calls atomic or intended: names of the program, and names that only reports have.
#[derive(Default)]
struct Names {
    of_program: Vec<String>,
    of_reports: Vec<String>,
}

impl Names {
    /// Names that are nowhere in the program, and cannot be a report's, are mistakes.
    fn new(executable: &Executable, option: &str, names: &[String]) -> anyhow::Result<Self> {
        let (_, unmatched) = Atomics::with_list(&executable.image, names);
        let is_wrong = |it: &&Unmatched| !it.of_threads && !is_of_report(&names[it.entry]);
        if let Some(first) = unmatched.iter().find(is_wrong) {
            bail!("{option}: {first}");
        }
        let mut sorted = Self::default();
        for (entry, name) in names.iter().enumerate() {
            let unmatched = unmatched.iter().any(|it| it.entry == entry);
            if !unmatched {
                sorted.of_program.push(name.clone());
            }
            // Other threads come to a local variable by pointers: there only reports know its name.
            if unmatched || is_local(executable, name) {
                sorted.of_reports.push(name.clone());
            }
        }
        Ok(sorted)
    }
}

/// Whether a name is that of a variable of a function, and not of a static one.
fn is_local(executable: &Executable, name: &str) -> bool {
    let Some((function, variable)) = name.rsplit_once("::") else { return false };
    let Ok(declared) = executable.image.declarations.get() else { return false };
    let is_static =
        || declared.all_variables().any(|it| *it.name == *variable && it.function.is_some());
    declared.functions(function).next().is_some() && !is_static()
}

/// Whether a name is one that only reports have, so that it is known at the end whether it is met: one with a
/// wildcard, a block of the heap, a line, a part of a local variable, an element of an array.
fn is_of_report(name: &str) -> bool {
    let line = |(_, line): (&str, &str)| line.chars().all(|it| it.is_ascii_digit());
    name.contains('*')
        || name.starts_with("heap block of ")
        || name.contains('[')
        || name.rsplit_once(':').is_some_and(line)
        || name.contains("::") && name.contains('.')
}

/// The errors that are left out: by the entries of the user's files, and races by names of reports.
fn left_out(plan: &CheckPlan, names: [&Names; 2]) -> Vec<Suppression> {
    let races = names.into_iter().flat_map(|it| &it.of_reports);
    let races = races.map(|name| Suppression::new(Kind::Race.name(), name));
    plan.suppress.iter().cloned().chain(races).collect()
}

/// Steps along which steps that are called independent are done in both orders.
const AUDITED: usize = 10_000;

/// Does what is called independent in both orders, now that it is known what is shared. That they
/// differ is an error of ours, which the message tells.
fn audit(program: &Program, seed: u64, is_over: &dyn Fn() -> bool) -> Result<String, String> {
    let audited = laws::audit_independence(program, AUDITED, seed, is_over).map_err(|discord| {
        let steps = discord.pair.map(|(state, one, other)| {
            let teller = Teller::new(program);
            let told = [one, other].map(|action| teller.next_step(&state, action.thread));
            format!("\n  {}\n  {}", told[0], told[1])
        });
        format!(
            "steam is wrong about this program: two steps that it calls independent lead to \
             different states in different orders, so that --algo stateless may miss errors. Please \
             report it; --algo dfs does not rely on them.{}\n  ({})",
            steps.unwrap_or_default(),
            discord.why
        )
    })?;
    let Audited { pairs, steps } = audited;
    let ended = if steps < AUDITED { "; then the time was over" } else { "" };
    Ok(format!(
        "{pairs} pairs of independent steps, met along {steps} random ones, were done in both \
         orders and led to the same state{ended}"
    ))
}

/// What the user should know beside the verdict.
fn notes(account: &Account<'_>, phases: &[Phase]) -> Vec<String> {
    let Account { executable, program, claimed, .. } = account;
    let claimed = claimed.as_ref();
    let lines = executable.image.lines.missing().map(ToString::to_string);
    let by_scouts = |phase: &Phase| phase.checked.violation_rounds.first() == Some(&0);
    let unclear = claimed.is_some_and(|claimed| !claimed.propositions.failures().is_empty());
    let unclear = unclear.then(|| SAY_WHEN.to_owned());
    let scouted = phases.iter().any(by_scouts).then(|| BY_SCOUTS.to_owned());
    let everywhere = phases.iter().all(|phase| phase.checked.outcome.end == SearchEnd::Exhausted);
    let explored = claimed.filter(|_| everywhere).map(|claimed| &*claimed.propositions);
    let no_locks = explored.into_iter().flat_map(Propositions::without_locks);
    let no_locks = no_locks.map(|atom| {
        format!("no thread has used what is at the address in `{atom}` as a lock: it holds nowhere")
    });
    let no_threads = explored.into_iter().flat_map(Propositions::without_threads);
    let no_threads = no_threads.map(|atom| {
        format!(
            "the thread in `{atom}` is never there, so that it holds nowhere: main is 1, the others are \
             numbered as they are created"
        )
    });
    let notes = lines.into_iter().chain(scouted).chain(unclear).chain(no_locks).chain(no_threads);
    let found = phases.iter().any(|phase| !phase.checked.outcome.violations.is_empty());
    // A search that ended with an error may have come no further.
    let vacuous = if found { Vec::new() } else { program.vacuous() };
    let notes = notes.chain(vacuous).chain(program.notes()).chain(account.suppressed.notes());
    notes.chain(lock_orders(program, phases)).collect()
}

/// Said where an atom has no value.
const SAY_WHEN: &str = "say within one atom where it has a value: braces hold one together, and && \
    stops there as in C: {p && p->next}";

/// Warnings of locks that threads take in different orders, where no deadlock was found.
fn lock_orders(program: &Program, phases: &[Phase]) -> Vec<String> {
    let mut found = phases.iter().flat_map(|phase| &phase.checked.outcome.violations);
    if found.any(|finding| finding.what.kind == Kind::Deadlock) {
        return Vec::new();
    }
    let teller = Teller::new(program);
    program.lock_circles().iter().take(LOCK_CIRCLES).map(|it| teller.lock_circle(it)).collect()
}

/// So many circles of locks are told of.
const LOCK_CIRCLES: usize = 3;

/// Said where the error is none of the search's own: its trail is as long as chance made it.
const BY_SCOUTS: &str = "the error was met by the random runs before the search, which found none \
    of its own; its trail need not be a short one";

/// What a report is made of, beside the outcome of the search.
struct Account<'a> {
    plan: &'a CheckPlan,
    executable: &'a Executable,
    setup: Setup,
    program: Program,
    claimed: Option<Claimed>,
    suppressed: Rc<Suppressed>,
    /// Who says that there is no time to go along trails.
    hurry: Hurry,
}

/// Where something was found.
#[derive(Clone, Copy)]
struct Found {
    /// The position of its round among those of the program.
    round: usize,
    /// The claim that it breaks.
    claim: Option<u32>,
}

impl Account<'_> {
    fn report(&self, phases: &[Phase]) -> anyhow::Result<Report> {
        let Self { plan, executable, program, .. } = self;
        let mut told = Sorted::default();
        for phase in phases {
            let outcome = &phase.checked.outcome;
            // Among the rounds of the program, which count scouting.
            let position = |round: u32| phase.before + round as usize + usize::from(phase.scouted);
            for (finding, &round) in outcome.violations.iter().zip(&phase.checked.violation_rounds)
            {
                let found = Found { round: position(round), claim: finding.what.claim };
                let one = self.guarded(&finding.what.report, || self.violation(finding, found))?;
                let suppressed = matches!(one.1, Certainty::Sure)
                    && self.suppressed.has_told(&finding.what, &one.0);
                if !suppressed {
                    told.add(one);
                }
            }
            for (finding, &round) in outcome.unknowns.iter().zip(&phase.checked.unknown_rounds) {
                let found = Found { round: position(round), claim: None };
                let report = &finding.what.report;
                let one = self.guarded(report, || self.told(finding, report, found, None))?;
                // Also where its trail is lost: what is not modelled leaves the answer open.
                told.unknowns.push(one.0);
            }
        }
        let Sorted { mut violations, unconfirmed, mut unknowns } = told;
        let running = phases.iter().filter_map(|phase| phase.running.as_ref());
        let running = running.map(|it| Teller::new(program).without_trail(&it.report));
        let passed = phases.iter().filter_map(|phase| phase.passed.as_ref());
        let passed = passed.filter(|_| violations.is_empty()).map(|it| self.cut_off(it));
        let without_value = self.claimed.iter().flat_map(without_value);
        for unknown in running.chain(passed).chain(without_value) {
            if unknowns.iter().all(|known| known.headline != unknown.headline) {
                unknowns.push(unknown);
            }
        }
        let judged = Judged { plan, claimed: self.claimed.as_ref(), phases };
        merge_races(&mut violations);
        relate(&mut violations);
        violations.extend(self.breaches());
        Ok(Report {
            version: version(),
            program: about(executable, &plan.guest, &plan.command, Some(program)),
            configuration: plan.configuration(),
            verdict: match (violations.is_empty(), unconfirmed.is_empty()) {
                (true, false) => Verdict::Unconfirmed,
                (sound, _) => match judged.verdict(!sound, !unknowns.is_empty()) {
                    Verdict::Complete if self.suppressed.errors() > 0 => Verdict::Suppressed {
                        errors: self.suppressed.errors(),
                        cuts: self.suppressed.cuts(),
                    },
                    verdict => verdict,
                },
            },
            claims: doubted(judged.decisions(&violations), &unconfirmed),
            violations,
            unconfirmed,
            unknowns,
            statistics: judged.statistics(),
            notes: notes(self, phases),
            exits: program.exits(),
        })
    }

    /// An error that is not looked for, at which paths end although the real program may go on there.
    fn cut_off(&self, error: &Error) -> Violation {
        let told = Teller::new(&self.program).without_trail(&error.report);
        let headline = format!("{PATHS_END}: {}", told.message);
        Violation { message: headline.clone(), summary: headline.clone(), headline, ..told }
    }

    /// What violates the locking discipline, if that is asked.
    fn breaches(&self) -> Vec<Violation> {
        if !matches!(self.plan.mld, Mld::Check | Mld::Plain) {
            return Vec::new();
        }
        let mut teller = Teller::new(&self.program);
        self.program.breaches().iter().map(|breach| teller.breach(breach)).collect()
    }

    /// Tells a finding; a panic of ours on the way loses this one, and no other.
    fn guarded(
        &self,
        cause: &Cause,
        tell: impl FnOnce() -> anyhow::Result<(Violation, Certainty)>,
    ) -> anyhow::Result<(Violation, Certainty)> {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(tell)).unwrap_or_else(|_| {
            let known = Teller::new(&self.program).without_trail(cause);
            Ok((unconfirmed(known, "a panic ended the replay of its schedule"), Certainty::Lost))
        })
    }

    /// An error as people are told of it; how sure it is.
    fn violation(
        &self,
        finding: &Finding<Error, Action>,
        found: Found,
    ) -> anyhow::Result<(Violation, Certainty)> {
        let cause = &finding.what.report;
        let race = cause.kind == Kind::Race;
        let sought = race.then(|| RaceSought::Error(finding.what.clone()));
        let (mut told, sure) = self.told(finding, cause, found, sought)?;
        if race {
            told.text.extend(self.other_elements(finding, &told));
            told.text.push(format!("met in {}", counted(finding.met, "state", "states")));
        }
        told.text
            .push(format!("to leave it out: `{}` in a file for --suppress", told.suppression()));
        Ok((told, sure))
    }

    /// The other elements of an array that race on the same lines.
    fn other_elements(&self, finding: &Finding<Error, Action>, told: &Violation) -> Option<String> {
        /// So many are named.
        const NAMED: usize = 4;
        let own = &told.accesses.first()?.variable;
        let mut names = self.program.raced_names(&finding.what);
        names.remove(own);
        let list: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
        let more = if names.len() > NAMED { " and others" } else { "" };
        (!list.is_empty())
            .then(|| format!("note: the same lines race on {}{more}", list.join(", ")))
    }

    /// A finding as people are told of it: its trail is run again, by the rules of its round. And how
    /// sure it is.
    fn told<T>(
        &self,
        finding: &Finding<T, Action>,
        cause: &Cause,
        found: Found,
        race: Option<RaceSought>,
    ) -> anyhow::Result<(Violation, Certainty)> {
        let known = self.program.known_in(found.round);
        let (program, claimed) = self.setup.program_claimed(&self.plan.claims, &known)?;
        let claimed = claimed.map(Rc::new);
        let mut teller = Teller::new(&program);
        let Some(actions) = &finding.trail else {
            return Ok((teller.without_trail(cause), Certainty::Sure));
        };
        let claims = claimed.clone().zip(found.claim);
        let sought = Ends {
            deadlock: self.plan.find.contains(&ErrorClass::Deadlock) && found.claim.is_none(),
            hang: cause.kind == Kind::Hang,
            livelock: self.plan.search.livelock,
            cycle: finding.cycle,
            race,
            judge: claims.clone().map(|(claimed, claim)| judge(claimed, claim as usize)),
            unwanted: Some(unwanted(&self.plan.find, found.claim.is_some(), cause.kind.name())),
            hurry: Some(Rc::clone(&self.hurry)),
        };
        let retraced = retrace(&program, actions, sought);
        let mut steps = teller.steps(&retraced);
        let confirmed = teller.finding(&retraced);
        let is_late = matches!(retraced.end, Ended::Late);
        let mut sure = match confirmed.is_some() || is_late {
            true => Certainty::Sure,
            false => Certainty::Lost,
        };
        let mut told = confirmed.unwrap_or_else(|| {
            steps.extend(actions.iter().zip(1..).skip(steps.len()).map(only_action));
            let known = teller.without_trail(cause);
            match is_late {
                true => not_replayed(known, actions.len()),
                false => unconfirmed(known, &lost(&retraced, actions.len())),
            }
        });
        if !self.plan.print.is_empty() {
            let printed = Printed::new(&program, &self.plan.print)?;
            told.text.extend(printed.add_to(&retraced, &mut steps));
        }
        if let Some((claimed, claim)) = &claims
            && sure == Certainty::Sure
            && !is_late
        {
            told.text.extend(claimed.tell_atoms(&program, *claim as usize, &retraced, &mut steps));
            if let Some(failure) = claimed.failures_of(*claim as usize).first() {
                told.headline = failure.to_string();
                told.message.clone_from(&told.headline);
                told.summary.clone_from(&told.headline);
                sure = Certainty::WithoutValue;
            }
        }
        let end = End { kind: told.kind.clone(), place: told.location.clone() };
        let mut trail =
            Trail { steps, end, cycle: finding.cycle, ..record(self.plan, self.executable, known) };
        trail.settings.extend(files_read(self.setup.host()));
        if let Some(claim) = found.claim {
            let value = claim.to_string().into_bytes();
            trail.settings.push(Setting { name: CLAIM.to_owned(), value });
        }
        Ok((Violation { trail: Some(Recorded { file: None, trail }), ..told }, sure))
    }
}

/// How sure a finding is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Certainty {
    /// Its trail leads to it.
    Sure,
    /// An atom of the claim that it breaks has no value on the way.
    WithoutValue,
    /// Its trail does not lead there again.
    Lost,
}

/// Findings by how sure they are.
#[derive(Default)]
struct Sorted {
    violations: Vec<Violation>,
    unconfirmed: Vec<Violation>,
    unknowns: Vec<Violation>,
}

impl Sorted {
    fn add(&mut self, (told, certainty): (Violation, Certainty)) {
        match certainty {
            Certainty::Sure => self.violations.push(told),
            Certainty::WithoutValue => self.unknowns.push(told),
            Certainty::Lost => self.unconfirmed.push(told),
        }
    }
}

/// What the search knew of an error, with why that is not enough.
fn unconfirmed(mut known: Violation, why: &str) -> Violation {
    known.text.push(format!(
        "internal error, please report: the search met this error, but {why}; it may be none, and \
         the rest of the report holds without it"
    ));
    known
}

/// The answers to claims, of which none holds that a finding breaks, be it unconfirmed.
fn doubted(mut claims: Vec<Decision>, unconfirmed: &[Violation]) -> Vec<Decision> {
    let trails = unconfirmed.iter().filter_map(|it| it.trail.as_ref());
    for value in trails.flat_map(|it| it.trail.settings_named(CLAIM)) {
        let number = std::str::from_utf8(value).ok().and_then(|it| it.parse::<usize>().ok());
        let claim = number.and_then(|number| claims.get_mut(number));
        if let Some(claim) = claim.filter(|claim| claim.verdict == "holds") {
            claim.verdict = "unknown".to_owned();
            claim.reason = Some("a violation was met, and not confirmed".to_owned());
        }
    }
    claims
}

/// What the search knew of an error, where there was no time to go along its trail.
fn not_replayed(mut known: Violation, steps: usize) -> Violation {
    known.text.push(format!(
        "there was no time to go along its {steps} steps again: steam replay tells the rest"
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

/// Leaves out races that read like others: of instructions of a library, which are told by the lines
/// that called it.
fn merge_races(violations: &mut Vec<Violation>) {
    let mut seen = BTreeSet::new();
    violations.retain(|violation| {
        let [one, other] = &violation.accesses[..] else { return true };
        let line = |access: &AccessInfo| {
            let place = &access.place;
            (place.file.clone(), place.line)
        };
        let mut lines = [line(one), line(other)];
        lines.sort();
        violation.kind != Kind::Race.name() || seen.insert((one.variable.clone(), lines))
    });
}

/// Atoms that had no value in some state.
fn without_value(claimed: &Claimed) -> Vec<Violation> {
    let told = |failure: &Failure| Violation {
        kind: "atom".to_owned(),
        family: "atom".to_owned(),
        headline: failure.to_string(),
        message: failure.to_string(),
        summary: failure.to_string(),
        ..Violation::default()
    };
    claimed.propositions.failures().iter().map(told).collect()
}
