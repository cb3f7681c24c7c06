//! The arithmetic instructions of the x87 in all their operand forms.

use super::machine::{EMPTY_REGISTER, Machine, Outcome};
use super::number::{Parts, Rounding};
use super::soft::{self, Arithmetic};
use super::transfer::Width;
use super::{F80, status, usual};
use crate::fp_env::FpEnv;

impl<E: FpEnv> Machine<'_, E> {
    pub(super) fn arithmetic_single(&mut self, op: Arithmetic) -> Result<(), E::Trap> {
        let bits = u32::from_le_bytes(self.env.load(self.addr)?);
        if !self.arithmetic_usual(op, usual::from_single(bits)) {
            self.arithmetic_memory(op, Parts::from_f32(bits));
        }
        Ok(())
    }

    pub(super) fn arithmetic_double(&mut self, op: Arithmetic) -> Result<(), E::Trap> {
        let bits = u64::from_le_bytes(self.env.load(self.addr)?);
        if !self.arithmetic_usual(op, usual::from_double(bits)) {
            self.arithmetic_memory(op, Parts::from_f64(bits));
        }
        Ok(())
    }

    pub(super) fn arithmetic_integer(
        &mut self,
        op: Arithmetic,
        width: Width,
    ) -> Result<(), E::Trap> {
        let operand = Parts::from_integer(self.integer_operand(width)?);
        self.arithmetic_memory(op, operand);
        Ok(())
    }

    /// Does the usual case, and says whether it was one.
    #[inline]
    fn arithmetic_usual(&mut self, op: Arithmetic, operand: Option<F80>) -> bool {
        let Some(operand) = operand.filter(|_| !self.fpu.is_empty(0)) else { return false };
        let Some(outcome) = usual::arithmetic(op, self.fpu.control, self.fpu.st(0), operand) else {
            return false;
        };
        self.finish_usual(0, outcome, 0);
        true
    }

    fn arithmetic_memory(&mut self, op: Arithmetic, operand: Parts) {
        if self.fpu.is_empty(0) {
            return self.underflow(0, 0);
        }
        let outcome = soft::arithmetic(op, self.fpu.control, self.fpu.st(0).unpack(), operand);
        self.finish(0, outcome, 0);
    }

    /// `ST(0)` is the destination.
    pub(super) fn arithmetic_top(&mut self, op: Arithmetic) -> Result<(), E::Trap> {
        self.arithmetic_between(op, 0, self.sti, 0);
        Ok(())
    }

    /// `ST(i)` is the destination.
    pub(super) fn arithmetic_register(&mut self, op: Arithmetic, pop: bool) -> Result<(), E::Trap> {
        self.arithmetic_between(op, self.sti, 0, u8::from(pop));
        Ok(())
    }

    #[inline]
    fn arithmetic_between(&mut self, op: Arithmetic, to: u8, from: u8, pops: u8) {
        if self.fpu.is_empty(to) || self.fpu.is_empty(from) {
            return self.underflow(to, pops);
        }
        let (a, b) = (self.fpu.st(to), self.fpu.st(from));
        if let Some(outcome) = usual::arithmetic(op, self.fpu.control, a, b) {
            return self.finish_usual(to, outcome, pops);
        }
        let outcome = soft::arithmetic(op, self.fpu.control, a.unpack(), b.unpack());
        self.finish(to, outcome, pops);
    }

    pub(super) fn change_sign(&mut self, change: impl Fn(u16) -> u16) -> Result<(), E::Trap> {
        self.replace_top(|_, value| Outcome {
            value: F80 { sign_exponent: change(value.sign_exponent), ..value },
            status: 0,
        })
    }

    pub(super) fn square_root(&mut self) -> Result<(), E::Trap> {
        self.replace_top(|control, value| soft::square_root(control, value.unpack()))
    }

    pub(super) fn round_to_integer(&mut self) -> Result<(), E::Trap> {
        self.replace_top(soft::round_to_integer)
    }

    /// Replaces `ST(0)` by a function of itself and the control word.
    pub(super) fn replace_top(
        &mut self,
        function: impl Fn(u16, F80) -> Outcome,
    ) -> Result<(), E::Trap> {
        if self.fpu.is_empty(0) {
            self.underflow(0, 0);
            return Ok(());
        }
        let outcome = function(self.fpu.control, self.fpu.st(0));
        self.finish(0, outcome, 0);
        Ok(())
    }

    pub(super) fn scale(&mut self) -> Result<(), E::Trap> {
        if self.fpu.is_empty(0) || self.fpu.is_empty(1) {
            self.underflow(0, 0);
            return Ok(());
        }
        let (a, b) = (self.fpu.st(0).unpack(), self.fpu.st(1).unpack());
        let outcome = soft::scale(self.fpu.control, a, b);
        self.finish(0, outcome, 0);
        Ok(())
    }

    pub(super) fn remainder(&mut self, quotient: Rounding) -> Result<(), E::Trap> {
        self.fpu.status &= !status::C2;
        if self.fpu.is_empty(0) || self.fpu.is_empty(1) {
            self.underflow(0, 0);
            return Ok(());
        }
        let (a, b) = (self.fpu.st(0).unpack(), self.fpu.st(1).unpack());
        let (outcome, conditions) = soft::remainder(self.fpu.control, a, b, quotient);
        self.finish(0, outcome, 0);
        if let Some(conditions) = conditions {
            self.fpu.status = self.fpu.status & !status::CONDITIONS | conditions;
        }
        Ok(())
    }

    /// `fxtract`: the exponent replaces `ST(0)`, the significand is pushed.
    pub(super) fn extract(&mut self) -> Result<(), E::Trap> {
        let (exponent, significand) = soft::extract(self.fpu.control, self.fpu.st(0));
        self.replace_and_push(exponent, significand);
        Ok(())
    }

    /// Replaces `ST(0)` and pushes a second result, both or none.
    pub(super) fn replace_and_push(&mut self, first: F80, second: Outcome) {
        let (first, second) = if self.fpu.is_empty(0) {
            let value = F80::INDEFINITE;
            (value, Outcome { value, status: EMPTY_REGISTER })
        } else if !self.fpu.is_empty(7) {
            (F80::INDEFINITE, Self::overflow())
        } else {
            (first, second)
        };
        self.report(second.status);
        if self.is_written(second.status) {
            self.write(0, first);
            self.fpu.set_top(self.fpu.top().wrapping_sub(1));
            self.write(0, second.value);
        }
    }
}
