//! The directive of a guest source: lines `// steam: key=value flag …`, usually the first one. They
//! stand at the end where the program's line numbers are those of a printed one.
//!
//! Values hold no blanks; `\s`, `\n` and `\t` stand for blank, new line and tab. Lists are
//! separated by commas. An unknown key is an error, so that a typing mistake cannot switch a
//! check off.

use std::collections::BTreeSet;
use std::path::Path;

/// What a guest program asks of the harness.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directive {
    /// Arguments after the program's name (`args=a,b`).
    pub arguments: Vec<String>,
    /// Bytes on standard input (`stdin=text`, or `stdin=@file` beside the source).
    pub input: Vec<u8>,
    /// The whole environment of the guest (`env=NAME=value,…`); empty when not given.
    pub environment: Vec<(String, String)>,
    /// Further compiler flags, put after the source so that libraries work (`flags=-lm`).
    pub flags: Vec<String>,
    /// Language standard (`std=c++20`).
    pub standard: Option<String>,
    /// Expected exit status (`exit=3`).
    pub exit: i32,
    /// Optimisation levels to compile with instead of all (`levels=O0,O2`).
    pub levels: Option<Vec<String>>,
    /// The program uses what only gcc has (`gcc-only`).
    pub gcc_only: bool,
    /// Also compile as a static position-independent executable (`pie`).
    pub position_independent: bool,
    /// The memory error that the program makes, or `none` (`error=use-after-free`).
    pub error: Option<String>,
    /// What a search finds, or `none` (`expect=deadlock`, `expect=assert,deadlock`).
    pub expect: Option<String>,
    /// What a search by single accesses finds, where that is something else (`accesses=unknown`).
    pub accesses: Option<String>,
    /// What it finds once gcc has optimised, where that is something else (`optimised=none`).
    pub optimised: Option<String>,
    /// The most states that a search by shared accesses may need (`states=50`).
    pub states: Option<u64>,
    /// Waits may end although no thread woke it (`spurious`).
    pub spurious: bool,
    /// It has data races besides (`racy`).
    pub racy: bool,
    /// Every run shows what is expected (`always`).
    pub always: bool,
    /// The program does not end by itself (`endless`).
    pub endless: bool,
    /// Instructions after which a step is taken to go on for ever (`divergence=200000`).
    pub divergence: Option<u64>,
    /// Further sources and headers that it is made of, beside it (`with=b.cc,b.h`).
    pub with: Vec<String>,
    /// The source is C++, whatever its name says (`c++`).
    pub cpp: bool,
}

const MARK: &str = "// steam:";

impl Directive {
    /// Reads the directive of a source file; a file without one gets the defaults.
    ///
    /// # Errors
    /// Says which word of the line is not understood.
    pub fn parse(source: &str, directory: &Path) -> Result<Self, String> {
        let mut directive = Self::default();
        let lines = source.lines().filter_map(|line| line.strip_prefix(MARK));
        for word in lines.flat_map(str::split_whitespace) {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            directive.set(key, value, directory).map_err(|why| format!("`{word}`: {why}"))?;
        }
        Ok(directive)
    }

    /// The kinds of errors that a search must find.
    pub fn kinds_in_search(&self) -> BTreeSet<String> {
        kinds(self.expect.as_deref())
    }

    /// The same of a search by single accesses.
    pub fn kinds_by_accesses(&self) -> BTreeSet<String> {
        kinds(self.accesses.as_deref().or(self.expect.as_deref()))
    }

