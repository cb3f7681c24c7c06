//! Every SSE2 integer instruction, against the host CPU.

use steam_tests::hostcpu::case::register::EDI;
use steam_tests::hostcpu::case::{Case, WINDOW};
use steam_tests::hostcpu::family::check;
use steam_tests::hostcpu::random::Random;
use steam_tests::hostcpu::row::{Fill, Row};
use steam_tests::hostcpu::template::Encoding;

#[test]
fn packed_operations() {
    // The opcodes that have an MMX twin, then those that have none.
    let twins = [
        0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x74, 0x75, 0x76,
        0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd8, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xdf, 0xe0, 0xe1,
        0xe2, 0xe3, 0xe4, 0xe5, 0xe8, 0xe9, 0xea, 0xeb, 0xec, 0xed, 0xee, 0xef, 0xf1, 0xf2, 0xf3,
        0xf4, 0xf5, 0xf6, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe,
    ];
    let own = [0x6c, 0x6d];
    let mut rows: Vec<Row> = twins
        .iter()
        .chain(&own)
        .map(|opcode| {
            let row = Row::new("packed integers", &format!("66 0f {opcode:02x} /r"));
            row.vector(16, Fill::Integer).aligned().prepare(small_counts)
        })
        .collect();
    for form in
        ["71 /2", "71 /4", "71 /6", "72 /2", "72 /4", "72 /6", "73 /2", "73 /3", "73 /6", "73 /7"]
    {
        let row = Row::new("shift", &format!("66 0f {form}.reg ib"));
        rows.push(row.vector(0, Fill::Integer).adapt(small_immediate));
    }
    for (name, prefix) in [("pshufd", "66"), ("pshufhw", "f3"), ("pshuflw", "f2")] {
        let row = Row::new(name, &format!("{prefix} 0f 70 /r ib"));
        rows.push(row.vector(16, Fill::Integer).aligned());
    }
    check("SSE2 integer operations", 250_000, &rows);
}

/// Makes shift counts in registers small in half of the shift cases.
fn small_counts(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    let opcode = case.code[encoding.opcode_at + 1];
    let shift = matches!(opcode, 0xd1..=0xd3 | 0xe1 | 0xe2 | 0xf1..=0xf3);
    if let Some(image) = case.floating.as_mut().filter(|_| shift && random.one_in(2)) {
        for register in image[160..].chunks_exact_mut(16).skip(4) {
            register[..8].copy_from_slice(&(random.below(70) as u64).to_le_bytes());
        }
    }
}

fn small_immediate(encoding: &mut Encoding, random: &mut Random) {
    if random.one_in(2) {
        *encoding.tail() = [random.below(70) as u8];
    }
}

#[test]
fn moves() {
    let integer = |name, form, bytes| Row::new(name, form).vector(bytes, Fill::Integer);
    let rows = [
        integer("movd", "66 0f 6e /r", 4),
        integer("movd", "66 0f 7e /r", 4),
        integer("movq", "f3 0f 7e /r", 8),
        integer("movq", "66 0f d6 /r", 8),
        integer("movdqa", "66 0f 6f /r", 16).aligned(),
        integer("movdqa", "66 0f 7f /r", 16).aligned(),
        integer("movdqu", "f3 0f 6f /r", 16),
        integer("movdqu", "f3 0f 7f /r", 16),
        integer("movntdq", "66 0f e7 /r.mem", 16).aligned(),
        integer("pinsrw", "66 0f c4 /r ib", 2),
        integer("pextrw", "66 0f c5 /r.reg ib", 0),
        integer("pmovmskb", "66 0f d7 /r.reg", 0),
        integer("maskmovdqu", "66 0f f7 /r.reg", 0).implicit_memory().prepare(|case, _, random| {
            case.registers[EDI] = WINDOW + random.below(241) as u32;
        }),
    ];
    check("SSE2 integer moves", 150_000, &rows);
}
