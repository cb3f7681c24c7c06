//! From the text of an automaton to tokens.

use crate::error::LtlError;

/// A token and where it starts.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub at: usize,
    pub kind: Kind,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name; `--BODY--` and its like too.
    Word(String),
    /// A name with a colon.
    Header(String),
    /// A name with `@`.
    Alias(String),
    Text(String),
    Number(u32),
    Sign(char),
    End,
}

/// What is left to read.
pub(super) struct Tokens {
    tokens: Vec<Token>,
    next: usize,
}

impl Tokens {
    pub fn new(text: &str) -> Result<Tokens, LtlError> {
        let mut tokens = Vec::new();
        let mut at = 0;
        while let Some(first) = text[at..].chars().next() {
            let rest = &text[at..];
            if first.is_whitespace() {
                at += first.len_utf8();
            } else if rest.starts_with("/*") {
                at += comment(rest, at)?;
            } else {
                let (kind, length) = token(rest, first, at)?;
                tokens.push(Token { at, kind });
                at += length;
            }
        }
        tokens.push(Token { at, kind: Kind::End });
        Ok(Tokens { tokens, next: 0 })
    }

    pub fn peek(&self) -> &Token {
        // The last token is the end, which is never passed.
        &self.tokens[self.next]
    }

    pub fn at(&self) -> usize {
        self.peek().at
    }

    /// Passes the next token.
    pub fn pass(&mut self) -> Token {
        let token = self.peek().clone();
        self.next += usize::from(token.kind != Kind::End);
        token
    }

    /// Passes a token if it is the next.
    pub fn pass_if(&mut self, kind: &Kind) -> bool {
        let found = self.peek().kind == *kind;
        if found {
            self.pass();
        }
        found
    }

    pub fn expect(&mut self, kind: &Kind, what: &str) -> Result<(), LtlError> {
        match self.pass_if(kind) {
            true => Ok(()),
            false => Err(self.unexpected(what)),
        }
    }

    pub fn number(&mut self, what: &str) -> Result<u32, LtlError> {
        let Kind::Number(number) = self.peek().kind else { return Err(self.unexpected(what)) };
        self.pass();
        Ok(number)
    }

    pub fn unexpected(&self, expected: &str) -> LtlError {
        let found = match &self.peek().kind {
            Kind::Word(word) => format!("`{word}`"),
            Kind::Header(word) => format!("`{word}:`"),
            Kind::Alias(word) => format!("`@{word}`"),
            Kind::Text(text) => format!("{text:?}"),
            Kind::Number(number) => format!("`{number}`"),
            Kind::Sign(sign) => format!("`{sign}`"),
            Kind::End => "the end".to_owned(),
        };
        LtlError::new(self.at(), format!("{expected} is expected, not {found}"))
    }
}

/// The length of a comment; comments nest.
fn comment(rest: &str, at: usize) -> Result<usize, LtlError> {
    let (mut depth, mut length) = (0, 0);
    loop {
        let here = &rest[length..];
        if here.starts_with("/*") {
            depth += 1;
            length += 2;
        } else if here.starts_with("*/") {
            depth -= 1;
            length += 2;
            if depth == 0 {
                return Ok(length);
            }
        } else {
            let letter = here.chars().next();
            length += letter.ok_or_else(|| LtlError::new(at, "the comment has no end"))?.len_utf8();
        }
    }
}

/// A token and its length.
fn token(rest: &str, first: char, at: usize) -> Result<(Kind, usize), LtlError> {
    if let Some(mark) = ["--BODY--", "--END--", "--ABORT--"].iter().find(|m| rest.starts_with(**m))
    {
        return Ok((Kind::Word((*mark).to_owned()), mark.len()));
    }
    let inner = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    let word = |start: usize| {
        let end = rest[start..].find(|letter| !inner(letter)).map_or(rest.len(), |end| start + end);
        (rest[start..end].to_owned(), end)
    };
    match first {
        '0'..='9' => {
            let length = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
            let too_large = |_| LtlError::new(at, format!("`{}` is too large", &rest[..length]));
            Ok((Kind::Number(rest[..length].parse().map_err(too_large)?), length))
        }
        '"' => quoted(rest, at),
        '@' => {
            let (name, length) = word(1);
            Ok((Kind::Alias(name), length))
        }
        'a'..='z' | 'A'..='Z' | '_' => {
            let (name, length) = word(0);
            match rest[length..].starts_with(':') {
                true => Ok((Kind::Header(name), length + 1)),
                false => Ok((Kind::Word(name), length)),
            }
        }
        '!' | '&' | '|' | '(' | ')' | '[' | ']' | '{' | '}' => Ok((Kind::Sign(first), 1)),
        _ => Err(LtlError::new(at, format!("`{}` means nothing here", first.escape_debug()))),
    }
}

/// A text in double quotes; a backslash stands before a letter that is meant as it is.
fn quoted(rest: &str, at: usize) -> Result<(Kind, usize), LtlError> {
    let mut text = String::new();
    let mut letters = rest.char_indices().skip(1);
    while let Some((index, letter)) = letters.next() {
        match letter {
            '"' => return Ok((Kind::Text(text), index + 1)),
            '\\' => text.extend(letters.next().map(|(_, letter)| letter)),
            _ => text.push(letter),
        }
    }
    Err(LtlError::new(at, "the text has no `\"` at its end"))
}
