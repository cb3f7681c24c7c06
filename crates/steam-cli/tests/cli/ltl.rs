//! `steam ltl`: what it tells about formulas and automata, and what it refuses.

use crate::place::{Place, Said, said};

fn ltl(place: &Place, arguments: &[&str]) -> Said {
    said(&mut place.steam(&[&["ltl"], arguments].concat()))
}

#[test]
fn a_formula_is_told_as_it_was_understood() {
    let place = Place::new();
    let told = ltl(&place, &["[](request && x==1 -> <>p->f > 3)"]);
    assert_eq!(
        told.out,
        "formula    G (request && x==1 -> F (p->f > 3))\n\
         atoms      request\n           x==1\n           p->f > 3\n\
         class      neither safety nor guarantee: a violation is a whole run\n\
         steps      no X: repeating a state makes no difference\n\
         automaton  a violation is a run of: F (request && x==1 && G !(p->f > 3))\n           \
         2 states, 3 transitions, 1 acceptance set\n           \
         weak: a cycle that stays in an accepting part is enough\n\n\
         state 0, start: F (request && x==1 && G !(p->f > 3))\n    \
         true                            -> 0\n    \
         request && x==1 && !(p->f > 3)  -> 1\n\
         state 1: G !(p->f > 3)\n    \
         !(p->f > 3)  -> 1 {0}\n\n\
         next: steam ltl '[](request && x==1 -> <>p->f > 3)' --dot | dot -Tsvg -o automaton.svg\n"
    );
}

/// The page about formulas shows what is printed.
#[test]
fn the_page_shows_what_is_printed() {
    let page = include_str!("../../../../docs/ltl.md");
    let formula = "G (request -> F granted)";
    let shown = page.split(&format!("$ steam ltl '{formula}'\n")).nth(1).expect("the example");
    let shown = shown.split("```").next().expect("its end");
    assert_eq!(ltl(&Place::new(), &[formula]).out, shown);
}

#[test]
fn kinds_are_told() {
    let place = Place::new();
    for (formula, words) in [
        ("G !(a && b)", "class      safety: "),
        ("F a", "class      guarantee: "),
        ("a", "class      safety and guarantee: "),
        ("a || !a", "class      every run fulfils it"),
        ("a && !a", "class      no run fulfils it"),
        ("G X a", "steps      X: "),
    ] {
        let told = ltl(&place, &[formula]);
        assert_eq!(told.status, 0, "{told:?}");
        assert!(told.out.contains(words), "{formula}: {}", told.out);
    }
}

/// What is written for other tools is read again, as the same automaton.
#[test]
fn automata_go_out_and_come_back() {
    let place = Place::new();
    let written = ltl(&place, &["G (a -> F {b == 'x'})", "--hoa"]);
    assert_eq!(written.status, 0, "{written:?}");
    place.write("a.hoa", &written.out);
    let again = ltl(&place, &["--automaton", "a.hoa", "--hoa"]);
    let body = |said: &Said| said.out.lines().filter(|line| !line.starts_with("name:")).count();
    assert_eq!(body(&again), body(&written), "{again:?}");
    let told = ltl(&place, &["--automaton", "a.hoa"]);
    assert!(told.out.contains("a && !(b == 'x')"), "{told:?}");
    let drawn = ltl(&place, &["--automaton", "a.hoa", "--dot"]);
    assert!(drawn.out.starts_with("digraph automaton {\n"), "{drawn:?}");
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let place = Place::new();
    place.write("bad.hoa", "HOA: v1\nStart: 0\nAcceptance: 1 Fin(0)\n--BODY--\n--END--\n");
    for (arguments, words) in [
        (&["x = 1"][..], "x = 1\n  ^\n`=` does not compare\nhint: write `==`\n"),
        (&["a->F b"], "an implication is written ` -> `"),
        (&[""], "there is no formula"),
        (&["--automaton", "bad.hoa"], "line 3:\nAcceptance: 1 Fin(0)\n              ^\nthis"),
        (&["--automaton", "missing"], "cannot read missing"),
        (&["--automaton", "/dev/zero"], "it is no regular file"),
        (&[], "required"),
        (&["a", "--automaton", "bad.hoa"], "cannot be used with"),
        (&["a", "--dot", "--hoa"], "cannot be used with"),
    ] {
        let answer = ltl(&place, arguments);
        assert_eq!(answer.status, 2, "{arguments:?}: {answer:?}");
        assert!(answer.err.contains(words), "{arguments:?}: {answer:?}");
    }
    let many: Vec<String> = (0..60).map(|number| format!("(F a{number})")).collect();
    let answer = ltl(&place, &[&format!("!({})", many.join(" && "))]);
    assert_eq!(answer.status, 2, "{answer:?}");
    assert!(answer.err.contains("too large"), "{answer:?}");
}
