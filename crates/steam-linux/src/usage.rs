//! When the use of a System V facility is kept, and what it is.

use steam_visibility::{OthersFact, Sharing};

use crate::kernel::{Asked, Stamp};
use crate::system::System;
use crate::world::START_SECONDS;

impl Asked {
    /// How a search learns that the program asks.
    pub fn fact(self) -> OthersFact {
        OthersFact::AsksForPast(self as u8)
    }
}

impl System {
    /// The use of a facility that the process on the CPU makes now, if the program asks for such uses: in a search
    /// that is learned, a run keeps all. What is kept is a reading of the clock that the program sees later, so that
    /// it can compare it with one of its own.
    pub(crate) fn stamp(&mut self, sharing: &Sharing, asked: Asked) -> Option<Stamp> {
        const BILLION: u64 = 1_000_000_000;
        if self.world.runner.searches() {
            if !sharing.knows(asked.fact()) {
                return None;
            }
            self.note_reading();
        }
        let time = START_SECONDS + self.kernel.clock / BILLION;
        Some(Stamp { time, process: self.process_number() })
    }
}
