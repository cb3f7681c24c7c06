//! Each op of the table, done. The special ones are written out, because they are what the CPU does
//! most of its time; the general ones name the method of their family.

use vm_isa::alu::{self, Shift};
use vm_isa::{Condition, Flags, Op, Visitor};

use crate::cpu::{Cpu, Exit, Stop, Trap};

type Done = Result<(), Exit>;
type Next = Result<usize, Exit>;

/// Ops that go on with the next one. Kept out of the loop, which then needs few registers.
macro_rules! straight {
    ($($name:ident($cpu:ident, $op:ident) $body:expr;)*) => {
        $(#[inline(never)]
        fn $name(&mut self, $op: &Op) -> Done {
            let $cpu = self;
            $body
        })*
    };
}

/// The same, for special codes: inlined into the loop.
macro_rules! special {
    ($($name:ident($cpu:ident, $op:ident) $body:expr;)*) => {
        $(#[inline(always)]
        fn $name(&mut self, $op: &Op) -> Done {
            let $cpu = self;
            $body
        })*
    };
}

/// Ops that may go elsewhere.
macro_rules! jumping {
    ($($name:ident($cpu:ident, $op:ident, $at:ident) $body:expr;)*) => {
        $(#[inline(always)]
        fn $name(&mut self, $op: &Op, $at: usize) -> Next {
            let $cpu = self;
            $body
        })*
    };
}

/// 32-bit `register = register ∘ operand` with flags.
macro_rules! into_register {
    ($($name:ident $operand:ident |$carry:ident, $a:ident, $b:ident| $compute:expr;)*) => {
        $(#[inline(always)]
        fn $name(&mut self, op: &Op) -> Done {
            let $b = self.$operand(op)?;
            let $a = self.reg(op.d);
            let $carry = self.flags.carry();
            let (result, flags) = $compute;
            self.set_reg(op.d, result);
            self.flags = flags;
            Ok(())
        })*
    };
}

/// 32-bit `memory = memory ∘ operand` with flags.
macro_rules! into_memory {
    ($($name:ident $operand:ident |$a:ident, $b:ident| $compute:expr;)*) => {
        $(#[inline(always)]
        fn $name(&mut self, op: &Op) -> Done {
            let $b = self.$operand(op)?;
            let address = self.plain_address(op);
            let $a = self.load32(address)?;
            let (result, flags) = $compute;
            self.store32(address, result)?;
            self.flags = flags;
            Ok(())
        })*
    };
}

/// 32-bit operations of which only the flags stay.
macro_rules! compare {
    ($($name:ident $left:ident $right:ident |$a:ident, $b:ident| $compute:expr;)*) => {
        $(#[inline(always)]
        fn $name(&mut self, op: &Op) -> Done {
            let $a = self.$left(op)?;
            let $b = self.$right(op)?;
            self.flags = $compute;
            Ok(())
        })*
    };
}

/// The operands of special codes.
impl Cpu {
    #[inline(always)]
    fn source_register(&mut self, op: &Op) -> Result<u32, Exit> {
        Ok(self.reg(op.s))
    }

    #[inline(always)]
    fn target_register(&mut self, op: &Op) -> Result<u32, Exit> {
        Ok(self.reg(op.d))
    }

    #[inline(always)]
    fn immediate(&mut self, op: &Op) -> Result<u32, Exit> {
        Ok(op.imm)
    }

    #[inline(always)]
    fn memory32(&mut self, op: &Op) -> Result<u32, Exit> {
        self.load32(self.plain_address(op))
    }

    #[inline(always)]
    fn memory16(&mut self, op: &Op) -> Result<u32, Exit> {
        self.load16(self.plain_address(op))
    }

    #[inline(always)]
    fn memory8(&mut self, op: &Op) -> Result<u32, Exit> {
        self.load8(self.plain_address(op))
    }

    /// Sets a 32-bit register and leaves the flags.
    #[inline(always)]
    fn put(&mut self, op: &Op, value: u32) -> Done {
        self.set_reg(op.d, value);
        Ok(())
    }

    /// Sets a 32-bit register and the flags.
    #[inline(always)]
    fn conclude(&mut self, op: &Op, (result, flags): (u32, Flags)) -> Done {
        self.set_reg(op.d, result);
        self.flags = flags;
        Ok(())
    }
}

#[inline(always)]
fn logic(result: u32) -> (u32, Flags) {
    (result, Flags::logic(result, 32))
}

#[inline(always)]
fn multiply(a: u32, b: u32) -> (u32, Flags) {
    let (low, _, flags) = alu::multiply(true, a, b, 32);
    (low, flags)
}

