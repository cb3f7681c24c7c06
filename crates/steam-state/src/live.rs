//! A thawed address space: what a running thread reads and writes.
//!
//! Pages live as 4 KiB *frames* in one byte vector. A software TLB maps page numbers to frames; its
//! tags encode what must be checked, so that the usual access costs one compare:
//!
//! * plain pages: the tag is the page address, and an aligned access matches it exactly;
//! * pages of the running thread's stack carry `STACK`: bytes below the stack pointer are refused;
//! * heap pages that are not wholly inside live blocks carry `HEAP`: each byte has a validity bit.
//!
//! A page enters the write TLB only after it was copied into the write set. Unaligned accesses,
//! misses and refusals take the slow path, which decides byte by byte.
//!
//! Invariant: nothing here changes a frozen component; [`LiveMemory::freeze`] interns the write set
//! and nothing else.

mod mapping;
mod scan;
mod validity;

use std::sync::Arc;

use ahash::{HashMap, HashSet, RandomState};

use crate::access::{AccessError, AccessKind, Fault, Problem};
use crate::intern::{Component, Interner};
use crate::memory::Memory;
use crate::page::{PAGE_SIZE, PageBytes, page_of};
use crate::region::RegionKind;

const ENTRIES: usize = 256;
/// Low tag bits that no aligned access of up to 16 bytes can have.
const STACK: u32 = 0x10;
const HEAP: u32 = 0x20;
const INVALID: u32 = 0xfff;
/// A tag that no entry has, not even with `STACK` or `HEAP`.
const UNALIGNED: u32 = 0x800;
const PAGE: u32 = PAGE_SIZE as u32;
/// Where the validity pages begin in the page table.
const VALIDITY: u32 = 1 << 20;
/// Clean frames kept before the cache starts anew.
const CACHE_FRAMES: usize = 1 << 16;

#[derive(Clone, Copy)]
struct Entry {
    tag: u32,
    /// Byte offset of the page's frame in the frame vector.
    frame: u32,
    /// Byte offset of the page's 512 validity bytes, for `HEAP` pages.
    validity: u32,
}

const EMPTY: Entry = Entry { tag: INVALID, frame: 0, validity: 0 };

/// One process's memory, thawed.
pub struct LiveMemory {
    read: [Entry; ENTRIES],
    write: [Entry; ENTRIES],
    frames: Vec<u8>,
    spare: Vec<u32>,
    clean: HashMap<Component, u32>,
    dirty: HashMap<u32, u32>,
    memory: Memory,
    store: Arc<Interner<PageBytes>>,
    stack: (u32, u32),
    error: Option<AccessError>,
    /// Pages from which instructions were decoded.
    code: HashSet<u32>,
    code_changes: Vec<u32>,
}

