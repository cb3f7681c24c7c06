//! Ops as text, in Intel's order: `mov eax, [ebp-8]`.

use std::fmt;

use crate::op::{Code, Condition, Op, Operand, Repeat, Segment};
use crate::simd::SimdOp;
use crate::x87::X87Op;

const LONG: [&str; 8] = ["eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"];
const WORD: [&str; 8] = ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di"];
const BYTE: [&str; 8] = ["al", "cl", "dl", "bl", "ah", "ch", "dh", "bh"];
const SEGMENT: [&str; 6] = ["es", "cs", "ss", "ds", "fs", "gs"];

fn register(number: u8, width: u8) -> &'static str {
    let names = match width & 7 {
        1 => BYTE,
        2 => WORD,
        _ => LONG,
    };
    names[usize::from(number & 7)]
}

/// The memory operand of an op.
struct Address<'a>(&'a Op);

impl fmt::Display for Address<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let op = self.0;
        match op.segment() {
            Segment::Flat => {}
            Segment::Fs => f.write_str("fs:")?,
            Segment::Gs => f.write_str("gs:")?,
        }
        let names = if op.short_address() { WORD } else { LONG };
        f.write_str("[")?;
        let mut plus = "";
        if op.base < 8 {
            write!(f, "{}", names[usize::from(op.base)])?;
            plus = "+";
        }
        if op.index < 8 {
            write!(f, "{plus}{}*{}", names[usize::from(op.index)], 1 << op.scale())?;
            plus = "+";
        }
        match op.disp {
            0 if !plus.is_empty() => {}
            disp if plus.is_empty() => write!(f, "{disp:#x}")?,
            disp if (disp as i32) < 0 => write!(f, "-{:#x}", (disp as i32).unsigned_abs())?,
            disp => write!(f, "+{disp:#x}")?,
        }
        f.write_str("]")
    }
}

/// Writes one operand of an integer instruction.
fn operand(f: &mut fmt::Formatter<'_>, op: &Op, number: u8, width: u8) -> fmt::Result {
    match number {
        0..=7 => f.write_str(register(number, width)),
        Operand::MEMORY => {
            let size = match width & 7 {
                1 => "byte ",
                2 => "word ",
                _ => "",
            };
            write!(f, "{size}{}", Address(op))
        }
        Operand::IMMEDIATE => write!(f, "{:#x}", op.imm),
        _ => Ok(()),
    }
}

fn name(f: &mut fmt::Formatter<'_>, op: &Op) -> fmt::Result {
    if op.locked() {
        f.write_str("lock ")?;
    }
    let condition = || Condition::ALL[(op.imm & 15) as usize].name();
    let suffix = || ["", "b", "w", "", "d"][usize::from(op.width & 7)];
    match op.code {
        Code::Cmov | Code::Set => write!(f, "{}{}", op.code.name(), condition()),
        Code::Movs | Code::Cmps | Code::Stos | Code::Lods | Code::Scas => {
            f.write_str(match op.repeat() {
                Repeat::Once => "",
                Repeat::WhileEqual => "rep ",
                Repeat::WhileNotEqual => "repne ",
            })?;
            write!(f, "{}{}", op.code.name(), suffix())
        }
        Code::Widen if op.width & 7 == 2 => f.write_str("cbw"),
        Code::WidenDouble if op.width & 7 == 2 => f.write_str("cwd"),
        _ => f.write_str(op.code.name()),
    }
}

