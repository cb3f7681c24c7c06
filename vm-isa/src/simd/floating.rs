//! The floating point instructions of SSE and SSE2 on scalars and on vectors.

use std::cmp::Ordering;

use super::float::{self, Float, FloatOp, Lane};
use super::machine::Machine;
use super::{Operand, lanes};
use crate::fp_env::FpEnv;

/// Applies `function` to every pair of lanes and gathers the exceptions.
#[inline]
pub(super) fn each<F: Float>(
    a: u128,
    b: u128,
    mut function: impl FnMut(u64, u64) -> Lane,
) -> (u128, u16) {
    if F::WIDTH == 64 {
        let (a, b) = (lanes::split64(a), lanes::split64(b));
        let results: [Lane; 2] = std::array::from_fn(|i| function(a[i], b[i]));
        return (lanes::join64(results.map(|lane| lane.bits)), all_flags(&results));
    }
    let (a, b) = (lanes::split32(a), lanes::split32(b));
    let results: [Lane; 4] = std::array::from_fn(|i| function(u64::from(a[i]), u64::from(b[i])));
    (lanes::join32(results.map(|lane| lane.bits as u32)), all_flags(&results))
}

fn all_flags(results: &[Lane]) -> u16 {
    results.iter().fold(0, |flags, lane| flags | lane.flags)
}

impl<E: FpEnv> Machine<'_, E> {
    /// The lowest lane of the source, or as many bytes of memory.
    #[inline]
    pub(super) fn source_lane<F: Float>(&mut self) -> Result<u64, E::Trap> {
        match self.src {
            Operand::Xmm(index) => Ok(low::<F>(self.xmm(index))),
            _ => F::load(self.env, self.addr),
        }
    }

    /// The lowest lane of the destination.
    #[inline]
    fn destination_lane<F: Float>(&self) -> u64 {
        match self.dst {
            Operand::Xmm(index) => low::<F>(self.xmm(index)),
            _ => 0,
        }
    }

    /// Writes the lowest lane of the destination.
    #[inline]
    pub(super) fn write_lane<F: Float>(&mut self, bits: u64) {
        if F::WIDTH == 64 { self.write_low64(bits) } else { self.write_low32(bits as u32) }
    }

    // Inlined, so that each instruction gets arithmetic of its own.
    #[inline(always)]
    pub(super) fn scalar<F: Float>(&mut self, _: F, op: FloatOp) -> Result<(), E::Trap> {
        let b = self.source_lane::<F>()?;
        let a = self.destination_lane::<F>();
        let lane = float::compute::<F>(op, self.simd.mxcsr, a, b);
        if lane.flags != 0 {
            self.raise(lane.flags)?;
        }
        self.write_lane::<F>(lane.bits);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn packed<F: Float>(&mut self, _: F, op: FloatOp) -> Result<(), E::Trap> {
        let b = self.source()?;
        let a = self.register(self.dst);
        let mxcsr = self.simd.mxcsr;
        let (value, flags) = each::<F>(a, b, |a, b| float::compute::<F>(op, mxcsr, a, b));
        self.raise(flags)?;
        self.write(value);
        Ok(())
    }

    pub(super) fn compare_scalar<F: Float>(&mut self, _: F) -> Result<(), E::Trap> {
        let b = self.source_lane::<F>()?;
        let a = self.destination_lane::<F>();
        let lane = self.predicate::<F>(a, b);
        self.raise(lane.flags)?;
        self.write_lane::<F>(lane.bits);
        Ok(())
    }

    pub(super) fn compare_packed<F: Float>(&mut self, _: F) -> Result<(), E::Trap> {
        let b = self.source()?;
        let a = self.register(self.dst);
        let (value, flags) = each::<F>(a, b, |a, b| self.predicate::<F>(a, b));
        self.raise(flags)?;
        self.write(value);
        Ok(())
    }

    /// The eight predicates of `cmpps` and the like; the upper four negate the lower.
    fn predicate<F: Float>(&self, a: u64, b: u64) -> Lane {
        let kind = self.imm8 & 3;
        let signals = kind == 1 || kind == 2;
        let (order, flags) = float::relate::<F>(self.simd.mxcsr, a, b, signals);
        let holds = match kind {
            0 => order == Some(Ordering::Equal),
            1 => order == Some(Ordering::Less),
            2 => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            _ => order.is_none(),
        };
        let negated = self.imm8 & 4 != 0;
        let bits = if holds != negated { u64::MAX >> (64 - F::WIDTH) } else { 0 };
        Lane { bits, flags }
    }

    /// `comiss` (quiet NaNs are invalid) and `ucomiss` (they are not).
    pub(super) fn compare_to_flags<F: Float>(
        &mut self,
        _: F,
        signals: bool,
    ) -> Result<(), E::Trap> {
        let b = self.source_lane::<F>()?;
        let a = self.destination_lane::<F>();
        let (order, flags) = float::relate::<F>(self.simd.mxcsr, a, b, signals);
        self.raise(flags)?;
        match order {
            Some(Ordering::Greater) => self.env.set_flags_zpc(false, false, false),
            Some(Ordering::Less) => self.env.set_flags_zpc(false, false, true),
            Some(Ordering::Equal) => self.env.set_flags_zpc(true, false, false),
            None => self.env.set_flags_zpc(true, true, true),
        }
        Ok(())
    }

    pub(super) fn estimate_scalar(&mut self, kind: Estimate) -> Result<(), E::Trap> {
        let operand = self.source32()?;
        self.write_low32(estimate(kind, operand));
        Ok(())
    }

    pub(super) fn estimate_packed(&mut self, kind: Estimate) -> Result<(), E::Trap> {
        let operands = self.source()?;
        self.write(lanes::map32(operands, operands, |lane, _| estimate(kind, lane)));
        Ok(())
    }
}

#[cfg(not(target_arch = "x86_64"))]
use self::estimate_portably as estimate;
#[cfg(target_arch = "x86_64")]
use super::host::estimate;

fn low<F: Float>(value: u128) -> u64 {
    value as u64 & u64::MAX >> (64 - F::WIDTH)
}

/// The two approximations of SSE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Estimate {
    Reciprocal,
    ReciprocalSquareRoot,
}

/// The exact quotient, cut to twelve bits: within the error that the architecture allows.
#[cfg(any(test, not(target_arch = "x86_64")))]
pub(super) fn estimate_portably(kind: Estimate, bits: u32) -> u32 {
    let value = f32::from_bits(bits);
    let flushed = if value.is_subnormal() { 0f32.copysign(value) } else { value };
    if value.is_nan() {
        return bits | 0x0040_0000;
    }
    let result = match kind {
        Estimate::Reciprocal => 1.0 / flushed,
        Estimate::ReciprocalSquareRoot if flushed < 0.0 => return 0xffc0_0000,
        Estimate::ReciprocalSquareRoot => 1.0 / flushed.sqrt().copysign(flushed),
    };
    let flushed = if result.is_subnormal() { 0f32.copysign(result) } else { result };
    flushed.to_bits() & 0xffff_f000
}
