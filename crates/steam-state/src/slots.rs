//! Which part of a state lies in which slot of its table.
//!
//! One registry serves a whole search: the first worker that meets a part gives it a slot, and the
//! slot stays. Lookups take no lock, but for objects at odd addresses. Where a new slot lies is a matter of the `layout`.
//!
//! Invariant: a key has one slot and a slot one key, for as long as the registry lives.

mod directory;
mod layout;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use ahash::{HashMap, RandomState};

use crate::context::ThreadId;
use crate::heap::{HEAP_END, HEAP_START};
use crate::segments::Segments;
use directory::Directory;
use layout::Layout;

/// The name of a part of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Key {
    /// What the environment keeps for all processes.
    Kernel,
    /// What the environment keeps for the process.
    Process,
    /// What is mapped where.
    Regions,
    /// The content of a page, or of a validity page of the heap.
    Page(u32),
    /// A thread.
    Thread(ThreadId),
    /// A thread's arena of the heap.
    Arena(ThreadId),
    /// The heap blocks that begin on a page.
    Blocks(u32),
    /// The synchronisation object at an address.
    Object(u32),
}

const PAGES: usize = 1 << 21;
const HEAP_PAGES: usize = 1 << 20;
const WORDS: usize = 1 << 30;
/// Words in a part of memory whose objects have a directory.
const OBJECTS: usize = 1 << 20;
/// Threads with larger numbers are looked up like objects.
const THREADS: usize = 1 << 16;
const SINGLES: usize = 3;
const SHARDS: usize = 64;

type Shard = RwLock<HashMap<Key, u32>>;

/// The registry of slots, shared by all workers of a search.
pub struct Slots {
    singles: Directory,
    pages: Directory,
    threads: Directory,
    arenas: Directory,
    blocks: Directory,
    /// Objects at whole words, by the part of memory that they lie in; the others are few.
    objects: Box<[OnceLock<Directory>]>,
    others: Box<[Shard]>,
    keys: Segments<Key>,
    highest_thread: AtomicU32,
    heap_objects: AtomicUsize,
    /// Locked for as long as a key is registered.
    layout: Mutex<Layout>,
    heap_pages: RwLock<BTreeSet<u32>>,
    object_list: RwLock<BTreeSet<u32>>,
    page_list: RwLock<BTreeSet<u32>>,
    hasher: RandomState,
}

