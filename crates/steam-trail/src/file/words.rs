//! The words of a line: how they are quoted and how they are read.

use std::fmt::Write;

/// A word as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// What it says.
    pub bytes: Vec<u8>,
    /// Whether a part of it stood in quotes, so that it is no keyword.
    pub quoted: bool,
}

impl Word {
    /// Whether this is a keyword.
    pub fn is(&self, keyword: &str) -> bool {
        !self.quoted && self.bytes == keyword.as_bytes()
    }

    /// The word as text.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// The word as a message shows it.
    pub fn shown(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        let short: String = text.chars().take(40).collect();
        format!("`{}`", short.escape_debug())
    }
}

/// Writes a word, in quotes where it needs them.
pub(super) fn word(bytes: &[u8]) -> String {
    let plain = |byte: &u8| byte.is_ascii_graphic() && !b"\"\\#".contains(byte);
    if !bytes.is_empty() && bytes.iter().all(plain) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    quoted(bytes)
}

/// Writes a word in quotes.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\\' => text.extend(['\\', c]),
                // One-byte controls fit in two digits; longer ones are escaped byte by byte.
                c if c.is_control() || is_break(c) => escape(&mut text, c.to_string().as_bytes()),
                c => text.push(c),
            }
        }
        escape(&mut text, chunk.invalid());
    }
    text.push('"');
    text
}

/// Characters that some programs take for the end of a line.
fn is_break(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

fn escape(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "\\x{byte:02x}");
    }
}

/// Reads the words of a line, or says what is wrong with it.
pub(super) fn split(line: &str) -> Result<Vec<Word>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match c {
            ' ' | '\t' => words.extend(word.take()),
            '"' => {
                let word = word.get_or_insert(Word { bytes: Vec::new(), quoted: false });
                word.quoted = true;
                read_quoted(&mut rest, &mut word.bytes)?;
            }
            '\\' => return Err("a backslash only within quotes"),
            c if c.is_control() => return Err("no control character"),
            c => {
                let word = word.get_or_insert(Word { bytes: Vec::new(), quoted: false });
                push(&mut word.bytes, c);
            }
        }
    }
    words.extend(word);
    Ok(words)
}

/// Reads up to the closing quote; the opening one is gone already.
fn read_quoted(rest: &mut std::str::Chars<'_>, bytes: &mut Vec<u8>) -> Result<(), &'static str> {
    loop {
        match rest.next() {
            Some('"') => return Ok(()),
            Some('\\') => bytes.push(read_escape(rest)?),
            Some(c) => push(bytes, c),
            None => return Err("a closing quote"),
        }
    }
}

fn read_escape(rest: &mut std::str::Chars<'_>) -> Result<u8, &'static str> {
    const EXPECTED: &str = "`\\\"`, `\\\\` or `\\xNN` after a backslash";
    match rest.next() {
        Some(c @ ('"' | '\\')) => Ok(c as u8),
        Some('x') => {
            let mut digit = || rest.next().and_then(|c| c.to_digit(16)).ok_or(EXPECTED);
            let (high, low) = (digit()?, digit()?);
            Ok((high << 4 | low) as u8)
        }
        _ => Err(EXPECTED),
    }
}

fn push(bytes: &mut Vec<u8>, c: char) {
    bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
}
