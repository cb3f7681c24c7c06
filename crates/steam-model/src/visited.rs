//! Which states were seen: what a search asks of a store.

use std::fmt::Debug;

use crate::vector::{Change, Delta};

/// The number of a stored state. Stores count from 0 without gaps, in the order of insertion, so
/// that what is kept beside states fits into plain arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

/// What came of inserting a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insert<K> {
    /// It was not there before. Of several workers that insert a state at the same time,
    /// exactly one is told this.
    New(K),
    /// It was there; lossy stores may not know under which key.
    Seen(Option<K>),
}

/// The store cannot take another state within its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// A set of states that several workers fill at the same time.
///
/// A state is inserted as the difference from one that is there already. Whether a state that was
/// seen has now been reached on a cheaper way is not decided here but by an array of costs beside
/// the store, which is indexed by [`StateId`].
pub trait Visited: Sync {
    /// What the store needs to find a state again: a number, or a fingerprint.
    type Key: Copy + Eq + Debug + Send + Sync;
    /// What one worker needs for itself.
    type Scratch: Send;

    /// Makes the private equipment of one more worker.
    fn scratch(&self) -> Self::Scratch;

    /// The number of a state.
    fn id(key: Self::Key) -> StateId;

    /// Inserts the state that differs from `base` (or from the empty vector) by the changes,
    /// which are normalised.
    fn insert(
        &self,
        scratch: &mut Self::Scratch,
        base: Option<Self::Key>,
        changes: &[Change],
    ) -> Result<Insert<Self::Key>, Full>;

    /// Whether states can be read back; if not, a search has to keep its open states itself.
    fn rebuilds(&self) -> bool;

    /// Replaces `delta` by the changes that lead from `base` (or from the empty vector) to a
    /// state, at a cost proportional to their number where the store allows it. Stores that do
    /// not rebuild leave it empty.
    fn difference(&self, base: Option<Self::Key>, state: Self::Key, delta: &mut Delta);

    /// Whether no state is ever mistaken for another.
    fn exact(&self) -> bool;

    /// The number of states.
    fn len(&self) -> usize;

    /// Whether there are no states.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The memory in use, in bytes.
    fn bytes(&self) -> u64;
}