/// Where the slot of a key is written down.
enum Place<'a> {
    Directory(&'a Directory, u32),
    Shard(&'a Shard),
}

impl Slots {
    /// A registry without keys, laid out for `2^k` blocks of 16 slots; more may follow.
    pub fn new(k: u32) -> Self {
        let hasher = RandomState::with_seeds(13, 14, 15, 16);
        let shard = |_| RwLock::new(HashMap::with_hasher(hasher.clone()));
        Self {
            singles: Directory::new(SINGLES),
            pages: Directory::new(PAGES),
            threads: Directory::new(THREADS),
            arenas: Directory::new(THREADS),
            blocks: Directory::new(HEAP_PAGES),
            objects: (0..WORDS / OBJECTS).map(|_| OnceLock::new()).collect(),
            others: (0..SHARDS).map(shard).collect(),
            keys: Segments::new(),
            highest_thread: AtomicU32::new(0),
            heap_objects: AtomicUsize::new(0),
            layout: Mutex::new(Layout::new(k)),
            heap_pages: RwLock::default(),
            object_list: RwLock::default(),
            page_list: RwLock::default(),
            hasher,
        }
    }

    #[inline]
    fn place(&self, key: Key) -> Place<'_> {
        let (directory, number) = match key {
            Key::Kernel => (&self.singles, 0),
            Key::Process => (&self.singles, 1),
            Key::Regions => (&self.singles, 2),
            Key::Page(page) => (&self.pages, page),
            Key::Thread(thread) => (&self.threads, thread.0),
            Key::Arena(thread) => (&self.arenas, thread.0),
            Key::Blocks(page) => (&self.blocks, page),
            Key::Object(address) if address.is_multiple_of(4) => {
                let part = &self.objects[(address / 4) as usize / OBJECTS];
                let directory = part.get_or_init(|| Directory::new(OBJECTS));
                (directory, address / 4 % OBJECTS as u32)
            }
            Key::Object(_) => return Place::Shard(self.shard(key)),
        };
        if directory.covers(number) {
            Place::Directory(directory, number)
        } else {
            Place::Shard(self.shard(key))
        }
    }

    fn shard(&self, key: Key) -> &Shard {
        // Not the bits by which the map itself finds its places.
        &self.others[(self.hasher.hash_one(key) >> 32) as usize % SHARDS]
    }

    /// The slot of a key, if it has one.
    #[inline]
    pub fn find(&self, key: Key) -> Option<u32> {
        match self.place(key) {
            Place::Directory(directory, number) => directory.get(number),
            Place::Shard(shard) => {
                shard.read().unwrap_or_else(PoisonError::into_inner).get(&key).copied()
            }
        }
    }

    /// The slot of a key, registered now if it has none. A new slot lies beside those of the
    /// thread `near`; a thread and its arena lie beside their own.
    #[inline]
    pub fn slot(&self, key: Key, near: ThreadId) -> u32 {
        self.find(key).unwrap_or_else(|| self.register(key, near))
    }

    #[cold]
    fn register(&self, key: Key, near: ThreadId) -> u32 {
        let mut layout = self.layout();
        // Another worker may have been faster.
        if let Some(slot) = self.find(key) {
            return slot;
        }
        let owner = match key {
            Key::Thread(thread) | Key::Arena(thread) => thread,
            _ => near,
        };
        let slot = layout.next(owner);
        self.keys.set(slot, key);
        self.list(key);
        match self.place(key) {
            Place::Directory(directory, number) => directory.set(number, slot),
            Place::Shard(shard) => {
                shard.write().unwrap_or_else(PoisonError::into_inner).insert(key, slot);
            }
        }
        slot
    }

    /// Enters a key into the list of its kind.
    fn list(&self, key: Key) {
        let enter = |list: &RwLock<BTreeSet<u32>>, number| {
            list.write().unwrap_or_else(PoisonError::into_inner).insert(number);
        };
        match key {
            Key::Thread(thread) => {
                self.highest_thread.fetch_max(thread.0, Ordering::Relaxed);
            }
            Key::Blocks(page) => enter(&self.heap_pages, page),
            Key::Page(page) => enter(&self.page_list, page),
            Key::Object(address) => {
                let on_heap = (HEAP_START..HEAP_END).contains(&address);
                self.heap_objects.fetch_add(usize::from(on_heap), Ordering::Relaxed);
                enter(&self.object_list, address);
            }
            _ => {}
        }
    }

    fn layout(&self) -> MutexGuard<'_, Layout> {
        self.layout.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The key of a slot, if the slot is taken.
    pub fn key(&self, slot: u32) -> Option<Key> {
        self.keys.get(slot).copied()
    }

    /// All threads that have a slot, ascending.
    pub fn threads(&self) -> Vec<ThreadId> {
        crate::reads::Reads::note_all();
        let last = self.highest_thread.load(Ordering::Relaxed);
        let mut threads = Vec::with_capacity((last as usize + 1).min(THREADS));
        threads.extend(self.threads.numbers(last).map(ThreadId));
        let beyond = (THREADS as u32..=last).map(ThreadId);
        threads.extend(beyond.filter(|&thread| self.find(Key::Thread(thread)).is_some()));
        threads
    }

    /// The highest number that any thread has had.
    pub fn highest_thread(&self) -> u32 {
        self.highest_thread.load(Ordering::Relaxed)
    }

    /// The pages among `first..=last` that have a slot, ascending.
    pub fn pages_within(&self, first: u32, last: u32) -> Vec<u32> {
        crate::reads::Reads::note_all();
        let pages = self.page_list.read().unwrap_or_else(PoisonError::into_inner);
        pages.range(first..=last).copied().collect()
    }

    /// How many objects ever lay on the heap.
    pub fn heap_objects(&self) -> usize {
        self.heap_objects.load(Ordering::Relaxed)
    }

    /// All pages of the heap that have a slot for their blocks, ascending.
    pub fn heap_pages(&self) -> Vec<u32> {
        crate::reads::Reads::note_all();
        self.heap_pages.read().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }

    /// The addresses in `start..end` of objects that have a slot, ascending.
    pub fn objects_within(&self, start: u32, end: u32) -> Vec<u32> {
        crate::reads::Reads::note_all();
        if start >= end {
            return Vec::new();
        }
        let objects = self.object_list.read().unwrap_or_else(PoisonError::into_inner);
        objects.range(start..end).copied().collect()
    }

    /// How many blocks of slots are in use: what a next search may be laid out for.
    pub fn blocks_used(&self) -> u32 {
        self.layout().used()
    }
}

impl fmt::Debug for Slots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slots").field("layout", &self.layout()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
