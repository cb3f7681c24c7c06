//! Where an atom ends.
//!
//! An atom is an expression of C up to the first operator that is the formula's. The rules:
//!
//! - Comparisons, arithmetic, single `&` and `|`, `? :`, indices, calls, members and casts are the
//!   atom's. `&&`, `||`, `->`, `<->`, `!` and the letters `U R W` are the formula's, unless they
//!   stand within brackets that are part of an atom.
//! - `->` between a name, `)` or `]` and a name, without a blank on either side, leads to a
//!   member: `p->f`. With a blank it is the implication: `p -> f`.
//! - Parentheses belong to an atom if an operator of C follows them, or what they hold is a type
//!   and an operand follows, and no operator of time is in them: `(a + b) * 2 == c`. Others group
//!   formulas, also those before `->` that hold a comparison or a logical operator.
//! - `thread(2) at file.c:17`: a place after `at` is the end of its atom.

use super::scan::{Scanner, is_word};
use super::{is_operator, is_run_of_operators};
use crate::error::LtlError;

/// What was read of an atom, beside its text.
pub(super) struct Found {
    /// It has an operator of C outside brackets.
    pub compound: bool,
    /// Where its last `->` stands.
    pub arrow: Option<usize>,
}

/// How an atom is written so that it is read as one again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// As it is.
    Simple,
    /// As it is, or in parentheses after an operator.
    Compound,
    /// In braces.
    Braces,
    /// In double quotes.
    Quotes,
}

/// How a text is written as an atom.
pub(crate) fn spelling(text: &str) -> Spelling {
    let mut scan = Scanner::new(text);
    let first = scan.peek();
    let operand = first.is_some_and(|first| !"!{\"<[".contains(first));
    let constant = matches!(text, "true" | "false");
    if operand && !constant && !is_operator(scan.word()) {
        let group = first == Some('(') && !starts_atom(&scan).unwrap_or(false);
        match read(&mut scan) {
            Ok(found) if scan.at_end() && !group => {
                return if found.compound { Spelling::Compound } else { Spelling::Simple };
            }
            _ => {}
        }
    }
    let braces = format!("{{{text}}}");
    let mut scan = Scanner::new(&braces);
    let whole = scan.quoted().is_ok() && scan.at_end();
    if whole { Spelling::Braces } else { Spelling::Quotes }
}

/// Passes an atom.
pub(super) fn read(scan: &mut Scanner<'_>) -> Result<Found, LtlError> {
    let mut found = Found { compound: false, arrow: None };
    let mut conditions = 0;
    operand(scan, &mut found, true)?;
    loop {
        let behind = scan.after_blanks();
        if behind.word() == "at" {
            *scan = behind;
            scan.at += 2;
            place(scan)?;
            return Ok(found);
        }
        let Some(sign) = c_operator(behind.rest()) else { return Ok(found) };
        match sign {
            "=" if behind.rest().starts_with("=>") => return Ok(found),
            "=" => {
                return Err(LtlError::new(behind.at, "`=` does not compare").hint("write `==`"));
            }
            "?" => conditions += 1,
            ":" if conditions == 0 => return Ok(found),
            ":" => conditions -= 1,
            _ => {}
        }
        *scan = behind;
        scan.at += sign.len();
        found.compound = true;
        scan.skip_blanks();
        operand(scan, &mut found, false)?;
    }
}

/// The operators of C that go on with an atom, longer ones before those that they start with.
pub(super) fn c_operator(rest: &str) -> Option<&'static str> {
    const FORMULA: [&str; 5] = ["->", "<->", "<>", "&&", "||"];
    const SIGNS: [&str; 19] = [
        "==", "!=", "<=", ">=", "<<", ">>", "<", ">", "+", "-", "*", "/", "%", "^", "&", "|", "?",
        ":", "=",
    ];
    if FORMULA.iter().any(|sign| rest.starts_with(sign)) {
        return None;
    }
    SIGNS.into_iter().find(|sign| rest.starts_with(sign))
}

/// Passes an operand: signs before it, a name or number or parentheses, and what follows closely.
fn operand(scan: &mut Scanner<'_>, found: &mut Found, mut first: bool) -> Result<(), LtlError> {
    loop {
        scan.skip_blanks();
        let word = scan.word();
        match scan.peek() {
            Some('&') if scan.rest().starts_with("&&") => {
                return Err(LtlError::new(scan.at, "an operand is expected, not `&&`"));
            }
            Some('-' | '+' | '~' | '*' | '&') => scan.at += 1,
            Some('!') if !first => scan.at += 1,
            Some('(') => {
                let opened = scan.at;
                let inside = scan.enclosed()?;
                if mentions_time(inside) {
                    let message = "operators of time cannot stand within an atom";
                    let hint = "between formulas stand `&&` and `||`; \
                        if variables are meant, put the whole atom in braces";
                    return Err(LtlError::new(opened, message).hint(hint));
                }
                if is_type(inside) && starts_operand(&scan.after_blanks()) {
                    first = false;
                    continue;
                }
                return suffixes(scan, found, !is_condition(inside));
            }
            Some('\'') => {
                scan.character()?;
                return suffixes(scan, found, false);
            }
            Some(digit) if digit.is_ascii_digit() || digit == '.' => {
                number(scan);
                return Ok(());
            }
            Some(_) if word == "sizeof" => {
                scan.pass_word();
                found.compound = true;
            }
            Some(_) if is_operator(word) => {
                let hint = "quote the whole atom in braces if a variable is meant: {x == F}";
                let message = format!("`{word}` is an operator of formulas");
                return Err(LtlError::new(scan.at, message).hint(hint));
            }
            Some(_) if !word.is_empty() => {
                scan.pass_word();
                return suffixes(scan, found, true);
            }
            Some('"') => {
                let hint = "double quotes enclose a whole atom, as braces do";
                let message = "text in quotes is no operand";
                return Err(LtlError::new(scan.at, message).hint(hint));
            }
            Some(letter) => {
                let message = format!("an operand is expected, not `{letter}`");
                return Err(LtlError::new(scan.at, message));
            }
            None => return Err(LtlError::new(scan.at, "an operand is expected, not the end")),
        }
        first = false;
    }
}

