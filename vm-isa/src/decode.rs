//! Bytes become ops. iced-x86 finds the instruction; here it is put into our own form.
//!
//! Invariant: every byte string gets an answer. What no CPU has is [`Code::Undefined`] (it raises
//! #UD), what user mode may not do is [`Code::Privileged`] (#GP), and what exists but is not
//! modelled is [`Code::Unsupported`], which ends a run as *unknown*.

use iced_x86::{
    Code as IcedCode, Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register,
};

use crate::op::{Code, Condition, Op, Operand, Segment, Width};
use crate::request;
use crate::simd::SimdOp;
use crate::x87::X87Op;

/// An instruction and its length in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decoded {
    /// The instruction.
    pub op: Op,
    /// How many bytes it has.
    pub length: u8,
}

/// Bytes mean what they mean to the CPUs of today: `rep bsf` is `tzcnt`, `rep bsr` is `lzcnt`, whatever `cpuid`
/// says. Compilers write `rep bsf` for every CPU, but only where both give the same.
pub(crate) const OPTIONS: u32 = DecoderOptions::NONE;

/// Decodes the instruction at the start of `bytes`, which lie at `address`. `None`: the bytes end
/// before the instruction does.
pub fn decode(bytes: &[u8], address: u32) -> Option<Decoded> {
    if let Some(length) = beginning_of_avx(bytes) {
        return Some(Decoded { op: Op::new(Code::Unsupported), length });
    }
    let mut decoder = Decoder::with_ip(32, bytes, u64::from(address), OPTIONS);
    let mut instruction = Instruction::default();
    decoder.decode_out(&mut instruction);
    if decoder.last_error() == iced_x86::DecoderError::NoMoreBytes && bytes.len() < 15 {
        return None;
    }
    if instruction.is_invalid() {
        return Some(Decoded { op: Op::new(Code::Undefined), length: 1 });
    }
    let op = translate(&instruction).unwrap_or(Op::new(Code::Unsupported));
    Some(Decoded { op, length: instruction.len() as u8 })
}

/// How many bytes tell that an instruction is one of AVX, if it is: to an i686 they are `lds`, `les` and `bound`
/// with a register where they need memory.
fn beginning_of_avx(bytes: &[u8]) -> Option<u8> {
    const SEGMENTS: [u8; 6] = [0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65];
    const LONGEST: usize = 15;
    let behind = bytes.iter().position(|byte| !SEGMENTS.contains(byte))?;
    let is_avx = matches!(bytes[behind..], [0xc4 | 0xc5 | 0x62, second, ..] if second >= 0xc0);
    (is_avx && behind + 2 < LONGEST).then_some(behind as u8 + 2)
}

fn translate(i: &Instruction) -> Option<Op> {
    if let Some(decoded) = X87Op::decode(i) {
        return Some(floating_point(i, decoded.op as u8, decoded.sti, decoded.memory));
    }
    if let Some(decoded) = SimdOp::decode(i) {
        let mut op = Op::new(Code::Simd);
        set_memory(&mut op, i);
        op.d = decoded.dst.to_byte();
        op.s = decoded.src.to_byte();
        op.imm = decoded.op as u32 | u32::from(decoded.imm8) << 16;
        return Some(op);
    }
    let mut op = control(i).or_else(|| string(i)).or_else(|| segments(i)).or_else(|| plain(i))?;
    if i.has_lock_prefix() {
        op.set_locked();
    }
    Some(op)
}

fn floating_point(i: &Instruction, number: u8, register: u8, memory: bool) -> Op {
    let mut op = Op::new(Code::X87);
    if memory {
        set_memory(&mut op, i);
        op.s = Operand::MEMORY;
    }
    op.d = register;
    op.imm = u32::from(number);
    op
}

