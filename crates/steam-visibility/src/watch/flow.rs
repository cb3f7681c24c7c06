//! How pointers into the heap come to a thread and go from it, and which blocks it has for itself meanwhile.
//!
//! While a thread runs, each value that may be a pointer into the heap is logged where it is loaded, stored or handed out
//! by the allocator. Who knows the heap settles the log from time to time (`docs/theory.md`, 2.8): was each of these
//! values copied from a place where others look for pointers, too, and did a block become known to others? In between
//! accesses to private blocks pass, for as long as no pointer was stored where others might find it.

use steam_state::{Layout, Space};

use super::Watch;

/// A value that may be a pointer into the heap, and what became of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moved {
    /// It was loaded from an aligned word.
    Loaded {
        /// Where the word lies.
        address: u32,
        /// The value.
        value: u32,
    },
    /// An aligned word has this value after a store.
    Stored {
        /// Where the word lies.
        address: u32,
        /// The value.
        value: u32,
    },
    /// These bytes of one page were overwritten, whatever with.
    Overwritten {
        /// Where they begin.
        address: u32,
        /// How many they are.
        size: u32,
    },
    /// This address was accessed, within something that is one step as a whole.
    Touched(u32),
    /// The allocator has handed out a block that begins there.
    Allocated(u32),
}

/// Entries of the filter for what was logged already; a power of two.
const FILTER: usize = 64;

/// What is known of pointers in this turn.
#[derive(Debug)]
pub(super) struct Flow {
    /// Whether it is followed how pointers move.
    follows: bool,
    log: Vec<Moved>,
    /// Some of what was logged since the log was taken.
    filter: [Option<Moved>; FILTER],
    /// The blocks that the thread has for itself, from the first byte to the one after the last.
    private: Vec<(u32, u32)>,
    /// Those of them that no other thread could reach since they were allocated.
    unpublished: Vec<(u32, u32)>,
    /// The block that is being allocated, if that is asked for.
    allocation: Allocation,
    /// Whether a pointer was stored where others may find it, since the log was taken.
    may_publish: bool,
}

/// A block that the allocator hands out, of which it is not known yet whether others may have pointers to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Allocation {
    /// Nothing is asked about one.
    Unasked,
    /// It is waited for.
    Awaited,
    /// It begins there.
    Block(u32),
    /// It is written as a whole, from its first byte to the one after its last; that is not noted yet.
    Written(u32, u32),
}

impl Default for Flow {
    fn default() -> Self {
        Self {
            follows: false,
            log: Vec::new(),
            filter: [None; FILTER],
            private: Vec::new(),
            unpublished: Vec::new(),
            allocation: Allocation::Unasked,
            may_publish: false,
        }
    }
}

impl Flow {
    fn note(&mut self, moved: Moved, key: u32) {
        let entry = &mut self.filter[(key >> 2) as usize % FILTER];
        if *entry != Some(moved) {
            *entry = Some(moved);
            self.log.push(moved);
        }
    }

    /// Whether all of some bytes lie in a block that the thread has for itself.
    pub(super) fn is_private(&self, address: u32, size: u32) -> bool {
        !self.may_publish && covers(&self.private, address, size)
    }
}

/// Whether all of some bytes lie in one of some blocks.
fn covers(blocks: &[(u32, u32)], address: u32, size: u32) -> bool {
    let last = address.saturating_add(size - 1);
    blocks.iter().any(|&(start, end)| start <= address && last < end)
}

impl Watch {
    /// Takes what became of values that may be pointers into the heap since this was asked last, in order.
    pub fn take_moved(&mut self) -> Vec<Moved> {
        self.flow.filter = [None; FILTER];
        self.flow.may_publish = false;
        std::mem::take(&mut self.flow.log)
    }

    /// Says whether it is followed from now on how pointers move; what was logged is forgotten.
    pub fn follow_flow(&mut self, follows: bool) {
        self.take_moved();
        self.set_private(&[], &[]);
        self.flow.follows = follows;
    }

