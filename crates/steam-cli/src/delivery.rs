//! Gives out what a check found: trail files, then the report. A report that cannot be written to its file goes to
//! standard output, and an error of the program keeps its exit status.

use anyhow::Context;
use steam_trail::Report;
use steam_trail::file::{save_trails, write_file};
use steam_trail::render::{human, json, short};

use crate::args::check::Format;
use crate::config::check::CheckPlan;
use crate::config::output::OutputPlan;
use crate::outcome::Outcome;
use crate::terminal;

/// Gives out the trail files of a report, then the report itself, and says how the check ended.
pub fn deliver(plan: &CheckPlan, mut report: Report) -> anyhow::Result<Outcome> {
    save_trails(&mut report, &plan.trail);
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
        match write_file(path, &text) {
            Ok(()) => return Ok(()),
            Err(error) => terminal::complain(&format!("{error}; this is the report:")),
        }
    }
    terminal::print(&text).context("the report cannot be printed")
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
    use steam_trail::{
        Place, ProgramInfo, Recorded, Statistics, Step, Trail, Verdict, ViolationInfo, file,
    };

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

    fn violation(thread: u32) -> ViolationInfo {
        let steps = vec![Step { number: 1, thread, ..Step::default() }];
        let sha256 = "0".repeat(64);
        let trail = Trail { sha256, atomic: "lgc".into(), steps, ..Trail::default() };
        ViolationInfo {
            kind: "assert".into(),
            headline: "assertion failed: x".into(),
            summary: "assertion `x` is false".into(),
            location: Place::at("a.c", 3),
            trail: Some(Recorded { file: None, trail }),
            ..ViolationInfo::default()
        }
    }

    fn report(plan: &CheckPlan, violations: Vec<ViolationInfo>) -> Report {
        let found = !violations.is_empty();
        Report {
            version: "0.1.0".into(),
            program: ProgramInfo { path: "p".into(), ..ProgramInfo::default() },
            configuration: plan.config.described(),
            verdict: if found { Verdict::Violation } else { Verdict::Complete },
            violations,
            unknowns: Vec::new(),
            statistics: Statistics::default(),
            claims: Vec::new(),
            notes: Vec::new(),
            unconfirmed: Vec::new(),
            exits: Vec::new(),
            own_errors: Vec::new(),
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
}
