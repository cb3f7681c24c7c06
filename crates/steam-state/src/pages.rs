//! The contents of pages, each different part stored once.
//!
//! A page is an interned row of 16 *chunks* of 256 bytes; a chunk is an interned byte string
//! without the zeros at its ends. A step that changes a few words of a page so costs one new row
//! and one or two chunks, and only the chunks that changed are hashed.
//!
//! Invariant: two pages have the same id exactly when their bytes are equal; the page of zeros has
//! the id 0.

use crate::intern::{Component, Interner};
use crate::page::{PAGE_SIZE, PageBytes};

const CHUNK: usize = 256;
const CHUNKS: usize = PAGE_SIZE / CHUNK;
const WORD: usize = 8;

/// The contents of all pages of a search, shared by its workers.
#[derive(Debug)]
pub struct PageStore {
    rows: Interner<[Component; CHUNKS]>,
    /// Of each chunk the place of its first byte that is not zero, then the bytes from there to
    /// the last that is not zero; of the chunk of zeros nothing.
    chunks: Interner<Box<[u8]>>,
}

impl Default for PageStore {
    fn default() -> Self {
        Self {
            rows: Interner::new([Component(0); CHUNKS]),
            chunks: Interner::with_size(Box::default(), |bytes| allocated(bytes)),
        }
    }
}

/// What an allocator takes for a byte string: one word of its own, rounded up to 16.
fn allocated(bytes: &[u8]) -> usize {
    (bytes.len() + WORD).next_multiple_of(16).max(32)
}

/// The bytes of a chunk that are stored, as their first place and the place after the last; `None`
/// for a chunk of zeros.
fn extent(chunk: &[u8]) -> Option<(usize, usize)> {
    let words = || {
        chunk.chunks_exact(WORD).map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()))
    };
    let (first, word) = words().enumerate().find(|(_, word)| *word != 0)?;
    let start = first * WORD + word.trailing_zeros() as usize / 8;
    let (last, word) = words().enumerate().rev().find(|(_, word)| *word != 0)?;
    let end = (last + 1) * WORD - word.leading_zeros() as usize / 8;
    Some((start, end))
}

impl PageStore {
    /// The id of a page's content. `old` is any page whose bytes are `old_bytes`, best the one
    /// that the new content was made from: chunks that are equal there are not looked at again.
    pub fn intern(
        &self,
        old: Component,
        old_bytes: &PageBytes,
        new_bytes: &PageBytes,
    ) -> Component {
        let mut row = *self.rows.get(old);
        let mut changed = false;
        let chunks = old_bytes.chunks_exact(CHUNK).zip(new_bytes.chunks_exact(CHUNK));
        for (id, (before, after)) in row.iter_mut().zip(chunks) {
            if before != after {
                *id = self.intern_chunk(after);
                changed = true;
            }
        }
        if changed { self.rows.intern(row) } else { old }
    }

    fn intern_chunk(&self, chunk: &[u8]) -> Component {
        let Some((start, end)) = extent(chunk) else { return Component(0) };
        let mut stored = [0; CHUNK + 1];
        let stored = &mut stored[..end - start + 1];
        stored[0] = start as u8;
        stored[1..].copy_from_slice(&chunk[start..end]);
        self.chunks.intern_ref(&*stored, || (&*stored).into())
    }

    /// A chunk's first place that is stored, and its bytes from there.
    fn chunk(&self, id: Component) -> (usize, &[u8]) {
        match self.chunks.get(id).split_first() {
            Some((&start, bytes)) => (usize::from(start), bytes),
            None => (0, &[]),
        }
    }

    /// Writes the content of a page to `bytes`.
    pub fn read(&self, id: Component, bytes: &mut PageBytes) {
        bytes.fill(0);
        for (part, &chunk) in bytes.chunks_exact_mut(CHUNK).zip(self.rows.get(id)) {
            if chunk.0 != 0 {
                let (start, stored) = self.chunk(chunk);
                part[start..start + stored.len()].copy_from_slice(stored);
            }
        }
    }

    /// The four bytes of a page at an offset that is a multiple of four.
    pub fn word(&self, id: Component, offset: u32) -> u32 {
        let offset = offset as usize % PAGE_SIZE;
        let (start, stored) = self.chunk(self.rows.get(id)[offset / CHUNK]);
        let at = offset % CHUNK;
        let byte = |place: usize| {
            place.checked_sub(start).and_then(|place| stored.get(place)).copied().unwrap_or(0)
        };
        u32::from_le_bytes([byte(at), byte(at + 1), byte(at + 2), byte(at + 3)])
    }

    /// How many different pages there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Never: the page of zeros is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// About how many bytes of memory the contents take.
    pub fn bytes(&self) -> usize {
        self.rows.bytes() + self.chunks.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    const ZEROS: PageBytes = [0; PAGE_SIZE];

    struct Random(u32);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 8) as usize % bound
        }
    }

    /// Changes a page here and there, often back to zero or to what it was before.
    fn edit(page: &mut PageBytes, random: &mut Random) {
        for _ in 0..random.below(4) {
            let at = random.below(40) * 100 + random.below(8);
            let length = random.below(3) * random.below(40);
            page[at..at + length].fill(random.below(3) as u8);
        }
    }

    #[test]
    fn agrees_with_whole_pages_in_a_map() {
        let store = PageStore::default();
        let mut random = Random(1);
        let mut known = vec![(Component(0), ZEROS)];
        let mut twin = HashMap::from([(ZEROS, Component(0))]);
        for _ in 0..5000 {
            let (old, old_bytes) = known[random.below(known.len())];
            let mut bytes = old_bytes;
            edit(&mut bytes, &mut random);
            let id = store.intern(old, &old_bytes, &bytes);
            assert_eq!(*twin.entry(bytes).or_insert(id), id);
            assert_eq!(store.intern(Component(0), &ZEROS, &bytes), id);
            known.push((id, bytes));
        }
        assert_eq!(store.len(), twin.len());
        for (bytes, id) in &twin {
            let mut read = [1; PAGE_SIZE];
            store.read(*id, &mut read);
            assert!(read == *bytes);
        }
        assert!(store.bytes() < twin.len() * PAGE_SIZE / 4);
    }

    #[test]
    fn words_are_the_bytes_of_the_page() {
        let store = PageStore::default();
        let mut random = Random(5);
        let mut bytes = ZEROS;
        for _ in 0..50 {
            edit(&mut bytes, &mut random);
            let id = store.intern(Component(0), &ZEROS, &bytes);
            for (index, word) in bytes.chunks_exact(4).enumerate() {
                let expected = word.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte));
                assert_eq!(store.word(id, index as u32 * 4), expected);
            }
        }
    }

    #[test]
    fn workers_agree_on_ids() {
        let store = PageStore::default();
        let worker = || {
            let mut random = Random(9);
            let mut page = (Component(0), ZEROS);
            (0..3000)
                .map(|_| {
                    let mut bytes = page.1;
                    edit(&mut bytes, &mut random);
                    page = (store.intern(page.0, &page.1, &bytes), bytes);
                    page.0
                })
                .collect::<Vec<_>>()
        };
        let (left, right) = std::thread::scope(|scope| {
            let other = scope.spawn(worker);
            (worker(), other.join().expect("the other worker ends"))
        });
        assert_eq!(left, right);
    }
}
