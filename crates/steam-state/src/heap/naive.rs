//! The pool as a pair of ordered maps, without components: what [`super::HeapPool`] is compared
//! with.

use im::{OrdMap, OrdSet, Vector};

use super::{ALIGNMENT, Block, FIRST_ARENA_END, FRESH, FreeError, GAP, HEAP_START, class, room};
use crate::context::ThreadId;

#[derive(Clone, Debug, Default)]
struct Arena {
    /// Bytes handed out from the arena's space so far.
    used: u32,
    /// Freed spans by their size, oldest first.
    free: OrdMap<u32, Vector<u32>>,
    /// Spans that others freed, by their size.
    returned: OrdMap<u32, OrdSet<u32>>,
    /// How many spans of each size came from fresh space.
    fresh: OrdMap<u32, u32>,
}

/// All live blocks, and where the next ones go.
#[derive(Clone, Debug, Default)]
pub(super) struct NaivePool {
    blocks: OrdMap<u32, Block>,
    arenas: OrdMap<ThreadId, Arena>,
    quarantine: u32,
}

impl NaivePool {
    /// A pool without blocks.
    pub(super) fn new(quarantine: u32) -> Self {
        Self { quarantine, ..Self::default() }
    }

    /// Takes a block of `size` bytes for `thread`; `None` when the pool's space is used up.
    /// `alignment` is a power of two.
    pub(super) fn allocate(
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
            .or_else(|| self.first_ones(thread, span))
            .or_else(|| self.take_returned(thread, span))
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
        for (size, starts) in arena.returned.clone() {
            let left = starts.into_iter().filter(|&freed| freed >= end || freed + size <= start);
            arena.returned.insert(size, left.collect());
        }
        Some((ThreadId::FIRST, start))
    }

    /// Fresh space for the first spans of a size.
    fn first_ones(&mut self, thread: ThreadId, span: u32) -> Option<u32> {
        let count = self.arenas.entry(thread).or_default().fresh.entry(span).or_default();
        if *count == FRESH {
            return None;
        }
        *count += 1;
        self.extend(thread, span)
    }

    fn take_returned(&mut self, thread: ThreadId, span: u32) -> Option<u32> {
        let returned = self.arenas.get_mut(&thread)?.returned.get_mut(&span)?;
        returned.remove_min()
    }

    fn reuse(&mut self, thread: ThreadId, span: u32, resting: u32) -> Option<u32> {
        let free = self.arenas.get_mut(&thread)?.free.get_mut(&span)?;
        if free.len() <= resting as usize {
            return None;
        }
        free.pop_front()
    }

    fn extend(&mut self, thread: ThreadId, span: u32) -> Option<u32> {
        let pieces: Vec<(u32, u32)> = room::pieces(thread).collect();
        let arena = self.arenas.entry(thread).or_default();
        let fits = |left: u32| span <= left;
        let (start, used) = match pieces[..] {
            [(base, size), ..] if arena.used < size && fits(size - arena.used) => {
                (base + arena.used, arena.used + span)
            }
            [(_, before), (base, size)] => {
                let inside = arena.used.saturating_sub(before);
                let place = || (base + inside, before + inside + span);
                fits(size - inside).then(place)?
            }
            _ => return None,
        };
        arena.used = used;
        Some(start)
    }

    /// Frees the block that begins at an address.
    pub(super) fn free(&mut self, address: u32, thread: ThreadId) -> Result<Block, FreeError> {
        let Some(block) = self.blocks.remove(&address) else {
            return Err(self.covering(address).map_or(FreeError::NoBlock, FreeError::Inside));
        };
        let arena = self.arenas.entry(block.arena).or_default();
        let start = block.address - block.lead;
        if thread == block.arena {
            arena.free.entry(block.span).or_default().push_back(start);
        } else {
            arena.returned.entry(block.span).or_default().insert(start);
        }
        Ok(block)
    }

    /// The live block that begins at an address.
    pub(super) fn get(&self, address: u32) -> Option<Block> {
        self.blocks.get(&address).copied()
    }

    /// The live block that an address lies in.
    pub(super) fn covering(&self, address: u32) -> Option<Block> {
        let (_, &block) = self.blocks.get_prev(&address)?;
        (address - block.address < block.size.max(1)).then_some(block)
    }

    /// The live block that ends nearest before an address.
    pub(super) fn before(&self, address: u32) -> Option<Block> {
        self.blocks.get_prev(&address).map(|(_, &block)| block)
    }

    /// The live block that begins nearest after an address.
    pub(super) fn after(&self, address: u32) -> Option<Block> {
        self.blocks.get_next(&address).map(|(_, &block)| block)
    }

    /// Changes the size of a block in place, if its span has room.
    pub(super) fn resize(&mut self, address: u32, size: u32) -> Option<Block> {
        let block = self.blocks.get_mut(&address)?;
        let fits = size.checked_add(block.lead)?.checked_add(GAP)? <= block.span;
        // A block that shrinks far below its span moves, so that its class stays near its size.
        (fits && size >= block.span / 4).then(|| {
            block.size = size;
            *block
        })
    }

    /// All live blocks, by address.
    pub(super) fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        self.blocks.values().copied()
    }
}