    /// Whether nothing has become of such values since then.
    pub fn is_settled(&self) -> bool {
        self.flow.log.is_empty()
    }

    /// Says which blocks the thread has for itself from now on, each from its first byte to the one after its last; and
    /// which of them no other thread could reach since they were allocated.
    pub fn set_private(&mut self, blocks: &[(u32, u32)], unpublished: &[(u32, u32)]) {
        self.flow.private.clear();
        self.flow.private.extend_from_slice(blocks);
        self.flow.unpublished.clear();
        self.flow.unpublished.extend_from_slice(unpublished);
    }

    /// Says that the next block which the allocator hands out is asked for by [`Watch::take_block`]: until then its
    /// allocation is no access.
    pub fn await_block(&mut self) {
        self.flow.allocation = Allocation::Awaited;
    }

    /// The block that was waited for, if there is one, from its first byte to the one after its last. Its allocation is
    /// not noted.
    pub fn take_block(&mut self) -> Option<(u32, u32)> {
        match std::mem::replace(&mut self.flow.allocation, Allocation::Unasked) {
            Allocation::Written(start, end) => Some((start, end)),
            Allocation::Unasked | Allocation::Awaited => None,
            Allocation::Block(start) => {
                unreachable!("the block at {start:#x} is written when it is handed out")
            }
        }
    }

    /// Whether it has to wait to be noted that bytes are written, because it is the allocation of the block that is waited
    /// for.
    pub(super) fn is_allocation(&mut self, start: u32, end: u32) -> bool {
        let awaited = self.flow.allocation == Allocation::Block(start);
        if awaited {
            self.flow.allocation = Allocation::Written(start, end);
        }
        awaited
    }

    pub(super) fn note_moved_in(&mut self, address: u32, value: u32) {
        self.flow.note(Moved::Loaded { address, value }, address);
    }

    pub(super) fn note_moved_out(
        &mut self,
        layout: &Layout,
        address: u32,
        value: u32,
        (low, high): (u32, u32),
    ) {
        self.flow.note(Moved::Stored { address, value }, address);
        let own =
            (low..high).contains(&address) && !self.sharing.is_reached(layout.space().at(address));
        if !own && !self.flow.is_private(address, 4) {
            self.flow.may_publish = true;
        }
    }

    pub(super) fn note_touched(&mut self, address: u32) {
        if self.flow.follows {
            self.flow.note(Moved::Touched(address), address);
        }
    }

    /// Notes that the allocator has handed out a block.
    pub fn note_block(&mut self, address: u32) {
        if self.flow.follows {
            self.flow.log.push(Moved::Allocated(address));
        }
        if self.flow.allocation == Allocation::Awaited {
            self.flow.allocation = Allocation::Block(address);
        }
    }

    pub(super) fn note_moved_over(&mut self, address: u32, size: u32) {
        if !self.flow.follows {
            return;
        }
        self.flow.log.push(Moved::Overwritten { address, size });
        self.flow.may_publish = true;
    }

    /// Whether no other thread could reach some bytes of the heap since they were allocated: what is done to them comes
    /// before all that others do to them, in each execution. Who looks at memory in every state, or judges how each word
    /// is protected, sees it all the same.
    pub(super) fn is_unpublished(&self, layout: &Layout, address: u32, size: u32) -> bool {
        !self.flow.unpublished.is_empty()
            && !self.flow.may_publish
            && layout.space() == Space::FIRST
            && covers(&self.flow.unpublished, address, size)
            && !self.sharing.observes()
            && !self.sharing.discipline().judges()
    }

    /// Whether bytes of the heap that the watched thread touches lie in a block that it has for itself.
    pub(super) fn has_alone(&self, layout: &Layout, address: u32, size: u32) -> bool {
        layout.space() == Space::FIRST && self.flow.is_private(address, size)
    }
}
