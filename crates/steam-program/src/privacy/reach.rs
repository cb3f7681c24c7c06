//! Who can reach a block of the heap in a state.
//!
//! It is looked for backwards: which words hold a value that points into the block, and in which blocks these lie, until
//! one is found that another thread looks at. So the cost is that of the pages with pointers, each a binary search, and of
//! the blocks that lead to the block; not of all that can be reached. What a page holds is found out once for each
//! content of a page, and which pages a state has is kept from state to state.
//!
//! Another thread looks at its registers, at what its instruction has read so far, and at all memory that can be written but
//! the stack of the thread that asks, of which it looks at the words that it was ever seen to use.

use std::collections::BTreeMap;
use std::sync::Arc;

use ahash::{HashMap, RandomState};
use steam_state::{
    Component, HEAP_END, HEAP_START, HeapPool, Key, PAGE_SIZE, PageNumber, PagePointers, Part,
    Recorder, RegionKind, Regions, Space, Stores, Table, ThreadId,
};
use steam_visibility::Sharing;
use vm_isa::simd::Simd;

use crate::Program;

/// Through so many blocks a way to a block is looked for; beyond, it counts as reachable.
const MOST_BLOCKS: usize = 64;
/// With so many pages that hold pointers, every block counts as reachable.
const MOST_PAGES: usize = 4096;
/// Contents of pages that are kept.
const MOST_CONTENTS: usize = 1 << 16;
/// The pages of an address space; the numbers beyond are those of other things.
const PAGES: u32 = 1 << 20;

/// The words of the vector registers.
pub(super) fn vector_words(simd: &Simd) -> impl Iterator<Item = u32> + '_ {
    simd.xmm.iter().flat_map(|register| (0..4).map(move |word| (register >> (32 * word)) as u32))
}

/// The words of what an instruction has read.
pub(super) fn part_words(part: &Part) -> impl Iterator<Item = u32> + '_ {
    let bytes: &[u8] = match part {
        Part::Read(bytes) => bytes,
        Part::Wrote => &[],
    };
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}

/// What a thread has in its registers.
#[derive(Default)]
struct Holds {
    /// The values that may be pointers.
    values: Vec<u32>,
    /// Whether there is something in registers that cannot be read as words.
    more: bool,
}

/// A state, by what points where.
pub(super) struct Reach {
    state: Table,
    heap: HeapPool,
    /// The pages that hold pointers, by number.
    pages: BTreeMap<u32, Arc<PagePointers>>,
    /// The same of the memory that processes share.
    common: BTreeMap<u32, Arc<PagePointers>>,
    threads: BTreeMap<u32, Holds>,
    contents: HashMap<Component, Arc<PagePointers>>,
}

impl Reach {
    pub(super) fn new(stores: &Arc<Stores>) -> Self {
        Self {
            state: Table::default(),
            heap: HeapPool::new(Arc::clone(stores), 0, Recorder::default()),
            pages: BTreeMap::new(),
            common: BTreeMap::new(),
            threads: BTreeMap::new(),
            contents: HashMap::with_hasher(RandomState::with_seeds(1, 4, 9, 16)),
        }
    }

    /// Goes over to another state; the cost is that of what differs.
    fn look_at(&mut self, program: &Program, state: &Table) {
        let before = std::mem::replace(&mut self.state, state.clone());
        let mut differs = false;
        before.differences(state, &mut |slot| {
            differs = true;
            match program.key_of(slot) {
                Key::Page(page) if page.index() < PAGES => {
                    self.read_page(program, page, state.get(slot));
                }
                Key::Thread(thread) => self.read_thread(program, thread, state.get(slot)),
                _ => {}
            }
        });
        if differs {
            self.heap.attach(state, Space::FIRST);
        }
    }

