//! Gives out what a check found: trail files, then the report. A place that cannot be written costs
//! nothing else: a trail goes to the temporary directory then, a report to standard output, and an error
//! of the program keeps its exit status.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use steam_trail::render::{human, json, short};
use steam_trail::{Report, Trail, file};

use crate::args::check::Format;
use crate::config::check::CheckPlan;
use crate::config::output::OutputPlan;
use crate::outcome::Outcome;
use crate::terminal;

/// Tries, before the work is done, whether its result can be written to a file; leaves the file as it is.
pub fn try_file(path: &Path) -> anyhow::Result<()> {
    let refused = || format!("cannot write {}", path.display());
    match std::fs::metadata(path) {
        Ok(there) if there.is_dir() => bail!("{}: it is a directory", refused()),
        Ok(there) if there.is_file() => {
            OpenOptions::new().append(true).open(path).with_context(refused)?;
        }
        // Opening a pipe waits for its reader, and may be seen at the other end.
        Ok(_) => {}
        Err(_) => {
            OpenOptions::new().write(true).create_new(true).open(path).with_context(refused)?;
            std::fs::remove_file(path).with_context(refused)?;
        }
    }
    Ok(())
}

/// Writes a file; the error names it.
pub fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    open_for_writing(path)
        .and_then(|file| fill(file, path, text))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Opens a file, as `File::create` does, but for a pipe without a reader, which would have to be waited for.
fn open_for_writing(path: &Path) -> io::Result<File> {
    const NO_WAIT: i32 = 0o4000;
    const NO_READER: i32 = 6;
    let mut options = OpenOptions::new();
    let opened = options.write(true).create(true).truncate(true).custom_flags(NO_WAIT).open(path);
    opened.map_err(|error| match error.raw_os_error() {
        Some(NO_READER) => io::Error::new(error.kind(), "it is a pipe without a reader"),
        _ => error,
    })
}

/// Writes a file that is open. Half a file is worse than none.
fn fill(mut file: File, path: &Path, text: &str) -> io::Result<()> {
    let written = write_all(&mut file, text.as_bytes());
    if written.is_err() && file.metadata().is_ok_and(|kind| kind.is_file()) {
        let _ = std::fs::remove_file(path);
    }
    written
}

