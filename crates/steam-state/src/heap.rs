//! The heap pool: which blocks are allocated, and where the next one goes.
//!
//! The address of a block depends only on the allocating thread and on that thread's own history,
//! so that two interleavings that allocate the same things reach the same state. Each thread has an
//! arena at a fixed place, of one or two pieces (`room.rs`): sizes are rounded to classes, a class first
//! reuses what the thread itself has freed, oldest first, then takes fresh space. At least `GAP` bytes
//! that belong to no block separate two blocks.
//!
//! What another thread frees returns to the arena that it came from, but is not used again before
//! the arena has taken [`FRESH`] spans of the class from its fresh space. Until then the order of
//! one thread's `free` and another one's `malloc` makes no difference, as for the arguments that
//! `std::thread` hands over; and still a program that goes on for ever has finitely many states.
//!
//! `quarantine` is how many freed blocks of a class rest before one is used again: a deep quarantine
//! finds uses after free that a shallow one hides, and costs states in a search.
//!
//! The pool holds live blocks only: when and where a block was freed is history, which reports take
//! from the log of a run, not from the state.
//!
//! Frozen the pool is one component for each arena and one for each page on which blocks begin. A
//! pool reads them from the table that it is attached to and keeps what changed apart, so that an
//! operation costs what it touches: one arena and one page.

mod arena;
mod lookup;
mod room;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::context::ThreadId;
use crate::intern::Component;
use crate::page::page_of;
use crate::place::Space;
use crate::reads::{Reading, Recorder};
use crate::slots::Key;
use crate::stores::Stores;
use crate::table::Table;
pub use arena::Arena;
use arena::LiveArena;
use room::FIRST_ARENA_END;
pub use room::{HEAP_END, HEAP_START};

const GAP: u32 = 16;
const ALIGNMENT: u32 = 16;
/// So many spans of a class are taken from fresh space, whatever others have given back.
const FRESH: u32 = 16;
/// A block that takes more has its address in its arena.
const LARGE: u32 = 1 << 20;

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

impl Block {
    /// From its first byte to the one after its span: a pointer to the block's end lies there, too.
    pub fn reach(&self) -> (u32, u32) {
        (self.address, self.address - self.lead + self.span)
    }
}

/// Why a pointer cannot be freed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FreeError {
    /// It points into a live block, but not at its start.
    Inside(Block),
    /// No live block is there.
    NoBlock,
}

/// All live blocks of a state, and where the next ones go.
#[derive(Debug)]
pub struct HeapPool {
    base: Table,
    space: Space,
    stores: Arc<Stores>,
    /// Where it is noted what is read of the frozen state.
    recorder: Recorder,
    changed_arenas: BTreeMap<ThreadId, LiveArena>,
    /// By page the blocks that begin there, by address.
    changed_pages: BTreeMap<u32, Vec<Block>>,
    quarantine: u32,
    looked_back: bool,
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
    /// A pool without blocks, whose components go to `stores`.
    pub fn new(stores: Arc<Stores>, quarantine: u32, recorder: Recorder) -> Self {
        Self {
            base: Table::default(),
            space: Space::FIRST,
            stores,
            recorder,
            changed_arenas: BTreeMap::new(),
            changed_pages: BTreeMap::new(),
            quarantine,
            looked_back: false,
        }
    }

    /// Goes on with the pool of a process of another state. What changed and was not frozen is
    /// forgotten.
    pub fn attach(&mut self, table: &Table, space: Space) {
        self.changed_arenas.clear();
        self.changed_pages.clear();
        self.base = table.clone();
        self.space = space;
    }

    /// Interns what changed, and returns which components the state now has; to be attached to that
    /// state before it goes on.
    pub fn freeze(&mut self, put: &mut dyn FnMut(Key, Component)) {
        for (thread, arena) in std::mem::take(&mut self.changed_arenas) {
            let words = arena.freeze();
            let id = self.stores.arenas.intern_ref(words.as_slice(), || Arena::new(&words));
            self.report(Key::Arena(self.space, thread), id, put);
        }
        for (page, blocks) in std::mem::take(&mut self.changed_pages) {
            let id = self.stores.blocks.intern_ref(blocks.as_slice(), || blocks.as_slice().into());
            self.report(Key::Blocks(self.space.page(page)), id, put);
        }
    }

    fn report(&self, key: Key, id: Component, put: &mut dyn FnMut(Key, Component)) {
        if id != self.component(key) {
            put(key, id);
        }
    }

    /// The frozen component of a key; 0 if there is none.
    fn component(&self, key: Key) -> Component {
        self.stores.component(Reading::recorded(&self.base, &self.recorder), key)
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
        self.looked_back = false;
        let (arena, start) = self
            .place(thread, span)
            .or_else(|| self.place(ThreadId::FIRST, span))
            .or_else(|| self.squeeze(span))?;
        let address = start.next_multiple_of(alignment.max(ALIGNMENT));
        let block = Block { address, size, site, arena, span, lead: address - start };
        let blocks = self.page_mut(page_of(address));
        let index = blocks.partition_point(|other| other.address < address);
        blocks.insert(index, block);
        if span > LARGE {
            self.arena_mut(arena).enter_large(address);
        }
        Some(block)
    }