/// Jumps, calls, interrupts and what never goes on.
fn control(i: &Instruction) -> Option<Op> {
    let target = i.near_branch_target() as u32;
    Some(match i.mnemonic() {
        Mnemonic::Jmp | Mnemonic::Call if i.op0_kind() == OpKind::NearBranch32 => {
            let code = if i.mnemonic() == Mnemonic::Jmp { Code::Jmp } else { Code::Call };
            Op::branch(code, target)
        }
        Mnemonic::Jmp | Mnemonic::Call => {
            if !matches!(i.code(), IcedCode::Jmp_rm32 | IcedCode::Call_rm32) {
                return None;
            }
            let code =
                if i.mnemonic() == Mnemonic::Jmp { Code::JmpIndirect } else { Code::CallIndirect };
            let mut op = Op::new(code);
            op.s = operand(&mut op, i, 0)?;
            op
        }
        Mnemonic::Ret if matches!(i.code(), IcedCode::Retnd | IcedCode::Retnd_imm16) => {
            let mut op = Op::new(Code::Ret);
            op.imm = if i.op_count() == 1 { u32::from(i.immediate16()) } else { 0 };
            op
        }
        Mnemonic::Loop => counted(Code::Loop, i, target),
        Mnemonic::Loope => counted(Code::Loope, i, target),
        Mnemonic::Loopne => counted(Code::Loopne, i, target),
        Mnemonic::Jecxz | Mnemonic::Jcxz => counted(Code::Jecxz, i, target),
        Mnemonic::Int => {
            let mut op = Op::new(Code::Interrupt);
            op.imm = u32::from(i.immediate8());
            op
        }
        Mnemonic::Int3 => Op::new(Code::Breakpoint),
        Mnemonic::Into => Op::new(Code::Into),
        Mnemonic::Ud2 | Mnemonic::Ud1 | Mnemonic::Ud0 => Op::new(Code::Undefined),
        Mnemonic::Hlt
        | Mnemonic::Cli
        | Mnemonic::Sti
        | Mnemonic::In
        | Mnemonic::Out
        | Mnemonic::Insb
        | Mnemonic::Insw
        | Mnemonic::Insd
        | Mnemonic::Outsb
        | Mnemonic::Outsw
        | Mnemonic::Outsd
        | Mnemonic::Lgdt
        | Mnemonic::Lidt
        | Mnemonic::Lldt
        | Mnemonic::Ltr
        | Mnemonic::Lmsw
        | Mnemonic::Clts
        | Mnemonic::Invd
        | Mnemonic::Wbinvd
        | Mnemonic::Invlpg
        | Mnemonic::Rdmsr
        | Mnemonic::Wrmsr
        | Mnemonic::Rdpmc => Op::new(Code::Privileged),
        _ => {
            let code = jump_code(condition(i)?);
            if !i.is_jcc_short_or_near() || i.op0_kind() != OpKind::NearBranch32 {
                return None;
            }
            Op::branch(code, target)
        }
    })
}

/// `loop` and `jecxz`, which count in ecx, or in cx with an address-size prefix.
fn counted(code: Code, i: &Instruction, target: u32) -> Op {
    let mut op = Op::branch(code, target);
    let short = matches!(
        i.code(),
        IcedCode::Loop_rel8_32_CX
            | IcedCode::Loope_rel8_32_CX
            | IcedCode::Loopne_rel8_32_CX
            | IcedCode::Jcxz_rel8_32
    );
    let known = short
        || matches!(
            i.code(),
            IcedCode::Loop_rel8_32_ECX
                | IcedCode::Loope_rel8_32_ECX
                | IcedCode::Loopne_rel8_32_ECX
                | IcedCode::Jecxz_rel8_32
        );
    if !known {
        return Op::new(Code::Unsupported);
    }
    op.width = if short { Width::WORD } else { Width::LONG };
    op
}

fn condition(i: &Instruction) -> Option<Condition> {
    use iced_x86::ConditionCode as C;
    Some(match i.condition_code() {
        C::None => return None,
        C::o => Condition::O,
        C::no => Condition::No,
        C::b => Condition::B,
        C::ae => Condition::Ae,
        C::e => Condition::Z,
        C::ne => Condition::Nz,
        C::be => Condition::Be,
        C::a => Condition::A,
        C::s => Condition::S,
        C::ns => Condition::Ns,
        C::p => Condition::P,
        C::np => Condition::Np,
        C::l => Condition::L,
        C::ge => Condition::Ge,
        C::le => Condition::Le,
        C::g => Condition::G,
    })
}

fn jump_code(condition: Condition) -> Code {
    [
        Code::Jo,
        Code::Jno,
        Code::Jb,
        Code::Jae,
        Code::Jz,
        Code::Jnz,
        Code::Jbe,
        Code::Ja,
        Code::Js,
        Code::Jns,
        Code::Jp,
        Code::Jnp,
        Code::Jl,
        Code::Jge,
        Code::Jle,
        Code::Jg,
    ][condition as usize]
}

