//! The fair scheduler: what ends in a fair world ends, and what loops in it is reported.

use steam_ltl::actors::Moment;
use steam_ltl::{AtomId, Formulas, Syntax};
use steam_model::{Changes, Propositions};
use steam_search::cycles::{Fairness, Violations, cycles};
use steam_search::walk::{Executions, Obligations, Por, stateless, stateless_formulas};
use steam_search::{Config, Control, End, LimitKind, Limits, OutcomeOf, Verdict};
use steam_store::TreeStore;

use crate::chance::Random;
use crate::formulas::{Hashed, usual};
use crate::naive::enumerate;
use crate::random_formula::atoms;
use crate::toys::workers::{LIVELOCK, Op, Workers};
use crate::toys::{Act, Action, Hand, Play, Toy, trimmed};

const DEPTH: u32 = 40;

fn config(depth: u32, all: bool) -> Config {
    Config { all, limits: Limits { depth: Some(depth), ..Limits::default() }, ..Config::default() }
}

fn explore(workers: &Workers, fair: bool, config: Config) -> OutcomeOf<Play<Workers>> {
    let wanted = Executions { por: Por::None, fair, ..Executions::default() };
    let play = Play(workers.clone());
    stateless(&play, &(), wanted, &config, &mut Control::default())
}

/// One waits in a loop for what the other one does.
fn spinning(loop_body: &[Op], other: &[Op]) -> Workers {
    let mut waits = loop_body.to_vec();
    waits.insert(0, Op::Branch(0, 1, loop_body.len() + 2));
    waits.push(Op::Goto(0));
    Workers(vec![waits, other.to_vec()])
}

#[test]
fn waiting_for_somebody_who_comes_ends() {
    for body in [&[][..], &[Op::Yield], &[Op::Nothing, Op::Yield]] {
        let workers = spinning(body, &[Op::Nothing, Op::Set(0, 1)]);
        let fair = explore(&workers, true, config(DEPTH, true));
        assert_eq!(fair.violations, []);
        // Not every schedule was tried: the scheduler does not let one spin for as long as it likes.
        assert_eq!(fair.verdict(), Verdict::Limit(LimitKind::Switches));
        assert!(fair.statistics.depth < DEPTH);
        let unfair = explore(&workers, false, config(10, true));
        assert_eq!(unfair.end, End::Limit(LimitKind::Depth));
    }
}

#[test]
fn waiting_for_somebody_who_never_comes_is_a_livelock() {
    for body in [&[][..], &[Op::Yield]] {
        let workers = spinning(body, &[Op::Nothing, Op::Set(1, 1)]);
        let outcome = explore(&workers, true, Config::default());
        let finding = &outcome.violations[0];
        assert_eq!(finding.what, LIVELOCK);
        assert_fair_cycle(&workers, finding.trail.as_ref().unwrap(), finding.cycle.unwrap());
    }
    // Two that make way for each other and never get on.
    let polite = vec![Op::Branch(0, 1, 3), Op::Yield, Op::Goto(0)];
    let outcome = explore(&Workers(vec![polite.clone(), polite]), true, Config::default());
    assert_eq!(outcome.violations[0].what, LIVELOCK);
}

/// A run comes back to where its cycle begins, and who can act all the way round does.
fn assert_fair_cycle(workers: &Workers, trail: &[Action], begins: u32) {
    let mut states = vec![workers.initial()];
    for action in trail {
        let mut next = states[states.len() - 1].clone();
        assert!(workers.actions(&next).contains(action));
        assert_eq!(workers.act(&mut next, *action), Act::Done);
        states.push(next);
    }
    let begins = begins as usize;
    let last = trimmed(states.pop().unwrap());
    assert_eq!(trimmed(states[begins].clone()), last);
    for process in 0..workers.0.len() as u32 {
        let able = |state: &Vec<u32>| workers.actions(state).iter().any(|it| it.0 == process);
        let acts = trail[begins..].iter().any(|it| it.0 == process);
        assert!(acts || !states[begins..].iter().all(able), "{process} starves");
    }
}

/// Programs that need not end: every cycle that is reported is one, every state that is reached without
/// anybody being held back is one of the system, and what is not proved is not said to be.
#[test]
fn random_programs_show_fair_cycles_only() {
    let (mut cycles, mut complete) = (0, 0);
    for seed in 0..150 {
        let workers = Workers::looping(seed);
        let outcome = explore(&workers, true, config(7, true));
        for finding in &outcome.violations {
            let trail = finding.trail.as_ref().unwrap();
            assert_fair_cycle(&workers, trail, finding.cycle.unwrap());
            cycles += 1;
        }
        if outcome.end == End::Exhausted {
            // Nobody was held back and nothing was cut: that was everything.
            let truth = enumerate(&workers, |_, _| None);
            assert!(outcome.statistics.states >= truth.states);
            complete += 1;
        }
    }
    assert!(cycles > 20 && complete > 20, "{cycles} {complete}");
}

