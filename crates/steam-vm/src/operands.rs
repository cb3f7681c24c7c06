//! Operands: registers of each width, addresses, memory.

use vm_isa::{Op, Operand, Segment};

use crate::cpu::{Cpu, Exit};

const ESP: usize = 4;

impl Cpu {
    #[inline(always)]
    pub(crate) fn reg(&self, number: u8) -> u32 {
        self.gpr[usize::from(number & 15)]
    }

    #[inline(always)]
    pub(crate) fn set_reg(&mut self, number: u8, value: u32) {
        self.gpr[usize::from(number & 7)] = value;
    }

    #[inline(always)]
    pub(crate) fn esp(&self) -> u32 {
        self.gpr[ESP]
    }

    /// The register of a width, in the low bits.
    #[inline(always)]
    pub(crate) fn reg_of(&self, number: u8, bytes: u32) -> u32 {
        match bytes {
            1 => self.reg8(number),
            2 => self.reg(number) & 0xffff,
            _ => self.reg(number),
        }
    }

    #[inline(always)]
    pub(crate) fn reg8(&self, number: u8) -> u32 {
        self.gpr[usize::from(number & 3)] >> (u32::from(number & 4) * 2) & 0xff
    }

    #[inline(always)]
    pub(crate) fn set_reg8(&mut self, number: u8, value: u32) {
        let shift = u32::from(number & 4) * 2;
        let whole = &mut self.gpr[usize::from(number & 3)];
        *whole = *whole & !(0xff << shift) | (value & 0xff) << shift;
    }

    #[inline(always)]
    pub(crate) fn set_reg_of(&mut self, number: u8, bytes: u32, value: u32) {
        match bytes {
            1 => self.set_reg8(number, value),
            2 => self.set_reg(number, self.reg(number) & 0xffff_0000 | value & 0xffff),
            _ => self.set_reg(number, value),
        }
    }

    /// The address of a memory operand without segment or wrapping.
    #[inline(always)]
    pub(crate) fn plain_address(&self, op: &Op) -> u32 {
        self.reg(op.base).wrapping_add(self.reg(op.index) << op.scale()).wrapping_add(op.disp)
    }

    /// The address within the segment of any memory operand.
    #[inline]
    pub(crate) fn offset(&self, op: &Op) -> u32 {
        let offset = self.plain_address(op);
        if op.short_address() { offset & 0xffff } else { offset }
    }

    /// The address of any memory operand.
    #[inline]
    pub(crate) fn address(&self, op: &Op) -> u32 {
        self.offset(op).wrapping_add(self.segment_base(op.segment()))
    }

    #[inline(always)]
    pub(crate) fn segment_base(&self, segment: Segment) -> u32 {
        match segment {
            Segment::Flat => 0,
            Segment::Fs => self.fs_base,
            Segment::Gs => self.gs_base,
        }
    }

    #[inline(always)]
    pub(crate) fn load32(&mut self, address: u32) -> Result<u32, Exit> {
        Ok(u32::from_le_bytes(self.memory.load(address, self.gpr[ESP])?))
    }

    #[inline(always)]
    pub(crate) fn store32(&mut self, address: u32, value: u32) -> Result<(), Exit> {
        Ok(self.memory.store(address, value.to_le_bytes(), self.gpr[ESP])?)
    }

    #[inline(always)]
    pub(crate) fn load16(&mut self, address: u32) -> Result<u32, Exit> {
        Ok(u32::from(u16::from_le_bytes(self.memory.load(address, self.gpr[ESP])?)))
    }

    #[inline(always)]
    pub(crate) fn load8(&mut self, address: u32) -> Result<u32, Exit> {
        let [byte] = self.memory.load(address, self.gpr[ESP])?;
        Ok(u32::from(byte))
    }

    #[inline(always)]
    pub(crate) fn store8(&mut self, address: u32, value: u32) -> Result<(), Exit> {
        Ok(self.memory.store(address, [value as u8], self.gpr[ESP])?)
    }

    #[inline]
    pub(crate) fn load_of(&mut self, address: u32, bytes: u32) -> Result<u32, Exit> {
        match bytes {
            1 => self.load8(address),
            2 => self.load16(address),
            _ => self.load32(address),
        }
    }

    #[inline]
    pub(crate) fn store_of(&mut self, address: u32, bytes: u32, value: u32) -> Result<(), Exit> {
        match bytes {
            1 => self.store8(address, value),
            2 => Ok(self.memory.store(address, (value as u16).to_le_bytes(), self.gpr[ESP])?),
            _ => self.store32(address, value),
        }
    }

    /// The value of an operand of the op's width.
    #[inline]
    pub(crate) fn read(&mut self, op: &Op, operand: u8) -> Result<u32, Exit> {
        self.read_of(op, operand, op.bytes())
    }

    #[inline]
    pub(crate) fn read_of(&mut self, op: &Op, operand: u8, bytes: u32) -> Result<u32, Exit> {
        match operand {
            Operand::MEMORY => self.load_of(self.address(op), bytes),
            Operand::IMMEDIATE => Ok(op.imm & vm_isa::alu::mask(bytes * 8)),
            register => Ok(self.reg_of(register, bytes)),
        }
    }

    /// Sets an operand of the op's width.
    #[inline]
    pub(crate) fn write(&mut self, op: &Op, operand: u8, value: u32) -> Result<(), Exit> {
        if operand == Operand::MEMORY {
            return self.store_of(self.address(op), op.bytes(), value);
        }
        self.set_reg_of(operand, op.bytes(), value);
        Ok(())
    }
}
