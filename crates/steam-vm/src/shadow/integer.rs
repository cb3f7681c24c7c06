//! The integer unit: what each of its ops does to masks, and where it uses a value.

use steam_state::Birth;
use vm_isa::alu::{self, Shift, mask as width_mask, signed};
use vm_isa::{Code, Condition, Flags, Op, Operand};

use super::rules::{self, AF, ALL, CF, Carry, LESS, Made, OF, PF, Partly, SF, ZF};
use super::{EAX, ECX, EDX, ESP, Seen, Shadow, Uninitialised, Use};
use crate::cpu::Cpu;

const EBX: usize = 3;
const EBP: usize = 5;

impl Shadow {
    /// Looks whether an op uses something undefined other than an address.
    pub(super) fn look_at_use(
        &mut self,
        cpu: &mut Cpu,
        op: &Op,
        seen: &Seen,
    ) -> Result<(), Uninitialised> {
        if let Some(condition) = jump_condition(op.code) {
            return match rules::condition(condition, self.now.flags, cpu.flags) {
                false => Ok(()),
                true => {
                    self.now.flags = 0;
                    let birth = self.now.flags_birth;
                    self.found(cpu, Use::Branch, birth)
                }
            };
        }
        match op.code {
            Code::JmpIndirect | Code::CallIndirect if seen.b.mask != 0 => {
                if op.s == Operand::MEMORY {
                    cpu.memory.make_defined(seen.address, 4);
                } else {
                    self.set_register(op.s, 4, 0, Birth::default());
                }
                self.found(cpu, Use::Target, seen.b_birth)
            }
            Code::Ret => {
                let (mask, birth) = self.load(cpu, cpu.gpr[ESP], 4);
                if mask == 0 {
                    return Ok(());
                }
                cpu.memory.make_defined(cpu.gpr[ESP], 4);
                self.found(cpu, Use::Target, birth)
            }
            Code::Loop | Code::Loope | Code::Loopne | Code::Jecxz => {
                self.look_at_register(cpu, ECX, Use::Branch)
            }
            Code::Interrupt => self.look_at_register(cpu, EAX, Use::SystemCall),
            Code::Leave => self.look_at_register(cpu, EBP, Use::Address),
            Code::Push | Code::Pop | Code::Call | Code::Enter => {
                self.look_at_register(cpu, ESP, Use::Address)
            }
            Code::Xlat => {
                self.look_at_register(cpu, EBX, Use::Address)?;
                if self.now.gpr[EAX] & 0xff == 0 {
                    return Ok(());
                }
                self.now.gpr[EAX] &= !0xff;
                let birth = self.now.births[EAX];
                self.found(cpu, Use::Address, birth)
            }
            Code::Bt | Code::Bts | Code::Btr | Code::Btc
                if op.d == Operand::MEMORY && seen.b.mask != 0 =>
            {
                self.set_register(op.s, 4, 0, Birth::default());
                self.found(cpu, Use::Address, seen.b_birth)
            }
            _ => Ok(()),
        }
    }

