//! How statements become the text of functions.

use super::statements::Statement;
use std::fmt::Write;

/// Statements of some source up to the budget, at most three.
pub fn within_budget(budget: u32, mut any: impl FnMut() -> Statement) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::new();
    let mut left = budget;
    for _ in 0..3 {
        let statement = any();
        if statement.cost > left {
            break;
        }
        left -= statement.cost;
        found.push(statement);
    }
    found
}

/// The lines of statements.
pub fn lines(statements: Vec<Statement>) -> impl Iterator<Item = String> {
    statements.into_iter().flat_map(|statement| statement.lines)
}

/// Writes a function with its body indented by the braces in it.
pub fn function(text: &mut String, head: &str, body: &[String]) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{head}\n{{");
    let mut depth = 1;
    for line in body {
        if line.starts_with('}') {
            depth -= 1;
        }
        let _ = writeln!(text, "{}{line}", "    ".repeat(depth));
        if line.ends_with('{') {
            depth += 1;
        }
    }
    text.push_str("}\n\n");
}
