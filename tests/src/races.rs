//! The races that a guest says it has, in lines of their own above the program:
//!
//! ```text
//! // race: cells[1] 14 22
//! // race by C11 only: message 9 30
//! ```
//!
//! A variable as a user would name it, and the two lines whose accesses are possible side by side
//! in some state, the lower one first; all such pairs are there. The variable is a global with its
//! members and elements (`table[1].count`), a local (`main::total`), or a block by the line that
//! made it (`heap block of a.c:14`), or the kind of memory (`the stack of thread 1`, `shared memory`). A variable of a library's type is
//! named as a whole, and so are a union, a word of bit-fields, and an array of which one access
//! touches several elements; otherwise the bytes that both touch decide. A line is that of the
//! innermost function which the program's own source has.
//!
//! Pairs `in doubt` are none if accesses are atomic of which the debug information does not say: plain
//! moves by `__atomic_load_n` and the like on variables of plain types. They are reported with a note.
//!
//! Pairs `by C11 only` are never possible side by side where memory is sequentially consistent:
//! something else that C does not count as synchronisation keeps them apart. A program without any
//! of the first sort says `// no race`.

use std::collections::BTreeSet;

/// Variable and two lines, the lower one first.
pub type Races = BTreeSet<(String, usize, usize)>;

/// What a guest says of its races.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Pairs of accesses that are possible side by side.
    pub races: Races,
    /// Pairs of which the debug information does not say whether they are atomic.
    pub in_doubt: Races,
    /// Pairs that are races by C11 and never side by side.
    pub by_c11_only: Races,
}

impl Expected {
    /// Reads the lines above the program.
    ///
    /// # Errors
    /// Says which line is not understood, or that they contradict each other or the source.
    pub fn parse(source: &str) -> Result<Self, String> {
        let mut expected = Self::default();
        let mut none = false;
        for line in source.lines().take_while(|line| line.starts_with("//")) {
            let new = match line.split_once(": ") {
                _ if line == "// no race" => !std::mem::replace(&mut none, true),
                Some(("// steam", _)) => true,
                Some(("// race", pair)) => expected.races.insert(race(pair, source)?),
                Some(("// race in doubt", pair)) => expected.in_doubt.insert(race(pair, source)?),
                Some(("// race by C11 only", pair)) => {
                    expected.by_c11_only.insert(race(pair, source)?)
                }
                _ => return Err(format!("`{line}` is not understood")),
            };
            if !new {
                return Err(format!("`{line}` is there twice"));
            }
        }
        if let Some(both) = expected.races.intersection(&expected.by_c11_only).next() {
            return Err(format!("{both:?} is of both sorts"));
        }
        if none != (expected.races.is_empty() && expected.in_doubt.is_empty()) {
            return Err("it must have either races or `// no race`".to_owned());
        }
        Ok(expected)
    }
}

/// A pair whose lines are lines of code.
fn race(text: &str, source: &str) -> Result<(String, usize, usize), String> {
    let mut words = text.rsplitn(3, ' ');
    let mut line = || -> Result<usize, String> {
        let number = words.next().and_then(|word| word.parse().ok());
        let number: usize = number.ok_or_else(|| format!("`{text}`: a line is missing"))?;
        let code = number.checked_sub(1).and_then(|index| source.lines().nth(index));
        match code.map(str::trim) {
            Some(code) if !code.is_empty() && !code.starts_with("//") => Ok(number),
            _ => Err(format!("`{text}`: there is no code in line {number}")),
        }
    };
    let (second, first) = (line()?, line()?);
    match words.next() {
        Some(variable) if first <= second => Ok((variable.to_owned(), first, second)),
        Some(_) => Err(format!("`{text}`: the lower line comes first")),
        None => Err(format!("`{text}`: it names no variable")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_sorts() {
        let source = "// steam: levels=O0\n// race: heap block of a.c:5 5 6\n\
                      // race by C11 only: box.count 5 5\nint x;\nint y;\nint z;\n";
        let expected = Expected::parse(source).unwrap();
        assert_eq!(expected.races, Races::from([("heap block of a.c:5".to_owned(), 5, 6)]));
        assert_eq!(expected.by_c11_only, Races::from([("box.count".to_owned(), 5, 5)]));
        assert_eq!(Expected::parse("// no race\nint x;\n"), Ok(Expected::default()));
    }

    #[test]
    fn refuses_what_cannot_be() {
        let refused = [
            "int x;\n",
            "// race x 2 2\nint x;\n",
            "// race: x 2\nint x;\n",
            "// race: 2 2\nint x;\n",
            "// race: x 2 3\nint x;\n",
            "// race: x 1 2\nint x;\n",
            "// race: x 0 2\nint x;\n",
            "// race: x 3 2\nint x;\nint y;\n",
            "// race: x 3 3\n// race: x 3 3\nint x;\n",
            "// race: x 3 3\n// race by C11 only: x 3 3\nint x;\n",
            "// race: x 3 3\n// no race\nint x;\n",
            "// race by C11 only: x 2 2\nint x;\n",
        ];
        let taken: Vec<_> = refused.iter().filter(|text| Expected::parse(text).is_ok()).collect();
        assert_eq!(taken, Vec::<&&str>::new());
    }
}
