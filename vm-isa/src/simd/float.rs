//! One lane of SSE floating point: results, NaN rules and exceptions under a given MXCSR.

use std::cmp::Ordering;

use crate::fp_env::FpEnv;
use crate::x87::number::{
    self, DENORMAL, Exact, Format, INVALID, Kind, PRECISION, Parts, Rounded, Rounding, UNDERFLOW,
    ZERO_DIVIDE,
};

/// Denormals are zeros.
const DAZ: u32 = 0x0040;
/// Flush to zero.
const FTZ: u32 = 0x8000;

/// A lane format; values travel as bits in a `u64`.
pub(super) trait Float: Copy {
    /// Bits of a lane.
    const WIDTH: u32;
    /// What results are rounded to.
    const FORMAT: Format;
    /// Takes a pattern apart.
    fn unpack(bits: u64) -> Parts;
    /// Puts a rounded number together.
    fn pack(number: Rounded) -> u64;
    /// Reads a lane from memory.
    fn load<E: FpEnv>(env: &mut E, addr: u32) -> Result<u64, E::Trap>;
    /// The result of usual operands, rounded to nearest; `None` when anything but the inexact
    /// exception could be due.
    fn usual(op: FloatOp, a: u64, b: u64) -> Option<u64>;
    /// Whether `result` is all of what usual operands give.
    fn is_exact(op: FloatOp, a: u64, b: u64, result: u64) -> bool;
    /// How usual operands compare.
    fn relate_usual(a: u64, b: u64) -> Option<Ordering>;
    /// The integer part of a usual operand that fits, and whether that is all of it.
    fn truncate_usual(bits: u64) -> Option<(i32, bool)>;

    /// The default NaN.
    fn indefinite() -> u64 {
        let mantissa = number::INTEGER_BIT | number::QUIET_BIT;
        Self::pack(Rounded { mantissa, ..Rounded::infinity(Self::FORMAT, true) })
    }

    /// The quiet NaN of a NaN's sign and payload.
    fn quiet_nan(nan: Parts) -> u64 {
        let mantissa = nan.mantissa | number::QUIET_BIT;
        Self::pack(Rounded { mantissa, ..Rounded::infinity(Self::FORMAT, nan.sign) })
    }
}

/// Arithmetic of two lanes; the square root is of the second one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FloatOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Minimum,
    Maximum,
    SquareRoot,
}

/// Single precision lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Single;

/// Double precision lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Double;

macro_rules! usual {
    ($float:ident, $bits:ident, $exponent_shift:literal, $special:literal) => {
        #[inline(always)]
        fn usual(op: FloatOp, a: u64, b: u64) -> Option<u64> {
            let (a, b) = (a as $bits, b as $bits);
            let exponent = |bits: $bits| bits << 1 >> ($exponent_shift + 1);
            let is_zero = |bits: $bits| bits << 1 == 0;
            if !Self::is_usual(a) || !Self::is_usual(b) {
                return None;
            }
            let (x, y) = ($float::from_bits(a), $float::from_bits(b));
            let (result, zero_is_exact) = match op {
                FloatOp::Add => (x + y, true),
                FloatOp::Subtract => (x - y, true),
                FloatOp::Multiply => (x * y, is_zero(a) || is_zero(b)),
                FloatOp::Divide => (x / y, is_zero(a)),
                FloatOp::SquareRoot => (y.sqrt(), is_zero(b)),
                FloatOp::Minimum => (if x < y { x } else { y }, true),
                FloatOp::Maximum => (if x > y { x } else { y }, true),
            };
            let bits = result.to_bits();
            // The smallest normal numbers may have been rounded up from below.
            let is_normal = exponent(bits).wrapping_sub(2) < $special - 2;
            let bounded = matches!(op, FloatOp::Minimum | FloatOp::Maximum);
            let certain = is_normal || bounded || (zero_is_exact && is_zero(bits));
            certain.then_some(u64::from(bits))
        }

        #[inline(never)]
        fn is_exact(op: FloatOp, a: u64, b: u64, result: u64) -> bool {
            let value = |bits: u64| $float::from_bits(bits as $bits);
            let (x, y, result) = (value(a), value(b), value(result));
            match op {
                FloatOp::Add => Self::is_exact_sum(x, y, result),
                FloatOp::Subtract => Self::is_exact_sum(x, -y, result),
                FloatOp::Multiply => Self::is_exact_product(x, y),
                FloatOp::Divide => Self::is_exact_product(result, y) && result * y == x,
                FloatOp::SquareRoot => {
                    Self::is_exact_product(result, result) && result * result == y
                }
                FloatOp::Minimum | FloatOp::Maximum => true,
            }
        }

        #[inline]
        fn relate_usual(a: u64, b: u64) -> Option<Ordering> {
            let (a, b) = (a as $bits, b as $bits);
            if !Self::is_usual(a) || !Self::is_usual(b) {
                return None;
            }
            $float::from_bits(a).partial_cmp(&$float::from_bits(b))
        }

        #[inline]
        fn truncate_usual(bits: u64) -> Option<(i32, bool)> {
            let value = $float::from_bits(bits as $bits);
            let fits = value.abs() < 2_147_483_648.0 && Self::is_usual(bits as $bits);
            let integer = value as i32;
            fits.then_some((integer, integer as $float == value))
        }
    };
}

