//! One direction of a connection between sockets: bytes or messages on their way.
//!
//! How much fits is counted as Linux does: what one call sends to a UNIX socket is a buffer of its own, which
//! has room for more than its bytes and is given back as a whole. One more is begun as long as they take
//! less than the sender's size. With a buffer go the descriptions that the call hands over.

use std::sync::Arc;

use super::socket_buffer::Room;
use crate::errno::Errno;

/// The longest message of a UNIX socket that has so much room for what it sends.
pub fn longest_message(room: Room) -> usize {
    room.certain as usize - 32
}

/// What a direction is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Grain {
    /// Bytes that flow together (TCP).
    #[default]
    Bytes,
    /// Bytes, of which those that are sent together take a buffer (UNIX streams).
    Chunks,
    /// Messages (`SOCK_SEQPACKET`).
    Messages,
}

/// What was sent at once, and how much of it is left.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Part {
    left: u32,
    cost: u32,
    /// The descriptions that are handed over with it.
    rights: Vec<u32>,
}

/// One direction of a connection.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Direction {
    grain: Grain,
    bytes: Arc<Vec<u8>>,
    parts: Vec<Part>,
    /// The sizes that were granted to the buffers of who sends and who receives; 0 where none was asked for.
    pub sizes: [u32; 2],
    /// Whether a reader will find nothing more than what is there.
    pub ended: bool,
    /// Whether a writer fails.
    pub broken: bool,
    /// Whether the reader is gone, which a writer learns after its next bytes (TCP).
    pub abandoned: bool,
    /// An error that the reader's socket has to tell once; 0 for none.
    pub error: u16,
    /// How many of the two sockets are open.
    pub holders: u8,
}

/// What a buffer with a message takes.
pub fn message_cost(size: usize) -> u32 {
    const LINEAR: usize = 16_064;
    cost(size, LINEAR)
}

/// What a buffer takes that has so many bytes at most in its first block, and whole pages for the others.
fn cost(size: usize, linear: usize) -> u32 {
    const HEAD: usize = 256;
    const TAIL: usize = 320;
    const PAGE: usize = 4096;
    let paged = size.saturating_sub(linear).next_multiple_of(PAGE).min(size);
    let first = (size - paged + TAIL).next_power_of_two().max(512);
    (HEAD + first + paged.next_multiple_of(PAGE)) as u32
}

/// What a buffer with bytes of a stream takes.
fn chunk_cost(size: usize) -> u32 {
    const LINEAR: usize = 3776;
    cost(size, LINEAR)
}

impl Direction {
    /// A direction of a new connection.
    pub fn new(grain: Grain, sizes: [u32; 2]) -> Self {
        Self { grain, sizes, holders: 2, ..Self::default() }
    }

    /// What it is made of.
    pub fn grain(&self) -> Grain {
        self.grain
    }

    /// How many bytes wait, of the first message if it is made of messages.
    pub fn len(&self) -> usize {
        match self.grain {
            Grain::Messages => self.parts.first().map_or(0, |part| part.left as usize),
            _ => self.bytes.len(),
        }
    }

    /// How many bytes wait.
    pub fn total(&self) -> usize {
        self.bytes.len()
    }

    /// How many buffers wait.
    pub fn count(&self) -> usize {
        self.parts.len()
    }

