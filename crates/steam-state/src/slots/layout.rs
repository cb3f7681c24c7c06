//! Where in the vector of a state new slots lie.
//!
//! Slots come in blocks of 16, each of which belongs to one thread, and blocks are spread in
//! bit-reversed order: what one thread changes lies together, and the blocks of different threads
//! lie in different halves, quarters, eighths of the vector. This is what keeps the tree store
//! small.

use ahash::{HashMap, RandomState};

use crate::context::ThreadId;

const BLOCK_BITS: u32 = 4;
const BLOCK: u32 = 1 << BLOCK_BITS;
/// The largest first part: a vector of 2^17 slots, as much as the tree store holds.
const MAX_FIRST_BITS: u32 = 13;

/// Hands out slots, each once.
#[derive(Debug)]
pub(super) struct Layout {
    first_bits: u32,
    used: u32,
    /// Each thread's current block: its next slot and how many are left.
    open: HashMap<ThreadId, (u32, u32)>,
}

/// The lowest `bits` bits of a number in reverse order.
const fn reversed(number: u32, bits: u32) -> u32 {
    if bits == 0 { 0 } else { number.reverse_bits() >> (32 - bits) }
}

/// Where the block with a number lies, counted in blocks: bit-reversed among the first
/// `2^first_bits`, and beyond them among as many again each time.
const fn position(block: u32, first_bits: u32) -> u32 {
    if block >> first_bits == 0 {
        return reversed(block, first_bits);
    }
    let bits = block.ilog2();
    (1 << bits) + reversed(block - (1 << bits), bits)
}

impl Layout {
    /// A layout for `2^first_bits` blocks; when there are more, the vector doubles.
    pub(super) fn new(first_bits: u32) -> Self {
        Self {
            first_bits: first_bits.min(MAX_FIRST_BITS),
            used: 0,
            open: HashMap::with_hasher(RandomState::with_seeds(9, 10, 11, 12)),
        }
    }

    /// A new slot in a thread's block.
    pub(super) fn next(&mut self, owner: ThreadId) -> u32 {
        let (next, left) = self.open.entry(owner).or_insert((0, 0));
        if *left == 0 {
            *next = position(self.used, self.first_bits) << BLOCK_BITS;
            *left = BLOCK;
            self.used += 1;
        }
        *next += 1;
        *left -= 1;
        *next - 1
    }

    /// How many blocks threads have taken.
    pub(super) fn used(&self) -> u32 {
        self.used
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn blocks_of_threads_alternate_between_the_halves() {
        let mut layout = Layout::new(3);
        let starts: Vec<u32> = (1..=8).map(|thread| layout.next(ThreadId(thread))).collect();
        assert_eq!(starts, [0, 64, 32, 96, 16, 80, 48, 112]);
        assert_eq!(layout.next(ThreadId(2)), 65);
        let beyond: Vec<u32> = (9..=12).map(|thread| layout.next(ThreadId(thread))).collect();
        assert_eq!(beyond, [128, 192, 160, 224]);
        assert_eq!(layout.used(), 12);
    }

    #[test]
    fn no_slot_is_given_twice_and_none_is_left_out() {
        for first_bits in [0, 1, 4, 7] {
            let mut layout = Layout::new(first_bits);
            let slots: HashSet<u32> =
                (0..2048).map(|n| layout.next(ThreadId(n / 3 % 5 + 1))).collect();
            assert_eq!(slots.len(), 2048);
            assert!(slots.iter().all(|&slot| slot < 4096));
            let full: HashSet<u32> = (0..128).map(|block| position(block, first_bits)).collect();
            assert_eq!(full, (0..128).collect());
        }
    }
}
