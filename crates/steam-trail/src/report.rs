//! What a check found out, as plain data.

use std::time::Duration;

use serde::Serialize;

use crate::verdict::Verdict;
use crate::violation::{Recorded, ViolationInfo};

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The version of the tool.
    pub version: String,
    /// What was checked.
    pub program: ProgramInfo,
    /// How it was checked.
    pub configuration: Configuration,
    /// The answer.
    pub verdict: Verdict,
    /// The errors of the program, in the order in which they were found.
    pub violations: Vec<ViolationInfo>,
    /// What the program needs and is not modelled, in the order in which it was met.
    pub unknowns: Vec<ViolationInfo>,
    /// Errors that the search met and whose schedules do not lead there again, by a fault of ours.
    pub unconfirmed: Vec<ViolationInfo>,
    /// Counts.
    pub statistics: Statistics,
    /// What was claimed of the program, each with its own answer.
    pub claims: Vec<Decision>,
    /// What the user should know beside.
    pub notes: Vec<String>,
    /// The exit statuses with which the program ended, ascending.
    pub exits: Vec<i32>,
    /// What steam found to be wrong with itself; no part of what was checked, and told beside the report.
    pub own_errors: Vec<String>,
}

/// The answer to one claim.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// What kind of claim it is: `invariant`, `ltl` or `automaton`.
    pub kind: String,
    /// The claim, as it was written.
    pub claim: String,
    /// `holds`, `violated` or `unknown`.
    pub verdict: String,
    /// Why it is not known.
    pub reason: Option<String>,
}

/// The program that was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramInfo {
    /// Its name, as typed.
    pub path: String,
    /// The SHA-256 of the executable.
    pub sha256: String,
    /// What it is, in words: `i386 static glibc`, `DWARF 5`.
    pub description: Vec<String>,
    /// Its C library, where known.
    pub libc: Option<String>,
    /// How many processes there were, where there were several.
    pub processes: Option<u32>,
    /// The greatest number of threads that were alive at once, where counted.
    pub threads: Option<u32>,
    /// The guest's arguments.
    pub arguments: Vec<String>,
    /// What stands on the command line for this program: inputs, `--`, the guest's arguments;
    /// quoted as a shell needs it.
    pub command: String,
}

/// How the program was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Configuration {
    /// The order of search.
    pub algo: String,
    /// The heuristic, where the order uses one.
    pub heur: Option<String>,
    /// The granularity of steps.
    pub atomic: String,
    /// Which executions were left out as equal to others, by searches that do so.
    pub por: Option<String>,
    /// The store of visited states.
    pub store: String,
    /// The seed.
    pub seed: u64,
    /// Workers.
    pub jobs: u32,
    /// What counts as an error.
    pub find: Vec<String>,
    /// The options because of which the answer is about less than usual: `--find race`.
    pub scope: Option<String>,
    /// Which runs without an end count, where formulas are claimed.
    pub fair: Option<String>,
    /// The bounds.
    pub limits: Limits,
}

/// Bounds that the user set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Bytes.
    pub memory: Option<u64>,
    /// Milliseconds.
    pub time_ms: Option<u64>,
    /// Distinct states.
    pub states: Option<u64>,
    /// Steps from the start.
    pub depth: Option<u32>,
    /// States of a level that a beam keeps.
    pub width: Option<u32>,
    /// Switches of threads that could have gone on.
    pub preemptions: Option<u32>,
    /// Threads that are passed over.
    pub delays: Option<u32>,
}

/// What a search counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Distinct states.
    pub states: u64,
    /// Steps done.
    pub transitions: u64,
    /// The greatest depth.
    pub depth: u32,
    /// Executions that were gone along to their end, by searches without a store; their states and
    /// steps are counted each time.
    pub executions: Option<u64>,
    /// Searches until nothing new was learned about shared memory; of the last one are the counts.
    pub iterations: u32,
    /// How long all iterations took.
    pub time: Duration,
    /// The greatest number of bytes in use.
    pub peak_bytes: u64,
    /// Bytes in which visited states were stored in the end.
    pub store_bytes: u64,
    /// What was not explored to its end, in words.
    pub truncated: Vec<String>,
}

impl Report {
    /// All findings: errors first, then those that are not confirmed, then what is not modelled.
    pub fn findings(&self) -> impl Iterator<Item = &ViolationInfo> {
        self.violations.iter().chain(&self.unconfirmed).chain(&self.unknowns)
    }

    /// The same, to be changed.
    pub fn findings_mut(&mut self) -> impl Iterator<Item = &mut ViolationInfo> {
        self.violations.iter_mut().chain(&mut self.unconfirmed).chain(&mut self.unknowns)
    }

    /// The trail of the first finding.
    pub fn trail(&self) -> Option<&Recorded> {
        self.findings().next().and_then(|finding| finding.trail.as_ref())
    }
}
