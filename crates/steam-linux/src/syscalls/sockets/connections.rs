//! Connections: waiting for others, connecting to them, and ending a direction.

use super::super::{Answer, Call, edges};
use super::addresses::{self, Address, LOOPBACK};
use super::binding::at_loopback;
use super::{CLOEXEC, NONBLOCK};
use crate::errno::Errno;
use crate::guest::Refusal;
use crate::kernel::{
    Channel, Family, Object, Peer, Phase, RECEIVE_BUFFER, Reason, SEND_BUFFER, Socket, SocketKind,
    SocketName, Waiting,
};

pub(in crate::syscalls) fn listen(call: &mut Call<'_>) -> Answer {
    const LONGEST: u32 = 4096;
    let [descriptor, backlog, ..] = call.arguments;
    let (number, _) = call.socket_of(descriptor)?;
    let process = call.system.process_number();
    let socket = call.socket(number)?;
    if socket.kind == SocketKind::Datagrams {
        return Err(Errno::ENOTSUP.into());
    }
    match (&socket.phase, &socket.name) {
        (Phase::Connected { .. }, _) => return Err(Errno::EINVAL.into()),
        (_, None) if socket.family == Family::Unix => return Err(Errno::EINVAL.into()),
        _ => {}
    }
    if socket.family == Family::Internet {
        call.own_port(number, 0)?;
    }
    let socket = call.socket_mut(number)?;
    let new = backlog.min(LONGEST);
    match &mut socket.phase {
        Phase::Listening { backlog, .. } => *backlog = new,
        phase => *phase = Phase::Listening { backlog: new, waiting: Vec::new(), shut: false },
    }
    socket.peer_process = process;
    Ok(0)
}

pub(in crate::syscalls) fn accept4(call: &mut Call<'_>) -> Answer {
    let [descriptor, address, length, flags, ..] = call.arguments;
    if flags & !(NONBLOCK | CLOEXEC) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let (number, blocks) = call.socket_of(descriptor)?;
    let socket = call.socket(number)?;
    let (waiting, shut) = match &socket.phase {
        Phase::Listening { waiting, shut, .. } => (waiting, *shut),
        Phase::Letters { .. } => return Err(Errno::ENOTSUP.into()),
        _ => return Err(Errno::EINVAL.into()),
    };
    let Some(&accepted) = waiting.first() else {
        if shut {
            return Err(Errno::EINVAL.into());
        }
        if !blocks || call.is_time_over() {
            return Err(Errno::EAGAIN.into());
        }
        let deadline = call.timeout_ends(socket.timeout_in);
        return Err(Refusal::Wait(Waiting { reason: Reason::Connection(number), deadline }));
    };
    let descriptor = call.system.describe_socket(accepted, flags)?;
    if let Phase::Listening { waiting, .. } = &mut call.socket_mut(number)?.phase {
        waiting.remove(0);
    }
    if address != 0 {
        let socket = call.socket(accepted)?;
        let bytes = addresses::bytes(socket.family, socket.peer_name.as_ref());
        addresses::put(call, &bytes, address, length)?;
    }
    Ok(descriptor)
}

pub(in crate::syscalls) fn connect(call: &mut Call<'_>) -> Answer {
    let [descriptor, address, size, ..] = call.arguments;
    let (number, blocks) = call.socket_of(descriptor)?;
    let family = call.socket(number)?.family;
    let address = addresses::read(call, address, size, family)?;
    match call.socket(number)?.kind {
        SocketKind::Datagrams => associate(call, number, &address),
        _ => connect_stream(call, number, blocks, &address),
    }
}

/// Says where the single messages of a socket go.
fn associate(call: &mut Call<'_>, number: u32, address: &Address) -> Answer {
    let socket = call.socket(number)?;
    let Phase::Letters { peer: before, .. } = &socket.phase else {
        return Err(Errno::EINVAL.into());
    };
    let family = socket.family;
    if family == Family::Unix && !matches!(before, Peer::None | Peer::Gone) {
        return Err(Refusal::Unknown("connect of a UNIX datagram socket again".to_owned()));
    }
    let new = match (address, family) {
        (Address::Unspecified, _) => Peer::None,
        (&Address::Port(address, port), _) => {
            let address = if address == 0 { LOOPBACK } else { address };
            call.own_port(number, LOOPBACK)?;
            Peer::Named(SocketName::Port { kind: SocketKind::Datagrams, address, port })
        }
        _ => {
            let found = call.find_socket(address, SocketKind::Datagrams)?;
            call.check_may_send(number, found)?;
            Peer::Socket(found)
        }
    };
    if let Phase::Letters { peer, .. } = &mut call.socket_mut(number)?.phase {
        *peer = new;
    }
    Ok(0)
}

fn connect_stream(call: &mut Call<'_>, number: u32, blocks: bool, address: &Address) -> Answer {
    let tcp = call.socket(number)?.is_tcp();
    if was_untold(call, number, tcp)? {
        return Ok(0);
    }
    let kind = call.socket(number)?.kind;
    let listener = match call.find_listener(address, kind) {
        Err(Refusal::Errno(Errno::ECONNREFUSED)) if tcp => {
            call.system.happened_to(&Object::Socket(number), edges::CHANGED);
            if blocks {
                return Err(Errno::ECONNREFUSED.into());
            }
            call.socket_mut(number)?.error = Errno::ECONNREFUSED.0;
            return Err(Errno::EINPROGRESS.into());
        }
        found => found?,
    };
    if !call.socket(listener)?.has_room_in_backlog() {
        if tcp && !blocks {
            return Err(Refusal::Unknown("connect to a port with too many waiting".to_owned()));
        }
        if !blocks || call.is_time_over() {
            return Err(Errno::EAGAIN.into());
        }
        let deadline = call.timeout_ends(call.socket(number)?.timeout_out);
        return Err(Refusal::Wait(Waiting { reason: Reason::Backlog(listener), deadline }));
    }
    meet(call, number, listener, address, tcp && !blocks)?;
    if tcp && !blocks { Err(Errno::EINPROGRESS.into()) } else { Ok(0) }
}