macro_rules! usual_parts {
    ($format:ident, $float:ident, $bits:ident, $exponent_shift:literal, $special:literal) => {
        impl $format {
            /// Whether a pattern is zero or a normal number.
            #[inline]
            fn is_usual(bits: $bits) -> bool {
                let exponent = bits << 1 >> ($exponent_shift + 1);
                bits << 1 == 0 || exponent.wrapping_sub(1) < $special - 1
            }

            /// Whether rounding lost nothing of a sum (Knuth's two-sum finds what it lost).
            #[inline]
            fn is_exact_sum(x: $float, y: $float, sum: $float) -> bool {
                let from_y = sum - x;
                let from_x = sum - from_y;
                (x - from_x) + (y - from_y) == 0.0
            }

            /// Whether the product of two normal numbers has no more bits than a number holds.
            #[inline]
            fn is_exact_product(x: $float, y: $float) -> bool {
                const INTEGER: $bits = 1 << $exponent_shift;
                if x == 0.0 || y == 0.0 {
                    return true;
                }
                let odd_part = |value: $float| {
                    let significand = value.to_bits() & (INTEGER - 1) | INTEGER;
                    u128::from(significand >> significand.trailing_zeros())
                };
                odd_part(x) * odd_part(y) < 2 * u128::from(INTEGER)
            }
        }
    };
}

usual_parts!(Single, f32, u32, 23, 0xff);
usual_parts!(Double, f64, u64, 52, 0x7ff);

impl Float for Single {
    const WIDTH: u32 = 32;
    const FORMAT: Format = Format::SINGLE;

    fn unpack(bits: u64) -> Parts {
        Parts::from_f32(bits as u32)
    }

    fn pack(number: Rounded) -> u64 {
        u64::from(number.to_f32())
    }

    #[inline]
    fn load<E: FpEnv>(env: &mut E, addr: u32) -> Result<u64, E::Trap> {
        Ok(u64::from(u32::from_le_bytes(env.load(addr)?)))
    }

    usual!(f32, u32, 23, 0xff);
}

impl Float for Double {
    const WIDTH: u32 = 64;
    const FORMAT: Format = Format::DOUBLE;

    fn unpack(bits: u64) -> Parts {
        Parts::from_f64(bits)
    }

    fn pack(number: Rounded) -> u64 {
        number.to_f64()
    }

    #[inline]
    fn load<E: FpEnv>(env: &mut E, addr: u32) -> Result<u64, E::Trap> {
        Ok(u64::from_le_bytes(env.load(addr)?))
    }

    usual!(f64, u64, 52, 0x7ff);
}

/// A result with its exceptions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lane {
    pub bits: u64,
    pub flags: u16,
}

/// The rounding that MXCSR asks for.
pub(super) fn rounding(mxcsr: u32) -> Rounding {
    Rounding::from_bits(mxcsr >> 13)
}

/// Whether MXCSR asks for the nearest result and no traps.
#[inline]
pub(super) fn is_usual_mode(mxcsr: u32) -> bool {
    const ROUNDING: u32 = 0x6000;
    const MASKS: u32 = 0x1f80;
    mxcsr & (ROUNDING | MASKS) == MASKS
}

/// The inexact exception, where it is due and not recorded already.
#[inline]
pub(super) fn inexact(mxcsr: u32, is_exact: impl FnOnce() -> bool) -> u16 {
    if mxcsr & u32::from(PRECISION) != 0 || is_exact() { 0 } else { PRECISION }
}

/// Takes an operand apart, a denormal as zero where MXCSR says so.
pub(super) fn operand<F: Float>(bits: u64, mxcsr: u32) -> Parts {
    let parts = F::unpack(bits);
    if parts.denormal && mxcsr & DAZ != 0 { Parts::zero(parts.sign) } else { parts }
}

/// Computes one lane.
#[inline(always)]
pub(super) fn compute<F: Float>(op: FloatOp, mxcsr: u32, a: u64, b: u64) -> Lane {
    if is_usual_mode(mxcsr)
        && let Some(bits) = F::usual(op, a, b)
    {
        let flags = inexact(mxcsr, || F::is_exact(op, a, b, bits));
        return Lane { bits, flags };
    }
    compute_exactly::<F>(op, mxcsr, a, b)
}

