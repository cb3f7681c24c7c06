//! Memory: brk, mmap and what changes mappings.

use steam_state::{HEAP_END, HEAP_START, PAGE_SIZE, Protection, Region, RegionKind, Regions};
use steam_visibility::Watching;

use super::locked_memory::is_locked;
use super::{Answer, Call, ended_stacks};
use crate::boot::{MAPPING_AREAS, TRAMPOLINE};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{FileName, Object, SegmentKind};
use crate::room::linux_may_have;

const PAGE: u32 = PAGE_SIZE as u32;
const FIXED: u32 = 0x10;
const ANONYMOUS: u32 = 0x20;
/// The bits of a description's flags that allow writing.
const ACCESS: u32 = 3;
const WRITE_ONLY: u32 = 1;
const LOCKED: u32 = 0x2000;
const FIXED_NOREPLACE: u32 = 0x10_0000;
/// Addresses below are not handed out.
const LOWEST: u32 = 0x1_0000;

/// On i386 what can be written or executed can be read too.
fn protection(bits: u32) -> Protection {
    Protection { read: bits & 7 != 0, write: bits & 2 != 0, execute: bits & 4 != 0 }
}

/// The page-aligned end of `size` bytes from `start` on, within the guest's part of memory.
fn end_of(start: u32, size: u32) -> Option<u32> {
    let end = start.checked_add(size)?.checked_next_multiple_of(PAGE)?;
    (end <= TRAMPOLINE).then_some(end)
}

/// Where a mapping goes that may lie anywhere.
pub(super) fn find_room(regions: &Regions, size: u32) -> Result<u32, Refusal> {
    let mut areas = MAPPING_AREAS.iter();
    let found = areas.find_map(|&(from, to)| regions.free_range(size, from, to));
    found.ok_or_else(|| no_room(regions, size))
}

/// Why there is no room for so many bytes: Linux has none either, or it is a limit of ours.
fn no_room(regions: &Regions, size: u32) -> Refusal {
    match linux_may_have(regions, 0, size) {
        true => Refusal::Limit(format!("no room for {size} bytes more, where Linux has some")),
        false => Errno::ENOMEM.into(),
    }
}

fn overlaps_heap(start: u32, end: u32) -> bool {
    start < HEAP_END && end > HEAP_START
}

pub(super) fn brk(call: &mut Call<'_>) -> Answer {
    let wanted = call.arguments[0];
    let (start, end) = call.system.process.program_break;
    let mapped = |at: u32| at.next_multiple_of(PAGE);
    if wanted < start || wanted > TRAMPOLINE {
        return Ok(end);
    }
    let (old, new) = (mapped(end), mapped(wanted));
    if new > old {
        let regions = call.cpu.memory.regions();
        if !regions.within(old, new).is_empty() {
            return match no_room(regions, new - old) {
                Refusal::Errno(_) => Ok(end),
                other => Err(other),
            };
        }
        match call.check_memory(new - old, true) {
            Err(Refusal::Errno(_)) => return Ok(end),
            other => other?,
        }
        // As in Linux: a break that may not grow stays where it is.
        let Ok(locks) = call.locks_mapping(false, new - old) else { return Ok(end) };
        let memory = &mut call.cpu.memory;
        memory.map(old, new, Protection::READ_WRITE, RegionKind::Break);
        memory.set_locked(old, new, locks);
    } else if new < old {
        call.cpu.memory.unmap(new, old);
    }
    call.system.process.program_break = (start, wanted);
    Ok(wanted)
}

/// What a new mapping is to be.
struct Mapping {
    hint: u32,
    size: u32,
    protection: Protection,
    flags: u32,
    descriptor: u32,
    offset: u64,
}

impl Mapping {
    fn is_shared(&self) -> bool {
        const SHARED: u32 = 1;
        self.flags & 3 & SHARED != 0
    }
}

pub(super) fn mmap2(call: &mut Call<'_>) -> Answer {
    let [hint, size, bits, flags, descriptor, pages] = call.arguments;
    let offset = u64::from(pages) * u64::from(PAGE);
    map(call, &Mapping { hint, size, protection: protection(bits), flags, descriptor, offset })
}

