//! Writes automata for other tools.

use std::fmt::Write as _;

use crate::atoms::{AtomId, Atoms};
use crate::automaton::{Automaton, Cube, StateId};
use crate::label::{edges, marks, quoted};

/// Returns an automaton in the Hanoi omega-automata format, with acceptance on transitions; it is said
/// whether repeating a state makes no difference to it.
pub fn hoa(automaton: &Automaton, atoms: &Atoms, name: &str, stutter_invariant: bool) -> String {
    let mut text = String::from("HOA: v1\n");
    let _ = writeln!(text, "name: {}", quoted(name));
    let _ = writeln!(text, "States: {}", automaton.states.len());
    let _ = writeln!(text, "Start: {}", automaton.initial.0);
    let propositions: String = atoms.iter().map(|(_, text)| format!(" {}", quoted(text))).collect();
    let _ = writeln!(text, "AP: {}{propositions}", atoms.len());
    let (name, condition) = match automaton.sets {
        0 => ("all".to_owned(), "t".to_owned()),
        1 => ("Buchi".to_owned(), "Inf(0)".to_owned()),
        sets => {
            let each: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
            (format!("generalized-Buchi {sets}"), each.join("&"))
        }
    };
    let _ = writeln!(text, "acc-name: {name}\nAcceptance: {} {condition}", automaton.sets);
    let stutters = if stutter_invariant { " stutter-invariant" } else { "" };
    let _ =
        writeln!(text, "properties: trans-labels explicit-labels trans-acc{stutters}\n--BODY--");
    for state in (0..automaton.states.len() as u32).map(StateId) {
        let _ = writeln!(text, "State: {} {}", state.0, quoted(&automaton.names[state.index()]));
        for edge in edges(automaton, state) {
            let label = expression(&edge.labels);
            let line = format!("[{label}] {} {}", edge.target.0, marks(edge.marks));
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    text + "--END--\n"
}

fn expression(labels: &[Cube]) -> String {
    let literal =
        |(atom, positive): (AtomId, bool)| format!("{}{}", if positive { "" } else { "!" }, atom.0);
    let cube = |cube: &Cube| match cube.literals().map(literal).collect::<Vec<_>>() {
        literals if literals.is_empty() => "t".to_owned(),
        literals => literals.join("&"),
    };
    labels.iter().map(cube).collect::<Vec<_>>().join(" | ")
}
