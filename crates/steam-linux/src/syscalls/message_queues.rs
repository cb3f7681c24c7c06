//! System V message queues.

use steam_visibility::OthersFact;

use super::ipc::{NO_WAIT, Request, command, two_words};
use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{
    Asked, Channel, Facility, Message, MessageQueue, QUEUE_CAPACITY, Reason, Waiting, Wanted,
};

/// A message is not longer than this.
const LONGEST: u32 = 8192;

pub(super) fn msgget(call: &mut Call<'_>) -> Answer {
    let [key, flags, ..] = call.arguments;
    let changed = call.stamp(Asked::Queues).unwrap_or_default().time;
    call.facility(&Request { key, flags }, true, || {
        let mut queue = MessageQueue::default();
        queue.changed = changed;
        Ok(Channel::Queue(queue))
    })
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
    let now = call.stamp(Asked::Queues);
    let queue = queue(call, channel)?;
    queue.send(Message { kind, text: text.into() });
    queue.sent = now.unwrap_or(queue.sent);
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
    let now = call.stamp(Asked::Queues);
    let queue = queue(call, channel)?;
    queue.take(position);
    queue.received = now.unwrap_or(queue.received);
    Ok(text.len() as u32)
}

/// Commands of `msgctl` beside those that all facilities have.
mod command_of_queue {
    pub const STATUS_AT: u32 = 11;
    pub const COUNTS: u32 = 12;
    pub const STATUS_OF_ANY: u32 = 13;
}

/// What must be known before a command of `msgctl` can be answered.
pub(super) fn requires(what: u32) -> Option<OthersFact> {
    use command_of_queue::{STATUS_AT, STATUS_OF_ANY};
    let asks = matches!(what, command::STATUS | STATUS_AT | STATUS_OF_ANY);
    asks.then(|| Asked::Queues.fact())
}

pub(super) fn msgctl(call: &mut Call<'_>) -> Answer {
    use command_of_queue::{COUNTS, STATUS_AT, STATUS_OF_ANY};
    let [id, what, place, ..] = call.arguments;
    let what = what & !command::WIDE;
    match what {
        command::LIMITS | COUNTS => return limits(call, place, what == COUNTS),
        STATUS_AT | STATUS_OF_ANY => {
            let (id, facility) = call.facility_at(id, true)?;
            put_status(call, place, id, facility)?;
            return Ok(id);
        }
        _ => {}
    }
    let facility = call.facility_of(id, true)?;
    match what {
        command::REMOVE => {
            call.remove_facility(id, facility);
            Ok(0)
        }
        command::STATUS => put_status(call, place, id, facility).map(|()| 0),
        command::SET => {
            const CAPACITY: u32 = 36 + 24 + 8;
            let mode = call.new_mode(place)?;
            let capacity = call.word(place.wrapping_add(CAPACITY))?;
            if capacity > QUEUE_CAPACITY {
                return Err(Errno::EPERM.into());
            }
            if let Some(facility) = call.system.kernel.facilities.get_mut(&id) {
                facility.mode = mode;
            }
            let now = call.stamp(Asked::Queues);
            let queue = queue(call, facility.channel)?;
            queue.capacity = capacity;
            queue.changed = now.map_or(queue.changed, |now| now.time);
            Ok(0)
        }
        _ => Err(Errno::EINVAL.into()),
    }
}

/// Writes the `struct msqid64_ds` of a queue.
fn put_status(call: &mut Call<'_>, place: u32, id: u32, facility: Facility) -> Result<(), Refusal> {
    let queue = queue(call, facility.channel)?;
    let times = [queue.sent.time, queue.received.time, queue.changed].map(two_words);
    let (bytes, count) = (queue.bytes(), queue.messages().len() as u32);
    let rest = [bytes, count, queue.capacity, queue.sent.process, queue.received.process, 0, 0];
    let words = [times.as_flattened(), &rest].concat();
    call.put_status(place, (id, facility.key, facility.mode), &words)
}

/// Writes the `struct msginfo` with the limits of the system, or with how much waits in all queues.
fn limits(call: &mut Call<'_>, place: u32, counts: bool) -> Answer {
    const MOST_QUEUES: u32 = 32000;
    const POOL: u32 = MOST_QUEUES * (QUEUE_CAPACITY / 1024);
    let (channels, highest) = call.facilities(true);
    let [first, second, last] = match counts {
        true => {
            let queues =
                || channels.iter().filter_map(|channel| call.system.channels.queue(*channel));
            let messages: usize = queues().map(|it| it.messages().len()).sum();
            let bytes = queues().map(MessageQueue::bytes).sum();
            [channels.len() as u32, messages as u32, bytes]
        }
        false => [POOL, QUEUE_CAPACITY, QUEUE_CAPACITY],
    };
    let words = [first, second, LONGEST, QUEUE_CAPACITY, MOST_QUEUES, 16, last, 0xffff];
    call.put_words(place, &words)?;
    Ok(highest)
}
