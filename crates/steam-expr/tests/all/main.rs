//! Expressions over the variables of compiled programs: their values, their text, and messages about them.

#[path = "../../../steam-image/tests/compiler/mod.rs"]
mod compiler;
#[path = "../initial/mod.rs"]
mod initial;
mod locals;
mod messages;
mod printing;
