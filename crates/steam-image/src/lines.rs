//! From addresses to source lines: DWARF 4 and 5 by way of addr2line, or the symbol's name where
//! there is no debug information.
//!
//! Debug information is read on the first question (see `debug.rs`).

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, OnceLock, PoisonError};

use addr2line::Context;

use crate::debug::{Debug, NoLines, Reader, guarded};
use crate::demangle::demangle;
use crate::symbols::Symbols;

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

/// The source lines of a program; it may be asked from several threads.
pub struct Lines {
    base: u32,
    symbols: Symbols,
    debug: Debug,
    loaded: OnceLock<Result<Mutex<Context<Reader>>, NoLines>>,
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("base", &self.base).finish_non_exhaustive()
    }
}

impl Lines {
    /// Takes the debug information; nothing of it is read yet.
    pub(crate) fn new(debug: Debug, base: u32, symbols: Symbols) -> Lines {
        Lines { base, symbols, debug, loaded: OnceLock::new() }
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
        self.loaded.get_or_init(|| guarded(|| self.load())).as_ref()
    }

    fn load(&self) -> Result<Mutex<Context<Reader>>, NoLines> {
        let dwarf = self.debug.dwarf().map_err(NoLines::clone)?;
        let context = Context::from_arc_dwarf(dwarf.clone())
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
