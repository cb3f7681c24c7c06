//! Processes come and go: `fork`, and how a process ends.
//!
//! A new process has the state of its parent, part by part: its space gets the same components, so
//! that what neither of them writes is there once. What processes have in common (open files, shared
//! memory, channels) is no part of a space.

use std::collections::BTreeSet;
use std::sync::Arc;

use steam_linux::cpu_time::CpuTime;
use steam_linux::guest::{GuestMemory, Refusal};
use steam_linux::kernel::{
    AlternateStack, AtomicBlock, Cancellation, Loan, Map, ProcessEntry, ProcessEnvironment, Status,
    ThreadRecord, Timer,
};
use steam_linux::processes::{Fork, leader_space};
use steam_linux::stores::GuestStores;
use steam_linux::system::System;
use steam_state::{Component, Context, Key, Notes, Reading, RegionKind, Space, ThreadId};
use steam_sync::Thread;
use steam_visibility::{MemoryFact, Origin, THREAD_TABLE, Watching};

use crate::machine::Machine;

impl Machine {
    /// The process on the CPU makes another one; what its call answers.
    pub(crate) fn fork(&mut self, fork: Fork) -> Result<u32, Refusal> {
        let (parent, parent_space) = (self.system.current, self.system.space);
        let child = self.system.free_number();
        let Some(space) = Space::of(child) else {
            return Err(Refusal::Unknown("more than 2,000 processes".to_owned()));
        };
        let loan = self.loan(fork, space)?;
        let number = System::thread_number(child);
        self.cpu.memory.policy.note_common_word(THREAD_TABLE, true);
        self.note_copy(space, loan);
        let record = self.system.own_record().clone();
        let context = self.child_context(&fork);
        self.system.threads.insert(child, space, child_record(record, &fork), context);
        self.system.created.push(child);
        let group = self.system.process.group;
        let entry = ProcessEntry {
            parent: Some(parent_space.leader()),
            ended: None,
            change: None,
            group,
            busy: 0,
        };
        self.system.kernel.processes.insert(child, entry);
        self.system.inherit_descriptions();
        if !fork.borrows {
            self.system.note_all_attached(&self.cpu.memory);
        }
        let copied = self.system.process.copied || self.is_beside_others();
        let environment =
            ProcessEnvironment { copied, loan, ..child_environment(&self.system.process) };
        let stores = Arc::clone(&self.stores);
        let environment = stores.processes.intern(Arc::new(environment));
        let near = child;
        if let Some(definedness) = self.cpu.memory.definedness_mut() {
            definedness.fork(space, fork.borrows);
        }
        let recorder = self.system.recorder.clone();
        self.go_over(space, |table| {
            let frozen = Reading::recorded(table, &recorder);
            for (key, id) in copied_parts(&stores, frozen, parent_space, space, (parent, child)) {
                let id = match key {
                    // What is locked in memory is so for one process; a lender gets its own back.
                    Key::Regions(_) if !fork.borrows => unlocked(&stores, id),
                    _ => id,
                };
                table.set(stores.state.slots.slot(key, near), id);
            }
            table.set(stores.state.slots.slot(Key::Process(space), near), environment);
        });
        self.settle_in(parent, child, &fork, number);
        assert!(self.load(parent), "who makes a process goes on");
        if fork.parent_place != 0 {
            // After the copy was made: the child's memory does not have it.
            self.cpu.memory.offer_word(fork.parent_place, number)?;
        }
        Ok(number)
    }

    /// Whether the thread on the CPU is beside other code that may be at anything: other threads, or what its
    /// handler has interrupted.
    fn is_beside_others(&self) -> bool {
        !self.system.is_only_thread() || self.system.interruption().is_some()
    }

