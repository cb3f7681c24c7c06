//! The renderings of reports against texts that were written by hand from the description of the
//! user interface.

use std::time::Duration;

use crate::reports::{deadlock, glob, no_error, unknown};
use steam_trail::render::{View, human, human_replay, json, short};
use steam_trail::{Compared, Divergence, Limit, Report, SearchBound, Step, Trail, Verdict};

#[track_caller]
fn check(report: &Report, expected: &str) {
    let text = human(report, &View::default());
    assert_eq!(text, expected, "\n{text}");
}

#[test]
fn the_assertion_of_glob() {
    check(&glob(), include_str!("expected/glob.txt"));
}

#[test]
fn a_deadlock_of_three() {
    check(&deadlock(), include_str!("expected/deadlock.txt"));
}

#[test]
fn a_system_call_that_is_not_modelled() {
    check(&unknown(), include_str!("expected/unknown.txt"));
}

#[test]
fn a_program_without_errors() {
    check(&no_error(), include_str!("expected/no_error.txt"));
}

#[test]
fn the_first_words_of_every_verdict() {
    let mut report = no_error();
    report.statistics.states = 1_200_000;
    let depth = Verdict::Bounded(SearchBound::Depth(200));
    let width = Verdict::Bounded(SearchBound::Width(1000));
    let schedules = Verdict::Bounded(SearchBound::Schedules(10_000));
    let preemptions = Verdict::Bounded(SearchBound::Preemptions(2));
    let delays = Verdict::Bounded(SearchBound::Delays(1));
    let chance = "p(miss) < 1e-9".to_owned();
    let probable = Verdict::Probable { store: "hash128".into(), negligible: true, chance };
    let memory = Verdict::Limit(Limit::Memory(4 << 30));
    let time = Verdict::Limit(Limit::Time(Duration::from_secs(1200)));
    let states = Verdict::Limit(Limit::States(1_000_000));
    for (verdict, line, status) in [
        (Verdict::Complete, "NO ERROR FOUND (complete)", 0),
        (depth, "NO ERROR FOUND (bounded: depth 200)", 3),
        (width, "NO ERROR FOUND (bounded: width 1000)", 3),
        (schedules, "NO ERROR FOUND (bounded: 10000 schedules)", 3),
        (preemptions, "NO ERROR FOUND (bounded: verified up to 2 preemptions)", 3),
        (delays, "NO ERROR FOUND (bounded: verified up to 1 delay)", 3),
        (probable, "NO ERROR FOUND (hash128: p(miss) < 1e-9)", 0),
        (memory, "UNKNOWN (memory limit 4 GiB after 1.2 M states)", 3),
        (time, "UNKNOWN (time limit 20 min after 1.2 M states)", 3),
        (states, "UNKNOWN (limit of 1000000 states)", 3),
        (Verdict::Interrupted, "INTERRUPTED  after 1200000 states, no error so far", 130),
    ] {
        assert_eq!(verdict.line(&report), line);
        assert_eq!(verdict.exit_status(), status, "{line}");
    }
    for (kind, word) in [
        ("assert", "VIOLATION  "),
        ("use-after-free", "VIOLATION  "),
        ("deadlock", "DEADLOCK   "),
        ("race", "RACE       "),
        ("discipline", "DISCIPLINE  "),
        ("livelock", "LIVELOCK   "),
    ] {
        let mut report = glob();
        report.violations[0].kind = kind.into();
        assert!(report.verdict.line(&report).starts_with(word), "{kind}");
        assert_eq!(report.verdict.exit_status(), 1);
    }
}

#[test]
fn the_line_for_editors_alone() {
    assert_eq!(
        short(&glob()),
        "glob.c:20:5: error: assertion `glob != 8` is false (thread 1, step 7) [steam::assert]\n"
    );
    assert_eq!(short(&no_error()), "peterson: note: no error found (complete) [steam::complete]\n");
    let mut report = no_error();
    report.verdict = Verdict::Interrupted;
    assert_eq!(
        short(&report),
        "peterson: unknown: interrupted after 41 states [steam::interrupted]\n"
    );
    report.verdict = Verdict::Limit(Limit::Memory(900 << 20));
    assert_eq!(
        short(&report),
        "peterson: unknown: memory limit 900 MiB after 41 states [steam::limit]\n"
    );
}

#[test]
fn without_times_nothing_depends_on_the_machine() {
    let view = View { times: false, ..View::default() };
    let mut slow = glob();
    slow.statistics.time = Duration::from_secs(77);
    slow.statistics.peak_bytes = 1 << 33;
    assert_eq!(human(&slow, &view), human(&glob(), &view));
    assert_eq!(json(&slow, &view), json(&glob(), &view));
    assert_ne!(human(&slow, &View::default()), human(&glob(), &View::default()));
    assert!(
        human(&slow, &view)
            .contains("\n7 steps, 3 switches · 41 states, 96 transitions, depth 9\n")
    );
}

