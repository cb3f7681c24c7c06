//! An append-only array of words that many workers read and extend without locks.
//!
//! Segments double in size and never move, so an index stays valid for good. A segment comes from
//! a zeroed allocation that the operating system commits page by page as it is filled: the
//! conversion of `Vec<u64>` into `Vec<AtomicU64>` below is done in place and compiles to nothing
//! (`cargo run --release -p steam-store --example bytes_per_state` shows the resident memory).

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

const FIRST_BITS: u32 = 10;
const SEGMENTS: usize = 34 - FIRST_BITS as usize;

/// A zeroed array of atomic words.
pub(crate) fn zeroed(length: usize) -> Box<[AtomicU64]> {
    vec![0u64; length].into_iter().map(AtomicU64::new).collect()
}

/// Words that are written once each, at indices that the owner hands out.
pub(crate) struct Arena {
    segments: [OnceLock<Box<[AtomicU64]>>; SEGMENTS],
}

/// The segment and the offset in it where an index lives.
fn locate(index: u64) -> (usize, usize) {
    let shifted = index + (1 << FIRST_BITS);
    let bits = shifted.ilog2();
    ((bits - FIRST_BITS) as usize, (shifted - (1 << bits)) as usize)
}

impl Arena {
    pub(crate) fn new() -> Self {
        Self { segments: [const { OnceLock::new() }; SEGMENTS] }
    }

    /// Writes a word. Another worker sees it once it has learned the index from this one.
    pub(crate) fn set(&self, index: u64, word: u64) {
        let (segment, offset) = locate(index);
        let words =
            self.segments[segment].get_or_init(|| zeroed(1 << (segment as u32 + FIRST_BITS)));
        words[offset].store(word, Ordering::Relaxed);
    }

    /// The word at an index; what was never written is 0.
    pub(crate) fn get(&self, index: u64) -> u64 {
        let (segment, offset) = locate(index);
        self.segments[segment].get().map_or(0, |words| words[offset].load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_cover_every_index_once() {
        let arena = Arena::new();
        for index in 0..10_000 {
            arena.set(index, index * 3 + 1);
        }
        assert!((0..10_000).all(|index| arena.get(index) == index * 3 + 1));
        assert_eq!(arena.get(1 << 30), 0);
        assert!(locate(u64::from(u32::MAX) * 2 + 1).0 < SEGMENTS);
    }
}
