//! The masks of operands: registers of each width, memory, immediates; and whether addresses are defined.

use steam_state::Birth;
use vm_isa::{Code, Op, Operand};

use super::rules::{self, Partly};
use super::{Seen, Shadow, Uninitialised, Use};
use crate::cpu::Cpu;

impl Shadow {
    /// The mask of a register of a width, in the low bits.
    pub(super) fn register(&self, number: u8, bytes: u32) -> u32 {
        match bytes {
            1 => self.now.gpr[usize::from(number & 3)] >> (u32::from(number & 4) * 2) & 0xff,
            2 => self.now.gpr[usize::from(number & 7)] & 0xffff,
            _ => self.now.gpr[usize::from(number & 7)],
        }
    }

    pub(super) fn register_birth(&self, number: u8, bytes: u32) -> Birth {
        let number = if bytes == 1 { number & 3 } else { number & 7 };
        self.now.births[usize::from(number)]
    }

    pub(super) fn set_register(&mut self, number: u8, bytes: u32, mask: u32, birth: Birth) {
        let (number, kept, shift) = match bytes {
            1 => {
                let shift = u32::from(number & 4) * 2;
                (number & 3, !(0xff << shift), shift)
            }
            2 => (number & 7, 0xffff_0000, 0),
            _ => (number & 7, 0, 0),
        };
        let whole = &mut self.now.gpr[usize::from(number)];
        *whole = *whole & kept | mask << shift & !kept;
        if mask != 0 {
            self.now.births[usize::from(number)] = birth;
        }
    }

    /// The mask of memory, and where what is undefined of it comes from.
    pub(super) fn load(&self, cpu: &Cpu, address: u32, bytes: u32) -> (u128, Birth) {
        let mask = cpu.memory.undefined_bits(address, bytes);
        if mask == 0 {
            return (0, Birth::default());
        }
        let birth = cpu.memory.definedness().map(|it| it.birth_of(address, bytes));
        (mask, self.framed(cpu, birth.unwrap_or_default()))
    }

    pub(super) fn store(&self, cpu: &mut Cpu, address: u32, bytes: u32, mask: u128, birth: Birth) {
        cpu.memory.set_undefined_bits(address, bytes, mask, birth);
    }

    /// An operand's mask and birth.
    fn operand(&self, cpu: &Cpu, operand: u8, bytes: u32, address: u32) -> (u32, Birth) {
        match operand {
            Operand::MEMORY => {
                let (mask, birth) = self.load(cpu, address, bytes);
                (mask as u32, birth)
            }
            0..8 => (self.register(operand, bytes), self.register_birth(operand, bytes)),
            _ => (0, Birth::default()),
        }
    }

    /// Sets an operand's mask.
    pub(super) fn put(
        &mut self,
        cpu: &mut Cpu,
        operand: u8,
        bytes: u32,
        address: u32,
        (mask, birth): (u32, Birth),
    ) {
        match operand {
            Operand::MEMORY => self.store(cpu, address, bytes, u128::from(mask), birth),
            0..8 => self.set_register(operand, bytes, mask, birth),
            _ => {}
        }
    }

    /// The address of a memory operand must be defined. It counts as such once that was reported.
    pub(super) fn look_at_address(&mut self, cpu: &Cpu, op: &Op) -> Result<u32, Uninitialised> {
        for register in [op.base, op.index] {
            let register = usize::from(register.min(8));
            if self.now.gpr[register] != 0 {
                let birth = self.now.births[register];
                self.now.gpr[register] = 0;
                return self.found(cpu, Use::Address, birth);
            }
        }
        Ok(cpu.address(op))
    }

    /// A register that is used as an address or a count must be defined.
    pub(super) fn look_at_register(
        &mut self,
        cpu: &Cpu,
        register: usize,
        used: Use,
    ) -> Result<(), Uninitialised> {
        if self.now.gpr[register] == 0 {
            return Ok(());
        }
        self.now.gpr[register] = 0;
        let birth = self.now.births[register];
        self.found(cpu, used, birth)
    }

