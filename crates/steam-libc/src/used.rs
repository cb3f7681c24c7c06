//! What functions of the library use that a handler must not find half changed.

use super::table::{Family, Row};

/// What of the library a function uses, of which one function at a time may use each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Used {
    /// The heap.
    pub heap: bool,
    /// The state of `rand` and `random`.
    pub random: bool,
    /// The list of all streams of stdio.
    pub list: bool,
    /// A stream of stdio; all of them where an argument is null.
    pub stream: Option<Stream>,
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
            Family::Heap => Some(Used { heap: true, ..Used::default() }),
            Family::Search => used_by(self.name),
            Family::Text | Family::Case | Family::Program => None,
        }
    }
}

fn used_by(name: &str) -> Option<Used> {
    let stream = match name {
        "rand" | "srand" | "random" | "srandom" => {
            return Some(Used { random: true, ..Used::default() });
        }
        "fopen" | "fopen64" | "fdopen" => {
            return Some(Used { heap: true, list: true, ..Used::default() });
        }
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
    let (heap, list) = (matches!(name, "fclose" | "getline" | "getdelim"), name == "fclose");
    Some(Used { heap, list, stream: Some(stream), ..Used::default() })
}
