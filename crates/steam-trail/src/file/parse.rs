//! From the text of a trail file to the trail, or to the line that is wrong.

use std::fmt;

use super::words::{Word, split};
use super::{ATOMICS, VERSION};
use crate::place::Place;
use crate::trail::{End, Setting, Step, Trail};

/// What is wrong with a trail file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, counted from one.
    pub line: usize,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}, found {}", self.line, self.expected, self.found)
    }
}

impl std::error::Error for ParseError {}

/// Reads a trail file.
pub fn parse(bytes: &[u8]) -> Result<Trail, ParseError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        wrong(line, "text in UTF-8", "other bytes")
    })?;
    let mut file = Reader { lines: significant(text), last: text.lines().count().max(1) };
    file.version()?;
    let mut trail = file.program()?;
    loop {
        let mut line = file.line("a step, `set`, `cycle` or `end`")?;
        match line.peek() {
            Some(word) if word.is("set") && trail.steps.is_empty() => {
                trail.settings.push(line.setting()?);
            }
            Some(word) if word.is("cycle") && trail.cycle.is_none() => {
                line.keyword("cycle", "`cycle`")?;
                line.nothing_more()?;
                trail.cycle = Some(trail.steps.len() as u32);
            }
            Some(word) if word.is("end") => {
                trail.end = line.ending()?;
                break;
            }
            _ => {
                let step = line.step(trail.steps.len() + 1)?;
                trail.steps.push(step);
            }
        }
    }
    file.nothing_more()?;
    Ok(trail)
}

fn wrong(line: usize, expected: &str, found: &str) -> ParseError {
    ParseError { line, expected: expected.to_owned(), found: found.to_owned() }
}

/// The lines that mean something, with their numbers.
fn significant(text: &str) -> Box<dyn Iterator<Item = (usize, &str)> + '_> {
    let lines = text.lines().zip(1..).map(|(line, number)| (number, line.trim()));
    Box::new(lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')))
}

struct Reader<'a> {
    lines: Box<dyn Iterator<Item = (usize, &'a str)> + 'a>,
    last: usize,
}

impl Reader<'_> {
    fn line(&mut self, expected: &str) -> Result<Line, ParseError> {
        let end = || wrong(self.last, expected, "the end of the file");
        let (number, text) = self.lines.next().ok_or_else(end)?;
        let words = split(text).map_err(|expected| wrong(number, expected, "something else"))?;
        Ok(Line { number, words: words.into_iter().peekable() })
    }

    fn version(&mut self) -> Result<(), ParseError> {
        const EXPECTED: &str = "`steam-trail 1`: this is no trail file, or a damaged one";
        let mut line = self.line(EXPECTED)?;
        line.keyword("steam-trail", EXPECTED)?;
        let version = line.word("the version of the format")?;
        if !version.is(VERSION) {
            return Err(line.wrong("version 1, which is all that this steam reads", &version));
        }
        line.nothing_more()
    }

    fn program(&mut self) -> Result<Trail, ParseError> {
        let mut line = self.line("`program`")?;
        line.keyword("program", "`program`")?;
        let sha256 = line.digest()?;
        let program = line.text("the program's name")?;
        line.keyword("args:", "`args:`")?;
        let mut arguments = Vec::new();
        while let Some(word) = line.words.next_if(|word| word.quoted) {
            arguments.push(word.bytes);
        }
        line.keyword("seed", "`seed` or an argument in quotes")?;
        let seed = line.number("the seed")?;
        line.keyword("atomic", "`atomic`")?;
        let atomic = line.word("lgc, line or instr")?;
        let Some(atomic) = ATOMICS.into_iter().find(|name| atomic.is(name)) else {
            return Err(line.wrong("lgc, line or instr", &atomic));
        };
        line.keyword("memory", "`memory`")?;
        line.keyword("sc", "`sc`, the only memory model")?;
        line.nothing_more()?;
        let atomic = atomic.to_owned();
        Ok(Trail { program, sha256, arguments, seed, atomic, ..Trail::default() })
    }

    fn nothing_more(mut self) -> Result<(), ParseError> {
        match self.lines.next() {
            Some((number, _)) => Err(wrong(number, "nothing after `end`", "another line")),
            None => Ok(()),
        }
    }
}

/// The words of one line that are still to be read.
struct Line {
    number: usize,
    words: std::iter::Peekable<std::vec::IntoIter<Word>>,
}