    /// The block that [`HeapPool::allocate`] would take, and whether that depends on what others have given back; nothing
    /// changes.
    pub fn preview(
        &mut self,
        thread: ThreadId,
        size: u32,
        alignment: u32,
    ) -> Option<(Block, bool)> {
        let arenas = self.changed_arenas.clone();
        let pages = self.changed_pages.clone();
        let looked_back = self.looked_back;
        let block = self.allocate(thread, size, alignment, 0);
        let depends = std::mem::replace(&mut self.looked_back, looked_back);
        (self.changed_arenas, self.changed_pages) = (arenas, pages);
        block.map(|block| (block, depends))
    }

    /// Whether the last allocation depended on what others had given back.
    pub fn has_looked_back(&self) -> bool {
        self.looked_back
    }

    /// Where a span goes in a thread's arena; when there is no fresh space, blocks leave the
    /// quarantine early.
    fn place(&mut self, thread: ThreadId, span: u32) -> Option<(ThreadId, u32)> {
        let quarantine = self.quarantine;
        let arena = self.arena_mut(thread);
        let mut start = arena.take(span, quarantine);
        if start.is_none() && arena.count_fresh(span, FRESH) {
            start = extend(arena, thread, span);
        }
        if start.is_none() {
            start = arena
                .take_returned(span)
                .or_else(|| extend(arena, thread, span))
                .or_else(|| arena.take(span, 0));
            self.looked_back = true;
        }
        start.map(|start| (thread, start))
    }

    /// The lowest room between the live blocks of the first arena, whatever was freed there: the
    /// last resort when freed space is in spans of other sizes. It looks at all of these blocks.
    fn squeeze(&mut self, span: u32) -> Option<(ThreadId, u32)> {
        let mut start = HEAP_START;
        for block in self.blocks().take_while(|block| block.address < FIRST_ARENA_END) {
            let begin = block.address - block.lead;
            if begin.saturating_sub(start) >= span {
                break;
            }
            start = begin + block.span;
        }
        let end = start.checked_add(span).filter(|&end| end <= FIRST_ARENA_END)?;
        self.looked_back = true;
        let arena = self.arena_mut(ThreadId::FIRST);
        arena.used = arena.used.max(end - HEAP_START);
        arena.forget(start, end);
        Some((ThreadId::FIRST, start))
    }

    /// A thread frees the block that begins at an address.
    pub fn free(&mut self, address: u32, thread: ThreadId) -> Result<Block, FreeError> {
        let page = page_of(address);
        let Ok(index) = self.page(page).binary_search_by_key(&address, |block| block.address)
        else {
            return Err(self.covering(address).map_or(FreeError::NoBlock, FreeError::Inside));
        };
        let block = self.page_mut(page).remove(index);
        let arena = self.arena_mut(block.arena);
        let start = block.address - block.lead;
        if thread == block.arena {
            arena.give(block.span, start);
        } else {
            arena.give_back(block.span, start);
        }
        if block.span > LARGE {
            arena.leave_large(address);
        }
        Ok(block)
    }

    /// Changes the size of a block in place, if its span has room.
    pub fn resize(&mut self, address: u32, size: u32) -> Option<Block> {
        let page = page_of(address);
        let index = self.page(page).binary_search_by_key(&address, |block| block.address).ok()?;
        let block = self.page(page)[index];
        let fits = size.checked_add(block.lead)?.checked_add(GAP)? <= block.span;
        // A block that shrinks far below its span moves, so that its class stays near its size.
        (fits && size >= block.span / 4).then(|| {
            let block = &mut self.page_mut(page)[index];
            block.size = size;
            *block
        })
    }

    /// A thread's arena, to be changed.
    fn arena_mut(&mut self, thread: ThreadId) -> &mut LiveArena {
        let id = self.component(Key::Arena(self.space, thread));
        let frozen = || LiveArena::thaw(self.stores.arenas.get(id));
        self.changed_arenas.entry(thread).or_insert_with(frozen)
    }

    /// The blocks that begin on a page, to be changed.
    fn page_mut(&mut self, page: u32) -> &mut Vec<Block> {
        let id = self.component(Key::Blocks(self.space.page(page)));
        let frozen = || self.stores.blocks.get(id).clone();
        self.changed_pages.entry(page).or_insert_with(frozen)
    }
}

/// Fresh space of a thread's arena: where its first piece ends, it goes on in the second one.
fn extend(arena: &mut LiveArena, thread: ThreadId, span: u32) -> Option<u32> {
    let mut begin = 0;
    for (base, size) in room::pieces(thread) {
        let offset = arena.used.max(begin);
        let end = begin + size;
        if let Some(used) = offset.checked_add(span).filter(|&used| used <= end) {
            arena.used = used;
            return Some(base + (offset - begin));
        }
        begin = end;
    }
    None
}

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;
