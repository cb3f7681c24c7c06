//! The searches of `steam-session`, compiled for programs.

use steam_ltl::actors::Moment;
use steam_model::{Automaton, Property};
use steam_program::{Program, Violation};
use steam_search::{Monitored, OfPaths};
use steam_session::{CheckedOf, Control, Executions, Mismatch, Obligations, Options};

use crate::wanted::{Shown, Wanted};

/// Who says what error it is that a formula is broken.
pub type Broken<'a> = &'a dyn Fn(&Wanted<'_>, usize, Moment) -> Violation;

/// Looks for errors of steps and of states.
#[inline(never)]
pub fn check<'a>(
    wanted: &Wanted<'a>,
    property: &dyn Property<Wanted<'a>>,
    options: &Options,
    control: &mut Control<'_>,
) -> Result<CheckedOf<Program>, Mismatch> {
    steam_session::check(wanted, property, options, control)
}

/// The same, with a monitor that reads along.
#[inline(never)]
pub fn check_read<'a>(
    monitored: &Monitored<'_, Wanted<'a>>,
    property: &dyn Property<Wanted<'a>>,
    options: &Options,
    control: &mut Control<'_>,
) -> Result<CheckedOf<Program>, Mismatch> {
    steam_session::check(monitored, &OfPaths(property), options, control)
}

/// Looks for runs that an automaton accepts, and for errors of states on the path.
#[inline(never)]
pub fn check_runs<'a>(
    wanted: &Wanted<'a>,
    property: &dyn Property<Wanted<'a>>,
    automaton: &dyn Automaton<Wanted<'a>>,
    options: &Options,
    control: &mut Control<'_>,
) -> Result<CheckedOf<Program>, Mismatch> {
    steam_session::check_runs(wanted, property, automaton, options, control)
}

/// Looks without a store for executions that violate formulas.
#[inline(never)]
pub fn check_executions(
    wanted: &Wanted<'_>,
    obligations: &mut Obligations<'_, Shown<'_>, Broken<'_>>,
    executions: Executions,
    options: &Options,
    control: &mut Control<'_>,
) -> CheckedOf<Program> {
    steam_session::check_executions((wanted, &()), obligations, executions, options, control)
}
