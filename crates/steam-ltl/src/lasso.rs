//! Runs that come to a cycle, and what formulas and automata say of them, directly.
//!
//! These are the plain definitions: the twins with which translation and progression are compared,
//! and with which a found counterexample can be confirmed.

use crate::atoms::Valuation;
use crate::automaton::{Automaton, Marks, components};
use crate::syntax::{Binary, Syntax, Unary};

/// A run that repeats its last part for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lasso {
    /// The states one after the other; at least one.
    states: Vec<Valuation>,
    /// The index of the state that follows the last one.
    back: usize,
}

impl Lasso {
    /// Makes a run of states, of which those from `back` on are repeated; nothing if there are
    /// none to repeat.
    pub fn new(states: Vec<Valuation>, back: usize) -> Option<Lasso> {
        (back < states.len()).then_some(Lasso { states, back })
    }

    /// Makes a finished run: the last state is repeated. Nothing if there is none.
    pub fn finished(states: Vec<Valuation>) -> Option<Lasso> {
        let back = states.len().checked_sub(1)?;
        Lasso::new(states, back)
    }

    /// Returns the states, each once.
    pub fn states(&self) -> &[Valuation] {
        &self.states
    }

    fn after(&self, position: usize) -> usize {
        if position + 1 < self.states.len() { position + 1 } else { self.back }
    }

    /// Returns whether the run fulfils a formula.
    pub fn fulfils(&self, syntax: &Syntax) -> bool {
        self.values(syntax)[0]
    }

    /// Returns whether each part of the run, from each position on, fulfils a formula.
    pub fn values(&self, syntax: &Syntax) -> Vec<bool> {
        let constant = |value| vec![value; self.states.len()];
        match syntax {
            Syntax::True => constant(true),
            Syntax::False => constant(false),
            Syntax::Atom(atom) => self.states.iter().map(|state| state.holds(*atom)).collect(),
            Syntax::Unary(operator, operand) => {
                let inner = self.values(operand);
                match operator {
                    Unary::Not => inner.iter().map(|value| !value).collect(),
                    Unary::Next => (0..inner.len()).map(|at| inner[self.after(at)]).collect(),
                    Unary::Finally => self.fixpoint(false, |at, later| inner[at] || later),
                    Unary::Globally => self.fixpoint(true, |at, later| inner[at] && later),
                }
            }
            Syntax::Binary(operator, left, right) => {
                let (left, right) = (self.values(left), self.values(right));
                let each = |value: &dyn Fn(bool, bool) -> bool| {
                    left.iter().zip(&right).map(|(left, right)| value(*left, *right)).collect()
                };
                match operator {
                    Binary::And => each(&|left, right| left && right),
                    Binary::Or => each(&|left, right| left || right),
                    Binary::Implies => each(&|left, right| !left || right),
                    Binary::Iff => each(&|left, right| left == right),
                    Binary::Until => {
                        self.fixpoint(false, |at, later| right[at] || left[at] && later)
                    }
                    Binary::Release => {
                        self.fixpoint(true, |at, later| right[at] && (left[at] || later))
                    }
                    Binary::WeakUntil => {
                        self.fixpoint(true, |at, later| right[at] || left[at] && later)
                    }
                }
            }
        }
    }

    /// The least (from `false`) or greatest (from `true`) solution of an equation that says what
    /// a position has to do with the next one. Twice around the cycle is enough.
    fn fixpoint(&self, start: bool, equation: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![start; self.states.len()];
        for _ in 0..2 {
            for at in (0..values.len()).rev() {
                values[at] = equation(at, values[self.after(at)]);
            }
        }
        values
    }

    /// Returns whether an automaton accepts the run.
    pub fn accepted_by(&self, automaton: &Automaton) -> bool {
        let width = automaton.states.len();
        let edges = |node: usize| {
            let (position, state) = (node / width, node % width);
            let next = self.after(position) * width;
            automaton.states[state]
                .iter()
                .filter(move |one| one.label.agrees(self.states[position]))
                .map(move |one| (next + one.target.index(), one.marks))
        };
        let count = width * self.states.len();
        let component = components(count, |node, out| out.extend(edges(node).map(|edge| edge.0)));
        let mut reached = vec![false; count];
        let mut open = vec![automaton.initial.index()];
        reached[open[0]] = true;
        // Each component's marks on transitions within it, if there is one.
        let mut marks: Vec<Option<Marks>> = vec![None; count];
        while let Some(node) = open.pop() {
            for (next, own) in edges(node) {
                if component[next] == component[node] {
                    let sum = marks[component[node]].get_or_insert_default();
                    sum.0 |= own.0;
                }
                if !std::mem::replace(&mut reached[next], true) {
                    open.push(next);
                }
            }
        }
        marks.contains(&Some(automaton.all_marks()))
    }
}