    /// The operands of an op of the integer unit.
    pub(super) fn look_at_operands(
        &mut self,
        cpu: &mut Cpu,
        op: &Op,
        seen: &mut Seen,
    ) -> Result<(), Uninitialised> {
        if op.code == Code::Lea {
            self.look_at_lea(cpu, op, seen);
            return Ok(());
        }
        if op.has_memory() {
            // The address of `pop` to memory is computed with the popped stack pointer.
            seen.address = self.look_at_address(cpu, op)?;
            if op.code == Code::Pop && op.base == super::ESP as u8 {
                seen.address = seen.address.wrapping_add(op.bytes());
            }
        }
        let bytes = op.bytes();
        let source_bytes = match op.code {
            Code::Movzx | Code::Movsx => op.imm,
            Code::Rol | Code::Ror | Code::Rcl | Code::Rcr | Code::Shl | Code::Shr | Code::Sar => 1,
            Code::LoadSegment => 2,
            _ => bytes,
        };
        if reads_target(op.code) {
            (seen.a.mask, seen.a_birth) = self.operand(cpu, op.d, bytes, seen.address);
        }
        if op.code != Code::StoreSegment {
            (seen.b.mask, seen.b_birth) = self.operand(cpu, op.s, source_bytes, seen.address);
        }
        let counts = counts(op.code);
        seen.carry.undefined = self.now.flags & rules::CF != 0;
        let beside = match op.code {
            Code::Adc | Code::Sbb => seen.carry.undefined,
            Code::Cmpxchg => self.now.gpr[super::EAX] != 0,
            _ => false,
        };
        if seen.a.mask | seen.b.mask != 0 || beside {
            seen.a.value = value(cpu, op, op.d, bytes, seen.address);
            seen.carry.value = cpu.flags.carry();
        }
        if seen.a.mask | seen.b.mask != 0 || beside || counts {
            seen.b.value = value(cpu, op, op.s, source_bytes, seen.address);
        }
        Ok(())
    }

    /// `lea` adds and uses no address.
    fn look_at_lea(&self, cpu: &Cpu, op: &Op, seen: &mut Seen) {
        let (base, index) = (usize::from(op.base.min(8)), usize::from(op.index.min(8)));
        let part =
            |register: usize| Partly { value: cpu.gpr[register], mask: self.now.gpr[register] };
        (seen.a, seen.a_birth) = (part(base), self.now.births[base]);
        let Partly { value, mask } = part(index);
        seen.b = Partly { value: value << op.scale(), mask: mask << op.scale() };
        seen.b_birth = self.now.births[index];
    }

    /// The value and mask of a register.
    pub(super) fn partly(&self, cpu: &Cpu, register: u8, bytes: u32) -> Partly {
        Partly { value: cpu.reg_of(register, bytes), mask: self.register(register, bytes) }
    }
}

/// Whether the result depends on what the destination was. That of bit tests is looked at later.
fn reads_target(code: Code) -> bool {
    !matches!(
        code,
        Code::Mov
            | Code::Movbe
            | Code::Tzcnt
            | Code::Lzcnt
            | Code::Popcnt
            | Code::Movzx
            | Code::Movsx
            | Code::Set
            | Code::Pop
            | Code::StoreSegment
            | Code::LoadSegment
            | Code::PushSegment
            | Code::PopSegment
            | Code::Bt
            | Code::Bts
            | Code::Btr
            | Code::Btc
    )
}

/// Whether the source counts bits, so that its value is needed whatever is undefined.
fn counts(code: Code) -> bool {
    use Code as C;
    matches!(code, C::Rol | C::Ror | C::Rcl | C::Rcr | C::Shl | C::Shr | C::Sar)
        || matches!(code, C::Bt | C::Bts | C::Btr | C::Btc)
}

fn value(cpu: &mut Cpu, op: &Op, operand: u8, bytes: u32, address: u32) -> u32 {
    match operand {
        Operand::MEMORY => glance(cpu, address, bytes) as u32,
        Operand::IMMEDIATE => op.imm & vm_isa::alu::mask(bytes * 8),
        0..8 => cpu.reg_of(operand, bytes),
        _ => 0,
    }
}

/// Bytes of memory, of which no search takes note; zeros where nothing can be read.
pub(super) fn glance(cpu: &mut Cpu, address: u32, bytes: u32) -> u128 {
    (0..bytes).fold(0, |all, at| {
        let place = address.wrapping_add(at);
        let word = cpu.memory.peek(place & !3).unwrap_or_default();
        all | u128::from(word >> (place % 4 * 8) & 0xff) << (8 * at)
    })
}
