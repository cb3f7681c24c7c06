//! The commands that take the user further.

use crate::report::Report;
use crate::verdict::{Limit, SearchBound, Verdict};

/// Trails longer than this are worth a search for a shorter one.
const LONG: usize = 60;

/// A word as a shell needs it: in quotes where it holds anything that a shell would not pass on.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./,:=+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The commands that take the user further from a report, the best one first.
pub fn suggestions(report: &Report) -> Vec<String> {
    let mut commands = Vec::new();
    if let Some(recorded) = report.trail() {
        commands
            .extend(recorded.file.as_ref().map(|file| format!("steam replay {}", quoted(file))));
        if recorded.trail.steps.len() > LONG && report.configuration.algo != "bfs" {
            commands.extend(again(report, &[("--algo", "astar"), ("--heur", "pl2")]));
        }
    }
    match &report.verdict {
        Verdict::Limit(Limit::Memory(_)) => {
            let smaller = match report.configuration.store.as_str() {
                "tree" | "full" => "hash128",
                _ => "bitstate",
            };
            commands.extend(again(report, &[("--store", smaller)]));
        }
        Verdict::Limit(Limit::Time(_)) if report.configuration.jobs == 1 => {
            commands.extend(again(report, &[("--jobs", "0")]));
        }
        Verdict::Limit(_) | Verdict::Interrupted => {
            commands.extend(again(report, &[("--algo", "pct")]));
        }
        Verdict::Probable { .. } => commands.extend(again(report, &[("--store", "tree")])),
        Verdict::Bounded(SearchBound::Width(width)) => {
            let wider = width.saturating_mul(10).to_string();
            let heuristic = report.configuration.heur.as_deref().unwrap_or("pl2");
            let directed = |algorithm| [("--algo", algorithm), ("--heur", heuristic)];
            let beam = [&directed("beam")[..], &[("--width", &wider)]].concat();
            commands.extend(again(report, &beam));
            commands.extend(again(report, &directed("astar")));
        }
        Verdict::Bounded(SearchBound::Preemptions(most)) => {
            commands.extend(again(report, &[("--preemptions", &(most + 1).to_string())]));
        }
        Verdict::Bounded(SearchBound::Delays(most)) => {
            commands.extend(again(report, &[("--delays", &(most + 1).to_string())]));
        }
        Verdict::Bounded(SearchBound::FairScheduler) => {
            commands.extend(again(report, &[("--algo", "dfs")]));
        }
        Verdict::Suppressed { .. }
        | Verdict::Bounded(SearchBound::Depth(_) | SearchBound::Schedules(_))
        | Verdict::Complete
        | Verdict::Violation
        | Verdict::Unconfirmed
        | Verdict::NotModelled => {}
    }
    commands
}

/// The check of the same program with other options, unless they are those that it had.
fn again(report: &Report, options: &[(&str, &str)]) -> Option<String> {
    let configuration = &report.configuration;
    let had = |(option, value): &(&str, &str)| match *option {
        "--algo" => configuration.algo == *value,
        "--store" => configuration.store == *value,
        "--heur" => configuration.heur.as_deref() == Some(value),
        _ => false,
    };
    if options.iter().all(had) {
        return None;
    }
    let options: Vec<String> =
        options.iter().map(|(option, value)| format!("{option} {value}")).collect();
    Some(format!("steam check {} {}", options.join(" "), report.program.command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_shells() {
        assert_eq!(quoted("dir/a-b.c"), "dir/a-b.c");
        assert_eq!(quoted("my file"), "'my file'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("$HOME"), "'$HOME'");
    }
}
