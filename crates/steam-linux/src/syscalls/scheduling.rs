//! Scheduling: policies, priorities, nice values and processors, with the rules and errors of Linux for a user
//! whose limits allow all of them.

use steam_state::ThreadId;

use super::time::timespec;
use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Policy, Scheduling};
use crate::system::System;
use crate::world::{PROCESSORS, USER_ID};

/// The bit of a policy that says what children begin with.
const RESET_ON_FORK: u32 = 0x4000_0000;
/// The number of `SCHED_DEADLINE`, which needs parameters of its own.
const DEADLINE: u32 = 6;

/// The process that is always there and not ours: what it is can be asked, and not be changed.
const FIRST_PROCESS: u32 = 1;

/// The thread with a number; 0 is the calling one.
fn thread(call: &Call<'_>, number: u32) -> Result<ThreadId, Errno> {
    if number == FIRST_PROCESS {
        return Err(Errno::EPERM);
    }
    if (number as i32) < 0 {
        return Err(Errno::EINVAL);
    }
    if number == 0 {
        return Ok(call.system.current);
    }
    let thread = System::thread_numbered(number).ok_or(Errno::ESRCH)?;
    call.system.threads.get(thread).map(|_| thread).ok_or(Errno::ESRCH)
}

fn scheduling(call: &Call<'_>, thread: ThreadId) -> Result<Scheduling, Errno> {
    call.system.threads.get(thread).map(|record| record.scheduling).ok_or(Errno::ESRCH)
}

fn change(
    call: &mut Call<'_>,
    thread: ThreadId,
    change: impl FnOnce(&mut Scheduling),
) -> Result<(), Errno> {
    let record = call.system.threads.get_mut(thread).ok_or(Errno::ESRCH)?;
    change(&mut record.scheduling);
    Ok(())
}

fn check_priority(policy: Policy, priority: u32) -> Result<(), Errno> {
    let (lowest, highest) = policy.priorities();
    if (lowest..=highest).contains(&priority) { Ok(()) } else { Err(Errno::EINVAL) }
}

/// Sets policy and priority; a policy of `None` stays.
fn set(call: &mut Call<'_>, number: u32, policy: Option<u32>, parameters: u32) -> Answer {
    if parameters == 0 || (number as i32) < 0 {
        return Err(Errno::EINVAL.into());
    }
    let priority = call.word(parameters)?;
    let thread = thread(call, number)?;
    let before = scheduling(call, thread)?;
    let (policy, resets) = match policy {
        Some(bits) => {
            let policy = Policy::numbered(bits & !RESET_ON_FORK).ok_or(Errno::EINVAL)?;
            (policy, bits & RESET_ON_FORK != 0)
        }
        None => (before.policy, before.resets),
    };
    check_priority(policy, priority)?;
    change(call, thread, |it| *it = Scheduling { policy, priority, resets, ..before })?;
    Ok(0)
}

pub(super) fn sched_setscheduler(call: &mut Call<'_>) -> Answer {
    let [number, policy, parameters, ..] = call.arguments;
    if (policy as i32) < 0 {
        return Err(Errno::EINVAL.into());
    }
    set(call, number, Some(policy), parameters)
}

pub(super) fn sched_setparam(call: &mut Call<'_>) -> Answer {
    let [number, parameters, ..] = call.arguments;
    set(call, number, None, parameters)
}

/// Flags of a `struct sched_attr`.
mod flag {
    pub const RESET_ON_FORK: u32 = 1;
    pub const KEEP_POLICY: u32 = 8;
    pub const KEEP_PARAMETERS: u32 = 0x10;
    /// Bounds of how much of a processor is used.
    pub const CLAMPS: u32 = 0x60;
    pub const ALL: u32 = 0x7f;
}

/// The first version of a `struct sched_attr`, and the one that has clamps too.
const ATTRIBUTES: [u32; 2] = [48, 56];

