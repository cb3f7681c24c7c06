//! Integer arithmetic, moves and conversions of all widths and forms, against the host CPU.

use steam_tests::hostcpu::case::register::{EAX, EBX, ECX, EDX};
use steam_tests::hostcpu::case::{Case, FS_BASE, WINDOW, WINDOW_SIZE};
use steam_tests::hostcpu::family::{Family, check};
use steam_tests::hostcpu::random::Random;
use steam_tests::hostcpu::row::Row;
use steam_tests::hostcpu::state::operand_offset;
use steam_tests::hostcpu::template::Encoding;
use steam_tests::hostcpu::undefined;

#[test]
fn two_operand_arithmetic() {
    const NAMES: [&str; 8] = ["add", "or", "adc", "sbb", "and", "sub", "xor", "cmp"];
    let mut rows = Vec::new();
    for (operation, name) in (0..8_u8).zip(NAMES) {
        let base = 8 * operation;
        let lock = if name == "cmp" { "" } else { "lock? " };
        let forms = [
            format!("{lock}{base:02x} /r"),
            format!("{lock}o16? {:02x} /r", base + 1),
            format!("{:02x} /r", base + 2),
            format!("o16? {:02x} /r", base + 3),
            format!("{:02x} ib", base + 4),
            format!("o16? {:02x} iv", base + 5),
            format!("{lock}80 /{operation} ib"),
            format!("{lock}o16? 81 /{operation} iv"),
            format!("82 /{operation} ib"),
            format!("{lock}o16? 83 /{operation} ib"),
        ];
        for form in &forms {
            let row = Row::new(name, form);
            let logic = matches!(name, "or" | "and" | "xor");
            rows.push(if logic { row.undefined(undefined::logic) } else { row });
        }
    }
    for form in ["84 /r", "o16? 85 /r", "a8 ib", "o16? a9 iv", "f6 /0 ib", "o16? f7 /0 iv"] {
        rows.push(Row::new("test", form).undefined(undefined::logic));
    }
    check("two-operand arithmetic", 400_000, &rows);
}

#[test]
fn one_operand_arithmetic() {
    let rows = [
        Row::new("inc", "o16? 40+r"),
        Row::new("dec", "o16? 48+r"),
        Row::new("inc", "lock? fe /0"),
        Row::new("dec", "lock? fe /1"),
        Row::new("inc", "lock? o16? ff /0"),
        Row::new("dec", "lock? o16? ff /1"),
        Row::new("not", "lock? f6 /2"),
        Row::new("not", "lock? o16? f7 /2"),
        Row::new("neg", "lock? f6 /3"),
        Row::new("neg", "lock? o16? f7 /3"),
        Row::new("bswap", "0f c8+r"),
        Row::new("cbw cwde", "o16? 98"),
        Row::new("cwd cdq", "o16? 99"),
    ];
    check("one-operand arithmetic", 150_000, &rows);
}

#[test]
fn multiplication() {
    let rows = [
        Row::new("mul", "f6 /4"),
        Row::new("imul", "f6 /5"),
        Row::new("mul", "o16? f7 /4"),
        Row::new("imul", "o16? f7 /5"),
        Row::new("imul", "o16? 0f af /r"),
        Row::new("imul", "o16? 69 /r iv"),
        Row::new("imul", "o16? 6b /r ib"),
    ];
    check("multiplication", 200_000, &rows.map(|row| row.undefined(undefined::multiplication)));
}

#[test]
fn division() {
    let accumulators = 1 << EAX | 1 << EDX;
    let rows = ["f6 /6", "o16? f7 /6", "f6 /7", "o16? f7 /7"].map(|form| {
        let name = if form.ends_with('6') { "div" } else { "idiv" };
        let row = Row::new(name, form).undefined(undefined::division).reserve(accumulators);
        row.prepare(divisible)
    });
    check("division", 150_000, &rows);
}

/// Makes most quotients fit: the dividend is a random quotient times the divisor, plus a rest.
fn divisible(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    if random.one_in(16) {
        return;
    }
    let opcode = case.code[encoding.opcode_at];
    let signed = case.code[encoding.opcode_at + 1] >> 3 & 7 == 7;
    let bits = match (opcode, encoding.operand16) {
        (0xf6, _) => 8,
        (_, true) => 16,
        _ => 32,
    };
    let Some(divisor) = operand(case, encoding, bits) else { return };
    let extend = |value: u32| -> i128 {
        if signed {
            i128::from(((value << (32 - bits)) as i32) >> (32 - bits))
        } else {
            i128::from(value << (32 - bits) >> (32 - bits))
        }
    };
    let (divisor, quotient) = (extend(divisor), extend(random.integer()));
    let rest = if divisor == 0 { 0 } else { i128::from(random.integer()) % divisor };
    let sign = if signed { (divisor * quotient).signum() * rest.signum() } else { 1 };
    let dividend = divisor * quotient + rest * if sign == 0 { 1 } else { sign };
    if bits == 8 {
        case.registers[EAX] = case.registers[EAX] & !0xffff | dividend as u32 & 0xffff;
    } else {
        let mask = u32::MAX >> (32 - bits);
        let (low, high) = (dividend as u32, (dividend >> bits) as u32);
        case.registers[EAX] = case.registers[EAX] & !mask | low & mask;
        case.registers[EDX] = case.registers[EDX] & !mask | high & mask;
    }
}

