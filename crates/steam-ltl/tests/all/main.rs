//! Formulas, automata and progression against plain definitions of what they mean.

#[path = "../../../steam-expr/tests/chance/mod.rs"]
mod chance;
mod random;
mod translation;
