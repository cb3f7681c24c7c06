//! Instructions that push and pop. The stack pointer moves only after every access was allowed.

use steam_state::AccessKind;
use vm_isa::{Op, Operand, flags};

use crate::cpu::{Cpu, Exit, Stop};

type Done = Result<(), Exit>;

const ESP: u8 = 4;
const EBP: u8 = 5;

impl Cpu {
    #[inline(always)]
    pub(crate) fn push32(&mut self, value: u32) -> Done {
        let esp = self.esp().wrapping_sub(4);
        self.memory.store(esp, value.to_le_bytes(), esp)?;
        self.set_reg(ESP, esp);
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn pop32(&mut self) -> Result<u32, Exit> {
        let esp = self.esp();
        let value = self.load32(esp)?;
        self.set_reg(ESP, esp.wrapping_add(4));
        Ok(value)
    }

    pub(crate) fn push_of(&mut self, bytes: u32, value: u32) -> Done {
        let esp = self.esp().wrapping_sub(bytes);
        self.store_above(esp, esp, bytes, value)?;
        self.set_reg(ESP, esp);
        Ok(())
    }

    /// Stores a word that is not below what the stack pointer is about to be.
    fn store_above(&mut self, esp: u32, address: u32, bytes: u32, value: u32) -> Done {
        match bytes {
            2 => self.memory.store(address, (value as u16).to_le_bytes(), esp)?,
            _ => self.memory.store(address, value.to_le_bytes(), esp)?,
        }
        Ok(())
    }

    pub(crate) fn pop_general(&mut self, op: &Op) -> Done {
        let (bytes, esp) = (op.bytes(), self.esp());
        let value = self.load_of(esp, bytes)?;
        // An address that uses esp is computed with the popped stack pointer.
        self.set_reg(ESP, esp.wrapping_add(bytes));
        if op.d == Operand::MEMORY {
            let address = self.address(op);
            let stored = self.store_of(address, bytes, value);
            if stored.is_err() {
                self.set_reg(ESP, esp);
            }
            return stored;
        }
        self.set_reg_of(op.d, bytes, value);
        Ok(())
    }

    pub(crate) fn push_all(&mut self, op: &Op) -> Done {
        let bytes = op.bytes();
        let esp = self.esp();
        let low = esp.wrapping_sub(8 * bytes);
        self.memory.probe(low, 8 * bytes, AccessKind::Write, low)?;
        for register in 0..8 {
            let address = esp.wrapping_sub((u32::from(register) + 1) * bytes);
            self.store_above(low, address, bytes, self.reg(register))?;
        }
        self.set_reg(ESP, low);
        Ok(())
    }

    pub(crate) fn pop_all(&mut self, op: &Op) -> Done {
        let bytes = op.bytes();
        let esp = self.esp();
        let mut values = [0; 8];
        for (i, value) in values.iter_mut().enumerate() {
            *value = self.load_of(esp.wrapping_add(i as u32 * bytes), bytes)?;
        }
        for (i, value) in values.into_iter().enumerate() {
            let register = 7 - i as u8;
            if register != ESP {
                self.set_reg_of(register, bytes, value);
            }
        }
        self.set_reg(ESP, esp.wrapping_add(8 * bytes));
        Ok(())
    }

    pub(crate) fn push_flags(&mut self, op: &Op) -> Done {
        self.push_of(op.bytes(), self.eflags())
    }

    pub(crate) fn pop_flags(&mut self, op: &Op) -> Done {
        let (bytes, esp) = (op.bytes(), self.esp());
        let value = self.load_of(esp, bytes)?;
        if value & flags::TF != 0 {
            return self.refuse_single_steps();
        }
        self.set_reg(ESP, esp.wrapping_add(bytes));
        let kept = if bytes == 2 { self.eflags() & 0xffff_0000 } else { 0 };
        self.set_eflags(value | kept);
        Ok(())
    }

    #[cold]
    fn refuse_single_steps(&mut self) -> Done {
        const POPF: u8 = 0x9d;
        let mut bytes = [0; 15];
        bytes[0] = POPF;
        self.stop = Stop::Unsupported { bytes, length: 1 };
        Err(Exit::Here)
    }

    /// `enter size, level`: the frame's links are copied one by one, since the frames may overlap.
    pub(crate) fn enter_frame(&mut self, op: &Op) -> Done {
        let (size, level, bytes) = (op.imm & 0xffff, op.imm >> 16 & 31, op.bytes());
        let (esp, ebp) = (self.esp(), self.reg(EBP));
        let frame = esp.wrapping_sub(bytes);
        let low = frame.wrapping_sub(level * bytes);
        // All accesses are checked before the first is done.
        self.memory.probe(low, (level + 1) * bytes, AccessKind::Write, low)?;
        if level > 1 {
            let copied = (level - 1) * bytes;
            self.memory.probe(ebp.wrapping_sub(copied), copied, AccessKind::Read, esp)?;
        }
        self.store_above(low, frame, bytes, ebp)?;
        for link in 1..level {
            let outer = ebp.wrapping_sub(link * bytes);
            let value = self.load_of(outer, bytes)?;
            self.store_above(low, frame.wrapping_sub(link * bytes), bytes, value)?;
        }
        if level > 0 {
            self.store_above(low, low, bytes, frame)?;
        }
        self.set_reg_of(EBP, bytes, frame);
        self.set_reg(ESP, low.wrapping_sub(size));
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn leave_frame(&mut self) -> Done {
        // What is read lies at ebp, where the stack pointer is about to be.
        let ebp = self.reg(EBP);
        let value = u32::from_le_bytes(self.memory.load(ebp, ebp)?);
        self.set_reg(ESP, ebp.wrapping_add(4));
        self.set_reg(EBP, value);
        Ok(())
    }

    pub(crate) fn leave_short(&mut self) -> Done {
        let ebp = self.reg(EBP);
        let value = u32::from(u16::from_le_bytes(self.memory.load(ebp, ebp)?));
        self.set_reg(ESP, ebp.wrapping_add(2));
        self.set_reg_of(EBP, 2, value);
        Ok(())
    }

    pub(crate) fn flags_to_ah(&mut self) {
        self.set_reg8(4, self.flags.to_eflags() & 0xff | 2);
    }

    pub(crate) fn ah_to_flags(&mut self) {
        let overflow = if self.flags.overflow() { flags::OF } else { 0 };
        let low = self.reg8(4) & (flags::CF | flags::PF | flags::AF | flags::ZF | flags::SF);
        self.flags = vm_isa::Flags::from_eflags(low | overflow);
    }
}
