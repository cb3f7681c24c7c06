//! Exact arithmetic: results with more bits than any format keeps.

use super::rounding::shift_right_sticky;
use super::{Kind, Parts, Rounding};

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
