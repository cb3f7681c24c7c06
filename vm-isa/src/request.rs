//! What a guest may ask of the checker, by instructions that do nothing on a real CPU.
//!
//! A request is `0f 1f 80` (a long `nop`) with the displacement `'S' 'T' number 0`; its arguments
//! are in ecx and edx. The header `toolchain/include/steam.h` writes them.

/// The requests that are understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Request {
    /// `VASSERT(ecx)`: the condition must not be zero.
    Assert = 1,
}

/// The number of a request, if a `nop`'s displacement is one.
pub fn number(displacement: u32) -> Option<u8> {
    let [s, t, number, zero] = displacement.to_le_bytes();
    (s == b'S' && t == b'T' && zero == 0).then_some(number)
}

impl Request {
    /// The request with that number.
    pub fn from_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::Assert),
            _ => None,
        }
    }
}
