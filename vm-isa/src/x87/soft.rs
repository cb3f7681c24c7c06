//! Arithmetic of the 80-bit registers in integers: what `fadd` and the like answer and raise.

use super::machine::{EARLY, Outcome};
use super::number::{self, DENORMAL, Exact, Format, INVALID, Kind, Parts, Rounded, Rounding};
use super::{F80, status};

/// The arithmetic that all operand forms share; the first operand is the destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    SubtractReversed,
    Multiply,
    Divide,
    DivideReversed,
}

/// The rounding that a control word asks for.
pub(super) fn rounding(control: u16) -> Rounding {
    Rounding::from_bits(u32::from(control >> 10))
}

/// The format that a control word asks arithmetic to round to.
fn format(control: u16) -> Format {
    let precision = match control >> 8 & 3 {
        0 => 24,
        2 => 53,
        _ => 64,
    };
    Format { precision, ..Format::EXTENDED }
}

/// The exceptions that a control word lets trap.
fn unmasked(control: u16) -> u16 {
    !control & status::EXCEPTIONS
}

/// Runs `fadd` and the like.
#[inline]
pub(super) fn arithmetic(op: Arithmetic, control: u16, a: Parts, b: Parts) -> Outcome {
    if (a.kind != Kind::Finite || b.kind != Kind::Finite)
        && let Some(outcome) = special(a, b)
    {
        return outcome;
    }
    let raised = if a.denormal || b.denormal { DENORMAL } else { 0 };
    let exact = compute(op, rounding(control), a, b);
    settle(exact, format(control), control, raised)
}

#[inline]
fn compute(op: Arithmetic, rounding: Rounding, a: Parts, b: Parts) -> Exact {
    let negated = |parts: Parts| Parts { sign: !parts.sign, ..parts };
    match op {
        Arithmetic::Add => number::add(a, b, rounding),
        Arithmetic::Subtract => number::add(a, negated(b), rounding),
        Arithmetic::SubtractReversed => number::add(b, negated(a), rounding),
        Arithmetic::Multiply => number::multiply(a, b),
        Arithmetic::Divide => number::divide(a, b),
        Arithmetic::DivideReversed => number::divide(b, a),
    }
}

/// The outcome of operands that arithmetic never sees: NaNs and unsupported patterns.
#[cold]
pub(super) fn special(a: Parts, b: Parts) -> Option<Outcome> {
    if a.kind == Kind::Unsupported || b.kind == Kind::Unsupported {
        return Some(Outcome::INVALID);
    }
    let signals = a.kind == Kind::SignalingNan || b.kind == Kind::SignalingNan;
    let chosen = match (a.is_nan(), b.is_nan()) {
        (true, true) => larger_nan(a, b),
        (true, false) => a,
        (false, true) => b,
        (false, false) => return None,
    };
    let status = if signals { INVALID } else { 0 };
    Some(Outcome { value: F80::quiet_nan(chosen), status })
}

/// The NaN with the larger significand; the quiet one before the signaling one.
fn larger_nan(a: Parts, b: Parts) -> Parts {
    let rank = |nan: Parts| (nan.kind == Kind::QuietNan, nan.mantissa, !nan.sign);
    if rank(a) >= rank(b) { a } else { b }
}

/// Rounds an exact result into a register value.
#[inline]
pub(super) fn settle(exact: Exact, format: Format, control: u16, raised: u16) -> Outcome {
    let unmasked = unmasked(control);
    // A division by zero or an invalid operation is all that is reported of a denormal.
    let raised = match exact {
        Exact::ZeroDivide(_) | Exact::Invalid => 0,
        _ => raised,
    };
    if raised & unmasked & EARLY != 0 {
        return Outcome { value: F80::INDEFINITE, status: raised };
    }
    let rounded = match exact {
        Exact::Number { sign, exponent, significand } => {
            number::round(format, rounding(control), unmasked, sign, exponent, significand)
        }
        Exact::Zero(sign) => Rounded::zero(sign),
        Exact::Infinity(sign) => Rounded::infinity(format, sign),
        Exact::ZeroDivide(sign) => {
            Rounded { flags: number::ZERO_DIVIDE, ..Rounded::infinity(format, sign) }
        }
        Exact::Invalid => return Outcome::INVALID,
    };
    let c1 = if rounded.up { status::C1 } else { 0 };
    Outcome { value: F80::pack(rounded), status: raised | rounded.flags | c1 }
}

/// Runs `fsqrt`.
pub(super) fn square_root(control: u16, a: Parts) -> Outcome {
    if let Some(outcome) = special(a, a) {
        return outcome;
    }
    let exact = number::square_root(a);
    let raised = if a.denormal { DENORMAL } else { 0 };
    settle(exact, format(control), control, raised)
}

/// Runs `frndint`.
pub(super) fn round_to_integer(control: u16, original: F80) -> Outcome {
    let a = original.unpack();
    if let Some(outcome) = special(a, a) {
        return outcome;
    }
    let raised = if a.denormal { DENORMAL } else { 0 };
    if a.kind != Kind::Finite || a.exponent >= 63 || raised & unmasked(control) != 0 {
        return Outcome { value: original, status: raised };
    }
    let Some(whole) = number::to_integer(a, rounding(control)) else {
        return Outcome { value: original, status: raised };
    };
    let inexact = if whole.inexact { number::PRECISION } else { 0 };
    let c1 = if whole.up { status::C1 } else { 0 };
    let value = match whole.magnitude {
        0 => Parts::zero(a.sign),
        magnitude => integer_parts(a.sign, magnitude, 63),
    };
    Outcome { value: F80::from_parts(value), status: raised | inexact | c1 }
}

