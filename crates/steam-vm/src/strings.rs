//! String instructions. Each iteration of a repeated one is done or not done as a whole, with the
//! registers as the CPU leaves them between two iterations, so that a refused one restarts there.

use vm_isa::{Op, Repeat, alu};

use crate::cpu::{Cpu, Exit};

type Done = Result<(), Exit>;

const EAX: u8 = 0;
const ECX: u8 = 1;
const ESI: u8 = 6;
const EDI: u8 = 7;

impl Cpu {
    /// Does `once` as often as the prefix says; `once` returns whether a comparing instruction found
    /// its operands equal.
    fn repeated(
        &mut self,
        op: &Op,
        mut once: impl FnMut(&mut Self) -> Result<Option<bool>, Exit>,
    ) -> Done {
        let repeat = op.repeat();
        if repeat == Repeat::Once {
            once(self)?;
            return Ok(());
        }
        let bytes = if op.short_address() { 2 } else { 4 };
        while self.reg_of(ECX, bytes) != 0 {
            let equal = once(self)?;
            let left = self.reg_of(ECX, bytes).wrapping_sub(1);
            self.set_reg_of(ECX, bytes, left);
            self.memory.policy.instruction_over();
            match (equal, repeat) {
                (Some(false), Repeat::WhileEqual) | (Some(true), Repeat::WhileNotEqual) => break,
                _ => {}
            }
        }
        Ok(())
    }

    fn source(&self, op: &Op) -> u32 {
        let offset = if op.short_address() { self.reg(ESI) & 0xffff } else { self.reg(ESI) };
        offset.wrapping_add(self.segment_base(op.segment()))
    }

    fn destination(&self, op: &Op) -> u32 {
        if op.short_address() { self.reg(EDI) & 0xffff } else { self.reg(EDI) }
    }

    fn advance(&mut self, op: &Op, register: u8) {
        let step = if self.direction() { op.bytes().wrapping_neg() } else { op.bytes() };
        let bytes = if op.short_address() { 2 } else { 4 };
        self.set_reg_of(register, bytes, self.reg(register).wrapping_add(step));
    }

    pub(crate) fn move_string(&mut self, op: &Op) -> Done {
        self.repeated(op, |cpu| {
            let value = cpu.load_of(cpu.source(op), op.bytes())?;
            cpu.store_of(cpu.destination(op), op.bytes(), value)?;
            cpu.advance(op, ESI);
            cpu.advance(op, EDI);
            Ok(None)
        })
    }

    pub(crate) fn store_string(&mut self, op: &Op) -> Done {
        self.repeated(op, |cpu| {
            let value = cpu.reg_of(EAX, op.bytes());
            cpu.store_of(cpu.destination(op), op.bytes(), value)?;
            cpu.advance(op, EDI);
            Ok(None)
        })
    }

    pub(crate) fn load_string(&mut self, op: &Op) -> Done {
        self.repeated(op, |cpu| {
            let value = cpu.load_of(cpu.source(op), op.bytes())?;
            cpu.set_reg_of(EAX, op.bytes(), value);
            cpu.advance(op, ESI);
            Ok(None)
        })
    }

    pub(crate) fn compare_strings(&mut self, op: &Op) -> Done {
        self.repeated(op, |cpu| {
            let a = cpu.load_of(cpu.source(op), op.bytes())?;
            let b = cpu.load_of(cpu.destination(op), op.bytes())?;
            cpu.flags = alu::sub(a, b, false, op.bits()).1;
            cpu.advance(op, ESI);
            cpu.advance(op, EDI);
            Ok(Some(a == b))
        })
    }

    pub(crate) fn scan_string(&mut self, op: &Op) -> Done {
        self.repeated(op, |cpu| {
            let a = cpu.reg_of(EAX, op.bytes());
            let b = cpu.load_of(cpu.destination(op), op.bytes())?;
            cpu.flags = alu::sub(a, b, false, op.bits()).1;
            cpu.advance(op, EDI);
            Ok(Some(a == b))
        })
    }

    pub(crate) fn translate_byte(&mut self, op: &Op) -> Done {
        let offset = self.reg(3).wrapping_add(self.reg8(EAX));
        let offset = if op.short_address() { offset & 0xffff } else { offset };
        let value = self.load8(offset.wrapping_add(self.segment_base(op.segment())))?;
        self.set_reg8(EAX, value);
        Ok(())
    }
}