#[inline(always)]
fn condition(op: &Op) -> Condition {
    Condition::ALL[(op.imm & 15) as usize]
}

impl Visitor for Cpu {
    type Exit = Exit;

    special! {
        mov_rr(cpu, op) cpu.put(op, cpu.reg(op.s));
        mov_ri(cpu, op) cpu.put(op, op.imm);
        mov_rm(cpu, op) { let value = cpu.memory32(op)?; cpu.put(op, value) };
        mov_mr(cpu, op) cpu.store32(cpu.plain_address(op), cpu.reg(op.s));
        mov_mi(cpu, op) cpu.store32(cpu.plain_address(op), op.imm);
        mov_rm8(cpu, op) { let value = cpu.memory8(op)?; cpu.set_reg8(op.d, value); Ok(()) };
        mov_mr8(cpu, op) cpu.store8(cpu.plain_address(op), cpu.reg8(op.s));
        mov_mi8(cpu, op) cpu.store8(cpu.plain_address(op), op.imm);
        movzx_rr8(cpu, op) cpu.put(op, cpu.reg8(op.s));
        movzx_rm8(cpu, op) { let value = cpu.memory8(op)?; cpu.put(op, value) };
        movzx_rm16(cpu, op) { let value = cpu.memory16(op)?; cpu.put(op, value) };
        movsx_rm8(cpu, op) { let value = cpu.memory8(op)?; cpu.put(op, value as i8 as u32) };
        movsx_rm16(cpu, op) { let value = cpu.memory16(op)?; cpu.put(op, value as i16 as u32) };
        lea_plain(cpu, op) cpu.put(op, cpu.plain_address(op));
        cmp_mi8(cpu, op) {
            let a = cpu.memory8(op)?;
            cpu.flags = alu::sub(a, op.imm & 0xff, false, 8).1;
            Ok(())
        };
        cmp_ri8(cpu, op) {
            cpu.flags = alu::sub(cpu.reg8(op.d), op.imm & 0xff, false, 8).1;
            Ok(())
        };
        test_rr8(cpu, op) {
            cpu.flags = Flags::logic(cpu.reg8(op.d) & cpu.reg8(op.s), 8);
            Ok(())
        };
        test_ri8(cpu, op) {
            cpu.flags = Flags::logic(cpu.reg8(op.d) & op.imm & 0xff, 8);
            Ok(())
        };
        inc_r(cpu, op) {
            let (result, flags) = alu::add(cpu.reg(op.d), 1, false, 32);
            cpu.conclude(op, (result, flags.keeping_carry_of(cpu.flags)))
        };
        dec_r(cpu, op) {
            let (result, flags) = alu::sub(cpu.reg(op.d), 1, false, 32);
            cpu.conclude(op, (result, flags.keeping_carry_of(cpu.flags)))
        };
        shl_ri(cpu, op) cpu.conclude(op, alu::shift_left(cpu.reg(op.d), op.imm & 31, 32));
        shr_ri(cpu, op) cpu.conclude(op, alu::shift_right(cpu.reg(op.d), op.imm & 31, 32));
        sar_ri(cpu, op) cpu.conclude(op, alu::shift_arithmetic(cpu.reg(op.d), op.imm & 31, 32));
        rol_ri(cpu, op) {
            let result = cpu.reg(op.d).rotate_left(op.imm & 31);
            let carry = result & 1 != 0;
            cpu.flags.set_carry_overflow(carry, carry ^ (result >> 31 != 0));
            cpu.put(op, result)
        };
        imul_rr(cpu, op) cpu.conclude(op, multiply(cpu.reg(op.d), cpu.reg(op.s)));
        imul_rm(cpu, op) {
            let b = cpu.memory32(op)?;
            cpu.conclude(op, multiply(cpu.reg(op.d), b))
        };
        imul_rri(cpu, op) cpu.conclude(op, multiply(cpu.reg(op.s), op.imm));
        push_r(cpu, op) cpu.push32(cpu.reg(op.s));
        push_i(cpu, op) cpu.push32(op.imm);
        push_m(cpu, op) { let value = cpu.memory32(op)?; cpu.push32(value) };
        pop_r(cpu, op) { let value = cpu.pop32()?; cpu.put(op, value) };
        leave32(cpu, _op) cpu.leave_frame();
    }