    /// Does to masks what an op of the integer unit has done to values.
    pub(super) fn follow_integer(&mut self, cpu: &mut Cpu, op: &Op, seen: &Seen) {
        let (bytes, bits) = (op.bytes(), op.bits());
        let (a, b) = (seen.a, seen.b);
        let none = Carry::default();
        match op.code {
            Code::Mov => self.put(cpu, op.d, bytes, seen.address, (b.mask, seen.b_birth)),
            Code::Movzx => self.put(cpu, op.d, bytes, 0, (b.mask, seen.b_birth)),
            Code::Movsx => {
                let mask = signed(b.mask, op.imm * 8) as u32 & width_mask(bits);
                self.put(cpu, op.d, bytes, 0, (mask, seen.b_birth));
            }
            Code::Lea => self.follow_lea(cpu, op, seen),
            Code::Add => self.arithmetic(cpu, op, seen, rules::add(a, b, none, bits)),
            Code::Adc => {
                let made = rules::add(a, b, seen.carry, bits);
                self.arithmetic(cpu, op, seen, made);
            }
            Code::Sub | Code::Xor if same(op) => self.defined_result(cpu, op, seen),
            Code::Sub => self.arithmetic(cpu, op, seen, rules::sub(a, b, none, bits)),
            Code::Sbb if same(op) => {
                // All bits are the carry, whatever the register was.
                let carry = Partly::default();
                let mut made = rules::sub(carry, carry, seen.carry, bits);
                made.mask = if seen.carry.undefined { width_mask(bits) } else { 0 };
                self.arithmetic(cpu, op, seen, made);
            }
            Code::Sbb => {
                let made = rules::sub(a, b, seen.carry, bits);
                self.arithmetic(cpu, op, seen, made);
            }
            Code::Cmp if same(op) => self.now.flags = 0,
            Code::Cmp => self.flags_only(seen, rules::sub(a, b, none, bits).flags),
            Code::And => self.arithmetic(cpu, op, seen, rules::and(a, b, bits)),
            Code::Or => self.arithmetic(cpu, op, seen, rules::or(a, b, bits)),
            Code::Xor => self.arithmetic(cpu, op, seen, rules::xor(a, b, bits)),
            Code::Test => self.flags_only(seen, rules::and(a, b, bits).flags),
            Code::Inc | Code::Dec => {
                let one = Partly::known(1);
                let made = match op.code {
                    Code::Inc => rules::add(a, one, none, bits),
                    _ => rules::sub(a, one, none, bits),
                };
                let carry = self.now.flags & CF;
                let flags = made.flags & !CF | carry;
                self.arithmetic(cpu, op, seen, Made { flags, ..made });
            }
            Code::Neg => {
                let made = rules::sub(Partly::default(), a, none, bits);
                self.arithmetic(cpu, op, seen, made);
            }
            Code::Not => self.put(cpu, op.d, bytes, seen.address, (a.mask, seen.a_birth)),
            Code::Xchg => {
                self.put(cpu, op.d, bytes, seen.address, (b.mask, seen.b_birth));
                self.put(cpu, op.s, bytes, seen.address, (a.mask, seen.a_birth));
            }
            Code::Xadd => {
                self.put(cpu, op.s, bytes, seen.address, (a.mask, seen.a_birth));
                self.arithmetic(cpu, op, seen, rules::add(a, b, none, bits));
            }
            Code::Cmpxchg => self.follow_exchange(cpu, op, seen),
            Code::Cmpxchg8b => self.follow_exchange_8(cpu, op, seen),
            Code::Bswap => {
                let mask = if bytes == 2 { 0 } else { a.mask.swap_bytes() };
                self.put(cpu, op.d, bytes, 0, (mask, seen.a_birth));
            }
            Code::Cmov => {
                let condition = Condition::ALL[(op.imm & 15) as usize];
                let made = if rules::condition(condition, self.now.flags, cpu.flags) {
                    (width_mask(bits), self.now.flags_birth)
                } else if condition.holds(cpu.flags) {
                    (b.mask, seen.b_birth)
                } else {
                    return;
                };
                self.put(cpu, op.d, bytes, 0, made);
            }
            Code::Set => {
                let condition = Condition::ALL[(op.imm & 15) as usize];
                let mask = u32::from(rules::condition(condition, self.now.flags, cpu.flags));
                let birth = self.now.flags_birth;
                self.put(cpu, op.d, bytes, seen.address, (mask, birth));
            }
            Code::Salc => {
                let mask = if self.now.flags & CF != 0 { 0xff } else { 0 };
                self.set_register(0, 1, mask, self.now.flags_birth);
            }
            Code::Push => self.pushed(cpu, bytes, b.mask, seen.b_birth),
            Code::Call | Code::CallIndirect => self.pushed(cpu, 4, 0, Birth::default()),
            Code::PushSegment => self.pushed(cpu, bytes, 0, Birth::default()),
            Code::Pushf => self.pushed(cpu, bytes, self.now.flags & !LESS, self.now.flags_birth),
            Code::Pop => {
                let (mask, birth) = self.load(cpu, seen.esp, bytes);
                self.put(cpu, op.d, bytes, seen.address, (mask as u32, birth));
            }
            Code::Popf => {
                let (mask, birth) = self.load(cpu, seen.esp, bytes);
                self.flags_from(mask as u32, birth);
            }
            Code::Pusha => {
                for register in 0..8u8 {
                    let at = seen.esp.wrapping_sub((u32::from(register) + 1) * bytes);
                    let mask = u128::from(self.register(register, bytes));
                    self.store(cpu, at, bytes, mask, self.now.births[usize::from(register)]);
                }
            }
            Code::Popa => {
                for (at, register) in (0..8u8).rev().enumerate() {
                    let (mask, birth) = self.load(cpu, seen.esp + at as u32 * bytes, bytes);
                    if usize::from(register) != ESP {
                        self.set_register(register, bytes, mask as u32, birth);
                    }
                }
            }
            Code::Enter => {
                // The link to the caller's frame; that frames within frames are linked is rare.
                let frame = seen.esp.wrapping_sub(bytes);
                let mask = u128::from(self.register(EBP as u8, bytes));
                self.store(cpu, frame, bytes, mask, self.now.births[EBP]);
                self.now.gpr[EBP] = 0;
                let level = op.imm >> 16 & 31;
                cpu.memory.make_defined(frame.wrapping_sub(level * bytes), level * bytes);
            }
            Code::Leave => {
                let at = cpu.gpr[ESP].wrapping_sub(bytes);
                let (mask, birth) = self.load(cpu, at, bytes);
                self.set_register(EBP as u8, bytes, mask as u32, birth);
            }
            Code::Xlat => {
                let at = cpu.gpr[EBX].wrapping_add(seen.eax & 0xff);
                let at = at.wrapping_add(cpu.segment_base(op.segment()));
                let (mask, birth) = self.load(cpu, at, 1);
                self.set_register(0, 1, mask as u32, birth);
            }
            Code::Lahf => {
                let mask = self.now.flags & (CF | PF | AF | ZF | SF);
                self.set_register(4, 1, mask, self.now.flags_birth);
            }
            Code::Sahf => {
                let overflow = self.now.flags & OF;
                self.flags_from(self.register(4, 1) | overflow, self.now.births[EAX]);
            }
            Code::Widen => {
                let half = self.register(0, bytes / 2);
                let mask = signed(half, bits / 2) as u32 & width_mask(bits);
                self.set_register(0, bytes, mask, self.now.births[EAX]);
            }
            Code::WidenDouble => {
                let sign = self.register(0, bytes) >> (bits - 1) & 1 != 0;
                let mask = if sign { width_mask(bits) } else { 0 };
                self.set_register(2, bytes, mask, self.now.births[EAX]);
            }
            Code::StoreSegment => self.put(cpu, op.d, bytes, seen.address, (0, Birth::default())),
            Code::Mul | Code::Imul => self.follow_multiply(op, seen),
            Code::ImulInto => {
                let (x, y) = match op.three_operands() {
                    true => (b, Partly::known(op.imm)),
                    false => (a, b),
                };
                let made = rules::multiply(x, y, bits);
                self.arithmetic(cpu, op, seen, made);
            }
            Code::Div | Code::Idiv => self.follow_divide(op, seen),
            Code::Rol => self.follow_shift(cpu, op, seen, Shift::Rol),
            Code::Ror => self.follow_shift(cpu, op, seen, Shift::Ror),
            Code::Rcl => self.follow_shift(cpu, op, seen, Shift::Rcl),
            Code::Rcr => self.follow_shift(cpu, op, seen, Shift::Rcr),
            Code::Shl => self.follow_shift(cpu, op, seen, Shift::Shl),
            Code::Shr => self.follow_shift(cpu, op, seen, Shift::Shr),
            Code::Sar => self.follow_shift(cpu, op, seen, Shift::Sar),
            Code::Shld | Code::Shrd => self.follow_double_shift(cpu, op, seen),
            Code::Bt | Code::Bts | Code::Btr | Code::Btc => self.follow_bit_test(cpu, op, seen),
            Code::Bsf | Code::Bsr => {
                let undefined = rules::scan(b, op.code == Code::Bsf);
                let flags = self.now.flags & !ZF | rules::zero_of(b);
                self.flags_only(seen, flags);
                let zero = b.mask == 0 && cpu.flags.zero();
                if !zero {
                    let mask = if undefined { width_mask(bits) } else { 0 };
                    self.put(cpu, op.d, bytes, 0, (mask, seen.b_birth));
                }
            }
            Code::Daa | Code::Das | Code::Aaa | Code::Aas | Code::Aam | Code::Aad => {
                let decimal = self.now.gpr[EAX] & 0xffff | self.now.flags & (AF | CF);
                let mask = if decimal != 0 { 0xffff } else { 0 };
                self.set_register(0, 2, mask, self.now.births[EAX]);
                self.now.flags = if mask != 0 { ALL } else { 0 };
            }
            Code::Clc | Code::Stc => self.now.flags &= !CF,
            Code::Cpuid => self.now.gpr[..4].fill(0),
            Code::Rdtsc => (self.now.gpr[EAX], self.now.gpr[EDX]) = (0, 0),
            Code::Rdtscp => {
                (self.now.gpr[EAX], self.now.gpr[ECX], self.now.gpr[EDX]) = (0, 0, 0);
            }
            Code::Movbe => {
                let mask = seen.b.mask.swap_bytes() >> (32 - bits);
                self.put(cpu, op.d, bytes, seen.address, (mask, seen.b_birth));
            }
            // What only goes elsewhere, and what its memory operand's address is all of.
            code if has_no_result(code) => {}
            _ => self.pessimistic(cpu, op, seen),
        }
    }

