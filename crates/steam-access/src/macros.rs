//! Macros of the source, as far as it takes them to see an atomic operation behind another name:
//! `#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)`.
//!
//! The line table leads to where a macro is used, and its text says nothing of what it stands for. Here
//! the definitions of a file are read, and of the files that it includes by `"..."`, without conditions: where
//! there are several definitions of a name, the last one counts.

use std::collections::HashMap;
use std::sync::Arc;

/// How deeply macros may use each other.
const DEEPEST: usize = 8;

/// A definition.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Macro {
    /// None of one without parentheses.
    parameters: Option<Vec<String>>,
    body: String,
}

/// The definitions that a file sees.
#[derive(Debug, Default)]
pub(crate) struct Macros(HashMap<String, Macro>);

impl Macros {
    /// Adds the definitions among some lines.
    pub fn add(&mut self, lines: &[Arc<str>]) {
        let mut lines = lines.iter();
        while let Some(line) = lines.next() {
            let Some(rest) = directive(line, "define") else { continue };
            let mut text = rest.to_owned();
            while text.ends_with('\\') {
                text.pop();
                text += lines.next().map_or("", |line| line);
            }
            let end = word_end(&text);
            let (name, rest) = text.split_at(end);
            let (parameters, body) = match rest.strip_prefix('(').and_then(|it| it.split_once(')'))
            {
                Some((inside, body)) => {
                    let names = inside.split(',').map(|it| it.trim().to_owned());
                    (Some(names.filter(|it| !it.is_empty()).collect()), body)
                }
                None => (None, rest),
            };
            let known = Macro { parameters, body: body.trim().to_owned() };
            self.0.insert(name.to_owned(), known);
        }
    }

    /// Whether a name is that of a macro.
    pub fn defines(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// What a text stands for that begins with the use of a macro.
    pub fn expand(&self, text: &str) -> Option<String> {
        self.expand_to(text, DEEPEST)
    }

    /// A text with all macros in it written out.
    pub fn expand_all(&self, text: &str) -> String {
        self.expand_within(text, DEEPEST)
    }

    fn expand_to(&self, text: &str, depth: usize) -> Option<String> {
        let (name, rest) = text.split_at(word_end(text));
        let known = self.0.get(name)?;
        let given = match &known.parameters {
            None => Vec::new(),
            Some(_) => arguments(rest)?,
        };
        let parameters = known.parameters.as_deref().unwrap_or_default();
        let mut written = String::new();
        for piece in pieces(&known.body) {
            match parameters.iter().position(|name| name == piece) {
                Some(at) => written += given.get(at)?,
                None => written += piece,
            }
        }
        Some(if depth == 0 { written } else { self.expand_within(&written, depth - 1) })
    }

    /// A text in which all macros are written out.
    fn expand_within(&self, text: &str, depth: usize) -> String {
        let mut written = String::new();
        let mut rest = text;
        while !rest.is_empty() {
            let piece = pieces(rest).next().unwrap_or(rest);
            match self.0.get(piece).and_then(|it| Some((it, self.expand_to(rest, depth)?))) {
                Some((used, stands_for)) => {
                    written += &stands_for;
                    let behind = &rest[piece.len()..];
                    rest = match used.parameters {
                        Some(_) => closing(behind).map_or("", |end| &behind[end + 1..]),
                        None => behind,
                    };
                }
                None => {
                    written += piece;
                    rest = &rest[piece.len()..];
                }
            }
        }
        written
    }
}

/// The file that a line includes by `"..."`.
pub(crate) fn included(line: &str) -> Option<&str> {
    let name = directive(line, "include")?.strip_prefix('"')?;
    name.split_once('"').map(|(name, _)| name)
}

/// What stands after the word of a line of the preprocessor.
fn directive<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix(word)?;
    rest.starts_with(|it: char| it.is_whitespace() || it == '"').then(|| rest.trim_start())
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Where the word ends with which a text begins.
fn word_end(text: &str) -> usize {
    text.find(|it: char| !is_letter(it)).unwrap_or(text.len())
}

/// The words of a text, and what stands between them.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let same = |it: char| is_letter(it) == is_letter(first);
        let end = rest.find(|it: char| !same(it)).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        Some(piece)
    })
}

/// Where the parenthesis closes with which a text begins, blanks aside.
pub(crate) fn closing(text: &str) -> Option<usize> {
    if !text.trim_start().starts_with('(') {
        return None;
    }
    let mut depth = 0usize;
    text.char_indices().find_map(|(at, letter)| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        (letter == ')' && depth == 0).then_some(at)
    })
}

/// The arguments in the parentheses with which a text begins.
fn arguments(text: &str) -> Option<Vec<String>> {
    let inside = text[..closing(text)?].trim_start().strip_prefix('(')?;
    let mut depth = 0i32;
    let parts = inside.split(|letter: char| {
        depth += i32::from("([{".contains(letter)) - i32::from(")]}".contains(letter));
        letter == ',' && depth == 0
    });
    Some(parts.map(|part| part.trim().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn macros(text: &str) -> Macros {
        let mut macros = Macros::default();
        macros.add(&text.lines().map(Arc::from).collect::<Vec<_>>());
        macros
    }

    #[test]
    fn a_use_is_written_out() {
        let macros = macros(
            "#define READ(x) __atomic_load_n(&(x), 0)\n # define SET(x, \\\n  v) STORE(x, v)\n\
             #define STORE(a, b) __atomic_store_n(&a, (b), 5)\n#define NOW __atomic_load_n(&t, 5)\n\
             #define LOOP(x) LOOP(x)\n#define OLD 1\n#define defined_by x\n",
        );
        let expand = |text: &str| macros.expand(text);
        assert_eq!(expand("READ(stop);").unwrap(), "__atomic_load_n(&(stop), 0)");
        assert_eq!(expand("READ (a[f(1, 2)]) + 1").unwrap(), "__atomic_load_n(&(a[f(1, 2)]), 0)");
        assert_eq!(expand("SET(s.x, f(2, 3));").unwrap(), "__atomic_store_n(&s.x, (f(2, 3)), 5)");
        assert_eq!(expand("NOW").unwrap(), "__atomic_load_n(&t, 5)");
        assert_eq!(expand("LOOP(1)").unwrap(), "LOOP(1)");
        assert_eq!(expand("READER(x)"), None);
        assert_eq!(expand("READ(x"), None);
        assert_eq!(expand("SET(x)"), None);
        assert_eq!(expand(""), None);
    }

    #[test]
    fn included_files_are_named() {
        assert_eq!(included(" # include \"a/b.h\" // c"), Some("a/b.h"));
        assert_eq!(included("#include<a.h>"), None);
        assert_eq!(included("#include <a.h>"), None);
        assert_eq!(included("include \"a.h\""), None);
    }
}
