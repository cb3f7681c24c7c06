//! What happens inside a step: for trails.

use steam_linux::kernel::{Pending, Stream};
use steam_state::ThreadId;
use steam_sync::Operation;

/// Something that happened in a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A thread begins the step, standing at an instruction.
    Begins {
        /// The thread.
        thread: ThreadId,
        /// The instruction.
        eip: u32,
        /// Return addresses, the innermost first, to find the line that the user wrote.
        callers: Vec<u32>,
        /// What it does.
        pending: Pending,
    },
    /// Bytes of memory were read, by an access that is a step of its own.
    Read {
        /// Where.
        address: u32,
        /// What was there.
        bytes: Vec<u8>,
    },
    /// Bytes of memory were written, maybe with what was there, by an access that is a step of its own.
    Wrote {
        /// Where.
        address: u32,
        /// What was there.
        old: Vec<u8>,
        /// What is there.
        new: Vec<u8>,
    },
    /// A synchronisation operation was done, by a thread at an instruction.
    Synchronised {
        /// The operation.
        operation: Operation,
        /// The thread.
        thread: ThreadId,
        /// Its instruction.
        eip: u32,
        /// Return addresses.
        callers: Vec<u32>,
    },
    /// A system call was done that is a step of its own; in words.
    Called(String),
    /// A thread took the signal with this number.
    Signalled(u8),
    /// A thread was created.
    Created {
        /// Its number.
        thread: ThreadId,
        /// By whom.
        by: ThreadId,
        /// The instruction.
        eip: u32,
        /// Return addresses.
        callers: Vec<u32>,
    },
    /// A thread ended.
    Ended(ThreadId),
    /// Bytes left the program.
    Output(Stream, Vec<u8>),
    /// The program ended with a status.
    Exited(i32),
}
