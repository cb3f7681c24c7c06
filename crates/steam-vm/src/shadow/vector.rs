//! MMX and SSE: masks of the vector registers.
//!
//! What only moves bits is done to the masks by the same instruction. What computes lane by lane makes a
//! lane undefined as a whole; what is not known here makes the whole destination undefined.

use steam_state::Birth;
use steam_visibility::Memory;
use vm_isa::Op;
use vm_isa::fp_env::FpEnv;
use vm_isa::simd::{self, Operand, SimdOp};

use super::operands::glance;
use super::rules::ALL;
use super::{Shadow, Uninitialised};
use crate::cpu::Cpu;

/// The operands of a vector instruction before it is done.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    a_mask: u128,
    b_mask: u128,
    a: u128,
    b: u128,
    birth: Birth,
}

/// What an instruction does to masks.
enum Rule {
    /// The same as to values.
    Moves,
    And,
    AndNot,
    Or,
    Xor,
    /// Each lane of so many bits by itself.
    Lanes(u32),
    /// The same, for equality: bits that are known to differ decide.
    Equal(u32),
    /// Lanes of so many bits are made half as wide.
    Pack(u32),
    /// The lowest lane from both operands; the rest stays.
    Low(u32),
    /// The lowest lane from the lowest of the source; the rest stays.
    LowFrom(u32),
    /// The flags.
    Compare,
    /// So many bytes of memory are written, and are defined.
    Writes(u32),
    Reset,
    Nothing,
    /// Everything from everything.
    All,
}

impl Shadow {
    pub(super) fn look_at_vectors(
        &mut self,
        cpu: &mut Cpu,
        op: &Op,
        seen: &mut super::Seen,
    ) -> Result<(), Uninitialised> {
        let (dst, src) = (Operand::from_byte(op.d), Operand::from_byte(op.s));
        let Some(&which) = SimdOp::ALL.get((op.imm & 0xffff) as usize) else { return Ok(()) };
        if dst == Operand::Memory || src == Operand::Memory {
            seen.address = self.look_at_address(cpu, op)?;
        }
        let rule = rule(which);
        if matches!(rule, Rule::Moves | Rule::Nothing | Rule::Writes(_) | Rule::Reset) {
            return Ok(());
        }
        let bytes = memory_bytes(which, dst);
        let (a_mask, a_birth) = self.vector_mask(cpu, dst, seen.address, bytes);
        let (b_mask, b_birth) = self.vector_mask(cpu, src, seen.address, bytes);
        let birth = if a_mask != 0 { a_birth } else { b_birth };
        self.vectors = Seen { a_mask, b_mask, a: 0, b: 0, birth };
        if a_mask | b_mask != 0 {
            self.vectors.a = content(cpu, dst, seen.address, bytes);
            self.vectors.b = content(cpu, src, seen.address, bytes);
        }
        Ok(())
    }

    pub(super) fn follow_vectors(&mut self, cpu: &mut Cpu, op: &Op, seen: &super::Seen) {
        let (dst, src) = (Operand::from_byte(op.d), Operand::from_byte(op.s));
        let Some(&which) = SimdOp::ALL.get((op.imm & 0xffff) as usize) else { return };
        let address = seen.address;
        let Seen { a_mask, b_mask, a, b, birth } = self.vectors;
        let either = a_mask | b_mask;
        let rule = rule(which);
        let mask = match rule {
            Rule::Moves if is_variable_shift(which, src) => {
                let (a, birth) = self.vector_mask(cpu, dst, address, 16);
                let (b, other) = self.vector_mask(cpu, src, address, 8);
                let undefined = a | b != 0;
                let birth = if a != 0 { birth } else { other };
                return self.set_vector(
                    cpu,
                    dst,
                    address,
                    spread(u128::from(undefined), 128),
                    birth,
                );
            }
            Rule::Moves => return self.move_masks(cpu, op, which, address),
            Rule::Nothing => return,
            Rule::Writes(bytes) => return cpu.memory.make_defined(address, bytes),
            Rule::Reset => {
                self.now.simd.xmm = [0; 8];
                self.now.mmx = Default::default();
                return;
            }
            Rule::Compare => {
                let lane = lane_of(which);
                let undefined = either & low_bits(lane) != 0;
                self.now.flags = if undefined { ALL } else { 0 };
                if undefined {
                    self.now.flags_birth = birth;
                }
                return;
            }
            Rule::And => either & (a | a_mask) & (b | b_mask),
            Rule::AndNot => either & (!a | a_mask) & (b | b_mask),
            Rule::Or => either & !(a & !a_mask) & !(b & !b_mask),
            Rule::Xor if dst == src => 0,
            Rule::Xor => either,
            Rule::Lanes(_) | Rule::Equal(_) if dst == src && is_the_same_for_equals(which) => 0,
            Rule::Lanes(bits) => spread(either, bits),
            Rule::Equal(bits) => spread(either, bits) & !spread((a ^ b) & !either, bits),
            Rule::Pack(bits) => {
                let narrow = |value| pack(spread(value, bits), bits, dst);
                let half = if matches!(dst, Operand::Mm(_)) { 32 } else { 64 };
                narrow(a_mask) | narrow(b_mask) << half
            }
            Rule::Low(bits) => {
                let lane = low_bits(bits);
                a_mask & !lane | spread(either & lane, bits) & lane
            }
            Rule::LowFrom(bits) => {
                let source = u128::from(b_mask & low_bits(source_lane(which)) != 0);
                a_mask & !low_bits(bits) | spread(source, 128) & low_bits(bits)
            }
            Rule::All => {
                // What a conversion overwrites does not count, nor what it does not read.
                let source = b_mask & low_bits(8 * memory_bytes(which, dst));
                spread(u128::from(source != 0 || a_mask != 0 && !is_conversion(which)), 128)
            }
        };
        self.set_vector(cpu, dst, address, mask, birth);
        if matches!(rule, Rule::All) && !is_conversion(which) && mask == 0 {
            self.now.flags = 0;
        }
    }