/// Reads the first words of a `struct sched_attr`: policy, flags, nice value and priority.
fn read_attributes(call: &mut Call<'_>, place: u32) -> Result<[u32; 4], Refusal> {
    const LARGEST: u32 = 4096;
    let [first, known] = ATTRIBUTES;
    let size = match call.word(place)? {
        0 => first,
        size => size,
    };
    let too_large = |call: &mut Call<'_>| -> Refusal {
        // The size that would be right is written there, as far as that is possible.
        match call.put_word(place, known) {
            Ok(()) => Errno::E2BIG.into(),
            Err(refusal) => refusal,
        }
    };
    if !(first..=LARGEST).contains(&size) {
        return Err(too_large(call));
    }
    let beyond = call.bytes(place.wrapping_add(known), size.saturating_sub(known))?;
    if beyond.iter().any(|&byte| byte != 0) {
        return Err(too_large(call));
    }
    let [_, policy, low, high, nice, priority] = call.words(place)?;
    if low & flag::CLAMPS != 0 && size < known || high != 0 {
        return Err(Errno::EINVAL.into());
    }
    Ok([policy, low, nice, priority])
}

pub(super) fn sched_setattr(call: &mut Call<'_>) -> Answer {
    let [number, place, flags, ..] = call.arguments;
    if place == 0 || (number as i32) < 0 || flags != 0 {
        return Err(Errno::EINVAL.into());
    }
    let [policy, flags, nice, priority] = read_attributes(call, place)?;
    if (policy as i32) < 0 {
        return Err(Errno::EINVAL.into());
    }
    let thread = thread(call, number)?;
    let before = scheduling(call, thread)?;
    let keeps_policy = flags & flag::KEEP_POLICY != 0;
    if policy == DEADLINE && !keeps_policy {
        return Err(Refusal::Unknown("SCHED_DEADLINE".to_owned()));
    }
    let (policy, resets) = match keeps_policy {
        true => (before.policy, before.resets),
        false => {
            let policy = Policy::numbered(policy).ok_or(Errno::EINVAL)?;
            (policy, flags & flag::RESET_ON_FORK != 0)
        }
    };
    if flags & !flag::ALL != 0 {
        return Err(Errno::EINVAL.into());
    }
    if flags & flag::CLAMPS != 0 {
        return Err(Refusal::Unknown("sched_setattr with utilisation clamps".to_owned()));
    }
    let keeps = flags & flag::KEEP_PARAMETERS != 0;
    let priority = match keeps && before.policy.is_real_time() {
        true => before.priority,
        false => priority,
    };
    check_priority(policy, priority)?;
    let nice = match policy.is_real_time() {
        true => before.nice,
        false => (nice as i32).clamp(-20, 19),
    };
    change(call, thread, |it| {
        // Who keeps its parameters keeps its policy too, as in Linux.
        *it = match keeps {
            true => Scheduling { resets, ..before },
            false => Scheduling { policy, priority, resets, nice, ..before },
        };
    })?;
    Ok(0)
}

pub(super) fn sched_getattr(call: &mut Call<'_>) -> Answer {
    const LARGEST: u32 = 4096;
    let [number, place, size, flags, ..] = call.arguments;
    let [first, known] = ATTRIBUTES;
    let fits = (first..=LARGEST).contains(&size);
    if place == 0 || (number as i32) < 0 || !fits || flags != 0 {
        return Err(Errno::EINVAL.into());
    }
    let thread = thread(call, number)?;
    let it = scheduling(call, thread)?;
    let (nice, priority) = match it.policy.is_real_time() {
        true => (0, it.priority),
        false => (it.nice as u32, 0),
    };
    let flags = if it.resets { flag::RESET_ON_FORK } else { 0 };
    let size = size.min(known);
    let mut words = vec![size, it.policy as u32, flags, 0, nice, priority];
    words.resize(size as usize / 4, 0);
    call.put_words(place, &words)?;
    Ok(0)
}

pub(super) fn sched_getscheduler(call: &mut Call<'_>) -> Answer {
    if call.arguments[0] == FIRST_PROCESS {
        return Ok(Policy::default() as u32);
    }
    let thread = thread(call, call.arguments[0])?;
    let it = scheduling(call, thread)?;
    Ok(it.policy as u32 | if it.resets { RESET_ON_FORK } else { 0 })
}

pub(super) fn sched_getparam(call: &mut Call<'_>) -> Answer {
    let [number, place, ..] = call.arguments;
    if place == 0 {
        return Err(Errno::EINVAL.into());
    }
    let priority = match number {
        FIRST_PROCESS => 0,
        _ => {
            let thread = thread(call, number)?;
            scheduling(call, thread)?.priority
        }
    };
    call.put_word(place, priority)?;
    Ok(0)
}

pub(super) fn sched_get_priority_max(call: &mut Call<'_>) -> Answer {
    Ok(priorities(call.arguments[0])?.1)
}

