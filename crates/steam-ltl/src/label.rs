//! Labels of automata for people and other tools: transitions between the same states with the
//! same marks are one line, whose label is a choice of conjunctions.

use crate::atoms::Atoms;
use crate::automaton::{Automaton, Cube, Marks, StateId};
use crate::syntax::{Binary, Syntax, Unary};

/// Transitions of one state that differ in their labels alone.
pub(crate) struct Edge {
    pub target: StateId,
    pub marks: Marks,
    pub labels: Vec<Cube>,
}

/// The transitions of a state, in order of their targets.
pub(crate) fn edges(automaton: &Automaton, state: StateId) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    let mut transitions = automaton.transitions(state).to_vec();
    transitions.sort_unstable();
    for one in transitions {
        match edges.last_mut() {
            Some(last) if (last.target, last.marks) == (one.target, one.marks) => {
                last.labels.push(one.label);
            }
            _ => edges.push(Edge { target: one.target, marks: one.marks, labels: vec![one.label] }),
        }
    }
    edges
}

/// Labels as a formula about one state.
pub(crate) fn text(labels: &[Cube], atoms: &Atoms) -> String {
    let literal = |(atom, positive)| match positive {
        true => Syntax::Atom(atom),
        false => Syntax::unary(Unary::Not, Syntax::Atom(atom)),
    };
    let both = |left, right| Syntax::binary(Binary::And, left, right);
    let cube = |cube: &Cube| cube.literals().map(literal).reduce(both).unwrap_or(Syntax::True);
    let either = |left, right| Syntax::binary(Binary::Or, left, right);
    let label = labels.iter().map(cube).reduce(either).unwrap_or(Syntax::False);
    label.display(atoms).to_string()
}

/// Marks as they are shown: `{0 2}`, or nothing.
pub(crate) fn marks(marks: Marks) -> String {
    let sets: Vec<String> = marks.sets().map(|set| set.to_string()).collect();
    if sets.is_empty() { String::new() } else { format!("{{{}}}", sets.join(" ")) }
}

/// A text in double quotes, as both Graphviz and the format of automata have it.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
