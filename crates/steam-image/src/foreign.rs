//! Recognises what a file is that does not start like an ELF file, for the message alone.

use crate::error::Foreign;

/// How many bytes at the start decide whether a file is text.
const SNIFFED: usize = 4096;

/// First bytes of formats that need no closer look.
const MAGICS: &[(&[u8], Foreign)] = &[
    (b"!<arch>\n", Foreign::Archive),
    (b"!<thin>\n", Foreign::Archive),
    (b"\xfe\xed\xfa\xce", Foreign::MachO),
    (b"\xfe\xed\xfa\xcf", Foreign::MachO),
    (b"\xce\xfa\xed\xfe", Foreign::MachO),
    (b"\xcf\xfa\xed\xfe", Foreign::MachO),
    (b"MZ", Foreign::Pe),
    (b"\0asm", Foreign::WebAssembly),
    (b"BC\xc0\xde", Foreign::Bitcode),
    (b"\xde\xc0\x17\x0b", Foreign::Bitcode),
    (b"\x1f\x8b", Foreign::Compressed("gzip")),
    (b"\xfd7zXZ\0", Foreign::Compressed("xz")),
    (b"\x28\xb5\x2f\xfd", Foreign::Compressed("zstd")),
    (b"BZh", Foreign::Compressed("bzip2")),
    (b"PK\x03\x04", Foreign::Compressed("zip")),
];

/// Says what `bytes`, read from the file `name`, are instead of an ELF file.
pub(crate) fn recognise(bytes: &[u8], name: &str) -> Foreign {
    if let Some(rest) = bytes.strip_prefix(b"#!") {
        return Foreign::Script(interpreter(rest));
    }
    if bytes.starts_with(b"\xca\xfe\xba\xbe") {
        return universal_or_class(bytes);
    }
    // A source file may start with any letters, those of a magic included.
    if is_text(bytes) {
        return text(bytes, name);
    }
    let magic = MAGICS.iter().find(|(magic, _)| bytes.starts_with(magic));
    magic.map_or(Foreign::Unknown, |(_, foreign)| foreign.clone())
}

/// The first line of a script after `#!`.
fn interpreter(rest: &[u8]) -> String {
    let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = &line[..line.len().min(80)];
    let shown: String = String::from_utf8_lossy(line)
        .chars()
        .map(|letter| if letter.is_control() { '?' } else { letter })
        .collect();
    match shown.trim() {
        "" => "an unnamed interpreter".to_owned(),
        path => path.to_owned(),
    }
}

/// Universal Mach-O files and Java classes share a magic: the former go on with a small number
/// of architectures, the latter with a version of at least 45.
fn universal_or_class(bytes: &[u8]) -> Foreign {
    match bytes.get(4..8) {
        Some(&[0, 0, 0, count]) if count < 45 => Foreign::MachO,
        _ => Foreign::JavaClass,
    }
}

fn is_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(SNIFFED)];
    // An archive of object files starts with a line of text.
    if start.starts_with(b"!<arch>\n") || start.starts_with(b"!<thin>\n") {
        return false;
    }
    let printable = |byte: &u8| *byte >= 0x20 && *byte != 0x7f || b"\t\n\r\x0b\x0c".contains(byte);
    start.iter().all(printable) && valid_up_to_a_cut(start)
}

/// Whether the bytes are UTF-8, where a letter may be cut off at the end.
fn valid_up_to_a_cut(start: &[u8]) -> bool {
    match std::str::from_utf8(start) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    }
}

fn text(bytes: &[u8], name: &str) -> Foreign {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let language = match extension {
        "c" | "i" => Some("C"),
        "cc" | "cpp" | "cxx" | "c++" | "C" | "ii" => Some("C++"),
        _ => None,
    };
    let language = language.or_else(|| looks_like(bytes));
    match language {
        Some(language) => Foreign::Source { language, name: name.to_owned() },
        None => Foreign::Text,
    }
}

/// The language of a source file without a telling name.
fn looks_like(bytes: &[u8]) -> Option<&'static str> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(SNIFFED)]);
    let any = |words: &[&str]| words.iter().any(|word| start.contains(word));
    if any(&["#include <iostream>", "std::", "namespace ", "template <", "template<"]) {
        return Some("C++");
    }
    any(&["#include", "int main", "void main"]).then_some("C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], name: &str, expected: Foreign) {
        assert_eq!(recognise(bytes, name), expected);
    }

    #[test]
    fn formats_are_recognised_by_their_first_bytes() {
        check(b"#!/bin/sh\nexit 0\n", "x", Foreign::Script("/bin/sh".into()));
        check(b"#!", "x", Foreign::Script("an unnamed interpreter".into()));
        check(b"\xca\xfe\xba\xbe\0\0\0\x02rest", "x", Foreign::MachO);
        check(b"\xca\xfe\xba\xbe\0\0\0\x41rest", "x", Foreign::JavaClass);
        check(b"\xcf\xfa\xed\xfe\x07", "x", Foreign::MachO);
        check(b"MZ\x90\0\x03", "x.exe", Foreign::Pe);
        check(b"\0asm\x01\0\0\0", "x", Foreign::WebAssembly);
        check(b"!<arch>\n/               ", "x.a", Foreign::Archive);
        check(b"BC\xc0\xde5\x14\0", "x.bc", Foreign::Bitcode);
        check(b"\x01\x02\x03", "x", Foreign::Unknown);
    }

    #[test]
    fn sources_are_recognised_by_name_or_by_content() {
        let source = |language| Foreign::Source { language, name: "x".into() };
        check(b"#include <stdio.h>\nint main(void) { return 0; }\n", "x", source("C"));
        check(b"#include <iostream>\nint main() {}\n", "x", source("C++"));
        check(b"MZ = 3\n", "x", Foreign::Text);
        check(
            b"struct s;",
            "dir.d/a.cc",
            Foreign::Source { language: "C++", name: "dir.d/a.cc".into() },
        );
        check(
            "int caf\u{e9};".as_bytes(),
            "a.c",
            Foreign::Source { language: "C", name: "a.c".into() },
        );
        check(b"just words\n", "notes.txt", Foreign::Text);
    }
}
