//! Processes come and go: `fork`, and how a process ends.
//!
//! A new process has the state of its parent, part by part: its space gets the same components, so
//! that what neither of them writes is there once. What processes have in common (open files, shared
//! memory, channels) is no part of a space.

use std::collections::BTreeSet;
use std::sync::Arc;

use steam_state::{
    Component, Context, Key, Origin, RegionKind, Site, Space, THREAD_TABLE, Table, ThreadId,
};
use steam_sync::Agent;

use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{
    AlternateStack, Asked, Cancellation, Children, Loan, Map, ProcessEntry, ProcessEnvironment,
    Reason, Section, SignalInfo, Status, ThreadRecord, Timer,
};
use crate::machine::Machine;
use crate::signals::number;
use crate::stores::GuestStores;
use crate::system::System;

/// What a new process begins with, where it is not as its parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fork {
    /// Its stack pointer; 0 for that of the parent.
    pub stack: u32,
    /// Where its number is written in its own memory, and in that of its parent; 0 for nowhere.
    pub child_place: u32,
    /// Where its number is written in the memory of its parent; 0 for nowhere.
    pub parent_place: u32,
    /// The word to be cleared when its thread ends.
    pub clear_at_exit: u32,
    /// Whether the parent waits until the child ends or runs another program.
    pub borrows: bool,
}