fn separate(f: &mut fmt::Formatter<'_>, op: &Op) -> fmt::Result {
    let both = op.d != Operand::NONE && op.s != Operand::NONE;
    f.write_str(if both { ", " } else { "" })
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Code::X87 => return floating_point(f, self),
            Code::Simd => return simd(f, self),
            _ => name(f, self)?,
        }
        match self.code {
            Code::StoreSegment | Code::LoadSegment => {
                let to_segment = self.code == Code::LoadSegment;
                let segment = SEGMENT[usize::from(if to_segment { self.d } else { self.s }) % 6];
                if to_segment {
                    write!(f, " {segment}, ")?;
                    operand(f, self, self.s, self.width)
                } else {
                    f.write_str(" ")?;
                    operand(f, self, self.d, self.width)?;
                    write!(f, ", {segment}")
                }
            }
            Code::PushSegment | Code::PopSegment => {
                write!(f, " {}", SEGMENT[usize::from(self.d) % 6])
            }
            Code::Movzx
            | Code::Movsx
            | Code::MovzxRR8
            | Code::MovzxRM8
            | Code::MovzxRM16
            | Code::MovsxRM8
            | Code::MovsxRM16 => {
                write!(f, " {}, ", register(self.d, self.width))?;
                operand(f, self, self.s, self.imm as u8)
            }
            Code::Crc32 => {
                write!(f, " {}, ", register(self.d, 4))?;
                operand(f, self, self.s, self.width)
            }
            Code::Interrupt | Code::Request => write!(f, " {:#x}", self.imm),
            Code::Ret if self.imm != 0 => write!(f, " {:#x}", self.imm),
            Code::Enter => write!(f, " {:#x}, {}", self.imm & 0xffff, self.imm >> 16),
            _ if is_branch(self.code) => write!(f, " {:#x}", self.imm),
            _ => operands(f, self),
        }
    }
}

fn operands(f: &mut fmt::Formatter<'_>, op: &Op) -> fmt::Result {
    if op.d == Operand::NONE && op.s == Operand::NONE {
        return Ok(());
    }
    f.write_str(" ")?;
    operand(f, op, op.d, op.width)?;
    separate(f, op)?;
    let shift = matches!(
        op.code,
        Code::Rol | Code::Ror | Code::Rcl | Code::Rcr | Code::Shl | Code::Shr | Code::Sar
    );
    operand(f, op, op.s, if shift { 1 } else { op.width })?;
    match op.code {
        Code::ImulInto | Code::ImulRRI if op.three_operands() => write!(f, ", {:#x}", op.imm),
        Code::Shld | Code::Shrd if op.three_operands() => write!(f, ", {:#x}", op.imm),
        Code::Shld | Code::Shrd => f.write_str(", cl"),
        _ => Ok(()),
    }
}

fn is_branch(code: Code) -> bool {
    use Code::*;
    matches!(
        code,
        Jo | Jno
            | Jb
            | Jae
            | Jz
            | Jnz
            | Jbe
            | Ja
            | Js
            | Jns
            | Jp
            | Jnp
            | Jl
            | Jge
            | Jle
            | Jg
            | Jmp
            | Call
            | Loop
            | Loope
            | Loopne
            | Jecxz
            | Goto
    )
}

fn floating_point(f: &mut fmt::Formatter<'_>, op: &Op) -> fmt::Result {
    f.write_str(X87Op::ALL.get(op.imm as usize).map_or("(x87)", |which| which.name()))?;
    if op.s == Operand::MEMORY { write!(f, " {}", Address(op)) } else { write!(f, " st({})", op.d) }
}

fn simd(f: &mut fmt::Formatter<'_>, op: &Op) -> fmt::Result {
    use crate::simd::Operand as Place;
    f.write_str(
        SimdOp::ALL.get(usize::from(op.imm as u16)).map_or("(simd)", |which| which.name()),
    )?;
    let mut separator = " ";
    for place in [Place::from_byte(op.d), Place::from_byte(op.s)] {
        match place {
            Place::Xmm(n) => write!(f, "{separator}xmm{n}")?,
            Place::Mm(n) => write!(f, "{separator}mm{n}")?,
            Place::Gpr(n) => write!(f, "{separator}{}", LONG[usize::from(n & 7)])?,
            Place::Memory => write!(f, "{separator}{}", Address(op))?,
            Place::None => continue,
        }
        separator = ", ";
    }
    Ok(())
}
