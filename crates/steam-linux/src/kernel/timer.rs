//! Timers: those of `setitimer`, and those of `timer_create`.

use steam_state::ThreadId;

use crate::cpu_time::Busy;

/// A process has no more timers of `timer_create`; Linux has a limit, too.
pub const MOST_TIMERS: u32 = 0x10_0000;

/// An interval timer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Timer {
    /// The value of the clock at which it fires next.
    pub deadline: Option<u64>,
    /// Nanoseconds between two firings; 0 for once.
    pub interval: u64,
    /// Whether it has fired in a search, and the first thread of its process has done nothing since but to
    /// take the signal.
    pub fired: bool,
}

/// What a timer of `timer_create` counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TimerClock {
    /// The time that passes; its clock shows so many nanoseconds more than the kernel's.
    Elapsed {
        /// How many.
        ahead: u64,
    },
    /// CPU time.
    Busy(Busy),
}

/// How a timer of `timer_create` tells that it has fired.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Notice {
    /// It does not (`SIGEV_NONE`).
    None,
    /// By a signal.
    Signal {
        /// Its number.
        number: u8,
        /// What comes with it.
        value: u32,
        /// The thread that gets it (`SIGEV_THREAD_ID`), or whichever of the process takes it.
        thread: Option<ThreadId>,
    },
}

/// A timer of `timer_create`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PosixTimer {
    /// What it counts.
    pub clock: TimerClock,
    /// How it tells that it has fired.
    pub notice: Notice,
    /// When it fires.
    pub timer: Timer,
    /// How often it had fired until its last signal was taken, beyond the first time.
    pub overrun: u32,
    /// Whether it has fired in a search before, and goes on.
    pub again: bool,
}

impl PosixTimer {
    /// Whether it may send a signal at any moment.
    pub fn is_armed(&self) -> bool {
        self.timer.deadline.is_some() && self.notice != Notice::None
    }

    /// Whether it counts CPU time.
    pub fn is_of_cpu_time(&self) -> bool {
        matches!(self.clock, TimerClock::Busy(_))
    }

    /// The number of its signal and the thread that gets it.
    pub fn signal(&self) -> Option<(u8, Option<ThreadId>)> {
        match self.notice {
            Notice::None => None,
            Notice::Signal { number, thread, .. } => Some((number, thread)),
        }
    }
}
