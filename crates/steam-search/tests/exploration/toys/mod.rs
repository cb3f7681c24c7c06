//! Small models: each says in a few lines what can happen in a vector of numbers.

pub mod counters;
pub mod grid;
pub mod jugs;
pub mod philosophers;
pub mod spawner;
pub mod system;
pub mod tiles;
pub mod workers;

use steam_model::{Change, Delta, Model, Observer, Property, Step, StepOf};

/// Who acts, and how.
pub type Action = (u32, u32);

/// What came of an action on a toy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Done,
    Wrong(u32),
    Unknown(u32),
    Infeasible,
}

/// A system whose state is a vector of numbers.
pub trait Toy: Sync {
    fn initial(&self) -> Vec<u32>;
    fn actions(&self, state: &[u32]) -> Vec<Action>;
    fn act(&self, state: &mut Vec<u32>, action: Action) -> Act;
    /// The error that a state is.
    fn error(&self, _state: &[u32]) -> Option<u32> {
        None
    }
}

/// Any toy: the laws are checked on this one, so that searches are compiled once for all toys.
pub type AnyToy = Box<dyn Toy>;

impl Toy for AnyToy {
    fn initial(&self) -> Vec<u32> {
        (**self).initial()
    }

    fn actions(&self, state: &[u32]) -> Vec<Action> {
        (**self).actions(state)
    }

    fn act(&self, state: &mut Vec<u32>, action: Action) -> Act {
        (**self).act(state, action)
    }

    fn error(&self, state: &[u32]) -> Option<u32> {
        (**self).error(state)
    }
}

/// A toy as a model.
pub struct Play<T>(pub T);

/// Any toy as a model.
pub fn play(toy: impl Toy + 'static) -> Play<AnyToy> {
    Play(Box::new(toy))
}

/// A worker that has a past, so that dependence on it would show.
#[derive(Default)]
pub struct Hand {
    pub steps: u64,
}

pub fn trimmed(mut vector: Vec<u32>) -> Vec<u32> {
    Delta::new().apply(&mut vector);
    vector
}

impl<T: Toy> Model for Play<T> {
    type State = Vec<u32>;
    type Action = Action;
    type Event = String;
    type Violation = u32;
    type Unknown = u32;
    type Worker = Hand;

    fn worker(&self) -> Hand {
        Hand::default()
    }

    fn initial(&self, _: &mut Hand) -> Vec<u32> {
        self.0.initial()
    }

    fn describe(&self, state: &Vec<u32>, vector: &mut Vec<u32>) {
        vector.extend_from_slice(state);
    }

    fn patch(&self, _: &mut Hand, base: &Vec<u32>, changes: &[Change]) -> Vec<u32> {
        let mut state = base.clone();
        Delta::apply_changes(changes, &mut state);
        // The toys index their vectors freely: give them back the zeros that do not count.
        state.resize(state.len().max(self.0.initial().len()), 0);
        state
    }

    fn enabled(&self, _: &mut Hand, state: &Vec<u32>, actions: &mut Vec<Action>) {
        actions.extend(self.0.actions(state));
    }

    fn step<O: Observer<String>>(
        &self,
        hand: &mut Hand,
        state: &Vec<u32>,
        action: Action,
        delta: &mut Delta,
        observer: &mut O,
    ) -> StepOf<Self> {
        hand.steps += 1;
        observer.observe(|| format!("{} does {}", action.0, action.1));
        let mut next = state.clone();
        match self.0.act(&mut next, action) {
            Act::Wrong(what) => return Step::Violation(what),
            Act::Unknown(what) => return Step::Unknown(what),
            Act::Infeasible => return Step::Infeasible,
            Act::Done => {}
        }
        let at = |vector: &[u32], slot: usize| vector.get(slot).copied().unwrap_or(0);
        // Backwards and with a detour, as a model is free to do.
        for slot in (0..state.len().max(next.len())).rev() {
            let (old, new) = (at(state, slot), at(&next, slot));
            if old != new {
                delta.record(slot as u32, old, old + 1);
                delta.record(slot as u32, old + 1, new);
            }
        }
        Step::Next
    }

    fn process(&self, action: Action) -> u32 {
        action.0
    }
}

/// The errors that a toy names.
pub struct Errors;

impl<T: Toy> Property<Play<T>> for Errors {
    fn check(
        &self,
        model: &Play<T>,
        _: &mut Hand,
        state: &Vec<u32>,
        _: Option<Action>,
        tell: &mut dyn FnMut(u32),
    ) {
        model.0.error(state).into_iter().for_each(tell);
    }
}

/// What [`Deadlock`] calls a state in which nothing can happen.
pub const DEADLOCK: u32 = 1000;

/// Something can always happen.
pub struct Deadlock;

impl<T: Toy> Property<Play<T>> for Deadlock {
    fn check(
        &self,
        model: &Play<T>,
        _: &mut Hand,
        state: &Vec<u32>,
        _: Option<Action>,
        tell: &mut dyn FnMut(u32),
    ) {
        model.0.actions(state).is_empty().then_some(DEADLOCK).into_iter().for_each(tell);
    }
}
