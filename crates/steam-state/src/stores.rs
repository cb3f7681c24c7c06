//! What the states of one search share: interned components, and the slots that name their places.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::heap::{Arena, Block};
use crate::intern::{Component, Interner};
use crate::pages::PageStore;
use crate::place::Space;
use crate::reads::Reading;
use crate::region::Regions;
use crate::slots::{Key, Slots};

/// The stores of one search, shared by all its workers.
#[derive(Debug)]
pub struct Stores {
    /// Which part of a state lies in which slot of its table.
    pub slots: Arc<Slots>,
    /// Contents of pages.
    pub pages: PageStore,
    /// Mappings of address spaces.
    pub regions: Interner<Regions>,
    /// Heap arenas.
    pub arenas: Arc<Interner<Arena>>,
    /// The heap blocks that begin on a page.
    pub blocks: Arc<Interner<Vec<Block>>>,
    /// Whether a program made its own code writable: then code is no longer what the file says.
    pub(crate) patches_code: AtomicBool,
}

impl Stores {
    /// Empty stores; the vectors of states are laid out for `2^k` blocks of slots.
    pub fn new(k: u32) -> Self {
        Self {
            slots: Arc::new(Slots::new(k)),
            pages: PageStore::default(),
            regions: Interner::new(Regions::default()),
            arenas: Arc::new(Interner::with_size(Arena::default(), Arena::owned_bytes)),
            blocks: Arc::new(Interner::with_size(Vec::new(), |blocks| {
                blocks.capacity() * size_of::<Block>()
            })),
            patches_code: AtomicBool::new(false),
        }
    }

    /// The component that a state has for a key; 0 if it has none.
    pub fn component(&self, state: Reading<'_>, key: Key) -> Component {
        state.notes().note(key);
        self.slots.find(key).map_or(Component(0), |slot| state.table().get(slot))
    }

    /// The pages among `first..=last` of a space that are not all zero in a state.
    pub(crate) fn held_pages(
        &self,
        state: Reading<'_>,
        space: Space,
        first: u32,
        last: u32,
    ) -> Vec<u32> {
        const FEW: u32 = 64;
        let held = |page: &u32| self.component(state, Key::Page(space.page(*page))).0 != 0;
        if last - first < FEW {
            return (first..=last).filter(held).collect();
        }
        let mut pages = self.slots.pages_within(state.notes(), space, first, last);
        pages.retain(held);
        pages
    }

    /// About how many bytes the components take.
    pub fn bytes(&self) -> u64 {
        (self.pages.bytes() + self.arenas.bytes() + self.blocks.bytes() + self.regions.bytes())
            as u64
    }
}

impl Default for Stores {
    fn default() -> Self {
        Self::new(4)
    }
}
