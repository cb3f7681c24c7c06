//! Mappings of a thawed address space: made, changed, removed, cleared.

use std::sync::atomic::Ordering;

use super::{LiveMemory, PAGE, ZEROS};
use crate::page::{PAGE_SIZE, PageBytes, page_of};
use crate::place::{PageNumber, Space};
use crate::policy::Policy;
use crate::region::{Protection, Region, RegionKind};

/// A part of the memory that processes share which lies past the end of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PastFileEnd {
    /// The first address of it there: the first page of which the file has no byte.
    pub start: u32,
    /// The first address after it.
    pub end: u32,
    /// How many bytes the file has.
    pub size: u64,
}

impl<P: Policy> LiveMemory<P> {
    /// Maps `start..end`, with zeros in it.
    pub fn map(&mut self, start: u32, end: u32, protection: Protection, kind: RegionKind) {
        self.note_mapped(start, end);
        self.drop_pages(start, end);
        self.layout.regions.insert(start, Region { end, protection, kind, locked: false });
        self.make_defined(start, end - start);
        self.mapping_changed(start, end);
    }

    /// Unmaps `start..end`.
    pub fn unmap(&mut self, start: u32, end: u32) {
        self.note_mapped(start, end);
        self.drop_pages(start, end);
        self.layout.regions.remove(start, end);
        self.mapping_changed(start, end);
    }

    /// Changes what accesses `start..end` allows; false if not all of it is mapped.
    pub fn protect(&mut self, start: u32, end: u32, protection: Protection) -> bool {
        if !self.layout.regions.covers(start, end) {
            return false;
        }
        self.note_mapped(start, end);
        for (from, region) in self.layout.regions.within(start, end) {
            let was_code = region.protection.execute;
            if matches!(region.kind, RegionKind::Image(_))
                && (was_code != protection.execute || (was_code && protection.write))
            {
                self.stores.patches_code.store(true, Ordering::Relaxed);
            }
            self.layout.regions.insert(from, Region { protection, ..region });
        }
        self.mapping_changed(start, end);
        true
    }

    /// Notes that what is mapped in `start..end` changes for those who access it.
    fn note_mapped(&mut self, start: u32, end: u32) {
        for (from, region) in self.layout.regions.within(start, end) {
            self.policy.note_mapping(&self.layout, from, region.end);
        }
    }

    /// Says what `start..end` is for; all of it is mapped.
    pub fn set_kind(&mut self, start: u32, end: u32, kind: RegionKind) {
        for (from, region) in self.layout.regions.within(start, end) {
            self.layout.regions.insert(from, Region { kind, ..region });
        }
        self.mapping_changed(start, end);
    }

    /// Says whether the mappings in `start..end` are to stay in memory.
    pub fn set_locked(&mut self, start: u32, end: u32, locked: bool) {
        for (from, region) in self.layout.regions.within(start, end) {
            if region.locked != locked {
                self.layout.regions.insert(from, Region { locked, ..region });
                self.regions_changed = true;
            }
        }
    }

    /// Sets the bytes of `start..end` to zero, whatever their protection; whole pages are dropped.
    pub fn clear(&mut self, start: u32, end: u32) {
        self.make_defined(start, end - start);
        let first_whole = start.next_multiple_of(PAGE);
        let end_whole = end & !0xfff;
        if first_whole < end_whole {
            self.drop_pages(first_whole, end_whole);
        }
        for (from, to) in [(start, end.min(first_whole)), (end_whole.max(start), end)] {
            if from < to && from & !0xfff == (to - 1) & !0xfff {
                self.clear_within_page(from, to);
            }
        }
    }

    fn clear_within_page(&mut self, from: u32, to: u32) {
        let page = page_of(from);
        if self.frame(page) == 0 {
            return;
        }
        let frame = self.dirty_frame(page) as usize;
        let offset = frame + (from & 0xfff) as usize;
        self.frames[offset..offset + (to - from) as usize].fill(0);
        self.flush_page(page);
    }

    /// Sets the process's own pages of `start..end` to zero. What it shows of the memory that
    /// processes share has no pages there.
    fn drop_pages(&mut self, start: u32, end: u32) {
        self.drop_pages_of(self.layout.space, page_of(start), page_of(end - 1));
    }

