//! The mappings of an address space.
//!
//! Invariant: regions are page-aligned, not empty, and do not overlap; neighbours that differ in
//! nothing are joined, so that equal address spaces are equal values.
//!
//! They lie in one sorted vector: a program has few, looks them up all the time, and changes them
//! where it creates a thread.

use std::sync::Arc;

use crate::context::ThreadId;
use crate::page::PAGE_SIZE;
use crate::place::{Place, Space};

/// What accesses a mapping allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Protection {
    /// Bytes may be read.
    pub read: bool,
    /// Bytes may be written.
    pub write: bool,
    /// Instructions may be fetched.
    pub execute: bool,
}

impl Protection {
    /// No access at all.
    pub const NONE: Self = Self { read: false, write: false, execute: false };
    /// Reading only.
    pub const READ: Self = Self { read: true, write: false, execute: false };
    /// Reading and writing.
    pub const READ_WRITE: Self = Self { read: true, write: true, execute: false };
}

/// What a mapping is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum RegionKind {
    /// Part of an executable file, by the number of the file.
    Image(u32),
    /// The area that `brk` moves.
    Break,
    /// A thread's stack, with what its library keeps for it.
    Stack(ThreadId),
    /// The stack of a thread that has ended. What its library keeps for it lies above, and stays in use.
    EndedStack {
        /// The number that the thread had.
        thread: ThreadId,
        /// No thread may touch what lies below.
        top: u32,
    },
    /// Made by `mmap`.
    Mapped,
    /// Made by `mmap` of a file, of which it is a copy: what is written there stays in the process.
    FileCopy {
        /// The number of the file.
        file: u32,
        /// A page's number and this one are the number of the file's page.
        distance: u32,
    },
    /// The stack of a thread that does not live in this process, whose memory is a copy.
    Former {
        /// Whether it was the first thread's.
        first: bool,
    },
    /// Made by `mmap` of a file that never grows, past its end: no access is allowed.
    PastFileEnd,
    /// A part of the memory that processes share: an address and this number are the address there.
    Shared(u32),
    /// The heap pool: every byte is checked against the live blocks.
    Heap,
}

impl RegionKind {
    /// The thread that the mapping belongs to.
    pub fn owner(self) -> Option<ThreadId> {
        match self {
            Self::Stack(thread) | Self::EndedStack { thread, .. } => Some(thread),
            _ => None,
        }
    }

    /// Where an address of the mapping lies, in a process that has this space.
    pub fn place(self, space: Space, address: u32) -> Place {
        match self {
            Self::Shared(distance) => Space::SHARED.at(address.wrapping_add(distance)),
            _ => space.at(address),
        }
    }
}

/// One mapping, from the key it has in [`Regions`] to `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Region {
    /// First address after the mapping.
    pub end: u32,
    /// What it allows.
    pub protection: Protection,
    /// What it is for.
    pub kind: RegionKind,
    /// Whether it is to stay in memory (`mlock`).
    pub locked: bool,
}

/// All mappings of an address space, by start address.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Regions {
    by_start: Arc<Vec<(u32, Region)>>,
}

impl Regions {
    /// The number of mappings that begin below an address, or at it.
    fn rank(&self, address: u32) -> usize {
        self.by_start.partition_point(|(start, _)| *start <= address)
    }

    /// The mapping that holds an address, with its start.
    pub fn find(&self, address: u32) -> Option<(u32, Region)> {
        let (start, region) = *self.by_start.get(self.rank(address).checked_sub(1)?)?;
        (address < region.end).then_some((start, region))
    }

    /// Whether a part of the memory that processes share is mapped.
    pub fn share(&self) -> bool {
        self.by_start.iter().any(|(_, region)| matches!(region.kind, RegionKind::Shared(_)))
    }

