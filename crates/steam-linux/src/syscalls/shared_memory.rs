//! System V shared memory.

use steam_state::{PAGE_SIZE, Protection};
use steam_visibility::OthersFact;

use super::ipc::{Request, command, two_words};
use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Asked, Segment, SegmentKind, SegmentUsage};

const PAGE: u32 = PAGE_SIZE as u32;
/// The bit of a mode that says that a segment stays in memory.
const LOCKED: u32 = 0o2000;

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
    let made = call.stamp(Asked::Segments).unwrap_or_default();
    let usage = SegmentUsage { made, ..SegmentUsage::default() };
    let kind = SegmentKind::Facility { key, size, mode, removed: false, usage };
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
    let shown = call.show_segment(start, segment.end - start, wanted, protection)?;
    call.note_attaching(shown);
    Ok(shown)
}

pub(super) fn shmdt(call: &mut Call<'_>) -> Answer {
    let start = call.arguments[0];
    let end = call.attached_until(start).ok_or(Errno::EINVAL)?;
    call.note_detaching(start, end);
    call.cpu.memory.unmap(start, end);
    call.collect_segments();
    Ok(0)
}

/// Commands of `shmctl` beside those that all facilities have.
mod command_of_segment {
    pub const LOCK: u32 = 11;
    pub const UNLOCK: u32 = 12;
    pub const STATUS_AT: u32 = 13;
    pub const COUNTS: u32 = 14;
    pub const STATUS_OF_ANY: u32 = 15;
}

/// What must be known before a command of `shmctl` can be answered.
pub(super) fn requires(what: u32) -> Option<OthersFact> {
    use command_of_segment::{STATUS_AT, STATUS_OF_ANY};
    let asks = matches!(what, command::STATUS | STATUS_AT | STATUS_OF_ANY);
    asks.then(|| Asked::Segments.fact())
}

pub(super) fn shmctl(call: &mut Call<'_>) -> Answer {
    use command_of_segment::{COUNTS, LOCK, STATUS_AT, STATUS_OF_ANY, UNLOCK};
    let [id, what, place, ..] = call.arguments;
    let what = what & !command::WIDE;
    match what {
        command::LIMITS => return limits(call, place),
        COUNTS => {
            let detail = "SHM_INFO, which says how much of all segments is in memory";
            return Err(Refusal::Unknown(detail.to_owned()));
        }
        _ => {}
    }
    let (start, found) = segment(call, id)?;
    let SegmentKind::Facility { key, size, mode, removed, mut usage } = found.kind else {
        return Err(Errno::EINVAL.into());
    };
    let kind = match what {
        command::REMOVE => SegmentKind::Facility { key: 0, size, mode, removed: true, usage },
        command::STATUS => return put_status(call, place, id).map(|()| 0),
        // An index is an id here.
        STATUS_AT | STATUS_OF_ANY => return put_status(call, place, id).map(|()| id),
        command::SET => {
            let mode = call.new_mode(place)? | mode & LOCKED;
            if let Some(now) = call.stamp(Asked::Segments) {
                usage.made.time = now.time;
            }
            SegmentKind::Facility { key, size, mode, removed, usage }
        }
        LOCK => SegmentKind::Facility { key, size, mode: mode | LOCKED, removed, usage },
        UNLOCK => SegmentKind::Facility { key, size, mode: mode & !LOCKED, removed, usage },
        _ => return Err(Errno::EINVAL.into()),
    };
    call.system.kernel.segments.insert(start, Segment { kind, ..found });
    call.collect_segments();
    Ok(0)
}

/// Writes the `struct shmid64_ds` of a segment.
fn put_status(call: &mut Call<'_>, place: u32, id: u32) -> Result<(), Refusal> {
    const REMOVED: u32 = 0o1000;
    let (start, found) = segment(call, id)?;
    let SegmentKind::Facility { key, size, mode, removed, usage } = found.kind else {
        return Err(Errno::EINVAL.into());
    };
    let times = [usage.attached, usage.detached, usage.made.time].map(two_words);
    let attachments = call.attachments(start, found.end);
    let users = [usage.made.process, usage.user, attachments, 0, 0];
    let words = [&[size], times.as_flattened(), &users].concat();
    let mode = if removed { mode | REMOVED } else { mode };
    call.put_status(place, (id, key, mode), &words)
}

/// Writes the `struct shminfo64` with the limits of the system.
fn limits(call: &mut Call<'_>, place: u32) -> Answer {
    const MOST_SEGMENTS: u32 = 4096;
    const MOST_PAGES: u32 = 0xfeff_ffff;
    let ids = call.system.kernel.segments.iter();
    let ids = ids.filter(|(_, it)| matches!(it.kind, SegmentKind::Facility { .. }));
    let highest = ids.map(|(start, _)| start / PAGE).max().unwrap_or(0);
    let words = [i32::MAX as u32, 1, MOST_SEGMENTS, MOST_SEGMENTS, MOST_PAGES, 0, 0, 0, 0];
    call.put_words(place, &words)?;
    Ok(highest)
}
