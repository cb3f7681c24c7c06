//! The process on the CPU and the kernel: all that system calls work on beside the CPU.

use std::sync::Arc;

use steam_state::{
    Component, HeapPool, Key, Place, Reading, Recorder, Regions, Space, Table, ThreadId,
};
use steam_sync::Thread;
use steam_visibility::{Epoch, MOST_HANDLERS};

use crate::channels::Channels;
use crate::environments::Environments;
use crate::errno::Errno;
use crate::filesystem::FileSystem;
use crate::kernel::{
    Description, Interest, Interruption, Kernel, Object, Pipe, ProcessEntry, ProcessEnvironment,
    Prospect, Reason, SemaphoreSet, SignalInfo, ThreadRecord, Waiting,
};
use crate::objects::LockPool;
use crate::processes::leader_space;
use crate::shared::Shared;
use crate::stores::GuestStores;
use crate::threads::{LiveThread, Threads};
use crate::world::{NANOSECONDS_PER_INSTRUCTION, PROCESS_ID, World};

/// Why there is a thread on the CPU.
const LIVES: &str = "the thread on the CPU has not ended";

/// The process on the CPU and the kernel.
pub struct System {
    /// What all processes share.
    pub kernel: Shared<Kernel>,
    /// The address space of the process on the CPU.
    pub space: Space,
    /// What belongs to that process.
    pub process: Shared<ProcessEnvironment>,
    /// What belongs to the others.
    pub others: Environments,
    /// The threads of all processes.
    pub threads: Threads,
    /// The heap blocks of the process on the CPU.
    pub heap: HeapPool,
    /// The synchronisation objects of all processes.
    pub objects: LockPool,
    /// What processes communicate by.
    pub channels: Channels,
    /// The thread whose registers are in the CPU.
    pub current: ThreadId,
    /// Where it is noted what is read of the frozen state: that of the CPU's memory.
    pub recorder: Recorder,
    /// What surrounds the program.
    pub world: Arc<World>,
    /// Instructions that the clock has counted.
    pub counted: u64,
    /// Whether the current thread lets others go first.
    pub yields: bool,
    /// Threads that were created since they were last noted.
    pub created: Vec<ThreadId>,
}

/// Who looks at what has happened: which signals wait depends on that.
#[derive(Clone, Copy)]
pub struct Viewer<'a> {
    /// The process.
    pub space: Space,
    /// The signals that wait for the thread alone.
    pub pending: &'a [SignalInfo],
}

impl<'a> Viewer<'a> {
    /// A thread of a process.
    pub fn new(space: Space, record: &'a ThreadRecord) -> Self {
        Self { space, pending: &record.pending }
    }
}

/// The events of `poll`.
pub mod events {
    /// There is something to read.
    pub const IN: u16 = 0x1;
    /// There is room to write.
    pub const OUT: u16 = 0x4;
    /// The reader of a pipe is gone.
    pub const ERROR: u16 = 0x8;
    /// The writer of a pipe is gone.
    pub const HANG_UP: u16 = 0x10;
    /// The descriptor is not open.
    pub const INVALID: u16 = 0x20;
    /// What else "readable" and "writable" are called.
    pub const READ_NORMAL: u16 = 0x40;
    /// What else "writable" is called.
    pub const WRITE_NORMAL: u16 = 0x100;
}

impl System {
    /// Goes on with a process of a frozen state.
    pub fn attach(&mut self, table: &Table, space: Space, stores: &GuestStores) {
        let frozen = Reading::recorded(table, &self.recorder);
        let id = |key| stores.state.component(frozen, key);
        self.kernel.attach(id(Key::Kernel), &stores.kernels);
        self.space = space;
        self.process.attach(id(Key::Process(space)), &stores.processes);
        self.others.attach(table);
        self.threads.attach(table);
        self.heap.attach(table, space);
        self.objects.attach(table);
        self.channels.attach(table);
    }