fn string(i: &Instruction) -> Option<Op> {
    let (code, width) = match i.mnemonic() {
        Mnemonic::Movsb => (Code::Movs, 1),
        Mnemonic::Movsw => (Code::Movs, 2),
        Mnemonic::Movsd => (Code::Movs, 4),
        Mnemonic::Cmpsb => (Code::Cmps, 1),
        Mnemonic::Cmpsw => (Code::Cmps, 2),
        Mnemonic::Cmpsd => (Code::Cmps, 4),
        Mnemonic::Stosb => (Code::Stos, 1),
        Mnemonic::Stosw => (Code::Stos, 2),
        Mnemonic::Stosd => (Code::Stos, 4),
        Mnemonic::Lodsb => (Code::Lods, 1),
        Mnemonic::Lodsw => (Code::Lods, 2),
        Mnemonic::Lodsd => (Code::Lods, 4),
        Mnemonic::Scasb => (Code::Scas, 1),
        Mnemonic::Scasw => (Code::Scas, 2),
        Mnemonic::Scasd => (Code::Scas, 4),
        _ => return None,
    };
    if !i.is_string_instruction() {
        return None;
    }
    let mut op = Op::new(code);
    op.width = width;
    op.imm =
        if i.has_repne_prefix() { 2 } else { u32::from(i.has_rep_prefix() || i.has_repe_prefix()) };
    let short = (0..i.op_count()).any(|n| {
        matches!(i.op_kind(n), OpKind::MemorySegSI | OpKind::MemorySegDI | OpKind::MemoryESDI)
    });
    let segment = if (0..i.op_count())
        .any(|n| matches!(i.op_kind(n), OpKind::MemorySegESI | OpKind::MemorySegSI))
    {
        segment_of(i.memory_segment())
    } else {
        Segment::Flat
    };
    op.set_addressing(0, segment, short);
    Some(op)
}

/// Moves from and to segment registers.
fn segments(i: &Instruction) -> Option<Op> {
    let is_segment = |n: u32| {
        i.op_count() > n
            && i.op_kind(n) == OpKind::Register
            && i.op_register(n).is_segment_register()
    };
    let number = |register: Register| register as u8 - Register::ES as u8;
    match i.mnemonic() {
        Mnemonic::Mov if is_segment(1) => {
            let mut op = Op::new(Code::StoreSegment);
            op.d = operand(&mut op, i, 0)?;
            op.s = number(i.op1_register());
            op.width = if op.d == Operand::MEMORY { 2 } else { i.op0_register().size() as u8 };
            Some(op)
        }
        Mnemonic::Mov if is_segment(0) => {
            let mut op = Op::new(Code::LoadSegment);
            op.s = operand(&mut op, i, 1)?;
            op.d = number(i.op0_register());
            op.width = 2;
            Some(op)
        }
        Mnemonic::Push | Mnemonic::Pop if is_segment(0) => {
            let push = i.mnemonic() == Mnemonic::Push;
            let mut op = Op::new(if push { Code::PushSegment } else { Code::PopSegment });
            op.d = number(i.op0_register());
            op.width = if i.stack_pointer_increment().unsigned_abs() == 2 { 2 } else { 4 };
            Some(op)
        }
        _ => None,
    }
}

/// Everything with ordinary operands.
fn plain(i: &Instruction) -> Option<Op> {
    use Mnemonic as M;
    let code = match i.mnemonic() {
        // A CPU without shadow stacks takes `rdsspd` for a nop.
        M::Nop | M::Pause | M::Endbr32 | M::Rdsspd | M::Reservednop | M::Cldemote => {
            return Some(no_operation(i));
        }
        M::Mov => Code::Mov,
        M::Lea => Code::Lea,
        M::Xchg => Code::Xchg,
        M::Xadd => Code::Xadd,
        M::Cmpxchg => Code::Cmpxchg,
        M::Cmpxchg8b => Code::Cmpxchg8b,
        M::Add => Code::Add,
        M::Or => Code::Or,
        M::Adc => Code::Adc,
        M::Sbb => Code::Sbb,
        M::And => Code::And,
        M::Sub => Code::Sub,
        M::Xor => Code::Xor,
        M::Cmp => Code::Cmp,
        M::Test => Code::Test,
        M::Inc => Code::Inc,
        M::Dec => Code::Dec,
        M::Neg => Code::Neg,
        M::Not => Code::Not,
        M::Mul => Code::Mul,
        M::Imul => return multiply(i),
        M::Div => Code::Div,
        M::Idiv => Code::Idiv,
        M::Rol => Code::Rol,
        M::Ror => Code::Ror,
        M::Rcl => Code::Rcl,
        M::Rcr => Code::Rcr,
        M::Shl | M::Sal => Code::Shl,
        M::Shr => Code::Shr,
        M::Sar => Code::Sar,
        M::Shld => return double_shift(Code::Shld, i),
        M::Shrd => return double_shift(Code::Shrd, i),
        M::Bt => Code::Bt,
        M::Bts => Code::Bts,
        M::Btr => Code::Btr,
        M::Btc => Code::Btc,
        M::Bsf => Code::Bsf,
        M::Bsr => Code::Bsr,
        M::Tzcnt => Code::Tzcnt,
        M::Lzcnt => Code::Lzcnt,
        M::Popcnt => Code::Popcnt,
        M::Movbe => Code::Movbe,
        M::Crc32 => return checksum(i),
        M::Bound => Code::Bound,
        M::Push => Code::Push,
        M::Pop => Code::Pop,
        M::Movzx => return widening(Code::Movzx, i),
        M::Movsx => return widening(Code::Movsx, i),
        _ => return simple(i),
    };
    two_operands(code, i)
}