fn fixed() -> RandomState {
    RandomState::with_seeds(5, 6, 7, 8)
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

impl LiveMemory {
    /// Thaws an address space.
    pub fn new(store: Arc<Interner<PageBytes>>, memory: Memory) -> Self {
        Self {
            read: [EMPTY; ENTRIES],
            write: [EMPTY; ENTRIES],
            // Frame 0 is the page of zeros, the content of every page that was never written.
            frames: vec![0; PAGE_SIZE],
            spare: Vec::new(),
            clean: HashMap::with_hasher(fixed()),
            dirty: HashMap::with_hasher(fixed()),
            memory,
            store,
            stack: (0, 0),
            error: None,
            code: HashSet::with_hasher(fixed()),
            code_changes: Vec::new(),
        }
    }

    /// Goes on with another address space, keeping the cached frames. What was written and not
    /// frozen is forgotten.
    pub fn attach(&mut self, memory: Memory) {
        self.forget_other_code(&memory);
        self.spare.extend(self.dirty.drain().map(|(_, frame)| frame));
        if self.clean.len() > CACHE_FRAMES {
            self.clean.clear();
            self.spare.clear();
            self.frames.truncate(PAGE_SIZE);
        }
        self.memory = memory;
        self.flush();
    }

    /// Marks decoded code stale where another address space has other bytes or mappings.
    fn forget_other_code(&mut self, other: &Memory) {
        let moved = !self.memory.regions.is_same_version(&other.regions);
        let stale: Vec<u32> = self
            .code
            .iter()
            .copied()
            .filter(|page| {
                self.dirty.contains_key(page)
                    || self.memory.pages.get(*page) != other.pages.get(*page)
                    || moved
                        && self.memory.regions.find(page << 12) != other.regions.find(page << 12)
            })
            .collect();
        for page in stale {
            self.code.remove(&page);
            self.code_changes.push(page);
        }
    }

    /// Interns what was written; the result is the frozen address space.
    pub fn freeze(&mut self) -> Memory {
        let mut written: Vec<(u32, u32)> = self.dirty.drain().collect();
        written.sort_unstable();
        for (index, frame) in written {
            let id = self.store.intern(*self.frame_bytes(frame));
            self.memory.pages.set(index, id);
            if id.0 == 0 || self.clean.contains_key(&id) {
                self.spare.push(frame);
            } else {
                self.clean.insert(id, frame);
            }
        }
        self.flush();
        self.memory.clone()
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
                return Ok(bytes.try_into().unwrap_or([0; N]));
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
                return Ok(());
            }
        }
        self.store_slow(address, bytes, esp)
    }

    #[inline(never)]
    fn load_slow<const N: usize>(&mut self, address: u32, esp: u32) -> Result<[u8; N], Fault> {
        if let Some(at) = self.valid_aligned::<N>(self.read[slot(address)], address) {
            return Ok(self.frames[at..at + N].try_into().unwrap_or([0; N]));
        }
        let mut bytes = [0; N];
        self.read_as(address, &mut bytes, esp)?;
        Ok(bytes)
    }

    #[inline(never)]
    fn store_slow<const N: usize>(
        &mut self,
        address: u32,
        bytes: [u8; N],
        esp: u32,
    ) -> Result<(), Fault> {
        if let Some(at) = self.valid_aligned::<N>(self.write[slot(address)], address) {
            self.frames[at..at + N].copy_from_slice(&bytes);
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

    /// Reads any number of bytes as the kernel does: the stack pointer does not matter.
    pub fn read_bytes(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), Fault> {
        self.read_as(address, bytes, 0)
    }

    /// Writes any number of bytes as the kernel does.
    pub fn write_bytes(&mut self, address: u32, bytes: &[u8]) -> Result<(), Fault> {
        self.write_as(address, bytes, 0)
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
        let entry = if entry.tag & !(STACK | HEAP) == at & !0xfff {
            Ok(entry)
        } else {
            self.fill(page_of(at), kind)
        };
        let refusal = entry.and_then(|entry| match self.refused(entry, at, part, esp) {
            None => Ok(entry),
            Some((problem, byte)) => Err(Some((problem, byte))),
        });
        refusal.map_err(|refusal| {
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
        let Some((_, region)) = self.memory.regions.find(address) else {
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
        if kind == AccessKind::Write && self.code.remove(&page) {
            self.code_changes.push(page);
            return Err(None);
        }
        let frame =
            if kind == AccessKind::Write { self.dirty_frame(page) } else { self.frame(page) };
        let mut entry = Entry { tag: address, frame, validity: 0 };
        if address >= self.stack.0 && address < self.stack.1 {
            entry.tag |= STACK;
        } else if region.kind == RegionKind::Heap {
            let validity = self.frame(VALIDITY | (page >> 3)) + (page & 7) * 512;
            let bits = &self.frames[validity as usize..validity as usize + 512];
            if bits.iter().any(|&byte| byte != 0xff) {
                entry.tag |= HEAP;
                entry.validity = validity;
            }
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
        if let Some(&frame) = self.dirty.get(&index) {
            return frame;
        }
        let id = self.memory.pages.get(index);
        if id.0 == 0 {
            return 0;
        }
        if let Some(&frame) = self.clean.get(&id) {
            return frame;
        }
        let content = self.store.get(id);
        let frame = self.new_frame();
        self.frames[frame as usize..frame as usize + PAGE_SIZE].copy_from_slice(&*content);
        self.clean.insert(id, frame);
        frame
    }

    /// The frame of an index in the write set, copied there if it is not yet.
    fn dirty_frame(&mut self, index: u32) -> u32 {
        if let Some(&frame) = self.dirty.get(&index) {
            return frame;
        }
        let old = self.frame(index) as usize;
        let frame = self.new_frame();
        self.frames.copy_within(old..old + PAGE_SIZE, frame as usize);
        self.dirty.insert(index, frame);
        frame
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
        self.read.fill(EMPTY);
        self.write.fill(EMPTY);
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

    /// Up to 15 bytes of instructions at an address; fewer at the end of executable memory. Their
    /// pages are remembered: a write to them asks first to forget what was decoded.
    pub fn fetch(&mut self, address: u32) -> Result<([u8; 15], usize), Fault> {
        let (bytes, length) = self.fetch_once(address)?;
        for page in [page_of(address), page_of(address.wrapping_add(length as u32 - 1))] {
            if self.code.insert(page) {
                self.write[page as usize % ENTRIES] = EMPTY;
            }
        }
        Ok((bytes, length))
    }

    /// The same bytes, for an instruction that is executed once and not kept.
    pub fn fetch_once(&mut self, address: u32) -> Result<([u8; 15], usize), Fault> {
        let mut bytes = [0; 15];
        let mut length = 0;
        while length < bytes.len() {
            let at = address.wrapping_add(length as u32);
            let page = page_of(at);
            let executable =
                self.memory.regions.find(at).map(|(_, region)| region.protection.execute);
            if executable != Some(true) {
                if length > 0 {
                    break;
                }
                let problem =
                    if executable.is_none() { Problem::Unmapped } else { Problem::Protected };
                self.error = Some(AccessError {
                    problem,
                    kind: AccessKind::Execute,
                    byte: at,
                    address: at,
                    size: 1,
                });
                return Err(Fault);
            }
            let frame = self.frame(page) as usize;
            let from = (at & 0xfff) as usize;
            let part = (PAGE_SIZE - from).min(bytes.len() - length);
            bytes[length..length + part]
                .copy_from_slice(&self.frames[frame + from..frame + from + part]);
            length += part;
        }
        Ok((bytes, length))
    }

    /// The pages whose decoded instructions are no longer true.
    pub fn take_code_changes(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.code_changes)
    }

    /// Whether decoded instructions must be forgotten before going on.
    pub fn code_changed(&self) -> bool {
        !self.code_changes.is_empty()
    }

    /// The address space as it was last frozen, with its current mappings.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }
}

#[cfg(test)]
mod tests;
