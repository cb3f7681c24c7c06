//! Short sequences of integer instructions against the host CPU: flags that one instruction leaves
//! are read, kept or replaced by the next, which single instructions cannot show.
//!
//! No instruction reads a flag that an earlier one left undefined.

use steam_tests::hostcpu::case::{
    AF, CF, CODE, CODE_SIZE, Case, EXITS, OF, PF, SETTABLE_FLAGS, SF, ZF,
};
use steam_tests::hostcpu::family::{Family, multiplier};
use steam_tests::hostcpu::random::Random;
use steam_tests::hostcpu::template::{Limits, Template};
use steam_tests::hostcpu::undefined::{flags, shift_by};

const ALL: u32 = CF | PF | AF | ZF | SF | OF;
/// The flags that each pair of conditions reads.
const CONDITIONS: [u32; 8] = [OF, CF, ZF, CF | ZF, SF, PF, SF | OF, ZF | SF | OF];

/// One kind of instruction: what it reads, what it defines, what it leaves undefined.
struct Kind {
    template: Template,
    reads: u32,
    defines: u32,
    undefined: u32,
}

fn kind(template: &str, reads: u32, defines: u32, undefined: u32) -> Kind {
    Kind { template: Template::parse(template), reads, defines, undefined }
}

fn kinds() -> Vec<Kind> {
    let mut kinds = Vec::new();
    for operation in 0..8_u8 {
        let reads = if matches!(operation, 2 | 3) { CF } else { 0 };
        let undefined = if matches!(operation, 1 | 4 | 6) { AF } else { 0 };
        let base = 8 * operation;
        let forms = [
            format!("{base:02x} /r.reg"),
            format!("o16? {:02x} /r.reg", base + 1),
            format!("o16? {:02x} /r.reg", base + 3),
            format!("{:02x} ib", base + 4),
            format!("o16? {:02x} iv", base + 5),
            format!("o16? 83 /{operation}.reg ib"),
        ];
        for form in &forms {
            kinds.push(kind(form, reads, ALL & !undefined, undefined));
        }
    }
    kinds.extend([
        kind("84 /r.reg", 0, ALL & !AF, AF),
        kind("o16? 85 /r.reg", 0, ALL & !AF, AF),
        kind("o16? 40+r", 0, ALL & !CF, 0),
        kind("o16? 48+r", 0, ALL & !CF, 0),
        kind("fe /0.reg", 0, ALL & !CF, 0),
        kind("fe /1.reg", 0, ALL & !CF, 0),
        kind("o16? f7 /2.reg", 0, 0, 0),
        kind("f6 /3.reg", 0, ALL, 0),
        kind("o16? f7 /3.reg", 0, ALL, 0),
        kind("o16? f7 /4.reg", 0, CF | OF, SF | ZF | AF | PF),
        kind("o16? 0f af /r.reg", 0, CF | OF, SF | ZF | AF | PF),
        kind("o16? 0f a3 /r.reg", 0, CF, OF | SF | AF | PF),
        kind("o16? 0f bc /r.reg", 0, ZF, ALL & !ZF),
        kind("o16? 0f c1 /r.reg", 0, ALL, 0),
        kind("o16? 0f b1 /r.reg", 0, ALL, 0),
        kind("f8", 0, CF, 0),
        kind("f9", 0, CF, 0),
        kind("f5", CF, CF, 0),
        kind("9e", 0, ALL & !OF, 0),
        kind("9f", ALL & !OF, 0, 0),
        kind("d6", CF, 0, 0),
        kind("o16? 8d 44 0a 05", 0, 0, 0),
        kind("o16? 8b /r.reg", 0, 0, 0),
    ]);
    add_conditions(&mut kinds);
    add_shifts(&mut kinds);
    kinds
}

fn add_conditions(kinds: &mut Vec<Kind>) {
    for condition in 0..16_u8 {
        let reads = CONDITIONS[usize::from(condition / 2)];
        kinds.push(kind(&format!("0f {:02x} /0.reg", 0x90 + condition), reads, 0, 0));
        kinds.push(kind(&format!("o16? 0f {:02x} /r.reg", 0x40 + condition), reads, 0, 0));
    }
}

/// Shifts and rotates by fixed counts, so that it is known what they leave undefined.
fn add_shifts(kinds: &mut Vec<Kind>) {
    for operation in 0..8_u8 {
        for (width, one, many) in [(8, "d0", "c0"), (16, "66 d1", "66 c1"), (32, "d1", "c1")] {
            for count in [1, 0, 3, 7] {
                let template = match count {
                    1 => format!("{one} /{operation}.reg"),
                    _ => format!("{many} /{operation}.reg {count:02x}"),
                };
                let undefined = shift_by(operation, width, count).flags;
                let changed = match (count, operation) {
                    (0, _) => 0,
                    (_, 0..4) => CF | OF,
                    _ => ALL,
                };
                let reads = if matches!(operation, 2 | 3) { CF } else { 0 };
                kinds.push(kind(&template, reads, changed & !undefined, undefined));
            }
        }
    }
}

#[test]
fn sequences() {
    let kinds = kinds();
    let mut family = Family::new("sequences");
    let mut random = Random::from_name("sequences");
    for _ in 0..20_000 * multiplier() {
        let (code, undefined) = sequence(&kinds, &mut random);
        for _ in 0..16 {
            let mut case = Case::new(&code);
            case.registers = std::array::from_fn(|_| random.integer());
            case.flags = random.bits() as u32 & SETTABLE_FLAGS;
            case.undefined = flags(undefined);
            family.push("sequence", case);
        }
    }
    family.finish();
}

/// Two to six instructions and, in half of the sequences, a conditional jump to an exit. Returns
/// the code and the flags that are undefined at its end.
fn sequence(kinds: &[Kind], random: &mut Random) -> (Vec<u8>, u32) {
    const LIMITS: Limits = Limits { reserved: 0, reserve_field: false, bytes: 0, alignment: 1 };
    let mut code = Vec::new();
    let mut undefined = 0;
    for _ in 0..2 + random.below(5) {
        let kind = loop {
            let kind = &kinds[random.below(kinds.len())];
            if kind.reads & undefined == 0 {
                break kind;
            }
        };
        let encoding = kind.template.encode(LIMITS, random);
        if code.len() + encoding.length > CODE_SIZE - 2 {
            break;
        }
        code.extend(&encoding.code[..encoding.length]);
        undefined = undefined & !kind.defines | kind.undefined;
    }
    let condition = random.below(16);
    if random.one_in(2) && CONDITIONS[condition / 2] & undefined == 0 {
        let end = CODE + code.len() as u32 + 2;
        code.extend([0x70 + condition as u8, EXITS[0].wrapping_sub(end) as u8]);
    }
    (code, undefined)
}
