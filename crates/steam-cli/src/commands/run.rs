//! `steam run`: one run of a program in the machine, compiled first where sources are given.

use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::sync::Arc;

use anyhow::{Context, bail};
use steam_image::Image;
use steam_linux::Ending;

use super::cc;
use crate::compiler::{Drivers, InputKind, Language};
use crate::config::{Build, Program, RunPlan};
use crate::machine;
use crate::outcome::Outcome;
use crate::scratch::Scratch;
use crate::terminal;

const SIGPIPE: u8 = 13;

/// Runs the program of a plan.
pub fn run(plan: &RunPlan) -> anyhow::Result<Outcome> {
    let mut image = match &plan.program {
        Program::Executable(path) => {
            Image::read_file(path).with_context(|| path.display().to_string())?
        }
        Program::Build(build) => compile(build)?,
    };
    if let (Program::Build(_), [name, ..]) = (&plan.program, plan.guest.arguments.as_slice()) {
        // The compiled file is gone; the name that the guest sees is the one to speak of.
        image.name = String::from_utf8_lossy(name).into_owned();
    }
    let image = Arc::new(image);
    let finished = machine::run(&image, &plan.guest)?;
    if plan.count {
        terminal::note(&format!("instructions {}", finished.instructions));
        terminal::note(&format!("seconds {:.3}", finished.seconds));
    }
    let outcome = report(&finished.ending);
    explain_missing_lines(&image, outcome);
    Ok(outcome)
}

/// Says why a report has no source lines, where it has none.
fn explain_missing_lines(image: &Image, outcome: Outcome) {
    if matches!(outcome, Outcome::Violation | Outcome::Unknown | Outcome::Signal(_))
        && let Some(reason) = image.lines.missing()
    {
        terminal::complain(&format!("note: {reason}"));
    }
}

/// Says how the guest ended, where that is not its own business.
pub fn report(ending: &Ending) -> Outcome {
    match ending {
        // What a parent process would see of it.
        Ending::Exited(status) => Outcome::Status(*status as u8),
        // Nobody reads the guest's output any more, as behind `| head`: no error of the guest.
        Ending::Killed { signal: SIGPIPE, .. } => Outcome::BrokenPipe,
        Ending::Killed { signal, report } => {
            terminal::note(report.to_string().trim_end());
            Outcome::Signal(*signal)
        }
        Ending::Violation(report) => {
            terminal::note(report.to_string().trim_end());
            Outcome::Violation
        }
        Ending::Unknown(report) => {
            terminal::note(report.to_string().trim_end());
            Outcome::Unknown
        }
    }
}

/// Compiles into a private directory, which is gone before the guest starts.
fn compile(build: &Build) -> anyhow::Result<Image> {
    let scratch = Scratch::new()?;
    let output = scratch.file("program");
    let drivers = Drivers::choose(build.compiler.as_deref());
    let mut words: Vec<OsString> = build.inputs.iter().map(OsString::from).collect();
    words.extend(build.flags.iter().cloned());
    if build.inputs.iter().any(|input| InputKind::of(input) == InputKind::Object) {
        words.extend(cxx_library(&drivers));
    }
    words.extend(["-lm".into(), "-o".into(), output.clone().into_os_string()]);
    match cc::compile(&drivers, Language::C, &words)? {
        Outcome::Status(0) => {}
        Outcome::Status(status) => {
            bail!("the compiler failed with exit status {status}; nothing was run")
        }
        _ => bail!("the compiler was ended by a signal; nothing was run"),
    }
    Image::read_file(&output).context("the compiled program")
}

/// The library that objects need when they were C++ sources once; costs nothing otherwise.
fn cxx_library(drivers: &Drivers) -> Option<OsString> {
    let (program, first) = drivers.cxx.split_first()?;
    let output = Command::new(program)
        .args(first)
        .args(["-m32", "-print-file-name=libstdc++.a"])
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let path = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    // A library that was not found is answered with its bare name.
    path.contains('/').then(|| path.into())
}
