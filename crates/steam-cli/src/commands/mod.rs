//! The commands, one file each.

pub mod bench;
pub mod cc;
pub mod check;
pub mod demo;
pub mod doctor;
pub mod heuristics;
pub mod ltl;
pub mod replay;
pub mod run;
pub mod show;
pub mod simulate;
