//! In which order states are explored, and until when.
//!
//! There are three loops. [`explore_in()`] takes states from an open list until it is empty: depth-first
//! order, breadth-first, best-first, A* and beam search differ in the list alone, and several workers
//! in how many nodes they take at a time. [`walk`] goes along single paths on a stack of its own:
//! iterative deepening, search without a store, random walks, PCT. [`cycles`] looks for runs without an
//! end. A [`Bounded`] system is one with few switches, for the first two; in a [`Monitored`] one a monitor
//! reads along who sees what is wrong with the path to a state.
//!
//! All end with an [`Outcome`], whatever ends them, and give each error the list of actions that
//! leads to it. Nothing here knows what a state is; everything here is deterministic: the same
//! model and configuration give the same outcome, with several workers too.

mod batch;
mod bounded;
mod config;
pub mod cycles;
mod expand;
mod explore;
mod findings;
pub mod frontiers;
pub mod laws;
mod merge;
mod monitored;
mod node;
mod outcome;
mod replay;
mod search;
mod stubborn;
pub mod walk;
mod watch;

pub use bounded::{Bound, Bounded, OfStates};
pub use config::{Config, Control, Limits, Progress};
pub use expand::Problem;
pub use explore::{Order, explore_in};
pub use monitored::{Monitored, OfPaths};
pub use outcome::{End, Finding, LimitKind, Outcome, OutcomeOf, Statistics, Verdict};
pub use replay::{Replay, replay};
pub use stubborn::{Learned, Notes, Stubborn};
