//! Descriptors that messages hand over (`SCM_RIGHTS`).
//!
//! What is handed over are descriptions. Each is held by the message in which it is, as by a descriptor, so that
//! the end of a pipe that is on its way is open. A message that no process can receive any more is dropped, with
//! all that it holds: also a cycle of sockets that are held by nothing but each other's messages.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Call;
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Descriptor, Family, Object, Phase};
use crate::system::System;

/// `SOL_SOCKET`.
const SOCKET_LEVEL: u32 = 1;
const RIGHTS: u32 = 1;
const CREDENTIALS: u32 = 2;
/// The size of a `struct cmsghdr`: how long the message is with it, its level and its type.
const HEAD: u32 = 12;
/// The most descriptors of a message.
const MOST: usize = 253;
/// `MSG_CTRUNC`.
const CONTROL_TRUNCATED: u32 = 0x8;
/// `MSG_CMSG_CLOEXEC`.
pub(super) const CLOSE_ON_EXEC: u32 = 0x4000_0000;

/// The descriptions that the control messages of a `sendmsg` hand over.
pub(super) fn read(
    call: &mut Call<'_>,
    descriptor: u32,
    place: u32,
    size: u32,
) -> Result<Vec<u32>, Refusal> {
    if size == 0 {
        return Ok(Vec::new());
    }
    let socket = call.socket(call.socket_of(descriptor)?.0)?;
    if socket.family != Family::Unix {
        let what = "sendmsg with control messages over the internet".to_owned();
        return Err(Refusal::Unknown(what));
    }
    let mut rights = Vec::new();
    let mut at = 0;
    while at < size {
        // What is too short for a message is none, and 64-bit kernels refuse it.
        if size - at < HEAD {
            return Err(Errno::EINVAL.into());
        }
        let [length, level, kind] = call.words(place.wrapping_add(at))?;
        if !(HEAD..=size - at).contains(&length) {
            return Err(Errno::EINVAL.into());
        }
        match (level, kind) {
            (SOCKET_LEVEL, RIGHTS) => {
                let count = (length - HEAD) / 4;
                if rights.len() + count as usize > MOST {
                    return Err(Errno::EINVAL.into());
                }
                let bytes = call.bytes(place.wrapping_add(at + HEAD), count * 4)?;
                for word in bytes.chunks_exact(4) {
                    let descriptor = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
                    rights.push(call.system.description(descriptor)?.0);
                }
            }
            (SOCKET_LEVEL, CREDENTIALS) => {
                return Err(Refusal::Unknown("sendmsg with SCM_CREDENTIALS".to_owned()));
            }
            (SOCKET_LEVEL, _) => return Err(Errno::EINVAL.into()),
            // Linux looks at no others.
            _ => {}
        }
        at = size.min(at + length.next_multiple_of(4));
    }
    if !rights.is_empty() {
        check_number(call)?;
    }
    Ok(rights)
}

/// Gives the process descriptors for what it has received, as far as there is room for them, and says so in its
/// buffer for control messages. How much of that is used, and the flag that reports what was lost.
pub(super) fn install(
    call: &mut Call<'_>,
    rights: Vec<u32>,
    place: u32,
    size: u32,
    flags: u32,
) -> Result<(u32, u32), Refusal> {
    if rights.is_empty() {
        return Ok((0, 0));
    }
    let room = if place == 0 { 0 } else { size.saturating_sub(HEAD) / 4 };
    let close_on_exec = flags & CLOSE_ON_EXEC != 0;
    let mut descriptors = Vec::new();
    for &description in rights.iter().take(room as usize) {
        // Those for which the process has no number left are lost.
        let Ok(new) = call.system.describe(description, close_on_exec) else { break };
        descriptors.push(new);
    }
    let lost = if descriptors.len() < rights.len() { CONTROL_TRUNCATED } else { 0 };
    call.system.release(rights);
    if descriptors.is_empty() {
        return Ok((0, lost));
    }
    let length = HEAD + 4 * descriptors.len() as u32;
    call.put_words(place, &[length, SOCKET_LEVEL, RIGHTS])?;
    call.put_words(place.wrapping_add(HEAD), &descriptors)?;
    Ok((length.min(size), lost))
}

impl System {
    /// A message holds descriptions.
    pub(super) fn hold(&mut self, rights: &[u32]) {
        for number in rights {
            let description = self.kernel.descriptions.get_mut(number);
            description
                .expect("it was found by a descriptor, or was held by a message")
                .references += 1;
        }
    }

