//! The heap pool: which blocks are allocated, and where the next one goes.
//!
//! The address of a block depends only on the allocating thread and on that thread's own history,
//! so that two interleavings that allocate the same things reach the same state. Each thread has an
//! arena at a fixed place: sizes are rounded to classes, a class first reuses what was freed (a
//! block returns to the arena that it came from, oldest first), then takes fresh space. At least
//! `GAP` bytes that belong to no block separate two blocks.
//!
//! `quarantine` is how many freed blocks of a class rest before one is used again: a deep quarantine
//! finds uses after free that a shallow one hides, and costs states in a search.
//!
//! The pool holds live blocks only: when and where a block was freed is history, which reports take
//! from the log of a run, not from the state.

use im::{OrdMap, Vector};

use crate::context::ThreadId;

/// First address of the heap pool.
pub const HEAP_START: u32 = 0x6000_0000;
/// First address after the heap pool.
pub const HEAP_END: u32 = 0xc000_0000;

const FIRST_ARENA_END: u32 = 0xb800_0000;
/// Every thread but the first has this much; what does not fit goes to the first arena's space.
const ARENA_SIZE: u32 = 0x2_0000;
const ARENAS: u32 = (HEAP_END - FIRST_ARENA_END) / ARENA_SIZE;
const GAP: u32 = 16;
const ALIGNMENT: u32 = 16;

/// A live heap block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Block {
    /// Where it begins.
    pub address: u32,
    /// How many bytes the program asked for.
    pub size: u32,
    /// The return address of the allocating call.
    pub site: u32,
    /// Whose arena it lies in.
    pub arena: ThreadId,
    /// Bytes taken from the arena, gap included.
    span: u32,
    /// Bytes between the start of the span and the block, for alignment.
    lead: u32,
}

/// Why a pointer cannot be freed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FreeError {
    /// It points into a live block, but not at its start.
    Inside(Block),
    /// No live block is there.
    NoBlock,
}

#[derive(Clone, Debug, Default)]
struct Arena {
    /// Bytes handed out from the arena's space so far.
    used: u32,
    /// Freed spans by their size, oldest first.
    free: OrdMap<u32, Vector<u32>>,
}

/// All live blocks, and where the next ones go.
#[derive(Clone, Debug, Default)]
pub struct HeapPool {
    blocks: OrdMap<u32, Block>,
    arenas: OrdMap<ThreadId, Arena>,
    quarantine: u32,
}

/// Rounds a span up to its class: steps of 16 bytes, then four classes per doubling, then steps of
/// 64 KiB.
fn class(span: u32) -> Option<u32> {
    let step = match span {
        0..=1024 => ALIGNMENT,
        1025..=0x10_0000 => 1 << (span.ilog2() - 2),
        _ => 0x1_0000,
    };
    span.checked_next_multiple_of(step)
}

impl HeapPool {
    /// A pool without blocks.
    pub fn new(quarantine: u32) -> Self {
        Self { quarantine, ..Self::default() }
    }

    /// Takes a block of `size` bytes for `thread`; `None` when the pool's space is used up.
    /// `alignment` is a power of two.
    pub fn allocate(
        &mut self,
        thread: ThreadId,
        size: u32,
        alignment: u32,
        site: u32,
    ) -> Option<Block> {
        let slack = if alignment > ALIGNMENT { alignment } else { 0 };
        let span = class(size.max(1).checked_add(GAP)?.checked_add(slack)?)?;
        let (arena, start) = self
            .place(thread, span)
            .or_else(|| self.place(ThreadId::FIRST, span))
            .or_else(|| self.squeeze(span))?;
        let address = start.next_multiple_of(alignment.max(ALIGNMENT));
        let block = Block { address, size, site, arena, span, lead: address - start };
        self.blocks.insert(address, block);
        Some(block)
    }

