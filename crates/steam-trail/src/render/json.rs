//! The report for programs: one JSON object of the schema `steam-report/1`.
//!
//! Numbers of the guest are strings, so that no reader rounds them.

use serde::Serialize;

use super::View;
use crate::place::Place;
use crate::replay::Compared;
use crate::report::{Configuration, Decision, Report};
use crate::sha256::sha256;
use crate::trail::{Change, Step, Trail};
use crate::verdict::Verdict;
use crate::violation::{AccessInfo, Recorded, ThreadInfo, ViolationInfo};

/// The report of a check as JSON, on one line.
pub fn json(report: &Report, view: &View) -> String {
    // Only maps with keys that are no strings and failing writers fail, and here are neither.
    serde_json::to_string(&document(report, view)).unwrap_or_default() + "\n"
}

/// The report of a replay as JSON, on one line: that of a check with one more field.
pub fn json_replay(report: &Report, compared: &Compared, view: &View) -> String {
    let (step, why) = match compared {
        Compared::Same => (None, None),
        Compared::Diverged(at) => (Some(at.step), Some(at.why.as_str())),
    };
    let replay = ReplayPart { reproduced: step.is_none(), step, why };
    let document = Document { replay: Some(replay), ..document(report, view) };
    serde_json::to_string(&document).unwrap_or_default() + "\n"
}

#[derive(Serialize)]
struct ReplayPart<'a> {
    reproduced: bool,
    step: Option<u32>,
    why: Option<&'a str>,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    tool: Tool<'a>,
    program: ProgramPart<'a>,
    config: &'a Configuration,
    verdict: VerdictPart,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<ReplayPart<'a>>,
    #[serde(skip_serializing_if = "<[Decision]>::is_empty")]
    claims: &'a [Decision],
    violations: Vec<ViolationPart<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unconfirmed: Vec<ViolationPart<'a>>,
    unknowns: Vec<ViolationPart<'a>>,
    trail: Option<TrailPart<'a>>,
    stats: StatisticsPart<'a>,
    exits: &'a [i32],
    notes: &'a [String],
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'static str,
    version: &'a str,
}

#[derive(Serialize)]
struct ProgramPart<'a> {
    path: &'a str,
    sha256: &'a str,
    libc: Option<&'a str>,
    args: &'a [String],
}

#[derive(Serialize)]
struct VerdictPart {
    result: &'static str,
    complete: bool,
    reason: Option<String>,
}

#[derive(Serialize)]
struct ViolationPart<'a> {
    id: String,
    kind: &'a str,
    family: &'a str,
    message: &'a str,
    location: &'a Place,
    thread: Option<u32>,
    step: Option<u32>,
    threads: &'a [ThreadInfo],
    #[serde(skip_serializing_if = "<[AccessInfo]>::is_empty")]
    accesses: &'a [AccessInfo],
    details: &'a [String],
    fingerprint: String,
    /// Of all but the first finding, whose trail stands in the report itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    trail: Option<TrailPart<'a>>,
}

#[derive(Serialize)]
struct TrailPart<'a> {
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle: Option<u32>,
    steps: Vec<StepPart<'a>>,
}

#[derive(Serialize)]
struct StepPart<'a> {
    n: u32,
    thread: u32,
    pc: String,
    file: Option<&'a str>,
    line: Option<u32>,
    function: Option<&'a str>,
    switch: bool,
    choice: ChoicePart<'a>,
    changes: &'a [Change],
    sync: Option<&'a str>,
    output: Option<&'a str>,
}

#[derive(Serialize)]
struct ChoicePart<'a> {
    taken: u32,
    value: u32,
    enabled: &'a [u32],
}

#[derive(Serialize)]
struct StatisticsPart<'a> {
    states: u64,
    transitions: u64,
    depth: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    executions: Option<u64>,
    switches: Option<usize>,
    iterations: u32,
    time_ms: Option<u64>,
    peak_bytes: Option<u64>,
    store_bytes: Option<u64>,
    truncated: &'a [String],
}

