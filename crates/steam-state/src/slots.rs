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
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use ahash::{HashMap, RandomState};

use crate::context::ThreadId;
use crate::heap::{HEAP_END, HEAP_START};
use crate::place::{PageNumber, Place, Space};
use crate::reads::Notes;
use crate::segments::Segments;
use directory::Directory;
use layout::Layout;

/// The name of a part of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Key {
    /// What the environment keeps for all processes.
    Kernel,
    /// What the environment keeps for a process.
    Process(Space),
    /// What is mapped where.
    Regions(Space),
    /// The content of a page, or of a validity page of the heap.
    Page(PageNumber),
    /// A thread.
    Thread(ThreadId),
    /// A thread's arena of the heap.
    Arena(Space, ThreadId),
    /// The heap blocks that begin on a page.
    Blocks(PageNumber),
    /// The synchronisation object at a place.
    Object(Place),
    /// A channel by which processes communicate.
    Channel(u32),
    /// What the locking discipline remembers of the word at a place.
    Mark(Place),
    /// The answer to a question about the whole state, by a number that who asks has given it. It is in no slot.
    Asked(u32),
}

impl Key {
    /// The name of the same part in another address space.
    pub fn moved(self, space: Space) -> Self {
        match self {
            Self::Kernel | Self::Thread(_) | Self::Channel(_) | Self::Asked(_) => self,
            Self::Process(_) => Self::Process(space),
            Self::Regions(_) => Self::Regions(space),
            Self::Page(page) => Self::Page(space.page(page.index())),
            Self::Arena(_, thread) => Self::Arena(space, thread),
            Self::Blocks(page) => Self::Blocks(space.page(page.index())),
            Self::Object(place) => Self::Object(space.at(place.address())),
            Self::Mark(place) => Self::Mark(space.at(place.address())),
        }
    }
}

const PAGES: usize = 1 << 21;
const HEAP_PAGES: usize = 1 << 20;
const WORDS: usize = 1 << 30;
/// Words in a part of memory whose objects have a directory.
const OBJECTS: usize = 1 << 20;
/// Threads with larger numbers are looked up like objects at odd addresses; so are channels.
const THREADS: usize = 1 << 16;
const CHANNELS: usize = 1 << 16;
const SHARDS: usize = 64;

type Shard = RwLock<HashMap<Key, u32>>;

/// The registry of slots, shared by all workers of a search.
pub struct Slots {
    kernel: Directory,
    processes: Directory,
    regions: Directory,
    threads: Directory,
    channels: Directory,
    spaces: Box<[OnceLock<SpaceSlots>]>,
    others: Box<[Shard]>,
    keys: Segments<Key>,
    highest_thread: AtomicU32,
    highest_process: AtomicU32,
    heap_objects: AtomicUsize,
    /// How many keys have slots.
    registered: AtomicU32,
    /// Locked for as long as a key is registered.
    layout: Mutex<Layout>,
    heap_pages: RwLock<BTreeSet<PageNumber>>,
    object_list: RwLock<BTreeSet<Place>>,
    page_list: RwLock<BTreeSet<PageNumber>>,
    mark_list: RwLock<BTreeSet<Place>>,
    hasher: RandomState,
}

/// The slots of what lies in one address space.
struct SpaceSlots {
    pages: Directory,
    arenas: Directory,
    blocks: Directory,
    /// Objects at whole words, by the part of memory that they lie in; the others are few.
    objects: Box<[OnceLock<Directory>]>,
}

impl SpaceSlots {
    fn new() -> Self {
        Self {
            pages: Directory::new(PAGES),
            arenas: Directory::new(THREADS),
            blocks: Directory::new(HEAP_PAGES),
            objects: (0..WORDS / OBJECTS).map(|_| OnceLock::new()).collect(),
        }
    }
}

