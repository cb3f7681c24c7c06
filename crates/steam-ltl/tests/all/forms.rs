//! One formula in several forms: printed, negated, simplified.

use steam_ltl::{Formula, Formulas, parse};

use crate::chance::Random;
use crate::random;

#[test]
fn what_is_printed_is_read_again() {
    let mut random = Random(0x5eed_0005);
    for number in 0..10_000 {
        let mut atoms = random::atoms();
        let syntax = random::formula(&mut random, 1 + number % 6);
        let text = syntax.display(&atoms).to_string();
        assert_eq!(parse(&text, &mut atoms), Ok(syntax), "{text}");
        assert_eq!(atoms.len(), random::ATOMS, "{text}: no atom is new");
    }
}

/// Each form against the formula as it was written, on runs.
#[test]
fn forms_mean_the_same() {
    let mut random = Random(0x5eed_0006);
    let (mut before, mut after) = (0, 0);
    for number in 0..5_000 {
        let syntax = random::formula(&mut random, 1 + number % 5);
        let mut formulas = Formulas::new();
        let formula = formulas.formula(&syntax);
        let simple = formulas.simplify(formula);
        let opposite = formulas.not(formula);
        assert_eq!(formulas.not(opposite), formula, "twice negated");
        assert_eq!(formulas.simplify(simple), simple, "simplified twice");
        let atoms = random::atoms();
        let length = |one| formulas.syntax(one).display(&atoms).to_string().len();
        before += length(formula);
        after += length(simple);
        let [formula, simple, opposite] =
            [formula, simple, opposite].map(|one| formulas.syntax(one));
        for _ in 0..20 {
            let run = random::lasso(&mut random);
            let expected = run.fulfils(&syntax);
            let text = syntax.display(&atoms);
            assert_eq!(run.fulfils(&formula), expected, "normal form of {text} on {run:?}");
            assert_eq!(run.fulfils(&opposite), !expected, "negation of {text} on {run:?}");
            assert_eq!(run.fulfils(&simple), expected, "simplified {text} on {run:?}");
        }
    }
    assert!(after * 10 < before * 8, "simplification makes formulas smaller: {before} {after}");
}

/// The page about formulas shows none that is refused.
#[test]
fn formulas_of_the_page_are_read() {
    let page = include_str!("../../../../docs/ltl.md");
    let blocks = page.split("```ltl\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut count = 0;
    for line in blocks.flat_map(str::lines) {
        let formula = line.split('#').next().unwrap_or_default();
        let read = parse(formula, &mut steam_ltl::Atoms::default());
        assert!(read.is_ok(), "{}", read.unwrap_err().explain(formula));
        count += 1;
    }
    assert!(count > 10, "{count} formulas");
}

#[track_caller]
fn simplified(text: &str, expected: &str) {
    let mut atoms = steam_ltl::Atoms::default();
    let syntax = parse(text, &mut atoms).expect("a formula");
    let mut formulas = Formulas::new();
    let formula = formulas.formula(&syntax);
    let simple = formulas.simplify(formula);
    assert_eq!(formulas.syntax(simple).display(&atoms).to_string(), expected, "{text}");
}

#[test]
fn rules_of_simplification() {
    simplified("F F a", "F a");
    simplified("G F G F a", "G F a");
    simplified("F G F a", "G F a");
    simplified("F (a U b)", "F b");
    simplified("a U (a U b)", "a U b");
    simplified("a U G F b", "G F b");
    simplified("G a && G b", "G (a && b)");
    simplified("F a || F b", "F (a || b)");
    simplified("F G a && F G b", "F G (a && b)");
    simplified("a && (a || b)", "a");
    simplified("a && (!a || b)", "a && b");
    simplified("G a && F !a", "false");
    simplified("!a U a", "F a");
    simplified("X a U X b", "X (a U b)");
    simplified("F X a", "X F a");
    simplified("G a && a", "G a");
    simplified("a W b", "a W b");
    simplified("(a -> b) <-> (!b -> !a)", "true");
}

/// Formulas whose parts are shared many times over take no longer than their parts.
#[test]
fn shared_parts_are_looked_at_once() {
    let mut atoms = steam_ltl::Atoms::default();
    let letters: Vec<String> = (0..60).map(|number| format!("F a{number}")).collect();
    let syntax = parse(&letters.join(" <-> "), &mut atoms).expect("a formula");
    let mut formulas = Formulas::new();
    let formula = formulas.formula(&syntax);
    assert!(!formulas.uses_next(formula));
    let state = steam_ltl::Valuation(0);
    let left = formulas.progress(formula, state);
    assert!(formulas.end(left, state), "an even number of parts that do not hold");
    assert_ne!(formulas.simplify(formula), Formula::TRUE);
}
