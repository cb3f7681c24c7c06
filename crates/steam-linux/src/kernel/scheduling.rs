//! How a thread asks to be scheduled. That changes nothing: with several processors any thread may run at any
//! moment, whatever its priority is.

/// A scheduling policy by its number in Linux.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Policy {
    /// `SCHED_OTHER`
    #[default]
    Other = 0,
    /// `SCHED_FIFO`
    Fifo = 1,
    /// `SCHED_RR`
    RoundRobin = 2,
    /// `SCHED_BATCH`
    Batch = 3,
    /// `SCHED_IDLE`
    Idle = 5,
}

impl Policy {
    /// The policy with a number, if it is one without parameters of its own (such as `SCHED_DEADLINE`).
    pub fn numbered(number: u32) -> Option<Self> {
        use Policy::{Batch, Fifo, Idle, Other, RoundRobin};
        [Other, Fifo, RoundRobin, Batch, Idle].into_iter().find(|it| *it as u32 == number)
    }

    /// Whether threads are ordered by a priority, and not by nice values.
    pub fn is_real_time(self) -> bool {
        matches!(self, Self::Fifo | Self::RoundRobin)
    }

    /// The lowest and the highest priority.
    pub fn priorities(self) -> (u32, u32) {
        match self {
            Self::Fifo | Self::RoundRobin => (1, 99),
            Self::Other | Self::Batch | Self::Idle => (0, 0),
        }
    }
}

/// What a thread has asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Scheduling {
    /// The policy.
    pub policy: Policy,
    /// The priority in it.
    pub priority: u32,
    /// Whether children begin with the usual policy.
    pub resets: bool,
    /// The nice value.
    pub nice: i32,
    /// The processors that it may not use, a bit for each.
    pub avoided: u32,
}

impl Scheduling {
    /// What a child or a new thread begins with.
    pub fn inherited(self) -> Self {
        match self.resets {
            true => Self { avoided: self.avoided, nice: self.nice.max(0), ..Self::default() },
            false => self,
        }
    }
}
