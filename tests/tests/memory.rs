//! Memory errors: every wrong program of `memory/` is reported with its kind and source line,
//! and no right one raises an alarm.
//!
//! A wrong program names its error in the directive (`error=use-after-free`) and marks the
//! line with `/* ERROR */`; where it marks the block's origin with `/* ALLOC */` and its end
//! with `/* FREE */`, the report must name these lines too. `error=none` programs run natively
//! as well, and must print the same.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use steam_tests::compile::{Compiler, Variant, compile, compilers};
use steam_tests::corpus::{self, Guest};
use steam_tests::machine::{Machine, native};
use steam_tests::process::{Outcome, run};
use steam_tests::report::{Verdict, judge_all};

const LIMIT: Duration = Duration::from_secs(60);
const LEVELS: [&str; 2] = ["-O0", "-O1"];
const KINDS: [&str; 14] = [
    "null-access",
    "unmapped-access",
    "bus-error",
    "read-only-write",
    "heap-out-of-bounds",
    "use-after-free",
    "double-free",
    "invalid-free",
    "mismatched-free",
    "overlapping-copy",
    "below-stack-pointer",
    "use-after-return",
    "stack-overflow",
    "uninitialised",
];

fn main() -> ExitCode {
    match check_all() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn check_all() -> Result<bool, String> {
    let machine = Machine::locate()?;
    let gcc = compilers().into_iter().find(|compiler| compiler.name == "gcc");
    let gcc = gcc.ok_or("gcc does not link static 32-bit programs: install gcc-multilib")?;
    let guests = corpus::read(&corpus::folder("memory"), &corpus::filters())?;
    println!("{} programs in {machine:?}", guests.len());
    Ok(judge_all(&guests, |guest| &guest.name, |guest| judge(guest, &machine, &gcc)))
}

fn judge(guest: &Guest, machine: &Machine, gcc: &Compiler) -> Verdict {
    let mut verdict = Verdict::default();
    if matches!(machine, Machine::Other(_)) && guest.directive.error.as_deref() != Some("none") {
        verdict.skipped.push("another emulator does not report memory errors".to_owned());
        return verdict;
    }
    // What the optimiser makes of partly written words is worth a level more.
    let more = guest.name.contains("initialised").then_some("-O2");
    for level in LEVELS.into_iter().chain(more) {
        let variant = Variant { compiler: gcc.clone(), flags: vec![level.to_owned()] };
        let result = compile(guest, &variant).and_then(|file| check(guest, &file, machine));
        verdict.compared += 1;
        if let Err(why) = result {
            verdict.failures.push(format!("{}: {why}", variant.label()));
        }
    }
    verdict
}

fn check(guest: &Guest, executable: &Path, machine: &Machine) -> Result<(), String> {
    let outcome = run(&mut machine.command(executable, guest), &guest.directive.input, LIMIT)?;
    match guest.directive.error.as_deref() {
        Some("none") => check_right(guest, executable, &outcome),
        Some(kind) if KINDS.contains(&kind) => check_wrong(guest, kind, &outcome),
        other => Err(format!("the directive names no known kind of error: {other:?}")),
    }
}

fn check_right(guest: &Guest, executable: &Path, ours: &Outcome) -> Result<(), String> {
    let real = run(&mut native(executable, guest), &guest.directive.input, LIMIT)?;
    if !real.exited_with(0) {
        return Err(format!("the program itself is wrong, natively: {}", real.ending));
    }
    if *ours != real {
        return Err(format!("not as natively: {}\n{}", ours.ending, said(ours)));
    }
    Ok(())
}

fn check_wrong(guest: &Guest, kind: &str, ours: &Outcome) -> Result<(), String> {
    let report = said(ours);
    let error = guest.marked_line("/* ERROR */").ok_or("no line is marked /* ERROR */")?;
    let marks = ["/* ALLOC */", "/* FREE */"].map(|mark| guest.marked_line(mark));
    let mut missing = Vec::new();
    if !ours.exited_with(1) {
        missing.push(format!("exit 1, it is: {}", ours.ending));
    }
    if !report.contains(kind) {
        missing.push(format!("the kind {kind}"));
    }
    let headline = report.lines().find(|line| line.trim_start().starts_with("--> "));
    // Where a stack runs out is chance: there the mark is the call, which the call stack has.
    let part = if kind == "stack-overflow" { Some(report.as_str()) } else { headline };
    let error = format!("{}:{error}", guest.name);
    if !part.is_some_and(|part| mentions(part, &error)) {
        missing.push(format!("--> {error}"));
    }
    for line in marks.into_iter().flatten() {
        let place = format!("{}:{line}", guest.name);
        if !mentions(&report, &place) {
            missing.push(place);
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("missing: {}\n{report}", missing.join(", ")))
}

fn said(outcome: &Outcome) -> String {
    let texts = [&outcome.output, &outcome.errors].map(|text| String::from_utf8_lossy(text));
    texts.concat()
}

/// Finds `file.c:12` where no further digit follows: line 1 must not pass for line 12.
fn mentions(report: &str, place: &str) -> bool {
    report
        .match_indices(place)
        .any(|(at, _)| !report[at + place.len()..].starts_with(|next: char| next.is_ascii_digit()))
}