    /// Where a span goes in a thread's arena; when there is no fresh space, blocks leave the
    /// quarantine early.
    fn place(&mut self, thread: ThreadId, span: u32) -> Option<(ThreadId, u32)> {
        self.reuse(thread, span, self.quarantine)
            .or_else(|| self.extend(thread, span))
            .or_else(|| self.reuse(thread, span, 0))
            .map(|start| (thread, start))
    }

    /// The lowest room between the live blocks of the first arena, whatever was freed there: the
    /// last resort when freed space is in spans of other sizes.
    fn squeeze(&mut self, span: u32) -> Option<(ThreadId, u32)> {
        let mut start = HEAP_START;
        for (_, block) in self.blocks.range(..FIRST_ARENA_END) {
            let begin = block.address - block.lead;
            if begin.saturating_sub(start) >= span {
                break;
            }
            start = begin + block.span;
        }
        let end = start.checked_add(span).filter(|&end| end <= FIRST_ARENA_END)?;
        let arena = self.arenas.entry(ThreadId::FIRST).or_default();
        arena.used = arena.used.max(end - HEAP_START);
        let sizes: Vec<u32> = arena.free.keys().copied().collect();
        for size in sizes {
            if let Some(free) = arena.free.get_mut(&size) {
                free.retain(|&freed| freed >= end || freed + size <= start);
            }
        }
        Some((ThreadId::FIRST, start))
    }

    fn reuse(&mut self, thread: ThreadId, span: u32, resting: u32) -> Option<u32> {
        let free = self.arenas.get_mut(&thread)?.free.get_mut(&span)?;
        if free.len() <= resting as usize {
            return None;
        }
        free.pop_front()
    }

    fn extend(&mut self, thread: ThreadId, span: u32) -> Option<u32> {
        let (base, limit) = if thread == ThreadId::FIRST {
            (HEAP_START, FIRST_ARENA_END - HEAP_START)
        } else if thread.0 - 1 < ARENAS {
            (FIRST_ARENA_END + (thread.0 - 1) * ARENA_SIZE, ARENA_SIZE)
        } else {
            return None;
        };
        let arena = self.arenas.entry(thread).or_default();
        let used = arena.used.checked_add(span).filter(|&used| used <= limit)?;
        let start = base + arena.used;
        arena.used = used;
        Some(start)
    }

    /// Frees the block that begins at an address.
    pub fn free(&mut self, address: u32) -> Result<Block, FreeError> {
        let Some(block) = self.blocks.remove(&address) else {
            return Err(self.covering(address).map_or(FreeError::NoBlock, FreeError::Inside));
        };
        let arena = self.arenas.entry(block.arena).or_default();
        let start = block.address - block.lead;
        arena.free.entry(block.span).or_default().push_back(start);
        Ok(block)
    }

    /// The live block that begins at an address.
    pub fn get(&self, address: u32) -> Option<Block> {
        self.blocks.get(&address).copied()
    }

    /// The live block that an address lies in.
    pub fn covering(&self, address: u32) -> Option<Block> {
        let (_, &block) = self.blocks.get_prev(&address)?;
        (address - block.address < block.size.max(1)).then_some(block)
    }

    /// The live block that ends nearest before an address.
    pub fn before(&self, address: u32) -> Option<Block> {
        self.blocks.get_prev(&address).map(|(_, &block)| block)
    }

    /// The live block that begins nearest after an address.
    pub fn after(&self, address: u32) -> Option<Block> {
        self.blocks.get_next(&address).map(|(_, &block)| block)
    }

    /// Changes the size of a block in place, if its span has room.
    pub fn resize(&mut self, address: u32, size: u32) -> Option<Block> {
        let block = self.blocks.get_mut(&address)?;
        let fits = size.checked_add(block.lead)?.checked_add(GAP)? <= block.span;
        // A block that shrinks far below its span moves, so that its class stays near its size.
        (fits && size >= block.span / 4).then(|| {
            block.size = size;
            *block
        })
    }

