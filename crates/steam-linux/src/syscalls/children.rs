//! Waiting for children.

use steam_state::ThreadId;
use steam_visibility::THREAD_TABLE;

use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Children, Reason, Waiting};
use crate::signals::{CHANGES, GOES_ON, number};
use crate::system::System;

/// Answer at once.
pub(super) const NO_HANG: u32 = 1;

/// Which children a number means.
pub(super) fn children(call: &Call<'_>, number: i32) -> Result<Children, Errno> {
    Ok(match number {
        -1 => Children::Any,
        0 => Children::Group(call.system.process.group),
        number if number < 0 => Children::Group(number.unsigned_abs()),
        number => {
            let leader = System::thread_numbered(number as u32).ok_or(Errno::ECHILD)?;
            Children::One(leader)
        }
    })
}

/// What a call that waits for children waits for.
pub(super) fn reason(which: Children, options: u32) -> Reason {
    match options & CHANGES {
        0 => Reason::Child(which),
        options => Reason::ChildChange { which, options },
    }
}

/// A child of which there is something to be reported, with its status; `None` if there is none and no process shall
/// wait.
fn find(
    call: &Call<'_>,
    which: Children,
    options: u32,
) -> Result<Option<(ThreadId, u32)>, Refusal> {
    let system = &*call.system;
    let own = || system.numbered_children(system.space, which);
    if own().next().is_none() {
        return Err(Errno::ECHILD.into());
    }
    match own().find_map(|(child, entry)| Some((child, entry.news(options)?))) {
        None if options & NO_HANG == 0 => {
            Err(Refusal::Wait(Waiting { reason: reason(which, options), deadline: None }))
        }
        found => Ok(found),
    }
}

fn wait(call: &mut Call<'_>, number: u32, status_place: u32, options: u32) -> Answer {
    let which = children(call, number as i32)?;
    let Some((child, status)) = find(call, which, options)? else { return Ok(0) };
    if status_place != 0 {
        call.put_word(status_place, status)?;
    }
    forget(call, child);
    Ok(System::thread_number(child))
}

pub(super) fn waitpid(call: &mut Call<'_>) -> Answer {
    let [number, status, options, ..] = call.arguments;
    wait(call, number, status, options)
}

pub(super) fn wait4(call: &mut Call<'_>) -> Answer {
    const USAGE_SIZE: usize = 72;
    let [number, status, options, usage, ..] = call.arguments;
    let child = wait(call, number, status, options)?;
    if usage != 0 && child != 0 {
        call.put(usage, &[0; USAGE_SIZE])?;
    }
    Ok(child)
}

pub(super) fn waitid(call: &mut Call<'_>) -> Answer {
    const ALL: u32 = 0;
    const ONE: u32 = 1;
    const GROUP: u32 = 2;
    const EXITED: u32 = 4;
    const LEAVE: u32 = 0x0100_0000;
    let [kind, number, info, options, ..] = call.arguments;
    if options & (EXITED | CHANGES) == 0 {
        return Err(Errno::EINVAL.into());
    }
    if options & EXITED == 0 {
        return Err(Refusal::Unknown("waitid for children that stop alone".to_owned()));
    }
    let which = match kind {
        ALL => Children::Any,
        ONE => children(call, number as i32)?,
        GROUP if number == 0 => Children::Group(call.system.process.group),
        GROUP => Children::Group(number),
        _ => return Err(Errno::EINVAL.into()),
    };
    let found = find(call, which, options)?;
    if info != 0 {
        call.put(info, &found.map_or([0; 128], info_of))?;
    }
    if let Some((child, _)) = found.filter(|_| options & LEAVE == 0) {
        forget(call, child);
    }
    Ok(0)
}

/// A child was waited for: if it has ended, its number is free.
fn forget(call: &mut Call<'_>, child: ThreadId) {
    match call.system.kernel.processes.get_mut(&child) {
        Some(entry) if entry.ended.is_none() => entry.change = None,
        _ => {
            let entry = call.system.kernel.processes.remove(&child);
            call.system.process.busy_children += entry.map_or(0, |entry| entry.busy);
        }
    }
    if !call.system.is_only_process() {
        call.cpu.memory.policy.note_common_word(THREAD_TABLE, true);
    }
}

/// The `siginfo_t` that says what became of a child.
fn info_of((child, status): (ThreadId, u32)) -> [u8; 128] {
    const CHILD: u32 = 17;
    let (code, value) = match status {
        GOES_ON => (6, u32::from(number::CONT)),
        _ if status & 0x7f == 0 => (1, status >> 8),
        _ if status & 0xff == 0x7f => (5, status >> 8),
        _ => (2, status & 0x7f),
    };
    let words = [CHILD, 0, code, System::thread_number(child), crate::world::USER_ID, value];
    let mut bytes = [0; 128];
    for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}
