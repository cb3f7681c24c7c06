//! Every x87 instruction form with operands of all classes, against the host CPU.

use steam_tests::hostcpu::case::Case;
use steam_tests::hostcpu::family::check;
use steam_tests::hostcpu::random::Random;
use steam_tests::hostcpu::row::{Fill, Row};
use steam_tests::hostcpu::state::operand_offset;
use steam_tests::hostcpu::template::Encoding;
use steam_tests::hostcpu::undefined::{
    C0, C3, status, x87_arithmetic, x87_control, x87_environment,
};

const ARITHMETIC: [&str; 8] = ["fadd", "fmul", "fcom", "fcomp", "fsub", "fsubr", "fdiv", "fdivr"];

/// An x87 row without a memory operand that defines C1 alone.
fn row(name: &str, template: &str) -> Row {
    Row::new(name, template).x87(0, Fill::Extended).undefined(x87_arithmetic)
}

/// A row of the arithmetic group: the comparisons define all condition codes.
fn arithmetic_row(operation: usize, template: &str, bytes: usize, fill: Fill) -> Row {
    let row = Row::new(ARITHMETIC[operation], &template.replace('N', &operation.to_string()));
    let row = row.x87(bytes, fill);
    if matches!(operation, 2 | 3) { row } else { row.undefined(x87_arithmetic) }
}

fn arithmetic_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for operation in 0..8 {
        rows.push(arithmetic_row(operation, "d8 /N.mem", 4, Fill::Single));
        rows.push(arithmetic_row(operation, "dc /N.mem", 8, Fill::Double));
        rows.push(arithmetic_row(operation, "da /N.mem", 4, Fill::Integer));
        rows.push(arithmetic_row(operation, "de /N.mem", 2, Fill::Integer));
        rows.push(arithmetic_row(operation, "d8 /N.reg", 0, Fill::Extended));
        if !matches!(operation, 2 | 3) {
            rows.push(arithmetic_row(operation, "dc /N.reg", 0, Fill::Extended));
            rows.push(arithmetic_row(operation, "de /N.reg", 0, Fill::Extended));
        }
    }
    rows.extend([row("fsqrt", "d9 fa"), row("frndint", "d9 fc"), row("fscale", "d9 fd")]);
    rows
}

#[test]
fn arithmetic() {
    check("x87 arithmetic", 250_000, &arithmetic_rows());
}

fn comparison_rows() -> Vec<Row> {
    let comparisons = [
        ("fcom", "d8 /2.reg"),
        ("fcomp", "d8 /3.reg"),
        ("fucom", "dd /4.reg"),
        ("fucomp", "dd /5.reg"),
        ("fcompp", "de d9"),
        ("fucompp", "da e9"),
        ("ftst", "d9 e4"),
        ("fxam", "d9 e5"),
        ("fucomi", "db /5.reg"),
        ("fcomi", "db /6.reg"),
        ("fucomip", "df /5.reg"),
        ("fcomip", "df /6.reg"),
    ];
    comparisons
        .iter()
        .map(|(name, form)| Row::new(name, form).x87(0, Fill::Extended).prepare(often_equal))
        .collect()
}

/// Copies one x87 register onto the others in some cases.
fn often_equal(case: &mut Case, _: &Encoding, random: &mut Random) {
    if let Some(image) = case.floating.as_mut().filter(|_| random.one_in(4)) {
        for i in 1..8 {
            image.copy_within(32..42, 32 + 16 * i);
        }
    }
}

#[test]
fn comparisons() {
    check("x87 comparisons", 100_000, &comparison_rows());
}

