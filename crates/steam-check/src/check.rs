//! One check: from a configuration to a report.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use steam_explain::Deadline;
use steam_program::{Hangs, Program};
use steam_trail::{Report, Suppression};

use crate::account::Account;
use crate::audit::audit;
use crate::by_default;
use crate::choice::{AlgorithmName, Privacy, Reduction};
use crate::claimed::Claimed;
use crate::config::Config;
use crate::error::Error;
use crate::executable::Executable;
use crate::named::Named;
use crate::outside::{Listener, Outside};
use crate::phases::phases;
use crate::printed::Printed;
use crate::setup::{Accesses, Setup};
use crate::suppressed::Suppressed;
use crate::uninitialised::{Looked, in_all_executions, look, looked_for};

/// A check that is about to be made.
///
/// ```
/// use steam_check::{Check, Config, Verdict};
///
/// # fn main() -> Result<(), steam_check::Error> {
/// let mut config = Config::new("../steam-cli/demo/demo.elf");
/// config.scenario.guest.arguments.push(b"overflow".to_vec());
/// let report = Check::new(config).run()?;
/// assert_eq!(report.verdict, Verdict::Violation);
/// let error = &report.violations[0];
/// assert_eq!(error.kind, "heap-out-of-bounds");
/// let schedule = &error.trail.as_ref().expect("a schedule leads to it").trail;
/// assert!(!schedule.steps.is_empty());
/// # Ok(())
/// # }
/// ```
pub struct Check<'a> {
    config: Config,
    executable: Option<Executable>,
    stop: Arc<AtomicBool>,
    listener: Option<&'a mut dyn Listener>,
}

impl<'a> Check<'a> {
    /// A check by a configuration.
    pub fn new(config: Config) -> Self {
        Self { config, executable: None, stop: Arc::default(), listener: None }
    }

    /// Takes a program that was loaded already, in the place of the one that the configuration names.
    pub fn of(self, executable: Executable) -> Self {
        Self { executable: Some(executable), ..self }
    }

    /// Ends the check with what was found as soon as a flag is set.
    pub fn stopped_by(self, flag: Arc<AtomicBool>) -> Self {
        Self { stop: flag, ..self }
    }

    /// Takes a listener that hears how far the searches are.
    pub fn heard_by(self, listener: &'a mut dyn Listener) -> Self {
        Self { listener: Some(listener), ..self }
    }

    /// Explores the program and reports what was found.
    pub fn run(self) -> Result<Report, Error> {
        let Self { config, executable, stop, listener } = self;
        let executable = match executable {
            Some(executable) => executable,
            None => Executable::load(&config.scenario.origin, &config.scenario.guest)?,
        };
        let subject = Subject::new(&config, &executable)?;
        let setup = subject.setup()?;
        let (program, claimed) = subject.program(&setup)?;
        let mut none = ();
        let outside = Outside::new(&config.bounds, stop, listener.unwrap_or(&mut none));
        subject.report(&setup, program, claimed.as_ref(), &outside)
    }
}

/// What is checked, understood: a mistake in a name or an expression is reported before the search.
struct Subject<'a> {
    config: &'a Config,
    executable: &'a Executable,
    atomic: Named,
    intended: Named,
}

impl<'a> Subject<'a> {
    fn new(config: &'a Config, executable: &'a Executable) -> Result<Self, Error> {
        let atomic = Named::new(executable, "--atomic-var", &config.atomic_vars)?;
        let intended = Named::new(executable, "--intended-race", &config.intended)?;
        Ok(Self { config, executable, atomic, intended })
    }

