//! Rules for single source files: header, name, size, examples, and where `unsafe` may stand.

use std::path::Path;

use super::code::code_of;

/// More lines than this in one file have more than one job.
const LINES: usize = 900;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &["utils", "util", "common", "helpers", "helper", "misc", "manager"];

/// The files that may hold `unsafe` code, and why each needs it.
const UNSAFE: &[(&str, &str)] = &[
    ("vm-isa/src/x87/host.rs", "asm! is the way to the host's 80-bit instructions"),
    ("vm-isa/src/x87/host/oracle.rs", "the host CPU as the truth of tests"),
    ("vm-isa/src/simd/host.rs", "asm! is the way to the host's approximating instructions"),
    ("vm-isa/src/simd/host/oracle.rs", "the host CPU as the truth of tests"),
];

/// Where examples in documentation may be code: `make test` runs those of this crate.
const EXAMPLES: &str = "crates/steam-check/src/";

/// What is wrong with one Rust source.
pub fn complaints(path: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    if !text.starts_with("//!") {
        complaints.push(format!("{path}:1: opens without `//!`: say what its one job is"));
    }
    let lines = text.lines().count();
    if lines > LINES {
        complaints.push(format!("{path}: {lines} lines, more than {LINES}: split it by jobs"));
    }
    if !UNSAFE.iter().any(|(allowed, _)| *allowed == path) {
        for (index, line) in code_of(text).lines().enumerate() {
            if has_unsafe(line) {
                let number = index + 1;
                complaints.push(format!(
                    "{path}:{number}: unsafe code in a file that is not listed for it"
                ));
            }
        }
    }
    let example = example(text).filter(|_| !path.starts_with(EXAMPLES));
    complaints.extend(example.map(|line| {
        format!("{path}:{line}: an example that would be code, which `make test` does not run: use ```text")
    }));
    complaints
}

/// The line of the first example in documentation that would be compiled: not marked as text.
fn example(text: &str) -> Option<usize> {
    let fences = text.lines().zip(1..).filter_map(|(line, number)| {
        let line = line.trim_start();
        let documentation = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
        Some((documentation.trim().strip_prefix("```")?, number))
    });
    fences.step_by(2).find(|(kind, _)| *kind != "text").map(|(_, number)| number)
}

/// A complaint about a file or folder whose name says nothing.
pub fn name_complaint(path: &str) -> Option<String> {
    let empty = path.split('/').find(|part| {
        let stem = part.strip_suffix(".rs").unwrap_or(part);
        EMPTY_NAMES.contains(&stem)
    })?;
    Some(format!("{path}: `{empty}` says nothing: name it after what it does"))
}

/// Listed exceptions that are needed no more.
pub fn stale_exceptions(root: &Path) -> Vec<String> {
    let holds_unsafe = |path: &str| {
        let text = std::fs::read_to_string(root.join(path)).unwrap_or_default();
        code_of(&text).lines().any(has_unsafe)
    };
    UNSAFE
        .iter()
        .filter(|(path, _)| !holds_unsafe(path))
        .map(|(path, reason)| format!("{path}: listed for unsafe code ({reason}), but has none"))
        .collect()
}

/// Whether a line of pure code has the keyword.
fn has_unsafe(line: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "unsafe")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_good_file_passes() {
        let text = "//! Its job.\n// unsafe in a comment\nlet unsafety = \"an unsafe string\";\n";
        assert!(complaints("crates/x/src/lib.rs", text).is_empty());
    }

    #[test]
    fn a_missing_header_fails() {
        assert_eq!(complaints("a.rs", "/// An item.\nfn a() {}\n").len(), 1);
        assert_eq!(complaints("a.rs", "").len(), 1);
    }

    #[test]
    fn an_example_that_is_code_fails() {
        let text = |kind| {
            format!("//! A.\n//!\n//! ```text\n//! a\n//! ```\n/// ```{kind}\n/// b\n/// ```\n")
        };
        assert!(complaints("a.rs", &text("text")).is_empty());
        for kind in ["", "rust"] {
            let found = complaints("a.rs", &text(kind));
            assert!(found.len() == 1 && found[0].starts_with("a.rs:6: "), "{found:?}");
            assert!(complaints("crates/steam-check/src/a.rs", &text(kind)).is_empty());
        }
    }

    #[test]
    fn unsafe_code_fails_with_its_line() {
        let found = complaints("a.rs", "//! A.\nfn a() {\n    unsafe { b() }\n}\n");
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("a.rs:3:"), "{found:?}");
        let text = "//! A.\nconst TEXT: &str = \"two\nunsafe lines\";\n";
        assert!(complaints("a.rs", text).is_empty());
    }

    #[test]
    fn a_long_file_fails() {
        let text = format!("//! A.\n{}", "fn a() {}\n".repeat(LINES));
        assert_eq!(complaints("a.rs", &text).len(), 1);
    }

    #[test]
    fn empty_names_fail() {
        assert!(name_complaint("crates/x/src/utils.rs").is_some());
        assert!(name_complaint("crates/x/src/common/page.rs").is_some());
        assert!(name_complaint("crates/x/src/page.rs").is_none());
        assert!(name_complaint("crates/x/src/commons.rs").is_none());
    }
}
