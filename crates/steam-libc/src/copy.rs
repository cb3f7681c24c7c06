//! Functions that copy and fill.
//!
//! Those with a size check all bytes before the first is written; those that work up to a zero
//! write until a byte is refused, as a loop over bytes would. Only `memmove` may copy between blocks
//! that overlap; that both are the same is left alone, since compilers copy structures so.

use steam_report::FailureProblem;
use steam_state::AccessKind;

use super::call::{Answer, LibraryCall, Stop};
use super::find::{first, length};

pub(super) fn strcpy(call: &mut LibraryCall<'_>) -> Answer {
    let (target, source) = call.two()?;
    text(call, target, source)?;
    Ok(target)
}

pub(super) fn stpcpy(call: &mut LibraryCall<'_>) -> Answer {
    let (target, source) = call.two()?;
    Ok(target.wrapping_add(text(call, target, source)?))
}

pub(super) fn strncpy(call: &mut LibraryCall<'_>) -> Answer {
    let (target, source, size) = call.three()?;
    padded(call, target, source, size)?;
    Ok(target)
}

pub(super) fn stpncpy(call: &mut LibraryCall<'_>) -> Answer {
    let (target, source, size) = call.three()?;
    Ok(target.wrapping_add(padded(call, target, source, size)?))
}

/// Copies what fits and ends it with a zero; answers the length of the whole source.
pub(super) fn strlcpy(call: &mut LibraryCall<'_>) -> Answer {
    let (target, source, size) = call.three()?;
    let length = length(call, source, u32::MAX)?;
    if let Some(room) = size.checked_sub(1) {
        let copied = length.min(room);
        apart(target, copied + 1, source, length.saturating_add(1))?;
        runs(call, target, source, copied)?;
        fill(call, target.wrapping_add(copied), 0, 1)?;
    }
    Ok(length)
}

pub(super) fn strcat(call: &mut LibraryCall<'_>) -> Answer {
    let (target, source) = call.two()?;
    let end = target.wrapping_add(length(call, target, u32::MAX)?);
    text(call, end, source)?;
    Ok(target)
}

pub(super) fn strncat(call: &mut LibraryCall<'_>) -> Answer {
    let (target, source, limit) = call.three()?;
    let end = target.wrapping_add(length(call, target, u32::MAX)?);
    let copied = length(call, source, limit)?;
    apart(end, copied + 1, source, copied.saturating_add(1).min(limit))?;
    runs(call, end, source, copied)?;
    fill(call, end.wrapping_add(copied), 0, 1)?;
    Ok(target)
}

pub(super) fn memcpy(call: &mut LibraryCall<'_>) -> Answer {
    let (target, source, size) = call.three()?;
    call.check(source, size, AccessKind::Read)?;
    call.check(target, size, AccessKind::Write)?;
    apart(target, size, source, size)?;
    memmove(call)
}

pub(super) fn memmove(call: &mut LibraryCall<'_>) -> Answer {
    let (target, source, size) = call.three()?;
    bytes(call, target, source, size)?;
    Ok(target)
}

pub(super) fn mempcpy(call: &mut LibraryCall<'_>) -> Answer {
    Ok(memcpy(call)?.wrapping_add(call.argument(2)?))
}

/// Copies up to and with a byte; answers the address after its copy, or 0 if it was not there.
pub(super) fn memccpy(call: &mut LibraryCall<'_>) -> Answer {
    let (target, source, wanted) = call.three()?;
    let limit = call.argument(3)?;
    let found = first(call, source, wanted as u8, limit)?;
    let size = found.map_or(limit, |offset| offset + 1);
    apart(target, size, source, size)?;
    runs(call, target, source, size)?;
    Ok(found.map_or(0, |_| target.wrapping_add(size)))
}

pub(super) fn memset(call: &mut LibraryCall<'_>) -> Answer {
    let (target, value, size) = (call.argument(0)?, call.passed_argument(1)?, call.argument(2)?);
    call.check(target, size, AccessKind::Write)?;
    fill(call, target, value as u8, size)?;
    Ok(target)
}

/// Refuses blocks that overlap, but for those that begin at the same place.
pub(super) fn apart(target: u32, written: u32, source: u32, read: u32) -> Result<(), Stop> {
    let overlap = source.wrapping_sub(target) < written || target.wrapping_sub(source) < read;
    match overlap && target != source && read > 0 && written > 0 {
        true => Err(Stop::Problem(FailureProblem::Overlap { target, source, size: written })),
        false => Ok(()),
    }
}

/// Copies bytes that may overlap; all or none.
pub(super) fn bytes(
    call: &mut LibraryCall<'_>,
    target: u32,
    source: u32,
    size: u32,
) -> Result<(), Stop> {
    call.check(source, size, AccessKind::Read)?;
    call.check(target, size, AccessKind::Write)?;
    if target.wrapping_sub(source) < size {
        backwards(call, target, source, size)?;
        call.cpu.memory.copy_definedness(target, source, size);
        Ok(())
    } else {
        runs(call, target, source, size)
    }
}

/// Copies with ascending addresses.
fn runs(call: &mut LibraryCall<'_>, target: u32, source: u32, size: u32) -> Result<(), Stop> {
    let esp = call.esp();
    let mut done = 0;
    while done < size {
        let (to, from) = (target.wrapping_add(done), source.wrapping_add(done));
        done += call.cpu.memory.copy_run(to, from, size - done, esp)?;
    }
    Ok(())
}

/// Copies piece by piece from the end, for a target that overlaps the end of its source.
fn backwards(call: &mut LibraryCall<'_>, target: u32, source: u32, size: u32) -> Result<(), Stop> {
    let mut piece = [0; 512];
    let mut left = size;
    while left > 0 {
        let part = left.min(piece.len() as u32);
        left -= part;
        call.load(source.wrapping_add(left), &mut piece[..part as usize])?;
        call.write(target.wrapping_add(left), &piece[..part as usize])?;
    }
    Ok(())
}

/// Copies a string with its zero; answers its length.
fn text(call: &mut LibraryCall<'_>, target: u32, source: u32) -> Answer {
    let length = length(call, source, u32::MAX)?;
    let size = length.saturating_add(1);
    apart(target, size, source, size)?;
    runs(call, target, source, size)?;
    Ok(length)
}

/// Copies at most `size` bytes of a string and fills up with zeros; answers how many were copied.
fn padded(call: &mut LibraryCall<'_>, target: u32, source: u32, size: u32) -> Answer {
    let copied = length(call, source, size)?;
    apart(target, size, source, copied.saturating_add(1).min(size))?;
    runs(call, target, source, copied)?;
    fill(call, target.wrapping_add(copied), 0, size - copied)?;
    Ok(copied)
}

fn fill(call: &mut LibraryCall<'_>, target: u32, value: u8, size: u32) -> Result<(), Stop> {
    let mut done = 0;
    while done < size {
        let run = call.writable(target.wrapping_add(done), size - done)?;
        run.fill(value);
        done += run.len() as u32;
    }
    call.cpu.memory.make_defined(target, size);
    Ok(())
}
