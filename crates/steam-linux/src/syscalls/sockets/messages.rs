//! The calls that send and receive.

use super::super::transfer::Parts;
use super::super::{Answer, Call};
use super::addresses::{self, Address};
use super::receiving::flag;
use super::{Sent, receive, rights, send};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};

/// A `struct msghdr`.
pub(super) struct Header {
    name: u32,
    name_size: u32,
    parts: u32,
    count: u32,
    control: u32,
    control_size: u32,
}

impl Header {
    const NAME_SIZE: u32 = 4;
    const CONTROL_SIZE: u32 = 20;
    const FLAGS: u32 = 24;

    pub(super) fn read(call: &mut Call<'_>, address: u32) -> Result<Self, Refusal> {
        let [name, name_size, parts, count, control, control_size, _] = call.words(address)?;
        Ok(Self { name, name_size, parts, count, control, control_size })
    }

    /// Whether there may be control messages.
    pub(super) fn has_control(&self) -> bool {
        self.control_size != 0
    }

    /// The buffers.
    pub(super) fn parts(&self, call: &mut Call<'_>) -> Result<Parts, Refusal> {
        const MOST_PARTS: u32 = 1024;
        if self.count > MOST_PARTS {
            return Err(Errno::EMSGSIZE.into());
        }
        Parts::read(call, self.parts, self.count)
    }

    /// To whom it goes, if it says so.
    pub(super) fn address(
        &self,
        call: &mut Call<'_>,
        descriptor: u32,
    ) -> Result<Option<Address>, Refusal> {
        address(call, descriptor, self.name, self.name_size)
    }
}

/// An address that a call may leave out.
pub(super) fn address(
    call: &mut Call<'_>,
    descriptor: u32,
    place: u32,
    size: u32,
) -> Result<Option<Address>, Refusal> {
    if place == 0 || size == 0 {
        return Ok(None);
    }
    let family = call.socket(call.socket_of(descriptor)?.0)?.family;
    addresses::read(call, place, size, family).map(Some)
}

pub(in crate::syscalls) fn sendto(call: &mut Call<'_>) -> Answer {
    let [descriptor, buffer, size, flags, place, place_size] = call.arguments;
    call.socket_of(descriptor)?;
    let to = address(call, descriptor, place, place_size)?;
    let bytes = Parts::one(buffer, size).bytes(call)?;
    send(call, descriptor, &Sent { bytes: &bytes, rights: &[] }, flags, to.as_ref())
}

pub(in crate::syscalls) fn sendmsg(call: &mut Call<'_>) -> Answer {
    let [descriptor, place, flags, ..] = call.arguments;
    call.socket_of(descriptor)?;
    let header = Header::read(call, place)?;
    let to = header.address(call, descriptor)?;
    let bytes = header.parts(call)?.bytes(call)?;
    let rights = rights::read(call, descriptor, header.control, header.control_size)?;
    send(call, descriptor, &Sent { bytes: &bytes, rights: &rights }, flags, to.as_ref())
}

pub(in crate::syscalls) fn recvfrom(call: &mut Call<'_>) -> Answer {
    let [descriptor, buffer, size, flags, place, length] = call.arguments;
    let received = receive(call, descriptor, &Parts::one(buffer, size), flags)?;
    call.system.release(received.rights);
    if place != 0 {
        let family = call.socket(call.socket_of(descriptor)?.0)?.family;
        let from = received.from.map(|from| addresses::bytes(family, Some(&from)));
        addresses::put(call, &from.unwrap_or_default(), place, length)?;
    }
    Ok(received.size)
}

pub(in crate::syscalls) fn recvmsg(call: &mut Call<'_>) -> Answer {
    let [descriptor, place, flags, ..] = call.arguments;
    call.socket_of(descriptor)?;
    let header = Header::read(call, place)?;
    let parts = header.parts(call)?;
    let received = receive(call, descriptor, &parts, flags)?;
    if header.name != 0 {
        let family = call.socket(call.socket_of(descriptor)?.0)?.family;
        let from = received.from.map(|from| addresses::bytes(family, Some(&from)));
        addresses::put(call, &from.unwrap_or_default(), header.name, place + Header::NAME_SIZE)?;
    }
    let (used, lost) =
        rights::install(call, received.rights, header.control, header.control_size, flags)?;
    call.put_word(place + Header::CONTROL_SIZE, used)?;
    let truncated = if received.truncated { flag::TRUNCATED } else { 0 };
    let shown = truncated | lost | flags & rights::CLOSE_ON_EXEC;
    call.put_word(place + Header::FLAGS, shown)?;
    Ok(received.size)
}
