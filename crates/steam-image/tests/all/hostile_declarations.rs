//! Declarations that are made to exhaust their reader: they are refused or cut short, soon.

use std::time::{Duration, Instant};

use crate::compiler::build;
use steam_image::{Image, NoDeclarations, NoLines, TypeKind};

/// The start of each program: code, and the abbreviations that the cases use.
const START: &str = r#"
    .text
    .globl _start
    .type _start, @function
_start:
    jmp _start
    .size _start, . - _start
end:
    .section .debug_abbrev, "", @progbits
abbreviations:
    /* 1: a unit */
    .uleb128 1, 0x11
    .byte 1
    .uleb128 0x11, 0x01, 0x12, 0x06, 0, 0
    /* 2: a struct without a name, with parts */
    .uleb128 2, 0x13
    .byte 1
    .uleb128 0, 0
    /* 3: a member that says nothing */
    .uleb128 3, 0x0d
    .byte 0
    .uleb128 0, 0
    /* 4: a struct with a name in another section */
    .uleb128 4, 0x13
    .byte 1
    .uleb128 0x03, 0x0e, 0, 0
    /* 5: a namespace with a name in another section */
    .uleb128 5, 0x39
    .byte 1
    .uleb128 0x03, 0x0e, 0, 0
    /* 6: a typedef */
    .uleb128 6, 0x16
    .byte 0
    .uleb128 0x49, 0x13, 0, 0
    /* 7: a variable that another entry describes, and its place */
    .uleb128 7, 0x34
    .byte 0
    .uleb128 0x31, 0x13, 0x02, 0x18, 0, 0
    /* 8: a variable with a name and a type */
    .uleb128 8, 0x34
    .byte 0
    .uleb128 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0
    /* 9: an array */
    .uleb128 9, 0x01
    .byte 1
    .uleb128 0x49, 0x13, 0, 0
    /* 10: a dimension */
    .uleb128 10, 0x21
    .byte 0
    .uleb128 0x2f, 0x0b, 0, 0
    .uleb128 0
    .section .debug_str, "MS", @progbits, 1
names:
    .fill 4000, 1, 'x'
    .byte 0
short:
    .asciz "s"
    .section .debug_info, "", @progbits
    .long 9f - 8f
8:  .short 4
    .long abbreviations
    .byte 4
    .uleb128 1
    .long _start, end - _start
"#;
const END: &str = "\n.byte 0\n9:\n";

#[track_caller]
fn load(body: &str, output: &str) -> Image {
    let command = "gcc -m32 -static -nostdlib -Wl,--build-id=none";
    let source = format!("{START}{body}{END}");
    Image::read_file(build(command, "case.S", &source, output)).expect("a program")
}

/// Reads the declarations, which must not take for ever.
#[track_caller]
fn refused(body: &str, output: &str) -> bool {
    let image = load(body, output);
    let start = Instant::now();
    let refused = matches!(
        image.declarations.get(),
        Err(NoDeclarations(NoLines::TooLarge { what })) if what.contains("declares too much")
    );
    // Far beyond any machine's slowness: this finds hangs, it measures nothing.
    assert!(start.elapsed() < Duration::from_secs(60), "{output}: {:?}", start.elapsed());
    refused
}

#[test]
fn floods_of_declarations_are_refused() {
    let cases = [
        ("members", ".uleb128 2\n.fill COUNT, 1, 3\n.byte 0", 8_000_000, 1000),
        ("names", ".rept COUNT\n.uleb128 4\n.long names\n.byte 0\n.endr", 200_000, 1000),
        (
            "scopes",
            ".uleb128 5\n.long names\n.rept COUNT\n.uleb128 4\n.long short\n.byte 2, 0, 0\n.endr\n.byte 0",
            200_000,
            1000,
        ),
    ];
    for (name, body, hostile, tame) in cases {
        let with = |count: usize| format!(".set COUNT, {count}\n{body}");
        assert!(refused(&with(hostile), &format!("hd_{name}")), "{name}");
        assert!(!refused(&with(tame), &format!("hd_tame_{name}")), "{name} in small");
    }
}

/// The unit's header and its first entry have 20 bytes.
const FIRST: usize = 20;

#[test]
fn types_that_refer_to_themselves_come_to_an_end() {
    let variable = |of: usize| {
        format!(".uleb128 8\n.asciz \"v\"\n.long {of}\n.uleb128 5\n.byte 3\n.long _start\n")
    };
    let check = |body: String, output: &str| {
        let image = load(&body, output);
        let declared = image.declarations.get().expect("declarations");
        let found = declared.variables("v").next().expect("the variable");
        assert_eq!(declared.types().size(found.type_id), None, "{output}");
        declared.types().kind(found.type_id).clone()
    };
    let itself = format!(".uleb128 6\n.long {FIRST}\n{}", variable(FIRST));
    assert_eq!(check(itself, "hd_itself"), TypeKind::Void);
    let array =
        format!(".uleb128 9\n.long {FIRST}\n.uleb128 10\n.byte 3\n.byte 0\n{}", variable(FIRST));
    assert!(matches!(check(array, "hd_array"), TypeKind::Array(_, Some(4))));
    // Each typedef has five bytes; the last one names the first one.
    let chain: String = (0..100_000)
        .map(|index| format!(".uleb128 6\n.long {}\n", FIRST + 5 * ((index + 1) % 100_000)))
        .collect();
    assert_eq!(check(chain + &variable(FIRST), "hd_chain"), TypeKind::Void);
}

#[test]
fn entries_that_describe_each_other_come_to_an_end() {
    // Each has eleven bytes.
    let place = ".uleb128 5\n.byte 3\n.long _start\n";
    let other = FIRST + 11;
    let body = format!(".uleb128 7\n.long {other}\n{place}.uleb128 7\n.long {FIRST}\n{place}");
    let image = load(&body, "hd_each_other");
    let declared = image.declarations.get().expect("declarations");
    assert_eq!(declared.all_variables().count(), 0, "none has a name");
}
