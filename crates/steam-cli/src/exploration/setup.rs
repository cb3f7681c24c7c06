//! How a program becomes a model, the same way for a search and for a replay.

use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use steam_check::ErrorClass;
use steam_image::Image;
use steam_linux::world::{ClockMode, Host, Stdin};
use steam_program::{Config, Granularity, Hangs, Options, Program};
use steam_props::line_starts;
use steam_sync::Faults;
use steam_visibility::Discipline;

use super::claims::Claimed;
use crate::args::check::{Atomic, Mld, Volatile};
use crate::config::Guest;
use crate::config::claims::ClaimPlan;

/// How many freed blocks of a size rest before one is used again. One is enough to find a use after
/// free although the next block of that size was taken; more would multiply states.
const QUARANTINE: u32 = 1;

/// What one step is, and what counts as an error.
#[derive(Debug, Clone, Copy)]
pub struct Judgement<'a> {
    /// What one step is.
    pub atomic: Atomic,
    /// What counts as an error.
    pub find: &'a [ErrorClass],
    /// Whether waits may end without a signal.
    pub spurious: bool,
    /// Whether the clock stands still.
    pub still: bool,
    /// Instructions of one step after which it is taken to go on for ever.
    pub divergence: u64,
    /// What counts as atomic beside what is.
    pub atomic_vars: &'a [String],
    /// Whether volatile objects count as atomic.
    pub volatile: Volatile,
    /// What has races that are intended.
    pub intended: &'a [String],
    /// Lines that are progress, as they were typed.
    pub progress: &'a [String],
    /// What the mutex locking discipline is for.
    pub mld: Mld,
    /// Whether uses of what nobody wrote are looked for.
    pub uninitialised: bool,
}

/// Everything that a model is made of.
pub struct Setup {
    image: Arc<Image>,
    config: Config,
    options: Options,
}

impl Setup {
    /// Puts together what a model is made of. Of files that the guest reads no more is kept than half of
    /// `memory`.
    pub fn new(
        image: &Arc<Image>,
        guest: &Guest,
        judgement: Judgement<'_>,
        memory: u64,
    ) -> anyhow::Result<Self> {
        let config = Config {
            arguments: guest.arguments.clone(),
            environment: guest.environment.clone(),
            stdin: guest.input()?.unwrap_or(Stdin::Empty),
            directory: None,
            quarantine: QUARANTINE,
            clock: ClockMode::Still,
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
            divergence: judgement.divergence,
            atomic: judgement.atomic_vars.to_vec(),
            volatile_is_atomic: judgement.volatile == Volatile::Atomic,
            intended: judgement.intended.to_vec(),
            discipline: match judgement.mld {
                Mld::Off => Discipline::Ignored,
                Mld::Check => Discipline::Checked,
                Mld::Plain => Discipline::Plain,
                Mld::Use | Mld::Compose => Discipline::Used,
            },
            composed: judgement.mld == Mld::Compose,
            annotations: judgement.find.contains(&ErrorClass::Annotation),
            // The plain discipline wants to know them, whoever else does.
            races: judgement.find.contains(&ErrorClass::Race) || judgement.mld == Mld::Plain,
            hangs: match judgement.find.contains(&ErrorClass::Hang) {
                true => Hangs::AfterSteps,
                false => Hangs::Ignored,
            },
            progress: progress(image, judgement.progress)?,
            status_matters: judgement.find.contains(&ErrorClass::Exit),
            uninitialised: judgement.uninitialised,
            kept_locks: judgement.find.contains(&ErrorClass::LockKept),
            ..Options::default()
        };
        Ok(Self { image: Arc::clone(image), config, options })
    }

    /// The host's files, as all models of this program find them.
    pub fn host(&self) -> &Host {
        &self.config.host
    }

    /// Makes a model that knows nothing yet.
    pub fn program(&self) -> anyhow::Result<Program> {
        Program::new(Arc::clone(&self.image), self.config.clone(), self.options.clone())
            .with_context(|| format!("{} cannot be started", self.image.name))
    }

    /// The same for one of which something is claimed.
    pub fn program_claimed(
        &self,
        plan: &ClaimPlan,
        known: &str,
    ) -> anyhow::Result<(Program, Option<Claimed>)> {
        let mut program = self.program()?;
        let claimed = Claimed::understand(&mut program, plan)?;
        learn(&program, known)?;
        Ok((program, claimed))
    }

    /// Makes a model that makes the same steps as the one that wrote what is known.
    pub fn program_with(&self, known: &str) -> anyhow::Result<Program> {
        let program = self.program()?;
        learn(&program, known)?;
        Ok(program)
    }
}

/// The instructions with which lines begin that are progress.
fn progress(image: &Image, lines: &[String]) -> anyhow::Result<Vec<u32>> {
    let mut addresses = Vec::new();
    for text in lines {
        let place = text.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
        let Some((file, line)) = place else {
            bail!("--progress-line {text}: a file and a line are meant, such as main.c:17");
        };
        let starts = line_starts(image, file, line);
        addresses.extend(starts.map_err(|why| anyhow!("--progress-line {text}: {why}"))?);
    }
    Ok(addresses)
}

fn learn(program: &Program, known: &str) -> anyhow::Result<()> {
    program.learn(known).map_err(|why| anyhow!("what is shared cannot be understood: {why}"))
}
