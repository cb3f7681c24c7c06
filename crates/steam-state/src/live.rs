//! A thawed address space: what a running thread reads and writes.
//!
//! Pages live as 4 KiB *frames* in one byte vector. A software TLB maps page numbers to frames; its
//! tags encode what must be checked, so that the usual access costs one compare:
//!
//! * plain pages: the tag is the page address, and an aligned access matches it exactly;
//! * pages of the running thread's stack carry `STACK`: bytes below the stack pointer are refused;
//! * heap pages that are not wholly inside live blocks carry `HEAP`: each byte has a validity bit;
//! * pages on which the stack of a thread that has ended meets what its library keeps carry `ENDED`: only
//!   what lies above may be touched;
//! * pages of which the policy wants to know each access carry `WATCHED` ([`Policy`]).
//!
//! A page enters the write TLB only after it was copied into the write set. Unaligned accesses,
//! misses, refusals and watched pages take the slow path, which decides byte by byte.
//!
//! Invariant: nothing here changes a frozen component; [`LiveMemory::freeze`] interns the write set
//! and nothing else.

mod defined;
mod fetch;
mod loan;
mod mapping;
mod pointers;
mod scan;
mod validity;

use std::sync::Arc;

use ahash::{HashMap, HashSet, RandomState};

use crate::access::{AccessError, AccessKind, Fault, Problem};
use crate::definedness::Definedness;
use crate::intern::Component;
use crate::page::{PAGE_SIZE, PageBytes, page_of};
use crate::place::{PageNumber, Place, Space};
use crate::policy::{Asked, KEPT, Layout, Part, Passage, Policy};
use crate::reads::{Reading, Recorder};
use crate::region::{RegionKind, Regions};
use crate::slots::Key;
use crate::stores::Stores;
use crate::table::Table;

pub use mapping::PastFileEnd;

const ENTRIES: usize = 256;
/// From so many filled entries on, the TLB is emptied as a whole.
const FEW: usize = 32;
/// Low tag bits that no aligned access of up to 16 bytes can have.
const STACK: u32 = 0x10;
const HEAP: u32 = 0x20;
const WATCHED: u32 = 0x40;
const ENDED: u32 = 0x80;
const INVALID: u32 = 0xfff;
/// A tag that no entry has, whatever else it carries.
const UNALIGNED: u32 = 0x800;
const PAGE: u32 = PAGE_SIZE as u32;
/// Where the validity pages begin in the page table.
const VALIDITY: u32 = 1 << 20;
/// Clean frames kept before the cache starts anew: 16 MiB of them.
const CACHE_FRAMES: usize = 1 << 12;
/// So many frames without a page are kept for the next step: 16 megabytes.
const MOST_SPARE: usize = 4096;

#[derive(Clone, Copy)]
struct Entry {
    tag: u32,
    /// Byte offset of the page's frame in the frame vector.
    frame: u32,
    /// Byte offset of the page's 512 validity bytes, for `HEAP` pages; for `ENDED` ones the lowest address that
    /// may be touched.
    validity: u32,
    /// The number of the thread whose stack the page is part of; 0 for no stack.
    owner: u32,
}

const EMPTY: Entry = Entry { tag: INVALID, frame: 0, validity: 0, owner: 0 };

