//! The seam between programs and exploration: traits and a few words, nothing else.
//!
//! On one side stands a [`Model`]: something with states, actions and steps. On the other stand
//! the [`Visited`] stores and the searches, which never learn what a state is made of. They see
//! its exact, canonical description: a *vector of component ids* (`u32`), in which a slot that
//! was never set reads as 0, so that trailing zeros do not count. Two states are equal if and
//! only if their vectors are. A step says which slots it changed (a [`Delta`]), and a state is
//! rebuilt from another one and a delta; so neither storing nor rebuilding has to look at the
//! slots that stayed as they were.
//!
//! | trait | answers |
//! |---|---|
//! | [`Model`] | what can happen in a state, and what comes of it |
//! | [`Layer`] | what is added to a model, all else being forwarded |
//! | [`Observer`] | who learns what happened on the way |
//! | [`Property`] | whether a state is an error |
//! | [`Monitor`] | what is broken by the states that a run has passed |
//! | [`Propositions`] | what holds in a state, for temporal formulas |
//! | [`Changes`] | which steps may change what holds |
//! | [`Heuristic`] | how near a state looks to an error |
//! | [`Reduction`] | which of the enabled actions are enough |
//! | [`Dependence`] | which steps commute |
//! | [`Positions`] | where processes stand, to learn by it what they may still do |
//! | [`Visited`] | whether a state was seen before |
//! | [`Frontier`] | which state is next |
//! | [`Threads`] | what heuristics want to know of a state's threads |
//! | [`Learns`] | whether what was explored so far has to be explored again |
//! | [`Livelocks`] | what is wrong when a process waits for too long, or none makes progress |
//! | [`Automaton`] | which runs without an end are wrong |

mod automaton;
mod dependence;
mod frontier;
mod groups;
mod heuristic;
mod layer;
mod learns;
mod livelocks;
mod model;
mod monitor;
mod observer;
mod positions;
mod property;
mod propositions;
mod reduction;
mod tally;
mod threads;
mod vector;
mod visited;

pub use automaton::{Automaton, Move, Reading};
pub use dependence::Dependence;
pub use frontier::{Frontier, Rank};
pub use groups::Groups;
pub use heuristic::{Blind, Heuristic};
pub use layer::{
    ActionOf, Layer, LayerOperations, LayerStep, StateWithin, ViolationOf, WorkerWithin,
};
pub use learns::Learns;
pub use livelocks::Livelocks;
pub use model::{Model, Step, StepOf};
pub use monitor::Monitor;
pub use observer::{Observer, Recorder, Silent};
pub use positions::{Positions, Standing};
pub use property::Property;
pub use propositions::{Changes, Propositions};
pub use reduction::{NoReduction, Reduction, Support};
pub use tally::{Census, Tally};
pub use threads::{SharedAccess, ThreadFacts, Threads};
pub use vector::{Change, Delta};
pub use visited::{Full, Insert, StateId, Visited};