fn two_operands(code: Code, i: &Instruction) -> Option<Op> {
    let mut op = Op::new(code);
    op.d = operand(&mut op, i, 0)?;
    if i.op_count() > 1 {
        op.s = operand(&mut op, i, 1)?;
    }
    op.width = width(i, 0)?;
    match code {
        // `push imm8` and the like are sign-extended by iced to the operand's size; `push` and
        // `pop` of memory say their width in the operand.
        Code::Push | Code::Pop => {
            let size = i.stack_pointer_increment().unsigned_abs() as u8;
            op.width = size;
            if code == Code::Push {
                (op.s, op.d) = (op.d, Operand::NONE);
            }
        }
        Code::Bound => op.width = i.op0_register().size() as u8,
        _ => {}
    }
    Some(op)
}

/// Instructions with implied operands or with a condition.
fn simple(i: &Instruction) -> Option<Op> {
    use Mnemonic as M;
    let (code, width) = match i.mnemonic() {
        M::Cbw => (Code::Widen, 2),
        M::Cwde => (Code::Widen, 4),
        M::Cwd => (Code::WidenDouble, 2),
        M::Cdq => (Code::WidenDouble, 4),
        M::Pusha => (Code::Pusha, 2),
        M::Pushad => (Code::Pusha, 4),
        M::Popa => (Code::Popa, 2),
        M::Popad => (Code::Popa, 4),
        M::Pushf => (Code::Pushf, 2),
        M::Pushfd => (Code::Pushf, 4),
        M::Popf => (Code::Popf, 2),
        M::Popfd => (Code::Popf, 4),
        M::Lahf => (Code::Lahf, 4),
        M::Sahf => (Code::Sahf, 4),
        M::Salc => (Code::Salc, 4),
        M::Daa => (Code::Daa, 4),
        M::Das => (Code::Das, 4),
        M::Aaa => (Code::Aaa, 4),
        M::Aas => (Code::Aas, 4),
        M::Aam => (Code::Aam, 4),
        M::Aad => (Code::Aad, 4),
        M::Clc => (Code::Clc, 4),
        M::Stc => (Code::Stc, 4),
        M::Cmc => (Code::Cmc, 4),
        M::Cld => (Code::Cld, 4),
        M::Std => (Code::Std, 4),
        M::Cpuid => (Code::Cpuid, 4),
        M::Rdtsc => (Code::Rdtsc, 4),
        M::Rdtscp => (Code::Rdtscp, 4),
        M::Leave => (Code::Leave, if i.code() == IcedCode::Leavew { 2 } else { 4 }),
        M::Enter if i.code() == IcedCode::Enterw_imm16_imm8 => (Code::Enter, 2),
        M::Enter => (Code::Enter, 4),
        M::Bswap => {
            let mut op = Op::new(Code::Bswap);
            op.d = operand(&mut op, i, 0)?;
            op.width = i.op0_register().size() as u8;
            return Some(op);
        }
        M::Xlatb => {
            let mut op = Op::new(Code::Xlat);
            let short = i.memory_base() == Register::BX;
            op.set_addressing(0, segment_of(i.memory_segment()), short);
            return Some(op);
        }
        _ => return conditional(i),
    };
    let mut op = Op::new(code);
    op.width = width;
    match code {
        Code::Aam | Code::Aad => op.imm = u32::from(i.immediate8()),
        Code::Enter => op.imm = u32::from(i.immediate16()) | u32::from(i.immediate8_2nd()) << 16,
        _ => {}
    }
    Some(op)
}

fn conditional(i: &Instruction) -> Option<Op> {
    let condition = condition(i)?;
    if i.op_count() == 1 {
        let mut op = Op::new(Code::Set);
        op.d = operand(&mut op, i, 0)?;
        op.width = Width::BYTE;
        op.imm = condition as u32;
        return (!i.is_jcc_short_or_near()).then_some(op);
    }
    let mut op = two_operands(Code::Cmov, i)?;
    op.imm = condition as u32;
    Some(op)
}

