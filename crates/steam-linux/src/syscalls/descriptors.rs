//! The table of file descriptors: closing, duplicating, pipes.

use super::{Answer, Call, edges};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Channel, Description, Descriptor, FileName, Object, Pipe};
use crate::system::System;

const WRITE_ONLY: u32 = 1;
const NONBLOCK: u32 = 0o4000;
const CLOEXEC: u32 = 0o2000000;
/// Descriptors that a process may have if it says nothing else, and the resource that they are.
const MOST_DESCRIPTORS: u32 = 1024;
const DESCRIPTORS: u32 = 7;

impl System {
    /// How many descriptors the process may have.
    pub(super) fn most_descriptors(&self) -> u32 {
        let limit = self.process.limits.get(&DESCRIPTORS);
        limit.map_or(MOST_DESCRIPTORS, |&(soft, _)| u32::try_from(soft).unwrap_or(u32::MAX))
    }

    /// Opens a description with the lowest free descriptor.
    pub fn add_description(&mut self, object: Object, flags: u32) -> Result<u32, Errno> {
        let descriptor = self.free_descriptor()?;
        let description = self.kernel.descriptions.lowest_free(0);
        let new = Description { object, offset: 0, flags, references: 1 };
        self.kernel.descriptions.insert(description, new);
        let entry = Descriptor { description, close_on_exec: false };
        self.process.descriptors.insert(descriptor, entry);
        Ok(descriptor)
    }

    /// The lowest descriptor that is free.
    pub(super) fn free_descriptor(&self) -> Result<u32, Errno> {
        let descriptor = self.process.descriptors.lowest_free(0);
        if descriptor < self.most_descriptors() { Ok(descriptor) } else { Err(Errno::EMFILE) }
    }

    pub(super) fn set_close_on_exec(&mut self, descriptor: u32, close_on_exec: bool) {
        if let Some(entry) = self.process.descriptors.get_mut(&descriptor) {
            entry.close_on_exec = close_on_exec;
        }
    }

    /// A second descriptor, the lowest free one from `from` on.
    pub(super) fn duplicate(
        &mut self,
        old: u32,
        from: u32,
        close_on_exec: bool,
    ) -> Result<u32, Errno> {
        self.description(old)?;
        let new = self.process.descriptors.lowest_free(from);
        if from >= self.most_descriptors() {
            return Err(Errno::EINVAL);
        }
        if new >= self.most_descriptors() {
            return Err(Errno::EMFILE);
        }
        self.duplicate_to(old, new, close_on_exec)
    }

    fn duplicate_to(&mut self, old: u32, new: u32, close_on_exec: bool) -> Result<u32, Errno> {
        let (description, _) = self.description(old)?;
        self.description_mut(old)?.references += 1;
        self.process.descriptors.insert(new, Descriptor { description, close_on_exec });
        Ok(new)
    }

    /// Closes a descriptor, and with the last one what it stands for.
    pub fn close(&mut self, descriptor: u32) -> Result<(), Errno> {
        self.unlock_at_close(descriptor);
        self.unregister_at_close(descriptor);
        let entry = self.process.descriptors.remove(&descriptor).ok_or(Errno::EBADF)?;
        self.release_description(entry.description);
        Ok(())
    }

    /// One descriptor, or one call, less needs a description.
    pub(super) fn release_description(&mut self, number: u32) {
        let description = self.kernel.descriptions.get_mut(&number);
        let description = description.expect("what refers to a description keeps it");
        description.references -= 1;
        if description.references > 0 {
            return;
        }
        let object = description.object.clone();
        self.kernel.descriptions.remove(&number);
        self.unwatch(number);
        match object {
            Object::File(FileName::Private(number)) => {
                self.kernel.overlay.change(number, |inode| inode.opened -= 1);
            }
            Object::Socket(number) => self.close_socket(number),
            Object::Watch(number)
            | Object::Counter(number)
            | Object::TimerFile(number)
            | Object::SignalFile(number) => self.channels.remove(number),
            Object::MailQueue(number) => self.close_mail_queue(number),
            Object::PipeReader(pipe) => self.close_pipe_end(pipe, |pipe| pipe.readers -= 1),
            Object::PipeWriter(pipe) => self.close_pipe_end(pipe, |pipe| pipe.writers -= 1),
            _ => {}
        }
    }

