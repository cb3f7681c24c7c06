//! Futexes: waiting for a word of memory to change, and waking who waits.

use steam_state::{Context, ThreadId};

use super::time::Width;
use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Reason, Status, Waiting};
use crate::system::System;

/// Operations.
mod operation {
    pub const WAIT: u32 = 0;
    pub const WAKE: u32 = 1;
    pub const REQUEUE: u32 = 3;
    pub const COMPARE_REQUEUE: u32 = 4;
    pub const WAKE_OP: u32 = 5;
    pub const LOCK_PI: u32 = 6;
    pub const UNLOCK_PI: u32 = 7;
    pub const TRYLOCK_PI: u32 = 8;
    pub const WAIT_BITSET: u32 = 9;
    pub const WAKE_BITSET: u32 = 10;
    pub const LOCK_PI2: u32 = 13;
    /// Whether only this process uses it: its place says as much.
    pub const PRIVATE: u32 = 0x80;
    pub const REAL_TIME: u32 = 0x100;
}

const ANY: u32 = u32::MAX;
/// Why the waiters of a futex are threads: who ends, or waits no longer, leaves the queue.
const QUEUED: &str = "who is in the queue of a futex lives";
const MONOTONIC: u32 = 1;
const REAL_TIME: u32 = 0;

/// Whether an operation waits for the word to change, and not for a lock.
pub fn waits(operation: u32) -> bool {
    let operation = operation & !(operation::PRIVATE | operation::REAL_TIME);
    matches!(operation, operation::WAIT | operation::WAIT_BITSET)
}

pub(super) fn futex(call: &mut Call<'_>) -> Answer {
    operate(call, Width::Narrow)
}

pub(super) fn futex_time64(call: &mut Call<'_>) -> Answer {
    operate(call, Width::Wide)
}

fn operate(call: &mut Call<'_>, width: Width) -> Answer {
    let [address, operation, value, timeout, second, third] = call.arguments;
    if !address.is_multiple_of(4) {
        return Err(Errno::EINVAL.into());
    }
    let places = (call.place(address), call.place(second));
    let clock = if operation & operation::REAL_TIME != 0 { REAL_TIME } else { MONOTONIC };
    match operation & !(operation::PRIVATE | operation::REAL_TIME) {
        operation::WAIT => {
            let deadline = call.deadline(timeout, width, None)?;
            wait(call, address, value, ANY, deadline)
        }
        operation::WAIT_BITSET => {
            let deadline = call.deadline(timeout, width, Some(clock))?;
            wait(call, address, value, third, deadline)
        }
        operation::WAKE => {
            // The word is not read; between processes it must be there.
            let private = operation & operation::PRIVATE != 0;
            if !private && call.cpu.memory.regions().find(address).is_none() {
                return Err(Errno::EFAULT.into());
            }
            Ok(call.system.wake(call.place(address), value, ANY))
        }
        operation::WAKE_BITSET if third == 0 => Err(Errno::EINVAL.into()),
        operation::WAKE_BITSET => Ok(call.system.wake(call.place(address), value, third)),
        operation::REQUEUE => {
            let (woken, moved) = call.system.requeue(places.0, places.1, value, timeout);
            Ok(woken + moved)
        }
        operation::COMPARE_REQUEUE => {
            if call.word(address)? != third {
                return Err(Errno::EAGAIN.into());
            }
            let (woken, moved) = call.system.requeue(places.0, places.1, value, timeout);
            Ok(woken + moved)
        }
        operation::WAKE_OP => wake_operation(call, address, second, value, timeout, third),
        operation::LOCK_PI => {
            let deadline = call.deadline(timeout, width, Some(REAL_TIME))?;
            lock_inheriting(call, address, Some(deadline))
        }
        operation::LOCK_PI2 => {
            let deadline = call.deadline(timeout, width, Some(clock))?;
            lock_inheriting(call, address, Some(deadline))
        }
        operation::TRYLOCK_PI => lock_inheriting(call, address, None),
        operation::UNLOCK_PI => unlock_inheriting(call, address),
        other => Err(Refusal::Unknown(format!("futex operation {other}"))),
    }
}

