//! A pipe: bytes on their way from writers to readers.

use std::sync::Arc;

use crate::errno::Errno;

/// How many bytes a pipe holds, unless the program wants it otherwise.
const CAPACITY: usize = 65536;
/// The most that a process without privileges may want.
const LARGEST: u32 = 1 << 20;
/// Writes up to this size are not interleaved with others.
const ATOMIC_WRITE: usize = 4096;

/// A pipe.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pipe {
    bytes: Arc<Vec<u8>>,
    capacity: usize,
    /// Open descriptions that read from it.
    pub readers: u32,
    /// Open descriptions that write to it.
    pub writers: u32,
    /// Whether it can be opened by a name.
    pub named: bool,
}

impl Default for Pipe {
    fn default() -> Self {
        let (readers, writers) = (0, 0);
        Self { bytes: Arc::default(), capacity: CAPACITY, readers, writers, named: false }
    }
}

impl Pipe {
    /// A pipe with one reader and one writer.
    pub fn new() -> Self {
        Self { readers: 1, writers: 1, ..Self::default() }
    }

    /// A pipe that can be opened by a name, and that no process has open.
    pub fn with_name() -> Self {
        Self { named: true, ..Self::default() }
    }

    /// How many have one of its ends.
    pub fn end(&mut self, reads: bool) -> &mut u32 {
        if reads { &mut self.readers } else { &mut self.writers }
    }

    /// How many bytes wait to be read.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether no byte waits to be read.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether a reader need not wait: there are bytes, or there will never be any.
    pub fn readable(&self) -> bool {
        !self.bytes.is_empty() || self.writers == 0
    }

    /// Whether a writer need not wait: there is room for a whole page, or no process will read.
    pub fn writable(&self) -> bool {
        self.room() >= ATOMIC_WRITE || self.readers == 0
    }

    /// Whether a writer of so many bytes need not wait: some of them fit, small writes as a whole, or
    /// no process will read.
    pub fn takes(&self, size: usize) -> bool {
        let room = self.room();
        self.readers == 0 || if size <= ATOMIC_WRITE { room >= size } else { room > 0 }
    }

    /// How many bytes fit.
    pub fn room(&self) -> usize {
        self.capacity - self.bytes.len()
    }

    /// How many bytes it can hold.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Makes it hold so many bytes, rounded up to a power of two of pages; how many these are.
    pub fn resize(&mut self, wanted: u32) -> Result<u32, Errno> {
        if wanted > 1 << 31 {
            return Err(Errno::EINVAL);
        }
        let size = wanted.max(ATOMIC_WRITE as u32).next_power_of_two();
        if size as usize > self.capacity && size > LARGEST {
            return Err(Errno::EPERM);
        }
        if self.bytes.len() > size as usize {
            return Err(Errno::EBUSY);
        }
        self.capacity = size as usize;
        Ok(size)
    }

    /// Whether who moves bytes to it by `splice` need not wait: some fit, or no process will read.
    pub fn takes_some(&self) -> bool {
        self.readers == 0 || self.room() > 0
    }

    /// Up to `size` bytes, which stay.
    pub fn front(&self, size: usize) -> &[u8] {
        &self.bytes[..size.min(self.bytes.len())]
    }

    /// Takes up to `size` bytes.
    pub fn take(&mut self, size: usize) -> Vec<u8> {
        let bytes = Arc::make_mut(&mut self.bytes);
        let size = size.min(bytes.len());
        bytes.drain(..size).collect()
    }

    /// Puts in as many bytes as fit, small writes as a whole or not at all; how many it were.
    pub fn put(&mut self, new: &[u8]) -> usize {
        let room = self.room();
        let size =
            if new.len() <= ATOMIC_WRITE && new.len() > room { 0 } else { new.len().min(room) };
        Arc::make_mut(&mut self.bytes).extend_from_slice(&new[..size]);
        size
    }
}
