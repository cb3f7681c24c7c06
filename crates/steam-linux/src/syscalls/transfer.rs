//! Reading and writing open files.

use super::offsets::position;
use super::sockets::{Sent, receive, send};
use super::{Answer, Call, counters, edges, signal_files, timer_files};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{
    FileName, InodeKind, LARGEST_FILE, Object, Reason, SignalInfo, Stream, Waiting,
};
use crate::signals::{CODE_USER, number};

/// The most bytes that one call transfers.
pub(super) const LARGEST_TRANSFER: u32 = 0x7fff_f000;
/// The most bytes that a device of ours makes in one call.
const LARGEST_MADE: usize = 1 << 25;
const MOST_PARTS: u32 = 1024;
pub(super) const NONBLOCK: u32 = 0o4000;
pub(super) const APPEND: u32 = 0o2000;
const ACCESS: u32 = 3;
const WRITE_ONLY: u32 = 1;
const PATH: u32 = 0o10000000;

/// A buffer of the guest in several parts.
pub(super) struct Parts(Vec<(u32, u32)>);

impl Parts {
    pub(super) fn one(address: u32, size: u32) -> Self {
        Self(vec![(address, size.min(LARGEST_TRANSFER))])
    }

    pub(super) fn size(&self) -> usize {
        self.0.iter().map(|&(_, size)| size as usize).sum()
    }

    pub(super) fn read(call: &mut Call<'_>, address: u32, count: u32) -> Result<Self, Refusal> {
        if count > MOST_PARTS {
            return Err(Errno::EINVAL.into());
        }
        let bytes = call.bytes(address, count * 8)?;
        let mut parts = Vec::with_capacity(count as usize);
        let mut room = LARGEST_TRANSFER;
        for part in bytes.chunks_exact(8) {
            let word = |at: usize| {
                u32::from_le_bytes([part[at], part[at + 1], part[at + 2], part[at + 3]])
            };
            let size = word(4);
            if size > i32::MAX as u32 {
                return Err(Errno::EINVAL.into());
            }
            parts.push((word(0), size.min(room)));
            room -= size.min(room);
        }
        Ok(Self(parts))
    }

    /// All bytes of the buffer.
    pub(super) fn bytes(&self, call: &mut Call<'_>) -> Result<Vec<u8>, Refusal> {
        let mut bytes = Vec::new();
        for &(address, size) in &self.0 {
            bytes.append(&mut call.bytes(address, size)?);
        }
        Ok(bytes)
    }

    /// Writes bytes into the buffer from a position on; there is room for them.
    pub(super) fn put(
        &self,
        call: &mut Call<'_>,
        position: usize,
        bytes: &[u8],
    ) -> Result<(), Refusal> {
        let (mut skip, mut rest) = (position, bytes);
        for &(address, size) in &self.0 {
            let before = skip.min(size as usize);
            skip -= before;
            let (now, later) = rest.split_at(rest.len().min(size as usize - before));
            call.put(address.wrapping_add(before as u32), now)?;
            rest = later;
        }
        Ok(())
    }
}

pub(super) fn read(call: &mut Call<'_>) -> Answer {
    let [descriptor, address, size, ..] = call.arguments;
    read_parts(call, descriptor, &Parts::one(address, size), None)
}

pub(super) fn readv(call: &mut Call<'_>) -> Answer {
    let [descriptor, address, count, ..] = call.arguments;
    let parts = Parts::read(call, address, count)?;
    read_parts(call, descriptor, &parts, None)
}

pub(super) fn pread64(call: &mut Call<'_>) -> Answer {
    let [descriptor, address, size, low, high, _] = call.arguments;
    let at = position(low, high)?;
    read_parts(call, descriptor, &Parts::one(address, size), Some(at))
}

pub(super) fn preadv(call: &mut Call<'_>) -> Answer {
    let [descriptor, address, count, low, high, _] = call.arguments;
    let at = position(low, high)?;
    let parts = Parts::read(call, address, count)?;
    read_parts(call, descriptor, &parts, Some(at))
}

pub(super) fn write(call: &mut Call<'_>) -> Answer {
    let [descriptor, address, size, ..] = call.arguments;
    write_parts(call, descriptor, &Parts::one(address, size), None)
}

