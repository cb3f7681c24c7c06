//! What the source of a program declares: types, variables and functions, from DWARF 2 to 5.
//!
//! Nothing is read before the first question. Then one walk reads all types, functions and
//! variables with a fixed place; local variables are read for one function at a time. Debug
//! information comes from a file that was not checked: what cannot be understood is left out, and
//! time and memory are bounded. Type units of DWARF 4 (`-fdebug-types-section`) are not read.

mod body;
mod entries;
mod finish;
mod index;
mod locals;
mod places;
mod shapes;
mod types;
mod walk;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::debug::{Debug, NoLines, guarded};
use crate::image::ThreadLocal;
use crate::symbols::Symbols;
use entries::{Position, Units};
use index::Names;
use walk::Walk;

pub(crate) use places::frame_address;

pub use body::{Body, CALL_FRAME, Inlined, Placed};
pub use locals::Local;
pub use places::{Address, Place, THREAD_BASE, Wanted};
pub use types::{
    Aggregate, Bits, Encoding, Enumeration, Keyword, Member, Offset, Qualifier, Signature, Type,
    TypeId, TypeKind, Types,
};

/// A variable that has one place for the whole run, or none at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its own name.
    pub name: Arc<str>,
    /// The namespaces and classes around it, with `::` between them.
    pub scope: Arc<str>,
    /// The function of which it is a static variable.
    pub function: Option<Arc<str>>,
    /// The source file, as the compiler was called with it.
    pub file: Arc<str>,
    /// Its type.
    pub type_id: TypeId,
    /// Where it is.
    pub place: Place,
    /// Whether other files may refer to it.
    pub external: bool,
    declaration: bool,
    symbol: Option<Arc<str>>,
}

/// A function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its own name, without parameters.
    pub name: Arc<str>,
    /// The namespaces and classes around it, with `::` between them.
    pub scope: Arc<str>,
    /// The source file, as the compiler was called with it.
    pub file: Arc<str>,
    /// What it takes and returns.
    pub type_id: TypeId,
    /// The addresses of its instructions: start and end. Its entry is the first start; a function
    /// that was inlined everywhere has none.
    pub ranges: Vec<(u32, u32)>,
    /// Whether the types of its unit say what is atomic: in C++ classes do, but `_Atomic` of C is
    /// not mentioned before DWARF 5.
    pub mentions_atomic: bool,
    /// Whether the compiler may have taken notice of the pragmas of OpenMP.
    pub openmp: bool,
    position: Option<Position>,
}

/// Why nothing is known of a program's variables; its `Display` says what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoDeclarations(pub NoLines);

impl fmt::Display for NoDeclarations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the variables of the program are not known: {}", self.0.reason())
    }
}

impl std::error::Error for NoDeclarations {}

/// What a program declares, read on the first question; it may be asked from several threads.
pub struct Declarations {
    debug: Debug,
    base: u32,
    thread_block: u32,
    symbols: Symbols,
    read: OnceLock<Result<Declared, NoDeclarations>>,
}

/// What a program declares.
pub struct Declared {
    units: Units,
    base: u32,
    thread_block: u32,
    types: Types,
    ids: HashMap<Position, TypeId>,
    variables: Vec<Variable>,
    functions: Vec<Function>,
    names: Names,
}

impl fmt::Debug for Declarations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Declarations").field("base", &self.base).finish_non_exhaustive()
    }
}

impl fmt::Debug for Declared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Declared").field("base", &self.base).finish_non_exhaustive()
    }
}

impl Declarations {
    /// Takes the debug information; nothing of it is read yet.
    pub(crate) fn new(
        debug: Debug,
        base: u32,
        thread_local: Option<ThreadLocal>,
        symbols: Symbols,
    ) -> Declarations {
        // The block ends at the thread's base, at an address that is aligned as it needs.
        let size = |block: ThreadLocal| {
            block.memory_size.checked_next_multiple_of(block.alignment.max(1)).unwrap_or(0)
        };
        let thread_block = thread_local.map_or(0, size);
        Declarations { debug, base, thread_block, symbols, read: OnceLock::new() }
    }

    /// Returns what the program declares; the first call reads it.
    pub fn get(&self) -> Result<&Declared, &NoDeclarations> {
        let read = || guarded(|| self.read()).map_err(NoDeclarations);
        self.read.get_or_init(read).as_ref()
    }

    fn read(&self) -> Result<Declared, NoLines> {
        let dwarf = self.debug.dwarf().map_err(NoLines::clone)?;
        let units = Units::read(Arc::clone(dwarf))?;
        let (base, thread_block) = (self.base, self.thread_block);
        let mut found = Walk::all(&units, base, thread_block)?;
        finish::finish(&mut found, &self.symbols);
        let names = Names::new(&found);
        let walk::Found { types, ids, functions, variables, .. } = found;
        let types = Types::new(types);
        Ok(Declared { units, base, thread_block, types, ids, variables, functions, names })
    }
}
