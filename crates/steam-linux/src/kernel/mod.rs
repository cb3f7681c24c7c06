//! What the kernel keeps, as plain values: nothing here refers to the host.
//!
//! [`Kernel`] is shared by all processes, [`ProcessEnvironment`] belongs to one process,
//! [`ThreadRecord`] to one thread. All of it can be cloned, compared and hashed, because all of it
//! is part of a frozen state. What never changes during a run (the host's files, the standard
//! input, the arguments) is the [`crate::world::World`], and no part of a state.

mod description;
mod file_bytes;
mod map;
mod overlay;
mod pending;
mod pipe;
mod process;
mod thread;

pub use description::{Description, Descriptor, DirectoryEntry, Object, Stream};
pub use file_bytes::{FileBytes, LARGEST_FILE};
pub use map::Map;
pub use overlay::{Entry, FileName, Inode, InodeKind, Overlay, Timestamp};
pub use pending::{Pending, Section};
pub use pipe::{PIPE_CAPACITY, Pipe};
pub use process::{Action, Disposition, ProcessEnvironment, SharedMapping, SignalInfo, Timer};
pub use thread::{
    AlternateStack, Cancellation, FIRST_TLS_ENTRY, Interest, Reason, Remaining, Status,
    ThreadRecord, TlsEntry, Waiting,
};

/// What all processes share.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Kernel {
    /// Open file descriptions, by number.
    pub descriptions: Map<u32, Description>,
    /// Pipes, by number.
    pub pipes: Map<u32, Pipe>,
    /// What the program changed in the file system.
    pub overlay: Overlay,
    /// Nanoseconds since the start, sleeping included.
    pub clock: u64,
    /// Nanoseconds that the CPU was busy.
    pub busy: u64,
    /// Where the stream of random numbers stands.
    pub random: u64,
}

impl Default for Kernel {
    fn default() -> Self {
        Self {
            descriptions: Map::default(),
            pipes: Map::default(),
            overlay: Overlay::default(),
            clock: 0,
            busy: 0,
            random: 0x5717_ea77_5717_ea77,
        }
    }
}

impl Kernel {
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
