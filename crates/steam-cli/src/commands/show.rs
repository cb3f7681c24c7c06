//! `steam show`: what steam sees in a program file.

use std::fmt::Write as _;

use anyhow::Context;
use steam_image::{Image, Kind, SymbolKind};

use crate::args::ShowArguments;
use crate::disassembly;
use crate::outcome::Outcome;
use crate::terminal;

/// Prints a summary of the file, or its instructions.
pub fn show(typed: &ShowArguments) -> anyhow::Result<Outcome> {
    let path = &typed.program;
    let image = Image::read_file(path).with_context(|| path.display().to_string())?;
    match &typed.disasm {
        None => terminal::print(&summary(&image))?,
        Some(name) => {
            for function in disassembly::functions(&image, name.as_deref())? {
                terminal::print(&disassembly::function(&image, function))?;
            }
        }
    }
    Ok(Outcome::Success)
}

fn summary(image: &Image) -> String {
    let mut text = String::new();
    let kind = match image.kind {
        Kind::Executable => "static i386 executable, fixed addresses",
        Kind::StaticPie => "static i386 executable, position-independent",
    };
    let _ = writeln!(text, "{}: {kind}", image.name);
    let _ = writeln!(text, "entry    {:#010x} {}", image.entry, place(image, image.entry));
    for segment in &image.segments {
        let letter = |set: bool, letter: char| if set { letter } else { '-' };
        let _ = writeln!(
            text,
            "segment  {:#010x}..{:#010x} {}{}{} {} bytes, {} of them from the file",
            segment.address,
            segment.end(),
            letter(segment.read, 'r'),
            letter(segment.write, 'w'),
            letter(segment.execute, 'x'),
            segment.memory_size,
            segment.data.len(),
        );
    }
    if let Some(local) = image.thread_local {
        let _ = writeln!(text, "threads  {} bytes of thread-local variables", local.memory_size);
    }
    let functions = image.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Function);
    let _ = writeln!(text, "symbols  {} functions", functions.count());
    match image.lines.missing() {
        None => text += "lines    source lines are there\n",
        Some(reason) => {
            let _ = writeln!(text, "lines    {reason}");
        }
    }
    if let Some(main) = image.symbols.find("main").next() {
        let _ = writeln!(text, "main     {:#010x} {}", main.address, place(image, main.address));
    }
    text
}

/// Function and source line of an address, as far as they are known.
fn place(image: &Image, address: u32) -> String {
    let frames = image.lines.frames(address);
    let Some(frame) = frames.last() else { return String::new() };
    let function = frame.function.as_deref().unwrap_or("?");
    match (&frame.file, frame.line) {
        (Some(file), Some(line)) => format!("{function} at {file}:{line}"),
        _ => function.to_owned(),
    }
}
