//! Who and where the process is: constants all of them.

use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::GuestMemory;
use crate::system::System;
use crate::world::{PARENT_ID, PROCESS_ID, USER_ID};

pub(super) fn getpid(_: &mut Call<'_>) -> Answer {
    Ok(PROCESS_ID)
}

pub(super) fn getppid(_: &mut Call<'_>) -> Answer {
    Ok(PARENT_ID)
}

pub(super) fn gettid(call: &mut Call<'_>) -> Answer {
    Ok(System::thread_number(call.system.current))
}

/// User and group, real and effective.
pub(super) fn user(_: &mut Call<'_>) -> Answer {
    Ok(USER_ID)
}

/// `setuid` and its kin: only to what one is already.
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

fn is_self(id: u32) -> bool {
    id == 0 || id == PROCESS_ID
}

pub(super) fn getpgrp(call: &mut Call<'_>) -> Answer {
    Ok(call.system.process.group)
}

pub(super) fn getpgid(call: &mut Call<'_>) -> Answer {
    if is_self(call.arguments[0]) {
        return Ok(call.system.process.group);
    }
    Err(Errno::ESRCH.into())
}

pub(super) fn setpgid(call: &mut Call<'_>) -> Answer {
    let [process, group, ..] = call.arguments;
    if !is_self(process) {
        return Err(Errno::ESRCH.into());
    }
    if !is_self(group) || call.system.process.session == PROCESS_ID {
        return Err(Errno::EPERM.into());
    }
    call.system.process.group = PROCESS_ID;
    Ok(0)
}

pub(super) fn getsid(call: &mut Call<'_>) -> Answer {
    if is_self(call.arguments[0]) {
        return Ok(call.system.process.session);
    }
    Err(Errno::ESRCH.into())
}

pub(super) fn setsid(call: &mut Call<'_>) -> Answer {
    let process = &mut call.system.process;
    if process.group == PROCESS_ID {
        return Err(Errno::EPERM.into());
    }
    (process.group, process.session) = (PROCESS_ID, PROCESS_ID);
    Ok(PROCESS_ID)
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
    const GET_DUMPABLE: u32 = 3;
    const SET_DUMPABLE: u32 = 4;
    const SET_NAME: u32 = 15;
    const GET_NAME: u32 = 16;
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
        SET_DEATH_SIGNAL | SET_DUMPABLE | SET_NO_NEW_PRIVILEGES => Ok(0),
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
