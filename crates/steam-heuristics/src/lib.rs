//! How near a state looks to an error: one heuristic a file, and the table of their names.
//!
//! The formulas are those by which StEAM directs its search towards deadlocks ("Directed Error
//! Detection in C++ with the Assembly-Level Model Checker StEAM", 2004), made exact where the
//! paper leaves them open. All of them count threads that are blocked, alive, or hold locks; what
//! "blocked" means is the model's to say, see [`Threads`]. None is admissible: A* with them finds
//! good trails, not shortest ones.

mod directed;
mod groups;
mod most_blocked;
mod prefer_locks;
mod table;

pub use directed::Directed;
pub use most_blocked::MostBlocked;
pub use prefer_locks::PreferLocks;
pub use steam_model::{ThreadFacts, Threads};
pub use table::{Bounds, Named, TABLE, by_name};
