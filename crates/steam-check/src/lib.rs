//! What counts as an error of a program, and the searches for that.
//!
//! A search is generic in what it explores. Here it is compiled for programs, once: who uses a program's
//! searches by these functions does not compile every order of search again.

mod class;
mod searches;
mod suppressed;
mod wanted;

pub use class::ErrorClass;
pub use searches::{Broken, check, check_executions, check_read, check_runs};
pub use suppressed::{Suppressed, kinds_of_entries};
pub use wanted::{Shown, Sought, Wanted, unwanted};