/// The old call, whose arguments lie in memory.
pub(super) fn old_mmap(call: &mut Call<'_>) -> Answer {
    let [hint, size, bits, flags, descriptor, offset] = call.words(call.arguments[0])?;
    if !offset.is_multiple_of(PAGE) {
        return Err(Errno::EINVAL.into());
    }
    let offset = u64::from(offset);
    map(call, &Mapping { hint, size, protection: protection(bits), flags, descriptor, offset })
}

fn map(call: &mut Call<'_>, mapping: &Mapping) -> Answer {
    if mapping.size == 0 || mapping.flags & 0xf == 0 {
        return Err(Errno::EINVAL.into());
    }
    let content = content(call, mapping)?;
    let start = place(call, mapping)?;
    let end = end_of(start, mapping.size).ok_or(Errno::ENOMEM)?;
    call.check_memory(end - start, mapping.protection.write && !mapping.is_shared())?;
    let locks = call.locks_mapping(mapping.flags & LOCKED != 0, mapping.size)?;
    call.note_detaching(start, end);
    if let Some(from) = shared_part(call, mapping)? {
        let kind = RegionKind::Shared(from.wrapping_sub(start));
        call.cpu.memory.map(start, end, mapping.protection, kind);
        call.cpu.memory.set_locked(start, end, locks);
        call.collect_segments();
        return Ok(start);
    }
    let shown = match mapping.flags & ANONYMOUS {
        0 => shown_end(call, mapping, start)?.min(end),
        _ => end,
    };
    let kind = match file_of(call, mapping) {
        Some(name) => call.copy_of_file(&name, mapping.offset, start),
        None => RegionKind::Mapped,
    };
    if kind == RegionKind::Mapped {
        ended_stacks::note_mapped(call, start, end);
    }
    let memory = &mut call.cpu.memory;
    memory.map(start, end, mapping.protection, kind);
    if locks {
        memory.set_locked(start, end, true);
    }
    if shown < end {
        memory.set_kind(shown, end, RegionKind::PastFileEnd);
    }
    for (i, part) in content.chunks(PAGE_SIZE).enumerate() {
        let mut page = [0; PAGE_SIZE];
        page[..part.len()].copy_from_slice(part);
        memory.place_page(start + i as u32 * PAGE, &page);
    }
    call.collect_segments();
    Ok(start)
}

/// The file that a mapping shows.
fn file_of(call: &Call<'_>, mapping: &Mapping) -> Option<FileName> {
    let description = call.system.description(mapping.descriptor);
    match &description.ok().filter(|_| mapping.flags & ANONYMOUS == 0)?.1.object {
        Object::File(name) => Some(name.clone()),
        _ => None,
    }
}

/// The bytes that a mapping begins with.
fn content(call: &mut Call<'_>, mapping: &Mapping) -> Result<Vec<u8>, Refusal> {
    if mapping.flags & ANONYMOUS != 0 {
        return Ok(Vec::new());
    }
    let (_, description) = call.system.description(mapping.descriptor)?;
    let writable = description.flags & ACCESS != 0;
    if mapping.is_shared() && mapping.protection.write && !writable {
        return Err(Errno::EACCES.into());
    }
    match description.object.clone() {
        Object::File(name) => {
            if let FileName::Private(number) = name {
                call.memory_to_file(number);
            }
            Ok(call.files().read(&name, mapping.offset, mapping.size as usize)?)
        }
        Object::Zero => Ok(Vec::new()),
        // What was opened for writing alone cannot be read where it is mapped.
        _ if description.flags & ACCESS == WRITE_ONLY => Err(Errno::EACCES.into()),
        _ => Err(Errno::ENODEV.into()),
    }
}

/// Where the pages of a private mapping end of which the file has a byte.
fn shown_end(call: &mut Call<'_>, mapping: &Mapping, start: u32) -> Result<u32, Refusal> {
    let Object::File(name) = call.system.description(mapping.descriptor)?.1.object.clone() else {
        return Ok(u32::MAX);
    };
    let shown = call.files().length(&name)?.saturating_sub(mapping.offset);
    let shown = shown.next_multiple_of(u64::from(PAGE)).min(u64::from(u32::MAX - start)) as u32;
    if shown < mapping.size && matches!(name, FileName::Private(_)) {
        let detail = "a private mapping of pages past the end of a file that may grow";
        return Err(Refusal::Unknown(detail.to_owned()));
    }
    Ok(start + shown)
}

