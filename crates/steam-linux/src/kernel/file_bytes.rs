//! The content of a file that the program wrote: chunks that versions share.
//!
//! Invariant: bytes of the last chunk behind the length are zero, and there are exactly as many
//! chunks as the length needs, so that equal contents are equal values.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use steam_state::Vector;

const CHUNK: usize = 4096;
/// Files beyond this are refused: each byte of the overlay is held in memory.
pub const LARGEST_FILE: u64 = 1 << 28;

type Chunk = [u8; CHUNK];

/// A file's bytes; a clone is cheap, a write copies the chunks that it touches.
#[derive(Clone, Debug, Default)]
pub struct FileBytes {
    chunks: Vector<Arc<Chunk>>,
    length: u64,
}

impl PartialEq for FileBytes {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length
            && self.chunks.iter().zip(other.chunks.iter()).all(|(a, b)| Arc::ptr_eq(a, b) || a == b)
    }
}

impl Eq for FileBytes {}

impl Hash for FileBytes {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.length.hash(state);
        self.chunks.iter().for_each(|chunk| chunk.hash(state));
    }
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
        let mut bytes = Vec::with_capacity(end.saturating_sub(offset) as usize);
        let mut at = offset;
        while at < end {
            let within = at as usize % CHUNK;
            let part = (CHUNK - within).min((end - at) as usize);
            let Some(chunk) = self.chunks.get(at as usize / CHUNK) else { break };
            bytes.extend_from_slice(&chunk[within..within + part]);
            at += part as u64;
        }
        bytes
    }

    /// Writes bytes at `offset`, after zeros where the file was shorter. The caller has checked
    /// that the end stays within [`LARGEST_FILE`].
    pub fn write(&mut self, offset: u64, bytes: &[u8]) {
        let end = offset + bytes.len() as u64;
        if end > self.length && !bytes.is_empty() {
            self.resize(end);
        }
        let mut done = 0;
        while done < bytes.len() {
            let at = offset as usize + done;
            let within = at % CHUNK;
            let part = (CHUNK - within).min(bytes.len() - done);
            if let Some(chunk) = self.chunks.get_mut(at / CHUNK) {
                Arc::make_mut(chunk)[within..within + part]
                    .copy_from_slice(&bytes[done..done + part]);
            }
            done += part;
        }
    }

    /// Cuts the file, or lengthens it with zeros.
    pub fn resize(&mut self, length: u64) {
        let wanted = (length as usize).div_ceil(CHUNK);
        if wanted < self.chunks.len() {
            self.chunks.truncate(wanted);
        } else if wanted > self.chunks.len() {
            let zeros = Arc::new([0; CHUNK]);
            while self.chunks.len() < wanted {
                self.chunks.push_back(Arc::clone(&zeros));
            }
        }
        let rest = length as usize % CHUNK;
        if length < self.length
            && rest != 0
            && let Some(last) = self.chunks.back_mut()
        {
            Arc::make_mut(last)[rest..].fill(0);
        }
        self.length = length;
    }
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
}
