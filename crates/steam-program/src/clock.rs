//! The clock of a search: when time passes, and what can observe it.
//!
//! How long threads take is unknown. A wait with a limit of time may end by it at any moment, and who reads
//! the clock again may find that any time has passed. But a clock that goes on and on makes states that never
//! come again, so that no search of a program that waits in a loop would end. Therefore
//!
//! - a wait that ends by its limit moves the clock there. It does so for good the first time in an execution
//!   that a wait at this place ends so, by whichever thread. Later it shows that time to its own thread in
//!   its next reading, and to no other thread: functions need that which look after a wait whether its
//!   time is over, such as `wait_for` of C++. A thread that waits for a time which it has from such a reading
//!   is not shown another one before it has read the clock as it is, or times would add up;
//! - a reading after the first one of an execution may find that the clock has leapt ahead by ten minutes,
//!   once: so loops end that look at the clock without waiting, and limits that are the sum of many waits.
//!   More than ten minutes would be too much for programs that count microseconds in 32 bits, and a second
//!   leap costs too much: two workers of a pool that wait for a while each have 22,000 states without leaps,
//!   115,000 with one and 330,000 with two.
//!
//! What is not explored by that: limits that are further away, and two or more leaps. Where a wait ends by its
//! limit again the clock may also be seen to go back, by programs that compare times over several waits.
//!
//! Each reading is a step, which depends on whatever others do, and so does each wait with a limit. What time it
//! is matters only to who compares two readings. Where no execution reads the clock twice it is not moved, or
//! states would differ that are the same; where one does, that is learned ([`OthersFact::ReadsClock`]), and what follows
//! is left to the next iteration.

use steam_linux::kernel::{AtomicBlock, Pending};
use steam_linux::syscalls::{self, Role, SystemCall};
use steam_state::{Context, Key, Reading};
use steam_sync::{Call, ConditionCall, Operation, SyncChoice};
use steam_visibility::OthersFact;

use super::action::Choice;
use super::choices::Frozen;
use super::step::{Flow, Halt, Worker};
use super::{Granularity, Program};

/// How far the clock leaps, in nanoseconds.
const DISTANCE: u64 = 600_000_000_000;

impl Program {
    /// Whether any thread observes when time passes, as far as that is known. Where nothing is learned it
    /// may always matter.
    pub(super) fn knows_clock(&self) -> bool {
        let learns = self.options.granularity == Granularity::Shared;
        !self.options.still && (!learns || self.stores.sharing.knows(OthersFact::ReadsClock))
    }

    /// Whether the clock can be found to have leapt ahead by the call before which a thread stands.
    pub(super) fn may_leap(&self, state: Reading<'_>, frozen: &Frozen<'_>) -> bool {
        // With a clock that stands still, no time passes; and only a system call reads it.
        if self.options.still || frozen.state.pending != Pending::SystemCall {
            return false;
        }
        let call = syscalls::row(frozen.state.registers[Context::EAX]);
        let reads = call.has(Role::ReadsClock);
        let kernel = || self.stores.kernels.get(self.stores.state.component(state, Key::Kernel));
        // The first reading has none before it to compare with, so a leap there makes no difference. One leap in an
        // execution is all that is explored (see the head of this file).
        reads && kernel().passing.read && !kernel().passing.leapt
    }
}

impl Worker {
    /// Whether the system call before eip reads the clock and is a step for that.
    pub(super) fn is_reading(&mut self, program: &Program, call: &SystemCall) -> Flow<bool> {
        if !call.has(Role::ReadsClock) {
            return Ok(false);
        }
        self.machine.cpu.clock_read = true;
        if program.options.still || self.starts {
            return Ok(false);
        }
        if !program.knows_clock() {
            if !self.machine.system.kernel.passing.read {
                return Ok(false);
            }
            self.machine.stores.sharing.learn(OthersFact::ReadsClock);
            return Err(Halt::Infeasible);
        }
        Ok(self.atomic_block() == AtomicBlock::None)
    }

    /// The clock is found to have leapt ahead, if that is the choice.
    pub(super) fn leap(&mut self, choice: Choice) {
        if choice == Choice::Leap {
            let kernel = &mut self.machine.system.kernel;
            kernel.clock += DISTANCE;
            kernel.busy += DISTANCE;
            kernel.passing.leapt = true;
        }
    }

    /// A wait of the thread on the CPU ends by its limit of time, a value of the kernel's clock.
    pub(super) fn pass_to(&mut self, program: &Program, deadline: Option<u64>) {
        if let Some(time) = deadline.filter(|_| program.knows_clock()) {
            let wait = fold(self.machine.cpu.eip, &self.callers());
            self.machine.system.pass_to(time, wait);
        }
    }

    /// When the wait of the synchronising function ends at whose first byte the CPU stands.
    pub(super) fn deadline_of_call(&mut self) -> Option<u64> {
        self.limit_of_call().map(|(seconds, rest)| syscalls::kernel_time(seconds, rest))
    }

    /// Whether the synchronising function at whose first byte the CPU stands fails because of the time at which
    /// its wait would end: the nanoseconds of that are more than a second, or negative. A mutex is had all the
    /// same if it is free; musl does so with semaphores and read-write locks too. A clock that there is not, or by
    /// which no thread can wait, is refused in any case.
    pub(super) fn refuses_limit(&mut self, operation: &Operation, choice: SyncChoice) -> bool {
        const SECOND: u32 = 1_000_000_000;
        if self.names_wrong_clock() {
            return true;
        }
        let first = match operation.call {
            Call::Condition(call) => matches!(call, ConditionCall::Wait(_)),
            Call::Semaphore(_) | Call::ReadWrite(_) if self.machine.models.is_glibc() => true,
            _ => choice == SyncChoice::TimeOver,
        };
        let limit = (first && operation.is_timed()).then(|| self.limit_of_call()).flatten();
        limit.is_some_and(|(_, nanoseconds)| nanoseconds >= SECOND)
    }

    /// Whether the synchronising function at whose first byte the CPU stands names a clock, before the time at which
    /// its wait ends, and it is neither that of real time nor the monotonic one.
    fn names_wrong_clock(&mut self) -> bool {
        let models = &self.machine.models;
        // A request names no clock; nor does a wait whose thread a handler has sent elsewhere.
        let Some(id) = models.id_at(self.machine.cpu.eip) else { return false };
        let named = self.model_of(id).name.contains("_clock");
        let position = models.deadline(id).and_then(|(position, _)| position.checked_sub(1));
        match position.filter(|_| named) {
            Some(position) => self.argument(position) > 1,
            None => false,
        }
    }

    /// The seconds and nanoseconds at which the wait of the synchronising function ends at whose first byte the
    /// CPU stands.
    fn limit_of_call(&mut self) -> Option<(u64, u32)> {
        let id = self.machine.models.id_at(self.machine.cpu.eip)?;
        let (position, wide) = self.machine.models.deadline(id)?;
        let place = self.argument(position);
        let second = |offset| place.wrapping_add(offset);
        let low = u64::from(self.word_at(place));
        Some(match wide {
            true => (u64::from(self.word_at(second(4))) << 32 | low, self.word_at(second(8))),
            false => (low, self.word_at(second(4))),
        })
    }
}

/// One number for a place in the code and for who calls whom there.
fn fold(eip: u32, callers: &[u32]) -> u32 {
    const MULTIPLIER: u32 = 0x9e37_79b1;
    callers.iter().fold(eip, |hash, &at| (hash.rotate_left(5) ^ at).wrapping_mul(MULTIPLIER))
}
