//! Source lines around where the user is.

use super::points::{current_file, find_file};
use super::{Answer, Command, Session};

pub(super) const COMMANDS: &[Command] = &[Command {
    name: "list",
    aliases: &["l"],
    arguments: "[[FILE:]LINE | FUNCTION]",
    help: "source lines around here, or around a line; again goes on",
    run: list,
}];

/// Lines that are shown at once.
const SHOWN: u32 = 10;

fn list(session: &mut Session<'_, '_>, text: &str) -> Answer {
    let (file, first) = match (text, session.listed.take()) {
        ("", Some(next)) => next,
        ("", None) => {
            let place = session.simulation.selected_frame().map(|frame| frame.location);
            match place.and_then(|place| Some((place.file?, place.line?))) {
                Some((file, line)) => (file, around(line)),
                None => (current_file(&mut session.simulation)?, 1),
            }
        }
        (text, _) => wanted(session, text)?,
    };
    let here = session.simulation.line();
    let Some(lines) = session.simulation.sources.lines(&file) else {
        return Err(format!("{file} cannot be read: is it where it was compiled?"));
    };
    let mut text = String::new();
    for (line, number) in lines.iter().zip(1..).skip(first as usize - 1).take(SHOWN as usize) {
        let is_here = here.as_ref().is_some_and(|it| *it.file == *file && it.number == number);
        let mark = if is_here { '>' } else { ' ' };
        text.push_str(format!("{mark}{number:<7}{}", line.replace('\t', "    ")).trim_end());
        text.push('\n');
    }
    if text.is_empty() {
        let lines = lines.len();
        return Err(format!("there are {lines} lines in {file}: `list 1` shows the first"));
    }
    session.listed = Some((file, first + SHOWN));
    Ok(text)
}

/// The first line that is shown, so that another one is in the middle.
fn around(line: u32) -> u32 {
    line.saturating_sub(SHOWN / 2).max(1)
}

fn wanted(session: &mut Session<'_, '_>, text: &str) -> Result<(String, u32), String> {
    let simulation = &mut session.simulation;
    let unknown = || format!("`{text}` is no line: write LINE, FILE:LINE or FUNCTION");
    if let Ok(line) = text.parse() {
        return Ok((current_file(simulation)?, around(line)));
    }
    if let Some((file, line)) = text.rsplit_once(':')
        && let Ok(line) = line.parse()
    {
        return Ok((find_file(simulation, file).ok_or_else(unknown)?, around(line)));
    }
    let declared = simulation.image.declarations.get().map_err(|_| unknown())?;
    let function = declared.functions(text).next().ok_or_else(unknown)?;
    let start = function.ranges.first().ok_or_else(unknown)?.0;
    let line = simulation.lines.at(simulation.image, start).ok_or_else(unknown)?;
    Ok((line.file.to_string(), around(line.number)))
}