    /// The result of an operation with flags.
    fn arithmetic(&mut self, cpu: &mut Cpu, op: &Op, seen: &Seen, made: Made) {
        let birth = self.birth(seen);
        self.put(cpu, op.d, op.bytes(), seen.address, (made.mask, birth));
        self.flags_only(seen, made.flags);
    }

    fn defined_result(&mut self, cpu: &mut Cpu, op: &Op, seen: &Seen) {
        self.put(cpu, op.d, op.bytes(), seen.address, (0, Birth::default()));
        self.now.flags = 0;
    }

    fn flags_only(&mut self, seen: &Seen, flags: u32) {
        if flags != 0 {
            self.now.flags_birth = self.birth(seen);
        }
        self.now.flags = flags;
    }

    /// Where what is undefined of a result comes from.
    fn birth(&self, seen: &Seen) -> Birth {
        match (seen.a.mask, seen.b.mask) {
            (0, 0) => self.now.flags_birth,
            (0, _) => seen.b_birth,
            _ => seen.a_birth,
        }
    }

    fn flags_from(&mut self, mask: u32, birth: Birth) {
        let less = if mask & (SF | OF) != 0 { LESS } else { 0 };
        self.now.flags = mask & ALL & !LESS | less;
        if mask != 0 {
            self.now.flags_birth = birth;
        }
    }

