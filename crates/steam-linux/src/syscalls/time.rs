//! Time: clocks, sleeping, timers. All of it is virtual.

use steam_state::{Space, ThreadId};

use super::{Answer, Call};
use crate::cpu_time::Busy;
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Reason, Remaining, Timer, Waiting};
use crate::system::System;
use crate::world::{START_SECONDS, UPTIME_SECONDS};

const BILLION: u64 = 1_000_000_000;
/// Nanoseconds of a tick of `times`.
const TICK: u64 = 10_000_000;

/// Whether the seconds of a `timespec` have 32 or 64 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    Narrow,
    Wide,
}

/// A duration as a `timespec`.
pub fn timespec(nanoseconds: u64, wide: bool) -> Vec<u8> {
    let (seconds, rest) = (nanoseconds / BILLION, nanoseconds % BILLION);
    let mut bytes = seconds.to_le_bytes()[..if wide { 8 } else { 4 }].to_vec();
    bytes.extend_from_slice(&rest.to_le_bytes()[..if wide { 8 } else { 4 }]);
    bytes
}

/// The nanoseconds of a duration, if it is one.
pub(super) fn checked(seconds: i64, nanoseconds: i64) -> Result<u64, Errno> {
    if seconds < 0 || !(0..BILLION as i64).contains(&nanoseconds) {
        return Err(Errno::EINVAL);
    }
    Ok((seconds as u64).saturating_mul(BILLION).saturating_add(nanoseconds as u64))
}

/// Reads a `timespec`.
pub(super) fn read(call: &mut Call<'_>, address: u32, width: Width) -> Result<u64, Refusal> {
    let (seconds, nanoseconds) = match width {
        Width::Narrow => {
            let [seconds, nanoseconds] = call.words(address)?;
            (i64::from(seconds as i32), i64::from(nanoseconds as i32))
        }
        // Of the nanoseconds, a 32-bit program sets the lower half alone.
        Width::Wide => {
            let seconds = call.long(address)? as i64;
            (seconds, i64::from(call.word(address.wrapping_add(8))? as i32))
        }
    };
    Ok(checked(seconds, nanoseconds)?)
}

/// Reads a `timespec` that may be absent.
pub(super) fn read_optional(
    call: &mut Call<'_>,
    address: u32,
    width: Width,
) -> Result<Option<u64>, Refusal> {
    if address == 0 { Ok(None) } else { read(call, address, width).map(Some) }
}

/// Nanoseconds that a clock shows more than the kernel's own; `None` for no such clock.
pub(super) enum Clock {
    Elapsed { ahead: u64 },
    Busy(Busy),
}

pub(super) fn clock(call: &Call<'_>, id: u32) -> Result<Clock, Errno> {
    let system = &call.system;
    match id {
        // Real time, also coarse, with alarm and as TAI.
        0 | 5 | 8 | 11 => Ok(Clock::Elapsed { ahead: START_SECONDS * BILLION }),
        // Monotonic, raw, coarse, since boot.
        1 | 4 | 6 | 7 | 9 => Ok(Clock::Elapsed { ahead: UPTIME_SECONDS * BILLION }),
        2 => Ok(Clock::Busy(Busy::Process(system.space))),
        3 => Ok(Clock::Busy(Busy::Thread(system.current))),
        // The clocks of CPU time of processes and threads have negative ids; those that end with 3 are of files.
        _ if (id as i32) < 0 && id & 3 != 3 => busy_by_number(system, id).map(Clock::Busy),
        _ => Err(Errno::EINVAL),
    }
}

/// Whose CPU time a clock shows that gives the number of a process or of a thread.
fn busy_by_number(system: &System, id: u32) -> Result<Busy, Errno> {
    const OF_THREAD: u32 = 4;
    let number = !(id as i32 >> 3) as u32;
    let busy = match (id & OF_THREAD != 0, number) {
        (true, 0) => Some(Busy::Thread(system.current)),
        (true, number) => system.thread_of(number).map(Busy::Thread),
        (false, 0) => Some(Busy::Process(system.space)),
        (false, number) => {
            let leader = System::thread_numbered(number);
            let lives = |it: &ThreadId| {
                system.kernel.processes.get(it).is_some_and(|entry| entry.ended.is_none())
            };
            leader.filter(lives).and_then(Space::of).map(Busy::Process)
        }
    };
    busy.ok_or(Errno::EINVAL)
}

