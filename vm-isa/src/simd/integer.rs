//! The integer instructions of MMX and SSE.

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
    pub(super) fn pack_doubles(&mut self, saturate: impl Fn(u32) -> u16) -> Result<(), E::Trap> {
        let width = self.width();
        self.combine(|a, b| {
            let packed = |value| {
                let [w0, w1, w2, w3] = lanes::split32(value).map(&saturate);
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

    /// `pextrw` and the like: a lane of `BYTES` bytes goes to a register, zero-extended, or to memory.
    pub(super) fn extract<const BYTES: usize>(&mut self) -> Result<(), E::Trap> {
        let lane = self.lane_of(self.src, BYTES);
        let bytes = (self.register(self.src) >> lane).to_le_bytes();
        let bytes: [u8; BYTES] = std::array::from_fn(|i| bytes[i]);
        if self.dst == Operand::Memory {
            return self.env.store(self.addr, bytes);
        }
        self.write(number(bytes));
        Ok(())
    }

    /// `pinsrw` and the like: a lane of `BYTES` bytes comes from a register or from memory.
    pub(super) fn insert<const BYTES: usize>(&mut self) -> Result<(), E::Trap> {
        let mask = u128::MAX >> (128 - 8 * BYTES);
        let value = match self.src {
            Operand::Memory => number(self.env.load::<BYTES>(self.addr)?),
            operand => self.register(operand) & mask,
        };
        let lane = self.lane_of(self.dst, BYTES);
        let kept = self.register(self.dst) & !(mask << lane);
        self.write(kept | value << lane);
        Ok(())
    }

    /// `insertps`: a lane of the source (the only one in memory) into a lane of the destination; then lanes
    /// become zero.
    pub(super) fn insert_single(&mut self) -> Result<(), E::Trap> {
        let control = usize::from(self.imm8);
        let value = match self.src {
            Operand::Memory => self.source32()?,
            operand => lanes::split32(self.register(operand))[control >> 6],
        };
        let mut result = lanes::split32(self.register(self.dst));
        result[control >> 4 & 3] = value;
        let kept = |i: usize| if control >> i & 1 == 0 { result[i] } else { 0 };
        self.write(lanes::join32(std::array::from_fn(kept)));
        Ok(())
    }

    /// `movddup`: both halves become the low half of the source.
    pub(super) fn duplicate(&mut self) -> Result<(), E::Trap> {
        let value = self.source64()?;
        self.write(lanes::join64([value, value]));
        Ok(())
    }

    /// `pshufb`: each byte of the source chooses one of the destination, or zero.
    pub(super) fn shuffle_bytes(&mut self) -> Result<(), E::Trap> {
        let last = (self.width() / 8 - 1) as u8;
        self.combine(|a, b| {
            let bytes = a.to_le_bytes();
            let chosen = |by: u8| if by & 0x80 != 0 { 0 } else { bytes[usize::from(by & last)] };
            u128::from_le_bytes(b.to_le_bytes().map(chosen))
        })
    }

    /// `palignr`: the destination above the source, shifted right by bytes.
    pub(super) fn align_right(&mut self) -> Result<(), E::Trap> {
        let (bits, width) = (u32::from(self.imm8) * 8, self.width());
        self.combine(|a, b| {
            let from_above = match bits.checked_sub(width) {
                Some(beyond) => a.checked_shr(beyond).unwrap_or(0),
                None => a.checked_shl(width - bits).unwrap_or(0),
            };
            b.checked_shr(bits).unwrap_or(0) | from_above
        })
    }

    /// The position of the lane that the immediate names.
    fn lane_of(&self, vector: Operand, bytes: usize) -> u32 {
        let all = if matches!(vector, Operand::Mm(_)) { 8 } else { 16 };
        let last = all / bytes - 1;
        ((usize::from(self.imm8) & last) * bytes * 8) as u32
    }

    /// Gathers the sign bits of lanes into a general register.
    pub(super) fn sign_mask(&mut self, lane: u32) -> Result<(), E::Trap> {
        let value = self.register(self.src);
        let sign = |i: u32| (value >> (i * lane + lane - 1) & 1) << i;
        self.write((0..128 / lane).fold(0, |mask, i| mask | sign(i)));
        Ok(())
    }
}

/// The number that these bytes are, the lowest first.
fn number<const BYTES: usize>(bytes: [u8; BYTES]) -> u128 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
}
