//! How a program becomes a model, the same way for a search and for a replay.

use std::sync::Arc;

use steam_image::Image;
use steam_linux::world::{Host, Stdin};
use steam_program::{Config, Granularity, Hangs, Options, Program};
use steam_props::line_starts;
use steam_sync::Faults;
use steam_visibility::Discipline;

use crate::choice::{Atomic, Mld, Privacy, Volatile, Waits};
use crate::claimed::Claimed;
use crate::class::ErrorClass;
use crate::config::{ClaimTexts, LONGEST_STEP, Scenario};
use crate::error::{Error, unfit};

/// How many freed blocks of a size rest before one is used again. One is enough to find a use after
/// free although the next block of that size was taken; more would multiply states.
const QUARANTINE: u32 = 1;

/// What a search knows of accesses beyond its scenario; by default nothing.
#[derive(Debug, Clone, Copy)]
pub struct Accesses<'a> {
    /// What counts as atomic beside what is.
    pub atomic: &'a [String],
    /// Whether volatile objects count as atomic.
    pub volatile: Volatile,
    /// What has races that are intended.
    pub intended: &'a [String],
    /// What the mutex locking discipline is for.
    pub mld: Mld,
    /// Whether it may be given up in the midst of a search, if the user has not chosen.
    pub gives_up: bool,
    /// Whether accesses to blocks that no other thread can reach are steps.
    pub privacy: Privacy,
    /// Whether it is used that threads wait in loops.
    pub waits: Waits,
    /// Whether uses of what was never written are looked for.
    pub uninitialised: bool,
}

impl Default for Accesses<'_> {
    fn default() -> Self {
        Self {
            atomic: &[],
            volatile: Volatile::Race,
            intended: &[],
            mld: Mld::Off,
            gives_up: false,
            privacy: Privacy::On,
            waits: Waits::On,
            uninitialised: false,
        }
    }
}

/// Everything that a model is made of.
pub struct Setup {
    image: Arc<Image>,
    config: Config,
    options: Options,
    claims: ClaimTexts,
}

impl Setup {
    /// Puts together what a model is made of. Of files that the guest reads no more is kept than half of
    /// `memory`.
    pub fn new(
        image: &Arc<Image>,
        scenario: &Scenario,
        accesses: Accesses<'_>,
        memory: u64,
    ) -> Result<Self, Error> {
        let Scenario { guest, judgement, .. } = scenario;
        let finds = |class| judgement.find.contains(&class);
        let config = Config {
            arguments: guest.arguments.clone(),
            environment: guest.environment.clone(),
            stdin: guest.input()?.unwrap_or(Stdin::Empty),
            directory: None,
            quarantine: QUARANTINE,
            host: Arc::new(Host::new(guest.files.access(), memory / 2)),
        };
        let options = Options {
            granularity: match judgement.atomic {
                Atomic::Lgc => Granularity::Shared,
                Atomic::Line => Granularity::Line,
                Atomic::Instr => Granularity::Access,
            },
            faults: Faults { spurious_wakeups: judgement.spurious },
            still: judgement.still,
            divergence: judgement.divergence.unwrap_or(LONGEST_STEP),
            long_runs_diverge: judgement.divergence.is_some(),
            atomic: accesses.atomic.to_vec(),
            volatile_is_atomic: accesses.volatile == Volatile::Atomic,
            intended: accesses.intended.to_vec(),
            discipline: match accesses.mld {
                Mld::Off => Discipline::Ignored,
                Mld::Check => Discipline::Checked,
                Mld::Plain => Discipline::Plain,
                Mld::Auto | Mld::Use | Mld::Compose => Discipline::Used,
            },
            discipline_by_default: accesses.mld == Mld::Auto,
            discipline_on_trial: accesses.mld == Mld::Auto && accesses.gives_up,
            composed: accesses.mld == Mld::Compose,
            privacy: accesses.privacy == Privacy::On,
            waits: accesses.waits == Waits::On,
            annotations: finds(ErrorClass::Annotation),
            // The plain discipline wants to know them, whoever else does.
            races: finds(ErrorClass::Race) || accesses.mld == Mld::Plain,
            hangs: match finds(ErrorClass::Hang) {
                true => Hangs::AfterSteps,
                false => Hangs::Ignored,
            },
            progress: progress(image, &judgement.progress_lines)?,
            status_matters: finds(ErrorClass::Exit),
            uninitialised: accesses.uninitialised,
            refused_joins: finds(ErrorClass::Misuse),
            kept_locks: finds(ErrorClass::LockKept),
            ..Options::default()
        };
        let (image, claims) = (Arc::clone(image), scenario.claims.clone());
        Ok(Self { image, config, options, claims })
    }

    /// The host's files, as all models of this program find them.
    pub fn host(&self) -> &Host {
        &self.config.host
    }

    /// Makes a model that knows nothing yet.
    pub fn program(&self) -> Result<Program, Error> {
        Program::new(Arc::clone(&self.image), self.config.clone(), self.options.clone())
            .map_err(|source| Error::Boot { name: self.image.name.clone(), source })
    }

    /// The same for one of which something is claimed.
    pub(crate) fn program_claimed(&self, known: &str) -> Result<(Program, Option<Claimed>), Error> {
        let mut program = self.program()?;
        let claimed = Claimed::understand(&mut program, &self.claims)?;
        learn(&program, known)?;
        Ok((program, claimed))
    }

    /// Makes a model that makes the same steps as the one that wrote what is known.
    pub fn program_with(&self, known: &str) -> Result<Program, Error> {
        let program = self.program()?;
        learn(&program, known)?;
        Ok(program)
    }
}

/// The instructions with which lines begin that are progress.
fn progress(image: &Image, lines: &[String]) -> Result<Vec<u32>, Error> {
    let mut addresses = Vec::new();
    for text in lines {
        let place = text.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
        let Some((file, line)) = place else {
            unfit!("--progress-line {text}: a file and a line are meant, such as main.c:17");
        };
        let starts = line_starts(image, file, line);
        let wrong = |why| Error::Unfit(format!("--progress-line {text}: {why}"));
        addresses.extend(starts.map_err(wrong)?);
    }
    Ok(addresses)
}

fn learn(program: &Program, known: &str) -> Result<(), Error> {
    let wrong = |why| Error::Trail(format!("what is shared cannot be understood: {why}"));
    program.learn(known).map_err(wrong)
}
