//! What `poll` reports of a socket.

use super::super::edges;
use crate::kernel::{Family, Interest, Object, Peer, Phase, Socket};
use crate::system::{System, events};

const READABLE: u16 = events::IN | events::READ_NORMAL;
const WRITABLE: u16 = events::OUT | events::WRITE_NORMAL;
/// What else UNIX sockets and datagrams call "writable".
const WRITE_BAND: u16 = 0x200;
/// The other end sends no more.
const READ_HANG_UP: u16 = 0x2000;

impl System {
    /// What has happened to a socket: what is reported to those who ask, and what is reported in any case.
    pub fn socket_readiness(&self, number: u32) -> (u16, u16) {
        let Some(socket) = self.channels.socket(number) else { return (0, events::HANG_UP) };
        let error = if socket.error != 0 { events::ERROR } else { 0 };
        match &socket.phase {
            Phase::Fresh if socket.error != 0 => {
                (READABLE | WRITABLE | READ_HANG_UP, events::HANG_UP | error)
            }
            Phase::Fresh => (writable(socket), events::HANG_UP),
            Phase::Listening { waiting, shut, .. } => {
                let end = if *shut { READABLE | READ_HANG_UP } else { 0 };
                (if waiting.is_empty() { end } else { READABLE | end }, 0)
            }
            &Phase::Connected { incoming, outgoing, .. } => {
                self.connection_readiness(socket, incoming, outgoing)
            }
            Phase::Letters { letters, peer } => {
                let room = match peer {
                    Peer::Socket(other) => self.has_much_room_at(number, *other) != Some(false),
                    _ => true,
                };
                let possible = if letters.is_empty() { 0 } else { READABLE };
                (possible | if room { WRITABLE | WRITE_BAND } else { 0 }, error)
            }
        }
    }

    /// Whether waiting for more room at another UNIX socket would be no use; `None` if that is not known.
    fn has_much_room_at(&self, number: u32, other: u32) -> Option<bool> {
        let (Some(own), Some(other)) = (self.channels.socket(number), self.channels.socket(other))
        else {
            return Some(true);
        };
        match other.is_full_for(number) {
            true => Some(false),
            false => own.send_room().much_beside(other.taken_by(number)),
        }
    }

    /// A message that a UNIX socket sent has been received: it may have room again, and so may others that found
    /// the receiver full.
    pub(super) fn letter_left(&mut self, at: u32, sender: Option<u32>) {
        // The receiver was closed, which its senders learn by that, or the message comes from no socket.
        let (Some(receiver), Some(number)) = (self.channels.socket(at), sender) else { return };
        let sending = self.channels.socket(number);
        let taken = receiver.taken_by(number);
        let room = sending.is_some_and(|it| it.send_room().much_beside(taken) == Some(true));
        let was_full = receiver.was_full();
        if room {
            self.happened_to(&Object::Socket(number), edges::ROOM);
        }
        if was_full {
            self.happened_to_senders(at);
        }
    }

    /// Whether it is not known if a description that is a socket has room.
    pub fn has_vague_room(&self, interest: Interest) -> bool {
        let description = self.kernel.descriptions.get(&interest.description);
        let Some(Object::Socket(number)) = description.map(|description| &description.object)
        else {
            return false;
        };
        let asks = interest.events & (WRITABLE | WRITE_BAND) != 0;
        asks && match self.channels.socket(*number).map(|socket| &socket.phase) {
            Some(Phase::Connected { outgoing, .. }) => self
                .channels
                .direction(*outgoing)
                .is_some_and(|direction| !direction.broken && direction.has_much_room().is_none()),
            Some(Phase::Letters { peer: Peer::Socket(other), .. }) => {
                self.has_much_room_at(*number, *other).is_none()
            }
            _ => false,
        }
    }

    fn connection_readiness(&self, socket: &Socket, incoming: u32, outgoing: u32) -> (u16, u16) {
        let (incoming, outgoing) =
            (self.channels.direction(incoming), self.channels.direction(outgoing));
        let (Some(incoming), Some(outgoing)) = (incoming, outgoing) else {
            return (0, events::HANG_UP);
        };
        let mut possible = 0;
        if incoming.readable() {
            possible |= READABLE;
        }
        if incoming.ended {
            possible |= READ_HANG_UP;
        }
        if outgoing.has_much_room() != Some(false) || socket.is_tcp() && outgoing.broken {
            possible |= writable(socket);
        }
        let hung_up = incoming.ended && outgoing.broken;
        let error = if incoming.error != 0 { events::ERROR } else { 0 };
        (possible, if hung_up { events::HANG_UP | error } else { error })
    }
}

fn writable(socket: &Socket) -> u16 {
    if socket.family == Family::Unix { WRITABLE | WRITE_BAND } else { WRITABLE }
}
