//! From a trail to the text of its file.

use std::fmt::Write;

use super::VERSION;
use super::words::{quoted, word};
use crate::place::Place;
use crate::trail::Trail;

/// The text of a trail's file.
pub fn write(trail: &Trail) -> String {
    let mut text = format!("steam-trail {VERSION}\n{}\n", program(trail));
    for setting in &trail.settings {
        add(&mut text, format_args!("set {} {}", setting.name, quoted(&setting.value)));
    }
    text.push_str("# step thread choice pc file:line\n");
    for step in &trail.steps {
        if trail.cycle == Some(step.number - 1) {
            text.push_str("cycle\n");
        }
        let place = place(&step.place);
        add(
            &mut text,
            format_args!(
                "{} {} {} {:#010x} {place}",
                step.number, step.thread, step.choice, step.pc
            ),
        );
    }
    if trail.cycle.is_some_and(|begins| begins as usize == trail.steps.len()) {
        text.push_str("cycle\n");
    }
    add(
        &mut text,
        format_args!("end {} {}", word(trail.end.kind.as_bytes()), place(&trail.end.place)),
    );
    text
}

fn add(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{line}");
}

fn program(trail: &Trail) -> String {
    let mut line = format!("program sha256:{} {}", trail.sha256, word(trail.program.as_bytes()));
    line.push_str(" args:");
    for argument in &trail.arguments {
        // Always in quotes, so that no argument is taken for the keyword after them.
        line.push(' ');
        line.push_str(&quoted(argument));
    }
    let _ = write!(line, " seed {} atomic {} memory sc", trail.seed, trail.atomic);
    line
}

/// `file:line`, with `?` for what is unknown.
fn place(place: &Place) -> String {
    let Some(file) = &place.file else { return "?".to_owned() };
    let line = place.line.map_or_else(|| "?".to_owned(), |line| line.to_string());
    format!("{}:{line}", word(file.as_bytes()))
}
