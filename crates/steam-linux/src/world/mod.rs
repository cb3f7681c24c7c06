//! What surrounds the program and never changes while it runs: the host's files, the standard
//! input, the name of the program. It is the same for all states of a run and part of none.

mod host;
mod input;

use std::sync::Arc;

pub use host::{Host, HostAccess, HostKind, HostNode};
pub use input::{Input, Stdin};

/// Who runs the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runner {
    /// One execution is made, from the start to the end. Every instruction takes ten nanoseconds.
    Once,
    /// A search makes many. Time stands still while a thread can run, and jumps to the next deadline when none can.
    Search {
        /// Whether it learns which words threads share. Where every access or every line is a step it does not.
        learns: bool,
    },
}

impl Runner {
    /// Whether a search runs the program.
    pub fn searches(self) -> bool {
        matches!(self, Self::Search { .. })
    }
}

/// Nanoseconds of guest time for one instruction.
pub const NANOSECONDS_PER_INSTRUCTION: u64 = 10;

/// What surrounds the program.
#[derive(Debug)]
pub struct World {
    /// The host's files.
    pub host: Arc<Host>,
    /// The standard input.
    pub input: Input,
    /// The absolute path of the program.
    pub executable: Arc<[u8]>,
    /// The program's arguments, each followed by a zero byte.
    pub command_line: Arc<[u8]>,
    /// Who runs the program.
    pub runner: Runner,
}

/// The process id that every guest has.
pub const PROCESS_ID: u32 = 1000;
/// The id of the process that started it.
pub const PARENT_ID: u32 = 999;
/// The user and group that every guest runs as.
pub const USER_ID: u32 = 1000;
/// How many processors the guest sees.
pub const PROCESSORS: u32 = 2;
/// What the real-time clock says at the start: the first second of 2024.
pub const START_SECONDS: u64 = 1_704_067_200;
/// What the monotonic clock says at the start, in seconds.
pub const UPTIME_SECONDS: u64 = 1000;
