//! `signalfd`: signals that are read.

use super::{Answer, Call, counts};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Channel, Disposition, Object, Reason, SignalFile};
use crate::signals::{RECORD_SIZE, UNBLOCKABLE, bit, number, record_bytes};

const NONBLOCK: u32 = 0o4000;
const CLOEXEC: u32 = 0o2000000;
const READ_WRITE: u32 = 2;
const SET_SIZE: u32 = 8;
/// In place of a descriptor: a new one.
const NEW: u32 = u32::MAX;

pub(super) fn signalfd(call: &mut Call<'_>) -> Answer {
    open(call, 0)
}

pub(super) fn signalfd4(call: &mut Call<'_>) -> Answer {
    open(call, call.arguments[3])
}

fn open(call: &mut Call<'_>, flags: u32) -> Answer {
    let [descriptor, place, size, ..] = call.arguments;
    if size != SET_SIZE {
        return Err(Errno::EINVAL.into());
    }
    let set = call.long(place)? & !UNBLOCKABLE;
    if flags & !(CLOEXEC | NONBLOCK) != 0 {
        return Err(Errno::EINVAL.into());
    }
    if descriptor == NEW { create(call, set, flags) } else { change(call, descriptor, set) }
}

fn create(call: &mut Call<'_>, set: u64, flags: u32) -> Answer {
    let file = SignalFile { set, watcher: None };
    let channel = call.system.channels.add(Channel::SignalFile(file));
    let opened =
        call.system.add_description(Object::SignalFile(channel), READ_WRITE | flags & NONBLOCK);
    let descriptor = opened.inspect_err(|_| call.system.channels.remove(channel))?;
    call.system.set_close_on_exec(descriptor, flags & CLOEXEC != 0);
    Ok(descriptor)
}

fn change(call: &mut Call<'_>, descriptor: u32, set: u64) -> Answer {
    let Object::SignalFile(channel) = call.system.description(descriptor)?.1.object else {
        return Err(Errno::EINVAL.into());
    };
    call.system.channels.signal_file_mut(channel).ok_or(Errno::EBADF)?.set = set;
    Ok(descriptor)
}

/// Takes signals that wait for the thread, as the bytes of a `read`.
pub(super) fn take(
    call: &mut Call<'_>,
    channel: u32,
    size: usize,
    blocks: bool,
) -> Result<Vec<u8>, Refusal> {
    let most = size / RECORD_SIZE;
    if most == 0 {
        return Err(Errno::EINVAL.into());
    }
    let set = call.system.channels.signal_file(channel).ok_or(Errno::EBADF)?.set;
    refuse_handled(call, set)?;
    let thread = call.system.current;
    let mut bytes = Vec::new();
    for _ in 0..most {
        let Some(info) = call.system.take_pending(thread, set) else { break };
        bytes.extend_from_slice(&record_bytes(&info));
    }
    match bytes.is_empty() {
        false => Ok(bytes),
        true => Err(counts::wait(Reason::SignalRead(channel), blocks)),
    }
}

/// The same for who waits until one of several descriptions is ready.
pub(super) fn refuse_handled_at(
    call: &mut Call<'_>,
    descriptions: impl Iterator<Item = u32>,
) -> Result<(), Refusal> {
    for description in descriptions {
        let object = call
            .system
            .kernel
            .descriptions
            .get(&description)
            .map(|description| &description.object);
        let Some(&Object::SignalFile(channel)) = object else { continue };
        let set = call.system.channels.signal_file(channel).map_or(0, |file| file.set);
        refuse_handled(call, set)?;
    }
    Ok(())
}

/// A thread that waits in such a call gets a signal that it does not block before its handler runs, and who comes a
/// little later is not.
fn refuse_handled(call: &mut Call<'_>, set: u64) -> Result<(), Refusal> {
    let open = set & !call.thread()?.mask;
    let process = &call.system.process;
    let handled = (1..=number::LAST).find(|&signal| {
        open & bit(signal) != 0
            && matches!(process.action(signal).disposition, Disposition::Handler(_))
    });
    match handled {
        Some(signal) => {
            let name = crate::signals::name(signal);
            let what = format!("{name} by signalfd, which has a handler and is not blocked");
            Err(Refusal::Unknown(what))
        }
        None => Ok(()),
    }
}
