//! `eventfd`: counters behind descriptors.

use super::counts::{self, SIZE};
use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::Refusal;
use crate::kernel::{Channel, Counter, Object, Reason};
use crate::system::events;

const SINGLY: u32 = 1;
const NONBLOCK: u32 = 0o4000;
const CLOEXEC: u32 = 0o2000000;
const READ_WRITE: u32 = 2;

pub(super) fn eventfd(call: &mut Call<'_>) -> Answer {
    create(call, 0)
}

pub(super) fn eventfd2(call: &mut Call<'_>) -> Answer {
    let flags = call.arguments[1];
    if flags & !(SINGLY | NONBLOCK | CLOEXEC) != 0 {
        return Err(Errno::EINVAL.into());
    }
    create(call, flags)
}

fn create(call: &mut Call<'_>, flags: u32) -> Answer {
    let counter = Counter::new(call.arguments[0], flags & SINGLY != 0);
    let channel = call.system.channels.add(Channel::Counter(counter));
    let opened =
        call.system.add_description(Object::Counter(channel), READ_WRITE | flags & NONBLOCK);
    let descriptor = opened.inspect_err(|_| call.system.channels.remove(channel))?;
    call.system.set_close_on_exec(descriptor, flags & CLOEXEC != 0);
    Ok(descriptor)
}

/// Takes what a counter counts, as the bytes of a `read`.
pub(super) fn take(
    call: &mut Call<'_>,
    number: u32,
    size: usize,
    blocks: bool,
) -> Result<Vec<u8>, Refusal> {
    counts::read(call, size, blocks, |call| {
        let counter = call.system.channels.counter_mut(number).ok_or(Errno::EBADF)?;
        if !counter.is_filled() {
            return Ok(Err(Reason::Counted(number)));
        }
        let count = counter.take();
        call.system.happened_to(&Object::Counter(number), events::OUT);
        Ok(Ok(count))
    })
}

/// Adds what the bytes of a `write` say.
pub(super) fn give(call: &mut Call<'_>, number: u32, bytes: &[u8], blocks: bool) -> Answer {
    let amount = bytes.first_chunk::<SIZE>().map(|it| u64::from_le_bytes(*it));
    let amount = amount.filter(|&it| it != u64::MAX).ok_or(Errno::EINVAL)?;
    let counter = call.system.channels.counter_mut(number).ok_or(Errno::EBADF)?;
    if counter.has_room(amount) {
        counter.add(amount);
        call.system.happened_to(&Object::Counter(number), events::IN);
        return Ok(SIZE as u32);
    }
    Err(counts::wait(Reason::CounterRoom { counter: number, amount }, blocks))
}
