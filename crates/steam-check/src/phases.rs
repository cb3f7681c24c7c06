//! The searches of one check: one for errors of states, steps and finite paths, and one for each claim
//! that only whole runs can break.

use steam_ltl::actors::Moment;
use steam_model::{Change, Model as _, Monitor, Property, Propositions as _, Silent};
use steam_program::{Action, Program, Unknown, Violation, Worker};
use steam_props::{ClaimKind, ClaimMonitor};
use steam_report::Kind;
use steam_search::cycles::Violations;
use steam_search::{End, Monitored, replay};
use steam_session::{
    Algorithm, Checked, Executions, Fairness, Mismatch, Obligations, Options, PilotRuns,
};
use steam_state::Table;

use crate::choice::{AlgorithmName, Fair, Reduction, Store};
use crate::claimed::{Claimed, Invariants};
use crate::class::ErrorClass;
use crate::config::Config;
use crate::error::{Error, unfit};
use crate::options::session_options;
use crate::outside::Outside;
use crate::searches::{Broken, check, check_executions, check_read, check_runs};
use crate::suppressed::Suppressed;
use crate::wanted::{Shown, Sought, Wanted};

/// What a search found out.
pub(crate) type Explored = Checked<Violation, Unknown, Action>;

/// One search.
pub(crate) struct Phase {
    /// What it found out.
    pub checked: Explored,
    /// How many iterations the program had been through before, pilot runs included.
    pub before: usize,
    /// The claims that it is about.
    pub asked: Vec<usize>,
    /// A thread that ran on and on, beside which the others went on: what it does one day is not known.
    pub running: Option<Violation>,
    /// An error that is not looked for, at which paths ended although the real program may go on.
    pub passed: Option<Violation>,
    /// Whether pilots went first.
    pub piloted: bool,
}

impl Phase {
    /// Whether it met an error, or something that is not known.
    fn found_something(&self) -> bool {
        let outcome = &self.checked.outcome;
        !outcome.violations.is_empty() || !outcome.unknowns.is_empty()
    }
}

/// Searches for all that a configuration asks for.
pub(crate) fn phases(
    config: &Config,
    program: &Program,
    claimed: Option<&Claimed>,
    suppressed: &Suppressed,
    outside: &Outside<'_>,
) -> Result<Vec<Phase>, Error> {
    let (options, list) = (session_options(config), Vec::new());
    let mut search = Phases { config, program, suppressed, outside, list };
    let Some(claimed) = claimed else {
        search.plainly(&options, config.find(), None)?;
        return Ok(search.list);
    };
    fits(config, claimed)?;
    let mut asked = claimed.numbers(|claim| claim.is_safety);
    let about_runs = claimed.numbers(|claim| !claim.is_safety);
    let alike = options.algorithm == Algorithm::DepthFirst
        && options.jobs <= 1
        && config.looks_for(ErrorClass::Divergence);
    let mut first = None;
    if let (true, [claim, others @ ..]) = (asked.is_empty() && alike, &about_runs[..]) {
        let phase = search.at_once(&options, claimed, *claim)?;
        if !phase.found_something() {
            search.list.push(phase);
            search.all_runs(&options, claimed, others)?;
            return Ok(search.list);
        }
        first = Some(phase);
    }
    search.plainly(&options, config.find(), Some((claimed, &asked)))?;
    // Errors of the program hid what comes after them: what is left is looked for alone.
    let alone = Options { algorithm: without_cycles(options.algorithm), ..options };
    let mut hides: fn(&Explored) -> bool = hides_claims;
    while let Some(last) = search.list.last()
        && hides(&last.checked)
    {
        hides = ends_with_claims;
        let broken = claims_of(&last.checked);
        asked.retain(|number| !broken.contains(&(*number as u32)));
        if asked.is_empty() {
            break;
        }
        search.plainly(&alone, &[], Some((claimed, &asked)))?;
    }
    search.all_runs(&options, claimed, &about_runs)?;
    // Should a limit have kept the others from it, what was found counts.
    if let Some(first) = first.filter(|_| !search.list.iter().any(Phase::found_something)) {
        search.list.insert(0, first);
    }
    Ok(search.list)
}

