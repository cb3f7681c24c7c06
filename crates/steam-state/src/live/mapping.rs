//! Mappings of a thawed address space: made, changed, removed, cleared.

use std::sync::atomic::Ordering;

use super::{LiveMemory, PAGE};
use crate::page::{PAGE_SIZE, PageBytes, page_of};
use crate::region::{Protection, Region, RegionKind};

impl LiveMemory {
    /// Maps `start..end`, with zeros in it.
    pub fn map(&mut self, start: u32, end: u32, protection: Protection, kind: RegionKind) {
        self.drop_pages(start, end);
        self.regions.insert(start, Region { end, protection, kind });
        self.mapping_changed(start, end);
    }

    /// Unmaps `start..end`.
    pub fn unmap(&mut self, start: u32, end: u32) {
        self.drop_pages(start, end);
        self.regions.remove(start, end);
        self.mapping_changed(start, end);
    }

    /// Changes what accesses `start..end` allows; false if not all of it is mapped.
    pub fn protect(&mut self, start: u32, end: u32, protection: Protection) -> bool {
        if !self.regions.covers(start, end) {
            return false;
        }
        for (from, region) in self.regions.within(start, end) {
            let was_code = region.protection.execute;
            if region.kind == RegionKind::Image
                && (was_code != protection.execute || (was_code && protection.write))
            {
                self.stores.patches_code.store(true, Ordering::Relaxed);
            }
            self.regions.insert(from, Region { protection, ..region });
        }
        self.mapping_changed(start, end);
        true
    }

    /// Says what `start..end` is for; all of it is mapped.
    pub fn set_kind(&mut self, start: u32, end: u32, kind: RegionKind) {
        for (from, region) in self.regions.within(start, end) {
            self.regions.insert(from, Region { kind, ..region });
        }
        self.mapping_changed(start, end);
    }

    /// Sets the bytes of `start..end` to zero, whatever their protection; whole pages are dropped.
    pub fn clear(&mut self, start: u32, end: u32) {
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

    fn drop_pages(&mut self, start: u32, end: u32) {
        let (first, last) = (page_of(start), page_of(end - 1));
        let written: Vec<u32> = if (last - first) as usize <= self.dirty.len() {
            (first..=last).filter(|page| self.dirty.contains_key(page)).collect()
        } else {
            self.dirty.keys().copied().filter(|page| (first..=last).contains(page)).collect()
        };
        for page in written {
            self.spare.extend(self.dirty.remove(&page));
            self.flush_page(page);
        }
        for page in self.stores.held_pages(&self.table, first, last) {
            // Its old content is needed when it is frozen: it counts as written, with zeros.
            let frame = self.new_frame();
            self.frames[frame as usize..frame as usize + PAGE_SIZE].fill(0);
            self.dirty.insert(page, frame);
            self.flush_page(page);
        }
    }

    fn mapping_changed(&mut self, start: u32, end: u32) {
        let pages = page_of(start)..=page_of(end - 1);
        let stale: Vec<u32> =
            self.code.iter().copied().filter(|page| pages.contains(page)).collect();
        for page in stale {
            self.forget_code(page);
        }
        self.regions_changed = true;
        self.flush();
    }

    /// Puts a whole page's content in place, as the loader does, whatever its protection.
    pub fn place_page(&mut self, address: u32, content: &PageBytes) {
        let page = page_of(address);
        let frame = self.dirty_frame(page) as usize;
        self.frames[frame..frame + PAGE_SIZE].copy_from_slice(content);
        self.flush_page(page);
    }
}
