//! Locks on files: `flock`, and the commands of `fcntl` that set and test locks.

use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{FileLock, FileName, LockOwner, LockRequest, Object, Reason, Waiting};
use crate::system::System;

const SHARED: u32 = 1;
const EXCLUSIVE: u32 = 2;
const NO_WAIT: u32 = 4;
const UNLOCK: u32 = 8;

/// What a command of `fcntl` does about locks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LockCommand {
    /// Whether it says who is in the way.
    pub asks: bool,
    /// Whether it waits.
    pub waits: bool,
    /// Whether offsets have 64 bits.
    pub wide: bool,
    /// Whether the open file description has the lock, not the process.
    pub by_description: bool,
}

/// What the command of `fcntl` with a number does about locks, if it does.
pub(super) fn lock_command(number: u32) -> Option<LockCommand> {
    let (first, wide, by_description) = match number {
        5..=7 => (5, false, false),
        12..=14 => (12, true, false),
        36..=38 => (36, true, true),
        _ => return None,
    };
    let which = number - first;
    Some(LockCommand { asks: which == 0, waits: which == 2, wide, by_description })
}

/// Whether a command of `fcntl` is about locks.
pub fn is_about_locks(number: u32) -> bool {
    lock_command(number).is_some()
}

impl System {
    /// The file behind a descriptor, as locks know it.
    fn locked_file(&self, descriptor: u32) -> Result<FileName, Refusal> {
        match &self.description(descriptor)?.1.object {
            Object::File(name) => Ok(name.clone()),
            Object::Directory { path, .. } => Ok(FileName::Host(path.clone())),
            _ => Err(Refusal::Unknown("a lock on what is no file".to_owned())),
        }
    }

    /// Whether a lock that is asked for can be taken.
    pub fn can_lock(&self, request: &LockRequest) -> bool {
        let locks = self.kernel.locks.get(&request.file);
        locks.is_none_or(|it| it.conflicts(request.parts, request.lock).next().is_none())
    }

    fn lock(&mut self, request: &LockRequest) {
        let mut locks = self.kernel.locks.get(&request.file).cloned().unwrap_or_default();
        locks.take(request.parts, request.lock);
        self.kernel.locks.insert(request.file.clone(), locks);
    }

    fn change_locks(
        &mut self,
        file: &FileName,
        change: impl FnOnce(&mut crate::kernel::FileLocks),
    ) {
        // Nothing is locked, so there is nothing to give up.
        let Some(mut locks) = self.kernel.locks.get(file).cloned() else { return };
        change(&mut locks);
        if locks.is_empty() {
            self.kernel.locks.remove(file);
        } else {
            self.kernel.locks.insert(file.clone(), locks);
        }
    }

    /// The owners whose locks end when the process on the CPU closes a descriptor.
    fn owners_at_close(&self, descriptor: u32) -> Option<(FileName, Vec<LockOwner>)> {
        let file = self.locked_file(descriptor).ok()?;
        let (number, description) = self.description(descriptor).ok()?;
        let mut owners = vec![LockOwner::Process(self.space.leader())];
        if description.references == 1 {
            owners.push(LockOwner::Description(number));
        }
        Some((file, owners))
    }

    /// Whether a lock ends when the process on the CPU closes a descriptor.
    pub fn unlocks_at_close(&self, descriptor: u32) -> bool {
        if self.kernel.locks.is_empty() {
            return false;
        }
        let Some((file, owners)) = self.owners_at_close(descriptor) else { return false };
        let locks = self.kernel.locks.get(&file);
        locks.is_some_and(|locks| owners.into_iter().any(|owner| locks.has(owner)))
    }

    /// Gives up the locks that end when the process on the CPU closes a descriptor: those of the
    /// process on that file, whichever descriptor they were taken by, and with the last descriptor those
    /// of the description.
    pub(super) fn unlock_at_close(&mut self, descriptor: u32) {
        if self.kernel.locks.is_empty() {
            return;
        }
        if let Some((file, owners)) = self.owners_at_close(descriptor) {
            self.change_locks(&file, |locks| {
                owners.into_iter().for_each(|owner| locks.leave(owner))
            });
        }
    }

