//! A socket: what it is, what it is called, and to whom it is connected.

use std::sync::Arc;

use super::direction::message_cost;
use super::socket_buffer::{DEFAULT_SIZE, Room};

/// The world in which a socket has its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Family {
    /// This machine alone.
    #[default]
    Unix,
    /// IPv4, of which only this machine is there.
    Internet,
    /// The kernel, which reports messages (`mq_notify`) and nothing else.
    Netlink,
}

/// How a socket transports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum SocketKind {
    /// Bytes over a connection.
    #[default]
    Stream,
    /// Single messages.
    Datagrams,
    /// Messages over a connection.
    Packets,
}

/// What a socket is called.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SocketName {
    /// A file of the overlay, and the path that the program gave for it.
    Path {
        /// The inode.
        inode: u32,
        /// The path.
        path: Arc<[u8]>,
    },
    /// A name that is not in the file system.
    Abstract {
        /// Each kind of socket has names of its own.
        kind: SocketKind,
        /// The name after its zero byte.
        name: Arc<[u8]>,
    },
    /// A port.
    Port {
        /// Those of streams are others than those of datagrams.
        kind: SocketKind,
        /// The address, most significant byte first; 0 for all of this machine.
        address: u32,
        /// The port.
        port: u16,
    },
}

/// A single message.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Letter {
    /// What its sender is called.
    pub from: Option<SocketName>,
    /// The UNIX socket that sent it, in whose buffer it lies; `None` once that one is closed.
    pub sender: Option<u32>,
    /// What it says.
    pub bytes: Arc<[u8]>,
    /// The descriptions that it hands over.
    pub rights: Vec<u32>,
}

/// To whom single messages go that do not say it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Peer {
    /// To none.
    #[default]
    None,
    /// To a UNIX socket, by its channel.
    Socket(u32),
    /// To a UNIX socket that is gone.
    Gone,
    /// To whoever has this name.
    Named(SocketName),
}

/// How far a socket is.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Phase {
    /// Neither connected nor waiting for others.
    #[default]
    Fresh,
    /// Others may connect.
    Listening {
        /// How many may wait, and one more.
        backlog: u32,
        /// The sockets that were made for those who connected, oldest first.
        waiting: Vec<u32>,
        /// Whether no socket can connect any more.
        shut: bool,
    },
    /// Connected.
    Connected {
        /// The stream that it reads.
        incoming: u32,
        /// The stream that it writes.
        outgoing: u32,
        /// Whether `connect` has not yet told that it is.
        untold: bool,
    },
    /// Single messages.
    Letters {
        /// Those that have come, oldest first.
        letters: Vec<Letter>,
        /// Where those go that do not say it.
        peer: Peer,
    },
}

/// A socket.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Socket {
    /// Where it has its name.
    pub family: Family,
    /// How it transports.
    pub kind: SocketKind,
    /// What it is called.
    pub name: Option<SocketName>,
    /// What the other end is called.
    pub peer_name: Option<SocketName>,
    /// How far it is.
    pub phase: Phase,
    /// Options that were set: level, number and value, ascending.
    pub options: Vec<(u32, u32, u32)>,
    /// How long it waits for what comes, in nanoseconds.
    pub timeout_in: Option<u64>,
    /// How long it waits for room, in nanoseconds.
    pub timeout_out: Option<u64>,
    /// An error that is to be reported once; 0 for none.
    pub error: u16,
    /// The process that is at the other end.
    pub peer_process: u32,
}

/// How many messages of those who are not its own peer wait at a UNIX socket, and one more.
const MOST_LETTERS: usize = 10;
/// `SOL_SOCKET`, and the options that say how large its buffers are.
const SOCKET_LEVEL: u32 = 1;
/// `SO_SNDBUF`.
pub const SEND_BUFFER: u32 = 7;
/// `SO_RCVBUF`.
pub const RECEIVE_BUFFER: u32 = 8;

