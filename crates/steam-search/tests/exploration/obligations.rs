//! Formulas along executions without a store, against all executions, each by the plain meaning of the
//! formula.

use std::collections::BTreeSet;

use steam_ltl::actors::{Master, Moment, RunVerdict};
use steam_ltl::{Formulas, Lasso, Syntax, Valuation};
use steam_model::{Changes, Propositions};
use steam_search::walk::{Executions, Numbers, Obligations, Por, stateless_formulas};
use steam_search::{Config, Control, End, LimitKind, Limits, OutcomeOf, Verdict};

use crate::chance::Random;
use crate::formulas::{cases, usual};
use crate::random_formula::ATOMS;
use crate::toys::workers::{Op, VALUES, Workers};
use crate::toys::{Act, Action, Hand, Play, Toy};

const ALL: [Por; 4] = [Por::None, Por::Sleep, Por::Persistent, Por::Source];

/// Propositions over the variables: each reads one or both of them.
struct OfVariables<'a> {
    workers: &'a Workers,
    seed: u64,
    /// Whether it says that no step changes anything.
    lies: bool,
}

impl OfVariables<'_> {
    /// The variables that an atom reads, and its table of values.
    fn atom(&self, atom: usize) -> (&'static [usize], Numbers) {
        let mut numbers = Numbers::of_part(self.seed, atom as u64);
        let reads: [&[usize]; 4] = [&[0], &[0], &[1], &[0, 1]];
        (reads[numbers.below(4)], numbers)
    }

    fn of(&self, state: &[u32]) -> Valuation {
        let holds = |atom: usize| {
            let (reads, mut numbers) = self.atom(atom);
            let values = reads.iter().map(|variable| self.workers.value(state, *variable));
            let number = values.fold(0, |sum, value| sum * VALUES + value);
            Numbers::of_part(numbers.next(), u64::from(number)).below(2) == 1
        };
        Valuation((0..ATOMS).map(|atom| u64::from(holds(atom)) << atom).sum())
    }
}

impl Propositions<Play<Workers>> for OfVariables<'_> {
    fn count(&self) -> u32 {
        ATOMS as u32
    }

    fn valuation(&self, _: &Play<Workers>, _: &mut Hand, state: &Vec<u32>) -> u64 {
        self.of(state).0
    }
}

impl Changes<Play<Workers>> for OfVariables<'_> {
    fn may_change(&self, _: &Play<Workers>, operation: &Op) -> bool {
        let (Op::Set(written, _) | Op::Add(written)) = operation else { return false };
        !self.lies && (0..ATOMS).any(|atom| self.atom(atom).0.contains(written))
    }
}

/// The states of all executions, each up to its end.
fn executions(workers: &Workers) -> Vec<Vec<Vec<u32>>> {
    let (mut all, mut todo) = (Vec::new(), vec![vec![workers.initial()]]);
    while let Some(states) = todo.pop() {
        let last = &states[states.len() - 1];
        let actions = workers.actions(last);
        for action in &actions {
            let mut next = last.clone();
            assert_eq!(workers.act(&mut next, *action), Act::Done);
            todo.push([&states[..], &[next]].concat());
        }
        if actions.is_empty() {
            all.push(states);
        }
    }
    all
}

fn valuations(propositions: &OfVariables<'_>, states: &[Vec<u32>]) -> Vec<Valuation> {
    states.iter().map(|state| propositions.of(state)).collect()
}

fn explore(
    play: &Play<Workers>,
    propositions: &OfVariables<'_>,
    syntaxes: &[Syntax],
    por: Por,
    depth: Option<u32>,
) -> OutcomeOf<Play<Workers>> {
    let violation = |_: &Play<Workers>, formula: usize, moment: Moment| {
        2 * formula as u32 + u32::from(moment == Moment::End)
    };
    let mut obligations = Obligations::new(syntaxes, propositions, violation);
    let limits = Limits { depth, ..Limits::default() };
    let config = Config { all: true, limits, ..Config::default() };
    let wanted = Executions { por, ..Executions::default() };
    let control = &mut Control::default();
    stateless_formulas((play, &()), &mut obligations, wanted, &config, control)
}