    fn vector_mask(&self, cpu: &Cpu, operand: Operand, address: u32, bytes: u32) -> (u128, Birth) {
        match operand {
            Operand::Xmm(index) => {
                (self.now.simd.xmm[usize::from(index & 7)], self.now.vector_birth)
            }
            Operand::Mm(index) => {
                let register = self.now.mmx.regs[usize::from(index & 7)];
                (u128::from(register.mantissa), self.now.vector_birth)
            }
            Operand::Gpr(index) => {
                let index = usize::from(index & 7);
                (u128::from(self.now.gpr[index]), self.now.births[index])
            }
            Operand::Memory => self.load(cpu, address, bytes),
            Operand::None => (0, Birth::default()),
        }
    }

    fn set_vector(
        &mut self,
        cpu: &mut Cpu,
        operand: Operand,
        address: u32,
        mask: u128,
        birth: Birth,
    ) {
        match operand {
            Operand::Xmm(index) => self.now.simd.xmm[usize::from(index & 7)] = mask,
            Operand::Mm(index) => {
                self.now.mmx.regs[usize::from(index & 7)].mantissa = mask as u64;
            }
            Operand::Gpr(index) => self.set_register(index, 4, mask as u32, birth),
            Operand::Memory => self.store(cpu, address, 16, mask, birth),
            Operand::None => {}
        }
        if mask != 0 {
            self.now.vector_birth = birth;
        }
    }

    /// Does the instruction once more, with masks in the place of values.
    fn move_masks(&mut self, cpu: &mut Cpu, op: &Op, which: SimdOp, address: u32) {
        let (dst, src) = (Operand::from_byte(op.d), Operand::from_byte(op.s));
        if src == Operand::Memory {
            let (mask, birth) = self.load(cpu, address, memory_bytes(which, dst));
            if mask != 0 {
                self.now.vector_birth = birth;
            }
        } else if let Operand::Gpr(index) = src
            && self.now.gpr[usize::from(index & 7)] != 0
        {
            self.now.vector_birth = self.now.births[usize::from(index & 7)];
        }
        let birth = self.now.vector_birth;
        let now = &mut self.now;
        let mut masks =
            Masks { gpr: &mut now.gpr, births: &mut now.births, memory: &mut cpu.memory, birth };
        let imm8 = (op.imm >> 16) as u8;
        // It was done with values already, so that nothing of it is refused.
        let _ =
            simd::execute(which, dst, src, imm8, address, &mut now.simd, &mut now.mmx, &mut masks);
    }
}

/// Masks as an instruction sees values.
struct Masks<'a> {
    gpr: &'a mut [u32; 9],
    births: &'a mut [Birth; 9],
    memory: &'a mut Memory,
    birth: Birth,
}

