//! The search of a program, compiled once for all tests.
//!
//! `steam_session::check` is generic in the model: each test that called it by itself would compile every
//! order of search again, which takes a minute of a processor.

use steam_linux::program::Program;
use steam_model::{Automaton, Property};
use steam_search::{Control, Monitored, laws};
use steam_session::{CheckedOf, Mismatch, Options};

/// [`steam_session::check`] of a program.
#[inline(never)]
pub fn check(
    program: &Program,
    property: &dyn Property<Program>,
    options: &Options,
) -> Result<CheckedOf<Program>, Mismatch> {
    steam_session::check(program, property, options, &mut Control::default())
}

/// [`steam_session::check`] of a program along whose runs somebody reads.
#[inline(never)]
pub fn check_read(
    program: &Monitored<'_, Program>,
    property: &dyn for<'a> Property<Monitored<'a, Program>>,
    options: &Options,
) -> Result<CheckedOf<Program>, Mismatch> {
    steam_session::check(program, property, options, &mut Control::default())
}

/// [`steam_session::check_runs`] of a program.
#[inline(never)]
pub fn check_runs(
    program: &Program,
    property: &dyn Property<Program>,
    automaton: &dyn Automaton<Program>,
    options: &Options,
) -> Result<CheckedOf<Program>, Mismatch> {
    steam_session::check_runs(program, property, automaton, options, &mut Control::default())
}

/// [`laws::audit`] of a program.
#[inline(never)]
pub fn audit(program: &Program, steps: usize, seed: u64) -> Result<(), String> {
    laws::audit(program, steps, seed)
}

/// [`laws::audit_independence`] of a program.
#[inline(never)]
pub fn audit_independence(program: &Program, steps: usize, seed: u64) -> Result<usize, String> {
    Ok(laws::audit_independence(program, steps, seed)?)
}