/// The actors of the paper say the same of a trail: what is violated, and whether before the end. What is
/// violated before the end stays so however the run goes on.
fn assert_told(
    workers: &Workers,
    propositions: &OfVariables<'_>,
    syntaxes: &[Syntax],
    (what, trail): (u32, &[Action]),
) {
    let mut states = vec![workers.initial()];
    for action in trail {
        let mut next = states[states.len() - 1].clone();
        assert_eq!(workers.act(&mut next, *action), Act::Done);
        states.push(next);
    }
    let mut master = Master::new(syntaxes);
    let read = valuations(propositions, &states);
    read.iter().for_each(|valuation| master.state(*valuation));
    let checker = what as usize / 2;
    let early = RunVerdict::Violated(Moment::State(trail.len()));
    if what % 2 == 0 {
        // The search simplifies its formulas, and may see before the actors that nothing helps any more.
        assert!([early, RunVerdict::Open].contains(&master.checkers()[checker].verdict()));
        let mut numbers = Numbers::new(trail.len() as u64);
        for _ in 0..20 {
            let more = (0..numbers.below(6)).map(|_| Valuation(numbers.below(1 << ATOMS) as u64));
            let longer = read.iter().copied().chain(more.collect::<Vec<_>>()).collect();
            assert!(!Lasso::finished(longer).unwrap().fulfils(&syntaxes[checker]));
        }
    } else {
        assert!(workers.actions(&states[trail.len()]).is_empty());
        assert_eq!(master.checkers()[checker].verdict(), RunVerdict::Open);
        master.finish();
        assert_eq!(master.checkers()[checker].verdict(), RunVerdict::Violated(Moment::End));
    }
    assert!(!Lasso::finished(read).unwrap().fulfils(&syntaxes[checker]));
}

#[test]
fn verdicts_are_those_of_all_executions() {
    let (mut counts, mut runs, mut lied) = ([0; 2], [0; 4], 0);
    for seed in 0..cases(600) {
        let workers = Workers::ending(seed);
        let play = Play(workers.clone());
        let mut random = Random(0x5eed_0200 + 7919 * seed);
        let syntaxes = [usual(&mut random, 2), usual(&mut random, 3)];
        let lies = seed % 8 == 0;
        let propositions = OfVariables { workers: &workers, seed, lies };
        let all = executions(&workers);
        let violated: BTreeSet<usize> = (0..syntaxes.len())
            .filter(|at| {
                let read = |states: &Vec<Vec<u32>>| {
                    Lasso::finished(valuations(&propositions, states)).unwrap()
                };
                !all.iter().all(|states| read(states).fulfils(&syntaxes[*at]))
            })
            .collect();
        for (por, runs) in ALL.into_iter().zip(&mut runs) {
            let outcome = explore(&play, &propositions, &syntaxes, por, None);
            let found: BTreeSet<usize> =
                outcome.violations.iter().map(|it| it.what as usize / 2).collect();
            assert_eq!(found, violated, "seed {seed} {por:?}");
            assert_eq!(outcome.end, End::Exhausted);
            for finding in &outcome.violations {
                let trail = finding.trail.as_ref().unwrap();
                assert_told(&workers, &propositions, &syntaxes, (finding.what, trail));
            }
            let expected = all.len() as u64;
            match por {
                Por::None => assert_eq!(outcome.statistics.runs, expected),
                _ => assert!(outcome.statistics.runs <= expected),
            }
            *runs += outcome.statistics.runs;
            lied += usize::from(lies && !violated.is_empty());
        }
        violated.iter().for_each(|_| counts[0] += 1);
        counts[1] += syntaxes.len() - violated.len();
    }
    assert!(counts.iter().all(|count| *count > 100) && lied > 100, "{counts:?} {lied}");
    assert!(2 * runs[3] < runs[0] && runs[3] <= runs[1], "{runs:?}");
}

#[test]
fn a_run_that_is_cut_proves_nothing() {
    let (mut cut, mut found) = (0, 0);
    for seed in 0..300 {
        let workers = Workers::looping(seed);
        let play = Play(workers.clone());
        let syntaxes = [usual(&mut Random(0x5eed_0300 + 7919 * seed), 2)];
        let propositions = OfVariables { workers: &workers, seed, lies: false };
        for por in ALL {
            let outcome = explore(&play, &propositions, &syntaxes, por, Some(7));
            for finding in &outcome.violations {
                let trail = finding.trail.as_ref().unwrap();
                assert_told(&workers, &propositions, &syntaxes, (finding.what, trail));
                found += 1;
            }
            if outcome.end != End::Exhausted {
                assert_eq!(outcome.end, End::Limit(LimitKind::Depth));
                assert_ne!(outcome.verdict(), Verdict::Complete);
                cut += 1;
            }
        }
    }
    assert!(cut > 100 && found > 100, "{cut} {found}");
}

/// Nobody ever sets the variable: the loop that waits for it is a run without an end, on which what is
/// promised never comes. A search that leaves such loops out must not say that it holds.
#[test]
fn going_round_for_ever_is_no_end() {
    let workers = Workers(vec![vec![Op::Branch(0, 0, 0), Op::Set(1, 1)]]);
    let play = Play(workers.clone());
    let mut formulas = Formulas::new();
    let atom = formulas.literal(steam_ltl::AtomId(0), true);
    let promised = formulas.finally(atom);
    let syntax = formulas.syntax(promised);
    let propositions = OfVariables { workers: &workers, seed: 0, lies: false };
    for por in ALL {
        let outcome = explore(&play, &propositions, std::slice::from_ref(&syntax), por, Some(50));
        let holds_at_once = propositions.of(&workers.initial()).holds(steam_ltl::AtomId(0));
        assert!(!holds_at_once);
        assert_eq!(outcome.verdict(), Verdict::Limit(LimitKind::Depth));
    }
}
