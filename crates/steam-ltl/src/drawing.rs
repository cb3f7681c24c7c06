//! Automata for people: as lines of text, and as a graph for Graphviz.

use std::fmt::Write as _;

use crate::atoms::Atoms;
use crate::automaton::{Automaton, StateId};
use crate::label::{edges, marks, quoted, text};

/// Returns an automaton as lines: a paragraph for each state, a line for each transition.
pub fn lines(automaton: &Automaton, atoms: &Atoms) -> String {
    let sinks = automaton.sinks();
    let mut drawn = String::new();
    for state in (0..automaton.states.len() as u32).map(StateId) {
        let start = if state == automaton.initial { ", start" } else { "" };
        let sink = if sinks[state.index()] { ", accepts everything" } else { "" };
        let _ =
            writeln!(drawn, "state {}{start}{sink}: {}", state.0, automaton.names[state.index()]);
        let rows: Vec<(String, String)> = edges(automaton, state)
            .iter()
            .map(|edge| {
                let marks = marks(edge.marks);
                (text(&edge.labels, atoms), format!("-> {} {marks}", edge.target.0))
            })
            .collect();
        let width = rows.iter().map(|row| row.0.chars().count()).max().unwrap_or(0).min(60);
        for (label, target) in rows {
            let _ = writeln!(drawn, "{}", format!("    {label:width$}  {target}").trim_end());
        }
    }
    drawn
}

/// Returns an automaton as a graph in the language of Graphviz. States from which everything is
/// accepted have a double line.
pub fn dot(automaton: &Automaton, atoms: &Atoms, title: &str) -> String {
    let sinks = automaton.sinks();
    let mut drawn = format!(
        "digraph automaton {{\n  rankdir=LR;\n  label={};\n  labelloc=t;\n  node [shape=box, style=rounded];\n  \
         start [shape=point];\n  start -> {};\n",
        quoted(title),
        automaton.initial.0
    );
    for state in (0..automaton.states.len() as u32).map(StateId) {
        let lines = if sinks[state.index()] { ", peripheries=2" } else { "" };
        let name = match automaton.names[state.index()].as_str() {
            "" => state.0.to_string(),
            name => format!("{}: {name}", state.0),
        };
        let _ = writeln!(drawn, "  {} [label={}{lines}];", state.0, quoted(&name));
        for edge in edges(automaton, state) {
            let label = format!("{} {}", text(&edge.labels, atoms), marks(edge.marks));
            let label = quoted(label.trim_end());
            let _ = writeln!(drawn, "  {} -> {} [label={label}];", state.0, edge.target.0);
        }
    }
    drawn + "}\n"
}