    /// Nothing holds descriptions any more that were with a message.
    pub(in crate::syscalls) fn release(&mut self, rights: Vec<u32>) {
        rights.into_iter().for_each(|number| self.release_description(number));
    }

    /// A further descriptor for a description.
    fn describe(&mut self, description: u32, close_on_exec: bool) -> Result<u32, Errno> {
        let descriptor = self.free_descriptor()?;
        self.hold(&[description]);
        let entry = Descriptor { description, close_on_exec };
        self.process.descriptors.insert(descriptor, entry);
        Ok(descriptor)
    }

    /// The descriptions that wait at a socket, or at those that were made for who connected to it.
    fn rights_at(&self, socket: u32) -> Vec<u32> {
        match self.channels.socket(socket).map(|socket| &socket.phase) {
            Some(Phase::Connected { incoming, .. }) => {
                let direction = self.channels.direction(*incoming);
                direction.map_or_else(Vec::new, |direction| direction.all_rights().collect())
            }
            Some(Phase::Letters { letters, .. }) => {
                letters.iter().flat_map(|letter| letter.rights.clone()).collect()
            }
            Some(Phase::Listening { waiting, .. }) => {
                waiting.iter().flat_map(|&socket| self.rights_at(socket)).collect()
            }
            Some(Phase::Fresh) | None => Vec::new(),
        }
    }

    /// Takes the descriptions that wait at a socket out of their messages.
    fn take_rights_at(&mut self, socket: u32) -> Vec<u32> {
        let Some(its) = self.channels.socket_mut(socket) else { return Vec::new() };
        match &mut its.phase {
            &mut Phase::Connected { incoming, .. } => {
                let direction = self.channels.direction_mut(incoming);
                direction.map_or_else(Vec::new, |direction| direction.take_all_rights())
            }
            Phase::Letters { letters, .. } => {
                letters.iter_mut().flat_map(|letter| std::mem::take(&mut letter.rights)).collect()
            }
            Phase::Listening { waiting, .. } => {
                let waiting = waiting.clone();
                waiting.into_iter().flat_map(|socket| self.take_rights_at(socket)).collect()
            }
            Phase::Fresh => Vec::new(),
        }
    }

    /// Drops the messages at sockets that no process can reach any more: they are held by messages alone, and these
    /// wait at such sockets. Linux looks for them when a UNIX socket ends.
    pub(super) fn drop_cycles(&mut self) {
        let descriptions = self.kernel.descriptions.iter();
        let sockets: BTreeMap<u32, u32> = descriptions
            .filter_map(|(&number, it)| match it.object {
                Object::Socket(socket) => Some((number, socket)),
                _ => None,
            })
            .collect();
        let waiting: BTreeMap<u32, Vec<u32>> =
            sockets.iter().map(|(&number, &socket)| (number, self.rights_at(socket))).collect();
        let mut held: BTreeMap<u32, u32> = BTreeMap::new();
        waiting.values().flatten().for_each(|&number| *held.entry(number).or_default() += 1);
        let is_held_alone = |number: &u32| {
            let references =
                self.kernel.descriptions.get(number).map(|description| description.references);
            references == held.get(number).copied()
        };
        let mut lost: BTreeSet<u32> = sockets.keys().copied().filter(is_held_alone).collect();
        if lost.is_empty() {
            return;
        }
        let mut found: Vec<u32> =
            sockets.keys().copied().filter(|number| !lost.contains(number)).collect();
        while let Some(number) = found.pop() {
            let reached = waiting.get(&number).into_iter().flatten();
            found.extend(reached.copied().filter(|number| lost.remove(number)));
        }
        let rights: Vec<u32> =
            lost.iter().flat_map(|number| self.take_rights_at(sockets[number])).collect();
        self.release(rights);
    }
}

/// Refuses more descriptors on their way than a process may have.
fn check_number(call: &Call<'_>) -> Result<(), Errno> {
    let descriptions = call.system.kernel.descriptions.values();
    let sockets = descriptions.filter_map(|description| match description.object {
        Object::Socket(socket) => Some(socket),
        _ => None,
    });
    let on_their_way: usize = sockets.map(|socket| call.system.rights_at(socket).len()).sum();
    match on_their_way > call.system.most_descriptors() as usize {
        true => Err(Errno::ETOOMANYREFS),
        false => Ok(()),
    }
}
