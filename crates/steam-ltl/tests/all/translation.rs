//! Automata accept exactly the runs that fulfil the formula.

use steam_ltl::{Automaton, Formulas, Lasso, Syntax, translate, translate_plainly};

use crate::chance::Random;
use crate::random;

/// How many formulas are tried, and how many runs with each.
const FORMULAS: usize = 10_000;
const RUNS: usize = 20;

#[track_caller]
fn compare(lasso: &Lasso, syntax: &Syntax, automaton: &Automaton, what: &str) {
    let atoms = random::atoms();
    let expected = lasso.fulfils(syntax);
    let accepted = lasso.accepted_by(automaton);
    assert_eq!(accepted, expected, "{what}: {} on {lasso:?}", syntax.display(&atoms));
}

/// 10,000 formulas of depth 1 to 4 and 200,000 runs: the reduced automaton against the meaning of
/// the formula as it was written; for one of seven, the automaton without any simplification too.
#[test]
fn automata_accept_what_formulas_mean() {
    let mut random = Random(0x5eed_0001);
    let atoms = random::atoms();
    let (mut states, mut plain_states) = (0, 0);
    for number in 0..FORMULAS {
        let syntax = random::formula(&mut random, 1 + number % 4);
        let mut formulas = Formulas::new();
        let formula = formulas.formula(&syntax);
        let automaton = translate(&mut formulas, formula, &atoms).expect("a small formula");
        let plain = (number % 7 == 0)
            .then(|| translate_plainly(&mut formulas, formula, &atoms).expect("a small formula"));
        for _ in 0..RUNS {
            let lasso = random::lasso(&mut random);
            compare(&lasso, &syntax, &automaton, "reduced");
            if let Some(plain) = &plain {
                compare(&lasso, &syntax, plain, "plain");
            }
        }
        if let Some(plain) = &plain {
            states += automaton.states.len();
            plain_states += plain.states.len();
        }
    }
    assert!(states < plain_states, "{states} {plain_states}");
}
