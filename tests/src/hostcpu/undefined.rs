//! What instructions leave undefined, by the processor manuals.

use super::case::{AF, CF, Case, OF, PF, SF, Undefined, ZF, register::ECX};
use super::state::operand_offset;
use super::template::Encoding;

/// Condition codes of the x87 status word.
pub const C0: u16 = 1 << 8;
/// The condition code that shows rounding up and stack overflow.
pub const C1: u16 = 1 << 9;
/// See [`C0`].
pub const C2: u16 = 1 << 10;
/// See [`C0`].
pub const C3: u16 = 1 << 14;

/// Returns a mask of undefined flags.
pub const fn flags(flags: u32) -> Undefined {
    Undefined { flags, status: 0, memory: (0, 0) }
}

/// Returns a mask of undefined status bits.
pub const fn status(status: u16) -> Undefined {
    Undefined { flags: 0, status, memory: (0, 0) }
}

/// `and or xor test`.
pub fn logic(_: &Case, _: &Encoding) -> Undefined {
    flags(AF)
}

/// `mul imul`.
pub fn multiplication(_: &Case, _: &Encoding) -> Undefined {
    flags(SF | ZF | AF | PF)
}

/// `div idiv`.
pub fn division(_: &Case, _: &Encoding) -> Undefined {
    flags(CF | PF | AF | ZF | SF | OF)
}

/// `bt bts btr btc`: only the carry is defined, the zero flag stays.
pub fn bit_test(_: &Case, _: &Encoding) -> Undefined {
    flags(OF | SF | AF | PF)
}

/// `bsf bsr`: only the zero flag is defined.
pub fn bit_scan(_: &Case, _: &Encoding) -> Undefined {
    flags(CF | OF | SF | AF | PF)
}

/// `tzcnt lzcnt`: carry and zero flag are defined.
pub fn bit_count(_: &Case, _: &Encoding) -> Undefined {
    flags(OF | SF | AF | PF)
}

/// Shifts and rotates: what is undefined depends on operation, width and count.
pub fn shift(case: &Case, encoding: &Encoding) -> Undefined {
    let opcode = case.code[encoding.opcode_at];
    let operation = case.code[encoding.opcode_at + 1] >> 3 & 7;
    let width = match (opcode & 1, encoding.operand16) {
        (0, _) => 8,
        (_, true) => 16,
        _ => 32,
    };
    let count = 31
        & match opcode {
            0xd0 | 0xd1 => 1,
            0xd2 | 0xd3 => case.registers[ECX],
            _ => u32::from(case.code[encoding.length - 1]),
        };
    shift_by(operation, width, count)
}

/// The rule behind [`shift`], for a masked count.
pub fn shift_by(operation: u8, width: u32, count: u32) -> Undefined {
    let rotate = operation < 4;
    let mut undefined = 0;
    if count > 1 {
        undefined |= OF;
    }
    if count > 0 && !rotate {
        undefined |= AF;
        // An arithmetic shift to the right goes on to give the sign.
        if count >= width && operation != 7 {
            undefined |= CF;
        }
    }
    flags(undefined)
}

/// `shld shrd`; the count is the immediate or CL.
pub fn double_shift(case: &Case, encoding: &Encoding) -> Undefined {
    match double_shift_count(case, encoding) {
        0 => flags(0),
        1 => flags(AF),
        _ => flags(AF | OF),
    }
}

/// The masked count of `shld` or `shrd`.
pub fn double_shift_count(case: &Case, encoding: &Encoding) -> u32 {
    let opcode = case.code[encoding.opcode_at + 1];
    let by_register = opcode & 1 == 1;
    let immediate = u32::from(case.code[encoding.length - 1]);
    31 & if by_register { case.registers[ECX] } else { immediate }
}

/// `daa das`.
pub fn decimal_adjust(_: &Case, _: &Encoding) -> Undefined {
    flags(OF)
}

/// `aaa aas`.
pub fn ascii_adjust(_: &Case, _: &Encoding) -> Undefined {
    flags(OF | SF | ZF | PF)
}

/// `aam aad`.
pub fn ascii_multiply(_: &Case, _: &Encoding) -> Undefined {
    flags(OF | AF | CF)
}

/// x87 instructions that define C1 alone.
pub fn x87_arithmetic(_: &Case, _: &Encoding) -> Undefined {
    status(C0 | C2 | C3)
}

/// x87 instructions that leave all condition codes undefined.
pub fn x87_control(_: &Case, _: &Encoding) -> Undefined {
    status(C0 | C1 | C2 | C3)
}

/// `fnstenv` and `fnsave`: control words; the instruction and operand pointers in memory.
pub fn x87_environment(case: &Case, encoding: &Encoding) -> Undefined {
    let at = operand_offset(case, encoding).unwrap_or(0);
    let pointers = if encoding.operand16 { (at + 6, at + 14) } else { (at + 12, at + 28) };
    Undefined { memory: pointers, ..status(C0 | C1 | C2 | C3) }
}
