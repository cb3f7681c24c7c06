//! System V semaphores.

use std::ops::Range;

use steam_visibility::OthersFact;

use super::ipc::{NO_WAIT, Request, command, two_words};
use super::time::{self, Width};
use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{
    Asked, Channel, Facility, LARGEST_VALUE, Prospect, Reason, SemaphoreOperation, SemaphoreSet,
    Waiting,
};

/// A row of operations is not longer than this.
const MOST_OPERATIONS: u32 = 500;
const MOST_SEMAPHORES: u32 = 32000;

pub(super) fn semget(call: &mut Call<'_>) -> Answer {
    let [key, count, flags, ..] = call.arguments;
    let now = call.stamp(Asked::SemaphoreTimes).unwrap_or_default();
    let id = call.facility(&Request { key, flags }, false, || match count {
        1..=MOST_SEMAPHORES => {
            let mut set = SemaphoreSet::new(count as usize);
            set.changed = now.time;
            Ok(Channel::Semaphores(set))
        }
        _ => Err(Errno::EINVAL.into()),
    })?;
    let facility = call.facility_of(id, false)?;
    let set = call.system.channels.semaphores(facility.channel).ok_or(Errno::EINVAL)?;
    if count as usize > set.values().len() {
        return Err(Errno::EINVAL.into());
    }
    Ok(id)
}

pub(super) fn semop(call: &mut Call<'_>) -> Answer {
    operate(call, None)
}

pub(super) fn semtimedop(call: &mut Call<'_>) -> Answer {
    timed(call, Width::Narrow)
}

pub(super) fn semtimedop_time64(call: &mut Call<'_>) -> Answer {
    timed(call, Width::Wide)
}

fn timed(call: &mut Call<'_>, width: Width) -> Answer {
    let timeout = time::read_optional(call, call.arguments[3], width)?;
    operate(call, timeout)
}

/// The operations that lie in memory.
pub(super) fn read_operations(
    call: &mut Call<'_>,
    address: u32,
    count: u32,
) -> Result<Vec<SemaphoreOperation>, Refusal> {
    const UNDO: u16 = 0o10000;
    if count == 0 {
        return Err(Errno::EINVAL.into());
    }
    if count > MOST_OPERATIONS {
        return Err(Errno::E2BIG.into());
    }
    let bytes = call.bytes(address, count * 6)?;
    let half = |bytes: &[u8]| u16::from_le_bytes([bytes[0], bytes[1]]);
    let operation = |bytes: &[u8]| SemaphoreOperation {
        number: half(bytes),
        change: half(&bytes[2..]) as i16,
        impatient: u32::from(half(&bytes[4..])) & NO_WAIT != 0,
        undone: half(&bytes[4..]) & UNDO != 0,
    };
    Ok(bytes.chunks_exact(6).map(operation).collect())
}

fn operate(call: &mut Call<'_>, timeout: Option<u64>) -> Answer {
    let [id, address, count, ..] = call.arguments;
    if call.lost(id) {
        return Err(Errno::EIDRM.into());
    }
    let operations = read_operations(call, address, count)?;
    let facility = call.facility_of(id, false)?;
    let process = call.system.process_number();
    let clock = call.system.kernel.clock;
    let channel = facility.channel;
    let set = call.system.channels.semaphores(channel).ok_or(Errno::EINVAL)?;
    if set.nears_limit(&operations) {
        call.cpu.memory.policy.sharing().learn(OthersFact::FillsSemaphore);
    }
    match set.prospect(&operations) {
        Prospect::Possible => {
            let time = call.stamp(Asked::SemaphoreTimes);
            let user = call.stamp(Asked::SemaphoreUsers);
            if let Some(set) = call.system.channels.semaphores_mut(channel) {
                set.perform(&operations, process);
                set.note_operations(&operations, time, user);
            }
            Ok(0)
        }
        Prospect::NoSuch => Err(Errno::EFBIG.into()),
        Prospect::TooLarge => Err(Errno::ERANGE.into()),
        Prospect::Waits { impatient: true } => Err(Errno::EAGAIN.into()),
        Prospect::Waits { impatient: false } => {
            let deadline = match &call.resumed {
                Some(waiting) => waiting.deadline,
                None => timeout.map(|timeout| clock.saturating_add(timeout)),
            };
            if deadline.is_some_and(|deadline| deadline <= clock) {
                return Err(Errno::EAGAIN.into());
            }
            let reason = Reason::Semaphores { channel, id, operations };
            Err(Refusal::Wait(Waiting { reason, deadline }))
        }
    }
}