    into_register! {
        add_rr source_register |_c, a, b| alu::add(a, b, false, 32);
        add_ri immediate |_c, a, b| alu::add(a, b, false, 32);
        add_rm memory32 |_c, a, b| alu::add(a, b, false, 32);
        sub_rr source_register |_c, a, b| alu::sub(a, b, false, 32);
        sub_ri immediate |_c, a, b| alu::sub(a, b, false, 32);
        sub_rm memory32 |_c, a, b| alu::sub(a, b, false, 32);
        and_rr source_register |_c, a, b| logic(a & b);
        and_ri immediate |_c, a, b| logic(a & b);
        and_rm memory32 |_c, a, b| logic(a & b);
        or_rr source_register |_c, a, b| logic(a | b);
        or_ri immediate |_c, a, b| logic(a | b);
        or_rm memory32 |_c, a, b| logic(a | b);
        xor_rr source_register |_c, a, b| logic(a ^ b);
        xor_ri immediate |_c, a, b| logic(a ^ b);
        xor_rm memory32 |_c, a, b| logic(a ^ b);
        adc_rr source_register |carry, a, b| alu::add(a, b, carry, 32);
        adc_ri immediate |carry, a, b| alu::add(a, b, carry, 32);
        sbb_rr source_register |carry, a, b| alu::sub(a, b, carry, 32);
    }

    into_memory! {
        add_mr source_register |a, b| alu::add(a, b, false, 32);
        add_mi immediate |a, b| alu::add(a, b, false, 32);
        sub_mr source_register |a, b| alu::sub(a, b, false, 32);
        sub_mi immediate |a, b| alu::sub(a, b, false, 32);
    }

    compare! {
        cmp_rr target_register source_register |a, b| alu::sub(a, b, false, 32).1;
        cmp_ri target_register immediate |a, b| alu::sub(a, b, false, 32).1;
        cmp_rm target_register memory32 |a, b| alu::sub(a, b, false, 32).1;
        cmp_mr memory32 source_register |a, b| alu::sub(a, b, false, 32).1;
        cmp_mi memory32 immediate |a, b| alu::sub(a, b, false, 32).1;
        test_rr target_register source_register |a, b| logic(a & b).1;
        test_ri target_register immediate |a, b| logic(a & b).1;
    }

