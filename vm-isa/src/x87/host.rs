//! The transcendental functions of the host's own x87.
//!
//! Each function loads the guest's control word, runs one instruction and puts the host's FPU
//! back as the ABI wants it: empty stack, no exceptions, its own control word. The guest's masks
//! are loaded too, because they decide what an unmasked exception leaves in the register; no
//! waiting instruction follows before the exceptions are cleared, so the host never traps.
#![allow(unsafe_code)] // `asm!` is the only way to the 80-bit instructions.

use std::arch::asm;

use super::machine::Outcome;
use super::transcendental::{Binary, Pair, Unary};
use super::{F80, status};

/// What an instruction gets and leaves.
#[repr(C)]
struct Frame {
    st0: [u8; 10],
    st1: [u8; 10],
    control: u16,
    saved: u16,
    status: u16,
}

macro_rules! run {
    ($frame:ident, $instruction:literal) => {
        // SAFETY: the frame outlives the block, all accesses lie inside of it, the whole x87
        // state is declared as clobbered, and the control word is put back.
        unsafe {
            asm!(
                "fnstcw word ptr [{frame} + 22]",
                "fldcw word ptr [{frame} + 20]",
                "fld tbyte ptr [{frame} + 10]",
                "fld tbyte ptr [{frame}]",
                $instruction,
                "fnstsw word ptr [{frame} + 24]",
                "fnclex",
                "fstp tbyte ptr [{frame}]",
                "fstp tbyte ptr [{frame} + 10]",
                "fninit",
                "fldcw word ptr [{frame} + 22]",
                frame = in(reg) &raw mut $frame,
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack),
            )
        }
    };
}

impl Frame {
    fn new(control: u16, st0: F80, st1: F80) -> Frame {
        Frame { st0: st0.to_bytes(), st1: st1.to_bytes(), control, saved: 0, status: 0 }
    }

    /// `ST(0)` and the status bits that the instruction set.
    fn outcome(&self) -> Outcome {
        const KEPT: u16 = status::EXCEPTIONS | status::C1 | status::C2;
        Outcome { value: F80::from_bytes(self.st0), status: self.status & KEPT }
    }

    /// `ST(1)` and `ST(0)` of an instruction that pushes.
    fn pair(&self) -> Pair {
        Pair { first: F80::from_bytes(self.st1), second: self.outcome() }
    }
}

pub(super) fn unary(function: Unary, control: u16, value: F80) -> Outcome {
    let mut frame = Frame::new(control, value, F80::ZERO);
    match function {
        Unary::Sine => run!(frame, "fsin"),
        Unary::Cosine => run!(frame, "fcos"),
        Unary::ExponentialMinusOne => run!(frame, "f2xm1"),
    }
    frame.outcome()
}

pub(super) fn binary(function: Binary, control: u16, st0: F80, st1: F80) -> Outcome {
    let mut frame = Frame::new(control, st0, st1);
    match function {
        Binary::ArcTangent => run!(frame, "fpatan"),
        Binary::Logarithm => run!(frame, "fyl2x"),
        Binary::LogarithmPlusOne => run!(frame, "fyl2xp1"),
    }
    frame.outcome()
}

pub(super) fn sine_and_cosine(control: u16, value: F80) -> Pair {
    let mut frame = Frame::new(control, value, F80::ZERO);
    run!(frame, "fsincos");
    frame.pair()
}

pub(super) fn tangent(control: u16, value: F80) -> Pair {
    let mut frame = Frame::new(control, value, F80::ZERO);
    run!(frame, "fptan");
    frame.pair()
}

#[cfg(test)]
pub(super) mod oracle;