fn document<'a>(report: &'a Report, view: &View) -> Document<'a> {
    let program = &report.program;
    let mut parts: Vec<ViolationPart<'a>> =
        report.findings().enumerate().map(|(index, it)| violation(it, index > 0)).collect();
    let mut unconfirmed = parts.split_off(report.violations.len());
    let unknowns = unconfirmed.split_off(report.unconfirmed.len());
    Document {
        schema: "steam-report/1",
        tool: Tool { name: "steam", version: &report.version },
        program: ProgramPart {
            path: &program.path,
            sha256: &program.sha256,
            libc: program.libc.as_deref(),
            args: &program.arguments,
        },
        config: &report.configuration,
        verdict: VerdictPart {
            result: report.verdict.result(),
            complete: report.verdict == Verdict::Complete,
            reason: report.verdict.reason(report),
        },
        replay: None,
        claims: &report.claims,
        violations: parts,
        unconfirmed,
        unknowns,
        trail: report.trail().map(trail),
        stats: statistics(report, view),
        exits: &report.exits,
        notes: &report.notes,
    }
}

fn violation(finding: &ViolationInfo, with_trail: bool) -> ViolationPart<'_> {
    let fingerprint = fingerprint(finding);
    ViolationPart {
        id: format!("{}-{}", finding.kind, &fingerprint[..4]),
        kind: &finding.kind,
        family: &finding.family,
        message: &finding.message,
        location: &finding.location,
        thread: finding.thread,
        step: finding.step,
        threads: &finding.threads,
        accesses: &finding.accesses,
        details: &finding.text,
        fingerprint,
        trail: finding.trail.as_ref().filter(|_| with_trail).map(trail),
    }
}

/// The same for the same error after unrelated lines moved: kind, file, function and the text of
/// the line, but not its number.
fn fingerprint(finding: &ViolationInfo) -> String {
    let place = &finding.location;
    let excerpt = finding.excerpts.iter().find(|excerpt| excerpt.place.file == place.file);
    let lines = excerpt.map_or(&[][..], |excerpt| &excerpt.lines);
    let text = lines.iter().find(|line| Some(line.number) == place.line);
    let words: Vec<&str> =
        text.map(|line| line.text.split_whitespace().collect()).unwrap_or_default();
    let parts = [
        finding.kind.as_str(),
        place.file.as_deref().unwrap_or_default(),
        place.function.as_deref().unwrap_or_default(),
        &words.join(" "),
    ];
    sha256(parts.join("\n").as_bytes())
}

fn trail(recorded: &Recorded) -> TrailPart<'_> {
    let trail = &recorded.trail;
    let steps = trail.steps.iter().enumerate().map(|(index, it)| step(trail, index, it));
    TrailPart { file: recorded.file.as_deref(), cycle: trail.cycle, steps: steps.collect() }
}

fn step<'a>(trail: &Trail, index: usize, step: &'a Step) -> StepPart<'a> {
    StepPart {
        n: step.number,
        thread: step.thread,
        pc: format!("{:#010x}", step.pc),
        file: step.place.file.as_deref(),
        line: step.place.line,
        function: step.place.function.as_deref(),
        switch: trail.is_switch(index),
        choice: ChoicePart { taken: step.thread, value: step.choice, enabled: &step.enabled },
        changes: &step.changes,
        sync: step.sync.as_deref(),
        output: step.output.as_deref(),
    }
}

fn statistics<'a>(report: &'a Report, view: &View) -> StatisticsPart<'a> {
    let counts = &report.statistics;
    StatisticsPart {
        states: counts.states,
        transitions: counts.transitions,
        executions: counts.executions,
        depth: counts.depth,
        switches: report.trail().map(|recorded| recorded.trail.switches()),
        iterations: counts.iterations,
        time_ms: view.times.then_some(counts.time.as_millis() as u64),
        peak_bytes: view.times.then_some(counts.peak_bytes),
        store_bytes: view.times.then_some(counts.store_bytes),
        truncated: &counts.truncated,
    }
}
