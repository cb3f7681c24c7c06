//! The kernel's way to the guest's memory: what a bad address means to a system call.

use steam_state::{AccessError, AccessKind, Fault, Problem};
use steam_visibility::Memory;

use crate::errno::Errno;
use crate::execution::Execution;
use crate::kernel::Waiting;
use crate::processes::Fork;

/// Why a system call has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It answers with an error number.
    Errno(Errno),
    /// The guest passed bytes that it must not pass: a memory error of the guest.
    Memory(AccessError),
    /// It must wait; the call is done again afterwards.
    Wait(Waiting),
    /// This use of the call is not modelled.
    Unknown(String),
    /// A limit of ours is reached, where Linux has none or a larger one.
    Limit(String),
    /// The process ends with a status.
    Exit(i32),
    /// The process makes another one.
    Fork(Fork),
    /// The process goes on with another program.
    Execute(Box<Execution>),
    /// The thread ends; the call never returns.
    ThreadEnds,
    /// The registers were set by the call itself.
    RegistersSet,
}

impl From<Errno> for Refusal {
    fn from(errno: Errno) -> Self {
        Self::Errno(errno)
    }
}

/// The path names of Linux are shorter than this.
const LONGEST_PATH: u32 = 4096;

/// Reads and writes the guest's memory on behalf of the kernel.
pub trait GuestMemory {
    /// The bytes at an address.
    fn bytes(&mut self, address: u32, size: u32) -> Result<Vec<u8>, Refusal>;
    /// Writes bytes at an address.
    fn put(&mut self, address: u32, bytes: &[u8]) -> Result<(), Refusal>;

    /// The word at an address.
    fn word(&mut self, address: u32) -> Result<u32, Refusal> {
        let bytes = self.bytes(address, 4)?;
        Ok(bytes.try_into().map_or(0, u32::from_le_bytes))
    }

    /// `N` consecutive words.
    fn words<const N: usize>(&mut self, address: u32) -> Result<[u32; N], Refusal> {
        let bytes = self.bytes(address, 4 * N as u32)?;
        let mut words = [0; N];
        for (word, part) in words.iter_mut().zip(bytes.chunks_exact(4)) {
            *word = part.try_into().map_or(0, u32::from_le_bytes);
        }
        Ok(words)
    }

    /// The 64-bit number at an address.
    fn long(&mut self, address: u32) -> Result<u64, Refusal> {
        let [low, high] = self.words(address)?;
        Ok(u64::from(high) << 32 | u64::from(low))
    }

    /// Writes a word.
    fn put_word(&mut self, address: u32, word: u32) -> Result<(), Refusal> {
        self.put(address, &word.to_le_bytes())
    }

    /// Writes a word where the kernel does not look whether it could: a place that is not mapped stays as it is.
    fn offer_word(&mut self, address: u32, word: u32) -> Result<(), Refusal> {
        match self.put_word(address, word) {
            Err(Refusal::Errno(Errno::EFAULT)) => Ok(()),
            done => done,
        }
    }

    /// Writes words one after the other.
    fn put_words(&mut self, address: u32, words: &[u32]) -> Result<(), Refusal> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.put(address, &bytes)
    }

    /// The path name at an address, without its zero byte.
    fn path(&mut self, address: u32) -> Result<Vec<u8>, Refusal> {
        self.string(address, LONGEST_PATH)?.ok_or(Errno::ENAMETOOLONG.into())
    }

    /// The string at an address, without its zero byte, if it is shorter than so many bytes.
    fn string(&mut self, address: u32, limit: u32) -> Result<Option<Vec<u8>>, Refusal> {
        let mut string = Vec::new();
        while (string.len() as u32) < limit {
            let byte = self.bytes(address.wrapping_add(string.len() as u32), 1)?[0];
            if byte == 0 {
                return Ok(Some(string));
            }
            string.push(byte);
        }
        Ok(None)
    }
}

impl GuestMemory for Memory {
    fn bytes(&mut self, address: u32, size: u32) -> Result<Vec<u8>, Refusal> {
        // Before anything is allocated: the size is what the guest says.
        attempt(self, |memory| memory.probe(address, size, AccessKind::Read, 0))?;
        let mut bytes = vec![0; size as usize];
        attempt(self, |memory| memory.read_bytes(address, &mut bytes))?;
        Ok(bytes)
    }

    fn put(&mut self, address: u32, bytes: &[u8]) -> Result<(), Refusal> {
        attempt(self, |memory| memory.write_bytes(address, bytes))
    }
}

/// Does an access, again where it met decoded code that had to be forgotten first.
fn attempt(
    memory: &mut Memory,
    mut access: impl FnMut(&mut Memory) -> Result<(), Fault>,
) -> Result<(), Refusal> {
    loop {
        let Err(Fault) = access(memory) else { return Ok(()) };
        match memory.take_error() {
            None => {}
            Some(error) if matches!(error.problem, Problem::Heap | Problem::EndedStack) => {
                return Err(Refusal::Memory(error));
            }
            Some(_) => return Err(Errno::EFAULT.into()),
        }
    }
}