    /// Whose memory a new process lives in.
    fn loan(&self, fork: Fork, child: Space) -> Result<Loan, Refusal> {
        if self.system.process.loan.is_beside() {
            return Err(Refusal::Unknown("a new process of what vfork made".to_owned()));
        }
        let sharing = &self.stores.sharing;
        if fork.borrows && sharing.observes() && self.system.process.loan != Loan::None {
            let detail = "vfork of what vfork made, where a claim is about memory";
            return Err(Refusal::Unknown(detail.to_owned()));
        }
        let knows = || !sharing.is_given() || sharing.origins(child).contains(&self.origin(true));
        match fork.borrows {
            false => Ok(Loan::None),
            true if self.system.is_only_thread() => Ok(Loan::Whole),
            // In a run the other threads wait until the child has gone on to another program.
            true if !self.is_in_search() => Ok(Loan::Whole),
            true if self.lends && knows() => Ok(Loan::Beside { stack: fork.stack }),
            true => {
                let detail = "vfork beside other threads (a check without --atomic knows it)";
                Err(Refusal::Unknown(detail.to_owned()))
            }
        }
    }

    /// What the memory of a process is a copy of that the thread on the CPU makes now.
    fn origin(&self, lent: bool) -> Origin {
        Origin {
            space: self.system.space,
            by: self.cpu.memory.local(self.system.current),
            handlers: self.system.interruption().map_or(0, |(handlers, _)| handlers),
            lent,
        }
    }

    /// Notes that the memory of the process on the CPU is copied, if what its other threads are at may be
    /// seen in the copy, or in what it is a copy of itself.
    fn note_copy(&self, child: Space, loan: Loan) {
        let sharing = &self.stores.sharing;
        let origin = self.origin(loan.is_beside());
        let mark = |from| sharing.learn(MemoryFact::Copied { to: child, from });
        if self.is_beside_others() {
            mark(origin);
            if origin.lent && !sharing.origins(child).contains(&origin) {
                self.cpu.memory.policy.note_new_loan();
            }
        }
        if self.system.process.copied {
            // The stack of another thread than the first may have been anything there.
            let by_first = origin.by == ThreadId::FIRST;
            let known = |it: &Origin| if by_first { it.by } else { Origin::UNKNOWN };
            let before = sharing.origins(origin.space);
            before.iter().for_each(|it| mark(Origin { by: known(it), ..*it }));
        }
    }

    /// The registers with which the child begins, as if its call had answered 0.
    fn child_context(&self, fork: &Fork) -> Context {
        let mut context = self.cpu.context();
        context.gpr[Context::EAX] = 0;
        if fork.stack != 0 {
            context.gpr[Context::ESP] = fork.stack;
        }
        context
    }

    /// What is left to do in the child's own memory, which is on the CPU.
    fn settle_in(&mut self, parent: ThreadId, child: ThreadId, fork: &Fork, number: u32) {
        // What is lent comes back with the stacks of all threads.
        let comes_back = fork.borrows && !self.is_in_search();
        let memory = &mut self.cpu.memory;
        let parent_space = self.system.threads.space(parent).expect("who makes a process lives");
        let was = match parent_space.leader() == parent {
            true => ThreadId::FIRST,
            false => parent,
        };
        // The other stacks are those of threads that do not live here.
        let stacks: Vec<(u32, u32, ThreadId)> = memory
            .regions()
            .iter()
            .filter_map(|(start, region)| Some((start, region.end, region.kind.owner()?)))
            .filter(|&(_, _, owner)| owner != ThreadId::FIRST || was != ThreadId::FIRST)
            .filter(|_| !comes_back)
            .collect();
        for (start, end, owner) in stacks {
            let own = owner == was;
            let kind = match own {
                true => RegionKind::Stack(ThreadId::FIRST),
                false => RegionKind::Former { first: owner == ThreadId::FIRST },
            };
            memory.set_kind(start, end, kind);
        }
        if fork.child_place != 0 {
            // As in Linux, a bad address here is ignored.
            let _ = memory.put_word(fork.child_place, number);
        }
        let held =
            self.system.objects.within(self.system.space.at(0), self.system.space.at(u32::MAX));
        let held = held
            .iter()
            .filter(|place| self.system.objects.at(**place).held_count(Thread(child.0)) > 0);
        let locks = held.count() as u32;
        let live = self.system.threads.live(child).expect("the new process has a thread");
        live.locks = locks;
        // Those of the process from which it was copied are not its own.
        live.held.clear();
        live.fresh.clear();
        live.operations.clear();
        live.atomic_block = AtomicBlock::None;
    }

