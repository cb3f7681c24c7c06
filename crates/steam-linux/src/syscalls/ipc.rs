//! System V communication: the one call that has all others in it, and what they have in common.

use super::numbers::named;
use super::{Answer, Call, SystemCall, message_queues, semaphores, shared_memory};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Channel, Facility};

/// Make it if it is not there.
pub(super) const CREATE: u32 = 0o1000;
/// Fail if it is.
const EXCLUSIVE: u32 = 0o2000;
/// Fail instead of waiting.
pub(super) const NO_WAIT: u32 = 0o4000;
/// How many sets and queues there may be: an id is an index among them, and how often one was removed before.
const INDICES: u32 = 32768;
/// After so many removals ids come again. Linux counts further, but then a program that makes and removes sets
/// again and again would never be in a state in which it was before.
const SEQUENCES: u32 = 8;
/// The key that means none.
const PRIVATE: u32 = 0;

/// Commands of the `ctl` calls.
pub(super) mod command {
    pub const REMOVE: u32 = 0;
    pub const SET: u32 = 1;
    pub const STATUS: u32 = 2;
    /// A bit that says that structures are of the newer kind: they always are.
    pub const WIDE: u32 = 0x100;
}

/// The row of the call that an operation of `ipc` is; `semop` and `semtimedop` have none.
pub(super) fn system_v(which: u32) -> Option<&'static SystemCall> {
    let name = match which & 0xffff {
        2 => "semget",
        3 => "semctl",
        11 => "msgsnd",
        12 => "msgrcv",
        13 => "msgget",
        14 => "msgctl",
        21 => "shmat",
        22 => "shmdt",
        23 => "shmget",
        24 => "shmctl",
        // Others are refused by the call itself.
        _ => return None,
    };
    Some(named(name).expect("each System V call but two has a number of its own"))
}

/// `ipc`: the call that has all others in it.
pub(super) fn ipc(call: &mut Call<'_>) -> Answer {
    let [which, first, second, third, pointer, fifth] = call.arguments;
    let version = which >> 16;
    match which & 0xffff {
        1 => redirect(call, [first, pointer, second, 0, 0, 0], semaphores::semop),
        2 => redirect(call, [first, second, third, 0, 0, 0], semaphores::semget),
        3 => {
            let argument = call.word(pointer)?;
            redirect(call, [first, second, third, argument, 0, 0], semaphores::semctl)
        }
        4 => redirect(call, [first, pointer, second, fifth, 0, 0], semaphores::semtimedop),
        11 => redirect(call, [first, pointer, second, third, 0, 0], message_queues::msgsnd),
        12 => {
            let (buffer, kind) = match version {
                0 => {
                    let [buffer, kind] = call.words(pointer)?;
                    (buffer, kind)
                }
                _ => (pointer, fifth),
            };
            redirect(call, [first, buffer, second, kind, third, 0], message_queues::msgrcv)
        }
        13 => redirect(call, [first, second, 0, 0, 0, 0], message_queues::msgget),
        14 => redirect(call, [first, second, pointer, 0, 0, 0], message_queues::msgctl),
        21 => redirect(call, [first, pointer, second, 0, 0, 0], shared_memory::shmat)
            .and_then(|start| call.put_word(third, start).map(|()| 0)),
        22 => redirect(call, [pointer, 0, 0, 0, 0, 0], shared_memory::shmdt),
        23 => redirect(call, [first, second, third, 0, 0, 0], shared_memory::shmget),
        24 => redirect(call, [first, second, pointer, 0, 0, 0], shared_memory::shmctl),
        _ => Err(Errno::ENOSYS.into()),
    }
}

fn redirect(call: &mut Call<'_>, arguments: [u32; 6], handler: super::Handler) -> Answer {
    call.arguments = arguments;
    handler(call)
}

/// What a `get` call wants to find, or to make.
pub(super) struct Request {
    /// The key.
    pub key: u32,
    /// The flags, with who may use it.
    pub flags: u32,
}

impl Request {
    /// What is there decides: its id, or that it is to be made.
    pub(super) fn find(&self, known: Option<u32>) -> Result<Option<u32>, Errno> {
        match known.filter(|_| self.key != PRIVATE) {
            Some(_) if self.flags & CREATE != 0 && self.flags & EXCLUSIVE != 0 => {
                Err(Errno::EEXIST)
            }
            Some(id) => Ok(Some(id)),
            None if self.key == PRIVATE || self.flags & CREATE != 0 => Ok(None),
            None => Err(Errno::ENOENT),
        }
    }
}

impl Call<'_> {
    /// Finds a set of semaphores or a queue, or makes one.
    pub(super) fn facility(
        &mut self,
        request: &Request,
        queue: bool,
        make: impl FnOnce() -> Result<Channel, Refusal>,
    ) -> Answer {
        let facilities = &self.system.kernel.facilities;
        let known = facilities.iter().find(|(_, it)| it.key == request.key && it.queue == queue);
        if let Some(id) = request.find(known.map(|(&id, _)| id))? {
            return Ok(id);
        }
        let channel = self.system.channels.add(make()?);
        let kernel = &self.system.kernel;
        let taken = |index: &u32| kernel.facilities.keys().any(|id| id % INDICES == *index);
        let index = (0..INDICES).find(|index| !taken(index)).ok_or(Errno::ENOSPC)?;
        let id = index + INDICES * kernel.removals;
        let facility = Facility { key: request.key, channel, queue, mode: request.flags & 0o777 };
        self.system.kernel.facilities.insert(id, facility);
        Ok(id)
    }

    /// The set of semaphores or the queue with an id.
    pub(super) fn facility_of(&self, id: u32, queue: bool) -> Result<Facility, Errno> {
        let facility = self.system.kernel.facilities.get(&id).copied();
        facility.filter(|it| it.queue == queue).ok_or(Errno::EINVAL)
    }

    /// Removes a set of semaphores or a queue: who waits there goes on.
    pub(super) fn remove_facility(&mut self, id: u32, facility: Facility) {
        self.note_removal(id);
        self.system.channels.remove(facility.channel);
        self.system.kernel.facilities.remove(&id);
        self.system.kernel.removals = (self.system.kernel.removals + 1) % SEQUENCES;
    }

    /// Whether what this call waited for is gone.
    pub(super) fn lost(&self, id: u32) -> bool {
        self.resumed.is_some() && !self.system.kernel.facilities.contains_key(&id)
    }
}

/// The `struct ipc64_perm` with which each status begins.
pub(super) fn permissions(key: u32, mode: u32) -> Vec<u8> {
    use crate::world::USER_ID;
    let words = [key, USER_ID, USER_ID, USER_ID, USER_ID, mode, 0, 0, 0];
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
