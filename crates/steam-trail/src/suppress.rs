//! Errors that the user does not want to hear of: entries `kind:name`, one a line.
//!
//! The kind is that of the report (`race`, `heap-out-of-bounds`) or its class (`memory`); the name is that of a
//! variable, a function of the call stack, a line (`queue.c:14`) or a file, as reports print them. `*` stands for
//! any text, in both. What stands after `#` is a remark.

use crate::{Place, ViolationInfo};

/// The name of an exit status that is an error.
const EXIT_STATUS: &str = "exit-status";
/// The function whose result is an exit status, if no line of the program called `exit`.
pub const BY_RETURN: &str = "main";

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    kind: String,
    name: String,
}

impl Suppression {
    /// An entry for errors of a kind.
    pub fn new(kind: &str, name: &str) -> Self {
        Self { kind: kind.to_owned(), name: name.to_owned() }
    }

    /// Reads the entries of a file. The error says which line is none.
    pub fn parse(text: &str) -> Result<Vec<Self>, String> {
        let mut entries = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.split(" #").next().unwrap_or_default().trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match line.split_once(':').map(|(kind, name)| (kind.trim(), name.trim())) {
                Some((kind, name)) if !kind.is_empty() && !name.is_empty() => {
                    entries.push(Self::new(kind, name));
                }
                _ => {
                    return Err(format!(
                        "line {}: `{line}` is no entry: write the kind of the error and a name, such \
                         as race:counter",
                        index + 1
                    ));
                }
            }
        }
        Ok(entries)
    }

    /// Says whether an error with these names for its kind and its place is meant.
    pub fn covers(&self, kinds: &[&str], names: impl IntoIterator<Item = impl AsRef<str>>) -> bool {
        kinds.iter().any(|kind| fits(&self.kind, kind))
            && names.into_iter().any(|name| fits(&self.name, name.as_ref()))
    }

    /// Says whether an entry may mean errors of one of these kinds.
    pub fn is_of(&self, kinds: &[&str]) -> bool {
        kinds.iter().any(|kind| fits(&self.kind, kind))
    }

    /// Its kind.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// What it says of the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The entry as it is written.
    pub fn text(&self) -> String {
        format!("{}:{}", self.kind, self.name)
    }
}

impl ViolationInfo {
    /// The entry that suppresses this error and those like it.
    pub fn suppression(&self) -> String {
        let variable = self.accesses.first().map(|access| access.variable.as_str());
        let variable = variable.filter(|name| !name.contains("0x"));
        let name = match (variable, &self.location) {
            (Some(name), _) => without_indices(name),
            (None, place) if place.line.is_some() => place.line_position(),
            (None, place) => self.without_line(place),
        };
        Suppression::new(&self.kind, &name).text()
    }

    /// The name for an error of which no line is known: a lock in its message, or a function.
    fn without_line(&self, place: &Place) -> String {
        if let Some(named) = self.message.split('`').nth(1) {
            return named.to_owned();
        }
        match self.kind == EXIT_STATUS {
            true => BY_RETURN.to_owned(),
            false => place.function.clone().unwrap_or_else(|| "*".to_owned()),
        }
    }
}

/// A name that stands for all elements of its arrays.
pub fn without_indices(name: &str) -> String {
    let mut depth = 0usize;
    let outside = |letter: &char| {
        depth += usize::from(*letter == '[');
        let inside = depth > 0;
        depth -= usize::from(*letter == ']' && depth > 0);
        !inside
    };
    name.chars().filter(outside).collect()
}

/// Whether a text is what a pattern stands for.
fn fits(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut left) = text.strip_prefix(first) else { return false };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let last = pieces.pop().unwrap_or_default();
    for piece in pieces {
        match left.find(piece) {
            Some(at) => left = &left[at + piece.len()..],
            None => return false,
        }
    }
    left.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stand_for_whole_names() {
        for (pattern, text, expected) in [
            ("count", "count", true),
            ("count", "counter", false),
            ("count*", "counter", true),
            ("*", "", true),
            ("*.c:*", "a/b.c:14", true),
            ("a*b*c", "a12b3bc", true),
            ("a*b*c", "a12c", false),
            ("ab*ba", "aba", false),
        ] {
            assert_eq!(fits(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn entries_are_lines() {
        let text = "# all\n\nrace:main::q.x\n  memory : a.c:14  # known\n*:heap block of b.c:3\n";
        let entries = Suppression::parse(text).unwrap();
        let texts: Vec<String> = entries.iter().map(Suppression::text).collect();
        assert_eq!(texts, ["race:main::q.x", "memory:a.c:14", "*:heap block of b.c:3"]);
        assert!(entries[1].covers(&["use-after-free", "memory"], ["f", "a.c:14"]));
        assert!(!entries[1].covers(&["race"], ["a.c:14"]));
        for wrong in ["race", "race:", ":x", "a.c 14"] {
            let why = Suppression::parse(&format!("race:x\n{wrong}")).unwrap_err();
            assert!(why.starts_with("line 2: "), "{why}");
        }
    }
}
