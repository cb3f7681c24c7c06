//! What a socket sends.

use super::super::transfer::broken_pipe;
use super::super::{Answer, Call, edges};
use super::addresses::Address;
use super::binding::at_loopback;
use crate::errno::Errno;
use crate::guest::Refusal;
use crate::kernel::{
    Family, Grain, Letter, Object, Peer, Phase, Reason, Room, SocketKind, SocketName, Waiting,
    longest_message,
};

/// Flags of the calls that send.
pub(super) mod flag {
    pub const DO_NOT_WAIT: u32 = 0x40;
    pub const NO_SIGNAL: u32 = 0x4000;
    /// Those that make no difference: end of a record, confirmed, more to come.
    pub const HARMLESS: u32 = 0x80 | 0x800 | 0x8000;
}

/// What a call sends.
pub(in crate::syscalls) struct Sent<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// The descriptions that it hands over.
    pub rights: &'a [u32],
}

/// Sends something, to an address or to whom the socket is connected.
pub(in crate::syscalls) fn send(
    call: &mut Call<'_>,
    descriptor: u32,
    sent: &Sent<'_>,
    flags: u32,
    to: Option<&Address>,
) -> Answer {
    if flags & !(flag::DO_NOT_WAIT | flag::NO_SIGNAL | flag::HARMLESS) != 0 {
        return Err(Refusal::Unknown(format!("sending with flags {flags:#x}")));
    }
    let (number, blocks) = call.socket_of(descriptor)?;
    let blocks = blocks && flags & flag::DO_NOT_WAIT == 0;
    let socket = call.socket_mut(number)?;
    let error = std::mem::take(&mut socket.error);
    if error != 0 {
        return Err(Errno(error).into());
    }
    match (&socket.phase, socket.family) {
        (_, Family::Netlink) => {
            Err(Refusal::Unknown("a request to the kernel by netlink".to_owned()))
        }
        (Phase::Connected { .. }, Family::Unix)
            if to.is_some() && socket.kind == SocketKind::Stream =>
        {
            Err(Errno::EISCONN.into())
        }
        (Phase::Connected { .. }, _) => over_connection(call, number, sent, flags, blocks),
        (Phase::Letters { .. }, Family::Unix) => letter(call, number, sent, to, blocks),
        (Phase::Letters { .. }, Family::Internet) => datagram(call, number, sent.bytes, to),
        (_, Family::Unix) => Err(Errno::ENOTCONN.into()),
        (_, Family::Internet) => no_reader(call, flags),
    }
}

fn no_reader(call: &mut Call<'_>, flags: u32) -> Answer {
    if flags & flag::NO_SIGNAL != 0 { Err(Errno::EPIPE.into()) } else { broken_pipe(call) }
}

fn over_connection(
    call: &mut Call<'_>,
    number: u32,
    &Sent { bytes, rights }: &Sent<'_>,
    flags: u32,
    blocks: bool,
) -> Answer {
    let Phase::Connected { incoming, outgoing, .. } = call.socket(number)?.phase else {
        return Err(Errno::ENOTCONN.into());
    };
    let done = match call.resumed {
        Some(Waiting { reason: Reason::Departure { written, .. }, .. }) => written as usize,
        _ => 0,
    };
    let direction = call.system.channels.direction_mut(outgoing).ok_or(Errno::ENOTCONN)?;
    if direction.broken {
        if done > 0 {
            return Ok(done as u32);
        }
        let grain = direction.grain();
        let tells = grain != Grain::Chunks;
        let other = call.system.channels.direction_mut(incoming).filter(|_| tells);
        return match other.and_then(|it| it.take_error()) {
            Some(error) if error != Errno::EPIPE => Err(error.into()),
            _ if grain == Grain::Messages => Err(Errno::EPIPE.into()),
            _ => no_reader(call, flags),
        };
    }
    if direction.grain() == Grain::Messages && bytes.len() > longest_message(direction.room()) {
        return too_long(direction.room());
    }
    let rest = &bytes[done..];
    if rest.is_empty() && direction.grain() != Grain::Messages {
        return Ok(done as u32);
    }
    if direction.abandoned {
        // These bytes go out; that they come back unread is known to the next ones.
        direction.broken = true;
        call.system.change_direction(incoming, |it| it.error = Errno::EPIPE.0);
        call.system.happened_to(&Object::Socket(number), edges::CHANGED);
        return Ok(bytes.len() as u32);
    }
    if direction.is_vague_for(rest.len()) {
        return Err(vague_room());
    }
    // Those of a call that goes on are on their way.
    let rights = if done == 0 { rights } else { &[] };
    let put = direction.put(rest, rights.to_vec());
    if put.is_some() {
        call.system.happened_to_reader(outgoing, edges::CAME);
        call.system.hold(rights);
    }
    let written = done + put.unwrap_or(0);
    if put.is_some() && (written == bytes.len() || !blocks) {
        return Ok(written as u32);
    }
    wait(call, number, outgoing, written, blocks, rights)
}

