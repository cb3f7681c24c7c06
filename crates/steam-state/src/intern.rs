//! Interned components: equal contents get equal ids, once and for good.
//!
//! Invariant: an id names the same content for as long as the interner lives, and two ids of one
//! interner are equal exactly when their contents are. The hash only finds candidates; equality is
//! decided on the contents.

use std::hash::Hash;
use std::sync::{Arc, RwLock};

use ahash::{HashMap, RandomState};

/// The name of an interned component.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Component(pub u32);

/// A set of contents that hands out ids, shared by all workers of a search.
#[derive(Debug)]
pub struct Interner<T> {
    inner: RwLock<Inner<T>>,
    hasher: RandomState,
}

#[derive(Debug)]
struct Inner<T> {
    contents: Vec<Arc<T>>,
    by_hash: HashMap<u64, Vec<u32>>,
}

impl<T: Hash + Eq> Interner<T> {
    /// An interner in which `first` has the id 0.
    pub fn new(first: T) -> Self {
        // Fixed keys: the same contents in the same order give the same ids in every run.
        let hasher = RandomState::with_seeds(1, 2, 3, 4);
        let by_hash = HashMap::with_hasher(hasher.clone());
        let interner = Self { inner: RwLock::new(Inner { contents: Vec::new(), by_hash }), hasher };
        interner.intern(first);
        interner
    }

    /// The id of a content, new or known.
    pub fn intern(&self, content: T) -> Component {
        let hash = self.hasher.hash_one(&content);
        let mut inner = self.inner.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        let Inner { contents, by_hash } = &mut *inner;
        let candidates = by_hash.entry(hash).or_default();
        if let Some(&id) = candidates.iter().find(|&&id| *contents[id as usize] == content) {
            return Component(id);
        }
        let id = u32::try_from(contents.len()).expect("fewer than 2^32 components");
        contents.push(Arc::new(content));
        candidates.push(id);
        Component(id)
    }

    /// The content behind an id of this interner.
    pub fn get(&self, id: Component) -> Arc<T> {
        let inner = self.inner.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        Arc::clone(&inner.contents[id.0 as usize])
    }

    /// How many different contents there are.
    pub fn len(&self) -> usize {
        self.inner.read().unwrap_or_else(std::sync::PoisonError::into_inner).contents.len()
    }

    /// Never: the first content is always there.
    pub fn is_empty(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