/// The value of the kernel's clock that a time of the real-time or the monotonic clock means.
pub fn kernel_time(seconds: u64, nanoseconds: u32) -> u64 {
    let start = if seconds >= START_SECONDS { START_SECONDS } else { UPTIME_SECONDS };
    let seconds = seconds.saturating_sub(start);
    seconds.saturating_mul(BILLION).saturating_add(u64::from(nanoseconds))
}

fn read_clock(call: &mut Call<'_>, id: u32) -> Result<u64, Errno> {
    Ok(match clock(call, id)? {
        Clock::Elapsed { ahead } => call.system.read_time() + ahead,
        Clock::Busy(whose) => call.system.read_busy(whose),
    })
}

pub(super) fn time(call: &mut Call<'_>) -> Answer {
    let seconds = (START_SECONDS + call.system.read_time() / BILLION) as u32;
    if call.arguments[0] != 0 {
        call.put_word(call.arguments[0], seconds)?;
    }
    Ok(seconds)
}

pub(super) fn gettimeofday(call: &mut Call<'_>) -> Answer {
    let [place, zone, ..] = call.arguments;
    if place != 0 {
        let now = call.system.read_time();
        let (seconds, rest) = (START_SECONDS + now / BILLION, now % BILLION);
        call.put_words(place, &[seconds as u32, rest as u32 / 1000])?;
    }
    if zone != 0 {
        call.put_words(zone, &[0, 0])?;
    }
    Ok(0)
}

pub(super) fn clock_gettime(call: &mut Call<'_>) -> Answer {
    let now = read_clock(call, call.arguments[0])?;
    call.put(call.arguments[1], &timespec(now, false))?;
    Ok(0)
}

pub(super) fn clock_gettime64(call: &mut Call<'_>) -> Answer {
    let now = read_clock(call, call.arguments[0])?;
    call.put(call.arguments[1], &timespec(now, true))?;
    Ok(0)
}

pub(super) fn clock_getres(call: &mut Call<'_>) -> Answer {
    resolution(call, false)
}

pub(super) fn clock_getres_time64(call: &mut Call<'_>) -> Answer {
    resolution(call, true)
}

fn resolution(call: &mut Call<'_>, wide: bool) -> Answer {
    let [id, place, ..] = call.arguments;
    clock(call, id)?;
    let coarse = matches!(id, 5 | 6);
    if place != 0 {
        call.put(place, &timespec(if coarse { 4_000_000 } else { 1 }, wide))?;
    }
    Ok(0)
}

pub(super) fn clock_settime(call: &mut Call<'_>) -> Answer {
    set_clock(call, Width::Narrow)
}

pub(super) fn clock_settime64(call: &mut Call<'_>) -> Answer {
    set_clock(call, Width::Wide)
}

/// Only the real-time clock can be set, by those who may.
fn set_clock(call: &mut Call<'_>, width: Width) -> Answer {
    const REAL_TIME: u32 = 0;
    let [id, place, ..] = call.arguments;
    if id != REAL_TIME {
        return Err(Errno::EINVAL.into());
    }
    read(call, place, width)?;
    Err(Errno::EPERM.into())
}

pub(super) fn times(call: &mut Call<'_>) -> Answer {
    let own = Busy::Process(call.system.space);
    let busy = (call.system.read_busy(own) / TICK) as u32;
    if call.arguments[0] != 0 {
        let children = (call.system.process.busy_children / TICK) as u32;
        call.put_words(call.arguments[0], &[busy, 0, children, 0])?;
    }
    Ok(((UPTIME_SECONDS * BILLION + call.system.read_time()) / TICK) as u32)
}

/// Waits until a value of the kernel's clock.
fn sleep_until(call: &Call<'_>, deadline: u64, remaining: Option<Remaining>) -> Answer {
    let deadline = match &call.resumed {
        Some(waiting) => waiting.deadline.unwrap_or(0),
        None => deadline,
    };
    if deadline <= call.system.kernel.clock {
        return Ok(0);
    }
    let reason = Reason::Time { remaining };
    Err(Refusal::Wait(Waiting { reason, deadline: Some(deadline) }))
}

pub(super) fn nanosleep(call: &mut Call<'_>) -> Answer {
    let [duration, rest, ..] = call.arguments;
    let duration = read(call, duration, Width::Narrow)?;
    let remaining = (rest != 0).then_some(Remaining { address: rest, wide: false });
    let deadline = call.system.kernel.clock.saturating_add(duration);
    sleep_until(call, deadline, remaining)
}

pub(super) fn clock_nanosleep(call: &mut Call<'_>) -> Answer {
    sleep_on_clock(call, Width::Narrow)
}