    /// Interns what changed, and returns which components the state now has.
    pub fn freeze(&mut self, stores: &GuestStores, put: &mut dyn FnMut(Key, Component)) {
        if let Some(id) = self.kernel.freeze(&stores.kernels) {
            put(Key::Kernel, id);
        }
        if let Some(id) = self.process.freeze(&stores.processes) {
            put(Key::Process(self.space), id);
        }
        self.others.freeze(put);
        self.threads.freeze(put);
        self.heap.freeze(put);
        self.objects.freeze(put);
        self.channels.freeze(put);
    }

    /// The id by which the guest knows a thread.
    pub fn thread_number(thread: ThreadId) -> u32 {
        PROCESS_ID + thread.0 - 1
    }

    /// The thread that has, or had, an id as the guest knows it.
    pub fn thread_numbered(number: u32) -> Option<ThreadId> {
        Some(ThreadId(number.checked_sub(PROCESS_ID)? + 1))
    }

    /// The thread of this process with an id as the guest knows it.
    pub fn thread_of(&self, number: u32) -> Option<ThreadId> {
        let thread = Self::thread_numbered(number)?;
        (self.threads.space(thread) == Some(self.space)).then_some(thread)
    }

    /// The id by which the guest knows the process on the CPU.
    pub fn process_number(&self) -> u32 {
        Self::thread_number(self.space.leader())
    }

    /// What the kernel keeps for the thread on the CPU, which has not ended.
    ///
    /// A step goes on for a moment past the end of its thread. What runs there asks [`Threads`], and says what it
    /// does without one; everything else asks here, so that a thread which is lost is no operation that is lost.
    #[track_caller]
    pub fn own_record(&self) -> &ThreadRecord {
        self.threads.get(self.current).expect(LIVES)
    }

    /// The same, to be changed.
    #[track_caller]
    pub fn own_record_mut(&mut self) -> &mut ThreadRecord {
        self.threads.get_mut(self.current).expect(LIVES)
    }

    /// The thread on the CPU, which has not ended, to be changed.
    #[track_caller]
    pub fn own_thread(&mut self) -> &mut LiveThread {
        self.threads.live(self.current).expect(LIVES)
    }

    /// The lowest number that no thread has, and none that can still be joined or waited for.
    pub fn free_number(&self) -> ThreadId {
        let processes = &self.kernel.processes;
        let others = processes.iter().filter(|(leader, _)| **leader != self.space.leader());
        let others = others
            .filter(|(_, entry)| entry.ended.is_none())
            .map(|(leader, _)| &self.others.get(leader_space(*leader)).ended);
        // Nearly all of them have none.
        let lists: Vec<_> =
            others.chain([&self.process.ended]).filter(|ended| !ended.is_empty()).collect();
        let past_joinable = |thread| lists.iter().find_map(|ended| first_past_run(ended, thread));
        // That of the first thread is never used again: what it does is ordered with what others do.
        let mut free = ThreadId(ThreadId::FIRST.0 + 1);
        loop {
            if let Some(next) = past_joinable(free) {
                free = next;
            } else if processes.contains_key(&free) || self.threads.get(free).is_some() {
                free.0 += 1;
            } else {
                return free;
            }
        }
    }

    /// The thread with this storage cannot be joined: its number is free once it has ended.
    pub fn detach(&mut self, storage: u32) {
        self.process.detached = true;
        self.process.unjoined = self.process.unjoined.saturating_sub(1);
        self.release_number(storage);
    }

    /// The thread with this storage was joined.
    pub fn joined(&mut self, storage: u32) {
        self.process.unjoined = self.process.unjoined.saturating_sub(1);
        self.release_number(storage);
        let thread = self.process.storages.get(&storage).copied();
        if let Some(thread) = thread.filter(|thread| self.process.ownership.has(*thread)) {
            Arc::make_mut(&mut self.process.ownership).forget(thread);
        }
        self.process.storages.remove(&storage);
        if self.is_only_thread() {
            self.process.created = Epoch::default();
        }
    }

    /// Where a thread stands among those that the first thread creates.
    pub fn epoch(&self, thread: ThreadId) -> Epoch {
        match self.threads.get(thread) {
            Some(record) if thread != self.space.leader() => record.epoch,
            // The first thread creates the others; one that has just ended touches nothing more.
            Some(_) | None => self.process.created,
        }
    }