/// One process's memory, thawed.
pub struct LiveMemory<P> {
    read: [Entry; ENTRIES],
    write: [Entry; ENTRIES],
    /// Which entries of the two hold something, as long as they are few.
    filled: Vec<u8>,
    frames: Vec<u8>,
    /// The component of [`ONES`], once it is known.
    ones: Option<Component>,
    spare: Vec<u32>,
    clean: HashMap<Component, u32>,
    dirty: HashMap<PageNumber, u32>,
    /// The frozen state to which the write set is to be added, and the process.
    table: Table,
    /// What is mapped where in the process, and the component that it was thawed from.
    layout: Layout,
    regions_id: Component,
    regions_changed: bool,
    /// Whether the lender got something back since this was asked last.
    gave_back: bool,
    /// Where the memory that processes share lies past the ends of files.
    past_file_ends: Vec<PastFileEnd>,
    stores: Arc<Stores>,
    /// Where it is noted what is read of the frozen state.
    recorder: Recorder,
    stack: (u32, u32),
    /// How large the part of the address space is, from [`HEAP_START`](crate::HEAP_START) on, of whose addresses as values the policy wants
    /// to know: the heap, or nothing.
    followed: u32,
    error: Option<AccessError>,
    /// Decides about accesses. Who changes what it wants to know of pages does so by [`LiveMemory::reconsider`].
    pub policy: P,
    /// Which bits were never written, if that is recorded.
    definedness: Option<Box<Definedness>>,
    /// Pages from which instructions were decoded, and what they were then.
    code: HashMap<u32, fetch::Origin>,
    /// Those of them whose bytes may differ from state to state.
    changing_code: HashSet<u32>,
    code_changes: Vec<u32>,
}

fn fixed() -> RandomState {
    RandomState::with_seeds(5, 6, 7, 8)
}

/// The frame of zeros, the content of every page that was never written.
const ZEROS: u32 = 0;
/// The frame of ones, the validity bits of what lies inside a large block.
const ONES: u32 = PAGE_SIZE as u32;
/// The frames from here on hold one page each. Those before hold as many as there are with their content:
/// these are never written.
const FIRST_OWN: u32 = 2 * PAGE_SIZE as u32;

fn constant_frames() -> Vec<u8> {
    let mut frames = vec![0; FIRST_OWN as usize];
    frames[ONES as usize..].fill(0xff);
    frames
}

/// The tag that a plain page of an access must have; of a size that is never aligned, none.
#[inline(always)]
fn key<const N: usize>(address: u32) -> u32 {
    if N.is_power_of_two() && N <= 16 {
        address & (0xffff_f000 | (N as u32 - 1))
    } else {
        UNALIGNED
    }
}

fn slot(address: u32) -> usize {
    (address >> 12) as usize % ENTRIES
}

impl<P: Policy> LiveMemory<P> {
    /// The address space of the first process of a frozen state; of the empty table, the empty one.
    pub fn new(stores: Arc<Stores>, table: &Table, policy: P) -> Self {
        let mut live = Self {
            read: [EMPTY; ENTRIES],
            write: [EMPTY; ENTRIES],
            filled: Vec::new(),
            frames: constant_frames(),
            ones: None,
            spare: Vec::new(),
            clean: HashMap::with_hasher(fixed()),
            dirty: HashMap::with_hasher(fixed()),
            table: Table::default(),
            layout: Layout { space: Space::FIRST, ..Layout::default() },
            regions_id: Component(0),
            regions_changed: false,
            gave_back: false,
            past_file_ends: Vec::new(),
            stores,
            recorder: Recorder::default(),
            stack: (0, 0),
            followed: 0,
            error: None,
            policy,
            definedness: None,
            code: HashMap::with_hasher(fixed()),
            changing_code: HashSet::with_hasher(fixed()),
            code_changes: Vec::new(),
        };
        live.attach(table, Space::FIRST);
        live
    }

    /// Goes on with a process of another state, keeping the cached frames. What was written and not
    /// frozen is forgotten.
    pub fn attach(&mut self, table: &Table, space: Space) {
        let id =
            self.stores.component(Reading::recorded(table, &self.recorder), Key::Regions(space));
        let moved = self.regions_changed || id != self.regions_id;
        let regions = moved.then(|| self.stores.regions.get(id).clone());
        self.forget_other_code(table, space, regions.as_ref());
        let written = self.dirty.drain().map(|(_, frame)| frame);
        self.spare.extend(written.filter(|frame| *frame >= FIRST_OWN));
        if self.clean.len() > CACHE_FRAMES {
            self.forget_frames();
        }
        if let Some(regions) = regions {
            self.layout.shares = regions.share();
            (self.layout.regions, self.regions_id, self.regions_changed) = (regions, id, false);
        }
        self.table = table.clone();
        self.layout.space = space;
        if let Some(definedness) = &mut self.definedness {
            definedness.enter(space);
        }
        self.flush();
    }

