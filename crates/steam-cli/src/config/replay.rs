//! The plan of `steam replay`: the trail file says what is to be run, and how.

use std::ffi::{OsStr, OsString};
use std::num::ParseIntError;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::ValueEnum;
use steam_check::ErrorClass;
use steam_compile::Build;
use steam_trail::{Follow, Trail, file};

use super::claims::{CLAIM, ClaimPlan, SETTINGS};
use super::output::{OutputPlan, output};
use super::{Files, Guest, Program};
use crate::args::check::{Atomic, ReplayArguments};
use crate::input_file;

/// The longest trail file that is read.
const LARGEST: u64 = 1 << 30;

/// The name of the setting that tells what had been learned of shared memory.
pub const SHARED: &str = "shared";

/// The name of the setting that keeps the digest of a file that the program reads.
pub const FILE: &str = "file";

/// What `steam replay` is to do.
#[derive(Debug, PartialEq, Eq)]
pub struct ReplayPlan {
    /// The recorded trail.
    pub trail: Trail,
    /// Where the program comes from.
    pub program: Program,
    /// What the guest gets; without a file its standard input is empty.
    pub guest: Guest,
    /// What one step is.
    pub atomic: Atomic,
    /// What counted as an error.
    pub find: Vec<ErrorClass>,
    /// Whether waits may end without a signal.
    pub spurious: bool,
    /// Whether the clock stands still.
    pub still: bool,
    /// Instructions of one step after which it is taken to go on for ever.
    pub divergence: u64,
    /// In how many successive states a thread may wait.
    pub livelock: Option<u32>,
    /// Lines that are progress.
    pub progress_lines: Vec<String>,
    /// What was claimed of the program.
    pub claims: ClaimPlan,
    /// Which of the claims the trail breaks.
    pub claim: Option<usize>,
    /// What had been learned of shared memory when the trail was found.
    pub shared: String,
    /// What of each step must agree.
    pub follow: Follow,
    /// Expressions whose values are shown along the way.
    pub print: Vec<String>,
    /// What is printed.
    pub output: OutputPlan,
}

/// Makes the plan of `steam replay`.
pub fn replay(typed: ReplayArguments) -> anyhow::Result<ReplayPlan> {
    let trail = read(&typed.trail)?;
    let follow = if typed.loose { Follow::Lines } else { Follow::Code };
    let output = output(&typed.output, false);
    plan(trail, typed.program, follow, output)
        .map(|plan| ReplayPlan { print: typed.print, ..plan })
        .with_context(|| format!("{} cannot be replayed", typed.trail.display()))
}

/// Reads a trail file.
pub fn read(path: &Path) -> anyhow::Result<Trail> {
    let bytes = input_file::read(path, LARGEST)?;
    file::parse(&bytes).with_context(|| path.display().to_string())
}

/// Makes the plan of following a trail.
pub fn plan(
    trail: Trail,
    other: Option<PathBuf>,
    follow: Follow,
    output: OutputPlan,
) -> anyhow::Result<ReplayPlan> {
    check_names(&trail)?;
    let program = match other {
        Some(path) => Program::Executable(path),
        None => recorded_program(&trail)?,
    };
    // The guest's own name stays the recorded one, whatever is run: it is part of its state.
    let mut arguments = vec![trail.program.clone().into_bytes()];
    arguments.extend(trail.arguments.iter().cloned());
    let environment = trail.settings_named("env").map(<[u8]>::to_vec).collect();
    let stdin = trail.settings_named("stdin").next().map(path);
    let files = trail.settings_named("files").next().map(OsStr::from_bytes);
    let files = files.map(Files::named).transpose()?.unwrap_or_default();
    let find = trail.settings_named("find").map(class).collect::<anyhow::Result<_>>()?;
    let spurious = trail.settings_named("spurious").next().is_some();
    let still = trail.settings_named("clock").next().is_some();
    Ok(ReplayPlan {
        guest: Guest { arguments, environment, stdin, files },
        atomic: choice(trail.atomic.as_bytes())?,
        find,
        spurious,
        still,
        divergence: number(&trail, "divergence")?.unwrap_or(100_000_000),
        livelock: number(&trail, "livelock")?,
        progress_lines: trail
            .settings_named("progress-line")
            .map(|value| String::from_utf8_lossy(value).into_owned())
            .collect(),
        claims: ClaimPlan::of(&trail),
        claim: number(&trail, CLAIM)?,
        shared: shared(&trail),
        program,
        follow,
        print: Vec::new(),
        output,
        trail,
    })
}

/// A setting that is not understood might change what the program does.
fn check_names(trail: &Trail) -> anyhow::Result<()> {
    const KNOWN: [&str; 14] = [
        "input",
        "cc",
        "cflag",
        "env",
        "stdin",
        "divergence",
        "find",
        "spurious",
        "clock",
        "livelock",
        "progress-line",
        "files",
        FILE,
        SHARED,
    ];
    let is_known = |name: &str| KNOWN.contains(&name) || SETTINGS.contains(&name);
    match trail.settings.iter().find(|setting| !is_known(&setting.name)) {
        Some(setting) => bail!("the setting `{}` is not known to this steam", setting.name),
        None => Ok(()),
    }
}

