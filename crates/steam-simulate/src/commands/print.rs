//! Values of C expressions, with the types of the program.

use super::{Answer, Command, Session};

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "print",
        aliases: &["p", "inspect"],
        arguments: "[/xduotc] EXPR",
        help: "the value of a C expression, or what is said of a thread: p queue[head].id, p/x flags, p holds(2, &m)",
        run: print,
    },
    Command {
        name: "whatis",
        aliases: &["ptype"],
        arguments: "EXPR",
        help: "the type of a C expression",
        run: whatis,
    },
];

/// The letter of a format before an expression.
pub(super) fn split_format(text: &str) -> Result<(Option<char>, &str), String> {
    let Some(rest) = text.strip_prefix('/') else { return Ok((None, text)) };
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let (format, expression) = rest.split_at(end);
    let mut letters = format.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Ok((Some(letter), expression.trim())),
        (None, _) => Err("write a format after the `/`: x, d, u, o, t or c".to_owned()),
        _ => Err(format!("there is no format {format}: use x, d, u, o, t or c")),
    }
}

fn print(session: &mut Session<'_, '_>, text: &str) -> Answer {
    let (format, text) = split_format(text)?;
    if text.is_empty() {
        return Err("write an expression: `p count`".to_owned());
    }
    let (value, _) = session.simulation.evaluate(text, format)?;
    Ok(format!("{text} = {value}\n"))
}

fn whatis(session: &mut Session<'_, '_>, text: &str) -> Answer {
    if text.is_empty() {
        return Err("write an expression: `whatis count`".to_owned());
    }
    let (_, type_name) = session.simulation.evaluate(text, None)?;
    Ok(format!("type = {type_name}\n"))
}
