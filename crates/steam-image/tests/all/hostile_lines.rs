//! Debug information that is made to exhaust its reader: it is refused soon, and the rest of the
//! program stays usable. Each case is a table that few bytes refer to many times.

use std::time::{Duration, Instant};

use crate::compiler::build;
use steam_image::{Image, NoLines};

/// The start of each program: code, and macros for the parts of debug information.
const START: &str = r#"
    .text
    .globl _start
    .type _start, @function
_start:
    jmp _start
    .skip 64
    .size _start, . - _start
end:
    .macro unit abbreviations
    .long 9f - 8f
8:  .short 4
    .long \abbreviations
    .byte 4
    .endm
    .macro end_of_unit
9:
    .endm
    .section .debug_abbrev, "", @progbits
abbreviations:
    /* 1: a unit with addresses */
    .uleb128 1, 0x11
    .byte 1
    .uleb128 0x11, 0x01, 0x12, 0x06, 0, 0
    /* 2: a function with addresses and a name in another section */
    .uleb128 2, 0x2e
    .byte 1
    .uleb128 0x11, 0x01, 0x12, 0x06, 0x03, 0x0e, 0, 0
    /* 3: an inlined function that says nothing */
    .uleb128 3, 0x1d
    .byte 1
    .uleb128 0, 0
    /* 4: a function with a list of ranges */
    .uleb128 4, 0x2e
    .byte 0
    .uleb128 0x55, 0x17, 0, 0
    /* 5: a unit with a line program */
    .uleb128 5, 0x11
    .byte 0
    .uleb128 0x11, 0x01, 0x12, 0x06, 0x10, 0x17, 0, 0
    /* 6: an inlined function named by another entry */
    .uleb128 6, 0x1d
    .byte 0
    .uleb128 0x31, 0x13, 0, 0
    /* 7: a function with as many attributes without bytes as the case wants */
    .uleb128 7, 0x2e
    .byte 0
    .rept ATTRIBUTES
    .uleb128 0x3f, 0x19
    .endr
    .uleb128 0, 0, 0
    .section .debug_str, "MS", @progbits, 1
    .fill LETTERS, 1, 'x'
    .byte 0
    .section .debug_info, "", @progbits
"#;

/// A case, with the counts that make it hostile or tame.
struct Case {
    name: &'static str,
    body: &'static str,
    /// How many attributes entry 7 has.
    attributes: &'static str,
    /// How many letters the name of a function has.
    letters: &'static str,
    hostile: usize,
    tame: usize,
    complaint: &'static str,
}

const OPEN: &str = ".uleb128 1\n.long _start, end - _start\n";

const CASES: &[Case] = &[
    Case {
        name: "nesting",
        body: "unit abbreviations
            OPEN
            .uleb128 2
            .long _start, end - _start, 0
            .fill COUNT, 1, 3
            .fill COUNT, 1, 0
            .byte 0, 0
            end_of_unit",
        attributes: "5",
        letters: "5",
        hostile: 4_000_000,
        tame: 100,
        complaint: "nested",
    },
    Case {
        name: "attributes",
        body: "unit abbreviations
            OPEN
            .fill COUNT, 1, 7
            .byte 0
            end_of_unit",
        attributes: "COUNT",
        letters: "5",
        hostile: 200_000,
        tame: 20,
        complaint: "attributes",
    },
    Case {
        name: "ranges",
        body: "unit abbreviations
            OPEN
            .rept COUNT
            .uleb128 4
            .long 0
            .endr
            .byte 0
            end_of_unit
            .section .debug_ranges, \"\", @progbits
            .rept COUNT
            .long 0, 4
            .endr
            .long 0, 0",
        attributes: "5",
        letters: "5",
        hostile: 100_000,
        tame: 20,
        complaint: "ranges",
    },
    Case {
        name: "tables",
        body: ".set place, 0
            .rept COUNT
            unit tables+place
            .set place, place + 8
            OPEN
            .byte 0
            end_of_unit
            .endr
            .section .debug_abbrev, \"\", @progbits
            tables:
            .rept COUNT
            .uleb128 1, 0x11
            .byte 1
            .uleb128 0x11, 0x01, 0x12, 0x06
            .byte 0x80
            .endr
            .uleb128 0, 0, 0",
        attributes: "5",
        letters: "5",
        hostile: 30_000,
        tame: 5,
        complaint: "abbreviations",
    },
    Case {
        name: "programs",
        body: ".rept COUNT
            unit abbreviations
            .uleb128 5
            .long _start, end - _start, 0
            end_of_unit
            .endr
            .section .debug_line, \"\", @progbits
            .long 7f - 6f
            6: .short 4
            .long 5f - 4f
            4: .byte 1, 1, 1, 0xfb, 14, 13
            .byte 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1
            .byte 0
            .asciz \"a.c\"
            .byte 0, 0, 0, 0
            5: .byte 0, 5, 2
            .long _start
            .fill COUNT, 1, 0x21
            .byte 0, 1, 1
            7:",
        attributes: "5",
        letters: "5",
        hostile: 30_000,
        tame: 5,
        complaint: "lines",
    },
    Case {
        name: "names",
        body: "unit abbreviations
            OPEN
            0: .uleb128 2
            .long _start, end - _start, 0
            .rept COUNT
            .uleb128 6
            .long 23
            .endr
            .byte 0, 0
            end_of_unit",
        attributes: "5",
        letters: "COUNT * 20",
        hostile: 100_000,
        tame: 5,
        complaint: "names",
    },
];

fn load(case: &Case, count: usize, output: &str) -> Image {
    let Case { body, attributes, letters, .. } = case;
    let body = body.replace("OPEN", OPEN);
    let source = format!(
        ".set COUNT, {count}\n.set ATTRIBUTES, {attributes}\n.set LETTERS, {letters}\n\
         {START}{body}\n"
    );
    let command = "gcc -m32 -static -nostdlib -Wl,--build-id=none";
    let path = build(command, "case.S", &source, output);
    Image::read_file(path).expect("a program")
}

#[test]
fn debug_information_that_would_exhaust_its_reader_is_refused() {
    for case in CASES {
        let image = load(case, case.hostile, &format!("hostile_{}", case.name));
        let start = Instant::now();
        let frames = image.lines.frames(image.entry + 1);
        let took = start.elapsed();
        // Far beyond any machine's slowness: this finds hangs, it measures nothing.
        assert!(took < Duration::from_secs(60), "{}: {took:?}", case.name);
        assert_eq!(frames[0].function.as_deref(), Some("_start"), "{}", case.name);
        let why = image.lines.missing();
        let complaint =
            matches!(why, Some(NoLines::TooLarge { what }) if what.contains(case.complaint));
        assert!(complaint, "{}: {why:?}", case.name);
    }
}

/// The same with small numbers is fine: the cases fail by their size and not by a mistake.
#[test]
fn the_same_in_small_is_accepted() {
    for case in CASES {
        let image = load(case, case.tame, &format!("tame_{}", case.name));
        assert_eq!(image.lines.missing(), None, "{}", case.name);
        let frames = image.lines.frames(image.entry + 1);
        assert!(!frames.is_empty(), "{}", case.name);
    }
}
