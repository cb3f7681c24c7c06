//! C expressions over the variables of a program, with the types that its debug information gives.
//!
//! ```text
//! text --token--> tokens --parse--> Syntax --check (names, types)--> Expression --eval--> Value
//!                                                                                  --print--> text
//! ```
//!
//! A [`ProgramNames`] is made once for an image. [`ProgramNames::compile`] turns a text into an
//! [`Expression`], or says what is wrong with it and where. An expression is evaluated against a
//! [`Memory`], without an allocation unless its value is a whole struct or array; it may be
//! evaluated in millions of states. Nothing here knows what a state is, or runs anything.
//!
//! Numbers are those of i386: `int`, `long` and pointers have 32 bits. `long double` is read and
//! computed as `double`. Signed overflow wraps, as with `-fwrapv`; what has no value in C (a
//! division by zero, a shift by too much) is [`Value::Undefined`].

mod cells;
mod check;
mod error;
mod eval;
mod names;
mod nearest;
mod parse;
mod print;
mod program;
mod scalar;
mod scopes;
mod syntax;
mod token;
mod tree;
mod type_name;
mod value;

pub use error::ExprError;
pub use nearest::nearest;
pub use print::{Limits, Printer};
pub use program::ProgramNames;
pub use scopes::{fits, is_file, parts};
pub use tree::Expression;
pub use type_name::type_name;
pub use value::{Memory, Value};
