//! What to say where a formula cannot go on.

use super::atom::c_operator;
use super::scan::Scanner;
use super::{is_operator, is_run_of_operators};
use crate::error::LtlError;

/// Words that other tools use for operators, and ours.
const ELSEWHERE: [(&str, &str); 17] = [
    ("and", "&&"),
    ("or", "||"),
    ("not", "!"),
    ("implies", "->"),
    ("iff", "<->"),
    ("until", "U"),
    ("release", "R"),
    ("releases", "R"),
    ("V", "R"),
    ("unless", "W"),
    ("next", "X"),
    ("always", "G"),
    ("globally", "G"),
    ("eventually", "F"),
    ("finally", "F"),
    ("xor", "!(a <-> b)"),
    ("M", "!(!a R !b)"),
];

fn elsewhere(word: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(theirs, _)| *theirs == word).map(|(_, ours)| *ours)
}

/// The next word, or the next letter.
fn next(scan: &Scanner<'_>) -> String {
    match scan.word() {
        "" => scan.peek().map_or(String::new(), |letter| letter.escape_debug().to_string()),
        word => word.to_owned(),
    }
}

/// A complete formula, and after it neither the end nor an operator.
pub(super) fn no_operator(scan: &Scanner<'_>, arrow: Option<usize>) -> LtlError {
    let found = next(scan);
    let error = LtlError::new(scan.at, format!("`{found}` cannot stand after a complete formula"));
    let before = scan.text[..scan.at].trim_end();
    let last = before.rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    if is_run_of_operators(last) {
        return error.hint(spaced(last));
    }
    if let Some(at) = arrow {
        let column = scan.column(at);
        return error.hint(format!(
            "`->` at column {column} leads to a member, because there is no blank around it; \
             an implication is written ` -> `"
        ));
    }
    if let Some(ours) = elsewhere(last).or(elsewhere(&found)) {
        return error.hint(format!("write `{ours}`"));
    }
    match &*found {
        _ if scan.rest().starts_with("=>") => error.hint("the implication is `->`"),
        _ if before.ends_with(['}', '"']) && c_operator(scan.rest()).is_some() => {
            error.hint("put the whole comparison into the quotes")
        }
        "=" => LtlError::new(scan.at, "`=` does not compare").hint("write `==`"),
        "&" | "|" => error.hint(format!("write `{found}{found}` between formulas")),
        _ => error.hint("an operator is missing: && || -> <-> U R W"),
    }
}

/// The operators of `GF` by themselves.
fn spaced(word: &str) -> String {
    let letters: Vec<String> = word.chars().map(String::from).collect();
    format!("`{word}` is one name; write `{}` for the operators", letters.join(" "))
}

/// Says why no operand starts here, if none does.
pub(super) fn no_operand(scan: &Scanner<'_>, after: Option<&str>) -> Option<LtlError> {
    let word = scan.word();
    let place = match after {
        Some(sign) => format!("a formula is expected after `{sign}`"),
        None => "a formula is expected".to_owned(),
    };
    if scan.at_end() {
        return Some(LtlError::new(scan.at, format!("{place}, but this is the end")));
    }
    if is_operator(word) {
        let hint = format!("if a variable is meant, put its atom in braces: {{{word}}}");
        return Some(LtlError::new(scan.at, format!("{place}, not `{word}`")).hint(hint));
    }
    if is_run_of_operators(word) && scan.rest()[word.len()..].trim_start().starts_with('(') {
        let message = format!("`{word}` is no function");
        return Some(LtlError::new(scan.at, message).hint(spaced(word)));
    }
    let starts = |letter: char| "-+~*&('.".contains(letter);
    let found = next(scan);
    if word.is_empty() && !found.starts_with(starts) || scan.rest().starts_with("&&") {
        let shown = if scan.rest().starts_with("&&") { "&&" } else { &found };
        return Some(LtlError::new(scan.at, format!("{place}, not `{shown}`")));
    }
    None
}

/// `!x == 1` means one thing in C and another in a formula.
pub(super) fn doubtful_not(scan: &Scanner<'_>, at: usize) -> LtlError {
    let written = scan.text[at..scan.at].trim_end();
    let atom = written.trim_start_matches('!').trim_start();
    LtlError::new(at, format!("`{written}` can be read in two ways"))
        .hint(format!("write `!({atom})`, or `{{{written}}}` for what C means by it"))
}