impl System {
    /// The children of a process that it can wait for.
    pub fn children(
        &self,
        space: Space,
        which: Children,
    ) -> impl Iterator<Item = &ProcessEntry> + '_ {
        self.numbered_children(space, which).map(|(_, entry)| entry)
    }

    /// The children of a process that it can wait for, by the numbers of their first threads.
    pub fn numbered_children(
        &self,
        space: Space,
        which: Children,
    ) -> impl Iterator<Item = (ThreadId, &ProcessEntry)> + '_ {
        let own = move |entry: &ProcessEntry| entry.parent == Some(space.leader());
        let wanted = move |leader: ThreadId, entry: &ProcessEntry| match which {
            Children::Any => true,
            Children::One(child) => child == leader,
            Children::Group(group) => entry.group == group,
        };
        let processes = self.kernel.processes.iter().map(|(leader, entry)| (*leader, entry));
        processes.filter(move |(leader, entry)| own(entry) && wanted(*leader, entry))
    }

    /// Whether a child still lives in the memory of its parent.
    pub fn borrows(&self, child: ThreadId) -> bool {
        let lives = self.kernel.processes.get(&child).is_some_and(|it| it.ended.is_none());
        lives && Space::of(child).is_some_and(|space| self.environment(space).loan != Loan::None)
    }

    /// The thread in whose memory the process on the CPU lives, if it does not have its own.
    pub fn lender(&self) -> Option<(ThreadId, &ThreadRecord)> {
        if self.process.loan == Loan::None {
            return None;
        }
        let child = self.space.leader();
        let parent = self.kernel.processes.get(&child).and_then(|it| it.parent)?;
        let waits_for = |record: &ThreadRecord| match record.waiting()?.reason {
            Reason::Borrowed(borrower) => Some(borrower),
            _ => None,
        };
        let mut threads = self.threads.of(Space::of(parent)?);
        threads.find(|(_, record)| waits_for(record) == Some(child))
    }

    /// Tells a process of one of its children by a signal.
    pub(crate) fn tell_parent(&mut self, parent: ThreadId, child: ThreadId, code: i32, value: u32) {
        let fields = [System::thread_number(child), crate::world::USER_ID, value];
        let info = SignalInfo { number: number::CHLD, code, fields, trap: [0; 3] };
        self.send_to_process(leader_space(parent), info);
    }

    /// Whether a child of `vfork` has all the memory of a process for itself.
    pub fn has_lent(&self, space: Space) -> bool {
        let borrows = |child: &ThreadId| {
            Space::of(*child).is_some_and(|child| self.environment(child).loan == Loan::Whole)
        };
        let live = self.kernel.processes.iter().filter(|(_, entry)| entry.ended.is_none());
        let mut children = live.filter(|(_, entry)| entry.parent == Some(space.leader()));
        self.kernel.processes.len() > 1 && children.any(|(child, _)| borrows(child))
    }

    /// The spaces of the processes that live, ascending.
    pub fn spaces(&self) -> Vec<Space> {
        let live = self.kernel.processes.iter().filter(|(_, entry)| entry.ended.is_none());
        live.filter_map(|(leader, _)| Space::of(*leader)).collect()
    }
}

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
        self.cpu.memory.note_common_word(THREAD_TABLE, true);
        self.note_copy(space, loan);
        if fork.parent_place != 0 {
            let word = number.to_le_bytes();
            self.cpu.memory.put(fork.parent_place, &word)?;
        }
        let record = self.system.threads.get(parent).cloned().unwrap_or_default();
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
        self.inherit_descriptions();
        if !fork.borrows {
            self.note_all_attached();
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
        self.go_over(space, |table| {
            let parts = copied_parts(&stores, table, parent_space, space, (parent, child));
            for (key, id) in parts {
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
        self.load(parent);
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
        let sharing = &self.stores.state.sharing;
        if fork.borrows && sharing.tells() && self.system.process.loan != Loan::None {
            let detail = "vfork of what vfork made, where a claim is about memory";
            return Err(Refusal::Unknown(detail.to_owned()));
        }
        let knows = || !sharing.is_given() || sharing.origins(child).contains(&self.origin(true));
        match fork.borrows {
            false => Ok(Loan::None),
            true if self.system.is_only_thread() => Ok(Loan::Whole),
            // In a run the other threads wait until the child has gone on to another program.
            true if !self.in_search => Ok(Loan::Whole),
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
        let sharing = &self.stores.state.sharing;
        let origin = self.origin(loan.is_beside());
        let mark = |from| sharing.mark(Site::Copied { to: child, from });
        if self.is_beside_others() {
            mark(origin);
            if origin.lent && !sharing.origins(child).contains(&origin) {
                self.cpu.memory.note_new_loan();
            }
        }
        if self.system.process.copied {
            // The stack of another thread than the first may have been anything there.
            let by_first = origin.by == ThreadId::FIRST;
            let known = |it: &Origin| if by_first { it.by } else { Origin::ANYBODY };
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

    /// The child has all descriptors of its parent.
    fn inherit_descriptions(&mut self) {
        let system = &mut self.system;
        let numbers: Vec<u32> =
            system.process.descriptors.values().map(|it| it.description).collect();
        for number in numbers {
            if let Some(description) = system.kernel.descriptions.get_mut(&number) {
                description.references += 1;
            }
        }
    }

    /// What is left to do in the child's own memory, which is on the CPU.
    fn settle_in(&mut self, parent: ThreadId, child: ThreadId, fork: &Fork, number: u32) {
        // What is lent comes back with the stacks of all threads.
        let comes_back = fork.borrows && !self.in_search;
        let memory = &mut self.cpu.memory;
        let parent_space = self.system.threads.space(parent);
        let was = match parent_space.is_some_and(|space| space.leader() == parent) {
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
            // As in Linux, a bad address here is nobody's concern.
            let word = number.to_le_bytes();
            let _ = memory.put(fork.child_place, &word);
        }
        let held =
            self.system.objects.within(self.system.space.at(0), self.system.space.at(u32::MAX));
        let held = held
            .iter()
            .filter(|place| self.system.objects.at(**place).held_count(Agent(child.0)) > 0);
        let locks = held.count() as u32;
        if let Some(live) = self.system.threads.live(child) {
            live.locks = locks;
            // Those of the process from which it was copied are not its own.
            live.held.clear();
            live.fresh.clear();
            live.operations.clear();
            live.section = Section::None;
        }
    }

    /// The process on the CPU ends, as `wait` will tell; how the whole program has ended, if that
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
        self.close_all();
        self.leave_semaphores();
        self.leave_children(leader);
        let threads: Vec<ThreadId> = self.system.threads.of(space).map(|(it, _)| it).collect();
        if threads.len() > 1 || !self.system.process.ended.is_empty() {
            self.cpu.memory.note_common_word(THREAD_TABLE, true);
        }
        for &thread in &threads {
            self.leave_waits(thread);
            self.system.end_thread(thread);
        }
        let busy = self.system.process.busy + self.system.process.busy_children;
        let entry = self.system.kernel.processes.get(&leader).copied();
        match entry.and_then(|entry| entry.parent) {
            Some(parent) if self.awaits_children(parent) => {
                if let Some(entry) = self.system.kernel.processes.get_mut(&leader) {
                    (entry.ended, entry.change) = (Some(status), None);
                    entry.busy = busy;
                }
                self.tell_end(parent, leader, status);
            }
            // Nobody waits for it, and its number is not used again: who forks meanwhile cannot tell
            // whether it has ended.
            parent => {
                if let Some(entry) = self.system.kernel.processes.get_mut(&leader) {
                    (entry.parent, entry.ended, entry.change) = (None, Some(0), None);
                }
                if let Some(parent) = parent {
                    self.tell_end(parent, leader, status);
                }
            }
        }
        let stores = Arc::clone(&self.stores);
        // Formulas are about the memory of the first process, also when the others go on without it.
        let is_read = leader == ThreadId::FIRST && stores.state.sharing.tells();
        self.go_over(space, |table| {
            let slots = &stores.state.slots;
            let is_memory =
                |key: &Key| matches!(key, Key::Regions(_) | Key::Page(_) | Key::Blocks(_));
            let whole = [Key::Process(space), Key::Regions(space)];
            let whole = whole.into_iter().filter_map(|key| Some((key, slots.find(key)?)));
            let parts = slots.in_space(space).into_iter().chain(whole);
            for (_, slot) in parts.filter(|(key, _)| !(is_read && is_memory(key))) {
                table.set(slot, Component(0));
            }
        });
        self.collect_segments();
        None
    }

    /// A process leaves its memory: a child that lived in that of its parent gives it back.
    pub(crate) fn give_back_memory(&mut self) {
        let space = self.system.space;
        if self.system.process.loan == Loan::None {
            self.note_all_detached();
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
        let Some(parent) = entry.and_then(|it| it.parent).and_then(Space::of) else { return };
        let stores = Arc::clone(&self.stores);
        let agents = (space.leader(), parent.leader());
        self.go_over(space, |table| {
            for (key, id) in copied_parts(&stores, table, space, parent, agents) {
                table.set(stores.state.slots.slot(key, parent.leader()), id);
            }
        });
    }

    fn close_all(&mut self) {
        let descriptors: Vec<u32> = self.system.process.descriptors.keys().copied().collect();
        for descriptor in descriptors {
            // It is open, for it is in the table.
            let _ = self.system.close(descriptor);
        }
    }

    /// What the process did to semaphores is undone where it wanted that.
    fn leave_semaphores(&mut self) {
        let process = self.system.process_number();
        let sharing = &self.stores.state.sharing;
        let time = self.system.stamp(sharing, Asked::SemaphoreTimes);
        let user = self.system.stamp(sharing, Asked::SemaphoreUsers);
        let facilities = self.system.kernel.facilities.values();
        let sets: Vec<u32> = facilities.filter(|it| !it.queue).map(|it| it.channel).collect();
        for channel in sets {
            let undo = self
                .system
                .channels
                .semaphores(channel)
                .cloned()
                .and_then(|mut set| set.undo(process, time, user).then_some(set));
            if let (Some(set), Some(place)) = (undo, self.system.channels.semaphores_mut(channel)) {
                *place = set;
            }
        }
    }

    /// Nobody waits for the children of a process that has ended.
    fn leave_children(&mut self, leader: ThreadId) {
        let own: Vec<(ThreadId, ProcessEntry)> = self
            .system
            .numbered_children(leader_space(leader), Children::Any)
            .map(|(child, entry)| (child, *entry))
            .collect();
        for (child, entry) in own {
            let ended = entry.ended.map(|_| 0);
            let entry = ProcessEntry { parent: None, ended, change: None, ..entry };
            self.system.kernel.processes.insert(child, entry);
        }
    }

    /// Takes a thread that ends from the queue in which it waits.
    pub(crate) fn leave_waits(&mut self, thread: ThreadId) {
        let waiting = self.system.threads.get(thread).and_then(ThreadRecord::waiting);
        match waiting.map(|waiting| &waiting.reason) {
            Some(&Reason::Futex { place, .. }) => self.system.leave_futex(place, thread),
            Some(&Reason::OtherEnd { pipe, reads, .. }) => self.system.leave_fifo(pipe, reads),
            _ => {}
        }
    }

    /// Whether a process wants to know how its children end.
    fn awaits_children(&self, leader: ThreadId) -> bool {
        let lives = self.system.kernel.processes.get(&leader).is_some_and(|it| it.ended.is_none());
        let space = leader_space(leader);
        lives && !self.system.environment(space).forgets_children()
    }

    fn tell_end(&mut self, parent: ThreadId, child: ThreadId, status: u32) {
        const EXITED: i32 = 1;
        const KILLED: i32 = 2;
        let (code, value) =
            if status & 0x7f == 0 { (EXITED, status >> 8) } else { (KILLED, status & 0x7f) };
        self.system.tell_parent(parent, child, code, value);
    }
}

/// The space of a process that there is.
fn leader_space(leader: ThreadId) -> Space {
    Space::of(leader).unwrap_or(Space::SHARED)
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
    table: &Table,
    from: Space,
    to: Space,
    (one, other): (ThreadId, ThreadId),
) -> Vec<(Key, Component)> {
    let slots = &stores.state.slots;
    let whole = slots.find(Key::Regions(from)).map(|slot| (Key::Regions(from), slot));
    let parts = slots.in_space(from).into_iter().chain(whole);
    let copy = |(key, slot): (Key, u32)| {
        let id = table.get(slot);
        let id = match key {
            Key::Object(_) if id != Component(0) => {
                let object = stores.objects.get(id).clone();
                stores.objects.intern(object.inherited(Agent(one.0), Agent(other.0)))
            }
            Key::Mark(_) => Component(0),
            _ => id,
        };
        (key.moved(to), id)
    };
    let copied: Vec<(Key, Component)> = parts.map(copy).collect();
    // What the other space had beyond that is gone.
    let known: BTreeSet<Key> = copied.iter().map(|(key, _)| *key).collect();
    let gone = slots.in_space(to).into_iter().filter(|(key, _)| !known.contains(key));
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
        stage: Default::default(),
        descent: Default::default(),
        cancellation: Cancellation::None,
        scheduling: parent.scheduling.inherited(),
        stack: if fork.stack == 0 { parent.stack } else { (0, 0) },
        ..parent
    }
}

fn child_environment(parent: &ProcessEnvironment) -> ProcessEnvironment {
    ProcessEnvironment {
        pending: Vec::new(),
        unjoined: 0,
        // They were made by threads that are not there.
        claims: Arc::default(),
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
