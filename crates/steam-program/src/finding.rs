//! What a step may end with, beside a state.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use steam_state::ThreadId;

use steam_report::{Kind, Report};

/// An error of the program. Two are equal if they are of the same kind at the same place.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Its class.
    pub kind: Kind,
    /// The thread that did it.
    pub thread: ThreadId,
    /// Where: its instruction; for a deadlock, where each thread is that takes part.
    pub places: Vec<(ThreadId, u32)>,
    /// Which of the invariants and formulas it breaks, if it does.
    pub claim: Option<u32>,
    /// The locks and variables that it is about, as far as they have names.
    pub about: Vec<String>,
    /// All that is known of it. A report that is made while searching does not know the past of
    /// heap blocks.
    pub report: Arc<Report>,
}

impl PartialEq for Violation {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.places == other.places && self.claim == other.claim
    }
}

impl Eq for Violation {}

impl Hash for Violation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
        self.places.hash(state);
        self.claim.hash(state);
    }
}

/// Something that is not modelled, where it was met.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// Its class.
    pub kind: Kind,
    /// The instruction.
    pub place: u32,
    /// All that is known of it.
    pub report: Arc<Report>,
}

impl PartialEq for Unknown {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.place == other.place
    }
}

impl Eq for Unknown {}

impl Hash for Unknown {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
        self.place.hash(state);
    }
}
