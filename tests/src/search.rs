//! The searches of a program, as `steam-check` has compiled them: a test that called `steam-session` by
//! itself would compile every order of search again, which takes a minute of a processor.

use steam_check::{Choice as _, ErrorClass, Wanted};
use steam_model::Property;
use steam_program::{Action, Program, Violation, Worker};
use steam_search::{Control, laws};
use steam_session::{CheckedOf, Mismatch, Options};
use steam_state::Table;

/// A program all of whose errors are looked for.
pub fn wanted(program: &Program) -> Wanted<'_> {
    Wanted { program, find: ErrorClass::ALL, start: None, invariants: None, suppressed: None }
}

/// Checks a program.
pub fn check(
    program: &Program,
    property: &dyn Property<Program>,
    options: &Options,
) -> Result<CheckedOf<Program>, Mismatch> {
    let property = OfProgram(property);
    steam_check::check(&wanted(program), &property, options, &mut Control::default())
}

/// A property of a program all of whose errors are looked for.
struct OfProgram<'a>(&'a dyn Property<Program>);

impl Property<Wanted<'_>> for OfProgram<'_> {
    fn check(
        &self,
        wanted: &Wanted<'_>,
        worker: &mut Worker,
        state: &Table,
        last: Option<Action>,
        tell: &mut dyn FnMut(Violation),
    ) {
        self.0.check(wanted.program, worker, state, last, tell);
    }
}

/// [`laws::audit`] of a program.
#[inline(never)]
pub fn audit(program: &Program, steps: usize, seed: u64) -> Result<(), String> {
    laws::audit(program, steps, seed)
}

/// [`laws::audit_independence`] of a program.
#[inline(never)]
pub fn audit_independence(program: &Program, steps: usize, seed: u64) -> Result<usize, String> {
    Ok(laws::audit_independence(program, steps, seed, &|| false)?.pairs)
}
