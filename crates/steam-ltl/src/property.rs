//! A formula with all that a checker asks of it before it starts.

use crate::atoms::Atoms;
use crate::automaton::{Automaton, Strength, TooLarge, translate};
use crate::formula::Formulas;
use crate::syntax::Syntax;

/// A formula, what kind of property it is, and the automaton of its violations.
#[derive(Debug, Clone)]
pub struct Property {
    /// The formula as it was written.
    pub syntax: Syntax,
    /// The negation, simplified: what a violation is.
    pub negation: Syntax,
    /// Accepts the runs that violate the formula.
    pub violations: Automaton,
    /// A violation is seen after finitely many states, whatever follows: it is enough to look for
    /// a state in [`Automaton::sinks`] of the violations.
    pub is_safety: bool,
    /// That it holds is seen after finitely many states, whatever follows: a violation is a run
    /// on which something never comes.
    pub is_guarantee: bool,
    /// It counts steps, so that leaving out or repeating states may change what it comes to. A
    /// formula whose `X` can be simplified away does not.
    pub uses_next: bool,
}

impl Property {
    /// Finds out what kind of property a formula is.
    pub fn new(syntax: Syntax, atoms: &Atoms) -> Result<Property, TooLarge> {
        let mut formulas = Formulas::new();
        let formula = formulas.formula(&syntax);
        let formula = formulas.simplify(formula);
        let negation = formulas.not(formula);
        let violations = translate(&mut formulas, negation, atoms)?;
        // An automaton of the fulfilling runs that is too large tells nothing.
        let fulfilled = translate(&mut formulas, formula, atoms).ok();
        let is_guarantee =
            fulfilled.is_some_and(|automaton| automaton.strength() == Strength::Terminal);
        Ok(Property {
            negation: formulas.syntax(negation),
            is_safety: violations.strength() == Strength::Terminal,
            is_guarantee,
            uses_next: formulas.uses_next(formula),
            violations,
            syntax,
        })
    }
}