/// Colours are all that differs.
#[test]
fn colours_can_be_taken_away() {
    let view = View { color: true, ..View::default() };
    for report in [glob(), deadlock(), unknown(), no_error()] {
        let painted = human(&report, &view);
        let mut plain = String::new();
        let mut rest = painted.as_str();
        while let Some((before, escape)) = rest.split_once("\x1b[") {
            plain.push_str(before);
            rest = escape.split_once('m').unwrap().1;
        }
        plain.push_str(rest);
        assert!(painted.len() > plain.len());
        assert_eq!(plain, human(&report, &View::default()));
    }
}

#[test]
fn the_middle_of_a_long_trail_is_left_out() {
    let mut report = glob();
    let trail = &mut report.violations[0].trail.as_mut().unwrap().trail;
    let step = trail.steps[0].clone();
    trail.steps = (1..=100).map(|number| Step { number, ..step.clone() }).collect();
    let text = human(&report, &View { max_steps: 5, ..View::default() });
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("Step ") || line.starts_with("..."))
        .map(|line| line.split(':').next().unwrap())
        .collect();
    let hidden = "... 95 steps left out, --max-steps 100 shows all ...";
    assert_eq!(lines, ["Step 1", "Step 2", hidden, "Step 98", "Step 99", "Step 100"]);
    let next = "next: steam replay glob.trail";
    assert!(text.lines().last().unwrap().contains(next));
    let none = human(&report, &View { max_steps: 0, ..View::default() });
    assert!(none.contains("... 100 steps left out"));
    report.configuration.algo = "dfs".into();
    report.configuration.heur = None;
    let text = human(&report, &View::default());
    assert!(text.ends_with(" | steam check --algo astar --heur pl2 glob.elf\n"), "{text}");
}

#[test]
fn a_beam_that_was_too_narrow_is_followed_by_a_wider_one() {
    let mut report = no_error();
    report.configuration.algo = "beam".into();
    report.configuration.heur = Some("mb".into());
    report.verdict = Verdict::Bounded(SearchBound::Width(1000));
    let text = human(&report, &View::default());
    let next = "next: steam check --algo beam --heur mb --width 10000 peterson | \
                steam check --algo astar --heur mb peterson\n";
    assert!(text.ends_with(next), "{text}");
    report.verdict = Verdict::Bounded(SearchBound::Depth(9));
    assert!(!human(&report, &View::default()).contains("next:"));
}

#[test]
fn several_errors_are_all_told() {
    let mut report = glob();
    let mut second = deadlock().violations.remove(0);
    second.trail.as_mut().unwrap().file = Some("glob-2.trail".into());
    report.violations.push(second);
    let text = human(&report, &View::default());
    let order = [
        "VIOLATION  assertion",
        "glob.c:20:5: error",
        "trail glob.trail\n\nDEADLOCK   3 of 4",
        "  thread 2 holds fork[0]",
        "philo.c:15:5: error",
        "trail glob-2.trail    next: steam replay glob.trail",
    ];
    let mut rest = text.as_str();
    for part in order {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part} is missing in\n{text}"));
        rest = &rest[at + part.len()..];
    }
    assert_eq!(short(&report).lines().count(), 2);
}

#[test]
fn the_guest_cannot_write_to_the_terminal() {
    let mut report = deadlock();
    let evil = "\x1b]0;x\x07\n\r".to_owned();
    let violation = &mut report.violations[0];
    violation.headline = evil.clone();
    violation.message = evil.clone();
    violation.summary = evil.clone();
    violation.text = vec![evil.clone()];
    violation.threads[0].name = evil.clone();
    violation.threads[1].holds[0].what = evil.clone();
    violation.location.file = Some(evil.clone());
    violation.excerpts[0].place.file = Some(evil.clone());
    violation.excerpts[0].lines[0].text = evil.clone();
    violation.excerpts[0].lines[0].marks[0].label = evil.clone();
    let step = &mut violation.trail.as_mut().unwrap().trail.steps[0];
    step.sync = Some(evil.clone());
    step.output = Some(evil.clone());
    step.place.function = Some(evil.clone());
    report.program.path = evil.clone();
    report.notes = vec![evil];
    for text in [
        report.verdict.line(&report),
        human(&report, &View::default()),
        short(&report),
        json(&report, &View::default()),
    ] {
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    }
}

#[test]
fn a_replay_says_whether_it_reproduced() {
    let report = glob();
    let recorded = &report.violations[0].trail.as_ref().unwrap().trail;
    let view = View::default();
    let same = human_replay(&report, recorded, recorded, &Compared::Same, &view);
    assert_eq!(same.lines().nth(2), Some("REPRODUCED  assertion failed: glob != 8"));
    assert!(same.contains("Step 7: Thread 1 - Line 20 src-file: glob.c - main"));
    let at = Divergence { step: 2, why: "thread 3 cannot take this step (choice 0)".into() };
    let diverged = Compared::Diverged(at);
    let short = Trail { steps: recorded.steps[..1].to_vec(), ..Trail::default() };
    let text = human_replay(&no_error(), recorded, &short, &diverged, &view);
    let expected = "DIVERGED  at step 2: thread 3 cannot take this step (choice 0)";
    assert_eq!(text.lines().nth(2), Some(expected));
    assert_eq!((Compared::Same.exit_status(), diverged.exit_status()), (0, 3));
}
