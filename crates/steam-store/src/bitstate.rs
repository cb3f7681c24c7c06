//! The bit store: a Bloom filter of states, for spaces that nothing else can hold.
//!
//! A state sets three bits; if all of them are set already, it is taken as seen. So errors may be
//! missed, and the fuller the filter, the more. Which states are lost depends on the order of
//! insertion: with several workers, runs may differ.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use steam_model::{Change, Delta, Full, Insert, StateId, Visited};

use crate::arena::zeroed;
use crate::fingerprint::Fingerprint;
use crate::table::mix;

const HASHES: u64 = 3;
const STRIPES: usize = 64;

/// What finds a state again: its fingerprint, from which those of its successors follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitKey {
    fingerprint: Fingerprint,
    id: StateId,
}

/// A lossy set of states in an array of bits.
pub struct BitStore {
    words: Box<[AtomicU64]>,
    count: AtomicU32,
    /// Two workers that set the bits of one state at the same time could both believe that it is
    /// new; the same state takes the same lock.
    stripes: [Mutex<()>; STRIPES],
}

impl BitStore {
    /// A store of about the given number of bytes (at least 1024).
    pub fn new(bytes: u64) -> Self {
        let words = (bytes / 8).clamp(128, 1 << 40) as usize;
        Self {
            words: zeroed(words),
            count: AtomicU32::new(0),
            stripes: [const { Mutex::new(()) }; STRIPES],
        }
    }

    /// Sets a state's bits, and says whether one of them was not set.
    fn mark(&self, fingerprint: Fingerprint) -> bool {
        let [high, low] = fingerprint.words();
        let stripe = &self.stripes[(mix(high ^ low) as usize) % STRIPES];
        let _alone = stripe.lock().unwrap_or_else(PoisonError::into_inner);
        let bits = self.words.len() as u64 * 64;
        let mut new = false;
        for number in 0..HASHES {
            let bit = mix(high.wrapping_add(number.wrapping_mul(low | 1))) % bits;
            let mask = 1u64 << (bit % 64);
            new |= self.words[(bit / 64) as usize].fetch_or(mask, Ordering::AcqRel) & mask == 0;
        }
        new
    }
}

impl Visited for BitStore {
    type Key = BitKey;
    type Scratch = ();

    fn scratch(&self) {}

    fn id(key: BitKey) -> StateId {
        key.id
    }

    fn insert(
        &self,
        _scratch: &mut (),
        base: Option<BitKey>,
        changes: &[Change],
    ) -> Result<Insert<BitKey>, Full> {
        let before = base.map_or(Fingerprint::default(), |key| key.fingerprint);
        let fingerprint = before.after(changes);
        if !self.mark(fingerprint) {
            return Ok(Insert::Seen(None));
        }
        let number = self.count.fetch_add(1, Ordering::AcqRel);
        if number >= u32::MAX - 1024 {
            self.count.fetch_sub(1, Ordering::AcqRel);
            return Err(Full);
        }
        Ok(Insert::New(BitKey { fingerprint, id: StateId(number) }))
    }

    fn rebuilds(&self) -> bool {
        false
    }

    fn difference(&self, _base: Option<BitKey>, _state: BitKey, delta: &mut Delta) {
        delta.clear();
    }

    fn exact(&self) -> bool {
        false
    }

    fn len(&self) -> usize {
        self.count.load(Ordering::Acquire) as usize
    }

    fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }
}
