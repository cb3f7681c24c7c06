//! New sockets.

use super::super::{Answer, Call};
use super::{CLOEXEC, NONBLOCK};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Channel, Direction, Family, Grain, Object, Peer, Phase, Socket, SocketKind};
use crate::system::System;

const READ_WRITE: u32 = 2;

/// The family and kind that the arguments mean.
fn wanted(family: u32, kind: u32, protocol: u32) -> Result<(Family, SocketKind), Refusal> {
    const TCP: u32 = 6;
    const UDP: u32 = 17;
    const NETLINK: u32 = 16;
    const RAW: u32 = 3;
    if kind & !(0xf | NONBLOCK | CLOEXEC) != 0 {
        return Err(Errno::EINVAL.into());
    }
    if (family, kind & 0xf, protocol) == (NETLINK, RAW, 0) {
        return Ok((Family::Netlink, SocketKind::Datagrams));
    }
    let kind = match kind & 0xf {
        1 => SocketKind::Stream,
        2 => SocketKind::Datagrams,
        5 => SocketKind::Packets,
        kind => return Err(Refusal::Unknown(format!("a socket of type {kind}"))),
    };
    match (family, kind, protocol) {
        (1, _, 0 | 1) => Ok((Family::Unix, kind)),
        (1, ..) => Err(Errno::EPROTONOSUPPORT.into()),
        (2, SocketKind::Stream, 0 | TCP) | (2, SocketKind::Datagrams, 0 | UDP) => {
            Ok((Family::Internet, kind))
        }
        (2, SocketKind::Stream | SocketKind::Datagrams, _) => Err(Errno::EPROTONOSUPPORT.into()),
        (2, SocketKind::Packets, _) => Err(Errno::ESOCKTNOSUPPORT.into()),
        _ => Err(Refusal::Unknown(format!("a socket of family {family}"))),
    }
}

impl System {
    /// A descriptor for a socket.
    pub(super) fn describe_socket(&mut self, number: u32, flags: u32) -> Result<u32, Errno> {
        let object = Object::Socket(number);
        let descriptor = self.add_description(object, READ_WRITE | flags & NONBLOCK)?;
        self.set_close_on_exec(descriptor, flags & CLOEXEC != 0);
        Ok(descriptor)
    }

    /// A descriptor for a new socket, which is closed if there is none.
    fn open_socket(&mut self, number: u32, flags: u32) -> Result<u32, Errno> {
        self.describe_socket(number, flags).inspect_err(|_| self.close_socket(number))
    }

    /// The two directions between two sockets, with the sizes that were granted to the buffers of their ends.
    pub(super) fn add_directions(
        &mut self,
        family: Family,
        kind: SocketKind,
        sizes: [[u32; 2]; 2],
    ) -> [u32; 2] {
        let grain = match (family, kind) {
            (Family::Internet, _) => Grain::Bytes,
            (Family::Unix, SocketKind::Packets) => Grain::Messages,
            (Family::Unix, _) => Grain::Chunks,
            (Family::Netlink, _) => unreachable!("netlink sockets are not connected"),
        };
        sizes.map(|sizes| self.channels.add(Channel::Direction(Direction::new(grain, sizes))))
    }
}

pub(in crate::syscalls) fn socket(call: &mut Call<'_>) -> Answer {
    let [family, kind, protocol, ..] = call.arguments;
    let (its_family, its_kind) = wanted(family, kind, protocol)?;
    let new = Channel::Socket(Socket::new(its_family, its_kind));
    let number = call.system.channels.add(new);
    Ok(call.system.open_socket(number, kind)?)
}

pub(in crate::syscalls) fn socketpair(call: &mut Call<'_>) -> Answer {
    let [family, flags, protocol, place, ..] = call.arguments;
    let (family, kind) = wanted(family, flags, protocol)?;
    if family != Family::Unix {
        return Err(Errno::ENOTSUP.into());
    }
    let peer_process = call.system.process_number();
    let system = &mut *call.system;
    let pair = [0, 1].map(|_| {
        let socket = Socket { peer_process, ..Socket::new(family, kind) };
        system.channels.add(Channel::Socket(socket))
    });
    let phases = match kind {
        SocketKind::Datagrams => [pair[1], pair[0]]
            .map(|peer| Phase::Letters { letters: Vec::new(), peer: Peer::Socket(peer) }),
        _ => {
            let [one, other] = system.add_directions(family, kind, [[0; 2]; 2]);
            [(one, other), (other, one)].map(|(incoming, outgoing)| Phase::Connected {
                incoming,
                outgoing,
                untold: false,
            })
        }
    };
    for (number, phase) in pair.into_iter().zip(phases) {
        if let Some(socket) = system.channels.socket_mut(number) {
            socket.phase = phase;
        }
    }
    let first = match system.open_socket(pair[0], flags) {
        Ok(first) => first,
        Err(errno) => {
            system.close_socket(pair[1]);
            return Err(errno.into());
        }
    };
    let second = match system.open_socket(pair[1], flags) {
        Ok(second) => second,
        Err(errno) => {
            system.close(first)?;
            return Err(errno.into());
        }
    };
    call.put_words(place, &[first, second])?;
    Ok(0)
}