    fn accesses(&self) -> Accesses<'_> {
        Accesses {
            atomic: &self.atomic.of_program,
            volatile: self.config.volatile,
            intended: &self.intended.of_program,
            mld: by_default::discipline(self.config),
            // What several workers have met by the end of an iteration depends on which of them is faster.
            gives_up: self.config.search.jobs <= 1,
            privacy: self.privacy(),
            waits: self.config.waits,
            uninitialised: in_all_executions(self.config),
        }
    }

    /// Where a step ends depends on who can reach what, and so which steps commute: nothing is private where that is relied
    /// on, or judged.
    fn privacy(&self) -> Privacy {
        match self.config.search.algorithm {
            AlgorithmName::Stateless => Privacy::Off,
            _ if self.config.search.uses_stubborn_sets() => Privacy::Off,
            _ if self.config.audit => Privacy::Off,
            _ => self.config.privacy,
        }
    }

    /// The errors that are left out: by the entries of the user's files, and races by names of reports.
    fn suppressions(&self) -> Vec<Suppression> {
        let races = self.atomic.races().chain(self.intended.races());
        self.config.suppress.iter().cloned().chain(races).collect()
    }

    fn setup(&self) -> Result<Setup, Error> {
        let Self { config, executable, .. } = self;
        Setup::new(&executable.image, &config.scenario, self.accesses(), config.bounds.memory)
    }

    fn program(&self, setup: &Setup) -> Result<(Program, Option<Claimed>), Error> {
        let mut program = setup.program()?;
        if program.options().hangs != Hangs::Ignored {
            program.look_for_hangs(where_hangs_show(self.config));
        }
        let claimed = Claimed::understand(&mut program, self.config.claims())?;
        // Only expressions need debug information.
        if !self.config.print.is_empty() {
            Printed::new(&program, &self.config.print)?;
        }
        Ok((program, claimed))
    }

    /// Looks at one execution first, then searches.
    fn report(
        &self,
        setup: &Setup,
        mut program: Program,
        claimed: Option<&Claimed>,
        outside: &Outside<'_>,
    ) -> Result<Report, Error> {
        let Self { config, executable, .. } = *self;
        outside.end(&mut program);
        let suppressed = &Suppressed::new(self.suppressions());
        let deadline = outside.deadline();
        let looked = look(config, &executable.image, self.accesses(), outside)?;
        let first = self.first_execution(looked, suppressed, &deadline)?;
        if let First::Errors(report) = &first
            && !config.all
            && config.claims().is_empty()
        {
            return Ok(Report::clone(report));
        }
        let program = &program;
        let phases = phases(config, program, claimed, suppressed, outside)?;
        let audited =
            config.audit.then(|| audit(program, config.search.seed, &|| outside.is_over()));
        let account = Account { config, executable, setup, program, claimed, suppressed, deadline };
        let mut report = account.report(&phases)?;
        match audited {
            Some(Err(why)) => report.own_errors.push(why),
            Some(Ok(note)) => report.notes.push(note),
            None => {}
        }
        first.add_to(&mut report);
        Ok(report)
    }

    /// What the one execution says in which uses of what was never written were looked for.
    fn first_execution(
        &self,
        looked: Option<Looked>,
        suppressed: &Suppressed,
        deadline: &Deadline,
    ) -> Result<First, Error> {
        let Self { config, executable, .. } = *self;
        let Some(Looked { setup, program, found, cut }) = looked else { return Ok(First::Nothing) };
        let Some(phase) = found else { return Ok(First::Note(looked_for(cut))) };
        let (setup, program, deadline) = (&setup, &program, Deadline::clone(deadline));
        let claimed = None;
        let account = Account { config, executable, setup, program, claimed, suppressed, deadline };
        let report = account.report(&[phase])?;
        Ok(match report.violations.is_empty() {
            false => First::Errors(Box::new(report)),
            // A suppressed one says nothing of the rest.
            true => First::Note(looked_for(true)),
        })
    }
}

/// What one execution before the search says.
enum First {
    /// There was none.
    Nothing,
    /// What is to be said where no error is found.
    Note(String),
    /// Errors.
    Errors(Box<Report>),
}

impl First {
    /// Adds it to the report of the search.
    fn add_to(self, report: &mut Report) {
        match self {
            Self::Nothing => {}
            Self::Note(note) => {
                report.notes.extend(report.violations.is_empty().then_some(note));
            }
            Self::Errors(errors) => {
                report.violations.splice(..0, errors.violations);
                report.verdict = errors.verdict;
            }
        }
    }
}

/// Where it is enough to look for hangs, by the order of search.
fn where_hangs_show(config: &Config) -> Hangs {
    match config.search.algorithm {
        AlgorithmName::Stateless if config.search.reduction != Reduction::None => {
            Hangs::WhereStopped
        }
        AlgorithmName::Dfs | AlgorithmName::Bfs | AlgorithmName::Bf | AlgorithmName::Astar
            if config.search.bound.is_none() && !config.search.uses_stubborn_sets() =>
        {
            Hangs::AfterFirstSteps
        }
        _ => Hangs::AfterSteps,
    }
}
