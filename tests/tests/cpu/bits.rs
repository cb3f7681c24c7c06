//! Shifts, rotates, bit tests and scans of all widths, against the host CPU.

use steam_tests::hostcpu::case::register::ECX;
use steam_tests::hostcpu::case::{Case, WINDOW_SIZE};
use steam_tests::hostcpu::family::check;
use steam_tests::hostcpu::random::Random;
use steam_tests::hostcpu::row::Row;
use steam_tests::hostcpu::state::operand_offset;
use steam_tests::hostcpu::template::Encoding;
use steam_tests::hostcpu::undefined;

#[test]
fn shifts() {
    const NAMES: [&str; 8] = ["rol", "ror", "rcl", "rcr", "shl", "shr", "sal", "sar"];
    let mut rows = Vec::new();
    for (operation, name) in NAMES.iter().enumerate() {
        for form in ["d0 /N", "o16? d1 /N", "c0 /N ib", "o16? c1 /N ib", "d2 /N", "o16? d3 /N"] {
            let form = form.replace('N', &operation.to_string());
            rows.push(
                Row::new(name, &form)
                    .undefined(undefined::shift)
                    .adapt(any_immediate)
                    .prepare(any_count),
            );
        }
    }
    check("shifts and rotates", 400_000, &rows);
}

/// Spreads the counts evenly, mostly over those below 40.
fn count(random: &mut Random) -> u8 {
    if random.one_in(4) { random.bits() as u8 } else { random.below(40) as u8 }
}

fn any_immediate(encoding: &mut Encoding, random: &mut Random) {
    if matches!(encoding.code[encoding.opcode_at], 0xc0 | 0xc1) {
        *encoding.tail() = [count(random)];
    }
}

fn any_count(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    let addressed_by_count = encoding.address.is_some_and(|address| address.uses(ECX as u8));
    if !addressed_by_count {
        case.registers[ECX] = case.registers[ECX] & !0xff | u32::from(count(random));
    }
}

#[test]
fn double_shifts() {
    let rows = ["o16? 0f a4 /r ib", "o16? 0f a5 /r", "o16? 0f ac /r ib", "o16? 0f ad /r"];
    let rows = rows.map(|form| {
        let name = if form.contains("a4") || form.contains("a5") { "shld" } else { "shrd" };
        let row = Row::new(name, form).undefined(undefined::double_shift);
        row.reserve(1 << ECX).adapt(defined_immediate).prepare(defined_count)
    });
    check("double shifts", 200_000, &rows);
}

/// The result is undefined when the count is larger than the operand, so it is not made so.
fn double_count(encoding: &Encoding, random: &mut Random) -> u8 {
    let limit = if encoding.operand16 { 17 } else { 32 };
    random.below(limit) as u8 | random.bits() as u8 & 0xe0
}

fn defined_immediate(encoding: &mut Encoding, random: &mut Random) {
    let by_register = encoding.code[encoding.opcode_at + 1] & 1 == 1;
    if !by_register {
        *encoding.tail() = [double_count(encoding, random)];
    }
}

fn defined_count(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    let count = double_count(encoding, random);
    case.registers[ECX] = case.registers[ECX] & !0xff | u32::from(count);
}

#[test]
fn bit_tests() {
    let mut rows = Vec::new();
    for (operation, name) in (0..4).zip(["bt", "bts", "btr", "btc"]) {
        let lock = if name == "bt" { "" } else { "lock? " };
        let opcode = 0xa3 + 8 * operation;
        let immediate = format!("{lock}o16? 0f ba /{} ib", 4 + operation);
        rows.push(Row::new(name, &format!("o16? 0f {opcode:02x} /r.reg")));
        rows.push(Row::new(name, &immediate));
        rows.push(
            Row::new(name, &format!("{lock}o16? 0f {opcode:02x} /r.mem"))
                .reserve_field()
                .prepare(bit_in_window),
        );
    }
    let rows: Vec<Row> = rows.into_iter().map(|row| row.undefined(undefined::bit_test)).collect();
    check("bit tests", 250_000, &rows);
}

/// Chooses a bit offset, also far beyond the operand and negative, that stays in the window.
fn bit_in_window(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    let size = if encoding.operand16 { 2 } else { 4 };
    let words = match operand_offset(case, encoding) {
        Some(offset) if offset + size <= WINDOW_SIZE => {
            let before = offset / size;
            let after = (WINDOW_SIZE - offset - size) / size;
            random.below(before + after + 1) as i32 - before as i32
        }
        _ => 0,
    };
    let bits = 8 * size as i32;
    let bit = (words * bits + random.below(bits as usize) as i32) as u32;
    let register = &mut case.registers[encoding.field as usize];
    *register = if encoding.operand16 { *register & !0xffff | bit & 0xffff } else { bit };
}

#[test]
fn bit_scans() {
    let rows = [Row::new("bsf", "o16? 0f bc /r"), Row::new("bsr", "o16? 0f bd /r")];
    check("bit scans", 100_000, &rows.map(|row| row.undefined(undefined::bit_scan)));
}

#[test]
fn bit_counts() {
    let zeros = |name, form| Row::new(name, form).undefined(undefined::bit_count);
    let rows = [
        zeros("tzcnt", "o16? f3 0f bc /r"),
        zeros("lzcnt", "o16? f3 0f bd /r"),
        Row::new("popcnt", "o16? f3 0f b8 /r"),
        Row::new("crc32", "f2 0f 38 f0 /r"),
        Row::new("crc32", "o16? f2 0f 38 f1 /r"),
        Row::new("movbe", "o16? 0f 38 f0 /r.mem"),
        Row::new("movbe", "o16? 0f 38 f1 /r.mem"),
    ];
    check("bit counts", 100_000, &rows);
}
