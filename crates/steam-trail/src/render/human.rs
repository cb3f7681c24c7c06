//! The report for people: verdict first, cause second, trail third, statistics last.

use super::paint::{Paint, clean, paint};
use super::{View, excerpt, short, steps, threads};
use crate::quantity::{self, counted};
use crate::replay::Compared;
use crate::report::{ProgramInfo, Report, Statistics};
use crate::suggestion::suggestions;
use crate::trail::Trail;
use crate::verdict::Verdict;
use crate::violation::ViolationInfo;

/// The report of a check.
pub fn human(report: &Report, view: &View) -> String {
    let mut sections = vec![head(report)];
    let color = verdict_color(&report.verdict);
    let mut verdict = painted_verdict(&report.verdict.line(report), color, view);
    let findings = findings(report);
    for (index, (finding, word)) in findings.iter().enumerate() {
        if index > 0 {
            verdict = match word {
                Word::Unconfirmed => {
                    let line = format!("UNCONFIRMED  {}", finding.headline);
                    painted_verdict(&line, Paint::Unsure, view)
                }
                _ => painted_verdict(&finding.verdict(), Paint::Bad, view),
            };
        }
        if threads::is_about_waits(finding) {
            verdict.push_str(&threads::waiting(finding));
        }
        sections.push(std::mem::take(&mut verdict));
        sections.extend(explanation(finding, *word, view));
        let mut closing = short::finding(finding, word.text());
        if index + 1 < findings.len() {
            closing.push_str(&trail_file(finding));
            sections.push(closing);
        } else {
            sections.push(notes(report) + &closing + &footer(report, view));
        }
    }
    if findings.is_empty() {
        sections.push(verdict);
        sections.push(notes(report) + &footer(report, view));
    }
    joined(sections)
}

/// The report of a replay: whether it went the recorded way, and what was found at its end.
/// `report` is about the replay itself: its violation, if any, carries the trail that was run.
pub fn human_replay(
    report: &Report,
    recorded: &Trail,
    replayed: &Trail,
    compared: &Compared,
    view: &View,
) -> String {
    let found = report.violations.first();
    let color = match compared {
        Compared::Same => Paint::Good,
        Compared::Diverged(_) => Paint::Unsure,
    };
    let line = compared.line(recorded, found);
    let mut verdict = painted_verdict(&line, color, view);
    let mut sections = vec![head(report)];
    match found {
        Some(finding) => {
            if threads::is_about_waits(finding) {
                verdict.push_str(&threads::waiting(finding));
            }
            sections.push(verdict);
            sections.extend(explanation(finding, Word::Error, view));
            sections.push(notes(report) + &short::finding(finding, Word::Error.text()));
        }
        None => {
            sections.extend([verdict, steps::steps(replayed, view), notes(report)]);
        }
    }
    joined(sections)
}

/// A finding by itself, as a report tells it: verdict, cause, threads and locks; no trail.
pub fn human_finding(finding: &ViolationInfo, not_modelled: bool, view: &View) -> String {
    let (word, line, color) = match not_modelled {
        true => (Word::Unknown, format!("UNKNOWN  {}", finding.headline), Paint::Unsure),
        false => (Word::Error, finding.verdict(), Paint::Bad),
    };
    let mut verdict = painted_verdict(&line, color, view);
    if threads::is_about_waits(finding) {
        verdict.push_str(&threads::waiting(finding));
    }
    joined(vec![verdict, cause(finding, word, view), threads::tables(finding)])
}

/// How a finding is called on the line for editors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Error,
    Unconfirmed,
    Unknown,
}

impl Word {
    const fn text(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Unconfirmed => "unconfirmed",
            Self::Unknown => "unknown",
        }
    }
}

/// What is explained: the errors; what is not modelled only where there are none.
fn findings(report: &Report) -> Vec<(&ViolationInfo, Word)> {
    let errors = report.violations.iter().map(|violation| (violation, Word::Error));
    let unconfirmed = report.unconfirmed.iter().map(|it| (it, Word::Unconfirmed));
    let findings: Vec<_> = errors.chain(unconfirmed).collect();
    if findings.is_empty() {
        return report.unknowns.iter().take(1).map(|it| (it, Word::Unknown)).collect();
    }
    findings
}

/// Sections with an empty line between them.
fn joined(sections: Vec<String>) -> String {
    let sections: Vec<String> =
        sections.into_iter().filter(|section| !section.is_empty()).collect();
    sections.join("\n")
}

/// `steam 0.1  glob.elf  i386 static musl, DWARF 5, 3 threads   astar/pl2, lgc, por`.
fn head(report: &Report) -> String {
    let version = report.version.strip_suffix(".0").unwrap_or(&report.version);
    let mut program = report.program.description.clone();
    let ProgramInfo { processes, threads, .. } = report.program;
    program.extend(processes.map(|count| counted(count.into(), "process", "processes")));
    // Each process has a thread; that is nothing to report.
    let threads = threads.filter(|&count| processes.is_none_or(|processes| count > processes));
    program.extend(threads.map(|count| counted(count.into(), "thread", "threads")));
    let configuration = &report.configuration;
    let algo = match &configuration.heur {
        Some(heur) => format!("{}/{heur}", configuration.algo),
        None => configuration.algo.clone(),
    };
    let mut how = vec![algo, configuration.atomic.clone()];
    how.extend(configuration.por.as_ref().map(|name| format!("por {name}")));
    if configuration.store != "tree" {
        how.push(configuration.store.clone());
    }
    if configuration.jobs > 1 {
        how.push(format!("{} jobs", configuration.jobs));
    }
    let (path, program, how) = (&report.program.path, program.join(", "), how.join(", "));
    clean(&format!("steam {version}  {path}  {program}   {how}")) + "\n"
}

