//! Instructions that combine neighbouring lanes of one vector (SSE3, SSSE3, SSE4.1).

use super::float::{self, Float, FloatOp, Lane};
use super::lanes;
use super::machine::Machine;
use super::{Operand, floating};
use crate::fp_env::FpEnv;

impl<E: FpEnv> Machine<'_, E> {
    /// `phaddw` and the like: pairs of words of the destination, then of the source.
    pub(super) fn word_pairs(&mut self, function: impl Fn(i16, i16) -> i16) -> Result<(), E::Trap> {
        let pairs = |value: u128| {
            let words = lanes::split16(value);
            let pair = |i: usize| function(words[2 * i] as i16, words[2 * i + 1] as i16) as u16;
            lanes::join16(std::array::from_fn(|i| if i < 4 { pair(i) } else { 0 }))
        };
        self.join_halves(pairs)
    }

    /// `phaddd` and `phsubd`: pairs of double words of the destination, then of the source.
    pub(super) fn double_pairs(
        &mut self,
        function: impl Fn(u32, u32) -> u32,
    ) -> Result<(), E::Trap> {
        let pairs = |value: u128| {
            let [a, b, c, d] = lanes::split32(value);
            lanes::join32([function(a, b), function(c, d), 0, 0])
        };
        self.join_halves(pairs)
    }

    /// Puts what `function` makes of the source above what it makes of the destination; each takes half a
    /// vector.
    fn join_halves(&mut self, function: impl Fn(u128) -> u128) -> Result<(), E::Trap> {
        let half = self.width() / 2;
        let mask = u128::MAX >> (128 - half);
        self.combine(|a, b| function(a) & mask | (function(b) & mask) << half)
    }

    /// `haddps` and the like: pairs of lanes of the destination, then of the source.
    pub(super) fn lane_pairs<F: Float>(&mut self, _: F, op: FloatOp) -> Result<(), E::Trap> {
        let b = self.source()?;
        let a = self.register(self.dst);
        let (first, second) = if F::WIDTH == 64 {
            let ([a0, a1], [b0, b1]) = (lanes::split64(a), lanes::split64(b));
            (lanes::join64([a0, b0]), lanes::join64([a1, b1]))
        } else {
            let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (lanes::split32(a), lanes::split32(b));
            (lanes::join32([a0, a2, b0, b2]), lanes::join32([a1, a3, b1, b3]))
        };
        let mxcsr = self.simd.mxcsr;
        let (value, flags) =
            floating::each::<F>(first, second, |a, b| float::compute::<F>(op, mxcsr, a, b));
        self.raise(flags)?;
        self.write(value);
        Ok(())
    }

    /// `addsubps` and `addsubpd`: lanes at even places are subtracted, the others added.
    pub(super) fn alternate<F: Float>(&mut self, _: F) -> Result<(), E::Trap> {
        let b = self.source()?;
        let a = self.register(self.dst);
        let mxcsr = self.simd.mxcsr;
        let mut odd = false;
        let (value, flags) = floating::each::<F>(a, b, |a, b| {
            let op = if odd { FloatOp::Add } else { FloatOp::Subtract };
            odd = !odd;
            float::compute::<F>(op, mxcsr, a, b)
        });
        self.raise(flags)?;
        self.write(value);
        Ok(())
    }

    /// `dpps` and `dppd`: the sum of the products that the immediate's upper half selects, in the lanes that
    /// its lower half selects. Each stage raises its own exceptions.
    pub(super) fn dot_product<F: Float>(&mut self, _: F) -> Result<(), E::Trap> {
        let b = self.source()?;
        let a = self.register(self.dst);
        let mxcsr = self.simd.mxcsr;
        let chosen = self.imm8;
        let mut lane = 4;
        let (products, flags) = floating::each::<F>(a, b, |a, b| {
            let wanted = chosen >> lane & 1 != 0;
            lane += 1;
            let nothing = Lane { bits: 0, flags: 0 };
            if wanted { float::compute::<F>(FloatOp::Multiply, mxcsr, a, b) } else { nothing }
        });
        self.raise(flags)?;
        let sum = self.sum_of_lanes::<F>(products)?;
        let mut lane = 0;
        let (value, _) = floating::each::<F>(0, 0, |_, _| {
            let wanted = chosen >> lane & 1 != 0;
            lane += 1;
            Lane { bits: if wanted { sum } else { 0 }, flags: 0 }
        });
        self.write(value);
        Ok(())
    }

    /// Adds lanes pairwise, then the sums.
    fn sum_of_lanes<F: Float>(&mut self, value: u128) -> Result<u64, E::Trap> {
        let mxcsr = self.simd.mxcsr;
        let add = |a: u64, b: u64| float::compute::<F>(FloatOp::Add, mxcsr, a, b);
        if F::WIDTH == 64 {
            let [low, high] = lanes::split64(value);
            let sum = add(low, high);
            self.raise(sum.flags)?;
            return Ok(sum.bits);
        }
        let [a, b, c, d] = lanes::split32(value).map(u64::from);
        let (low, high) = (add(a, b), add(c, d));
        self.raise(low.flags | high.flags)?;
        let sum = add(low.bits, high.bits);
        self.raise(sum.flags)?;
        Ok(sum.bits)
    }

    /// `mpsadbw`: sums of the differences of four bytes of the source and of eight places of the destination.
    pub(super) fn sums_of_differences(&mut self) -> Result<(), E::Trap> {
        let places = usize::from(self.imm8);
        self.combine(|a, b| {
            let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
            let (from_a, from_b) = (places >> 2 & 1, places & 3);
            lanes::join16(std::array::from_fn(|i| {
                let difference = |j: usize| a[4 * from_a + i + j].abs_diff(b[4 * from_b + j]);
                (0..4).map(|j| u16::from(difference(j))).sum()
            }))
        })
    }

    /// `phminposuw`: the smallest word and its place.
    pub(super) fn smallest_word(&mut self) -> Result<(), E::Trap> {
        self.rearrange(|value, _| {
            let words = lanes::split16(value).into_iter().zip(0u128..);
            let (word, place) = words.min().unwrap_or_default();
            u128::from(word) | place << 16
        })
    }

    /// `ptest`: whether the operands have no bit in common, and whether the source has none beyond the
    /// destination.
    pub(super) fn test_bits(&mut self) -> Result<(), E::Trap> {
        let source = self.source()?;
        let destination = self.register(self.dst);
        self.env.set_flags_zpc(source & destination == 0, false, source & !destination == 0);
        Ok(())
    }

    /// Chooses lanes of `lane` bits of the source instead of the destination's, each by a bit of the immediate.
    pub(super) fn blend(&mut self, lane: u32) -> Result<(), E::Trap> {
        let chosen = self.imm8;
        self.choose(lane, |i| chosen >> i & 1 != 0)
    }

    /// Chooses lanes of the source by the sign bits of the lanes of `xmm0`.
    pub(super) fn blend_by_sign(&mut self, lane: u32) -> Result<(), E::Trap> {
        let mask = self.xmm(0);
        self.choose(lane, |i| mask >> (i * lane + lane - 1) & 1 != 0)
    }

    fn choose(&mut self, lane: u32, from_source: impl Fn(u32) -> bool) -> Result<(), E::Trap> {
        let ones = u128::MAX >> (128 - lane);
        let mask = (0..128 / lane)
            .filter(|&i| from_source(i))
            .fold(0, |mask, i| mask | ones << (i * lane));
        self.combine(|a, b| a & !mask | b & mask)
    }

    /// `pmovsxbw` and the like: widens the lowest lanes of the source.
    pub(super) fn widen_lanes(&mut self, from: u32, to: u32, signed: bool) -> Result<(), E::Trap> {
        let count = 128 / to;
        let source = match (self.src, count * from) {
            (Operand::Memory, 16) => u64::from(u16::from_le_bytes(self.env.load(self.addr)?)),
            (_, 32) => u64::from(self.source32()?),
            _ => self.source64()?,
        };
        let value = (0..count).fold(0, |value, i| {
            let lane = u128::from(source) >> (i * from) << (128 - from);
            let wide =
                if signed { (lane as i128 >> (128 - from)) as u128 } else { lane >> (128 - from) };
            value | (wide << (128 - to) >> (128 - to)) << (i * to)
        });
        self.write(value);
        Ok(())
    }
}
