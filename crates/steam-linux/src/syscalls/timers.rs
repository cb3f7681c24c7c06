//! `timer_create` and the like.

use super::time::{Clock, Width, clock, read, timespec};
use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{MOST_TIMERS, Notice, PosixTimer, Timer, TimerClock};
use crate::signals::number;
use crate::system::System;

/// The clock of a timer, if timers can count it.
fn timer_clock(call: &Call<'_>, id: u32) -> Result<TimerClock, Errno> {
    match id {
        // Raw and coarse clocks can only be read; those that wake the machine are for those who may.
        4..=6 => return Err(Errno::ENOTSUP),
        8 | 9 => return Err(Errno::EPERM),
        _ => {}
    }
    Ok(match clock(call, id)? {
        Clock::Elapsed { ahead } => TimerClock::Elapsed { ahead },
        Clock::Busy(whose) => TimerClock::Busy(whose),
    })
}

/// Reads a `struct sigevent`; without one it is SIGALRM, with the number of the timer.
fn notice(call: &mut Call<'_>, event: u32, id: u32) -> Result<Notice, Refusal> {
    const SIGNAL: u32 = 0;
    const NONE: u32 = 1;
    const THREAD: u32 = 2;
    const TO_THREAD: u32 = 4;
    if event == 0 {
        return Ok(Notice::Signal { number: number::ALRM, value: id, thread: None });
    }
    let [value, signal, kind, thread] = call.words(event)?;
    if kind == NONE {
        return Ok(Notice::None);
    }
    let number = u8::try_from(signal).ok().filter(|number| (1..=64).contains(number));
    let number = number.ok_or(Errno::EINVAL)?;
    let thread = match kind {
        SIGNAL | THREAD => None,
        TO_THREAD => {
            let thread = System::thread_numbered(thread).ok_or(Errno::EINVAL)?;
            if call.system.threads.space(thread) != Some(call.system.space) {
                return Err(Errno::EINVAL.into());
            }
            Some(thread)
        }
        _ => return Err(Errno::EINVAL.into()),
    };
    Ok(Notice::Signal { number, value, thread })
}

pub(super) fn timer_create(call: &mut Call<'_>) -> Answer {
    let [clock, event, place, ..] = call.arguments;
    let clock = timer_clock(call, clock)?;
    let taken = |id: &u32| call.system.process.posix_timers.get(id).is_some();
    let id = (0..MOST_TIMERS).find(|id| !taken(id)).ok_or(Errno::EAGAIN)?;
    let notice = notice(call, event, id)?;
    call.put_word(place, id)?;
    let timer = Timer::default();
    let timer = PosixTimer { clock, notice, timer, overrun: 0, again: false };
    call.system.process.posix_timers.insert(id, timer);
    Ok(0)
}

fn find(call: &Call<'_>) -> Result<(u32, PosixTimer), Errno> {
    let id = call.arguments[0];
    let timer = call.system.process.posix_timers.get(&id);
    timer.map(|timer| (id, *timer)).ok_or(Errno::EINVAL)
}

/// What is left until a timer fires, and its interval, as a `struct itimerspec`.
fn put_setting(call: &mut Call<'_>, place: u32, timer: PosixTimer, width: Width) -> Answer {
    let wide = width == Width::Wide;
    let now = call.system.timer_time(timer.clock);
    let left = timer.timer.deadline.map_or(0, |deadline| deadline.saturating_sub(now).max(1));
    let mut bytes = timespec(timer.timer.interval, wide);
    bytes.extend(timespec(left, wide));
    call.put(place, &bytes)?;
    Ok(0)
}

pub(super) fn timer_settime(call: &mut Call<'_>) -> Answer {
    set(call, Width::Narrow)
}

pub(super) fn timer_settime64(call: &mut Call<'_>) -> Answer {
    set(call, Width::Wide)
}

fn set(call: &mut Call<'_>, width: Width) -> Answer {
    const ABSOLUTE: u32 = 1;
    let [_, flags, new, old, ..] = call.arguments;
    if new == 0 {
        return Err(Errno::EINVAL.into());
    }
    let size = if width == Width::Wide { 16 } else { 8 };
    let interval = read(call, new, width)?;
    let value = read(call, new.wrapping_add(size), width)?;
    let (id, before) = find(call)?;
    let now = call.system.timer_time(before.clock);
    let deadline = match before.clock {
        _ if value == 0 => None,
        TimerClock::Elapsed { ahead } if flags & ABSOLUTE != 0 => Some(value.saturating_sub(ahead)),
        TimerClock::Busy(_) if flags & ABSOLUTE != 0 => Some(value),
        _ => Some(now.saturating_add(value)),
    };
    if old != 0 {
        put_setting(call, old, before, width)?;
    }
    call.system.withdraw_notice(id);
    let timer = Timer { deadline, interval, fired: false };
    let after = PosixTimer { timer, overrun: 0, again: false, ..before };
    call.system.process.posix_timers.insert(id, after);
    Ok(0)
}

pub(super) fn timer_gettime(call: &mut Call<'_>) -> Answer {
    let (_, timer) = find(call)?;
    put_setting(call, call.arguments[1], timer, Width::Narrow)
}

pub(super) fn timer_gettime64(call: &mut Call<'_>) -> Answer {
    let (_, timer) = find(call)?;
    put_setting(call, call.arguments[1], timer, Width::Wide)
}

pub(super) fn timer_getoverrun(call: &mut Call<'_>) -> Answer {
    let (_, timer) = find(call)?;
    Ok(timer.overrun)
}

pub(super) fn timer_delete(call: &mut Call<'_>) -> Answer {
    let (id, _) = find(call)?;
    call.system.withdraw_notice(id);
    call.system.process.posix_timers.remove(&id);
    Ok(0)
}