    /// Interns what was written, and returns which components the state now has.
    pub fn freeze(&mut self, put: &mut dyn FnMut(Key, Component)) {
        let done = self.freeze_while(put, &|| true);
        assert!(done, "it goes on to the end");
    }

    /// The same for as long as it may go on, which is asked after every so many pages; whether it came to the end.
    /// If not, what was written is forgotten: the state is the one before.
    pub fn freeze_while(
        &mut self,
        put: &mut dyn FnMut(Key, Component),
        goes_on: &dyn Fn() -> bool,
    ) -> bool {
        /// One megabyte.
        const PORTION: usize = 256;
        let mut written: Vec<(PageNumber, u32)> = self.dirty.drain().collect();
        written.sort_unstable();
        let stores = Arc::clone(&self.stores);
        for (done, &(page, frame)) in written.iter().enumerate() {
            if done % PORTION == PORTION - 1 && !goes_on() {
                written[done..].iter().for_each(|&(_, frame)| self.release(frame));
                self.flush();
                return false;
            }
            let old = self.page_id(page);
            let id = self.intern(page, old, frame);
            if id != old {
                put(Key::Page(page), id);
                self.give_back(page, frame, put);
                // What was decoded since is true of the new page; the next state may have the old.
                self.forget_code(page.index());
            }
            if id.0 == 0 || id == old || self.clean.contains_key(&id) {
                self.release(frame);
            } else {
                self.clean.insert(id, frame);
            }
        }
        if std::mem::take(&mut self.regions_changed) {
            self.regions_id = stores.regions.intern(self.layout.regions.clone());
            put(Key::Regions(self.layout.space), self.regions_id);
        }
        if self.spare.len() > MOST_SPARE {
            // Another worker may need as much for the next step.
            self.forget_frames();
            self.frames.shrink_to_fit();
        }
        self.flush();
        true
    }

    /// Forgets all pages that are kept as they were thawed.
    fn forget_frames(&mut self) {
        self.clean.clear();
        self.spare.clear();
        self.frames.truncate(FIRST_OWN as usize);
    }

    /// The component of a page that was written.
    fn intern(&mut self, page: PageNumber, old: Component, frame: u32) -> Component {
        match (frame, self.ones) {
            (ZEROS, _) => return Component(0),
            (ONES, Some(known)) => return known,
            _ => {}
        }
        let old_frame = self.frame_of(page);
        let (before, after) = (self.frame_bytes(old_frame), self.frame_bytes(frame));
        let id = self.stores.pages.intern(old, before, after);
        if frame == ONES {
            self.ones = Some(id);
        }
        id
    }

    /// How many pages were written since the last freeze.
    pub fn written_pages(&self) -> usize {
        self.dirty.len()
    }

    /// The pages that were written since the last freeze, ascending, as they are now: all of memory that a
    /// thread can have changed by its own instructions.
    pub fn written(&self) -> Vec<(PageNumber, Vec<u8>)> {
        let dirty = self.dirty.iter();
        let mut written: Vec<_> =
            dirty.map(|(&page, &frame)| (page, self.frame_bytes(frame).to_vec())).collect();
        written.sort_unstable_by_key(|(page, _)| *page);
        written
    }

    /// Whether all pages that were written since the last freeze are as they were then.
    pub fn is_as_frozen(&mut self) -> bool {
        let written: Vec<(PageNumber, u32)> =
            self.dirty.iter().map(|(&page, &frame)| (page, frame)).collect();
        written.into_iter().all(|(page, frame)| {
            let old = self.frozen_frame(page);
            self.frame_bytes(old) == self.frame_bytes(frame)
        })
    }

