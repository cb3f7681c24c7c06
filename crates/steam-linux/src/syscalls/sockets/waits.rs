//! What a call on a socket would have to wait for, and whether that wait is over.

use super::super::Call;
use super::{addresses, messages, unpack};
use crate::errno::Errno;
use crate::kernel::{Channel, Family, Object, Phase, Reason, SocketKind, Waiting};
use crate::system::System;

const DO_NOT_WAIT: u32 = 0x40;

/// By which call something is sent, where that may tell to whom.
#[derive(Clone, Copy)]
enum Sender {
    /// `write`, `writev`.
    Plain,
    /// `sendto`.
    To,
    /// `sendmsg`.
    Message,
}

/// The call within a `socketcall`.
pub(in crate::syscalls) fn need_of_operation(call: &mut Call<'_>) -> Option<Waiting> {
    let wait = unpack(call).ok()?.facts?.wait?;
    wait(call)
}

pub(in crate::syscalls) fn recvfrom_need(call: &mut Call<'_>) -> Option<Waiting> {
    receive_need(call, call.arguments[3])
}

pub(in crate::syscalls) fn recvmsg_need(call: &mut Call<'_>) -> Option<Waiting> {
    receive_need(call, call.arguments[2])
}

pub(in crate::syscalls) fn sendto_need(call: &mut Call<'_>) -> Option<Waiting> {
    send_need(call, call.arguments[3], Sender::To)
}

pub(in crate::syscalls) fn sendmsg_need(call: &mut Call<'_>) -> Option<Waiting> {
    send_need(call, call.arguments[2], Sender::Message)
}

pub(in crate::syscalls) fn write_need(call: &mut Call<'_>) -> Option<Waiting> {
    send_need(call, 0, Sender::Plain)
}

/// The socket at which a call waits, if one with these flags does.
fn waiting_socket(call: &Call<'_>, flags: u32) -> Option<u32> {
    let (number, blocks) = call.socket_of(call.arguments[0]).ok()?;
    (blocks && flags & DO_NOT_WAIT == 0).then_some(number)
}

pub(in crate::syscalls) fn receive_need(call: &mut Call<'_>, flags: u32) -> Option<Waiting> {
    let number = waiting_socket(call, flags)?;
    let reason = call.arrival(number, 0)?;
    within_timeout(call, number, reason)
}

fn send_need(call: &mut Call<'_>, flags: u32, sender: Sender) -> Option<Waiting> {
    let number = waiting_socket(call, flags)?;
    let to = destination(sender, call, number)?;
    let rights = match sender {
        Sender::Message => messages::Header::read(call, call.arguments[1]).ok()?.has_control(),
        Sender::Plain | Sender::To => false,
    };
    let reason = call.departure(number, to, 0, rights);
    within_timeout(call, number, reason)
}

pub(in crate::syscalls) fn accept_need(call: &mut Call<'_>) -> Option<Waiting> {
    let number = waiting_socket(call, 0)?;
    match call.socket(number).ok()?.phase {
        Phase::Listening { .. } => within_timeout(call, number, Reason::Connection(number)),
        _ => None,
    }
}

pub(in crate::syscalls) fn connect_need(call: &mut Call<'_>) -> Option<Waiting> {
    let [_, place, size, ..] = call.arguments;
    let number = waiting_socket(call, 0)?;
    let socket = call.socket(number).ok()?;
    let (family, kind) = (socket.family, socket.kind);
    let address = addresses::read(call, place, size, family).ok()?;
    if kind == SocketKind::Datagrams {
        return None;
    }
    let reason = Reason::Backlog(call.find_listener(&address, kind).ok()?);
    within_timeout(call, number, reason)
}

/// A wait at a socket, for as long as the socket says.
fn within_timeout(call: &Call<'_>, number: u32, reason: Reason) -> Option<Waiting> {
    let socket = call.socket(number).ok()?;
    let timeout = match reason {
        Reason::Arrival { .. } | Reason::Connection(_) => socket.timeout_in,
        _ => socket.timeout_out,
    };
    Some(Waiting { reason, deadline: call.timeout_ends(timeout) })
}

/// Where what a socket sends goes, if it may have to wait.
fn destination(sender: Sender, call: &mut Call<'_>, number: u32) -> Option<u32> {
    let [descriptor, place, _, _, fifth, sixth] = call.arguments;
    let socket = call.socket(number).ok()?;
    match (&socket.phase, socket.family) {
        (&Phase::Connected { outgoing, .. }, _) => Some(outgoing),
        (Phase::Letters { .. }, Family::Unix) => {
            let to = match sender {
                Sender::To => messages::address(call, descriptor, fifth, sixth).ok()?,
                Sender::Message => {
                    messages::Header::read(call, place).ok()?.address(call, descriptor).ok()?
                }
                Sender::Plain => None,
            };
            match to {
                Some(address) => call.find_socket(&address, SocketKind::Datagrams).ok(),
                None => call.socket(number).ok()?.peer_socket(),
            }
        }
        // Datagrams to a port do not wait.
        _ => None,
    }
}