fn transfer_rows() -> Vec<Row> {
    let mut rows: Vec<Row> = [
        ("fld", "d9 /0.mem", 4, Fill::Single),
        ("fst", "d9 /2.mem", 4, Fill::Single),
        ("fstp", "d9 /3.mem", 4, Fill::Single),
        ("fld", "dd /0.mem", 8, Fill::Double),
        ("fst", "dd /2.mem", 8, Fill::Double),
        ("fstp", "dd /3.mem", 8, Fill::Double),
        ("fld", "db /5.mem", 10, Fill::Extended),
        ("fstp", "db /7.mem", 10, Fill::Extended),
        ("fild", "db /0.mem", 4, Fill::Integer),
        ("fist", "db /2.mem", 4, Fill::Integer),
        ("fistp", "db /3.mem", 4, Fill::Integer),
        ("fisttp", "db /1.mem", 4, Fill::Integer),
        ("fisttp", "dd /1.mem", 8, Fill::Integer),
        ("fisttp", "df /1.mem", 2, Fill::Integer),
        ("fild", "df /0.mem", 2, Fill::Integer),
        ("fist", "df /2.mem", 2, Fill::Integer),
        ("fistp", "df /3.mem", 2, Fill::Integer),
        ("fild", "df /5.mem", 8, Fill::Integer),
        ("fistp", "df /7.mem", 8, Fill::Integer),
        ("fbld", "df /4.mem", 10, Fill::Decimal),
        ("fbstp", "df /6.mem", 10, Fill::Decimal),
    ]
    .into_iter()
    .map(|(name, form, bytes, fill)| {
        Row::new(name, form).x87(bytes, fill).undefined(x87_arithmetic)
    })
    .collect();
    rows.extend([
        row("fld", "d9 /0.reg"),
        row("fxch", "d9 /1.reg"),
        row("fst", "dd /2.reg"),
        row("fstp", "dd /3.reg"),
        row("fchs", "d9 e0"),
        row("fabs", "d9 e1"),
        row("fxtract", "d9 f4"),
    ]);
    for constant in 0xe8..=0xee_u8 {
        rows.push(row("load of a constant", &format!("d9 {constant:02x}")));
    }
    for opcode in ["da", "db"] {
        for condition in 0..4 {
            rows.push(row("fcmov", &format!("{opcode} /{condition}.reg")));
        }
    }
    rows
}

#[test]
fn transfers() {
    check("x87 transfers", 250_000, &transfer_rows());
}

fn transcendental_rows() -> Vec<Row> {
    let remainder = |name, form| Row::new(name, form).x87(0, Fill::Extended);
    let trigonometric =
        |name, form| Row::new(name, form).x87(0, Fill::Extended).undefined(|_, _| status(C0 | C3));
    vec![
        row("f2xm1", "d9 f0"),
        row("fyl2x", "d9 f1"),
        trigonometric("fptan", "d9 f2"),
        row("fpatan", "d9 f3"),
        remainder("fprem1", "d9 f5"),
        remainder("fprem", "d9 f8"),
        row("fyl2xp1", "d9 f9"),
        trigonometric("fsincos", "d9 fb"),
        trigonometric("fsin", "d9 fe"),
        trigonometric("fcos", "d9 ff"),
    ]
}

#[test]
fn transcendentals() {
    let rows: Vec<Row> =
        transcendental_rows().into_iter().map(|row| row.prepare(in_domain)).collect();
    check("x87 transcendentals", 150_000, &rows);
}

/// The results of `f2xm1` and `fyl2xp1` are undefined outside their domains, so the top of the
/// stack stays in them where it is a finite number.
fn in_domain(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    let narrow = matches!(case.code[encoding.opcode_at + 1], 0xf0 | 0xf9);
    let Some(image) = case.floating.as_mut().filter(|_| narrow) else { return };
    let exponent = u16::from_le_bytes([image[40], image[41]]);
    let integer_bit = image[39] & 0x80 != 0;
    // -1 <= x <= 1 and -(1 - sqrt(1/2)) <= x <= 1 - sqrt(1/2), which 2^-2 is below.
    let limit = 0x3fff - 2;
    if integer_bit && exponent & 0x7fff > limit && exponent & 0x7fff != 0x7fff {
        let small = (limit - random.below(70) as u16) | exponent & 0x8000;
        image[40..42].copy_from_slice(&small.to_le_bytes());
    }
}