/// Writes all bytes; whoever reads a pipe has to take some of them in time.
fn write_all(file: &mut File, mut bytes: &[u8]) -> io::Result<()> {
    const PATIENCE: Duration = Duration::from_secs(10);
    let mut last = Instant::now();
    while !bytes.is_empty() {
        match file.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => {
                bytes = &bytes[count..];
                last = Instant::now();
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                if last.elapsed() > PATIENCE {
                    return Err(io::Error::new(error.kind(), "whoever reads it does not go on"));
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Gives out the trail files of a report, then the report itself, and says how the check ended.
pub fn deliver(plan: &CheckPlan, mut report: Report) -> anyhow::Result<Outcome> {
    write_trails(plan, &mut report);
    let outcome = Outcome::from(&report.verdict);
    match (write_report(plan, &report), outcome) {
        (Err(error), Outcome::Violation | Outcome::OwnError) => {
            if !terminal::is_broken_pipe(&error) {
                terminal::complain(&format!("{error:#}"));
            }
            terminal::note(&report.verdict.line(&report));
            Ok(outcome)
        }
        (written, _) => written.map(|()| outcome),
    }
}

/// Writes the report to its file, or to standard output where there is none or it cannot be written.
fn write_report(plan: &CheckPlan, report: &Report) -> anyhow::Result<()> {
    let text = text(report, &plan.output);
    if let Some(path) = &plan.report {
        match write(path, &text) {
            Ok(()) => return Ok(()),
            Err(error) => terminal::complain(&format!("{error:#}; this is the report:")),
        }
    }
    terminal::print(&text).context("the report cannot be printed")
}

/// Writes each trail to a file of its own, whose name the report then tells.
fn write_trails(plan: &CheckPlan, report: &mut Report) {
    let trails = report.findings_mut().filter_map(|finding| finding.trail.as_mut());
    let mut notes = Vec::new();
    for (index, recorded) in trails.enumerate() {
        match write_trail(&plan.trail_file(index), &recorded.trail, &mut notes) {
            Ok(path) => recorded.file = Some(path.to_string_lossy().into_owned()),
            Err(error) => notes.push(format!("a trail is lost: {error:#}")),
        }
    }
    report.notes.extend(notes);
}

/// Writes a trail to its file, or else to the temporary directory. Where it is then.
fn write_trail(path: &Path, trail: &Trail, notes: &mut Vec<String>) -> anyhow::Result<PathBuf> {
    let text = file::write(trail);
    let Err(error) = write(path, &text) else { return Ok(path.to_owned()) };
    let spare = spare(path);
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&spare)
        .and_then(|file| fill(file, &spare, &text))
        .with_context(|| format!("{error:#}; cannot write {} (set TMPDIR)", spare.display()))?;
    notes.push(format!("{error:#}; the trail is in {}", spare.display()));
    Ok(spare)
}

/// Where a trail goes that cannot be written where it should: a name that nobody else uses.
fn spare(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    std::env::temp_dir().join(format!("steam-{}-{name}", std::process::id()))
}

/// The report in the form that was asked for.
fn text(report: &Report, output: &OutputPlan) -> String {
    match output.format {
        Format::Json => json(report, &output.view),
        Format::Short => short(report),
        Format::Human if output.quiet => report.verdict.line(report) + "\n",
        Format::Human => human(report, &output.view),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Arguments, Command};
    use crate::config::check::check;
    use clap::Parser;
    use steam_compile::Scratch;
    use steam_trail::{Place, Program, Recorded, Statistics, Step, Verdict, Violation};

    fn plan(directory: &Scratch, words: &[&str]) -> CheckPlan {
        let trail = directory.file("x y.trail").into_os_string().into_string().unwrap();
        let report = directory.file("report").into_os_string().into_string().unwrap();
        let fixed = ["steam", "check", "--trail", &trail, "-o", &report, "p"];
        let words: Vec<&str> = fixed.into_iter().chain(words.iter().copied()).collect();
        match Arguments::try_parse_from(words).unwrap().command {
            Command::Check(typed) => check(*typed).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    fn violation(thread: u32) -> Violation {
        let steps = vec![Step { number: 1, thread, ..Step::default() }];
        let sha256 = "0".repeat(64);
        let trail = Trail { sha256, atomic: "lgc".into(), steps, ..Trail::default() };
        Violation {
            kind: "assert".into(),
            headline: "assertion failed: x".into(),
            summary: "assertion `x` is false".into(),
            location: Place::at("a.c", 3),
            trail: Some(Recorded { file: None, trail }),
            ..Violation::default()
        }
    }

    fn report(plan: &CheckPlan, violations: Vec<Violation>) -> Report {
        let found = !violations.is_empty();
        Report {
            version: "0.1.0".into(),
            program: Program { path: "p".into(), ..Program::default() },
            configuration: plan.configuration(),
            verdict: if found { Verdict::Violation } else { Verdict::Complete },
            violations,
            unknowns: Vec::new(),
            statistics: Statistics::default(),
            claims: Vec::new(),
            notes: Vec::new(),
            unconfirmed: Vec::new(),
            exits: Vec::new(),
        }
    }

    #[test]
    fn every_error_gets_a_trail_file_that_can_be_read() {
        let directory = Scratch::new().unwrap();
        let plan = plan(&directory, &["--format", "human"]);
        let report = report(&plan, vec![violation(1), violation(2)]);
        assert_eq!(deliver(&plan, report).unwrap(), Outcome::Violation);
        for (name, thread) in [("x y.trail", 1), ("x y-2.trail", 2)] {
            let bytes = std::fs::read(directory.file(name)).unwrap();
            assert_eq!(file::parse(&bytes).unwrap().steps[0].thread, thread);
        }
        let text = std::fs::read_to_string(directory.file("report")).unwrap();
        let command = format!("next: steam replay '{}'\n", plan.trail.display());
        assert!(text.ends_with(&command), "{text}");
    }

    #[test]
    fn the_form_is_the_one_asked_for() {
        let directory = Scratch::new().unwrap();
        for (words, start) in [
            (&["--format", "json"][..], "{\"schema\":\"steam-report/1\""),
            (&["--format", "short"], "a.c:3: error: assertion `x` is false [steam::assert]\n"),
            (&["-q"], "VIOLATION  assertion failed: x\n"),
        ] {
            let plan = plan(&directory, words);
            deliver(&plan, report(&plan, vec![violation(1)])).unwrap();
            let text = std::fs::read_to_string(directory.file("report")).unwrap();
            assert!(text.starts_with(start), "{text}");
        }
    }

    #[test]
    fn without_an_error_there_is_no_trail_file() {
        let directory = Scratch::new().unwrap();
        let plan = plan(&directory, &[]);
        assert_eq!(deliver(&plan, report(&plan, Vec::new())).unwrap(), Outcome::Success);
        assert!(!plan.trail.exists());
    }

    #[test]
    fn trying_a_file_leaves_it_as_it_is() {
        let directory = Scratch::new().unwrap();
        let (there, fresh) = (directory.file("there"), directory.file("fresh"));
        write(&there, "text").unwrap();
        try_file(&there).unwrap();
        try_file(&fresh).unwrap();
        assert_eq!(std::fs::read_to_string(&there).unwrap(), "text");
        assert!(!fresh.exists());
        assert!(try_file(&directory.file("no/where")).is_err());
        assert!(try_file(&directory.file("")).is_err());
        try_file(Path::new("/dev/full")).unwrap();
    }

    #[test]
    fn what_cannot_be_written_goes_elsewhere() {
        let directory = Scratch::new().unwrap();
        let mut plan = plan(&directory, &[]);
        plan.trail = "/dev/full".into();
        let mut report = report(&plan, vec![violation(1)]);
        write_trails(&plan, &mut report);
        let spare = spare(&plan.trail);
        let bytes = std::fs::read(&spare).unwrap();
        std::fs::remove_file(&spare).unwrap();
        assert_eq!(file::parse(&bytes).unwrap().steps[0].thread, 1);
        assert_eq!(
            report.violations[0].trail.as_ref().unwrap().file,
            spare.to_str().map(Into::into)
        );
        assert!(report.notes[0].starts_with("cannot write /dev/full: "), "{:?}", report.notes);
    }
}
