//! What a simulation asks of the program around it: files, and searching.

use std::path::Path;

use steam_trail::Trail;

use crate::simulation::Scene;

/// What an exploration from where the user stands has found.
pub struct Explored {
    /// What to tell the user.
    pub text: String,
    /// The path to an error, as a scene whose first steps lead to where the user stood.
    pub found: Option<Found>,
}

/// A path to an error.
pub struct Found {
    /// The whole path.
    pub scene: Scene,
    /// How many of its steps lead to where the user stood.
    pub steps: usize,
}

/// What is around a simulation. Errors say what to do.
pub trait Surroundings {
    /// Reads a schedule of the program that is simulated.
    fn load(&mut self, path: &Path) -> Result<Scene, String>;

    /// Writes a schedule.
    fn save(&mut self, path: &Path, trail: &Trail) -> Result<(), String>;

    /// Checks the program from after the steps of a schedule, with options of `steam check`.
    fn explore(&mut self, trail: &Trail, options: &str) -> Result<Explored, String>;
}
