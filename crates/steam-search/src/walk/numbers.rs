//! Numbers that look random and are the same every time (SplitMix64).

/// A reproducible source of numbers.
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    /// The source that a seed stands for.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The source of one of many parts of the work, independent of the other parts.
    pub fn of_part(seed: u64, part: u64) -> Self {
        let mut numbers = Self(seed ^ part.wrapping_mul(0xd129_0d36_5a1c_5b1d));
        Self(numbers.next())
    }

    /// The next 64 bits.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below the bound, or 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The high half of the product is uniform up to one part in 2^64 / bound.
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}