    /// Sets what lies below the running thread's stack pointer, and was written since the last
    /// freeze, to zero: no program may look there.
    pub fn clear_below(&mut self, esp: u32) {
        let (low, high) = self.stack;
        if esp <= low || esp > high {
            return;
        }
        let pages = self.layout.space.page(page_of(low))..=self.layout.space.page(page_of(esp - 1));
        for (&page, &frame) in self.dirty.iter().filter(|(page, _)| pages.contains(page)) {
            let length = (esp - (page.index() << 12)).min(PAGE) as usize;
            self.frames[frame as usize..frame as usize + length].fill(0);
        }
    }

    /// The table that pages come from: the state as it was when it was attached.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// What is mapped where.
    pub fn regions(&self) -> &Regions {
        &self.layout.regions
    }

    /// Whether a part of the memory that processes share is mapped.
    pub fn shares(&self) -> bool {
        self.layout.shares
    }

    /// The address space.
    pub fn space(&self) -> Space {
        self.layout.space
    }

    /// Where an address lies.
    pub fn place(&self, address: u32) -> Place {
        self.layout.place(address)
    }

    /// Changes the policy; where the change says so, it is asked about all pages anew.
    pub fn reconsider(&mut self, change: impl FnOnce(&mut P, &Layout) -> bool) {
        if change(&mut self.policy, &self.layout) {
            self.flush();
        }
    }

    /// What is mapped where in the process.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What is mapped where, and the policy, which wants to know that.
    pub fn with_policy(&mut self) -> (&Layout, &mut P) {
        (&self.layout, &mut self.policy)
    }

    /// The number of a page, or of a page of validity bits.
    fn number(&self, index: u32) -> PageNumber {
        if !self.layout.shares || index & VALIDITY != 0 {
            return self.layout.space.page(index);
        }
        let place = self.place(index << 12);
        place.space().page(place.page())
    }

    /// The component of a page in the frozen state.
    fn page_id(&self, page: PageNumber) -> Component {
        self.stores.component(self.frozen(), Key::Page(page))
    }

