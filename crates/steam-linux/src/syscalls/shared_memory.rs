//! System V shared memory.

use steam_state::{PAGE_SIZE, Protection};

use super::ipc::{Request, command, permissions};
use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::GuestMemory;
use crate::kernel::{Segment, SegmentKind};

const PAGE: u32 = PAGE_SIZE as u32;

pub(super) fn shmget(call: &mut Call<'_>) -> Answer {
    let [key, size, flags, ..] = call.arguments;
    let request = Request { key, flags };
    let known = call.system.kernel.segments.iter().find(|(_, segment)| {
        matches!(segment.kind, SegmentKind::Facility { key: other, removed: false, .. } if other == key)
    });
    let known = known.map(|(&start, segment)| (start, *segment));
    if let Some(start) = request.find(known.map(|(start, _)| start))? {
        let enough = known.is_some_and(|(_, it)| facility_size(it) >= size);
        return if enough { Ok(start / PAGE) } else { Err(Errno::EINVAL.into()) };
    }
    if size == 0 {
        return Err(Errno::EINVAL.into());
    }
    let mode = flags & 0o777;
    let kind = SegmentKind::Facility { key, size, mode, removed: false };
    Ok(call.add_segment(size, kind)? / PAGE)
}

fn facility_size(segment: Segment) -> u32 {
    match segment.kind {
        SegmentKind::Facility { size, .. } => size,
        _ => 0,
    }
}

/// The segment with an id, and where it begins.
fn segment(call: &Call<'_>, id: u32) -> Result<(u32, Segment), Errno> {
    let start = id.checked_mul(PAGE).ok_or(Errno::EINVAL)?;
    let segment = call.system.kernel.segments.get(&start).copied().ok_or(Errno::EINVAL)?;
    match segment.kind {
        SegmentKind::Facility { .. } => Ok((start, segment)),
        _ => Err(Errno::EINVAL),
    }
}

pub(super) fn shmat(call: &mut Call<'_>) -> Answer {
    const ROUND: u32 = 0o20000;
    const READ_ONLY: u32 = 0o10000;
    let [id, wanted, flags, ..] = call.arguments;
    let (start, segment) = segment(call, id)?;
    let wanted = match wanted {
        0 => None,
        at if at.is_multiple_of(PAGE) => Some(at),
        at if flags & ROUND != 0 => Some(at & !(PAGE - 1)),
        _ => return Err(Errno::EINVAL.into()),
    };
    let protection = if flags & READ_ONLY != 0 { Protection::READ } else { Protection::READ_WRITE };
    call.show_segment(start, segment.end - start, wanted, protection)
}

pub(super) fn shmdt(call: &mut Call<'_>) -> Answer {
    let start = call.arguments[0];
    let end = call.attached_until(start).ok_or(Errno::EINVAL)?;
    call.cpu.memory.unmap(start, end);
    call.collect_segments();
    Ok(0)
}

pub(super) fn shmctl(call: &mut Call<'_>) -> Answer {
    const LOCK: u32 = 11;
    const UNLOCK: u32 = 12;
    let [id, what, place, ..] = call.arguments;
    let (start, found) = segment(call, id)?;
    let SegmentKind::Facility { key, size, mode, .. } = found.kind else {
        return Err(Errno::EINVAL.into());
    };
    match what & !command::WIDE {
        command::REMOVE => {
            let kind = SegmentKind::Facility { key: 0, size, mode, removed: true };
            call.system.kernel.segments.insert(start, Segment { kind, ..found });
            call.collect_segments();
            Ok(0)
        }
        command::STATUS => {
            let mut bytes = permissions(key, mode);
            bytes.extend_from_slice(&size.to_le_bytes());
            bytes.resize(bytes.len() + 32, 0);
            bytes.extend_from_slice(&call.attachments(start, found.end).to_le_bytes());
            bytes.resize(bytes.len() + 8, 0);
            call.put(place, &bytes)?;
            Ok(0)
        }
        command::SET => {
            let mode = call.words::<6>(place)?[5] & 0o777;
            let kind = SegmentKind::Facility { key, size, mode, removed: false };
            call.system.kernel.segments.insert(start, Segment { kind, ..found });
            Ok(0)
        }
        LOCK | UNLOCK => Ok(0),
        _ => Err(Errno::EINVAL.into()),
    }
}