pub(super) fn clock_nanosleep_time64(call: &mut Call<'_>) -> Answer {
    sleep_on_clock(call, Width::Wide)
}

fn sleep_on_clock(call: &mut Call<'_>, width: Width) -> Answer {
    const ABSOLUTE: u32 = 1;
    let [id, flags, duration, rest, ..] = call.arguments;
    const OWN_THREAD: u32 = 3;
    const RAW: u32 = 4;
    match id {
        OWN_THREAD => return Err(Errno::EINVAL.into()),
        // Clocks that can be read and nothing else.
        RAW..=6 => return Err(Errno::ENOTSUP.into()),
        _ => {}
    }
    let clock = clock(call, id)?;
    let duration = read(call, duration, width)?;
    let Clock::Elapsed { ahead } = clock else {
        return Err(Refusal::Unknown("sleeping on a clock of CPU time".to_owned()));
    };
    if flags & ABSOLUTE != 0 {
        return sleep_until(call, duration.saturating_sub(ahead), None);
    }
    let place = Remaining { address: rest, wide: width == Width::Wide };
    let deadline = call.system.kernel.clock.saturating_add(duration);
    sleep_until(call, deadline, (rest != 0).then_some(place))
}

impl Call<'_> {
    /// The deadline that a `timespec` means: a duration, or a time of a clock.
    pub(super) fn deadline(
        &mut self,
        address: u32,
        width: Width,
        absolute: Option<u32>,
    ) -> Result<Option<u64>, Refusal> {
        if let Some(waiting) = &self.resumed {
            return Ok(waiting.deadline);
        }
        let Some(time) = read_optional(self, address, width)? else { return Ok(None) };
        let now = self.system.kernel.clock;
        Ok(Some(match absolute {
            None => now.saturating_add(time),
            Some(id) => match clock(self, id)? {
                Clock::Elapsed { ahead } => time.saturating_sub(ahead),
                Clock::Busy(_) => time,
            },
        }))
    }

    /// Sets a timer; what was left of it and its interval.
    fn set_timer(&mut self, which: usize, value: u64, interval: u64) -> (u64, u64) {
        let now = self.timer_clock(which);
        let timer = &mut self.system.process.timers[which];
        let left = timer.deadline.map_or(0, |deadline| deadline.saturating_sub(now).max(1));
        let old = (left, timer.interval);
        let deadline = (value > 0).then(|| now.saturating_add(value));
        *timer = Timer { deadline, interval, ..*timer };
        old
    }

    fn timer_clock(&self, which: usize) -> u64 {
        if which == 0 { self.system.kernel.clock } else { self.system.busy_process() }
    }
}

pub(super) fn alarm(call: &mut Call<'_>) -> Answer {
    let seconds = u64::from(call.arguments[0]);
    let (left, _) = call.set_timer(0, seconds * BILLION, 0);
    Ok(left.div_ceil(BILLION) as u32)
}

fn timer_words(value: u64, interval: u64) -> [u32; 4] {
    let part =
        |nanoseconds: u64| [(nanoseconds / BILLION) as u32, (nanoseconds % BILLION / 1000) as u32];
    let ([a, b], [c, d]) = (part(interval), part(value));
    [a, b, c, d]
}

fn which_timer(call: &Call<'_>) -> Result<usize, Errno> {
    let which = call.arguments[0] as usize;
    if which < 3 { Ok(which) } else { Err(Errno::EINVAL) }
}

pub(super) fn setitimer(call: &mut Call<'_>) -> Answer {
    let [_, new, old, ..] = call.arguments;
    let which = which_timer(call)?;
    let (value, interval) = match new {
        0 => (0, 0),
        _ => {
            let [is, iu, vs, vu] = call.words(new)?;
            let duration = |seconds: u32, micros: u32| {
                checked(i64::from(seconds as i32), i64::from(micros) * 1000)
            };
            (duration(vs, vu)?, duration(is, iu)?)
        }
    };
    let (left, old_interval) = call.set_timer(which, value, interval);
    if old != 0 {
        call.put_words(old, &timer_words(left, old_interval))?;
    }
    Ok(0)
}

pub(super) fn getitimer(call: &mut Call<'_>) -> Answer {
    let which = which_timer(call)?;
    let timer = call.system.process.timers[which];
    let now = call.timer_clock(which);
    let left = timer.deadline.map_or(0, |deadline| deadline.saturating_sub(now));
    call.put_words(call.arguments[1], &timer_words(left, timer.interval))?;
    Ok(0)
}
