//! Which formulas need no search for cycles, and what their automata look like.

use steam_ltl::{
    Atoms, Automaton, Formulas, Property, Strength, TooLarge, lines, parse, translate,
};

fn automaton(text: &str, atoms: &mut Atoms) -> Result<Automaton, TooLarge> {
    let syntax = parse(text, atoms).unwrap_or_else(|error| panic!("{}", error.explain(text)));
    let mut formulas = Formulas::new();
    let formula = formulas.formula(&syntax);
    translate(&mut formulas, formula, atoms)
}

#[track_caller]
fn check(text: &str, strength: Strength, states: usize, sets: u32) {
    let found = automaton(text, &mut Atoms::default()).expect("a small formula");
    assert_eq!(
        (found.strength(), found.states.len(), found.sets),
        (strength, states, sets),
        "{text}"
    );
}

#[test]
fn strengths_and_sizes() {
    use Strength::{General, Terminal, Weak};
    // Negations of safety: a bad prefix is enough.
    check("F a", Terminal, 2, 1);
    check("F (a && X b)", Terminal, 3, 1);
    check("F a && F b", Terminal, 4, 1);
    check("!(!a W b)", Terminal, 2, 1);
    check("a && X X b", Terminal, 4, 0);
    check("true", Terminal, 1, 0);
    // Nothing is accepted: there is nothing to look for.
    check("false", Terminal, 1, 0);
    check("a && !a", Terminal, 1, 0);
    // Negations of guarantees: any cycle.
    check("G a", Weak, 1, 0);
    check("G (a -> X b)", Weak, 2, 0);
    check("F G a", Weak, 2, 1);
    check("F (request && G !granted)", Weak, 2, 1);
    check("G F a", General, 1, 1);
    check("G F a && G F b", General, 1, 2);
    check("G F a && G F b && G F c && G F d && G F e && G F f && G F g && G F h", General, 1, 8);
    check("G (a -> F b)", General, 2, 1);
}

/// Safety, guarantee, and whether steps are counted.
#[test]
fn kinds_of_properties() {
    let kind = |text: &str| {
        let mut atoms = Atoms::default();
        let syntax = parse(text, &mut atoms).expect("a formula");
        let property = Property::new(syntax, &atoms).expect("a small formula");
        (property.is_safety, property.is_guarantee, property.uses_next)
    };
    assert_eq!(kind("G !(a && b)"), (true, false, false));
    assert_eq!(kind("a W b"), (true, false, false));
    assert_eq!(kind("G (a -> X b)"), (true, false, true));
    assert_eq!(kind("F a"), (false, true, false));
    assert_eq!(kind("a U b"), (false, true, false));
    assert_eq!(kind("a && X b"), (true, true, true));
    assert_eq!(kind("G (a -> F b)"), (false, false, false));
    assert_eq!(kind("G F a"), (false, false, false));
    assert_eq!(kind("X (a || !a)"), (true, true, false));
    assert_eq!(kind("false"), (true, true, false));
    // A safety property that is not written as one.
    assert_eq!(kind("!(true U (a && (b U b)))"), (true, false, false));
}

#[test]
fn sinks_accept_everything() {
    let mut atoms = Atoms::default();
    let found = automaton("F a", &mut atoms).expect("a small formula");
    assert_eq!(found.sinks(), [false, true]);
    let never = automaton("a && G !a", &mut atoms).expect("a small formula");
    assert!(never.accepts_nothing());
}

#[test]
fn automata_are_drawn() {
    let mut atoms = Atoms::default();
    let text = "F (request && x == 1 && G !granted)";
    let found = automaton(text, &mut atoms).expect("a small formula");
    assert_eq!(
        lines(&found, &atoms),
        "state 0, start: F (request && x == 1 && G !granted)\n    \
             true                           -> 0\n    \
             request && x == 1 && !granted  -> 1\n\
         state 1: G !granted\n    \
             !granted  -> 1 {0}\n"
    );
    let drawn = steam_ltl::dot(&found, &atoms, "a \"title\"");
    assert!(drawn.contains("label=\"a \\\"title\\\"\""), "{drawn}");
    assert!(drawn.contains("0 -> 1 [label=\"request && x == 1 && !granted\"]"), "{drawn}");
    assert!(drawn.contains("1 -> 1 [label=\"!granted {0}\"]"), "{drawn}");
}

/// Formulas that would take all memory are refused instead.
#[test]
fn what_is_too_large_is_refused() {
    let many = |part: &dyn Fn(usize) -> String, sign: &str| {
        (0..60).map(part).collect::<Vec<_>>().join(sign)
    };
    for text in [
        many(&|number| format!("(F a{number})"), " && "),
        many(&|number| format!("(F G a{number} || G F b)"), " && "),
        many(&|number| format!("a{number}"), " <-> "),
        (0..6).map(|n| format!("a{n} R (b{n} U c{n})")).collect::<Vec<_>>().join(" U "),
    ] {
        assert_eq!(automaton(&text, &mut Atoms::default()), Err(TooLarge), "{text}");
    }
}
