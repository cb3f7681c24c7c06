//! Symbols: names of functions and variables, by name and by address.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use goblin::elf::Sym;
use goblin::elf::section_header::{
    SHF_EXECINSTR, SHN_ABS, SHN_LORESERVE, SHN_UNDEF, SHT_SYMTAB, SectionHeader,
};
use goblin::elf::sym::{
    STB_LOCAL, STT_COMMON, STT_FILE, STT_FUNC, STT_GNU_IFUNC, STT_NOTYPE, STT_OBJECT, STT_SECTION,
    STT_TLS,
};

use crate::error::ImageError;
use crate::header::CONTEXT;
use crate::sections::{Sections, string};

const SYMBOL_SIZE: u64 = 16;
/// All names together may take this much more than the table that they are in: a name may be
/// the end of another one, but hostile files let millions of symbols share one long name.
const SHARED_NAMES: usize = 16 << 20;

/// What a symbol stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// A function.
    Function,
    /// A variable or a constant.
    Object,
    /// A function that picks an implementation when the program starts.
    Ifunc,
    /// A thread-local variable; its address is its offset in the thread's block.
    Tls,
    /// A label, or a value that the linker defined.
    Other,
}

/// A named address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The name as the linker knows it (C++ names are mangled), without a version.
    pub name: String,
    /// The address in the process.
    pub address: u32,
    /// The size in bytes, or zero where it is unknown.
    pub size: u32,
    /// What the symbol stands for.
    pub kind: SymbolKind,
    /// Whether other object files may refer to it; names of local ones may occur many times.
    pub global: bool,
}

/// The symbols of a program; cloning is cheap.
#[derive(Debug, Clone, Default)]
pub struct Symbols(Arc<Tables>);

#[derive(Debug, Default)]
struct Tables {
    /// In the order of the file.
    symbols: Vec<Symbol>,
    /// Indices of symbols, sorted by name.
    by_name: Vec<u32>,
    /// Memory cut into stretches, each with the innermost symbol that covers it.
    stretches: Vec<Stretch>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch {
    start: u32,
    end: u32,
    symbol: u32,
}

impl Symbols {
    /// Yields all symbols called `name`, in the order of the file.
    pub fn find<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a Symbol> + use<'a> {
        let Tables { symbols, by_name, .. } = &*self.0;
        let named = |&index: &u32| symbols[index as usize].name.as_str();
        let start = by_name.partition_point(|index| named(index) < name);
        let count = by_name[start..].partition_point(|index| named(index) == name);
        by_name[start..start + count].iter().map(move |&index| &symbols[index as usize])
    }

    /// Returns the function or variable that covers `address`, and how far into it that is.
    ///
    /// Where several do, it is the innermost one; of several names for the same bytes, it is the
    /// one that a person would use. Labels without a size reach up to the next symbol.
    pub fn at(&self, address: u32) -> Option<(&Symbol, u32)> {
        let stretches = &self.0.stretches;
        let next = stretches.partition_point(|stretch| stretch.start <= address);
        let stretch = stretches[..next].last().filter(|stretch| address < stretch.end)?;
        let symbol = &self.0.symbols[stretch.symbol as usize];
        Some((symbol, address - symbol.address))
    }

    /// Yields all symbols in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &Symbol> {
        self.0.symbols.iter()
    }

    /// Reads the symbol table, where there is one.
    pub(crate) fn read(sections: &Sections<'_>, base: u32) -> Result<Symbols, ImageError> {
        let table = sections.headers().iter().find(|header| header.sh_type == SHT_SYMTAB);
        let Some(table) = table else {
            return Ok(Symbols::default());
        };
        let entries = entries(sections, table)?;
        let names = names(sections, table)?;
        let mut symbols = Vec::new();
        let mut limits = Vec::new();
        let mut budget = names.len().saturating_add(SHARED_NAMES);
        for entry in &entries {
            let Some((symbol, limit)) = symbol(entry, names, sections, base) else { continue };
            budget = budget.checked_sub(symbol.name.len()).ok_or_else(|| ImageError::Corrupt {
                problem: "the names in its symbol table overlap without end".to_owned(),
            })?;
            symbols.push(symbol);
            limits.push(limit);
        }
        let mut by_name: Vec<u32> = (0..symbols.len() as u32).collect();
        by_name.sort_by(|&a, &b| symbols[a as usize].name.cmp(&symbols[b as usize].name));
        let stretches = stretches(&symbols, &limits);
        Ok(Symbols(Arc::new(Tables { symbols, by_name, stretches })))
    }
}

fn entries(sections: &Sections<'_>, table: &SectionHeader) -> Result<Vec<Sym>, ImageError> {
    let data = sections.data(table, "the symbol table")?;
    let count = data.len() as u64 / SYMBOL_SIZE;
    if table.sh_entsize != SYMBOL_SIZE {
        return Err(ImageError::Corrupt {
            problem: format!("the entries of its symbol table have {} bytes", table.sh_entsize),
        });
    }
    Sym::parse(data, 0, count as usize, CONTEXT).map_err(|error| ImageError::Corrupt {
        problem: format!("its symbol table cannot be read ({error})"),
    })
}

fn names<'a>(sections: &Sections<'a>, table: &SectionHeader) -> Result<&'a [u8], ImageError> {
    let index = table.sh_link as usize;
    let header = sections.headers().get(index).ok_or_else(|| ImageError::Corrupt {
        problem: format!("the names of its symbols are in section {index}, which is none"),
    })?;
    sections.data(header, "the names of the symbols")
}

