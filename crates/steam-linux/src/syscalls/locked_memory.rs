//! Memory that is to stay in memory: `mlock` and the calls around it, with their limit. What is locked
//! behaves like all other memory, but for the calls that would take it away.

use steam_state::{PAGE_SIZE, RegionKind, Regions};

use super::memory::{accept_range, pages_of};
use super::resources::resource;
use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::Refusal;

const PAGE: u32 = PAGE_SIZE as u32;

/// How many bytes of `start..end` are locked.
fn locked_within(regions: &Regions, start: u32, end: u32) -> u64 {
    let locked = regions.within(start, end).into_iter().filter(|(_, region)| region.locked);
    locked.map(|(from, region)| u64::from(region.end - from)).sum()
}

/// Whether some of `start..end` is locked.
pub(super) fn is_locked(regions: &Regions, start: u32, end: u32) -> bool {
    regions.within(start, end).iter().any(|(_, region)| region.locked)
}

impl Call<'_> {
    fn lock_limit(&self) -> u64 {
        self.system.limit(resource::LOCKED).0
    }

    /// Whether `size` bytes more may be locked.
    fn has_room_to_lock(&self, size: u64) -> bool {
        let locked = locked_within(self.cpu.memory.regions(), 0, u32::MAX);
        let limit = self.lock_limit() & !u64::from(PAGE - 1);
        locked.saturating_add(size) <= limit
    }

    /// Whether a new mapping is to be locked, if that is allowed.
    pub(super) fn locks_mapping(&self, wanted: bool, size: u32) -> Result<bool, Errno> {
        if wanted && self.lock_limit() == 0 {
            return Err(Errno::EPERM);
        }
        let locks = wanted || self.system.process.locks_future;
        let size = u64::from(size).next_multiple_of(u64::from(PAGE));
        if locks && !self.has_room_to_lock(size) { Err(Errno::EAGAIN) } else { Ok(locks) }
    }
}

/// Locks the range of a call; `fills` says whether its pages are brought into memory at once.
fn lock(call: &mut Call<'_>, fills: bool) -> Answer {
    if call.lock_limit() == 0 {
        return Err(Errno::EPERM.into());
    }
    let (start, end) = pages_of(call)?;
    let size = u64::from(end - start) - locked_within(call.cpu.memory.regions(), start, end);
    if !call.has_room_to_lock(size) {
        return Err(Errno::ENOMEM.into());
    }
    accept_range(call)?;
    call.cpu.memory.set_locked(start, end, true);
    let parts = call.cpu.memory.regions().within(start, end);
    // What cannot be read cannot be brought into memory.
    let refuses = parts.iter().any(|(_, region)| !region.protection.read);
    if fills && refuses { Err(Errno::ENOMEM.into()) } else { Ok(0) }
}

pub(super) fn mlock(call: &mut Call<'_>) -> Answer {
    lock(call, true)
}

pub(super) fn mlock2(call: &mut Call<'_>) -> Answer {
    const ON_FAULT: u32 = 1;
    match call.arguments[2] {
        0 => lock(call, true),
        ON_FAULT => lock(call, false),
        _ => Err(Errno::EINVAL.into()),
    }
}

pub(super) fn munlock(call: &mut Call<'_>) -> Answer {
    accept_range(call)?;
    let (start, end) = pages_of(call)?;
    call.cpu.memory.set_locked(start, end, false);
    Ok(0)
}

pub(super) fn mlockall(call: &mut Call<'_>) -> Answer {
    const CURRENT: u32 = 1;
    const FUTURE: u32 = 2;
    const ON_FAULT: u32 = 4;
    let flags = call.arguments[0];
    if matches!(flags, 0 | ON_FAULT | 8..) {
        return Err(Errno::EINVAL.into());
    }
    match call.lock_limit() {
        0 => return Err(Errno::EPERM.into()),
        // How much memory a process has here is not what it has on Linux.
        limit if limit <= u64::from(u32::MAX) && flags & CURRENT != 0 => {
            let detail = "all memory locked, with a limit of locked memory";
            return Err(Refusal::Unknown(detail.to_owned()));
        }
        _ => {}
    }
    call.system.process.locks_future = flags & FUTURE != 0;
    if flags & CURRENT != 0 {
        set_all(call, true);
    }
    Ok(0)
}

pub(super) fn munlockall(call: &mut Call<'_>) -> Answer {
    call.system.process.locks_future = false;
    set_all(call, false);
    Ok(0)
}

fn set_all(call: &mut Call<'_>, locked: bool) {
    let memory = &mut call.cpu.memory;
    let parts: Vec<(u32, u32)> = memory
        .regions()
        .iter()
        // The room for the heap is larger than what a process would have mapped.
        .filter(|(_, region)| !locked || region.kind != RegionKind::Heap)
        .filter(|(_, region)| region.locked != locked)
        .map(|(start, region)| (start, region.end))
        .collect();
    for (start, end) in parts {
        memory.set_locked(start, end, locked);
    }
}
