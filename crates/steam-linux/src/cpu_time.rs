//! CPU time: for how long the CPU was busy for a process, or for one of its threads.
//!
//! A run counts instructions. A search does not: there a clock of CPU time stands still but for the leap that all
//! clocks make (`steam_program`, `clock.rs`), and a thread that began after that knows nothing of it.

use steam_state::{Space, ThreadId};

use crate::system::System;

/// Whose CPU time a clock shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Busy {
    /// That of all threads of a process, also those that have ended.
    Process(Space),
    /// That of one thread.
    Thread(ThreadId),
}

/// The CPU time of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CpuTime {
    /// Nanoseconds, as far as they are counted.
    pub counted: u64,
    /// How far the clocks of CPU time had leapt when the thread began.
    leapt_before: u64,
}

impl System {
    /// The CPU time of a thread that begins now.
    pub fn no_cpu_time(&self) -> CpuTime {
        CpuTime { counted: 0, leapt_before: self.kernel.busy }
    }

    /// What a clock of CPU time shows; one of a thread that has ended shows nothing.
    pub fn busy(&self, whose: Busy) -> u64 {
        match whose {
            Busy::Process(space) => self.kernel.busy + self.environment(space).busy,
            Busy::Thread(thread) => self.threads.get(thread).map_or(0, |record| {
                let CpuTime { counted, leapt_before } = record.cpu_time;
                counted + self.kernel.busy.saturating_sub(leapt_before)
            }),
        }
    }

    /// The CPU time of the process on the CPU.
    pub fn busy_process(&self) -> u64 {
        self.busy(Busy::Process(self.space))
    }

    /// What a clock of CPU time shows to a program that looks at it.
    pub(crate) fn read_busy(&mut self, whose: Busy) -> u64 {
        self.note_reading();
        self.busy(whose)
    }

    /// The CPU was busy for the current thread.
    pub(crate) fn count_busy(&mut self, nanoseconds: u64) {
        self.process.busy += nanoseconds;
        if let Some(record) = self.threads.get_mut(self.current) {
            record.cpu_time.counted += nanoseconds;
        }
    }
}
