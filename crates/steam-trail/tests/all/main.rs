//! Reports and trail files, rendered and read back.

mod golden;
mod json;
mod reports;
mod trail_files;
