//! Resources: limits, usage, processors, randomness.

use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::world::{PROCESSORS, UPTIME_SECONDS};

const INFINITY: u64 = u64::MAX;
const NARROW_INFINITY: u32 = u32::MAX;
const KINDS: u32 = 16;

fn limit(call: &Call<'_>, kind: u32) -> Result<(u64, u64), Errno> {
    if kind >= KINDS {
        return Err(Errno::EINVAL);
    }
    if let Some(&limit) = call.system.process.limits.get(&kind) {
        return Ok(limit);
    }
    Ok(match kind {
        // The stack, core files, processes, files, locked memory, pending signals, queues.
        3 => (u64::from(crate::boot::STACK_SIZE), INFINITY),
        4 => (0, INFINITY),
        6 => (4096, 4096),
        7 => (1024, 4096),
        8 => (8 << 20, 8 << 20),
        11 => (4096, 4096),
        12 => (819_200, 819_200),
        13 | 14 => (0, 0),
        _ => (INFINITY, INFINITY),
    })
}

/// Limits on what nothing here is refused for: of files, data, memory, processes, signals and queues.
const NOT_KEPT: [u32; 6] = [1, 2, 6, 9, 11, 12];

fn set_limit(call: &mut Call<'_>, kind: u32, (soft, hard): (u64, u64)) -> Result<(), Refusal> {
    let (before, highest) = limit(call, kind)?;
    if soft > hard {
        return Err(Errno::EINVAL.into());
    }
    if hard > highest {
        return Err(Errno::EPERM.into());
    }
    if soft < before && NOT_KEPT.contains(&kind) {
        return Err(Refusal::Unknown(format!("a lower limit of resource {kind}")));
    }
    call.system.process.limits.insert(kind, (soft, hard));
    Ok(())
}

fn narrow(limit: u64) -> u32 {
    u32::try_from(limit).unwrap_or(NARROW_INFINITY)
}

fn widened(limit: u32) -> u64 {
    if limit == NARROW_INFINITY { INFINITY } else { u64::from(limit) }
}

pub(super) fn getrlimit(call: &mut Call<'_>) -> Answer {
    let [kind, place, ..] = call.arguments;
    let (soft, hard) = limit(call, kind)?;
    call.put_words(place, &[narrow(soft), narrow(hard)])?;
    Ok(0)
}

pub(super) fn setrlimit(call: &mut Call<'_>) -> Answer {
    let [kind, place, ..] = call.arguments;
    let [soft, hard] = call.words(place)?;
    set_limit(call, kind, (widened(soft), widened(hard)))?;
    Ok(0)
}

pub(super) fn prlimit64(call: &mut Call<'_>) -> Answer {
    let [process, kind, new, old, ..] = call.arguments;
    if process != 0 && process != call.system.process_number() {
        return Err(Errno::ESRCH.into());
    }
    let (soft, hard) = limit(call, kind)?;
    if new != 0 {
        let wanted = (call.long(new)?, call.long(new.wrapping_add(8))?);
        set_limit(call, kind, wanted)?;
    }
    if old != 0 {
        let words = [soft as u32, (soft >> 32) as u32, hard as u32, (hard >> 32) as u32];
        call.put_words(old, &words)?;
    }
    Ok(0)
}

pub(super) fn getrusage(call: &mut Call<'_>) -> Answer {
    const CHILDREN: u32 = u32::MAX;
    let [who, place, ..] = call.arguments;
    let busy = if who == CHILDREN { 0 } else { call.system.read_busy_time() / 1000 };
    let mut words = [0; 18];
    (words[0], words[1]) = ((busy / 1_000_000) as u32, (busy % 1_000_000) as u32);
    // The largest resident size, in KiB.
    words[4] = 4096;
    call.put_words(place, &words)?;
    Ok(0)
}

pub(super) fn sysinfo(call: &mut Call<'_>) -> Answer {
    const MEMORY: u32 = 1 << 30;
    let uptime = UPTIME_SECONDS + call.system.kernel.clock / 1_000_000_000;
    let mut words = [0; 16];
    words[0] = uptime as u32;
    (words[4], words[5]) = (MEMORY, MEMORY / 2);
    // The number of processes, and bytes per unit.
    (words[10], words[13]) = (1, 1);
    call.put_words(call.arguments[0], &words)?;
    Ok(0)
}

pub(super) fn sched_getaffinity(call: &mut Call<'_>) -> Answer {
    let [_, size, place, ..] = call.arguments;
    if size < 4 || !size.is_multiple_of(4) {
        return Err(Errno::EINVAL.into());
    }
    call.put_word(place, (1 << PROCESSORS) - 1)?;
    Ok(4)
}

/// Scheduling parameters are accepted and change nothing.
pub(super) fn accept(_: &mut Call<'_>) -> Answer {
    Ok(0)
}

pub(super) fn sched_getparam(call: &mut Call<'_>) -> Answer {
    call.put_word(call.arguments[1], 0)?;
    Ok(0)
}

/// The highest and lowest priority: 1 to 99 for the real-time policies, 0 for the others.
pub(super) fn sched_get_priority_max(call: &mut Call<'_>) -> Answer {
    policy_priority(call, 99)
}

pub(super) fn sched_get_priority_min(call: &mut Call<'_>) -> Answer {
    policy_priority(call, 1)
}

fn policy_priority(call: &Call<'_>, realtime: u32) -> Answer {
    match call.arguments[0] {
        1 | 2 => Ok(realtime),
        0 | 3 | 5 | 6 => Ok(0),
        _ => Err(Errno::EINVAL.into()),
    }
}

/// The kernel answers 20 minus the nice value, so that results are never negative.
pub(super) fn getpriority(_: &mut Call<'_>) -> Answer {
    Ok(20)
}

pub(super) fn getcpu(call: &mut Call<'_>) -> Answer {
    let [processor, node, ..] = call.arguments;
    for place in [processor, node] {
        if place != 0 {
            call.put_word(place, 0)?;
        }
    }
    Ok(0)
}

pub(super) fn getrandom(call: &mut Call<'_>) -> Answer {
    let [buffer, size, flags, ..] = call.arguments;
    if flags > 7 {
        return Err(Errno::EINVAL.into());
    }
    let size = size.min(0x1ff_ffff);
    // Before the stream moves on: the buffer must be there.
    call.bytes(buffer, size).map_err(|refusal| match refusal {
        Refusal::Errno(_) => Refusal::Errno(Errno::EFAULT),
        other => other,
    })?;
    let bytes = call.system.kernel.random_bytes(size as usize);
    call.put(buffer, &bytes)?;
    Ok(size)
}

/// Calls that glibc and musl try first and do without: newer or optional ones.
pub(super) fn absent(_: &mut Call<'_>) -> Answer {
    Err(Errno::ENOSYS.into())
}
