//! What makes an edge-triggered entry of `epoll` be reported (`EPOLLET`).
//!
//! Linux keeps a list of the entries for which something has happened, and that is what is modelled here: an entry
//! comes to the list when it is added or changed and finds something, and by each event at what it watches; it
//! is reported if there is still something, and leaves the list. An event names what it is about (something to
//! read, room to write), and entries that ask for nothing of it do not hear of it; what is reported is
//! everything that there is then. Which calls are events is as in Linux 6.18, where each call that brings bytes is
//! one, and each that takes a whole message of a UNIX socket.

use crate::guest::Refusal;
use crate::kernel::{Family, Object, Phase, SocketKind, Trigger, Watch};
use crate::system::{System, events};

/// Something to read has come.
pub(super) const CAME: u16 = events::IN | events::READ_NORMAL | 0x2 | 0x80;
/// There is room to write.
pub(super) const ROOM: u16 = events::OUT | events::WRITE_NORMAL | 0x200;
/// Something else has changed: an end, an error, a connection.
pub(super) const CHANGED: u16 = u16::MAX;

/// Refuses to watch the edges of things whose events are not known exactly.
pub(super) fn check(system: &System, object: &Object) -> Result<(), Refusal> {
    let what = match object {
        Object::PipeReader(_) | Object::PipeWriter(_) | Object::Counter(_) => return Ok(()),
        Object::Socket(number) => match system.channels.socket(*number) {
            Some(socket) if socket.is_udp() => "a UDP socket",
            Some(socket) if socket.family == Family::Netlink => "a netlink socket",
            _ => return Ok(()),
        },
        Object::TimerFile(_) => "a timerfd",
        Object::SignalFile(_) => "a signalfd",
        Object::MailQueue(_) => "a message queue",
        Object::Input | Object::Output(_) => "a standard stream",
        _ => "such a file",
    };
    Err(Refusal::Unknown(format!("edge-triggered epoll (EPOLLET) of {what}")))
}

impl System {
    /// An event has happened to a thing.
    pub(super) fn happened_to(&mut self, thing: &Object, event: u16) {
        self.happened(event, |_, object| object == thing);
    }

    /// An event has happened to what a condition says.
    fn happened(&mut self, event: u16, concerns: impl Fn(&Self, &Object) -> bool) {
        let watches =
            self.kernel.descriptions.values().filter_map(|description| match description.object {
                Object::Watch(channel) => Some(channel),
                _ => None,
            });
        for channel in watches.collect::<Vec<u32>>() {
            let entries = self.channels.watch(channel).map(Watch::entries).unwrap_or_default();
            let hears = |description: u32| {
                let description = self.kernel.descriptions.get(&description);
                description.is_some_and(|description| concerns(self, &description.object))
            };
            // Errors and hang-ups are asked for in any case.
            let asks = |asked: u16| event == CHANGED || asked & event != 0;
            let hearing: Vec<_> = entries
                .iter()
                .filter(|entry| entry.trigger == Trigger::Edge { happened: false })
                .filter(|it| asks(it.events) && hears(it.description))
                .copied()
                .collect();
            if let Some(watch) = self.channels.watch_mut(channel).filter(|_| !hearing.is_empty()) {
                hearing.into_iter().for_each(|entry| watch.list(entry));
            }
        }
    }

    /// An event has happened to one of the two ends of a pipe, or both.
    pub(super) fn happened_at_pipe(&mut self, pipe: u32, event: u16) {
        self.happened(event, |_, object| {
            matches!(object, Object::PipeReader(it) | Object::PipeWriter(it) if *it == pipe)
        });
    }

    /// An event has happened to the socket that reads a direction of a connection.
    pub(super) fn happened_to_reader(&mut self, direction: u32, event: u16) {
        self.happened_to_end(event, |incoming, _| incoming == direction);
    }

    /// An event has happened to the socket that writes a direction of a connection.
    pub(super) fn happened_to_writer(&mut self, direction: u32, event: u16) {
        self.happened_to_end(event, |_, outgoing| outgoing == direction);
    }

    fn happened_to_end(&mut self, event: u16, is_it: impl Fn(u32, u32) -> bool) {
        self.happened(event, |system, object| {
            let Object::Socket(number) = object else { return false };
            match system.channels.socket(*number).map(|socket| &socket.phase) {
                Some(&Phase::Connected { incoming, outgoing, .. }) => is_it(incoming, outgoing),
                _ => false,
            }
        });
    }

    /// Other sockets than its own peer that send to a socket may find it full no longer.
    pub(super) fn happened_to_senders(&mut self, to: u32) {
        self.happened(ROOM, |system, object| {
            let Object::Socket(number) = object else { return false };
            let socket = system.channels.socket(*number);
            socket.is_some_and(|socket| {
                socket.kind == SocketKind::Datagrams && socket.peer_socket() == Some(to)
            })
        });
    }
}
