//! The content of a file that the program wrote: chunks that versions share.
//!
//! Invariant: bytes of the last chunk after the length are zero, and a chunk of zeros is not kept, so
//! that equal contents are equal values and a file may be far longer than what was written into it.

use std::sync::Arc;

use super::map::Map;

const CHUNK: u64 = 4096;
/// No file is longer: the limit of ext4.
pub const LARGEST_FILE: u64 = 0xfff_ffff_f000;

type Chunk = [u8; CHUNK as usize];

/// A file's bytes; a clone is cheap, a write copies the chunks that it touches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FileBytes {
    /// Those with a byte that is not zero, by their position.
    chunks: Map<u64, Arc<Chunk>>,
    length: u64,
}

impl From<&[u8]> for FileBytes {
    fn from(bytes: &[u8]) -> Self {
        let mut file = Self::default();
        file.write(0, bytes);
        file
    }
}

impl FileBytes {
    /// How many bytes the file has.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Whether the file has no bytes.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Up to `size` bytes from `offset` on; fewer at the end of the file.
    pub fn read(&self, offset: u64, size: usize) -> Vec<u8> {
        let end = self.length.min(offset.saturating_add(size as u64));
        let mut bytes = vec![0; end.saturating_sub(offset) as usize];
        let mut done = 0;
        while done < bytes.len() {
            let (number, within) = place(offset + done as u64);
            let part = (CHUNK as usize - within).min(bytes.len() - done);
            if let Some(chunk) = self.chunks.get(&number) {
                bytes[done..done + part].copy_from_slice(&chunk[within..within + part]);
            }
            done += part;
        }
        bytes
    }

    /// Where the pages begin, ascending, that have a byte which is not zero.
    pub fn pages(&self) -> impl Iterator<Item = u64> + '_ {
        self.chunks.keys().map(|number| number * CHUNK)
    }

    /// Writes bytes at `offset`, after zeros where the file was shorter. The caller has checked
    /// that the end stays within [`LARGEST_FILE`].
    pub fn write(&mut self, offset: u64, bytes: &[u8]) {
        let end = offset + bytes.len() as u64;
        if end > self.length && !bytes.is_empty() {
            self.length = end;
        }
        let mut done = 0;
        while done < bytes.len() {
            let (number, within) = place(offset + done as u64);
            let part = (CHUNK as usize - within).min(bytes.len() - done);
            self.put(number, within, &bytes[done..done + part]);
            done += part;
        }
    }

    /// Cuts the file, or lengthens it with zeros.
    pub fn resize(&mut self, length: u64) {
        if length < self.length {
            let (number, within) = place(length);
            let (before, last, _) = self.chunks.split_lookup(&number);
            *self.chunks = before;
            if let Some(mut last) = last.filter(|_| within > 0) {
                Arc::make_mut(&mut last)[within..].fill(0);
                self.keep(number, last);
            }
        }
        self.length = length;
    }

    /// Writes into one chunk.
    fn put(&mut self, number: u64, within: usize, bytes: &[u8]) {
        let old = self.chunks.get(&number).cloned();
        let mut chunk = old.unwrap_or_else(|| Arc::new([0; CHUNK as usize]));
        Arc::make_mut(&mut chunk)[within..within + bytes.len()].copy_from_slice(bytes);
        self.keep(number, chunk);
    }

    /// Keeps a chunk unless it is nothing but zeros.
    fn keep(&mut self, number: u64, chunk: Arc<Chunk>) {
        match chunk.iter().all(|&byte| byte == 0) {
            true => self.chunks.remove(&number),
            false => self.chunks.insert(number, chunk),
        };
    }
}

/// The chunk in which a byte lies, and where in it.
fn place(offset: u64) -> (u64, usize) {
    (offset / CHUNK, (offset % CHUNK) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_plain_vector() {
        let mut file = FileBytes::default();
        let mut twin: Vec<u8> = Vec::new();
        let mut seed = 9u32;
        let mut random = |bound: usize| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as usize % bound
        };
        for step in 0..2000 {
            let (offset, size) = (random(20_000), random(6000));
            if random(4) == 0 {
                file.resize(offset as u64);
                twin.resize(offset, 0);
            } else {
                let bytes = vec![step as u8 | 1; size];
                file.write(offset as u64, &bytes);
                if size > 0 {
                    twin.resize(twin.len().max(offset + size), 0);
                    twin[offset..offset + size].copy_from_slice(&bytes);
                }
            }
            let from = random(20_000);
            let expected = twin.get(from..).map_or(&[][..], |rest| &rest[..rest.len().min(5000)]);
            assert_eq!(file.read(from as u64, 5000), expected);
            assert_eq!(file, FileBytes::from(&twin[..]));
        }
    }

    #[test]
    fn zeros_are_not_kept() {
        let mut file = FileBytes::default();
        file.resize(1 << 40);
        file.write(1 << 39, &[1, 2]);
        assert_eq!((file.len(), file.chunks.len()), (1 << 40, 1));
        assert_eq!(file.read((1 << 39) - 1, 4), [0, 1, 2, 0]);
        file.write(1 << 39, &[0, 0]);
        let mut long = FileBytes::default();
        long.resize(1 << 40);
        assert_eq!(file, long);
    }
}
