//! Memory that processes share: segments, the mappings that show them, and the files that some show.
//!
//! A mapping shows a part of the space of shared memory, be it made for it (`MAP_SHARED`), for a file,
//! or for a key. The guest writes to memory without asking. So the bytes of a file go from memory to
//! the file when the file is about to be read, and from the file to memory after it was written; at no
//! other moment can the difference be seen.

use std::collections::BTreeSet;

use steam_state::{PAGE_SIZE, PastFileEnd, Protection, RegionKind, Regions, Space};
use steam_visibility::Memory;

use super::memory::find_room;
use super::{Call, file_copies};
use crate::errno::Errno;
use crate::guest::Refusal;
use crate::kernel::{Asked, FileBytes, InodeKind, Loan, Segment, SegmentKind, SegmentUsage, Stamp};
use crate::system::System;

const PAGE: u32 = PAGE_SIZE as u32;
/// Where segments may lie in the space of shared memory. Above are words that stand for other things.
const LOWEST: u32 = PAGE;
const HIGHEST: u32 = 0xf000_0000;
/// A file that is mapped has room for at least so much.
const FILE_ROOM: u32 = 16 << 20;

/// The parts of a process's memory that show a part of `start..end` of the shared space.
fn shown(regions: &Regions, start: u32, end: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
    regions.iter().filter_map(move |(from, region)| match region.kind {
        RegionKind::Shared(distance) => {
            let first = from.wrapping_add(distance);
            let last = first + (region.end - from);
            (first < end && last > start).then_some((from, region.end))
        }
        _ => None,
    })
}

impl System {
    /// How many mappings of all processes show a part of `start..end` of the shared space; `own` are
    /// those of the process on the CPU.
    fn mappings(&self, own: &Regions, start: u32, end: u32) -> u32 {
        let regions = |space: Space| match space == self.space {
            true => own,
            false => self.others.regions(space),
        };
        let spaces = self.spaces().into_iter().filter(|space| self.has_own_mappings(*space));
        spaces.map(|space| shown(regions(space), start, end).count() as u32).sum()
    }

    /// Whether the mappings of a process are not those of another one too: what `vfork` made has no memory of its
    /// own. As long as it has all of its parent's memory, what it maps and unmaps counts.
    fn has_own_mappings(&self, space: Space) -> bool {
        let loan = self.environment(space).loan;
        !loan.is_beside() && (loan == Loan::Whole || !self.has_lent(space))
    }

    /// The segments that no process shows and none can find, with where they begin.
    fn lost_segments(&self, own: &Regions) -> Vec<(u32, Segment)> {
        let segments = self.kernel.segments.iter().map(|(&start, &segment)| (start, segment));
        let temporary = segments.filter(|(_, segment)| !segment.lasts());
        temporary.filter(|(start, it)| self.mappings(own, *start, it.end) == 0).collect()
    }
}

/// How much of a segment shows pages of a file with so many bytes.
fn shown_size(segment_size: u32, file_size: u64) -> u32 {
    file_size.next_multiple_of(u64::from(PAGE)).min(u64::from(segment_size)) as u32
}

impl System {
    /// Where shared memory lies past the ends of files, so that no process may touch it.
    fn past_file_ends(&self) -> Vec<PastFileEnd> {
        let part = |(&start, segment): (&u32, &Segment)| {
            let SegmentKind::File(inode) = segment.kind else { return None };
            let InodeKind::File(content) = &self.kernel.overlay.inodes.get(&inode)?.kind else {
                return None;
            };
            let shown = start + shown_size(segment.end - start, content.len());
            Some(PastFileEnd { start: shown, end: segment.end, size: content.len() })
        };
        self.kernel.segments.iter().filter_map(part).collect()
    }
}

impl System {
    /// Says to memory where files end that are mapped.
    pub fn mark_file_ends(&self, memory: &mut Memory) {
        memory.set_past_file_ends(self.past_file_ends());
    }

    /// Removes what no process shows any more.
    pub fn collect_segments(&mut self, memory: &mut Memory) {
        collect(self, memory);
    }

    /// Notes that the process on the CPU is copied with all segments that it has attached.
    pub fn note_all_attached(&mut self, memory: &Memory) {
        let all = (0, u32::MAX);
        let note = |usage: &mut SegmentUsage, now: Stamp| usage.attached = now.time;
        note_use(self, memory, all, note);
    }

    /// Notes that the process on the CPU leaves all segments that it has attached.
    pub fn note_all_detached(&mut self, memory: &Memory) {
        let all = (0, u32::MAX);
        let note = |usage: &mut SegmentUsage, now: Stamp| usage.detached = now.time;
        note_use(self, memory, all, note);
    }
}

