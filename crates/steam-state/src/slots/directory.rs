//! An array of slots by number, sparse and read without locks.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

const PART: usize = 1024;

/// The slots of things that have numbers below a limit.
pub(super) struct Directory {
    /// One more than the slot; 0 where there is none.
    parts: Box<[OnceLock<Box<[AtomicU32]>>]>,
}

impl Directory {
    /// A directory of numbers below `limit`.
    pub(super) fn new(limit: usize) -> Self {
        Self { parts: (0..limit.div_ceil(PART)).map(|_| OnceLock::new()).collect() }
    }

    /// Whether the directory has a place for a number.
    #[inline]
    pub(super) fn covers(&self, number: u32) -> bool {
        (number as usize / PART) < self.parts.len()
    }

    /// The slot of a number.
    #[inline]
    pub(super) fn get(&self, number: u32) -> Option<u32> {
        let part = self.parts.get(number as usize / PART)?.get()?;
        part[number as usize % PART].load(Ordering::Acquire).checked_sub(1)
    }

    /// All numbers up to `last` that have a slot, ascending.
    pub(super) fn numbers(&self, last: u32) -> impl Iterator<Item = u32> + '_ {
        let parts = self.parts.iter().take(last as usize / PART + 1);
        parts.zip((0..).step_by(PART)).flat_map(move |(part, first)| {
            let taken = (first..=last).zip(part.get().map(|part| &**part).unwrap_or_default());
            taken.filter(|(_, slot)| slot.load(Ordering::Acquire) != 0).map(|(number, _)| number)
        })
    }

    /// Enters the slot of a number that the directory covers.
    pub(super) fn set(&self, number: u32, slot: u32) {
        let part = self.parts[number as usize / PART]
            .get_or_init(|| (0..PART).map(|_| AtomicU32::new(0)).collect());
        part[number as usize % PART].store(slot + 1, Ordering::Release);
    }
}