    /// Where a thread will stand that the current one creates.
    pub fn epoch_of_next(&self) -> Epoch {
        let own = self.epoch(self.current);
        if self.current == self.space.leader() { own.next() } else { own }
    }

    /// Whether no other thread can interfere, of this process or of another: none was created, or
    /// all were joined.
    pub fn is_alone(&self) -> bool {
        self.is_only_thread() && self.is_only_process() && !self.is_timed()
    }

    /// The thread on the CPU, whose stack pointer is `esp`, has done something that is no answer to a signal.
    pub fn settle(&mut self, esp: u32) {
        if self.handlers_of_current() > 0 {
            self.leave_handlers(esp);
        }
        let own = self.current == self.space.leader() && self.handlers_of_current() == 0;
        if own {
            self.let_timers_fire();
        }
    }

    /// Whether the process on the CPU has no other thread that lives.
    pub fn is_only_thread(&self) -> bool {
        self.process.unjoined == 0 && !self.process.detached
    }

    /// Whether there is no other process, nor was one that was not waited for: what such a one
    /// did may as well come later than it came.
    pub fn is_only_process(&self) -> bool {
        self.kernel.processes.len() <= 1
    }

    /// A thread is no more, whoever ended it: its robust mutexes go to whoever comes next.
    pub fn end_thread(&mut self, thread: ThreadId) {
        self.hand_on_robust(thread);
        let record = self.threads.get(thread).expect("a thread ends once");
        self.release_kept(record.kept.clone());
        self.threads.remove(thread);
    }

    /// The robust mutexes of a thread that ends, or goes on with another program, are marked as left behind.
    pub fn hand_on_robust(&mut self, thread: ThreadId) {
        let live = self.threads.live(thread).expect("a thread lives until its locks are handed on");
        if live.locks > 0 {
            let objects = self.objects.all().into_iter().map(Place::number);
            steam_sync::owner_ended(Thread(thread.0), objects, &mut self.objects);
        }
    }

    /// A thread that has ended keeps its number no longer, and one that lives will not.
    fn release_number(&mut self, storage: u32) {
        self.process.ended.retain(|&(_, ended)| ended != storage);
        // One that has ended needs no mark: its number is free from now on.
        if let Some(thread) = self.thread_with_storage(storage) {
            let record = self.threads.get_mut(thread).expect("who has its storage there lives");
            record.detached = true;
        }
    }

    /// The thread that lives and has its thread-local storage at an address.
    pub fn thread_with_storage(&self, storage: u32) -> Option<ThreadId> {
        let own = |record: &ThreadRecord| record.has_storage(storage);
        if let Some(&thread) = self.process.storages.get(&storage) {
            return self.threads.get(thread).is_some_and(own).then_some(thread);
        }
        // The first thread, or one that no library created.
        self.threads.of(self.space).find(|(_, record)| own(record)).map(|(thread, _)| thread)
    }

    /// Whether a thread that could not be joined had its storage at an address, and has ended: the library may
    /// keep the memory. The first thread has an entry nowhere once it has ended.
    pub fn is_forgotten(&self, storage: u32) -> bool {
        let joinable = self.process.ended.iter().any(|&(_, ended)| ended == storage);
        self.process.detached
            && !joinable
            && self.threads.get(self.space.leader()).is_some()
            && self.thread_with_storage(storage).is_none()
    }

    /// The file system as the process sees it.
    pub fn files<'a>(&'a self, regions: &'a Regions) -> FileSystem<'a> {
        FileSystem {
            kernel: &self.kernel,
            world: &self.world,
            directory: &self.process.directory,
            regions,
            system: self,
        }
    }

    /// The open file description behind a descriptor, with its number.
    pub fn description(&self, descriptor: u32) -> Result<(u32, &Description), Errno> {
        let number = self.process.descriptors.get(&descriptor).ok_or(Errno::EBADF)?.description;
        let description = self.kernel.descriptions.get(&number).ok_or(Errno::EBADF)?;
        Ok((number, description))
    }

