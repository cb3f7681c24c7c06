//! What an image says of a program, compared with what other tools say, and what becomes of hostile files.

#[path = "../compiler/mod.rs"]
mod compiler;
mod declarations;
mod frames;
mod hostile_declarations;
mod hostile_lines;
mod memory;
mod refusals;
