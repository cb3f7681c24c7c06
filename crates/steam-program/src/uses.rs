//! What a step does to the things that processes communicate by, and which of such uses commute.
//!
//! One table for all channels, read without their contents: a receiver may wait for a sender and a
//! sender for room, so that they depend on each other wherever they meet.

use steam_linux::kernel::{Reason, SemaphoreOperation, Wanted};
use steam_state::ThreadId;

/// A use of a channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Use {
    /// Operations on semaphores of a set.
    Semaphores {
        /// The channel.
        channel: u32,
        /// What is done.
        operations: Vec<SemaphoreOperation>,
        /// Whether the order of two that add can be observed: one may fail, because semaphores come near their
        /// largest value, or the program asks who was the last.
        ordered: bool,
    },
    /// A message is taken from a queue.
    Receive {
        /// The channel.
        channel: u32,
        /// Which message.
        wanted: Wanted,
        /// Whether the program asks who was the last to receive one.
        ordered: bool,
    },
    /// A message goes to a queue.
    Send(u32),
    /// Something goes to a pipe, a POSIX queue or a counter, or is taken from it.
    Pipe(u32),
    /// Something is received or sent over sockets, or moves from one pipe to another: that changes up to two channels.
    Pair([u32; 2]),
    /// Descriptors of ends of pipes come or go.
    Ends {
        /// The pipes.
        channels: [u32; 2],
        /// The process that has them, by its first thread.
        process: ThreadId,
    },
}

impl Use {
    /// What a call does that waits for something, if that concerns one channel; `ordered` if the order of uses can be
    /// observed that commute by their contents.
    pub fn of(reason: &Reason, ordered: bool) -> Option<Self> {
        Some(match reason {
            Reason::Semaphores { channel, operations, .. } => {
                Self::Semaphores { channel: *channel, operations: operations.clone(), ordered }
            }
            &Reason::Message { channel, wanted, .. } => Self::Receive { channel, wanted, ordered },
            &Reason::Room { channel, .. } => Self::Send(channel),
            &Reason::PipeFilled(pipe) | &Reason::PipeDrained { pipe, .. } => Self::Pipe(pipe),
            // A file beside a pipe is used, too.
            &Reason::Splice { from: Some(from), to: Some(to) } => Self::Pair([from, to]),
            &Reason::Counted(counter) | &Reason::CounterRoom { counter, .. } => Self::Pipe(counter),
            &Reason::Mail(queue) | &Reason::MailRoom(queue) => Self::Pipe(queue),
            // What a descriptor that is handed over stands for may be any channel.
            Reason::Departure { rights: true, .. } => return None,
            &Reason::Arrival { channels, .. } | &Reason::Departure { channels, .. } => {
                Self::Pair(channels)
            }
            _ => return None,
        })
    }

    fn channels(&self) -> [u32; 2] {
        match *self {
            Self::Semaphores { channel, .. }
            | Self::Receive { channel, .. }
            | Self::Send(channel)
            | Self::Pipe(channel) => [channel; 2],
            Self::Pair(channels) | Self::Ends { channels, .. } => channels,
        }
    }

    /// Whether the order of two uses may matter.
    pub fn depends_on(&self, other: &Self) -> bool {
        if let (Self::Ends { process: one, .. }, Self::Ends { process: other, .. }) = (self, other)
        {
            // Whose is the last one makes no difference to what is left; but a process has one table.
            return one == other;
        }
        let others = other.channels();
        if !self.channels().iter().any(|channel| others.contains(channel)) {
            return false;
        }
        match (self, other) {
            (
                Self::Semaphores { operations: one, ordered, .. },
                Self::Semaphores { operations: other, .. },
            ) => one.iter().any(|one| {
                let meets = |other: &&SemaphoreOperation| other.number == one.number;
                let add = |other: &SemaphoreOperation| one.only_adds() && other.only_adds();
                other.iter().filter(meets).any(|other| *ordered || !add(other))
            }),
            (
                &Self::Receive { wanted: Wanted::Kind(one), ordered: false, .. },
                &Self::Receive { wanted: Wanted::Kind(other), .. },
            ) => one == other,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn semaphores(channel: u32, changes: &[(u16, i16)]) -> Use {
        let operation = |&(number, change)| SemaphoreOperation {
            number,
            change,
            impatient: false,
            undone: false,
        };
        let operations = changes.iter().map(operation).collect();
        Use::Semaphores { channel, operations, ordered: false }
    }

    #[test]
    fn semaphores_depend_where_they_meet_and_not_both_add() {
        let take = semaphores(1, &[(0, -1), (1, -1)]);
        assert!(take.depends_on(&semaphores(1, &[(1, 1)])));
        assert!(take.depends_on(&semaphores(1, &[(1, 0)])));
        assert!(!take.depends_on(&semaphores(1, &[(2, -1)])));
        assert!(!take.depends_on(&semaphores(2, &[(0, -1)])));
        assert!(!semaphores(1, &[(0, 1)]).depends_on(&semaphores(1, &[(0, 2)])));
        let ordered = |changes| match semaphores(1, changes) {
            Use::Semaphores { channel, operations, .. } => {
                Use::Semaphores { channel, operations, ordered: true }
            }
            other => other,
        };
        assert!(ordered(&[(0, 1)]).depends_on(&ordered(&[(0, 2)])), "one of them may fail");
        assert!(!ordered(&[(0, 1)]).depends_on(&ordered(&[(1, 2)])));
    }

    #[test]
    fn receivers_of_different_types_do_not_meet() {
        let receive =
            |kind| Use::Receive { channel: 3, wanted: Wanted::new(kind, false), ordered: false };
        assert!(!receive(1).depends_on(&receive(2)));
        assert!(receive(1).depends_on(&receive(1)) && receive(0).depends_on(&receive(2)));
        let last = Use::Receive { channel: 3, wanted: Wanted::Kind(1), ordered: true };
        assert!(last.depends_on(&receive(2)), "the program asks who was the last");
        assert!(receive(1).depends_on(&Use::Send(3)) && !receive(1).depends_on(&Use::Send(4)));
        assert!(Use::Send(3).depends_on(&Use::Send(3)) && Use::Pipe(3).depends_on(&Use::Pipe(3)));
    }

    #[test]
    fn ends_of_pipes_depend_on_transfers_and_within_a_process() {
        let ends = |process, channels| Use::Ends { channels, process: ThreadId(process) };
        assert!(
            ends(1, [3, 4]).depends_on(&Use::Pipe(4)) && Use::Pipe(3).depends_on(&ends(1, [3, 3]))
        );
        assert!(!ends(1, [3, 4]).depends_on(&Use::Pipe(5)));
        assert!(!ends(1, [3, 3]).depends_on(&ends(2, [3, 3])));
        assert!(ends(1, [3, 3]).depends_on(&ends(1, [4, 4])));
    }

    #[test]
    fn sockets_depend_where_they_share_a_channel() {
        let (receive, tcp) = (Use::Pair([5, 5]), Use::Pair([5, 6]));
        assert!(receive.depends_on(&tcp) && tcp.depends_on(&Use::Pair([6, 6])));
        assert!(!receive.depends_on(&Use::Pair([6, 6])) && !tcp.depends_on(&Use::Pipe(7)));
    }
}
