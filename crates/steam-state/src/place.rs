//! Where a byte lies, among all address spaces of a state.
//!
//! Each process has an address space of its own. Memory that processes share is one more space:
//! a process that maps such memory sees a part of it.

use std::fmt;

use crate::context::ThreadId;
use crate::page::page_of;

/// An address space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Space(u32);

impl Space {
    /// That of the first process.
    pub const FIRST: Self = Self(0);
    /// The memory that processes share.
    pub const SHARED: Self = Self(Self::COUNT as u32 - 1);
    /// How many spaces there can be.
    pub const COUNT: usize = 1 << 11;

    /// The space of the process whose first thread is this one; `None` if there are too many.
    pub fn of(leader: ThreadId) -> Option<Self> {
        let number = leader.0.checked_sub(ThreadId::FIRST.0)?;
        (number < Self::SHARED.0).then_some(Self(number))
    }

    /// The first thread of the process whose space it is.
    pub fn leader(self) -> ThreadId {
        ThreadId(self.0 + ThreadId::FIRST.0)
    }

    /// The space with a number.
    pub const fn numbered(number: u32) -> Self {
        Self(number)
    }

    /// The number of the space among all.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The number that a page or a page of validity bits has among those of all spaces.
    pub const fn page(self, index: u32) -> PageNumber {
        PageNumber(self.0 << PageNumber::BITS | index)
    }

    /// The place at an address.
    pub const fn at(self, address: u32) -> Place {
        Place((self.0 as u64) << 32 | address as u64)
    }
}

/// The number of a page, or of a page of validity bits, among those of all spaces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PageNumber(u32);

impl PageNumber {
    /// Bits of a number within its space: pages, and after them their validity bits.
    const BITS: u32 = 21;

    /// The space that it lies in.
    pub const fn space(self) -> Space {
        Space(self.0 >> Self::BITS)
    }

    /// The number within its space; those after the last page of 4 GiB are of validity bits.
    pub const fn index(self) -> u32 {
        self.0 & ((1 << Self::BITS) - 1)
    }

    pub(crate) const fn number(self) -> u32 {
        self.0
    }

    pub(crate) const fn numbered(number: u32) -> Self {
        Self(number)
    }
}

/// An address within a space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(u64);

impl Place {
    /// The place with a number, if there can be such a place.
    pub fn from_number(number: u64) -> Option<Self> {
        (number >> 32 < Space::COUNT as u64).then_some(Self(number))
    }

    /// A number for each place; for those of the first process it is their address.
    pub fn number(self) -> u64 {
        self.0
    }

    /// The space.
    pub fn space(self) -> Space {
        Space((self.0 >> 32) as u32)
    }

    /// The address within the space.
    pub fn address(self) -> u32 {
        self.0 as u32
    }

    /// The index of its page.
    pub fn page(self) -> u32 {
        page_of(self.address())
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:#x}", self.space().0, self.address())
    }
}

impl fmt::LowerHex for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_places_tell_their_space() {
        for space in [Space::FIRST, Space(1), Space(77), Space::SHARED] {
            let page = space.page(0x1f_ffff);
            assert_eq!((page.space(), page.index()), (space, 0x1f_ffff));
            let place = space.at(0xffff_fffc);
            assert_eq!((place.space(), place.address()), (space, 0xffff_fffc));
            assert_eq!(Place::from_number(place.number()), Some(place));
        }
        assert_eq!(Space::FIRST.at(0x804_a010).number(), 0x804_a010);
        assert_eq!(Place::from_number(1 << 43), None);
    }

    #[test]
    fn processes_have_spaces_as_long_as_there_are_some() {
        assert_eq!(Space::of(ThreadId::FIRST), Some(Space::FIRST));
        let last = Space::of(ThreadId(2047)).unwrap();
        assert_eq!(last.leader(), ThreadId(2047));
        assert_eq!(Space::of(ThreadId(2048)), None, "that is the shared one");
    }
}
