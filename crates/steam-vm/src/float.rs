//! Floating point and SIMD instructions: the wiring to `vm_isa`, which knows what they do.

use steam_state::AccessKind;
use steam_visibility::Memory;
use vm_isa::fp_env::FpEnv;
use vm_isa::simd::{self, SimdOp};
use vm_isa::x87::{self, X87Op};
use vm_isa::{Flags, Op, flags};

use crate::cpu::{Cpu, Exit, Stop, Trap};

type Done = Result<(), Exit>;

/// What an instruction of those units can reach beside the units' own registers.
struct Reach<'a> {
    gpr: &'a mut [u32; 16],
    flags: &'a mut Flags,
    memory: &'a mut Memory,
    stop: &'a mut Stop,
}

impl FpEnv for Reach<'_> {
    type Trap = Exit;

    #[inline(always)]
    fn load<const N: usize>(&mut self, addr: u32) -> Result<[u8; N], Exit> {
        Ok(self.memory.load(addr, self.gpr[4])?)
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, addr: u32, bytes: [u8; N]) -> Result<(), Exit> {
        Ok(self.memory.store(addr, bytes, self.gpr[4])?)
    }

    fn probe_store<const N: usize>(&mut self, addr: u32) -> Result<(), Exit> {
        Ok(self.memory.probe(addr, N as u32, AccessKind::Write, self.gpr[4])?)
    }

    fn gpr(&self, index: u8) -> u32 {
        self.gpr[usize::from(index & 7)]
    }

    fn set_gpr(&mut self, index: u8, value: u32) {
        self.gpr[usize::from(index & 7)] = value;
    }

    fn flags_zpc(&self) -> (bool, bool, bool) {
        (self.flags.zero(), self.flags.parity(), self.flags.carry())
    }

    fn set_flags_zpc(&mut self, z: bool, p: bool, c: bool) {
        let bit = |set: bool, mask: u32| if set { mask } else { 0 };
        let eflags = bit(z, flags::ZF) | bit(p, flags::PF) | bit(c, flags::CF);
        self.set_flags(eflags);
    }

    fn set_flags(&mut self, flags: u32) {
        *self.flags = Flags::from_eflags(flags);
    }

    fn set_ax(&mut self, value: u16) {
        self.gpr[0] = self.gpr[0] & 0xffff_0000 | u32::from(value);
    }

    fn misaligned(&mut self, _addr: u32) -> Exit {
        self.raise(Trap::GeneralProtection)
    }

    fn math_fault(&mut self) -> Exit {
        self.raise(Trap::MathFault)
    }

    fn simd_fault(&mut self) -> Exit {
        self.raise(Trap::SimdFault)
    }
}

impl Reach<'_> {
    fn raise(&mut self, trap: Trap) -> Exit {
        *self.stop = Stop::Trap(trap);
        Exit::Here
    }
}

impl Cpu {
    pub(crate) fn floating_point(&mut self, op: &Op) -> Done {
        let address = self.address(op);
        let Some(&which) = X87Op::ALL.get(op.imm as usize) else {
            return self.trap(Trap::InvalidOpcode);
        };
        let mut reach = Reach {
            gpr: &mut self.gpr,
            flags: &mut self.flags,
            memory: &mut self.memory,
            stop: &mut self.stop,
        };
        x87::execute(which, op.d, address, &mut self.x87, &mut reach)
    }

    pub(crate) fn simd_instruction(&mut self, op: &Op) -> Done {
        let address = self.address(op);
        let Some(&which) = SimdOp::ALL.get((op.imm & 0xffff) as usize) else {
            return self.trap(Trap::InvalidOpcode);
        };
        let (dst, src) = (simd::Operand::from_byte(op.d), simd::Operand::from_byte(op.s));
        let mut reach = Reach {
            gpr: &mut self.gpr,
            flags: &mut self.flags,
            memory: &mut self.memory,
            stop: &mut self.stop,
        };
        let imm8 = (op.imm >> 16) as u8;
        let (simd, x87) = (&mut self.simd, &mut self.x87);
        simd::execute(which, dst, src, imm8, address, simd, x87, &mut reach)
    }
}
