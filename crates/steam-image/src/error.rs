//! Every reason why a file cannot become an [`Image`](crate::Image), each with the sentence that
//! tells the user what the file is and what to do next.

use std::fmt;
use std::io;

/// Why a file is not a program that can be run; its `Display` is one complete message.
#[derive(Debug)]
pub enum ImageError {
    /// The file could not be read at all.
    Unreadable(io::Error),
    /// The path names a directory.
    Directory,
    /// The path names a pipe, a device or a socket.
    Special {
        /// Which of them.
        what: &'static str,
    },
    /// The file is larger than the loader accepts.
    TooLarge {
        /// The size of the file in bytes.
        size: u64,
        /// The largest size that is accepted.
        limit: u64,
    },
    /// The file has no bytes.
    Empty,
    /// The file is something else than an ELF file.
    NotElf(Foreign),
    /// The file is an ELF file for a machine that is not an i386.
    WrongMachine(Machine),
    /// The file is an i386 ELF file, but of a kind that is not a complete program.
    WrongKind(WrongKind),
    /// A part of the file that a header promises lies past its end.
    Truncated {
        /// The part that is missing.
        part: String,
        /// The offset at which that part would end.
        needed: u64,
        /// The size of the file.
        size: u64,
    },
    /// A field of the file has a value that no linker writes.
    Corrupt {
        /// The field, and what is wrong with it.
        problem: String,
    },
    /// The segments cannot be laid out in the memory of a process.
    Layout(Layout),
}

/// Formats that are recognised in order to say what the file is instead of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Foreign {
    /// A text that starts with `#!` and the interpreter that it names.
    Script(String),
    /// A source file, with the name under which it was opened.
    Source {
        /// The language: `C` or `C++`.
        language: &'static str,
        /// The path as given.
        name: String,
    },
    /// Text in no language that is known here.
    Text,
    /// An archive of object files (`.a`).
    Archive,
    /// A macOS program.
    MachO,
    /// A Windows program.
    Pe,
    /// A WebAssembly module.
    WebAssembly,
    /// LLVM bitcode, as `clang -emit-llvm` and `-flto` write it.
    Bitcode,
    /// Java byte-code.
    JavaClass,
    /// A compressed file or container.
    Compressed(&'static str),
    /// Bytes in an unknown format.
    Unknown,
}

/// Machines for which an ELF file may be meant, as far as the advice differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Machine {
    /// The 64-bit x86; by far the most frequent mistake.
    X86_64,
    /// The 64-bit x86 with 32-bit pointers.
    X32,
    /// A machine whose bytes are in big-endian order, with its name.
    BigEndian(String),
    /// Any other machine, with its name.
    Other(String),
}

/// Kinds of i386 ELF files that are not complete programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WrongKind {
    /// It names a dynamic linker, or libraries that are to be found at run time.
    Dynamic {
        /// The dynamic linker, where one is named.
        interpreter: Option<String>,
    },
    /// A shared library.
    SharedLibrary,
    /// An object file that was not linked, with the name under which it was opened.
    Object {
        /// The path as given.
        name: String,
    },
    /// A memory dump of a crashed process.
    Core,
    /// A type that the ELF standard does not define for programs.
    Unknown(u16),
}

/// Ways in which segments cannot be laid out in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layout {
    /// No segment is to be loaded.
    Nothing,
    /// Two segments claim the same bytes.
    Overlap {
        /// The address at which the later segment starts.
        address: u32,
    },
    /// A segment goes past the end of the address space.
    Wraps {
        /// The address at which the segment starts.
        address: u32,
    },
    /// A segment lies on page zero, where null pointers point.
    PageZero,
    /// A segment lies where the stack and the kernel are.
    TooHigh {
        /// The first address after the segment.
        end: u32,
    },
    /// The segments together are larger than the loader accepts.
    TooMuchMemory {
        /// The memory that is asked for, in bytes.
        size: u64,
        /// The largest total that is accepted.
        limit: u64,
    },
    /// The program would start at an address that holds no code.
    Entry {
        /// The address of the first instruction, as the header gives it.
        address: u32,
    },
}

/// Each message is whole: it has no source whose text would have to follow.
impl std::error::Error for ImageError {}

impl From<Layout> for ImageError {
    fn from(layout: Layout) -> Self {
        ImageError::Layout(layout)
    }
}

