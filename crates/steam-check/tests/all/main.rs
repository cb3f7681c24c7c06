//! What a check may be asked for, by its names, and what of it a trail file keeps.

mod choices;
mod classes;
mod recorded;
