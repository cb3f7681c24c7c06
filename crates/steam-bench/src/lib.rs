//! Comparisons of search methods: suites, measurements, tables, plots.
//!
//! A [`Suite`] names models, scales and methods. [`measure()`] runs their cross product by a
//! [`Checker`], who alone knows how a check is made, and gives a [`Run`]: plain data that [`render`]
//! makes tables and plots of, and that [`compare`] holds against another run.

pub mod bundled;
mod cell;
mod comparison;
mod expectation;
mod measure;
mod method;
mod outcome;
mod published;
pub mod render;
mod run;
mod scales;
mod suite;

pub use cell::Cell;
pub use comparison::{Change, Comparison, compare};
pub use expectation::{Expectation, Judged, judge};
pub use measure::{Checker, Event, measure};
pub use method::Method;
pub use outcome::{Check, Ending, read_report};
pub use published::Published;
pub use run::{Run, read_run};
pub use scales::{Maximum, Scales};
pub use suite::{Limits, Model, ScaledBy, Suite, product};
