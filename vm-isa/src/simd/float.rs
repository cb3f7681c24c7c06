//! One lane of SSE floating point: results, NaN rules and exceptions under a given MXCSR.

use std::cmp::Ordering;

use crate::fp_env::FpEnv;
use crate::x87::number::{
    self, DENORMAL, Exact, Format, INVALID, Kind, Parts, Rounded, Rounding, UNDERFLOW,
    PRECISION, ZERO_DIVIDE,
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
        #[inline]
        fn usual(op: FloatOp, a: u64, b: u64) -> Option<u64> {
            let (a, b) = (a as $bits, b as $bits);
            let exponent = |bits: $bits| bits << 1 >> $exponent_shift + 1;
            let is_zero = |bits: $bits| bits << 1 == 0;
            let is_usual = |bits: $bits| {
                is_zero(bits) || exponent(bits).wrapping_sub(1) < $special - 1
            };
            if !is_usual(a) || !is_usual(b) {
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
    };
}

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

/// Whether only the inexact exception matters, and that is recorded already.
#[inline]
pub(super) fn is_usual_mode(mxcsr: u32) -> bool {
    const ROUNDING: u32 = 0x6000;
    const MASKS: u32 = 0x1f80;
    mxcsr & (ROUNDING | MASKS | PRECISION as u32) == MASKS | PRECISION as u32
}

/// Takes an operand apart, a denormal as zero where MXCSR says so.
pub(super) fn operand<F: Float>(bits: u64, mxcsr: u32) -> Parts {
    let parts = F::unpack(bits);
    if parts.denormal && mxcsr & DAZ != 0 { Parts::zero(parts.sign) } else { parts }
}

/// Computes one lane.
#[inline]
pub(super) fn compute<F: Float>(op: FloatOp, mxcsr: u32, a: u64, b: u64) -> Lane {
    if is_usual_mode(mxcsr) {
        if let Some(bits) = F::usual(op, a, b) {
            return Lane { bits, flags: 0 };
        }
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
    let wanted =
        if op == FloatOp::Minimum { Ordering::Less } else { Ordering::Greater };
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
pub(super) fn relate<F: Float>(
    mxcsr: u32,
    a: u64,
    b: u64,
    signals: bool,
) -> (Option<Ordering>, u16) {
    let (x, y) = (operand::<F>(a, mxcsr), operand::<F>(b, mxcsr));
    if x.is_nan() || y.is_nan() {
        let signaling = x.kind == Kind::SignalingNan || y.kind == Kind::SignalingNan;
        return (None, if signals || signaling { INVALID } else { 0 });
    }
    let flags = if x.denormal || y.denormal { DENORMAL } else { 0 };
    (Some(number::compare(x, y)), flags)
}
