//! From text to tokens: names, numbers, characters, file names and signs.

use steam_image::{TypeId, Types};

use crate::error::ExprError;

/// A token and where it starts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub at: usize,
    pub kind: TokenKind,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TokenKind {
    Name(String),
    Integer(u64, TypeId),
    Float(f64, TypeId),
    /// A file name before `::`, which belongs to the token.
    File(String),
    Sign(&'static str),
    End,
}

/// All signs, longer ones before those that they start with.
const SIGNS: [&str; 33] = [
    "++", "--", "->", "::", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "(", ")", "[", "]",
    ".", "*", "&", "!", "~", "-", "+", "/", "%", "<", ">", "^", "|", "?", ":", ",", "=",
];

/// Cuts a text into tokens; the last one is the end.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, ExprError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = token(text, at, first)?;
        tokens.push(Token { at, kind });
        at += length;
    }
    tokens.push(Token { at, kind: TokenKind::End });
    Ok(tokens)
}

/// The token at a place, and its length.
fn token(text: &str, at: usize, first: char) -> Result<(TokenKind, usize), ExprError> {
    let rest = &text[at..];
    let second_is_digit = rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    if first.is_ascii_digit() || (first == '.' && second_is_digit) {
        return number(rest, at);
    }
    if is_letter(first) {
        return Ok(name(rest));
    }
    if first == '\'' {
        return quoted(rest, at);
    }
    if first == '"' {
        return Err(ExprError::new(at, "strings are no part of these expressions"));
    }
    let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
    let sign = sign.ok_or_else(|| ExprError::new(at, format!("`{first}` means nothing here")))?;
    Ok((TokenKind::Sign(sign), sign.len()))
}

fn is_letter(letter: char) -> bool {
    letter == '_' || letter == '$' || letter.is_alphabetic()
}

/// A name; with dots in it and `::` right after it, a file name.
fn name(rest: &str) -> (TokenKind, usize) {
    let inner = |letter: char| is_letter(letter) || letter.is_ascii_digit();
    let length = rest.find(|letter| !inner(letter)).unwrap_or(rest.len());
    let file = rest.find(|letter| !inner(letter) && letter != '.').unwrap_or(rest.len());
    if file > length && rest[file..].starts_with("::") && !rest[..file].ends_with('.') {
        return (TokenKind::File(rest[..file].to_owned()), file + 2);
    }
    let length = length + template_arguments(&rest[length..]).unwrap_or(0);
    (TokenKind::Name(rest[..length].to_owned()), length)
}

/// The length of the arguments of a template, if that is what follows a name: brackets with `::` right
/// after them, and nothing in them but types and numbers.
fn template_arguments(rest: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, letter) in rest.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.checked_sub(1)?,
            ' ' | ',' | ':' | '*' | '&' if depth > 0 => {}
            letter if depth > 0 && (is_letter(letter) || letter.is_ascii_digit()) => {}
            _ => return None,
        }
        if depth == 0 {
            return rest[at + 1..].starts_with("::").then_some(at + 1);
        }
    }
    None
}

/// A character, or a file name in quotes.
fn quoted(rest: &str, at: usize) -> Result<(TokenKind, usize), ExprError> {
    let unended = || ExprError::new(at, "the character has no `'` at its end");
    if let Some(end) = rest[1..].find('\'').filter(|&end| end > 1)
        && rest[end + 2..].starts_with("::")
    {
        return Ok((TokenKind::File(rest[1..=end].to_owned()), end + 4));
    }
    let mut letters = rest[1..].chars();
    let (value, length) = match letters.next().ok_or_else(unended)? {
        '\\' => escape(&rest[2..], at)?,
        '\'' => return Err(ExprError::new(at, "there is no character between the quotes")),
        letter if letter.is_ascii() => (letter as u32 as u8, 1),
        letter => {
            return Err(ExprError::new(at, format!("`{letter}` is no character of one byte")));
        }
    };
    if !rest[1 + length..].starts_with('\'') {
        return Err(unended());
    }
    // Characters have the sign of `char`, and the type of `int`.
    let value = i64::from(value as i8) as u64;
    Ok((TokenKind::Integer(value, Types::INT), length + 2))
}