    /// The process on the CPU ends, as `wait` will report; how the whole program has ended, if that
    /// was its last process.
    pub(crate) fn process_ends(&mut self, status: u32) -> Option<i32> {
        let space = self.system.space;
        let leader = space.leader();
        let exit = if status & 0x7f == 0 { status >> 8 & 0xff } else { 128 + (status & 0x7f) };
        if leader == ThreadId::FIRST {
            self.system.kernel.first_status = exit as i32;
        }
        if self.system.kernel.live_processes() <= 1 {
            return Some(self.system.kernel.first_status);
        }
        self.give_back_memory();
        if let Some(definedness) = self.cpu.memory.definedness_mut() {
            definedness.end(space);
        }
        self.system.close_all();
        self.system.leave_semaphores(&self.stores.sharing);
        self.system.leave_children(leader);
        let threads: Vec<ThreadId> = self.system.threads.of(space).map(|(it, _)| it).collect();
        if threads.len() > 1 || !self.system.process.ended.is_empty() {
            self.cpu.memory.policy.note_common_word(THREAD_TABLE, true);
        }
        for &thread in &threads {
            self.system.leave_waits(thread);
            self.system.end_thread(thread);
        }
        let busy = self.system.process.busy + self.system.process.busy_children;
        const LISTED: &str = "the process on the CPU is in the table";
        let parent = self.system.kernel.processes.get(&leader).expect(LISTED).parent;
        match parent {
            Some(parent) if self.system.awaits_children(parent) => {
                let entry = self.system.kernel.processes.get_mut(&leader).expect(LISTED);
                (entry.ended, entry.change) = (Some(status), None);
                entry.busy = busy;
                self.system.tell_end(parent, leader, status);
            }
            // No process waits for it, and its number is not used again: a process that forks meanwhile cannot observe it
            // whether it has ended.
            parent => {
                let entry = self.system.kernel.processes.get_mut(&leader).expect(LISTED);
                (entry.parent, entry.ended, entry.change) = (None, Some(0), None);
                if let Some(parent) = parent {
                    self.system.tell_end(parent, leader, status);
                }
            }
        }
        let stores = Arc::clone(&self.stores);
        // Formulas are about the memory of the first process, also when the others go on without it.
        let is_read = leader == ThreadId::FIRST && stores.sharing.observes();
        let recorder = self.system.recorder.clone();
        self.go_over(space, |table| {
            let slots = &stores.state.slots;
            let is_memory =
                |key: &Key| matches!(key, Key::Regions(_) | Key::Page(_) | Key::Blocks(_));
            let whole = [Key::Process(space), Key::Regions(space)];
            let whole = whole.into_iter().filter_map(|key| Some((key, slots.find(key)?)));
            let parts = slots.in_space(Notes::In(&recorder), space).into_iter().chain(whole);
            for (_, slot) in parts.filter(|(key, _)| !(is_read && is_memory(key))) {
                table.set(slot, Component(0));
            }
        });
        self.system.collect_segments(&mut self.cpu.memory);
        None
    }

