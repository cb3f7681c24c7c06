//! From addresses to source lines: DWARF 4 and 5 by way of addr2line, or the symbol's name where
//! there is no debug information.
//!
//! Debug information is read on the first question. It comes from a file that nobody checked, so
//! it passes an audit (see `audit.rs`) before addr2line sees it, and a panic in there costs the
//! line numbers, not the run.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use addr2line::Context;
use gimli::{Dwarf, EndianArcSlice, LittleEndian, SectionId};

use crate::audit;
use crate::compressed;
use crate::demangle::demangle;
use crate::sections::Sections;
use crate::symbols::Symbols;

/// How the bytes of debug information are read.
pub(crate) type Reader = EndianArcSlice<LittleEndian>;

/// The largest section of debug information that is read.
const SECTION_LIMIT: usize = 64 << 20;
/// The largest sum of sections that are unpacked: a few kilobytes can become any number of bytes.
const UNPACKED_LIMIT: usize = 128 << 20;

/// The sections that lines, functions and their names need.
const NEEDED: [SectionId; 9] = [
    SectionId::DebugAbbrev,
    SectionId::DebugAddr,
    SectionId::DebugInfo,
    SectionId::DebugLine,
    SectionId::DebugLineStr,
    SectionId::DebugRanges,
    SectionId::DebugRngLists,
    SectionId::DebugStr,
    SectionId::DebugStrOffsets,
];

/// One function at an address: its name and the source line in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frame {
    /// The function's name, in C++ with its namespaces and parameters.
    pub function: Option<String>,
    /// The source file, as the compiler was called with it, after its directory.
    pub file: Option<String>,
    /// The line, counted from one.
    pub line: Option<u32>,
    /// The column, counted from one.
    pub column: Option<u32>,
    /// Whether the function was inlined into that of the next frame.
    pub inlined: bool,
}

/// Why a program has no source lines; its `Display` says what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoLines {
    /// It was compiled without debug information.
    Absent,
    /// Its debug information is compressed in another way than the standard one with zlib.
    Compressed,
    /// Its debug information is larger than what is accepted.
    TooLarge {
        /// What is too large.
        what: String,
    },
    /// Its debug information cannot be understood.
    Corrupt {
        /// What is wrong with it.
        problem: String,
    },
}

impl fmt::Display for NoLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoLines::Absent => f.write_str("no source lines: compile with -g"),
            NoLines::Compressed => f.write_str(
                "no source lines: the debug information is compressed in a way that is not \
                 supported: link with -gz=zlib or -gz=none",
            ),
            NoLines::TooLarge { what } => {
                write!(f, "no source lines: {what}: compile less of the program with -g")
            }
            NoLines::Corrupt { problem } => write!(
                f,
                "no source lines: the debug information is corrupt ({problem}): link it again"
            ),
        }
    }
}

/// The source lines of a program; it may be asked from several threads.
pub struct Lines {
    base: u32,
    symbols: Symbols,
    /// The sections in the order of `NEEDED`.
    sections: Result<Vec<Stored>, NoLines>,
    loaded: OnceLock<Result<Mutex<Context<Reader>>, NoLines>>,
}

/// A section as it is in the file.
struct Stored {
    name: &'static str,
    bytes: Arc<[u8]>,
    compressed: bool,
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("base", &self.base).finish_non_exhaustive()
    }
}

impl Lines {
    /// Takes the sections of debug information; nothing of them is read yet.
    pub(crate) fn new(sections: &Sections<'_>, base: u32, symbols: Symbols) -> Lines {
        let sections = collect(sections);
        Lines { base, symbols, sections, loaded: OnceLock::new() }
    }

    /// Returns the functions at `address`, innermost first: those that were inlined there, then
    /// the one that the linker knows. Empty where nothing is known.
    pub fn frames(&self, address: u32) -> Vec<Frame> {
        let mut frames = self.described(address);
        let Some((symbol, _)) = self.symbols.at(address) else {
            return frames;
        };
        let name = demangle(&symbol.name);
        match frames.last_mut() {
            Some(outermost) if says_less(outermost.function.as_deref(), &name, &symbol.name) => {
                outermost.function = Some(name);
            }
            Some(_) => {}
            None => frames.push(Frame { function: Some(name), ..Frame::default() }),
        }
        frames
    }

    /// Says why there are no source lines, where there are none.
    pub fn missing(&self) -> Option<&NoLines> {
        self.context().err()
    }

