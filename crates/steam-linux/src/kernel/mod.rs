//! What the kernel keeps, as plain values: nothing here refers to the host.
//!
//! [`Kernel`] is shared by all processes, [`ProcessEnvironment`] belongs to one process,
//! [`ThreadRecord`] to one thread. All of it can be cloned, compared and hashed, because all of it
//! is part of a frozen state. What never changes during a run (the host's files, the standard
//! input, the arguments) is the `World`, and no part of a state.

mod channel;
mod counter;
mod description;
mod direction;
mod file_bytes;
mod file_locks;
mod mail_queue;
mod map;
mod operation;
mod overlay;
mod passing;
mod pending;
mod pipe;
mod process;
mod queue;
mod scheduling;
mod segment;
mod semaphores;
mod signal_file;
mod socket;
mod socket_buffer;
mod thread;
mod timer;
mod timer_file;
mod usage;
mod watch;

pub use channel::Channel;
pub use counter::Counter;
pub use description::{Description, Descriptor, DirectoryEntry, Object, Stream};
pub use direction::{Direction, Grain, longest_message};
pub use file_bytes::{FileBytes, LARGEST_FILE};
pub use file_locks::{FileLock, FileLocks, LockOwner};
pub use mail_queue::{Announcement, Mail, MailQueue, Registration};
pub use map::Map;
pub use operation::{Deed, OpenOperation, Turn};
pub use overlay::{Entry, FileName, Inode, InodeKind, Overlay, Timestamp};
pub use passing::{Passing, Shown};
pub use pending::{AtomicBlock, Pending};
pub use pipe::Pipe;
pub use process::{
    Action, Disposition, Executed, Loan, ProcessEntry, ProcessEnvironment, SignalInfo,
};
pub use queue::{Message, MessageQueue, QUEUE_CAPACITY, Wanted};
pub use scheduling::{Policy, Scheduling};
pub use segment::{Segment, SegmentKind};
pub use semaphores::{LARGEST_VALUE, Prospect, SemaphoreOperation, SemaphoreSet};
pub use signal_file::SignalFile;
pub use socket::{
    Family, Letter, Peer, Phase, RECEIVE_BUFFER, SEND_BUFFER, Socket, SocketKind, SocketName,
};
pub use socket_buffer::{DEFAULT_SIZE, Room, granted, is_machine_dependent};
pub use thread::{
    AlternateStack, Cancellation, Children, Descent, FIRST_TLS_ENTRY, Interest, Interruption,
    LockRequest, Reason, Remaining, Status, Then, ThreadRecord, TlsEntry, Waiting,
};
pub use timer::{MOST_TIMERS, Notice, PosixTimer, Timer, TimerClock};
pub use timer_file::TimerFile;
pub use usage::{Asked, SegmentUsage, Stamp};
pub use watch::{Telling, Trigger, Watch, Watched, arrange, orders};

use std::sync::Arc;

use steam_state::ThreadId;

/// What all processes share.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Kernel {
    /// Open file descriptions, by number.
    pub descriptions: Map<u32, Description>,
    /// Processes that live, and those that have ended and were not waited for, by the number of
    /// their first thread.
    pub processes: Map<ThreadId, ProcessEntry>,
    /// The status with which the first process ended, if it was not the last.
    pub first_status: i32,
    /// The threads that wait at each futex, in the order in which they came, by its place.
    pub futexes: Map<u64, Vec<ThreadId>>,
    /// Memory that processes share, by where it begins in the space of all such memory.
    pub segments: Map<u32, Segment>,
    /// System V semaphores and message queues: key and channel, by their ids.
    pub facilities: Map<u32, Facility>,
    /// How many of them were removed, up to where their ids come again.
    pub removals: u32,
    /// POSIX message queues, by their names.
    pub mail_queues: Map<Arc<[u8]>, u32>,
    /// Sockets, by what they are called.
    pub sockets: Map<SocketName, u32>,
    /// TCP ports at which connections were made, which keeps them from being used for a while.
    pub used_ports: Map<u32, ()>,
    /// Locks on files.
    pub locks: Map<FileName, FileLocks>,
    /// What the program changed in the file system.
    pub overlay: Overlay,
    /// The files of which processes have private mappings, by the numbers that these have.
    pub copied_files: Map<u32, FileName>,
    /// Nanoseconds since the second in which it started, sleeping included.
    pub clock: u64,
    /// How the clock came there, in a search.
    pub passing: Passing,
    /// Nanoseconds that the CPU was busy for each process, as far as the clock leapt in a search.
    pub busy: u64,
    /// Where the stream of random numbers stands.
    pub random: u64,
}

/// What the clock shows at the start: the last moment of a second. A program that adds to the nanoseconds of a time and
/// forgets the carry has then made a time that is none.
const START: u64 = 999_999_999;

impl Default for Kernel {
    fn default() -> Self {
        Self {
            descriptions: Map::default(),
            processes: Map::default(),
            first_status: 0,
            futexes: Map::default(),
            segments: Map::default(),
            facilities: Map::default(),
            removals: 0,
            mail_queues: Map::default(),
            sockets: Map::default(),
            used_ports: Map::default(),
            locks: Map::default(),
            overlay: Overlay::default(),
            copied_files: Map::default(),
            clock: START,
            passing: Passing::default(),
            busy: 0,
            random: 0x5717_ea77_5717_ea77,
        }
    }
}

/// A System V semaphore set or message queue, as programs find it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Facility {
    /// The key by which it is found; 0 for a private one.
    pub key: u32,
    /// The channel that it is.
    pub channel: u32,
    /// Whether it is a message queue.
    pub queue: bool,
    /// The bits that say who may use it.
    pub mode: u32,
}

impl Kernel {
    /// How many processes live.
    pub fn live_processes(&self) -> usize {
        self.processes.values().filter(|entry| entry.ended.is_none()).count()
    }

    /// The next bytes of the one stream of random numbers.
    pub fn random_bytes(&mut self, size: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(size.next_multiple_of(8));
        while bytes.len() < size {
            bytes.extend_from_slice(&self.random_word().to_le_bytes());
        }
        bytes.truncate(size);
        bytes
    }

    /// The generator "splitmix64": one addition and a mixing of bits per number.
    fn random_word(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.random;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }
}
