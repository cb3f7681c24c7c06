//! Every SSE and SSE2 floating-point instruction, against the host CPU.

use steam_tests::hostcpu::case::Case;
use steam_tests::hostcpu::family::check;
use steam_tests::hostcpu::random::Random;
use steam_tests::hostcpu::row::{Fill, Row};
use steam_tests::hostcpu::state::operand_offset;
use steam_tests::hostcpu::template::Encoding;

/// The four precisions: prefix, suffix, size of the memory operand, operands.
const PRECISIONS: [(&str, &str, usize, Fill); 4] = [
    ("", "ps", 16, Fill::Single),
    ("66 ", "pd", 16, Fill::Double),
    ("f3 ", "ss", 4, Fill::Single),
    ("f2 ", "sd", 8, Fill::Double),
];

/// A row whose memory operand must be aligned when it has 16 bytes.
fn row(name: &str, template: &str, bytes: usize, fill: Fill) -> Row {
    let row = Row::new(name, template).vector(bytes, fill);
    if bytes == 16 { row.aligned() } else { row }
}

fn arithmetic_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (prefix, suffix, bytes, fill) in PRECISIONS {
        let operations = [
            ("sqrt", 0x51),
            ("add", 0x58),
            ("mul", 0x59),
            ("sub", 0x5c),
            ("min", 0x5d),
            ("div", 0x5e),
            ("max", 0x5f),
        ];
        for (name, opcode) in operations {
            let template = format!("{prefix}0f {opcode:02x} /r");
            rows.push(row(&format!("{name}{suffix}"), &template, bytes, fill));
        }
        let compare = format!("{prefix}0f c2 /r ib");
        rows.push(row(&format!("cmp{suffix}"), &compare, bytes, fill).adapt(valid_predicate));
    }
    rows
}

/// Only eight predicates exist; the other bits of the immediate are reserved.
fn valid_predicate(encoding: &mut Encoding, _: &mut Random) {
    let [predicate] = encoding.tail();
    *predicate &= 7;
}

#[test]
fn arithmetic() {
    check("SSE arithmetic", 300_000, &arithmetic_rows());
}

#[test]
fn approximations() {
    let rows = [
        row("rsqrtps", "0f 52 /r", 16, Fill::Single),
        row("rcpps", "0f 53 /r", 16, Fill::Single),
        row("rsqrtss", "f3 0f 52 /r", 4, Fill::Single),
        row("rcpss", "f3 0f 53 /r", 4, Fill::Single),
    ];
    check("SSE approximations", 100_000, &rows);
}

#[test]
fn logic_and_shuffles() {
    let mut rows = Vec::new();
    for (prefix, suffix, fill) in [("", "ps", Fill::Single), ("66 ", "pd", Fill::Double)] {
        let operations = [
            ("unpckl", 0x14),
            ("unpckh", 0x15),
            ("and", 0x54),
            ("andn", 0x55),
            ("or", 0x56),
            ("xor", 0x57),
        ];
        for (name, opcode) in operations {
            let template = format!("{prefix}0f {opcode:02x} /r");
            rows.push(row(&format!("{name}{suffix}"), &template, 16, fill));
        }
        rows.push(row(&format!("shuf{suffix}"), &format!("{prefix}0f c6 /r ib"), 16, fill));
        let mask = format!("{prefix}0f 50 /r.reg");
        rows.push(row(&format!("movmsk{suffix}"), &mask, 0, fill));
    }
    check("SSE logic and shuffles", 120_000, &rows);
}

fn comparison_and_conversion_rows() -> Vec<Row> {
    vec![
        row("ucomiss", "0f 2e /r", 4, Fill::Single).prepare(often_equal),
        row("comiss", "0f 2f /r", 4, Fill::Single).prepare(often_equal),
        row("ucomisd", "66 0f 2e /r", 8, Fill::Double).prepare(often_equal),
        row("comisd", "66 0f 2f /r", 8, Fill::Double).prepare(often_equal),
        row("cvtsi2ss", "f3 0f 2a /r", 4, Fill::Integer),
        row("cvtsi2sd", "f2 0f 2a /r", 4, Fill::Integer),
        row("cvtss2si", "f3 0f 2d /r", 4, Fill::Single),
        row("cvttss2si", "f3 0f 2c /r", 4, Fill::Single),
        row("cvtsd2si", "f2 0f 2d /r", 8, Fill::Double),
        row("cvttsd2si", "f2 0f 2c /r", 8, Fill::Double),
        row("cvtps2pd", "0f 5a /r", 8, Fill::Single),
        row("cvtpd2ps", "66 0f 5a /r", 16, Fill::Double),
        row("cvtss2sd", "f3 0f 5a /r", 4, Fill::Single),
        row("cvtsd2ss", "f2 0f 5a /r", 8, Fill::Double),
        row("cvtdq2ps", "0f 5b /r", 16, Fill::Integer),
        row("cvtps2dq", "66 0f 5b /r", 16, Fill::Single),
        row("cvttps2dq", "f3 0f 5b /r", 16, Fill::Single),
        row("cvtdq2pd", "f3 0f e6 /r", 8, Fill::Integer),
        row("cvtpd2dq", "f2 0f e6 /r", 16, Fill::Double),
        row("cvttpd2dq", "66 0f e6 /r", 16, Fill::Double),
    ]
}

