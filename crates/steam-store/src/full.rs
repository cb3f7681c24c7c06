//! The full store: whole vectors in a hash map behind one lock. The naive twin of the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ahash::RandomState;
use steam_model::{Change, Delta, Full, Insert, StateId, Visited};

/// Bytes beside the slots: the vector's header, its place in the map and in the list.
const OVERHEAD: u64 = 80;

struct Vectors {
    numbers: HashMap<Arc<[u32]>, u32, RandomState>,
    list: Vec<Arc<[u32]>>,
    bytes: u64,
}

/// An exact set of vectors, each stored as it is.
pub struct FullStore {
    vectors: Mutex<Vectors>,
    limit: u64,
}

impl Default for FullStore {
    fn default() -> Self {
        Self::with_limit(u64::MAX)
    }
}

impl FullStore {
    /// A store that takes at most about `limit` bytes.
    pub fn with_limit(limit: u64) -> Self {
        // Fixed keys: runs do not differ from each other.
        let numbers = HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 4));
        Self { vectors: Mutex::new(Vectors { numbers, list: Vec::new(), bytes: 0 }), limit }
    }

    fn lock(&self) -> MutexGuard<'_, Vectors> {
        self.vectors.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Vectors {
    fn vector(&self, state: Option<StateId>) -> &[u32] {
        state.map_or(&[], |id| &self.list[id.0 as usize])
    }
}

impl Visited for FullStore {
    type Key = StateId;
    type Scratch = Vec<u32>;

    fn scratch(&self) -> Vec<u32> {
        Vec::new()
    }

    fn id(key: StateId) -> StateId {
        key
    }

    fn insert(
        &self,
        scratch: &mut Vec<u32>,
        base: Option<StateId>,
        changes: &[Change],
    ) -> Result<Insert<StateId>, Full> {
        let mut vectors = self.lock();
        scratch.clear();
        scratch.extend_from_slice(vectors.vector(base));
        Delta::apply_changes(changes, scratch);
        let number = vectors.list.len() as u32;
        if let Some(&known) = vectors.numbers.get(scratch.as_slice()) {
            return Ok(Insert::Seen(Some(StateId(known))));
        }
        let bytes = vectors.bytes + OVERHEAD + 4 * scratch.len() as u64;
        if bytes > self.limit || number == u32::MAX {
            return Err(Full);
        }
        let vector: Arc<[u32]> = Arc::from(scratch.as_slice());
        vectors.bytes = bytes;
        vectors.list.push(vector.clone());
        vectors.numbers.insert(vector, number);
        Ok(Insert::New(StateId(number)))
    }

    fn rebuilds(&self) -> bool {
        true
    }

    fn difference(&self, base: Option<StateId>, state: StateId, delta: &mut Delta) {
        delta.clear();
        let vectors = self.lock();
        let (old, new) = (vectors.vector(base), vectors.vector(Some(state)));
        for slot in 0..old.len().max(new.len()) {
            let at = |vector: &[u32]| vector.get(slot).copied().unwrap_or(0);
            if at(old) != at(new) {
                delta.record(slot as u32, at(old), at(new));
            }
        }
    }

    fn exact(&self) -> bool {
        true
    }

    fn len(&self) -> usize {
        self.lock().list.len()
    }

    fn bytes(&self) -> u64 {
        self.lock().bytes
    }
}
