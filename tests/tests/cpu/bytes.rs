//! Byte-wide instructions with all operand pairs, against the host CPU.

use steam_tests::hostcpu::case::{AF, CF, Case, OF, PF, SETTABLE_FLAGS, SF, Undefined, ZF};
use steam_tests::hostcpu::family::Family;
use steam_tests::hostcpu::random::Random;
use steam_tests::hostcpu::undefined::{flags, shift_by};

/// `op %cl, %al` with all values of both and of the carry flag.
#[test]
fn arithmetic_of_all_byte_pairs() {
    const NAMES: [&str; 9] = ["add", "or", "adc", "sbb", "and", "sub", "xor", "cmp", "test"];
    let mut family = Family::new("byte arithmetic, all pairs");
    let mut random = Random::from_name("byte arithmetic");
    for (operation, name) in NAMES.iter().enumerate() {
        let opcode = if operation == 8 { 0x84 } else { 8 * operation as u8 };
        let logic = matches!(*name, "or" | "and" | "xor" | "test");
        let undefined = flags(if logic { AF } else { 0 });
        push_all_pairs(&mut family, name, &[opcode, 0xc8], |_| undefined, &mut random);
    }
    family.finish();
}

/// Shifts and rotates of `%al` by `%cl`: all values, all 256 counts, both carries.
#[test]
fn shifts_of_all_bytes_by_all_counts() {
    const NAMES: [&str; 8] = ["rol", "ror", "rcl", "rcr", "shl", "shr", "sal", "sar"];
    let mut family = Family::new("byte shifts, all pairs");
    let mut random = Random::from_name("byte shifts");
    for (operation, name) in (0..8).zip(NAMES) {
        let code = [0xd2, 0xc0 | operation << 3];
        let undefined = |count: u8| shift_by(operation, 8, u32::from(count & 31));
        push_all_pairs(&mut family, name, &code, undefined, &mut random);
    }
    family.finish();
}

fn push_all_pairs<'a>(
    family: &mut Family<'a>,
    name: &'a str,
    code: &[u8],
    undefined: impl Fn(u8) -> Undefined,
    random: &mut Random,
) {
    for pair in 0..=u16::MAX {
        for carry in [0, CF] {
            let [al, cl] = pair.to_le_bytes();
            let mut case = scattered(code, random);
            case.registers[0] = case.registers[0] & !0xff | u32::from(al);
            case.registers[1] = case.registers[1] & !0xff | u32::from(cl);
            case.flags = case.flags & !CF | carry;
            case.undefined = undefined(cl);
            family.push(name, case);
        }
    }
}

/// A case whose other registers and flags are random, to see that they stay.
fn scattered(code: &[u8], random: &mut Random) -> Case {
    let mut case = Case::new(code);
    for register in &mut case.registers {
        *register = random.integer();
    }
    case.flags = random.bits() as u32 & SETTABLE_FLAGS;
    case
}

/// `mul` and `imul` of all pairs; `div` and `idiv` of all pairs of low byte and divisor, with
/// a high byte that mostly makes the quotient fit.
#[test]
fn products_and_quotients_of_all_byte_pairs() {
    let mut family = Family::new("byte mul and div, all pairs");
    let mut random = Random::from_name("byte mul and div");
    let product = flags(SF | ZF | AF | PF);
    let quotient = flags(CF | PF | AF | ZF | SF | OF);
    push_all_pairs(&mut family, "mul", &[0xf6, 0xe1], |_| product, &mut random);
    push_all_pairs(&mut family, "imul", &[0xf6, 0xe9], |_| product, &mut random);
    for (name, modrm) in [("div", 0xf1), ("idiv", 0xf9)] {
        for pair in 0..=u16::MAX {
            let [al, divisor] = pair.to_le_bytes();
            let high = match name {
                _ if random.one_in(8) => random.bits() as u8,
                "div" => fitting_high_byte(divisor, &mut random),
                _ => fitting_signed_high_byte(al, divisor, &mut random),
            };
            let mut case = scattered(&[0xf6, modrm], &mut random);
            case.registers[0] = u32::from(u16::from_le_bytes([al, high])) | 0x5a5a_0000;
            case.registers[1] = case.registers[1] & !0xff | u32::from(divisor);
            case.undefined = quotient;
            family.push(name, case);
        }
    }
    family.finish();
}

/// The quotient fits when the high byte is below the divisor.
fn fitting_high_byte(divisor: u8, random: &mut Random) -> u8 {
    (random.bits() as u8).checked_rem(divisor).unwrap_or(0)
}

/// The signed quotient fits when the high byte is small beside the divisor.
fn fitting_signed_high_byte(al: u8, divisor: u8, random: &mut Random) -> u8 {
    let room = (divisor as i8).unsigned_abs() / 2;
    match (random.bits() as u8).checked_rem(room) {
        None => (al as i8 >> 7) as u8,
        Some(high) if random.one_in(2) => high,
        Some(high) => !high,
    }
}

/// The one-operand instructions and decimal adjustments, with all bytes and flags that matter.
#[test]
fn adjustments_of_all_bytes() {
    let mut family = Family::new("byte adjustments, all values");
    let mut random = Random::from_name("byte adjustments");
    let unary: [(&str, &[u8], u32); 8] = [
        ("inc", &[0xfe, 0xc0], 0),
        ("dec", &[0xfe, 0xc8], 0),
        ("not", &[0xf6, 0xd0], 0),
        ("neg", &[0xf6, 0xd8], 0),
        ("daa", &[0x27], OF),
        ("das", &[0x2f], OF),
        ("aaa", &[0x37], OF | SF | ZF | PF),
        ("aas", &[0x3f], OF | SF | ZF | PF),
    ];
    for (name, code, undefined) in unary {
        for ax in 0..=u16::MAX {
            for carries in [0, CF, AF, CF | AF] {
                let mut case = scattered(code, &mut random);
                case.registers[0] = case.registers[0] & !0xffff | u32::from(ax);
                case.flags = case.flags & !(CF | AF) | carries;
                case.undefined = flags(undefined);
                family.push(name, case);
            }
        }
    }
    for (name, opcode) in [("aam", 0xd4), ("aad", 0xd5)] {
        for immediate in 0..=255 {
            for al in 0..=255 {
                let mut case = scattered(&[opcode, immediate], &mut random);
                case.registers[0] = case.registers[0] & !0xff | al;
                case.undefined = flags(OF | AF | CF);
                family.push(name, case);
            }
        }
    }
    family.finish();
}
