//! Expressions over globals: the compiler's own evaluation against ours, from the same ELF.
//!
//! Each program prints the size and the value of each expression; ours reads the initial data of
//! its file. Nothing is run but the native program.

#[path = "../../steam-image/tests/compiler/mod.rs"]
mod compiler;
mod initial;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use initial::Initial;
use steam_expr::{Program, Value};
use steam_image::Image;

/// Two lists of expressions, one a line.
const C: &str = include_str!("native/c.txt");
const CPP: &str = include_str!("native/cpp.txt");

/// Compares all expressions that the file's initial data determine.
#[track_caller]
fn compare(command: &str, source: (&str, &str), list: &str, output: &str) {
    let expressions: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(output);
    fs::create_dir_all(&directory).expect("the directory for test programs");
    let lines: String =
        expressions.iter().map(|expression| format!("E({expression});\n")).collect();
    fs::write(directory.join("expressions.inc"), lines).expect("the expressions");
    let path = compiler::build(command, source.0, source.1, output);
    let native = Command::new(&path).output().expect("the native program");
    let native = String::from_utf8(native.stdout).expect("text");
    let image = Image::read_file(&path).expect("a program");
    let mut memory = Initial::new(&image);
    let (told, values): (Vec<_>, Vec<_>) = native.lines().partition(|line| line.starts_with('M'));
    memory.changed = told.iter().map(|line| changed(line)).collect();
    assert_eq!(values.len(), expressions.len(), "the native program has stopped early");
    let mut program = Program::new(&image).expect("declarations");
    let mut wrong = Vec::new();
    for (expression, native) in expressions.iter().zip(&values) {
        let (size, value) = native.split_once(' ').expect("a size and a value");
        let compiled = match program.compile(&format!("({expression}) + 0"), None) {
            Ok(compiled) => compiled,
            Err(error) => {
                wrong.push(format!("{expression}: {error}"));
                continue;
            }
        };
        let ours = compiled.evaluate(&mut memory);
        let our_size = program.types().size(compiled.type_id());
        if !agrees(&ours, value) || our_size != size.parse().ok() {
            wrong.push(format!("{expression}: native {native}, ours {our_size:?} {ours:?}"));
        }
    }
    assert!(wrong.is_empty(), "{command}: {} differ:\n{}", wrong.len(), wrong.join("\n"));
    println!("{command}: {} expressions agree", values.len());
}

/// What constructors wrote before `main`: an address and the bytes there.
fn changed(line: &str) -> (u32, Vec<u8>) {
    let mut fields = line.split(' ').skip(1);
    let mut next = || fields.next().expect("an address and bytes");
    let address = next().parse().expect("an address");
    let digits = next();
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("a byte");
    (address, (0..digits.len()).step_by(2).map(byte).collect())
}

fn agrees(ours: &Value, native: &str) -> bool {
    match ours {
        Value::Integer { value, .. } => value.to_string() == native,
        Value::Pointer { address, .. } => address.to_string() == native,
        Value::Float { value, .. } => native.parse::<f64>().is_ok_and(|native| native == *value),
        _ => false,
    }
}

const C_SOURCE: (&str, &str) = ("globals.c", include_str!("native/globals.c"));
const CPP_SOURCE: (&str, &str) = ("globals.cc", include_str!("native/globals.cc"));
const SSE: &str = "-msse2 -mfpmath=sse -w -static";

#[test]
fn values_of_c_are_those_of_gcc() {
    compare(&format!("gcc -m32 -g {SSE}"), C_SOURCE, C, "n_c_o0");
    compare(&format!("gcc -m32 -g -O2 {SSE}"), C_SOURCE, C, "n_c_o2");
    compare(&format!("gcc -m32 -gdwarf-4 {SSE}"), C_SOURCE, C, "n_c_dwarf4");
    compare(&format!("gcc -m32 -gdwarf-3 -gstrict-dwarf {SSE}"), C_SOURCE, C, "n_c_dwarf3");
    compare(&format!("gcc -m32 -gdwarf-2 -gstrict-dwarf {SSE}"), C_SOURCE, C, "n_c_dwarf2");
}

#[test]
fn values_of_cpp_are_those_of_gcc() {
    compare(&format!("g++ -m32 -g {SSE}"), CPP_SOURCE, CPP, "n_cc_o0");
    compare(&format!("g++ -m32 -g -O2 {SSE}"), CPP_SOURCE, CPP, "n_cc_o2");
    compare(&format!("g++ -m32 -gdwarf-4 {SSE}"), CPP_SOURCE, CPP, "n_cc_dwarf4");
    compare(&format!("g++ -m32 -g -fdebug-types-section {SSE}"), CPP_SOURCE, CPP, "n_cc_types");
}

#[test]
fn values_are_those_of_clang() {
    if compiler::installed("clang") {
        compare(&format!("clang -m32 -g {SSE}"), C_SOURCE, C, "n_c_clang");
        compare(&format!("clang -m32 -g -O2 {SSE}"), C_SOURCE, C, "n_c_clang_o2");
        compare(&format!("clang++ -m32 -gdwarf-4 {SSE}"), CPP_SOURCE, CPP, "n_cc_clang");
    }
}
