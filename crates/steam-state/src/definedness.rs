//! Which bits of memory have a value that was written: the shadow of an address space.
//!
//! A set bit of a mask is an *undefined* one: it was not written since its block was allocated or
//! its stack frame was made. Pages without a mask are wholly defined, as are mappings, statics and all
//! that the kernel writes. Each word of a page may know a *birth*: where an undefined value that was
//! copied there comes from.
//!
//! The shadow is no part of a state: what a program does never depends on it. Memory that processes
//! share counts as defined, because each process has a shadow of its own.
//!
//! A shadow costs what differs: pages are shared by processes until one of them writes there, and all pages
//! of which no bit is defined are one.

use std::sync::Arc;

use ahash::{HashMap, RandomState};

use crate::page::{PAGE_SIZE, page_of};
use crate::place::Space;

/// Pages of a leaf of the table, and leaves of the table.
const BRANCHES: usize = 1 << 10;
const WORDS: usize = PAGE_SIZE / 4;
const PAGE: u32 = PAGE_SIZE as u32;
/// So many bytes are copied at once.
const PART: u32 = 1 << 16;

/// Where an undefined value was born.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Birth {
    /// The address of its first undefined byte.
    pub address: u32,
    /// The instruction that made room for it on the stack; 0 for what lies elsewhere.
    pub eip: u32,
}

#[derive(Clone)]
struct Page {
    bits: [u8; PAGE_SIZE],
    /// Where copied values were born; the rest was born where it lies.
    births: Option<Box<[Birth; WORDS]>>,
}

/// The masks of consecutive pages; those of a wholly defined page are not there.
type Leaf = [Option<Arc<Page>>; BRANCHES];

/// The masks of one address space.
#[derive(Clone, Default)]
struct Masks {
    /// Leaves by the upper bits of page numbers; there are none before the first mask.
    leaves: Vec<Option<Arc<Leaf>>>,
}

impl Masks {
    #[inline]
    fn page(&self, address: u32) -> Option<&Page> {
        let number = page_of(address) as usize;
        let leaf = self.leaves.get(number / BRANCHES)?.as_ref()?;
        leaf[number % BRANCHES].as_deref()
    }

    /// The place of a page's masks.
    fn entry(&mut self, address: u32) -> &mut Option<Arc<Page>> {
        let number = page_of(address) as usize;
        if self.leaves.is_empty() {
            self.leaves.resize(BRANCHES, None);
        }
        let leaf = &mut self.leaves[number / BRANCHES];
        let leaf = leaf.get_or_insert_with(|| Arc::new([const { None }; BRANCHES]));
        &mut Arc::make_mut(leaf)[number % BRANCHES]
    }
}

/// The masks of all processes; those of one of them are in use.
#[derive(Clone)]
pub struct Definedness {
    space: Space,
    used: Masks,
    others: HashMap<Space, Masks>,
    /// Children of `vfork` live in the memory of their parents.
    borrowers: HashMap<Space, Space>,
    /// The masks of every page of which no bit is defined.
    undefined: Arc<Page>,
}

impl Default for Definedness {
    fn default() -> Self {
        let fixed = || RandomState::with_seeds(3, 1, 4, 1);
        Self {
            space: Space::FIRST,
            used: Masks::default(),
            others: HashMap::with_hasher(fixed()),
            borrowers: HashMap::with_hasher(fixed()),
            undefined: Arc::new(Page { bits: [0xff; PAGE_SIZE], births: None }),
        }
    }
}

impl Definedness {
    /// Goes over to the memory of a process.
    pub fn enter(&mut self, space: Space) {
        let space = self.borrowers.get(&space).copied().unwrap_or(space);
        if space != self.space {
            let next = self.others.remove(&space).unwrap_or_default();
            let last = std::mem::replace(&mut self.used, next);
            self.others.insert(self.space, last);
            self.space = space;
        }
    }

    /// A process was made of the one in use, as a copy of its memory or within it.
    pub fn fork(&mut self, child: Space, borrows: bool) {
        self.borrowers.remove(&child);
        if borrows {
            self.borrowers.insert(child, self.space);
        } else {
            self.others.insert(child, self.used.clone());
        }
    }

    /// The process in use goes on with another program: nothing of its old memory is left.
    pub fn replace(&mut self, space: Space) {
        if self.borrowers.remove(&space).is_some() {
            self.others.insert(self.space, std::mem::take(&mut self.used));
            self.space = space;
        } else {
            self.used = Masks::default();
        }
    }

    /// The process in use ends: its memory is not looked at again.
    pub fn end(&mut self, space: Space) {
        if self.borrowers.remove(&space).is_none() && self.space == space {
            self.used = Masks::default();
        }
    }

    /// The mask of at most 16 bytes.
    #[inline]
    pub fn mask(&self, address: u32, bytes: u32) -> u128 {
        let offset = address & (PAGE - 1);
        if offset + bytes <= PAGE {
            return match self.page(address) {
                None => 0,
                Some(page) => little(&page.bits[offset as usize..(offset + bytes) as usize]),
            };
        }
        let first = PAGE - offset;
        let rest = self.mask(address.wrapping_add(first), bytes - first);
        self.mask(address, first) | rest << (8 * first)
    }

