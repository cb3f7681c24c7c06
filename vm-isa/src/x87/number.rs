//! Binary floating point in integers: numbers taken apart, exact arithmetic, one rounding step.
//!
//! Every format of the x87 and of SSE goes through here: a number is unpacked into [`Parts`],
//! an operation yields an [`Exact`] result (128 bits of significand, the last one sticky), and
//! [`round`] cuts it to a [`Format`]. Rounding happens exactly once, so precision control and
//! tininess after rounding come out as on the real CPU. NaNs are the caller's business, because
//! x87 and SSE choose among them by different rules.

/// Invalid operation.
pub const INVALID: u16 = 0x01;
/// Denormal operand.
pub const DENORMAL: u16 = 0x02;
/// Division by zero.
pub const ZERO_DIVIDE: u16 = 0x04;
/// Overflow.
pub const OVERFLOW: u16 = 0x08;
/// Underflow.
pub const UNDERFLOW: u16 = 0x10;
/// Inexact result.
pub const PRECISION: u16 = 0x20;

/// The integer bit of a left-aligned significand.
pub const INTEGER_BIT: u64 = 1 << 63;
/// The bit that makes a NaN quiet, in a left-aligned significand.
pub const QUIET_BIT: u64 = 1 << 62;

/// The exponent adjustment of unmasked overflow and underflow in an x87 register.
const UNMASKED_BIAS: i32 = 24576;

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
    fn increments(self, sign: bool, odd: bool, rest: u128) -> bool {
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

/// A result before rounding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exact {
    /// A finite number: significand / 2^127 * 2^exponent, bit 127 set, bit 0 sticky.
    Number {
        /// Whether it is negative.
        sign: bool,
        /// The unbiased exponent.
        exponent: i32,
        /// The normalised significand.
        significand: u128,
    },
    /// A zero of this sign.
    Zero(bool),
    /// An infinity of this sign.
    Infinity(bool),
    /// An infinity of this sign that comes from a division by zero.
    ZeroDivide(bool),
    /// No number at all.
    Invalid,
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

/// A significand cut to its precision.
struct Cut {
    mantissa: u64,
    carry: i32,
    inexact: bool,
    up: bool,
}

#[inline]
fn cut(significand: u128, precision: u32, rounding: Rounding, sign: bool) -> Cut {
    let lowest = 1u64 << (64 - precision);
    let kept = (significand >> 64) as u64 & lowest.wrapping_neg();
    let rest = significand << precision;
    let up = rounding.increments(sign, kept & lowest != 0, rest);
    let (sum, carried) = kept.overflowing_add(if up { lowest } else { 0 });
    let mantissa = if carried { INTEGER_BIT } else { sum };
    Cut { mantissa, carry: i32::from(carried), inexact: rest != 0, up }
}

/// Shifts right and keeps whether anything was lost in bit 0.
#[inline]
pub fn shift_right_sticky(value: u128, count: u32) -> u128 {
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
    let first = cut(significand, format.precision, rounding, sign);
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
        let whole = cut(significand, format.precision, rounding, sign);
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
    let small = cut(shifted, format.precision, rounding, sign);
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
    whole: Cut,
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

fn normalised(sign: bool, exponent: i32, significand: u128) -> Exact {
    let shift = significand.leading_zeros();
    Exact::Number { sign, exponent: exponent - shift as i32, significand: significand << shift }
}

/// Adds two numbers that are not NaN.
#[inline]
pub fn add(a: Parts, b: Parts, rounding: Rounding) -> Exact {
    if a.kind == Kind::Finite && b.kind == Kind::Finite {
        return add_finite(a, b, rounding);
    }
    match (a.kind, b.kind) {
        (Kind::Infinity, Kind::Infinity) if a.sign != b.sign => Exact::Invalid,
        (Kind::Infinity, _) => Exact::Infinity(a.sign),
        (_, Kind::Infinity) => Exact::Infinity(b.sign),
        (Kind::Zero, Kind::Zero) if a.sign == b.sign => Exact::Zero(a.sign),
        (Kind::Zero, Kind::Zero) => Exact::Zero(rounding == Rounding::Down),
        (Kind::Zero, _) => b.exact(),
        _ => a.exact(),
    }
}

#[inline]
fn add_finite(a: Parts, b: Parts, rounding: Rounding) -> Exact {
    let swap = (a.exponent, a.mantissa) < (b.exponent, b.mantissa);
    let (large, small) = if swap { (b, a) } else { (a, b) };
    let distance = (large.exponent - small.exponent) as u32;
    // One bit of head room for the carry, 63 below for what alignment shifts out.
    let left = u128::from(large.mantissa) << 63;
    let right = shift_right_sticky(u128::from(small.mantissa) << 63, distance);
    if large.sign == small.sign {
        return normalised(large.sign, large.exponent + 1, left + right);
    }
    match left - right {
        0 => Exact::Zero(rounding == Rounding::Down),
        difference => normalised(large.sign, large.exponent + 1, difference),
    }
}

/// Multiplies two numbers that are not NaN.
#[inline]
pub fn multiply(a: Parts, b: Parts) -> Exact {
    let sign = a.sign != b.sign;
    match (a.kind, b.kind) {
        (Kind::Finite, Kind::Finite) => {
            let product = u128::from(a.mantissa) * u128::from(b.mantissa);
            normalised(sign, a.exponent + b.exponent + 1, product)
        }
        (Kind::Infinity, Kind::Zero) | (Kind::Zero, Kind::Infinity) => Exact::Invalid,
        (Kind::Infinity, _) | (_, Kind::Infinity) => Exact::Infinity(sign),
        _ => Exact::Zero(sign),
    }
}

/// Divides two numbers that are not NaN.
#[inline]
pub fn divide(a: Parts, b: Parts) -> Exact {
    let sign = a.sign != b.sign;
    match (a.kind, b.kind) {
        (Kind::Finite, Kind::Finite) => divide_finite(sign, a, b),
        (Kind::Infinity, Kind::Infinity) | (Kind::Zero, Kind::Zero) => Exact::Invalid,
        (Kind::Infinity, _) => Exact::Infinity(sign),
        (_, Kind::Infinity) | (Kind::Zero, _) => Exact::Zero(sign),
        _ => Exact::ZeroDivide(sign),
    }
}

#[inline]
fn divide_finite(sign: bool, a: Parts, b: Parts) -> Exact {
    let (dividend, divisor) = (u128::from(a.mantissa) << 64, u128::from(b.mantissa));
    let (quotient, remainder) = (dividend / divisor, dividend % divisor);
    // The quotient has 64 or 65 bits: one more decides the tie, the rest is sticky.
    let twice = remainder << 1;
    let guard = u128::from(twice >= divisor);
    let sticky = u128::from(remainder != 0 && twice != divisor);
    let significand = quotient << 2 | guard << 1 | sticky;
    normalised(sign, a.exponent - b.exponent + 61, significand)
}

/// The square root of a number that is not NaN.
pub fn square_root(a: Parts) -> Exact {
    match a.kind {
        Kind::Zero => Exact::Zero(a.sign),
        Kind::Finite if !a.sign => {
            let odd = a.exponent & 1;
            let radicand = u128::from(a.mantissa) << (63 + odd);
            let root = integer_root(radicand);
            let remainder = radicand - root * root;
            // (root + 1/2)^2 = root^2 + root + 1/4, and the tie itself cannot happen.
            let guard = u128::from(remainder > root);
            let significand = root << 2 | guard << 1 | u128::from(remainder != 0);
            normalised(false, (a.exponent - odd) / 2 + 62, significand)
        }
        Kind::Infinity if !a.sign => Exact::Infinity(false),
        _ => Exact::Invalid,
    }
}

/// The integer square root of a number that takes 127 or 128 bits.
fn integer_root(radicand: u128) -> u128 {
    // 53 bits from the double, twice as many after a step of Newton's; then it is off by one.
    let guess = u128::from((radicand as f64).sqrt() as u64);
    let mut root = ((guess + radicand / guess) >> 1).min(u128::from(u64::MAX));
    while root * root > radicand {
        root -= 1;
    }
    while radicand - root * root > 2 * root {
        root += 1;
    }
    root
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
