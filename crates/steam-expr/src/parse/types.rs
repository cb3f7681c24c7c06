//! Names of types, in casts and after `sizeof`.

use steam_image::{Keyword, TypeId, Types};

use super::Parser;
use crate::error::ExprError;
use crate::syntax::{BaseName, TypeName};
use crate::token::TokenKind;

/// The words of which standard types are made.
const WORDS: [&str; 11] = [
    "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool",
    "bool",
];
/// The words that change nothing of a value.
const QUALIFIERS: [&str; 4] = ["const", "volatile", "_Atomic", "restrict"];

const TAGS: [(&str, Keyword); 4] = [
    ("struct", Keyword::Struct),
    ("union", Keyword::Union),
    ("class", Keyword::Class),
    ("enum", Keyword::Enum),
];

impl Parser<'_> {
    /// Passes `(type)`, if that is next.
    pub(super) fn type_in_parentheses(&mut self) -> Result<Option<TypeName>, ExprError> {
        let (start, opened) = (self.next, self.at());
        if !self.pass("(") {
            return Ok(None);
        }
        let Some(base) = self.base_name()? else {
            self.next = start;
            return Ok(None);
        };
        let at = self.tokens[start + 1].at;
        let mut stars = 0;
        loop {
            self.qualifiers();
            if !self.pass("*") {
                break;
            }
            stars += 1;
            self.bounded(at, stars)?;
        }
        self.expect(")", opened)?;
        Ok(Some(TypeName { at, base, stars }))
    }

    fn qualifiers(&mut self) {
        while matches!(&self.peek().kind, TokenKind::Name(name) if QUALIFIERS.contains(&&**name)) {
            self.next += 1;
        }
    }

    fn base_name(&mut self) -> Result<Option<BaseName>, ExprError> {
        self.qualifiers();
        let at = self.at();
        let first = match &self.peek().kind {
            TokenKind::Name(name) => name.clone(),
            TokenKind::Sign("::") | TokenKind::File(_) => return self.type_path(),
            _ => return Ok(None),
        };
        if let Some(&(_, keyword)) = TAGS.iter().find(|(word, _)| *word == first) {
            self.next += 1;
            return Ok(Some(BaseName::Tagged(keyword, self.path()?)));
        }
        if !WORDS.contains(&&*first) {
            return self.type_path();
        }
        let mut words = Vec::new();
        while let TokenKind::Name(name) = &self.peek().kind
            && let Some(word) = WORDS.iter().find(|word| *word == name)
        {
            words.push(*word);
            self.next += 1;
            self.qualifiers();
        }
        let found = standard(&words);
        let found =
            found.ok_or_else(|| ExprError::new(at, format!("`{}` is no type", words.join(" "))))?;
        Ok(Some(BaseName::Standard(found)))
    }

    /// A name that is a type in the program.
    fn type_path(&mut self) -> Result<Option<BaseName>, ExprError> {
        let start = self.next;
        // What is no path here is for others to complain about.
        if let Ok(path) = self.path()
            && (self.is_type)(&path)
        {
            return Ok(Some(BaseName::Named(path)));
        }
        self.next = start;
        Ok(None)
    }
}

/// The standard type that some words name, in whatever order they stand.
fn standard(words: &[&str]) -> Option<TypeId> {
    let count = |word: &str| words.iter().filter(|own| **own == word).count();
    let (signed, unsigned) = (count("signed"), count("unsigned"));
    let (long, short, int) = (count("long"), count("short"), count("int"));
    if signed + unsigned > 1 || int > 1 || short > 1 || long > 2 || short * long > 0 {
        return None;
    }
    let others: Vec<_> = words
        .iter()
        .filter(|word| !["signed", "unsigned", "long", "short", "int"].contains(*word))
        .collect();
    let plain = words.len() == 1;
    Some(match others[..] {
        [] => match (short, long, unsigned) {
            (0, 0, 0) => Types::INT,
            (0, 0, _) => Types::UNSIGNED,
            (1, _, 0) => Types::SHORT,
            (1, _, _) => Types::UNSIGNED_SHORT,
            (_, 1, 0) => Types::LONG,
            (_, 1, _) => Types::UNSIGNED_LONG,
            (_, _, 0) => Types::LONG_LONG,
            _ => Types::UNSIGNED_LONG_LONG,
        },
        [&"char"] if long + short + int == 0 => match (signed, unsigned) {
            (0, 0) => Types::CHAR,
            (1, _) => Types::SIGNED_CHAR,
            _ => Types::UNSIGNED_CHAR,
        },
        [&"double"] if plain => Types::DOUBLE,
        [&"double"] if long == 1 && words.len() == 2 => Types::LONG_DOUBLE,
        [&"float"] if plain => Types::FLOAT,
        [&"void"] if plain => Types::VOID,
        [&"_Bool"] if plain => Types::BOOL,
        [&"bool"] if plain => Types::CPP_BOOL,
        _ => return None,
    })
}