/// The value of the operand that the ModRM byte names, unless it is not in the window.
fn operand(case: &Case, encoding: &Encoding, bits: u32) -> Option<u32> {
    if let Some(register) = encoding.rm_register {
        let register = register as usize;
        return Some(match bits {
            8 if register >= 4 => case.registers[register - 4] >> 8,
            _ => case.registers[register],
        });
    }
    let offset = operand_offset(case, encoding)?;
    let bytes = case.memory.as_ref()?.get(offset..offset + 4)?;
    Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
}

#[test]
fn exchanges() {
    let accumulators = 1 << EAX | 1 << EDX;
    let rows = [
        Row::new("xadd", "lock? 0f c0 /r"),
        Row::new("xadd", "lock? o16? 0f c1 /r"),
        Row::new("xchg", "lock? 86 /r"),
        Row::new("xchg", "lock? o16? 87 /r"),
        Row::new("xchg", "o16? 90+r"),
        Row::new("cmpxchg", "lock? 0f b0 /r").reserve(accumulators).prepare(expected),
        Row::new("cmpxchg", "lock? o16? 0f b1 /r").reserve(accumulators).prepare(expected),
        Row::new("cmpxchg8b", "lock? 0f c7 /1.mem")
            .bytes(8)
            .reserve(accumulators)
            .prepare(expected_pair),
    ];
    check("exchanges", 200_000, &rows);
}

/// Lets the comparison of `cmpxchg` succeed in half of the cases.
fn expected(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    let byte = case.code[encoding.opcode_at + 1] == 0xb0;
    let value = operand(case, encoding, if byte { 8 } else { 32 });
    if let Some(value) = value.filter(|_| random.one_in(2)) {
        case.registers[EAX] = value;
    }
}

fn expected_pair(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    let Some(offset) = operand_offset(case, encoding) else { return };
    let Some(bytes) = case.memory.as_ref().and_then(|m| m.get(offset..offset + 8)) else { return };
    let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[at + i]));
    let (low, high) = (word(0), word(4));
    if !random.one_in(3) {
        case.registers[EAX] = low;
    }
    if !random.one_in(3) {
        case.registers[EDX] = high;
    }
}

#[test]
fn moves() {
    let rows = [
        Row::new("mov", "88 /r"),
        Row::new("mov", "o16? 89 /r"),
        Row::new("mov", "8a /r"),
        Row::new("mov", "o16? 8b /r"),
        Row::new("mov", "a0 moffs").bytes(1),
        Row::new("mov", "o16? a1 moffs"),
        Row::new("mov", "a2 moffs").bytes(1),
        Row::new("mov", "o16? a3 moffs"),
        Row::new("mov", "b0+r ib"),
        Row::new("mov", "o16? b8+r iv"),
        Row::new("mov", "c6 /0 ib"),
        Row::new("mov", "o16? c7 /0 iv"),
        Row::new("movzx", "o16? 0f b6 /r"),
        Row::new("movzx", "o16? 0f b7 /r"),
        Row::new("movsx", "o16? 0f be /r"),
        Row::new("movsx", "o16? 0f bf /r"),
        Row::new("movnti", "0f c3 /r.mem"),
        Row::new("xlat", "d7").implicit_memory().prepare(table_in_window),
        Row::new("xlat", "64 d7").implicit_memory().prepare(table_in_window),
        Row::new("mov from es", "o16? 8c /0"),
        Row::new("mov from cs", "o16? 8c /1"),
        Row::new("mov from ss", "o16? 8c /2"),
        Row::new("mov from ds", "o16? 8c /3"),
    ];
    check("moves", 200_000, &rows);
}

fn table_in_window(case: &mut Case, _: &Encoding, random: &mut Random) {
    let base = if case.code[0] == 0x64 { FS_BASE } else { 0 };
    let target = (WINDOW + random.below(WINDOW_SIZE) as u32).wrapping_sub(base);
    case.registers[EBX] = target.wrapping_sub(case.registers[EAX] & 0xff);
}