/// Where the memory lies that a mapping shares with other processes.
fn shared_part(call: &mut Call<'_>, mapping: &Mapping) -> Result<Option<u32>, Refusal> {
    if !mapping.is_shared() {
        return Ok(None);
    }
    if mapping.flags & ANONYMOUS != 0 {
        return Ok(Some(call.add_segment(mapping.size, SegmentKind::Anonymous)?));
    }
    match call.system.description(mapping.descriptor)?.1.object {
        Object::File(FileName::Private(number)) => {
            call.file_segment(number, mapping.offset, mapping.size).map(Some)
        }
        Object::Zero => Ok(Some(call.add_segment(mapping.size, SegmentKind::Anonymous)?)),
        // No process writes to files of the host.
        _ => Ok(None),
    }
}

fn place(call: &Call<'_>, mapping: &Mapping) -> Result<u32, Refusal> {
    let regions = call.cpu.memory.regions();
    let hint = mapping.hint;
    if mapping.flags & (FIXED | FIXED_NOREPLACE) != 0 {
        if !hint.is_multiple_of(PAGE) {
            return Err(Errno::EINVAL.into());
        }
        let end = end_of(hint, mapping.size).ok_or(Errno::ENOMEM)?;
        if hint < LOWEST {
            return Err(Errno::EPERM.into());
        }
        if overlaps_heap(hint, end) {
            return Err(Refusal::Unknown("a mapping at an address within the heap".to_owned()));
        }
        if mapping.flags & FIXED_NOREPLACE != 0 && !regions.within(hint, end).is_empty() {
            return Err(Errno::EEXIST.into());
        }
        return Ok(hint);
    }
    let size = mapping.size.checked_next_multiple_of(PAGE).ok_or(Errno::ENOMEM)?;
    let near = hint & !(PAGE - 1);
    if near >= LOWEST
        && let Some(end) = end_of(near, size)
        && regions.within(near, end).is_empty()
    {
        return Ok(near);
    }
    find_room(regions, size)
}

/// The range of a call that names one: page-aligned, not empty unless `size` is 0.
fn range(start: u32, size: u32) -> Result<(u32, u32), Errno> {
    if !start.is_multiple_of(PAGE) {
        return Err(Errno::EINVAL);
    }
    Ok((start, end_of(start, size).ok_or(Errno::ENOMEM)?))
}

pub(super) fn munmap(call: &mut Call<'_>) -> Answer {
    let [start, size, ..] = call.arguments;
    let (start, end) = range(start, size).map_err(|_| Errno::EINVAL)?;
    if start == end || overlaps_heap(start, end) {
        return Err(Errno::EINVAL.into());
    }
    call.note_detaching(start, end);
    call.cpu.memory.unmap(start, end);
    call.collect_segments();
    Ok(0)
}

pub(super) fn mprotect(call: &mut Call<'_>) -> Answer {
    const KNOWN: u32 = 0xf;
    let [start, size, bits, ..] = call.arguments;
    let (start, end) = range(start, size)?;
    if bits & !KNOWN != 0 {
        return Err(Errno::EINVAL.into());
    }
    if overlaps_heap(start, end) {
        let detail = "other protection of heap memory".to_owned();
        return Err(Refusal::Unknown(detail));
    }
    if start == end || call.cpu.memory.protect(start, end, protection(bits)) {
        return Ok(0);
    }
    Err(Errno::ENOMEM.into())
}

/// Where a mapping goes that gets another size.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Move {
    /// Nowhere.
    Never,
    /// Where there is room, if there is none where it is.
    IfNeeded,
    /// To this address.
    To(u32),
}

/// Checks the arguments of `mremap` in the order of Linux: what there is, its new size, where it goes.
fn remapping(call: &Call<'_>) -> Result<((u32, u32), u32, Move), Refusal> {
    const MAY_MOVE: u32 = 1;
    const FIXED: u32 = 2;
    const STAYS: u32 = 4;
    let [start, old_size, new_size, flags, wanted, _] = call.arguments;
    let moves = flags & MAY_MOVE != 0;
    let wrong = flags & !(MAY_MOVE | FIXED | STAYS) != 0
        || flags & (FIXED | STAYS) != 0 && !moves
        || flags & STAYS != 0 && old_size != new_size
        || !start.is_multiple_of(PAGE)
        || new_size == 0
        || new_size > TRAMPOLINE;
    if wrong {
        return Err(Errno::EINVAL.into());
    }
    if flags & STAYS != 0 {
        return Err(Refusal::Unknown("an old mapping that stays".to_owned()));
    }
    let (start, old_end) = range(start, old_size).map_err(|_| Errno::EINVAL)?;
    let new_size = new_size.next_multiple_of(PAGE);
    let target = match flags & FIXED {
        0 if moves => Move::IfNeeded,
        0 => Move::Never,
        _ => {
            let end = end_of(wanted, new_size).ok_or(Errno::EINVAL)?;
            let meets = wanted < old_end && end > start;
            if !wanted.is_multiple_of(PAGE) || meets || wanted < LOWEST {
                return Err(Errno::EINVAL.into());
            }
            Move::To(wanted)
        }
    };
    Ok(((start, old_end), new_size, target))
}

