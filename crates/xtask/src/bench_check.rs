//! One `steam check` of a benchmark program: compiled, run, and what it took.
//!
//! Time is user CPU time of the whole process, start-up included, as the kernel accounts it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::bench_head;

/// Clock ticks in a second of `/proc/PID/stat`: constant on Linux for x86.
const TICKS: f64 = 100.0;

/// What one check found and took.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// `no-error`, `violation` or `unknown`.
    pub result: String,
    /// Kind of the first error, where there is one.
    pub kind: Option<String>,
    /// States of the last round.
    pub states: u64,
    /// Executions of the last round, of a search without a store.
    pub executions: Option<u64>,
    /// Steps of the last round.
    pub steps: u64,
    /// Rounds of the search; the time is that of all of them.
    pub iterations: u64,
    /// User CPU seconds of the process.
    pub user: f64,
    /// Seconds on the clock.
    pub wall: f64,
    /// Peak of resident memory in bytes.
    pub peak: u64,
    /// Bytes of the visited store.
    pub store: u64,
    /// Whether a limit ended it.
    pub truncated: bool,
}

/// Compiles `samples/bench/{source}.c`, which may lie beside that folder, with `-DNAME=VALUE` for each definition; or a
/// source with an extension of its own, such as `.cc`.
pub fn compile(root: &Path, source: &str, definitions: &[(&str, u64)]) -> Result<PathBuf, String> {
    let directory = root.join("target/bench");
    fs::create_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut name = source.trim_start_matches("../").replace('/', "-");
    let compiler = if source.ends_with(".cc") { "g++" } else { "gcc" };
    let mut command = Command::new(compiler);
    command.args(["-m32", "-O1", "-g", "-static", "-pthread"]);
    for (key, value) in definitions {
        name += &format!("-{value}");
        command.arg(format!("-D{key}={value}"));
    }
    let program = directory.join(name);
    let has_extension = Path::new(source).extension().is_some();
    let extension = if has_extension { "" } else { ".c" };
    let source = root.join(format!("samples/bench/{source}{extension}"));
    let status = command.arg("-o").arg(&program).arg(&source).status();
    let status = status.map_err(|error| format!("{compiler}: {error}; run toolchain/setup"))?;
    let failed = || format!("{compiler} could not compile {}", source.display());
    if status.success() { Ok(program) } else { Err(failed()) }
}

/// Checks a program and reads the report. A check that a limit ends is a measurement too.
pub fn check(steam: &Path, program: &Path, options: &[&str]) -> Result<Measurement, String> {
    check_with(steam, program, options, &[])
}

/// The same for a program, or its source, with arguments.
pub fn check_with(
    steam: &Path,
    program: &Path,
    options: &[&str],
    arguments: &[&str],
) -> Result<Measurement, String> {
    let before = children_user_seconds()?;
    let start = Instant::now();
    let output = Command::new(steam)
        .args(["check", "--find", "assert,deadlock,memory,misuse,uncaught,divergence"])
        .args(["--format", "json", "--progress", "none", "--trail"])
        .arg(program.with_extension("trail"))
        .args(options)
        .arg(program)
        .arg("--")
        .args(arguments)
        .output()
        .map_err(|error| format!("{}: {error}", steam.display()))?;
    let wall = start.elapsed();
    let user = children_user_seconds()? - before;
    let text = String::from_utf8_lossy(&output.stdout);
    read_report(&text, user, wall).ok_or_else(|| {
        let error = String::from_utf8_lossy(&output.stderr);
        format!("steam check {} gave no report ({}): {error}", program.display(), output.status)
    })
}

/// A check that takes longer than this many seconds is not repeated.
const LONG: f64 = 10.0;

/// The check with the least user time of several, or the only one if it is long.
pub fn best(
    steam: &Path,
    program: &Path,
    options: &[&str],
    runs: usize,
) -> Result<Measurement, String> {
    let mut least = check(steam, program, options)?;
    let again = if least.user > LONG { 1 } else { runs };
    for _ in 1..again {
        let next = check(steam, program, options)?;
        if (&next.result, next.states, next.steps) != (&least.result, least.states, least.steps) {
            return Err(format!("{}: two checks differ: {least:?}, {next:?}", program.display()));
        }
        if next.user < least.user {
            least = next;
        }
    }
    Ok(least)
}

/// Makes several kinds of check in turns, so that all of them run beside the same load; of each kind the
/// one with the least user time.
pub fn least_in_turns(
    turns: usize,
    kinds: &[&[&str]],
    check: impl Fn(&[&str]) -> Result<Measurement, String>,
) -> Result<Vec<Measurement>, String> {
    let mut least: Vec<Measurement> =
        kinds.iter().map(|options| check(options)).collect::<Result<_, _>>()?;
    for _ in 1..turns {
        for (options, known) in kinds.iter().zip(&mut least) {
            let next = check(options)?;
            if next.user < known.user {
                *known = next;
            }
        }
    }
    Ok(least)
}

/// The binary of the same profile as this one: both lie in the same directory.
pub fn steam_binary(root: &Path) -> Result<PathBuf, String> {
    let beside = std::env::current_exe().ok().and_then(|path| Some(path.parent()?.join("steam")));
    let candidates = [beside, Some(root.join("target/release/steam"))];
    let found = candidates.into_iter().flatten().find(|path| path.exists());
    found.ok_or_else(|| "no steam binary: cargo build --release -p steam-cli".to_owned())
}

