//! The transcendental instructions of the x87: stack rules here, values from the host FPU or,
//! where there is none, from `f64`.

use super::machine::{Machine, Outcome};
use super::{F80, status};
use crate::fp_env::FpEnv;

#[cfg(not(target_arch = "x86_64"))]
use super::approximate as kernel;
#[cfg(target_arch = "x86_64")]
use super::host as kernel;

/// Functions of `ST(0)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unary {
    Sine,
    Cosine,
    ExponentialMinusOne,
}

/// Functions of `ST(0)` and `ST(1)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Binary {
    ArcTangent,
    Logarithm,
    LogarithmPlusOne,
}

/// Two results: the first replaces `ST(0)`, the second is pushed. C2 among the status bits says
/// that the argument was out of range and nothing changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pair {
    pub first: F80,
    pub second: Outcome,
}

impl<E: FpEnv> Machine<'_, E> {
    pub(super) fn unary(&mut self, function: Unary) -> Result<(), E::Trap> {
        if function != Unary::ExponentialMinusOne {
            self.fpu.status &= !status::C2;
        }
        if self.fpu.is_empty(0) {
            self.underflow(0, 0);
            return Ok(());
        }
        let outcome = kernel::unary(function, self.fpu.control, self.fpu.st(0));
        self.finish(0, outcome, 0);
        Ok(())
    }

    pub(super) fn binary(&mut self, function: Binary) -> Result<(), E::Trap> {
        if self.fpu.is_empty(0) || self.fpu.is_empty(1) {
            self.underflow(1, 1);
            return Ok(());
        }
        let (st0, st1) = (self.fpu.st(0), self.fpu.st(1));
        let outcome = kernel::binary(function, self.fpu.control, st0, st1);
        self.finish(1, outcome, 1);
        Ok(())
    }

    pub(super) fn sine_and_cosine(&mut self) -> Result<(), E::Trap> {
        self.pair(kernel::sine_and_cosine);
        Ok(())
    }

    pub(super) fn tangent(&mut self) -> Result<(), E::Trap> {
        self.pair(kernel::tangent);
        Ok(())
    }

    fn pair(&mut self, function: impl Fn(u16, F80) -> Pair) {
        let pair = function(self.fpu.control, self.fpu.st(0));
        self.fpu.status &= !status::C2;
        let usable = !self.fpu.is_empty(0) && self.fpu.is_empty(7);
        if usable && pair.second.status & status::C2 != 0 {
            return self.report(pair.second.status);
        }
        self.replace_and_push(pair.first, pair.second);
    }
}
