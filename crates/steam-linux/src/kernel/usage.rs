//! Who used a System V facility last, and when: what its status says beside its contents.
//!
//! Two states that differ in nothing else behave alike unless the program looks at it. So a search keeps it only
//! where the program does ([`Asked`], which is learned). Times are those of the clock of the search, which takes few
//! values.

/// What a program asks about the past of its facilities. The numbers are those of [`steam_visibility::OthersFact::AsksForPast`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// When sets of semaphores were used (`IPC_STAT`).
    SemaphoreTimes = 0,
    /// Which process used a semaphore (`GETPID`).
    SemaphoreUsers = 1,
    /// Who used message queues, and when.
    Queues = 2,
    /// Who used segments of shared memory, and when.
    Segments = 3,
}

/// A use: by whom and when. The default is that there was none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Stamp {
    /// Seconds since 1970.
    pub time: u64,
    /// The number of the process.
    pub process: u32,
}

/// The past of a segment of shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SegmentUsage {
    /// When a process attached it, or was copied with it.
    pub attached: u64,
    /// When a process detached it.
    pub detached: u64,
    /// Which process did one of both last.
    pub user: u32,
    /// Who made it, and when it was made or changed.
    pub made: Stamp,
}