/// The character after a backslash, and how many bytes with the backslash it takes.
fn escape(rest: &str, at: usize) -> Result<(u8, usize), ExprError> {
    let first = rest.chars().next().unwrap_or('\0');
    let simple = match first {
        'n' => b'\n',
        't' => b'\t',
        'r' => b'\r',
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' => 27,
        '\\' | '\'' | '"' | '?' => first as u8,
        'x' => {
            let digits = rest[1..].bytes().take_while(u8::is_ascii_hexdigit).count();
            return digits_of(&rest[1..1 + digits], 16, at).map(|value| (value, digits + 2));
        }
        '0'..='7' => {
            let octal = |byte: &u8| (b'0'..=b'7').contains(byte);
            let digits = rest.bytes().take(3).take_while(octal).count();
            return digits_of(&rest[..digits], 8, at).map(|value| (value, digits + 1));
        }
        _ => return Err(ExprError::new(at, format!("`\\{first}` is no character"))),
    };
    Ok((simple, 2))
}

fn digits_of(digits: &str, radix: u32, at: usize) -> Result<u8, ExprError> {
    let value = u32::from_str_radix(digits, radix).ok().and_then(|value| u8::try_from(value).ok());
    value.ok_or_else(|| ExprError::new(at, "the character does not fit into a byte"))
}

/// A number with its suffix.
fn number(rest: &str, at: usize) -> Result<(TokenKind, usize), ExprError> {
    let length = number_length(rest);
    let text = &rest[..length];
    let wrong = || ExprError::new(at, format!("`{text}` is no number"));
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.as_bytes() {
        [b'0', b'x', ..] => (&lower[2..], 16),
        [b'0', b'b', ..] => (&lower[2..], 2),
        _ if lower.contains(['.', 'e']) => return Ok((float(&lower).ok_or_else(wrong)?, length)),
        [b'0', _, ..] => (&lower[1..], 8),
        _ => (&lower[..], 10),
    };
    let end = digits.find(['u', 'l']).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    // `0u` is an octal number without digits.
    let value = match (digits, radix) {
        ("", 8) => 0,
        _ if digits.starts_with('+') => return Err(wrong()),
        _ => u64::from_str_radix(digits, radix).map_err(|error| match error.kind() {
            std::num::IntErrorKind::PosOverflow => {
                ExprError::new(at, format!("`{text}` does not fit into 64 bits"))
            }
            _ => wrong(),
        })?,
    };
    let type_id = integer_type(value, radix == 10, suffix).ok_or_else(wrong)?;
    Ok((TokenKind::Integer(value, type_id), length))
}

/// How far a number reaches: letters and digits, dots, and the sign of an exponent.
fn number_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
    let mut length = 0;
    while let Some(&byte) = bytes.get(length) {
        let exponent = length > 0 && !hexadecimal && matches!(bytes[length - 1], b'e' | b'E');
        if byte.is_ascii_alphanumeric() || byte == b'.' || (exponent && matches!(byte, b'+' | b'-'))
        {
            length += 1;
        } else {
            break;
        }
    }
    length
}

fn float(lower: &str) -> Option<TokenKind> {
    let (digits, type_id) = match lower.as_bytes().last()? {
        b'f' => (&lower[..lower.len() - 1], Types::FLOAT),
        b'l' => (&lower[..lower.len() - 1], Types::LONG_DOUBLE),
        _ => (lower, Types::DOUBLE),
    };
    if digits.contains(|letter: char| letter.is_ascii_alphabetic() && letter != 'e') {
        return None;
    }
    let value: f64 = digits.parse().ok()?;
    let value = if type_id == Types::FLOAT { f64::from(value as f32) } else { value };
    Some(TokenKind::Float(value, type_id))
}

/// The type of an integer constant: the first of C's list into which it fits.
fn integer_type(value: u64, decimal: bool, suffix: &str) -> Option<TypeId> {
    let (unsigned, longs) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => return None,
    };
    let candidates = [
        (0, false, Types::INT, i32::MAX as u64),
        (0, true, Types::UNSIGNED, u64::from(u32::MAX)),
        (1, false, Types::LONG, i32::MAX as u64),
        (1, true, Types::UNSIGNED_LONG, u64::from(u32::MAX)),
        (2, false, Types::LONG_LONG, i64::MAX as u64),
        (2, true, Types::UNSIGNED_LONG_LONG, u64::MAX),
    ];
    let fits = |&&(rank, without_sign, _, largest): &&(u8, bool, TypeId, u64)| {
        // Decimal numbers without `u` never lose their sign, unless nothing else is left.
        let sign_fits = if without_sign { unsigned || !decimal } else { !unsigned };
        rank >= longs && sign_fits && value <= largest
    };
    Some(candidates.iter().find(fits).map_or(Types::UNSIGNED_LONG_LONG, |found| found.2))
}
