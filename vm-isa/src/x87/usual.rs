//! The usual case, quickly: normal numbers, full precision, round to nearest, all masked.
//!
//! Every function answers `None` as soon as anything is unusual; then [`soft`](super::soft)
//! decides. Both are compared with the host by the same tests.

use super::machine::Outcome;
use super::number::{INTEGER_BIT, PRECISION};
use super::soft::Arithmetic;
use super::{F80, status};

/// Whether a control word asks for full precision, the nearest result and no traps.
#[inline]
pub(super) fn is_usual_mode(control: u16) -> bool {
    control & 0x0f3f == 0x033f
}

#[inline]
fn is_normal(value: F80) -> bool {
    value.mantissa & INTEGER_BIT != 0 && value.biased().wrapping_sub(1) < 0x7ffe
}

/// Runs `fadd` and the like.
#[inline]
pub(super) fn arithmetic(op: Arithmetic, control: u16, a: F80, b: F80) -> Option<Outcome> {
    if !is_usual_mode(control) || !is_normal(a) || !is_normal(b) {
        return None;
    }
    let negated = |value: F80| F80 { sign_exponent: value.sign_exponent ^ 0x8000, ..value };
    match op {
        Arithmetic::Add => add(a, b),
        Arithmetic::Subtract => add(a, negated(b)),
        Arithmetic::SubtractReversed => add(negated(a), b),
        Arithmetic::Multiply => multiply(a, b),
        Arithmetic::Divide => divide(a, b),
        Arithmetic::DivideReversed => divide(b, a),
    }
}

#[inline]
fn add(a: F80, b: F80) -> Option<Outcome> {
    let swap = (a.biased(), a.mantissa) < (b.biased(), b.mantissa);
    let (large, small) = if swap { (b, a) } else { (a, b) };
    let distance = large.biased() - small.biased();
    if distance >= 64 {
        return None;
    }
    // So near, alignment loses no bit of the 128.
    let left = u128::from(large.mantissa) << 64;
    let right = u128::from(small.mantissa) << 64 >> distance;
    let sign = large.sign_exponent & 0x8000;
    let exponent = i32::from(large.biased());
    if (large.sign_exponent ^ small.sign_exponent) & 0x8000 == 0 {
        let (sum, carried) = left.overflowing_add(right);
        if !carried {
            return nearest(sign, exponent, sum);
        }
        return nearest(sign, exponent + 1, sum >> 1 | sum & 1 | 1 << 127);
    }
    let difference = left - right;
    if difference == 0 {
        return Some(Outcome { value: F80::ZERO, status: 0 });
    }
    let shift = difference.leading_zeros();
    nearest(sign, exponent - shift as i32, difference << shift)
}

#[inline]
fn multiply(a: F80, b: F80) -> Option<Outcome> {
    let product = u128::from(a.mantissa) * u128::from(b.mantissa);
    let exponent = i32::from(a.biased()) + i32::from(b.biased()) - 0x3fff;
    let sign = (a.sign_exponent ^ b.sign_exponent) & 0x8000;
    if product >> 127 != 0 {
        return nearest(sign, exponent + 1, product);
    }
    nearest(sign, exponent, product << 1)
}

#[inline]
fn divide(a: F80, b: F80) -> Option<Outcome> {
    // The dividend is placed so that the quotient has exactly 64 bits.
    let below = a.mantissa < b.mantissa;
    let dividend = u128::from(a.mantissa) << (63 + u32::from(below));
    let divisor = u128::from(b.mantissa);
    let (quotient, remainder) = (dividend / divisor, dividend % divisor);
    let twice = remainder << 1;
    let guard = u128::from(twice >= divisor) << 63;
    let sticky = u128::from(remainder != 0 && twice != divisor);
    let exponent = i32::from(a.biased()) - i32::from(b.biased()) + 0x3fff - i32::from(below);
    let sign = (a.sign_exponent ^ b.sign_exponent) & 0x8000;
    nearest(sign, exponent, quotient << 64 | guard | sticky)
}

/// Rounds to the nearest number with 64 bits.
#[inline]
fn nearest(sign: u16, exponent: i32, significand: u128) -> Option<Outcome> {
    const HALF: u64 = 1 << 63;
    let (kept, rest) = ((significand >> 64) as u64, significand as u64);
    let up = rest > HALF || (rest == HALF && kept & 1 != 0);
    let (sum, carried) = kept.overflowing_add(u64::from(up));
    let reached = exponent + i32::from(carried);
    if exponent < 1 || reached > 0x7ffe {
        return None;
    }
    let c1 = if up { status::C1 } else { 0 };
    let inexact = if rest != 0 { PRECISION } else { 0 };
    let value = F80 { mantissa: sum | INTEGER_BIT, sign_exponent: sign | reached as u16 };
    Some(Outcome { value, status: c1 | inexact })
}

/// The value of a normal double.
#[inline]
pub(super) fn from_double(bits: u64) -> Option<F80> {
    let biased = (bits >> 52) as u16 & 0x7ff;
    (biased.wrapping_sub(1) < 0x7fe).then(|| F80 {
        mantissa: bits << 11 | INTEGER_BIT,
        sign_exponent: (bits >> 48) as u16 & 0x8000 | (biased + 0x3fff - 0x3ff),
    })
}

/// The value of a normal single.
#[inline]
pub(super) fn from_single(bits: u32) -> Option<F80> {
    let biased = (bits >> 23) as u16 & 0xff;
    (biased.wrapping_sub(1) < 0xfe).then(|| F80 {
        mantissa: u64::from(bits) << 40 | INTEGER_BIT,
        sign_exponent: (bits >> 16) as u16 & 0x8000 | (biased + 0x3fff - 0x7f),
    })
}

/// The nearest double, where it is a normal one.
#[inline]
pub(super) fn to_double(control: u16, value: F80) -> Option<Outcome<u64>> {
    let biased = i32::from(value.biased()) - 0x3fff + 0x3ff;
    if !is_usual_mode(control) || !(1..0x7fe).contains(&biased) || !is_normal(value) {
        return None;
    }
    let (kept, rest) = (value.mantissa << 1 >> 12, value.mantissa & 0x7ff);
    let up = rest > 0x400 || (rest == 0x400 && kept & 1 != 0);
    // A carry out of the fraction makes the exponent one larger, as it should.
    let magnitude = ((biased as u64) << 52 | kept) + u64::from(up);
    let c1 = if up { status::C1 } else { 0 };
    let inexact = if rest != 0 { PRECISION } else { 0 };
    let sign = u64::from(value.sign_exponent & 0x8000) << 48;
    Some(Outcome { value: sign | magnitude, status: c1 | inexact })
}
