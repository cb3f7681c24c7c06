//! Sockets, as far as libraries try them in vain: nobody listens outside.
//!
//! The C library asks a name service daemon by a UNIX socket before it reads `/etc/passwd`, and
//! sends log messages by one. All else ends the run as *unknown*.

use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::Object;

const UNIX: u32 = 1;
const NONBLOCK: u32 = 0o4000;
const CLOEXEC: u32 = 0o2000000;
const READ_WRITE: u32 = 2;

/// All socket calls in one, with their arguments in memory.
pub(super) fn socketcall(call: &mut Call<'_>) -> Answer {
    const SOCKET: u32 = 1;
    const CONNECT: u32 = 3;
    let [which, place, ..] = call.arguments;
    let [first, second, third] = call.words(place)?;
    call.arguments = [first, second, third, 0, 0, 0];
    match which {
        SOCKET => socket(call),
        CONNECT => connect(call),
        _ => Err(Refusal::Unknown(format!("socket operation {which}"))),
    }
}

pub(super) fn socket(call: &mut Call<'_>) -> Answer {
    let [family, kind, ..] = call.arguments;
    if family != UNIX {
        return Err(Refusal::Unknown(format!("a socket of family {family}")));
    }
    let descriptor = call.system.add_description(Object::Socket, READ_WRITE | kind & NONBLOCK)?;
    call.system.set_close_on_exec(descriptor, kind & CLOEXEC != 0);
    Ok(descriptor)
}

/// Finds nobody: no such name, or nobody behind it.
pub(super) fn connect(call: &mut Call<'_>) -> Answer {
    const LONGEST: u32 = 110;
    let [descriptor, address, size, ..] = call.arguments;
    if call.system.description(descriptor)?.1.object != Object::Socket {
        return Err(Errno::ENOTSOCK.into());
    }
    if !(3..=LONGEST).contains(&size) {
        return Err(Errno::EINVAL.into());
    }
    let bytes = call.bytes(address, size)?;
    let path = bytes[2..].split(|&byte| byte == 0).next().unwrap_or_default();
    // A name that begins with a zero byte is not in the file system.
    if path.is_empty() {
        return Err(Errno::ECONNREFUSED.into());
    }
    let from = call.system.process.directory.clone();
    call.files().walk_from(&from, path, true)?.existing()?;
    Err(Errno::ECONNREFUSED.into())
}
