//! A growing hash table that gives equal keys one dense number: the base of the exact stores.
//!
//! The keys (`W` words each) lie in an arena in the order of insertion, and the number of a key is
//! its place there. The index beside it is an open-addressed array of 4-byte cells, each with a
//! number and as many bits of the hash as the number leaves free, so that a probe hardly ever
//! looks at a wrong key.
//!
//! Looking up takes no lock. To insert, a worker turns an empty cell into `BUSY`, writes the key
//! and then puts the number into the cell; whoever meets a busy cell waits these few instructions.
//! To grow, one worker turns all empty cells of the old index into `FROZEN`, which tells
//! every worker that would have to insert there to wait for the new one, builds that from the arena
//! and publishes it. A worker keeps the index that it used last (in its [`Cursor`]); an outdated
//! one still answers for the keys that it holds, and the last worker to leave it frees it.

use std::hint;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread;

use steam_model::Full;

use crate::arena::Arena;

const EMPTY: u32 = 0;
const BUSY: u32 = u32::MAX;
const FROZEN: u32 = u32::MAX - 1;
const FIRST_BITS: u32 = 10;
/// A reference to a key has at most 30 bits, so that two fit into a word with 4 to spare (see
/// `tree`).
const MAX_BITS: u32 = 30;

/// The cells of one generation.
struct Index {
    bits: u32,
    cells: Box<[AtomicU32]>,
}

impl Index {
    fn new(bits: u32) -> Self {
        Self { bits, cells: vec![0u32; 1 << bits].into_iter().map(AtomicU32::new).collect() }
    }

    /// How many keys it may hold before it has to grow: four fifths of its cells.
    fn capacity(&self) -> u64 {
        (self.cells.len() / 5 * 4) as u64
    }

    fn bytes(bits: u32) -> u64 {
        4 << bits
    }

    /// Where probing for a hash begins, and the cell's bits above the number.
    fn home(&self, hash: u64) -> (usize, u32) {
        ((hash >> (64 - self.bits)) as usize, (hash as u32) << self.bits)
    }

    /// The number in a full cell, if the cell's tag is the given one.
    fn number(&self, cell: u32, tag: u32) -> Option<u32> {
        let mask = (1u32 << self.bits) - 1;
        (cell & !mask == tag).then(|| (cell & mask) - 1)
    }

    fn next(&self, position: usize) -> usize {
        (position + 1) & (self.cells.len() - 1)
    }

    /// Puts a number where probing finds it; only while no other worker knows this index.
    fn place(&self, hash: u64, number: u32) {
        let (mut position, tag) = self.home(hash);
        while self.cells[position].load(Ordering::Relaxed) != EMPTY {
            position = self.next(position);
        }
        self.cells[position].store(tag | (number + 1), Ordering::Relaxed);
    }

    /// Makes inserting impossible; afterwards no insertion is under way.
    fn freeze(&self) {
        for cell in &self.cells {
            if cell.compare_exchange(EMPTY, FROZEN, Ordering::AcqRel, Ordering::Acquire).is_err() {
                settled(cell);
            }
        }
    }
}

/// The value of a cell once it is not busy.
fn settled(cell: &AtomicU32) -> u32 {
    let mut tries = 0u32;
    loop {
        let value = cell.load(Ordering::Acquire);
        if value != BUSY {
            return value;
        }
        tries += 1;
        if tries < 100 { hint::spin_loop() } else { thread::yield_now() }
    }
}

/// What one worker remembers of a [`Table`].
pub(crate) struct Cursor {
    index: Arc<Index>,
}

/// A counter alone in its cache lines: every insertion writes it, and what lies beside it in a
/// [`Table`] is read by all workers all the time.
#[repr(align(128))]
struct Count(AtomicU64);

/// A set of keys of `W` words with dense numbers.
pub(crate) struct Table<const W: usize> {
    keys: Arena,
    length: Count,
    index: RwLock<Arc<Index>>,
    growing: Mutex<()>,
    closed: AtomicBool,
    limit: u64,
}

