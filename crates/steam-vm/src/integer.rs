//! General integer instructions: arithmetic, shifts, bits, exchanges, decimal.

use vm_isa::alu::{self, Shift};
use vm_isa::{Flags, Op, Operand};

use crate::cpu::{Cpu, Exit, Trap};

type Done = Result<(), Exit>;

const EAX: u8 = 0;
const ECX: u8 = 1;
const EDX: u8 = 2;
const EBX: u8 = 3;
const AH: u8 = 4;

impl Cpu {
    /// `d = d ∘ s` with flags.
    #[inline(always)]
    pub(crate) fn binary(
        &mut self,
        op: &Op,
        compute: impl Fn(u32, u32, bool, u32) -> (u32, Flags),
    ) -> Done {
        let a = self.read(op, op.d)?;
        let b = self.read(op, op.s)?;
        let (result, flags) = compute(a, b, self.flags.carry(), op.bits());
        self.write(op, op.d, result)?;
        self.flags = flags;
        Ok(())
    }

    /// `d ∘ s` for its flags alone.
    #[inline(always)]
    pub(crate) fn compare(
        &mut self,
        op: &Op,
        compute: impl Fn(u32, u32, bool, u32) -> (u32, Flags),
    ) -> Done {
        let a = self.read(op, op.d)?;
        let b = self.read(op, op.s)?;
        self.flags = compute(a, b, false, op.bits()).1;
        Ok(())
    }

    /// `d = ∘ d` with flags made from those before.
    #[inline(always)]
    pub(crate) fn unary(
        &mut self,
        op: &Op,
        compute: impl Fn(u32, u32, Flags) -> (u32, Flags),
    ) -> Done {
        let a = self.read(op, op.d)?;
        let (result, flags) = compute(a, op.bits(), self.flags);
        self.write(op, op.d, result)?;
        self.flags = flags;
        Ok(())
    }

    pub(crate) fn shift(&mut self, op: &Op, kind: Shift) -> Done {
        let a = self.read(op, op.d)?;
        let count = self.read_of(op, op.s, 1)?;
        let (result, flags) = alu::shift(kind, a, count, op.bits(), self.flags);
        self.write(op, op.d, result)?;
        self.flags = flags;
        Ok(())
    }

    pub(crate) fn double_shift(&mut self, op: &Op, left: bool) -> Done {
        let a = self.read(op, op.d)?;
        let b = self.read(op, op.s)?;
        let count = if op.three_operands() { op.imm } else { self.reg8(ECX) };
        let (result, flags) = alu::double_shift(left, a, b, count, op.bits(), self.flags);
        self.write(op, op.d, result)?;
        self.flags = flags;
        Ok(())
    }

    pub(crate) fn wide_multiply(&mut self, op: &Op, signed: bool) -> Done {
        let a = self.reg_of(EAX, op.bytes());
        let b = self.read(op, op.d)?;
        let (low, high, flags) = alu::multiply(signed, a, b, op.bits());
        self.set_pair(op.bytes(), low, high);
        self.flags = flags;
        Ok(())
    }

    pub(crate) fn wide_divide(&mut self, op: &Op, signed: bool) -> Done {
        let divisor = self.read(op, op.d)?;
        let bytes = op.bytes();
        let low = self.reg_of(EAX, bytes);
        let high = if bytes == 1 { self.reg8(AH) } else { self.reg_of(EDX, bytes) };
        match alu::divide(signed, high, low, divisor, op.bits()) {
            Some((quotient, remainder)) => {
                self.set_pair(bytes, quotient, remainder);
                Ok(())
            }
            None => self.trap(Trap::DivideError),
        }
    }

    /// ah:al, dx:ax or edx:eax.
    fn set_pair(&mut self, bytes: u32, low: u32, high: u32) {
        self.set_reg_of(EAX, bytes, low);
        if bytes == 1 {
            self.set_reg8(AH, high);
        } else {
            self.set_reg_of(EDX, bytes, high);
        }
    }