/// Whether a search for errors and claims may have missed that a claim is broken: an error ended it, or
/// a run.
fn hides_claims(checked: &Explored) -> bool {
    let ends_run =
        |kind: Kind| !matches!(kind, Kind::Deadlock | Kind::Hang | Kind::Livelock | Kind::Race);
    let outcome = &checked.outcome;
    let mut errors = outcome.violations.iter().filter(|finding| finding.what.claim.is_none());
    ends_with_claims(checked)
        || outcome.end == End::Stopped && !outcome.violations.is_empty()
        || errors.any(|finding| ends_run(finding.what.kind))
}

/// Whether a search ended because a claim is broken.
fn ends_with_claims(checked: &Explored) -> bool {
    checked.outcome.end == End::Stopped && !claims_of(checked).is_empty()
}

/// The same order of search, without looking for cycles.
fn without_cycles(order: Algorithm) -> Algorithm {
    match order {
        Algorithm::Cycles { .. } => Algorithm::DepthFirst,
        order => order,
    }
}

/// The claims that are broken by what a search found.
fn claims_of(checked: &Explored) -> Vec<u32> {
    checked.outcome.violations.iter().filter_map(|finding| finding.what.claim).collect()
}

/// Whether a search can decide what is claimed.
fn fits(config: &Config, claimed: &Claimed) -> Result<(), Error> {
    let algorithm = config.search.algorithm;
    let about_runs = claimed.numbers(|claim| !claim.is_safety);
    if let Some(first) = about_runs.first() {
        let sees = matches!(
            algorithm,
            AlgorithmName::Dfs
                | AlgorithmName::Bfs
                | AlgorithmName::Bf
                | AlgorithmName::Astar
                | AlgorithmName::Id
                | AlgorithmName::Ida
                | AlgorithmName::Stateless
        );
        if !sees {
            unfit!(
                "`{}` is broken by whole runs, and --algo {} does not see all of them; use --algo dfs",
                claimed.claims.list[*first].text,
                algorithm
            );
        }
        if config.search.bound.is_some() {
            return Err(Mismatch::FormulasInBound.into());
        }
        let stateless = algorithm == AlgorithmName::Stateless;
        if !stateless && matches!(config.store, Store::Bitstate | Store::Hash128) {
            return Err(Mismatch::CyclesOnHashes.into());
        }
        if stateless && config.claims().fair == Fair::Strong {
            unfit!(
                "which executions are strongly fair is seen by a search with a store only; use --algo \
                 dfs, or --fair weak"
            );
        }
        let list = &claimed.claims.list;
        if let Some(it) = about_runs.iter().map(|run| &list[*run]).find(|it| it.syntax.is_none())
            && stateless
        {
            unfit!(
                "along executions formulas are followed, not automata ({}); use --algo dfs",
                it.text
            );
        }
    }
    if algorithm == AlgorithmName::Stateless
        && claimed.propositions.concern_threads()
        && config.search.reduction != Reduction::None
    {
        unfit!(
            "what atoms say about threads changes with steps that --por {} takes to be independent; use \
             --por none",
            config.search.reduction
        );
    }
    Ok(())
}

/// Searches, one after the other.
struct Phases<'a, 'o> {
    config: &'a Config,
    program: &'a Program,
    suppressed: &'a Suppressed,
    outside: &'a Outside<'o>,
    list: Vec<Phase>,
}

