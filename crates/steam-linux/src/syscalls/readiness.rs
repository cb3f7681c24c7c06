//! Waiting for open files to become ready: poll and select.

use super::time::{self, Width};
use super::{Answer, Call, signal_files};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Interest, Reason, Waiting};
use crate::signals::UNBLOCKABLE;
use crate::system::events;

const MOST_DESCRIPTORS: u32 = 1024;

/// How long to wait, and with which signals blocked meanwhile.
struct WaitLimits {
    /// Nanoseconds; `None` for ever.
    timeout: Option<u64>,
    mask: Option<u64>,
}

impl Call<'_> {
    /// The signals that are blocked during the call; those of before come back when it ends.
    fn change_mask(&mut self, mask: Option<u64>) -> Result<(), Refusal> {
        let Some(mask) = mask else { return Ok(()) };
        let record = self.thread()?;
        record.saved_mask = Some(record.mask);
        record.mask = mask & !UNBLOCKABLE;
        Ok(())
    }

    /// Refuses to say whether there is room in a buffer that has more room on other machines.
    pub(super) fn refuse_vague(&self, interest: Interest) -> Result<(), Refusal> {
        match self.system.has_vague_room(interest) {
            true => {
                let what = "whether a socket whose SO_SNDBUF or SO_RCVBUF was set has room";
                Err(Refusal::Unknown(what.to_owned()))
            }
            false => Ok(()),
        }
    }

    /// What the call waits for, if it does: it is not told which signals are blocked meanwhile.
    fn ready_need(&self, interests: Vec<Interest>, limits: &WaitLimits) -> Option<Waiting> {
        let clock = self.system.kernel.clock;
        if limits.timeout == Some(0) || limits.mask.is_some() {
            return None;
        }
        let deadline = limits.timeout.map(|timeout| clock.saturating_add(timeout));
        Some(Waiting { reason: Reason::Ready(interests), deadline })
    }

    fn restore_mask(&mut self) -> Result<(), Refusal> {
        let record = self.thread()?;
        if let Some(mask) = record.saved_mask.take() {
            record.mask = mask;
        }
        Ok(())
    }

    /// Waits for one of several descriptions; `Ok` when the call is to answer that none is ready.
    fn wait_ready(&mut self, interests: Vec<Interest>, limits: &WaitLimits) -> Result<(), Refusal> {
        let clock = self.system.kernel.clock;
        let deadline = match &self.resumed {
            Some(waiting) => waiting.deadline,
            None => limits.timeout.map(|timeout| clock.saturating_add(timeout)),
        };
        if limits.timeout == Some(0) || deadline.is_some_and(|deadline| deadline <= clock) {
            return Ok(());
        }
        self.change_mask(limits.mask)?;
        signal_files::refuse_handled_at(
            self,
            interests.iter().map(|interest| interest.description),
        )?;
        Err(Refusal::Wait(Waiting { reason: Reason::Ready(interests), deadline }))
    }
}

pub(super) fn poll_need(call: &mut Call<'_>) -> Option<Waiting> {
    let limits = poll_limits(call);
    let interests = watched(call).ok()?;
    call.ready_need(interests, &limits)
}

pub(super) fn ppoll_need(call: &mut Call<'_>) -> Option<Waiting> {
    watched_need(call, Width::Narrow)
}

pub(super) fn ppoll_time64_need(call: &mut Call<'_>) -> Option<Waiting> {
    watched_need(call, Width::Wide)
}

fn watched_need(call: &mut Call<'_>, width: Width) -> Option<Waiting> {
    let limits = ppoll_limits(call, width).ok()?;
    let interests = watched(call).ok()?;
    call.ready_need(interests, &limits)
}

pub(super) fn select_need(call: &mut Call<'_>) -> Option<Waiting> {
    let limits = select_limits(call).ok()?;
    chosen_need(call, &limits)
}

pub(super) fn pselect6_need(call: &mut Call<'_>) -> Option<Waiting> {
    let limits = pselect_limits(call, Width::Narrow).ok()?;
    chosen_need(call, &limits)
}

