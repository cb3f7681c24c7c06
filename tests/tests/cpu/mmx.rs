//! Every MMX instruction and those SSE and SSE2 ones that use MMX registers, against the host CPU.

use steam_tests::hostcpu::case::register::EDI;
use steam_tests::hostcpu::case::{Case, WINDOW};
use steam_tests::hostcpu::family::check;
use steam_tests::hostcpu::random::Random;
use steam_tests::hostcpu::row::{Fill, Row};
use steam_tests::hostcpu::template::Encoding;

#[test]
fn packed_operations() {
    let mut rows: Vec<Row> = [
        ("packsswb", 0x63),
        ("packssdw", 0x6b),
        ("packuswb", 0x67),
        ("paddb", 0xfc),
        ("paddw", 0xfd),
        ("paddd", 0xfe),
        ("paddq", 0xd4),
        ("paddsb", 0xec),
        ("paddsw", 0xed),
        ("paddusb", 0xdc),
        ("paddusw", 0xdd),
        ("psubb", 0xf8),
        ("psubw", 0xf9),
        ("psubd", 0xfa),
        ("psubq", 0xfb),
        ("psubsb", 0xe8),
        ("psubsw", 0xe9),
        ("psubusb", 0xd8),
        ("psubusw", 0xd9),
        ("pand", 0xdb),
        ("pandn", 0xdf),
        ("por", 0xeb),
        ("pxor", 0xef),
        ("pcmpeqb", 0x74),
        ("pcmpeqw", 0x75),
        ("pcmpeqd", 0x76),
        ("pcmpgtb", 0x64),
        ("pcmpgtw", 0x65),
        ("pcmpgtd", 0x66),
        ("pmaddwd", 0xf5),
        ("pmulhw", 0xe5),
        ("pmulhuw", 0xe4),
        ("pmullw", 0xd5),
        ("pmuludq", 0xf4),
        ("psllw", 0xf1),
        ("pslld", 0xf2),
        ("psllq", 0xf3),
        ("psrlw", 0xd1),
        ("psrld", 0xd2),
        ("psrlq", 0xd3),
        ("psraw", 0xe1),
        ("psrad", 0xe2),
        ("punpckhbw", 0x68),
        ("punpckhwd", 0x69),
        ("punpckhdq", 0x6a),
        ("pavgb", 0xe0),
        ("pavgw", 0xe3),
        ("pmaxsw", 0xee),
        ("pmaxub", 0xde),
        ("pminsw", 0xea),
        ("pminub", 0xda),
        ("psadbw", 0xf6),
    ]
    .iter()
    .map(|(name, opcode)| {
        let row = Row::new(name, &format!("0f {opcode:02x} /r"));
        row.vector(8, Fill::Integer).prepare(small_counts)
    })
    .collect();
    for (name, opcode) in [("punpcklbw", 0x60), ("punpcklwd", 0x61), ("punpckldq", 0x62)] {
        rows.push(Row::new(name, &format!("0f {opcode:02x} /r")).vector(4, Fill::Integer));
    }
    for form in ["71 /2", "71 /4", "71 /6", "72 /2", "72 /4", "72 /6", "73 /2", "73 /6"] {
        let row = Row::new("shift", &format!("0f {form}.reg ib"));
        rows.push(row.vector(0, Fill::Integer).adapt(small_immediate));
    }
    check("MMX operations", 250_000, &rows);
}

/// Makes shift counts in registers small in half of the shift cases.
fn small_counts(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    let opcode = case.code[encoding.opcode_at + 1];
    let shift = matches!(opcode, 0xd1..=0xd3 | 0xe1 | 0xe2 | 0xf1..=0xf3);
    if let Some(image) = case.floating.as_mut().filter(|_| shift && random.one_in(2)) {
        for register in image[32..160].chunks_exact_mut(16).skip(4) {
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
fn moves_and_conversions() {
    let integer = |name, form, bytes| Row::new(name, form).vector(bytes, Fill::Integer);
    let rows = [
        integer("movd", "0f 6e /r", 4),
        integer("movd", "0f 7e /r", 4),
        integer("movq", "0f 6f /r", 8),
        integer("movq", "0f 7f /r", 8),
        integer("movntq", "0f e7 /r.mem", 8),
        integer("pextrw", "0f c5 /r.reg ib", 0),
        integer("pinsrw", "0f c4 /r ib", 2),
        integer("pmovmskb", "0f d7 /r.reg", 0),
        integer("pshufw", "0f 70 /r ib", 8),
        integer("maskmovq", "0f f7 /r.reg", 0).implicit_memory().prepare(|case, _, random| {
            case.registers[EDI] = WINDOW + random.below(249) as u32;
        }),
        integer("emms", "0f 77", 0),
        integer("cvtpi2ps", "0f 2a /r", 8),
        integer("cvtpi2pd", "66 0f 2a /r.reg", 8),
        Row::new("cvtps2pi", "0f 2d /r").vector(8, Fill::Single),
        Row::new("cvttps2pi", "0f 2c /r").vector(8, Fill::Single),
        Row::new("cvtpd2pi", "66 0f 2d /r").vector(16, Fill::Double).aligned(),
        Row::new("cvttpd2pi", "66 0f 2c /r").vector(16, Fill::Double).aligned(),
        integer("movdq2q", "f2 0f d6 /r.reg", 0),
        integer("movq2dq", "f3 0f d6 /r.reg", 0),
    ];
    check("MMX moves and conversions", 150_000, &rows);
}

/// With a memory operand this conversion leaves the x87 state as it is.
#[test]
fn conversion_from_memory() {
    let rows = [Row::new("cvtpi2pd", "66 0f 2a /r.mem").vector(8, Fill::Integer)];
    check("cvtpi2pd from memory", 10_000, &rows);
}
