//! The commands, one file each.

pub mod cc;
pub mod demo;
pub mod doctor;
pub mod run;
pub mod show;