    /// All live blocks, by address.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        self.blocks.values().copied()
    }

    /// Whether two pools have the same blocks and the same future.
    pub fn same(&self, other: &Self) -> bool {
        self.quarantine == other.quarantine
            && self.blocks().eq(other.blocks())
            && self.arenas.len() == other.arenas.len()
            && self.arenas.iter().zip(other.arenas.iter()).all(|((a, x), (b, y))| {
                let waiting = |arena: &Arena| -> Vec<(u32, Vec<u32>)> {
                    arena
                        .free
                        .iter()
                        .filter(|(_, spans)| !spans.is_empty())
                        .map(|(&span, starts)| (span, starts.iter().copied().collect()))
                        .collect()
                };
                a == b && x.used == y.used && waiting(x) == waiting(y)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_never_overlap_and_keep_their_gap() {
        let mut pool = HeapPool::new(2);
        let mut live: Vec<Block> = Vec::new();
        let mut seed = 3u32;
        let mut random = |bound: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % bound
        };
        for _ in 0..4000 {
            if random(3) > 0 || live.is_empty() {
                let alignment = 1 << random(10);
                let thread = ThreadId(random(3) + 1);
                let size = random(300) * random(20);
                let block = pool.allocate(thread, size, alignment, 0).expect("room");
                assert_eq!(block.address % alignment.max(16), 0);
                for other in &live {
                    assert!(
                        block.address + size.max(1) + GAP <= other.address
                            || other.address + other.size.max(1) + GAP <= block.address
                    );
                }
                live.push(block);
            } else {
                let block = live.swap_remove(random(live.len() as u32) as usize);
                assert_eq!(pool.free(block.address), Ok(block));
                assert_eq!(pool.free(block.address), Err(FreeError::NoBlock));
            }
        }
    }

    #[test]
    fn addresses_depend_on_the_thread_s_own_history_only() {
        let (mut a, mut b) = (HeapPool::new(0), HeapPool::new(0));
        let (one, two) = (ThreadId(1), ThreadId(2));
        let in_a = (a.allocate(one, 24, 1, 0), a.allocate(two, 24, 1, 0), a.allocate(one, 8, 1, 0));
        let first = b.allocate(two, 24, 1, 0);
        let in_b = (b.allocate(one, 24, 1, 0), first, b.allocate(one, 8, 1, 0));
        assert_eq!(in_a, in_b);
        assert!(a.same(&b));
    }

    #[test]
    fn the_quarantine_gives_way_before_memory_runs_out() {
        let mut pool = HeapPool::new(16);
        for _ in 0..100 {
            let block = pool.allocate(ThreadId::FIRST, 0x800_0000, 1, 0).expect("freed before");
            assert!(pool.free(block.address).is_ok());
        }
    }

    #[test]
    fn freed_space_serves_larger_blocks_when_nothing_else_is_left() {
        let mut pool = HeapPool::new(16);
        let small = pool.allocate(ThreadId::FIRST, 40, 1, 0).expect("room");
        for megabytes in [256, 512, 768, 1024, 1280] {
            let block = pool.allocate(ThreadId::FIRST, megabytes << 20, 1, 0).expect("room");
            assert!(block.address >= small.address + small.size + GAP);
            assert_eq!(pool.free(block.address), Ok(block));
        }
        let halves = [600 << 20, 600 << 20]
            .map(|size| pool.allocate(ThreadId::FIRST, size, 1, 0).expect("what was freed before"));
        assert!(halves[0].address + halves[0].size + GAP <= halves[1].address);
        assert_eq!(pool.allocate(ThreadId::FIRST, 600 << 20, 1, 0), None);
    }

    #[test]
    fn too_much_is_refused() {
        let mut pool = HeapPool::new(0);
        assert_eq!(pool.allocate(ThreadId::FIRST, u32::MAX, 1, 0), None);
        assert_eq!(pool.allocate(ThreadId::FIRST, 0x7000_0000, 1, 0), None);
        assert!(pool.allocate(ThreadId(2), 0x100_0000, 1, 0).is_some());
    }
}
