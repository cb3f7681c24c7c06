//! What keys mean. Letters are typed; arrows move in time and between threads while nothing is.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Adds a letter to the command.
    Type(char),
    /// Takes the last letter back.
    Erase,
    /// Takes all letters back.
    Clear,
    /// Adds the rest of a command's name.
    Complete,
    /// Does what was typed.
    Enter,
    /// Does a command.
    Command(&'static str),
    /// Chooses the thread so many rows below.
    Thread(isize),
    /// Ends it all.
    Leave,
    /// Nothing.
    Nothing,
}

/// What a key does; `empty` says that nothing was typed.
pub fn deed(key: KeyEvent, empty: bool) -> Deed {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('d') => Deed::Leave,
            KeyCode::Char('c' | 'u') => Deed::Clear,
            _ => Deed::Nothing,
        };
    }
    match key.code {
        KeyCode::Char(letter) => Deed::Type(letter),
        KeyCode::Backspace => Deed::Erase,
        KeyCode::Esc => Deed::Clear,
        KeyCode::Tab => Deed::Complete,
        KeyCode::Enter => Deed::Enter,
        KeyCode::Right if empty => Deed::Command("visible"),
        KeyCode::Left if empty => Deed::Command("back"),
        KeyCode::Down if empty => Deed::Thread(1),
        KeyCode::Up if empty => Deed::Thread(-1),
        KeyCode::F(5) => Deed::Command("continue"),
        KeyCode::F(6) => Deed::Command("reverse-continue"),
        KeyCode::F(10) => Deed::Command("next"),
        KeyCode::F(11) => Deed::Command("step"),
        _ => Deed::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_move_only_while_nothing_is_typed() {
        let right = KeyEvent::new(KeyCode::Right, KeyModifiers::NONE);
        assert_eq!(deed(right, true), Deed::Command("visible"));
        assert_eq!(deed(right, false), Deed::Nothing);
        let leave = KeyEvent::new(KeyCode::Char('d'), KeyModifiers::CONTROL);
        assert_eq!(deed(leave, false), Deed::Leave);
    }
}
