//! The one codec between a scenario and the settings of a trail: a row for each setting, written and read.

use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::str::FromStr;

use steam_compile::Build;
use steam_trail::{Setting, Trail};

use crate::choice::Choice;
use crate::config::{ClaimTexts, Config, Judgement, Scenario};
use crate::error::Error;
use crate::executable::Origin;
use crate::guest::{Files, Guest};

/// The setting that says what had been learned of shared memory.
const SHARED: &str = "shared";
/// The setting that keeps the digest of a file that the program reads.
const FILE: &str = "file";
/// The setting that says which claim a trail breaks.
const CLAIM: &str = "claim";

/// A setting of a trail.
struct Row {
    name: &'static str,
    /// Its values, where the scenario is not the usual one.
    write: fn(&Scenario) -> Vec<Vec<u8>>,
    /// Takes over a value.
    read: fn(&mut Scenario, &[u8]) -> Result<(), Error>,
}

/// A row: its name, the values of a scenario, and what a value changes in one.
macro_rules! row {
    ($name:literal, |$from:ident| $values:expr, |$into:ident, $value:ident| $change:expr) => {
        Row {
            name: $name,
            write: |$from| $values,
            read: |$into, $value| {
                $change;
                Ok(())
            },
        }
    };
}

/// What a replay must know beside the schedule, in the order in which it is written.
const ROWS: [Row; 15] = [
    row! { "input",
        |it| built(it, |build| build.inputs.iter().map(bytes).collect()),
        |it, value| to_build(it).inputs.push(path(value))
    },
    row! { "cc",
        |it| built(it, |build| build.compiler.iter().map(bytes).collect()),
        |it, value| to_build(it).compiler = Some(text(value))
    },
    row! { "cflag",
        |it| built(it, |build| build.flags.iter().map(bytes).collect()),
        |it, value| to_build(it).flags.push(OsString::from_vec(value.to_vec()))
    },
    row! { "env",
        |it| it.guest.environment.clone(),
        |it, value| it.guest.environment.push(value.to_vec())
    },
    row! { "stdin",
        |it| it.guest.stdin.iter().map(bytes).collect(),
        |it, value| it.guest.stdin = Some(path(value))
    },
    row! { "files",
        |it| it.guest.files.setting().map(<[u8]>::to_vec).into_iter().collect(),
        |it, value| it.guest.files = Files::named(OsStr::from_bytes(value))?
    },
    row! { "divergence",
        |it| it.judgement.divergence.into_iter().map(digits).collect(),
        |it, value| it.judgement.divergence = Some(number("divergence", value)?)
    },
    row! { "find",
        |it| it.judgement.find.iter().map(|class| bytes(class.name())).collect(),
        |it, value| it.judgement.find.push(chosen(value)?)
    },
    row! { "spurious",
        |it| flag(it.judgement.spurious, "on"),
        |it, _value| it.judgement.spurious = true
    },
    row! { "clock",
        |it| flag(it.judgement.still, "still"),
        |it, _value| it.judgement.still = true
    },
    row! { "livelock",
        |it| it.judgement.livelock.into_iter().map(digits).collect(),
        |it, value| it.judgement.livelock = Some(number("livelock", value)?)
    },
    row! { "progress-line",
        |it| it.judgement.progress_lines.iter().map(bytes).collect(),
        |it, value| it.judgement.progress_lines.push(text(value))
    },
    row! { "invariant",
        |it| it.claims.invariants.iter().map(bytes).collect(),
        |it, value| it.claims.invariants.push(text(value))
    },
    row! { "ltl",
        |it| it.claims.formulas.iter().map(bytes).collect(),
        |it, value| it.claims.formulas.push(text(value))
    },
    row! { "automaton",
        |it| it.claims.automata.iter().map(automaton_value).collect(),
        |it, value| it.claims.automata.push(automaton(text(value)))
    },
];

/// Settings that say nothing of the scenario.
const BESIDE: [&str; 3] = [SHARED, FILE, CLAIM];

/// What of a trail says how the program is built, and what was found on the way: it may differ between two
/// trails of the same executable.
const OF_BUILD: [&str; 5] = ["input", "cc", "cflag", SHARED, FILE];

fn built(scenario: &Scenario, values: impl Fn(&Build) -> Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    match &scenario.origin {
        Origin::Build(build) => values(build),
        Origin::Executable(_) => Vec::new(),
    }
}

fn to_build(scenario: &mut Scenario) -> &mut Build {
    if let Origin::Executable(_) = scenario.origin {
        scenario.origin = Origin::Build(Build::default());
    }
    match &mut scenario.origin {
        Origin::Build(build) => build,
        Origin::Executable(_) => unreachable!("it has just become one that is built"),
    }
}

fn bytes(text: &(impl AsRef<OsStr> + ?Sized)) -> Vec<u8> {
    text.as_ref().as_bytes().to_vec()
}

fn digits(number: impl Display) -> Vec<u8> {
    number.to_string().into_bytes()
}

fn flag(is_set: bool, value: &str) -> Vec<Vec<u8>> {
    is_set.then(|| bytes(value)).into_iter().collect()
}

fn automaton_value((name, text): &(String, String)) -> Vec<u8> {
    format!("{name}\n{text}").into_bytes()
}

fn automaton(value: String) -> (String, String) {
    match value.split_once('\n') {
        Some((name, text)) => (name.to_owned(), text.to_owned()),
        None => (String::new(), value),
    }
}

fn text(value: &[u8]) -> String {
    String::from_utf8_lossy(value).into_owned()
}

fn path(value: &[u8]) -> PathBuf {
    OsStr::from_bytes(value).into()
}

