//! What can be asked and set on an open descriptor: fcntl and ioctl.

use super::{Answer, Call, edges, locks};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::Object;

const NONBLOCK: u32 = 0o4000;
/// What `F_SETFL` can change: APPEND, NONBLOCK, DIRECT, NOATIME.
const CHANGEABLE: u32 = 0o2000 | NONBLOCK | 0o40000 | 0o1000000;
/// Who has a file open gets a signal when it becomes ready.
const ASYNCHRONOUS: u32 = 0o20000;

/// Commands of `fcntl`.
mod command {
    pub const DUPLICATE: u32 = 0;
    pub const GET_DESCRIPTOR_FLAGS: u32 = 1;
    pub const SET_DESCRIPTOR_FLAGS: u32 = 2;
    pub const GET_FLAGS: u32 = 3;
    pub const SET_FLAGS: u32 = 4;
    pub const SET_OWNER: u32 = 8;
    pub const GET_OWNER: u32 = 9;
    pub const DUPLICATE_CLOEXEC: u32 = 1030;
    pub const SET_PIPE_SIZE: u32 = 1031;
    pub const GET_PIPE_SIZE: u32 = 1032;
}

pub(super) fn fcntl(call: &mut Call<'_>) -> Answer {
    let [descriptor, command, argument, ..] = call.arguments;
    call.system.description(descriptor)?;
    if let Some(command) = locks::lock_command(command) {
        return locks::control_lock(call, command);
    }
    match command {
        command::DUPLICATE => Ok(call.system.duplicate(descriptor, argument, false)?),
        command::DUPLICATE_CLOEXEC => Ok(call.system.duplicate(descriptor, argument, true)?),
        command::GET_DESCRIPTOR_FLAGS => {
            let entry = call.system.process.descriptors.get(&descriptor);
            Ok(u32::from(entry.is_some_and(|entry| entry.close_on_exec)))
        }
        command::SET_DESCRIPTOR_FLAGS => {
            call.system.set_close_on_exec(descriptor, argument & 1 != 0);
            Ok(0)
        }
        command::GET_FLAGS => Ok(call.system.description(descriptor)?.1.flags),
        command::SET_FLAGS if argument & ASYNCHRONOUS != 0 => {
            Err(Refusal::Unknown("a signal when a file becomes ready".to_owned()))
        }
        command::SET_FLAGS => {
            call.set_blocking(descriptor, argument & NONBLOCK == 0)?;
            let description = call.system.description_mut(descriptor)?;
            let kept = description.flags & !CHANGEABLE;
            description.flags = kept | argument & CHANGEABLE;
            Ok(0)
        }
        command::SET_OWNER => Ok(0),
        command::GET_OWNER => Ok(0),
        command::GET_PIPE_SIZE => {
            let pipe = pipe_of(call, descriptor)?;
            Ok(call.system.channels.pipe(pipe).ok_or(Errno::EBADF)?.capacity() as u32)
        }
        command::SET_PIPE_SIZE => set_pipe_size(call, descriptor, argument),
        // Signals, leases, notices, seals and hints.
        10..=17 | 1024..=1040 => Err(Refusal::Unknown(format!("command {command}"))),
        _ => Err(Errno::EINVAL.into()),
    }
}

/// The pipe of which a descriptor is an end.
fn pipe_of(call: &Call<'_>, descriptor: u32) -> Result<u32, Errno> {
    match call.system.description(descriptor)?.1.object {
        Object::PipeReader(pipe) | Object::PipeWriter(pipe) => Ok(pipe),
        _ => Err(Errno::EBADF),
    }
}

fn set_pipe_size(call: &mut Call<'_>, descriptor: u32, size: u32) -> Answer {
    let number = pipe_of(call, descriptor)?;
    let pipe = call.system.channels.pipe_mut(number).ok_or(Errno::EBADF)?;
    let was_full = !pipe.writable();
    let size = pipe.resize(size)?;
    if was_full && pipe.writable() {
        call.system.happened_to(&Object::PipeWriter(number), edges::ROOM);
    }
    Ok(size)
}

pub(super) fn ioctl(call: &mut Call<'_>) -> Answer {
    const BYTES_AVAILABLE: u32 = 0x541b;
    const NONBLOCKING: u32 = 0x5421;
    const NO_CLOSE_ON_EXEC: u32 = 0x5450;
    const CLOSE_ON_EXEC: u32 = 0x5451;
    const ASYNCHRONOUS_MODE: u32 = 0x5452;
    let [descriptor, request, argument, ..] = call.arguments;
    let (_, description) = call.system.description(descriptor)?;
    match request {
        BYTES_AVAILABLE => {
            let count = match &description.object {
                Object::PipeReader(pipe) => {
                    call.system.channels.pipe(*pipe).map_or(0, |pipe| pipe.len() as u64)
                }
                Object::Socket(number) => call.system.waiting_bytes(*number)?,
                Object::File(name) => call.files().length(name)?.saturating_sub(description.offset),
                _ => return Err(Errno::ENOTTY.into()),
            };
            call.put_word(argument, count as u32)?;
        }
        NONBLOCKING => {
            let on = call.word(argument)? != 0;
            call.set_blocking(descriptor, !on)?;
        }
        NO_CLOSE_ON_EXEC | CLOSE_ON_EXEC => {
            call.system.set_close_on_exec(descriptor, request == CLOSE_ON_EXEC);
        }
        ASYNCHRONOUS_MODE => {
            return Err(Refusal::Unknown("a signal when a file becomes ready".to_owned()));
        }
        // Nothing is a terminal here.
        _ => return Err(Errno::ENOTTY.into()),
    }
    Ok(0)
}

/// `fsync` and the like, which have nothing to do; but what has no place on a disk is refused.
pub(super) fn synchronise(call: &mut Call<'_>) -> Answer {
    let object = &call.system.description(call.arguments[0])?.1.object;
    let kept = matches!(
        object,
        Object::File(_) | Object::Directory { .. } | Object::Snapshot(_) | Object::Output(_)
    );
    if kept { Ok(0) } else { Err(Errno::EINVAL.into()) }
}

/// Calls on an open file that have nothing to do: advice, and what brings all data to a disk.
pub(super) fn accept_descriptor(call: &mut Call<'_>) -> Answer {
    call.system.description(call.arguments[0])?;
    Ok(0)
}
