//! One check from options to outcome: learning iterations, order, store.
//!
//! [`check()`] explores a model that [`Learns`] in iterations. An iteration is one complete search (or all
//! planned runs) with a fresh store, by the rules that the iterations before have learned. A violation
//! ends everything, for it is real in any iteration; that there is none is only said after an iteration
//! that learned nothing. An iteration that has learned something is not worth finishing, because it
//! will be done again: it goes on for a while, to learn more, and is then abandoned.
//!
//! Before the first iteration a few random runs *pilot*: most of what there is to learn shows itself
//! in any run, and a run is cheap. They are sent again in the midst of an iteration whose steps are long and that
//! has learned nothing: then a thread waits for what the search does not know to be shared.

mod check;
mod earlier;
mod iteration;
mod iteration_limit;
pub mod memory;
mod options;
mod pilot;

pub use check::{Checked, CheckedOf, Totals, check, check_executions, check_runs};
pub use options::{Algorithm, Mismatch, Options, PilotRuns, StoreKind};
pub use steam_heuristics::{Named, TABLE as HEURISTICS, by_name};
pub use steam_model::{Dependence, Learns, Livelocks, Threads};
pub use steam_search::cycles::Fairness;
pub use steam_search::walk::{Executions, Obligations, Por};
pub use steam_search::{Bound, Control, Limits, Progress};
