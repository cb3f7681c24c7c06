//! Random formulas and runs.

mod formula;

use steam_ltl::{Lasso, Valuation};

pub use formula::{ATOMS, atoms, formula};

use crate::chance::Random;

/// A state.
pub fn state(random: &mut Random) -> Valuation {
    Valuation(random.below(1 << ATOMS) as u64)
}

/// One to `longest` states.
pub fn states(random: &mut Random, longest: usize) -> Vec<Valuation> {
    (0..1 + random.below(longest)).map(|_| state(random)).collect()
}

/// A run with a cycle.
pub fn lasso(random: &mut Random) -> Lasso {
    let states = states(random, 7);
    let back = random.below(states.len());
    Lasso::new(states, back).expect("a run has states")
}