fn no_operation(i: &Instruction) -> Op {
    let is_request = i.code() == IcedCode::Nop_rm32
        && i.op0_kind() == OpKind::Memory
        && i.memory_base() == Register::EAX
        && i.memory_index() == Register::None;
    match request::number(i.memory_displacement32()).filter(|_| is_request) {
        Some(number) => {
            let mut op = Op::new(Code::Request);
            op.imm = u32::from(number);
            op
        }
        None => Op::new(Code::Nop),
    }
}

fn multiply(i: &Instruction) -> Option<Op> {
    if i.op_count() == 1 {
        return two_operands(Code::Imul, i);
    }
    let mut op = Op::new(Code::ImulInto);
    op.width = width(i, 0)?;
    op.d = operand(&mut op, i, 0)?;
    op.s = operand(&mut op, i, 1)?;
    if i.op_count() == 3 {
        op.imm = i.immediate(2) as u32;
        op.addressing |= Op::THREE_OPERANDS;
    }
    Some(op)
}

/// `crc32`, whose source has a width of its own.
fn checksum(i: &Instruction) -> Option<Op> {
    let mut op = two_operands(Code::Crc32, i)?;
    op.width = width(i, 1)?;
    Some(op)
}

fn double_shift(code: Code, i: &Instruction) -> Option<Op> {
    let mut op = Op::new(code);
    op.width = width(i, 0)?;
    op.d = operand(&mut op, i, 0)?;
    op.s = operand(&mut op, i, 1)?;
    if i.op_kind(2) == OpKind::Immediate8 {
        op.imm = u32::from(i.immediate8());
        op.addressing |= Op::THREE_OPERANDS;
    }
    Some(op)
}

fn widening(code: Code, i: &Instruction) -> Option<Op> {
    let mut op = Op::new(code);
    op.d = operand(&mut op, i, 0)?;
    op.s = operand(&mut op, i, 1)?;
    op.width = width(i, 0)?;
    op.imm = u32::from(width(i, 1)?);
    Some(op)
}

/// The number of operand `n`, its address or immediate put into the op.
fn operand(op: &mut Op, i: &Instruction, n: u32) -> Option<u8> {
    match i.op_kind(n) {
        OpKind::Register => register(i.op_register(n)),
        OpKind::Memory => {
            set_memory(op, i);
            Some(Operand::MEMORY)
        }
        OpKind::Immediate8 | OpKind::Immediate16 | OpKind::Immediate32 | OpKind::Immediate8to32 => {
            op.imm = i.immediate(n) as u32;
            Some(Operand::IMMEDIATE)
        }
        OpKind::Immediate8to16 => {
            op.imm = i.immediate(n) as u32 & 0xffff;
            Some(Operand::IMMEDIATE)
        }
        _ => None,
    }
}

fn register(register: Register) -> Option<u8> {
    let number = |first: Register| register as u8 - first as u8;
    if register.is_gpr32() {
        Some(number(Register::EAX))
    } else if register.is_gpr16() {
        Some(number(Register::AX))
    } else if register.is_gpr8() {
        Some(number(Register::AL))
    } else {
        None
    }
}

fn width(i: &Instruction, n: u32) -> Option<u8> {
    let size = match i.op_kind(n) {
        OpKind::Register => i.op_register(n).size(),
        OpKind::Memory => i.memory_size().size(),
        OpKind::Immediate8 => 1,
        OpKind::Immediate16 | OpKind::Immediate8to16 => 2,
        _ => 4,
    };
    match size {
        0 => Some(Width::LONG),
        1 | 2 | 4 => Some(size as u8),
        8 => Some(Width::LONG),
        _ => None,
    }
}

fn segment_of(register: Register) -> Segment {
    match register {
        Register::FS => Segment::Fs,
        Register::GS => Segment::Gs,
        _ => Segment::Flat,
    }
}

fn set_memory(op: &mut Op, i: &Instruction) {
    let number = |register: Register| {
        if register == Register::None { Some(8) } else { self::register(register) }
    };
    op.base = number(i.memory_base()).unwrap_or(8);
    op.index = number(i.memory_index()).unwrap_or(8);
    op.disp = i.memory_displacement32();
    let scale = i.memory_index_scale().trailing_zeros() as u8;
    let short =
        i.memory_base().is_gpr16() || i.memory_index().is_gpr16() || i.memory_displ_size() == 2;
    op.set_addressing(scale, segment_of(i.memory_segment()), short);
}

#[cfg(test)]
mod tests;
