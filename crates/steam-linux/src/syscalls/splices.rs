//! Moving bytes between a pipe and another file without a buffer of the program: `splice` and `tee`.
//!
//! One of the two must be a pipe. Bytes that a pipe gives wait there until the other file has taken them, so that a call
//! that has to wait, or fails, loses none.

use super::transfer::{
    APPEND, LARGEST_TRANSFER, NONBLOCK, broken_pipe, check_reading, check_writing, give, take,
    take_from_pipe,
};
use super::{Answer, Call, edges};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Object, Reason, Waiting};

/// The flags that there are: to move pages, not to wait, that more comes, and to give pages away.
const KNOWN: u32 = 15;
/// Not to wait.
const IMPATIENT: u32 = 2;

/// The pipe of which a descriptor is an end.
fn pipe_of(call: &Call<'_>, descriptor: u32) -> Result<Option<u32>, Errno> {
    Ok(match call.system.description(descriptor)?.1.object {
        Object::PipeReader(pipe) | Object::PipeWriter(pipe) => Some(pipe),
        _ => None,
    })
}

/// Whether one of two descriptors is a pipe that does not wait.
fn is_impatient(call: &Call<'_>, descriptors: [u32; 2], flags: u32) -> bool {
    let is = |descriptor| {
        let description = call.system.description(descriptor);
        let pipe = pipe_of(call, descriptor).is_ok_and(|pipe| pipe.is_some());
        pipe && description.is_ok_and(|description| description.1.flags & NONBLOCK != 0)
    };
    flags & IMPATIENT != 0 || descriptors.into_iter().any(is)
}

/// What moving bytes between two descriptors would have to wait for.
pub(super) fn need(
    call: &Call<'_>,
    descriptors: [u32; 2],
    size: u32,
    flags: u32,
) -> Option<Reason> {
    if size == 0 || is_impatient(call, descriptors, flags) {
        return None;
    }
    let [from, to] = descriptors.map(|descriptor| pipe_of(call, descriptor).ok());
    let (from, to) = (from?, to?);
    (from != to).then_some(Reason::Splice { from, to })
}

pub(super) fn splice(call: &mut Call<'_>) -> Answer {
    let [from, from_place, to, to_place, size, flags] = call.arguments;
    if size == 0 {
        return Ok(0);
    }
    if flags & !KNOWN != 0 {
        return Err(Errno::EINVAL.into());
    }
    let pipes = [pipe_of(call, from)?, pipe_of(call, to)?];
    if pipes[0].is_some() && from_place != 0 || pipes[1].is_some() && to_place != 0 {
        return Err(Errno::ESPIPE.into());
    }
    let place = |call: &mut Call<'_>, place| match place {
        0 => Ok(None),
        _ => call.long(place).map(Some),
    };
    let (to_at, from_at) = (place(call, to_place)?, place(call, from_place)?);
    check_reading(call, from)?;
    check_writing(call, to)?;
    let size = size.min(LARGEST_TRANSFER) as usize;
    let impatient = is_impatient(call, [from, to], flags);
    let count = match pipes {
        [None, None] => return Err(Errno::EINVAL.into()),
        [Some(source), Some(target)] => {
            let count = copy(call, [source, target], size, impatient)?;
            take_from_pipe(call, source, count as usize, false)?;
            return Ok(count);
        }
        [Some(source), None] => pipe_to_file(call, source, (to, to_at), size, impatient)?,
        [None, Some(target)] => file_to_pipe(call, (from, from_at), target, size, impatient)?,
    };
    for (place, at) in [(from_place, from_at), (to_place, to_at)] {
        if let Some(at) = at {
            let end = at + u64::from(count);
            call.put_words(place, &[end as u32, (end >> 32) as u32])?;
        }
    }
    Ok(count)
}

