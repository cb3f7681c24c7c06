//! Where to stop, and what to show there.

use super::{Answer, Command, Session, number};
use crate::lines::is_file;
use crate::points::Point;
use crate::simulation::Simulation;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "break",
        aliases: &["b"],
        arguments: "[FILE:]LINE | FUNCTION | *ADDRESS [if EXPR]",
        help: "stop before a place in the code, whichever thread comes there; with `if`, where that is true",
        run: set_break,
    },
    Command {
        name: "watch",
        aliases: &[],
        arguments: "EXPR",
        help: "stop where the value of an expression over globals and statics changes",
        run: watch,
    },
    Command {
        name: "display",
        aliases: &[],
        arguments: "[/F] EXPR",
        help: "show the value of an expression at each stop",
        run: display,
    },
    Command {
        name: "delete",
        aliases: &["d", "undisplay"],
        arguments: "[N]",
        help: "forget a breakpoint, a watch or a display; without a number all of them",
        run: delete,
    },
];

fn set_break(session: &mut Session<'_, '_>, text: &str) -> Answer {
    let simulation = &mut session.simulation;
    let (text, condition) = split_condition(text)?;
    let (place, addresses) = if let Some(address) = text.strip_prefix('*') {
        let digits = address.trim().strip_prefix("0x").unwrap_or(address.trim());
        let address = u32::from_str_radix(digits, 16)
            .map_err(|_| format!("`{address}` is no address: write one such as *0x08049a10"))?;
        (format!("{address:#010x}"), vec![address])
    } else if text.is_empty() {
        let eip = simulation.eip().ok_or("no thread is here: write a line or a function")?;
        (format!("{eip:#010x}"), vec![eip])
    } else {
        by_source(simulation, text)?
    };
    if let Some(condition) = condition {
        simulation.compile(condition, addresses.first().copied())?;
    }
    let only = condition.map(|condition| format!(" if {condition}")).unwrap_or_default();
    let told = format!("at {place}{only}");
    let condition = condition.map(ToOwned::to_owned);
    let number = simulation.points.add(Point::Break { place, addresses, condition });
    Ok(format!("Breakpoint {number} {told}\n"))
}

/// The place, and the expression after `if`.
fn split_condition(text: &str) -> Result<(&str, Option<&str>), String> {
    let split = match text.strip_prefix("if ") {
        Some(condition) => Some(("", condition)),
        None => text.split_once(" if "),
    };
    match split.map(|(place, condition)| (place.trim(), condition.trim())) {
        None if text.ends_with(" if") => {
            Err("write an expression: `b work if count > 1`".to_owned())
        }
        None => Ok((text, None)),
        Some((_, "")) => Err("write an expression: `b work if count > 1`".to_owned()),
        Some((place, condition)) => Ok((place, Some(condition))),
    }
}

/// A line or a function: how it is called, and where its instructions begin.
fn by_source(simulation: &mut Simulation<'_>, text: &str) -> Result<(String, Vec<u32>), String> {
    let declared = simulation
        .image
        .declarations
        .get()
        .map_err(|why| format!("lines need debug information: {why}; compile with -g"))?;
    let (file, line) = match text.rsplit_once(':') {
        Some((file, line)) if !file.ends_with(':') => (Some(file.to_owned()), line.parse().ok()),
        _ => (None, text.parse().ok()),
    };
    if let Some(line) = line {
        let file = match file {
            Some(file) => file,
            None => current_file(simulation)?,
        };
        let found = simulation.lines.resolve(simulation.image, declared, &file, line);
        let (line, addresses) = found
            .ok_or_else(|| format!("no code is at or after {file}:{line}: `list` shows it"))?;
        let base = line.file.rsplit('/').next().unwrap_or_default();
        return Ok((format!("{base}:{}", line.number), addresses));
    }
    let name = text.rsplit("::").next().unwrap_or(text);
    let mut addresses = Vec::new();
    for function in declared.functions(name) {
        let whole = match function.scope.is_empty() {
            true => function.name.to_string(),
            false => format!("{}::{}", function.scope, function.name),
        };
        if whole == text || text == name || whole.ends_with(&format!("::{text}")) {
            addresses.extend(simulation.lines.entry(simulation.image, function));
        }
    }
    let Some(&first) = addresses.first() else {
        return Err(format!(
            "there is no function `{text}`: write FUNCTION, LINE, FILE:LINE or *ADDRESS"
        ));
    };
    let line = simulation.lines.at(simulation.image, first);
    let line = line.map(|line| {
        format!(", {}:{}", line.file.rsplit('/').next().unwrap_or_default(), line.number)
    });
    Ok((format!("{text}{}", line.unwrap_or_default()), addresses))
}