    /// The open file description behind a descriptor, to be changed.
    pub fn description_mut(&mut self, descriptor: u32) -> Result<&mut Description, Errno> {
        let number = self.process.descriptors.get(&descriptor).ok_or(Errno::EBADF)?.description;
        self.kernel.descriptions.get_mut(&number).ok_or(Errno::EBADF)
    }

    /// The thread on the CPU, as one that looks at what has happened.
    pub fn viewer(&self) -> Viewer<'_> {
        Viewer::new(self.space, self.own_record())
    }

    /// Lets the clock go on by the instructions that ran since.
    pub fn count_time(&mut self, instructions: u64) {
        let passed = instructions.saturating_sub(self.counted) * NANOSECONDS_PER_INSTRUCTION;
        self.counted = instructions;
        if !self.world.runner.searches() && passed > 0 {
            self.kernel.clock += passed;
            self.count_busy(passed);
        }
    }

    /// Whether a thread of a process does not wait, or its wait has ended.
    pub fn can_go_on(&self, space: Space, record: &ThreadRecord) -> bool {
        let over = |waiting| self.wait_is_over(space, record, waiting);
        !record.stopped && record.waiting().is_none_or(over)
    }

    /// Forgets the handlers that the thread on the CPU has left by a jump: they ran below where it is now.
    fn leave_handlers(&mut self, esp: u32) {
        let record = self.own_record();
        let on_stack = (record.stack.0..record.stack.1).contains(&esp);
        let left = |it: &Interruption| it.esp <= esp;
        if on_stack && record.alternate_stack.size == 0 && record.interrupted.iter().any(left) {
            self.own_record_mut().interrupted.retain(|it| !left(it));
        }
    }

    /// How many handlers of the thread on the CPU have not returned; none if it has just ended.
    pub fn handlers_of_current(&self) -> usize {
        self.threads.get(self.current).map_or(0, |record| record.interrupted.len())
    }

    /// What the thread on the CPU has interrupted that it may observe: in how many handlers it counts as being, if it is
    /// in one or has jumped out of one, and from which stack pointer on the stack is that of what was interrupted. One
    /// that has just ended observes nothing more.
    pub fn interruption(&self) -> Option<(u32, u32)> {
        let record = self.threads.get(self.current)?;
        let last = record.interrupted.last().map(|it| it.esp);
        match record.jumped_to {
            Some(esp) => Some((MOST_HANDLERS, last.map_or(esp, |last| last.min(esp)))),
            None => last.map(|esp| (record.interrupted.len() as u32, esp)),
        }
    }

    /// What the kernel keeps for a process.
    pub fn environment(&self, space: Space) -> &ProcessEnvironment {
        if space == self.space { &self.process } else { self.others.get(space) }
    }

    /// What the kernel keeps for a process, to be changed.
    pub fn environment_mut(&mut self, space: Space) -> &mut ProcessEnvironment {
        if space == self.space { &mut self.process } else { self.others.get_mut(space) }
    }

    fn wait_is_over(&self, space: Space, record: &ThreadRecord, waiting: &Waiting) -> bool {
        if waiting.deadline.is_some_and(|deadline| deadline <= self.kernel.clock) {
            return true;
        }
        let viewer = Viewer::new(space, record);
        // Where a channel is gone the wait is over: the call is done again, and answers that.
        let pipe = |number: &u32| self.channels.pipe(*number);
        match &waiting.reason {
            Reason::Futex { .. } | Reason::Time { .. } | Reason::Signal { .. } => false,
            Reason::PipeFilled(number) => pipe(number).is_none_or(|pipe| pipe.readable()),
            Reason::PipeDrained { pipe: number, left, .. } => {
                pipe(number).is_none_or(|pipe| pipe.takes(*left as usize))
            }
            Reason::Splice { from, to } => {
                let ready = |number: &Option<u32>, is: fn(&Pipe) -> bool| {
                    number.as_ref().and_then(pipe).is_none_or(is)
                };
                ready(from, Pipe::readable) && ready(to, Pipe::takes_some)
            }
            &Reason::Mail(queue) => {
                self.channels.mail_queue(queue).is_none_or(|queue| !queue.is_empty())
            }
            &Reason::MailRoom(queue) => {
                self.channels.mail_queue(queue).is_none_or(|queue| queue.has_room())
            }
            Reason::OtherEnd { admitted, .. } => *admitted,
            &Reason::Counted(counter) => {
                self.channels.counter(counter).is_none_or(|counter| counter.is_filled())
            }
            &Reason::CounterRoom { counter, amount } => {
                self.channels.counter(counter).is_none_or(|counter| counter.has_room(amount))
            }
            &Reason::Expired(timer) => {
                self.channels.timer_file(timer).is_none_or(|file| file.is_filled(self.kernel.clock))
            }
            &Reason::Arrival { socket, .. } => self.has_arrived(socket),
            &Reason::Departure { socket, channels: [to, _], .. } => self.can_depart(socket, to),
            &Reason::Connection(socket) => self.can_accept(socket),
            &Reason::Backlog(socket) => self.can_connect(socket),
            &Reason::Watch { channel, .. } => !self.ready_entries(viewer, channel).is_empty(),
            Reason::Ready(interests) => {
                interests.iter().any(|interest| self.readiness(viewer, *interest) != 0)
            }
            Reason::SignalOf { set, .. } => self.has_pending(viewer, *set),
            &Reason::SignalRead(file) => {
                let file = self.channels.signal_file(file);
                file.is_none_or(|file| self.has_pending(viewer, file.set))
            }
            Reason::Semaphores { id, .. }
            | Reason::Message { id, .. }
            | Reason::Room { id, .. }
                if !self.kernel.facilities.contains_key(id) =>
            {
                true
            }
            Reason::Semaphores { channel, operations, .. } => {
                let set = self.channels.semaphores(*channel);
                let waits = |set: &SemaphoreSet| {
                    matches!(set.prospect(operations), Prospect::Waits { impatient: false })
                };
                set.is_none_or(|set| !waits(set))
            }
            Reason::Message { channel, wanted, .. } => {
                let queue = self.channels.queue(*channel);
                queue.is_none_or(|queue| queue.position(*wanted).is_some())
            }
            Reason::Room { channel, size, .. } => {
                self.channels.queue(*channel).is_none_or(|queue| queue.has_room(*size))
            }
            Reason::Child(children) => {
                let own: Vec<&ProcessEntry> = self.children(space, *children).collect();
                own.is_empty() || own.iter().any(|entry| entry.ended.is_some())
            }
            Reason::ChildChange { which, options } => {
                let own: Vec<&ProcessEntry> = self.children(space, *which).collect();
                own.is_empty() || own.iter().any(|entry| entry.news(*options).is_some())
            }
            Reason::FileLock(request) => self.can_lock(request),
            Reason::Borrowed(child) => !self.borrows(*child),
        }
    }

    /// The events that have happened to a description, as a thread sees it.
    pub fn readiness(&self, viewer: Viewer<'_>, interest: Interest) -> u16 {
        let Some(description) = self.kernel.descriptions.get(&interest.description) else {
            return events::INVALID;
        };
        // What an open description stands for is there, or a wait for it would never end.
        const OPEN: &str = "an open description has its channel";
        let both = events::IN | events::READ_NORMAL | events::OUT | events::WRITE_NORMAL;
        let (possible, always) = match &description.object {
            Object::PipeReader(number) => {
                let pipe = self.channels.pipe(*number).expect(OPEN);
                let filled = !pipe.is_empty();
                (if filled { events::IN | events::READ_NORMAL } else { 0 }, hang_up(pipe))
            }
            Object::PipeWriter(number) => {
                let pipe = self.channels.pipe(*number).expect(OPEN);
                let always = if pipe.readers == 0 { events::ERROR } else { 0 };
                (if pipe.writable() { events::OUT | events::WRITE_NORMAL } else { 0 }, always)
            }
            Object::Socket(number) => self.socket_readiness(*number),
            Object::Watch(number) => {
                let ready = !self.ready_entries(viewer, *number).is_empty();
                (if ready { events::IN | events::READ_NORMAL } else { 0 }, 0)
            }
            Object::Counter(number) => {
                let counter = self.channels.counter(*number).expect(OPEN);
                let readable = if counter.is_filled() { events::IN } else { 0 };
                (readable | if counter.has_room(1) { events::OUT } else { 0 }, 0)
            }
            Object::SignalFile(number) => {
                let file = self.channels.signal_file(*number).expect(OPEN);
                let filled = self.has_pending(viewer, file.set);
                (if filled { events::IN } else { 0 }, 0)
            }
            Object::TimerFile(number) => {
                let timer = self.channels.timer_file(*number).expect(OPEN);
                let filled = timer.is_filled(self.kernel.clock);
                (if filled { events::IN } else { 0 }, 0)
            }
            Object::MailQueue(number) => {
                let queue = self.channels.mail_queue(*number).expect(OPEN);
                let filled = !queue.is_empty();
                let readable = if filled { events::IN | events::READ_NORMAL } else { 0 };
                (
                    readable
                        | if queue.has_room() { events::OUT | events::WRITE_NORMAL } else { 0 },
                    0,
                )
            }
            Object::Input => (events::IN | events::READ_NORMAL, 0),
            Object::Output(_) => (events::OUT | events::WRITE_NORMAL, 0),
            _ => (both, 0),
        };
        possible & interest.events | always
    }

    /// Whether the end of the process on the CPU changes semaphores.
    pub fn has_to_undo(&self) -> bool {
        let process = self.process_number();
        let mut sets = self.kernel.facilities.values().filter(|facility| !facility.queue);
        sets.any(|it| {
            let set = self.channels.semaphores(it.channel);
            set.expect("a set that is known has its channel").undoes(process)
        })
    }

    /// The next value of the clock at which a waiting thread or a timer goes on by itself.
    pub fn next_deadline(&self) -> Option<u64> {
        let going = self.threads.iter().filter(|(_, record)| !record.stopped);
        let threads = going.filter_map(|(_, record)| record.waiting()?.deadline);
        let posix = self.process.posix_timers.values().filter(|timer| !timer.is_of_cpu_time());
        let posix = posix.filter_map(|it| it.timer.deadline.filter(|_| it.is_armed()));
        let files = self.next_expiration();
        threads.chain(self.process.timers[0].deadline).chain(posix).chain(files).min()
    }
}

