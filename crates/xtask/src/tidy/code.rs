//! Blanks out what is not code in a Rust source: comments, strings, character literals.
//!
//! Invariant: line breaks stay, so that line numbers of the result are those of the source.

use std::iter::Peekable;
use std::str::Chars;

/// The code of a source; everything else is left out, except line breaks.
pub fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut previous = ' ';
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('/', Some('/')) => skip_line(&mut rest),
            ('/', Some('*')) => skip_block(&mut rest, &mut code),
            ('r', Some('"' | '#')) if !is_word(previous) => {
                code.push(c);
                skip_raw(&mut rest, &mut code);
            }
            ('"', _) => skip_string(&mut rest, &mut code),
            ('\'', _) => skip_character(&mut rest),
            _ => code.push(c),
        }
        previous = c;
    }
    code
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn skip_line(rest: &mut Peekable<Chars<'_>>) {
    while rest.next_if(|&c| c != '\n').is_some() {}
}

/// A block comment; they nest.
fn skip_block(rest: &mut Peekable<Chars<'_>>, code: &mut String) {
    let mut depth = 0;
    let mut previous = '/';
    for c in rest.by_ref() {
        match (previous, c) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            (_, '\n') => code.push('\n'),
            _ => {}
        }
        if depth == 0 {
            return;
        }
        // A character that closed or opened a pair takes no part in the next one.
        let paired = matches!((previous, c), ('/', '*') | ('*', '/'));
        previous = if paired { ' ' } else { c };
    }
}

fn skip_string(rest: &mut Peekable<Chars<'_>>, code: &mut String) {
    while let Some(c) = rest.next() {
        match c {
            '"' => return,
            '\n' => code.push('\n'),
            '\\' if rest.next() == Some('\n') => code.push('\n'),
            _ => {}
        }
    }
}

/// A raw string, from the `#` or `"` after its `r`; or a raw identifier, which stays code.
fn skip_raw(rest: &mut Peekable<Chars<'_>>, code: &mut String) {
    let mut hashes = 0;
    while rest.next_if_eq(&'#').is_some() {
        hashes += 1;
    }
    if rest.next_if_eq(&'"').is_none() {
        return;
    }
    let mut closing = None;
    for c in rest.by_ref() {
        closing = match (c, closing) {
            ('"', _) => Some(0),
            ('#', Some(seen)) => Some(seen + 1),
            _ => None,
        };
        if c == '\n' {
            code.push('\n');
        }
        if closing == Some(hashes) {
            return;
        }
    }
}

/// A character literal; a lifetime has no closing quote and stays code.
fn skip_character(rest: &mut Peekable<Chars<'_>>) {
    let mut ahead = rest.clone();
    let first = ahead.next();
    if first == Some('\\') {
        // The escaped character may itself be a quote.
        rest.next();
        rest.next();
        for c in rest.by_ref() {
            if c == '\'' {
                return;
            }
        }
    } else if ahead.next() == Some('\'') {
        rest.next();
        rest.next();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        code_of(text).split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn only_code_is_left() {
        assert_eq!(words("a // b\nc"), ["a", "c"]);
        assert_eq!(words("a /* b /* c */ d */ e"), ["a", "e"]);
        assert_eq!(words("a /**/ b /***/ c"), ["a", "b", "c"]);
        assert_eq!(words("a \"b \\\" c\" d"), ["a", "d"]);
        assert_eq!(words("a r#\"b \" c\"# d"), ["a", "r", "d"]);
        assert_eq!(words("a '\"' b '\\'' c '\\u{41}' d"), ["a", "b", "c", "d"]);
        assert_eq!(words("fn f<'a>(x: &'a str)"), ["fn", "f<a>(x:", "&a", "str)"]);
    }

    #[test]
    fn lines_keep_their_numbers() {
        for text in ["a /*\n*/\nb", "a \"\n\"\nb", "a r\"\n\"\nb", "a \"\\\n\"\nb"] {
            assert_eq!(code_of(text).lines().position(|line| line == "b"), Some(2), "{text}");
        }
    }
}
