//! The naive twin: threads try, queue up in the order of arrival, are woken and try again.
//!
//! Everything is kept in the plainest form: a list of who holds what, as often as it holds it, and
//! an explicit status for each thread. Nothing of it is canonical, and nothing is shared with the
//! crate but the words for operations.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use steam_sync::{
    Address, BarrierCall, Call, ConditionCall, LockCall, MutexCall, MutexKind, MutexType,
    Operation, Patience, ReadWriteCall, SemaphoreCall, SpinCall, Wait,
};

use crate::End;
use crate::programs::Program;

const EPERM: i32 = 1;
const EAGAIN: i32 = 11;
const EBUSY: i32 = 16;
const EINVAL: i32 = 22;
const EDEADLK: i32 = 35;
const ETIMEDOUT: i32 = 110;
const EOWNERDEAD: i32 = 130;
const ENOTRECOVERABLE: i32 = 131;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Status {
    Running,
    /// In the queue of the object that the statement is about.
    Queued {
        timed: bool,
    },
    /// In the queue of a condition.
    Asleep(Wait),
    /// Woken, wants the mutex, and then returns the number; maybe in the queue of the mutex.
    Regaining {
        wait: Wait,
        result: i32,
        queued: bool,
    },
    AtBarrier,
    /// The round of the barrier is over, and the thread has not returned yet.
    Leaving,
    Ended,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Thread {
    status: Status,
    next: usize,
    results: Vec<i32>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct World {
    threads: Vec<Thread>,
    /// One entry for each level or read lock: address, thread, whether for writing.
    held: Vec<(Address, usize, bool)>,
    queues: BTreeMap<Address, Vec<usize>>,
    robust: BTreeSet<Address>,
    /// Owner ended, and not repaired since.
    dirty: BTreeSet<Address>,
    broken: BTreeSet<Address>,
    barriers: BTreeMap<Address, u32>,
    counts: BTreeMap<Address, i32>,
}

/// What a try of an operation comes to.
enum Attempt {
    Returns(i32),
    Queue { timed: bool },
    Becomes(Status),
    Misuse(&'static str),
}

/// The ends of all runs.
pub fn ends(program: &Program) -> BTreeSet<End> {
    let thread = Thread { status: Status::Running, next: 0, results: Vec::new() };
    let threads = vec![thread; program.threads.len()];
    let mut open = vec![World { threads, ..World::default() }];
    let mut seen = HashSet::new();
    let mut ends = BTreeSet::new();
    while let Some(world) = open.pop() {
        if !seen.insert(world.clone()) {
            continue;
        }
        let mut any = false;
        for index in 0..world.threads.len() {
            for (fault, next) in world.successors(program, index) {
                any |= !fault;
                match next {
                    Ok(next) => open.push(next),
                    Err(name) => {
                        let thread = index as u32 + 1;
                        ends.insert(End::Misuse { thread, name, results: world.results() });
                    }
                }
            }
        }
        if !any {
            ends.insert(world.rest());
        }
    }
    ends
}

type Successor = (bool, Result<World, &'static str>);

impl World {
    fn results(&self) -> Vec<Vec<i32>> {
        self.threads.iter().map(|thread| thread.results.clone()).collect()
    }

    fn rest(&self) -> End {
        let mut counts: BTreeMap<(Address, u32), u32> = BTreeMap::new();
        for &(address, thread, _) in &self.held {
            *counts.entry((address, thread as u32 + 1)).or_default() += 1;
        }
        let held = counts.into_iter().map(|((address, thread), n)| (address, thread, n)).collect();
        let threads = self.threads.iter().enumerate();
        let stuck = threads.filter(|(_, thread)| thread.status != Status::Ended);
        let stuck = stuck.map(|(index, _)| index as u32 + 1).collect();
        End::Rest { stuck, results: self.results(), held }
    }

    /// All that a thread can do next, and whether that takes a fault.
    fn successors(&self, program: &Program, index: usize) -> Vec<Successor> {
        let mut list = Vec::new();
        match self.threads[index].status {
            Status::Ended | Status::AtBarrier | Status::Queued { timed: false } => {}
            Status::Regaining { queued: true, .. } => {}
            Status::Queued { timed: true } => {
                let mut world = self.clone();
                world.unqueue(index);
                world.finish(program, index, ETIMEDOUT);
                list.push((false, Ok(world)));
            }
            Status::Asleep(wait) => {
                let mut wake = |fault, result| {
                    let mut world = self.clone();
                    world.unqueue(index);
                    let status = Status::Regaining { wait, result, queued: false };
                    world.threads[index].status = status;
                    list.push((fault, Ok(world)));
                };
                if wait.timed {
                    wake(false, ETIMEDOUT);
                }
                if program.spurious_wakeups {
                    wake(true, 0);
                }
            }
            Status::Regaining { wait, result, queued: false } => {
                let mut world = self.clone();
                match world.take(wait.mutex, wait.attributes, index, Patience::Endless) {
                    Attempt::Returns(0) => world.finish(program, index, result),
                    Attempt::Returns(trouble) => world.finish(program, index, trouble),
                    _ => {
                        world.queues.entry(wait.mutex).or_default().push(index);
                        let status = Status::Regaining { wait, result, queued: true };
                        world.threads[index].status = status;
                    }
                }
                list.push((false, Ok(world)));
            }
            Status::Leaving => {
                let mut world = self.clone();
                world.finish(program, index, 0);
                list.push((false, Ok(world)));
            }
            Status::Running => self.run(program, index, &mut list),
        }
        list
    }

    /// The statement at which a thread is, over those that a failure makes it skip.
    fn position(&self, program: &Program, index: usize) -> usize {
        let thread = &self.threads[index];
        let mut next = thread.next;
        if thread.results.last().copied().unwrap_or(0) != 0 {
            while program.threads[index].get(next).is_some_and(|statement| statement.conditional) {
                next += 1;
            }
        }
        next
    }

    fn run(&self, program: &Program, index: usize, list: &mut Vec<Successor>) {
        let position = self.position(program, index);
        let Some(statement) = program.threads[index].get(position) else {
            list.push((false, Ok(self.after_end(index))));
            return;
        };
        let operation = statement.operation;
        let address = operation.address;
        if let Call::Condition(ConditionCall::Signal) = operation.call {
            let waiting = self.queues.get(&address).cloned().unwrap_or_default();
            for &woken in &waiting {
                let mut world = self.clone();
                world.awake(woken);
                world.finish(program, index, 0);
                list.push((false, Ok(world)));
            }
            if !waiting.is_empty() {
                return;
            }
        }
        let mut world = self.clone();
        let next = match world.attempt(operation, index) {
            Attempt::Returns(result) => {
                world.finish(program, index, result);
                Ok(world)
            }
            Attempt::Queue { timed } => {
                world.queues.entry(address).or_default().push(index);
                world.threads[index].status = Status::Queued { timed };
                Ok(world)
            }
            Attempt::Becomes(status) => {
                world.queues.entry(address).or_default().push(index);
                world.threads[index].status = status;
                Ok(world)
            }
            Attempt::Misuse(name) => Err(name),
        };
        list.push((false, next));
    }

    fn finish(&mut self, program: &Program, index: usize, result: i32) {
        let position = self.position(program, index);
        let thread = &mut self.threads[index];
        thread.status = Status::Running;
        thread.next = position + 1;
        thread.results.push(result);
    }

    fn after_end(&self, index: usize) -> Self {
        let mut world = self.clone();
        world.threads[index].status = Status::Ended;
        let mine = |&&(address, thread, _): &&(Address, usize, bool)| {
            thread == index && self.robust.contains(&address)
        };
        for &(address, ..) in self.held.iter().filter(mine) {
            world.held.retain(|&(other, ..)| other != address);
            world.dirty.insert(address);
            world.wake_queue(address);
        }
        world
    }

    fn unqueue(&mut self, index: usize) {
        for queue in self.queues.values_mut() {
            queue.retain(|&other| other != index);
        }
    }

    /// Lets all who queue for an object try again.
    fn wake_queue(&mut self, address: Address) {
        for index in self.queues.remove(&address).unwrap_or_default() {
            match &mut self.threads[index].status {
                Status::Regaining { queued, .. } => *queued = false,
                status => *status = Status::Running,
            }
        }
    }

    /// Ends the sleep of a thread at a condition.
    fn awake(&mut self, index: usize) {
        self.unqueue(index);
        if let Status::Asleep(wait) = self.threads[index].status {
            let status = Status::Regaining { wait, result: 0, queued: false };
            self.threads[index].status = status;
        }
    }

    fn is_held(&self, address: Address) -> bool {
        self.held.iter().any(|&(other, ..)| other == address)
    }

    fn is_mine(&self, address: Address, index: usize) -> bool {
        self.held.iter().any(|&(other, thread, _)| (other, thread) == (address, index))
    }

    fn is_queued(&self, address: Address) -> bool {
        self.queues.get(&address).is_some_and(|queue| !queue.is_empty())
    }

    /// Gives up one level or lock.
    fn release(&mut self, address: Address, index: usize) {
        let entry =
            self.held.iter().position(|&(other, thread, _)| (other, thread) == (address, index));
        self.held.remove(entry.expect("the thread holds it"));
        self.held.sort();
        if !self.is_held(address) && self.dirty.remove(&address) {
            self.broken.insert(address);
        }
        self.wake_queue(address);
    }

    fn hold(&mut self, address: Address, index: usize, writes: bool) {
        self.held.push((address, index, writes));
        self.held.sort();
    }

    fn busy(patience: Patience) -> Attempt {
        match patience {
            Patience::Endless => Attempt::Queue { timed: false },
            Patience::Timed => Attempt::Queue { timed: true },
            Patience::Never => Attempt::Returns(EBUSY),
        }
    }

    /// Tries to lock a mutex.
    fn take(
        &mut self,
        mutex: Address,
        kind: MutexType,
        index: usize,
        patience: Patience,
    ) -> Attempt {
        if self.broken.contains(&mutex) {
            return Attempt::Returns(ENOTRECOVERABLE);
        }
        let mine = self.is_mine(mutex, index);
        let tries = patience == Patience::Never;
        if mine && kind.kind == MutexKind::ErrorChecking && (!tries || kind.robust) {
            return Attempt::Returns(EDEADLK);
        }
        if self.is_held(mutex) && !(mine && kind.kind == MutexKind::Recursive) {
            return Self::busy(patience);
        }
        self.hold(mutex, index, true);
        if kind.robust {
            self.robust.insert(mutex);
        }
        let told = !mine && self.dirty.contains(&mutex);
        Attempt::Returns(if told { EOWNERDEAD } else { 0 })
    }

    fn attempt(&mut self, operation: Operation, index: usize) -> Attempt {
        let address = operation.address;
        match operation.call {
            Call::Mutex(call) => self.mutex(address, call, index),
            Call::Condition(call) => self.condition(address, call, index),
            Call::ReadWrite(call) => self.read_write(address, call, index),
            Call::Barrier(call) => self.barrier(address, call),
            Call::Spin(SpinCall::Unlock) | Call::Lock(LockCall::Unlock) => {
                if !self.is_mine(address, index) {
                    return Attempt::Misuse("bad-unlock");
                }
                self.release(address, index);
                Attempt::Returns(0)
            }
            Call::Spin(SpinCall::Try) if self.is_held(address) => Attempt::Returns(EBUSY),
            Call::Spin(_) | Call::Lock(_) => {
                if self.is_held(address) {
                    return Attempt::Queue { timed: false };
                }
                self.hold(address, index, true);
                Attempt::Returns(0)
            }
            Call::Semaphore(call) => self.semaphore(address, call),
        }
    }

    fn mutex(&mut self, mutex: Address, call: MutexCall, index: usize) -> Attempt {
        match call {
            MutexCall::Lock(kind, patience) => self.take(mutex, kind, index, patience),
            MutexCall::Unlock(kind) if !self.is_mine(mutex, index) => {
                if kind.robust || kind.kind != MutexKind::Normal {
                    Attempt::Returns(EPERM)
                } else {
                    Attempt::Misuse("bad-unlock")
                }
            }
            MutexCall::Unlock(_) => {
                self.release(mutex, index);
                Attempt::Returns(0)
            }
            MutexCall::Consistent(_) if !self.dirty.contains(&mutex) => Attempt::Returns(EINVAL),
            MutexCall::Consistent(_) if !self.is_mine(mutex, index) => {
                Attempt::Misuse("bad-consistent")
            }
            MutexCall::Consistent(_) => {
                self.dirty.remove(&mutex);
                Attempt::Returns(0)
            }
            MutexCall::Destroy if self.is_held(mutex) => Attempt::Misuse("destroy-locked"),
            MutexCall::Initialise if self.is_held(mutex) => Attempt::Misuse("init-locked"),
            MutexCall::Destroy | MutexCall::Initialise => {
                self.dirty.remove(&mutex);
                self.broken.remove(&mutex);
                Attempt::Returns(0)
            }
        }
    }

    fn condition(&mut self, condition: Address, call: ConditionCall, index: usize) -> Attempt {
        match call {
            ConditionCall::Wait(wait) => {
                let mixed = self.queues.get(&condition).is_some_and(|queue| {
                    queue.iter().any(|&other| match self.threads[other].status {
                        Status::Asleep(other) => other.mutex != wait.mutex,
                        _ => false,
                    })
                });
                if mixed {
                    return Attempt::Misuse("mixed-mutexes");
                }
                match self.mutex(wait.mutex, MutexCall::Unlock(wait.attributes), index) {
                    Attempt::Returns(0) => Attempt::Becomes(Status::Asleep(wait)),
                    Attempt::Misuse(_) => Attempt::Misuse("wait-without-mutex"),
                    other => other,
                }
            }
            ConditionCall::Destroy if self.is_queued(condition) => {
                Attempt::Misuse("destroy-waited")
            }
            ConditionCall::Broadcast => {
                for woken in self.queues.get(&condition).cloned().unwrap_or_default() {
                    self.awake(woken);
                }
                Attempt::Returns(0)
            }
            ConditionCall::Signal | ConditionCall::Destroy => Attempt::Returns(0),
            other => panic!("no program has {other:?}"),
        }
    }

    fn read_write(&mut self, lock: Address, call: ReadWriteCall, index: usize) -> Attempt {
        let written = self.held.iter().any(|&(other, _, writes)| other == lock && writes);
        let mine = self.is_mine(lock, index);
        let (writes, patience) = match call {
            ReadWriteCall::Read(patience) => (false, patience),
            ReadWriteCall::Write(patience) => (true, patience),
            ReadWriteCall::Unlock if !mine => return Attempt::Misuse("bad-unlock"),
            ReadWriteCall::Unlock => {
                self.release(lock, index);
                return Attempt::Returns(0);
            }
            ReadWriteCall::Destroy if self.is_held(lock) => {
                return Attempt::Misuse("destroy-locked");
            }
            ReadWriteCall::Destroy => return Attempt::Returns(0),
            ReadWriteCall::Initialise => panic!("no program has {call:?}"),
        };
        if written && mine && patience != Patience::Never {
            return Attempt::Returns(EDEADLK);
        }
        if written || (writes && self.is_held(lock)) {
            return Self::busy(patience);
        }
        self.hold(lock, index, writes);
        Attempt::Returns(0)
    }

    fn barrier(&mut self, barrier: Address, call: BarrierCall) -> Attempt {
        let waiting = self.queues.get(&barrier).cloned().unwrap_or_default();
        match call {
            BarrierCall::Initialise(_) if !waiting.is_empty() => Attempt::Misuse("init-waited"),
            BarrierCall::Initialise(needed) => {
                self.barriers.insert(barrier, needed);
                Attempt::Returns(0)
            }
            BarrierCall::Destroy if !waiting.is_empty() => Attempt::Misuse("destroy-waited"),
            BarrierCall::Destroy => {
                self.barriers.remove(&barrier);
                Attempt::Returns(0)
            }
            BarrierCall::Wait => {
                let Some(&needed) = self.barriers.get(&barrier) else {
                    return Attempt::Misuse("uninitialised");
                };
                if waiting.len() + 1 < needed as usize {
                    return Attempt::Becomes(Status::AtBarrier);
                }
                for other in waiting {
                    self.unqueue(other);
                    self.threads[other].status = Status::Leaving;
                }
                Attempt::Returns(-1)
            }
            BarrierCall::Leave => panic!("no program has {call:?}"),
        }
    }

    fn semaphore(&mut self, semaphore: Address, call: SemaphoreCall) -> Attempt {
        let count = self.counts.entry(semaphore).or_default();
        match call {
            SemaphoreCall::Post => {
                *count += 1;
                self.wake_queue(semaphore);
            }
            SemaphoreCall::Initialise(value) => {
                *count = value as i32;
                self.wake_queue(semaphore);
            }
            SemaphoreCall::Value => return Attempt::Returns(*count),
            SemaphoreCall::Wait(Patience::Never) if *count == 0 => return Attempt::Returns(EAGAIN),
            SemaphoreCall::Wait(patience) if *count == 0 => return Self::busy(patience),
            SemaphoreCall::Wait(_) => *count -= 1,
            SemaphoreCall::Destroy => panic!("no program has {call:?}"),
        }
        Attempt::Returns(0)
    }
}