/// How a call goes on that finds no room.
fn wait(
    call: &Call<'_>,
    number: u32,
    to: u32,
    written: usize,
    blocks: bool,
    rights: &[u32],
) -> Answer {
    if !blocks || call.is_time_over() {
        return if written > 0 { Ok(written as u32) } else { Err(Errno::EAGAIN.into()) };
    }
    if written == 0 && !rights.is_empty() {
        // They are those that the descriptors stand for now, whatever becomes of these meanwhile.
        let what = "sendmsg that hands over descriptors and has to wait for room";
        return Err(Refusal::Unknown(what.to_owned()));
    }
    let reason = call.departure(number, to, written as u32, false);
    let deadline = call.timeout_ends(call.socket(number)?.timeout_out);
    Err(Refusal::Wait(Waiting { reason, deadline }))
}

/// A message is too long, unless the buffer of the socket may be larger on other machines.
fn too_long(room: Room) -> Answer {
    if room.vague { Err(vague_room()) } else { Err(Errno::EMSGSIZE.into()) }
}

fn vague_room() -> Refusal {
    let what = "how much fits into a socket whose SO_SNDBUF or SO_RCVBUF was set";
    Refusal::Unknown(what.to_owned())
}

/// A single message to a UNIX socket.
fn letter(
    call: &mut Call<'_>,
    number: u32,
    &Sent { bytes, rights }: &Sent<'_>,
    to: Option<&Address>,
    blocks: bool,
) -> Answer {
    let other = call.addressee(number, to)?;
    call.check_may_send(number, other)?;
    let room = call.socket(number)?.send_room();
    if bytes.len() > longest_message(room) {
        return too_long(room);
    }
    match call.system.room_at(number, other) {
        None => return Err(vague_room()),
        Some(false) => return wait(call, number, other, 0, blocks, rights),
        Some(true) if call.system.fills_elsewhere(number, other) => {
            let what = "a buffer that is full of messages to several sockets";
            return Err(Refusal::Unknown(what.to_owned()));
        }
        Some(true) => {}
    }
    let from = call.socket(number)?.name.clone();
    let (sender, rights) = (Some(number), rights.to_vec());
    call.system.hold(&rights);
    call.post(other, Letter { from, sender, bytes: bytes.into(), rights })?;
    Ok(bytes.len() as u32)
}

/// A single message to a port: the sender does not learn whether it arrives.
fn datagram(call: &mut Call<'_>, number: u32, bytes: &[u8], to: Option<&Address>) -> Answer {
    const LONGEST: usize = 65_507;
    let Phase::Letters { peer, .. } = &call.socket(number)?.phase else {
        return Err(Errno::ENOTCONN.into());
    };
    let address = match (to, peer) {
        (Some(&Address::Port(address, port)), _) => Address::Port(address, port),
        (None, &Peer::Named(SocketName::Port { address, port, .. })) => {
            Address::Port(address, port)
        }
        (Some(_), _) => return Err(Errno::EAFNOSUPPORT.into()),
        (None, _) => return Err(Errno::EDESTADDRREQ.into()),
    };
    if bytes.len() > LONGEST {
        return Err(Errno::EMSGSIZE.into());
    }
    let connected = matches!(peer, Peer::Named(_));
    let from = at_loopback(call.own_port(number, 0)?);
    let found = call.find_socket(&address, SocketKind::Datagrams).ok();
    let found = found.filter(|&found| call.listens_to(found, &from));
    match found {
        Some(found) if call.socket(found)?.takes_datagram(bytes.len()) => {
            let (from, rights) = (Some(from), Vec::new());
            call.post(found, Letter { from, sender: None, bytes: bytes.into(), rights })?;
        }
        Some(_) => {
            let what = "whether a datagram is lost at a socket where many wait";
            return Err(Refusal::Unknown(what.to_owned()));
        }
        None if connected && to.is_none() => {
            call.socket_mut(number)?.error = Errno::ECONNREFUSED.0;
        }
        None => {}
    }
    Ok(bytes.len() as u32)
}

impl Call<'_> {
    /// The UNIX socket to which a message goes.
    pub(super) fn addressee(&mut self, number: u32, to: Option<&Address>) -> Result<u32, Refusal> {
        if let Some(address) = to {
            return self.find_socket(address, SocketKind::Datagrams);
        }
        let Phase::Letters { peer, .. } = &mut self.socket_mut(number)?.phase else {
            return Err(Errno::ENOTCONN.into());
        };
        match *peer {
            Peer::Socket(other) => Ok(other),
            Peer::Gone => {
                *peer = Peer::None;
                Err(Errno::ECONNREFUSED.into())
            }
            _ => Err(Errno::ENOTCONN.into()),
        }
    }

    /// Refuses messages to a UNIX socket that is connected to another one.
    pub(super) fn check_may_send(&self, number: u32, other: u32) -> Result<(), Errno> {
        match &self.socket(other)?.phase {
            Phase::Letters { peer: Peer::Socket(its), .. } if *its != number => Err(Errno::EPERM),
            _ => Ok(()),
        }
    }

    /// Whether a socket takes messages from a port.
    fn listens_to(&self, number: u32, from: &SocketName) -> bool {
        let phase = self.system.channels.socket(number).map(|socket| &socket.phase);
        !matches!(phase, Some(Phase::Letters { peer: Peer::Named(name), .. }) if name != from)
    }

    fn post(&mut self, to: u32, letter: Letter) -> Result<(), Errno> {
        if let Phase::Letters { letters, .. } = &mut self.socket_mut(to)?.phase {
            letters.push(letter);
        }
        self.system.happened_to(&Object::Socket(to), edges::CAME);
        Ok(())
    }
}