    fn set(&mut self, key: &str, value: &str, directory: &Path) -> Result<(), String> {
        match key {
            "args" => self.arguments = list(value).iter().map(|a| unescape(a)).collect(),
            "stdin" => self.input = input(value, directory)?,
            "env" => self.environment = list(value).iter().map(|pair| assignment(pair)).collect(),
            "flags" => self.flags = list(value),
            "std" => self.standard = Some(value.to_owned()),
            "exit" => self.exit = value.parse().map_err(|_| "not a number".to_owned())?,
            "levels" => self.levels = Some(list(value)),
            "gcc-only" => self.gcc_only = true,
            "pie" => self.position_independent = true,
            "error" => self.error = Some(value.to_owned()),
            "expect" => self.expect = Some(value.to_owned()),
            "accesses" => self.accesses = Some(value.to_owned()),
            "optimised" => self.optimised = Some(value.to_owned()),
            "states" => {
                self.states = Some(value.parse().map_err(|_| "not a number".to_owned())?);
            }
            "spurious" => self.spurious = true,
            "racy" => self.racy = true,
            "always" => self.always = true,
            "endless" => self.endless = true,
            "divergence" => {
                self.divergence = Some(value.parse().map_err(|_| "not a number".to_owned())?);
            }
            "with" => self.with = list(value),
            "c++" => self.cpp = true,
            _ => return Err("no such key".to_owned()),
        }
        Ok(())
    }
}

fn kinds(expected: Option<&str>) -> BTreeSet<String> {
    let in_search = |kind: String| match kind.as_str() {
        // A report that is made while searching does not know the past of blocks.
        "use-after-free" => "heap-out-of-bounds".to_owned(),
        _ => kind,
    };
    let kinds = list(expected.unwrap_or_default()).into_iter();
    kinds.filter(|kind| kind != "none").map(in_search).collect()
}

fn list(value: &str) -> Vec<String> {
    value.split(',').filter(|item| !item.is_empty()).map(str::to_owned).collect()
}

fn unescape(text: &str) -> String {
    text.replace("\\s", " ").replace("\\n", "\n").replace("\\t", "\t")
}

fn assignment(pair: &str) -> (String, String) {
    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
    (name.to_owned(), unescape(value))
}

fn input(value: &str, directory: &Path) -> Result<Vec<u8>, String> {
    match value.strip_prefix('@') {
        Some(file) => std::fs::read(directory.join(file)).map_err(|why| why.to_string()),
        None => Ok(unescape(value).into_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Directive, String> {
        Directive::parse(line, Path::new("."))
    }

    #[test]
    fn reads_every_key() {
        let directive = parse(
            "// steam: args=a,b\\sc stdin=x\\ny env=A=1,B= flags=-lm std=c++20 exit=3 levels=O0 gcc-only pie error=none\nint x;",
        )
        .unwrap();
        assert_eq!(directive.arguments, ["a", "b c"]);
        assert_eq!(directive.input, b"x\ny");
        assert_eq!(directive.environment[0], ("A".to_owned(), "1".to_owned()));
        assert_eq!(directive.environment[1], ("B".to_owned(), String::new()));
        assert_eq!(directive.flags, ["-lm"]);
        assert_eq!(directive.standard.as_deref(), Some("c++20"));
        assert_eq!(directive.exit, 3);
        assert_eq!(directive.levels.as_deref(), Some(&["O0".to_owned()][..]));
        assert!(directive.gcc_only && directive.position_independent);
        assert_eq!(directive.error.as_deref(), Some("none"));
    }

    #[test]
    fn reads_a_directive_at_the_end() {
        let line = "// steam: expect=deadlock optimised=none racy always endless divergence=7 with=b.cc,b.h c++";
        let directive = parse(&format!("int x;\n{line}\n")).unwrap();
        assert_eq!(directive.kinds_in_search(), BTreeSet::from(["deadlock".to_owned()]));
        assert_eq!(directive.optimised.as_deref(), Some("none"));
        assert_eq!(directive.with, ["b.cc", "b.h"]);
        assert!(directive.racy && directive.always && directive.endless && directive.cpp);
        assert_eq!(directive.divergence, Some(7));
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        assert!(parse("// steam: flag=-lm").is_err());
        assert!(parse("// steam: exit=three").is_err());
        assert_eq!(parse("int main;"), Ok(Directive::default()));
    }
}
