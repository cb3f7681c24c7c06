//! What functions of the library use that a handler must not find half changed.

use super::table::{Family, Row};

/// Something of the library that one function at a time may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Used {
    /// The heap.
    Heap,
    /// The state of `rand` and `random`.
    Random,
    /// A stream of stdio.
    Stream(Stream),
}

/// A stream of stdio.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// The one that a variable of the library points to.
    Named(&'static str),
    /// The argument at a position.
    Argument(u32),
}

impl Row {
    /// What the function uses, if it is not async-signal-safe because of that.
    pub fn used(&self) -> Option<Used> {
        match self.family {
            Family::Heap => Some(Used::Heap),
            Family::Search => used_by(self.name),
            Family::Text | Family::Case | Family::Program => None,
        }
    }
}

fn used_by(name: &str) -> Option<Used> {
    let stream = match name {
        "rand" | "srand" | "random" | "srandom" => return Some(Used::Random),
        "printf" | "vprintf" | "__printf_chk" | "__vprintf_chk" | "puts" | "putchar"
        | "putchar_unlocked" | "putwchar" | "wprintf" | "vwprintf" => Stream::Named("stdout"),
        "perror" => Stream::Named("stderr"),
        "scanf" | "vscanf" | "getchar" | "__isoc99_scanf" | "__isoc99_vscanf"
        | "__isoc23_scanf" => Stream::Named("stdin"),
        "fprintf" | "vfprintf" | "__fprintf_chk" | "__vfprintf_chk" | "fgetc" | "getc"
        | "fscanf" | "vfscanf" | "__isoc99_fscanf" | "__isoc99_vfscanf" | "__isoc23_fscanf"
        | "fclose" | "fflush" | "fseek" | "fseeko" | "fseeko64" | "rewind" | "setvbuf"
        | "setbuf" | "fgetwc" | "getwc" | "fwprintf" | "vfwprintf" => Stream::Argument(0),
        "fputs" | "putc" | "fputc" | "putc_unlocked" | "fputs_unlocked" | "ungetc" | "fputwc"
        | "putwc" | "fputws" => Stream::Argument(1),
        "fgets" | "getline" => Stream::Argument(2),
        "fwrite" | "fwrite_unlocked" | "fread" | "getdelim" => Stream::Argument(3),
        _ => return None,
    };
    Some(Used::Stream(stream))
}
