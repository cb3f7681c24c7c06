//! What a system call would have to wait for, before it is done.

use super::{Call, children, message_queues, semaphores, sockets, splices};
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Object, Reason, Waiting};

const NONBLOCK: u32 = 0o4000;

/// A wait without a limit of time.
fn endless(reason: Reason) -> Waiting {
    Waiting { reason, deadline: None }
}

pub(super) fn read(call: &mut Call<'_>) -> Option<Waiting> {
    let [descriptor, _, size, ..] = call.arguments;
    if call.is_socket(descriptor) {
        return if size == 0 { None } else { sockets::receive_need(call, 0) };
    }
    let description = call.system.description(descriptor).ok()?.1;
    if description.flags & NONBLOCK != 0 || size == 0 {
        return None;
    }
    match description.object {
        Object::PipeReader(pipe) => Some(endless(Reason::PipeFilled(pipe))),
        Object::Counter(counter) if size >= 8 => Some(endless(Reason::Counted(counter))),
        Object::SignalFile(file) if size >= 128 => Some(endless(Reason::SignalRead(file))),
        Object::TimerFile(timer) if size >= 8 => Some(endless(Reason::Expired(timer))),
        _ => None,
    }
}

pub(super) fn readv(call: &mut Call<'_>) -> Option<Waiting> {
    let [descriptor, ..] = call.arguments;
    if call.is_socket(descriptor) {
        return sockets::receive_need(call, 0);
    }
    match call.system.description(descriptor).ok()?.1 {
        it if it.flags & NONBLOCK != 0 => None,
        it => match it.object {
            Object::PipeReader(pipe) => Some(endless(Reason::PipeFilled(pipe))),
            _ => None,
        },
    }
}

pub(super) fn write(call: &mut Call<'_>) -> Option<Waiting> {
    let [descriptor, _, size, ..] = call.arguments;
    if call.is_socket(descriptor) {
        return sockets::write_need(call);
    }
    let pipe = blocking_writer(call, descriptor)?;
    Some(endless(Reason::PipeDrained { pipe, written: 0, left: size }))
}

pub(super) fn writev(call: &mut Call<'_>) -> Option<Waiting> {
    let [descriptor, parts, count, ..] = call.arguments;
    if call.is_socket(descriptor) {
        return sockets::write_need(call);
    }
    let pipe = blocking_writer(call, descriptor)?;
    let left = total(call, parts, count).ok()?;
    Some(endless(Reason::PipeDrained { pipe, written: 0, left }))
}

/// The pipe to which a descriptor writes, if it waits for room.
fn blocking_writer(call: &Call<'_>, descriptor: u32) -> Option<u32> {
    match call.system.description(descriptor).ok()?.1 {
        it if it.flags & NONBLOCK != 0 => None,
        it => match it.object {
            Object::PipeWriter(pipe) => Some(pipe),
            _ => None,
        },
    }
}

pub(super) fn splice(call: &mut Call<'_>) -> Option<Waiting> {
    let [from, _, to, _, size, flags] = call.arguments;
    splices::need(call, [from, to], size, flags).map(endless)
}

pub(super) fn tee(call: &mut Call<'_>) -> Option<Waiting> {
    let [from, to, size, flags, ..] = call.arguments;
    splices::need(call, [from, to], size, flags).map(endless)
}

pub(super) fn semtimedop(call: &mut Call<'_>) -> Option<Waiting> {
    let [id, operations, count, timeout, ..] = call.arguments;
    if timeout != 0 {
        return None;
    }
    semaphores_need(call, id, operations, count).map(endless)
}

pub(super) fn msgsnd(call: &mut Call<'_>) -> Option<Waiting> {
    let [id, buffer, size, flags, ..] = call.arguments;
    room(call, id, buffer, size, flags).map(endless)
}

pub(super) fn msgrcv(call: &mut Call<'_>) -> Option<Waiting> {
    let [id, _, _, kind, flags, _] = call.arguments;
    message(call, id, kind, flags).map(endless)
}

/// What `waitpid` and `wait4` have to wait for.
pub(super) fn child(call: &mut Call<'_>) -> Option<Waiting> {
    let [number, _, options, ..] = call.arguments;
    let which = children::children(call, number as i32).ok()?;
    (options & children::NO_HANG == 0).then(|| endless(children::reason(which, options)))
}

/// How many bytes the parts of a `writev` have.
fn total(call: &mut Call<'_>, parts: u32, count: u32) -> Result<u32, Refusal> {
    let bytes = call.bytes(parts, count.min(1024) * 8)?;
    let sizes = bytes.chunks_exact(8).map(|it| u32::from_le_bytes([it[4], it[5], it[6], it[7]]));
    Ok(sizes.fold(0, u32::saturating_add))
}

/// What a System V call through the one number of all of them has to wait for.
pub(super) fn ipc(call: &mut Call<'_>) -> Option<Waiting> {
    let [which, first, second, third, pointer, fifth] = call.arguments;
    let reason = match which {
        1 => semaphores_need(call, first, pointer, second)?,
        4 if fifth == 0 => semaphores_need(call, first, pointer, second)?,
        11 => room(call, first, pointer, second, third)?,
        12 => {
            let kind = call.word(pointer.wrapping_add(4)).ok()?;
            message(call, first, kind, third)?
        }
        0x1000c => message(call, first, fifth, third)?,
        _ => return None,
    };
    Some(Waiting { reason, deadline: None })
}

fn semaphores_need(call: &mut Call<'_>, id: u32, address: u32, count: u32) -> Option<Reason> {
    let operations = semaphores::read_operations(call, address, count).ok()?;
    let channel = call.facility_of(id, false).ok()?.channel;
    Some(Reason::Semaphores { channel, id, operations })
}

fn room(call: &mut Call<'_>, id: u32, buffer: u32, size: u32, flags: u32) -> Option<Reason> {
    let channel = call.facility_of(id, true).ok()?.channel;
    let kind = call.word(buffer).ok()? as i32;
    (flags & NONBLOCK == 0).then_some(Reason::Room { channel, id, size, kind })
}

fn message(call: &mut Call<'_>, id: u32, kind: u32, flags: u32) -> Option<Reason> {
    let channel = call.facility_of(id, true).ok()?.channel;
    let wanted = message_queues::wanted(kind, flags);
    (flags & NONBLOCK == 0).then_some(Reason::Message { channel, id, wanted })
}
