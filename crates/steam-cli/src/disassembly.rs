//! The instructions of a program, as the machine understands them, with their source lines.
//!
//! What is printed is the decoded op, not what an assembler would write: `show --disasm` answers
//! what will be run.

use std::fmt::Write as _;

use anyhow::bail;
use steam_image::{Image, Symbol, SymbolKind, demangle};
use vm_isa::decode;

/// The longest instruction there is.
const LONGEST: usize = 15;

/// The functions with a name, or all of them, by address and each once.
pub fn functions<'a>(image: &'a Image, name: Option<&str>) -> anyhow::Result<Vec<&'a Symbol>> {
    let is_code = |symbol: &&Symbol| {
        matches!(symbol.kind, SymbolKind::Function | SymbolKind::Ifunc)
            && code_at(image, symbol.address).is_some()
    };
    let mut found: Vec<&Symbol> = image.symbols.iter().filter(is_code).collect();
    if let Some(name) = name {
        found.retain(|symbol| is_called(symbol, name));
    }
    found.sort_by_key(|symbol| symbol.address);
    found.dedup_by_key(|symbol| symbol.address);
    match (found.is_empty(), name) {
        (false, _) => Ok(found),
        (true, Some(name)) => {
            bail!("{} has no function `{name}`{}", image.name, nearby(image, name))
        }
        (true, None) => bail!("{} has no symbols: link it without -s", image.name),
    }
}

/// C++ functions may be named without their parameters.
fn is_called(symbol: &Symbol, name: &str) -> bool {
    if symbol.name == name {
        return true;
    }
    let readable = demangle(&symbol.name);
    readable == name || readable.split('(').next() == Some(name)
}

/// A few functions whose names hold the text, for the message.
fn nearby(image: &Image, name: &str) -> String {
    let mut names: Vec<String> = image
        .symbols
        .iter()
        .filter(|symbol| symbol.kind == SymbolKind::Function)
        .map(|symbol| demangle(&symbol.name))
        .filter(|readable| readable.contains(name))
        .collect();
    names.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    names.dedup();
    names.truncate(5);
    if names.is_empty() { String::new() } else { format!("; there is {}", names.join(", ")) }
}

/// The text of one function. Where the size is unknown it ends at the next symbol.
pub fn function(image: &Image, symbol: &Symbol) -> String {
    let mut text = format!("{:08x} <{}>:\n", symbol.address, demangle(&symbol.name));
    let mut address = symbol.address;
    let mut line = None;
    while belongs(image, symbol, address)
        && let Some(bytes) = code_at(image, address)
        && let Some(decoded) = decode(bytes, address)
    {
        let here = source_line(image, address);
        if here.is_some() && here != line {
            let _ = writeln!(text, "  {}", here.as_deref().unwrap_or_default());
            line = here;
        }
        let length = usize::from(decoded.length.max(1));
        let code = bytes.iter().take(length).fold(String::new(), |mut code, byte| {
            let _ = write!(code, "{byte:02x}");
            code
        });
        let _ = writeln!(text, "  {address:08x}  {code:<22}  {}", decoded.op);
        let Some(next) = address.checked_add(length as u32) else { break };
        address = next;
    }
    text
}

fn belongs(image: &Image, symbol: &Symbol, address: u32) -> bool {
    if symbol.size > 0 {
        return address - symbol.address < symbol.size;
    }
    image.symbols.at(address).is_none_or(|(owner, _)| owner.address == symbol.address)
}

/// At most the bytes of one instruction, from an address in an executable segment.
fn code_at(image: &Image, address: u32) -> Option<&[u8]> {
    let segment = image.segment_at(address).filter(|segment| segment.execute)?;
    let rest = segment.data.get((address - segment.address) as usize..)?;
    (!rest.is_empty()).then(|| &rest[..rest.len().min(LONGEST)])
}

fn source_line(image: &Image, address: u32) -> Option<String> {
    let frames = image.lines.frames(address);
    let frame = frames.first()?;
    Some(format!("{}:{}", frame.file.as_deref()?, frame.line?))
}
