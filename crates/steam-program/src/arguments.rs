//! What functions touch of the program's memory through their arguments, where nothing records how
//! (`steam_libc`, `arguments.rs`).

use steam_libc::{Argument, Size};
use steam_state::Access;
use steam_visibility::{OperationFact, Watching};

use super::step::Worker;

impl Worker {
    /// Notes what the function at whose first byte the CPU stands is about to touch; returns what of it
    /// others can observe.
    pub(super) fn note_arguments(&mut self, id: u16) -> Vec<Access> {
        let reaches = self.reaches(id);
        let memory = &mut self.machine.cpu.memory;
        let noted = |(start, end, write)| memory.note_ahead(start, end, write);
        reaches.into_iter().flat_map(noted).collect()
    }

    /// Notes the same as part of the step in which the function is done.
    pub(super) fn touch_arguments(&mut self, id: u16) {
        for (start, end, write) in self.reaches(id) {
            self.machine.cpu.memory.note(start, end, write);
        }
    }

    /// From the next iteration on the call at whose first byte the CPU stands is a step of its own, if it
    /// touched what others can observe.
    pub(super) fn learn_call(&mut self, site: u32) {
        let memory = &mut self.machine.cpu.memory;
        if memory.policy.mode().learns_calls() && memory.policy.take_touched() {
            memory.policy.sharing().learn(OperationFact::Call(site));
        }
    }

    /// Beginning and end of what the function touches, and whether it writes.
    fn reaches(&mut self, id: u16) -> Vec<(u32, u32, bool)> {
        let arguments = self.machine.models.arguments(id);
        arguments.iter().filter_map(|argument| self.reach(argument)).collect()
    }

    fn reach(&mut self, argument: &Argument) -> Option<(u32, u32, bool)> {
        let (start, first) = (self.argument(argument.position), self.argument(0));
        if start == 0 || argument.if_ended && self.lives_still(first) {
            return None;
        }
        let size = match argument.size {
            Size::Bytes(size) => size,
            Size::Of(position) => self.argument(position),
            Size::Text(most) => {
                let mut is_last = |at: &u32| self.word_at(start.wrapping_add(*at)) & 0xff == 0;
                (0..most).find(&mut is_last).map_or(most, |last| last + 1)
            }
        };
        Some((start, start.saturating_add(size), argument.write))
    }

    /// Whether the thread lives whose thread-local storage lies at an address.
    fn lives_still(&self, storage: u32) -> bool {
        self.machine.system.thread_with_storage(storage).is_some()
    }
}
