//! POSIX message queues.

use std::sync::Arc;

use super::time::Width;
use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Channel, Mail, MailQueue, Object, Reason, Waiting};
use crate::system::System;

const ACCESS: u32 = 3;
const READ_ONLY: u32 = 0;
const WRITE_ONLY: u32 = 1;
const NONBLOCK: u32 = 0o4000;
/// What a queue holds by default, and at most.
const MOST_MESSAGES: u32 = 10;
const LONGEST_MESSAGE: u32 = 8192;
/// The clock of deadlines.
const REAL_TIME: u32 = 0;

impl System {
    /// A description of a queue is closed.
    pub(super) fn close_mail_queue(&mut self, channel: u32) {
        let queue = self.channels.mail_queue_mut(channel);
        let queue = queue.expect("a description keeps its queue");
        queue.opened -= 1;
        self.forget_mail_queue(channel);
    }

    /// Removes a queue that no process can reach any more.
    fn forget_mail_queue(&mut self, channel: u32) {
        let queue = self.channels.mail_queue(channel);
        if queue.is_some_and(|queue| queue.opened == 0 && !queue.named) {
            self.channels.remove(channel);
        }
    }
}

/// The name of a queue, which the library gives without its slash.
fn name(call: &mut Call<'_>, address: u32) -> Result<Arc<[u8]>, Refusal> {
    const LONGEST: usize = 255;
    let name = call.path(address)?;
    match &name[..] {
        [] => Err(Errno::ENOENT.into()),
        b"." | b".." => Err(Errno::EACCES.into()),
        name if name.contains(&b'/') => Err(Errno::EACCES.into()),
        name if name.len() > LONGEST => Err(Errno::ENAMETOOLONG.into()),
        name => Ok(name.into()),
    }
}

pub(super) fn mq_open(call: &mut Call<'_>) -> Answer {
    const CREATE: u32 = 0o100;
    const EXCLUSIVE: u32 = 0o200;
    let [place, flags, mode, attributes, ..] = call.arguments;
    let name = name(call, place)?;
    if flags & ACCESS == ACCESS {
        return Err(Errno::EINVAL.into());
    }
    let channel = match call.system.kernel.mail_queues.get(&name).copied() {
        Some(_) if flags & CREATE != 0 && flags & EXCLUSIVE != 0 => {
            return Err(Errno::EEXIST.into());
        }
        Some(channel) => channel,
        None if flags & CREATE == 0 => return Err(Errno::ENOENT.into()),
        None => {
            if mode & !call.system.process.umask & 0o600 != 0o600 {
                return Err(Refusal::Unknown("a message queue with few permissions".to_owned()));
            }
            let queue = make(call, attributes)?;
            let channel = call.system.channels.add(Channel::MailQueue(queue));
            call.system.kernel.mail_queues.insert(name, channel);
            channel
        }
    };
    let descriptor =
        call.system.add_description(Object::MailQueue(channel), flags & (ACCESS | NONBLOCK))?;
    call.system.set_close_on_exec(descriptor, true);
    queue(call, channel)?.opened += 1;
    Ok(descriptor)
}

/// A queue with the attributes that lie in memory, or those that it has without.
fn make(call: &mut Call<'_>, attributes: u32) -> Result<MailQueue, Refusal> {
    if attributes == 0 {
        return Ok(MailQueue::new(MOST_MESSAGES, LONGEST_MESSAGE));
    }
    let [_, capacity, longest] = call.words(attributes)?;
    match (capacity, longest) {
        (1..=MOST_MESSAGES, 1..=LONGEST_MESSAGE) => Ok(MailQueue::new(capacity, longest)),
        _ => Err(Errno::EINVAL.into()),
    }
}

pub(super) fn mq_unlink(call: &mut Call<'_>) -> Answer {
    let name = name(call, call.arguments[0])?;
    let channel = call.system.kernel.mail_queues.remove(&name).ok_or(Errno::ENOENT)?;
    queue(call, channel)?.named = false;
    call.system.forget_mail_queue(channel);
    Ok(0)
}

fn queue<'a>(call: &'a mut Call<'_>, channel: u32) -> Result<&'a mut MailQueue, Errno> {
    call.system.channels.mail_queue_mut(channel).ok_or(Errno::EBADF)
}

/// The queue behind a descriptor, and whether it waits; refused where it is not open for a use.
fn opened(call: &Call<'_>, descriptor: u32, unlike: u32) -> Result<(u32, bool), Errno> {
    let (_, description) = call.system.description(descriptor)?;
    match description.object {
        Object::MailQueue(channel) if description.flags & ACCESS != unlike => {
            Ok((channel, description.flags & NONBLOCK == 0))
        }
        _ => Err(Errno::EBADF),
    }
}

