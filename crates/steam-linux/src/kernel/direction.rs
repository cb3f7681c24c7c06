//! One direction of a connection between sockets: bytes or messages on their way.
//!
//! How much fits is counted as Linux does by default: what one call sends to a UNIX socket is a
//! buffer of its own, which has room for more than its bytes and is given back as a whole.

use std::sync::Arc;

use crate::errno::Errno;

/// What the buffers of a UNIX socket may take: one more is begun as long as they take less.
const BUFFERS: u32 = 212_992;
/// How many bytes a TCP connection holds in one direction. Linux lets it grow to a few times that.
const CONNECTION_BYTES: u32 = 1 << 20;
/// The longest message.
pub const LONGEST_MESSAGE: usize = BUFFERS as usize - 32;

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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Part {
    left: u32,
    cost: u32,
}

/// One direction of a connection.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Direction {
    grain: Grain,
    bytes: Arc<Vec<u8>>,
    parts: Vec<Part>,
    /// Whether a reader will find nothing more than what is there.
    pub ended: bool,
    /// Whether a writer fails.
    pub broken: bool,
    /// Whether the reader is gone, which a writer learns behind its next bytes (TCP).
    pub abandoned: bool,
    /// An error that the reader's socket has to tell once; 0 for none.
    pub error: u16,
    /// How many of the two sockets are open.
    pub holders: u8,
}

/// What a buffer with a message takes.
pub fn message_cost(size: usize) -> u32 {
    const LINEAR: usize = 16_064;
    cost(size, LINEAR, 4096)
}

fn cost(size: usize, linear: usize, unit: usize) -> u32 {
    const HEAD: usize = 256;
    const TAIL: usize = 320;
    let first = (size.min(linear) + TAIL).next_power_of_two().max(512);
    (HEAD + first + size.saturating_sub(linear).next_multiple_of(unit)) as u32
}

/// What a buffer with bytes of a stream takes.
fn chunk_cost(size: usize) -> u32 {
    const LINEAR: usize = 3776;
    cost(size, LINEAR, 512)
}

impl Direction {
    /// A direction of a new connection.
    pub fn new(grain: Grain) -> Self {
        Self { grain, holders: 2, ..Self::default() }
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

    fn capacity(&self) -> u32 {
        if self.grain == Grain::Bytes { CONNECTION_BYTES } else { BUFFERS }
    }

    /// Whether a writer need not wait: something fits, or nobody will read.
    pub fn takes(&self) -> bool {
        self.used() < self.capacity() || self.broken || self.abandoned
    }

    /// Whether there is so much room that waiting for more would be no use.
    pub fn has_much_room(&self) -> bool {
        self.used() <= self.capacity() / 4
    }

    /// Puts in as many bytes as fit, a message as a whole or not at all; how many it were, `None` if
    /// there is no room.
    pub fn put(&mut self, new: &[u8]) -> Option<usize> {
        if self.used() >= self.capacity() {
            return None;
        }
        let taken = match self.grain {
            Grain::Bytes => new.len().min((self.capacity() - self.used()) as usize),
            Grain::Chunks => self.add_chunks(new.len()),
            Grain::Messages => {
                self.parts.push(Part { left: new.len() as u32, cost: message_cost(new.len()) });
                new.len()
            }
        };
        Arc::make_mut(&mut self.bytes).extend_from_slice(&new[..taken]);
        Some(taken)
    }

    /// Buffers for as many bytes as fit; how many those are.
    fn add_chunks(&mut self, size: usize) -> usize {
        const LARGEST: usize = 36_544;
        let mut taken = 0;
        while taken < size && self.used() < self.capacity() {
            let chunk = (size - taken).min(LARGEST);
            self.parts.push(Part { left: chunk as u32, cost: chunk_cost(chunk) });
            taken += chunk;
        }
        taken
    }

    /// The next bytes, up to `size`, of the first message if it is made of messages.
    pub fn look(&self, size: usize) -> Vec<u8> {
        self.bytes[..size.min(self.len())].to_vec()
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

    /// Removes all that waits: its reader is gone.
    pub fn discard(&mut self) {
        self.bytes = Arc::default();
        self.parts.clear();
    }

    /// The error that is to be told, once.
    pub fn take_error(&mut self) -> Option<Errno> {
        let error = std::mem::take(&mut self.error);
        (error != 0).then_some(Errno(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many writes of a size fit, and how many bytes they are: as Linux 6.18 does.
    fn fill(grain: Grain, size: usize) -> (usize, usize) {
        let mut stream = Direction::new(grain);
        let bytes = vec![1; size];
        let taken: Vec<usize> = std::iter::from_fn(|| stream.put(&bytes)).collect();
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
            (20_000, (11, 220_000), 11),
            (100_000, (3, 236_544), 3),
            (LONGEST_MESSAGE, (1, LONGEST_MESSAGE), 1),
        ] {
            assert_eq!(fill(Grain::Chunks, size), chunks, "{size}");
            assert_eq!(fill(Grain::Messages, size).0, messages, "{size}");
        }
    }

    #[test]
    fn a_buffer_is_given_back_as_a_whole() {
        let mut stream = Direction::new(Grain::Chunks);
        stream.put(b"abc");
        stream.put(b"de");
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
        let mut stream = Direction::new(Grain::Messages);
        for message in [&b"one"[..], b"", b"three"] {
            stream.put(message);
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
