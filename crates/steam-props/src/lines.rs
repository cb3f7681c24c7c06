//! Where the code of a source line is.

use steam_expr::is_file;
use steam_image::{Image, SymbolKind};

/// The addresses at which the code of a line begins, each time that it does; the message says that there
/// is none, and which lines near it have some.
pub fn line_starts(image: &Image, file: &str, line: u32) -> Result<Vec<u32>, String> {
    let (mut starts, mut lines) = (Vec::new(), Vec::new());
    let line_at = |address| {
        let frame = image.lines.frames(address).into_iter().next()?;
        let named = frame.file.as_deref().is_some_and(|it| is_file(it, file));
        frame.line.filter(|_| named)
    };
    for symbol in image.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Function) {
        if image.lines.frames(symbol.address).iter().all(|frame| frame.file.is_none()) {
            continue;
        }
        let mut before = None;
        for address in symbol.address..symbol.address.saturating_add(symbol.size) {
            let here = line_at(address);
            if here != before {
                lines.extend(here);
                starts.extend((here == Some(line)).then_some(address));
            }
            before = here;
        }
    }
    starts.sort_unstable();
    starts.dedup();
    if !starts.is_empty() {
        return Ok(starts);
    }
    if lines.is_empty() {
        return Err(format!("no code of the program was compiled from `{file}`"));
    }
    let next = lines.iter().filter(|it| **it > line).min();
    let before = lines.iter().filter(|it| **it < line).max();
    let near: Vec<String> = before.into_iter().chain(next).map(ToString::to_string).collect();
    let near = near.join(", ");
    Err(format!("line {line} of `{file}` has no code; nearest lines with code: {near}"))
}