impl FpEnv for Masks<'_> {
    type Trap = ();

    fn load<const N: usize>(&mut self, addr: u32) -> Result<[u8; N], ()> {
        let mut bytes = [0; N];
        for (at, part) in bytes.chunks_mut(16).enumerate() {
            let mask =
                self.memory.undefined_bits(addr.wrapping_add(16 * at as u32), part.len() as u32);
            part.copy_from_slice(&mask.to_le_bytes()[..part.len()]);
        }
        Ok(bytes)
    }

    fn store<const N: usize>(&mut self, addr: u32, bytes: [u8; N]) -> Result<(), ()> {
        for (at, part) in bytes.chunks(16).enumerate() {
            let mut mask = [0; 16];
            mask[..part.len()].copy_from_slice(part);
            let (place, size) = (addr.wrapping_add(16 * at as u32), part.len() as u32);
            self.memory.set_undefined_bits(place, size, u128::from_le_bytes(mask), self.birth);
        }
        Ok(())
    }

    fn probe_store<const N: usize>(&mut self, _: u32) -> Result<(), ()> {
        Ok(())
    }

    fn gpr(&self, index: u8) -> u32 {
        self.gpr[usize::from(index & 7)]
    }

    fn set_gpr(&mut self, index: u8, value: u32) {
        self.gpr[usize::from(index & 7)] = value;
        self.births[usize::from(index & 7)] = self.birth;
    }

    fn flags_zpc(&self) -> (bool, bool, bool) {
        (false, false, false)
    }

    fn set_flags_zpc(&mut self, _: bool, _: bool, _: bool) {}

    fn set_flags(&mut self, _: u32) {}

    fn set_ax(&mut self, _: u16) {}

    fn misaligned(&mut self, _: u32) {}

    fn math_fault(&mut self) {}

    fn simd_fault(&mut self) {}
}

fn content(cpu: &mut Cpu, operand: Operand, address: u32, bytes: u32) -> u128 {
    match operand {
        Operand::Xmm(index) => cpu.simd.xmm[usize::from(index & 7)],
        Operand::Mm(index) => u128::from(cpu.x87.regs[usize::from(index & 7)].mantissa),
        Operand::Gpr(index) => u128::from(cpu.gpr[usize::from(index & 7)]),
        Operand::Memory => glance(cpu, address, bytes),
        Operand::None => 0,
    }
}

