//! The fingerprint store: 16 bytes for each state, whatever its size.
//!
//! Two states are taken for one if their fingerprints of 128 bits agree; among a billion states
//! that happens with a probability of about 10^-21. States cannot be rebuilt.

use steam_model::{Change, Delta, Full, Insert, StateId, Visited};

use crate::fingerprint::Fingerprint;
use crate::table::{Cursor, Table};

/// What one worker of a [`Hash128Store`] needs for itself.
pub struct Hash128Scratch(Cursor);

/// A set of 128-bit fingerprints of vectors.
pub struct Hash128Store {
    fingerprints: Table<2>,
}

impl Default for Hash128Store {
    fn default() -> Self {
        Self::with_limit(u64::MAX)
    }
}

impl Hash128Store {
    /// A store that takes at most about `limit` bytes.
    pub fn with_limit(limit: u64) -> Self {
        Self { fingerprints: Table::new(limit) }
    }
}

impl Visited for Hash128Store {
    type Key = StateId;
    type Scratch = Hash128Scratch;

    fn scratch(&self) -> Hash128Scratch {
        Hash128Scratch(self.fingerprints.cursor())
    }

    fn id(key: StateId) -> StateId {
        key
    }

    fn insert(
        &self,
        scratch: &mut Hash128Scratch,
        base: Option<StateId>,
        changes: &[Change],
    ) -> Result<Insert<StateId>, Full> {
        let before = base.map_or(Fingerprint::default(), |id| {
            Fingerprint::from_words(self.fingerprints.get(id.0))
        });
        let words = before.after(changes).words();
        let (number, new) = self.fingerprints.find_or_put(&mut scratch.0, words)?;
        let id = StateId(number);
        Ok(if new { Insert::New(id) } else { Insert::Seen(Some(id)) })
    }

    fn rebuilds(&self) -> bool {
        false
    }

    fn difference(&self, _base: Option<StateId>, _state: StateId, delta: &mut Delta) {
        delta.clear();
    }

    fn exact(&self) -> bool {
        false
    }

    fn len(&self) -> usize {
        self.fingerprints.len() as usize
    }

    fn bytes(&self) -> u64 {
        self.fingerprints.bytes()
    }
}