/// What is said to be violated is so in a search with a store for weakly fair cycles; and where nobody
/// was held back and nothing cut, nothing else is.
#[test]
fn violations_are_those_of_weakly_fair_cycles() {
    let atoms = atoms();
    let (mut found, mut complete) = (0, 0);
    for seed in 0..300 {
        let workers = Workers::looping(seed);
        let play = Play(workers.clone());
        let syntax = usual(&mut Random(0x5eed_0400 + 7919 * seed), 2);
        let propositions = Hashed(seed);
        let property = steam_ltl::Property::new(syntax.clone(), &atoms).unwrap();
        let reader = Violations::new(
            &property.violations,
            &propositions,
            |_: &Play<Workers>, _: &[(Vec<u32>, Option<Action>)]| 0,
        );
        let stored = |fairness| {
            let store = TreeStore::with_limit(u64::MAX);
            let (config, control) = (Config::default(), &mut Control::default());
            let outcome = cycles((&play, &()), (&reader, fairness), &store, &config, control);
            !outcome.violations.is_empty()
        };
        let violation = |_: &Play<Workers>, _: usize, _: Moment| 0;
        let mut obligations = Obligations::new(&[syntax], &propositions, violation);
        let wanted = Executions { fair: true, ..Executions::default() };
        let limits = Limits { states: Some(20_000), depth: Some(30), ..Limits::default() };
        let config = Config { limits, ..Config::default() };
        let control = &mut Control::default();
        let outcome = stateless_formulas((&play, &()), &mut obligations, wanted, &config, control);
        match outcome.verdict() {
            Verdict::Violation(_) => {
                assert!(stored(Fairness::Weak), "seed {seed}");
                found += 1;
            }
            Verdict::Complete => {
                assert!(!stored(Fairness::None), "seed {seed}");
                complete += 1;
            }
            _ => {}
        }
    }
    assert!(found > 50 && complete > 20, "{found} {complete}");
}

/// Whether a variable is one.
struct IsSet<'a>(&'a Workers, usize);

impl Propositions<Play<Workers>> for IsSet<'_> {
    fn count(&self) -> u32 {
        1
    }

    fn valuation(&self, _: &Play<Workers>, _: &mut Hand, state: &Vec<u32>) -> u64 {
        u64::from(self.0.value(state, self.1) == 1)
    }
}

impl Changes<Play<Workers>> for IsSet<'_> {}

impl Changes<Play<Workers>> for Hashed {}

/// `F p` and `G !p`.
fn promises() -> [Syntax; 2] {
    let mut formulas = Formulas::new();
    let atom = formulas.literal(AtomId(0), true);
    let never = formulas.literal(AtomId(0), false);
    let (comes, never) = (formulas.finally(atom), formulas.globally(never));
    [formulas.syntax(comes), formulas.syntax(never)]
}

fn violated(workers: &Workers, variable: usize) -> Vec<(usize, Moment)> {
    let propositions = IsSet(workers, variable);
    let violation = |_: &Play<Workers>, formula: usize, moment: Moment| match moment {
        Moment::State(_) => formula as u32,
        Moment::End => 10 + formula as u32,
    };
    let mut obligations = Obligations::new(&promises(), &propositions, violation);
    let wanted = Executions { fair: true, ..Executions::default() };
    let play = Play(workers.clone());
    let (config, control) = (config(DEPTH, true), &mut Control::default());
    let outcome = stateless_formulas((&play, &()), &mut obligations, wanted, &config, control);
    let mut found: Vec<(usize, Moment)> = outcome
        .violations
        .iter()
        .map(|it| match it.what {
            early if early < 10 => (early as usize, Moment::State(0)),
            late => (late as usize - 10, Moment::End),
        })
        .collect();
    found.sort_unstable();
    found
}

#[test]
fn formulas_hold_or_not_of_fair_runs() {
    // What is waited for comes, and then what is promised after it.
    let comes = spinning(&[Op::Yield], &[Op::Set(0, 1)]);
    assert_eq!(violated(&comes, 0), [(1, Moment::State(0))]);
    // It never comes: the run that loops forever breaks the promise.
    let waits = spinning(&[Op::Yield], &[Op::Set(1, 2)]);
    assert_eq!(violated(&waits, 0), [(0, Moment::End)]);
}
