//! The statement of the source around a place of the line table.
//!
//! Compilers give an access to various places of its statement: to the name of the variable that is initialised, to
//! the `=`, to the function that is called, and what they move before the first statement to the head of the
//! function. So the text that may be meant is the statement, or the function.

use std::sync::Arc;

/// A statement has no more lines than this before or after a place of it, and a function no more.
const LINES: usize = 16;
const LINES_OF_FUNCTION: usize = 1000;

/// Words with which statements begin that look like the head of a function.
const CONTROL: [&str; 6] = ["if", "else", "while", "for", "switch", "do"];

/// A piece of source.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    /// The line and the column at which it begins, from 0.
    pub begins: (usize, usize),
    pub text: String,
    /// Whether it is a whole function.
    pub function: bool,
}

/// Returns the statement around a line and a column; without a column it is the line.
pub(crate) fn around(lines: &[Arc<str>], line: u32, column: u32) -> Option<Statement> {
    let line = (line as usize).checked_sub(1)?;
    let own = code(lines.get(line)?);
    let Some(column) = (column as usize).checked_sub(1).filter(|&at| own.is_char_boundary(at))
    else {
        return Some(Statement { begins: (line, 0), text: own, function: false });
    };
    let begins = beginning(lines, line, &own[..column]);
    let mut text = String::new();
    let mut depth = 0i32;
    for (number, line) in lines.iter().enumerate().skip(begins.0).take(2 * LINES) {
        let line = code(line);
        let from = if number == begins.0 { begins.1 } else { 0 };
        let rest = &line[from..];
        let ends = rest.find(|letter: char| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            depth <= 0 && matches!(letter, ';' | '{' | '}')
        });
        text += &rest[..ends.unwrap_or(rest.len())];
        match ends {
            Some(at) if rest[at..].starts_with('{') && is_head(&text) => {
                let text = body(lines, (number, from + at))?;
                return Some(Statement { begins, text, function: true });
            }
            Some(_) => break,
            None => text.push(' '),
        }
    }
    text.push(';');
    Some(Statement { begins, text, function: false })
}

/// Where the statement begins that goes on at the end of a text of a line.
fn beginning(lines: &[Arc<str>], line: usize, before: &str) -> (usize, usize) {
    let last = |text: &str| text.rfind([';', '{', '}']).map(|at| at + 1);
    if let Some(at) = last(before) {
        return (line, at);
    }
    let mut begins = (line, 0);
    for above in (line.saturating_sub(LINES)..line).rev() {
        let text = code(&lines[above]);
        if text.trim_start().starts_with('#') {
            break;
        }
        if let Some(at) = last(&text) {
            return if text[at..].trim().is_empty() { begins } else { (above, at) };
        }
        begins = (above, 0);
    }
    begins
}

/// Whether what stands before a brace is the head of a function.
fn is_head(text: &str) -> bool {
    let mut words =
        text.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|it| !it.is_empty());
    let control = words.next().is_none_or(|first| CONTROL.contains(&first));
    text.contains('(') && !text.contains('=') && !control
}

/// The text from a brace to where it closes.
fn body(lines: &[Arc<str>], from: (usize, usize)) -> Option<String> {
    let mut text = String::new();
    let mut depth = 0i32;
    for (number, line) in lines.iter().enumerate().skip(from.0).take(LINES_OF_FUNCTION) {
        let line = code(line);
        let rest = if number == from.0 { &line[from.1..] } else { &line[..] };
        let ends = rest.find(|letter: char| {
            depth += i32::from(letter == '{') - i32::from(letter == '}');
            depth == 0
        });
        text += &rest[..ends.unwrap_or(rest.len())];
        if ends.is_some() {
            return Some(text);
        }
        text.push(' ');
    }
    None
}

/// A line of the same length in which comments and strings are blank.
fn code(line: &str) -> String {
    let mut code = String::with_capacity(line.len());
    let mut rest = line;
    let blank = |code: &mut String, bytes: usize| code.extend(std::iter::repeat_n(' ', bytes));
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if rest.starts_with("//") => rest.len(),
            _ if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |at| at + 4),
            '"' | '\'' => string_length(rest, first),
            _ if !first.is_ascii() => first.len_utf8(),
            _ => {
                code.push(first);
                rest = &rest[1..];
                continue;
            }
        };
        blank(&mut code, length);
        rest = &rest[length..];
    }
    code
}

/// How long the string is with which a text begins.
pub(crate) fn string_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|&(_, it)| {
        let ends = it == quote && !escaped;
        escaped = it == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, line: u32, column: u32) -> String {
        let lines: Vec<Arc<str>> = text.lines().map(Arc::from).collect();
        around(&lines, line, column).map_or(String::new(), |it| it.text.trim().to_owned())
    }

    #[test]
    fn a_statement_is_what_stands_between_its_bounds() {
        let text =
            "a = 1; b =\n  f(2,\n  3) + 4; /* ; */ c(\"; }\");\nfor (i = 0; i < n; i++) {\n}\n";
        assert_eq!(at(text, 1, 1), "a = 1;");
        assert_eq!(at(text, 2, 3), "b =   f(2,   3) + 4;");
        assert_eq!(at(text, 3, 3), "b =   f(2,   3) + 4;");
        assert_eq!(at(text, 3, 19), "c(     );");
        assert_eq!(at(text, 4, 13), "i < n;");
        assert_eq!(at(text, 4, 0), "for (i = 0; i < n; i++) {");
        assert_eq!(at(text, 9, 1), "");
    }

    #[test]
    fn the_head_of_a_function_stands_for_all_of_it() {
        let text = "int x;\nint f(void)\n{\n  if (x) { y; }\n  return 1;\n}\nint z;\n";
        assert_eq!(at(text, 2, 5), "{   if (x) { y; }   return 1;");
        assert_eq!(at(text, 4, 7), "if (x) ;");
        assert_eq!(at("int f(void) {", 1, 5), "");
    }
}