    straight! {
        nop(_cpu, _op) Ok(());
        mov(cpu, op) { let value = cpu.read(op, op.s)?; cpu.write(op, op.d, value) };
        movzx(cpu, op) cpu.widening_move(op, false);
        movsx(cpu, op) cpu.widening_move(op, true);
        lea(cpu, op) {
            let offset = cpu.offset(op);
            cpu.set_reg_of(op.d, op.bytes(), offset);
            Ok(())
        };
        xchg(cpu, op) cpu.exchange(op);
        xadd(cpu, op) cpu.exchange_add(op);
        cmpxchg(cpu, op) cpu.compare_exchange(op);
        cmpxchg8b(cpu, op) cpu.compare_exchange_8(op);
        bswap(cpu, op) {
            // With 16 bits the result is undefined; current CPUs give zero.
            let value = if op.bytes() == 2 { 0 } else { cpu.reg(op.d).swap_bytes() };
            cpu.set_reg_of(op.d, op.bytes(), value);
            Ok(())
        };
        cmov(cpu, op) {
            let value = cpu.read(op, op.s)?;
            if condition(op).holds(cpu.flags) {
                cpu.set_reg_of(op.d, op.bytes(), value);
            }
            Ok(())
        };
        set(cpu, op) {
            let value = u32::from(condition(op).holds(cpu.flags));
            cpu.write(op, op.d, value)
        };
        push(cpu, op) { let value = cpu.read(op, op.s)?; cpu.push_of(op.bytes(), value) };
        pop(cpu, op) cpu.pop_general(op);
        pusha(cpu, op) cpu.push_all(op);
        popa(cpu, op) cpu.pop_all(op);
        pushf(cpu, op) cpu.push_flags(op);
        popf(cpu, op) cpu.pop_flags(op);
        enter(cpu, op) cpu.enter_frame(op);
        leave(cpu, op) if op.bytes() == 2 { cpu.leave_short() } else { cpu.leave_frame() };
        xlat(cpu, op) cpu.translate_byte(op);
        lahf(cpu, _op) { cpu.flags_to_ah(); Ok(()) };
        sahf(cpu, _op) { cpu.ah_to_flags(); Ok(()) };
        widen(cpu, op) { cpu.widen_eax(op); Ok(()) };
        widen_double(cpu, op) { cpu.widen_into_edx(op); Ok(()) };
        store_segment(cpu, op) {
            let selector = u32::from(cpu.selectors[usize::from(op.s) % 6]);
            cpu.write(op, op.d, selector)
        };
        push_segment(cpu, op) {
            let selector = u32::from(cpu.selectors[usize::from(op.d) % 6]);
            cpu.push_of(op.bytes(), selector)
        };
        salc(cpu, _op) {
            let value = if cpu.flags.carry() { 0xff } else { 0 };
            cpu.set_reg8(0, value);
            Ok(())
        };
        add(cpu, op) cpu.binary(op, |a, b, _, bits| alu::add(a, b, false, bits));
        or(cpu, op) cpu.binary(op, |a, b, _, bits| (a | b, Flags::logic(a | b, bits)));
        adc(cpu, op) cpu.binary(op, alu::add);
        sbb(cpu, op) cpu.binary(op, alu::sub);
        and(cpu, op) cpu.binary(op, |a, b, _, bits| (a & b, Flags::logic(a & b, bits)));
        sub(cpu, op) cpu.binary(op, |a, b, _, bits| alu::sub(a, b, false, bits));
        xor(cpu, op) cpu.binary(op, |a, b, _, bits| (a ^ b, Flags::logic(a ^ b, bits)));
        cmp(cpu, op) cpu.compare(op, alu::sub);
        test(cpu, op) cpu.compare(op, |a, b, _, bits| (a & b, Flags::logic(a & b, bits)));
        inc(cpu, op) cpu.unary(op, |a, bits, before| {
            let (result, flags) = alu::add(a, 1, false, bits);
            (result, flags.keeping_carry_of(before))
        });
        dec(cpu, op) cpu.unary(op, |a, bits, before| {
            let (result, flags) = alu::sub(a, 1, false, bits);
            (result, flags.keeping_carry_of(before))
        });
        neg(cpu, op) cpu.unary(op, |a, bits, _| alu::sub(0, a, false, bits));
        not(cpu, op) cpu.unary(op, |a, bits, before| (!a & alu::mask(bits), before));
        mul(cpu, op) cpu.wide_multiply(op, false);
        imul(cpu, op) cpu.wide_multiply(op, true);
        imul_into(cpu, op) cpu.multiply_into(op);
        div(cpu, op) cpu.wide_divide(op, false);
        idiv(cpu, op) cpu.wide_divide(op, true);
        rol(cpu, op) cpu.shift(op, Shift::Rol);
        ror(cpu, op) cpu.shift(op, Shift::Ror);
        rcl(cpu, op) cpu.shift(op, Shift::Rcl);
        rcr(cpu, op) cpu.shift(op, Shift::Rcr);
        shl(cpu, op) cpu.shift(op, Shift::Shl);
        shr(cpu, op) cpu.shift(op, Shift::Shr);
        sar(cpu, op) cpu.shift(op, Shift::Sar);
        shld(cpu, op) cpu.double_shift(op, true);
        shrd(cpu, op) cpu.double_shift(op, false);
        bt(cpu, op) cpu.bit_test(op, None);
        bts(cpu, op) cpu.bit_test(op, Some(|word, bit| word | bit));
        btr(cpu, op) cpu.bit_test(op, Some(|word, bit| word & !bit));
        btc(cpu, op) cpu.bit_test(op, Some(|word, bit| word ^ bit));
        bsf(cpu, op) cpu.bit_scan(op, u32::trailing_zeros);
        bsr(cpu, op) cpu.bit_scan(op, u32::ilog2);
        tzcnt(cpu, op) cpu.count_bits(op, alu::trailing_zeros);
        lzcnt(cpu, op) cpu.count_bits(op, alu::leading_zeros);
        popcnt(cpu, op) cpu.count_bits(op, alu::population);
        movbe(cpu, op) cpu.move_swapped(op);
        crc32(cpu, op) cpu.checksum(op);
        daa(cpu, _op) { cpu.decimal_adjust(false); Ok(()) };
        das(cpu, _op) { cpu.decimal_adjust(true); Ok(()) };
        aaa(cpu, _op) { cpu.ascii_adjust(false); Ok(()) };
        aas(cpu, _op) { cpu.ascii_adjust(true); Ok(()) };
        aam(cpu, op) cpu.ascii_multiply(op.imm);
        aad(cpu, op) { cpu.ascii_divide(op.imm); Ok(()) };
        clc(cpu, _op) { cpu.flags.set_carry(false); Ok(()) };
        stc(cpu, _op) { cpu.flags.set_carry(true); Ok(()) };
        cmc(cpu, _op) { let carry = cpu.flags.carry(); cpu.flags.set_carry(!carry); Ok(()) };
        cld(cpu, _op) { cpu.set_direction(false); Ok(()) };
        std(cpu, _op) { cpu.set_direction(true); Ok(()) };
        movs(cpu, op) cpu.move_string(op);
        cmps(cpu, op) cpu.compare_strings(op);
        stos(cpu, op) cpu.store_string(op);
        lods(cpu, op) cpu.load_string(op);
        scas(cpu, op) cpu.scan_string(op);
        bound(cpu, op) cpu.check_bounds(op);
        cpuid(cpu, _op) { cpu.identify(); Ok(()) };
        rdtsc(cpu, _op) { cpu.read_time_stamp(); Ok(()) };
        // The third register names the processor: there is one.
        rdtscp(cpu, _op) {
            cpu.read_time_stamp();
            cpu.set_reg(1, 0);
            Ok(())
        };
        x87(cpu, op) cpu.floating_point(op);
        simd(cpu, op) cpu.simd_instruction(op);
    }

