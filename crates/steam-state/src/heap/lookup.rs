//! Finding live blocks by address.
//!
//! Blocks lie by the page on which they begin. The block that an address lies in begins on one of
//! the pages before it, as many as a block that is not large may cover; large ones are listed in
//! the arena.

use super::room::{owner, pieces};
use super::{Block, HeapPool, LARGE};
use crate::context::ThreadId;
use crate::page::{PAGE_SIZE, page_of};
use crate::reads::Notes;
use crate::slots::Key;

const LARGE_PAGES: u32 = LARGE / PAGE_SIZE as u32;

/// The last of the blocks that begins at an address or before it.
fn at_or_before(blocks: &[Block], address: u32) -> Option<Block> {
    blocks.partition_point(|block| block.address <= address).checked_sub(1).map(|it| blocks[it])
}

/// Where in a thread's room an address lies.
fn offset(thread: ThreadId, address: u32) -> Option<u32> {
    let mut begin = 0;
    pieces(thread).find_map(|(base, size)| {
        let within = address.wrapping_sub(base);
        let offset = (within < size).then(|| begin + within);
        begin += size;
        offset
    })
}

impl HeapPool {
    /// The blocks that begin on a page, by address.
    pub(super) fn page(&self, page: u32) -> &[Block] {
        match self.changed_pages.get(&page) {
            Some(blocks) => blocks,
            None => self.stores.blocks.get(self.component(Key::Blocks(self.space.page(page)))),
        }
    }

    /// All pages on which blocks begin in this or in another state, ascending.
    fn pages(&self) -> Vec<u32> {
        let mut pages = self.stores.slots.heap_pages(Notes::In(&self.recorder), self.space);
        pages.extend(self.changed_pages.keys());
        pages.sort_unstable();
        pages.dedup();
        pages
    }

    /// The sizes of all live blocks.
    pub fn sizes(&self) -> Vec<u32> {
        let pages = self.pages().into_iter();
        pages.flat_map(|page| self.page(page).iter().map(|block| block.size)).collect()
    }

    /// The live block that begins at an address.
    pub fn get(&self, address: u32) -> Option<Block> {
        let blocks = self.page(page_of(address));
        let index = blocks.binary_search_by_key(&address, |block| block.address).ok()?;
        Some(blocks[index])
    }

    /// The live block that an address lies in.
    pub fn covering(&self, address: u32) -> Option<Block> {
        let last = page_of(address);
        let near = (last.saturating_sub(LARGE_PAGES)..=last)
            .rev()
            .find_map(|page| at_or_before(self.page(page), address));
        let block = near.or_else(|| self.large_before(address))?;
        (address - block.address < block.size.max(1)).then_some(block)
    }

    /// The reach of the live block in whose span an address lies ([`Block::reach`]).
    pub fn span_at(&self, address: u32) -> Option<(u32, u32)> {
        if !self.was_used(address) {
            return None;
        }
        let last = page_of(address);
        let near = (last.saturating_sub(LARGE_PAGES)..=last)
            .rev()
            .find_map(|page| at_or_before(self.page(page), address));
        let block = near.or_else(|| self.large_before(address))?;
        Some(block.reach()).filter(|&(_, end)| address < end)
    }

    /// Whether an address was ever handed out as a part of a block.
    pub fn was_used(&self, address: u32) -> bool {
        let owner = owner(address);
        offset(owner, address).is_some_and(|offset| offset < self.used(owner))
    }

    /// How much of a thread's room was ever handed out.
    pub fn used(&self, thread: ThreadId) -> u32 {
        match self.changed_arenas.get(&thread) {
            Some(arena) => arena.used,
            None => self.stores.arenas.get(self.component(Key::Arena(self.space, thread))).used(),
        }
    }

    /// Whether an address lies in a thread's room, where it had not been handed out when so much was.
    pub fn is_beyond(&self, thread: ThreadId, used: u32, address: u32) -> bool {
        offset(thread, address).is_some_and(|offset| offset >= used)
    }

    /// The large block that begins nearest before an address.
    fn large_before(&self, address: u32) -> Option<Block> {
        let owner = owner(address);
        let large = match self.changed_arenas.get(&owner) {
            Some(arena) => &arena.large,
            None => self.stores.arenas.get(self.component(Key::Arena(self.space, owner))).large(),
        };
        let after = large.partition_point(|&begin| begin <= address);
        self.get(large[after.checked_sub(1)?])
    }

    /// The live block that begins nearest before an address, or there.
    pub fn before(&self, address: u32) -> Option<Block> {
        let pages = self.pages();
        let end = pages.partition_point(|&page| page <= page_of(address));
        pages[..end].iter().rev().find_map(|&page| at_or_before(self.page(page), address))
    }

    /// The live block that begins nearest after an address, or there.
    pub fn after(&self, address: u32) -> Option<Block> {
        let pages = self.pages();
        let start = pages.partition_point(|&page| page < page_of(address));
        let first =
            |&page: &u32| self.page(page).iter().find(|block| block.address >= address).copied();
        pages[start..].iter().find_map(first)
    }

    /// All live blocks, by address.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        self.pages().into_iter().flat_map(|page| self.page(page).iter().copied())
    }
}