    fn follow_lea(&mut self, cpu: &mut Cpu, op: &Op, seen: &Seen) {
        let none = Carry::default();
        let sum = rules::add(seen.a, seen.b, none, 32).mask;
        let value = seen.a.value.wrapping_add(seen.b.value);
        let made = rules::add(Partly { value, mask: sum }, Partly::known(op.disp), none, 32);
        let birth = self.birth(seen);
        self.put(cpu, op.d, op.bytes(), 0, (made.mask & width_mask(op.bits()), birth));
    }

    fn follow_exchange(&mut self, cpu: &mut Cpu, op: &Op, seen: &Seen) {
        let (bytes, bits) = (op.bytes(), op.bits());
        let expected = Partly { value: seen.eax & width_mask(bits), mask: self.register(0, bytes) };
        let birth = if expected.mask != 0 { self.now.births[EAX] } else { seen.a_birth };
        let made = match expected.mask | seen.a.mask {
            0 => Made::default(),
            _ => rules::sub(expected, seen.a, Carry::default(), bits),
        };
        (self.now.flags, self.now.flags_birth) = (made.flags, birth);
        if cpu.flags.zero() {
            self.put(cpu, op.d, bytes, seen.address, (seen.b.mask, seen.b_birth));
        } else {
            self.set_register(0, bytes, seen.a.mask, seen.a_birth);
        }
    }

