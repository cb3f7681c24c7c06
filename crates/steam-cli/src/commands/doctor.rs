//! `steam doctor`: is everything there that steam needs, and if not, what to type.

use std::process::Command;
use std::sync::Arc;

use steam_compile::{Drivers, Language, PROBES, advice, install};
use steam_linux::kernel::Stream;
use steam_linux::syscalls::Output;
use steam_program::Ending;

use crate::args::DemoName;
use crate::commands::demo;
use crate::machine;
use crate::outcome::Outcome;
use crate::terminal;

/// One thing that was looked at.
struct Finding {
    good: bool,
    what: &'static str,
    text: String,
}

/// Looks at everything; with `fix`, installs what is missing first.
pub fn doctor(fix: bool) -> anyhow::Result<Outcome> {
    if fix && !install() {
        terminal::complain("not everything could be installed");
    }
    let mut findings = vec![machine()];
    let drivers = Drivers::choose(None);
    findings.push(compiler_there("C compiler", drivers.of(Language::C)));
    findings.push(compiler_there("C++ compiler", drivers.of(Language::Cxx)));
    for probe in PROBES {
        let what = match probe.language {
            Language::C => "32-bit C",
            Language::Cxx => "32-bit C++",
        };
        let driver = drivers.of(probe.language);
        let good = probe.links(driver);
        let verb = if good { "links" } else { "does not link" };
        let text = format!("{} {verb} static 32-bit programs", driver.join(" "));
        findings.push(Finding { good, what, text });
    }
    for finding in &findings {
        let word = if finding.good { "ok" } else { "missing" };
        terminal::print(&format!("{word:<8} {:<13} {}\n", finding.what, finding.text))?;
    }
    // The machine itself needs nothing from outside: only a compiler can be installed.
    if findings[1..].iter().any(|finding| !finding.good) {
        terminal::print(&format!("\nTo compile programs, type\n    {}\n", advice()))?;
    }
    let all = findings.iter().all(|finding| finding.good);
    Ok(if all { Outcome::Success } else { Outcome::UserError })
}

fn compiler_there(what: &'static str, driver: &[String]) -> Finding {
    let name = driver.join(" ");
    let version = driver.split_first().and_then(|(program, first)| {
        let output = Command::new(program).args(first).arg("--version").output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Some(text.lines().next().unwrap_or_default().to_owned())
    });
    match version {
        Some(version) => Finding { good: true, what, text: format!("{name}: {version}") },
        None => Finding { good: false, what, text: format!("{name} is not on the search path") },
    }
}

/// The embedded program is run; it is part of this binary, so a failure is our own.
fn machine() -> Finding {
    let what = "machine";
    match trial() {
        Ok(instructions) => {
            let text = format!("the embedded demo ran, {instructions} instructions");
            Finding { good: true, what, text }
        }
        Err(error) => Finding { good: false, what, text: format!("{error:#}") },
    }
}

fn trial() -> anyhow::Result<u64> {
    let image = Arc::new(demo::image()?);
    let guest = demo::guest(DemoName::Primes);
    let finished = machine::run_into(&image, &guest, false, &mut Silence)?;
    match finished.ending {
        Ending::Exited(0) => Ok(finished.instructions),
        ending => anyhow::bail!("the embedded demo ended wrongly: {ending:?}"),
    }
}

/// Output that is not wanted.
struct Silence;

impl Output for Silence {
    fn write(&mut self, _stream: Stream, _bytes: &[u8]) -> std::io::Result<()> {
        Ok(())
    }
}