pub(super) fn writev(call: &mut Call<'_>) -> Answer {
    let [descriptor, address, count, ..] = call.arguments;
    let parts = Parts::read(call, address, count)?;
    write_parts(call, descriptor, &parts, None)
}

pub(super) fn pwrite64(call: &mut Call<'_>) -> Answer {
    let [descriptor, address, size, low, high, _] = call.arguments;
    let at = position(low, high)?;
    write_parts(call, descriptor, &Parts::one(address, size), Some(at))
}

pub(super) fn pwritev(call: &mut Call<'_>) -> Answer {
    let [descriptor, address, count, low, high, _] = call.arguments;
    let at = position(low, high)?;
    let parts = Parts::read(call, address, count)?;
    write_parts(call, descriptor, &parts, Some(at))
}

fn read_parts(call: &mut Call<'_>, descriptor: u32, parts: &Parts, at: Option<u64>) -> Answer {
    if at.is_none() && call.is_socket(descriptor) {
        // A call for nothing is no message.
        let nothing = parts.size() == 0;
        if nothing {
            return Ok(0);
        }
        let received = receive(call, descriptor, parts, 0)?;
        call.system.release(received.rights);
        return Ok(received.size);
    }
    let bytes = take(call, descriptor, parts.size(), at)?;
    parts.put(call, 0, &bytes)?;
    Ok(bytes.len() as u32)
}

fn write_parts(call: &mut Call<'_>, descriptor: u32, parts: &Parts, at: Option<u64>) -> Answer {
    check_writing(call, descriptor)?;
    let bytes = parts.bytes(call)?;
    give(call, descriptor, &bytes, at)
}

pub(super) fn check_writing(call: &Call<'_>, descriptor: u32) -> Result<(), Errno> {
    let flags = call.system.description(descriptor)?.1.flags;
    if flags & ACCESS == 0 || flags & PATH != 0 { Err(Errno::EBADF) } else { Ok(()) }
}

pub(super) fn check_reading(call: &Call<'_>, descriptor: u32) -> Result<(), Errno> {
    let flags = call.system.description(descriptor)?.1.flags;
    if flags & ACCESS == WRITE_ONLY || flags & PATH != 0 { Err(Errno::EBADF) } else { Ok(()) }
}

/// Takes up to `size` bytes from an open file, at its own offset or at a given one.
pub(super) fn take(
    call: &mut Call<'_>,
    descriptor: u32,
    size: usize,
    at: Option<u64>,
) -> Result<Vec<u8>, Refusal> {
    let file = match call.system.description(descriptor)?.1.object {
        Object::File(FileName::Private(number)) => Some(number),
        _ => None,
    };
    if let Some(number) = file {
        call.memory_to_file(number);
    }
    check_reading(call, descriptor)?;
    let (_, description) = call.system.description(descriptor)?;
    let offset = at.unwrap_or(description.offset);
    let blocks = description.flags & NONBLOCK == 0;
    let bytes = match &description.object {
        Object::Input
        | Object::PipeReader(_)
        | Object::PipeWriter(_)
        | Object::Socket(_)
        | Object::Counter(_)
        | Object::TimerFile(_)
        | Object::SignalFile(_)
            if at.is_some() =>
        {
            return Err(Errno::ESPIPE.into());
        }
        Object::Input => call.system.world.input.read(offset, size).map_err(|_| Errno::EIO)?,
        Object::File(name) => call.files().read(name, offset, size)?,
        Object::Snapshot(text) => {
            let start = (offset as usize).min(text.len());
            text[start..(start + size).min(text.len())].to_vec()
        }
        Object::Directory { .. } => return Err(Errno::EISDIR.into()),
        Object::PipeReader(pipe) => return take_from_pipe(call, *pipe, size, blocks),
        Object::Counter(counter) => return counters::take(call, *counter, size, blocks),
        Object::SignalFile(file) => return signal_files::take(call, *file, size, blocks),
        Object::TimerFile(timer) => return timer_files::take(call, *timer, size, blocks),
        Object::Output(_) | Object::PipeWriter(_) => return Err(Errno::EBADF.into()),
        Object::Watch(_) => return Err(Errno::EINVAL.into()),
        Object::MailQueue(_) => {
            return Err(Refusal::Unknown("reading the status of a message queue".to_owned()));
        }
        Object::Socket(_) => {
            return Err(Refusal::Unknown("a transfer from a socket to a file".to_owned()));
        }
        Object::Null => Vec::new(),
        Object::Zero | Object::Full => vec![0; size.min(LARGEST_MADE)],
        Object::Random => call.system.kernel.random_bytes(size.min(LARGEST_MADE)),
    };
    if let Some(number) = file {
        call.note_file(number, offset, bytes.len() as u64, false);
    }
    if at.is_none() {
        call.system.description_mut(descriptor)?.offset += bytes.len() as u64;
    }
    Ok(bytes)
}

