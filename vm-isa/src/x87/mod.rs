//! The x87 floating point unit: eight 80-bit registers as a stack, and every instruction on them.
//!
//! The unit is a plain value, [`X87`]; [`execute`] runs one decoded instruction on it. What an
//! instruction does not know (memory, general registers, traps) lies behind
//! [`FpEnv`]. An instruction that traps leaves the unit as it was, so that it can be restarted.
//!
//! Arithmetic is done in integers ([`number`], `soft`, with a quick way for the usual case in
//! `usual`), which is exact in every rounding and precision mode and was measured faster than a
//! round trip through the host's FPU. The transcendental functions have no exact definition but what the CPU does: on x86-64 they run
//! on the host FPU, elsewhere through `f64`.
//!
//! The instruction and data pointers of the real unit are always zero here: they would make
//! states differ by nothing but the history.

#[cfg(any(test, not(target_arch = "x86_64")))]
mod approximate;
mod arithmetic;
mod comparison;
mod control;
mod f80;
#[cfg(target_arch = "x86_64")]
mod host;
mod machine;
pub mod number;
#[cfg(test)]
pub(crate) mod samples;
mod soft;
mod table;
#[cfg(test)]
mod tests;
mod transcendental;
mod transfer;
mod usual;

use crate::fp_env::FpEnv;
pub use f80::F80;
pub use table::X87Op;

/// Bits of the status word.
pub(crate) mod status {
    /// The six exceptions.
    pub const EXCEPTIONS: u16 = 0x003f;
    /// The stack over- or underflowed.
    pub const STACK_FAULT: u16 = 0x0040;
    /// An unmasked exception is pending.
    pub const SUMMARY: u16 = 0x0080;
    /// Condition bit 0.
    pub const C0: u16 = 0x0100;
    /// Condition bit 1.
    pub const C1: u16 = 0x0200;
    /// Condition bit 2.
    pub const C2: u16 = 0x0400;
    /// Condition bit 3.
    pub const C3: u16 = 0x4000;
    /// All condition bits.
    pub const CONDITIONS: u16 = C0 | C1 | C2 | C3;
    /// The top of the stack.
    pub const TOP: u16 = 0x3800;
    /// The mirror of SUMMARY that once meant "busy".
    pub const BUSY: u16 = 0x8000;
}

/// The state of the x87.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct X87 {
    /// The registers by physical number; `ST(i)` is the one at `(top + i) % 8`.
    pub regs: [F80; 8],
    /// The control word.
    pub control: u16,
    /// The status word.
    pub status: u16,
    /// One bit for each physical register that is not empty.
    pub tags: u8,
}

impl Default for X87 {
    /// The unit after `fninit`, as Linux starts a process.
    fn default() -> X87 {
        X87 { regs: [F80::ZERO; 8], control: 0x037f, status: 0, tags: 0 }
    }
}

impl X87 {
    /// The physical number of `ST(0)`.
    #[inline]
    pub fn top(&self) -> u8 {
        (self.status >> 11 & 7) as u8
    }

    pub(crate) fn set_top(&mut self, top: u8) {
        self.status = self.status & !status::TOP | u16::from(top & 7) << 11;
    }

    /// The content of `ST(i)`, whether it is empty or not.
    #[inline]
    pub fn st(&self, i: u8) -> F80 {
        self.regs[self.physical(i)]
    }

    /// Whether `ST(i)` is empty.
    #[inline]
    pub fn is_empty(&self, i: u8) -> bool {
        self.tags >> self.physical(i) & 1 == 0
    }

    #[inline]
    fn physical(&self, i: u8) -> usize {
        usize::from(self.top().wrapping_add(i) & 7)
    }

    /// The tag word of `fnstenv`: two bits for each physical register.
    pub fn tag_word(&self) -> u16 {
        (0..8).fold(0, |word, i| word | self.tag(i) << (2 * i))
    }

    fn tag(&self, register: usize) -> u16 {
        let value = self.regs[register];
        if self.tags >> register & 1 == 0 {
            return 3;
        }
        match (value.biased(), value.mantissa) {
            (0, 0) => 1,
            (0 | 0x7fff, _) => 2,
            (_, mantissa) if mantissa & number::INTEGER_BIT == 0 => 2,
            _ => 0,
        }
    }

    /// Recomputes the summary bits from the exceptions and their masks.
    #[inline]
    pub(crate) fn summarise(&mut self) {
        self.status &= !(status::SUMMARY | status::BUSY);
        if self.status & status::EXCEPTIONS & !self.control != 0 {
            self.status |= status::SUMMARY | status::BUSY;
        }
    }

    /// Whether an unmasked exception waits to be raised.
    #[inline]
    pub fn pending(&self) -> bool {
        self.status & status::SUMMARY != 0
    }
}

/// An x87 instruction as decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct X87Decoded {
    /// What to do.
    pub op: X87Op,
    /// The index of the register operand other than `ST(0)`, or 0.
    pub sti: u8,
    /// Whether there is a memory operand.
    pub memory: bool,
}

impl X87Op {
    /// The x87 instruction that iced-x86 found, or `None` when it is of another unit.
    pub fn decode(instruction: &iced_x86::Instruction) -> Option<X87Decoded> {
        use iced_x86::{OpKind, Register};
        let op = X87Op::from_code(instruction.code())?;
        let mut decoded = X87Decoded { op, sti: 0, memory: false };
        for i in 0..instruction.op_count() {
            match instruction.op_kind(i) {
                OpKind::Memory => decoded.memory = true,
                OpKind::Register => {
                    let register = instruction.op_register(i);
                    if (Register::ST1..=Register::ST7).contains(&register) {
                        decoded.sti = (register as u32 - Register::ST0 as u32) as u8;
                    }
                }
                _ => {}
            }
        }
        Some(decoded)
    }
}

/// Runs one x87 instruction; `addr` is the address of its memory operand, if it has one.
#[inline]
pub fn execute<E: FpEnv>(
    op: X87Op,
    sti: u8,
    addr: u32,
    fpu: &mut X87,
    env: &mut E,
) -> Result<(), E::Trap> {
    machine::Machine { fpu, env, sti, addr }.dispatch(op)
}
