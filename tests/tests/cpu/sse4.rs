//! Every instruction of SSE3, SSSE3, SSE4.1 and SSE4.2, against the host CPU.

use steam_tests::hostcpu::case::Case;
use steam_tests::hostcpu::case::register::{EAX, ECX, EDX};
use steam_tests::hostcpu::family::check;
use steam_tests::hostcpu::random::Random;
use steam_tests::hostcpu::row::{Fill, Row};
use steam_tests::hostcpu::template::Encoding;

/// A row with an operand of 16 bytes, which must be aligned in memory.
fn vector(name: &str, form: &str, fill: Fill) -> Row {
    Row::new(name, form).vector(16, fill).aligned()
}

/// A row with an operand of so many bytes, of any kind.
fn mixed(name: &str, form: &str, bytes: usize) -> Row {
    Row::new(name, form).vector(bytes, Fill::Mixed)
}

fn floating_point_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (prefix, suffix, fill) in [("f2", "ps", Fill::Single), ("66", "pd", Fill::Double)] {
        for (name, opcode) in [("hadd", 0x7c), ("hsub", 0x7d), ("addsub", 0xd0)] {
            let form = format!("{prefix} 0f {opcode:02x} /r");
            rows.push(vector(&format!("{name}{suffix}"), &form, fill));
        }
    }
    rows.push(vector("dpps", "66 0f 3a 40 /r ib", Fill::Single));
    rows.push(vector("dppd", "66 0f 3a 41 /r ib", Fill::Double));
    rows.push(vector("roundps", "66 0f 3a 08 /r ib", Fill::Single));
    rows.push(vector("roundpd", "66 0f 3a 09 /r ib", Fill::Double));
    rows.push(Row::new("roundss", "66 0f 3a 0a /r ib").vector(4, Fill::Single));
    rows.push(Row::new("roundsd", "66 0f 3a 0b /r ib").vector(8, Fill::Double));
    rows
}

#[test]
fn floating_point() {
    check("SSE3 and SSE4.1 floating point", 120_000, &floating_point_rows());
}

/// Exceptions that are not masked raise the signal before anything is written.
#[test]
fn unmasked_exceptions() {
    let unmask = |case: &mut Case, _: &Encoding, random: &mut Random| {
        if let Some(image) = &mut case.floating {
            let masks = (random.bits() as u32 & 0x3f) << 7;
            let control = u32::from_le_bytes([image[24], image[25], image[26], image[27]]);
            image[24..28].copy_from_slice(&(control & !0x1f80 | masks).to_le_bytes());
        }
    };
    let rows: Vec<Row> = floating_point_rows().into_iter().map(|row| row.prepare(unmask)).collect();
    check("SSE4 unmasked exceptions", 20_000, &rows);
}

#[test]
fn packed_operations() {
    let mut rows = Vec::new();
    // SSSE3, which has all of it for MMX registers too.
    for opcode in (0x00..=0x0b).chain(0x1c..=0x1e) {
        let form = format!("0f 38 {opcode:02x} /r");
        rows.push(Row::new("ssse3 mmx", &form).vector(8, Fill::Integer));
        rows.push(vector("ssse3", &format!("66 {form}"), Fill::Integer));
    }
    rows.push(
        Row::new("palignr mmx", "0f 3a 0f /r ib").vector(8, Fill::Integer).adapt(small_immediate),
    );
    rows.push(vector("palignr", "66 0f 3a 0f /r ib", Fill::Integer).adapt(small_immediate));
    // SSE4.1 and SSE4.2: blends by xmm0, ptest, pmuldq, pcmpeqq, packusdw, pcmpgtq, minima and so on.
    let own = [0x10, 0x14, 0x15, 0x17, 0x28, 0x29, 0x2b].into_iter();
    for opcode in own.chain(0x37..=0x41) {
        rows.push(vector("sse4", &format!("66 0f 38 {opcode:02x} /r"), Fill::Integer));
    }
    for (name, opcode) in
        [("blendps", 0x0c), ("blendpd", 0x0d), ("pblendw", 0x0e), ("mpsadbw", 0x42)]
    {
        rows.push(vector(name, &format!("66 0f 3a {opcode:02x} /r ib"), Fill::Integer));
    }
    check("SSSE3 and SSE4 integers", 150_000, &rows);
}

fn small_immediate(encoding: &mut Encoding, random: &mut Random) {
    if random.one_in(2) {
        *encoding.tail() = [random.below(34) as u8];
    }
}

#[test]
fn moves() {
    let mut rows = vec![
        mixed("lddqu", "f2 0f f0 /r.mem", 16),
        mixed("movddup", "f2 0f 12 /r", 8),
        vector("movsldup", "f3 0f 12 /r", Fill::Single),
        vector("movshdup", "f3 0f 16 /r", Fill::Single),
        vector("movntdqa", "66 0f 38 2a /r.mem", Fill::Mixed),
        mixed("insertps", "66 0f 3a 21 /r ib", 4),
        mixed("pinsrb", "66 0f 3a 20 /r ib", 1),
        mixed("pinsrd", "66 0f 3a 22 /r ib", 4),
        mixed("pextrb", "66 0f 3a 14 /r ib", 1),
        mixed("pextrw", "66 0f 3a 15 /r ib", 2),
        mixed("pextrd", "66 0f 3a 16 /r ib", 4),
        mixed("extractps", "66 0f 3a 17 /r ib", 4),
    ];
    for (opcode, bytes) in [(0, 8), (1, 4), (2, 2), (3, 8), (4, 4), (5, 8)] {
        rows.push(mixed("pmovsx", &format!("66 0f 38 2{opcode} /r"), bytes));
        rows.push(mixed("pmovzx", &format!("66 0f 38 3{opcode} /r"), bytes));
    }
    check("SSE3 and SSE4.1 moves", 100_000, &rows);
}

#[test]
fn texts() {
    let used = 1 << EAX | 1 << ECX | 1 << EDX;
    let rows = [("pcmpestrm", 0x60), ("pcmpestri", 0x61), ("pcmpistrm", 0x62), ("pcmpistri", 0x63)]
        .map(|(name, opcode)| {
            let row = Row::new(name, &format!("66 0f 3a {opcode:02x} /r ib"));
            row.vector(16, Fill::Integer).reserve(used).adapt(defined).prepare(few_letters)
        });
    check("SSE4.2 texts", 100_000, &rows);
}

/// The highest bit of the immediate is reserved.
fn defined(encoding: &mut Encoding, _: &mut Random) {
    let [kind] = encoding.tail();
    *kind &= 0x7f;
}

/// Texts of few different letters, so that they match here and there, and lengths that are near theirs.
fn few_letters(case: &mut Case, _: &Encoding, random: &mut Random) {
    for register in [EAX, EDX] {
        if !random.one_in(8) {
            case.registers[register] = (random.below(40) as u32).wrapping_sub(20);
        }
    }
    let letters = [b'a', b'a', b'b', b'c', 0xff, 0];
    let wide = random.one_in(2);
    let kinds = if random.one_in(3) { 5 } else { 6 };
    if let Some(image) = case.floating.as_mut().filter(|_| !random.one_in(8)) {
        for (i, byte) in image[160..288].iter_mut().enumerate() {
            *byte = if wide && i % 2 == 1 { 0 } else { letters[random.below(kinds)] };
        }
    }
}