fn verdict_color(verdict: &Verdict) -> Paint {
    match verdict {
        Verdict::Violation => Paint::Bad,
        Verdict::Complete => Paint::Good,
        _ => Paint::Unsure,
    }
}

/// The verdict's line, of which only the fixed words are coloured.
fn painted_verdict(line: &str, color: Paint, view: &View) -> String {
    let line = clean(line);
    let capital = |c: char| c.is_ascii_uppercase() || c == ' ';
    let end = line.find(|c| !capital(c)).unwrap_or(line.len());
    let end = line[..end].trim_end().len();
    // `DIVERGED  Thread` would end within a word.
    let end = line[..end].rfind("  ").map_or(end, |gap| line[..gap].trim_end().len());
    format!("{}{}\n", paint(view.color, color, &line[..end]), &line[end..])
}

/// Cause, threads and trail of a finding.
fn explanation(finding: &ViolationInfo, word: Word, view: &View) -> [String; 3] {
    let trail = finding.trail.as_ref();
    [
        cause(finding, word, view),
        threads::tables(finding),
        trail.map(|recorded| steps::steps(&recorded.trail, view)).unwrap_or_default(),
    ]
}

fn cause(finding: &ViolationInfo, word: Word, view: &View) -> String {
    let error = paint(view.color, Paint::Bad, &clean(&format!("error[{}]", finding.family)));
    let doubt = match word {
        Word::Error => "",
        Word::Unconfirmed => "not confirmed: ",
        Word::Unknown => "not modelled: ",
    };
    let mut text = format!("{error}: {doubt}{}\n", clean(&finding.message));
    text.push_str(&excerpt::excerpts(&finding.excerpts, view));
    for line in &finding.text {
        text.push_str(&format!("{}\n", clean(line)));
    }
    text
}

fn notes(report: &Report) -> String {
    let mut text = String::new();
    for decision in &report.claims {
        let reason = decision.reason.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
        let line = format!("{:<8}  {}{reason}", decision.verdict, decision.claim);
        text.push_str(&format!("{}\n", clean(&line)));
    }
    for note in &report.notes {
        text.push_str(&format!("note: {}\n", clean(note)));
    }
    let explained = findings(report);
    let silent = report.unknowns.iter().filter(|unknown| {
        explained.iter().all(|(explained, _)| !std::ptr::eq(*explained, *unknown))
    });
    for unknown in silent {
        let place = unknown.location.line_position();
        text.push_str(&format!("note: not modelled: {} at {place}\n", clean(&unknown.message)));
    }
    for truncated in &report.statistics.truncated {
        text.push_str(&format!("note: not explored: {}\n", clean(truncated)));
    }
    text
}

fn footer(report: &Report, view: &View) -> String {
    exits(report) + &statistics(report, view) + &next(report)
}

fn exits(report: &Report) -> String {
    let exits: Vec<String> = report.exits.iter().map(i32::to_string).collect();
    if exits.is_empty() {
        String::new()
    } else {
        format!("the program can end with status {}\n", exits.join(" or "))
    }
}

/// `7 steps, 3 switches · 41 states, 96 transitions, depth 9 · 0.02 s, 3.1 MiB`.
fn statistics(report: &Report, view: &View) -> String {
    let Statistics { states, transitions, depth, executions, iterations, .. } = report.statistics;
    let mut groups = Vec::new();
    groups.extend(report.trail().map(|recorded| {
        let steps = counted(recorded.trail.steps.len() as u64, "step", "steps");
        let switches = counted(recorded.trail.switches() as u64, "switch", "switches");
        format!("{steps}, {switches}")
    }));
    let states = counted(states, "state", "states");
    let transitions = counted(transitions, "transition", "transitions");
    let executions = executions.map_or_else(String::new, |executions| {
        format!("{}, ", counted(executions, "execution", "executions"))
    });
    let iterations =
        if iterations > 1 { format!(", {iterations} iterations") } else { String::new() };
    groups.push(format!("{executions}{states}, {transitions}, depth {depth}{iterations}"));
    if view.times {
        let time = quantity::duration(report.statistics.time);
        groups.push(format!("{time}, {}", quantity::bytes(report.statistics.peak_bytes)));
    }
    groups.join(" · ") + "\n"
}

fn trail_file(finding: &ViolationInfo) -> String {
    let file = finding.trail.as_ref().and_then(|recorded| recorded.file.as_ref());
    file.map(|file| format!("trail {}\n", clean(file))).unwrap_or_default()
}

/// `trail glob.trail    next: steam replay glob.trail`. With several findings the trail is that of
/// the last one explained, the commands are about the first.
fn next(report: &Report) -> String {
    let last = findings(report).pop();
    let file = last.map(|(finding, _)| trail_file(finding)).unwrap_or_default();
    let commands = clean(&suggestions(report).join(" | "));
    match (file.trim_end(), commands.as_str()) {
        ("", "") => String::new(),
        (file, "") => format!("{file}\n"),
        ("", commands) => format!("next: {commands}\n"),
        (file, commands) => format!("{file}    next: {commands}\n"),
    }
}
