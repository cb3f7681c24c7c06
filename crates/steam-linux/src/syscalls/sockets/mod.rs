//! Sockets of this machine: UNIX sockets, and IPv4 on the loopback interface.
//!
//! A socket is a channel; a connection is two more, one for each direction. A socket that listens
//! holds those that were made for whoever connected, until they are accepted. Nothing ever comes from
//! outside or goes there: a call that would need that is refused as unknown.

mod addresses;
mod binding;
mod closing;
mod connections;
mod creation;
mod messages;
mod options;
mod readiness;
mod receiving;
mod rights;
mod sending;
mod waits;

use super::{Answer, Call, Handler};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Object, Socket, Waiting};

pub(super) use binding::{bind, getpeername, getsockname};
pub(super) use connections::{accept4, connect, listen, shutdown};
pub(super) use creation::{socket, socketpair};
pub(super) use messages::{recvfrom, recvmsg, sendmsg, sendto};
pub(super) use options::{getsockopt, setsockopt};
pub(super) use receiving::receive;
pub(super) use sending::{Sent, send};
pub(super) use waits::need;

const NONBLOCK: u32 = 0o4000;
const CLOEXEC: u32 = 0o2000000;

/// The operations of `socketcall`, by their numbers from 1 on: the call that each is, how many
/// arguments it has, and what it does.
const OPERATIONS: [(&str, usize, Handler); 18] = [
    ("socket", 3, socket),
    ("bind", 3, bind),
    ("connect", 3, connect),
    ("listen", 2, listen),
    ("accept4", 3, accept4),
    ("getsockname", 3, getsockname),
    ("getpeername", 3, getpeername),
    ("socketpair", 4, socketpair),
    ("sendto", 4, sendto),
    ("recvfrom", 4, recvfrom),
    ("sendto", 6, sendto),
    ("recvfrom", 6, recvfrom),
    ("shutdown", 2, shutdown),
    ("setsockopt", 5, setsockopt),
    ("getsockopt", 5, getsockopt),
    ("sendmsg", 3, sendmsg),
    ("recvmsg", 3, recvmsg),
    ("accept4", 4, accept4),
];

/// The name of an operation of `socketcall`.
pub fn operation(which: u32) -> Option<&'static str> {
    let row = (which as usize).checked_sub(1)?;
    OPERATIONS.get(row).map(|&(name, ..)| name)
}

/// All socket calls in one, with their arguments in memory.
pub(super) fn socketcall(call: &mut Call<'_>) -> Answer {
    let (_, handler) = unpack(call)?;
    handler(call)
}

/// The call that a `socketcall` is, whose arguments the call now has.
pub(super) fn unpack(call: &mut Call<'_>) -> Result<(&'static str, Handler), Refusal> {
    let [which, place, ..] = call.arguments;
    let row = (which as usize).checked_sub(1).and_then(|row| OPERATIONS.get(row));
    let Some(&(name, count, handler)) = row else {
        return Err(Refusal::Unknown(format!("socket operation {which}")));
    };
    let bytes = call.bytes(place, 4 * count as u32)?;
    call.arguments = [0; 6];
    for (argument, word) in call.arguments.iter_mut().zip(bytes.chunks_exact(4)) {
        *argument = word.try_into().map_or(0, u32::from_le_bytes);
    }
    Ok((name, handler))
}

impl Call<'_> {
    /// The socket behind a descriptor, and whether it waits.
    fn socket_of(&self, descriptor: u32) -> Result<(u32, bool), Errno> {
        let (_, description) = self.system.description(descriptor)?;
        match description.object {
            Object::Socket(number) => Ok((number, description.flags & NONBLOCK == 0)),
            _ => Err(Errno::ENOTSOCK),
        }
    }

    fn socket(&self, number: u32) -> Result<&Socket, Errno> {
        self.system.channels.socket(number).ok_or(Errno::EBADF)
    }

    fn socket_mut(&mut self, number: u32) -> Result<&mut Socket, Errno> {
        self.system.channels.socket_mut(number).ok_or(Errno::EBADF)
    }

    /// When a wait ends that begins now, or began before.
    fn patience_ends(&self, patience: Option<u64>) -> Option<u64> {
        match &self.resumed {
            Some(Waiting { deadline, .. }) => *deadline,
            None => patience.map(|patience| self.system.kernel.clock.saturating_add(patience)),
        }
    }

    /// Whether the time of a wait is over.
    fn is_time_over(&self) -> bool {
        let deadline = self.resumed.as_ref().and_then(|waiting| waiting.deadline);
        deadline.is_some_and(|deadline| deadline <= self.system.kernel.clock)
    }
}
