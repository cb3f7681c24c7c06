//! `roundps`, `roundpd`, `roundss` and `roundsd` of SSE4.1.

use super::float::{self, Float, Lane};
use super::floating;
use super::machine::Machine;
use crate::fp_env::FpEnv;
use crate::x87::number::{self, INVALID, Kind, PRECISION, Parts, Rounded, Rounding};

/// The bit of the immediate that takes the rounding from MXCSR.
const BY_MXCSR: u8 = 4;
/// The bit of the immediate that keeps the inexact exception quiet.
const QUIET: u8 = 8;

/// One lane, rounded to an integer as the immediate says. Denormals raise nothing.
fn integral<F: Float>(mxcsr: u32, how: u8, bits: u64) -> Lane {
    let parts = float::operand::<F>(bits, mxcsr);
    let exact = |bits| Lane { bits, flags: 0 };
    match parts.kind {
        Kind::QuietNan => return exact(F::quiet_nan(parts)),
        Kind::SignalingNan => return Lane { bits: F::quiet_nan(parts), flags: INVALID },
        Kind::Zero => return exact(F::pack(Rounded::zero(parts.sign))),
        Kind::Finite => {}
        _ => return exact(bits),
    }
    let rounding = if how & BY_MXCSR != 0 {
        float::rounding(mxcsr)
    } else {
        Rounding::from_bits(u32::from(how))
    };
    // What takes more than 64 bits has no fraction.
    let Some(integer) = number::to_integer(parts, rounding) else { return exact(bits) };
    let flags = if integer.inexact && how & QUIET == 0 { PRECISION } else { 0 };
    if integer.magnitude == 0 {
        return Lane { bits: F::pack(Rounded::zero(integer.sign)), flags };
    }
    if !integer.inexact {
        return exact(bits);
    }
    // A number with a fraction is small: its integer part is exact in every format.
    let magnitude = Parts::from_integer(integer.magnitude as i64);
    let rounded = Parts { sign: integer.sign, ..magnitude };
    Lane { bits: float::settle::<F>(rounded.exact(), mxcsr, false).bits, flags }
}

impl<E: FpEnv> Machine<'_, E> {
    /// `roundss` and `roundsd`.
    pub(super) fn round_scalar<F: Float>(&mut self, _: F) -> Result<(), E::Trap> {
        let bits = self.source_lane::<F>()?;
        let lane = integral::<F>(self.simd.mxcsr, self.imm8, bits);
        self.raise(lane.flags)?;
        self.write_lane::<F>(lane.bits);
        Ok(())
    }

    /// `roundps` and `roundpd`.
    pub(super) fn round_packed<F: Float>(&mut self, _: F) -> Result<(), E::Trap> {
        let source = self.source()?;
        let (mxcsr, how) = (self.simd.mxcsr, self.imm8);
        let (value, flags) =
            floating::each::<F>(source, 0, |bits, _| integral::<F>(mxcsr, how, bits));
        self.raise(flags)?;
        self.write(value);
        Ok(())
    }
}