fn wait(
    call: &mut Call<'_>,
    address: u32,
    expected: u32,
    bitset: u32,
    deadline: Option<u64>,
) -> Answer {
    if bitset == 0 {
        return Err(Errno::EINVAL.into());
    }
    let current = call.system.current;
    if let Some(Waiting { reason: Reason::Futex { place, .. }, .. }) = call.resumed {
        // No thread woke it, and signals end the call elsewhere: the time is over.
        call.system.leave_futex(place, current);
        return Err(Errno::ETIMEDOUT.into());
    }
    if call.word(address)? != expected {
        return Err(Errno::EAGAIN.into());
    }
    if deadline.is_some_and(|deadline| deadline <= call.system.kernel.clock) {
        return Err(Errno::ETIMEDOUT.into());
    }
    let place = call.place(address);
    let queue = &mut call.system.kernel.futexes;
    queue.entry(place).or_default().push(current);
    Err(Refusal::Wait(Waiting { reason: Reason::Futex { place, bitset }, deadline }))
}

/// The bits of a lock that inherits priorities: its owner, and that a thread waits.
mod inheriting {
    pub const OWNER: u32 = 0x3fff_ffff;
    pub const WAITERS: u32 = 0x8000_0000;
}

/// `FUTEX_LOCK_PI`, and `FUTEX_TRYLOCK_PI` without a limit: takes the lock, or waits until its owner hands it
/// over. Priorities change nothing here, so there is nothing to inherit.
fn lock_inheriting(call: &mut Call<'_>, address: u32, limit: Option<Option<u64>>) -> Answer {
    let current = call.system.current;
    let own = System::thread_number(current);
    if let Some(Waiting { reason: Reason::Futex { place, .. }, .. }) = call.resumed {
        call.system.leave_futex(place, current);
        return Err(Errno::ETIMEDOUT.into());
    }
    let word = call.word(address)?;
    let place = call.place(address);
    let owner = word & inheriting::OWNER;
    if owner == 0 {
        let waiters = call.system.kernel.futexes.contains_key(&place);
        let rest = if waiters { inheriting::WAITERS } else { 0 };
        call.put_word(address, own | rest)?;
        return Ok(0);
    }
    if owner == own {
        return Err(Errno::EDEADLK.into());
    }
    let thread = System::thread_numbered(owner);
    if thread.is_none_or(|thread| call.system.threads.get(thread).is_none()) {
        return Err(Errno::ESRCH.into());
    }
    let Some(deadline) = limit else { return Err(Errno::EAGAIN.into()) };
    if deadline.is_some_and(|deadline| deadline <= call.system.kernel.clock) {
        return Err(Errno::ETIMEDOUT.into());
    }
    call.put_word(address, word | inheriting::WAITERS)?;
    call.system.kernel.futexes.entry(place).or_default().push(current);
    Err(Refusal::Wait(Waiting { reason: Reason::Futex { place, bitset: ANY }, deadline }))
}

/// `FUTEX_UNLOCK_PI`: who has waited longest gets the lock.
fn unlock_inheriting(call: &mut Call<'_>, address: u32) -> Answer {
    let own = System::thread_number(call.system.current);
    if call.word(address)? & inheriting::OWNER != own {
        return Err(Errno::EPERM.into());
    }
    let place = call.place(address);
    let waiters = call.system.kernel.futexes.get(&place).cloned().unwrap_or_default();
    let word = match waiters.first() {
        Some(&next) if waiters.len() > 1 => System::thread_number(next) | inheriting::WAITERS,
        Some(&next) => System::thread_number(next),
        None => 0,
    };
    call.put_word(address, word)?;
    call.system.wake(place, 1, ANY);
    Ok(0)
}

