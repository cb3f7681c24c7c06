//! What reports show of the threads in a state: call stacks, and what a system call waits for.

use std::sync::{Mutex, PoisonError};

use steam_linux::kernel::{Object, Pending, Waiting};
use steam_model::Model;
use steam_report::{BlockStory, Location, Stands, block_story, call_stack};
use steam_state::{Key, Reading, Space, Table, ThreadId};
use steam_visibility::{Mode, Watching};

use super::{Program, Worker};
use crate::machine::Schedule;

impl Program {
    /// The call stack of a thread in a state, innermost first; empty if there is no such thread.
    /// The worker must not be one that a step is done with later, whose past would be mixed up.
    pub fn stack_of(&self, worker: &mut Worker, state: &Table, thread: ThreadId) -> Vec<Location> {
        let Some(pending) = self.pending(state, thread) else { return Vec::new() };
        let machine = &mut worker.machine;
        let lives = machine.thaw(state, Schedule { thread, left: u64::MAX });
        assert!(lives, "a thread with a pending operation lives");
        machine.cpu.memory.watch(thread, Mode::Off);
        let image = std::sync::Arc::clone(&machine.image);
        call_stack(&image, &mut machine.cpu, stands(pending))
    }

    /// Reads memory of a process in a state; false where the program could not read all of it. The rest as for
    /// [`stack_of`](Self::stack_of).
    pub fn read_memory(
        &self,
        worker: &mut Worker,
        state: &Table,
        space: Space,
        address: u32,
        bytes: &mut [u8],
    ) -> bool {
        self.memory_of(worker, state, space).read(address, bytes)
    }

    /// The thread of a thread's process on whose stack an address lies.
    pub fn stack_owner(
        &self,
        worker: &mut Worker,
        state: &Table,
        thread: ThreadId,
        address: u32,
    ) -> Option<ThreadId> {
        let space = self.space_of(state, thread)?;
        let memory = &mut worker.machine.cpu.memory;
        memory.attach(state, space);
        let (_, region) = memory.regions().find(address)?;
        let local = region.kind.owner()?;
        Some(if local == ThreadId::FIRST { space.leader() } else { local })
    }

    /// The heap block that covers an address of a thread's process, with what is known of its past by
    /// the worker, who must be the one that made the steps.
    pub fn block_at(
        &self,
        worker: &mut Worker,
        state: &Table,
        thread: ThreadId,
        address: u32,
    ) -> Option<BlockStory> {
        let machine = &mut worker.machine;
        if !machine.thaw(state, Schedule { thread, left: u64::MAX }) {
            return None;
        }
        let block = machine.system.heap.covering(address)?;
        Some(block_story(&machine.image, &machine.history, &block, address))
    }

    /// Whether a thread is the first one of one of several processes that there ever were: the process
    /// has its number.
    pub fn is_process(&self, thread: ThreadId) -> bool {
        let slots = &self.stores.state.slots;
        slots.processes().count() > 1 && slots.processes().any(|space| space.leader() == thread)
    }

    /// Whether all processes run the program that was given.
    pub fn is_only_image(&self) -> bool {
        self.stores.images.is_empty()
    }

    /// The address space of a thread's process.
    pub fn space_of(&self, state: &Table, thread: ThreadId) -> Option<Space> {
        self.frozen(Reading::unrecorded(state), thread).map(|frozen| frozen.state.space)
    }

    /// What the system call waits for in which a thread is.
    pub fn waiting_in(&self, state: &Table, thread: ThreadId) -> Option<&Waiting> {
        self.frozen(Reading::unrecorded(state), thread)?.record.waiting()
    }

    /// Who has something open in a state, by the first thread of the process and the descriptor.
    pub fn openers(
        &self,
        state: &Table,
        is_meant: impl Fn(&Object) -> bool,
    ) -> Vec<(ThreadId, u32)> {
        let kernel = self.stores.kernels.get(self.unrecorded(state, Key::Kernel));
        let is_meant = |description: &u32| {
            kernel
                .descriptions
                .get(description)
                .is_some_and(|description| is_meant(&description.object))
        };
        let mut openers = Vec::new();
        for space in self.stores.state.slots.processes() {
            let id = self.unrecorded(state, Key::Process(space));
            let descriptors = &self.stores.processes.get(id).descriptors;
            let own = descriptors.iter().filter(|(_, it)| is_meant(&it.description));
            openers.extend(own.map(|(descriptor, _)| (space.leader(), *descriptor)));
        }
        openers
    }

    /// The system call before which a thread stands in a state, in words.
    pub fn call_in_words(&self, state: &Table, thread: ThreadId) -> Option<String> {
        let looker = self.looker.get_or_init(|| Mutex::new(self.worker()));
        let mut looker = looker.lock().unwrap_or_else(PoisonError::into_inner);
        let machine = &mut looker.machine;
        let there = machine.thaw(state, Schedule { thread, left: u64::MAX });
        machine.cpu.memory.watch(thread, Mode::Off);
        there.then(|| machine.call_in_words()).flatten()
    }

    /// How many processes there were at most; numbers of ended processes are used again.
    pub fn processes(&self) -> u32 {
        self.stores.state.slots.processes().count() as u32
    }

    /// The greatest number that a thread ever had; numbers of ended threads are used again.
    pub fn most_threads(&self) -> u32 {
        self.stores.state.slots.highest_thread()
    }
}

/// Where the instruction pointer is when a thread stands before an operation.
pub(super) fn stands(pending: &Pending) -> Stands {
    match pending {
        Pending::Sync { operation, .. } if operation.is_request() => Stands::Behind,
        Pending::Sync { .. } | Pending::Function(_) | Pending::Join { .. } => Stands::AtEntry,
        Pending::Request { .. } | Pending::SystemCall => Stands::Behind,
        Pending::Continue | Pending::Cut | Pending::Access { .. } | Pending::Waiting => Stands::At,
    }
}
