//! What a socket receives.

use super::super::transfer::Parts;
use super::super::{Call, edges};
use crate::errno::Errno;
use crate::guest::Refusal;
use crate::kernel::{Family, Grain, Phase, Reason, SocketKind, SocketName, Waiting};

/// Flags of the calls that receive.
pub(super) mod flag {
    pub const PEEK: u32 = 0x2;
    pub const TRUNCATED: u32 = 0x20;
    pub const DO_NOT_WAIT: u32 = 0x40;
    pub const WAIT_FOR_ALL: u32 = 0x100;
    /// Those that make no difference here: no signal, and what becomes of descriptors that are received.
    pub const HARMLESS: u32 = 0x4000 | 0x4000_0000;
}

/// What a call has received.
#[derive(Default)]
pub(in crate::syscalls) struct Received {
    /// What it answers.
    pub size: u32,
    /// Whether there was more than it had room for.
    pub truncated: bool,
    /// From whom.
    pub from: Option<SocketName>,
    /// The descriptions that came with it, which the call holds.
    pub rights: Vec<u32>,
}

impl Received {
    fn bytes(size: u32) -> Self {
        Self { size, ..Self::default() }
    }
}

/// Receives into the parts of a buffer.
pub(in crate::syscalls) fn receive(
    call: &mut Call<'_>,
    descriptor: u32,
    parts: &Parts,
    flags: u32,
) -> Result<Received, Refusal> {
    let known = flag::PEEK | flag::TRUNCATED | flag::DO_NOT_WAIT | flag::WAIT_FOR_ALL;
    if flags & !(known | flag::HARMLESS) != 0 {
        return Err(Refusal::Unknown(format!("receiving with flags {flags:#x}")));
    }
    let (number, blocks) = call.socket_of(descriptor)?;
    let blocks = blocks && flags & flag::DO_NOT_WAIT == 0;
    let socket = call.socket_mut(number)?;
    let error = std::mem::take(&mut socket.error);
    if error != 0 {
        return Err(Errno(error).into());
    }
    match &socket.phase {
        Phase::Connected { .. } => from_stream(call, number, parts, flags, blocks),
        Phase::Letters { .. } => letter(call, number, parts, flags, blocks),
        Phase::Fresh | Phase::Listening { .. } => {
            let unix_stream = (socket.family, socket.kind) == (Family::Unix, SocketKind::Stream);
            Err(if unix_stream { Errno::EINVAL } else { Errno::ENOTCONN }.into())
        }
    }
}

fn from_stream(
    call: &mut Call<'_>,
    number: u32,
    parts: &Parts,
    flags: u32,
    blocks: bool,
) -> Result<Received, Refusal> {
    let socket = call.socket(number)?;
    let Phase::Connected { incoming, .. } = socket.phase else {
        return Err(Errno::ENOTCONN.into());
    };
    let from = socket.peer_name.clone().filter(|_| socket.family == Family::Unix);
    let taken = match call.resumed {
        Some(Waiting { reason: Reason::Arrival { taken, .. }, .. }) => taken,
        _ => 0,
    };
    let time_over = call.is_time_over();
    let direction = call.system.channels.direction_mut(incoming).ok_or(Errno::ENOTCONN)?;
    let grain = direction.grain();
    let peeks = flags & flag::PEEK != 0;
    let all = flags & flag::WAIT_FOR_ALL != 0 && grain != Grain::Messages;
    if grain != Grain::Messages && flags & flag::TRUNCATED != 0 || all && peeks {
        return Err(Refusal::Unknown(format!("receiving with flags {flags:#x}")));
    }
    if direction.is_empty() {
        if taken > 0 && (direction.readable() || time_over) {
            return Ok(Received::bytes(taken));
        }
        // What comes after the end was for those who write.
        let error = if direction.error == Errno::EPIPE.0 { None } else { direction.take_error() };
        return match error {
            Some(error) => Err(error.into()),
            None if direction.ended => Ok(Received::default()),
            None => Err(wait(call, number, taken, blocks)?),
        };
    }
    let whole = direction.len();
    let room = parts.size() - taken as usize;
    let (bytes, rights) = (direction.look(room), direction.rights(room));
    parts.put(call, taken as usize, &bytes)?;
    let received = taken + bytes.len() as u32;
    if peeks {
        call.system.hold(&rights);
    } else {
        // What the message held is now held by the call.
        remove(call, incoming, room, bytes.len());
    }
    // No call reads on behind descriptors.
    if all && rights.is_empty() && (received as usize) < parts.size() {
        let readable =
            call.system.channels.direction(incoming).is_none_or(|direction| direction.readable());
        if !readable && blocks {
            return Err(wait(call, number, received, blocks)?);
        }
    }
    let truncated = grain == Grain::Messages && whole > bytes.len();
    let size = if flags & flag::TRUNCATED != 0 { whole as u32 } else { received };
    Ok(Received { size, truncated, from, rights })
}

/// Removes what a call has received, for which it had some room, from a connection. Who sends may hear that there is room:
/// of each whole message that is gone from a UNIX socket, and of TCP once it had too little.
fn remove(call: &mut Call<'_>, incoming: u32, room: usize, received: usize) {
    let Some(direction) = call.system.channels.direction_mut(incoming) else { return };
    let had_room = direction.has_much_room() == Some(true);
    let before = direction.count();
    direction.take_rights(room);
    direction.skip(received);
    let freed = match direction.grain() {
        Grain::Bytes => !had_room,
        Grain::Chunks | Grain::Messages => direction.count() < before,
    };
    if freed && direction.has_much_room() == Some(true) {
        call.system.happened_to_writer(incoming, edges::ROOM);
    }
}

fn letter(
    call: &mut Call<'_>,
    number: u32,
    parts: &Parts,
    flags: u32,
    blocks: bool,
) -> Result<Received, Refusal> {
    let Phase::Letters { letters, .. } = &call.socket(number)?.phase else {
        return Err(Errno::ENOTCONN.into());
    };
    let Some(letter) = letters.first().cloned() else {
        return Err(wait(call, number, 0, blocks)?);
    };
    let size = letter.bytes.len().min(parts.size());
    parts.put(call, 0, &letter.bytes[..size])?;
    if flags & flag::PEEK != 0 {
        call.system.hold(&letter.rights);
    } else if let Phase::Letters { letters, .. } = &mut call.socket_mut(number)?.phase {
        // What the message held is now held by the call.
        letters.remove(0);
        call.system.letter_left(number, letter.sender);
    }
    let whole = letter.bytes.len();
    let answer = if flags & flag::TRUNCATED != 0 { whole } else { size };
    let truncated = size < whole;
    Ok(Received { size: answer as u32, truncated, from: letter.from, rights: letter.rights })
}

/// How a call goes on that finds nothing.
fn wait(call: &Call<'_>, number: u32, taken: u32, blocks: bool) -> Result<Refusal, Errno> {
    if !blocks || call.is_time_over() {
        return Err(Errno::EAGAIN);
    }
    let reason = call.arrival(number, taken).ok_or(Errno::ENOTCONN)?;
    let deadline = call.timeout_ends(call.socket(number)?.timeout_in);
    Ok(Refusal::Wait(Waiting { reason, deadline }))
}
