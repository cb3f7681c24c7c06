//! What the kernel keeps for one thread beside its registers.

use steam_state::ThreadId;
use steam_visibility::Epoch;

use crate::cpu_time::CpuTime;

use super::file_locks::FileLock;
use super::overlay::FileName;
use super::passing::Shown;
use super::pending::Pending;
use super::process::SignalInfo;
use super::queue::Wanted;
use super::scheduling::Scheduling;
use super::semaphores::SemaphoreOperation;

/// The number of the first of a thread's own segment descriptors.
pub const FIRST_TLS_ENTRY: u32 = 12;

/// An entry of the thread's three segment descriptors for thread-local storage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TlsEntry {
    /// What the segment adds to an address.
    pub base: u32,
    /// The last offset, in bytes or pages.
    pub limit: u32,
    /// The bits after the limit in `struct user_desc`.
    pub flags: u32,
    /// Whether the entry is in use.
    pub used: bool,
}

/// The stack on which signal handlers may run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct AlternateStack {
    /// Its lowest address.
    pub start: u32,
    /// How many bytes it has; 0 when there is none.
    pub size: u32,
    /// Whether it is forgotten while a handler runs on it (`SS_AUTODISARM`).
    pub disarm: bool,
}

impl AlternateStack {
    /// Whether a stack pointer lies on it.
    pub fn holds(&self, esp: u32) -> bool {
        esp > self.start && esp - self.start <= self.size
    }
}

/// Where to write how much of a sleep was left when a signal ended it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Remaining {
    /// The address of the `timespec`.
    pub address: u32,
    /// Whether its seconds have 64 bits.
    pub wide: bool,
}

/// One line of a `poll`: readiness of an open file description.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interest {
    /// The number of the description.
    pub description: u32,
    /// The events that are waited for, as in `struct pollfd`.
    pub events: u16,
}

/// A lock on a file that a process wants.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LockRequest {
    /// The file.
    pub file: FileName,
    /// Whether it is one of `fcntl`, on a part of the file.
    pub parts: bool,
    /// The lock.
    pub lock: FileLock,
}

/// What a thread waits for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// A `FUTEX_WAKE` at an address.
    Futex {
        /// The place of the futex word, as a number.
        place: u64,
        /// Wakers must share a bit with it.
        bitset: u32,
    },
    /// The deadline alone.
    Time {
        /// Where the rest is written if a signal comes first.
        remaining: Option<Remaining>,
    },
    /// Bytes in a pipe, or the end of its last writer.
    PipeFilled(u32),
    /// Room in a pipe, or the end of its last reader.
    PipeDrained {
        /// The number of the pipe.
        pipe: u32,
        /// How many bytes the call has written already.
        written: u32,
        /// How many are left.
        left: u32,
    },
    /// Bytes in one pipe, room in another one, or both, to move them; or the end of that.
    Splice {
        /// The pipe from which they come, if it is one.
        from: Option<u32>,
        /// The pipe to which they go, if it is one.
        to: Option<u32>,
    },
    /// Something at a socket that can be received, or the end of that.
    Arrival {
        /// The socket.
        socket: u32,
        /// The channels that receiving changes.
        channels: [u32; 2],
        /// How many bytes the call has received already.
        taken: u32,
    },
    /// Room for what a socket sends, or the end of the other one.
    Departure {
        /// The socket.
        socket: u32,
        /// The channels that sending changes; the first is where the bytes go.
        channels: [u32; 2],
        /// How many bytes the call has sent already.
        written: u32,
        /// Whether it may hand over descriptors.
        rights: bool,
    },
    /// A socket that connects to another one.
    Connection(u32),
    /// Room among those who wait to be accepted at a socket.
    Backlog(u32),
    /// System V semaphores that allow a row of operations, or their end.
    Semaphores {
        /// The channel.
        channel: u32,
        /// The id of the set.
        id: u32,
        /// What is to be done.
        operations: Vec<SemaphoreOperation>,
    },
    /// A message in a queue, or the end of the queue.
    Message {
        /// The channel.
        channel: u32,
        /// The id of the queue.
        id: u32,
        /// Which message.
        wanted: Wanted,
    },
    /// Room for a message in a queue, or the end of the queue.
    Room {
        /// The channel.
        channel: u32,
        /// The id of the queue.
        id: u32,
        /// How many bytes.
        size: u32,
        /// Its type.
        kind: i32,
    },
    /// A message in a POSIX queue.
    Mail(u32),
    /// Room in a POSIX queue.
    MailRoom(u32),
    /// A process that opens the other end of a pipe with a name.
    OtherEnd {
        /// The pipe.
        pipe: u32,
        /// Whether the thread opens it for reading.
        reads: bool,
        /// Whether another process has come.
        admitted: bool,
    },
    /// Something that a counter counts.
    Counted(u32),
    /// Room in a counter.
    CounterRoom {
        /// The counter.
        counter: u32,
        /// How much is to be added.
        amount: u64,
    },
    /// That a timer of `timerfd` expires.
    Expired(u32),
    /// A signal that is read from a descriptor of `signalfd`.
    SignalRead(u32),
    /// A lock on a file.
    FileLock(LockRequest),
    /// The end of a child.
    Child(Children),
    /// The end of a child, or that a signal stops it or lets it go on.
    ChildChange {
        /// Which children.
        which: Children,
        /// The options of `waitpid` that say what is waited for.
        options: u32,
    },
    /// The end of a child that was created by `vfork`, or its `execve`.
    Borrowed(ThreadId),
    /// One of several descriptions becomes ready.
    Ready(Vec<Interest>),
    /// One of the descriptions that `epoll` watches becomes ready.
    Watch {
        /// The channel.
        channel: u32,
        /// In which of the possible orders those are told that are ready.
        order: u32,
    },
    /// Any signal that is handled (`pause`, `sigsuspend`).
    Signal {
        /// Whether the thread waits with another mask (`sigsuspend`).
        suspends: bool,
    },
    /// A signal of a set, which is taken without a handler (`sigwait`).
    SignalOf {
        /// The set that the program gave.
        wanted: u64,
        /// Those of it that the thread gets: others end its process at once.
        set: u64,
    },
}

