//! Searches on toy models: counts, distances and trails against naive enumeration.

mod beam;
#[path = "../../../steam-expr/tests/chance/mod.rs"]
mod chance;
mod cycles;
mod fair;
mod formulas;
mod heuristics;
mod laws;
mod limits;
mod naive;
mod obligations;
mod philosophers;
mod puzzles;
#[path = "../../../steam-ltl/tests/all/random/formula.rs"]
mod random_formula;
mod random_systems;
mod reductions;
mod stubborn;
mod toys;
mod walks;
