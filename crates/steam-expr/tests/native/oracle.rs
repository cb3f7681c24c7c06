//! The compiler's own evaluation of expressions, and the comparison of ours with it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use steam_expr::{ProgramNames, Value};
use steam_image::Image;

use crate::compiler;
use crate::initial::Initial;

/// Compares all expressions that the file's initial data determine.
#[track_caller]
pub fn compare(command: &str, source: (&str, &str), expressions: &[&str], output: &str) {
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
    let mut program = ProgramNames::new(&image).expect("declarations");
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
    let shown = wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{command}: {} differ:\n{shown}", wrong.len());
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
        Value::Float { value, .. } => native
            .parse::<f64>()
            .is_ok_and(|native| native == *value || native.is_nan() && value.is_nan()),
        _ => false,
    }
}
