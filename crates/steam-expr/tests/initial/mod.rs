//! The memory of a program before its first instruction, as its file gives it.

use steam_expr::Memory;
use steam_image::Image;

/// Memory as the file fills it, and registers as a test sets them.
pub struct Initial<'i> {
    image: &'i Image,
    /// Registers by DWARF's numbers.
    pub registers: Vec<(u8, u32)>,
    /// Bytes that differ from the file, by address.
    pub changed: Vec<(u32, Vec<u8>)>,
}

impl<'i> Initial<'i> {
    /// Makes the memory of an image, without registers.
    pub fn new(image: &'i Image) -> Initial<'i> {
        Initial { image, registers: Vec::new(), changed: Vec::new() }
    }

    fn byte(&self, address: u32) -> Option<u8> {
        for (start, bytes) in &self.changed {
            if let Some(byte) = bytes.get(address.wrapping_sub(*start) as usize) {
                return Some(*byte);
            }
        }
        let segment = self.image.segment_at(address)?;
        let within = (address - segment.address) as usize;
        Some(segment.data.get(within).copied().unwrap_or(0))
    }
}

impl Memory for Initial<'_> {
    fn read(&mut self, address: u32, bytes: &mut [u8]) -> bool {
        bytes.iter_mut().zip(0..).all(|(byte, offset)| {
            self.byte(address.wrapping_add(offset)).map(|value| *byte = value).is_some()
        })
    }

    fn register(&self, number: u8) -> Option<u32> {
        self.registers.iter().find(|(own, _)| *own == number).map(|(_, value)| *value)
    }
}