    fn follow_exchange_8(&mut self, cpu: &mut Cpu, op: &Op, seen: &Seen) {
        let address = if op.has_memory() { seen.address } else { cpu.address(op) };
        let (current, birth) = self.load(cpu, address, 8);
        let pair = |high: usize, low: usize| {
            u128::from(self.now.gpr[high]) << 32 | u128::from(self.now.gpr[low])
        };
        let (expected, new) = (pair(EDX, EAX), pair(ECX, EBX));
        let birth = if current != 0 { birth } else { self.now.births[EAX] };
        if current | expected != 0 {
            (self.now.flags, self.now.flags_birth) = (self.now.flags | ZF, birth);
        } else {
            self.now.flags &= !ZF;
        }
        if cpu.flags.zero() {
            let birth = self.now.births[EBX];
            self.store(cpu, address, 8, new, birth);
        } else {
            self.set_register(0, 4, current as u32, birth);
            self.set_register(2, 4, (current >> 32) as u32, birth);
        }
    }

    fn follow_multiply(&mut self, op: &Op, seen: &Seen) {
        let (bytes, bits) = (op.bytes(), op.bits());
        let factor = self.register(0, bytes);
        let unknown = factor | seen.a.mask;
        let birth = if factor != 0 { self.now.births[EAX] } else { seen.a_birth };
        let low = (unknown | unknown.wrapping_neg()) & width_mask(bits);
        let high = if unknown != 0 { width_mask(bits) } else { 0 };
        self.set_pair(bytes, low, high, birth);
        self.now.flags = if unknown != 0 { ALL } else { 0 };
        if unknown != 0 {
            self.now.flags_birth = birth;
        }
    }

    fn follow_divide(&mut self, op: &Op, seen: &Seen) {
        let bytes = op.bytes();
        let high = if bytes == 1 { self.register(4, 1) } else { self.register(2, bytes) };
        let unknown = seen.a.mask | self.register(0, bytes) | high;
        let birth = if seen.a.mask != 0 { seen.a_birth } else { self.now.births[EAX] };
        let mask = if unknown != 0 { width_mask(op.bits()) } else { 0 };
        self.set_pair(bytes, mask, mask, birth);
    }

    fn set_pair(&mut self, bytes: u32, low: u32, high: u32, birth: Birth) {
        self.set_register(0, bytes, low, birth);
        let upper = if bytes == 1 { 4 } else { 2 };
        self.set_register(upper, bytes, high, birth);
    }

    /// Shifts move the bits of a mask as they move those of the value.
    fn follow_shift(&mut self, cpu: &mut Cpu, op: &Op, seen: &Seen, kind: Shift) {
        let bits = op.bits();
        if seen.b.mask & 31 != 0 {
            let made = Made { mask: width_mask(bits), flags: ALL };
            return self.arithmetic(cpu, op, seen, made);
        }
        let count = seen.b.value & 31;
        if count == 0 || seen.a.mask == 0 && self.now.flags & CF == 0 {
            if count != 0 && !is_rotation(kind) {
                self.now.flags = 0;
            } else if count != 0 {
                self.now.flags &= !(CF | OF);
            }
            return self.put(cpu, op.d, op.bytes(), seen.address, (seen.a.mask, seen.a_birth));
        }
        let mut through = Flags::default();
        through.set_carry(self.now.flags & CF != 0);
        let (mask, carried) = alu::shift(kind, seen.a.mask, count, bits, through);
        let any = seen.a.mask != 0;
        let flags = if is_rotation(kind) {
            let carry = if carried.carry() { CF } else { 0 };
            self.now.flags & !(CF | OF) | carry | if any { OF | LESS } else { 0 }
        } else {
            let (result, _) = alu::shift(kind, seen.a.value, count, bits, Flags::default());
            rules::shifted(result, mask, carried.carry(), any, bits)
        };
        self.arithmetic(cpu, op, seen, Made { mask, flags });
    }

