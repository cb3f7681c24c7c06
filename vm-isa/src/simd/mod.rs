//! MMX and SSE up to SSE4.2: the vector registers and every instruction on them.
//!
//! [`Simd`] is a plain value; [`execute`] runs one decoded instruction on it. MMX registers are
//! the significands of the x87 registers, so both units are passed. Floating point is exact in
//! every mode of MXCSR: numbers of the usual sort take the host's own arithmetic, which Rust
//! defines to be IEEE in round-to-nearest, and all others the integer arithmetic of the x87
//! module. The host's MXCSR is never touched.

mod conversion;
mod float;
mod floating;
mod horizontal;
#[cfg(target_arch = "x86_64")]
mod host;
mod integer;
mod lanes;
mod machine;
mod moves;
mod rounding;
mod state;
mod strings;
mod table;
#[cfg(test)]
mod tests;

use crate::fp_env::FpEnv;
use crate::x87::X87;
use iced_x86::{Instruction, OpKind, Register};
pub use table::SimdOp;

/// The state of the SSE unit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Simd {
    /// The vector registers.
    pub xmm: [u128; 8],
    /// The control and status register.
    pub mxcsr: u32,
}

impl Default for Simd {
    /// The unit as Linux starts a process.
    fn default() -> Simd {
        Simd { xmm: [0; 8], mxcsr: 0x1f80 }
    }
}

/// Where an operand lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// There is no such operand.
    None,
    /// A 128-bit register.
    Xmm(u8),
    /// A 64-bit MMX register.
    Mm(u8),
    /// A general register, in the order eax ecx edx ebx esp ebp esi edi.
    Gpr(u8),
    /// The memory operand.
    Memory,
}

impl Operand {
    /// The operand in a byte, as an op holds it.
    pub fn to_byte(self) -> u8 {
        match self {
            Operand::None => 0,
            Operand::Memory => 1,
            Operand::Xmm(register) => 0x10 | register,
            Operand::Mm(register) => 0x20 | register,
            Operand::Gpr(register) => 0x30 | register,
        }
    }

    /// The operand that [`Operand::to_byte`] put into a byte.
    #[inline]
    pub fn from_byte(byte: u8) -> Operand {
        match byte >> 4 {
            1 => Operand::Xmm(byte & 7),
            2 => Operand::Mm(byte & 7),
            3 => Operand::Gpr(byte & 7),
            _ if byte == 1 => Operand::Memory,
            _ => Operand::None,
        }
    }

    fn from_register(register: Register) -> Option<Operand> {
        let index = |first: Register| (register as u32 - first as u32) as u8;
        if (Register::XMM0..=Register::XMM7).contains(&register) {
            Some(Operand::Xmm(index(Register::XMM0)))
        } else if (Register::MM0..=Register::MM7).contains(&register) {
            Some(Operand::Mm(index(Register::MM0)))
        } else if (Register::EAX..=Register::EDI).contains(&register) {
            Some(Operand::Gpr(index(Register::EAX)))
        } else {
            None
        }
    }
}

/// A SIMD instruction as decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SimdDecoded {
    /// What to do.
    pub op: SimdOp,
    /// The destination, mostly the first source too.
    pub dst: Operand,
    /// The source; `None` where the immediate takes its place.
    pub src: Operand,
    /// The immediate, or 0.
    pub imm8: u8,
}

impl SimdOp {
    /// The SIMD instruction that iced-x86 found, or `None` when it is of another unit.
    ///
    /// The masked stores name their address by `edi` alone: with a segment base or a 16-bit
    /// address they are not decoded.
    pub fn decode(instruction: &Instruction) -> Option<SimdDecoded> {
        let op = SimdOp::from_code(instruction.code())?;
        let mut decoded = SimdDecoded { op, dst: Operand::None, src: Operand::None, imm8: 0 };
        for i in 0..instruction.op_count() {
            let operand = match instruction.op_kind(i) {
                OpKind::Register => Operand::from_register(instruction.op_register(i))?,
                OpKind::Memory => Operand::Memory,
                OpKind::Immediate8 => {
                    decoded.imm8 = instruction.immediate8();
                    continue;
                }
                OpKind::MemorySegEDI if is_flat(instruction.memory_segment()) => continue,
                _ => return None,
            };
            if decoded.dst == Operand::None {
                decoded.dst = operand;
            } else {
                decoded.src = operand;
            }
        }
        Some(decoded)
    }
}

fn is_flat(segment: Register) -> bool {
    !matches!(segment, Register::FS | Register::GS)
}

/// Runs one SIMD instruction; `addr` is the address of its memory operand, if it has one.
#[inline]
#[allow(clippy::too_many_arguments)] // An instruction simply has that many parts.
pub fn execute<E: FpEnv>(
    op: SimdOp,
    dst: Operand,
    src: Operand,
    imm8: u8,
    addr: u32,
    simd: &mut Simd,
    x87: &mut X87,
    env: &mut E,
) -> Result<(), E::Trap> {
    machine::Machine { dst, src, imm8, addr, simd, x87, env }.dispatch(op)
}
