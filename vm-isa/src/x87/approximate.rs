//! The transcendental functions without a host FPU: through `f64`, so right to about 50 bits
//! where the real unit has 64. Special operands are answered as the real unit answers them.

use super::machine::Outcome;
use super::number::{self, DENORMAL, Exact, Format, Kind, PRECISION, Parts, Rounding, ZERO_DIVIDE};
use super::transcendental::{Binary, Pair, Unary};
use super::{F80, soft, status};

/// The nearest double of a number that is not NaN.
fn to_double(value: Parts) -> f64 {
    let magnitude = match value.exact() {
        Exact::Number { exponent, significand, .. } => {
            let nearest = Rounding::Nearest;
            number::round(Format::DOUBLE, nearest, 0, false, exponent, significand).to_f64()
        }
        Exact::Zero(_) => 0,
        _ => f64::INFINITY.to_bits(),
    };
    f64::from_bits(magnitude | u64::from(value.sign) << 63)
}

/// A computed double as an inexact register value.
fn inexact(value: f64, raised: u16) -> Outcome {
    let parts = Parts::from_f64(value.to_bits());
    if parts.is_nan() {
        return Outcome::INVALID;
    }
    Outcome { value: F80::from_parts(parts), status: raised | PRECISION }
}

fn denormal_flag(value: Parts) -> u16 {
    if value.denormal { DENORMAL } else { 0 }
}

/// The outcome of an angle that is NaN, infinite, zero or too large.
fn special_angle(original: F80, at_zero: F80) -> Option<Outcome> {
    let value = original.unpack();
    if let Some(outcome) = soft::special(value, value) {
        return Some(outcome);
    }
    match value.kind {
        Kind::Infinity => Some(Outcome::INVALID),
        Kind::Zero => Some(Outcome { value: at_zero, status: 0 }),
        _ if value.exponent >= 63 => Some(Outcome { value: original, status: status::C2 }),
        _ => None,
    }
}

pub(super) fn unary(function: Unary, _control: u16, original: F80) -> Outcome {
    let value = original.unpack();
    let at_zero = if function == Unary::Cosine { F80::ONE } else { original };
    if function == Unary::ExponentialMinusOne {
        return exponential_minus_one(original);
    }
    if let Some(outcome) = special_angle(original, at_zero) {
        return outcome;
    }
    let raised = denormal_flag(value);
    match function {
        Unary::Cosine => inexact(to_double(value).cos(), raised),
        // The sine of so small a number is the number, and doubles would lose it.
        _ if value.exponent < -32 => Outcome { value: original, status: raised | PRECISION },
        _ => inexact(to_double(value).sin(), raised),
    }
}

fn exponential_minus_one(original: F80) -> Outcome {
    let value = original.unpack();
    if let Some(outcome) = soft::special(value, value) {
        return outcome;
    }
    match (value.kind, value.sign) {
        (Kind::Zero, _) | (Kind::Infinity, false) => Outcome { value: original, status: 0 },
        (Kind::Infinity, true) => {
            let minus_one = F80 { sign_exponent: 0xbfff, ..F80::ONE };
            Outcome { value: minus_one, status: 0 }
        }
        _ => {
            let argument = to_double(value) * std::f64::consts::LN_2;
            inexact(argument.exp_m1(), denormal_flag(value))
        }
    }
}

pub(super) fn binary(function: Binary, control: u16, st0: F80, st1: F80) -> Outcome {
    let (x, y) = (st0.unpack(), st1.unpack());
    if let Some(outcome) = soft::special(x, y) {
        return outcome;
    }
    let raised = denormal_flag(x) | denormal_flag(y);
    match function {
        Binary::ArcTangent => arc_tangent(x, y, raised),
        Binary::Logarithm => logarithm(control, x, y, raised),
        Binary::LogarithmPlusOne => {
            let factor = to_double(x).ln_1p() / std::f64::consts::LN_2;
            scaled_logarithm(control, factor, y, raised)
        }
    }
}

fn arc_tangent(x: Parts, y: Parts, raised: u16) -> Outcome {
    if y.kind == Kind::Zero && !x.sign {
        return Outcome { value: F80::from_parts(y), status: raised };
    }
    inexact(to_double(y).atan2(to_double(x)), raised)
}

fn logarithm(control: u16, x: Parts, y: Parts, raised: u16) -> Outcome {
    match (x.kind, y.kind) {
        (Kind::Zero, Kind::Zero) => Outcome::INVALID,
        (Kind::Zero, _) => {
            let status = if y.kind == Kind::Finite { raised | ZERO_DIVIDE } else { raised };
            let sign = u16::from(!y.sign) << 15;
            let value = F80 { mantissa: number::INTEGER_BIT, sign_exponent: sign | 0x7fff };
            Outcome { value, status }
        }
        _ if x.sign => Outcome::INVALID,
        (Kind::Infinity, _) => scaled_logarithm(control, f64::INFINITY, y, raised),
        _ => scaled_logarithm(control, binary_logarithm(x), y, raised),
    }
}

/// The logarithm of a finite positive number.
fn binary_logarithm(x: Parts) -> f64 {
    if x.exponent == 0 || x.exponent == -1 {
        // Near one all depends on the distance from it, which is exact in 64 bits.
        let minus_one = Parts { sign: true, ..Parts::from_integer(1) };
        let distance =
            soft::settle(number::add(x, minus_one, Rounding::Nearest), Format::EXTENDED, 0x037f, 0);
        return to_double(distance.value.unpack()).ln_1p() / std::f64::consts::LN_2;
    }
    to_double(Parts { exponent: 0, ..x }).log2() + f64::from(x.exponent)
}

/// Multiplies in 80 bits, because the product may leave the range of doubles.
fn scaled_logarithm(control: u16, factor: f64, y: Parts, raised: u16) -> Outcome {
    let factor = Parts::from_f64(factor.to_bits());
    if factor.is_nan() {
        return Outcome::INVALID;
    }
    let exact = number::multiply(factor, y);
    soft::settle(exact, Format::EXTENDED, control, raised)
}

pub(super) fn sine_and_cosine(control: u16, value: F80) -> Pair {
    let sine = unary(Unary::Sine, control, value);
    let cosine = unary(Unary::Cosine, control, value);
    let second = Outcome { status: sine.status | cosine.status, ..cosine };
    Pair { first: sine.value, second }
}

pub(super) fn tangent(_control: u16, original: F80) -> Pair {
    if let Some(special) = special_angle(original, original) {
        let is_number = special.status == 0 && original.unpack().kind == Kind::Zero;
        let value = if is_number { F80::ONE } else { special.value };
        return Pair { first: special.value, second: Outcome { value, ..special } };
    }
    let value = original.unpack();
    let tangent = match value.exponent {
        ..-32 => Outcome { value: original, status: denormal_flag(value) | PRECISION },
        _ => inexact(to_double(value).tan(), denormal_flag(value)),
    };
    let second = Outcome { value: F80::ONE, status: tangent.status };
    Pair { first: tangent.value, second }
}