impl Phases<'_, '_> {
    /// Looks for errors of states and steps, and for claims that finitely many states break.
    fn plainly(
        &mut self,
        options: &Options,
        find: &[ErrorClass],
        claimed: Option<(&Claimed, &[usize])>,
    ) -> Result<(), Error> {
        let (program, before) = (self.program, self.program.iterations());
        let options = self.left_of(options);
        if matches!(options.algorithm, Algorithm::Cycles { .. }) {
            program.observe_threads();
        }
        let is = |kind: ClaimKind, number: &usize| {
            claimed.is_some_and(|(it, _)| it.claims.list[*number].kind == kind)
        };
        let asked: Vec<usize> = claimed.map(|(_, asked)| asked.to_vec()).unwrap_or_default();
        let (states, paths): (Vec<usize>, Vec<usize>) =
            asked.iter().partition(|number| is(ClaimKind::Invariant, number));
        let invariants = claimed.map(|(claimed, _)| Invariants { claimed, asked: &states });
        let invariants = invariants.as_ref().filter(|it| !it.asked.is_empty());
        let invariants = invariants.map(|it| it as &dyn Property<Program>);
        let suppressed = Some(self.suppressed);
        let wanted = Wanted { program, find, start: None, invariants, suppressed };
        let checked = match claimed.filter(|_| !paths.is_empty()) {
            None => self.outside.search(|control| check(&wanted, &Sought, &options, control)),
            Some((claimed, _)) => {
                let automata = paths.iter().map(|path| &claimed.claims.list[*path].violations);
                let monitor = ClaimMonitor::new(automata);
                let reads = Reads { claimed, paths: &paths, monitor };
                let monitored = Monitored::new(&wanted, &reads);
                self.outside.search(|control| check_read(&monitored, &Sought, &options, control))
            }
        }?;
        let checked = self.settled(checked);
        let (running, passed) = (program.running(), program.passed());
        let piloted = pilots(&options);
        self.list.push(Phase { checked, before, asked, running, passed, piloted });
        Ok(())
    }

    /// Looks for errors of states and steps on the path to runs that break a claim: one search in the place
    /// of two. What it finds is better looked for by two, because fairness makes steps that have no place in
    /// the trails of other errors.
    fn at_once(
        &mut self,
        options: &Options,
        claimed: &Claimed,
        claim: usize,
    ) -> Result<Phase, Error> {
        let phase = self.run_search(options, self.config.find(), claimed, claim)?;
        if !claimed.propositions.concern_threads() {
            self.program.observe_threads_no_more();
        }
        Ok(phase)
    }

    /// Looks for runs that break claims, each alone.
    fn all_runs(
        &mut self,
        options: &Options,
        claimed: &Claimed,
        claims: &[usize],
    ) -> Result<(), Error> {
        // What pilots could learn is known from the search before.
        let options =
            Options { pilot_runs: PilotRuns { runs: 0, ..options.pilot_runs }, ..*options };
        for claim in claims {
            if self.config.search.algorithm == AlgorithmName::Stateless {
                self.executions(&options, claimed, *claim)?;
                continue;
            }
            let phase = self.run_search(&options, &[], claimed, *claim)?;
            self.list.push(phase);
        }
        Ok(())
    }