pub(super) fn pselect6_time64_need(call: &mut Call<'_>) -> Option<Waiting> {
    let limits = pselect_limits(call, Width::Wide).ok()?;
    chosen_need(call, &limits)
}

fn chosen_need(call: &mut Call<'_>, limits: &WaitLimits) -> Option<Waiting> {
    let [count, first, second, third, ..] = call.arguments;
    let interests = chosen(call, count, [first, second, third]).ok()?;
    call.ready_need(interests, limits)
}

/// The descriptions that `poll` watches; refused where a descriptor is none.
fn watched(call: &mut Call<'_>) -> Result<Vec<Interest>, Refusal> {
    let (interests, results) = look(call)?;
    if results.contains(&events::INVALID) {
        return Err(Errno::EBADF.into());
    }
    Ok(interests)
}

/// The descriptions that `select` watches.
fn chosen(call: &mut Call<'_>, count: u32, sets: [u32; 3]) -> Result<Vec<Interest>, Refusal> {
    let mut sets = read_sets(call, count, sets)?;
    Ok(choose(call, count, &mut sets)?.0)
}

fn poll_limits(call: &Call<'_>) -> WaitLimits {
    let timeout = call.arguments[2] as i32;
    let timeout = u64::try_from(timeout).ok().map(|milliseconds| milliseconds * 1_000_000);
    WaitLimits { timeout, mask: None }
}

pub(super) fn poll(call: &mut Call<'_>) -> Answer {
    poll_with(call, &poll_limits(call))
}

pub(super) fn ppoll(call: &mut Call<'_>) -> Answer {
    ppoll_with(call, Width::Narrow)
}

pub(super) fn ppoll_time64(call: &mut Call<'_>) -> Answer {
    ppoll_with(call, Width::Wide)
}

fn ppoll_limits(call: &mut Call<'_>, width: Width) -> Result<WaitLimits, Refusal> {
    let [_, _, timeout, mask, ..] = call.arguments;
    let timeout = time::read_optional(call, timeout, width)?;
    let mask = if mask == 0 { None } else { Some(call.long(mask)?) };
    Ok(WaitLimits { timeout, mask })
}

fn ppoll_with(call: &mut Call<'_>, width: Width) -> Answer {
    let limits = ppoll_limits(call, width)?;
    poll_with(call, &limits)
}

/// What `poll` watches, and what it would tell of each entry.
fn look(call: &mut Call<'_>) -> Result<(Vec<Interest>, Vec<u16>), Refusal> {
    let [address, count, ..] = call.arguments;
    if count > MOST_DESCRIPTORS {
        return Err(Errno::EINVAL.into());
    }
    let bytes = call.bytes(address, count * 8)?;
    let mut interests = Vec::new();
    let mut results = Vec::new();
    for entry in bytes.chunks_exact(8) {
        let descriptor = i32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]);
        let wanted = u16::from_le_bytes([entry[4], entry[5]]);
        results.push(match u32::try_from(descriptor) {
            Err(_) => 0,
            Ok(descriptor) => match call.system.description(descriptor) {
                Err(_) => events::INVALID,
                Ok((description, _)) => {
                    let interest = Interest { description, events: wanted };
                    call.refuse_vague(interest)?;
                    interests.push(interest);
                    call.system.readiness(call.system.viewer(), interest)
                }
            },
        });
    }
    Ok((interests, results))
}

fn poll_with(call: &mut Call<'_>, limits: &WaitLimits) -> Answer {
    let address = call.arguments[0];
    if call.resumed.is_some() {
        call.restore_mask()?;
    }
    let (interests, results) = look(call)?;
    let ready = results.iter().filter(|&&result| result != 0).count() as u32;
    if ready == 0 {
        call.wait_ready(interests, limits)?;
    }
    for (i, result) in results.iter().enumerate() {
        call.put(address + 8 * i as u32 + 6, &result.to_le_bytes())?;
    }
    Ok(ready)
}

/// A set of `select`, which may be absent.
struct Set {
    address: u32,
    bits: Vec<u8>,
    events: u16,
}

