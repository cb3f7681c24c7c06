//! Who says what at which state: the checkers of "A New Approach to Stateless Model Checking of LTL
//! Properties" (Ghassabani and Azgomi), made of progressing obligations.
//!
//! As in the paper, a master has a checker for each property; a checker has a worker for each
//! operator and a condition checker for each atom; each of them answers its supervisor, up to the
//! property. What differs, because the paper's scheme gives wrong answers otherwise:
//!
//! - Each worker has an obligation for *every* state, not one for the whole run, and an answer
//!   names the states that it is about. In the paper a worker answers once, so that `G F p` means
//!   that some `p` was seen, and `&&` joins answers about different states.
//! - `a U b` is fulfilled by `b` at once, whether `a` holds or not.
//! - The first state counts.
//! - The end of a run is told to all: it repeats its last state. What is open then has an answer.
//! - A run that is cut off has none: [`RunVerdict::Open`] is neither held nor violated.
//!
//! Obligations with the same rest are one, so that a run of any length needs little room. This is
//! for telling a story; a search keeps the rest of the property alone ([`Formulas::progress`]).

mod positions;
mod table;

pub use positions::Positions;
pub use table::table;

use crate::atoms::{AtomId, Valuation};
use crate::formula::{Formula, Formulas};
use crate::syntax::{Binary, Syntax, Unary};

/// The master: all properties along one run.
#[derive(Debug, Clone, Default)]
pub struct Master {
    formulas: Formulas,
    checkers: Vec<Checker>,
    /// The states so far.
    states: Vec<Valuation>,
    finished: bool,
}

/// Who watches over one property.
#[derive(Debug, Clone)]
pub struct Checker {
    workers: Vec<Worker>,
}

/// What is known of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunVerdict {
    /// It depends on how the run goes on.
    Open,
    /// It holds, seen at this moment.
    Holds(Moment),
    /// It is violated, seen at this moment.
    Violated(Moment),
}

/// When something is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// After the state with this number, from zero.
    State(usize),
    /// When the run ended.
    End,
}

/// What a worker is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A condition checker that always says the same.
    Constant(bool),
    /// A condition checker for an atom.
    Condition(AtomId),
    /// A worker for an operator before its operand.
    Unary(Unary),
    /// A worker for an operator between operands.
    Binary(Binary),
}

/// A worker or condition checker.
#[derive(Debug, Clone)]
pub struct Worker {
    /// What it is there for.
    pub role: Role,
    /// The index of the worker that it answers; the first one answers the checker.
    pub supervisor: Option<usize>,
    formula: Formula,
    /// What is left of its formula, for which states.
    open: Vec<(Formula, Positions)>,
    messages: Vec<Message>,
}

/// An answer of a worker: what its part of the property comes to from some states on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// When it was said.
    pub when: Moment,
    /// The states that it is about.
    pub about: Positions,
    /// What it says.
    pub value: bool,
}

impl Master {
    /// Makes a master with a checker for each property.
    pub fn new(properties: &[Syntax]) -> Master {
        let mut master = Master::default();
        for property in properties {
            let mut workers = Vec::new();
            hire(property, None, &mut workers, &mut master.formulas);
            master.checkers.push(Checker { workers });
        }
        master
    }

    /// Returns the checkers, one for each property.
    pub fn checkers(&self) -> &[Checker] {
        &self.checkers
    }

    /// Returns the states so far.
    pub fn states(&self) -> &[Valuation] {
        &self.states
    }

    /// Returns whether the run is over.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Gives all condition checkers the next state of the run.
    pub fn state(&mut self, state: Valuation) {
        let number = self.states.len();
        self.states.push(state);
        for worker in self.checkers.iter_mut().flat_map(|checker| &mut checker.workers) {
            worker.state(number, state, &mut self.formulas);
        }
    }

    /// Says to all that the run is over and repeats its last state. A run without states says
    /// nothing.
    pub fn finish(&mut self) {
        let Some(&last) = self.states.last() else { return };
        self.finished = true;
        for worker in self.checkers.iter_mut().flat_map(|checker| &mut checker.workers) {
            worker.finish(last, &mut self.formulas);
        }
    }
}

/// Makes the worker for a part of a property, and those below it.
fn hire(
    syntax: &Syntax,
    supervisor: Option<usize>,
    workers: &mut Vec<Worker>,
    formulas: &mut Formulas,
) {
    let role = match syntax {
        Syntax::True => Role::Constant(true),
        Syntax::False => Role::Constant(false),
        Syntax::Atom(atom) => Role::Condition(*atom),
        Syntax::Unary(operator, _) => Role::Unary(*operator),
        Syntax::Binary(operator, ..) => Role::Binary(*operator),
    };
    let own = Some(workers.len());
    let formula = formulas.formula(syntax);
    workers.push(Worker { role, supervisor, formula, open: Vec::new(), messages: Vec::new() });
    match syntax {
        Syntax::True | Syntax::False | Syntax::Atom(_) => {}
        Syntax::Unary(_, operand) => hire(operand, own, workers, formulas),
        Syntax::Binary(_, left, right) => {
            hire(left, own, workers, formulas);
            hire(right, own, workers, formulas);
        }
    }
}

impl Checker {
    /// Returns the workers and condition checkers, each before those below it.
    pub fn workers(&self) -> &[Worker] {
        &self.workers
    }

    /// Returns what is known of the property: what its first worker says about the first state.
    pub fn verdict(&self) -> RunVerdict {
        let answer = self.workers[0].messages.iter().find(|message| message.about.contains(0));
        match answer {
            None => RunVerdict::Open,
            Some(message) if message.value => RunVerdict::Holds(message.when),
            Some(message) => RunVerdict::Violated(message.when),
        }
    }
}

impl Worker {
    /// Returns all that it said, in order.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Returns the states about which it said nothing yet.
    pub fn open(&self) -> Positions {
        self.open.iter().fold(Positions::default(), |sum, (_, positions)| sum.union(positions))
    }

    fn state(&mut self, number: usize, state: Valuation, formulas: &mut Formulas) {
        let mut before = std::mem::take(&mut self.open);
        before.push((self.formula, Positions::single(number)));
        for (owed, positions) in before {
            let left = formulas.progress(owed, state);
            match self.open.iter_mut().find(|(known, _)| *known == left) {
                Some((_, known)) => *known = known.union(&positions),
                None => self.open.push((left, positions)),
            }
        }
        let decided = |formula: Formula| match formula {
            Formula::TRUE => Some(true),
            Formula::FALSE => Some(false),
            _ => None,
        };
        self.answer(Moment::State(number), decided);
    }

    fn finish(&mut self, last: Valuation, formulas: &mut Formulas) {
        self.answer(Moment::End, |formula| Some(formulas.end(formula, last)));
    }

    /// Says what is decided.
    fn answer(&mut self, when: Moment, mut decided: impl FnMut(Formula) -> Option<bool>) {
        let mut about = [Positions::default(), Positions::default()];
        self.open.retain(|(formula, positions)| match decided(*formula) {
            None => true,
            Some(value) => {
                let sum = &mut about[usize::from(value)];
                *sum = sum.union(positions);
                false
            }
        });
        for (about, value) in about.into_iter().zip([false, true]) {
            if !about.is_empty() {
                self.messages.push(Message { when, about, value });
            }
        }
    }
}