fn low_bits(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

/// Each lane that has a set bit, filled.
fn spread(mask: u128, bits: u32) -> u128 {
    if mask == 0 {
        return 0;
    }
    let lane = low_bits(bits);
    (0..128 / bits).fold(0, |all, at| {
        let shift = at * bits;
        if mask >> shift & lane != 0 { all | lane << shift } else { all }
    })
}

/// The lanes of a vector, each half as wide.
fn pack(mask: u128, bits: u32, dst: Operand) -> u128 {
    let width = if matches!(dst, Operand::Mm(_)) { 64 } else { 128 };
    let half = low_bits(bits / 2);
    (0..width / bits).fold(0, |all, at| all | (mask >> (at * bits) & half) << (at * bits / 2))
}

fn is_variable_shift(which: SimdOp, src: Operand) -> bool {
    use SimdOp as S;
    src != Operand::None
        && matches!(
            which,
            S::Psllw | S::Pslld | S::Psllq | S::Psrlw | S::Psrld | S::Psrlq | S::Psraw | S::Psrad
        )
}

/// Whether two equal operands give the same, whatever they are.
fn is_the_same_for_equals(which: SimdOp) -> bool {
    use SimdOp as S;
    matches!(
        which,
        S::Psubb
            | S::Psubw
            | S::Psubd
            | S::Psubq
            | S::Pcmpeqb
            | S::Pcmpeqw
            | S::Pcmpeqd
            | S::Pcmpgtb
            | S::Pcmpgtw
            | S::Pcmpgtd
    )
}

fn lane_of(which: SimdOp) -> u32 {
    use SimdOp as S;
    if matches!(which, S::Comiss | S::Ucomiss) { 32 } else { 64 }
}

/// How many bits of the source a scalar conversion reads.
fn source_lane(which: SimdOp) -> u32 {
    use SimdOp as S;
    match which {
        S::Cvtsd2ss | S::Sqrtsd => 64,
        _ => 32,
    }
}

fn is_conversion(which: SimdOp) -> bool {
    use SimdOp as S;
    matches!(
        which,
        S::Cvtss2si
            | S::Cvttss2si
            | S::Cvtsd2si
            | S::Cvttsd2si
            | S::Cvtps2pd
            | S::Cvtpd2ps
            | S::Cvtdq2ps
            | S::Cvtps2dq
            | S::Cvttps2dq
            | S::Cvtdq2pd
            | S::Cvtpd2dq
            | S::Cvttpd2dq
            | S::Cvtps2pi
            | S::Cvttps2pi
            | S::Cvtpi2pd
            | S::Cvtpd2pi
            | S::Cvttpd2pi
            | S::Sqrtps
            | S::Sqrtpd
            | S::Rcpps
            | S::Rsqrtps
    )
}

/// How many bytes of memory an instruction reads.
fn memory_bytes(which: SimdOp, dst: Operand) -> u32 {
    use SimdOp as S;
    match which {
        S::Movss
        | S::Movd
        | S::Movnti
        | S::Addss
        | S::Subss
        | S::Mulss
        | S::Divss
        | S::Minss
        | S::Maxss
        | S::Sqrtss
        | S::Rcpss
        | S::Rsqrtss
        | S::Cmpss
        | S::Comiss
        | S::Ucomiss
        | S::Cvtsi2ss
        | S::Cvtsi2sd
        | S::Cvtss2si
        | S::Cvttss2si
        | S::Cvtss2sd => 4,
        S::Movsd
        | S::Movlps
        | S::Movlpd
        | S::Movhps
        | S::Movhpd
        | S::Movq
        | S::Movntq
        | S::Addsd
        | S::Subsd
        | S::Mulsd
        | S::Divsd
        | S::Minsd
        | S::Maxsd
        | S::Sqrtsd
        | S::Cmpsd
        | S::Comisd
        | S::Ucomisd
        | S::Cvtsd2si
        | S::Cvttsd2si
        | S::Cvtsd2ss
        | S::Cvtps2pd
        | S::Cvtdq2pd
        | S::Cvtpi2ps
        | S::Cvtpi2pd
        | S::Cvtps2pi
        | S::Cvttps2pi => 8,
        S::Pinsrw => 2,
        _ if matches!(dst, Operand::Mm(_)) => 8,
        _ => 16,
    }
}

fn rule(which: SimdOp) -> Rule {
    use Rule as R;
    use SimdOp::*;
    match which {
        Movaps | Movapd | Movdqa | Movntps | Movntpd | Movntdq | Movups | Movupd | Movdqu
        | Lddqu | Movss | Movsd | Movlps | Movlpd | Movhps | Movhpd | Movhlps | Movlhps
        | Movmskps | Movmskpd | Movd | Movq | Movntq | Movq2dq | Movdq2q | Movnti | Unpcklps
        | Unpcklpd | Unpckhps | Unpckhpd | Shufps | Shufpd | Punpcklbw | Punpcklwd | Punpckldq
        | Punpcklqdq | Punpckhbw | Punpckhwd | Punpckhdq | Punpckhqdq | Psllw | Pslld | Psllq
        | Psrlw | Psrld | Psrlq | Psraw | Psrad | Pslldq | Psrldq | Pshufw | Pshufd | Pshuflw
        | Pshufhw | Pextrw | Pinsrw | Pmovmskb => R::Moves,
        Andps | Andpd | Pand => R::And,
        Andnps | Andnpd | Pandn => R::AndNot,
        Orps | Orpd | Por => R::Or,
        Xorps | Xorpd | Pxor => R::Xor,
        Paddb | Paddsb | Paddusb | Psubb | Psubsb | Psubusb | Pavgb | Pminub | Pmaxub | Pcmpgtb => {
            R::Lanes(8)
        }
        Paddw | Paddsw | Paddusw | Psubw | Psubsw | Psubusw | Pmullw | Pmulhw | Pmulhuw | Pavgw
        | Pminsw | Pmaxsw | Pcmpgtw => R::Lanes(16),
        Addps | Subps | Mulps | Divps | Minps | Maxps | Cmpps | Paddd | Psubd | Pmaddwd
        | Pcmpgtd => R::Lanes(32),
        Addpd | Subpd | Mulpd | Divpd | Minpd | Maxpd | Cmppd | Paddq | Psubq | Pmuludq
        | Psadbw => R::Lanes(64),
        Pcmpeqb => R::Equal(8),
        Pcmpeqw => R::Equal(16),
        Pcmpeqd => R::Equal(32),
        Packsswb | Packuswb => R::Pack(16),
        Packssdw => R::Pack(32),
        Addss | Subss | Mulss | Divss | Minss | Maxss | Cmpss => R::Low(32),
        Addsd | Subsd | Mulsd | Divsd | Minsd | Maxsd | Cmpsd => R::Low(64),
        Sqrtss | Rcpss | Rsqrtss | Cvtsi2ss | Cvtsd2ss => R::LowFrom(32),
        Sqrtsd | Cvtsi2sd | Cvtss2sd => R::LowFrom(64),
        Comiss | Comisd | Ucomiss | Ucomisd => R::Compare,
        Stmxcsr => R::Writes(4),
        Fxsave => R::Writes(288),
        Fxrstor => R::Reset,
        Ldmxcsr | Emms | Prefetchnta | Prefetcht0 | Prefetcht1 | Prefetcht2 | Prefetch
        | Prefetchw | Clflush | Sfence | Lfence | Mfence | Maskmovq | Maskmovdqu => R::Nothing,
        _ => R::All,
    }
}