/// Passes indices, calls, members and paths after an operand.
fn suffixes(
    scan: &mut Scanner<'_>,
    found: &mut Found,
    may_be_pointer: bool,
) -> Result<(), LtlError> {
    loop {
        let rest = scan.rest();
        let behind = scan.after_blanks();
        let name = |length: usize| {
            rest.get(length..).is_some_and(|rest| {
                rest.starts_with(|letter: char| is_word(letter) && !letter.is_ascii_digit())
            })
        };
        if rest.starts_with("->") && name(2) && may_be_pointer {
            found.arrow = Some(scan.at);
            scan.at += 2;
            scan.pass_word();
        } else if rest.starts_with("::") {
            scan.at += 2;
            scan.pass_word();
        } else if let Some(length) = template_arguments(rest) {
            scan.at += length;
        } else if (rest.starts_with('.') || rest.starts_with('@')) && name(1) {
            scan.at += 1;
            scan.pass_word();
        } else if behind.peek() == Some('[') && !behind.rest().starts_with("[]")
            || behind.peek() == Some('(') && scan.text[..scan.at].ends_with(is_word)
        {
            *scan = behind;
            scan.enclosed()?;
        } else {
            return Ok(());
        }
    }
}

/// The length of the arguments of a template, if they are next, and `::` right after them.
fn template_arguments(rest: &str) -> Option<usize> {
    let part = |letter: char| is_word(letter) || "<>,:*& ".contains(letter);
    let mut depth = 0;
    let closes = |letter: char| {
        depth += i32::from(letter == '<') - i32::from(letter == '>');
        depth <= 0
    };
    let end = rest.find(closes)?;
    let inside = rest.strip_prefix('<')?.get(..end.checked_sub(1)?)?;
    let whole = inside.chars().all(part) && !mentions_time(inside) && !inside.contains("&&");
    (whole && rest[end + 1..].starts_with("::")).then_some(end + 1)
}

/// Passes a number: letters and digits, dots, and the sign of an exponent.
fn number(scan: &mut Scanner<'_>) {
    let hexadecimal = scan.rest().to_ascii_lowercase().starts_with("0x");
    let mut last = ' ';
    while let Some(letter) = scan.peek() {
        let exponent = !hexadecimal && matches!(last, 'e' | 'E') && matches!(letter, '+' | '-');
        if !is_word(letter) && letter != '.' && !exponent {
            return;
        }
        last = letter;
        scan.at += letter.len_utf8();
    }
}

/// Passes the place after `at`: a file and a line, a function or a label.
fn place(scan: &mut Scanner<'_>) -> Result<(), LtlError> {
    scan.skip_blanks();
    let start = scan.at;
    while let Some(letter) = scan.peek() {
        let arrow = scan.rest().starts_with("->");
        let part = is_word(letter) || "./+~-:".contains(letter);
        if !part || arrow {
            break;
        }
        scan.at += letter.len_utf8();
    }
    match scan.at == start {
        true => Err(LtlError::new(start, "a place is expected after `at`")
            .hint("for example: thread(2) at file.c:17")),
        false => Ok(()),
    }
}

/// Whether parentheses that open here are part of an atom.
pub(super) fn starts_atom(scan: &Scanner<'_>) -> Result<bool, LtlError> {
    let mut behind = scan.clone();
    let inside = behind.enclosed()?;
    if mentions_time(inside) {
        return Ok(false);
    }
    let rest = behind.rest();
    let close = rest.starts_with('.')
        || rest.starts_with("->") && rest[2..].starts_with(is_word) && !is_condition(inside);
    behind.skip_blanks();
    let rest = behind.rest();
    let index = rest.starts_with('[') && !rest.starts_with("[]");
    let cast = is_type(inside) && starts_operand(&behind);
    Ok(close || index || cast || c_operator(rest).is_some_and(|sign| !matches!(sign, ":" | "=")))
}

/// Whether a text has an operator of time outside quotes.
fn mentions_time(text: &str) -> bool {
    text.contains("[]")
        || text.contains("<>")
        || text.split(|letter| !is_word(letter)).any(is_operator)
}

/// Whether a text compares or decides: nothing that leads to a member.
fn is_condition(text: &str) -> bool {
    const SIGNS: [&str; 5] = ["==", "<", "&&", "||", "!"];
    let greater = text.match_indices('>').any(|(at, _)| !text[..at].ends_with('-'));
    greater || SIGNS.iter().any(|sign| text.contains(sign))
}

/// Whether a text may be the name of a type: words, `::` and stars at the end.
fn is_type(text: &str) -> bool {
    let words = text.trim_end_matches(|letter: char| letter == '*' || letter.is_whitespace());
    words.chars().next().is_some_and(|first| is_word(first) && !first.is_ascii_digit())
        && words.chars().all(|letter| is_word(letter) || letter == ':' || letter.is_whitespace())
}

/// Whether an operand that no sign precedes starts here.
fn starts_operand(scan: &Scanner<'_>) -> bool {
    let word = scan.word();
    match scan.peek() {
        Some('(' | '\'' | '~') => true,
        _ => !word.is_empty() && !is_operator(word) && word != "at" && !is_run_of_operators(word),
    }
}