    /// The frames that debug information gives.
    fn described(&self, address: u32) -> Vec<Frame> {
        let Ok(context) = self.context() else {
            return Vec::new();
        };
        let probe = u64::from(address.wrapping_sub(self.base));
        // After a panic the context stays usable: its caches are written at once or not at all.
        let context = context.lock().unwrap_or_else(PoisonError::into_inner);
        let attempt = catch_unwind(AssertUnwindSafe(|| look_up(&context, probe)));
        attempt.ok().and_then(Result::ok).unwrap_or_default()
    }

    fn context(&self) -> Result<&Mutex<Context<Reader>>, &NoLines> {
        let load = || catch_unwind(AssertUnwindSafe(|| self.load())).unwrap_or_else(|_| panicked());
        self.loaded.get_or_init(load).as_ref()
    }

    fn load(&self) -> Result<Mutex<Context<Reader>>, NoLines> {
        let sections = self.sections.as_ref().map_err(NoLines::clone)?;
        let sections = unpack(sections)?;
        let reader = |id: SectionId| {
            let place = NEEDED.iter().position(|&needed| needed == id);
            let bytes = place.map_or_else(|| Arc::from([]), |place| sections[place].clone());
            Ok::<_, NoLines>(Reader::new(bytes, LittleEndian))
        };
        let mut dwarf = Dwarf::load(reader)?;
        audit::check(&mut dwarf)?;
        let context = Context::from_dwarf(dwarf)
            .map_err(|error| NoLines::Corrupt { problem: error.to_string() })?;
        Ok(Mutex::new(context))
    }
}

/// Whether debug information says less of a function's name than its symbol: of C++ functions
/// that no other file can call, gcc gives the bare name without namespace and parameters.
fn says_less(described: Option<&str>, name: &str, symbol: &str) -> bool {
    match described {
        Some(described) => {
            let bare = !described.replace("operator()", "").contains('(');
            bare && symbol != name && name.contains(described)
        }
        None => true,
    }
}

fn panicked<T>() -> Result<T, NoLines> {
    Err(NoLines::Corrupt { problem: "its reader gave up".to_owned() })
}

/// Copies the needed sections out of the file.
fn collect(sections: &Sections<'_>) -> Result<Vec<Stored>, NoLines> {
    if sections.named(".zdebug_info").is_some() {
        return Err(NoLines::Compressed);
    }
    if sections.named(SectionId::DebugInfo.name()).is_none() {
        return Err(NoLines::Absent);
    }
    NEEDED.iter().map(|id| collect_one(sections, id.name())).collect()
}

fn collect_one(sections: &Sections<'_>, name: &'static str) -> Result<Stored, NoLines> {
    let Some(header) = sections.named(name) else {
        return Ok(Stored { name, bytes: Arc::from([]), compressed: false });
    };
    let data = sections.data(header, name).map_err(|_| NoLines::Corrupt {
        problem: format!("{name} goes past the end of the file"),
    })?;
    if data.len() > SECTION_LIMIT {
        let what = format!("{name} has {} MiB", data.len() >> 20);
        return Err(NoLines::TooLarge { what });
    }
    let compressed = compressed::is_compressed(header);
    Ok(Stored { name, bytes: Arc::from(data), compressed })
}

/// Unpacks those sections that are compressed.
fn unpack(sections: &[Stored]) -> Result<Vec<Arc<[u8]>>, NoLines> {
    let mut left = UNPACKED_LIMIT;
    let unpack_one = |section: &Stored| {
        if !section.compressed {
            return Ok(section.bytes.clone());
        }
        let bytes = compressed::unpack(&section.bytes, section.name, left.min(SECTION_LIMIT))?;
        left -= bytes.len();
        Ok(Arc::from(bytes))
    };
    sections.iter().map(unpack_one).collect()
}

fn look_up(context: &Context<Reader>, probe: u64) -> Result<Vec<Frame>, gimli::Error> {
    // Split debug information lies in other files, which are never opened.
    let mut found = context.find_frames(probe).skip_all_loads()?;
    let mut frames = Vec::new();
    while let Some(frame) = found.next()? {
        let mut result = Frame { inlined: true, ..Frame::default() };
        if let Some(name) = &frame.function {
            result.function = Some(demangle(&name.raw_name()?));
        }
        if let Some(location) = frame.location {
            result.file = location.file.map(str::to_owned);
            result.line = location.line;
            result.column = location.column.filter(|&column| column != 0);
        }
        frames.push(result);
    }
    if let Some(outermost) = frames.last_mut() {
        outermost.inlined = false;
    }
    Ok(frames)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_may_be_shared_by_threads() {
        fn assert_shared<T: Send + Sync>() {}
        assert_shared::<Lines>();
    }
}
