//! One line for each finding, as gcc writes errors, so that editors can jump there.

use super::paint::clean;
use crate::report::Report;
use crate::verdict::Verdict;
use crate::violation::{ThreadInfo, ViolationInfo, who};

/// Only the lines for editors: one for each finding, or one that says that there is none.
pub fn short(report: &Report) -> String {
    let mut text = String::new();
    for violation in &report.violations {
        text.push_str(&finding(violation, "error"));
    }
    for unconfirmed in &report.unconfirmed {
        text.push_str(&finding(unconfirmed, "unconfirmed"));
    }
    for unknown in &report.unknowns {
        text.push_str(&finding(unknown, "unknown"));
    }
    if text.is_empty() {
        text = nothing(report);
    }
    text
}

/// `glob.c:20:5: error: assertion ... is false (thread 1, step 7) [steam::assert]`.
pub(super) fn finding(finding: &ViolationInfo, word: &str) -> String {
    let thread = finding.thread.map(|id| {
        let known = finding.threads.iter().find(|thread| thread.id == id);
        known.map_or_else(|| who(id, false), ThreadInfo::who)
    });
    let step = finding.step.map(|step| format!("step {step}"));
    let when: Vec<String> = thread.into_iter().chain(step).collect();
    let when = if when.is_empty() { String::new() } else { format!(" ({})", when.join(", ")) };
    let (place, kind) = (finding.location.position(), &finding.kind);
    let line = format!("{place}: {word}: {}{when} [steam::{kind}]", finding.summary);
    format!("{}\n", clean(&line))
}

fn nothing(report: &Report) -> String {
    let reason = report.verdict.reason(report);
    let reason = reason.unwrap_or_else(|| "complete".to_owned());
    let (word, message, kind) = match report.verdict {
        Verdict::Complete => ("note", format!("no error found ({reason})"), "complete"),
        Verdict::Suppressed { .. } => ("note", format!("no error found ({reason})"), "suppressed"),
        Verdict::Bounded(_) => ("note", format!("no error found ({reason})"), "bounded"),
        Verdict::Probable { .. } => ("note", format!("no error found ({reason})"), "probable"),
        Verdict::Limit(_) => ("unknown", reason, "limit"),
        Verdict::NotModelled => ("unknown", reason, "not-modelled"),
        Verdict::Interrupted => ("unknown", format!("interrupted {reason}"), "interrupted"),
        Verdict::Unconfirmed => ("unconfirmed", reason, "unconfirmed"),
        // A violation without any finding has no more to say.
        Verdict::Violation => ("error", "an error was found".to_owned(), "violation"),
    };
    clean(&format!("{}: {word}: {message} [steam::{kind}]", report.program.path)) + "\n"
}
