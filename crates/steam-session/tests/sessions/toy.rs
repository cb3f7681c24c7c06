//! Toy programs: threads that load, add, store, lock; accesses to a cell are invisible until the
//! model has learned that two threads touch it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use steam_model::{
    Change, Delta, Dependence, Learns, Livelocks, Model, Observer, Positions, Property,
    SharedAccess, Standing, Step, StepOf, ThreadFacts, Threads,
};

/// One operation of a thread, which has one register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Load(usize),
    /// A load that is always visible, so that a loop around it can be interrupted.
    Watch(usize),
    Store(usize),
    Set(u32),
    Add(u32),
    /// Leaves out so many operations if the register has this value.
    SkipIf(u32, usize),
    /// Goes back after so many operations before this one if the register has this value.
    BackIf(u32, usize),
    /// An error with this name if the register has another value.
    Expect(u32, u32),
    /// Something that the model does not know, if the register has this value.
    Mystery(u32),
    Lock(usize),
    Unlock(usize),
    /// Nothing but work, so much of it.
    Work(u32),
}

impl Op {
    fn cell(self) -> Option<usize> {
        match self {
            Self::Load(cell) | Self::Watch(cell) | Self::Store(cell) => Some(cell),
            Self::Lock(cell) | Self::Unlock(cell) => Some(cell),
            _ => None,
        }
    }
}

/// A program: what each thread does, and the number of cells.
#[derive(Clone, Debug)]
pub struct Program {
    pub threads: Vec<Vec<Op>>,
    pub cells: usize,
}

/// What came of one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Done,
    Wrong(u32),
    Unknown(u32),
}

impl Program {
    /// Places of the threads, registers, cells.
    pub fn initial(&self) -> Vec<u32> {
        vec![0; 2 * self.threads.len() + self.cells]
    }

    pub fn pending(&self, state: &[u32], thread: usize) -> Option<Op> {
        self.threads[thread].get(state[thread] as usize).copied()
    }

    pub fn is_blocked(&self, state: &[u32], thread: usize) -> bool {
        let cells = 2 * self.threads.len();
        matches!(self.pending(state, thread), Some(Op::Lock(cell)) if state[cells + cell] != 0)
    }

    /// Does one operation of a thread that is not blocked.
    pub fn act(&self, state: &mut [u32], thread: usize) -> Act {
        let count = self.threads.len();
        let (register, cells) = (count + thread, 2 * count);
        let Some(op) = self.pending(state, thread) else { return Act::Done };
        state[thread] += 1;
        match op {
            Op::Load(cell) | Op::Watch(cell) => state[register] = state[cells + cell],
            Op::Store(cell) => state[cells + cell] = state[register],
            Op::Set(value) => state[register] = value,
            Op::Add(value) => state[register] += value,
            Op::SkipIf(value, more) if state[register] == value => state[thread] += more as u32,
            Op::BackIf(value, back) if state[register] == value => {
                state[thread] -= 1 + back as u32;
            }
            Op::Expect(value, name) if state[register] != value => return Act::Wrong(name),
            Op::Mystery(value) if state[register] == value => return Act::Unknown(value),
            Op::SkipIf(..) | Op::BackIf(..) | Op::Expect(..) | Op::Mystery(_) => {}
            Op::Lock(cell) => state[cells + cell] = thread as u32 + 1,
            Op::Unlock(cell) => state[cells + cell] = 0,
            Op::Work(_) => {}
        }
        Act::Done
    }
}

/// What is known of a cell in this iteration.
#[derive(Clone, Copy, Default)]
struct Use {
    threads: u32,
    written: bool,
}

#[derive(Default)]
struct Knowledge {
    /// The cells whose accesses are visible in this iteration.
    shared: Vec<bool>,
    /// How the other cells were used in this iteration.
    uses: Vec<Use>,
}

impl Knowledge {
    fn is_lesson(&self, cell: usize) -> bool {
        !self.shared[cell] && self.uses[cell].threads.count_ones() > 1 && self.uses[cell].written
    }
}