    fn close_pipe_end(&mut self, number: u32, close: impl FnOnce(&mut Pipe)) {
        let pipe = self.channels.pipe_mut(number).expect("an open end keeps its pipe");
        close(pipe);
        if (pipe.readers == 0) != (pipe.writers == 0) {
            self.happened_at_pipe(number, edges::CHANGED);
        }
        self.leave_pipe(number);
    }
}

pub(super) fn close(call: &mut Call<'_>) -> Answer {
    call.close_beside(call.arguments[0])?;
    Ok(0)
}

pub(super) fn close_range(call: &mut Call<'_>) -> Answer {
    const UNSHARE: u32 = 2;
    const MARK_ONLY: u32 = 4;
    let [first, last, flags, ..] = call.arguments;
    if first > last || flags & !(UNSHARE | MARK_ONLY) != 0 {
        return Err(Errno::EINVAL.into());
    }
    if flags & UNSHARE != 0 && !call.system.is_only_thread() {
        return Err(Refusal::Unknown("descriptors of a thread's own".to_owned()));
    }
    let process = &call.system.process;
    let within: Vec<u32> =
        process.descriptors.range(first..=last).map(|(&descriptor, _)| descriptor).collect();
    for descriptor in within {
        if flags & MARK_ONLY != 0 {
            call.system.set_close_on_exec(descriptor, true);
        } else {
            call.close_beside(descriptor)?;
        }
    }
    Ok(0)
}

pub(super) fn dup(call: &mut Call<'_>) -> Answer {
    Ok(call.system.duplicate(call.arguments[0], 0, false)?)
}

pub(super) fn dup2(call: &mut Call<'_>) -> Answer {
    let [old, new, ..] = call.arguments;
    if old == new {
        call.system.description(old)?;
        return Ok(new);
    }
    replace(call, old, new, false)
}

pub(super) fn dup3(call: &mut Call<'_>) -> Answer {
    let [old, new, flags, ..] = call.arguments;
    if old == new || flags & !CLOEXEC != 0 {
        return Err(Errno::EINVAL.into());
    }
    replace(call, old, new, flags & CLOEXEC != 0)
}

fn replace(call: &mut Call<'_>, old: u32, new: u32, close_on_exec: bool) -> Answer {
    call.system.description(old)?;
    if new >= call.system.most_descriptors() {
        return Err(Errno::EBADF.into());
    }
    if call.system.process.descriptors.contains_key(&new) {
        call.close_beside(new)?;
    }
    Ok(call.system.duplicate_to(old, new, close_on_exec)?)
}

pub(super) fn pipe(call: &mut Call<'_>) -> Answer {
    open_pipe(call, 0)
}

pub(super) fn pipe2(call: &mut Call<'_>) -> Answer {
    let flags = call.arguments[1];
    if flags & !(CLOEXEC | NONBLOCK | 0o40000) != 0 {
        return Err(Errno::EINVAL.into());
    }
    open_pipe(call, flags)
}

fn open_pipe(call: &mut Call<'_>, flags: u32) -> Answer {
    let system = &mut *call.system;
    let number = system.channels.add(Channel::Pipe(Pipe::new()));
    let kept = flags & NONBLOCK;
    let reader = system.add_description(Object::PipeReader(number), kept)?;
    let writer = match system.add_description(Object::PipeWriter(number), kept | WRITE_ONLY) {
        Ok(writer) => writer,
        Err(errno) => {
            system.close(reader)?;
            system.channels.remove(number);
            return Err(errno.into());
        }
    };
    for descriptor in [reader, writer] {
        system.set_close_on_exec(descriptor, flags & CLOEXEC != 0);
    }
    call.put_words(call.arguments[0], &[reader, writer])?;
    Ok(0)
}
