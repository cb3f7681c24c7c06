//! Conversions between integers and the floating point formats of SSE and SSE2.

use super::Operand;
use super::float::{self, Double, Float, Lane, Single};
use super::lanes;
use super::machine::Machine;
use crate::fp_env::FpEnv;
use crate::x87::number::{self, INVALID, Kind, PRECISION, Parts, Rounding};

/// How a fraction is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IntegerRounding {
    /// As MXCSR says.
    Round,
    /// Towards zero.
    Truncate,
}

/// The answer to what no 32-bit integer can hold.
const INTEGER_INDEFINITE: u32 = 0x8000_0000;

#[inline]
fn to_integer<F: Float>(bits: u64, mxcsr: u32, how: IntegerRounding) -> Lane {
    if how == IntegerRounding::Truncate
        && let Some((value, is_exact)) = F::truncate_usual(bits)
    {
        let flags = if is_exact { 0 } else { PRECISION };
        return Lane { bits: u64::from(value as u32), flags };
    }
    to_integer_exactly::<F>(bits, mxcsr, how)
}

#[inline(never)]
fn to_integer_exactly<F: Float>(bits: u64, mxcsr: u32, how: IntegerRounding) -> Lane {
    let parts = float::operand::<F>(bits, mxcsr);
    let rounding = match how {
        IntegerRounding::Round => float::rounding(mxcsr),
        IntegerRounding::Truncate => Rounding::Zero,
    };
    let invalid = Lane { bits: u64::from(INTEGER_INDEFINITE), flags: INVALID };
    if !matches!(parts.kind, Kind::Zero | Kind::Finite) {
        return invalid;
    }
    let Some(integer) = number::to_integer(parts, rounding) else { return invalid };
    let limit = 1 << 31;
    let fits = integer.magnitude < limit || (integer.sign && integer.magnitude == limit);
    if !fits {
        return invalid;
    }
    let magnitude = integer.magnitude as u32;
    let value = if integer.sign { magnitude.wrapping_neg() } else { magnitude };
    Lane { bits: u64::from(value), flags: if integer.inexact { PRECISION } else { 0 } }
}

fn from_integer<F: Float>(value: u32, mxcsr: u32) -> Lane {
    let parts = Parts::from_integer(i64::from(value as i32));
    float::settle::<F>(parts.exact(), mxcsr, false)
}

/// The nearest single of a double in the usual case, which leaves room for rounding up.
#[inline]
fn narrow(bits: u64, mxcsr: u32) -> Lane {
    let value = f64::from_bits(bits);
    let range = f64::from(f32::MIN_POSITIVE)..f64::from(f32::MAX);
    if float::is_usual_mode(mxcsr) && range.contains(&value.abs()) {
        let single = value as f32;
        let flags = float::inexact(mxcsr, || f64::from(single) == value);
        return Lane { bits: u64::from(single.to_bits()), flags };
    }
    to_float::<Double, Single>(bits, mxcsr)
}

/// From one floating point format to the other.
#[inline(never)]
fn to_float<From: Float, To: Float>(bits: u64, mxcsr: u32) -> Lane {
    let parts = float::operand::<From>(bits, mxcsr);
    match parts.kind {
        Kind::QuietNan => Lane { bits: To::quiet_nan(parts), flags: 0 },
        Kind::SignalingNan => Lane { bits: To::quiet_nan(parts), flags: INVALID },
        _ => float::settle::<To>(parts.exact(), mxcsr, parts.denormal),
    }
}