/// Prints a page and writes it, with the machine below the title, and its load before and after
/// measuring if that is known.
pub fn publish(
    root: &Path,
    path: &str,
    title: &str,
    before: Option<&str>,
    text: &str,
) -> Result<(), String> {
    let mut page = format!("# {title}\n\n");
    for line in bench_head::describe() {
        page += &format!("- {line}\n");
    }
    if let Some(before) = before {
        page += &format!("- load averages: {before} before, {} after\n", steam_host::load());
    }
    page += &format!("\n{text}");
    println!("{page}");
    let file = root.join(path);
    fs::write(&file, page).map_err(|error| format!("{}: {error}", file.display()))?;
    println!("written to {path}");
    Ok(())
}

fn read_report(text: &str, user: f64, wall: Duration) -> Option<Measurement> {
    let stats = &text[text.rfind("\"stats\":{")?..];
    let violations = &text[text.find("\"violations\":[")?..];
    let kind = violations.find("]").filter(|end| *end > "\"violations\":[".len());
    // Beside an error the statistics say what a limit left out.
    let truncated = match word(text, "result")?.as_str() {
        "no-error" => false,
        "violation" => !stats.contains("\"truncated\":[]"),
        _ => true,
    };
    Some(Measurement {
        result: word(text, "result")?,
        kind: kind.and_then(|_| word(violations, "kind")),
        states: number(stats, "states")?,
        executions: number(stats, "executions"),
        steps: number(stats, "transitions")?,
        iterations: number(stats, "iterations")?,
        user,
        wall: wall.as_secs_f64(),
        peak: number(stats, "peak_bytes")?,
        store: number(stats, "store_bytes")?,
        truncated,
    })
}

fn word(text: &str, key: &str) -> Option<String> {
    let rest = text.split_once(&format!("\"{key}\":\""))?.1;
    Some(rest.split_once('"')?.0.to_owned())
}

fn number(text: &str, key: &str) -> Option<u64> {
    let rest = text.split_once(&format!("\"{key}\":"))?.1;
    let end = rest.find(|c: char| !c.is_ascii_digit())?;
    rest[..end].parse().ok()
}

/// User time of all children that have ended: field 16 of `/proc/self/stat`.
fn children_user_seconds() -> Result<f64, String> {
    let text = fs::read_to_string("/proc/self/stat").map_err(|error| error.to_string())?;
    parse_children_user(&text).ok_or_else(|| "/proc/self/stat: no times".to_owned())
}

fn parse_children_user(text: &str) -> Option<f64> {
    // The name in parentheses may hold blanks; the state, field 3, stands after it.
    let fields = text.rsplit_once(')')?.1;
    Some(fields.split_whitespace().nth(13)?.parse::<u64>().ok()? as f64 / TICKS)
}

#[cfg(test)]
pub mod tests {
    use std::cell::Cell;

    use super::*;

    /// A check that found nothing.
    pub fn measured(states: u64, user: f64, truncated: bool) -> Measurement {
        Measurement {
            result: "no-error".to_owned(),
            kind: None,
            states,
            executions: None,
            steps: 0,
            iterations: 1,
            user,
            wall: user,
            peak: 0,
            store: 0,
            truncated,
        }
    }

    #[test]
    fn the_least_of_each_kind_counts() {
        let turn = Cell::new(0);
        let times = [5.0, 2.0, 4.0, 3.0, 6.0, 1.0];
        let check = |_: &[&str]| Ok(measured(1, times[turn.replace(turn.get() + 1)], false));
        let least = least_in_turns(3, &[&[], &["--x"]], check).unwrap();
        assert_eq!(least.iter().map(|it| it.user).collect::<Vec<_>>(), [4.0, 1.0]);
        assert!(least_in_turns(2, &[&[]], |_| Err("no steam".to_owned())).is_err());
    }

    #[test]
    fn a_report_is_read() {
        let text = r#"{"verdict":{"result":"violation","complete":false},"violations":[{"id":"x",
            "kind":"deadlock"}],"stats":{"states":12,"transitions":34,"iterations":2,
            "peak_bytes":56,"store_bytes":48,"truncated":[]}}"#;
        let read = read_report(text, 1.5, Duration::from_secs(2)).unwrap();
        assert_eq!((read.states, read.steps, read.iterations), (12, 34, 2));
        assert_eq!((read.peak, read.store), (56, 48));
        assert_eq!((read.result.as_str(), read.kind.as_deref()), ("violation", Some("deadlock")));
        assert!(!read.truncated);
        let cut = text.replace("[]}}", "[\"what comes after 60 s\"]}}");
        assert!(read_report(&cut, 0.0, Duration::ZERO).unwrap().truncated);
        let clean = text.replace("{\"id\":\"x\",\n            \"kind\":\"deadlock\"}", "");
        assert_eq!(read_report(&clean, 0.0, Duration::ZERO).unwrap().kind, None);
        assert_eq!(read_report("steam: no such file", 0.0, Duration::ZERO), None);
    }

    #[test]
    fn times_stand_behind_the_name() {
        let text = "7 (a b) c) S 1 2 3 4 5 6 7 8 9 10 111 12 250 14 20";
        assert_eq!(parse_children_user(text), Some(2.5));
        assert_eq!(parse_children_user("7 (x) S 1"), None);
    }
}