impl Call<'_> {
    /// What a socket waits for that receives, having received some bytes already.
    pub(super) fn arrival(&self, number: u32, taken: u32) -> Option<Reason> {
        let socket = self.socket(number).ok()?;
        let channels = match socket.phase {
            // Each of the two may tell the one error of a connection.
            Phase::Connected { incoming, outgoing, .. } if socket.notifies_writers() => {
                [incoming, outgoing]
            }
            Phase::Connected { incoming, .. } => [incoming; 2],
            Phase::Letters { .. } => [number; 2],
            Phase::Fresh | Phase::Listening { .. } => return None,
        };
        Some(Reason::Arrival { socket: number, channels, taken })
    }

    /// What a socket waits for that sends to a channel, having sent some bytes already.
    pub(super) fn departure(&self, number: u32, to: u32, written: u32, rights: bool) -> Reason {
        let phase = self.system.channels.socket(number).filter(|socket| socket.notifies_writers());
        let other = match phase.map(|socket| &socket.phase) {
            Some(&Phase::Connected { incoming, .. }) => incoming,
            _ => to,
        };
        Reason::Departure { socket: number, channels: [to, other], written, rights }
    }
}

impl System {
    /// Whether a socket that receives need not wait.
    pub fn has_arrived(&self, number: u32) -> bool {
        let Some(socket) = self.channels.socket(number) else { return true };
        socket.error != 0
            || match &socket.phase {
                Phase::Connected { incoming, .. } => {
                    self.channels.direction(*incoming).is_none_or(|direction| direction.readable())
                }
                Phase::Letters { letters, .. } => !letters.is_empty(),
                Phase::Fresh | Phase::Listening { .. } => true,
            }
    }

    /// How many bytes a socket could receive at once.
    pub fn waiting_bytes(&self, number: u32) -> Result<u64, Errno> {
        let socket = self.channels.socket(number).ok_or(Errno::EBADF)?;
        Ok(match &socket.phase {
            Phase::Connected { incoming, .. } => {
                self.channels.direction(*incoming).map_or(0, |direction| direction.total() as u64)
            }
            Phase::Letters { letters, .. } => letters.first().map_or(0, |it| it.bytes.len() as u64),
            Phase::Fresh if socket.is_tcp() => 0,
            Phase::Fresh | Phase::Listening { .. } => return Err(Errno::EINVAL),
        })
    }

    /// Whether a socket that sends to a channel need not wait.
    pub fn can_depart(&self, number: u32, to: u32) -> bool {
        match self.channels.get(to) {
            Channel::Direction(direction) => direction.takes(),
            Channel::Socket(_) => self.room_at(number, to) != Some(false),
            _ => true,
        }
    }

    /// Whether a UNIX socket has room for a message to another one; `None` if that is not known.
    pub fn room_at(&self, number: u32, other: u32) -> Option<bool> {
        let (Some(own), Some(other)) = (self.channels.socket(number), self.channels.socket(other))
        else {
            return Some(true);
        };
        match other.is_full_for(number) {
            true => Some(false),
            false => own.send_room().beside(other.taken_by(number)),
        }
    }

    /// Whether a UNIX socket has no room only because of messages that wait at others than the one to which it sends.
    pub(super) fn fills_elsewhere(&self, number: u32, other: u32) -> bool {
        let own = self.channels.socket(number).expect("a socket that sends is there");
        let sockets =
            self.kernel.descriptions.values().filter_map(|description| match description.object {
                Object::Socket(socket) => self.channels.socket(socket),
                _ => None,
            });
        let taken: u32 = sockets.map(|socket| socket.taken_by(number)).sum();
        let here = self.channels.socket(other).map_or(0, |other| other.taken_by(number));
        taken > here && own.send_room().beside(taken) != Some(true)
    }

    /// Whether a connection can be accepted at a socket, or none ever.
    pub fn can_accept(&self, number: u32) -> bool {
        match self.channels.socket(number).map(|socket| &socket.phase) {
            Some(Phase::Listening { waiting, shut, .. }) => *shut || !waiting.is_empty(),
            _ => true,
        }
    }

    /// Whether there is room among those who wait to be accepted.
    pub fn can_connect(&self, number: u32) -> bool {
        self.channels.socket(number).is_none_or(|socket| socket.has_room_in_backlog())
    }
}