    /// Whether nothing waits to be read.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.parts.is_empty()
    }

    /// Whether a reader need not wait.
    pub fn readable(&self) -> bool {
        !self.is_empty() || self.ended || self.error != 0
    }

    /// What waits takes so much.
    fn used(&self) -> u32 {
        match self.grain {
            Grain::Bytes => self.bytes.len() as u32,
            _ => self.parts.iter().map(|part| part.cost).sum(),
        }
    }

    /// How much it takes.
    pub fn room(&self) -> Room {
        let [sender, receiver] = self.sizes;
        match self.grain {
            Grain::Bytes => Room::of_connection(sender, receiver),
            Grain::Chunks | Grain::Messages => Room::of_unix(sender),
        }
    }

    /// Whether a writer need not wait: something fits, or no process will read, or that is not known.
    pub fn takes(&self) -> bool {
        self.room().beside(self.used()) != Some(false) || self.broken || self.abandoned
    }

    /// Whether there is so much room that waiting for more would be no use; `None` if that is not known.
    pub fn has_much_room(&self) -> Option<bool> {
        self.room().much_beside(self.used())
    }

    /// Whether it is not known how many of so many bytes fit.
    pub fn is_vague_for(&self, size: usize) -> bool {
        let room = self.room();
        let used = match self.grain {
            Grain::Bytes => self.used().saturating_add(size as u32),
            Grain::Chunks if room.vague => self.clone().add_chunks(size, Vec::new()).1,
            Grain::Chunks | Grain::Messages => self.used(),
        };
        room.beside(used).is_none()
    }

    /// Puts in as many bytes as fit, a message as a whole or not at all, the first of them with descriptions; how
    /// many it were, `None` if there is no room.
    pub fn put(&mut self, new: &[u8], rights: Vec<u32>) -> Option<usize> {
        let capacity = self.room().certain;
        if self.used() >= capacity {
            return None;
        }
        let taken = match self.grain {
            Grain::Bytes => new.len().min((capacity - self.used()) as usize),
            Grain::Chunks => self.add_chunks(new.len(), rights).0,
            Grain::Messages => {
                let cost = message_cost(new.len());
                self.parts.push(Part { left: new.len() as u32, cost, rights });
                new.len()
            }
        };
        Arc::make_mut(&mut self.bytes).extend_from_slice(&new[..taken]);
        Some(taken)
    }

    /// Buffers for as many bytes as fit; how many those are, and what all buffers take then.
    fn add_chunks(&mut self, size: usize, mut rights: Vec<u32>) -> (usize, u32) {
        const LARGEST: usize = 36_544;
        let capacity = self.room().certain;
        let largest = LARGEST.min(capacity as usize / 2 - 64);
        let (mut taken, mut used) = (0, self.used());
        while taken < size && used < capacity {
            let chunk = (size - taken).min(largest);
            let cost = chunk_cost(chunk);
            let rights = std::mem::take(&mut rights);
            self.parts.push(Part { left: chunk as u32, cost, rights });
            taken += chunk;
            used += cost;
        }
        (taken, used)
    }

    /// The next bytes, up to `size`, of the first message if it is made of messages: no further than to the end
    /// of what was sent with descriptions.
    pub fn look(&self, size: usize) -> Vec<u8> {
        self.bytes[..size.min(self.reach())].to_vec()
    }

    /// How many bytes one call can read.
    fn reach(&self) -> usize {
        let Some(last) = self.parts.iter().position(|part| !part.rights.is_empty()) else {
            return self.len();
        };
        let up_to: u32 = self.parts[..=last].iter().map(|part| part.left).sum();
        self.len().min(up_to as usize)
    }

    /// The descriptions that come with the next `size` bytes.
    pub fn rights(&self, size: usize) -> Vec<u32> {
        self.part_with_rights(size).map_or_else(Vec::new, |part| self.parts[part].rights.clone())
    }

    /// Takes the descriptions that come with the next `size` bytes.
    pub fn take_rights(&mut self, size: usize) -> Vec<u32> {
        let part = self.part_with_rights(size);
        part.map_or_else(Vec::new, |part| std::mem::take(&mut self.parts[part].rights))
    }

    /// The part that has descriptions, if a call for so many bytes comes to it: it looks at the first part in any
    /// case, at others if it has read all before.
    fn part_with_rights(&self, size: usize) -> Option<usize> {
        let part = self.parts.iter().position(|part| !part.rights.is_empty())?;
        let before: u32 = self.parts[..part].iter().map(|part| part.left).sum();
        (part == 0 || self.grain != Grain::Messages && (before as usize) < size).then_some(part)
    }

    /// All descriptions that wait.
    pub fn all_rights(&self) -> impl Iterator<Item = u32> {
        self.parts.iter().flat_map(|part| part.rights.iter().copied())
    }

    /// Takes all descriptions that wait.
    pub fn take_all_rights(&mut self) -> Vec<u32> {
        self.parts.iter_mut().flat_map(|part| std::mem::take(&mut part.rights)).collect()
    }

    /// Removes the next bytes, up to `size`; of messages the first one, however long it is.
    pub fn skip(&mut self, size: usize) {
        let size = if self.grain == Grain::Messages { self.len() } else { size.min(self.len()) };
        Arc::make_mut(&mut self.bytes).drain(..size);
        let mut rest = size as u32;
        while let Some(part) = self.parts.first_mut()
            && (part.left <= rest || self.grain == Grain::Messages)
        {
            rest -= part.left.min(rest);
            self.parts.remove(0);
            if self.grain == Grain::Messages || rest == 0 {
                return;
            }
        }
        if let Some(part) = self.parts.first_mut() {
            part.left -= rest;
        }
    }

    /// Removes all that waits, because its reader is gone; the descriptions that were with it.
    pub fn discard(&mut self) -> Vec<u32> {
        let rights = self.take_all_rights();
        self.bytes = Arc::default();
        self.parts.clear();
        rights
    }

    /// The error that is to be reported, once.
    pub fn take_error(&mut self) -> Option<Errno> {
        let error = std::mem::take(&mut self.error);
        (error != 0).then_some(Errno(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many writes of a size fit, and how many bytes they are: as Linux 6.18 does.
    fn fill(grain: Grain, size: usize, granted: u32) -> (usize, usize) {
        let mut stream = Direction::new(grain, [granted, 0]);
        let bytes = vec![1; size];
        let taken: Vec<usize> = std::iter::from_fn(|| stream.put(&bytes, Vec::new())).collect();
        assert_eq!(stream.bytes.len(), taken.iter().sum::<usize>());
        (taken.len(), stream.bytes.len())
    }

    #[test]
    fn as_much_fits_as_in_linux() {
        for (size, chunks, messages) in [
            (1, (278, 278), 278),
            (193, (167, 32_231), 167),
            (1000, (93, 93_000), 93),
            (4096, (44, 180_224), 26),
            (5000, (34, 170_000), 26),
            (20_000, (11, 220_000), 11),
            (100_000, (3, 236_544), 3),
            (212_960, (1, 212_960), 1),
        ] {
            assert_eq!(fill(Grain::Chunks, size, 0), chunks, "{size}");
            assert_eq!(fill(Grain::Messages, size, 0).0, messages, "{size}");
        }
    }

    #[test]
    fn as_much_fits_into_buffers_of_other_sizes() {
        for (granted, size, chunks, messages) in [
            (4608, 1, (6, 6), 6),
            (4608, 1000, (2, 2000), 2),
            (4608, 4000, (1, 4000), 1),
            (4608, 100_000, (1, 4480), 1),
            (20_000, 1, (27, 27), 27),
            (20_000, 5000, (4, 20_000), 3),
            (60_000, 5000, (10, 50_000), 8),
            (20_000, 100_000, (1, 19_872), 1),
            (131_072, 5000, (21, 105_000), 16),
            (131_072, 100_000, (2, 136_544), 2),
        ] {
            assert_eq!(fill(Grain::Chunks, size, granted), chunks, "{granted} {size}");
            if size <= longest_message(Room::of_unix(granted)) {
                assert_eq!(fill(Grain::Messages, size, granted).0, messages, "{granted} {size}");
            }
        }
    }

    #[test]
    fn a_call_reads_no_further_than_descriptions() {
        let mut stream = Direction::new(Grain::Chunks, [0; 2]);
        stream.put(b"ab", Vec::new());
        stream.put(b"cd", vec![7]);
        stream.put(b"ef", Vec::new());
        assert_eq!(
            (stream.look(9), stream.rights(2), stream.rights(3)),
            (b"abcd".to_vec(), vec![], vec![7])
        );
        assert_eq!(stream.take_rights(3), [7]);
        stream.skip(3);
        assert_eq!(stream.look(9), b"def");
        stream.put(b"g", vec![8]);
        assert_eq!((stream.look(9), stream.discard()), (b"defg".to_vec(), vec![8]));
    }

    #[test]
    fn a_buffer_is_given_back_as_a_whole() {
        let mut stream = Direction::new(Grain::Chunks, [0; 2]);
        stream.put(b"abc", Vec::new());
        stream.put(b"de", Vec::new());
        let used = stream.used();
        stream.skip(2);
        assert_eq!((stream.used(), stream.look(9)), (used, b"cde".to_vec()));
        stream.skip(2);
        assert_eq!((stream.used(), stream.look(9)), (used / 2, b"e".to_vec()));
        stream.skip(1);
        assert!(stream.is_empty() && stream.used() == 0);
    }

    #[test]
    fn messages_stay_apart() {
        let mut stream = Direction::new(Grain::Messages, [0; 2]);
        for message in [&b"one"[..], b"", b"three"] {
            stream.put(message, Vec::new());
        }
        assert_eq!(stream.look(2), b"on");
        stream.skip(2);
        assert!(stream.look(9).is_empty() && stream.readable());
        stream.skip(9);
        assert_eq!(stream.look(9), b"three");
        stream.skip(9);
        assert!(stream.is_empty() && !stream.readable());
    }
}
