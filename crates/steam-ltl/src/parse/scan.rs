//! Steps through a text: blanks, words, and what brackets and quotes enclose.

use crate::error::LtlError;

/// A text and how far it was read.
#[derive(Clone)]
pub(super) struct Scanner<'a> {
    pub text: &'a str,
    pub at: usize,
}

/// Whether a letter may be part of a name.
pub(super) fn is_word(letter: char) -> bool {
    letter == '_' || letter == '$' || letter.is_alphanumeric()
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0 }
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// The number of a byte for people: letters from one.
    pub fn column(&self, at: usize) -> usize {
        self.text[..at].chars().count() + 1
    }

    pub fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// The scanner after blanks.
    pub fn after_blanks(&self) -> Scanner<'a> {
        let mut behind = self.clone();
        behind.skip_blanks();
        behind
    }

    /// The word that starts here; empty if none does.
    pub fn word(&self) -> &'a str {
        let rest = self.rest();
        &rest[..rest.find(|letter| !is_word(letter)).unwrap_or(rest.len())]
    }

    pub fn pass_word(&mut self) {
        self.at += self.word().len();
    }

    /// Passes a bracket with all up to the one that closes it; returns what is between.
    pub fn enclosed(&mut self) -> Result<&'a str, LtlError> {
        let opened = self.at;
        let mut expected = Vec::new();
        loop {
            let Some(letter) = self.peek() else {
                let bracket = &self.text[opened..=opened];
                return Err(LtlError::new(opened, format!("`{bracket}` is never closed")));
            };
            match letter {
                '(' => expected.push(')'),
                '[' => expected.push(']'),
                '{' => expected.push('}'),
                ')' | ']' | '}' if expected.pop() != Some(letter) => {
                    return Err(LtlError::new(self.at, format!("`{letter}` closes nothing")).hint(
                        format!("the bracket before it is at column {}", self.column(opened)),
                    ));
                }
                '\'' => {
                    self.character()?;
                    continue;
                }
                '"' => {
                    self.quoted()?;
                    continue;
                }
                _ => {}
            }
            self.at += letter.len_utf8();
            if expected.is_empty() {
                return Ok(&self.text[opened + 1..self.at - 1]);
            }
        }
    }

    /// Passes a character of C, or a file name in quotes.
    pub fn character(&mut self) -> Result<(), LtlError> {
        let mut letters = self.rest().char_indices().skip(1);
        while let Some((index, letter)) = letters.next() {
            match letter {
                '\\' => drop(letters.next()),
                '\'' => {
                    self.at += index + 1;
                    return Ok(());
                }
                _ => {}
            }
        }
        Err(LtlError::new(self.at, "the character has no `'` at its end"))
    }

    /// Passes an atom in braces or double quotes; returns what is between.
    pub fn quoted(&mut self) -> Result<&'a str, LtlError> {
        let opened = self.at;
        let inside = match self.rest().strip_prefix('"') {
            None => self.enclosed()?,
            Some(rest) => {
                let length = rest
                    .find('"')
                    .ok_or_else(|| LtlError::new(opened, "the atom has no `\"` at its end"))?;
                self.at += length + 2;
                &rest[..length]
            }
        };
        match inside.trim().is_empty() {
            true => Err(LtlError::new(opened, "there is no atom between the quotes")),
            false => Ok(inside),
        }
    }
}
