//! The lines of a trail, as StEAM printed them, with what happened to their right.

use super::View;
use super::paint::{Paint, clean, paint};
use crate::trail::{Step, Trail};

/// Longer lines do not push what stands to the right of others.
const WIDEST: usize = 96;
/// What stands between the longest line and what happened.
const GAP: usize = 6;
/// Characters of printed output that are shown.
const PRINTED: usize = 40;

/// A step as StEAM's trails show it:
/// `Step 1: Thread 1 - Line 10 src-file: glob.c - initThreads`.
pub fn step_line(step: &Step) -> String {
    let unknown = || "<unknown>".to_owned();
    let line = step.place.line.map_or_else(unknown, |line| line.to_string());
    // As StEAM did, without the directory: the report above names the whole path.
    let file = step.place.file.as_deref().map(|path| path.rsplit('/').next().unwrap_or(path));
    let file = file.map_or_else(unknown, str::to_owned);
    let function = step.place.function.clone().unwrap_or_else(unknown);
    let (number, thread) = (step.number, step.thread);
    let kind = if step.process { "Process" } else { "Thread" };
    clean(&format!("Step {number}: {kind} {thread} - Line {line} src-file: {file} - {function}"))
}

/// The lines of a trail; the middle of a long one is left out.
pub(super) fn steps(trail: &Trail, view: &View) -> String {
    let count = trail.steps.len();
    let (head, tail) = match count > view.max_steps {
        true => (view.max_steps / 2, view.max_steps - view.max_steps / 2),
        false => (count, 0),
    };
    let (first, rest) = trail.steps.split_at(head);
    let last = &rest[rest.len() - tail..];
    let column = column(first.iter().chain(last));
    let mut text = String::new();
    for step in first {
        text.push_str(&cycle_mark(trail, step, view));
        text.push_str(&annotated(step, column, view));
    }
    let hidden = count - head - tail;
    if hidden > 0 {
        let hint = format!("... {hidden} steps left out, --max-steps {count} shows all ...");
        text.push_str(&format!("{}\n", paint(view.color, Paint::Aside, &hint)));
    }
    for step in last {
        text.push_str(&cycle_mark(trail, step, view));
        text.push_str(&annotated(step, column, view));
    }
    if trail.cycle.is_some_and(|begins| begins as usize == count) {
        text.push_str(&mark("--- nothing more happens ---", view));
    }
    text
}

/// The line before the first step of a cycle.
fn cycle_mark(trail: &Trail, step: &Step, view: &View) -> String {
    match trail.cycle == Some(step.number - 1) {
        true => mark("--- cycle (repeats) ---", view),
        false => String::new(),
    }
}

fn mark(text: &str, view: &View) -> String {
    format!("{}\n", paint(view.color, Paint::Aside, text))
}

/// The column in which all that happened is written.
fn column<'a>(steps: impl Iterator<Item = &'a Step>) -> usize {
    let widths = steps.map(|step| step_line(step).chars().count());
    widths.filter(|width| *width <= WIDEST).max().unwrap_or(0) + GAP
}

fn annotated(step: &Step, column: usize, view: &View) -> String {
    let line = step_line(step);
    let happened = happened(step);
    if happened.is_empty() {
        return format!("{line}\n");
    }
    let gap = column.saturating_sub(line.chars().count()).max(2);
    format!("{line}{}{}\n", " ".repeat(gap), paint(view.color, Paint::Aside, &happened))
}

/// What a step did, in words; empty where there is nothing to report.
pub fn happened(step: &Step) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(step.sync.clone());
    for change in &step.changes {
        parts.push(format!("{}: {} -> {}", change.expression, change.from, change.to));
    }
    if step.choice != 0 && step.sync.is_none() {
        parts.push(format!("choice {}", step.choice));
    }
    parts.extend(step.output.as_deref().map(printed));
    clean(&parts.join(", "))
}

fn printed(output: &str) -> String {
    let short: String = output.chars().take(PRINTED).collect();
    let more = if short.len() < output.len() { "..." } else { "" };
    format!("prints \"{}\"{more}", short.escape_debug())
}