/// Makes a symbol of a table entry, with the address that it cannot reach beyond: the end of its
/// section. Entries for sections, files and undefined names are none.
fn symbol(entry: &Sym, names: &[u8], sections: &Sections<'_>, base: u32) -> Option<(Symbol, u64)> {
    let section = entry.st_shndx as u32;
    let home = sections.headers().get(entry.st_shndx).filter(|_| section < SHN_LORESERVE);
    let code = home.is_some_and(|home| home.sh_flags & u64::from(SHF_EXECINSTR) != 0);
    let kind = match entry.st_type() {
        STT_SECTION | STT_FILE => return None,
        STT_FUNC => SymbolKind::Function,
        STT_GNU_IFUNC => SymbolKind::Ifunc,
        STT_OBJECT | STT_COMMON => SymbolKind::Object,
        STT_TLS => SymbolKind::Tls,
        // Assembly code seldom says what its labels are.
        STT_NOTYPE if code && entry.st_size > 0 => SymbolKind::Function,
        _ => SymbolKind::Other,
    };
    let name = unversioned(string(names, entry.st_name));
    if section == SHN_UNDEF || name.is_empty() {
        return None;
    }
    let fixed = kind == SymbolKind::Tls || section == SHN_ABS;
    let base = if fixed { 0 } else { base };
    let symbol = Symbol {
        name: String::from_utf8_lossy(name).into_owned(),
        address: (entry.st_value as u32).wrapping_add(base),
        size: entry.st_size as u32,
        kind,
        global: entry.st_bind() != STB_LOCAL,
    };
    let limit = home.map_or(0, |home| home.sh_addr + home.sh_size + u64::from(base));
    Some((symbol, if code || kind != SymbolKind::Other { limit } else { 0 }))
}

/// The name before a version: `memcpy@@GLIBC_2.14` is `memcpy`.
fn unversioned(name: &[u8]) -> &[u8] {
    match name.iter().position(|&byte| byte == b'@') {
        Some(0) | None => name,
        Some(at) => &name[..at],
    }
}

/// How good a name is for people: the first of several for the same bytes is shown.
fn preference(symbol: &Symbol) -> (bool, usize, usize, &str) {
    let underscores = symbol.name.bytes().take_while(|&byte| byte == b'_').count();
    (!symbol.global, underscores, symbol.name.len(), &symbol.name)
}

/// Cuts memory into stretches, so that a look-up is one bisection whatever the file says.
fn stretches(symbols: &[Symbol], limits: &[u64]) -> Vec<Stretch> {
    let spans = spans(symbols, limits);
    let mut borders: Vec<u32> = spans.iter().flat_map(|&(start, end, _)| [start, end]).collect();
    borders.sort_unstable();
    borders.dedup();
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut active = BTreeSet::new();
    let mut upcoming = spans.iter().peekable();
    for pair in borders.windows(2) {
        while let Some(&(start, end, rank)) = upcoming.next_if(|span| span.0 <= pair[0]) {
            // Innermost first: the one that starts last, of those the one that ends first. Labels
            // come after: many lie within a function.
            let label = symbols[rank.1 as usize].size == 0;
            active.insert((label, Reverse(start), end, rank));
        }
        while active.first().is_some_and(|&(_, _, end, _)| end <= pair[0]) {
            active.pop_first();
        }
        let Some(&(_, _, _, (_, symbol))) = active.first() else { continue };
        match stretches.last_mut() {
            Some(last) if last.symbol == symbol && last.end == pair[0] => last.end = pair[1],
            _ => stretches.push(Stretch { start: pair[0], end: pair[1], symbol }),
        }
    }
    stretches
}

/// The addresses that each function, variable or label covers: start, end, and (rank of the
/// name, index); sorted by start.
fn spans(symbols: &[Symbol], limits: &[u64]) -> Vec<(u32, u32, (u32, u32))> {
    let mut order: Vec<u32> = (0..symbols.len() as u32).collect();
    order.sort_by_key(|&index| (preference(&symbols[index as usize]), index));
    let starts = starts(symbols);
    let mut spans = Vec::new();
    for (rank, &index) in order.iter().enumerate() {
        let symbol = &symbols[index as usize];
        let limit = u32::try_from(limits[index as usize]).unwrap_or(u32::MAX);
        let end = match (symbol.kind, symbol.size) {
            (SymbolKind::Tls, _) => continue,
            (_, 0) => {
                let next = starts.partition_point(|&start| start <= symbol.address);
                starts.get(next).map_or(limit, |&start| start.min(limit))
            }
            // A label with a size outside of code: a table that the linker made.
            (SymbolKind::Other, _) if limit == 0 => continue,
            (_, size) => symbol.address.saturating_add(size),
        };
        if symbol.address < end {
            spans.push((symbol.address, end, (rank as u32, index)));
        }
    }
    spans.sort_unstable();
    spans
}

/// Where symbols start that end the reach of a label before them.
fn starts(symbols: &[Symbol]) -> Vec<u32> {
    let addressed = symbols.iter().filter(|symbol| symbol.kind != SymbolKind::Tls);
    let mut starts: Vec<u32> = addressed.map(|symbol| symbol.address).collect();
    starts.sort_unstable();
    starts
}
