//! The standard input: bytes that are fixed, or that come from ours as they are asked for.
//!
//! What was read is kept, so that a state that was frozen before can read it again: the state
//! holds an offset only.

use std::io::Read;
use std::sync::{Mutex, PoisonError};

/// Where the standard input comes from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Stdin {
    /// There is none: reading ends at once.
    #[default]
    Empty,
    /// These bytes.
    Bytes(Vec<u8>),
    /// A file of the host, which the program can seek in.
    File(std::path::PathBuf),
    /// The standard input of this process, read when the program reads.
    Inherit,
}

#[derive(Debug)]
struct Received {
    bytes: Vec<u8>,
    more: bool,
}

/// The standard input of the guest.
#[derive(Debug)]
pub struct Input {
    received: Mutex<Received>,
}

impl Input {
    /// An input of fixed bytes, or with `more` after them from our own standard input.
    pub fn new(bytes: Vec<u8>, more: bool) -> Self {
        Self { received: Mutex::new(Received { bytes, more }) }
    }

    /// Up to `size` bytes from `offset` on; none at the end. Waits for them where they come from
    /// outside.
    pub fn read(&self, offset: u64, size: usize) -> std::io::Result<Vec<u8>> {
        let mut received = self.received.lock().unwrap_or_else(PoisonError::into_inner);
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        if start >= received.bytes.len() && received.more && size > 0 {
            let mut bytes = vec![0; size.min(1 << 16)];
            let count = std::io::stdin().read(&mut bytes)?;
            received.more = count > 0;
            received.bytes.extend_from_slice(&bytes[..count]);
        }
        let rest = received.bytes.get(start..).unwrap_or_default();
        Ok(rest[..rest.len().min(size)].to_vec())
    }
}
