//! How near a state looks to an error: one heuristic a file, and the table of their names.
//!
//! The formulas are those by which StEAM directs its search ("Directed Error Detection in C++ with the
//! Assembly-Level Model Checker StEAM", 2004), made exact where the paper leaves them open, and one
//! that never overestimates (`dl`). All but three are functions of a few sums over a state's threads
//! ([`steam_model::Tally`]), which the model keeps from state to state; `int`, `rw` and `aa` look at the
//! path to a state. What "blocked" means is the model's to say, see [`Threads`]. None but `dl` is
//! admissible: A* with them finds good trails, not shortest ones.

mod alternating;
mod deadlock_distance;
mod directed;
mod followed;
mod interleaving;
#[cfg(test)]
mod letters;
mod locks_and_blocked;
mod most_blocked;
mod prefer_blocked_alive;
mod prefer_blocked_blocked;
mod prefer_blocked_text;
mod prefer_locks_1;
mod prefer_locks_2;
mod read_write;
mod table;

pub use directed::Directed;
pub use followed::{Followed, PathMemory};
pub use steam_model::{ThreadFacts, Threads};
pub use table::{Bounds, Made, Named, TABLE, by_name};