/// `select` with the timeout as `timeval`.
pub(super) fn newselect(call: &mut Call<'_>) -> Answer {
    let [count, read, write, except, ..] = call.arguments;
    let limits = select_limits(call)?;
    select(call, count, [read, write, except], &limits)
}

fn select_limits(call: &mut Call<'_>) -> Result<WaitLimits, Refusal> {
    let timeout = call.arguments[4];
    let timeout = match timeout {
        0 => None,
        _ => {
            let [seconds, microseconds] = call.words(timeout)?;
            Some(time::checked(i64::from(seconds as i32), i64::from(microseconds) * 1000)?)
        }
    };
    Ok(WaitLimits { timeout, mask: None })
}

/// The oldest `select`, whose arguments lie in memory.
pub(super) fn old_select(call: &mut Call<'_>) -> Answer {
    let [count, read, write, except, timeout] = call.words(call.arguments[0])?;
    call.arguments = [count, read, write, except, timeout, 0];
    newselect(call)
}

pub(super) fn pselect6(call: &mut Call<'_>) -> Answer {
    pselect(call, Width::Narrow)
}

pub(super) fn pselect6_time64(call: &mut Call<'_>) -> Answer {
    pselect(call, Width::Wide)
}

fn pselect(call: &mut Call<'_>, width: Width) -> Answer {
    let [count, read, write, except, ..] = call.arguments;
    let limits = pselect_limits(call, width)?;
    select(call, count, [read, write, except], &limits)
}

fn pselect_limits(call: &mut Call<'_>, width: Width) -> Result<WaitLimits, Refusal> {
    let [_, _, _, _, timeout, mask] = call.arguments;
    let timeout = time::read_optional(call, timeout, width)?;
    let mask = match mask {
        0 => None,
        _ => match call.words::<2>(mask)? {
            [0, _] => None,
            [address, _] => Some(call.long(address)?),
        },
    };
    Ok(WaitLimits { timeout, mask })
}

fn select(call: &mut Call<'_>, count: u32, addresses: [u32; 3], limits: &WaitLimits) -> Answer {
    if call.resumed.is_some() {
        call.restore_mask()?;
    }
    let mut sets = read_sets(call, count, addresses)?;
    let (interests, ready) = choose(call, count, &mut sets)?;
    if ready == 0 {
        call.wait_ready(interests, limits)?;
    }
    for set in &sets {
        call.put(set.address, &set.bits)?;
    }
    Ok(ready)
}

/// The sets that are there.
fn read_sets(call: &mut Call<'_>, count: u32, addresses: [u32; 3]) -> Result<Vec<Set>, Refusal> {
    if count > MOST_DESCRIPTORS {
        return Err(Errno::EINVAL.into());
    }
    let size = count.div_ceil(32) * 4;
    let mut sets = Vec::new();
    for (address, events) in addresses.into_iter().zip([events::IN, events::OUT, 0]) {
        if address != 0 {
            sets.push(Set { address, bits: call.bytes(address, size)?, events });
        }
    }
    Ok(sets)
}

/// Leaves in the sets what is ready; what is watched, and how many are ready.
fn choose(
    call: &mut Call<'_>,
    count: u32,
    sets: &mut [Set],
) -> Result<(Vec<Interest>, u32), Refusal> {
    let mut interests = Vec::new();
    let mut ready = 0;
    for set in sets {
        for descriptor in 0..count {
            let (byte, bit) = (descriptor as usize / 8, 1 << (descriptor % 8));
            if set.bits[byte] & bit == 0 {
                continue;
            }
            let (description, _) = call.system.description(descriptor)?;
            let interest = Interest { description, events: set.events };
            call.refuse_vague(interest)?;
            // Hang-ups count as readable, errors as both.
            let counts = match set.events {
                events::IN => events::IN | events::HANG_UP | events::ERROR,
                events::OUT => events::OUT | events::ERROR,
                _ => 0,
            };
            // Nothing exceptional ever happens.
            if counts != 0 {
                interests.push(interest);
            }
            if call.system.readiness(call.system.viewer(), interest) & counts != 0 {
                ready += 1;
            } else {
                set.bits[byte] &= !bit;
            }
        }
    }
    Ok((interests, ready))
}
