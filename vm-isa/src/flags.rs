//! The arithmetic flags, kept lazily in two words.
//!
//! An arithmetic instruction leaves its result and the vector of carries; the six flags are read off
//! those when they are asked for. The encoding can hold any combination of flags:
//!
//! | flag | where it is |
//! |---|---|
//! | ZF | `result == 0` |
//! | SF | bit 31 of `result`, inverted by bit 0 of `aux` |
//! | PF | parity of the low byte of `result`, exclusive-or bits 8 to 15 of `aux` |
//! | AF | bit 3 of `aux` |
//! | CF | bit 31 of `aux` |
//! | OF | bit 31 of `aux` exclusive-or bit 30 |
//!
//! Results narrower than 32 bits are sign-extended, their carries shifted up.

/// The carry flag's bit in eflags.
pub const CF: u32 = 1;
/// The parity flag's bit in eflags.
pub const PF: u32 = 1 << 2;
/// The auxiliary carry flag's bit in eflags.
pub const AF: u32 = 1 << 4;
/// The zero flag's bit in eflags.
pub const ZF: u32 = 1 << 6;
/// The sign flag's bit in eflags.
pub const SF: u32 = 1 << 7;
/// The trap flag's bit in eflags.
pub const TF: u32 = 1 << 8;
/// The direction flag's bit in eflags.
pub const DF: u32 = 1 << 10;
/// The overflow flag's bit in eflags.
pub const OF: u32 = 1 << 11;
/// The six arithmetic flags.
pub const ARITHMETIC: u32 = CF | PF | AF | ZF | SF | OF;

const CARRY: u32 = 1 << 31;
const PARTIAL: u32 = 1 << 30;
const AUXILIARY: u32 = 1 << 3;
const KEPT: u32 = CARRY | PARTIAL | AUXILIARY;

/// The six arithmetic flags.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flags {
    result: u32,
    aux: u32,
}

impl Flags {
    /// After an operation of `bits` width whose bit positions carried out as `carries` says.
    #[inline(always)]
    pub fn carried(result: u32, carries: u32, bits: u32) -> Self {
        if bits == 32 {
            return Self { result, aux: carries & KEPT };
        }
        let shift = 32 - bits;
        Self {
            result: ((result << shift) as i32 >> shift) as u32,
            aux: (carries << shift) & (CARRY | PARTIAL) | carries & AUXILIARY,
        }
    }

    /// After a logical operation: CF, OF and AF are clear.
    #[inline(always)]
    pub fn logic(result: u32, bits: u32) -> Self {
        Self::carried(result, 0, bits)
    }

    /// After an operation that sets SF, ZF and PF by its result, and these others.
    #[inline(always)]
    pub fn with(result: u32, bits: u32, carry: bool, overflow: bool, auxiliary: bool) -> Self {
        let mut flags = Self::logic(result, bits);
        flags.aux = u32::from(auxiliary) << 3;
        flags.set_carry_overflow(carry, overflow);
        flags
    }

    /// The same flags but for CF and OF.
    #[inline(always)]
    pub fn set_carry_overflow(&mut self, carry: bool, overflow: bool) {
        self.aux = self.aux & !(CARRY | PARTIAL)
            | u32::from(carry) << 31
            | u32::from(carry ^ overflow) << 30;
    }

    /// The same flags but for CF.
    #[inline(always)]
    pub fn set_carry(&mut self, carry: bool) {
        let overflow = self.overflow();
        self.set_carry_overflow(carry, overflow);
    }

    /// These flags with the carry of others, as `inc` and `dec` leave it.
    #[inline(always)]
    pub fn keeping_carry_of(mut self, before: Flags) -> Self {
        self.set_carry(before.carry());
        self
    }

    /// The same flags but for ZF.
    pub fn set_zero(&mut self, zero: bool) {
        let bits = self.to_eflags() & !ZF | if zero { ZF } else { 0 };
        *self = Self::from_eflags(bits);
    }

    /// CF
    #[inline(always)]
    pub fn carry(self) -> bool {
        self.aux & CARRY != 0
    }

    /// OF
    #[inline(always)]
    pub fn overflow(self) -> bool {
        (self.aux ^ self.aux << 1) & CARRY != 0
    }

    /// ZF
    #[inline(always)]
    pub fn zero(self) -> bool {
        self.result == 0
    }

    /// SF
    #[inline(always)]
    pub fn sign(self) -> bool {
        (self.result >> 31 ^ self.aux) & 1 != 0
    }

    /// PF
    #[inline(always)]
    pub fn parity(self) -> bool {
        ((self.result ^ self.aux >> 8) & 0xff).count_ones() & 1 == 0
    }

    /// AF
    #[inline(always)]
    pub fn auxiliary(self) -> bool {
        self.aux & AUXILIARY != 0
    }

    /// SF differs from OF: the signed comparison "less".
    #[inline(always)]
    pub fn less(self) -> bool {
        (self.result >> 31 ^ self.aux ^ self.aux >> 31 ^ self.aux >> 30) & 1 != 0
    }

    /// The six flags at their places in eflags.
    pub fn to_eflags(self) -> u32 {
        let bit = |set: bool, mask: u32| if set { mask } else { 0 };
        bit(self.carry(), CF)
            | bit(self.parity(), PF)
            | bit(self.auxiliary(), AF)
            | bit(self.zero(), ZF)
            | bit(self.sign(), SF)
            | bit(self.overflow(), OF)
    }

    /// The six flags out of eflags.
    pub fn from_eflags(eflags: u32) -> Self {
        let has = |mask: u32| eflags & mask != 0;
        let mut flags = Self {
            // A low byte of zero has even parity, which bits 8 to 15 of `aux` may turn.
            result: u32::from(!has(ZF)) << 8,
            aux: u32::from(has(SF)) | u32::from(has(AF)) << 3 | u32::from(!has(PF)) << 8,
        };
        flags.set_carry_overflow(has(CF), has(OF));
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_combination_survives() {
        for bits in 0..=0xfff {
            let wanted = bits & ARITHMETIC;
            assert_eq!(Flags::from_eflags(wanted).to_eflags(), wanted);
        }
    }

    #[test]
    fn less_is_sign_not_equal_overflow() {
        for bits in 0..=0xfff {
            let flags = Flags::from_eflags(bits);
            assert_eq!(flags.less(), flags.sign() != flags.overflow());
        }
    }
}
