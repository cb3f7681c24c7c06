//! What can be asked of a socket, and set.
//!
//! Options that change nothing in a world without a network are remembered and told. What would
//! change how a socket ends is refused as unknown.

use super::super::{Answer, Call, edges};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{
    DEFAULT_SIZE, Family, Object, Phase, RECEIVE_BUFFER, SEND_BUFFER, SocketKind, granted,
    is_machine_dependent,
};
use crate::world::USER_ID;

/// `SOL_SOCKET` and its options.
mod socket_level {
    pub const LEVEL: u32 = 1;
    pub const REUSE_ADDRESS: u32 = 2;
    pub const TYPE: u32 = 3;
    pub const ERROR: u32 = 4;
    pub const BROADCAST: u32 = 6;
    pub const KEEP_ALIVE: u32 = 9;
    pub const LINGER: u32 = 13;
    pub const PEER_CREDENTIALS: u32 = 17;
    pub const RECEIVE_TIMEOUT: u32 = 20;
    pub const SEND_TIMEOUT: u32 = 21;
    pub const ACCEPTS: u32 = 30;
    pub const PROTOCOL: u32 = 38;
    pub const DOMAIN: u32 = 39;
    pub const WIDE_RECEIVE_TIMEOUT: u32 = 66;
    pub const WIDE_SEND_TIMEOUT: u32 = 67;
}
use socket_level as option;

/// `IPPROTO_TCP`, and what of it makes no difference: no delay, when to ask whether the other end
/// still lives, quick acknowledgements.
const TCP: u32 = 6;
const TCP_OPTIONS: [u32; 5] = [1, 4, 5, 6, 12];

pub(in crate::syscalls) fn setsockopt(call: &mut Call<'_>) -> Answer {
    let [descriptor, level, which, place, size, _] = call.arguments;
    let (number, _) = call.socket_of(descriptor)?;
    if size < 4 {
        return Err(Errno::EINVAL.into());
    }
    let value = call.word(place)?;
    let tcp = call.socket(number)?.is_tcp();
    match (level, which) {
        (option::LEVEL, option::REUSE_ADDRESS | option::BROADCAST | option::KEEP_ALIVE) => {
            call.socket_mut(number)?.set_option(level, which, u32::from(value != 0));
        }
        (option::LEVEL, SEND_BUFFER | RECEIVE_BUFFER) => {
            resize(call, number, which, granted(value, which == SEND_BUFFER))?;
        }
        (option::LEVEL, option::LINGER) if value == 0 => {}
        (
            option::LEVEL,
            option::RECEIVE_TIMEOUT
            | option::SEND_TIMEOUT
            | option::WIDE_RECEIVE_TIMEOUT
            | option::WIDE_SEND_TIMEOUT,
        ) => {
            let limit = timeout(call, which, place, size)?;
            let socket = call.socket_mut(number)?;
            match which {
                option::RECEIVE_TIMEOUT | option::WIDE_RECEIVE_TIMEOUT => {
                    socket.timeout_in = limit;
                }
                _ => socket.timeout_out = limit,
            }
        }
        (TCP, _) if tcp && TCP_OPTIONS.contains(&which) => {
            call.socket_mut(number)?.set_option(level, which, value);
        }
        _ => return Err(unknown(level, which)),
    }
    Ok(0)
}

/// A buffer of a socket gets another size, and so do the directions of its connection.
fn resize(call: &mut Call<'_>, number: u32, which: u32, size: u32) -> Result<(), Errno> {
    let socket = call.socket_mut(number)?;
    socket.set_option(option::LEVEL, which, size);
    if let Phase::Connected { incoming, outgoing, .. } = socket.phase {
        match which == SEND_BUFFER {
            true => {
                call.system.change_direction(outgoing, |it| it.sizes[0] = size);
                call.system.happened_to(&Object::Socket(number), edges::ROOM);
            }
            false => call.system.change_direction(incoming, |it| it.sizes[1] = size),
        }
    }
    Ok(())
}