    pub(crate) fn multiply_into(&mut self, op: &Op) -> Done {
        let (a, b) = if op.three_operands() {
            (self.read(op, op.s)?, op.imm & alu::mask(op.bits()))
        } else {
            (self.reg_of(op.d, op.bytes()), self.read(op, op.s)?)
        };
        let (low, _, flags) = alu::multiply(true, a, b, op.bits());
        self.set_reg_of(op.d, op.bytes(), low);
        self.flags = flags;
        Ok(())
    }

    /// `bt` and the like: `change` gives the new word from the old one and the bit's mask.
    pub(crate) fn bit_test(&mut self, op: &Op, change: Option<fn(u32, u32) -> u32>) -> Done {
        let (bytes, bits) = (op.bytes(), op.bits());
        let position = self.read(op, op.s)?;
        let bit = position & (bits - 1);
        if op.d != Operand::MEMORY {
            let word = self.reg_of(op.d, bytes);
            if let Some(change) = change {
                self.set_reg_of(op.d, bytes, change(word, 1 << bit));
            }
            self.flags.set_carry(word >> bit & 1 != 0);
            return Ok(());
        }
        let mut address = self.address(op);
        if op.s != Operand::IMMEDIATE {
            // A register's offset is signed and reaches beyond the word.
            let words = alu::signed(position, bits) >> bits.trailing_zeros();
            address = address.wrapping_add((words as u32).wrapping_mul(bytes));
        }
        let word = self.load_of(address, bytes)?;
        if let Some(change) = change {
            self.store_of(address, bytes, change(word, 1 << bit))?;
        }
        self.flags.set_carry(word >> bit & 1 != 0);
        Ok(())
    }

    /// `bsf` and `bsr`: a source of zero leaves the destination as it was.
    pub(crate) fn bit_scan(&mut self, op: &Op, find: fn(u32) -> u32) -> Done {
        let source = self.read(op, op.s)?;
        if source != 0 {
            self.set_reg_of(op.d, op.bytes(), find(source));
        }
        self.flags.set_zero(source == 0);
        Ok(())
    }

    /// `tzcnt`, `lzcnt` and `popcnt`.
    pub(crate) fn count_bits(&mut self, op: &Op, count: fn(u32, u32) -> (u32, Flags)) -> Done {
        let source = self.read(op, op.s)?;
        let (result, flags) = count(source, op.bits());
        self.set_reg_of(op.d, op.bytes(), result);
        self.flags = flags;
        Ok(())
    }

    /// `movbe`: moves the bytes in opposite order.
    pub(crate) fn move_swapped(&mut self, op: &Op) -> Done {
        let value = self.read(op, op.s)?;
        self.write(op, op.d, value.swap_bytes() >> (32 - op.bits()))
    }

    /// `crc32`: the source is as wide as the op says, the sum always has 32 bits.
    pub(crate) fn checksum(&mut self, op: &Op) -> Done {
        let source = self.read(op, op.s)?;
        let sum = alu::checksum(self.reg(op.d), source, op.bits());
        self.set_reg(op.d, sum);
        Ok(())
    }

    pub(crate) fn exchange(&mut self, op: &Op) -> Done {
        let a = self.read(op, op.d)?;
        let b = self.read(op, op.s)?;
        // The memory operand first: it may be refused.
        if op.s == Operand::MEMORY {
            self.write(op, op.s, a)?;
            return self.write(op, op.d, b);
        }
        self.write(op, op.d, b)?;
        self.write(op, op.s, a)
    }

    pub(crate) fn exchange_add(&mut self, op: &Op) -> Done {
        let a = self.read(op, op.d)?;
        let b = self.read(op, op.s)?;
        let (result, flags) = alu::add(a, b, false, op.bits());
        if op.d == Operand::MEMORY {
            self.write(op, op.d, result)?;
            self.write(op, op.s, a)?;
        } else {
            self.write(op, op.s, a)?;
            self.write(op, op.d, result)?;
        }
        self.flags = flags;
        Ok(())
    }

