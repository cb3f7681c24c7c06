//! What time it is for a thread, and what a wait that ended by its limit of time does to the clock where it does
//! not count by itself (`steam_program`, `clock.rs`, says why so).

use crate::kernel::Shown;
use crate::system::System;

impl System {
    /// Notes that the clock is read, for what a program learns by comparing two readings.
    pub(crate) fn note_reading(&mut self) {
        if self.world.runner.searches() && !self.kernel.passing.read {
            self.kernel.passing.read = true;
        }
    }

    /// What time it is, for the thread on the CPU.
    pub(crate) fn read_time(&mut self) -> u64 {
        self.note_reading();
        let clock = self.kernel.clock;
        let (time, then) = match self.own_record().shown {
            Shown::Clock => return clock,
            Shown::Once(time) => (time.max(clock), Shown::Again),
            Shown::Again => (clock, Shown::Clock),
        };
        self.own_record_mut().shown = then;
        time
    }

    /// A wait of the thread on the CPU, known by a number, has ended by its limit of time.
    pub fn pass_to(&mut self, time: u64, wait: u32) {
        if time <= self.kernel.clock {
            return;
        }
        if let Err(position) = self.kernel.passing.moved_by.binary_search(&wait) {
            self.kernel.clock = time;
            self.kernel.passing.moved_by.insert(position, wait);
            return;
        }
        let shown = self.own_record().shown;
        if shown != Shown::Again && shown != Shown::Once(time) {
            self.own_record_mut().shown = Shown::Once(time);
        }
    }
}
