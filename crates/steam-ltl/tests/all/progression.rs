//! Progression and the actors made of it, against the meaning of formulas on finished runs.

use std::collections::BTreeSet;

use steam_ltl::actors::{Master, RunVerdict};
use steam_ltl::{Formula, Formulas, Lasso};

use crate::chance::Random;
use crate::random;

/// What is left after all states, and whether the run fulfils it when it ends there.
fn along(
    formulas: &mut Formulas,
    formula: Formula,
    states: &[steam_ltl::Valuation],
) -> (Formula, bool) {
    let left = states.iter().fold(formula, |left, state| formulas.progress(left, *state));
    let last = *states.last().expect("a run has states");
    (left, formulas.end(left, last))
}

#[test]
fn finished_runs_have_their_value() {
    let mut random = Random(0x5eed_0002);
    let atoms = random::atoms();
    let mut early = 0;
    for number in 0..10_000 {
        let syntax = random::formula(&mut random, 1 + number % 4);
        let mut formulas = Formulas::new();
        let formula = formulas.formula(&syntax);
        for _ in 0..5 {
            let states = random::states(&mut random, 8);
            let (left, value) = along(&mut formulas, formula, &states);
            let run = Lasso::finished(states).expect("a run has states");
            assert_eq!(value, run.fulfils(&syntax), "{} on {run:?}", syntax.display(&atoms));
            // What is decided early is decided, however the run goes on.
            if left == Formula::TRUE || left == Formula::FALSE {
                let more = random::states(&mut random, 8);
                let longer = Lasso::finished([run.states(), &more].concat()).expect("states");
                assert_eq!(longer.fulfils(&syntax), value, "{}", syntax.display(&atoms));
                early += 1;
            }
        }
    }
    assert!(early > 10_000, "{early}");
}

/// What is left never grows with the run: few different formulas, of bounded size.
#[test]
fn long_runs_owe_little() {
    let mut random = Random(0x5eed_0003);
    let (mut most, mut longest) = (0, 0);
    for number in 0..1_000 {
        let syntax = random::formula(&mut random, 2 + number % 3);
        let mut formulas = Formulas::new();
        let mut left = formulas.formula(&syntax);
        let mut seen = BTreeSet::new();
        for _ in 0..1_000 {
            left = formulas.progress(left, random::state(&mut random));
            seen.insert(left);
        }
        most = most.max(seen.len());
        let atoms = random::atoms();
        let size = |one: &Formula| formulas.syntax(*one).display(&atoms).to_string().len();
        longest = longest.max(seen.iter().map(size).max().unwrap_or(0));
    }
    assert!(most <= 10, "{most} different rests of one formula");
    assert!(longest <= 1_000, "a rest of {longest} letters");
}

#[test]
fn every_worker_says_the_truth_about_every_state() {
    let mut random = Random(0x5eed_0004);
    for number in 0..2_000 {
        let syntax = random::formula(&mut random, 1 + number % 4);
        let states = random::states(&mut random, 9);
        let run = Lasso::finished(states.clone()).expect("a run has states");
        let mut master = Master::new(std::slice::from_ref(&syntax));
        states.iter().for_each(|state| master.state(*state));
        let before = master.checkers()[0].verdict();
        master.finish();
        let checker = &master.checkers()[0];
        let values = run.values(&syntax);
        let worker = &checker.workers()[0];
        assert!(worker.open().is_empty(), "the end answers everything");
        for (position, value) in values.iter().enumerate() {
            let about = |message: &&steam_ltl::actors::Message| message.about.contains(position);
            let said: Vec<bool> =
                worker.messages().iter().filter(about).map(|message| message.value).collect();
            assert_eq!(said, [*value], "state {position}: one answer, and the true one");
        }
        match checker.verdict() {
            RunVerdict::Holds(_) => assert!(values[0]),
            RunVerdict::Violated(_) => assert!(!values[0]),
            RunVerdict::Open => panic!("no verdict at the end"),
        }
        assert!(before == RunVerdict::Open || before == checker.verdict());
    }
}