#[test]
fn conditions() {
    let rows = [
        Row::new("setcc", "0f 90+c /0"),
        Row::new("cmovcc", "o16? 0f 40+c /r"),
        Row::new("lahf", "9f"),
        Row::new("sahf", "9e"),
        Row::new("salc", "d6"),
        Row::new("clc", "f8"),
        Row::new("stc", "f9"),
        Row::new("cmc", "f5"),
        Row::new("cld", "fc"),
        Row::new("std", "fd"),
    ];
    // Most of these have one encoding only: the conditions get more rows.
    let mut table = Vec::from(rows);
    for _ in 0..16 {
        table.push(Row::new("setcc", "0f 90+c /0"));
        table.push(Row::new("cmovcc", "o16? 0f 40+c /r"));
    }
    check("conditions and flags", 200_000, &table);
}

#[test]
fn instructions_without_effect_and_traps() {
    let rows = [
        Row::new("nop", "o16? 90"),
        Row::new("pause", "f3 90"),
        Row::new("long nop", "o16? 0f 1f /0"),
        Row::new("long nop of gcc", "66 66 2e 0f 1f 84 00 00 00 00 00"),
        Row::new("endbr32", "f3 0f 1e fb"),
        Row::new("prefetch", "0f 18 /0.mem"),
        Row::new("prefetch", "0f 18 /1.mem"),
        Row::new("prefetch", "0f 18 /2.mem"),
        Row::new("prefetch", "0f 18 /3.mem"),
        Row::new("clflush", "0f ae /7.mem"),
        Row::new("lfence", "0f ae e8"),
        Row::new("mfence", "0f ae f0"),
        Row::new("sfence", "0f ae f8"),
        Row::new("bound", "62 /r.mem").bytes(8).reserve_field().prepare(in_bounds),
    ];
    check("no effect", 20_000, &rows);
    let rows = [
        Row::new("ud2", "0f 0b"),
        Row::new("int3", "cc"),
        Row::new("into", "ce"),
        Row::new("hlt", "f4"),
        Row::new("cli", "fa"),
        Row::new("sti", "fb"),
        Row::new("in", "e4 ib"),
        Row::new("in", "ed"),
        Row::new("out", "ee"),
        Row::new("ins", "6c"),
        Row::new("outs", "6f"),
        Row::new("lock on a register", "f0 01 /r.reg"),
        Row::new("lock cmp", "f0 39 /r.mem"),
        Row::new("lea of a register", "8d /r.reg"),
    ];
    check("traps", 4_000, &rows);
}

/// Puts the index into the bounds in most cases.
fn in_bounds(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    let Some(offset) = operand_offset(case, encoding) else { return };
    let index = random.integer() as i32;
    let (low, high) = if random.one_in(32) {
        (random.integer() as i32, random.integer() as i32)
    } else {
        (index.saturating_sub(random.below(3) as i32), index.saturating_add(random.below(3) as i32))
    };
    case.registers[encoding.field as usize] = index as u32;
    if let Some(bytes) = case.memory.as_mut().and_then(|m| m.get_mut(offset..offset + 8)) {
        bytes[..4].copy_from_slice(&low.to_le_bytes());
        bytes[4..].copy_from_slice(&high.to_le_bytes());
    }
}

#[test]
fn addresses() {
    let scramble = |case: &mut Case, _: &Encoding, random: &mut Random| {
        case.registers = std::array::from_fn(|_| random.integer());
    };
    let rows = [Row::new("lea", "o16? 8d /r.mem").prepare(scramble)];
    check("addresses", 150_000, &rows);
}

/// `lea` with 16-bit addresses: every mode, register and operand size.
#[test]
fn addresses_of_16_bits() {
    let mut family = Family::new("16-bit addresses");
    let mut random = Random::from_name("16-bit addresses");
    for modrm in 0..0xc0_u8 {
        let size = match (modrm >> 6, modrm & 7) {
            (0, 6) | (2, _) => 2,
            (1, _) => 1,
            _ => 0,
        };
        for operand16 in [false, true] {
            for _ in 0..16 {
                let mut code = vec![0x67];
                code.extend(operand16.then_some(0x66));
                code.extend([0x8d, modrm]);
                code.extend(&random.integer().to_le_bytes()[..size]);
                let mut case = Case::new(&code);
                for _ in 0..16 {
                    case.registers = std::array::from_fn(|_| random.integer());
                    family.push("lea", case.clone());
                }
            }
        }
    }
    family.finish();
}

/// `ah ch dh bh` in both operand places.
#[test]
fn high_byte_registers() {
    let rows = [
        Row::new("mov", "88 /r.reg"),
        Row::new("add", "00 /r.reg"),
        Row::new("xchg", "86 /r.reg"),
        Row::new("movzx", "0f b6 /r.reg"),
        Row::new("shl", "d2 /4.reg").undefined(undefined::shift),
    ];
    let small_counts = |case: &mut Case, _: &Encoding, random: &mut Random| {
        case.registers[ECX] = case.registers[ECX] & !0xff | random.below(12) as u32;
    };
    check("high byte registers", 100_000, &rows.map(|row| row.prepare(small_counts)));
}
