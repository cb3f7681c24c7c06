//! Files that are no static i386 programs: each gets one message that says what it is and what
//! to do.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use crate::compiler::{VARIABLES, build};
use steam_image::{Image, ImageError};

const FUNCTION: &str = "int answer(int x) { return x + 42; }\n";

/// A program without libraries, as small as they get.
fn small() -> Vec<u8> {
    // The tests run at the same time: only one of them may write the file.
    static SMALL: OnceLock<Vec<u8>> = OnceLock::new();
    let make = || {
        let source = "int data = 1; void _start(void) { for (;;) data++; }";
        let command = "gcc -m32 -static -nostdlib -fno-pic -Wl,--build-id=none";
        fs::read(build(command, "small.c", source, "refuse_small")).expect("the program")
    };
    SMALL.get_or_init(make).clone()
}

#[track_caller]
fn check(bytes: &[u8], name: &str, expected: &[&str]) {
    let message = Image::parse(bytes, name).expect_err("no program").to_string();
    for words in expected {
        assert!(message.contains(words), "`{words}` is not in: {message}");
    }
    assert!(!message.contains('\n') && !message.ends_with('.'), "one message: {message}");
    assert!(message.len() < 250, "too long: {message}");
}

#[track_caller]
fn check_file(path: &Path, expected: &[&str]) {
    let bytes = fs::read(path).expect("the file");
    let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
    check(&bytes, name, expected);
}

/// The small program with some bytes of its header replaced.
#[track_caller]
fn check_patched(offset: usize, replacement: &[u8], expected: &[&str]) {
    let mut bytes = small();
    bytes[offset..offset + replacement.len()].copy_from_slice(replacement);
    check(&bytes, "patched", expected);
}

#[test]
fn programs_of_the_wrong_kind_are_named() {
    let dynamic = build("gcc -m32", "v.c", VARIABLES, "refuse_dynamic");
    check_file(&dynamic, &["dynamically linked", "/lib/ld-linux.so.2", "-static", "steam cc"]);
    let fixed = build("gcc -m32 -no-pie", "v.c", VARIABLES, "refuse_no_pie");
    check_file(&fixed, &["dynamically linked", "-static"]);
    let wide = build("gcc", "v.c", VARIABLES, "refuse_64");
    check_file(&wide, &["x86-64", "compile with -m32 -static", "`steam cc`"]);
    let library = build("gcc -m32 -shared -fpic", "f.c", FUNCTION, "refuse_library.so");
    check_file(&library, &["shared library", "-static"]);
    let object = build("gcc -m32 -c", "f.c", FUNCTION, "refuse_object.o");
    check_file(&object, &["object file", "steam cc refuse_object.o -o prog"]);
    let wide_object = build("gcc -c", "f.c", FUNCTION, "refuse_object_64.o");
    check_file(&wide_object, &["x86-64", "-m32"]);
}

#[test]
fn other_files_are_named() {
    check(b"", "x", &["empty"]);
    check(b"#!/bin/sh\n", "x", &["script for /bin/sh"]);
    check(VARIABLES.as_bytes(), "x.c", &["this is C source: `steam run x.c` compiles it"]);
    check(b"int main() {}", "x.cpp", &["this is C++ source", "steam run x.cpp"]);
    check(b"!<arch>\n", "x.a", &["archive", "steam cc"]);
    check(b"MZ\x90\0", "x.exe", &["Windows"]);
    check(b"\xcf\xfa\xed\xfe\x07\0", "x", &["macOS"]);
    check(b"\0asm\x01\0\0\0", "x", &["WebAssembly"]);
    check(b"\xff\xfe\xfd", "x", &["not an ELF file", "-m32 -static"]);
    check(b"\x7fE", "x", &["truncated", "the ELF header"]);
}

