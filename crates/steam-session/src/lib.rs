//! One check from options to outcome: learning rounds, order, store.
//!
//! [`check()`] explores a model that [`Learns`] in rounds. A round is one complete search (or all
//! planned runs) with a fresh store, by the rules that the rounds before have learned. A violation
//! ends everything, for it is real in any round; that there is none is only said after a round
//! that learned nothing. A round that has learned something is not worth finishing, because it
//! will be done again: it goes on for a while, to learn more, and is then abandoned.
//!
//! Before the first round a few random runs *scout*: most of what there is to learn shows itself
//! in any run, and a run is cheap. They are sent again in the midst of a round whose steps are long and that
//! has learned nothing: then somebody waits for what the search does not know to be shared.

mod check;
mod earlier;
pub mod memory;
mod options;
mod patience;
mod round;
mod scout;

pub use check::{Checked, CheckedOf, Totals, check, check_executions, check_runs};
pub use options::{Algorithm, Mismatch, Options, Scouting, StoreKind};
pub use steam_heuristics::{Named, TABLE as HEURISTICS, by_name};
pub use steam_model::{Dependence, Learns, Livelocks, Threads};
pub use steam_search::cycles::Fairness;
pub use steam_search::walk::{Executions, Obligations, Por};
pub use steam_search::{Bound, Control, Limits, Progress};