    /// Where it is noted what is read of the frozen state: what else a machine is made of notes there, too.
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// The frozen state, to be read.
    fn frozen(&self) -> Reading<'_> {
        Reading::recorded(&self.table, &self.recorder)
    }

    /// Says where the running thread's stack lies: `low..high`.
    pub fn set_stack(&mut self, low: u32, high: u32) {
        if self.stack != (low, high) {
            self.stack = (low, high);
            self.flush();
        }
    }

    /// Where the running thread's stack lies.
    pub fn stack(&self) -> (u32, u32) {
        self.stack
    }

    /// Reads `N` bytes (1, 2, 4, 8 or 16 on the fast path) as the thread whose stack pointer is
    /// `esp`. The kernel passes 0: nothing is below it.
    #[inline(always)]
    pub fn load<const N: usize>(&mut self, address: u32, esp: u32) -> Result<[u8; N], Fault> {
        let entry = self.read[slot(address)];
        let key = key::<N>(address);
        if entry.tag == key || (entry.tag == key | STACK && address >= esp) {
            let at = entry.frame as usize + (address & 0xfff) as usize;
            if let Some(bytes) = self.frames.get(at..at + N) {
                let bytes = bytes.try_into().unwrap_or([0; N]);
                self.follow_load(address, &bytes);
                return Ok(bytes);
            }
        }
        self.load_slow(address, esp)
    }

    /// Writes `N` bytes; the rest as in [`LiveMemory::load`].
    #[inline(always)]
    pub fn store<const N: usize>(
        &mut self,
        address: u32,
        bytes: [u8; N],
        esp: u32,
    ) -> Result<(), Fault> {
        let entry = self.write[slot(address)];
        let key = key::<N>(address);
        if entry.tag == key || (entry.tag == key | STACK && address >= esp) {
            let at = entry.frame as usize + (address & 0xfff) as usize;
            if let Some(place) = self.frames.get_mut(at..at + N) {
                place.copy_from_slice(&bytes);
                self.follow_store(address, N, at);
                return Ok(());
            }
        }
        self.store_slow(address, bytes, esp)
    }

    #[inline(never)]
    fn load_slow<const N: usize>(&mut self, address: u32, esp: u32) -> Result<[u8; N], Fault> {
        if self.policy.is_on() {
            return self.load_watched(address, esp);
        }
        if let Some(at) = self.valid_aligned::<N>(self.read[slot(address)], address) {
            let bytes = self.frames[at..at + N].try_into().unwrap_or([0; N]);
            self.follow_load(address, &bytes);
            return Ok(bytes);
        }
        let mut bytes = [0; N];
        self.read_as(address, &mut bytes, esp)?;
        self.follow_load(address, &bytes);
        Ok(bytes)
    }

    #[inline(never)]
    fn load_watched<const N: usize>(&mut self, address: u32, esp: u32) -> Result<[u8; N], Fault> {
        self.probe(address, N as u32, AccessKind::Read, esp)?;
        let mut bytes = [0; N];
        match self.decide(address, N as u32, false, esp)? {
            Passage::Earlier(Part::Read(earlier)) => {
                for (byte, &kept) in bytes.iter_mut().zip(&earlier) {
                    *byte = kept;
                }
            }
            Passage::Earlier(Part::Wrote) => unreachable!("an instruction does the same again"),
            Passage::Kept => {
                self.read_as(address, &mut bytes, esp)?;
                let mut kept = [0; KEPT];
                for (kept, &byte) in kept.iter_mut().zip(&bytes) {
                    *kept = byte;
                }
                self.policy.keep(Part::Read(kept));
            }
            Passage::Free | Passage::Refused => self.read_as(address, &mut bytes, esp)?,
        }
        self.follow_load(address, &bytes);
        Ok(bytes)
    }

    #[inline(never)]
    fn store_watched<const N: usize>(
        &mut self,
        address: u32,
        bytes: [u8; N],
        esp: u32,
    ) -> Result<(), Fault> {
        // Written as a whole or not at all, whatever is decided about it.
        self.probe(address, N as u32, AccessKind::Write, esp)?;
        match self.decide(address, N as u32, true, esp)? {
            Passage::Earlier(_) => return Ok(()),
            Passage::Free | Passage::Refused => {}
            Passage::Kept => self.policy.keep(Part::Wrote),
        }
        self.write_as(address, &bytes, esp)
    }

    /// Asks the policy about an access whose bytes may be touched.
    fn decide(&mut self, address: u32, size: u32, write: bool, esp: u32) -> Result<Passage, Fault> {
        let table = if write { &self.write } else { &self.read };
        let last = address.wrapping_add(size - 1);
        let parts = [(address, last.min(address | 0xfff)), (last & !0xfff, last)];
        let pages = if page_of(address) == page_of(last) { 1 } else { 2 };
        let mut asked = [Asked { address: 0, size: 0, owner: 0 }; 2];
        let mut count = 0;
        for &(from, to) in &parts[..pages] {
            let entry = table[slot(from)];
            if entry.tag & WATCHED != 0 {
                asked[count] = Asked { address: from, size: to - from + 1, owner: entry.owner };
                count += 1;
            }
        }
        match self.policy.decide(&self.layout, (address, size, write), &asked[..count], esp) {
            Passage::Refused => {
                self.error = None;
                Err(Fault)
            }
            passage => Ok(passage),
        }
    }

    #[inline(never)]
    fn store_slow<const N: usize>(
        &mut self,
        address: u32,
        bytes: [u8; N],
        esp: u32,
    ) -> Result<(), Fault> {
        if self.policy.is_on() {
            return self.store_watched(address, bytes, esp);
        }
        if let Some(at) = self.valid_aligned::<N>(self.write[slot(address)], address) {
            self.frames[at..at + N].copy_from_slice(&bytes);
            self.follow_store(address, N, at);
            return Ok(());
        }
        self.write_as(address, &bytes, esp)
    }

    /// Where the bytes of an aligned access to valid heap bytes are, if the page is in the TLB: the
    /// usual access to a small block.
    #[inline(always)]
    fn valid_aligned<const N: usize>(&self, entry: Entry, address: u32) -> Option<usize> {
        if N > 8 || entry.tag != key::<N>(address) | HEAP {
            return None;
        }
        let offset = (address & 0xfff) as usize;
        let bits = self.frames[entry.validity as usize + offset / 8] >> (offset % 8);
        let wanted = 0xff >> (8 - N);
        (bits & wanted == wanted).then_some(entry.frame as usize + offset)
    }

    /// The word at an address, if it lies on one page that can be read. No search takes note of it,
    /// and no access is checked: it is for arguments on the stack.
    pub fn peek(&mut self, address: u32) -> Option<u32> {
        let (page, offset) = (page_of(address), (address & 0xfff) as usize);
        let entry = self.read[slot(address)];
        let frame = if entry.tag != EMPTY.tag && page_of(entry.tag) == page {
            entry.frame
        } else {
            self.layout.regions.find(address).filter(|(_, region)| region.protection.read)?;
            self.frame(page)
        };
        let bytes = self.frame_bytes(frame).get(offset..offset + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }

    /// Reads any number of bytes as the kernel does: the stack pointer does not matter.
    pub fn read_bytes(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), Fault> {
        self.policy.note(&self.layout, address, address.saturating_add(bytes.len() as u32), false);
        self.read_as(address, bytes, 0)?;
        self.follow_bytes(address, bytes);
        Ok(())
    }

    /// Writes any number of bytes as the kernel does.
    pub fn write_bytes(&mut self, address: u32, bytes: &[u8]) -> Result<(), Fault> {
        self.policy.note(&self.layout, address, address.saturating_add(bytes.len() as u32), true);
        self.write_as(address, bytes, 0)?;
        self.make_defined(address, bytes.len() as u32);
        Ok(())
    }

    /// Checks a whole access without doing it.
    pub fn probe(
        &mut self,
        address: u32,
        size: u32,
        kind: AccessKind,
        esp: u32,
    ) -> Result<(), Fault> {
        let mut done = 0;
        while done < size {
            let at = address.wrapping_add(done);
            let part = (PAGE - (at & 0xfff)).min(size - done);
            self.checked(address, size, at, part, kind, esp)?;
            done += part;
        }
        Ok(())
    }

    fn read_as(&mut self, address: u32, bytes: &mut [u8], esp: u32) -> Result<(), Fault> {
        let size = bytes.len() as u32;
        let mut done = 0;
        while done < size {
            let at = address.wrapping_add(done);
            let part = (PAGE - (at & 0xfff)).min(size - done);
            let entry = self.checked(address, size, at, part, AccessKind::Read, esp)?;
            let from = entry.frame as usize + (at & 0xfff) as usize;
            bytes[done as usize..(done + part) as usize]
                .copy_from_slice(&self.frames[from..from + part as usize]);
            done += part;
        }
        Ok(())
    }

    fn write_as(&mut self, address: u32, bytes: &[u8], esp: u32) -> Result<(), Fault> {
        let size = bytes.len() as u32;
        // An access that crosses a page is refused as a whole, before its first byte is written.
        if (address & 0xfff) + size > PAGE {
            self.probe(address, size, AccessKind::Write, esp)?;
        }
        let mut done = 0;
        while done < size {
            let at = address.wrapping_add(done);
            let part = (PAGE - (at & 0xfff)).min(size - done);
            let entry = self.checked(address, size, at, part, AccessKind::Write, esp)?;
            let from = entry.frame as usize + (at & 0xfff) as usize;
            self.frames[from..from + part as usize]
                .copy_from_slice(&bytes[done as usize..(done + part) as usize]);
            self.follow_store(at, part as usize, from);
            done += part;
        }
        Ok(())
    }

    /// The TLB entry for `part` bytes at `at` (within one page) of an access of `size` bytes at
    /// `address`, if all those bytes may be accessed.
    fn checked(
        &mut self,
        address: u32,
        size: u32,
        at: u32,
        part: u32,
        kind: AccessKind,
        esp: u32,
    ) -> Result<Entry, Fault> {
        let entry = match kind {
            AccessKind::Write => self.write[slot(at)],
            _ => self.read[slot(at)],
        };
        let entry = if entry.tag & !(STACK | HEAP | WATCHED | ENDED) == at & !0xfff {
            Ok(entry)
        } else {
            self.fill(page_of(at), kind)
        };
        let refusal = entry.and_then(|entry| match self.refused(entry, at, part, esp) {
            None => Ok(entry),
            Some((problem, byte)) => Err(Some((problem, byte))),
        });
        refusal.map_err(|refusal| {
            if refusal.is_none() {
                self.policy.instruction_restarts();
            }
            self.error = refusal.map(|(problem, byte)| {
                let byte = if problem == Problem::Heap { byte } else { byte.max(at) };
                AccessError { problem, kind, byte, address, size }
            });
            Fault
        })
    }

    /// Why some of `part` bytes at `at` may not be touched, with the first such byte.
    fn refused(&self, entry: Entry, at: u32, part: u32, esp: u32) -> Option<(Problem, u32)> {
        if entry.tag & STACK != 0 && at < esp && esp <= self.stack.1 {
            return Some((Problem::BelowStackPointer, at));
        }
        if entry.tag & ENDED != 0 && at < entry.validity {
            return Some((Problem::EndedStack, at));
        }
        if entry.tag & HEAP != 0 {
            let bits = &self.frames[entry.validity as usize..entry.validity as usize + 512];
            let first = at & 0xfff;
            let valid = |offset: u32| bits[offset as usize / 8] >> (offset % 8) & 1 == 1;
            return (first..first + part)
                .find(|&offset| !valid(offset))
                .map(|offset| (Problem::Heap, (at & !0xfff) + offset));
        }
        None
    }

    /// Brings a page into the TLB. `Err(None)` means: the page holds decoded code that must be
    /// forgotten before it may be written.
    #[inline(never)]
    fn fill(&mut self, page: u32, kind: AccessKind) -> Result<Entry, Option<(Problem, u32)>> {
        let address = page << 12;
        let Some((_, region)) = self.layout.regions.find(address) else {
            return Err(Some((Problem::Unmapped, address)));
        };
        let allowed = match kind {
            AccessKind::Read => region.protection.read,
            AccessKind::Write => region.protection.write,
            AccessKind::Execute => region.protection.execute,
        };
        if !allowed {
            return Err(Some((Problem::Protected, address)));
        }
        if self.is_past_file_end(region.kind, address) {
            return Err(Some((Problem::PastFileEnd, address)));
        }
        if let RegionKind::EndedStack { top, .. } = region.kind
            && page < page_of(top)
        {
            return Err(Some((Problem::EndedStack, address)));
        }
        if kind == AccessKind::Write && self.forget_code(page) {
            return Err(None);
        }
        let frame =
            if kind == AccessKind::Write { self.dirty_frame(page) } else { self.frame(page) };
        let owner = region.kind.owner().map_or(0, |thread| thread.0);
        let mut entry = Entry { tag: address, frame, validity: 0, owner };
        if self.policy.is_on()
            && self.policy.asks_about(
                &self.layout,
                region.kind.place(self.layout.space, address),
                region.kind,
                kind == AccessKind::Write,
            )
        {
            entry.tag |= WATCHED;
        }
        if address >= self.stack.0 && address < self.stack.1 {
            entry.tag |= STACK;
        } else if region.kind == RegionKind::Heap {
            let validity = self.frame(VALIDITY | (page >> 3)) + (page & 7) * 512;
            let bits = &self.frames[validity as usize..validity as usize + 512];
            if bits.iter().any(|&byte| byte != 0xff) {
                entry.tag |= HEAP;
                entry.validity = validity;
            }
        } else if let RegionKind::EndedStack { top, .. } = region.kind
            && address < top
        {
            entry.tag |= ENDED;
            entry.validity = top;
        }
        if self.filled.len() < FEW {
            self.filled.push(slot(address) as u8);
        }
        if kind == AccessKind::Write {
            self.write[slot(address)] = entry;
        }
        // After a copy on write the old frame must not be read any more.
        if region.protection.read {
            self.read[slot(address)] = entry;
        }
        Ok(entry)
    }

    /// The frame with an index's current content, for reading.
    fn frame(&mut self, index: u32) -> u32 {
        self.frame_of(self.number(index))
    }

    fn frame_of(&mut self, page: PageNumber) -> u32 {
        match self.dirty.get(&page) {
            Some(&frame) => frame,
            None => self.frozen_frame(page),
        }
    }

    /// The frame of a page as it was when the state was attached or frozen last.
    fn frozen_frame(&mut self, page: PageNumber) -> u32 {
        let id = self.page_id(page);
        if id.0 == 0 {
            return ZEROS;
        }
        if let Some(&frame) = self.clean.get(&id) {
            return frame;
        }
        let frame = self.new_frame();
        let place = &mut self.frames[frame as usize..frame as usize + PAGE_SIZE];
        self.stores.pages.read(id, place.try_into().expect("a frame is a page long"));
        self.clean.insert(id, frame);
        frame
    }

    /// The frame of an index in the write set, copied there if it is not yet.
    fn dirty_frame(&mut self, index: u32) -> u32 {
        self.dirty_frame_of(self.number(index))
    }

    fn dirty_frame_of(&mut self, page: PageNumber) -> u32 {
        if let Some(&frame) = self.dirty.get(&page)
            && frame >= FIRST_OWN
        {
            return frame;
        }
        let old = self.frame_of(page) as usize;
        let frame = self.new_frame();
        self.frames.copy_within(old..old + PAGE_SIZE, frame as usize);
        self.dirty.insert(page, frame);
        if page.space() == Space::SHARED {
            // It may be mapped elsewhere too.
            self.flush();
        }
        frame
    }

    /// A page gets the content of a constant frame.
    fn set_constant(&mut self, page: PageNumber, frame: u32) {
        if let Some(old) = self.dirty.insert(page, frame) {
            self.release(old);
        }
    }

    /// A frame is no longer in use.
    fn release(&mut self, frame: u32) {
        if frame >= FIRST_OWN {
            self.spare.push(frame);
        }
    }

    fn new_frame(&mut self) -> u32 {
        self.spare.pop().unwrap_or_else(|| {
            let frame = u32::try_from(self.frames.len()).expect("less than 4 GiB of frames");
            self.frames.resize(self.frames.len() + PAGE_SIZE, 0);
            frame
        })
    }

    fn frame_bytes(&self, frame: u32) -> &PageBytes {
        self.frames[frame as usize..frame as usize + PAGE_SIZE]
            .try_into()
            .expect("a frame is a page long")
    }

    fn flush(&mut self) {
        if self.filled.len() >= FEW {
            self.read.fill(EMPTY);
            self.write.fill(EMPTY);
        } else {
            for &slot in &self.filled {
                self.read[usize::from(slot)] = EMPTY;
                self.write[usize::from(slot)] = EMPTY;
            }
        }
        self.filled.clear();
    }

    fn flush_page(&mut self, page: u32) {
        let slot = page as usize % ENTRIES;
        self.read[slot] = EMPTY;
        self.write[slot] = EMPTY;
    }

    /// Why the last access was refused. `None`: code was changed, see
    /// [`LiveMemory::take_code_changes`]; the access is to be tried again.
    pub fn take_error(&mut self) -> Option<AccessError> {
        self.error.take()
    }
}

#[cfg(test)]
mod tests;