impl<const W: usize> Table<W> {
    /// A table that refuses to grow beyond `limit` bytes.
    pub(crate) fn new(limit: u64) -> Self {
        Self {
            keys: Arena::new(),
            length: Count(AtomicU64::new(0)),
            index: RwLock::new(Arc::new(Index::new(FIRST_BITS))),
            growing: Mutex::new(()),
            closed: AtomicBool::new(false),
            limit,
        }
    }

    pub(crate) fn cursor(&self) -> Cursor {
        Cursor { index: self.current() }
    }

    pub(crate) fn len(&self) -> u64 {
        self.length.0.load(Ordering::Acquire)
    }

    /// Bytes of the keys and of the index.
    pub(crate) fn bytes(&self) -> u64 {
        self.len() * W as u64 * 8 + Index::bytes(self.current().bits)
    }

    /// The key with a number that this table gave out.
    pub(crate) fn get(&self, number: u32) -> [u64; W] {
        std::array::from_fn(|word| self.keys.get(u64::from(number) * W as u64 + word as u64))
    }

    /// The number of a key, and whether the key is new.
    pub(crate) fn find_or_put(
        &self,
        cursor: &mut Cursor,
        key: [u64; W],
    ) -> Result<(u32, bool), Full> {
        let hash = hash_of(key);
        loop {
            match self.probe(&cursor.index, hash, key) {
                Probe::Found(number) => return Ok((number, false)),
                Probe::Put(number) => return Ok((number, true)),
                Probe::Crowded => self.grow(cursor)?,
                Probe::Outdated => {
                    // Whoever grows the table holds this lock until the new index is there.
                    drop(self.growing.lock().unwrap_or_else(PoisonError::into_inner));
                    let index = self.current();
                    let closed = self.closed.load(Ordering::Acquire);
                    if closed && Arc::ptr_eq(&index, &cursor.index) {
                        return Err(Full);
                    }
                    cursor.index = index;
                }
            }
        }
    }

    /// Takes no new key from now on, as if it were full; afterwards no insertion is under way.
    pub(crate) fn close(&self) {
        let _alone = self.growing.lock().unwrap_or_else(PoisonError::into_inner);
        self.closed.store(true, Ordering::Release);
        self.current().freeze();
    }

    fn probe(&self, index: &Index, hash: u64, key: [u64; W]) -> Probe {
        let (mut position, tag) = index.home(hash);
        loop {
            let cell = &index.cells[position];
            let mut value = cell.load(Ordering::Acquire);
            if value == EMPTY {
                if self.len() >= index.capacity() {
                    return Probe::Crowded;
                }
                match cell.compare_exchange(EMPTY, BUSY, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => return Probe::Put(self.put(cell, tag, key)),
                    Err(other) => value = other,
                }
            }
            if value == BUSY {
                value = settled(cell);
            }
            if value == FROZEN {
                return Probe::Outdated;
            }
            if let Some(number) = index.number(value, tag)
                && self.get(number) == key
            {
                return Probe::Found(number);
            }
            position = index.next(position);
        }
    }

    /// Fills a cell that this worker made busy.
    fn put(&self, cell: &AtomicU32, tag: u32, key: [u64; W]) -> u32 {
        let number = self.length.0.fetch_add(1, Ordering::AcqRel);
        for (word, value) in (0..).zip(key) {
            self.keys.set(number * W as u64 + word, value);
        }
        let number = number as u32;
        cell.store(tag | (number + 1), Ordering::Release);
        number
    }