    /// Whether a lock for which a process would wait could never be given: whoever is in the way waits,
    /// maybe by way of others, for that process.
    fn closes_cycle(&self, request: &LockRequest) -> bool {
        let mut owners = self.owners_before(request);
        let mut next = 0;
        while let Some(&owner) = owners.get(next) {
            next += 1;
            // Linux looks for deadlocks among locks of processes alone.
            let LockOwner::Process(leader) = owner else { continue };
            if owner == request.lock.owner {
                return true;
            }
            let Some(space) = steam_state::Space::of(leader) else { continue };
            let waits =
                self.threads.of(space).filter_map(|(_, record)| match &record.waiting()?.reason {
                    Reason::FileLock(request) if request.parts => Some(self.owners_before(request)),
                    _ => None,
                });
            let more: Vec<LockOwner> = waits.flatten().collect();
            owners.extend(more.into_iter().filter(|it| !owners.contains(it)).collect::<Vec<_>>());
        }
        false
    }

    /// Whose locks keep one from being taken.
    fn owners_before(&self, request: &LockRequest) -> Vec<LockOwner> {
        let locks = self.kernel.locks.get(&request.file);
        let locks = locks.into_iter().flat_map(|it| it.conflicts(request.parts, request.lock));
        locks.map(|lock| lock.owner).collect()
    }
}

/// What `flock` asks for; `None` to unlock.
fn wanted(call: &Call<'_>) -> Result<Option<LockRequest>, Refusal> {
    let [descriptor, operation, ..] = call.arguments;
    let (number, _) = call.system.description(descriptor)?;
    let exclusive = match operation & !NO_WAIT {
        SHARED => false,
        EXCLUSIVE => true,
        UNLOCK => return Ok(None),
        _ => return Err(Errno::EINVAL.into()),
    };
    let lock = FileLock::whole(LockOwner::Description(number), exclusive);
    Ok(Some(LockRequest { file: call.system.locked_file(descriptor)?, parts: false, lock }))
}

/// What `flock` waits for, if it does nothing before: one that changes a lock gives up the old one first.
pub(super) fn flock_need(call: &mut Call<'_>) -> Option<Waiting> {
    let request = wanted(call).ok()??;
    let locks = call.system.kernel.locks.get(&request.file);
    let has_one = locks.is_some_and(|locks| locks.of(request.lock.owner).is_some());
    let waits = call.arguments[1] & NO_WAIT == 0 && !has_one;
    let reason = Reason::FileLock(request);
    waits.then_some(Waiting { reason, deadline: None })
}

pub(super) fn flock(call: &mut Call<'_>) -> Answer {
    let [descriptor, operation, ..] = call.arguments;
    let Some(request) = wanted(call)? else {
        let (number, _) = call.system.description(descriptor)?;
        let lock = FileLock::whole(LockOwner::Description(number), true);
        let file = call.system.locked_file(descriptor)?;
        call.system.change_locks(&file, |locks| locks.give_up(false, lock));
        return Ok(0);
    };
    // As in Linux, the old one is lost even if the new one cannot be had.
    let kept =
        call.system.kernel.locks.get(&request.file).and_then(|locks| locks.of(request.lock.owner));
    if kept != Some(&request.lock) {
        call.system.change_locks(&request.file, |locks| locks.give_up(false, request.lock));
    }
    take(call, request, operation & NO_WAIT == 0)
}

fn take(call: &mut Call<'_>, request: LockRequest, waits: bool) -> Answer {
    if call.system.can_lock(&request) {
        call.system.lock(&request);
        return Ok(0);
    }
    if !waits {
        return Err(Errno::EAGAIN.into());
    }
    let by_process = matches!(request.lock.owner, LockOwner::Process(_));
    if by_process && call.system.closes_cycle(&request) {
        return Err(Errno::EDEADLK.into());
    }
    Err(Refusal::Wait(Waiting { reason: Reason::FileLock(request), deadline: None }))
}

/// The kinds of locks in `struct flock`.
const FOR_READING: u16 = 0;
const FOR_WRITING: u16 = 1;
const NONE: u16 = 2;

