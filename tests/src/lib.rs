//! What the end-to-end tests share.
//!
//! For whole programs: reading a guest source's directive, compiling it once, running it with a
//! time limit, and spreading the work over the cores. A guest program is a file in `programs/`,
//! `memory/` or `races/`; nothing else has to be registered. For single instructions: `hostcpu`.

pub mod compile;
pub mod corpus;
pub mod dead_ends;
pub mod directive;
pub mod fuzz;
pub mod hostcpu;
pub mod machine;
pub mod process;
pub mod races;
pub mod random_programs;
pub mod report;
pub mod search;