/// The file of the line at which the chosen thread is, or the one that has main.
pub(super) fn current_file(simulation: &mut Simulation<'_>) -> Result<String, String> {
    if let Some(line) = simulation.line() {
        return Ok(line.file.to_string());
    }
    let declared = simulation.image.declarations.get().ok();
    let main = declared.and_then(|declared| declared.functions("main").next());
    let file = main.map(|function| function.file.to_string());
    file.ok_or_else(|| "no file is known here: write FILE:LINE".to_owned())
}

fn watch(session: &mut Session<'_, '_>, text: &str) -> Answer {
    if text.is_empty() {
        return Err("write an expression: `watch count`".to_owned());
    }
    let simulation = &mut session.simulation;
    let expression = simulation.compile(text, None).map_err(|why| {
        let local = simulation.locals().iter().any(|name| text.contains(name.as_str()));
        let hint = match local {
            true => {
                "\nlocal variables come and go: `display` shows them, `watch *(int *)ADDRESS` \
                     watches where one lies (`p &x`)"
            }
            false => "",
        };
        format!("{why}{hint}")
    })?;
    let space = simulation.chosen_space();
    let number = simulation.points.add(Point::Watch { text: text.to_owned(), expression, space });
    let value = simulation.evaluate(text, None).map(|(value, _)| value).unwrap_or_default();
    Ok(format!("Watchpoint {number}: {text} = {value}\n"))
}

fn display(session: &mut Session<'_, '_>, text: &str) -> Answer {
    let simulation = &mut session.simulation;
    let (format, text) = super::print::split_format(text)?;
    if text.is_empty() {
        return Ok(simulation.tell_displays());
    }
    let (value, _) = simulation.evaluate(text, format)?;
    let number = simulation.points.add(Point::Display { text: text.to_owned(), format });
    Ok(format!("{number}: {text} = {value}\n"))
}

fn delete(session: &mut Session<'_, '_>, text: &str) -> Answer {
    let points = &mut session.simulation.points;
    if text.is_empty() {
        points.clear();
        return Ok("all breakpoints, watches and displays are gone\n".to_owned());
    }
    let wanted: u32 = number(text, "number of a breakpoint")?;
    match points.remove(wanted) {
        true => Ok(String::new()),
        false => Err(format!("there is no number {wanted}: `info breakpoints` lists all")),
    }
}

/// `info breakpoints`.
pub(super) fn list(session: &mut Session<'_, '_>) -> String {
    let row = |(number, point): (u32, &Point)| match point {
        Point::Break { place, addresses, condition } => {
            let addresses: Vec<String> =
                addresses.iter().map(|address| format!("{address:#010x}")).collect();
            let only = condition.as_ref().map(|it| format!("  if {it}")).unwrap_or_default();
            format!("{number}  breakpoint  {place}  {}{only}\n", addresses.join(" "))
        }
        Point::Watch { text, .. } => format!("{number}  watch       {text}\n"),
        Point::Display { text, .. } => format!("{number}  display     {text}\n"),
    };
    let rows: String = session.simulation.points.iter().map(row).collect();
    match rows.is_empty() {
        true => "no breakpoints: `b LINE` or `watch EXPR` makes one\n".to_owned(),
        false => rows,
    }
}

/// Whether a file that was written is one of the program's.
pub(super) fn find_file(simulation: &Simulation<'_>, written: &str) -> Option<String> {
    let declared = simulation.image.declarations.get().ok()?;
    let mut files = declared.all_functions().map(|function| &function.file);
    files.find(|file| is_file(file, written)).map(ToString::to_string)
}
