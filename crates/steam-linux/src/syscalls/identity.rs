//! Who and where the process is: constants all of them.

use steam_state::Space;

use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::system::System;
use crate::world::{PARENT_ID, USER_ID};

pub(super) fn getpid(call: &mut Call<'_>) -> Answer {
    Ok(call.system.process_number())
}

pub(super) fn getppid(call: &mut Call<'_>) -> Answer {
    let entry = call.system.kernel.processes.get(&call.system.space.leader());
    match (entry.and_then(|entry| entry.parent), call.system.space) {
        (Some(parent), _) => Ok(System::thread_number(parent)),
        (None, Space::FIRST) => Ok(PARENT_ID),
        // Its parent has ended before it.
        (None, _) => Ok(1),
    }
}

pub(super) fn gettid(call: &mut Call<'_>) -> Answer {
    Ok(System::thread_number(call.system.current))
}

/// User and group, real and effective.
pub(super) fn user(_: &mut Call<'_>) -> Answer {
    Ok(USER_ID)
}

/// `setuid` and the like: only to what one is already.
pub(super) fn set_user(call: &mut Call<'_>) -> Answer {
    allow(&call.arguments[..1])
}

pub(super) fn set_user_pair(call: &mut Call<'_>) -> Answer {
    allow(&call.arguments[..2])
}

pub(super) fn set_user_triple(call: &mut Call<'_>) -> Answer {
    allow(&call.arguments[..3])
}

fn allow(ids: &[u32]) -> Answer {
    let same = |&id: &u32| id == USER_ID || id == u32::MAX;
    if ids.iter().all(same) { Ok(0) } else { Err(Errno::EPERM.into()) }
}

pub(super) fn get_user_triple(call: &mut Call<'_>) -> Answer {
    let [real, effective, saved, ..] = call.arguments;
    for address in [real, effective, saved] {
        call.put_word(address, USER_ID)?;
    }
    Ok(0)
}

pub(super) fn getgroups(call: &mut Call<'_>) -> Answer {
    let [size, list, ..] = call.arguments;
    if size > 0 {
        call.put_word(list, USER_ID)?;
    }
    Ok(1)
}

pub(super) fn getpgrp(call: &mut Call<'_>) -> Answer {
    Ok(call.system.process.group)
}

/// The process with a number, or the calling one.
fn process(call: &Call<'_>, number: u32) -> Result<Space, Errno> {
    if number == 0 {
        return Ok(call.system.space);
    }
    let leader = System::thread_numbered(number).ok_or(Errno::ESRCH)?;
    let entry = call.system.kernel.processes.get(&leader);
    entry.filter(|entry| entry.ended.is_none()).and(Space::of(leader)).ok_or(Errno::ESRCH)
}

pub(super) fn getpgid(call: &mut Call<'_>) -> Answer {
    let space = process(call, call.arguments[0])?;
    Ok(call.system.environment(space).group)
}

pub(super) fn setpgid(call: &mut Call<'_>) -> Answer {
    let [target, group, ..] = call.arguments;
    let space = process(call, target)?;
    let number = System::thread_number(space.leader());
    let group = if group == 0 { number } else { group };
    let mut members = call.system.kernel.processes.values();
    let known = group == number || members.any(|entry| entry.group == group);
    if !known || call.system.environment(space).session == number {
        return Err(Errno::EPERM.into());
    }
    set_group(call, space, group);
    Ok(0)
}

fn set_group(call: &mut Call<'_>, space: Space, group: u32) {
    call.system.environment_mut(space).group = group;
    if let Some(entry) = call.system.kernel.processes.get_mut(&space.leader()) {
        entry.group = group;
    }
}

pub(super) fn getsid(call: &mut Call<'_>) -> Answer {
    let space = process(call, call.arguments[0])?;
    Ok(call.system.environment(space).session)
}

pub(super) fn setsid(call: &mut Call<'_>) -> Answer {
    let number = call.system.process_number();
    if call.system.process.group == number {
        return Err(Errno::EPERM.into());
    }
    call.system.process.session = number;
    set_group(call, call.system.space, number);
    Ok(number)
}

pub(super) fn uname(call: &mut Call<'_>) -> Answer {
    let fields = ["Linux", "steam", "6.1.0", "#1 SMP", "i686", "(none)"];
    let mut bytes = Vec::with_capacity(6 * 65);
    for field in fields {
        let end = bytes.len() + 65;
        bytes.extend_from_slice(field.as_bytes());
        bytes.resize(end, 0);
    }
    call.put(call.arguments[0], &bytes)?;
    Ok(0)
}

pub(super) fn prctl(call: &mut Call<'_>) -> Answer {
    const SET_DEATH_SIGNAL: u32 = 1;
    const GET_DEATH_SIGNAL: u32 = 2;
    const GET_DUMPABLE: u32 = 3;
    const SET_DUMPABLE: u32 = 4;
    const SET_NAME: u32 = 15;
    const GET_NAME: u32 = 16;
    const SET_SECCOMP: u32 = 22;
    const SET_SUBREAPER: u32 = 36;
    const SET_NO_NEW_PRIVILEGES: u32 = 38;
    const GET_NO_NEW_PRIVILEGES: u32 = 39;
    let [option, argument, ..] = call.arguments;
    match option {
        SET_NAME => {
            let mut name = [0; 16];
            for (i, place) in name[..15].iter_mut().enumerate() {
                *place = call.bytes(argument.wrapping_add(i as u32), 1)?[0];
                if *place == 0 {
                    break;
                }
            }
            call.thread()?.name = name;
            Ok(0)
        }
        GET_NAME => {
            let name = call.thread()?.name;
            call.put(argument, &name)?;
            Ok(0)
        }
        // The parent of the first process does not end.
        SET_DEATH_SIGNAL if argument == 0 || call.system.space == Space::FIRST => Ok(0),
        SET_DEATH_SIGNAL | GET_DEATH_SIGNAL => {
            Err(Refusal::Unknown("a signal when the parent ends".to_owned()))
        }
        SET_SECCOMP => Err(Refusal::Unknown("a filter of system calls".to_owned())),
        SET_SUBREAPER => Err(Refusal::Unknown("a process that adopts others".to_owned())),
        SET_DUMPABLE | SET_NO_NEW_PRIVILEGES => Ok(0),
        GET_DUMPABLE => Ok(1),
        GET_NO_NEW_PRIVILEGES => Ok(0),
        _ => Err(Errno::EINVAL.into()),
    }
}

pub(super) fn personality(call: &mut Call<'_>) -> Answer {
    const QUERY: u32 = u32::MAX;
    match call.arguments[0] {
        0 | QUERY => Ok(0),
        _ => Err(Errno::EINVAL.into()),
    }
}
