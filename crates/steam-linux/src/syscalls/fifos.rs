//! Pipes with names: `mkfifo`, and opening what it has made.
//!
//! Who opens one end waits for another process at the other. It is counted while it waits, so that the other one
//! need not; and once another one has come it goes on, although that one may have left again.

use super::{Answer, Call, edges};
use crate::errno::Errno;
use crate::guest::Refusal;
use crate::kernel::{Channel, InodeKind, Object, Pipe, Reason, Status, Waiting};
use crate::system::System;

const ACCESS: u32 = 3;
const READ_WRITE: u32 = 2;
const NONBLOCK: u32 = 0o4000;

/// What `mknod` is to make of a mode, if it is no file; `None` for a file.
pub(super) fn kind_of_node(call: &mut Call<'_>, mode: u32) -> Result<Option<InodeKind>, Refusal> {
    const TYPE: u32 = 0o170000;
    const FIFO: u32 = 0o010000;
    const FILE: u32 = 0o100000;
    match mode & TYPE {
        0 | FILE => Ok(None),
        FIFO => {
            let pipe = Channel::Pipe(Pipe::with_name());
            Ok(Some(InodeKind::Fifo(call.system.channels.add(pipe))))
        }
        kind => Err(Refusal::Unknown(format!("a node of the type {kind:#o}"))),
    }
}

/// Opens an end of a pipe with a name.
pub(super) fn open(call: &mut Call<'_>, pipe: u32, flags: u32) -> Result<Object, Refusal> {
    let (reads, blocks) = (flags & ACCESS == 0, flags & NONBLOCK == 0);
    if flags & ACCESS == READ_WRITE {
        return Err(Refusal::Unknown("a fifo that is opened for reading and writing".to_owned()));
    }
    let state = call.system.channels.pipe_mut(pipe).ok_or(Errno::ENXIO)?;
    let others = if reads { state.writers } else { state.readers };
    match (reads, blocks) {
        (false, false) if others == 0 => return Err(Errno::ENXIO.into()),
        // Until some process has written to it, no end has hung up.
        (true, false) if others == 0 => {
            let what =
                "a fifo that is opened for reading before it is open for writing, without waiting";
            return Err(Refusal::Unknown(what.to_owned()));
        }
        _ => {}
    }
    *state.end(reads) += 1;
    if *state.end(reads) == 1 {
        call.system.happened_to(&Object::PipeReader(pipe), edges::CHANGED);
    }
    call.system.admit(pipe, !reads);
    match blocks && others == 0 {
        true => Err(Refusal::Wait(Waiting { reason: wait_at(pipe, reads), deadline: None })),
        false => Ok(end(pipe, reads)),
    }
}

/// The end of a pipe that a call has waited for, whatever became of its name.
pub(super) fn opened(call: &Call<'_>) -> Option<Object> {
    match call.resumed {
        Some(Waiting { reason: Reason::OtherEnd { pipe, reads, .. }, .. }) => {
            Some(end(pipe, reads))
        }
        _ => None,
    }
}

fn end(pipe: u32, reads: bool) -> Object {
    if reads { Object::PipeReader(pipe) } else { Object::PipeWriter(pipe) }
}

fn wait_at(pipe: u32, reads: bool) -> Reason {
    Reason::OtherEnd { pipe, reads, admitted: false }
}

impl System {
    /// Those who wait to open an end of a pipe need not wait any longer.
    fn admit(&mut self, pipe: u32, reads: bool) {
        let waits = |waiting: &Waiting| waiting.reason == wait_at(pipe, reads);
        let waiting: Vec<_> = self
            .threads
            .iter()
            .filter(|(_, record)| record.waiting().is_some_and(waits))
            .map(|(thread, _)| thread)
            .collect();
        for thread in waiting {
            let record = self.threads.get_mut(thread).expect("a thread that waits lives");
            match &mut record.status {
                Status::Waiting(it) => it.reason = Reason::OtherEnd { pipe, reads, admitted: true },
                Status::Runnable => unreachable!("those who wait were asked for"),
            }
        }
    }

    /// A name of a file is gone, and with it a pipe that no process has open.
    pub(super) fn fifo_unlinked(&mut self, pipe: u32) {
        if let Some(state) = self.channels.pipe_mut(pipe) {
            state.named = false;
        }
        self.leave_pipe(pipe);
    }

    /// An end of a pipe was closed: nothing of it stays once both are.
    pub(super) fn leave_pipe(&mut self, pipe: u32) {
        // It is gone already: nothing of it can stay.
        let Some(state) = self.channels.pipe_mut(pipe) else { return };
        match (state.readers, state.writers) {
            (0, 0) if state.named => *state = Pipe::with_name(),
            (0, 0) => self.channels.remove(pipe),
            _ => {}
        }
    }

    /// A thread does not wait any longer to open an end of a pipe, and does not open it.
    pub(crate) fn leave_fifo(&mut self, pipe: u32, reads: bool) {
        if let Some(state) = self.channels.pipe_mut(pipe) {
            *state.end(reads) -= 1;
        }
        self.leave_pipe(pipe);
    }
}

pub(super) fn mknod(call: &mut Call<'_>) -> Answer {
    let [path, mode, ..] = call.arguments;
    super::names::make_node(call, super::WORKING_DIRECTORY, path, mode)
}

pub(super) fn mknodat(call: &mut Call<'_>) -> Answer {
    let [directory, path, mode, ..] = call.arguments;
    super::names::make_node(call, directory, path, mode)
}
