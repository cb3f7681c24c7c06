//! Random expressions over globals of all arithmetic types: gcc's values against ours.

#[path = "../../steam-image/tests/compiler/mod.rs"]
mod compiler;
mod initial;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use initial::Initial;
use steam_expr::{Program, Value};
use steam_image::Image;

/// A small generator with a fixed start, so that every run tests the same expressions.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }

    /// One part of a list between semicolons.
    fn pick<'a>(&mut self, list: &'a str) -> &'a str {
        let parts: Vec<_> = list.split(';').map(str::trim).collect();
        parts[self.below(parts.len())]
    }
}

const INTEGERS: &str = "sc; uc; ch; sh; us; i; j; zero; u; l; ul; ll; ull; yes; no; c; lv; p.x; cp.y; fl.mode; \
    fl.signed_field; fl.wide; fl.truth; fl.paint; un.i; un.u; array[2].x; grid[1][j]; \
    head->value; head->next->inner; *pi; text[1]; bytes[3]; atomic; 1; 0; (-1); 7; 255u; \
    0x80000000; 2147483647; 1ll; 0xffffffffffull; 'x'; BLUE; LOW; sizeof p; \
    (pi - &grid[0][0]); (&array[3] - array); (head != 0)";
const FLOATS: &str = "f; d; third; tenth; 1.5; 0.25f; (double)i; (float)j";
const CASTS: &str = "int; unsigned; char; signed char; unsigned char; short; unsigned short; long; \
    long long; unsigned long long; _Bool; enum color; byte_t";

fn integer(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return random.pick(INTEGERS).to_owned();
    }
    let next = |random: &mut Random| integer(random, depth - 1);
    match random.below(12) {
        0..4 => {
            let sign = random.pick("+;-;*;&;|;^");
            format!("({} {sign} {})", next(random), next(random))
        }
        4 => {
            let sign = random.pick("/;%");
            format!("({} {sign} (({} & 15) + 1))", next(random), next(random))
        }
        5 => {
            let sign = random.pick("<<;>>");
            format!("({} {sign} ({} & 31))", next(random), next(random))
        }
        6 => {
            let sign = random.pick("<;<=;>;>=;==;!=;&&;||");
            format!("({} {sign} {})", next(random), next(random))
        }
        7 => {
            let sign = random.pick("<;<=;>;>=;==;!=;&&;||");
            format!("({} {sign} {})", float(random, depth - 1), float(random, depth - 1))
        }
        8 => format!("({} {})", random.pick("-;~;!;+"), next(random)),
        9 => format!("(({}){})", random.pick(CASTS), next(random)),
        10 => format!("({} ? {} : {})", next(random), next(random), next(random)),
        _ => next(random),
    }
}

fn float(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return random.pick(FLOATS).to_owned();
    }
    match random.below(5) {
        0..3 => {
            let sign = random.pick("+;-;*;/");
            format!("({} {sign} {})", float(random, depth - 1), float(random, depth - 1))
        }
        3 => format!("({} + {})", float(random, depth - 1), integer(random, depth - 1)),
        _ => format!("(-{})", float(random, depth - 1)),
    }
}

/// Numbers of a program and of ours, of which some are floats without a value.
fn agrees(ours: &Value, native: &str) -> bool {
    match ours {
        Value::Integer { value, .. } => value.to_string() == native,
        Value::Float { value, .. } => native
            .parse::<f64>()
            .is_ok_and(|native| native == *value || native.is_nan() && value.is_nan()),
        _ => false,
    }
}

const COUNT: usize = 3000;

#[test]
fn random_expressions_have_the_values_of_gcc() {
    let mut random = Random(0x5eed_e4b2);
    let expressions: Vec<String> = (0..COUNT)
        .map(|index| {
            let depth = 1 + random.below(4);
            if index % 4 == 0 { float(&mut random, depth) } else { integer(&mut random, depth) }
        })
        .collect();
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("random");
    fs::create_dir_all(&directory).expect("the directory for test programs");
    let lines: String =
        expressions.iter().map(|expression| format!("E({expression});\n")).collect();
    fs::write(directory.join("expressions.inc"), lines).expect("the expressions");
    let source = include_str!("native/globals.c");
    // Signed overflow wraps in ours; a float computed at once is not rounded twice.
    let command = "gcc -m32 -g -fwrapv -msse2 -mfpmath=sse -w -static";
    let path = compiler::build(command, "globals.c", source, "random");
    let native = Command::new(&path).output().expect("the native program");
    let native = String::from_utf8(native.stdout).expect("text");
    assert_eq!(native.lines().count(), COUNT, "the native program has stopped early");
    let image = Image::read_file(&path).expect("a program");
    let mut program = Program::new(&image).expect("declarations");
    let mut wrong = Vec::new();
    for (expression, native) in expressions.iter().zip(native.lines()) {
        let (size, value) = native.split_once(' ').expect("a size and a value");
        let compiled = program
            .compile(&format!("({expression}) + 0"), None)
            .unwrap_or_else(|error| panic!("{}", error.explain(expression)));
        let ours = compiled.evaluate(&mut Initial::new(&image));
        let our_size = program.types().size(compiled.type_id());
        if !agrees(&ours, value) || our_size != size.parse().ok() {
            wrong.push(format!("{expression}: native {native}, ours {our_size:?} {ours:?}"));
        }
    }
    let shown = wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {COUNT} differ:\n{shown}", wrong.len());
}
