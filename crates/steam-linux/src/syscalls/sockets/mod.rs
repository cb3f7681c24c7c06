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

use super::numbers::named;
use super::{Answer, Call, SystemCall};
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
pub(super) use waits::{
    accept_need, connect_need, need_of_operation, receive_need, recvfrom_need, recvmsg_need,
    sendmsg_need, sendto_need, write_need,
};

const NONBLOCK: u32 = 0o4000;
const CLOEXEC: u32 = 0o2000000;

/// The operations of `socketcall`, by their numbers from 1 on: the call that each is, how many
/// arguments it has.
const OPERATIONS: [(&str, usize); 18] = [
    ("socket", 3),
    ("bind", 3),
    ("connect", 3),
    ("listen", 2),
    ("accept4", 3),
    ("getsockname", 3),
    ("getpeername", 3),
    ("socketpair", 4),
    ("sendto", 4),
    ("recvfrom", 4),
    ("sendto", 6),
    ("recvfrom", 6),
    ("shutdown", 2),
    ("setsockopt", 5),
    ("getsockopt", 5),
    ("sendmsg", 3),
    ("recvmsg", 3),
    ("accept4", 4),
];

/// The call that an operation of `socketcall` is.
pub(super) fn operation(which: u32) -> Option<&'static SystemCall> {
    let row = (which as usize).checked_sub(1)?;
    OPERATIONS.get(row).and_then(|&(name, _)| named(name))
}

/// All socket calls in one, with their arguments in memory.
pub(super) fn socketcall(call: &mut Call<'_>) -> Answer {
    let facts = unpack(call)?.facts.expect("each operation is modelled");
    (facts.handler)(call)
}

/// The call that a `socketcall` is, whose arguments the call now has.
pub(super) fn unpack(call: &mut Call<'_>) -> Result<&'static SystemCall, Refusal> {
    let [which, place, ..] = call.arguments;
    let row = (which as usize).checked_sub(1).and_then(|row| OPERATIONS.get(row));
    let Some(&(name, count)) = row else {
        return Err(Refusal::Unknown(format!("socket operation {which}")));
    };
    let bytes = call.bytes(place, 4 * count as u32)?;
    call.arguments = [0; 6];
    for (argument, word) in call.arguments.iter_mut().zip(bytes.chunks_exact(4)) {
        *argument = word.try_into().map_or(0, u32::from_le_bytes);
    }
    Ok(named(name).expect("each operation is a call of its own"))
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
    fn timeout_ends(&self, timeout: Option<u64>) -> Option<u64> {
        match &self.resumed {
            Some(Waiting { deadline, .. }) => *deadline,
            None => timeout.map(|timeout| self.system.kernel.clock.saturating_add(timeout)),
        }
    }

    /// Whether the time of a wait is over.
    fn is_time_over(&self) -> bool {
        let deadline = self.resumed.as_ref().and_then(|waiting| waiting.deadline);
        deadline.is_some_and(|deadline| deadline <= self.system.kernel.clock)
    }
}
