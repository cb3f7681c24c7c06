//! Which operations of a thread are steps: what other threads, handlers, processes and properties can observe.
//!
//! Nothing is known of a program beforehand. What its threads have in common is learned, iteration by iteration of a
//! search ([`Sharing`]); a thread runs under the rules of one [`Turn`], and its [`Watch`] decides about each access of
//! it, as the policy of the memory that it runs in. `docs/theory.md` says why nothing is lost.
//!
//! This crate knows nothing of instructions, of system calls, or of searches.

mod decide;
mod facts;
mod memory;
mod ownership;
mod regime;
mod sharing;
mod watch;

pub use decide::{
    CallFacts, Creation, Decision, Join, Model, Operation, Private, Protection, Reason,
    SynchronisationFacts, TABLES, decide, locks_protect, may_have_blocks, watching,
};
pub use facts::{Fact, MemoryFact, ObjectFact, OperationFact, OthersFact, SearchFact};
pub use memory::{Judged, Memory, Turn, Watching};
pub use ownership::Ownership;
pub use regime::{Block, Company, Granularity, Regime};
pub use sharing::{
    Discipline, Epoch, Held, Hold, MOST_HANDLERS, Origin, Sharing, THREAD_TABLE, Under, Visitor,
    arena_word, in_handlers, returned_word,
};
pub use watch::{Grant, Keep, Mode, Moved, Partial, Stray, Watch};