    fn read_page(&mut self, program: &Program, page: PageNumber, id: Component) {
        let pages = match page.space() {
            Space::FIRST => &mut self.pages,
            Space::SHARED => &mut self.common,
            _ => return,
        };
        pages.remove(&page.index());
        if id == Component(0) {
            return;
        }
        if self.contents.len() > MOST_CONTENTS {
            self.contents.clear();
        }
        let pointers = self.contents.entry(id).or_insert_with(|| {
            let mut bytes = [0; PAGE_SIZE];
            program.stores.state.pages.read(id, &mut bytes);
            Arc::new(PagePointers::of(&bytes))
        });
        if !pointers.is_empty() {
            pages.insert(page.index(), Arc::clone(pointers));
        }
    }

    fn read_thread(&mut self, program: &Program, thread: ThreadId, id: Component) {
        if id == Component(0) {
            self.threads.remove(&thread.0);
            return;
        }
        let frozen = program.stores.threads.get(id);
        let floats = program.stores.floats.get(frozen.floats);
        let mut values = frozen.registers.to_vec();
        values.extend(vector_words(&floats.simd));
        frozen.partial.iter().for_each(|part| values.extend(part_words(part)));
        values.retain(|value| (HEAP_START..HEAP_END).contains(value));
        self.threads.insert(thread.0, Holds { values, more: floats.x87.tags != 0 });
    }

    /// Whether no other thread can reach what lies in a span in a state.
    pub(super) fn is_private(
        &mut self,
        program: &Program,
        state: &Table,
        thread: ThreadId,
        span: (u32, u32),
    ) -> bool {
        self.look_at(program, state);
        if self.pages.len() > MOST_PAGES || self.others(thread).any(|holds| holds.more) {
            return false;
        }
        let regions = program.unrecorded(state, Key::Regions(Space::FIRST));
        let regions = program.stores.state.regions.get(regions);
        let sharing = &program.stores.sharing;
        let mut spans = vec![span];
        let mut next = 0;
        while let Some(&(start, end)) = spans.get(next) {
            next += 1;
            if spans.len() > MOST_BLOCKS
                || sharing.is_hidden(Space::FIRST.at(start), end - start)
                || self.is_held(thread, start, end)
                || self.common.values().any(|it| it.into_range(start, end).next().is_some())
            {
                return false;
            }
            for (&page, pointers) in &self.pages {
                for offset in pointers.into_range(start, end) {
                    let address = page << 12 | u32::from(offset);
                    match place_of(address, thread, regions, sharing) {
                        Found::Nowhere => {}
                        Found::Reachable => return false,
                        Found::Heap => match self.heap.span_at(address) {
                            Some(other) if !spans.contains(&other) => spans.push(other),
                            // What lies between blocks is zero but for their ends, which are no part of the program.
                            Some(_) | None => {}
                        },
                    }
                }
            }
        }
        true
    }

    fn others(&self, thread: ThreadId) -> impl Iterator<Item = &Holds> {
        self.threads.iter().filter(move |(number, _)| **number != thread.0).map(|(_, holds)| holds)
    }

    /// Whether another thread has a pointer to a span in its registers.
    fn is_held(&self, thread: ThreadId, start: u32, end: u32) -> bool {
        self.others(thread)
            .any(|holds| holds.values.iter().any(|value| (start..end).contains(value)))
    }
}

/// Where a word lies that holds a pointer.
enum Found {
    /// Where no thread looks, or the one that asks alone.
    Nowhere,
    /// Where another thread may look.
    Reachable,
    /// In the heap: it depends on who can reach the block.
    Heap,
}

fn place_of(address: u32, thread: ThreadId, regions: &Regions, sharing: &Sharing) -> Found {
    let Some((_, region)) = regions.find(address) else { return Found::Nowhere };
    match region.kind {
        RegionKind::Heap => Found::Heap,
        RegionKind::Stack(owner) if owner == thread => {
            match sharing.is_reached(Space::FIRST.at(address)) {
                true => Found::Reachable,
                false => Found::Nowhere,
            }
        }
        // A program is full of numbers, and some are addresses of blocks by chance. Who loads one from here knows no
        // pointer by that (`Worker::is_root`).
        _ if !region.protection.write => Found::Nowhere,
        // What lies below belongs to no thread any more.
        RegionKind::EndedStack { top, .. } if address < top => Found::Nowhere,
        _ => Found::Reachable,
    }
}