/// A program as a model that learns.
pub struct Pupil {
    pub program: Program,
    knowledge: Mutex<Knowledge>,
    /// The work of the last step, whoever did it: one worker only may ask.
    effort: AtomicU64,
}

impl Pupil {
    pub fn new(program: Program) -> Self {
        let cells = program.cells;
        let knowledge = Knowledge { shared: vec![false; cells], uses: vec![Use::default(); cells] };
        Self { program, knowledge: Mutex::new(knowledge), effort: AtomicU64::new(0) }
    }

    fn knowledge(&self) -> MutexGuard<'_, Knowledge> {
        self.knowledge.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_visible(&self, op: Op) -> bool {
        match op {
            Op::Load(cell) | Op::Store(cell) => self.knowledge().shared[cell],
            Op::Watch(_) | Op::Lock(_) | Op::Unlock(_) => true,
            _ => false,
        }
    }

    fn note(&self, thread: usize, op: Op) {
        if let Op::Load(cell) | Op::Watch(cell) | Op::Store(cell) = op {
            let used = &mut self.knowledge().uses[cell];
            used.threads |= 1 << thread;
            used.written |= matches!(op, Op::Store(_));
        }
    }
}

impl Model for Pupil {
    type State = Vec<u32>;
    type Action = u32;
    type Event = ();
    type Violation = u32;
    type Unknown = u32;
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, (): &mut ()) -> Vec<u32> {
        self.program.initial()
    }

    fn describe(&self, state: &Vec<u32>, vector: &mut Vec<u32>) {
        vector.extend_from_slice(state);
    }

    fn patch(&self, (): &mut (), base: &Vec<u32>, changes: &[Change]) -> Vec<u32> {
        let mut state = base.clone();
        changes.iter().for_each(|change| state[change.slot as usize] = change.new);
        state
    }

    fn enabled(&self, (): &mut (), state: &Vec<u32>, actions: &mut Vec<u32>) {
        let able = |thread: &u32| {
            let thread = *thread as usize;
            self.program.pending(state, thread).is_some() && !self.program.is_blocked(state, thread)
        };
        actions.extend((0..self.program.threads.len() as u32).filter(able));
    }

    fn step<O: Observer<()>>(
        &self,
        (): &mut (),
        state: &Vec<u32>,
        action: u32,
        delta: &mut Delta,
        _: &mut O,
    ) -> StepOf<Self> {
        let thread = action as usize;
        let mut next = state.clone();
        let mut first = true;
        let mut effort = 0;
        while let Some(op) = self.program.pending(&next, thread)
            && (std::mem::take(&mut first) || !self.is_visible(op))
        {
            self.note(thread, op);
            effort += if let Op::Work(effort) = op { u64::from(effort) } else { 1 };
            match self.program.act(&mut next, thread) {
                Act::Done => {}
                Act::Wrong(name) => return Step::Violation(name),
                Act::Unknown(name) => return Step::Unknown(name),
            }
        }
        self.effort.store(effort, Ordering::Relaxed);
        for (slot, (&old, &new)) in (0..).zip(state.iter().zip(&next)) {
            delta.record(slot, old, new);
        }
        Step::Next
    }

    fn process(&self, action: u32) -> u32 {
        action
    }

    fn effort(&self, (): &()) -> u64 {
        self.effort.load(Ordering::Relaxed)
    }
}

impl Learns for Pupil {
    fn begin_iteration(&self) {
        let mut knowledge = self.knowledge();
        for cell in 0..knowledge.shared.len() {
            knowledge.shared[cell] |= knowledge.is_lesson(cell);
        }
        knowledge.uses.fill(Use::default());
    }

    fn learned(&self) -> bool {
        let knowledge = self.knowledge();
        (0..knowledge.shared.len()).any(|cell| knowledge.is_lesson(cell))
    }
}

impl Threads for Pupil {
    fn access(&self, state: &Vec<u32>, action: u32) -> Option<SharedAccess> {
        match self.program.pending(state, action as usize)? {
            Op::Load(_) | Op::Watch(_) => Some(SharedAccess::Read),
            Op::Store(_) => Some(SharedAccess::Write),
            _ => None,
        }
    }