pub(super) fn mremap(call: &mut Call<'_>) -> Answer {
    let ((start, old_end), new_size, target) = remapping(call)?;
    let regions = call.cpu.memory.regions();
    let Some((_, region)) = regions.find(start) else { return Err(Errno::EFAULT.into()) };
    if matches!(region.kind, RegionKind::Shared(_)) {
        return Err(Refusal::Unknown("another size of a shared mapping".to_owned()));
    }
    if start == old_end || overlaps_heap(start, old_end) {
        return Err(Errno::EINVAL.into());
    }
    if !regions.covers(start, old_end) {
        return Err(Errno::EFAULT.into());
    }
    let grows = new_size > old_end - start;
    if grows && matches!(region.kind, RegionKind::FileCopy { .. }) {
        return Err(Refusal::Unknown("a private copy of a file that grows".to_owned()));
    }
    if grows {
        call.check_memory(new_size - (old_end - start), region.protection.write)?;
    }
    if region.locked {
        let more = new_size.saturating_sub(old_end - start);
        call.locks_mapping(true, more)?;
    }
    if let Move::To(wanted) = target {
        return move_to(call, (start, old_end), wanted, new_size, region);
    }
    // It ends past the end of memory where it may only move.
    let new_end = start.checked_add(new_size).filter(|&end| end <= TRAMPOLINE);
    let memory = &mut call.cpu.memory;
    if !grows {
        let new_end = start + new_size;
        if new_end < old_end {
            memory.unmap(new_end, old_end);
        }
        return Ok(start);
    }
    if let Some(new_end) = new_end.filter(|&end| memory.regions().within(old_end, end).is_empty()) {
        memory.map(old_end, new_end, region.protection, region.kind);
        memory.set_locked(old_end, new_end, region.locked);
        return Ok(start);
    }
    if target == Move::Never {
        return Err(Errno::ENOMEM.into());
    }
    let to = find_room(memory.regions(), new_size)?;
    relocate(call, (start, old_end), to, new_size, region);
    Ok(to)
}

/// `MREMAP_FIXED`: what was there before is gone.
fn move_to(
    call: &mut Call<'_>,
    (start, end): (u32, u32),
    to: u32,
    size: u32,
    region: Region,
) -> Answer {
    if overlaps_heap(to, to + size) {
        return Err(Refusal::Unknown("a mapping that moves into the heap".to_owned()));
    }
    let kept = end.min(start + size);
    call.note_detaching(to, to + size);
    call.cpu.memory.unmap(to, to + size);
    relocate(call, (start, kept), to, size, region);
    if kept < end {
        call.cpu.memory.unmap(kept, end);
    }
    call.collect_segments();
    Ok(to)
}

fn relocate(call: &mut Call<'_>, (start, end): (u32, u32), to: u32, size: u32, region: Region) {
    let memory = &mut call.cpu.memory;
    memory.map(to, to + size, region.protection, Call::moved_copy(region.kind, start, to));
    memory.set_locked(to, to + size, region.locked);
    // What cannot be read moves all the same.
    memory.protect(start, end, Protection::READ);
    for offset in (0..end - start).step_by(PAGE_SIZE) {
        let mut page = [0; PAGE_SIZE];
        if memory.read_bytes(start + offset, &mut page).is_ok() && page != [0; PAGE_SIZE] {
            memory.place_page(to + offset, &page);
        }
    }
    memory.unmap(start, end);
}