/// A command of `fcntl` about locks.
pub(super) fn control_lock(call: &mut Call<'_>, command: LockCommand) -> Answer {
    let [descriptor, _, place, ..] = call.arguments;
    let (kind, first, last) = range(call, descriptor, place, command.wide)?;
    let (number, description) = call.system.description(descriptor)?;
    let owner = match command.by_description {
        true => LockOwner::Description(number),
        false => LockOwner::Process(call.system.space.leader()),
    };
    const ACCESS: u32 = 3;
    const READ_ONLY: u32 = 0;
    const WRITE_ONLY: u32 = 1;
    let access = description.flags & ACCESS;
    let file = call.system.locked_file(descriptor)?;
    let lock = FileLock { owner, first, last, exclusive: kind == FOR_WRITING };
    let request = LockRequest { file, parts: true, lock };
    match kind {
        _ if command.asks => tell(call, &request, place, command),
        NONE => {
            call.system.change_locks(&request.file, |locks| locks.give_up(true, lock));
            Ok(0)
        }
        FOR_READING if access == WRITE_ONLY => Err(Errno::EBADF.into()),
        FOR_WRITING if access == READ_ONLY => Err(Errno::EBADF.into()),
        FOR_READING | FOR_WRITING => take(call, request, command.waits),
        _ => Err(Errno::EINVAL.into()),
    }
}

/// The kind of a lock in memory, and which bytes it is about.
fn range(
    call: &mut Call<'_>,
    descriptor: u32,
    place: u32,
    wide: bool,
) -> Result<(u16, u64, u64), Refusal> {
    let [sort] = call.words(place)?;
    let (start, length) = if wide {
        (call.long(place.wrapping_add(4))? as i64, call.long(place.wrapping_add(12))? as i64)
    } else {
        let [start, length] = call.words(place.wrapping_add(4))?;
        (i64::from(start as i32), i64::from(length as i32))
    };
    let (_, description) = call.system.description(descriptor)?;
    let from = match sort >> 16 {
        0 => 0,
        1 => description.offset as i64,
        2 => match &description.object {
            Object::File(name) => call.files().length(name)? as i64,
            _ => 0,
        },
        _ => return Err(Errno::EINVAL.into()),
    };
    let start = from.checked_add(start).ok_or(Errno::EOVERFLOW)?;
    let (first, last) = match length {
        0 => (start, i64::MAX),
        1.. => (start, start.checked_add(length - 1).ok_or(Errno::EOVERFLOW)?),
        _ => (start.saturating_add(length), start - 1),
    };
    let first = u64::try_from(first).map_err(|_| Errno::EINVAL)?;
    let last = if last == i64::MAX { u64::MAX } else { last as u64 };
    Ok((sort as u16, first, last))
}

/// Returns which lock is in the way of one, if any is.
fn tell(call: &mut Call<'_>, request: &LockRequest, place: u32, command: LockCommand) -> Answer {
    let locks = call.system.kernel.locks.get(&request.file);
    let found = locks.into_iter().flat_map(|it| it.conflicts(true, request.lock)).copied();
    let lock = match found.collect::<Vec<FileLock>>()[..] {
        [] => {
            call.put(place, &NONE.to_le_bytes())?;
            return Ok(0);
        }
        [lock] => lock,
        // Linux tells the one that was taken first, which is nothing that a state knows.
        _ => return Err(Refusal::Unknown("which of several locks is in the way".to_owned())),
    };
    let kind = if lock.exclusive { FOR_WRITING } else { FOR_READING };
    let length = if lock.last == u64::MAX { 0 } else { lock.last - lock.first + 1 };
    let process = match lock.owner {
        LockOwner::Process(leader) => System::thread_number(leader),
        LockOwner::Description(_) => u32::MAX,
    };
    let mut words = vec![u32::from(kind), lock.first as u32];
    if command.wide {
        words.extend([(lock.first >> 32) as u32, length as u32, (length >> 32) as u32]);
    } else {
        words.push(length as u32);
    }
    words.push(process);
    call.put_words(place, &words)?;
    Ok(0)
}