    /// Gives at most 16 bytes a mask; what is undefined of them was born at that birth.
    #[inline]
    pub fn set_mask(&mut self, address: u32, bytes: u32, mask: u128, birth: Birth) {
        let offset = address & (PAGE - 1);
        if offset + bytes > PAGE {
            let first = PAGE - offset;
            let low = mask & (u128::MAX >> (128 - 8 * first));
            self.set_mask(address, first, low, birth);
            self.set_mask(address.wrapping_add(first), bytes - first, mask >> (8 * first), birth);
            return;
        }
        if mask == 0 && self.page(address).is_none() {
            return;
        }
        let page = self.page_mut(address);
        let range = offset as usize..(offset + bytes) as usize;
        page.bits[range.clone()].copy_from_slice(&mask.to_le_bytes()[..bytes as usize]);
        if mask != 0 {
            let births = page.births.get_or_insert_with(|| Box::new([Birth::default(); WORDS]));
            births[range.start / 4..=(range.end - 1) / 4].fill(birth);
        }
    }

    /// Makes all of `start..end` undefined, born here, or defined.
    pub fn mark(&mut self, start: u32, end: u32, undefined: bool) {
        let mut at = start;
        while at < end {
            let stop = end.min((at & !(PAGE - 1)).saturating_add(PAGE));
            if stop.wrapping_sub(at) == PAGE {
                if undefined {
                    *self.used.entry(at) = Some(Arc::clone(&self.undefined));
                } else if self.page(at).is_some() {
                    *self.used.entry(at) = None;
                }
            } else if undefined || self.page(at).is_some() {
                let page = self.page_mut(at);
                let range =
                    (at & (PAGE - 1)) as usize..(at & (PAGE - 1)) as usize + (stop - at) as usize;
                page.bits[range.clone()].fill(if undefined { 0xff } else { 0 });
                if let Some(births) = &mut page.births {
                    births[range.start / 4..=(range.end - 1) / 4].fill(Birth::default());
                }
            }
            if stop <= at {
                return;
            }
            at = stop;
        }
    }

    /// Copies masks, as `memmove` copies bytes.
    pub fn copy(&mut self, to: u32, from: u32, size: u32) {
        if self.first_undefined(from, size).is_none() {
            self.mark(to, to.saturating_add(size), false);
            return;
        }
        // In parts that split no word of the target, in the order in which none is written before it is read.
        let first = (PART - to % PART).min(size);
        let rest = (first..size).step_by(PART as usize);
        let parts = std::iter::once((0, first)).chain(rest.map(|at| (at, PART.min(size - at))));
        if to > from {
            let parts: Vec<(u32, u32)> = parts.collect();
            parts.into_iter().rev().for_each(|(at, size)| {
                self.copy_part(to.wrapping_add(at), from.wrapping_add(at), size)
            });
        } else {
            parts.for_each(|(at, size)| {
                self.copy_part(to.wrapping_add(at), from.wrapping_add(at), size);
            });
        }
    }

    fn copy_part(&mut self, to: u32, from: u32, size: u32) {
        let masks: Vec<u8> = (0..size).map(|i| self.byte(from.wrapping_add(i))).collect();
        let born: Vec<Birth> = (0..size).map(|i| self.birth_of(from.wrapping_add(i), 1)).collect();
        // A word has one birth: that of the first undefined byte that comes there.
        let mut last = (u32::MAX, Birth::default());
        for (i, (&mask, &birth)) in masks.iter().zip(&born).enumerate() {
            let place = to.wrapping_add(i as u32);
            if mask != 0 && place / 4 != last.0 {
                last = (place / 4, birth);
            }
            self.set_mask(place, 1, u128::from(mask), last.1);
        }
    }

    /// The first byte of which a bit is undefined.
    pub fn first_undefined(&self, start: u32, size: u32) -> Option<u32> {
        let mut done = 0;
        while done < size {
            let at = start.wrapping_add(done);
            let part = (PAGE - (at & (PAGE - 1))).min(size - done);
            if let Some(page) = self.page(at) {
                let offset = (at & (PAGE - 1)) as usize;
                let bits = &page.bits[offset..offset + part as usize];
                if let Some(position) = bits.iter().position(|&mask| mask != 0) {
                    return Some(at + position as u32);
                }
            }
            done += part;
        }
        None
    }

    /// Where the undefined value at an address was born, if it was copied there.
    fn copied_birth(&self, address: u32) -> Birth {
        let page = self.page(address).and_then(|page| page.births.as_ref());
        let known = page.map(|births| births[(address & (PAGE - 1)) as usize / 4]);
        known.unwrap_or_default()
    }

