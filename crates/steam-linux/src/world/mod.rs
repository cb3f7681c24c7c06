//! What surrounds the program and never changes while it runs: the host's files, the standard
//! input, the name of the program. It is the same for all states of a run and part of none.

mod host;
mod input;

use std::sync::Arc;

pub use host::{Host, HostAccess, HostKind, HostNode};
pub use input::{Input, Stdin};

/// How the clock of the guest goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ClockMode {
    /// Every instruction takes ten nanoseconds.
    #[default]
    Instructions,
    /// Time stands still while a thread can run, and jumps to the next deadline when none can.
    Still,
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
    /// How the clock goes.
    pub clock: ClockMode,
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
