//! Values that may be pointers into the heap, as they are loaded and stored: what a policy may ask to know.
//!
//! A value is one of an aligned word. What is loaded from a part of a word, or from parts of two, is no pointer: who makes
//! one of such parts forms it. After a store it counts what the words that it touches hold, whatever it wrote of them.

use std::ops::Range;

use super::LiveMemory;
use crate::heap::{HEAP_END, HEAP_START};
use crate::policy::Policy;

const WORD: u32 = 4;

impl<P: Policy> LiveMemory<P> {
    /// Says whether the policy wants to know which values that may be pointers into the heap are loaded and stored.
    pub fn follow_pointers(&mut self, follows: bool) {
        self.followed = if follows { HEAP_END - HEAP_START } else { 0 };
    }

    /// Whether the policy wants to know of a value.
    #[inline(always)]
    fn is_followed(&self, value: u32) -> bool {
        value.wrapping_sub(HEAP_START) < self.followed
    }

    /// A load has read these bytes.
    #[inline(always)]
    pub(super) fn follow_load<const N: usize>(&mut self, address: u32, bytes: &[u8; N]) {
        if N == WORD as usize {
            let value = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            if self.is_followed(value) && address.is_multiple_of(WORD) {
                self.policy.note_loaded(address, value);
            }
        } else if N > WORD as usize && self.followed != 0 {
            self.follow_bytes(address, bytes);
        }
    }

    /// Bytes from an address on were read.
    #[inline(never)]
    pub(super) fn follow_bytes(&mut self, address: u32, bytes: &[u8]) {
        if self.followed == 0 {
            return;
        }
        let lead = (address.wrapping_neg() % WORD) as usize;
        let words = bytes.get(lead..).unwrap_or_default().chunks_exact(WORD as usize);
        let first = address.wrapping_add(lead as u32);
        for (at, word) in (0..).map(|place| first.wrapping_add(place * WORD)).zip(words) {
            let value = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
            if self.is_followed(value) {
                self.policy.note_loaded(at, value);
            }
        }
    }

    /// Bytes from an address on, which lie there in the frames, were read.
    pub(super) fn follow_run(&mut self, address: u32, run: Range<usize>) {
        if self.followed != 0 {
            let bytes = self.frames[run].to_vec();
            self.follow_bytes(address, &bytes);
        }
    }

    /// So many bytes from an address on were written; they lie in the frames from `at` on, all in one page.
    #[inline(always)]
    pub(super) fn follow_store(&mut self, address: u32, size: usize, at: usize) {
        if self.followed != 0 {
            self.follow_stored(address, size, at);
        }
    }

    #[inline(never)]
    fn follow_stored(&mut self, address: u32, size: usize, at: usize) {
        let lead = (address % WORD) as usize;
        let first = address - lead as u32;
        for place in (0..lead + size).step_by(WORD as usize) {
            let from = at - lead + place;
            let word = &self.frames[from..from + WORD as usize];
            let value = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
            if self.is_followed(value) {
                let address = first + place as u32;
                self.policy.note_stored(&self.layout, address, value, self.stack);
            }
        }
    }
}
