//! Automata as text: written and read again, read from others, and what is refused.

use steam_ltl::{Atoms, Formulas, Lasso, Valuation, hoa, parse, read_hoa, translate};

use crate::chance::Random;
use crate::random;

#[test]
fn what_is_written_is_read_again() {
    let mut random = Random(0x5eed_0007);
    for number in 0..2_000 {
        let syntax = random::formula(&mut random, 1 + number % 4);
        let mut atoms = random::atoms();
        let mut formulas = Formulas::new();
        let formula = formulas.formula(&syntax);
        let automaton = translate(&mut formulas, formula, &atoms).expect("a small formula");
        let text = hoa(&automaton, &atoms, "a \"name\"", false);
        let again = read_hoa(&text, &mut atoms).unwrap_or_else(|e| panic!("{}", e.explain(&text)));
        assert_eq!(again.reduce(), automaton.reduce(), "{text}");
        assert_eq!(atoms, random::atoms(), "no new atoms");
    }
}

/// The language of a file is that of a formula, on all short runs.
#[track_caller]
fn same(text: &str, formula: &str) {
    let mut atoms = Atoms::default();
    let automaton = read_hoa(text, &mut atoms).unwrap_or_else(|e| panic!("{}", e.explain(text)));
    let before = atoms.len();
    let syntax = parse(formula, &mut atoms).expect("a formula");
    assert_eq!(atoms.len(), before, "the file and the formula have the same atoms");
    let reduced = automaton.clone().reduce();
    let letters = 1u64 << before;
    for length in 1..=4u32 {
        for number in 0..letters.pow(length) {
            let state = |at| Valuation(number / letters.pow(at) % letters);
            for back in 0..length as usize {
                let run = Lasso::new((0..length).map(state).collect(), back).expect("states");
                let expected = run.fulfils(&syntax);
                assert_eq!(run.accepted_by(&automaton), expected, "{run:?}");
                assert_eq!(run.accepted_by(&reduced), expected, "reduced, {run:?}");
            }
        }
    }
}

#[test]
fn acceptance_on_states() {
    same(
        "HOA: v1 /* a comment /* in a comment */ */\n\
         States: 2\nStart: 0\nAP: 2 \"p\" \"x == 1\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n\
         properties: trans-labels explicit-labels state-acc\ntool: \"another\" \"2.0\"\n\
         --BODY--\n\
         State: 0 \"wait\"\n[t] 0\n[0 & !1] 1\n\
         State: 1 {0}\n[!1] 1\n--END--\n",
        "F (p && G !(x == 1))",
    );
}

#[test]
fn aliases_labels_of_states_and_several_starts() {
    same(
        "HOA: v1\nStart: 0\nStart: 1\nAP: 2 \"a\" \"b\"\nAcceptance: 0 t\n\
         Alias: @both 0 & 1\nAlias: @none !(0 | 1)\n--BODY--\n\
         State: [@both] 0 0\nState: [@none] 1 1\n--END--\n",
        "G (a && b) || G (!a && !b)",
    );
}

#[test]
fn labels_left_out_stand_for_all_valuations() {
    same(
        "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n--BODY--\n\
         State: 0 0 1 {0}\nState: 1 0 1 {0}\n--END--\n",
        "G F a",
    );
}

#[test]
fn several_sets_in_any_order() {
    same(
        "HOA: v1\nStart: 0\nAP: 2 \"a\" \"b\"\nAcceptance: 3 (Inf(2)) & Inf(0)\n--BODY--\n\
         State: 0\n[0&1] 0 {0 1 2}\n[0&!1] 0 {0}\n[!0&1] 0 {2 1}\n[!0&!1] 0\n--END--\n",
        "G F a && G F b",
    );
}

#[track_caller]
fn refuse(text: &str, message: &str) {
    let mut atoms = Atoms::default();
    let error = read_hoa(text, &mut atoms).expect_err(message);
    assert_eq!(error.message, message, "{}", error.explain(text));
    assert!(atoms.is_empty(), "a refused file leaves no atoms");
}

#[test]
fn what_is_refused() {
    let with = |header: &str, body: &str| {
        format!("HOA: v1\nStart: 0\nAP: 1 \"a\"\n{header}\n--BODY--\n{body}\n--END--\n")
    };
    let unused = "this acceptance condition cannot be used";
    for condition in ["1 Fin(0)", "2 Inf(0)|Inf(1)", "1 Inf(!0)", "0 f", "2 Inf(0)&Fin(1)"] {
        refuse(&with(&format!("Acceptance: {condition}"), "State: 0"), unused);
    }
    let body = |body: &str| with("Acceptance: 1 Inf(0)", body);
    let several = "automata that are in several states at once cannot be used";
    refuse(&body("State: 0 [t] 0&0"), several);
    refuse(&body("State: 0 [1] 0"), "there is no proposition 1");
    refuse(&body("State: 0 [@x] 0"), "the alias `@x` is not defined");
    refuse(&body("State: 0 [t] 0 {1}"), "there is no set 1");
    refuse(&body("State: 0 [t 0"), "`]` is expected, not `0`");
    refuse(&body("State: 0 State: 0"), "state 0 stands here twice");
    refuse(&body("State: 0 0"), "transitions without labels are not one for each valuation");
    refuse(&body("State: [0] 0 [0] 0"), "the state and the transition have a label");
    refuse(&body("State: 99999999 [t] 0"), "there is no state 99999999");
    refuse(&with("", "State: 0"), "the header `Acceptance:` is missing");
    refuse(&with("Strange: 1 Acceptance: 0 t", ""), "the header `Strange:` is not known");
    refuse("HOA: v2", "`v1` is expected, not `v2`");
    refuse("never { T0_init: }", "`HOA: v1` is expected, not `never`");
    refuse("", "`HOA: v1` is expected, not the end");
    refuse("HOA: v1 name: \"x", "the text has no `\"` at its end");
    refuse("HOA: v1 States: 99999999999", "`99999999999` is too large");
    let twice = format!("{}{}", body("State: 0"), body("State: 0"));
    refuse(&twice, "there is more than one automaton");
    let deep = format!("State: 0 [{}0] 0", "!".repeat(1000));
    refuse(&body(&deep), "the label is nested too deeply");
}

/// Every way to cut or change a good file has an answer.
#[test]
fn broken_files_have_an_answer() {
    let good = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"a\" \"b\"\nAcceptance: 1 Inf(0)\n\
        Alias: @x 0|!1\n--BODY--\nState: 0 \"n\" {0}\n[@x & 1] 1\n[t] 0\nState: 1\n[!0] 1 {0}\n--END--\n";
    assert!(read_hoa(good, &mut Atoms::default()).is_ok());
    let mut random = Random(0x5eed_0008);
    let mut refused = 0;
    for _ in 0..20_000 {
        let mut bytes = good.as_bytes().to_vec();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len() - 1);
            match random.below(3) {
                0 if bytes.len() > 2 => drop(bytes.remove(at)),
                1 => bytes[at] = b"0123456789&|!()[]{}\"@: \nx"[random.below(24)],
                _ => bytes.truncate(at + 2),
            }
        }
        let text = String::from_utf8(bytes).expect("letters of one byte");
        refused += usize::from(read_hoa(&text, &mut Atoms::default()).is_err());
    }
    assert!(refused > 10_000, "{refused}");
}