pub(super) fn sched_get_priority_min(call: &mut Call<'_>) -> Answer {
    Ok(priorities(call.arguments[0])?.0)
}

fn priorities(policy: u32) -> Result<(u32, u32), Errno> {
    if policy == DEADLINE {
        return Ok((0, 0));
    }
    Ok(Policy::numbered(policy).ok_or(Errno::EINVAL)?.priorities())
}

pub(super) fn sched_rr_get_interval(call: &mut Call<'_>) -> Answer {
    interval(call, false)
}

pub(super) fn sched_rr_get_interval_time64(call: &mut Call<'_>) -> Answer {
    interval(call, true)
}

fn interval(call: &mut Call<'_>, wide: bool) -> Answer {
    const SLICE: u64 = 100_000_000;
    const USUAL_SLICE: u64 = 4_000_000;
    let [number, place, ..] = call.arguments;
    let thread = thread(call, number)?;
    let slice = match scheduling(call, thread)?.policy {
        Policy::RoundRobin => SLICE,
        Policy::Fifo => 0,
        Policy::Other | Policy::Batch | Policy::Idle => USUAL_SLICE,
    };
    call.put(place, &timespec(slice, wide))?;
    Ok(0)
}

/// The threads that a call about nice values means: a thread, a process group, or all of a user.
fn meant(call: &Call<'_>, kind: u32, number: u32) -> Result<Vec<ThreadId>, Refusal> {
    const THREAD: u32 = 0;
    const GROUP: u32 = 1;
    const USER: u32 = 2;
    let system = &call.system;
    let found: Vec<ThreadId> = match kind {
        THREAD => thread(call, number).into_iter().collect(),
        GROUP => {
            let group = if number == 0 { system.process.group } else { number };
            let is_member = |space| system.environment(space).group == group;
            let spaces = system.spaces().into_iter().filter(|&space| is_member(space));
            spaces.flat_map(|space| system.threads.of(space).map(|(it, _)| it)).collect()
        }
        USER if number == 0 || number == USER_ID => {
            system.threads.iter().map(|(it, _)| it).collect()
        }
        USER => Vec::new(),
        _ => return Err(Errno::EINVAL.into()),
    };
    if found.is_empty() { Err(Errno::ESRCH.into()) } else { Ok(found) }
}

/// The kernel answers 20 minus the lowest nice value, so that results are never negative.
pub(super) fn getpriority(call: &mut Call<'_>) -> Answer {
    let [kind, number, ..] = call.arguments;
    let meant = meant(call, kind, number)?;
    let nice = meant.into_iter().filter_map(|thread| Some(scheduling(call, thread).ok()?.nice));
    Ok((20 - nice.min().unwrap_or(0)) as u32)
}

pub(super) fn setpriority(call: &mut Call<'_>) -> Answer {
    let [kind, number, nice, ..] = call.arguments;
    for thread in meant(call, kind, number)? {
        change(call, thread, |it| it.nice = (nice as i32).clamp(-20, 19))?;
    }
    Ok(0)
}

pub(super) fn nice(call: &mut Call<'_>) -> Answer {
    let increment = call.arguments[0] as i32;
    let current = call.system.current;
    change(call, current, |it| it.nice = it.nice.saturating_add(increment).clamp(-20, 19))?;
    Ok(0)
}

/// A bit for each processor that there is.
const ALL: u32 = (1 << PROCESSORS) - 1;

pub(super) fn sched_setaffinity(call: &mut Call<'_>) -> Answer {
    let [number, size, place, ..] = call.arguments;
    let mask = call.bytes(place, size.min(4))?;
    let mask = mask.iter().rev().fold(0, |mask, &byte| mask << 8 | u32::from(byte)) & ALL;
    let thread = thread(call, number).map_err(|_| Errno::ESRCH)?;
    if mask == 0 {
        return Err(Errno::EINVAL.into());
    }
    change(call, thread, |it| it.avoided = ALL & !mask)?;
    Ok(0)
}

pub(super) fn sched_getaffinity(call: &mut Call<'_>) -> Answer {
    let [number, size, place, ..] = call.arguments;
    if size < 4 || !size.is_multiple_of(4) {
        return Err(Errno::EINVAL.into());
    }
    let thread = thread(call, number).map_err(|_| Errno::ESRCH)?;
    let avoided = scheduling(call, thread)?.avoided;
    call.put_word(place, ALL & !avoided)?;
    Ok(4)
}