    jumping! {
        jo(cpu, op, at) cpu.branch(op, at, Condition::O.holds(cpu.flags));
        jno(cpu, op, at) cpu.branch(op, at, Condition::No.holds(cpu.flags));
        jb(cpu, op, at) cpu.branch(op, at, Condition::B.holds(cpu.flags));
        jae(cpu, op, at) cpu.branch(op, at, Condition::Ae.holds(cpu.flags));
        jz(cpu, op, at) cpu.branch(op, at, Condition::Z.holds(cpu.flags));
        jnz(cpu, op, at) cpu.branch(op, at, Condition::Nz.holds(cpu.flags));
        jbe(cpu, op, at) cpu.branch(op, at, Condition::Be.holds(cpu.flags));
        ja(cpu, op, at) cpu.branch(op, at, Condition::A.holds(cpu.flags));
        js(cpu, op, at) cpu.branch(op, at, Condition::S.holds(cpu.flags));
        jns(cpu, op, at) cpu.branch(op, at, Condition::Ns.holds(cpu.flags));
        jp(cpu, op, at) cpu.branch(op, at, Condition::P.holds(cpu.flags));
        jnp(cpu, op, at) cpu.branch(op, at, Condition::Np.holds(cpu.flags));
        jl(cpu, op, at) cpu.branch(op, at, Condition::L.holds(cpu.flags));
        jge(cpu, op, at) cpu.branch(op, at, Condition::Ge.holds(cpu.flags));
        jle(cpu, op, at) cpu.branch(op, at, Condition::Le.holds(cpu.flags));
        jg(cpu, op, at) cpu.branch(op, at, Condition::G.holds(cpu.flags));
        jmp(cpu, op, _at) cpu.follow(op);
        jmp_indirect(cpu, op, _at) { let target = cpu.read(op, op.s)?; cpu.go_to(target) };
        call(cpu, op, at) cpu.call_direct(op, at);
        call_indirect(cpu, op, at) cpu.call_to_operand(op, at);
        ret(cpu, op, _at) cpu.return_near(op);
        loop_(cpu, op, at) cpu.count_down(op, at, None);
        loope(cpu, op, at) cpu.count_down(op, at, Some(true));
        loopne(cpu, op, at) cpu.count_down(op, at, Some(false));
        jecxz(cpu, op, at) cpu.branch(op, at, cpu.reg_of(1, op.bytes()) == 0);
        load_segment(cpu, op, _at) {
            let selector = cpu.read_of(op, op.s, 2)?;
            cpu.set_segment(op.d, selector as u16)
        };
        pop_segment(cpu, op, _at) {
            let esp = cpu.esp();
            let selector = cpu.load_of(esp, 2)?;
            cpu.set_reg(4, esp.wrapping_add(op.bytes()));
            cpu.set_segment(op.d, selector as u16)
        };
        interrupt(cpu, op, _at) cpu.software_interrupt(op);
        breakpoint(cpu, _op, _at) cpu.stop_after(Stop::Trap(Trap::Breakpoint));
        into(cpu, _op, at) {
            if cpu.flags.overflow() {
                return cpu.stop_after(Stop::Trap(Trap::Overflow));
            }
            Ok(at + 1)
        };
        undefined(cpu, _op, _at) cpu.trap(Trap::InvalidOpcode);
        privileged(cpu, _op, _at) cpu.trap(Trap::GeneralProtection);
        unsupported(cpu, _op, at) cpu.not_modelled(at);
        request(cpu, op, _at) cpu.stop_after(Stop::Request(op.imm as u8));
        intercept(cpu, op, _at) cpu.reach_intercept(op);
        goto(cpu, op, _at) { cpu.uncounted += 1; cpu.follow(op) };
    }
}
