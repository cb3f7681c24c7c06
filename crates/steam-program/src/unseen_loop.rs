//! Loops without visible operations: of a thread that was cut in the midst of one, for the search for hangs.
//!
//! Such a thread loops over words of which no other thread is known to touch them. Its loop is reported like one of visible
//! operations, by the states in which it is about to access memory, so that reports name its lines and what it reads.

use steam_linux::kernel::Pending;
use steam_state::{Access, Context, Table, ThreadId};
use steam_visibility::{Grant, Mode, Watching};
use steam_vm::Stop;

use super::Program;
use super::hang::{LONGEST_LOOP, Loop};
use super::step::Worker;
use crate::machine::Schedule;

impl Worker {
    /// The loop in which a thread of a state is that was cut, if it is in one.
    pub(super) fn unseen_loop(
        &mut self,
        program: &Program,
        state: &Table,
        thread: ThreadId,
    ) -> Option<Loop> {
        let lives = self.machine.thaw(state, Schedule { thread, left: u64::MAX });
        assert!(lives, "a thread that was cut lives");
        self.forget_followed();
        // Its accesses are noted, as in a step.
        self.begin_turn(program);
        let length = self.comes_to_loop()?;
        let first = self.stop_midway(state, Pending::Cut);
        let mut found = Loop { thread, states: vec![first], stores: Vec::new(), reads: Vec::new() };
        self.follow_cycle(program, &mut found, length)?;
        // What it writes itself it does not wait for.
        let written: Vec<Access> = found.reads.iter().copied().filter(|read| read.write).collect();
        let is_awaited = |access: &Access| !written.iter().any(|write| write.overlaps(*access));
        found.reads.retain(is_awaited);
        found.states.retain(|state| match program.pending(state, thread) {
            Some(Pending::Access { access, .. }) => is_awaited(access),
            _ => true,
        });
        Some(found)
    }

    /// Follows a loop of so many instructions from its first state on, and adds the states in which the thread is about
    /// to access memory other than its own stack.
    fn follow_cycle(&mut self, program: &Program, found: &mut Loop, length: u64) -> Option<()> {
        let thread = found.thread;
        let view = program.view_of(found.states.first()?, thread)?;
        let esp = self.machine.cpu.gpr[Context::ESP];
        let stack = program.memory_of(self, found.states.first()?, view.space).mapping(esp);
        let is_own = |access: Access| {
            stack.is_some_and(|(start, end)| (start..end).contains(&access.address))
        };
        self.resume_at_each(found.states.first()?, thread);
        let end = self.machine.cpu.instructions + length;
        while self.machine.cpu.instructions < end {
            match self.machine.cpu.run(1) {
                Stop::Limit => {}
                Stop::Visible(access) => {
                    if !is_own(access) && found.states.len() < LONGEST_LOOP {
                        let pending = Pending::Access { access, whole: false };
                        let midway = self.stop_midway(found.states.last()?, pending);
                        self.resume_at_each(&midway, thread);
                        found.states.push(midway);
                        found.reads.push(access);
                    }
                    self.machine.cpu.run_granted(Grant::All);
                }
                // The loop was seen to have nothing else.
                _ => break,
            }
        }
        self.machine.cpu.memory.watch(thread, Mode::Off);
        Some(())
    }

    /// Puts a thread on the CPU that stops before each access.
    fn resume_at_each(&mut self, state: &Table, thread: ThreadId) {
        let lives = self.machine.thaw(state, Schedule { thread, left: u64::MAX });
        assert!(lives, "a thread that loops lives");
        self.machine.cpu.memory.watch(thread, Mode::Every);
    }

    /// The state in which the thread on the CPU stands before an operation; it came there from another state.
    fn stop_midway(&mut self, state: &Table, pending: Pending) -> Table {
        self.stand(pending);
        let mut midway = state.clone();
        self.machine.freeze_into(&mut midway);
        midway
    }
}
