//! What is wrong with an expression, and where.

use std::fmt;

/// Why a text is no expression over the program's variables; its `Display` says what is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExprError {
    /// The byte of the text at which it is noticed; the text's length where the end is too early.
    pub at: usize,
    /// What is wrong.
    pub message: String,
}

impl ExprError {
    /// Makes an error at a byte of the text.
    pub(crate) fn new(at: usize, message: impl Into<String>) -> ExprError {
        ExprError { at, message: message.into() }
    }

    /// Returns the expression, a mark under the place in question, and what is wrong there.
    pub fn explain(&self, text: &str) -> String {
        let before = text.char_indices().take_while(|&(at, _)| at < self.at).count();
        // One line stays one line, so that the mark is under its place.
        let line: String =
            text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        format!("{line}\n{:before$}^\n{}", "", self.message)
    }
}

impl fmt::Display for ExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ExprError {}
