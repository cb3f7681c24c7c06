//! System V communication: the one call that has all others in it, and what they have in common.

use steam_visibility::OthersFact;

use super::numbers::{meant, named};
use super::{Answer, Call, Role, SystemCall, message_queues, semaphores, shared_memory};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Asked, Channel, Facility, Stamp};
use crate::world::USER_ID;

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
    /// The limits of the system.
    pub const LIMITS: u32 = 3;
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
        facility.filter(|facility| facility.queue == queue).ok_or(Errno::EINVAL)
    }

    /// Removes a set of semaphores or a queue: who waits there goes on.
    pub(super) fn remove_facility(&mut self, id: u32, facility: Facility) {
        self.note_removal(id);
        self.system.channels.remove(facility.channel);
        self.system.kernel.facilities.remove(&id);
        self.system.kernel.removals = (self.system.kernel.removals + 1) % SEQUENCES;
    }

    /// The facility of a kind at an index, with its id (`SEM_STAT`, `MSG_STAT`).
    pub(super) fn facility_at(&self, index: u32, queue: bool) -> Result<(u32, Facility), Errno> {
        let mut facilities = self.system.kernel.facilities.iter();
        let found = facilities.find(|(id, it)| *id % INDICES == index && it.queue == queue);
        found.map(|(&id, &facility)| (id, facility)).ok_or(Errno::EINVAL)
    }

    /// The channels of a kind, and the highest index among them or 0, which the calls for limits answer.
    pub(super) fn facilities(&self, queue: bool) -> (Vec<u32>, u32) {
        let own = self.system.kernel.facilities.iter().filter(|(_, it)| it.queue == queue);
        let channels = own.clone().map(|(_, it)| it.channel).collect();
        (channels, own.map(|(id, _)| id % INDICES).max().unwrap_or(0))
    }

    /// The use that is made now, if the program asks for it.
    pub(super) fn stamp(&mut self, asked: Asked) -> Option<Stamp> {
        self.system.stamp(self.cpu.memory.policy.sharing(), asked)
    }

    /// The bits of permission that a `struct ipc64_perm` sets; its owner must stay who it is.
    pub(super) fn new_mode(&mut self, place: u32) -> Result<u32, Refusal> {
        let [_, user, group, _, _, mode] = self.words(place)?;
        if user != USER_ID || group != USER_ID {
            return Err(Refusal::Unknown("IPC_SET with another owner".to_owned()));
        }
        Ok(mode & 0o777)
    }

    /// Writes a status: a `struct ipc64_perm`, then words.
    pub(super) fn put_status(
        &mut self,
        place: u32,
        (id, key, mode): (u32, u32, u32),
        words: &[u32],
    ) -> Result<(), Refusal> {
        let permissions = [key, USER_ID, USER_ID, USER_ID, USER_ID, mode, id / INDICES, 0, 0];
        self.put_words(place, &[&permissions[..], words].concat())
    }

    /// Whether what this call waited for is gone.
    pub(super) fn lost(&self, id: u32) -> bool {
        self.resumed.is_some() && !self.system.kernel.facilities.contains_key(&id)
    }
}

/// A time in a status: seconds of 64 bits as two words.
pub(super) fn two_words(time: u64) -> [u32; 2] {
    [time as u32, (time >> 32) as u32]
}

/// What must be known of a call before it can be answered: that it asks for the past of facilities, or that it makes a
/// difference whether others have begun to wait.
pub fn requires(call: &'static SystemCall, arguments: [u32; 6]) -> Option<OthersFact> {
    // Within `ipc` all arguments come one later.
    let first = usize::from(call.has(Role::SystemV));
    let command = |position: usize| arguments[first + position] & !command::WIDE;
    meant(call, arguments[0]).roles().iter().find_map(|role| match role {
        Role::ControlsSemaphores => semaphores::requires(command(2)),
        Role::ControlsQueue => message_queues::requires(command(1)),
        Role::ControlsSegment => shared_memory::requires(command(1)),
        // A thread that waits for a message takes it before another one is notified of it.
        Role::AsksForNotice if arguments[1] != 0 => Some(OthersFact::Withdraws),
        // Every other call can be answered.
        _ => None,
    })
}
