//! What `--print` shows along a trail: values of expressions, and what is said of threads.

use steam_explain::{Prints, Retraced, add_atoms};
use steam_program::Program;
use steam_props::{ProgramPropositions, mentions_threads};
use steam_trail::Step;

use crate::error::Error;

/// What is to be shown, understood.
pub(crate) struct Printed<'a> {
    program: &'a Program,
    expressions: Prints<'a>,
    atoms: ProgramPropositions,
}

impl<'a> Printed<'a> {
    /// Understands what is to be shown; the message says what is wrong.
    pub fn new(program: &'a Program, texts: &[String]) -> Result<Self, Error> {
        let (atoms, expressions): (Vec<String>, Vec<String>) =
            texts.iter().cloned().partition(|text| mentions_threads(text));
        let expressions = Prints::new(program, &expressions)?;
        let atoms = ProgramPropositions::new(program, &atoms);
        let atoms =
            atoms.map_err(|error| Error::Unfit(format!("--print is not understood\n{error}")))?;
        Ok(Self { program, expressions, atoms })
    }

    /// Adds to each step what it changed; lines about the start.
    pub fn add_to(&self, retraced: &Retraced, steps: &mut [Step]) -> Vec<String> {
        let Self { program, expressions, atoms } = self;
        let mut start = expressions.add_to(program, retraced, steps);
        let numbered: Vec<(usize, &str)> = atoms.texts().enumerate().collect();
        start.extend(add_atoms(program, atoms, &numbered, retraced, steps));
        start
    }
}
