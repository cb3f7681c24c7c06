//! System V semaphores.

use steam_state::Site;

use super::ipc::{NO_WAIT, Request, command, permissions};
use super::time::{self, Width};
use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{
    Channel, LARGEST_VALUE, Prospect, Reason, SemaphoreOperation, SemaphoreSet, Waiting,
};

/// A row of operations is not longer than this.
const MOST_OPERATIONS: u32 = 500;
const MOST_SEMAPHORES: u32 = 32000;

pub(super) fn semget(call: &mut Call<'_>) -> Answer {
    let [key, count, flags, ..] = call.arguments;
    let id = call.facility(&Request { key, flags }, false, || match count {
        1..=MOST_SEMAPHORES => Ok(Channel::Semaphores(SemaphoreSet::new(count as usize))),
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
        call.cpu.memory.sharing().mark(Site::LargeSemaphore);
    }
    match set.prospect(&operations) {
        Prospect::Possible => {
            if let Some(set) = call.system.channels.semaphores_mut(channel) {
                set.perform(&operations, process);
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

pub(super) fn semctl(call: &mut Call<'_>) -> Answer {
    const LAST_PROCESS: u32 = 11;
    const VALUE: u32 = 12;
    const ALL_VALUES: u32 = 13;
    const WAITING_FOR_MORE: u32 = 14;
    const WAITING_FOR_ZERO: u32 = 15;
    const SET_VALUE: u32 = 16;
    const SET_ALL: u32 = 17;
    let [id, number, what, argument, ..] = call.arguments;
    let facility = call.facility_of(id, false)?;
    let set = call.system.channels.semaphores(facility.channel).ok_or(Errno::EINVAL)?;
    let (index, count) = (number as usize, set.values().len());
    match what & !command::WIDE {
        command::REMOVE => {
            call.remove_facility(id, facility);
            Ok(0)
        }
        command::STATUS => {
            let mut bytes = permissions(facility.key, facility.mode);
            bytes.resize(bytes.len() + 16, 0);
            bytes.extend_from_slice(&(count as u32).to_le_bytes());
            bytes.resize(bytes.len() + 8, 0);
            call.put(argument, &bytes)?;
            Ok(0)
        }
        command::SET => {
            let mode = call.words::<6>(argument)?[5];
            if let Some(facility) = call.system.kernel.facilities.get_mut(&id) {
                facility.mode = mode & 0o777;
            }
            Ok(0)
        }
        // Who came last would make states differ that are alike in all else.
        LAST_PROCESS => Err(Refusal::Unknown("who used a semaphore last".to_owned())),
        VALUE => Ok(*set.values().get(index).ok_or(Errno::EINVAL)?),
        ALL_VALUES => {
            let bytes: Vec<u8> =
                set.values().iter().flat_map(|&value| (value as u16).to_le_bytes()).collect();
            call.put(argument, &bytes)?;
            Ok(0)
        }
        // Nobody sees a process that has begun to wait.
        WAITING_FOR_MORE | WAITING_FOR_ZERO if index < count && !call.system.is_alone() => {
            Err(Refusal::Unknown("how many wait at a semaphore".to_owned()))
        }
        WAITING_FOR_MORE | WAITING_FOR_ZERO if index < count => Ok(0),
        SET_VALUE if argument > LARGEST_VALUE => Err(Errno::ERANGE.into()),
        SET_VALUE => {
            let set = call.system.channels.semaphores_mut(facility.channel);
            match set.is_some_and(|set| set.set(index, argument)) {
                true => Ok(0),
                false => Err(Errno::EINVAL.into()),
            }
        }
        SET_ALL => {
            let bytes = call.bytes(argument, 2 * count as u32)?;
            let values =
                bytes.chunks_exact(2).map(|it| u32::from(u16::from_le_bytes([it[0], it[1]])));
            let values: Vec<u32> = values.collect();
            if values.iter().any(|&value| value > LARGEST_VALUE) {
                return Err(Errno::ERANGE.into());
            }
            if let Some(set) = call.system.channels.semaphores_mut(facility.channel) {
                for (number, value) in values.into_iter().enumerate() {
                    set.set(number, value);
                }
            }
            Ok(0)
        }
        _ => Err(Errno::EINVAL.into()),
    }
}
