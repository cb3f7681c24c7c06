//! The two approximations of SSE as the host CPU computes them: the architecture bounds only
//! their error, so what the CPU answers is the truth.
#![allow(unsafe_code)] // `asm!` is the way to these instructions.

use std::arch::asm;

use super::floating::Estimate;

/// Runs `rcpss` or `rsqrtss`; neither reads nor writes MXCSR.
pub(super) fn estimate(kind: Estimate, bits: u32) -> u32 {
    let mut value = f32::from_bits(bits);
    // SAFETY: one instruction on registers, which every x86-64 has.
    unsafe {
        match kind {
            Estimate::Reciprocal => {
                asm!("rcpss {0}, {0}", inout(xmm_reg) value, options(pure, nomem, nostack));
            }
            Estimate::ReciprocalSquareRoot => {
                asm!("rsqrtss {0}, {0}", inout(xmm_reg) value, options(pure, nomem, nostack));
            }
        }
    }
    value.to_bits()
}

#[cfg(test)]
pub(super) mod oracle;
