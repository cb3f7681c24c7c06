//! Reports as text for people, as one line for editors, as JSON for programs.

mod excerpt;
mod human;
mod json;
mod paint;
mod short;
mod steps;
mod threads;

pub(crate) use paint::clean;

pub use human::{human, human_finding, human_replay};
pub use json::{json, json_replay};
pub use short::short;
pub use steps::{happened, step_line};

/// What of a report is shown, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Whether times and memory are reported; without them the same check gives the same bytes.
    pub times: bool,
    /// Whether text for people is coloured.
    pub color: bool,
    /// How many steps of a trail are shown; the middle of a longer one is left out.
    pub max_steps: usize,
}

impl Default for View {
    fn default() -> Self {
        Self { times: true, color: false, max_steps: 60 }
    }
}