fn collect(system: &mut System, memory: &mut Memory) {
    if !system.kernel.copied_files.is_empty() {
        file_copies::collect(system, memory);
    }
    let lost = system.lost_segments(memory.regions());
    for &(start, segment) in &lost {
        if let SegmentKind::File(inode) = segment.kind {
            memory_to_file(system, memory, inode);
            system.kernel.overlay.change(inode, |inode| inode.opened -= 1);
        }
        memory.drop_shared(start, segment.end);
        let place = |address| Space::SHARED.at(address);
        system.objects.forget(place(start), place(segment.end));
        system.kernel.segments.remove(&start);
    }
    if !lost.is_empty() {
        memory.set_past_file_ends(system.past_file_ends());
    }
}

/// The segment of a file, and where it begins.
fn segment_of(system: &System, inode: u32) -> Option<(u32, Segment)> {
    let mut segments = system.kernel.segments.iter();
    let found = segments.find(|(_, segment)| segment.kind == SegmentKind::File(inode));
    found.map(|(&start, &segment)| (start, segment))
}

/// The offsets of the pages of a file that are not nothing but zeros, there or in the memory that shows it.
fn filled_pages(
    content: &FileBytes,
    memory: &Memory,
    start: u32,
    segment: Segment,
) -> BTreeSet<u32> {
    let end = content.len().min(u64::from(segment.end - start)) as u32;
    let in_memory = memory.shared_pages(start, start + end).into_iter().map(|page| page - start);
    let in_file = content.pages().take_while(|offset| *offset < u64::from(end));
    in_memory.chain(in_file.map(|offset| offset as u32)).collect()
}

/// Notes a use of each System V segment of which a part of `start..end` of a process's memory is a mapping.
fn note_use(
    system: &mut System,
    memory: &Memory,
    (start, end): (u32, u32),
    note: impl Fn(&mut SegmentUsage, Stamp),
) {
    let mapped = memory.regions().iter().filter(|(from, it)| *from < end && it.end > start);
    let distance = |kind| if let RegionKind::Shared(it) = kind { Some(it) } else { None };
    let firsts = mapped.filter_map(|(from, it)| Some(from.wrapping_add(distance(it.kind)?)));
    for first in firsts.collect::<Vec<u32>>() {
        let segments = system.kernel.segments.iter();
        let found =
            segments.map(|(&at, &it)| (at, it)).find(|(at, it)| (*at..it.end).contains(&first));
        let Some((
            at,
            Segment { end, kind: SegmentKind::Facility { key, size, mode, removed, usage } },
        )) = found
        else {
            // Memory that was mapped without a key has no status.
            continue;
        };
        let Some(stamp) = system.stamp(memory.policy.sharing(), Asked::Segments) else { return };
        let mut usage = usage;
        note(&mut usage, stamp);
        usage.user = stamp.process;
        let kind = SegmentKind::Facility { key, size, mode, removed, usage };
        system.kernel.segments.insert(at, Segment { end, kind });
    }
}

/// Brings what was written to memory into a file that is about to be read.
fn memory_to_file(system: &mut System, memory: &mut Memory, inode: u32) {
    // No process has mapped it: the file has all that was written.
    let Some((start, segment)) = segment_of(system, inode) else { return };
    let Some(file) = system.kernel.overlay.inodes.get_mut(&inode) else { return };
    // Only files are mapped.
    let InodeKind::File(content) = &mut file.kind else { return };
    for offset in filled_pages(content, memory, start, segment) {
        let old = content.read(u64::from(offset), PAGE_SIZE);
        let new = &memory.shared_page(start + offset)[..old.len()];
        if new != old {
            content.write(u64::from(offset), new);
        }
    }
}