    /// All mappings, ascending.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, Region)> + '_ {
        self.by_start.iter().copied()
    }

    /// The positions of the mappings that share a byte with `start..end`.
    fn touched(&self, start: u32, end: u32) -> std::ops::Range<usize> {
        let first = self.by_start.partition_point(|(_, region)| region.end <= start);
        let last = self.by_start.partition_point(|(from, _)| *from < end);
        first..last.max(first)
    }

    /// The mappings that share a byte with `start..end`, cut to that range.
    pub fn within(&self, start: u32, end: u32) -> Vec<(u32, Region)> {
        self.by_start[self.touched(start, end)]
            .iter()
            .map(|&(from, region)| (from.max(start), Region { end: region.end.min(end), ..region }))
            .collect()
    }

    /// Maps `start..region.end`, replacing what was there.
    pub fn insert(&mut self, start: u32, region: Region) {
        debug_assert!(start < region.end && (start as usize).is_multiple_of(PAGE_SIZE));
        self.remove(start, region.end);
        let at = self.rank(start);
        let (mut joined, mut place) = ((start, region), at..at);
        if let Some(&(before, neighbour)) = at.checked_sub(1).and_then(|at| self.by_start.get(at))
            && neighbour.end == start
            && alike(neighbour, region)
        {
            joined.0 = before;
            place.start -= 1;
        }
        if let Some(&(behind, neighbour)) = self.by_start.get(at)
            && behind == region.end
            && alike(neighbour, region)
        {
            joined.1.end = neighbour.end;
            place.end += 1;
        }
        Arc::make_mut(&mut self.by_start).splice(place, [joined]);
    }

    /// Unmaps `start..end`.
    pub fn remove(&mut self, start: u32, end: u32) {
        let touched = self.touched(start, end);
        let (Some(&first), Some(&last)) =
            (self.by_start[touched.clone()].first(), self.by_start[touched.clone()].last())
        else {
            return;
        };
        let below = (first.0 < start).then_some((first.0, Region { end: start, ..first.1 }));
        let above = (last.1.end > end).then_some((end, last.1));
        Arc::make_mut(&mut self.by_start).splice(touched, below.into_iter().chain(above));
    }

    /// The same mappings, none of them locked in memory.
    pub fn unlocked(&self) -> Self {
        let mut regions = self.clone();
        for (start, region) in self.iter().filter(|(_, region)| region.locked) {
            regions.insert(start, Region { locked: false, ..region });
        }
        regions
    }

    /// Whether all of `start..end` is mapped.
    pub fn covers(&self, start: u32, end: u32) -> bool {
        let mut at = start;
        while at < end {
            match self.find(at) {
                Some((_, region)) => at = region.end,
                None => return false,
            }
        }
        true
    }

    /// The lowest free range of `size` bytes within `from..to`.
    pub fn free_range(&self, size: u32, from: u32, to: u32) -> Option<u32> {
        let mut candidate = from;
        for (start, region) in self.within(from, to) {
            if start.saturating_sub(candidate) >= size {
                return Some(candidate);
            }
            candidate = candidate.max(region.end);
        }
        (to.saturating_sub(candidate) >= size).then_some(candidate)
    }
}

fn alike(a: Region, b: Region) -> bool {
    a.protection == b.protection && a.kind == b.kind && a.locked == b.locked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(end: u32, protection: Protection) -> Region {
        Region { end, protection, kind: RegionKind::Mapped, locked: false }
    }

    #[test]
    fn agrees_with_a_byte_map() {
        const PAGES: u32 = 32;
        let kinds = [Protection::NONE, Protection::READ, Protection::READ_WRITE];
        let mut regions = Regions::default();
        let mut twin: Vec<Option<Protection>> = vec![None; PAGES as usize];
        let mut seed = 7u32;
        let mut random = |bound: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % bound
        };
        for _ in 0..3000 {
            let start = random(PAGES);
            let end = start + 1 + random(PAGES - start);
            let choice = random(4) as usize;
            if let Some(&protection) = kinds.get(choice) {
                regions.insert(start << 12, region(end << 12, protection));
            } else {
                regions.remove(start << 12, end << 12);
            }
            twin[start as usize..end as usize].fill(kinds.get(choice).copied());
            for page in 0..PAGES {
                let found = regions.find((page << 12) + 5).map(|(_, region)| region.protection);
                assert_eq!(found, twin[page as usize]);
            }
            let joined: Vec<_> = regions.iter().collect();
            for pair in joined.windows(2) {
                assert!(pair[0].1.end <= pair[1].0);
                assert!(pair[0].1.end < pair[1].0 || !alike(pair[0].1, pair[1].1), "not joined");
            }
        }
    }
}
