//! Automata over runs, with acceptance on transitions (generalised Büchi).
//!
//! A run of a program gives each of its states a [`Valuation`]. An automaton reads them from the
//! first state on: from its own state it takes a transition whose label agrees with the valuation.
//! It accepts if some way through it takes, for each acceptance set, transitions with that mark
//! again and again. Without acceptance sets every infinite way is accepted.
//!
//! To check a formula, the automaton of its *negation* runs beside the program: it accepts the
//! violations.

mod classify;
mod components;
mod cube;
mod reduce;
mod signature;
mod translate;

pub use classify::Strength;
pub use components::components;
pub use cube::Cube;
pub use translate::{TooLarge, translate, translate_plainly};

use crate::atoms::Valuation;

/// A state of an automaton by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl StateId {
    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The acceptance sets that a transition belongs to, one bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Marks(pub u64);

impl Marks {
    /// Returns the marks of the first sets.
    pub fn all(sets: u32) -> Marks {
        Marks(u64::MAX.checked_shl(sets).map_or(u64::MAX, |others| !others))
    }

    /// Returns the numbers of the sets.
    pub fn sets(self) -> impl Iterator<Item = u32> {
        (0..u64::BITS).filter(move |set| self.0 >> set & 1 == 1)
    }

    /// Returns whether these sets include others.
    pub fn includes(self, others: Marks) -> bool {
        others.0 & !self.0 == 0
    }
}

/// A transition to another state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transition {
    /// The state that it leads to.
    pub target: StateId,
    /// The acceptance sets that it belongs to.
    pub marks: Marks,
    /// The valuations with which it can be taken.
    pub label: Cube,
}

/// An automaton that reads the valuations of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Automaton {
    /// The state before the first valuation is read.
    pub initial: StateId,
    /// The number of acceptance sets, at most 64.
    pub sets: u32,
    /// The transitions of each state.
    pub states: Vec<Vec<Transition>>,
    /// What each state stands for, for people; may be empty.
    pub names: Vec<String>,
}

impl Automaton {
    /// Makes an automaton of one state that accepts nothing.
    pub fn nothing() -> Automaton {
        let names = vec!["false".to_owned()];
        Automaton { initial: StateId(0), sets: 0, states: vec![Vec::new()], names }
    }

    /// Returns the transitions of a state.
    pub fn transitions(&self, state: StateId) -> &[Transition] {
        &self.states[state.index()]
    }

    /// Returns the transitions that a state can take with a valuation.
    pub fn successors(
        &self,
        state: StateId,
        valuation: Valuation,
    ) -> impl Iterator<Item = &Transition> {
        self.transitions(state).iter().filter(move |one| one.label.agrees(valuation))
    }

    /// Returns the number of all transitions.
    pub fn transition_count(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }

    /// Returns the marks of all acceptance sets.
    pub fn all_marks(&self) -> Marks {
        Marks::all(self.sets)
    }

    /// Returns whether the automaton accepts no run. Only after [`Automaton::reduce`] is that seen
    /// from its form.
    pub fn accepts_nothing(&self) -> bool {
        self.transitions(self.initial).is_empty()
    }

    /// The number of the component of each state, and for each component the marks on its inner
    /// transitions; none for one without inner transitions.
    fn component_marks(&self) -> (Vec<usize>, Vec<Option<Marks>>) {
        let component = components(self.states.len(), |state, out| {
            out.extend(self.states[state].iter().map(|one| one.target.index()));
        });
        let count = component.iter().max().map_or(0, |largest| largest + 1);
        let mut marks: Vec<Option<Marks>> = vec![None; count];
        for (state, transitions) in self.states.iter().enumerate() {
            for one in transitions {
                if component[one.target.index()] == component[state] {
                    let sum = &mut marks[component[state]];
                    *sum = Some(Marks(sum.unwrap_or_default().0 | one.marks.0));
                }
            }
        }
        (component, marks)
    }
}