    /// Where the first undefined byte of an access was born: there, or where it was copied from.
    pub fn birth_of(&self, address: u32, bytes: u32) -> Birth {
        let byte = self.first_undefined(address, bytes).unwrap_or(address);
        match self.copied_birth(byte) {
            Birth { address: 0, .. } => Birth { address: byte, eip: 0 },
            copied => copied,
        }
    }

    fn byte(&self, address: u32) -> u8 {
        self.page(address).map_or(0, |page| page.bits[(address & (PAGE - 1)) as usize])
    }

    #[inline]
    fn page(&self, address: u32) -> Option<&Page> {
        self.used.page(address)
    }

    fn page_mut(&mut self, address: u32) -> &mut Page {
        let page = self.used.entry(address);
        let page =
            page.get_or_insert_with(|| Arc::new(Page { bits: [0; PAGE_SIZE], births: None }));
        Arc::make_mut(page)
    }
}

#[inline]
fn little(bytes: &[u8]) -> u128 {
    match bytes.len() {
        4 => u128::from(u32::from_le_bytes(bytes.try_into().unwrap_or_default())),
        1 => u128::from(bytes[0]),
        length => {
            let mut all = [0; 16];
            all[..length].copy_from_slice(bytes);
            u128::from_le_bytes(all)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BORN: Birth = Birth { address: 0x7000_0010, eip: 0 };

    #[test]
    fn masks_are_kept_bit_by_bit_and_across_pages() {
        let mut shadow = Definedness::default();
        shadow.set_mask(0x1ffe, 4, 0x00ff_0100, BORN);
        assert_eq!(shadow.mask(0x1ffe, 4), 0x00ff_0100);
        assert_eq!(shadow.mask(0x1fff, 2), 0xff01);
        assert_eq!(shadow.first_undefined(0x1000, 0x2000), Some(0x1fff));
        assert_eq!(shadow.birth_of(0x1ffe, 4), BORN);
        shadow.mark(0x1fff, 0x2001, false);
        assert_eq!(shadow.first_undefined(0x1000, 0x2000), None);
    }

    #[test]
    fn copies_take_their_birth_along_and_may_overlap() {
        let mut shadow = Definedness::default();
        shadow.mark(0x5004, 0x5008, true);
        shadow.copy(0x5006, 0x5004, 8);
        assert_eq!(shadow.mask(0x5004, 8), 0x0000_ffff_ffff_ffff);
        shadow.copy(0x9000, 0x5004, 2);
        assert_eq!(shadow.birth_of(0x9000, 4).address, 0x5004);
        // What is made anew there was born there.
        shadow.mark(0x9000, 0x9004, true);
        assert_eq!(shadow.birth_of(0x9000, 4).address, 0x9000);
    }

    #[test]
    fn large_copies_are_those_of_their_bytes() {
        let size = 3 * PART + 5;
        for (to, from) in [(0x1000_0003, 0x1000_8001), (0x1000_8001, 0x1000_0003)] {
            let mut shadow = Definedness::default();
            for i in (0..size).step_by(7) {
                shadow.set_mask(from + i, 1, u128::from(i as u8), BORN);
            }
            let wanted: Vec<u8> = (0..size).map(|i| shadow.byte(from + i)).collect();
            shadow.copy(to, from, size);
            let found: Vec<u8> = (0..size).map(|i| shadow.byte(to + i)).collect();
            assert!(wanted == found);
        }
    }

    #[test]
    fn whole_pages_take_no_room() {
        let mut shadow = Definedness::default();
        shadow.mark(0x1800, 0xc000_1800, true);
        assert!(
            shadow.used.page(0x2000).is_some_and(|page| std::ptr::eq(page, &*shadow.undefined))
        );
        shadow.set_mask(0x5000, 4, 0, BORN);
        assert_eq!(
            [shadow.mask(0x5000, 8), shadow.mask(0x6000, 4)],
            [0xffff_ffff << 32, 0xffff_ffff]
        );
        shadow.mark(0x2000, 0xc000_1000, false);
        assert_eq!(shadow.first_undefined(0x2000, 0xbfff_f000), None);
        assert_eq!(shadow.first_undefined(0x1000, 0x1000), Some(0x1800));
        assert_eq!(shadow.first_undefined(0xc000_0000, 0x2000), Some(0xc000_1000));
    }

    #[test]
    fn each_process_has_its_own_and_a_borrower_that_of_its_parent() {
        let (one, other) = (Space::FIRST, Space::of(crate::ThreadId(2)).unwrap());
        let mut shadow = Definedness::default();
        shadow.mark(0x1000, 0x1004, true);
        shadow.fork(other, false);
        shadow.enter(other);
        assert_eq!(shadow.mask(0x1000, 4), 0xffff_ffff);
        shadow.mark(0x1000, 0x1004, false);
        shadow.enter(one);
        assert_eq!(shadow.mask(0x1000, 4), 0xffff_ffff);
        shadow.fork(other, true);
        shadow.enter(other);
        shadow.mark(0x1000, 0x1004, false);
        shadow.replace(other);
        shadow.enter(one);
        assert_eq!(shadow.mask(0x1000, 4), 0);
    }
}