impl Socket {
    /// A socket that was just made.
    pub fn new(family: Family, kind: SocketKind) -> Self {
        let phase = match kind {
            SocketKind::Datagrams => Phase::Letters { letters: Vec::new(), peer: Peer::None },
            _ => Phase::Fresh,
        };
        Self { family, kind, phase, ..Self::default() }
    }

    /// Whether it is one end of a TCP connection, or may be.
    pub fn is_tcp(&self) -> bool {
        self.family == Family::Internet && self.kind == SocketKind::Stream
    }

    /// Whether it is a UDP socket.
    pub fn is_udp(&self) -> bool {
        self.family == Family::Internet && self.kind == SocketKind::Datagrams
    }

    /// Whether who sends over its connection may get the error that is there for who receives.
    pub fn notifies_writers(&self) -> bool {
        (self.family, self.kind) != (Family::Unix, SocketKind::Stream)
    }

    /// The UNIX socket to which its single messages go.
    pub fn peer_socket(&self) -> Option<u32> {
        match self.phase {
            Phase::Letters { peer: Peer::Socket(other), .. } => Some(other),
            _ => None,
        }
    }

    /// The size that was granted to a buffer, to send or to receive; 0 by default.
    pub fn buffer_size(&self, which: u32) -> u32 {
        self.option(SOCKET_LEVEL, which)
    }

    /// How much a UNIX socket may have sent that was not received.
    pub fn send_room(&self) -> Room {
        Room::of_unix(self.buffer_size(SEND_BUFFER))
    }

    /// Whether single messages wait here that hand over descriptors.
    pub fn has_rights(&self) -> bool {
        matches!(&self.phase, Phase::Letters { letters, .. }
            if letters.iter().any(|letter| !letter.rights.is_empty()))
    }

    /// Whether as many messages wait at a UNIX socket as it takes from another one.
    pub fn is_full_for(&self, sender: u32) -> bool {
        let Phase::Letters { letters, peer } = &self.phase else { return false };
        *peer != Peer::Socket(sender) && letters.len() > MOST_LETTERS
    }

    /// Whether it was full before the last message was received.
    pub fn was_full(&self) -> bool {
        matches!(&self.phase, Phase::Letters { letters, .. } if letters.len() == MOST_LETTERS)
    }

    /// What the messages of a UNIX socket that wait here take of its buffer.
    pub fn taken_by(&self, sender: u32) -> u32 {
        let Phase::Letters { letters, .. } = &self.phase else { return 0 };
        let its = letters.iter().filter(|letter| letter.sender == Some(sender));
        its.map(|letter| message_cost(letter.bytes.len())).sum()
    }

    /// Whether another datagram is received in any case: some of what was read may still take its room, a
    /// quarter of the buffer, and each takes somewhat more than one of a UNIX socket.
    pub fn takes_datagram(&self, size: usize) -> bool {
        let Phase::Letters { letters, .. } = &self.phase else { return true };
        let room = match self.buffer_size(RECEIVE_BUFFER) {
            0 => DEFAULT_SIZE,
            size => Room::of_unix(size).certain,
        };
        let cost = |size| message_cost(size) / 8 * 9;
        let waiting: u32 = letters.iter().map(|letter| cost(letter.bytes.len())).sum();
        letters.is_empty() || waiting + cost(size) <= room / 4 * 3
    }

    /// Whether another may connect.
    pub fn has_room_in_backlog(&self) -> bool {
        match &self.phase {
            Phase::Listening { backlog, waiting, shut } => {
                *shut || waiting.len() <= *backlog as usize
            }
            _ => true,
        }
    }

    /// The value of an option that was set.
    pub fn option(&self, level: u32, number: u32) -> u32 {
        let set = self.options.iter().find(|(its, one, _)| (*its, *one) == (level, number));
        set.map_or(0, |(_, _, value)| *value)
    }

    /// Sets an option.
    pub fn set_option(&mut self, level: u32, number: u32, value: u32) {
        self.options.retain(|(its, one, _)| (*its, *one) != (level, number));
        if value != 0 {
            self.options.push((level, number, value));
            self.options.sort_unstable();
        }
    }
}