    /// A process leaves its memory: a child that lived in that of its parent gives it back.
    pub(crate) fn give_back_memory(&mut self) {
        let space = self.system.space;
        if self.system.process.loan == Loan::None {
            self.system.note_all_detached(&self.cpu.memory);
        }
        if self.system.process.loan.is_beside() {
            // The rest of what was written.
            self.go_over(space, |_| {});
            self.cpu.memory.set_lender(None);
        }
        if std::mem::take(&mut self.system.process.loan) != Loan::Whole {
            return;
        }
        let entry = self.system.kernel.processes.get(&space.leader());
        let entry = entry.expect("the process on the CPU is in the table");
        // The process that has lent it may have been ended meanwhile: then it has no owner.
        let Some(parent) = entry.parent.map(leader_space) else { return };
        let stores = Arc::clone(&self.stores);
        let leaders = (space.leader(), parent.leader());
        let recorder = self.system.recorder.clone();
        self.go_over(space, |table| {
            let frozen = Reading::recorded(table, &recorder);
            for (key, id) in copied_parts(&stores, frozen, space, parent, leaders) {
                table.set(stores.state.slots.slot(key, parent.leader()), id);
            }
        });
    }
}

/// Mappings of which nothing is locked in memory.
fn unlocked(stores: &GuestStores, id: Component) -> Component {
    let regions = &stores.state.regions;
    regions.intern(regions.get(id).unlocked())
}

/// The parts of a space, as they are in another one: with the components that they have, but for
/// synchronisation objects, which name threads.
fn copied_parts(
    stores: &GuestStores,
    state: Reading<'_>,
    from: Space,
    to: Space,
    (one, other): (ThreadId, ThreadId),
) -> Vec<(Key, Component)> {
    let slots = &stores.state.slots;
    let whole = slots.find(Key::Regions(from)).map(|slot| (Key::Regions(from), slot));
    let parts = slots.in_space(state.notes(), from).into_iter().chain(whole);
    let copy = |(key, slot): (Key, u32)| {
        let id = state.table().get(slot);
        let id = match key {
            Key::Object(_) if id != Component(0) => {
                let object = stores.objects.get(id).clone();
                stores.objects.intern(object.inherited(Thread(one.0), Thread(other.0)))
            }
            Key::Mark(_) => Component(0),
            _ => id,
        };
        (key.moved(to), id)
    };
    let copied: Vec<(Key, Component)> = parts.map(copy).collect();
    // What the other space had beyond that is gone.
    let known: BTreeSet<Key> = copied.iter().map(|(key, _)| *key).collect();
    let gone =
        slots.in_space(state.notes(), to).into_iter().filter(|(key, _)| !known.contains(key));
    let gone: Vec<(Key, Component)> = gone.map(|(key, _)| (key, Component(0))).collect();
    copied.into_iter().chain(gone).collect()
}

fn child_record(parent: ThreadRecord, fork: &Fork) -> ThreadRecord {
    let alternate = if fork.borrows { AlternateStack::default() } else { parent.alternate_stack };
    ThreadRecord {
        status: Status::Runnable,
        saved_mask: None,
        stopped: false,
        pending: Vec::new(),
        alternate_stack: alternate,
        clear_at_exit: fork.clear_at_exit,
        robust_list: 0,
        detached: false,
        epoch: Default::default(),
        descent: Default::default(),
        cancellation: Cancellation::None,
        scheduling: parent.scheduling.inherited(),
        leaves_stack: false,
        cpu_time: CpuTime::default(),
        stack: if fork.stack == 0 { parent.stack } else { (0, 0) },
        ..parent
    }
}

fn child_environment(parent: &ProcessEnvironment) -> ProcessEnvironment {
    ProcessEnvironment {
        pending: Vec::new(),
        unjoined: 0,
        // They were made by threads that are not there.
        ownership: Arc::default(),
        created: Default::default(),
        detached: false,
        storages: Map::default(),
        ended: Vec::new(),
        timers: [Timer::default(); 3],
        posix_timers: Map::default(),
        busy: 0,
        busy_children: 0,
        locks_future: false,
        first_status: 0,
        ..parent.clone()
    }
}