/// `FUTEX_WAKE_OP`: changes a second word, wakes at the first, and at the second if it was so.
fn wake_operation(
    call: &mut Call<'_>,
    first: u32,
    second: u32,
    count: u32,
    second_count: u32,
    encoded: u32,
) -> Answer {
    let sign_extended = |field: u32| ((field << 20) as i32 >> 20) as u32;
    let (kind, comparison) = (encoded >> 28, encoded >> 24 & 0xf);
    let mut operand = sign_extended(encoded >> 12);
    let compared = sign_extended(encoded) as i32;
    if kind & 8 != 0 {
        operand = 1 << (operand & 31);
    }
    let old = call.word(second)?;
    let new = match kind & 7 {
        0 => operand,
        1 => old.wrapping_add(operand),
        2 => old | operand,
        3 => old & !operand,
        4 => old ^ operand,
        _ => return Err(Errno::ENOSYS.into()),
    };
    call.put_word(second, new)?;
    let old = old as i32;
    let also = match comparison {
        0 => old == compared,
        1 => old != compared,
        2 => old < compared,
        3 => old <= compared,
        4 => old > compared,
        5 => old >= compared,
        _ => return Err(Errno::ENOSYS.into()),
    };
    let mut woken = call.system.wake(call.place(first), count, ANY);
    if also {
        woken += call.system.wake(call.place(second), second_count, ANY);
    }
    Ok(woken)
}

impl System {
    /// Wakes up to `count` waiters of a futex that share a bit, in the order in which they came.
    pub fn wake(&mut self, place: u64, count: u32, bitset: u32) -> u32 {
        // No thread waits there.
        let Some(waiters) = self.kernel.futexes.get(&place).cloned() else { return 0 };
        let mut woken = 0;
        for thread in waiters {
            if woken == count {
                break;
            }
            if self.shares_bit(thread, bitset) {
                self.leave_futex(place, thread);
                self.finish_wait(thread);
                woken += 1;
            }
        }
        woken
    }

    fn shares_bit(&self, thread: ThreadId, bits: u32) -> bool {
        let record = self.threads.get(thread).expect(QUEUED);
        let waiting = record.waiting().expect("who is in the queue of a futex waits");
        matches!(waiting.reason, Reason::Futex { bitset, .. } if bitset & bits != 0)
    }

    /// Lets a thread's futex call return 0.
    fn finish_wait(&mut self, thread: ThreadId) {
        let live = self.threads.live(thread).expect(QUEUED);
        live.record.status = Status::Runnable;
        live.context.gpr[Context::EAX] = 0;
        live.context.eip = live.context.eip.wrapping_add(2);
    }

    /// The wait of the current thread at a futex ends although no thread woke it.
    pub fn wake_for_nothing(&mut self, waiting: &Waiting) {
        if let Reason::Futex { place, .. } = waiting.reason {
            self.leave_futex(place, self.current);
        }
    }

    /// Takes a thread from a futex's queue.
    pub fn leave_futex(&mut self, place: u64, thread: ThreadId) {
        let futexes = &mut self.kernel.futexes;
        // It was woken: `wake` has taken it out.
        let Some(waiters) = futexes.get_mut(&place) else { return };
        waiters.retain(|&waiter| waiter != thread);
        if waiters.is_empty() {
            futexes.remove(&place);
        }
    }

    /// Wakes some waiters of a futex and lets others wait for another one; how many of each.
    fn requeue(&mut self, from: u64, to: u64, wake: u32, most: u32) -> (u32, u32) {
        let woken = self.wake(from, wake, ANY);
        let waiters = self.kernel.futexes.get(&from).cloned().unwrap_or_default();
        let mut moved = 0;
        for thread in waiters.into_iter().take(most as usize) {
            self.leave_futex(from, thread);
            self.kernel.futexes.entry(to).or_default().push(thread);
            let record = self.threads.get_mut(thread).expect(QUEUED);
            match &mut record.status {
                Status::Waiting(Waiting { reason: Reason::Futex { place, .. }, .. }) => *place = to,
                status => unreachable!("in the queue of a futex, and {status:?}"),
            }
            moved += 1;
        }
        (woken, moved)
    }
}
