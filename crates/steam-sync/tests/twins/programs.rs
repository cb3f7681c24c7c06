//! Random small programs over all families of objects.

use steam_sync::{
    Address, BarrierCall, ConditionCall, LockCall, MutexCall, MutexKind, MutexType, Operation,
    Patience, ReadWriteCall, SemaphoreCall, SpinCall, Wait,
};

/// A small deterministic source of numbers.
pub struct Numbers(u64);

impl Numbers {
    /// A source of its own for each seed.
    pub fn new(seed: u64) -> Self {
        let mut numbers = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995);
        numbers.below(2);
        numbers
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as u32 % bound
    }
}

/// An operation in a program.
#[derive(Clone, Copy, Debug)]
pub struct Statement {
    /// What is done.
    pub operation: Operation,
    /// Done only if the statement before it in its thread returned 0.
    pub conditional: bool,
}

/// A program: a list of statements for each thread.
#[derive(Clone, Debug)]
pub struct Program {
    /// The threads; thread `i` has the number `i + 1`.
    pub threads: Vec<Vec<Statement>>,
    /// Whether waits may end by themselves.
    pub spurious_wakeups: bool,
}

/// The addresses of the objects of each family.
const MUTEXES: [(Address, MutexType); 4] = [
    (10, MutexType { kind: MutexKind::Normal, robust: false, marked: false }),
    (11, MutexType { kind: MutexKind::Recursive, robust: false, marked: false }),
    (12, MutexType { kind: MutexKind::ErrorChecking, robust: false, marked: false }),
    (13, MutexType { kind: MutexKind::Normal, robust: true, marked: false }),
];
const CONDITION: Address = 20;
const READ_WRITE: Address = 30;
/// The barrier, which the first thread initialises where it is used.
pub const BARRIER: Address = 40;
const SPIN: Address = 50;
const SEMAPHORE: Address = 60;
const LOCK: Address = 70;

impl Program {
    /// A program of two or three threads about two subjects.
    pub fn random(numbers: &mut Numbers) -> Self {
        let threads = 2 + numbers.below(2);
        let length = if threads == 2 { 5 } else { 3 };
        let subjects = [numbers.below(8), numbers.below(8)];
        let mutexes = [numbers.below(4), numbers.below(4)].map(|index| MUTEXES[index as usize]);
        let thread = |numbers: &mut Numbers| {
            let mut list = Vec::new();
            while list.len() < length {
                let subject = subjects[numbers.below(2) as usize];
                let mutex = mutexes[numbers.below(4).saturating_sub(2) as usize];
                phrase(numbers, subject, mutex, &mut list);
            }
            list
        };
        let mut threads: Vec<_> = (0..threads).map(|_| thread(numbers)).collect();
        if subjects.contains(&5) && numbers.below(8) > 0 {
            let call = BarrierCall::Initialise(1 + numbers.below(3));
            threads[0].insert(0, plain(Operation::new(BARRIER, call)));
        }
        Self { threads, spurious_wakeups: numbers.below(4) == 0 }
    }
}

fn plain(operation: Operation) -> Statement {
    Statement { operation, conditional: false }
}

/// Adds one to three statements that belong together.
fn phrase(
    numbers: &mut Numbers,
    subject: u32,
    (address, kind): (Address, MutexType),
    list: &mut Vec<Statement>,
) {
    let patience = [Patience::Endless, Patience::Endless, Patience::Timed, Patience::Never]
        [numbers.below(4) as usize];
    let lock = Operation::new(address, MutexCall::Lock(kind, patience));
    let unlock = Operation::new(address, MutexCall::Unlock(kind));
    let guarded = |operation| Statement { operation, conditional: true };
    // Most phrases are proper, some forget or repeat something.
    let proper = numbers.below(6) > 0;
    match subject {
        0 | 1 => {
            list.push(plain(lock));
            match numbers.below(6) {
                0 => list.push(plain(Operation::new(address, MutexCall::Consistent(kind)))),
                1 => list.push(plain(lock)),
                2 => list.push(plain(Operation::new(address, MutexCall::Destroy))),
                _ => {}
            }
            if proper {
                list.push(guarded(unlock));
            }
        }
        2 | 3 => match numbers.below(5) {
            0 => list.push(plain(Operation::new(CONDITION, ConditionCall::Signal))),
            1 => list.push(plain(Operation::new(CONDITION, ConditionCall::Broadcast))),
            2 if !proper => list.push(plain(Operation::new(CONDITION, ConditionCall::Destroy))),
            _ => {
                let lock = MutexCall::Lock(kind, Patience::Endless);
                let timed = numbers.below(3) == 0;
                let wait = Wait { mutex: address, attributes: kind, timed };
                if proper {
                    list.push(plain(Operation::new(address, lock)));
                }
                list.push(plain(Operation::new(CONDITION, ConditionCall::Wait(wait))));
                list.push(plain(unlock));
            }
        },
        4 => {
            let calls = [ReadWriteCall::Read(patience), ReadWriteCall::Write(patience)];
            let call = calls[numbers.below(2) as usize];
            list.push(plain(Operation::new(READ_WRITE, call)));
            match numbers.below(6) {
                0 => list.push(plain(Operation::new(READ_WRITE, call))),
                1 => list.push(plain(Operation::new(READ_WRITE, ReadWriteCall::Destroy))),
                _ => {}
            }
            if proper {
                list.push(guarded(Operation::new(READ_WRITE, ReadWriteCall::Unlock)));
            }
        }
        5 => {
            let call = if proper || numbers.below(2) == 0 {
                BarrierCall::Wait
            } else {
                BarrierCall::Destroy
            };
            list.push(plain(Operation::new(BARRIER, call)));
        }
        6 => {
            let call = match numbers.below(6) {
                0 | 1 => SemaphoreCall::Post,
                2 => SemaphoreCall::Value,
                3 if !proper => SemaphoreCall::Initialise(numbers.below(3)),
                _ => SemaphoreCall::Wait(patience),
            };
            list.push(plain(Operation::new(SEMAPHORE, call)));
        }
        _ => {
            if numbers.below(2) == 0 {
                let call = if patience == Patience::Never { SpinCall::Try } else { SpinCall::Lock };
                list.push(plain(Operation::new(SPIN, call)));
                list.push(guarded(Operation::new(SPIN, SpinCall::Unlock)));
            } else {
                list.push(plain(Operation::new(LOCK, LockCall::Lock)));
                let call = if proper { LockCall::Unlock } else { LockCall::Lock };
                list.push(plain(Operation::new(LOCK, call)));
            }
        }
    }
}
