//! Linear temporal logic over the runs of a program, independent of programs.
//!
//! ```text
//! text --parse--> Syntax --formula--> Formula --translate--> Automaton   (beside a stored search)
//!                                             --progress--> Formula ...  (along a single run)
//! ```
//!
//! A formula says something about the states of a run, one after the other. What it says about a
//! single state are its atoms, of which this crate knows the text alone; who checks a program
//! resolves the text and gives for each state a [`Valuation`]: which atoms hold.
//!
//! A run that ends repeats its last state for ever, so that every run is infinite. For formulas
//! without `X` this is the same as the logic of finite runs.

pub mod actors;
mod atoms;
mod automaton;
mod drawing;
mod error;
mod formula;
mod hoa;
mod label;
mod lasso;
mod parse;
mod progress;
mod property;
mod syntax;

pub use atoms::{AtomId, Atoms, Valuation};
pub use automaton::{
    Automaton, Cube, Marks, StateId, Strength, TooLarge, Transition, components, translate,
    translate_plainly,
};
pub use drawing::{dot, lines};
pub use error::LtlError;
pub use formula::{Formula, Formulas, Node};
pub use hoa::{hoa, is_stutter_invariant, read_hoa};
pub use lasso::Lasso;
pub use parse::parse;
pub use property::Property;
pub use syntax::{Binary, Syntax, Unary};