pub(super) fn take_from_pipe(
    call: &mut Call<'_>,
    number: u32,
    size: usize,
    blocks: bool,
) -> Result<Vec<u8>, Refusal> {
    let pipe = call.system.channels.pipe_mut(number).ok_or(Errno::EBADF)?;
    if size == 0 || pipe.readable() {
        let was_full = !pipe.writable();
        let bytes = pipe.take(size);
        if was_full && pipe.writable() {
            call.system.happened_to(&Object::PipeWriter(number), edges::ROOM);
        }
        return Ok(bytes);
    }
    if !blocks {
        return Err(Errno::EAGAIN.into());
    }
    Err(Refusal::Wait(Waiting { reason: Reason::PipeFilled(number), deadline: None }))
}

/// Gives bytes to an open file; how many it took.
pub(super) fn give(call: &mut Call<'_>, descriptor: u32, bytes: &[u8], at: Option<u64>) -> Answer {
    let (_, description) = call.system.description(descriptor)?;
    let blocks = description.flags & NONBLOCK == 0;
    match &description.object {
        Object::Output(_)
        | Object::PipeWriter(_)
        | Object::Socket(_)
        | Object::Counter(_)
        | Object::TimerFile(_)
        | Object::SignalFile(_)
            if at.is_some() =>
        {
            Err(Errno::ESPIPE.into())
        }
        Object::Output(stream) => give_outside(call, *stream, bytes),
        Object::File(FileName::Private(number)) => {
            let (number, appends) = (*number, description.flags & APPEND != 0);
            give_to_file(call, descriptor, number, bytes, at, appends)
        }
        Object::PipeWriter(pipe) => give_to_pipe(call, *pipe, bytes, blocks),
        Object::Counter(counter) => counters::give(call, *counter, bytes, blocks),
        Object::Null | Object::Zero | Object::Random => Ok(bytes.len() as u32),
        Object::Full => Err(Errno::ENOSPC.into()),
        Object::Socket(_) => send(call, descriptor, &Sent { bytes, rights: &[] }, 0, None),
        Object::MailQueue(_) | Object::Watch(_) | Object::TimerFile(_) | Object::SignalFile(_) => {
            Err(Errno::EINVAL.into())
        }
        Object::File(FileName::Host(_))
        | Object::Input
        | Object::Directory { .. }
        | Object::Snapshot(_)
        | Object::PipeReader(_) => Err(Errno::EBADF.into()),
    }
}

fn give_outside(call: &mut Call<'_>, stream: Stream, bytes: &[u8]) -> Answer {
    match call.sink.write(stream, bytes) {
        Ok(()) => Ok(bytes.len() as u32),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => broken_pipe(call),
        Err(_) => Err(Errno::EIO.into()),
    }
}

pub(super) fn broken_pipe(call: &mut Call<'_>) -> Answer {
    let current = call.system.current;
    let process = call.system.process_number();
    call.system.send_to_thread(current, SignalInfo::sent(number::PIPE, CODE_USER, process));
    Err(Errno::EPIPE.into())
}