/// Which children a process waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Children {
    /// Any.
    Any,
    /// The one with this first thread.
    One(ThreadId),
    /// Those of a process group.
    Group(u32),
}

/// Why a thread does not run, and until when at most.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Waiting {
    /// What it waits for.
    pub reason: Reason,
    /// The value of the clock at which it goes on in any case.
    pub deadline: Option<u64>,
}

/// Whether a thread can run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// It can.
    Runnable,
    /// It is in a system call: `eip` is at the `int 0x80`, which is done again when the wait ends
    /// (but for a futex, whose waker ends the call).
    Waiting(Waiting),
}

/// Whether a thread was asked to end by `pthread_cancel`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Cancellation {
    /// It was not.
    #[default]
    None,
    /// It was, and has not acted on it.
    Asked,
    /// It tests in the library's own code whether it may end now.
    Tested,
    /// It has left a wait because of it, and ends once it has its mutex back.
    Acting,
}

/// By which creations a thread came to be: its number depends on which threads there are, this does not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Descent {
    /// A hash of the path: which child of which thread; 0 of the first thread.
    path: u32,
    /// How many threads it has created.
    children: u32,
}

impl Descent {
    /// The thread has created another one: that one's descent.
    pub fn create(&mut self) -> Descent {
        const MULTIPLIER: u32 = 0x9e37_79b1;
        self.children += 1;
        let path = (self.path ^ self.children).wrapping_mul(MULTIPLIER).rotate_left(13);
        Descent { path: path.max(1), children: 0 }
    }

    /// A number for a thread that is the same in all executions; that of its own if no more was asked for.
    pub fn number(&self, thread: ThreadId) -> u32 {
        // Numbers of threads are small.
        if self.path == 0 { thread.0 } else { self.path | 1 << 31 }
    }
}

