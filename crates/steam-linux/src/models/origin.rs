//! Which functions of a program come from the C library, and from which one.
//!
//! A program may define its own `strcpy` or `malloc`; its code is then what is to be checked, and
//! no model may hide it. The rules:
//!
//! * names that C reserves for the library are the library's, whatever their binding;
//! * a plain name is the library's if its symbol is global and its code has no source line, or a
//!   line in the library's own source tree (a library that was compiled with `-g`);
//! * the heap functions are all the library's or none is: glibc calls its `malloc` also
//!   `__libc_malloc`, and musl has inner functions that nobody else has;
//! * comparisons without case need glibc's table of the current locale; musl's own read byte by byte.
//!
//! A function that picks an implementation (`STT_GNU_IFUNC`) is never modelled itself: the
//! implementations are.

use std::collections::BTreeMap;

use steam_image::{Image, Symbol, SymbolKind};

use super::Variables;
use super::names::{Name, understand};
use super::table::{Family, Row};
use super::variable::ThreadVariable;

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
    allocator: Allocator,
    lower_case: Option<ThreadVariable>,
}

impl<'a> Origin<'a> {
    /// Looks at a program.
    pub(super) fn new(image: &'a Image) -> Self {
        let lower_case = ThreadVariable::find(image, LOWER_CASE);
        let mut origin = Self { image, sources: None, allocator: Allocator::Absent, lower_case };
        origin.sources = origin.library_sources();
        origin.allocator = origin.find_allocator();
        origin
    }

    /// The functions to be modelled, by address.
    pub(super) fn modelled(&self) -> BTreeMap<u32, &'static Row> {
        let mut found = BTreeMap::new();
        for symbol in self.image.symbols.iter().filter(|s| s.kind == SymbolKind::Function) {
            let Some(name) = understand(&symbol.name) else { continue };
            if self.is_modelled(symbol, name) {
                found.entry(symbol.address).or_insert(name.row);
            }
        }
        found
    }

    fn is_modelled(&self, symbol: &Symbol, name: Name) -> bool {
        match name.row.family {
            Family::Heap => self.allocator == Allocator::Library,
            Family::Text => name.reserved || self.is_library_function(symbol),
            Family::Case => {
                self.lower_case.is_some() && (name.reserved || self.is_library_function(symbol))
            }
        }
    }

    /// Whether a function with a plain name is the library's.
    fn is_library_function(&self, symbol: &Symbol) -> bool {
        let ours = |file: &str| self.sources.as_ref().is_some_and(|root| file.starts_with(root));
        symbol.global && self.file(symbol.address).is_none_or(|file| ours(&file))
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
        let symbols = &self.image.symbols;
        let Some(malloc) = symbols.find("malloc").find(|s| s.global) else {
            return Allocator::Absent;
        };
        let same = |symbol: &Symbol| symbol.address == malloc.address;
        let musl = || MUSL_ALLOCATORS.iter().any(|name| symbols.find(name).next().is_some());
        if symbols.find("__libc_malloc").any(same) || musl() && self.is_library_function(malloc) {
            Allocator::Library
        } else {
            Allocator::Program
        }
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
        Variables { errno: ThreadVariable::errno(self.image), lower_case: self.lower_case }
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
