//! Walking through a program by hand: choosing threads, going on and back, looking at values.
//!
//! ```text
//! Simulation   states, steps made, where the user stands        no text, no terminal
//!     |
//! commands     one line of text in, one text out                no terminal
//!     |
//! script | terminal | tui                                       where lines come from
//! ```
//!
//! [`Simulation`] keeps all states on its way, so going back costs nothing. What it needs of files
//! and of searching it asks of its [`Surroundings`]. A [`Session`] is a simulation with the commands
//! of the user; [`script`], [`terminal`] and [`tui`] are three thin ways to give them.

mod around;
mod choices;
mod commands;
mod lines;
mod moves;
mod points;
pub mod script;
mod simulation;
mod tell;
pub mod terminal;
pub mod tui;
mod values;

pub use around::{Explored, Found, Surroundings};
pub use choices::Alternative;
pub use commands::{Session, complete};
pub use lines::Line;
pub use moves::{Changed, Stop, Unit, Went};
pub use points::{Point, Points};
pub use simulation::{Moment, Scene, Simulation, actions};
pub use values::Frame;
