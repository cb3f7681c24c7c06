//! Numbers taken apart, compared and made integers.

use super::rounding::shift_right_sticky;
use super::{Exact, INTEGER_BIT, QUIET_BIT, Rounding};

/// What sort of value a number is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A zero of either sign.
    Zero,
    /// A finite number other than zero.
    Finite,
    /// An infinity of either sign.
    Infinity,
    /// A NaN that passes through arithmetic in silence.
    QuietNan,
    /// A NaN that raises the invalid exception.
    SignalingNan,
    /// An 80-bit pattern that no CPU since the 387 accepts.
    Unsupported,
}

/// A number taken apart: (-1)^sign * mantissa / 2^63 * 2^exponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    /// Whether the sign bit is set.
    pub sign: bool,
    /// What sort of value this is.
    pub kind: Kind,
    /// Whether the value came as a denormal (it is normalised here all the same).
    pub denormal: bool,
    /// The unbiased exponent of a finite number.
    pub exponent: i32,
    /// The significand, left-aligned with its integer bit; the payload of a NaN.
    pub mantissa: u64,
}

impl Parts {
    /// A zero.
    pub fn zero(sign: bool) -> Parts {
        Parts { sign, kind: Kind::Zero, denormal: false, exponent: 0, mantissa: 0 }
    }

    /// Whether this is a NaN of either sort.
    pub fn is_nan(self) -> bool {
        matches!(self.kind, Kind::QuietNan | Kind::SignalingNan)
    }

    /// The value of an integer, exactly.
    pub fn from_integer(value: i64) -> Parts {
        if value == 0 {
            return Parts::zero(false);
        }
        let magnitude = value.unsigned_abs();
        let shift = magnitude.leading_zeros();
        Parts {
            sign: value < 0,
            kind: Kind::Finite,
            denormal: false,
            exponent: 63 - shift as i32,
            mantissa: magnitude << shift,
        }
    }

    /// The value of a single precision pattern.
    pub fn from_f32(bits: u32) -> Parts {
        let fraction = u64::from(bits & 0x007f_ffff) << 40;
        Parts::from_fields(bits >> 31 != 0, (bits >> 23 & 0xff) as i32, fraction, 127)
    }

    /// The value of a double precision pattern.
    pub fn from_f64(bits: u64) -> Parts {
        let fraction = (bits & 0x000f_ffff_ffff_ffff) << 11;
        Parts::from_fields(bits >> 63 != 0, (bits >> 52 & 0x7ff) as i32, fraction, 1023)
    }

    /// `fraction` is left-aligned without its integer bit.
    fn from_fields(sign: bool, biased: i32, fraction: u64, bias: i32) -> Parts {
        if biased == 0 {
            return Parts::from_denormal(sign, fraction, 1 - bias);
        }
        if biased == 2 * bias + 1 {
            return Parts::from_special(sign, fraction);
        }
        Parts {
            sign,
            kind: Kind::Finite,
            denormal: false,
            exponent: biased - bias,
            mantissa: fraction | INTEGER_BIT,
        }
    }

    /// An infinity or a NaN with this fraction.
    pub(crate) fn from_special(sign: bool, fraction: u64) -> Parts {
        let kind = match fraction & !INTEGER_BIT {
            0 => Kind::Infinity,
            payload if payload & QUIET_BIT != 0 => Kind::QuietNan,
            _ => Kind::SignalingNan,
        };
        Parts { sign, kind, denormal: false, exponent: 0, mantissa: fraction | INTEGER_BIT }
    }

    /// A zero or a denormal, whose significand counts from `minimum`.
    pub(crate) fn from_denormal(sign: bool, mantissa: u64, minimum: i32) -> Parts {
        if mantissa == 0 {
            return Parts::zero(sign);
        }
        let shift = mantissa.leading_zeros();
        Parts {
            sign,
            kind: Kind::Finite,
            denormal: true,
            exponent: minimum - shift as i32,
            mantissa: mantissa << shift,
        }
    }

    /// The number as an exact result.
    pub fn exact(self) -> Exact {
        match self.kind {
            Kind::Zero => Exact::Zero(self.sign),
            Kind::Finite => Exact::Number {
                sign: self.sign,
                exponent: self.exponent,
                significand: u128::from(self.mantissa) << 64,
            },
            Kind::Infinity => Exact::Infinity(self.sign),
            _ => Exact::Invalid,
        }
    }
}

/// How two numbers that are not NaN compare.
pub fn compare(a: Parts, b: Parts) -> std::cmp::Ordering {
    order_key(a).cmp(&order_key(b))
}

fn order_key(a: Parts) -> (i32, i32, i128) {
    let sign = if a.sign { -1 } else { 1 };
    match a.kind {
        Kind::Zero => (0, 0, 0),
        Kind::Infinity => (2 * sign, 0, 0),
        _ => (sign, sign * a.exponent, i128::from(sign) * i128::from(a.mantissa)),
    }
}

/// An integer made from a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Integer {
    /// The magnitude.
    pub magnitude: u64,
    /// Whether it is negative.
    pub sign: bool,
    /// Whether a fraction was lost.
    pub inexact: bool,
    /// Whether the magnitude was rounded up.
    pub up: bool,
}

/// Rounds a finite number or zero to an integer; `None` when it takes more than 64 bits.
pub fn to_integer(a: Parts, rounding: Rounding) -> Option<Integer> {
    if a.kind == Kind::Zero {
        return Some(Integer { magnitude: 0, sign: a.sign, inexact: false, up: false });
    }
    if a.exponent > 63 {
        return None;
    }
    // The integer part lies in the high 64 bits, the fraction in the low ones.
    let fixed = shift_right_sticky(u128::from(a.mantissa) << 64, (63 - a.exponent) as u32);
    let (whole, rest) = ((fixed >> 64) as u64, fixed << 64);
    let up = rounding.increments(a.sign, whole & 1 != 0, rest);
    let magnitude = whole.checked_add(u64::from(up))?;
    Some(Integer { magnitude, sign: a.sign, inexact: rest != 0, up })
}