/// Whether a socket is connected and has not told so; refuses one that cannot be connected.
fn was_untold(call: &mut Call<'_>, number: u32, tcp: bool) -> Result<bool, Errno> {
    let socket = call.socket_mut(number)?;
    let error = std::mem::take(&mut socket.error);
    if error != 0 {
        return Err(Errno(error));
    }
    match &mut socket.phase {
        Phase::Fresh => Ok(false),
        // The call that asked for it has not waited for it.
        Phase::Connected { untold, .. } if *untold => {
            *untold = false;
            Ok(true)
        }
        Phase::Listening { .. } if !tcp => Err(Errno::EINVAL),
        _ => Err(Errno::EISCONN),
    }
}

/// Connects a socket to one that listens, which gets a new one for it.
fn meet(
    call: &mut Call<'_>,
    number: u32,
    listener: u32,
    address: &Address,
    untold: bool,
) -> Result<(), Refusal> {
    let own_process = call.system.process_number();
    let own_name = match call.socket(number)?.is_tcp() {
        true => Some(at_loopback(call.own_port(number, LOOPBACK)?)),
        false => call.socket(number)?.name.clone(),
    };
    let its = call.socket(listener)?.clone();
    let (family, kind) = (its.family, its.kind);
    let its_name = match address {
        &Address::Port(address, port) => {
            call.system.kernel.used_ports.insert(u32::from(port), ());
            let address = if address == 0 { LOOPBACK } else { address };
            Some(SocketName::Port { kind, address, port })
        }
        _ => its.name.clone(),
    };
    let inherited = if its.is_tcp() { its.clone() } else { Socket::default() };
    let own = call.socket(number)?;
    let sizes = [[own, &inherited], [&inherited, own]]
        .map(|[from, to]| [from.buffer_size(SEND_BUFFER), to.buffer_size(RECEIVE_BUFFER)]);
    let [there, back] = call.system.add_directions(family, kind, sizes);
    let accepted = call.system.channels.add(Channel::Socket(Socket {
        name: its_name.clone(),
        peer_name: own_name,
        phase: Phase::Connected { incoming: there, outgoing: back, untold: false },
        peer_process: own_process,
        error: 0,
        family,
        kind,
        ..inherited
    }));
    if let Phase::Listening { waiting, .. } = &mut call.socket_mut(listener)?.phase {
        waiting.push(accepted);
    }
    let socket = call.socket_mut(number)?;
    socket.phase = Phase::Connected { incoming: back, outgoing: there, untold };
    socket.peer_name = its_name;
    socket.peer_process = its.peer_process;
    call.system.happened_to(&Object::Socket(listener), edges::CAME);
    if its.is_tcp() {
        call.system.happened_to(&Object::Socket(number), edges::CHANGED);
    }
    Ok(())
}

impl Call<'_> {
    /// The socket with an address that listens.
    pub(super) fn find_listener(
        &mut self,
        address: &Address,
        kind: SocketKind,
    ) -> Result<u32, Refusal> {
        let found = self.find_socket(address, kind)?;
        match self.socket(found)?.phase {
            Phase::Listening { shut: false, .. } => Ok(found),
            _ => Err(Errno::ECONNREFUSED.into()),
        }
    }
}

pub(in crate::syscalls) fn shutdown(call: &mut Call<'_>) -> Answer {
    const READING: u32 = 0;
    const WRITING: u32 = 1;
    const BOTH: u32 = 2;
    let [descriptor, how, ..] = call.arguments;
    let (number, _) = call.socket_of(descriptor)?;
    let (reading, writing) = match how {
        READING => (true, false),
        WRITING => (false, true),
        BOTH => (true, true),
        _ => return Err(Errno::EINVAL.into()),
    };
    let socket = call.socket(number)?;
    let tcp = socket.is_tcp();
    match &socket.phase {
        &Phase::Connected { incoming, outgoing, .. } => {
            // Over TCP the other end hears of it once, and of what is sent alone.
            let was_ended =
                call.system.channels.direction(outgoing).is_none_or(|direction| direction.ended);
            if !tcp || writing && !was_ended {
                call.system.happened_to_reader(outgoing, edges::CHANGED);
            }
            call.system.happened_to(&Object::Socket(number), edges::CHANGED);
            if reading {
                call.system.change_direction(incoming, |it| {
                    it.ended = true;
                    it.broken |= !tcp;
                });
            }
            if writing {
                call.system.change_direction(outgoing, |it| (it.ended, it.broken) = (true, true));
            }
            Ok(0)
        }
        Phase::Listening { .. } if !reading => Ok(0),
        Phase::Listening { waiting, .. } if tcp => {
            let waiting = waiting.clone();
            call.system.happened_to(&Object::Socket(number), edges::CHANGED);
            call.socket_mut(number)?.phase = Phase::Fresh;
            call.system.turn_away(&waiting);
            Ok(0)
        }
        Phase::Listening { .. } => {
            if let Phase::Listening { shut, .. } = &mut call.socket_mut(number)?.phase {
                *shut = true;
            }
            call.system.happened_to(&Object::Socket(number), edges::CHANGED);
            Ok(0)
        }
        Phase::Fresh if tcp => Err(Errno::ENOTCONN.into()),
        Phase::Fresh | Phase::Letters { .. } => {
            Err(Refusal::Unknown("shutdown of a socket without a connection".to_owned()))
        }
    }
}
