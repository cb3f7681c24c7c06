//! Why something cannot be looked at in the states of a program.

use std::fmt;

use steam_image::NoDeclarations;

/// What is wrong with an atom; its `Display` says what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PropsError {
    /// The atom; empty where none is to blame.
    pub atom: String,
    message: String,
}

impl PropsError {
    pub(crate) fn new(atom: &str, message: &str) -> PropsError {
        PropsError { atom: atom.to_owned(), message: message.to_owned() }
    }

    pub(crate) fn no_names(why: NoDeclarations) -> PropsError {
        let message = format!("variables need debug information: {why}");
        PropsError { atom: String::new(), message }
    }
}

impl fmt::Display for PropsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PropsError {}
