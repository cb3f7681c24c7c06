//! ELF and DWARF become an [`Image`]: what a program file says about the memory, the names, the
//! source lines and the variables of a process.
//!
//! Static i386 Linux programs are accepted, with fixed addresses or position-independent ones.
//! Everything else ends as an [`ImageError`], whose text says what the file is and what to do.
//! Any bytes may be given: nothing panics, and time and memory are bounded by the limits that
//! are constants of this crate. Nothing here knows of processes, instructions or searches.

mod audit;
mod compressed;
mod debug;
mod declarations;
mod demangle;
mod error;
mod foreign;
mod header;
mod image;
mod lines;
mod pages;
mod regular_file;
mod sections;
mod segments;
mod source_folders;
mod symbols;
mod unwind;

pub use debug::NoLines;
pub use declarations::{
    Address, Aggregate, Bits, Body, CALL_FRAME, Declarations, Declared, Encoding, Enumeration,
    Function, Inlined, Keyword, Local, Member, NoDeclarations, Offset, Place, Placed, Qualifier,
    Signature, THREAD_BASE, Type, TypeId, TypeKind, Types, Variable, Wanted,
};
pub use demangle::demangle;
pub use error::{Foreign, ImageError, Layout, Machine, WrongKind};
pub use image::{FILE_LIMIT, Image, Kind, ProgramHeaders, Segment, ThreadLocal};
pub use lines::{Frame, Lines};
pub use pages::{PAGE_SIZE, Page, Protection, Range};
pub use regular_file::{open_regular, read_regular};
pub use segments::{HIGHEST_END, MEMORY_LIMIT, PIE_BASE};
pub use source_folders::{is_shown_source, show_sources_within};
pub use symbols::{Symbol, SymbolKind, Symbols};
pub use unwind::{Activation, FrameEntry, Rule, Unwinder};