impl Line {
    fn peek(&mut self) -> Option<&Word> {
        self.words.peek()
    }

    fn wrong(&self, expected: &str, found: &Word) -> ParseError {
        wrong(self.number, expected, &found.shown())
    }

    fn word(&mut self, expected: &str) -> Result<Word, ParseError> {
        self.words.next().ok_or_else(|| wrong(self.number, expected, "the end of the line"))
    }

    fn keyword(&mut self, keyword: &str, expected: &str) -> Result<(), ParseError> {
        let word = self.word(expected)?;
        if word.is(keyword) { Ok(()) } else { Err(self.wrong(expected, &word)) }
    }

    fn text(&mut self, expected: &str) -> Result<String, ParseError> {
        let word = self.word(expected)?;
        match word.text() {
            Some(text) => Ok(text.to_owned()),
            None => Err(self.wrong(&format!("{expected} in UTF-8"), &word)),
        }
    }

    fn number<N: std::str::FromStr>(&mut self, expected: &str) -> Result<N, ParseError> {
        let word = self.word(expected)?;
        let digits = word.text().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        let number = digits.and_then(|digits| digits.parse().ok());
        number.ok_or_else(|| self.wrong(&format!("{expected}, a number"), &word))
    }

    fn digest(&mut self) -> Result<String, ParseError> {
        const EXPECTED: &str = "`sha256:` and 64 hexadecimal digits";
        let word = self.word(EXPECTED)?;
        let digest = word.text().and_then(|text| text.strip_prefix("sha256:"));
        let lower = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        match digest {
            Some(digest) if digest.len() == 64 && digest.bytes().all(lower) => {
                Ok(digest.to_owned())
            }
            _ => Err(self.wrong(EXPECTED, &word)),
        }
    }

    fn address(&mut self) -> Result<u32, ParseError> {
        const EXPECTED: &str = "an address such as 0x08049a10";
        let word = self.word(EXPECTED)?;
        let digits = word.text().and_then(|text| text.strip_prefix("0x"));
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let address = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        address.ok_or_else(|| self.wrong(EXPECTED, &word))
    }

    fn place(&mut self) -> Result<Place, ParseError> {
        const EXPECTED: &str = "file:line or `?`";
        let word = self.word(EXPECTED)?;
        if word.is("?") {
            return Ok(Place::default());
        }
        let place = word.text().and_then(|text| text.rsplit_once(':'));
        let (file, line) = place.ok_or_else(|| self.wrong(EXPECTED, &word))?;
        let line = match line {
            "?" => None,
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(digits.parse().map_err(|_| self.wrong(EXPECTED, &word))?)
            }
            _ => return Err(self.wrong(EXPECTED, &word)),
        };
        Ok(Place { file: Some(file.to_owned()), line, ..Place::default() })
    }

    fn setting(mut self) -> Result<Setting, ParseError> {
        self.keyword("set", "`set`")?;
        let word = self.word("the name of a setting")?;
        let letters =
            |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-';
        if word.quoted || !word.bytes.iter().all(letters) {
            return Err(self.wrong("the name of a setting", &word));
        }
        let name = String::from_utf8_lossy(&word.bytes).into_owned();
        let value = self.word("the value of the setting")?.bytes;
        self.nothing_more()?;
        Ok(Setting { name, value })
    }

    fn step(mut self, next: usize) -> Result<Step, ParseError> {
        let expected = format!("step {next} or `end`");
        let word = self.word(&expected)?;
        let number = word.text().and_then(|text| text.parse().ok());
        let number: u32 = number
            .filter(|number| usize::try_from(*number) == Ok(next))
            .ok_or_else(|| self.wrong(&expected, &word))?;
        let thread = self.number("the thread")?;
        let choice = self.number("the choice")?;
        let pc = self.address()?;
        let place = self.place()?;
        self.nothing_more()?;
        Ok(Step { number, thread, choice, pc, place, ..Step::default() })
    }

    fn ending(mut self) -> Result<End, ParseError> {
        self.keyword("end", "`end`")?;
        let kind = self.text("the kind of the error")?;
        let place = self.place()?;
        self.nothing_more()?;
        Ok(End { kind, place })
    }

    fn nothing_more(&mut self) -> Result<(), ParseError> {
        match self.words.next() {
            Some(word) => Err(self.wrong("the end of the line", &word)),
            None => Ok(()),
        }
    }
}