    fn threads(&self, state: &Vec<u32>, visit: &mut dyn FnMut(ThreadFacts)) {
        let count = self.program.threads.len();
        let held = |thread: usize, cell: usize| {
            let locks = self.program.threads[thread].contains(&Op::Lock(cell));
            locks && state[2 * count + cell] == thread as u32 + 1
        };
        for thread in 0..count {
            visit(ThreadFacts {
                number: thread as u32 + 1,
                alive: self.program.pending(state, thread).is_some(),
                blocked: self.program.is_blocked(state, thread),
                locks: (0..self.program.cells).filter(|&cell| held(thread, cell)).count() as u32,
                wants: None,
            });
        }
    }
}

impl Dependence for Pupil {
    type Operation = Op;

    fn pending(&self, _: &mut (), state: &Vec<u32>, visit: &mut dyn FnMut(u32, Op)) {
        for thread in 0..self.program.threads.len() {
            if let Some(op) = self.program.pending(state, thread) {
                visit(thread as u32, op);
            }
        }
    }

    fn performed(&self, op: &Op, _: &Vec<u32>, _: u32, _: &Delta, operations: &mut Vec<Op>) {
        operations.push(*op);
    }

    fn dependent(&self, one: &Op, other: &Op) -> bool {
        let visible = self.is_visible(*one) && self.is_visible(*other);
        let loads = |op: &Op| matches!(op, Op::Load(_) | Op::Watch(_));
        let both_load = loads(one) && loads(other);
        visible && one.cell() == other.cell() && !both_load
    }

    fn may_meet(&self, _: &Op, _: &Op) -> bool {
        // Here anybody may give up a lock.
        true
    }
}

/// A thread stands at an operation. Any thread may give up a lock, so that it is not known who is waited for.
impl Positions for Pupil {
    fn standing(
        &self,
        (): &mut (),
        state: &Vec<u32>,
        _: &[u32],
        standing: &mut Vec<Standing<Op>>,
    ) -> bool {
        self.pending(&mut (), state, &mut |process, operation| {
            let position = state[process as usize].into();
            standing.push(Standing { process, position, operation });
        });
        true
    }

    fn moved(&self, _: &Vec<u32>, delta: &Delta, visit: &mut dyn FnMut(u32, Option<u64>)) {
        for change in delta.changes() {
            if let Some(thread) = self.program.threads.get(change.slot as usize) {
                let lives = (change.new as usize) < thread.len();
                visit(change.slot, lives.then_some(change.new.into()));
            }
        }
    }

    fn awaited(&self, _: &Vec<u32>, _: &Standing<Op>) -> Option<u32> {
        None
    }

    fn enables(&self, operation: &Op, waiting: &Op, _: bool) -> bool {
        self.dependent(operation, waiting)
    }
}

/// What a thread that waits for too long is called.
pub const LIVELOCK: u32 = 2000;

impl Livelocks for Pupil {
    fn livelock(&self, _: &Vec<u32>, process: u32, _: u32) -> u32 {
        LIVELOCK + process
    }

    fn progressed(&self, _: &Self::Worker) -> bool {
        false
    }

    fn non_progress(&self, _: &[(Vec<u32>, Self::Action)]) -> u32 {
        LIVELOCK
    }
}

/// What [`Deadlock`] calls its error.
pub const DEADLOCK: u32 = 1000;

/// Not all threads that are left are blocked.
pub struct Deadlock;

impl Property<Pupil> for Deadlock {
    fn check(
        &self,
        model: &Pupil,
        (): &mut (),
        state: &Vec<u32>,
        _: Option<u32>,
        tell: &mut dyn FnMut(u32),
    ) {
        is_deadlock(&model.program, state).then_some(DEADLOCK).into_iter().for_each(tell);
    }
}

/// Whether some threads are left and all of them are blocked.
pub fn is_deadlock(program: &Program, state: &[u32]) -> bool {
    let threads = 0..program.threads.len();
    let mut left = threads.filter(|&thread| program.pending(state, thread).is_some()).peekable();
    left.peek().is_some() && left.all(|thread| program.is_blocked(state, thread))
}
