//! Colours, and text that cannot disturb a terminal.

/// What a piece of text is, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    /// An error.
    Bad,
    /// A good result.
    Good,
    /// Neither.
    Unsure,
    /// What belongs to an error.
    Aside,
}

/// Paints a text, where colours are on.
pub(super) fn paint(color: bool, paint: Paint, text: &str) -> String {
    if !color || text.is_empty() {
        return text.to_owned();
    }
    let code = match paint {
        Paint::Bad => "1;31",
        Paint::Good => "1;32",
        Paint::Unsure => "1;33",
        Paint::Aside => "34",
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}

/// A text of the program on one line and without control characters, which might do anything to a
/// terminal.
pub(crate) fn clean(text: &str) -> String {
    let safe = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(safe).collect()
}