    fn current(&self) -> Arc<Index> {
        self.index.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the index by one of twice the size, unless another worker just did.
    fn grow(&self, cursor: &mut Cursor) -> Result<(), Full> {
        let _alone = self.growing.lock().unwrap_or_else(PoisonError::into_inner);
        let old = self.current();
        if !Arc::ptr_eq(&old, &cursor.index) {
            cursor.index = old;
            return Ok(());
        }
        let bits = old.bits + 1;
        let closed = self.closed.load(Ordering::Acquire);
        if closed || bits > MAX_BITS || self.bytes() + Index::bytes(bits) > self.limit {
            return Err(Full);
        }
        let new = Index::new(bits);
        old.freeze();
        for number in 0..self.len() as u32 {
            new.place(hash_of(self.get(number)), number);
        }
        cursor.index = Arc::new(new);
        *self.index.write().unwrap_or_else(PoisonError::into_inner) = cursor.index.clone();
        Ok(())
    }
}

/// What came of one walk along the cells.
enum Probe {
    Found(u32),
    Put(u32),
    Crowded,
    Outdated,
}

fn hash_of<const W: usize>(key: [u64; W]) -> u64 {
    key.into_iter().fold(0, |hash, word| mix(hash ^ word))
}

/// A bijection on words in which every input bit reaches every output bit.
pub(crate) fn mix(mut word: u64) -> u64 {
    word ^= word >> 32;
    word = word.wrapping_mul(0xd6e8_feb8_6659_fd93);
    word ^= word >> 32;
    word = word.wrapping_mul(0xd6e8_feb8_6659_fd93);
    word ^ (word >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn numbers_are_dense_and_stable_while_growing() {
        let table = Table::<1>::new(u64::MAX);
        let mut cursor = table.cursor();
        let mut twin = HashMap::new();
        let mut seed = 7u64;
        for _ in 0..100_000 {
            seed = mix(seed.wrapping_add(1));
            let key = seed % 30_000;
            let expected = twin.len() as u32;
            let number = *twin.entry(key).or_insert(expected);
            let found = table.find_or_put(&mut cursor, [key]);
            assert_eq!(found, Ok((number, number == expected)));
        }
        assert_eq!(table.len(), twin.len() as u64);
        assert!(twin.iter().all(|(&key, &number)| table.get(number) == [key]));
    }

    #[test]
    fn exactly_one_worker_puts_each_key() {
        let table = Table::<2>::new(u64::MAX);
        let keys = 50_000u64;
        let put: u64 = thread::scope(|scope| {
            let workers: Vec<_> = (0..4)
                .map(|worker| {
                    let table = &table;
                    scope.spawn(move || {
                        let mut cursor = table.cursor();
                        let visit = |key| {
                            let key = (key + worker * 1000) % keys;
                            let found = table.find_or_put(&mut cursor, [key, key ^ 5]);
                            u64::from(found.expect("there is no limit").1)
                        };
                        (0..keys).map(visit).sum::<u64>()
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().expect("no panic")).sum()
        });
        assert_eq!((put, table.len()), (keys, keys));
        let mut seen: Vec<_> = (0..keys as u32).map(|number| table.get(number)[0]).collect();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..keys));
    }

    #[test]
    fn a_closed_table_takes_nothing_and_finds_what_it_holds() {
        let table = Table::<1>::new(u64::MAX);
        let (mut cursor, mut outdated) = (table.cursor(), table.cursor());
        for key in 0..5000 {
            assert_eq!(table.find_or_put(&mut cursor, [key]), Ok((key as u32, true)));
        }
        table.close();
        assert_eq!(table.find_or_put(&mut cursor, [9999]), Err(Full));
        assert_eq!(table.find_or_put(&mut outdated, [9999]), Err(Full));
        assert!(
            (0..5000)
                .all(|key| { table.find_or_put(&mut outdated, [key]) == Ok((key as u32, false)) })
        );
        assert_eq!(table.len(), 5000);
    }

    #[test]
    fn a_full_table_still_finds_what_it_holds() {
        let table = Table::<1>::new(100_000);
        let mut cursor = table.cursor();
        let full = (0..).find(|&key| table.find_or_put(&mut cursor, [key]).is_err());
        let count = full.expect("the limit is finite");
        assert!(count > 1000 && table.bytes() <= 100_000);
        assert_eq!(table.find_or_put(&mut cursor, [count - 1]), Ok((count as u32 - 1, false)));
        assert_eq!(table.find_or_put(&mut cursor, [count]), Err(Full));
    }
}
