//! Where the arenas of the threads lie.
//!
//! Every thread but the first has a small piece. Those with low numbers, which the threads of most
//! programs have, have a second one for what does not fit there, the larger the lower the number. What
//! fits in neither goes to the first arena, where several threads get in each other's way: that costs
//! states, but is no error.

use crate::context::ThreadId;

/// First address of the heap pool.
pub const HEAP_START: u32 = 0x6000_0000;
/// First address after the heap pool.
pub const HEAP_END: u32 = 0xc000_0000;

/// Where the first thread's arena ends and the second pieces of the others begin.
pub(super) const FIRST_ARENA_END: u32 = 0xb200_0000;
/// Where the first pieces of the other threads begin.
const SMALL_START: u32 = 0xb800_0000;
const SMALL_SIZE: u32 = 0x2_0000;
const SMALL_ONES: u32 = (HEAP_END - SMALL_START) / SMALL_SIZE;

/// The second pieces: how many threads have one of which size, in the order of their numbers. The first
/// thread has none.
const SECOND: [(u32, u32); 3] = [(3, 16 << 20), (8, 4 << 20), (16, 1 << 20)];

/// The pieces of a thread's arena: where each begins, and its size.
pub(super) fn pieces(thread: ThreadId) -> impl Iterator<Item = (u32, u32)> {
    let number = thread.0.wrapping_sub(ThreadId::FIRST.0);
    let first = match number {
        0 => Some((HEAP_START, FIRST_ARENA_END - HEAP_START)),
        // They are numbered by thread; that of the first thread stays unused.
        _ => (number < SMALL_ONES).then(|| (SMALL_START + number * SMALL_SIZE, SMALL_SIZE)),
    };
    first.into_iter().chain(second(number))
}

/// The second piece of the arena of the thread with a number, counted from 0.
fn second(number: u32) -> Option<(u32, u32)> {
    let mut rank = number.checked_sub(1)?;
    let mut base = FIRST_ARENA_END;
    for (count, size) in SECOND {
        if rank < count {
            return Some((base + rank * size, size));
        }
        rank -= count;
        base += count * size;
    }
    None
}

/// In whose arena an address of the pool lies.
pub(super) fn owner(address: u32) -> ThreadId {
    let number = match address {
        ..FIRST_ARENA_END => 0,
        SMALL_START.. => (address - SMALL_START) / SMALL_SIZE,
        _ => {
            let all: u32 = SECOND.iter().map(|(count, _)| count).sum();
            let holds = |&number: &u32| {
                second(number).is_some_and(|(base, size)| (base..base + size).contains(&address))
            };
            (1..=all).find(holds).unwrap_or(0)
        }
    };
    ThreadId(ThreadId::FIRST.0 + number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_follow_each_other_without_overlap_and_know_their_owners() {
        let mut all = Vec::new();
        for thread in (1..=1100).map(ThreadId) {
            for (base, size) in pieces(thread) {
                assert_eq!([base, base + size / 2, base + size - 1].map(owner), [thread; 3]);
                all.push((base, size));
            }
        }
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0));
        let second = all.iter().filter(|(base, _)| (FIRST_ARENA_END..SMALL_START).contains(base));
        assert_eq!(second.map(|(_, size)| size).sum::<u32>(), SMALL_START - FIRST_ARENA_END);
        assert!(all.last().is_some_and(|(base, size)| base + size == HEAP_END));
    }
}