impl<E: FpEnv> Machine<'_, E> {
    /// `cvtsi2ss` and `cvtsi2sd`.
    pub(super) fn integer_to_scalar<F: Float>(&mut self, _: F) -> Result<(), E::Trap> {
        let value = self.source32()?;
        let lane = from_integer::<F>(value, self.simd.mxcsr);
        self.raise(lane.flags)?;
        self.write_lane::<F>(lane.bits);
        Ok(())
    }

    /// `cvtss2si`, `cvtsd2si` and their truncating forms.
    pub(super) fn scalar_to_integer<F: Float>(
        &mut self,
        _: F,
        how: IntegerRounding,
    ) -> Result<(), E::Trap> {
        let bits = self.source_lane::<F>()?;
        let lane = to_integer::<F>(bits, self.simd.mxcsr, how);
        self.raise(lane.flags)?;
        self.write(u128::from(lane.bits));
        Ok(())
    }

    /// `cvtss2sd`.
    pub(super) fn single_to_double(&mut self) -> Result<(), E::Trap> {
        let bits = self.source32()?;
        let value = f32::from_bits(bits);
        let lane = if value.is_normal() {
            Lane { bits: f64::from(value).to_bits(), flags: 0 }
        } else {
            to_float::<Single, Double>(u64::from(bits), self.simd.mxcsr)
        };
        self.raise(lane.flags)?;
        self.write_low64(lane.bits);
        Ok(())
    }

    /// `cvtsd2ss`.
    pub(super) fn double_to_single(&mut self) -> Result<(), E::Trap> {
        let bits = self.source64()?;
        let lane = narrow(bits, self.simd.mxcsr);
        self.raise(lane.flags)?;
        self.write_low32(lane.bits as u32);
        Ok(())
    }

    /// `cvtps2pd`.
    pub(super) fn singles_to_doubles(&mut self) -> Result<(), E::Trap> {
        let source = self.source64()?;
        let lanes = halves(source, |half| to_float::<Single, Double>(half, self.simd.mxcsr));
        self.write_doubles(lanes)
    }

    /// `cvtpd2ps`; the upper half becomes zero.
    pub(super) fn doubles_to_singles(&mut self) -> Result<(), E::Trap> {
        let source = lanes::split64(self.source()?);
        let lanes = source.map(|bits| narrow(bits, self.simd.mxcsr));
        self.write_pair(lanes, 0)
    }

    /// `cvtdq2pd` and `cvtpi2pd`.
    pub(super) fn integers_to_doubles(&mut self) -> Result<(), E::Trap> {
        let source = self.source64()?;
        let lanes = halves(source, |half| from_integer::<Double>(half as u32, self.simd.mxcsr));
        self.write_doubles(lanes)
    }

    /// `cvtdq2ps`.
    pub(super) fn integers_to_singles(&mut self) -> Result<(), E::Trap> {
        let source = self.source()?;
        let mxcsr = self.simd.mxcsr;
        self.write_singles(source, |bits| from_integer::<Single>(bits as u32, mxcsr))
    }

    /// `cvtpi2ps`; the upper half stays.
    pub(super) fn two_integers_to_singles(&mut self) -> Result<(), E::Trap> {
        let source = self.source64()?;
        let lanes = halves(source, |half| from_integer::<Single>(half as u32, self.simd.mxcsr));
        let kept = self.register(self.dst) >> 64 << 64;
        self.write_pair(lanes, kept)
    }

    /// `cvtps2dq` and `cvttps2dq`.
    pub(super) fn singles_to_integers(&mut self, how: IntegerRounding) -> Result<(), E::Trap> {
        let source = self.source()?;
        let mxcsr = self.simd.mxcsr;
        self.write_singles(source, |bits| to_integer::<Single>(bits, mxcsr, how))
    }

    /// `cvtps2pi` and `cvttps2pi`.
    pub(super) fn two_singles_to_integers(&mut self, how: IntegerRounding) -> Result<(), E::Trap> {
        let source = self.source64()?;
        let lanes = halves(source, |half| to_integer::<Single>(half, self.simd.mxcsr, how));
        self.write_pair(lanes, 0)
    }

    /// `cvtpd2dq`, `cvtpd2pi` and their truncating forms; an upper half becomes zero.
    pub(super) fn doubles_to_integers(&mut self, how: IntegerRounding) -> Result<(), E::Trap> {
        let source = match self.src {
            Operand::Memory => self.load_aligned()?,
            operand => self.register(operand),
        };
        let lanes =
            lanes::split64(source).map(|bits| to_integer::<Double>(bits, self.simd.mxcsr, how));
        self.write_pair(lanes, 0)
    }

    fn write_doubles(&mut self, [low, high]: [Lane; 2]) -> Result<(), E::Trap> {
        self.raise(low.flags | high.flags)?;
        self.write(lanes::join64([low.bits, high.bits]));
        Ok(())
    }

    /// Writes two 32-bit lanes beside `kept`.
    fn write_pair(&mut self, [low, high]: [Lane; 2], kept: u128) -> Result<(), E::Trap> {
        self.raise(low.flags | high.flags)?;
        self.write(kept | u128::from(low.bits | high.bits << 32));
        Ok(())
    }

    fn write_singles(
        &mut self,
        source: u128,
        convert: impl Fn(u64) -> Lane,
    ) -> Result<(), E::Trap> {
        let (value, flags) = super::floating::each::<Single>(source, 0, |bits, _| convert(bits));
        self.raise(flags)?;
        self.write(value);
        Ok(())
    }
}

/// Converts both 32-bit halves.
fn halves(source: u64, convert: impl Fn(u64) -> Lane) -> [Lane; 2] {
    [convert(source & 0xffff_ffff), convert(source >> 32)]
}