/// What the kernel keeps for a thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ThreadRecord {
    /// Whether it can run.
    pub status: Status,
    /// Blocked signals; bit 0 is signal 1.
    pub mask: u64,
    /// The mask to be restored after the handler that ends a `sigsuspend`.
    pub saved_mask: Option<u64>,
    /// Whether a signal has stopped it, until another one lets it go on.
    pub stopped: bool,
    /// Signals for this thread that were not delivered yet.
    pub pending: Vec<SignalInfo>,
    /// Where handlers may run.
    pub alternate_stack: AlternateStack,
    /// The segments that `set_thread_area` made.
    pub tls: [TlsEntry; 3],
    /// The word to be cleared and woken when the thread ends.
    pub clear_at_exit: u32,
    /// The head of the list of robust mutexes.
    pub robust_list: u32,
    /// Where its stack lies, for the check of accesses below the stack pointer; empty where that
    /// is not known.
    pub stack: (u32, u32),
    /// Whether its stack has no owner when it ends: it is known to be the library's, which has mapped it, or has given
    /// back what lies below the stack pointer.
    pub leaves_stack: bool,
    /// The name that `prctl` shows.
    pub name: [u8; 16],
    /// Whether it cannot be joined.
    pub detached: bool,
    /// Where its function returns to; 0 where that is not known.
    pub returns_to: u32,
    /// Whether it was asked to end.
    pub cancellation: Cancellation,
    /// Whether it may be cancelled anywhere.
    pub asynchronous: bool,
    /// Which of the first thread's creations it descends from.
    pub epoch: Epoch,
    /// By which creations it came to be, whatever its number is, and how many it has made itself; if a search
    /// asks.
    pub descent: Descent,
    /// The handlers that have begun and not returned, the innermost last.
    pub interrupted: Vec<Interruption>,
    /// Where its stack pointer was when it had jumped out of a handler that came because of others: what it does from
    /// then on may observe half of what was interrupted.
    pub jumped_to: Option<u32>,
    /// For how long the CPU was busy for it.
    pub cpu_time: CpuTime,
    /// What it sees of the clock.
    pub shown: Shown,
    /// Whether it was made by a thread that a timer notifies when it fires: it runs the function of the timer.
    pub of_timer: bool,
    /// How it asks to be scheduled.
    pub scheduling: Scheduling,
    /// Descriptors that others closed while the thread waits at them, each with its description: the call
    /// in which it waits goes on with those.
    pub kept: Vec<(u32, u32)>,
}

/// A handler came to a thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Interruption {
    /// Where the thread's stack pointer was.
    pub esp: u32,
    /// What follows when the handler has returned.
    pub then: Then,
    /// What of the library the thread was about to use, by its place; 0 if nothing that a handler must not use.
    pub used: u32,
}

/// What a thread does when a handler has returned.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Then {
    /// It goes on where it was, and meets again what it was about to do.
    #[default]
    GoesOn,
    /// It waited in a function that answers `EINTR`.
    EndsWait,
    /// It was in the middle of a wait, such as one for a condition, and waits on.
    WaitsOn(Box<Pending>),
}

impl Default for ThreadRecord {
    fn default() -> Self {
        Self::new((0, 0), [0; 16])
    }
}

impl ThreadRecord {
    /// Whether its thread-local storage lies at an address, by which the libraries name it.
    pub fn has_storage(&self, storage: u32) -> bool {
        self.tls.iter().any(|it| it.used && it.base == storage)
    }

    /// Whether a join of it by its storage has to wait: the libraries refuse at once to join a detached thread.
    pub fn holds_up_join(&self, storage: u32) -> bool {
        !self.detached && self.has_storage(storage)
    }

    /// A thread that starts with nothing but a stack.
    pub fn new(stack: (u32, u32), name: [u8; 16]) -> Self {
        Self {
            status: Status::Runnable,
            mask: 0,
            saved_mask: None,
            stopped: false,
            pending: Vec::new(),
            alternate_stack: AlternateStack::default(),
            tls: [TlsEntry::default(); 3],
            clear_at_exit: 0,
            robust_list: 0,
            stack,
            leaves_stack: false,
            name,
            detached: false,
            returns_to: 0,
            epoch: Epoch::default(),
            descent: Descent::default(),
            interrupted: Vec::new(),
            jumped_to: None,
            cpu_time: CpuTime::default(),
            shown: Shown::default(),
            of_timer: false,
            scheduling: Scheduling::default(),
            kept: Vec::new(),
            cancellation: Cancellation::None,
            asynchronous: false,
        }
    }

    /// What a segment adds to an address; `None` for a selector of no segment.
    pub fn segment_base(&self, selector: u16) -> Option<u32> {
        const USER: [u16; 2] = [0x23, 0x2b];
        let entry = usize::from(selector >> 3).wrapping_sub(FIRST_TLS_ENTRY as usize);
        match selector {
            0..=3 => Some(0),
            _ if USER.contains(&(selector | 3)) => Some(0),
            _ => self.tls.get(entry).filter(|entry| entry.used).map(|entry| entry.base),
        }
    }

    /// What the thread waits for, if it does.
    pub fn waiting(&self) -> Option<&Waiting> {
        match &self.status {
            Status::Waiting(waiting) => Some(waiting),
            Status::Runnable => None,
        }
    }
}