#[test]
fn other_machines_are_named() {
    const MACHINE: usize = 18;
    check_patched(MACHINE, &[40, 0], &["ARM"]);
    check_patched(MACHINE, &[183, 0], &["AArch64"]);
    check_patched(MACHINE, &[243, 0], &["RISC-V"]);
    check_patched(MACHINE, &[8, 0], &["MIPS"]);
    check_patched(MACHINE, &[62, 0], &["x32"]);
    check_patched(MACHINE, &[0xfe, 0xfe], &["unknown machine (number 65278)"]);
    check_patched(5, &[2], &["big-endian"]);
}

#[test]
fn corrupt_headers_are_named() {
    check_patched(4, &[3], &["corrupt", "word size"]);
    check_patched(4, &[2], &["corrupt", "i386 and 64-bit"]);
    check_patched(5, &[7], &["corrupt", "byte order"]);
    check_patched(16, &[4, 0], &["core dump"]);
    check_patched(16, &[9, 0], &["unknown type 9"]);
    check_patched(24, &[0; 4], &["start at 0x0, where no code is"]);
    check_patched(28, &[0xff; 4], &["truncated", "table of program headers"]);
    check_patched(32, &[0xf0, 0xff, 0xff, 0xff], &["truncated", "table of section headers"]);
    check_patched(42, &[1, 0], &["program headers have 1 bytes"]);
    check_patched(44, &[0, 0], &["no program headers"]);
    check_patched(44, &[0xff, 0xff], &["65535 program headers"]);
    check_patched(46, &[0, 0], &["section headers have 0 bytes"]);
    check_patched(50, &[0xf0, 0], &["section 240, which is none"]);
}

/// The place of a field in the first program header for memory.
fn load_field(bytes: &[u8], field: usize) -> usize {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let table = word(28) as usize;
    let place = (0..8).map(|index| table + 32 * index).find(|&place| word(place) == 1);
    place.expect("a segment") + 4 * field
}

#[test]
fn impossible_layouts_are_named() {
    let place = |field| load_field(&small(), field);
    let (offset, address, file_size, memory_size) = (place(1), place(2), place(4), place(5));
    let word = u32::to_le_bytes;
    check_patched(offset, &word(0xffff_f000), &["truncated", "the segment at 0x"]);
    check_patched(offset, &word(4), &["corrupt", "differ within a page"]);
    check_patched(address, &word(0), &["page zero"]);
    check_patched(address, &word(0xbfff_f000), &["ends at 0xb", "stack and the kernel"]);
    check_patched(address, &word(0xffff_f000), &["where the stack and the kernel are"]);
    check_patched(file_size, &word(0x00f0_0000), &["corrupt", "in the file but"]);
    check_patched(memory_size, &word(0xffff_ffff), &["4096 MiB", "1024 MiB"]);
    check_patched(memory_size, &word(0x0010_0000), &["overlaps another"]);
    let mut bytes = small();
    bytes[address..address + 4].copy_from_slice(&word(0xffff_f000));
    bytes[memory_size..memory_size + 4].copy_from_slice(&word(0x2000));
    check(&bytes, "wraps", &["goes past the end of memory"]);
}

#[test]
fn each_truncation_of_a_program_is_an_error() {
    let bytes = small();
    assert!(Image::parse(&bytes, "small").is_ok());
    for size in 0..bytes.len() {
        let error = Image::parse(&bytes[..size], "small").expect_err("a truncated program");
        let expected = matches!(error, ImageError::Empty | ImageError::Truncated { .. });
        assert!(expected, "{size} bytes: {error}");
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let message = |path: &str| Image::read_file(path).expect_err("no program").to_string();
    assert!(message("/no/such/file").contains("cannot be read"));
    assert!(message("/").contains("directory"));
    assert!(message("/dev/zero").contains("this is a device"));
    let pipe = Path::new(env!("CARGO_TARGET_TMPDIR")).join("refuse_pipe");
    // It may be left from an earlier run.
    let _ = fs::remove_file(&pipe);
    crate::compiler::run("mkfifo", &[pipe.to_str().expect("a path")]);
    // Nobody writes to it: whoever opens it waits for ever.
    assert!(message(pipe.to_str().expect("a path")).contains("this is a pipe"));
}
