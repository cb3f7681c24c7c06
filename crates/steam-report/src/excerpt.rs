//! The source line of a problem, with a mark under it, as compilers show it.

use std::path::Path;

use steam_image::{is_shown_source, read_regular};

use super::place::Location;

/// The largest source file that is read.
const LARGEST: u64 = 16 << 20;
/// The longest line that is shown.
const WIDEST: usize = 200;

/// Shows the line of a location with `label` beside the mark; empty if the file cannot be read.
pub(super) fn show(location: &Location, label: &str) -> String {
    let Some(text) = line(location) else { return String::new() };
    let number = location.line.unwrap_or_default().to_string();
    let margin = " ".repeat(number.len());
    let (indent, width) = mark(&text, location.column);
    let shown = text.replace('\t', "    ");
    let label = if label.is_empty() { String::new() } else { format!(" {label}") };
    format!(
        "{margin} |\n{number} | {}\n{margin} | {}{}{label}\n{margin} |\n",
        shown.trim_end(),
        " ".repeat(indent),
        "^".repeat(width),
    )
}

/// The text of a location's line.
fn line(location: &Location) -> Option<String> {
    let (file, line) = (location.file.as_ref()?, location.line?);
    if !is_shown_source(file) {
        return None;
    }
    let bytes = read_regular(Path::new(file), LARGEST).ok()?;
    let line = bytes.split(|&byte| byte == b'\n').nth(line.checked_sub(1)? as usize)?;
    let text = String::from_utf8_lossy(line);
    let text: String = text.chars().filter(|c| *c == '\t' || !c.is_control()).collect();
    (!text.trim().is_empty() && text.len() <= WIDEST).then_some(text)
}

/// Where the mark begins on the screen and how long it is: the word at the column, or the whole
/// line where the compiler told no column.
fn mark(text: &str, column: Option<u32>) -> (usize, usize) {
    let start = match column {
        Some(column) => (column as usize).saturating_sub(1),
        None => text.len() - text.trim_start().len(),
    };
    let start = (0..=start.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
    let (before, rest) = text.split_at(start.unwrap_or(0));
    let indent = before.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
    let width = match column {
        Some(_) => rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').count(),
        None => rest.trim_end().chars().count(),
    };
    (indent, width.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_the_word_at_the_column() {
        assert_eq!(mark("    glob = 8;", Some(5)), (4, 4));
        assert_eq!(mark("\tglob = 8;", Some(7)), (9, 1));
        assert_eq!(mark("\tglob = 8;  ", None), (4, 9));
        assert_eq!(mark("x", Some(40)), (1, 1));
        assert_eq!(mark("é = ü", Some(2)), (0, 1));
    }

    #[test]
    fn an_unreadable_file_shows_nothing() {
        let location = Location {
            file: Some("/nonexistent/file.c".to_owned()),
            line: Some(3),
            ..Location::default()
        };
        assert_eq!(show(&location, "here"), "");
    }
}
