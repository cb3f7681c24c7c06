//! The one rounding step: an exact number is cut to a format.

use super::{INTEGER_BIT, OVERFLOW, PRECISION, UNDERFLOW};

/// The exponent adjustment of unmasked overflow and underflow in an x87 register.
const UNMASKED_BIAS: i32 = 24576;

/// The direction of rounding, numbered as in the control words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// To the nearest, ties to even.
    Nearest,
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
    /// Towards zero.
    Zero,
}

impl Rounding {
    /// The rounding of a two-bit field.
    pub fn from_bits(bits: u32) -> Rounding {
        match bits & 3 {
            0 => Rounding::Nearest,
            1 => Rounding::Down,
            2 => Rounding::Up,
            _ => Rounding::Zero,
        }
    }

    /// Whether a magnitude with this lowest bit and this cut-off rest grows.
    pub(super) fn increments(self, sign: bool, odd: bool, rest: u128) -> bool {
        const HALF: u128 = 1 << 127;
        match self {
            Rounding::Nearest => rest > HALF || (rest == HALF && odd),
            Rounding::Down => sign && rest != 0,
            Rounding::Up => !sign && rest != 0,
            Rounding::Zero => false,
        }
    }
}

/// A target of rounding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Bits of significand, the integer bit included.
    pub precision: u32,
    /// The smallest exponent of a normal number.
    pub minimum: i32,
    /// The largest exponent.
    pub maximum: i32,
}

impl Format {
    /// Single precision.
    pub const SINGLE: Format = Format { precision: 24, minimum: -126, maximum: 127 };
    /// Double precision.
    pub const DOUBLE: Format = Format { precision: 53, minimum: -1022, maximum: 1023 };
    /// The 80-bit registers with all of their precision.
    pub const EXTENDED: Format = Format { precision: 64, minimum: -16382, maximum: 16383 };
}

/// A rounded number, ready to be packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rounded {
    /// Whether it is negative.
    pub sign: bool,
    /// The biased exponent of the format.
    pub biased: u32,
    /// The significand, left-aligned with its integer bit.
    pub mantissa: u64,
    /// The exceptions of the rounding.
    pub flags: u16,
    /// Whether the magnitude was rounded up.
    pub up: bool,
}

impl Rounded {
    /// An infinity of the format.
    pub fn infinity(format: Format, sign: bool) -> Rounded {
        let biased = (2 * format.maximum + 1) as u32;
        Rounded { sign, biased, mantissa: INTEGER_BIT, flags: 0, up: false }
    }

    /// A zero.
    pub fn zero(sign: bool) -> Rounded {
        Rounded { sign, biased: 0, mantissa: 0, flags: 0, up: false }
    }

    /// The single precision pattern.
    pub fn to_f32(self) -> u32 {
        u32::from(self.sign) << 31 | self.biased << 23 | (self.mantissa << 1 >> 41) as u32
    }

    /// The double precision pattern.
    pub fn to_f64(self) -> u64 {
        u64::from(self.sign) << 63 | u64::from(self.biased) << 52 | self.mantissa << 1 >> 12
    }
}

/// A significand rounded to its precision.
struct RoundedMantissa {
    mantissa: u64,
    carry: i32,
    inexact: bool,
    up: bool,
}

#[inline]
fn round_mantissa(
    significand: u128,
    precision: u32,
    rounding: Rounding,
    sign: bool,
) -> RoundedMantissa {
    let lowest = 1u64 << (64 - precision);
    let kept = (significand >> 64) as u64 & lowest.wrapping_neg();
    let rest = significand << precision;
    let up = rounding.increments(sign, kept & lowest != 0, rest);
    let (sum, carried) = kept.overflowing_add(if up { lowest } else { 0 });
    let mantissa = if carried { INTEGER_BIT } else { sum };
    RoundedMantissa { mantissa, carry: i32::from(carried), inexact: rest != 0, up }
}

/// Shifts right and keeps whether anything was lost in bit 0.
#[inline]
pub(super) fn shift_right_sticky(value: u128, count: u32) -> u128 {
    match count {
        0 => value,
        1..=127 => value >> count | u128::from(value << (128 - count) != 0),
        _ => u128::from(value != 0),
    }
}

/// Rounds a number to `format`.
///
/// `unmasked` holds the exceptions that trap: an overflow or underflow among them gives the
/// result with its exponent wrapped, as x87 registers receive it.
#[inline]
pub fn round(
    format: Format,
    rounding: Rounding,
    unmasked: u16,
    sign: bool,
    exponent: i32,
    significand: u128,
) -> Rounded {
    let first = round_mantissa(significand, format.precision, rounding, sign);
    let reached = exponent + first.carry;
    if reached < format.minimum {
        return round_tiny(format, rounding, unmasked, sign, exponent, significand);
    }
    if reached > format.maximum {
        return round_huge(format, rounding, unmasked, sign, reached, first);
    }
    Rounded {
        sign,
        biased: (reached + format.maximum) as u32,
        mantissa: first.mantissa,
        flags: if first.inexact { PRECISION } else { 0 },
        up: first.up,
    }
}

#[cold]
fn round_tiny(
    format: Format,
    rounding: Rounding,
    unmasked: u16,
    sign: bool,
    exponent: i32,
    significand: u128,
) -> Rounded {
    if unmasked & UNDERFLOW != 0 {
        let whole = round_mantissa(significand, format.precision, rounding, sign);
        let biased = exponent + whole.carry + UNMASKED_BIAS + format.maximum;
        if biased <= 0 {
            // Only `fscale` can get so far that even the wrapped exponent is out of range.
            return Rounded { flags: UNDERFLOW | PRECISION, ..Rounded::zero(sign) };
        }
        let biased = biased as u32;
        let flags = UNDERFLOW | if whole.inexact { PRECISION } else { 0 };
        return Rounded { sign, biased, mantissa: whole.mantissa, flags, up: whole.up };
    }
    let shifted = shift_right_sticky(significand, (format.minimum - exponent) as u32);
    let small = round_mantissa(shifted, format.precision, rounding, sign);
    let flags = if small.inexact { UNDERFLOW | PRECISION } else { 0 };
    let biased = u32::from(small.mantissa & INTEGER_BIT != 0);
    Rounded { sign, biased, mantissa: small.mantissa, flags, up: small.up }
}

#[cold]
fn round_huge(
    format: Format,
    rounding: Rounding,
    unmasked: u16,
    sign: bool,
    exponent: i32,
    whole: RoundedMantissa,
) -> Rounded {
    if unmasked & OVERFLOW != 0 {
        let biased = (exponent - UNMASKED_BIAS + format.maximum) as u32;
        if biased > 2 * format.maximum as u32 {
            let flags = OVERFLOW | PRECISION;
            return Rounded { flags, up: true, ..Rounded::infinity(format, sign) };
        }
        let flags = OVERFLOW | if whole.inexact { PRECISION } else { 0 };
        return Rounded { sign, biased, mantissa: whole.mantissa, flags, up: whole.up };
    }
    let to_infinity = match rounding {
        Rounding::Nearest => true,
        Rounding::Down => sign,
        Rounding::Up => !sign,
        Rounding::Zero => false,
    };
    let flags = OVERFLOW | PRECISION;
    if to_infinity {
        return Rounded { flags, up: true, ..Rounded::infinity(format, sign) };
    }
    let mantissa = u64::MAX << (64 - format.precision);
    Rounded { sign, biased: (2 * format.maximum) as u32, mantissa, flags, up: false }
}
