//! Formulas, automata and progression against plain definitions of what they mean.

#[path = "../../../steam-expr/tests/chance/mod.rs"]
mod chance;
mod classes;
mod files;
mod forms;
mod paper;
mod progression;
mod random;
mod translation;
