//! A deterministic source of operands that prefers the values at which instructions differ.

/// SplitMix64: one addition and a mix per draw, the same sequence on every machine.
pub struct Random {
    state: u64,
}

impl Random {
    /// Starts the sequence that belongs to a name.
    pub fn from_name(name: &str) -> Self {
        let seed = name.bytes().fold(0x1234_5678_9abc_def1_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        Self { state: seed }
    }

    /// Returns 64 uniform bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a uniform number below `limit`, which is not zero.
    pub fn below(&mut self, limit: usize) -> usize {
        (((self.bits() >> 32) * limit as u64) >> 32) as usize
    }

    /// Returns true once in `n` draws.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Returns one of the values.
    pub fn choose<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// Returns a 32-bit integer, often one at a boundary of some width.
    pub fn integer(&mut self) -> u32 {
        let uniform = self.bits() as u32;
        match self.below(8) {
            0 => self.choose(&[0, 1, 2, u32::MAX, u32::MAX - 1]),
            1 => self.choose(&[0x7f, 0x80, 0x81, 0xff, 0x100, 0xff7f, 0xff80, 0xff81, 0xff00]),
            2 => self.choose(&[0x7fff, 0x8000, 0x8001, 0xffff, 0x1_0000, 0xffff_7fff, 0xffff_8000]),
            3 => self.choose(&[0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0x7fff_fffe]),
            4 => {
                let power = 1_u32 << (uniform & 31);
                self.choose(&[power, power.wrapping_sub(1), power.wrapping_neg(), !power])
            }
            5 => uniform & self.choose(&[0xff, 0xffff, 0xff00, 0xf0f0_f0f0, 0x8080_8080]),
            _ => uniform,
        }
    }

    /// Returns a 64-bit integer, often one at a boundary.
    pub fn long_integer(&mut self) -> u64 {
        match self.below(4) {
            0 => i64::from(self.integer() as i32) as u64,
            1 => {
                let power = 1_u64 << self.below(64);
                self.choose(&[power, power.wrapping_sub(1), power.wrapping_neg()])
            }
            2 => u64::from(self.integer()) << 32 | u64::from(self.integer()),
            _ => self.bits(),
        }
    }

    /// Returns the bits of a single-precision number of any class.
    pub fn single(&mut self) -> u32 {
        let uniform = self.bits() as u32;
        let sign = uniform & 0x8000_0000;
        let fraction = uniform & 0x7f_ffff;
        match self.below(16) {
            0 => sign,
            1 => sign | fraction.max(1) >> self.below(23),
            2 => sign | self.choose(&[1, 0x7f_ffff, 0x80_0000, 0x80_0001, 0x7f7f_ffff]),
            3 => sign | 0x7f80_0000,
            4 => sign | 0x7fc0_0000 | fraction,
            5 => sign | 0x7f80_0000 | (fraction & 0x3f_ffff).max(1),
            6 | 7 => sign | (self.below(200) as f32 / 2.0).to_bits(),
            8 => sign | (self.integer() as f32).to_bits(),
            9 => sign | (158 + self.below(3) as u32 - 1) << 23 | fraction >> self.below(24),
            10..=12 => sign | (127 - 20 + self.below(40) as u32) << 23 | fraction,
            _ => uniform,
        }
    }

    /// Returns the bits of a double-precision number of any class.
    pub fn double(&mut self) -> u64 {
        let uniform = self.bits();
        let sign = uniform & 1 << 63;
        let fraction = uniform & ((1 << 52) - 1);
        match self.below(16) {
            0 => sign,
            1 => sign | fraction.max(1) >> self.below(52),
            2 => sign | self.choose(&[1, (1 << 52) - 1, 1 << 52, 0x7fef_ffff_ffff_ffff]),
            3 => sign | 0x7ff << 52,
            4 => sign | 0xfff << 51 | fraction,
            5 => sign | 0x7ff << 52 | (fraction & ((1 << 51) - 1)).max(1),
            6 | 7 => sign | (self.below(200) as f64 / 2.0).to_bits(),
            8 => sign | (self.integer() as f64).to_bits(),
            9 => sign | self.single_as_double(),
            10 => sign | (1023 + 30 + self.below(3) as u64) << 52 | fraction >> self.below(53),
            11..=13 => sign | (1023 - 30 + self.below(60) as u64) << 52 | fraction,
            14 => {
                // Around the range of single precision: conversions overflow and underflow here.
                let exponent = self.choose(&[1023 - 150, 1023 - 127, 1023 + 126]);
                sign | (exponent + self.below(3) as u64) << 52 | fraction
            }
            _ => uniform,
        }
    }

    fn single_as_double(&mut self) -> u64 {
        let single = f32::from_bits(self.single() & 0x7fff_ffff);
        if single.is_finite() { f64::from(single).to_bits() } else { 0x7ff << 52 }
    }

    /// Returns the 10 bytes of an extended-precision number of any class, the unsupported ones
    /// included.
    pub fn extended(&mut self) -> [u8; 10] {
        let (exponent, significand) = self.extended_parts();
        let sign = (self.bits() as u16) & 0x8000;
        let mut bytes = [0; 10];
        bytes[..8].copy_from_slice(&significand.to_le_bytes());
        bytes[8..].copy_from_slice(&(exponent | sign).to_le_bytes());
        bytes
    }

    fn extended_parts(&mut self) -> (u16, u64) {
        const INTEGER_BIT: u64 = 1 << 63;
        let uniform = self.bits();
        let normal = uniform | INTEGER_BIT;
        let below_top = uniform & (INTEGER_BIT - 1);
        match self.below(24) {
            0 => (0, 0),
            1 => (0, below_top >> self.below(63)),
            2 => (0, normal),
            3 => (0x7fff, INTEGER_BIT),
            4 => (0x7fff, 3 << 62 | below_top),
            5 => (0x7fff, INTEGER_BIT | (below_top & ((1 << 62) - 1)).max(1)),
            6 => (0x7fff, below_top),
            7 => (1 + self.below(0x7ffe) as u16, below_top),
            8 => (self.choose(&[1, 0x7ffe]), self.choose(&[INTEGER_BIT, u64::MAX, normal])),
            9 => (1 + self.below(0x7ffe) as u16, normal),
            // Integers and halves, and those at the limits of 16, 32 and 64 bits and of BCD.
            10 | 11 => (0x3fff - 2 + self.below(8) as u16, INTEGER_BIT | uniform & 0x7f << 56),
            12 => (0x3fff + self.choose(&[14, 15, 30, 31, 62, 63, 59]), normal),
            13 => (0x3fff + self.choose(&[14, 15, 30, 31, 62, 63]), INTEGER_BIT),
            14 => (0x3fff + self.choose(&[14, 15, 30, 31, 62, 63]), u64::MAX << self.below(64)),
            // Around the ranges of single and double precision.
            15 => (0x3fff + 126 + self.below(3) as u16, normal),
            16 => (0x3fff - 126 - self.below(26) as u16, normal),
            17 => (0x3fff + 1022 + self.below(3) as u16, normal),
            18 => (0x3fff - 1022 - self.below(55) as u16, normal),
            // Rounding to 24 or 53 bits: exact ties and their neighbours.
            19 => (0x3fff, (normal & (u64::MAX << 40) | 1 << 39) + self.below(3) as u64 - 1),
            20 => (0x3fff, (normal & (u64::MAX << 11) | 1 << 10) + self.below(3) as u64 - 1),
            _ => (0x3fff - 32 + self.below(64) as u16, normal),
        }
    }
}
