//! Taking away what others wait at: a descriptor that another thread uses, a queue that is removed, a
//! description that lets no thread wait any more.
//!
//! A call that has begun keeps the descriptions that it works on, whatever becomes of their descriptors,
//! and learns that a queue has gone while it waited; one that comes later finds neither. In a search a
//! thread stands before a call as one that waits in it. Where that makes a difference, which is learned
//! here, calls are begun in steps of their own.

use steam_state::ThreadId;
use steam_visibility::OthersFact;

use super::Call;
use crate::errno::Errno;
use crate::kernel::{Descriptor, Object, Reason, Status};
use crate::system::System;

const NONBLOCK: u32 = 0o4000;

/// What stood in the table of descriptors where those that a call has kept are shown.
type Covered = Vec<(u32, Option<Descriptor>)>;

impl Call<'_> {
    /// Closes a descriptor; other threads of the process that wait at it keep what it stands for.
    pub(super) fn close_beside(&mut self, descriptor: u32) -> Result<(), Errno> {
        let (number, _) = self.system.description(descriptor)?;
        let waiting = match self.system.is_only_thread() {
            true => Vec::new(),
            false => self.system.waiting_at(number, true),
        };
        for &thread in &waiting {
            self.system.description_mut(descriptor)?.references += 1;
            let record = self.system.threads.get_mut(thread).expect("a thread that waits lives");
            record.kept.push((descriptor, number));
        }
        self.note_withdrawal(!waiting.is_empty());
        self.system.close(descriptor)
    }

    /// Says whether calls on a description may wait.
    pub(super) fn set_blocking(&mut self, descriptor: u32, blocking: bool) -> Result<(), Errno> {
        let (number, description) = self.system.description(descriptor)?;
        let bit = if blocking { 0 } else { NONBLOCK };
        if description.flags & NONBLOCK == bit {
            return Ok(());
        }
        let awaited = !self.system.is_alone() && !self.system.waiting_at(number, false).is_empty();
        self.note_withdrawal(awaited);
        let description = self.system.description_mut(descriptor)?;
        description.flags = description.flags & !NONBLOCK | bit;
        Ok(())
    }

    /// A set of semaphores or a queue of System V is about to be removed.
    pub(super) fn note_removal(&mut self, removed: u32) {
        let waits = |reason: &Reason| match reason {
            Reason::Semaphores { id, .. }
            | Reason::Message { id, .. }
            | Reason::Room { id, .. } => *id == removed,
            _ => false,
        };
        let awaited =
            !self.system.is_alone() && self.system.others_wait(waits, false).next().is_some();
        self.note_withdrawal(awaited);
    }

    fn note_withdrawal(&self, happens: bool) {
        if happens {
            self.cpu.memory.policy.sharing().learn(OthersFact::Withdraws);
        }
    }
}

impl System {
    /// The other threads that wait at a description, of the process on the CPU or of all.
    fn waiting_at(&self, number: u32, own: bool) -> Vec<ThreadId> {
        // It was closed: nothing waits there any more.
        let Some(description) = self.kernel.descriptions.get(&number) else { return Vec::new() };
        self.others_wait(|reason| waits_at(reason, number, &description.object), own).collect()
    }

    /// The other threads that wait for something, of the process on the CPU or of all.
    pub(super) fn others_wait(
        &self,
        wanted: impl Fn(&Reason) -> bool,
        own: bool,
    ) -> impl Iterator<Item = ThreadId> {
        let others = self.threads.iter().filter(move |(thread, _)| {
            *thread != self.current && (!own || self.threads.space(*thread) == Some(self.space))
        });
        others
            .filter(move |(_, it)| it.waiting().is_some_and(|waiting| wanted(&waiting.reason)))
            .map(|it| it.0)
    }

    /// What the thread on the CPU has kept of what others closed.
    pub fn take_kept(&mut self) -> Vec<(u32, u32)> {
        // A look first: to change a thread costs a copy.
        match self.own_record().kept.is_empty() {
            true => Vec::new(),
            false => std::mem::take(&mut self.own_record_mut().kept),
        }
    }

    /// Shows what a call has kept under the descriptors that it was given.
    pub fn show_kept(&mut self, kept: &[(u32, u32)]) -> Covered {
        let descriptors = &mut self.process.descriptors;
        let show = |&(descriptor, description): &(u32, u32)| {
            let shown = Descriptor { description, close_on_exec: false };
            let covered = descriptors.get(&descriptor).copied();
            descriptors.insert(descriptor, shown);
            (descriptor, covered)
        };
        kept.iter().map(show).collect()
    }

    /// The call goes on waiting, or is over: what it kept is no longer under its descriptors, and in the
    /// end no process needs it.
    pub fn hide_kept(&mut self, kept: Vec<(u32, u32)>, covered: Covered) {
        for (descriptor, covered) in covered.into_iter().rev() {
            match covered {
                Some(entry) => {
                    self.process.descriptors.insert(descriptor, entry);
                }
                None => {
                    self.process.descriptors.remove(&descriptor);
                }
            }
        }
        match self.threads.get_mut(self.current) {
            Some(record) if matches!(record.status, Status::Waiting(_)) => {
                record.kept = kept;
            }
            _ => self.release_kept(kept),
        }
    }

    /// What a call has kept is needed no more.
    pub fn release_kept(&mut self, kept: Vec<(u32, u32)>) {
        kept.into_iter().for_each(|(_, description)| self.release_description(description));
    }
}

/// Whether a thread that waits for something works on a description.
fn waits_at(reason: &Reason, number: u32, object: &Object) -> bool {
    match (object, reason) {
        (_, Reason::Ready(interests)) => {
            interests.iter().any(|interest| interest.description == number)
        }
        (Object::PipeReader(pipe), Reason::PipeFilled(other))
        | (Object::PipeWriter(pipe), Reason::PipeDrained { pipe: other, .. }) => pipe == other,
        (Object::PipeReader(pipe), Reason::Splice { from, .. }) => *from == Some(*pipe),
        (Object::PipeWriter(pipe), Reason::Splice { to, .. }) => *to == Some(*pipe),
        // Which file it is, is not known.
        (_, Reason::Splice { .. }) => true,
        (
            Object::Socket(own),
            Reason::Arrival { socket, .. }
            | Reason::Departure { socket, .. }
            | Reason::Connection(socket),
        ) => own == socket,
        // It is the one that is connected to which is known.
        (Object::Socket(_), Reason::Backlog(_)) => true,
        (Object::MailQueue(own), Reason::Mail(queue) | Reason::MailRoom(queue)) => own == queue,
        (Object::Counter(own), Reason::Counted(counter) | Reason::CounterRoom { counter, .. }) => {
            own == counter
        }
        (Object::TimerFile(own), Reason::Expired(timer)) => own == timer,
        (Object::SignalFile(own), Reason::SignalRead(file)) => own == file,
        (Object::Watch(own), Reason::Watch { channel, .. }) => own == channel,
        (Object::File(_), Reason::FileLock(_)) => true,
        _ => false,
    }
}
