//! What is wrong with a formula or an automaton file, where, and what to do about it.

use std::fmt;

/// Why a text is no formula, or no automaton that can be used; its `Display` is one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LtlError {
    /// The byte of the text at which it is noticed; the text's length where the end is too early.
    pub at: usize,
    /// What is wrong.
    pub message: String,
    /// What to write instead, where that is known.
    pub hint: Option<String>,
}

/// So much of a line is shown.
const WIDEST: usize = 160;
/// So much of a longer line is shown before the mark.
const BEFORE: usize = 60;

impl LtlError {
    /// Makes an error at a byte of the text.
    pub(crate) fn new(at: usize, message: impl Into<String>) -> LtlError {
        LtlError { at, message: message.into(), hint: None }
    }

    /// Adds what to do.
    pub(crate) fn hint(self, hint: impl Into<String>) -> LtlError {
        LtlError { hint: Some(hint.into()), ..self }
    }

    /// Returns the line in question, a mark under the place, what is wrong there, and the hint.
    pub fn explain(&self, text: &str) -> String {
        let at = self.at.min(text.len());
        let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
        // One letter stays one letter, so that the mark is under its place.
        let before = text[start..at].chars().count();
        // Of a long line the part around the mark is shown.
        let skipped = if end - start > WIDEST { before.saturating_sub(BEFORE) } else { 0 };
        let before = before - skipped;
        let line: String = text[start..end]
            .chars()
            .skip(skipped)
            .take(WIDEST)
            .map(|letter| if letter.is_control() { ' ' } else { letter })
            .collect();
        let number = text[..start].lines().count() + 1;
        let place = if text.trim_end().contains('\n') {
            format!("line {number}:\n")
        } else {
            String::new()
        };
        let hint = self.hint.as_ref().map_or(String::new(), |hint| format!("\nhint: {hint}"));
        format!("{place}{line}\n{:before$}^\n{}{hint}", "", self.message)
    }
}

impl fmt::Display for LtlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, " ({hint})"))
    }
}

impl std::error::Error for LtlError {}