pub(super) fn mq_timedsend(call: &mut Call<'_>) -> Answer {
    send(call, Width::Narrow)
}

pub(super) fn mq_timedsend_time64(call: &mut Call<'_>) -> Answer {
    send(call, Width::Wide)
}

fn send(call: &mut Call<'_>, width: Width) -> Answer {
    const PRIORITIES: u32 = 32768;
    let [descriptor, buffer, size, priority, timeout, _] = call.arguments;
    if priority >= PRIORITIES {
        return Err(Errno::EINVAL.into());
    }
    let deadline = call.deadline(timeout, width, Some(REAL_TIME))?;
    let (channel, blocks) = opened(call, descriptor, READ_ONLY)?;
    if size > queue(call, channel)?.longest {
        return Err(Errno::EMSGSIZE.into());
    }
    let text = call.bytes(buffer, size)?;
    if !queue(call, channel)?.has_room() {
        return Err(wait(call, Reason::MailRoom(channel), deadline, blocks));
    }
    queue(call, channel)?.send(Mail { priority, text: text.into() });
    call.system.announce_mail(channel, call.resumed.is_some());
    Ok(0)
}

pub(super) fn mq_timedreceive(call: &mut Call<'_>) -> Answer {
    receive(call, Width::Narrow)
}

pub(super) fn mq_timedreceive_time64(call: &mut Call<'_>) -> Answer {
    receive(call, Width::Wide)
}

fn receive(call: &mut Call<'_>, width: Width) -> Answer {
    let [descriptor, buffer, size, priority, timeout, _] = call.arguments;
    let deadline = call.deadline(timeout, width, Some(REAL_TIME))?;
    let (channel, blocks) = opened(call, descriptor, WRITE_ONLY)?;
    if size < queue(call, channel)?.longest {
        return Err(Errno::EMSGSIZE.into());
    }
    let Some(mail) = queue(call, channel)?.next().cloned() else {
        return Err(wait(call, Reason::Mail(channel), deadline, blocks));
    };
    call.put(buffer, &mail.text)?;
    if priority != 0 {
        call.put_word(priority, mail.priority)?;
    }
    queue(call, channel)?.skip();
    Ok(mail.text.len() as u32)
}

/// How a call goes on that cannot be done now.
fn wait(call: &Call<'_>, reason: Reason, deadline: Option<u64>, blocks: bool) -> Refusal {
    let over = deadline.is_some_and(|deadline| deadline <= call.system.kernel.clock);
    match (blocks, over) {
        (false, _) => Errno::EAGAIN.into(),
        (true, true) => Errno::ETIMEDOUT.into(),
        (true, false) => Refusal::Wait(Waiting { reason, deadline }),
    }
}

pub(super) fn send_need(call: &mut Call<'_>) -> Option<Waiting> {
    need(call, true, Width::Narrow)
}

pub(super) fn send_time64_need(call: &mut Call<'_>) -> Option<Waiting> {
    need(call, true, Width::Wide)
}

pub(super) fn receive_need(call: &mut Call<'_>) -> Option<Waiting> {
    need(call, false, Width::Narrow)
}

pub(super) fn receive_time64_need(call: &mut Call<'_>) -> Option<Waiting> {
    need(call, false, Width::Wide)
}

/// What sending to a queue, or receiving from it, would have to wait for.
fn need(call: &mut Call<'_>, sends: bool, width: Width) -> Option<Waiting> {
    let [descriptor, _, _, _, timeout, _] = call.arguments;
    let (channel, blocks) =
        opened(call, descriptor, if sends { READ_ONLY } else { WRITE_ONLY }).ok()?;
    let deadline = call.deadline(timeout, width, Some(REAL_TIME)).ok()?;
    let reason = if sends { Reason::MailRoom(channel) } else { Reason::Mail(channel) };
    blocks.then_some(Waiting { reason, deadline })
}

pub(super) fn mq_getsetattr(call: &mut Call<'_>) -> Answer {
    let [descriptor, new, old, ..] = call.arguments;
    let new = if new == 0 { None } else { Some(call.word(new)?) };
    if new.is_some_and(|flags| flags & !NONBLOCK != 0) {
        return Err(Errno::EINVAL.into());
    }
    let (_, description) = call.system.description(descriptor)?;
    let Object::MailQueue(channel) = description.object else {
        return Err(Errno::EBADF.into());
    };
    let flags = description.flags & NONBLOCK;
    let queue = queue(call, channel)?;
    let words = [flags, queue.capacity, queue.longest, queue.len() as u32, 0, 0, 0, 0];
    if let Some(flags) = new {
        call.set_blocking(descriptor, flags & NONBLOCK == 0)?;
    }
    if old != 0 {
        call.put_words(old, &words)?;
    }
    Ok(0)
}
