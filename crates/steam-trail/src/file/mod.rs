//! Trail files: text, one line for each step, to be kept, compared and replayed.
//!
//! ```text
//! steam-trail 1
//! program sha256:0123... glob.elf args: "3" seed 0 atomic lgc memory sc
//! set env "LANG=C"
//! # step thread choice pc file:line
//! 1 1 0 0x08049a10 glob.c:10
//! 2 3 0 0x08049c44 "my thread.cc":15
//! end assert glob.c:20
//! ```
//!
//! Words stand between blanks; what holds anything but plain characters stands in quotes, with `\"`,
//! `\\` and `\xNN` for bytes. An unknown place is `?`. Empty lines and those that begin with `#`
//! mean nothing. What [`write()`] writes, [`parse()`] reads back.

mod parse;
mod save;
mod words;
mod write;

pub use parse::{ParseError, parse};
pub use save::{WriteError, save_trails, try_file, write_file};
pub use write::write;

/// The version of the format.
const VERSION: &str = "1";
/// The granularities of steps that there are.
const ATOMICS: [&str; 3] = ["lgc", "line", "instr"];