fn hang_up(pipe: &Pipe) -> u16 {
    if pipe.writers == 0 { events::HANG_UP } else { 0 }
}

/// The first number after the run of consecutive ones that begins with `thread`, if a thread that has
/// ended has that number: `ended` is ascending, and each number is in it once.
fn first_past_run(ended: &[(ThreadId, u32)], thread: ThreadId) -> Option<ThreadId> {
    let start = ended.binary_search_by_key(&thread, |&(number, _)| number).ok()?;
    let run = &ended[start..];
    // By halves: a run of `length` numbers ends with `thread + length - 1`.
    let (mut within, mut beyond) = (1, run.len() + 1);
    while beyond - within > 1 {
        let length = within + (beyond - within) / 2;
        if run[length - 1].0.0 == thread.0 + length as u32 - 1 {
            within = length;
        } else {
            beyond = length;
        }
    }
    Some(ThreadId(thread.0 + within as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_numbers_ends_where_the_next_one_is_not_there() {
        let all = [2, 3, 4, 7, 9, 10, 11, 12, 20];
        let ended: Vec<(ThreadId, u32)> = all.map(|number| (ThreadId(number), 0)).to_vec();
        for thread in 1..25 {
            let next = (thread..).find(|number| !all.contains(number)).map(ThreadId);
            let wanted = next.filter(|_| all.contains(&thread));
            assert_eq!(first_past_run(&ended, ThreadId(thread)), wanted, "from {thread} on");
        }
        assert_eq!(first_past_run(&[], ThreadId(2)), None);
    }
}