#[inline(never)]
fn compute_exactly<F: Float>(op: FloatOp, mxcsr: u32, a: u64, b: u64) -> Lane {
    let (x, y) = (operand::<F>(a, mxcsr), operand::<F>(b, mxcsr));
    let rounding = rounding(mxcsr);
    let exact = match op {
        FloatOp::Minimum | FloatOp::Maximum => return select::<F>(op, x, y, a, b),
        FloatOp::SquareRoot => return square_root::<F>(mxcsr, y),
        _ if x.is_nan() || y.is_nan() => return propagate::<F>(x, y),
        FloatOp::Add => number::add(x, y, rounding),
        FloatOp::Subtract => number::add(x, Parts { sign: !y.sign, ..y }, rounding),
        FloatOp::Multiply => number::multiply(x, y),
        FloatOp::Divide => number::divide(x, y),
    };
    settle::<F>(exact, mxcsr, x.denormal || y.denormal)
}

/// The NaN that two operands give: the first one.
fn propagate<F: Float>(x: Parts, y: Parts) -> Lane {
    let signals = x.kind == Kind::SignalingNan || y.kind == Kind::SignalingNan;
    let chosen = if x.is_nan() { x } else { y };
    Lane { bits: F::quiet_nan(chosen), flags: if signals { INVALID } else { 0 } }
}

fn square_root<F: Float>(mxcsr: u32, y: Parts) -> Lane {
    if y.is_nan() {
        return propagate::<F>(y, y);
    }
    settle::<F>(number::square_root(y), mxcsr, y.denormal)
}

/// Minimum and maximum hand on one operand as it is, the second in case of doubt.
fn select<F: Float>(op: FloatOp, x: Parts, y: Parts, a: u64, b: u64) -> Lane {
    let value = |parts: Parts, bits: u64| {
        if parts.kind == Kind::Zero { F::pack(Rounded::zero(parts.sign)) } else { bits }
    };
    if x.is_nan() || y.is_nan() {
        return Lane { bits: value(y, b), flags: INVALID };
    }
    let wanted = if op == FloatOp::Minimum { Ordering::Less } else { Ordering::Greater };
    let first = number::compare(x, y) == wanted;
    let flags = if x.denormal || y.denormal { DENORMAL } else { 0 };
    Lane { bits: if first { value(x, a) } else { value(y, b) }, flags }
}

/// Rounds an exact result into a lane.
pub(super) fn settle<F: Float>(exact: Exact, mxcsr: u32, denormal: bool) -> Lane {
    let raised = if denormal { DENORMAL } else { 0 };
    match exact {
        Exact::Number { sign, exponent, significand } => {
            let unmasked = !(mxcsr >> 7) as u16 & 0x3f;
            let flushes = mxcsr & FTZ != 0 && unmasked & UNDERFLOW == 0;
            let traps = if flushes { unmasked | UNDERFLOW } else { unmasked };
            let mode = rounding(mxcsr);
            let rounded = number::round(F::FORMAT, mode, traps, sign, exponent, significand);
            if flushes && rounded.flags & UNDERFLOW != 0 {
                let flags = raised | UNDERFLOW | PRECISION;
                return Lane { bits: F::pack(Rounded::zero(sign)), flags };
            }
            Lane { bits: F::pack(rounded), flags: raised | rounded.flags }
        }
        Exact::Zero(sign) => Lane { bits: F::pack(Rounded::zero(sign)), flags: raised },
        Exact::Infinity(sign) => {
            Lane { bits: F::pack(Rounded::infinity(F::FORMAT, sign)), flags: raised }
        }
        Exact::ZeroDivide(sign) => {
            let bits = F::pack(Rounded::infinity(F::FORMAT, sign));
            Lane { bits, flags: ZERO_DIVIDE }
        }
        Exact::Invalid => Lane { bits: F::indefinite(), flags: INVALID },
    }
}

/// How two lanes compare (`None`: unordered), with the exceptions of finding out. `signals`
/// says whether quiet NaNs are invalid too.
#[inline]
pub(super) fn relate<F: Float>(
    mxcsr: u32,
    a: u64,
    b: u64,
    signals: bool,
) -> (Option<Ordering>, u16) {
    if let Some(order) = F::relate_usual(a, b) {
        return (Some(order), 0);
    }
    relate_exactly::<F>(mxcsr, a, b, signals)
}

#[inline(never)]
fn relate_exactly<F: Float>(mxcsr: u32, a: u64, b: u64, signals: bool) -> (Option<Ordering>, u16) {
    let (x, y) = (operand::<F>(a, mxcsr), operand::<F>(b, mxcsr));
    if x.is_nan() || y.is_nan() {
        let signaling = x.kind == Kind::SignalingNan || y.kind == Kind::SignalingNan;
        return (None, if signals || signaling { INVALID } else { 0 });
    }
    let flags = if x.denormal || y.denormal { DENORMAL } else { 0 };
    (Some(number::compare(x, y)), flags)
}