/// Commands of `semctl` beside those that all facilities have.
mod command_of_set {
    pub const LAST_PROCESS: u32 = 11;
    pub const VALUE: u32 = 12;
    pub const ALL_VALUES: u32 = 13;
    pub const WAITING_FOR_MORE: u32 = 14;
    pub const WAITING_FOR_ZERO: u32 = 15;
    pub const SET_VALUE: u32 = 16;
    pub const SET_ALL: u32 = 17;
    pub const STATUS_AT: u32 = 18;
    pub const COUNTS: u32 = 19;
    pub const STATUS_OF_ANY: u32 = 20;
}

/// What must be known before a command of `semctl` can be answered.
pub(super) fn requires(what: u32) -> Option<OthersFact> {
    use command_of_set::{
        LAST_PROCESS, STATUS_AT, STATUS_OF_ANY, WAITING_FOR_MORE, WAITING_FOR_ZERO,
    };
    match what {
        command::STATUS | STATUS_AT | STATUS_OF_ANY => Some(Asked::SemaphoreTimes.fact()),
        LAST_PROCESS => Some(Asked::SemaphoreUsers.fact()),
        // Others may be about to wait: it makes a difference whether they have begun.
        WAITING_FOR_MORE | WAITING_FOR_ZERO => Some(OthersFact::Withdraws),
        _ => None,
    }
}

pub(super) fn semctl(call: &mut Call<'_>) -> Answer {
    use command_of_set::{
        ALL_VALUES, COUNTS, LAST_PROCESS, SET_ALL, SET_VALUE, STATUS_AT, STATUS_OF_ANY, VALUE,
        WAITING_FOR_MORE, WAITING_FOR_ZERO,
    };
    let [id, number, what, argument, ..] = call.arguments;
    let what = what & !command::WIDE;
    if (id as i32) < 0 {
        return Err(Errno::EINVAL.into());
    }
    match what {
        command::LIMITS | COUNTS => return limits(call, argument, what == COUNTS),
        STATUS_AT | STATUS_OF_ANY => {
            let (id, facility) = call.facility_at(id, false)?;
            put_status(call, argument, id, facility)?;
            return Ok(id);
        }
        SET_VALUE if argument > LARGEST_VALUE => return Err(Errno::ERANGE.into()),
        _ => {}
    }
    let facility = call.facility_of(id, false)?;
    let set = call.system.channels.semaphores(facility.channel).ok_or(Errno::EINVAL)?;
    let (index, count) = (number as usize, set.values().len());
    match what {
        command::REMOVE => {
            call.remove_facility(id, facility);
            Ok(0)
        }
        command::STATUS => put_status(call, argument, id, facility).map(|()| 0),
        command::SET => {
            let mode = call.new_mode(argument)?;
            if let Some(facility) = call.system.kernel.facilities.get_mut(&id) {
                facility.mode = mode;
            }
            note_change(call, facility, 0..0)
        }
        ALL_VALUES => {
            let bytes: Vec<u8> =
                set.values().iter().flat_map(|&value| (value as u16).to_le_bytes()).collect();
            call.put(argument, &bytes)?;
            Ok(0)
        }
        SET_ALL => {
            let bytes = call.bytes(argument, 2 * count as u32)?;
            let values =
                bytes.chunks_exact(2).map(|it| u32::from(u16::from_le_bytes([it[0], it[1]])));
            let values: Vec<u32> = values.collect();
            if values.iter().any(|&value| value > LARGEST_VALUE) {
                return Err(Errno::ERANGE.into());
            }
            set_values(call, facility, 0, &values)
        }
        LAST_PROCESS | VALUE | WAITING_FOR_MORE | WAITING_FOR_ZERO | SET_VALUE
            if index >= count =>
        {
            Err(Errno::EINVAL.into())
        }
        LAST_PROCESS => Ok(set.user(index)),
        VALUE => Ok(set.values()[index]),
        WAITING_FOR_MORE => Ok(waiting_at(call, facility.channel, number, |change| change < 0)),
        WAITING_FOR_ZERO => Ok(waiting_at(call, facility.channel, number, |change| change == 0)),
        SET_VALUE => set_values(call, facility, index, &[argument]),
        _ => Err(Errno::EINVAL.into()),
    }
}