/// What to type in order to get a file that works; the end of many messages.
const COMPILE: &str = "compile with -m32 -static, or let `steam cc` do it";
/// What to do about a file that was damaged on its way.
const REBUILD: &str = "copy or link the file again";

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImageError::Unreadable(error) => {
                write!(f, "the file cannot be read ({error}): check its path and permissions")
            }
            ImageError::Directory => {
                f.write_str("this is a directory: name the program file in it")
            }
            ImageError::Special { what } => {
                write!(f, "this is a {what}, not a file: name a program file")
            }
            ImageError::TooLarge { size, limit } => write!(
                f,
                "the file has {} MiB, more than the {} MiB that are accepted: \
                 link it without debug information, or with -g1",
                size >> 20,
                limit >> 20
            ),
            ImageError::Empty => f.write_str("the file is empty: link the program again"),
            ImageError::NotElf(foreign) => foreign.fmt(f),
            ImageError::WrongMachine(machine) => machine.fmt(f),
            ImageError::WrongKind(kind) => kind.fmt(f),
            ImageError::Truncated { part, needed, size } => write!(
                f,
                "this ELF file is truncated: {part} would end at byte {needed}, \
                 but the file has {size} bytes: {REBUILD}"
            ),
            ImageError::Corrupt { problem } => {
                write!(f, "this ELF file is corrupt: {problem}: {REBUILD}")
            }
            ImageError::Layout(layout) => layout.fmt(f),
        }
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Foreign::Script(interpreter) => write!(
                f,
                "this is a script for {interpreter}: name the i386 program that it starts"
            ),
            Foreign::Source { language, name } => {
                write!(f, "this is {language} source: `steam run {name}` compiles it")
            }
            Foreign::Text => write!(f, "this is a text file, not a program: {COMPILE}"),
            Foreign::Archive => f.write_str(
                "this is an archive of object files: link it into a program, \
                 `steam cc main.o lib.a -o prog`",
            ),
            Foreign::MachO => write!(f, "this is a macOS (Mach-O) file: on Linux, {COMPILE}"),
            Foreign::Pe => write!(f, "this is a Windows (PE) file: on Linux, {COMPILE}"),
            Foreign::WebAssembly => write!(f, "this is a WebAssembly module: {COMPILE}"),
            Foreign::Bitcode => {
                f.write_str("this is LLVM bitcode: link it, `steam cc x.bc -o prog`")
            }
            Foreign::JavaClass => {
                f.write_str("this is Java byte-code: steam runs i386 Linux programs only")
            }
            Foreign::Compressed(format) => {
                write!(f, "this is a {format} file: unpack it and name the program in it")
            }
            Foreign::Unknown => write!(f, "this is not an ELF file: {COMPILE}"),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Machine::X86_64 => write!(f, "this is an x86-64 (64-bit) ELF file: {COMPILE}"),
            Machine::X32 => write!(f, "this is an ELF file for the x32 ABI of x86-64: {COMPILE}"),
            Machine::BigEndian(name) => {
                write!(
                    f,
                    "this is a big-endian ELF file for {name}: with an x86 compiler, {COMPILE}"
                )
            }
            Machine::Other(name) => {
                write!(f, "this is an ELF file for {name}: with an x86 compiler, {COMPILE}")
            }
        }
    }
}

impl fmt::Display for WrongKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongKind::Dynamic { interpreter } => {
                f.write_str("this program is dynamically linked")?;
                if let Some(path) = interpreter {
                    write!(f, " (it asks for {path})")?;
                }
                f.write_str(": link it with -static, or let `steam cc` do it")
            }
            WrongKind::SharedLibrary => f.write_str(
                "this is a shared library, not a program: link a program with a main function \
                 with -static, or let `steam cc` do it",
            ),
            WrongKind::Object { name } => write!(
                f,
                "this is an object file that is not linked yet: link it: `steam cc {name} -o prog`"
            ),
            WrongKind::Core => f.write_str(
                "this is a core dump of a crashed process: name the program that wrote it",
            ),
            WrongKind::Unknown(kind) => {
                write!(f, "this ELF file has the unknown type {kind}: {COMPILE}")
            }
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this program cannot be loaded: ")?;
        match self {
            Layout::Nothing => write!(f, "no part of it is to be loaded: {REBUILD}"),
            Layout::Overlap { address } => write!(
                f,
                "the segment at {address:#x} overlaps another one: link it with the default script"
            ),
            Layout::Wraps { address } => {
                write!(f, "the segment at {address:#x} goes past the end of memory: {REBUILD}")
            }
            Layout::PageZero => f.write_str(
                "a segment lies on page zero, where null pointers point: \
                 link it with the default address",
            ),
            Layout::TooHigh { end } => write!(
                f,
                "a segment ends at {end:#x}, where the stack and the kernel are: \
                 link it with the default address"
            ),
            Layout::TooMuchMemory { size, limit } => write!(
                f,
                "its segments need {} MiB, more than the {} MiB that are accepted: \
                 make its global arrays smaller",
                size >> 20,
                limit >> 20
            ),
            Layout::Entry { address } => write!(
                f,
                "it would start at {address:#x}, where no code is: link it with an entry (-e)"
            ),
        }
    }
}
