//! Searches on toy models: counts, distances and trails against naive enumeration.

mod beam;
mod cycles;
mod heuristics;
mod laws;
mod limits;
mod naive;
mod philosophers;
mod puzzles;
mod random_systems;
mod reductions;
mod toys;
mod walks;
