//! Runs the cases of an instruction family on both sides, collects and reports the mismatches.

use super::case::{Case, Outcome};
use super::compare::{agree, describe};
use super::native::Native;
use super::random::Random;
use super::row::Row;
use super::state::random_case;
use super::subject::Subject;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;

/// Cases per write into the pipe.
const BATCH: usize = 1024;
/// States that one encoding is tried with.
const STATES_PER_ENCODING: usize = 16;
/// Mismatches that are reported in full, per family and per instruction.
const TOLD_PER_FAMILY: usize = 10;
const TOLD_PER_INSTRUCTION: usize = 2;

/// Runs at least `cases` random cases (times `STEAM_CPU_CASES`), spread evenly over the rows.
///
/// # Panics
/// When the CPU and the machine disagree; the message tells where.
pub fn check(name: &str, cases: usize, rows: &[Row]) {
    let mut family = Family::new(name);
    let mut random = Random::from_name(name);
    let encodings = (cases * multiplier()).div_ceil(rows.len() * STATES_PER_ENCODING);
    for _ in 0..encodings {
        for row in rows {
            let encoding = row.encode(&mut random);
            for _ in 0..STATES_PER_ENCODING {
                family.push(&row.name, random_case(row, &encoding, &mut random));
            }
        }
    }
    family.finish();
}

/// The factor from the environment by which random cases are multiplied.
pub fn multiplier() -> usize {
    match std::env::var("STEAM_CPU_CASES") {
        Ok(text) => text.parse().expect("STEAM_CPU_CASES is a whole number"),
        Err(_) => 1,
    }
}

/// A family that is being run.
pub struct Family<'a> {
    name: String,
    native: Native,
    subjects: Vec<Subject>,
    labels: Vec<&'a str>,
    batch: Vec<Case>,
    cases: usize,
    signals: usize,
    mismatches: BTreeMap<&'a str, usize>,
    told: String,
    told_count: usize,
    started: std::time::Instant,
}

impl<'a> Family<'a> {
    /// Starts both sides.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            native: Native::start(None),
            subjects: Subject::start_all(),
            labels: Vec::with_capacity(BATCH),
            batch: Vec::with_capacity(BATCH),
            cases: 0,
            signals: 0,
            mismatches: BTreeMap::new(),
            told: String::new(),
            told_count: 0,
            started: std::time::Instant::now(),
        }
    }

    /// Adds a case of the instruction `label`.
    pub fn push(&mut self, label: &'a str, case: Case) {
        self.labels.push(label);
        self.batch.push(case);
        if self.batch.len() == BATCH {
            self.run_batch();
        }
    }

    /// Runs what is left and prints the summary.
    ///
    /// # Panics
    /// When there were mismatches.
    pub fn finish(mut self) {
        self.run_batch();
        println!(
            "{}: {} cases, {} faulted, {} mismatches, {:.1} s",
            self.name,
            self.cases,
            self.signals,
            self.mismatches.values().sum::<usize>(),
            self.started.elapsed().as_secs_f64()
        );
        if !self.mismatches.is_empty() {
            let mut list = String::new();
            for (label, count) in &self.mismatches {
                let _ = writeln!(list, "  {count:7} {label}");
            }
            panic!("{}: mismatches by instruction:\n{list}{}", self.name, self.told);
        }
    }

    fn run_batch(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        // The CPU works in its own process while the machine works here.
        self.native.send(&self.batch);
        let batch = &self.batch;
        let ours: Vec<_> = self.subjects.iter_mut().map(|subject| subject.run(batch)).collect();
        let real = self.native.receive(batch);
        self.cases += real.len();
        self.signals += real.iter().filter(|cpu| matches!(cpu, Outcome::Signal(_))).count();
        for (which, outcomes) in ours.iter().enumerate() {
            for (i, (cpu, subject)) in real.iter().zip(outcomes).enumerate() {
                if !agree(&self.batch[i], cpu, subject) {
                    self.note_mismatch(i, cpu, subject, which);
                }
            }
        }
        self.batch.clear();
        self.labels.clear();
    }

    fn note_mismatch(&mut self, i: usize, cpu: &Outcome, subject: &Outcome, which: usize) {
        let (label, case, name) = (self.labels[i], &self.batch[i], &self.subjects[which].name);
        let count = self.mismatches.entry(label).or_insert(0);
        *count += 1;
        if *count > TOLD_PER_INSTRUCTION || self.told_count == TOLD_PER_FAMILY {
            return;
        }
        self.told_count += 1;
        let bytes: Vec<String> = case.code().iter().map(|byte| format!("{byte:02x}")).collect();
        let _ = writeln!(self.told, "{label}: {}\n{}", bytes.join(" "), disassembly(case.code()));
        self.told += &describe(case, cpu, subject, name);
    }
}

fn disassembly(code: &[u8]) -> String {
    let path = std::env::temp_dir().join(format!(
        "steam-code-{}-{:?}.bin",
        std::process::id(),
        std::thread::current().id()
    ));
    let listing = std::fs::write(&path, code)
        .and_then(|()| {
            Command::new("objdump").args(["-D", "-b", "binary", "-mi386"]).arg(&path).output()
        })
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let _ = std::fs::remove_file(&path);
    match listing {
        Ok(listing) => {
            listing.lines().filter(|line| line.contains(":\t")).collect::<Vec<_>>().join("\n")
        }
        Err(error) => format!("  (no disassembly: objdump: {error})"),
    }
}