/// Where the slot of a key is written down.
enum Entry<'a> {
    Directory(&'a Directory, u32),
    Shard(&'a Shard),
}

impl Slots {
    /// A registry without keys, laid out for `2^k` blocks of 16 slots; more may follow.
    pub fn new(k: u32) -> Self {
        let hasher = RandomState::with_seeds(13, 14, 15, 16);
        let shard = |_| RwLock::new(HashMap::with_hasher(hasher.clone()));
        Self {
            kernel: Directory::new(1),
            processes: Directory::new(Space::COUNT),
            regions: Directory::new(Space::COUNT),
            threads: Directory::new(THREADS),
            channels: Directory::new(CHANNELS),
            spaces: (0..Space::COUNT).map(|_| OnceLock::new()).collect(),
            others: (0..SHARDS).map(shard).collect(),
            keys: Segments::new(),
            highest_thread: AtomicU32::new(0),
            highest_process: AtomicU32::new(0),
            heap_objects: AtomicUsize::new(0),
            registered: AtomicU32::new(0),
            layout: Mutex::new(Layout::new(k)),
            heap_pages: RwLock::default(),
            object_list: RwLock::default(),
            page_list: RwLock::default(),
            mark_list: RwLock::default(),
            hasher,
        }
    }

    #[inline]
    fn place(&self, key: Key) -> Entry<'_> {
        let (directory, number) = match key {
            Key::Kernel => (&self.kernel, 0),
            Key::Process(space) => (&self.processes, space.number()),
            Key::Regions(space) => (&self.regions, space.number()),
            Key::Page(page) => (&self.space(page.space()).pages, page.index()),
            Key::Thread(thread) => (&self.threads, thread.0),
            Key::Arena(space, thread) => (&self.space(space).arenas, thread.0),
            Key::Blocks(page) => (&self.space(page.space()).blocks, page.index()),
            Key::Object(place) if place.address().is_multiple_of(4) => {
                let word = place.address() / 4;
                let part = &self.space(place.space()).objects[word as usize / OBJECTS];
                let directory = part.get_or_init(|| Directory::new(OBJECTS));
                (directory, word % OBJECTS as u32)
            }
            Key::Object(_) | Key::Mark(_) | Key::Asked(_) => return Entry::Shard(self.shard(key)),
            Key::Channel(number) => (&self.channels, number),
        };
        if directory.covers(number) {
            Entry::Directory(directory, number)
        } else {
            Entry::Shard(self.shard(key))
        }
    }

    #[inline]
    fn space(&self, space: Space) -> &SpaceSlots {
        self.spaces[space.number() as usize].get_or_init(SpaceSlots::new)
    }

    fn shard(&self, key: Key) -> &Shard {
        // Not the bits by which the map itself finds its places.
        &self.others[(self.hasher.hash_one(key) >> 32) as usize % SHARDS]
    }

    /// The slot of a key, if it has one.
    #[inline]
    pub fn find(&self, key: Key) -> Option<u32> {
        match self.place(key) {
            Entry::Directory(directory, number) => directory.get(number),
            Entry::Shard(shard) => {
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
            Key::Thread(thread) => thread,
            Key::Arena(Space::FIRST, thread) => thread,
            _ => near,
        };
        let slot = layout.next(owner);
        self.keys.set(slot, key);
        self.list(key);
        match self.place(key) {
            Entry::Directory(directory, number) => directory.set(number, slot),
            Entry::Shard(shard) => {
                shard.write().unwrap_or_else(PoisonError::into_inner).insert(key, slot);
            }
        }
        self.registered.fetch_add(1, Ordering::Release);
        slot
    }

    /// Enters a key into the list of its kind.
    fn list(&self, key: Key) {
        match key {
            Key::Thread(thread) => {
                self.highest_thread.fetch_max(thread.0, Ordering::Relaxed);
            }
            Key::Process(space) => {
                self.highest_process.fetch_max(space.number(), Ordering::Relaxed);
            }
            Key::Blocks(page) => enter(&self.heap_pages, page),
            Key::Page(page) => enter(&self.page_list, page),
            Key::Object(place) => {
                let on_heap = (HEAP_START..HEAP_END).contains(&place.address());
                self.heap_objects.fetch_add(usize::from(on_heap), Ordering::Relaxed);
                enter(&self.object_list, place);
            }
            Key::Mark(place) => enter(&self.mark_list, place),
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

    /// How many keys have slots.
    pub fn registered(&self) -> u32 {
        self.registered.load(Ordering::Acquire)
    }

    /// All threads that have a slot, ascending.
    pub fn threads(&self, notes: Notes<'_>) -> Vec<ThreadId> {
        let known = self.registered();
        let last = self.highest_thread.load(Ordering::Relaxed);
        let mut threads = Vec::with_capacity((last as usize + 1).min(THREADS));
        threads.extend(self.threads.numbers(last).map(ThreadId));
        let beyond = (THREADS as u32..=last).map(ThreadId);
        threads.extend(beyond.filter(|&thread| self.find(Key::Thread(thread)).is_some()));
        notes.note_list(known, threads.iter().copied().map(Key::Thread));
        threads
    }

    /// The highest number that any thread has had.
    pub fn highest_thread(&self) -> u32 {
        self.highest_thread.load(Ordering::Relaxed)
    }

    /// The pages among `first..=last` of a space that have a slot, ascending.
    pub(crate) fn pages_within(
        &self,
        notes: Notes<'_>,
        space: Space,
        first: u32,
        last: u32,
    ) -> Vec<u32> {
        let known = self.registered();
        let pages = self.page_list.read().unwrap_or_else(PoisonError::into_inner);
        let pages = pages.range(space.page(first)..=space.page(last)).copied();
        notes.note_list(known, pages.clone().map(Key::Page));
        pages.map(PageNumber::index).collect()
    }

    /// The slots of all that ever lay in a space, each with its key: pages, blocks of the heap,
    /// arenas, objects, what is remembered of words.
    pub fn in_space(&self, notes: Notes<'_>, space: Space) -> Vec<(Key, u32)> {
        let known = self.registered();
        let pages = space.page(0)..=space.page(PAGES as u32 - 1);
        let read = |list: &RwLock<BTreeSet<PageNumber>>| -> Vec<PageNumber> {
            let list = list.read().unwrap_or_else(PoisonError::into_inner);
            list.range(pages.clone()).copied().collect()
        };
        let mut keys: Vec<Key> = read(&self.page_list).into_iter().map(Key::Page).collect();
        keys.extend(read(&self.heap_pages).into_iter().map(Key::Blocks));
        let objects = self.object_list.read().unwrap_or_else(PoisonError::into_inner);
        keys.extend(objects.range(space.at(0)..=space.at(u32::MAX)).copied().map(Key::Object));
        let marks = self.mark_list.read().unwrap_or_else(PoisonError::into_inner);
        keys.extend(marks.range(space.at(0)..=space.at(u32::MAX)).copied().map(Key::Mark));
        let threads = self.space(space).arenas.numbers(self.highest_thread());
        keys.extend(threads.map(|thread| Key::Arena(space, ThreadId(thread))));
        notes.note_list(known, keys.iter().copied());
        keys.into_iter().filter_map(|key| Some((key, self.find(key)?))).collect()
    }

    /// The spaces of all processes that ever were, ascending.
    pub fn processes(&self) -> impl Iterator<Item = Space> + '_ {
        let last = self.highest_process.load(Ordering::Relaxed);
        self.processes.numbers(last).map(Space::numbered)
    }

    /// How many objects ever lay on the heap.
    pub fn heap_objects(&self) -> usize {
        self.heap_objects.load(Ordering::Relaxed)
    }

    /// All pages of a space's heap that have a slot for their blocks, ascending.
    pub(crate) fn heap_pages(&self, notes: Notes<'_>, space: Space) -> Vec<u32> {
        let known = self.registered();
        let pages = self.heap_pages.read().unwrap_or_else(PoisonError::into_inner);
        let pages = pages.range(space.page(0)..=space.page(PAGES as u32 - 1)).copied();
        notes.note_list(known, pages.clone().map(Key::Blocks));
        pages.map(PageNumber::index).collect()
    }

    /// The places in `start..end` of objects that have a slot, ascending.
    pub fn objects_within(&self, notes: Notes<'_>, start: Place, end: Place) -> Vec<Place> {
        self.places_within(notes, &self.object_list, Key::Object, start..end)
    }

    /// The words in `start..end` of which something is remembered in some state, ascending.
    pub fn marks_within(&self, notes: Notes<'_>, start: Place, end: Place) -> Vec<Place> {
        self.places_within(notes, &self.mark_list, Key::Mark, start..end)
    }

    fn places_within(
        &self,
        notes: Notes<'_>,
        list: &RwLock<BTreeSet<Place>>,
        key: fn(Place) -> Key,
        within: Range<Place>,
    ) -> Vec<Place> {
        if within.is_empty() {
            return Vec::new();
        }
        let known = self.registered();
        let places = list.read().unwrap_or_else(PoisonError::into_inner);
        let places = places.range(within).copied();
        notes.note_list(known, places.clone().map(key));
        places.collect()
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

/// Enters something into a list.
fn enter<T: Ord>(list: &RwLock<BTreeSet<T>>, entry: T) {
    list.write().unwrap_or_else(PoisonError::into_inner).insert(entry);
}

#[cfg(test)]
mod tests;