fn recorded_program(trail: &Trail) -> anyhow::Result<Program> {
    let inputs: Vec<PathBuf> = trail.settings_named("input").map(path).collect();
    if inputs.is_empty() {
        return Ok(Program::Executable(trail.program.clone().into()));
    }
    for input in &inputs {
        input_file::is_regular(input)?;
    }
    let compiler = trail.settings_named("cc").next();
    let flags = trail.settings_named("cflag").map(|flag| OsString::from_vec(flag.to_vec()));
    Ok(Program::Build(Build {
        inputs,
        compiler: compiler.map(|name| String::from_utf8_lossy(name).into_owned()),
        flags: flags.collect(),
    }))
}

fn path(bytes: &[u8]) -> PathBuf {
    OsStr::from_bytes(bytes).into()
}

fn choice<C: ValueEnum>(bytes: &[u8]) -> anyhow::Result<C> {
    let text = String::from_utf8_lossy(bytes);
    C::from_str(&text, false).map_err(|_| not_known(&text))
}

fn class(bytes: &[u8]) -> anyhow::Result<ErrorClass> {
    let text = String::from_utf8_lossy(bytes);
    ErrorClass::named(&text).ok_or_else(|| not_known(&text))
}

fn not_known(text: &str) -> anyhow::Error {
    anyhow::anyhow!("`{text}` is not known to this steam")
}

fn number<T>(trail: &Trail, name: &str) -> anyhow::Result<Option<T>>
where
    T: FromStr<Err = ParseIntError>,
{
    let Some(value) = trail.settings_named(name).next() else { return Ok(None) };
    let text = String::from_utf8_lossy(value);
    let number = text.parse();
    number.map(Some).with_context(|| format!("the setting `{name}` is no number: {text}"))
}

/// What had been learned of shared memory when a trail was found.
pub fn shared(trail: &Trail) -> String {
    let parts = trail.settings_named(SHARED).map(|part| String::from_utf8_lossy(part).into_owned());
    parts.collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Arguments, Command};
    use crate::config::check::{CheckPlan, check};
    use clap::Parser;
    use steam_trail::Setting;

    fn checked(words: &[&str]) -> CheckPlan {
        let words = ["steam", "check"].iter().chain(words);
        match Arguments::try_parse_from(words).unwrap().command {
            Command::Check(typed) => check(*typed).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    fn recorded(plan: &CheckPlan) -> Trail {
        Trail {
            program: String::from_utf8(plan.guest.arguments[0].clone()).unwrap(),
            sha256: "0".repeat(64),
            arguments: plan.guest.arguments[1..].to_vec(),
            atomic: plan.configuration().atomic,
            settings: plan.settings(),
            ..Trail::default()
        }
    }

    fn replayed(trail: Trail) -> anyhow::Result<ReplayPlan> {
        let text = file::write(&trail);
        let trail = file::parse(text.as_bytes())?;
        let output = checked(&["p"]).output;
        plan(trail, None, Follow::Code, output)
    }

    /// What a check is told comes back through a trail file.
    #[test]
    fn a_trail_remembers_the_check() {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let copy = std::env::temp_dir().join(format!("steam replay {}.c", std::process::id()));
        std::fs::copy(source, &copy).unwrap();
        let input = copy.to_str().unwrap();
        let words = [
            "--env",
            "A=b c",
            "--stdin",
            source,
            "--spurious",
            "--still-clock",
            "--divergence",
            "77",
            "--no-lgc",
            "--find",
            "assert,exit",
            "--cc",
            "clang",
            "--cflags",
            "-O2 '-DX=a b'",
            input,
            "--",
            "é \"x\"",
        ];
        let old = checked(&words);
        let new = replayed(recorded(&old));
        std::fs::remove_file(&copy).unwrap();
        let new = new.unwrap();
        assert_eq!(new.program, old.program);
        assert_eq!(new.guest, old.guest);
        assert_eq!((new.atomic, new.find), (old.atomic, old.find));
        assert_eq!((new.spurious, new.still, new.divergence), (true, true, 77));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        let refusal = |name: &str, value: &[u8]| {
            let mut trail = recorded(&checked(&["p"]));
            trail.settings = vec![Setting { name: name.into(), value: value.to_vec() }];
            replayed(trail).map(|plan| panic!("{plan:?}")).unwrap_err().to_string()
        };
        assert_eq!(refusal("weather", b"fine"), "the setting `weather` is not known to this steam");
        assert_eq!(refusal("find", b"bugs"), "`bugs` is not known to this steam");
        assert!(refusal("divergence", b"x").contains("no number"));
        assert!(refusal("input", b"no such file.c").contains("cannot read no such file.c"));
    }

    #[test]
    fn a_file_that_is_no_trail_is_refused_by_its_line() {
        let this = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        let message = format!("{:#}", read(this).unwrap_err());
        assert!(message.contains("Cargo.toml: line 1: expected `steam-trail 1`"), "{message}");
        assert!(read(Path::new("/dev/zero")).is_err());
    }
}