/// Sets the values of semaphores from one on.
fn set_values(call: &mut Call<'_>, facility: Facility, first: usize, values: &[u32]) -> Answer {
    let set = call.system.channels.semaphores_mut(facility.channel).ok_or(Errno::EINVAL)?;
    for (number, &value) in (first..).zip(values) {
        set.set(number, value);
    }
    note_change(call, facility, first..first + values.len())
}

/// Notes a change by `semctl`, which uses some semaphores.
fn note_change(call: &mut Call<'_>, facility: Facility, used: Range<usize>) -> Answer {
    let (time, user) = (call.stamp(Asked::SemaphoreTimes), call.stamp(Asked::SemaphoreUsers));
    let set = call.system.channels.semaphores_mut(facility.channel).ok_or(Errno::EINVAL)?;
    if let Some(stamp) = time {
        set.changed = stamp.time;
    }
    if let Some(stamp) = user {
        used.for_each(|number| set.note_user(number, stamp.process));
    }
    Ok(0)
}

/// Writes the `struct semid64_ds` of a set.
fn put_status(call: &mut Call<'_>, place: u32, id: u32, facility: Facility) -> Result<(), Refusal> {
    let set = call.system.channels.semaphores(facility.channel).ok_or(Errno::EINVAL)?;
    let [operated, operated_high] = two_words(set.operated);
    let [changed, changed_high] = two_words(set.changed);
    let count = set.values().len() as u32;
    let words = [operated, operated_high, changed, changed_high, count, 0, 0];
    call.put_status(place, (id, facility.key, facility.mode), &words)
}

/// How many threads wait at a semaphore by operations of some kind.
fn waiting_at(call: &Call<'_>, at: u32, number: u32, kind: impl Fn(i16) -> bool) -> u32 {
    let set = call.system.channels.semaphores(at).expect("a facility has its channel");
    let waits = |reason: &Reason| match reason {
        Reason::Semaphores { channel, operations, .. } if *channel == at => {
            let blocked = set.blocked_at(operations);
            blocked.is_some_and(|it| u32::from(it.number) == number && kind(it.change))
        }
        _ => false,
    };
    call.system.others_wait(waits, false).count() as u32
}

/// Writes the `struct seminfo` with the limits of the system, or with how many sets and semaphores there are.
fn limits(call: &mut Call<'_>, place: u32, counts: bool) -> Answer {
    const SIZE_OF_UNDO: u32 = 20;
    const MOST_SETS: u32 = 32000;
    const MOST: u32 = MOST_SETS * MOST_SEMAPHORES;
    let (channels, highest) = call.facilities(false);
    let (sets, semaphores) = match counts {
        true => {
            let sets =
                channels.iter().filter_map(|channel| call.system.channels.semaphores(*channel));
            let semaphores: usize = sets.map(|set| set.values().len()).sum();
            (channels.len() as u32, semaphores as u32)
        }
        false => (SIZE_OF_UNDO, LARGEST_VALUE),
    };
    let [most_sets, most_semaphores, row] = [MOST_SETS, MOST_SEMAPHORES, MOST_OPERATIONS];
    let words =
        [MOST, most_sets, MOST, MOST, most_semaphores, row, row, sets, LARGEST_VALUE, semaphores];
    call.put_words(place, &words)?;
    Ok(highest)
}