fn unknown(level: u32, which: u32) -> Refusal {
    Refusal::Unknown(format!("option {which} of level {level} of a socket"))
}

/// The `timeval` of a time-out; `None` where there is none.
fn timeout(call: &mut Call<'_>, which: u32, place: u32, size: u32) -> Result<Option<u64>, Refusal> {
    let wide = matches!(which, option::WIDE_RECEIVE_TIMEOUT | option::WIDE_SEND_TIMEOUT);
    if size < if wide { 16 } else { 8 } {
        return Err(Errno::EINVAL.into());
    }
    let (seconds, microseconds) = match wide {
        true => (call.long(place)?, call.long(place.wrapping_add(8))?),
        false => {
            let [seconds, microseconds] = call.words(place)?;
            (u64::from(seconds), u64::from(microseconds))
        }
    };
    let nanoseconds = seconds.saturating_mul(1_000_000_000).saturating_add(microseconds * 1000);
    Ok((nanoseconds != 0).then_some(nanoseconds))
}

pub(in crate::syscalls) fn getsockopt(call: &mut Call<'_>) -> Answer {
    let [descriptor, level, which, place, length, _] = call.arguments;
    let (number, _) = call.socket_of(descriptor)?;
    let socket = call.socket(number)?;
    let words = match (level, which) {
        (option::LEVEL, _) if socket.family == Family::Netlink => {
            return Err(Refusal::Unknown("an option of a netlink socket".to_owned()));
        }
        (option::LEVEL, option::TYPE) => vec![match socket.kind {
            SocketKind::Stream => 1,
            SocketKind::Datagrams => 2,
            SocketKind::Packets => 5,
        }],
        (option::LEVEL, option::ERROR) => vec![take_error(call, number)?],
        (option::LEVEL, option::ACCEPTS) => {
            vec![u32::from(matches!(socket.phase, Phase::Listening { .. }))]
        }
        (option::LEVEL, option::DOMAIN) => {
            vec![if socket.family == Family::Unix { 1 } else { 2 }]
        }
        (option::LEVEL, option::PROTOCOL) => vec![match (socket.family, socket.kind) {
            (Family::Unix | Family::Netlink, _) => 0,
            (Family::Internet, SocketKind::Stream) => TCP,
            (Family::Internet, _) => 17,
        }],
        (option::LEVEL, SEND_BUFFER | RECEIVE_BUFFER) => match socket.buffer_size(which) {
            0 if socket.is_tcp() => return Err(unknown(level, which)),
            0 => vec![DEFAULT_SIZE],
            size if is_machine_dependent(size) => {
                let what =
                    "a socket's buffer that is larger than some machines allow (net.core.wmem_max)";
                return Err(Refusal::Unknown(what.to_owned()));
            }
            size => vec![size],
        },
        (option::LEVEL, option::LINGER) => vec![0, 0],
        (option::LEVEL, option::PEER_CREDENTIALS) if socket.peer_process != 0 => {
            vec![socket.peer_process, USER_ID, USER_ID]
        }
        (option::LEVEL, option::REUSE_ADDRESS | option::BROADCAST | option::KEEP_ALIVE)
        | (TCP, 1) => vec![socket.option(level, which)],
        _ => return Err(unknown(level, which)),
    };
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let room = call.word(length)?;
    if room as i32 <= 0 {
        return Err(Errno::EINVAL.into());
    }
    let size = bytes.len().min(room as usize);
    call.put(place, &bytes[..size])?;
    call.put_word(length, size as u32)?;
    Ok(0)
}

/// The error that a socket has to tell, once.
fn take_error(call: &mut Call<'_>, number: u32) -> Result<u32, Errno> {
    let socket = call.socket_mut(number)?;
    let own = std::mem::take(&mut socket.error);
    let Phase::Connected { incoming, .. } = socket.phase else { return Ok(u32::from(own)) };
    let direction = call.system.channels.direction_mut(incoming);
    let other = direction.and_then(|direction| direction.take_error()).map_or(0, |errno| errno.0);
    Ok(u32::from(if own != 0 { own } else { other }))
}
