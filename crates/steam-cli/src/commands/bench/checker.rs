//! Each check of a benchmark is a process of its own, so that its memory is its own as well.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use steam_bench::{Check, Checker, Ending, Limits, Method, Model, ScaledBy, Suite, read_report};
use steam_compile::{Build, InputKind, Scratch};

use crate::config::split_words;
use crate::executable::compile_to;

/// How often a check is looked after.
const INTERVAL: Duration = Duration::from_millis(5);
/// What a check may take beyond its limit, to tell what it found.
const GRACE: Duration = Duration::from_secs(60);

/// Runs the checks of a suite.
pub struct Checks<'a> {
    steam: PathBuf,
    scratch: Scratch,
    base: &'a Path,
    /// What is compiled already: by model, and by scale where that is compiled in.
    programs: Mutex<HashMap<(String, Option<u32>), PathBuf>>,
    stop: &'a AtomicBool,
    next: AtomicU32,
}

impl<'a> Checks<'a> {
    /// Compiles the models of a suite, but for those whose scale is compiled in.
    pub fn prepare(suite: &Suite, base: &'a Path, stop: &'a AtomicBool) -> anyhow::Result<Self> {
        let steam = std::env::current_exe().context("steam does not find itself")?;
        let (programs, next) = (Mutex::default(), AtomicU32::new(0));
        let checks = Self { steam, scratch: Scratch::new()?, base, programs, stop, next };
        for model in suite.models.iter().filter(|model| model.scaled_by == ScaledBy::Argument) {
            checks.program(model, None)?;
        }
        Ok(checks)
    }

    /// The program of a model, for a scale that is compiled in or for all.
    fn program(&self, model: &Model, scale: Option<u32>) -> anyhow::Result<PathBuf> {
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (model.name.clone(), scale);
        if let Some(program) = programs.get(&key) {
            return Ok(program.clone());
        }
        let output = self.scratch.file(format!("{}.elf", programs.len()));
        let program = prepare(model, self.base, scale, output)
            .with_context(|| format!("model {}", model.name))?;
        programs.insert(key, program.clone());
        Ok(program)
    }

    /// Whether nothing more is to be checked.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn run(
        &self,
        model: &Model,
        method: &Method,
        scale: u32,
        limits: &Limits,
    ) -> anyhow::Result<Check> {
        let compiled = (model.scaled_by == ScaledBy::Define).then_some(scale);
        let program = self.program(model, compiled)?;
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let [report, trail, errors] = ["json", "trail", "errors"]
            .map(|ending| self.scratch.file(format!("{number}.{ending}")));
        let mut command = Command::new(&self.steam);
        command.arg("check").arg(&program).args(method.options());
        // Races are found in every order of search, and end none.
        command.args(["--find", "assert,deadlock,memory,misuse,uncaught,divergence"]);
        // What random runs find is no merit of the method.
        command
            .args(["--pilots", "learn", "--format", "json", "--progress", "none", "-o"])
            .arg(&report);
        command.arg("--trail").arg(&trail);
        command.arg("--timeout").arg(format!("{}ms", limits.time.as_millis()));
        command.arg("--memory").arg(limits.memory.to_string());
        if compiled.is_none() {
            command.arg("--").arg(scale.to_string());
        }
        let complaints = File::create(&errors).with_context(|| errors.display().to_string())?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(complaints);
        let child = command.spawn().with_context(|| self.steam.display().to_string())?;
        let check = match self.wait(child, limits.time + GRACE)? {
            true => {
                let text = std::fs::read_to_string(&report).unwrap_or_default();
                read_report(scale, model.error.as_deref(), &text).map_err(|error| {
                    let said = std::fs::read_to_string(&errors).unwrap_or_default();
                    anyhow::anyhow!("{} at scale {scale}: {error}\n{}", model.name, said.trim_end())
                })
            }
            false => Ok(Check::without_figures(scale, Ending::Time)),
        };
        for file in [report, trail, errors] {
            let _ = std::fs::remove_file(file);
        }
        check
    }

    /// Waits for a check; says whether it ended by itself. It is ended when it goes on far beyond
    /// its limit, or when the user stops the benchmark.
    fn wait(&self, mut child: Child, longest: Duration) -> anyhow::Result<bool> {
        let start = Instant::now();
        while child.try_wait()?.is_none() {
            if self.stopped() || start.elapsed() > longest {
                let _ = child.kill();
                child.wait()?;
                return Ok(false);
            }
            std::thread::sleep(INTERVAL);
        }
        Ok(true)
    }
}

impl Checker for Checks<'_> {
    fn check(
        &self,
        model: &Model,
        method: &Method,
        scale: u32,
        limits: &Limits,
    ) -> Result<Check, String> {
        self.run(model, method, scale, limits).map_err(|error| format!("{error:#}"))
    }

    fn stopped(&self) -> bool {
        Self::stopped(self)
    }
}

/// The program of a model: the file that it is, or what its sources are compiled to.
fn prepare(
    model: &Model,
    base: &Path,
    scale: Option<u32>,
    output: PathBuf,
) -> anyhow::Result<PathBuf> {
    let inputs: Vec<PathBuf> = model.inputs.iter().map(|input| base.join(input)).collect();
    if let [program] = inputs.as_slice()
        && InputKind::of(program) == InputKind::Other
    {
        std::fs::metadata(program).with_context(|| program.display().to_string())?;
        return Ok(program.clone());
    }
    let mut flags = split_words(&model.flags)?;
    flags.extend(scale.map(|scale| OsString::from(format!("-DN={scale}"))));
    compile_to(&Build { inputs, compiler: None, flags }, &output)?;
    Ok(output)
}