pub(super) fn madvise(call: &mut Call<'_>) -> Answer {
    const DONT_NEED: u32 = 4;
    const FREE: u32 = 8;
    const REMOVE: u32 = 9;
    const DONT_FORK: u32 = 10;
    const WIPE_ON_FORK: u32 = 18;
    let [start, size, advice, ..] = call.arguments;
    let (start, end) = range(start, size)?;
    let regions = call.cpu.memory.regions();
    if !regions.covers(start, end) {
        return Err(Errno::ENOMEM.into());
    }
    if start == end {
        return Ok(0);
    }
    match advice {
        DONT_NEED | FREE if is_locked(regions, start, end) => Err(Errno::EINVAL.into()),
        DONT_NEED => {
            let plain = |kind| {
                use RegionKind::{Break, EndedStack, Former, Mapped, Stack};
                matches!(kind, Mapped | Former { .. } | Break | Stack(_) | EndedStack { .. })
            };
            let parts = regions.within(start, end);
            let is_shared = |kind| matches!(kind, RegionKind::Shared(_));
            // What is shared is still there when it is looked at again.
            if parts.iter().all(|(_, region)| is_shared(region.kind)) {
                return Ok(0);
            }
            let copy = |kind| matches!(kind, RegionKind::FileCopy { .. });
            if !parts.iter().all(|(_, region)| plain(region.kind) || copy(region.kind)) {
                let detail = "MADV_DONTNEED on the program itself, or on mappings of several kinds";
                return Err(Refusal::Unknown(detail.to_owned()));
            }
            ended_stacks::note_given_back(call, start, end);
            for (from, region) in parts {
                if let RegionKind::FileCopy { file, distance } = region.kind {
                    call.copy_again((from, region.end), (file, distance))?;
                } else {
                    call.cpu.memory.note(from, region.end, true);
                    call.cpu.memory.clear(from, region.end);
                }
            }
            Ok(0)
        }
        REMOVE | DONT_FORK | WIPE_ON_FORK => {
            Err(Refusal::Unknown(format!("advice {advice} about memory")))
        }
        // The kernel need not free anything, and the rest is about speed.
        FREE | 0..=3 | 9..=25 => Ok(0),
        _ => Err(Errno::EINVAL.into()),
    }
}

/// The pages that the range of a call touches.
pub(super) fn pages_of(call: &Call<'_>) -> Result<(u32, u32), Errno> {
    let [start, size, ..] = call.arguments;
    let first = start & !(PAGE - 1);
    let end = start.checked_add(size).and_then(|end| end.checked_next_multiple_of(PAGE));
    let end = end.filter(|&end| end <= TRAMPOLINE || end == first);
    Ok((first, end.ok_or(Errno::ENOMEM)?))
}

/// Calls that say how memory is backed, which the guest cannot observe.
pub(super) fn accept_range(call: &mut Call<'_>) -> Answer {
    let (start, end) = pages_of(call)?;
    match call.cpu.memory.regions().covers(start, end) {
        true => Ok(0),
        false => Err(Errno::ENOMEM.into()),
    }
}

pub(super) fn msync(call: &mut Call<'_>) -> Answer {
    const ASYNC: u32 = 1;
    const INVALIDATE: u32 = 2;
    const SYNC: u32 = 4;
    let [start, _, flags, ..] = call.arguments;
    let unknown = flags & !(ASYNC | INVALIDATE | SYNC) != 0;
    if unknown || flags & (ASYNC | SYNC) == ASYNC | SYNC || !start.is_multiple_of(PAGE) {
        return Err(Errno::EINVAL.into());
    }
    accept_range(call)?;
    let (start, end) = pages_of(call)?;
    let locked = is_locked(call.cpu.memory.regions(), start, end);
    if flags & INVALIDATE != 0 && locked { Err(Errno::EBUSY.into()) } else { Ok(0) }
}

pub(super) fn mincore(call: &mut Call<'_>) -> Answer {
    let [start, size, vector, ..] = call.arguments;
    if !start.is_multiple_of(PAGE) {
        return Err(Errno::EINVAL.into());
    }
    accept_range(call)?;
    let pages = size.div_ceil(PAGE) as usize;
    call.put(vector, &vec![1; pages])?;
    Ok(0)
}

pub(super) fn membarrier(call: &mut Call<'_>) -> Answer {
    // Query: private and global, expedited or not, with their registrations.
    match call.arguments[0] {
        0 => Ok(0x1f),
        1 | 2 | 4 | 8 | 16 => Ok(0),
        _ => Err(Errno::EINVAL.into()),
    }
}