fn chosen<C: Choice>(value: &[u8]) -> Result<C, Error> {
    let text = text(value);
    C::named(&text).ok_or_else(|| Error::Trail(format!("`{text}` is not known to this steam")))
}

fn number<T: FromStr<Err: Display>>(name: &str, value: &[u8]) -> Result<T, Error> {
    let text = text(value);
    text.parse().map_err(|error| {
        Error::Trail(format!("the setting `{name}` is no number: {text}: {error}"))
    })
}

/// What a trail keeps beside its schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The program, and what its steps mean.
    pub scenario: Scenario,
    /// What had been learned of shared memory when the trail was found.
    pub known: String,
    /// Which of the claims the trail breaks.
    pub claim: Option<usize>,
}

impl Kept {
    /// The same for a program that comes from elsewhere.
    pub fn by(mut self, origin: Origin) -> Self {
        self.scenario.origin = origin;
        self
    }

    /// Reads what a trail keeps. A setting that is not understood might change what the program does, so it is
    /// refused.
    pub fn of(trail: &Trail) -> Result<Self, Error> {
        let mut scenario = without_settings(trail)?;
        for Setting { name, value } in &trail.settings {
            match ROWS.iter().find(|row| row.name == name) {
                Some(row) => (row.read)(&mut scenario, value)?,
                None if BESIDE.contains(&name.as_str()) => {}
                None => {
                    let why = format!("the setting `{name}` is not known to this steam");
                    return Err(Error::Trail(why));
                }
            }
        }
        if to_build_of_nothing(&scenario.origin) {
            scenario.origin = Origin::Executable(trail.program.clone().into());
        }
        let claim = trail.settings_named(CLAIM).next();
        let claim = claim.map(|value| number(CLAIM, value)).transpose()?;
        Ok(Self { scenario, known: known(trail), claim })
    }
}

/// What a trail says in its first line.
fn without_settings(trail: &Trail) -> Result<Scenario, Error> {
    // The guest's own name stays the recorded one, whatever is run: it is part of its state.
    let mut arguments = vec![trail.program.clone().into_bytes()];
    arguments.extend(trail.arguments.iter().cloned());
    let atomic = chosen(trail.atomic.as_bytes())?;
    Ok(Scenario {
        origin: Origin::Executable(trail.program.clone().into()),
        guest: Guest { arguments, ..Guest::default() },
        judgement: Judgement { atomic, find: Vec::new(), ..Judgement::default() },
        claims: ClaimTexts::default(),
    })
}

/// Whether a trail names a compiler, or flags, and nothing to compile.
fn to_build_of_nothing(origin: &Origin) -> bool {
    matches!(origin, Origin::Build(build) if build.inputs.is_empty())
}

/// What had been learned of shared memory when a trail was found.
pub fn known(trail: &Trail) -> String {
    trail.settings_named(SHARED).map(text).collect::<Vec<String>>().join(" ")
}

/// Makes a trail say that something else had been learned of shared memory.
pub fn set_known(trail: &mut Trail, known: String) {
    trail.settings.retain(|setting| setting.name != SHARED);
    if !known.is_empty() {
        trail.settings.push(setting(SHARED, known.into_bytes()));
    }
}

/// The claims that a trail breaks, by number; there is at most one.
pub(crate) fn broken_claims(trail: &Trail) -> impl Iterator<Item = usize> {
    trail.settings_named(CLAIM).filter_map(|value| number(CLAIM, value).ok())
}

/// The setting that says which claim a trail breaks.
pub(crate) fn claim_setting(claim: u32) -> Setting {
    setting(CLAIM, digits(claim))
}

/// The setting that keeps the digest of a file that the program reads.
pub(crate) fn file_setting(digest: &str, path: &[u8]) -> Setting {
    setting(FILE, [digest.as_bytes(), b" ", path].concat())
}

/// The digest and the path of each file that the program read when a trail was made.
pub(crate) fn files_of(trail: &Trail) -> impl Iterator<Item = (&[u8], &[u8])> {
    trail.settings_named(FILE).filter_map(|value| {
        let at = value.iter().position(|&byte| byte == b' ')?;
        Some((&value[..at], &value[at + 1..]))
    })
}

fn setting(name: &str, value: Vec<u8>) -> Setting {
    Setting { name: name.to_owned(), value }
}

/// Whether two trails of an executable were made with the same arguments and options.
pub fn have_same_conditions(one: &Trail, other: &Trail) -> bool {
    let settings = |trail: &'_ Trail| -> Vec<Setting> {
        let is_condition = |it: &&Setting| !OF_BUILD.contains(&it.name.as_str());
        trail.settings.iter().filter(is_condition).cloned().collect()
    };
    one.arguments == other.arguments
        && one.atomic == other.atomic
        && settings(one) == settings(other)
}

/// The trail of a configuration, without steps; `known` is what was learned of shared memory.
pub fn record(config: &Config, sha256: &str, known: String) -> Trail {
    let scenario = &config.scenario;
    let settings = ROWS
        .iter()
        .flat_map(|row| (row.write)(scenario).into_iter().map(|value| setting(row.name, value)));
    let (name, arguments) = match scenario.guest.arguments.split_first() {
        Some((name, arguments)) => (text(name), arguments.to_vec()),
        None => Default::default(),
    };
    let mut trail = Trail {
        program: name,
        sha256: sha256.to_owned(),
        arguments,
        seed: config.search.seed,
        atomic: scenario.judgement.atomic.name().to_owned(),
        settings: settings.collect(),
        ..Trail::default()
    };
    set_known(&mut trail, known);
    trail
}