impl Call<'_> {
    /// Makes a segment.
    pub(super) fn add_segment(&mut self, size: u32, kind: SegmentKind) -> Result<u32, Refusal> {
        let size = size.checked_next_multiple_of(PAGE).ok_or(Errno::ENOMEM)?;
        let mut start = LOWEST;
        for (&other, segment) in self.system.kernel.segments.iter() {
            if other - start >= size {
                break;
            }
            start = segment.end;
        }
        if size > HIGHEST - LOWEST {
            return Err(Errno::ENOMEM.into());
        }
        let Some(end) = start.checked_add(size).filter(|&end| end <= HIGHEST) else {
            let detail = format!("no room for {size} bytes more of shared memory");
            return Err(Refusal::Unknown(detail));
        };
        self.system.kernel.segments.insert(start, Segment { end, kind });
        Ok(start)
    }

    /// Maps a part of the shared space, where it is wanted or where there is room.
    pub(super) fn show_segment(
        &mut self,
        from: u32,
        size: u32,
        wanted: Option<u32>,
        protection: Protection,
    ) -> Result<u32, Refusal> {
        let memory = &mut self.cpu.memory;
        let start = match wanted {
            Some(start) => start,
            None => find_room(memory.regions(), size)?,
        };
        let end = start.checked_add(size).ok_or(Errno::EINVAL)?;
        if wanted.is_some() && !memory.regions().within(start, end).is_empty() {
            return Err(Errno::EINVAL.into());
        }
        memory.map(start, end, protection, RegionKind::Shared(from.wrapping_sub(start)));
        Ok(start)
    }

    /// Where a mapping of a segment for a key ends that begins at an address.
    pub(super) fn attached_until(&self, start: u32) -> Option<u32> {
        let (from, region) = self.cpu.memory.regions().find(start)?;
        let RegionKind::Shared(distance) = region.kind else { return None };
        let segments = &self.system.kernel.segments;
        let segment = segments.get(&start.wrapping_add(distance))?;
        let is_facility = matches!(segment.kind, SegmentKind::Facility { .. });
        (from == start && is_facility).then_some(region.end)
    }

    /// Notes that a segment was mapped from an address on.
    pub(super) fn note_attaching(&mut self, start: u32) {
        let note = |usage: &mut SegmentUsage, now: Stamp| usage.attached = now.time;
        note_use(self.system, &self.cpu.memory, (start, start + 1), note);
    }

    /// Notes that what is mapped at `start..end` is about to go.
    pub(super) fn note_detaching(&mut self, start: u32, end: u32) {
        let note = |usage: &mut SegmentUsage, now: Stamp| usage.detached = now.time;
        note_use(self.system, &self.cpu.memory, (start, end), note);
    }

    /// How many mappings show a segment.
    pub(super) fn attachments(&self, start: u32, end: u32) -> u32 {
        self.system.mappings(self.cpu.memory.regions(), start, end)
    }

    /// Removes what no process shows any more.
    pub(super) fn collect_segments(&mut self) {
        collect(self.system, &mut self.cpu.memory);
    }

    /// Where the bytes of a file from an offset on lie in the shared space, so that `size` of them
    /// can be shown.
    pub(super) fn file_segment(
        &mut self,
        inode: u32,
        offset: u64,
        size: u32,
    ) -> Result<u32, Refusal> {
        let end = offset + u64::from(size.next_multiple_of(PAGE));
        if let Some((start, segment)) = segment_of(self.system, inode) {
            if end > u64::from(segment.end - start) {
                let detail = "a shared mapping of a file beyond what others map".to_owned();
                return Err(Refusal::Unknown(detail));
            }
            return Ok(start + offset as u32);
        }
        let room = u32::try_from(end).map_err(|_| Errno::ENOMEM)?.max(FILE_ROOM);
        let start = self.add_segment(room, SegmentKind::File(inode))?;
        self.system.kernel.overlay.change(inode, |inode| inode.opened += 1);
        self.file_to_memory(inode);
        Ok(start + offset as u32)
    }

    /// Notes that a call reads or writes `size` bytes of a file from an offset on, as against those who
    /// touch them where they are mapped.
    pub(super) fn note_file(&mut self, inode: u32, offset: u64, size: u64, write: bool) {
        let Some((start, segment)) = segment_of(self.system, inode) else { return };
        let room = u64::from(segment.end - start);
        let (from, to) = (offset.min(room), offset.saturating_add(size).min(room));
        if !self.system.is_alone() {
            self.cpu.memory.policy.note_common_bytes(start + from as u32, start + to as u32, write);
        }
    }

    /// Brings what was written to memory into a file that is about to be read.
    pub(super) fn memory_to_file(&mut self, inode: u32) {
        memory_to_file(self.system, &mut self.cpu.memory, inode);
    }

    /// A file has another end than before: pages after it could not be touched where they are mapped,
    /// or cannot be now.
    pub(super) fn file_end_moved(&mut self, inode: u32, before: u64, now: u64) {
        if before == now {
            return;
        }
        let (from, to) = (before.min(now), before.max(now).next_multiple_of(u64::from(PAGE)));
        self.note_file(inode, from, to - from, true);
        if now < before
            && let Some((start, segment)) = segment_of(self.system, inode)
        {
            let shown = start + shown_size(segment.end - start, now);
            if shown < segment.end {
                self.cpu.memory.drop_shared(shown, segment.end);
            }
        }
    }

    /// Brings a file that was written into the memory that shows it.
    pub(super) fn file_to_memory(&mut self, inode: u32) {
        let Some((start, segment)) = segment_of(self.system, inode) else { return };
        let Some(file) = self.system.kernel.overlay.inodes.get(&inode) else { return };
        let InodeKind::File(content) = &file.kind else { return };
        let memory = &mut self.cpu.memory;
        for offset in filled_pages(content, memory, start, segment) {
            let bytes = content.read(u64::from(offset), PAGE_SIZE);
            let mut whole = [0; PAGE_SIZE];
            whole[..bytes.len()].copy_from_slice(&bytes);
            memory.place_shared_page(start + offset, &whole);
        }
        self.cpu.memory.set_past_file_ends(self.system.past_file_ends());
    }
}