fn control_rows() -> Vec<Row> {
    let control =
        |name, form, bytes| Row::new(name, form).x87(bytes, Fill::Integer).undefined(x87_control);
    vec![
        control("fnop", "d9 d0", 0),
        control("fwait", "9b", 0),
        row("fdecstp", "d9 f6"),
        row("fincstp", "d9 f7"),
        control("ffree", "dd /0.reg", 0),
        control("ffreep", "df /0.reg", 0),
        control("fnclex", "db e2", 0),
        Row::new("fninit", "db e3").x87(0, Fill::Extended),
        control("fnstsw", "df e0", 0),
        control("fnstsw", "dd /7.mem", 2),
        control("fnstcw", "d9 /7.mem", 2),
        control("fldcw", "d9 /5.mem", 2).prepare(masked_control),
        Row::new("fnstenv", "o16? d9 /6.mem").x87(28, Fill::Integer).undefined(x87_environment),
        Row::new("fldenv", "o16? d9 /4.mem").x87(28, Fill::Integer).prepare(environment),
        Row::new("fnsave", "o16? dd /6.mem").x87(108, Fill::Integer).undefined(x87_environment),
        Row::new("frstor", "o16? dd /4.mem").x87(108, Fill::Extended).prepare(environment),
    ]
}

#[test]
fn control() {
    check("x87 control", 100_000, &control_rows());
}

/// A control word with all exceptions masked and a valid precision; other bits are random.
fn control_word(random: &mut Random) -> u16 {
    let precision = random.choose(&[0, 2, 3]);
    random.bits() as u16 & 0xf0ff | 0x3f | precision << 8 | (random.below(4) as u16) << 10
}

fn masked_control(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    let word = control_word(random).to_le_bytes();
    put_at_operand(case, encoding, 0, &word);
}

/// Writes a control, status and tag word such as programs load: nothing is pending in them.
fn environment(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    let step = if encoding.operand16 { 2 } else { 4 };
    let status = random.bits() as u16 & 0x7f3f;
    let words = [control_word(random), status, random.bits() as u16];
    for (i, word) in words.iter().enumerate() {
        put_at_operand(case, encoding, i * step, &word.to_le_bytes());
    }
}

fn put_at_operand(case: &mut Case, encoding: &Encoding, at: usize, bytes: &[u8]) {
    let Some(offset) = operand_offset(case, encoding) else { return };
    let start = offset + at;
    if let Some(place) = case.memory.as_mut().and_then(|m| m.get_mut(start..start + bytes.len())) {
        place.copy_from_slice(bytes);
    }
}

/// Exceptions that are not masked: the operation leaves its operands alone or scales its result,
/// and the next waiting instruction raises the signal.
#[test]
fn unmasked_exceptions() {
    let rows: Vec<Row> = arithmetic_rows()
        .into_iter()
        .chain(comparison_rows())
        .chain(transfer_rows())
        .filter(|row| !processors_differ(&row.name))
        .map(|row| row.prepare(unmask))
        .collect();
    check("x87 unmasked exceptions", 100_000, &rows);
}

/// Where makers of processors do not agree once exceptions are unmasked: whether a store that raises
/// one looks at its memory first (seen: AMD does, Intel does not), and `fscale`.
fn processors_differ(name: &str) -> bool {
    ["fst", "fist", "fbstp", "fscale"].iter().any(|start| name.starts_with(start))
}

fn unmask(case: &mut Case, _: &Encoding, random: &mut Random) {
    let Some(image) = &mut case.floating else { return };
    let masks = random.bits() as u8 & 0x3f;
    image[0] = image[0] & !0x3f | masks;
    image[2] = if random.one_in(4) { random.bits() as u8 & masks } else { 0 };
    if random.one_in(64) && masks != 0x3f {
        // Pending from before: the exception, its summary and the busy bit.
        image[2] |= !masks & 0x3f | 0x80;
        image[3] |= 0x80;
    }
}

/// An exception that one instruction leaves pending is raised by the next that waits.
#[test]
fn pending_exceptions() {
    let rows = ["d8 c1 9b", "de c1 d9 fa", "d9 fa dd d8", "d8 f1 df e0", "d8 f1 db e2 9b"]
        .map(|form| Row::new("two instructions", form).x87(0, Fill::Extended));
    let rows = rows.map(|row| row.undefined(x87_control).prepare(unmask));
    check("x87 pending exceptions", 20_000, &rows);
}