fn give_to_pipe(call: &mut Call<'_>, number: u32, bytes: &[u8], blocks: bool) -> Answer {
    let done = match call.resumed {
        Some(Waiting { reason: Reason::PipeDrained { written, .. }, .. }) => written as usize,
        _ => 0,
    };
    let pipe = call.system.channels.pipe_mut(number).ok_or(Errno::EBADF)?;
    if pipe.readers == 0 {
        return if done > 0 { Ok(done as u32) } else { broken_pipe(call) };
    }
    let put = pipe.put(&bytes[done..]);
    if put > 0 {
        call.system.happened_to(&Object::PipeReader(number), edges::CAME);
    }
    let written = done + put;
    match written {
        _ if written == bytes.len() => Ok(written as u32),
        0 if !blocks => Err(Errno::EAGAIN.into()),
        _ if !blocks => Ok(written as u32),
        _ => {
            let left = (bytes.len() - written) as u32;
            let reason = Reason::PipeDrained { pipe: number, written: written as u32, left };
            Err(Refusal::Wait(Waiting { reason, deadline: None }))
        }
    }
}

fn give_to_file(
    call: &mut Call<'_>,
    descriptor: u32,
    number: u32,
    bytes: &[u8],
    at: Option<u64>,
    appends: bool,
) -> Answer {
    call.memory_to_file(number);
    let now = call.system.now();
    let own = call.system.description(descriptor)?.1.offset;
    let inode = call.system.kernel.overlay.inodes.get(&number).ok_or(Errno::EBADF)?;
    let InodeKind::File(content) = &inode.kind else { return Err(Errno::EISDIR.into()) };
    let start = if appends { content.len() } else { at.unwrap_or(own) };
    let room = call.room_in_file(start, bytes.len() as u64)?;
    let bytes = &bytes[..room as usize];
    let end = start.saturating_add(room);
    if end > LARGEST_FILE {
        return Err(Errno::EFBIG.into());
    }
    let inode = call.system.kernel.overlay.inodes.get_mut(&number).ok_or(Errno::EBADF)?;
    let InodeKind::File(content) = &mut inode.kind else { return Err(Errno::EISDIR.into()) };
    let before = content.len();
    content.write(start, bytes);
    let after = content.len();
    inode.modified = now;
    call.file_to_memory(number);
    call.note_file(number, start, bytes.len() as u64, true);
    call.file_end_moved(number, before, after);
    if at.is_none() {
        call.system.description_mut(descriptor)?.offset = end;
    }
    Ok(bytes.len() as u32)
}

pub(super) fn sendfile(call: &mut Call<'_>) -> Answer {
    send_file(call, false)
}

pub(super) fn sendfile64(call: &mut Call<'_>) -> Answer {
    send_file(call, true)
}

fn send_file(call: &mut Call<'_>, wide: bool) -> Answer {
    let [to, from, place, size, ..] = call.arguments;
    check_writing(call, to)?;
    let at = match (place, wide) {
        (0, _) => None,
        (_, true) => Some(call.long(place)?),
        (_, false) => Some(u64::from(call.word(place)?)),
    };
    let bytes = take(call, from, size.min(LARGEST_TRANSFER) as usize, at)?;
    let count = give(call, to, &bytes, None)?;
    if let Some(at) = at {
        let end = at + u64::from(count);
        let words = [end as u32, (end >> 32) as u32];
        call.put_words(place, if wide { &words } else { &words[..1] })?;
    }
    Ok(count)
}

pub(super) fn copy_file_range(call: &mut Call<'_>) -> Answer {
    let [from, from_place, to, to_place, size, flags] = call.arguments;
    if flags != 0 {
        return Err(Errno::EINVAL.into());
    }
    check_writing(call, to)?;
    let place = |call: &mut Call<'_>, place| match place {
        0 => Ok(None),
        _ => call.long(place).map(Some),
    };
    let (from_at, to_at) = (place(call, from_place)?, place(call, to_place)?);
    let bytes = take(call, from, size.min(LARGEST_TRANSFER) as usize, from_at)?;
    let count = give(call, to, &bytes, to_at)?;
    for (place, at) in [(from_place, from_at), (to_place, to_at)] {
        if let Some(at) = at {
            let end = at + u64::from(count);
            call.put_words(place, &[end as u32, (end >> 32) as u32])?;
        }
    }
    Ok(count)
}