    pub(crate) fn compare_exchange(&mut self, op: &Op) -> Done {
        let bytes = op.bytes();
        let expected = self.reg_of(EAX, bytes);
        let current = self.read(op, op.d)?;
        let (_, flags) = alu::sub(expected, current, false, op.bits());
        if expected == current {
            let new = self.read(op, op.s)?;
            self.write(op, op.d, new)?;
        } else {
            // The CPU writes the old value back, so the operand must be writable.
            self.write(op, op.d, current)?;
            self.set_reg_of(EAX, bytes, current);
        }
        self.flags = flags;
        Ok(())
    }

    pub(crate) fn compare_exchange_8(&mut self, op: &Op) -> Done {
        let address = self.address(op);
        let esp = self.esp();
        let current = u64::from_le_bytes(self.memory.load(address, esp)?);
        let pair = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        let expected = pair(self.reg(EDX), self.reg(EAX));
        let equal = expected == current;
        let new = if equal { pair(self.reg(ECX), self.reg(EBX)) } else { current };
        self.memory.store(address, new.to_le_bytes(), esp)?;
        if !equal {
            self.set_reg(EAX, current as u32);
            self.set_reg(EDX, (current >> 32) as u32);
        }
        self.flags.set_zero(equal);
        Ok(())
    }

    pub(crate) fn widening_move(&mut self, op: &Op, signed: bool) -> Done {
        let value = self.read_of(op, op.s, op.imm)?;
        let value = if signed { alu::signed(value, op.imm * 8) as u32 } else { value };
        self.set_reg_of(op.d, op.bytes(), value);
        Ok(())
    }

    /// `cbw` and `cwde`.
    pub(crate) fn widen_eax(&mut self, op: &Op) {
        let half = op.bytes() / 2;
        let value = alu::signed(self.reg_of(EAX, half), half * 8) as u32;
        self.set_reg_of(EAX, op.bytes(), value);
    }

    /// `cwd` and `cdq`.
    pub(crate) fn widen_into_edx(&mut self, op: &Op) {
        let value = alu::signed(self.reg_of(EAX, op.bytes()), op.bits());
        self.set_reg_of(EDX, op.bytes(), (value >> 31) as u32);
    }

    pub(crate) fn decimal_adjust(&mut self, subtract: bool) {
        let (al, flags) = alu::adjust_packed(subtract, self.reg8(EAX) as u8, self.flags);
        self.set_reg8(EAX, u32::from(al));
        self.flags = flags;
    }

    pub(crate) fn ascii_adjust(&mut self, subtract: bool) {
        let ax = self.reg_of(EAX, 2) as u16;
        let (ax, flags) = alu::adjust_unpacked(subtract, ax, self.flags);
        self.set_reg_of(EAX, 2, u32::from(ax));
        self.flags = flags;
    }

    pub(crate) fn ascii_multiply(&mut self, base: u32) -> Done {
        if base == 0 {
            return self.trap(Trap::DivideError);
        }
        let al = self.reg8(EAX);
        self.set_reg_of(EAX, 2, ((al / base) << 8) | (al % base));
        self.flags = Flags::logic(al % base, 8);
        Ok(())
    }

    pub(crate) fn ascii_divide(&mut self, base: u32) {
        let ax = self.reg_of(EAX, 2);
        let al = ((ax & 0xff) + (ax >> 8) * base) & 0xff;
        self.set_reg_of(EAX, 2, al);
        self.flags = Flags::logic(al, 8);
    }

    pub(crate) fn check_bounds(&mut self, op: &Op) -> Done {
        let (bytes, bits) = (op.bytes(), op.bits());
        let address = self.address(op);
        let low = alu::signed(self.load_of(address, bytes)?, bits);
        let high = alu::signed(self.load_of(address.wrapping_add(bytes), bytes)?, bits);
        let index = alu::signed(self.reg_of(op.d, bytes), bits);
        if index < low || index > high { self.trap(Trap::Bound) } else { Ok(()) }
    }
}
