//! Whole programs: they end as on the host, do the same there, and can be frozen at any point.

mod endings;
mod families;
mod freeze;
#[path = "../support/mod.rs"]
mod support;
