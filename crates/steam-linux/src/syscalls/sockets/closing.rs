//! The end of sockets: what those at the other end will find.

use super::super::edges;
use crate::errno::Errno;
use crate::kernel::{Direction, Family, Object, Peer, Phase, SocketName};
use crate::system::System;

impl System {
    /// Closes a socket that no description stands for any more.
    pub fn close_socket(&mut self, number: u32) {
        let Some(socket) = self.channels.socket(number).cloned() else { return };
        if let Some(name) = socket.name.as_ref().filter(|&name| self.has_name(number, name)) {
            self.kernel.sockets.remove(name);
            if let SocketName::Path { inode, .. } = name {
                self.kernel.overlay.change(*inode, |inode| inode.opened -= 1);
            }
        }
        let mut lost = Vec::new();
        match &socket.phase {
            Phase::Fresh => {}
            Phase::Listening { waiting, .. } => self.turn_away(waiting),
            &Phase::Connected { incoming, outgoing, .. } => {
                lost = self.hang_up(incoming, outgoing, socket.is_tcp());
            }
            Phase::Letters { letters, .. } => {
                self.lose_peer(number);
                lost.extend(letters.iter().flat_map(|letter| letter.rights.clone()));
            }
        }
        self.channels.remove(number);
        self.release(lost);
        if socket.family == Family::Unix {
            self.drop_cycles();
        }
    }

    fn has_name(&self, number: u32, name: &SocketName) -> bool {
        self.kernel.sockets.get(name) == Some(&number)
    }

    /// Those who connected and were not accepted are told so.
    pub(super) fn turn_away(&mut self, waiting: &[u32]) {
        for &number in waiting {
            // It was closed before it was accepted.
            let Some(socket) = self.channels.socket(number) else { continue };
            if let Phase::Connected { incoming, outgoing, .. } = socket.phase {
                self.change_direction(outgoing, |it| it.error = Errno::ECONNRESET.0);
                self.change_direction(incoming, |it| it.broken = true);
            }
            self.close_socket(number);
        }
    }

    /// One end of a connection is closed; the descriptions that it has not received.
    fn hang_up(&mut self, incoming: u32, outgoing: u32, tcp: bool) -> Vec<u32> {
        let mut lost = Vec::new();
        let unread =
            self.channels.direction(incoming).is_some_and(|direction| !direction.is_empty());
        let was_ended = self.channels.direction(outgoing).is_none_or(|direction| direction.ended);
        // Over TCP nothing is sent where the end was sent already.
        if !tcp || unread || !was_ended {
            self.happened_to_reader(outgoing, edges::CHANGED);
        }
        self.change_direction(outgoing, |it| {
            if unread {
                // Who has learned already that nothing more comes learns of it when it writes.
                it.error = if tcp && it.ended { Errno::EPIPE.0 } else { Errno::ECONNRESET.0 };
            }
            (it.ended, it.broken) = (true, true);
        });
        self.change_direction(incoming, |it| {
            lost = it.discard();
            it.ended = true;
            match tcp && !unread {
                true => it.abandoned = true,
                false => it.broken = true,
            }
        });
        for number in [incoming, outgoing] {
            self.change_direction(number, |it| it.holders -= 1);
            if self.channels.direction(number).is_some_and(|direction| direction.holders == 0) {
                self.channels.remove(number);
            }
        }
        lost
    }

    /// Changes one direction of a connection.
    pub(super) fn change_direction(&mut self, number: u32, change: impl FnOnce(&mut Direction)) {
        if let Some(direction) = self.channels.direction_mut(number) {
            change(direction);
        }
    }

    /// What waits at a socket lies in the buffer of no other one that is closed.
    fn forget_sender(&mut self, number: u32, lost: u32) {
        let socket = self.channels.socket(number);
        if socket.is_none_or(|socket| socket.taken_by(lost) == 0) {
            return;
        }
        if let Some(socket) = self.channels.socket_mut(number)
            && let Phase::Letters { letters, .. } = &mut socket.phase
        {
            let its = letters.iter_mut().filter(|letter| letter.sender == Some(lost));
            its.for_each(|letter| letter.sender = None);
        }
    }

    /// Those who send to a socket have no receiver any more.
    fn lose_peer(&mut self, lost: u32) {
        let sockets: Vec<u32> = self
            .kernel
            .descriptions
            .values()
            .filter_map(
                |it| if let Object::Socket(number) = it.object { Some(number) } else { None },
            )
            .collect();
        for number in sockets {
            let phase = self.channels.socket(number).map(|socket| &socket.phase);
            let sends =
                matches!(phase, Some(Phase::Letters { peer: Peer::Socket(to), .. }) if *to == lost);
            self.forget_sender(number, lost);
            if sends
                && let Some(socket) = self.channels.socket_mut(number)
                && let Phase::Letters { peer, .. } = &mut socket.phase
            {
                *peer = Peer::Gone;
            }
        }
    }
}
