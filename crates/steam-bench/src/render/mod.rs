//! What readers get of a run: tables for people, lists for programs, plots.

mod csv;
mod figures;
mod markdown;
mod plot;
mod summary;
mod table;
mod text;

pub use csv::csv;
pub use markdown::markdown;
pub use plot::{Plot, PlotForm, plots};
pub use text::text;
