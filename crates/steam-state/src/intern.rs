//! Interned components: equal contents get equal ids, once and for good.
//!
//! Contents lie in segments that never move, so reading one takes no lock and gives a reference
//! that lives as long as the interner. The index from contents to ids is split by hash into shards
//! with a lock each; an id is handed out and its content written while the shard is locked, which
//! is what makes ids unique.
//!
//! Invariant: an id names the same content for as long as the interner lives, and two ids of one
//! interner are equal exactly when their contents are. The hash only finds candidates; equality is
//! decided on the contents.

use std::borrow::Borrow;
use std::fmt;
use std::hash::Hash;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ahash::RandomState;
use hashbrown::HashTable;

use crate::segments::{INDEX_BITS, Segments};

/// The name of an interned component.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Component(pub u32);

const SHARD_BITS: u32 = 6;

/// A known content in the index: its id, and enough of its hash to move it without reading it.
#[derive(Clone, Copy)]
struct Entry {
    hash: u32,
    id: u32,
}

impl Entry {
    fn spread(hash: u32) -> u64 {
        u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// One part of the index, on a cache line of its own.
#[repr(align(64))]
struct Shard(Mutex<HashTable<Entry>>);

impl Shard {
    fn lock(&self) -> MutexGuard<'_, HashTable<Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A set of contents that hands out ids, shared by all workers of a search.
pub struct Interner<T> {
    contents: Segments<T>,
    shards: Box<[Shard]>,
    next: AtomicU32,
    hasher: RandomState,
    /// What a content owns outside of itself.
    size: fn(&T) -> usize,
    owned: AtomicUsize,
}

impl<T: Hash + Eq> Interner<T> {
    /// An interner in which `first` has the id 0, of contents that own no further memory.
    pub fn new(first: T) -> Self {
        Self::with_size(first, |_| 0)
    }

    /// An interner in which `first` has the id 0; `size` says how many bytes a content owns
    /// beyond its own size, for [`Interner::bytes`].
    pub fn with_size(first: T, size: fn(&T) -> usize) -> Self {
        let interner = Self {
            contents: Segments::new(),
            shards: (0..1 << SHARD_BITS).map(|_| Shard(Mutex::new(HashTable::new()))).collect(),
            next: AtomicU32::new(0),
            // Fixed keys, and ids in order of arrival: the same contents in the same order give the
            // same ids in every run.
            hasher: RandomState::with_seeds(1, 2, 3, 4),
            size,
            owned: AtomicUsize::new(0),
        };
        interner.intern(first);
        interner
    }

    /// The id of a content, new or known.
    pub fn intern(&self, content: T) -> Component {
        let hash = self.hasher.hash_one(&content);
        let mut shard = self.shard(hash);
        match self.known(&shard, hash, |known| *known == content) {
            Some(id) => id,
            None => self.append(&mut shard, hash, content),
        }
    }

    /// The id of a content that is made only if it is new; `make` gives what `content` borrows.
    pub fn intern_ref<Q>(&self, content: &Q, make: impl FnOnce() -> T) -> Component
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let hash = self.hasher.hash_one(content);
        let mut shard = self.shard(hash);
        match self.known(&shard, hash, |known| known.borrow() == content) {
            Some(id) => id,
            None => self.append(&mut shard, hash, make()),
        }
    }

    #[inline]
    fn shard(&self, hash: u64) -> MutexGuard<'_, HashTable<Entry>> {
        self.shards[(hash >> (64 - SHARD_BITS)) as usize].lock()
    }

    #[inline]
    fn known(
        &self,
        shard: &HashTable<Entry>,
        hash: u64,
        equal: impl Fn(&T) -> bool,
    ) -> Option<Component> {
        let hash = hash as u32;
        shard
            .find(Entry::spread(hash), |entry| {
                entry.hash == hash && equal(self.get(Component(entry.id)))
            })
            .map(|entry| Component(entry.id))
    }

    #[cold]
    fn append(&self, shard: &mut HashTable<Entry>, hash: u64, content: T) -> Component {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        assert!(id < 1 << INDEX_BITS, "more than 2^{INDEX_BITS} components of one kind");
        self.owned.fetch_add((self.size)(&content), Ordering::Relaxed);
        // Before the index knows the id: whoever learns it finds its content.
        self.contents.set(id, content);
        let hash = hash as u32;
        shard.insert_unique(Entry::spread(hash), Entry { hash, id }, |entry| {
            Entry::spread(entry.hash)
        });
        Component(id)
    }
}

impl<T> Interner<T> {
    /// The content behind an id of this interner.
    #[inline]
    pub fn get(&self, id: Component) -> &T {
        self.contents.get(id.0).expect("an id comes from the interner that is asked")
    }

    /// How many different contents there are.
    pub fn len(&self) -> usize {
        self.next.load(Ordering::Relaxed) as usize
    }

    /// Never: the first content is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// About how many bytes of memory contents and index take.
    pub fn bytes(&self) -> usize {
        let index: usize = self.shards.iter().map(|shard| shard.lock().allocation_size()).sum();
        self.contents.bytes() + index + self.owned.load(Ordering::Relaxed)
    }
}

impl<T> fmt::Debug for Interner<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interner").field("len", &self.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn equal_contents_share_an_id() {
        let interner = Interner::new(vec![0u8; 4]);
        let a = interner.intern(vec![1, 2, 3]);
        let b = interner.intern(vec![1, 2, 4]);
        assert_ne!(a, b);
        assert_eq!(interner.intern(vec![1, 2, 3]), a);
        assert_eq!(interner.intern(vec![0; 4]), Component(0));
        assert_eq!(*interner.get(b), vec![1, 2, 4]);
        assert_eq!(interner.len(), 3);
    }

    #[test]
    fn ids_count_up_in_order_of_arrival_as_in_a_map() {
        let interner = Interner::with_size(Vec::new(), Vec::capacity);
        let mut twin = HashMap::from([(Vec::new(), 0)]);
        let mut seed = 7u32;
        for _ in 0..50_000 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let content = ((seed >> 8) % 9000).to_le_bytes().to_vec();
            let next = twin.len() as u32;
            let expected = *twin.entry(content.clone()).or_insert(next);
            let id = interner.intern_ref(content.as_slice(), || content.clone());
            assert_eq!(id, Component(expected));
            assert_eq!(interner.intern(content), id);
        }
        assert_eq!(interner.len(), twin.len());
        for (content, id) in &twin {
            assert_eq!(interner.get(Component(*id)), content);
        }
        let owned: usize = twin.keys().map(Vec::len).sum();
        assert!(interner.bytes() >= owned + twin.len() * size_of::<Vec<u8>>());
    }

    #[test]
    fn workers_agree_on_ids() {
        let interner = Interner::new(String::new());
        let from = |offset: u32| -> Vec<Component> {
            (0..20_000).map(|n| interner.intern(((n * 7 + offset) % 20_000).to_string())).collect()
        };
        let (left, right) = std::thread::scope(|scope| {
            let other = scope.spawn(|| from(7000));
            (from(0), other.join().expect("the other worker ends"))
        });
        assert_eq!(interner.len(), 20_001);
        for n in 0..20_000u32 {
            // Both asked for the number 7n + 7000, the left one a thousand requests later.
            assert_eq!(left[(n as usize + 1000) % 20_000], right[n as usize]);
            let asked = ((n * 7) % 20_000).to_string();
            assert_eq!(*interner.get(left[n as usize]), asked);
        }
    }
}
