//! Trail files: what is written is read back, and what is damaged is refused with its line.

use crate::reports::{DIGEST, glob_steps};
use steam_trail::file::{parse, write};
use steam_trail::{End, Place, Setting, Step, Trail};

/// Numbers from a seed (xorshift), so that every run tests the same files.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn text(&mut self) -> String {
        const PIECES: [&str; 20] = [
            "a", "glob.c", " ", "\"", "\\", ":", "?", "#", "\n", "\t", "é", "\u{2028}", "\x1b",
            "seed", "end", "args:", "0x1", "\u{85}", "\r", "7",
        ];
        (0..self.below(5)).map(|_| PIECES[self.below(PIECES.len())]).collect()
    }

    fn bytes(&mut self) -> Vec<u8> {
        match self.below(3) {
            0 => (0..self.below(6)).map(|_| self.next() as u8).collect(),
            _ => self.text().into_bytes(),
        }
    }

    fn place(&mut self) -> Place {
        match self.below(4) {
            0 => Place::default(),
            1 => Place { file: Some(self.text()), ..Place::default() },
            _ => Place::at(&self.text(), self.next() as u32),
        }
    }

    fn trail(&mut self) -> Trail {
        let steps = (1..=self.below(8) as u32).map(|number| Step {
            number,
            thread: self.next() as u32 >> self.below(32),
            choice: self.next() as u32 >> self.below(32),
            pc: self.next() as u32,
            place: self.place(),
            ..Step::default()
        });
        let steps: Vec<Step> = steps.collect();
        let cycle = (self.below(3) == 0).then(|| self.below(steps.len() + 1) as u32);
        Trail {
            program: self.text(),
            sha256: DIGEST.into(),
            arguments: (0..self.below(4)).map(|_| self.bytes()).collect(),
            seed: self.next(),
            atomic: ["lgc", "line", "instr"][self.below(3)].into(),
            settings: (0..self.below(3))
                .map(|_| Setting { name: "env".into(), value: self.bytes() })
                .collect(),
            steps,
            cycle,
            end: End { kind: self.text(), place: self.place() },
        }
    }
}

fn glob() -> Trail {
    Trail {
        program: "glob.elf".into(),
        sha256: DIGEST.into(),
        arguments: vec![b"3".to_vec()],
        seed: 0,
        atomic: "lgc".into(),
        settings: vec![Setting { name: "env".into(), value: b"LANG=C".to_vec() }],
        steps: glob_steps(),
        cycle: None,
        end: End { kind: "assert".into(), place: Place::at("glob.c", 20) },
    }
}

#[test]
fn the_text_of_a_file() {
    let mut trail = glob();
    trail.steps.truncate(2);
    trail.steps[1].place = Place::at("my thread.cc", 15);
    let expected = format!(
        "steam-trail 1\n\
         program sha256:{DIGEST} glob.elf args: \"3\" seed 0 atomic lgc memory sc\n\
         set env \"LANG=C\"\n\
         # step thread choice pc file:line\n\
         1 1 0 0x08049010 glob.c:10\n\
         2 1 0 0x08049020 \"my thread.cc\":15\n\
         end assert glob.c:20\n"
    );
    assert_eq!(write(&trail), expected);
}

#[test]
fn random_trails_are_read_back() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..5_000 {
        let trail = random.trail();
        let text = write(&trail);
        assert_eq!(parse(text.as_bytes()).as_ref(), Ok(&trail), "{text}");
    }
}

#[test]
fn comments_blanks_and_foreign_line_ends_mean_nothing() {
    let text = write(&glob());
    let plain = parse(text.as_bytes()).unwrap();
    let spaced = text.replace('\n', "  \r\n\r\n   # a note\r\n");
    assert_eq!(parse(spaced.as_bytes()).as_ref(), Ok(&plain));
    assert_eq!(parse(text.trim_end().as_bytes()).as_ref(), Ok(&plain));
}