/// The number magnitude / 2^63 * 2^exponent.
fn integer_parts(sign: bool, magnitude: u64, exponent: i32) -> Parts {
    Parts::from_denormal(sign, magnitude, exponent)
}

/// Runs `fscale`: `a` times two to the integer part of `b`.
pub(super) fn scale(control: u16, a: Parts, b: Parts) -> Outcome {
    if let Some(outcome) = special(a, b) {
        return outcome;
    }
    let raised = if a.denormal || b.denormal { DENORMAL } else { 0 };
    let exact = match (a.kind, b.kind, b.sign) {
        (Kind::Zero, Kind::Infinity, false) | (Kind::Infinity, Kind::Infinity, true) => {
            Exact::Invalid
        }
        (_, Kind::Infinity, false) => Exact::Infinity(a.sign),
        (_, Kind::Infinity, true) => Exact::Zero(a.sign),
        (Kind::Finite, _, _) => {
            let exact = Parts { exponent: a.exponent + scale_factor(b), ..a };
            exact.exact()
        }
        _ => a.exact(),
    };
    settle(exact, Format::EXTENDED, control, raised)
}

/// The integer part of a finite number, far enough to over- or underflow everything.
fn scale_factor(b: Parts) -> i32 {
    const FAR: u64 = 0x10000;
    let magnitude = match number::to_integer(b, Rounding::Zero) {
        Some(integer) => integer.magnitude.min(FAR) as i32,
        None => FAR as i32,
    };
    if b.sign { -magnitude } else { magnitude }
}

/// Runs `fprem` (rounding to zero) and `fprem1` (rounding to nearest); with the result come the
/// condition bits, where it has any.
pub(super) fn remainder(
    control: u16,
    a: Parts,
    b: Parts,
    quotient: Rounding,
) -> (Outcome, Option<u16>) {
    if let Some(outcome) = special(a, b) {
        return (outcome, None);
    }
    if a.kind == Kind::Infinity || b.kind == Kind::Zero {
        return (Outcome::INVALID, None);
    }
    let raised = if a.denormal || b.denormal { DENORMAL } else { 0 };
    let (rest, conditions) = match (a.kind, b.kind) {
        (Kind::Finite, Kind::Finite) => reduce(a, b, quotient),
        _ => (a, 0),
    };
    let outcome = settle(rest.exact(), Format::EXTENDED, control, raised);
    let stopped = raised & unmasked(control) != 0;
    (outcome, (!stopped).then_some(conditions))
}

/// One step of reduction: what is left, and the condition bits.
fn reduce(a: Parts, b: Parts, quotient: Rounding) -> (Parts, u16) {
    let distance = a.exponent - b.exponent;
    if distance < -1 || (distance < 0 && quotient == Rounding::Zero) {
        return (a, 0);
    }
    let (dividend, divisor) = (u128::from(a.mantissa), u128::from(b.mantissa));
    if distance >= 64 {
        // A partial step takes 32 to 63 bits of quotient; how many differs between makers of
        // CPUs, what a loop of them arrives at does not.
        let bits = 32 + distance % 32;
        let rest = (dividend << bits) % divisor;
        return (integer_parts(a.sign, rest as u64, a.exponent - bits), status::C2);
    }
    let (dividend, divisor, exponent) = match distance {
        -1 => (dividend, divisor << 1, a.exponent),
        _ => (dividend << distance, divisor, b.exponent),
    };
    let (mut whole, mut rest, mut sign) = (dividend / divisor, dividend % divisor, a.sign);
    let twice = rest << 1;
    if quotient == Rounding::Nearest && (twice > divisor || (twice == divisor && whole & 1 != 0)) {
        (whole, rest, sign) = (whole + 1, divisor - rest, !sign);
    }
    let rest = match rest {
        0 => Parts::zero(a.sign),
        rest => integer_parts(sign, rest as u64, exponent),
    };
    (rest, quotient_conditions(whole))
}

/// The low three bits of the quotient as C0, C3 and C1.
fn quotient_conditions(whole: u128) -> u16 {
    let bit =
        |position: u32, condition: u16| if whole >> position & 1 != 0 { condition } else { 0 };
    bit(2, status::C0) | bit(1, status::C3) | bit(0, status::C1)
}

/// Runs `fxtract`: the exponent as a number, and the significand.
pub(super) fn extract(control: u16, original: F80) -> (F80, Outcome) {
    let a = original.unpack();
    if let Some(outcome) = special(a, a) {
        return (outcome.value, outcome);
    }
    let raised = if a.denormal { DENORMAL } else { 0 };
    let infinity = |sign| F80::pack(Rounded::infinity(Format::EXTENDED, sign));
    match a.kind {
        Kind::Zero => (infinity(true), Outcome { value: original, status: number::ZERO_DIVIDE }),
        Kind::Infinity => (infinity(false), Outcome { value: original, status: raised }),
        _ => {
            let exponent = F80::from_parts(Parts::from_integer(i64::from(a.exponent)));
            let significand = Parts { exponent: 0, ..a };
            (exponent, settle(significand.exact(), Format::EXTENDED, control, raised))
        }
    }
}
