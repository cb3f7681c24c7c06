//! Who decides about accesses to memory: a policy, of which the memory knows nothing but the answers.
//!
//! Memory asks about pages when they are first accessed, and about each access to a page of which the policy wants to
//! know. An access is *refused* without an effect, and the instruction that makes it runs again later; what it did
//! before is kept by the policy in [`Part`]s, and is answered from there.

use crate::place::{Place, Space};
use crate::region::{RegionKind, Regions};

/// What is mapped where in an address space.
#[derive(Debug, Default)]
pub struct Layout {
    pub(crate) space: Space,
    pub(crate) regions: Regions,
    /// Whether a part of the memory that processes share is mapped.
    pub(crate) shares: bool,
    /// Whose memory it is, if it was lent.
    pub(crate) lender: Option<Space>,
}

impl Layout {
    /// The address space.
    pub fn space(&self) -> Space {
        self.space
    }

    /// What is mapped where.
    pub fn regions(&self) -> &Regions {
        &self.regions
    }

    /// The kind of the mapping at an address; of a plain one where nothing is mapped.
    pub fn kind(&self, address: u32) -> RegionKind {
        self.regions.find(address).map_or(RegionKind::Mapped, |(_, region)| region.kind)
    }

    /// Where an address lies.
    pub fn place(&self, address: u32) -> Place {
        if !self.shares {
            return self.space.at(address);
        }
        let region = self.regions.find(address);
        region.map_or(self.space.at(address), |(_, it)| it.kind.place(self.space, address))
    }

    /// A place, and the same in the memory of the lender, if it is lent.
    pub fn with_lenders(&self, place: Place) -> impl Iterator<Item = Place> {
        let lender = self.lender.filter(|_| place.space() == self.space);
        std::iter::once(place).chain(lender.map(|lender| lender.at(place.address())))
    }
}

/// An access that is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// Where it begins, as the thread sees it.
    pub address: u32,
    /// How many bytes it touches.
    pub size: u32,
    /// Whether it writes.
    pub write: bool,
    /// Where it begins, among all that processes have.
    pub place: Place,
}

impl Access {
    /// Whether it touches bytes that another one touches.
    pub fn overlaps(self, other: Self) -> bool {
        let end = |access: Self| access.place.number() + u64::from(access.size);
        self.place.number() < end(other) && other.place.number() < end(self)
    }
}

/// A part of an access that lies on one page of which the policy wants to know.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Where it begins.
    pub address: u32,
    /// How many bytes it has.
    pub size: u32,
    /// The number of the thread whose stack the page is part of; 0 for no stack.
    pub owner: u32,
}

/// The most bytes of a load that are kept for later runs of its instruction. Larger ones load whole
/// register files: those instructions do nothing else, and are done as a whole.
pub const KEPT: usize = 16;

/// An access of an instruction that is over, while others of the same instruction are not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// It read this.
    Read([u8; KEPT]),
    /// It wrote what the instruction writes there.
    Wrote,
}

/// How an access is done whose bytes may be touched.
#[derive(Clone, Copy, Debug)]
pub enum Passage {
    /// As if that were not asked.
    Free,
    /// As if that were not asked, and then the policy learns what it was ([`Policy::keep`]).
    Kept,
    /// Not at all: an earlier run of the instruction has done this.
    Earlier(Part),
    /// Not now: the instruction has no effect.
    Refused,
}

/// What decides about accesses to memory.
pub trait Policy {
    /// Whether it wants to know of any access.
    fn is_on(&self) -> bool;

    /// Whether it wants to know of each access to a page, which is accessed now.
    fn asks_about(&self, layout: &Layout, page: Place, kind: RegionKind, write: bool) -> bool;

    /// Decides about an access, of which it wants to know some parts; `esp` is the stack pointer.
    fn decide(
        &mut self,
        layout: &Layout,
        access: (u32, u32, bool),
        asked: &[Asked],
        esp: u32,
    ) -> Passage;

    /// Takes what a kept access has done.
    fn keep(&mut self, part: Part);

    /// The instruction begins anew within its run, because it writes to decoded code.
    fn instruction_restarts(&mut self);

    /// Notes an access to `start..end` that is not decided about: the kernel or a model makes it for the thread.
    fn note(&mut self, layout: &Layout, start: u32, end: u32, write: bool);

    /// Notes that what is mapped in `start..end` changes.
    fn note_mapping(&mut self, layout: &Layout, start: u32, end: u32);

    /// Notes that a word was loaded whose value may be a pointer; asked for by [`LiveMemory::follow_pointers`].
    ///
    /// [`LiveMemory::follow_pointers`]: crate::LiveMemory::follow_pointers
    fn note_loaded(&mut self, address: u32, value: u32);

    /// Notes that an aligned word has, after a store to it or to a part of it, a value that may be a pointer.
    /// `stack` is where the running thread's stack lies.
    fn note_stored(&mut self, layout: &Layout, address: u32, value: u32, stack: (u32, u32));

    /// Notes that `size` bytes of one page are about to be written by other means than stores.
    fn note_overwritten(&mut self, address: u32, size: u32);
}

/// The policy that lets everything happen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Policy for Unwatched {
    fn is_on(&self) -> bool {
        false
    }

    fn asks_about(&self, _: &Layout, _: Place, _: RegionKind, _: bool) -> bool {
        false
    }

    fn decide(&mut self, _: &Layout, _: (u32, u32, bool), _: &[Asked], _: u32) -> Passage {
        Passage::Free
    }

    fn keep(&mut self, _: Part) {}

    fn instruction_restarts(&mut self) {}

    fn note(&mut self, _: &Layout, _: u32, _: u32, _: bool) {}

    fn note_mapping(&mut self, _: &Layout, _: u32, _: u32) {}

    fn note_loaded(&mut self, _: u32, _: u32) {}

    fn note_stored(&mut self, _: &Layout, _: u32, _: u32, _: (u32, u32)) {}

    fn note_overwritten(&mut self, _: u32, _: u32) {}
}
