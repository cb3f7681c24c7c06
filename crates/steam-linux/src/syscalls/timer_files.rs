//! `timerfd`: timers behind descriptors.

use super::time::{Clock, Width, clock, read, timespec};
use super::{Answer, Call, counts};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Channel, Object, Reason, TimerFile};
use crate::system::System;

const NONBLOCK: u32 = 0o4000;
const CLOEXEC: u32 = 0o2000000;
const READ_WRITE: u32 = 2;
const ABSOLUTE: u32 = 1;
/// It is an error to read after the clock was set, which does not happen here.
const CANCEL_ON_SET: u32 = 2;

impl System {
    /// The next value of the clock at which a timer behind a descriptor expires.
    pub(crate) fn next_expiration(&self) -> Option<u64> {
        let timers =
            self.kernel.descriptions.values().filter_map(|description| match description.object {
                Object::TimerFile(number) => self.channels.timer_file(number),
                _ => None,
            });
        timers.filter_map(|timer| timer.awaited(self.kernel.clock)).min()
    }
}

pub(super) fn timerfd_create(call: &mut Call<'_>) -> Answer {
    let [id, flags, ..] = call.arguments;
    if flags & !(CLOEXEC | NONBLOCK) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let ahead = match (id, clock(call, id)) {
        (0 | 1 | 7, Ok(Clock::Elapsed { ahead })) => ahead,
        // Those that wake the machine are for those who may.
        (8 | 9, _) => return Err(Errno::EPERM.into()),
        _ => return Err(Errno::EINVAL.into()),
    };
    let channel = call.system.channels.add(Channel::TimerFile(TimerFile::new(ahead)));
    let opened =
        call.system.add_description(Object::TimerFile(channel), READ_WRITE | flags & NONBLOCK);
    let descriptor = opened.inspect_err(|_| call.system.channels.remove(channel))?;
    call.system.set_close_on_exec(descriptor, flags & CLOEXEC != 0);
    Ok(descriptor)
}

fn timer<'a>(call: &'a mut Call<'_>, descriptor: u32) -> Result<&'a mut TimerFile, Errno> {
    match call.system.description(descriptor)?.1.object {
        Object::TimerFile(number) => {
            call.system.channels.timer_file_mut(number).ok_or(Errno::EBADF)
        }
        _ => Err(Errno::EINVAL),
    }
}

/// What is left until a timer expires, and its interval, as a `struct itimerspec`.
fn setting(call: &mut Call<'_>, descriptor: u32, width: Width) -> Result<Vec<u8>, Errno> {
    let wide = width == Width::Wide;
    let now = call.system.kernel.clock;
    let timer = timer(call, descriptor)?;
    let mut bytes = timespec(timer.interval, wide);
    bytes.extend(timespec(timer.left(now), wide));
    Ok(bytes)
}

pub(super) fn timerfd_settime(call: &mut Call<'_>) -> Answer {
    set(call, Width::Narrow)
}

pub(super) fn timerfd_settime64(call: &mut Call<'_>) -> Answer {
    set(call, Width::Wide)
}

fn set(call: &mut Call<'_>, width: Width) -> Answer {
    let [descriptor, flags, new, old, ..] = call.arguments;
    let size = if width == Width::Wide { 16 } else { 8 };
    let interval = read(call, new, width)?;
    let value = read(call, new.wrapping_add(size), width)?;
    if flags & !(ABSOLUTE | CANCEL_ON_SET) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let before = setting(call, descriptor, width)?;
    let now = call.system.kernel.clock;
    let timer = timer(call, descriptor)?;
    let deadline = match flags & ABSOLUTE {
        _ if value == 0 => None,
        0 => Some(now.saturating_add(value)),
        _ => Some(value.saturating_sub(timer.ahead)),
    };
    timer.set(deadline, interval);
    if old != 0 {
        call.put(old, &before)?;
    }
    Ok(0)
}

pub(super) fn timerfd_gettime(call: &mut Call<'_>) -> Answer {
    get(call, Width::Narrow)
}

pub(super) fn timerfd_gettime64(call: &mut Call<'_>) -> Answer {
    get(call, Width::Wide)
}

fn get(call: &mut Call<'_>, width: Width) -> Answer {
    let [descriptor, place, ..] = call.arguments;
    let bytes = setting(call, descriptor, width)?;
    call.put(place, &bytes)?;
    Ok(0)
}

/// Takes how often a timer has expired, as the bytes of a `read`.
pub(super) fn take(
    call: &mut Call<'_>,
    number: u32,
    size: usize,
    blocks: bool,
) -> Result<Vec<u8>, Refusal> {
    counts::read(call, size, blocks, |call| {
        let now = call.system.kernel.clock;
        let timer = call.system.channels.timer_file_mut(number).ok_or(Errno::EBADF)?;
        Ok(match timer.take(now) {
            0 => Err(Reason::Expired(number)),
            ticks => Ok(ticks),
        })
    })
}
