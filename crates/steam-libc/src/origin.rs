//! Which functions of a program come from the C library, and from which one.
//!
//! A program may define its own `strcpy` or `malloc`; its code is then what is to be checked, and
//! no model may hide it. The rules:
//!
//! * a name that C reserves for the library is the library's if its symbol is global. A local one
//!   is a program's `static` function, but for position-independent programs, where the linker
//!   makes hidden symbols local: there it must have no source line of the program's;
//! * an address that has such a name is the library's under its plain name too, whatever its
//!   binding: in position-independent programs glibc's `malloc` is local, but `__libc_malloc` not;
//! * any other plain name is the library's if its symbol is global and its code has no source line,
//!   or a line in the library's own source tree (a library that was compiled with `-g`);
//! * the heap functions are all the library's or none is, as its `malloc` is or is not. Those of
//!   glibc have reserved names too, all but `aligned_alloc`; those of musl do not, but musl's
//!   allocator has inner functions that no other library has;
//! * comparisons without case need glibc's table of the current locale; musl's own read byte by byte.
//!
//! A function that picks an implementation (`STT_GNU_IFUNC`) is never modelled itself: the
//! implementations are.

use std::collections::{BTreeMap, BTreeSet};

use steam_image::{Image, Kind, Symbol, SymbolKind};

use super::Variables;
use super::names::{Name, understand};
use super::operators::Operators;
use super::table::{Family, Row};
use super::variable::ThreadVariable;

/// The function of libgomp that frees a group of tasks as soon as none of them is left, while the thread that has
/// done the last one looks whether a thread waits for it.
const FREES_EARLY: &str = "GOMP_taskgroup_end";

/// The inner function by which libgcc's unwinder begins; no other library has one of that name.
const UNWINDER_START: &str = "uw_init_context_1";

/// A C library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Library {
    /// The GNU C library.
    Glibc,
    /// musl.
    Musl,
}

/// Inner functions of musl's allocators, old and new.
const MUSL_ALLOCATORS: [&str; 4] =
    ["__libc_malloc_impl", "__simple_malloc", "__expand_heap", "__bin_chunk"];

/// What musl itself calls the `malloc` that a program gets if it does not bring its own.
const MUSL_MALLOC: &str = "default_malloc";

/// The heap function of glibc that may have no reserved name; C defines it, so a program may not.
const WITHOUT_RESERVED_NAME: &str = "aligned_alloc";

/// glibc's pointer to the table of lower-case letters.
const LOWER_CASE: &str = "__libc_tsd_CTYPE_TOLOWER";

/// Whose code the heap functions are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Allocator {
    Library,
    Program,
    Absent,
}

/// Where the functions of a program come from.
pub(super) struct Origin<'a> {
    image: &'a Image,
    /// The directory of the library's sources, where the program tells.
    sources: Option<String>,
    /// The functions that have a reserved name, and so are the library's under any name.
    reserved: BTreeSet<u32>,
    allocator: Allocator,
    lower_case: Option<ThreadVariable>,
}

impl<'a> Origin<'a> {
    /// Looks at a program.
    pub(super) fn new(image: &'a Image) -> Self {
        let lower_case = ThreadVariable::find(image, LOWER_CASE);
        let mut origin = Self {
            image,
            sources: None,
            reserved: BTreeSet::new(),
            allocator: Allocator::Absent,
            lower_case,
        };
        origin.sources = origin.library_sources();
        origin.reserved = origin.find_reserved();
        origin.allocator = origin.find_allocator();
        origin
    }