    /// Sets pages of the memory that processes share to zero: no process maps them any more.
    pub fn drop_shared(&mut self, start: u32, end: u32) {
        self.drop_pages_of(Space::SHARED, page_of(start), page_of(end - 1));
    }

    fn drop_pages_of(&mut self, space: Space, first: u32, last: u32) {
        let pages = space.page(first)..=space.page(last);
        let written: Vec<PageNumber> = if (last - first) as usize <= self.dirty.len() {
            let pages = (first..=last).map(|page| space.page(page));
            pages.filter(|page| self.dirty.contains_key(page)).collect()
        } else {
            self.dirty.keys().copied().filter(|page| pages.contains(page)).collect()
        };
        for page in written {
            if let Some(frame) = self.dirty.remove(&page) {
                self.release(frame);
            }
            self.flush_page(page.index());
        }
        for page in self.stores.held_pages(self.frozen(), space, first, last) {
            // Its old content is needed when it is frozen: it counts as written, with zeros.
            self.set_constant(space.page(page), ZEROS);
            self.flush_page(page);
        }
    }

    fn mapping_changed(&mut self, start: u32, end: u32) {
        let pages = page_of(start)..=page_of(end - 1);
        let stale: Vec<u32> =
            self.code.keys().copied().filter(|page| pages.contains(page)).collect();
        for page in stale {
            self.forget_code(page);
        }
        self.regions_changed = true;
        self.layout.shares = self.layout.regions.share();
        self.flush();
    }

    /// Says which parts of the memory that processes share lie past the ends of files.
    pub fn set_past_file_ends(&mut self, behind: Vec<PastFileEnd>) {
        if self.past_file_ends != behind {
            self.past_file_ends = behind;
            self.flush();
        }
    }

    /// The part behind a file in which an address lies, if processes share what is mapped there.
    pub fn past_file_end(&self, address: u32) -> Option<PastFileEnd> {
        let (_, region) = self.layout.regions.find(address)?;
        self.shared_past_file_end(region.kind, address)
    }

    fn shared_past_file_end(&self, kind: RegionKind, address: u32) -> Option<PastFileEnd> {
        // Only what processes share may lie past the end of a file; private copies have a region of that kind.
        let RegionKind::Shared(distance) = kind else { return None };
        let place = address.wrapping_add(distance);
        self.past_file_ends.iter().copied().find(|part| (part.start..part.end).contains(&place))
    }

    /// Whether an address of a mapping lies on a page of which its file has no byte.
    pub(super) fn is_past_file_end(&self, kind: RegionKind, address: u32) -> bool {
        kind == RegionKind::PastFileEnd || self.shared_past_file_end(kind, address).is_some()
    }

    /// A page of the memory that processes share, by its address there.
    pub fn shared_page(&mut self, address: u32) -> &PageBytes {
        let frame = self.frame_of(Space::SHARED.page(page_of(address)));
        self.frame_bytes(frame)
    }

    /// The pages of `start..end` of the memory that processes share, ascending, but for some or all of those
    /// that are nothing but zeros.
    pub fn shared_pages(&self, start: u32, end: u32) -> Vec<u32> {
        if start >= end {
            return Vec::new();
        }
        let (first, last) = (page_of(start), page_of(end - 1));
        let mut pages = self.stores.held_pages(self.frozen(), Space::SHARED, first, last);
        let range = Space::SHARED.page(first)..=Space::SHARED.page(last);
        let written = self.dirty.keys().filter(|page| range.contains(page));
        pages.extend(written.map(|page| page.index()));
        pages.sort_unstable();
        pages.dedup();
        pages.into_iter().map(|page| page << 12).collect()
    }

    /// Puts a whole page of the memory that processes share in place.
    pub fn place_shared_page(&mut self, address: u32, content: &PageBytes) {
        let frame = self.dirty_frame_of(Space::SHARED.page(page_of(address))) as usize;
        self.frames[frame..frame + PAGE_SIZE].copy_from_slice(content);
    }

    /// Puts a whole page's content in place, as the loader does, whatever its protection.
    pub fn place_page(&mut self, address: u32, content: &PageBytes) {
        let page = page_of(address);
        let frame = self.dirty_frame(page) as usize;
        self.frames[frame..frame + PAGE_SIZE].copy_from_slice(content);
        self.make_defined(address, PAGE);
        self.flush_page(page);
    }
}
