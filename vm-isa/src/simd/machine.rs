//! What all SIMD instructions share: operands, alignment, the MMX registers, exceptions.

use super::{Operand, Simd};
use crate::fp_env::FpEnv;
use crate::x87::number::{DENORMAL, INVALID, ZERO_DIVIDE};
use crate::x87::{F80, X87};

/// One instruction at work.
pub(super) struct Machine<'a, E> {
    pub dst: Operand,
    pub src: Operand,
    pub imm8: u8,
    pub addr: u32,
    pub simd: &'a mut Simd,
    pub x87: &'a mut X87,
    pub env: &'a mut E,
}

/// Whether an instruction may have MMX operands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Registers {
    /// Vector registers only.
    Sse,
    /// MMX registers too: their use waits for x87 exceptions and turns the x87 stack around.
    Mmx,
}

impl<E: FpEnv> Machine<'_, E> {
    /// Whether an operand is an MMX register.
    pub fn uses_mmx(&self) -> bool {
        matches!(self.dst, Operand::Mm(_)) || matches!(self.src, Operand::Mm(_))
    }

    /// Makes the x87 registers MMX registers, as every MMX instruction does.
    pub fn enter_mmx(&mut self) {
        self.x87.set_top(0);
        self.x87.tags = 0xff;
    }

    /// The content of a vector register.
    #[inline]
    pub fn xmm(&self, index: u8) -> u128 {
        self.simd.xmm[usize::from(index & 7)]
    }

    /// Writes a vector register.
    #[inline]
    pub fn set_xmm(&mut self, index: u8, value: u128) {
        self.simd.xmm[usize::from(index & 7)] = value;
    }

    /// The content of an MMX register.
    pub fn mm(&self, index: u8) -> u64 {
        self.x87.regs[usize::from(index & 7)].mantissa
    }

    /// Writes an MMX register.
    pub fn set_mm(&mut self, index: u8, value: u64) {
        let register = F80 { mantissa: value, sign_exponent: 0xffff };
        self.x87.regs[usize::from(index & 7)] = register;
    }

    /// The content of a register operand, zero-extended.
    #[inline]
    pub fn register(&self, operand: Operand) -> u128 {
        match operand {
            Operand::Xmm(index) => self.xmm(index),
            Operand::Mm(index) => u128::from(self.mm(index)),
            Operand::Gpr(index) => u128::from(self.env.gpr(index)),
            Operand::Memory | Operand::None => 0,
        }
    }

    /// Bits in a vector of the destination's sort.
    pub fn width(&self) -> u32 {
        if matches!(self.dst, Operand::Mm(_)) { 64 } else { 128 }
    }

    /// The whole source: a register, 16 aligned bytes, or 8 bytes beside an MMX register.
    #[inline]
    pub fn source(&mut self) -> Result<u128, E::Trap> {
        match self.src {
            Operand::Memory if self.width() == 64 => Ok(u128::from(self.load64()?)),
            Operand::Memory => self.load_aligned(),
            operand => Ok(self.register(operand)),
        }
    }

    /// The low 64 bits of the source, or 8 bytes of memory.
    #[inline]
    pub fn source64(&mut self) -> Result<u64, E::Trap> {
        match self.src {
            Operand::Memory => self.load64(),
            operand => Ok(self.register(operand) as u64),
        }
    }

    /// The low 32 bits of the source, or 4 bytes of memory.
    #[inline]
    pub fn source32(&mut self) -> Result<u32, E::Trap> {
        match self.src {
            Operand::Memory => Ok(u32::from_le_bytes(self.env.load(self.addr)?)),
            operand => Ok(self.register(operand) as u32),
        }
    }

    #[inline]
    fn load64(&mut self) -> Result<u64, E::Trap> {
        Ok(u64::from_le_bytes(self.env.load(self.addr)?))
    }

    /// 16 bytes of memory that must be aligned.
    #[inline]
    pub fn load_aligned(&mut self) -> Result<u128, E::Trap> {
        self.check_alignment()?;
        Ok(u128::from_le_bytes(self.env.load(self.addr)?))
    }

    /// Traps unless the memory operand is aligned to 16 bytes.
    #[inline]
    pub fn check_alignment(&mut self) -> Result<(), E::Trap> {
        if self.addr & 15 != 0 {
            return Err(self.env.misaligned(self.addr));
        }
        Ok(())
    }

    /// Writes the destination register.
    #[inline]
    pub fn write(&mut self, value: u128) {
        match self.dst {
            Operand::Xmm(index) => self.set_xmm(index, value),
            Operand::Mm(index) => self.set_mm(index, value as u64),
            Operand::Gpr(index) => self.env.set_gpr(index, value as u32),
            Operand::Memory | Operand::None => {}
        }
    }

    /// Writes the low 64 bits of a vector register and keeps the rest.
    #[inline]
    pub fn write_low64(&mut self, value: u64) {
        if let Operand::Xmm(index) = self.dst {
            let register = &mut self.simd.xmm[usize::from(index & 7)];
            let high = (*register >> 64) as u64;
            *register = u128::from(high) << 64 | u128::from(value);
        }
    }

    /// Writes the low 32 bits of a vector register and keeps the rest.
    #[inline]
    pub fn write_low32(&mut self, value: u32) {
        if let Operand::Xmm(index) = self.dst {
            let low = self.xmm(index) as u64 >> 32 << 32;
            self.write_low64(low | u64::from(value));
        }
    }

    /// Records exceptions; an unmasked one traps, and the destination stays as it was.
    #[inline]
    pub fn raise(&mut self, flags: u16) -> Result<(), E::Trap> {
        const EARLY: u16 = INVALID | DENORMAL | ZERO_DIVIDE;
        let unmasked = !(self.simd.mxcsr >> 7) as u16 & flags & 0x3f;
        if unmasked == 0 {
            self.simd.mxcsr |= u32::from(flags);
            return Ok(());
        }
        // One that is found before computing keeps the others from being found at all.
        let found = if unmasked & EARLY != 0 { flags & EARLY } else { flags };
        self.simd.mxcsr |= u32::from(found);
        Err(self.env.simd_fault())
    }
}