    /// Looks for runs that break a claim, and for errors of these kinds on the path.
    fn run_search(
        &self,
        options: &Options,
        find: &[ErrorClass],
        claimed: &Claimed,
        claim: usize,
    ) -> Result<Phase, Error> {
        let (program, before) = (self.program, self.program.iterations());
        let fairness = match self.config.claims().fair {
            Fair::None => Fairness::None,
            Fair::Weak => Fairness::Weak,
            Fair::Strong => Fairness::Strong,
        };
        if fairness != Fairness::None {
            program.observe_threads();
        }
        let options = Options {
            algorithm: Algorithm::Cycles { fairness },
            heuristic: None,
            jobs: 1,
            ..self.left_of(options)
        };
        let suppressed = Some(self.suppressed);
        let wanted = Wanted { program, find, start: None, invariants: None, suppressed };
        let tell = |model: &Wanted<'_>, _: &[(Table, Option<Action>)]| {
            claimed.broken(model.program, claim)
        };
        let propositions = Shown(&claimed.propositions);
        let automaton = &claimed.claims.list[claim].violations;
        let reader = Violations::new(automaton, &propositions, tell);
        let property: &dyn Property<Wanted<'_>> = if find.is_empty() { &() } else { &Sought };
        let checked = self
            .outside
            .search(|control| check_runs(&wanted, property, &reader, &options, control))?;
        let checked = self.settled(checked);
        let (running, passed) = (program.running(), program.passed());
        let piloted = pilots(&options);
        Ok(Phase { checked, before, asked: vec![claim], running, passed, piloted })
    }

    /// Looks without a store for executions that break a claim.
    fn executions(
        &mut self,
        options: &Options,
        claimed: &Claimed,
        claim: usize,
    ) -> Result<(), Error> {
        let Some(formula) = claimed.claims.list[claim].syntax.clone() else { return Ok(()) };
        let Algorithm::Stateless { por, .. } = options.algorithm else { return Ok(()) };
        let (program, before) = (self.program, self.program.iterations());
        let fair = self.config.claims().fair != Fair::None;
        if fair {
            program.observe_threads();
        }
        let options = self.left_of(options);
        let wanted = Wanted { program, find: &[], start: None, invariants: None, suppressed: None };
        let propositions = Shown(&claimed.propositions);
        let tell = |model: &Wanted<'_>, _: usize, _: Moment| claimed.broken(model.program, claim);
        let mut obligations = Obligations::new(&[formula], &propositions, &tell as Broken<'_>);
        let executions = Executions { por, livelock: None, fair };
        let checked = self.outside.search(|control| {
            Ok(check_executions(&wanted, &mut obligations, executions, &options, control))
        })?;
        let mut checked = self.settled(checked);
        for finding in &mut checked.outcome.violations {
            let length = finding.trail.as_ref().map(|it| it.len() as u32);
            let ends = finding.trail.as_ref().is_some_and(|trail| is_over(&wanted, trail));
            finding.cycle = finding.cycle.or(length.filter(|_| ends));
        }
        let (running, passed) = (program.running(), program.passed());
        let asked = vec![claim];
        self.list.push(Phase { checked, before, asked, running, passed, piloted: false });
        Ok(())
    }

    /// What a search came to; one that gave up a step has not been everywhere.
    fn settled(&self, mut checked: Explored) -> Explored {
        if self.program.gave_up() && checked.outcome.end == End::Exhausted {
            checked.outcome.end = self.outside.reason();
        }
        checked
    }

    /// The options of the next search: what earlier ones took is no longer there.
    fn left_of(&self, options: &Options) -> Options {
        let mut left = *options;
        left.limits.time =
            left.limits.time.map(|it| it.saturating_sub(self.outside.started.elapsed()));
        let states: u64 = self.list.iter().map(|phase| phase.checked.totals.states).sum();
        left.limits.states = left.limits.states.map(|it| it.saturating_sub(states));
        left
    }
}

/// Whether a search begins with pilots.
fn pilots(options: &Options) -> bool {
    !options.algorithm.is_sampling() && options.pilot_runs.runs > 0
}

/// Whether nothing more happens after a trail.
fn is_over(wanted: &Wanted<'_>, trail: &[Action]) -> bool {
    let last = replay(wanted, trail, &mut Silent).state;
    let mut enabled = Vec::new();
    wanted.enabled(&mut wanted.worker(), &last, &mut enabled);
    enabled.iter().all(|action| wanted.is_unfair(*action))
}

/// Who reads states along for claims that finitely many of them break.
struct Reads<'a> {
    claimed: &'a Claimed,
    /// The claims, in the order of the monitor's.
    paths: &'a [usize],
    monitor: ClaimMonitor<'a>,
}

impl Monitor<Wanted<'_>> for Reads<'_> {
    fn initial(&self) -> u32 {
        self.monitor.initial()
    }

    fn next(&self, model: &Wanted<'_>, worker: &mut Worker, from: u32, state: &Table) -> u32 {
        let bits = self.claimed.propositions.valuation(model.program, worker, state);
        self.monitor.next(from, bits)
    }

    fn next_after(
        &self,
        model: &Wanted<'_>,
        worker: &mut Worker,
        from: u32,
        (before, changes): (&Table, &[Change]),
    ) -> u32 {
        let propositions = &self.claimed.propositions;
        let bits = propositions.valuation_after(model.program, worker, before, changes);
        self.monitor.next(from, bits)
    }

    fn errors(&self, model: &Wanted<'_>, at: u32, tell: &mut dyn FnMut(Violation)) {
        let broken = self.monitor.broken(at);
        for (position, claim) in self.paths.iter().enumerate() {
            if broken >> position & 1 == 1 {
                tell(self.claimed.broken(model.program, *claim));
            }
        }
    }
}
