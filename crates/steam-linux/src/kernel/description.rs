//! Open file descriptions, and the descriptors that name them.

use std::sync::Arc;

use super::overlay::FileName;

/// One of the two streams that leave the machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// What an open file description stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Object {
    /// The standard input, as a pipe from outside; the description's offset says what was read.
    Input,
    /// A stream that leaves the machine.
    Output(Stream),
    /// A regular file.
    File(FileName),
    /// A directory by its path, and its entries once they were read.
    Directory {
        /// Its path without symbolic links.
        path: Arc<[u8]>,
        /// The entries as they were when reading began.
        entries: Option<Arc<[DirectoryEntry]>>,
    },
    /// A file without name or place: what was read from `/proc/self`.
    Snapshot(Arc<[u8]>),
    /// The reading end of a pipe.
    PipeReader(u32),
    /// The writing end of a pipe.
    PipeWriter(u32),
    /// A socket.
    Socket(u32),
    /// A POSIX message queue.
    MailQueue(u32),
    /// What `epoll` watches.
    Watch(u32),
    /// What `eventfd` counts.
    Counter(u32),
    /// A timer of `timerfd`.
    TimerFile(u32),
    /// What `signalfd` reads.
    SignalFile(u32),
    /// `/dev/null`.
    Null,
    /// `/dev/zero`.
    Zero,
    /// `/dev/full`.
    Full,
    /// `/dev/urandom` and `/dev/random`.
    Random,
}

impl Object {
    /// Whether others wait for what happens to it, or for its end.
    pub fn is_channel(&self) -> bool {
        matches!(
            self,
            Self::PipeReader(_)
                | Self::PipeWriter(_)
                | Self::Socket(_)
                | Self::MailQueue(_)
                | Self::Watch(_)
                | Self::Counter(_)
                | Self::TimerFile(_)
                | Self::SignalFile(_)
        )
    }
}

/// One line of a directory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DirectoryEntry {
    /// The name within the directory.
    pub name: Arc<[u8]>,
    /// The number of the file.
    pub inode: u64,
    /// The type as in `d_type`.
    pub kind: u8,
}

/// An open file description: what `open` makes and `dup` shares.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Description {
    /// What it stands for.
    pub object: Object,
    /// Where the next byte is read or written.
    pub offset: u64,
    /// Access mode and status flags, as `fcntl(F_GETFL)` answers them.
    pub flags: u32,
    /// How many descriptors name it.
    pub references: u32,
}

/// An entry of a process's table of file descriptors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Descriptor {
    /// The number of the open file description.
    pub description: u32,
    /// Whether `execve` closes it.
    pub close_on_exec: bool,
}
