//! The integer instructions of MMX and SSE2.

use super::Operand;
use super::lanes;
use super::machine::Machine;
use crate::fp_env::FpEnv;

/// Lanes and direction of a shift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shift {
    LeftWord,
    LeftDouble,
    LeftQuad,
    RightWord,
    RightDouble,
    RightQuad,
    SignedWord,
    SignedDouble,
}

impl<E: FpEnv> Machine<'_, E> {
    /// Replaces the destination by a function of it and the source.
    #[inline]
    pub(super) fn combine(&mut self, function: impl Fn(u128, u128) -> u128) -> Result<(), E::Trap> {
        let source = self.source()?;
        self.write(function(self.register(self.dst), source));
        Ok(())
    }

    pub(super) fn lanes8(&mut self, function: impl Fn(u8, u8) -> u8) -> Result<(), E::Trap> {
        self.combine(|a, b| lanes::map8(a, b, &function))
    }

    pub(super) fn lanes16(&mut self, function: impl Fn(u16, u16) -> u16) -> Result<(), E::Trap> {
        self.combine(|a, b| lanes::map16(a, b, &function))
    }

    pub(super) fn lanes32(&mut self, function: impl Fn(u32, u32) -> u32) -> Result<(), E::Trap> {
        self.combine(|a, b| lanes::map32(a, b, &function))
    }

    pub(super) fn lanes64(&mut self, function: impl Fn(u64, u64) -> u64) -> Result<(), E::Trap> {
        self.combine(|a, b| lanes::map64(a, b, &function))
    }

    /// Packs words into bytes: those of the destination, then those of the source.
    pub(super) fn pack_words(&mut self, saturate: impl Fn(u16) -> u8) -> Result<(), E::Trap> {
        let width = self.width();
        self.combine(|a, b| {
            let packed = |value| {
                let bytes = lanes::split16(value).map(&saturate);
                u128::from(u64::from_le_bytes(bytes)) & u128::MAX >> (128 - width / 2)
            };
            packed(a) | packed(b) << (width / 2)
        })
    }

    /// Packs double words into words: those of the destination, then those of the source.
    pub(super) fn pack_doubles(&mut self) -> Result<(), E::Trap> {
        let width = self.width();
        self.combine(|a, b| {
            let packed = |value| {
                let [w0, w1, w2, w3] = lanes::split32(value).map(lanes::saturate_to_i16);
                let all = lanes::join16([w0, w1, w2, w3, 0, 0, 0, 0]);
                all & u128::MAX >> (128 - width / 2)
            };
            packed(a) | packed(b) << (width / 2)
        })
    }

    /// Interleaves the high halves.
    #[inline]
    pub(super) fn unpack_high(&mut self, lane: u32) -> Result<(), E::Trap> {
        let width = self.width();
        self.combine(|a, b| lanes::interleave(a, b, width, lane, true))
    }

    /// Interleaves the low halves; beside an MMX register only four bytes of memory are read.
    #[inline]
    pub(super) fn unpack_low(&mut self, lane: u32) -> Result<(), E::Trap> {
        let width = self.width();
        let source = match self.src {
            Operand::Memory if width == 64 => u128::from(self.source32()?),
            _ => self.source()?,
        };
        let value = lanes::interleave(self.register(self.dst), source, width, lane, false);
        self.write(value);
        Ok(())
    }

    #[inline]
    pub(super) fn shift(&mut self, kind: Shift) -> Result<(), E::Trap> {
        let count = match self.src {
            Operand::None => u64::from(self.imm8),
            _ => self.source()? as u64,
        };
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let value = self.register(self.dst);
        let signed16 = |x: u16| ((x as i16) >> count.min(15)) as u16;
        let signed32 = |x: u32| ((x as i32) >> count.min(31)) as u32;
        let result = match kind {
            Shift::LeftWord => lanes::map16(value, 0, |x, _| x.checked_shl(count).unwrap_or(0)),
            Shift::LeftDouble => lanes::map32(value, 0, |x, _| x.checked_shl(count).unwrap_or(0)),
            Shift::LeftQuad => lanes::map64(value, 0, |x, _| x.checked_shl(count).unwrap_or(0)),
            Shift::RightWord => lanes::map16(value, 0, |x, _| x.checked_shr(count).unwrap_or(0)),
            Shift::RightDouble => lanes::map32(value, 0, |x, _| x.checked_shr(count).unwrap_or(0)),
            Shift::RightQuad => lanes::map64(value, 0, |x, _| x.checked_shr(count).unwrap_or(0)),
            Shift::SignedWord => lanes::map16(value, 0, |x, _| signed16(x)),
            Shift::SignedDouble => lanes::map32(value, 0, |x, _| signed32(x)),
        };
        self.write(result);
        Ok(())
    }

    /// Shifts a whole vector by bytes.
    pub(super) fn shift_bytes(&mut self, left: bool) -> Result<(), E::Trap> {
        let value = self.register(self.dst);
        let bits = u32::from(self.imm8) * 8;
        let shifted = if left { value.checked_shl(bits) } else { value.checked_shr(bits) };
        self.write(shifted.unwrap_or(0));
        Ok(())
    }

    /// Replaces the destination by a function of the source and the immediate.
    pub(super) fn rearrange(&mut self, function: impl Fn(u128, u8) -> u128) -> Result<(), E::Trap> {
        let source = self.source()?;
        self.write(function(source, self.imm8));
        Ok(())
    }

    /// `shufps`: two lanes of the destination, then two of the source.
    pub(super) fn shuffle_singles(&mut self) -> Result<(), E::Trap> {
        let order = self.imm8;
        self.combine(|a, b| {
            let (low, high) = (lanes::shuffle32(a, order), lanes::shuffle32(b, order));
            high >> 64 << 64 | low << 64 >> 64
        })
    }

    /// `shufpd`: one lane of the destination, then one of the source.
    pub(super) fn shuffle_doubles(&mut self) -> Result<(), E::Trap> {
        let order = usize::from(self.imm8);
        self.combine(|a, b| {
            let (a, b) = (lanes::split64(a), lanes::split64(b));
            lanes::join64([a[order & 1], b[order >> 1 & 1]])
        })
    }

    pub(super) fn extract_word(&mut self) -> Result<(), E::Trap> {
        let lane = self.lane_of(self.src);
        let value = self.register(self.src) >> lane & 0xffff;
        self.write(value);
        Ok(())
    }

    pub(super) fn insert_word(&mut self) -> Result<(), E::Trap> {
        let word = match self.src {
            Operand::Memory => u16::from_le_bytes(self.env.load(self.addr)?),
            operand => self.register(operand) as u16,
        };
        let lane = self.lane_of(self.dst);
        let kept = self.register(self.dst) & !(0xffff << lane);
        self.write(kept | u128::from(word) << lane);
        Ok(())
    }

    /// The position of the word that the immediate names.
    fn lane_of(&self, vector: Operand) -> u32 {
        let mask = if matches!(vector, Operand::Mm(_)) { 3 } else { 7 };
        u32::from(self.imm8 & mask) * 16
    }

    /// Gathers the sign bits of lanes into a general register.
    pub(super) fn sign_mask(&mut self, lane: u32) -> Result<(), E::Trap> {
        let value = self.register(self.src);
        let sign = |i: u32| (value >> (i * lane + lane - 1) & 1) << i;
        self.write((0..128 / lane).fold(0, |mask, i| mask | sign(i)));
        Ok(())
    }
}
