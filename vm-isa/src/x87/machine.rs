//! The rules that all x87 instructions share: the register stack and how exceptions are reported.

use super::number::{DENORMAL, INVALID, ZERO_DIVIDE};
use super::{F80, X87, status};
use crate::fp_env::FpEnv;

/// The exceptions that are found before anything is computed: unmasked, they suppress the result.
pub(super) const EARLY: u16 = INVALID | DENORMAL | ZERO_DIVIDE;

/// What an instruction raises that finds its register empty.
pub(super) const EMPTY_REGISTER: u16 = INVALID | status::STACK_FAULT;

/// A result together with the status bits that it raises: exceptions, stack fault, C1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Outcome<T = F80> {
    pub value: T,
    pub status: u16,
}

impl Outcome {
    /// The masked answer to an invalid operation.
    pub const INVALID: Outcome = Outcome { value: F80::INDEFINITE, status: INVALID };
}

/// One instruction at work.
pub(super) struct Machine<'a, E> {
    pub fpu: &'a mut X87,
    pub env: &'a mut E,
    pub sti: u8,
    pub addr: u32,
}

impl<E: FpEnv> Machine<'_, E> {
    /// The exceptions that trap.
    #[inline]
    pub fn unmasked(&self) -> u16 {
        !self.fpu.control & status::EXCEPTIONS
    }

    /// Whether a register result with this status is written at all.
    #[inline]
    pub fn is_written(&self, raised: u16) -> bool {
        raised & EARLY & self.unmasked() == 0
    }

    /// Sets C1 and the exceptions of an instruction.
    #[inline]
    pub fn report(&mut self, raised: u16) {
        self.fpu.status = self.fpu.status & !status::C1 | raised;
        if raised & self.unmasked() != 0 {
            self.fpu.summarise();
        }
    }

    /// Writes `ST(i)` and marks it full.
    #[inline]
    pub fn write(&mut self, i: u8, value: F80) {
        let register = self.fpu.physical(i);
        self.fpu.regs[register] = value;
        self.fpu.tags |= 1 << register;
    }

    /// Takes `count` registers from the stack.
    #[inline]
    pub fn pop(&mut self, count: u8) {
        for _ in 0..count {
            let top = self.fpu.top();
            self.fpu.tags &= !(1 << top);
            self.fpu.set_top(top.wrapping_add(1));
        }
    }

    /// Reports an outcome, writes it to `ST(i)` and pops, unless an exception forbids it.
    #[inline]
    pub fn finish(&mut self, i: u8, outcome: Outcome, pops: u8) {
        self.report(outcome.status);
        if self.is_written(outcome.status) {
            self.write(i, outcome.value);
            self.pop(pops);
        }
    }

    /// Does the same for an outcome that is known to raise nothing unmasked, and whose register
    /// is known to be full.
    #[inline]
    pub fn finish_usual(&mut self, i: u8, outcome: Outcome, pops: u8) {
        self.fpu.status = self.fpu.status & !status::C1 | outcome.status;
        let register = self.fpu.physical(i);
        self.fpu.regs[register] = outcome.value;
        self.pop(pops);
    }

    /// Answers the use of an empty register by an instruction that writes `ST(i)`.
    #[cold]
    pub fn underflow(&mut self, i: u8, pops: u8) {
        let outcome = Outcome { value: F80::INDEFINITE, status: EMPTY_REGISTER };
        self.finish(i, outcome, pops);
    }

    /// Pushes an outcome, or reports that there is no room.
    #[inline]
    pub fn push(&mut self, outcome: Outcome) {
        // An empty source was reported already and comes before a full stack.
        let room = self.fpu.is_empty(7) || outcome.status & status::STACK_FAULT != 0;
        let outcome = if room { outcome } else { Self::overflow() };
        self.report(outcome.status);
        // A denormal is loaded even where it traps.
        if self.is_written(outcome.status & !DENORMAL) {
            self.fpu.set_top(self.fpu.top().wrapping_sub(1));
            self.write(0, outcome.value);
        }
    }

    /// The answer to a push on a full stack.
    pub fn overflow() -> Outcome {
        let status = EMPTY_REGISTER | status::C1;
        Outcome { value: F80::INDEFINITE, status }
    }
}
