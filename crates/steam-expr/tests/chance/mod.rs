//! Chance with a fixed start, so that every run tests the same cases.

/// A small generator (xorshift64*).
pub struct Random(pub u64);

impl Random {
    /// Returns a number below `limit`, or zero.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit.max(1)
    }
}