pub(super) fn tee(call: &mut Call<'_>) -> Answer {
    let [from, to, size, flags, ..] = call.arguments;
    if flags & !KNOWN != 0 {
        return Err(Errno::EINVAL.into());
    }
    if size == 0 {
        return Ok(0);
    }
    let pipes = [pipe_of(call, from)?, pipe_of(call, to)?];
    check_reading(call, from)?;
    check_writing(call, to)?;
    let [Some(source), Some(target)] = pipes else { return Err(Errno::EINVAL.into()) };
    let impatient = is_impatient(call, [from, to], flags);
    copy(call, [source, target], size.min(LARGEST_TRANSFER) as usize, impatient)
}

/// Copies bytes from one pipe to another.
fn copy(call: &mut Call<'_>, pipes: [u32; 2], size: usize, impatient: bool) -> Answer {
    let [source, target] = pipes;
    if source == target {
        return Err(Errno::EINVAL.into());
    }
    let input = call.system.channels.pipe(source).ok_or(Errno::EBADF)?;
    let output = call.system.channels.pipe(target).ok_or(Errno::EBADF)?;
    let reason = Reason::Splice { from: Some(source), to: Some(target) };
    if !input.readable() {
        return wait(reason, impatient);
    }
    if output.readers == 0 {
        return broken_pipe(call);
    }
    if output.room() == 0 {
        return wait(reason, impatient);
    }
    let bytes = input.front(size.min(output.room())).to_vec();
    Ok(put(call, target, &bytes))
}

/// Moves bytes from a pipe to another file, at its own offset or at a given one.
fn pipe_to_file(
    call: &mut Call<'_>,
    source: u32,
    (to, at): (u32, Option<u64>),
    size: usize,
    impatient: bool,
) -> Answer {
    let description = call.system.description(to)?.1;
    match &description.object {
        Object::File(_) if description.flags & APPEND != 0 => return Err(Errno::EINVAL.into()),
        Object::File(_) => {}
        Object::Null if at.is_none() => {}
        object => return Err(Refusal::Unknown(format!("to {}", name(object)))),
    }
    let input = call.system.channels.pipe(source).ok_or(Errno::EBADF)?;
    if !input.readable() {
        return wait(Reason::Splice { from: Some(source), to: None }, impatient);
    }
    let bytes = input.front(size).to_vec();
    if bytes.is_empty() {
        return Ok(0);
    }
    let count = give(call, to, &bytes, at)?;
    take_from_pipe(call, source, count as usize, false)?;
    Ok(count)
}

/// Moves bytes from a file to a pipe.
fn file_to_pipe(
    call: &mut Call<'_>,
    (from, at): (u32, Option<u64>),
    target: u32,
    size: usize,
    impatient: bool,
) -> Answer {
    match &call.system.description(from)?.1.object {
        Object::File(_) => {}
        object => return Err(Refusal::Unknown(format!("from {}", name(object)))),
    }
    let output = call.system.channels.pipe(target).ok_or(Errno::EBADF)?;
    if output.readers == 0 {
        return broken_pipe(call);
    }
    let room = output.room();
    if room == 0 {
        return wait(Reason::Splice { from: None, to: Some(target) }, impatient);
    }
    let bytes = take(call, from, size.min(room), at)?;
    Ok(put(call, target, &bytes))
}

/// Puts bytes into a pipe that has room for them.
fn put(call: &mut Call<'_>, target: u32, bytes: &[u8]) -> u32 {
    let pipe = call.system.channels.pipe_mut(target).expect("it was just looked at");
    let count = pipe.put(bytes);
    assert_eq!(count, bytes.len(), "there is room for them");
    if count > 0 {
        call.system.happened_to(&Object::PipeReader(target), edges::CAME);
    }
    count as u32
}

fn wait(reason: Reason, impatient: bool) -> Answer {
    match impatient {
        true => Err(Errno::EAGAIN.into()),
        false => Err(Refusal::Wait(Waiting { reason, deadline: None })),
    }
}

/// What a file is called that this does not move bytes to or from.
fn name(object: &Object) -> &'static str {
    match object {
        Object::Socket(_) => "a socket",
        Object::Input | Object::Output(_) => "a standard stream",
        _ => "what is no regular file",
    }
}
