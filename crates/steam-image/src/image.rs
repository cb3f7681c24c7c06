//! The image: what a program file says about the memory, the names and the lines of a process.

use std::fs::{self, FileType};
use std::io::Read;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::sync::Arc;

use crate::debug::Debug;
use crate::declarations::Declarations;
use crate::error::ImageError;
use crate::header;
use crate::lines::Lines;
use crate::pages::Page;
use crate::regular_file::open_regular;
use crate::sections::Sections;
use crate::segments::{self, Loaded};
use crate::symbols::Symbols;
use crate::unwind::Unwinder;

/// The largest file that is read; a static program with debug information has a few megabytes.
pub const FILE_LIMIT: u64 = 256 << 20;

/// A program, ready to be laid out in the memory of a process.
#[derive(Debug)]
pub struct Image {
    /// The name under which the file was opened.
    pub name: String,
    /// The bytes of the file, where there is no file under that name for the program to find.
    pub content: Option<Arc<[u8]>>,
    /// The address of the first instruction.
    pub entry: u32,
    /// Whether the linker or the loader fixed the addresses.
    pub kind: Kind,
    /// What is added to the addresses in the file: zero, or [`PIE_BASE`](crate::PIE_BASE).
    pub base: u32,
    /// The parts of memory that the file fills, by ascending address, without overlaps.
    pub segments: Vec<Segment>,
    /// Where the program finds its own program headers (`AT_PHDR` and the like).
    pub program_headers: ProgramHeaders,
    /// The first byte after the highest segment, rounded up to a page: where `brk` starts.
    pub end: u32,
    /// Whether code may run on the stack, as `PT_GNU_STACK` says.
    pub stack_executable: bool,
    /// The initial image of thread-local variables; the program sets them up by itself.
    pub thread_local: Option<ThreadLocal>,
    /// The bytes that the program makes read-only after its relocations: start and end.
    pub read_only_after_relocation: Option<(u32, u32)>,
    /// The named functions and variables.
    pub symbols: Symbols,
    /// From addresses to source lines.
    pub lines: Lines,
    /// Types, variables and functions of the source.
    pub declarations: Declarations,
    /// From functions to their callers.
    pub unwinder: Unwinder,
    pub(crate) pages: Vec<Page>,
}

/// Whether the addresses of a program were fixed when it was linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The linker fixed the addresses (`ET_EXEC`).
    Executable,
    /// The program runs at any address and relocates itself (`-static-pie`).
    StaticPie,
}

/// A part of memory that the file fills; addresses are those in the process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// The address of the first byte.
    pub address: u32,
    /// The number of bytes in memory.
    pub memory_size: u32,
    /// The bytes that the file gives; the rest is zero.
    pub data: Vec<u8>,
    /// Whether the program may read it.
    pub read: bool,
    /// Whether the program may write it.
    pub write: bool,
    /// Whether the program may run it.
    pub execute: bool,
}

/// Where the program finds its own program headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramHeaders {
    /// The address of the table, or zero where no segment contains it.
    pub address: u32,
    /// The number of headers.
    pub count: u16,
    /// The size of one header in bytes.
    pub entry_size: u16,
}

/// The initial image of the thread-local variables of one thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadLocal {
    /// The address of the initialised part.
    pub address: u32,
    /// The size of the initialised part.
    pub file_size: u32,
    /// The size of the whole.
    pub memory_size: u32,
    /// The alignment of the whole.
    pub alignment: u32,
}

impl Segment {
    /// Returns the first address after the segment.
    pub fn end(&self) -> u32 {
        self.address + self.memory_size
    }

    /// Says whether the segment covers `address`.
    pub fn contains(&self, address: u32) -> bool {
        address.wrapping_sub(self.address) < self.memory_size
    }
}

impl Image {
    /// Whether another file, maybe of another name, is the same program.
    pub fn is_same(&self, other: &Image) -> bool {
        self.entry == other.entry && self.segments == other.segments
    }

    /// Reads the program file at `path`.
    pub fn read_file(path: impl AsRef<Path>) -> Result<Image, ImageError> {
        let path = path.as_ref();
        // Asked before it is opened: opening a pipe without a writer would wait for ever.
        check_regular(fs::metadata(path).map_err(ImageError::Unreadable)?.file_type())?;
        let mut file = open_regular(path).map_err(ImageError::Unreadable)?;
        let about = file.metadata().map_err(ImageError::Unreadable)?;
        // Asked again: by now the path may name something else.
        check_regular(about.file_type())?;
        let mut bytes = Vec::new();
        // A file may grow, and those in /proc have no size: the limit holds for what is really read.
        let mut bounded = (&mut file).take(FILE_LIMIT + 1);
        bounded.read_to_end(&mut bytes).map_err(ImageError::Unreadable)?;
        if bytes.len() as u64 > FILE_LIMIT {
            let size = about.len().max(bytes.len() as u64);
            return Err(ImageError::TooLarge { size, limit: FILE_LIMIT });
        }
        Image::parse(&bytes, &path.to_string_lossy())
    }

    /// Makes the image of the program in `bytes`; `name` appears in messages alone.
    pub fn parse(bytes: &[u8], name: &str) -> Result<Image, ImageError> {
        let (header, programs) = header::read(bytes, name)?;
        let loaded: Loaded = segments::load(bytes, &header, &programs)?;
        let sections = Sections::read(bytes, &header)?;
        let symbols = Symbols::read(&sections, loaded.base)?;
        let unwinder = Unwinder::new(&sections, loaded.base);
        let debug = Debug::new(&sections);
        let lines = Lines::new(debug.clone(), loaded.base, symbols.clone());
        let thread_local = loaded.thread_local;
        let declarations = Declarations::new(debug, loaded.base, thread_local, symbols.clone());
        Ok(Image {
            name: name.to_owned(),
            content: None,
            entry: loaded.entry,
            kind: loaded.kind,
            base: loaded.base,
            segments: loaded.segments,
            program_headers: loaded.program_headers,
            end: loaded.end,
            stack_executable: loaded.stack_executable,
            thread_local,
            read_only_after_relocation: loaded.read_only_after_relocation,
            symbols,
            lines,
            declarations,
            unwinder,
            pages: loaded.pages,
        })
    }

    /// Returns the segment that covers `address`.
    pub fn segment_at(&self, address: u32) -> Option<&Segment> {
        self.segments.iter().find(|segment| segment.contains(address))
    }
}

/// Fails for everything that is not a regular file.
fn check_regular(kind: FileType) -> Result<(), ImageError> {
    match kind {
        _ if kind.is_file() => Ok(()),
        _ if kind.is_dir() => Err(ImageError::Directory),
        _ if kind.is_fifo() => Err(ImageError::Special { what: "pipe" }),
        _ if kind.is_socket() => Err(ImageError::Special { what: "socket" }),
        _ => Err(ImageError::Special { what: "device" }),
    }
}
