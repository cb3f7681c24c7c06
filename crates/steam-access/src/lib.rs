//! What the source of a program says of a memory access: whether it is atomic, and what the cell is
//! called.
//!
//! ```text
//! instruction --code--> ops --flow (value, state, transfer)--> operand --parts (types)--> verdict
//! address --objects--> variable --parts--> verdict
//!                               --cells--> name
//! ```
//!
//! [`Atomics`] is made once for an image and asked per instruction and address. Nothing here knows
//! what a state, a thread or a race is, or runs anything.

mod assembly;
mod atomics;
mod builtins;
mod cells;
mod code;
mod context;
mod copies;
mod flow;
mod heads;
mod library;
mod list;
mod locked;
mod macros;
mod memory;
mod objects;
mod operand;
mod operations;
mod parts;
mod scene;
mod source;
mod state;
mod statements;
mod transfer;
mod value;
mod volatile_text;
mod volatiles;

pub use atomics::{Atomics, Doubt, Origin, Reason, Verdict};
pub use list::Unmatched;