#[track_caller]
fn refused(text: &str, message: &str) {
    assert_eq!(parse(text.as_bytes()).unwrap_err().to_string(), message);
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let text = write(&glob());
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    let first = "expected `steam-trail 1`: this is no trail file, or a damaged one, found";
    refused("", &format!("line 1: {first} the end of the file"));
    refused("\x7fELF\n", "line 1: expected no control character, found something else");
    refused("int main;\n", &format!("line 1: {first} `int`"));
    refused(
        &with("steam-trail 1", "steam-trail 2"),
        "line 1: expected version 1, which is all that this steam reads, found `2`",
    );
    refused(
        &with(DIGEST, "12ab"),
        "line 2: expected `sha256:` and 64 hexadecimal digits, found `sha256:12ab`",
    );
    refused(&with("\"3\"", "3"), "line 2: expected `seed` or an argument in quotes, found `3`");
    refused(&with("seed 0", "seed x"), "line 2: expected the seed, a number, found `x`");
    refused(&with("lgc", "word"), "line 2: expected lgc, line or instr, found `word`");
    refused(&with("sc\n", "tso\n"), "line 2: expected `sc`, the only memory model, found `tso`");
    refused(
        &with("\"LANG=C\"", "\"LANG"),
        "line 3: expected a closing quote, found something else",
    );
    refused(&with("\n2 1 0", "\n3 1 0"), "line 6: expected step 2 or `end`, found `3`");
    refused(&with("\n2 1 0", "\n2 -1 0"), "line 6: expected the thread, a number, found `-1`");
    refused(
        &with("\n2 1 0", "\n2 1 4294967296"),
        "line 6: expected the choice, a number, found `4294967296`",
    );
    refused(
        &with("0x08049020", "08049020"),
        "line 6: expected an address such as 0x08049a10, found `08049020`",
    );
    refused(&with("glob.c:16", "glob.c"), "line 6: expected file:line or `?`, found `glob.c`");
    refused(
        &with(" glob.c:16", ""),
        "line 6: expected file:line or `?`, found the end of the line",
    );
    refused(&with("glob.c:16", "glob.c:16 x"), "line 6: expected the end of the line, found `x`");
    refused(
        &with("end assert glob.c:20\n", ""),
        "line 11: expected a step, `set`, `cycle` or `end`, found the end of the file",
    );
    refused(&(text.clone() + "1\n"), "line 13: expected nothing after `end`, found another line");
    let error = parse(b"steam-trail 1\n\xff\n").unwrap_err();
    assert_eq!(error.to_string(), "line 2: expected text in UTF-8, found other bytes");
}

/// Damages a file in one of six ways.
fn damage(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = text.to_vec();
    let at = random.below(bytes.len());
    match random.below(6) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes.truncate(at),
        2 => {
            bytes.remove(at);
        }
        3 => bytes.insert(at, random.next() as u8),
        4 => {
            let end = (at + random.below(30)).min(bytes.len());
            bytes.drain(at..end);
        }
        _ => {
            let other = random.below(bytes.len());
            bytes.swap(at, other);
        }
    }
    bytes
}

/// Nothing panics; what is refused names a line of the file; what is accepted is a trail that is
/// written and read back as itself.
#[test]
fn damaged_files_are_refused_or_read_as_they_stand() {
    let mut random = Random(0x0123_4567_89ab_cdef);
    let (mut refused, mut read) = (0, 0);
    for round in 0..2_000 {
        let trail = if round % 2 == 0 { glob() } else { random.trail() };
        let text = write(&trail);
        let bytes = damage(text.as_bytes(), &mut random);
        match parse(&bytes) {
            Ok(trail) => {
                read += 1;
                assert_eq!(parse(write(&trail).as_bytes()).as_ref(), Ok(&trail));
            }
            Err(error) => {
                refused += 1;
                let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() + 1;
                assert!((1..=lines).contains(&error.line), "{error}");
                assert!(!error.expected.is_empty() && !error.found.is_empty());
            }
        }
    }
    // Both must happen, or the test shows nothing: a changed digit of an address is still one.
    assert!(refused > 600 && read > 200, "{refused} refused, {read} read");
}

/// A file from which whole lines are missing is never taken for a whole one, except at its very end.
#[test]
fn a_lost_line_is_noticed() {
    let text = write(&glob());
    let lines: Vec<&str> = text.lines().collect();
    for lost in 0..lines.len() {
        let left: Vec<&str> =
            lines.iter().enumerate().filter(|(at, _)| *at != lost).map(|(_, line)| *line).collect();
        let result = parse(left.join("\n").as_bytes());
        // A comment is nothing; a setting is not known to have been there, and without the last
        // step only a replay can tell.
        let harmless = ["#", "set", "7 "].iter().any(|start| lines[lost].starts_with(start));
        assert_eq!(result.is_ok(), harmless, "{}", lines[lost]);
    }
    for kept in 0..lines.len() {
        assert!(parse(lines[..kept].join("\n").as_bytes()).is_err(), "{kept} lines");
    }
}