    /// The functions to be modelled, by address.
    pub(super) fn modelled(&self) -> BTreeMap<u32, &'static Row> {
        let mut found = BTreeMap::new();
        for (symbol, name) in self.understood() {
            if self.is_modelled(symbol, name) {
                let row = found.entry(symbol.address).or_insert(name.row);
                // One function with two names may do what either may.
                if row.name == "memcpy" && name.row.name == "memmove" {
                    *row = name.row;
                }
            }
        }
        found
    }

    /// The functions whose name is that of a modelled one, whoever wrote them.
    fn understood(&self) -> impl Iterator<Item = (&'a Symbol, Name)> {
        let functions = self.image.symbols.iter().filter(|s| s.kind == SymbolKind::Function);
        functions.filter_map(|symbol| understand(&symbol.name).map(|name| (symbol, name)))
    }

    fn is_modelled(&self, symbol: &Symbol, name: Name) -> bool {
        let reserved = self.reserved.contains(&symbol.address);
        match name.row.family {
            Family::Heap => {
                let plain = self.is_musl_allocator() || name.row.name == WITHOUT_RESERVED_NAME;
                self.allocator == Allocator::Library
                    && (reserved || plain && self.is_library_function(symbol))
            }
            Family::Program => true,
            Family::Text | Family::Search => reserved || self.is_library_function(symbol),
            Family::Case => {
                self.lower_case.is_some() && (reserved || self.is_library_function(symbol))
            }
        }
    }

    /// Whether a function that has but a plain name is the library's.
    fn is_library_function(&self, symbol: &Symbol) -> bool {
        (symbol.global || symbol.name == UNWINDER_START) && !self.is_program_source(symbol.address)
    }

    /// Whether code comes from a source file outside of the library.
    fn is_program_source(&self, address: u32) -> bool {
        let library = |file: &str| self.sources.as_ref().is_some_and(|root| file.starts_with(root));
        self.file(address).is_some_and(|file| !library(&file))
    }

    fn find_reserved(&self) -> BTreeSet<u32> {
        let hidden = |symbol: &Symbol| {
            self.image.kind == Kind::StaticPie && !self.is_program_source(symbol.address)
        };
        let reserved = self.understood().filter(|(_, name)| name.reserved);
        let library = reserved.filter(|(symbol, _)| symbol.global || hidden(symbol));
        library.map(|(symbol, _)| symbol.address).collect()
    }

    /// The source file of the code at an address.
    fn file(&self, address: u32) -> Option<String> {
        self.image.lines.frames(address).last().and_then(|frame| frame.file.clone())
    }

    /// `.../csu/libc-start.c` and `.../src/env/__libc_start_main.c`: two levels up is a directory
    /// that holds the library's other sources too.
    fn library_sources(&self) -> Option<String> {
        let start = self.image.symbols.find("__libc_start_main").next()?;
        let file = self.file(start.address)?;
        let root = std::path::Path::new(&file).parent()?.parent()?.to_str()?;
        (root.len() > 1).then(|| root.to_owned())
    }

    fn find_allocator(&self) -> Allocator {
        let mut found = Allocator::Absent;
        for malloc in self.image.symbols.find("malloc").filter(|s| s.kind == SymbolKind::Function) {
            if self.reserved.contains(&malloc.address) || self.is_musl_malloc(malloc) {
                return Allocator::Library;
            }
            found = Allocator::Program;
        }
        found
    }

    fn is_musl_malloc(&self, malloc: &Symbol) -> bool {
        let mut inner = self.image.symbols.find(MUSL_MALLOC).peekable();
        let same = inner.peek().is_none() || inner.any(|inner| inner.address == malloc.address);
        same && self.is_musl_allocator() && self.is_library_function(malloc)
    }

    fn is_musl_allocator(&self) -> bool {
        let symbols = &self.image.symbols;
        MUSL_ALLOCATORS.iter().any(|name| symbols.find(name).next().is_some())
    }

    /// The library that the program is linked with.
    pub(super) fn library(&self) -> Library {
        match self.image.symbols.find("__init_libc").next() {
            Some(_) => Library::Musl,
            None => Library::Glibc,
        }
    }

    /// The library's variables that models use.
    pub(super) fn variables(&self) -> Variables {
        let early = self.image.symbols.find(FREES_EARLY).next();
        Variables {
            errno: ThreadVariable::errno(self.image),
            lower_case: self.lower_case,
            frees_early: early.map(|symbol| (symbol.address, symbol.address + symbol.size)),
        }
    }

    /// The C++ operators for the heap, if all are the library's and its heap functions are too.
    pub(super) fn operators(&self) -> Operators {
        let functions =
            self.image.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Function);
        let form = |symbol: &'a Symbol| Some((symbol, Operators::form(&symbol.name)?));
        let all: Vec<_> = functions.filter_map(form).collect();
        let own = self.allocator == Allocator::Library
            && all.iter().all(|(symbol, _)| !self.is_program_source(symbol.address));
        let all = all.into_iter().filter(|_| own);
        Operators::new(all.map(|(symbol, form)| (symbol.address, symbol.size, form)))
    }

    /// What the user should know.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.image.symbols.iter().next().is_none() {
            notes.push("the program has no symbols: heap blocks are not checked".to_owned());
        } else if self.allocator == Allocator::Program {
            notes.push("the program brings its own malloc: heap blocks are not checked".to_owned());
        }
        notes
    }
}
