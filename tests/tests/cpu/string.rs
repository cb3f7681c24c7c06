//! String instructions with and without repetition, in both directions, against the host CPU.

use steam_tests::hostcpu::case::register::{EAX, ECX, EDI, ESI};
use steam_tests::hostcpu::case::{Case, DF, FS_BASE, WINDOW, WINDOW_SIZE};
use steam_tests::hostcpu::family::check;
use steam_tests::hostcpu::random::Random;
use steam_tests::hostcpu::row::Row;
use steam_tests::hostcpu::template::Encoding;

#[test]
fn strings() {
    let mut rows = Vec::new();
    for (name, opcode) in
        [("movs", 0xa4), ("cmps", 0xa6), ("stos", 0xaa), ("lods", 0xac), ("scas", 0xae)]
    {
        for prefix in ["", "f3 ", "f2 ", "64 ", "64 f3 "] {
            for form in [format!("{opcode:02x}"), format!("o16? {:02x}", opcode + 1)] {
                let row = Row::new(name, &format!("{prefix}{form}"));
                rows.push(row.implicit_memory().prepare(strings_in_window));
            }
        }
    }
    check("strings", 300_000, &rows);
}

/// Points both strings and the count into the window, and lets elements be equal often.
fn strings_in_window(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    let opcode = case.code[encoding.opcode_at];
    let size = match (opcode & 1, encoding.operand16) {
        (0, _) => 1,
        (_, true) => 2,
        _ => 4,
    };
    let repeated = case.code[..encoding.opcode_at].iter().any(|&byte| byte >= 0xf0);
    let longest = WINDOW_SIZE / size / random.choose(&[1, 2, 8]);
    let count = random.below(longest + 1);
    let span = size * if repeated { count.max(1) } else { 1 };
    for register in [ESI, EDI] {
        let mut offset = random.below(WINDOW_SIZE - span + 1);
        if case.flags & DF != 0 {
            offset += span - size;
        }
        // A segment prefix counts for the source alone.
        let base = if register == ESI && case.code[0] == 0x64 { FS_BASE } else { 0 };
        case.registers[register] = (WINDOW + offset as u32).wrapping_sub(base);
    }
    if repeated {
        // Rarely more than fits: the end of the window is a guard page.
        case.registers[ECX] = count as u32 + if random.one_in(512) { 256 } else { 0 };
        if case.registers[ECX] > 256 {
            case.flags &= !DF;
        }
    }
    let Some(memory) = &mut case.memory else { return };
    if random.one_in(4) {
        return;
    }
    let element = random.choose(&[0x4141_4141, 0, 0xffff_ffff_u32]);
    let rare = random.choose(&[2, 16, 64, 1000]);
    for byte in memory.iter_mut() {
        *byte = if random.one_in(rare) { random.bits() as u8 } else { element as u8 };
    }
    if random.one_in(2) {
        case.registers[EAX] = element;
    }
}

/// With the address-size prefix the count is CX; at zero nothing is touched.
#[test]
fn repetition_with_16_bit_count() {
    let rows = ["67 f3 a4", "67 f3 ab", "67 f2 ae", "67 f3 a6", "67 f3 ad"]
        .map(|form| Row::new("rep", form).prepare(|case, _, _| case.registers[ECX] &= 0xffff_0000));
    check("rep with cx = 0", 5_000, &rows);
}