    fn follow_double_shift(&mut self, cpu: &mut Cpu, op: &Op, seen: &Seen) {
        let bits = op.bits();
        let by_register = !op.three_operands();
        if by_register && self.register(1, 1) & 31 != 0 {
            let made = Made { mask: width_mask(bits), flags: ALL };
            return self.arithmetic(cpu, op, seen, made);
        }
        let count = if by_register { seen.ecx } else { op.imm };
        if count & 31 == 0 {
            return;
        }
        let left = op.code == Code::Shld;
        let flags = Flags::default();
        let (mask, carried) = alu::double_shift(left, seen.a.mask, seen.b.mask, count, bits, flags);
        let (result, _) = alu::double_shift(left, seen.a.value, seen.b.value, count, bits, flags);
        let any = seen.a.mask | seen.b.mask != 0;
        let flags = rules::shifted(result, mask, carried.carry(), any, bits);
        self.arithmetic(cpu, op, seen, Made { mask, flags });
    }

    fn follow_bit_test(&mut self, cpu: &mut Cpu, op: &Op, seen: &Seen) {
        let (bytes, bits) = (op.bytes(), op.bits());
        let position = seen.b.value;
        let bit = position & (bits - 1);
        let (mask, birth, address) = if op.d == Operand::MEMORY {
            let mut address = seen.address;
            if op.s != Operand::IMMEDIATE {
                let words = signed(position, bits) >> bits.trailing_zeros();
                address = address.wrapping_add((words as u32).wrapping_mul(bytes));
            }
            let (mask, birth) = self.load(cpu, address, bytes);
            (mask as u32, birth, address)
        } else {
            (self.register(op.d, bytes), self.register_birth(op.d, bytes), 0)
        };
        let unknown = seen.b.mask & (bits - 1) != 0;
        let birth = if unknown { seen.b_birth } else { birth };
        let carry = unknown && mask | seen.b.mask != 0 || mask >> bit & 1 != 0;
        if carry {
            self.now.flags_birth = birth;
        }
        self.now.flags = self.now.flags & !CF | if carry { CF } else { 0 };
        let made = match op.code {
            Code::Bt => return,
            _ if unknown => width_mask(bits),
            Code::Btc => mask,
            _ => mask & !(1 << bit),
        };
        self.put(cpu, op.d, bytes, address, (made, birth));
    }

    /// Any undefined operand makes all that is written undefined.
    fn pessimistic(&mut self, cpu: &mut Cpu, op: &Op, seen: &Seen) {
        let undefined = seen.a.mask | seen.b.mask != 0;
        let mask = if undefined { width_mask(op.bits()) } else { 0 };
        let flags = if undefined { ALL } else { 0 };
        self.arithmetic(cpu, op, seen, Made { mask, flags });
    }
}

/// Whether both operands are the same register: then the result may not depend on it.
fn same(op: &Op) -> bool {
    op.d == op.s && op.d < 8
}

fn is_rotation(kind: Shift) -> bool {
    matches!(kind, Shift::Rol | Shift::Ror | Shift::Rcl | Shift::Rcr)
}

/// Ops that change neither registers, flags nor memory in a way that masks must follow.
fn has_no_result(code: Code) -> bool {
    matches!(
        code,
        Code::Nop
            | Code::Cmc
            | Code::Cld
            | Code::Std
            | Code::Bound
            | Code::Jmp
            | Code::JmpIndirect
            | Code::Ret
            | Code::Loop
            | Code::Loope
            | Code::Loopne
            | Code::Jecxz
            | Code::LoadSegment
            | Code::PopSegment
            | Code::Interrupt
            | Code::Breakpoint
            | Code::Into
            | Code::Undefined
            | Code::Privileged
            | Code::Unsupported
            | Code::Request
            | Code::Intercept
            | Code::Goto
    ) || jump_condition(code).is_some()
}

fn jump_condition(code: Code) -> Option<Condition> {
    let first = Code::Jo as u16;
    let last = Code::Jg as u16;
    let position = (first..=last).contains(&(code as u16)).then(|| code as u16 - first)?;
    Some(Condition::ALL[usize::from(position)])
}