/// Makes all XMM registers the same in some cases.
fn often_equal(case: &mut Case, _: &Encoding, random: &mut Random) {
    if let Some(image) = case.floating.as_mut().filter(|_| random.one_in(4)) {
        for i in 1..8 {
            image.copy_within(160..176, 160 + 16 * i);
        }
    }
}

#[test]
fn comparisons_and_conversions() {
    check("SSE comparisons and conversions", 250_000, &comparison_and_conversion_rows());
}

#[test]
fn moves() {
    let mixed = |name, form, bytes| Row::new(name, form).vector(bytes, Fill::Mixed);
    let rows = [
        mixed("movups", "0f 10 /r", 16),
        mixed("movups", "0f 11 /r", 16),
        mixed("movupd", "66 0f 10 /r", 16),
        mixed("movupd", "66 0f 11 /r", 16),
        mixed("movss", "f3 0f 10 /r", 4),
        mixed("movss", "f3 0f 11 /r", 4),
        mixed("movsd", "f2 0f 10 /r", 8),
        mixed("movsd", "f2 0f 11 /r", 8),
        mixed("movaps", "0f 28 /r", 16).aligned(),
        mixed("movaps", "0f 29 /r", 16).aligned(),
        mixed("movapd", "66 0f 28 /r", 16).aligned(),
        mixed("movapd", "66 0f 29 /r", 16).aligned(),
        mixed("movntps", "0f 2b /r.mem", 16).aligned(),
        mixed("movntpd", "66 0f 2b /r.mem", 16).aligned(),
        mixed("movlps movhlps", "0f 12 /r", 8),
        mixed("movlps", "0f 13 /r.mem", 8),
        mixed("movlpd", "66 0f 12 /r.mem", 8),
        mixed("movlpd", "66 0f 13 /r.mem", 8),
        mixed("movhps movlhps", "0f 16 /r", 8),
        mixed("movhps", "0f 17 /r.mem", 8),
        mixed("movhpd", "66 0f 16 /r.mem", 8),
        mixed("movhpd", "66 0f 17 /r.mem", 8),
        mixed("stmxcsr", "0f ae /3.mem", 4),
        mixed("ldmxcsr", "0f ae /2.mem", 4).prepare(control_in_memory),
        // Saves below the window, clears x87 and one register, and restores.
        mixed("fxsave fxrstor", "0f ae 05 00 0e 00 20 db e3 0f 57 c0 0f ae 0d 00 0e 00 20", 0)
            .implicit_memory(),
    ];
    check("SSE moves", 200_000, &rows);
}

/// A control word without reserved bits, but for rare cases, which fault.
fn control_in_memory(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    let Some(offset) = operand_offset(case, encoding) else { return };
    let value = random.bits() as u32 & 0xffff | if random.one_in(64) { 1 << 16 } else { 0 };
    if let Some(place) = case.memory.as_mut().and_then(|m| m.get_mut(offset..offset + 4)) {
        place.copy_from_slice(&value.to_le_bytes());
    }
}

/// Exceptions that are not masked raise the signal before anything is written.
#[test]
fn unmasked_exceptions() {
    let mut rows = arithmetic_rows();
    rows.retain(|row| !row.name.starts_with("cmp"));
    rows.extend(comparison_and_conversion_rows());
    let unmask = |case: &mut Case, _: &Encoding, random: &mut Random| {
        if let Some(image) = &mut case.floating {
            let masks = (random.bits() as u32 & 0x3f) << 7;
            let control = u32::from_le_bytes([image[24], image[25], image[26], image[27]]);
            image[24..28].copy_from_slice(&(control & !0x1f80 | masks).to_le_bytes());
        }
    };
    let rows: Vec<Row> = rows.into_iter().map(|row| row.prepare(unmask)).collect();
    check("SSE unmasked exceptions", 50_000, &rows);
}
