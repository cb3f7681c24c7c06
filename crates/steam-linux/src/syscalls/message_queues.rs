//! System V message queues.

use super::ipc::{NO_WAIT, Request, command, permissions};
use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Channel, Message, MessageQueue, QUEUE_CAPACITY, Reason, Waiting, Wanted};

/// A message is not longer than this.
const LONGEST: u32 = 8192;

pub(super) fn msgget(call: &mut Call<'_>) -> Answer {
    let [key, flags, ..] = call.arguments;
    call.facility(&Request { key, flags }, true, || Ok(Channel::Queue(MessageQueue::default())))
}

fn queue<'a>(call: &'a mut Call<'_>, channel: u32) -> Result<&'a mut MessageQueue, Errno> {
    call.system.channels.queue_mut(channel).ok_or(Errno::EINVAL)
}

pub(super) fn msgsnd(call: &mut Call<'_>) -> Answer {
    let [id, buffer, size, flags, ..] = call.arguments;
    if call.lost(id) {
        return Err(Errno::EIDRM.into());
    }
    if size > LONGEST {
        return Err(Errno::EINVAL.into());
    }
    let kind = call.word(buffer)? as i32;
    if kind < 1 {
        return Err(Errno::EINVAL.into());
    }
    let text = call.bytes(buffer.wrapping_add(4), size)?;
    let channel = call.facility_of(id, true)?.channel;
    if !queue(call, channel)?.has_room(size) {
        if flags & NO_WAIT != 0 {
            return Err(Errno::EAGAIN.into());
        }
        let reason = Reason::Room { channel, id, size, kind };
        return Err(Refusal::Wait(Waiting { reason, deadline: None }));
    }
    queue(call, channel)?.send(Message { kind, text: text.into() });
    Ok(0)
}

/// Which message the arguments of `msgrcv` want.
pub(super) fn wanted(kind: u32, flags: u32) -> Wanted {
    const EXCEPT: u32 = 0o20000;
    Wanted::new(kind as i32, flags & EXCEPT != 0)
}

pub(super) fn msgrcv(call: &mut Call<'_>) -> Answer {
    const CUT: u32 = 0o10000;
    const COPY: u32 = 0o40000;
    let [id, buffer, size, kind, flags, _] = call.arguments;
    if call.lost(id) {
        return Err(Errno::EIDRM.into());
    }
    if flags & COPY != 0 {
        return Err(Refusal::Unknown("msgrcv with MSG_COPY".to_owned()));
    }
    let wanted = wanted(kind, flags);
    let channel = call.facility_of(id, true)?.channel;
    let waiting = queue(call, channel)?;
    let Some(position) = waiting.position(wanted) else {
        if flags & NO_WAIT != 0 {
            return Err(Errno::ENOMSG.into());
        }
        let reason = Reason::Message { channel, id, wanted };
        return Err(Refusal::Wait(Waiting { reason, deadline: None }));
    };
    let message = waiting.messages()[position].clone();
    if message.text.len() > size as usize && flags & CUT == 0 {
        return Err(Errno::E2BIG.into());
    }
    let text = &message.text[..message.text.len().min(size as usize)];
    call.put_word(buffer, message.kind as u32)?;
    call.put(buffer.wrapping_add(4), text)?;
    queue(call, channel)?.take(position);
    Ok(text.len() as u32)
}

pub(super) fn msgctl(call: &mut Call<'_>) -> Answer {
    let [id, what, place, ..] = call.arguments;
    let facility = call.facility_of(id, true)?;
    match what & !command::WIDE {
        command::REMOVE => {
            call.remove_facility(id, facility);
            Ok(0)
        }
        command::STATUS => {
            let queue = queue(call, facility.channel)?;
            let words = [queue.bytes(), queue.messages().len() as u32, queue.capacity, 0, 0, 0, 0];
            let mut bytes = permissions(facility.key, facility.mode);
            bytes.resize(bytes.len() + 24, 0);
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            call.put(place, &bytes)?;
            Ok(0)
        }
        command::SET => {
            const CAPACITY: u32 = 36 + 24 + 8;
            let capacity = call.word(place.wrapping_add(CAPACITY))?;
            if capacity > QUEUE_CAPACITY {
                return Err(Errno::EPERM.into());
            }
            queue(call, facility.channel)?.capacity = capacity;
            Ok(0)
        }
        _ => Err(Errno::EINVAL.into()),
    }
}
