//! Random expressions over globals of all arithmetic types.

use crate::chance::Random;
use crate::{C_SOURCE, SSE, compare};

/// One part of a list between semicolons.
fn pick<'a>(random: &mut Random, list: &'a str) -> &'a str {
    let parts: Vec<_> = list.split(';').map(str::trim).collect();
    parts[random.below(parts.len())]
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
        return pick(random, INTEGERS).to_owned();
    }
    let next = |random: &mut Random| integer(random, depth - 1);
    match random.below(12) {
        0..4 => {
            let sign = pick(random, "+;-;*;&;|;^");
            format!("({} {sign} {})", next(random), next(random))
        }
        4 => {
            let sign = pick(random, "/;%");
            format!("({} {sign} (({} & 15) + 1))", next(random), next(random))
        }
        5 => {
            let sign = pick(random, "<<;>>");
            format!("({} {sign} ({} & 31))", next(random), next(random))
        }
        6 => {
            let sign = pick(random, "<;<=;>;>=;==;!=;&&;||");
            format!("({} {sign} {})", next(random), next(random))
        }
        7 => {
            let sign = pick(random, "<;<=;>;>=;==;!=;&&;||");
            format!("({} {sign} {})", float(random, depth - 1), float(random, depth - 1))
        }
        8 => format!("({} {})", pick(random, "-;~;!;+"), next(random)),
        9 => format!("(({}){})", pick(random, CASTS), next(random)),
        10 => format!("({} ? {} : {})", next(random), next(random), next(random)),
        _ => next(random),
    }
}

fn float(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return pick(random, FLOATS).to_owned();
    }
    match random.below(5) {
        0..3 => {
            let sign = pick(random, "+;-;*;/");
            format!("({} {sign} {})", float(random, depth - 1), float(random, depth - 1))
        }
        3 => format!("({} + {})", float(random, depth - 1), integer(random, depth - 1)),
        _ => format!("(-{})", float(random, depth - 1)),
    }
}

const COUNT: usize = 3000;

#[test]
fn random_expressions_have_the_values_of_gcc() {
    let mut random = Random(0x5eed_e4b2);
    let mut expression = |index: usize| {
        let depth = 1 + random.below(4);
        if index.is_multiple_of(4) {
            float(&mut random, depth)
        } else {
            integer(&mut random, depth)
        }
    };
    let expressions: Vec<String> = (0..COUNT).map(&mut expression).collect();
    let expressions: Vec<&str> = expressions.iter().map(String::as_str).collect();
    // Signed overflow wraps in ours.
    compare(&format!("gcc -m32 -g -fwrapv {SSE}"), C_SOURCE, &expressions, "n_random");
}
