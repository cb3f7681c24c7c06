//! Commands from standard input that is no terminal: each is repeated before its answer, so that
//! the output reads like a session.

use std::io::{self, BufRead, Write};

use crate::commands::Session;

/// The prompt.
pub const PROMPT: &str = "(steam) ";

/// Obeys all lines; whether none of them was wrong. One that is wrong does not end the script.
pub fn run(
    session: &mut Session<'_, '_>,
    input: impl BufRead,
    output: &mut dyn Write,
) -> io::Result<bool> {
    let mut all_well = true;
    write!(output, "{}", session.greeting())?;
    for line in input.split(b'\n') {
        // What is no text is no command either, and told as one.
        let line = String::from_utf8_lossy(&line?).into_owned();
        let line = line.strip_suffix('\r').unwrap_or(&line);
        writeln!(output, "{}", format!("{PROMPT}{line}").trim_end())?;
        match session.obey(line) {
            Ok(text) => write!(output, "{text}")?,
            Err(why) => {
                all_well = false;
                writeln!(output, "error: {why}")?;
            }
        }
        output.flush()?;
        if session.is_over() {
            break;
        }
    }
    output.flush()?;
    Ok(all_well)
}
