//! The answer of a check: its words, which are fixed, and its exit status.

use std::time::Duration;

use crate::quantity;
use crate::render::clean;
use crate::report::Report;
use crate::violation::ViolationInfo;

/// The answer of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The program has an error; the first violation of the report says which.
    Violation,
    /// Every reachable state was explored, and there is no error.
    Complete,
    /// The same but for errors that the user does not want to hear of.
    Suppressed {
        /// How many were met.
        errors: u64,
        /// Those that end the program: what would come after them was not explored.
        cuts: Vec<String>,
    },
    /// No error was met within a bound that the user set.
    Bounded(SearchBound),
    /// No error was met, but states may have been mistaken for others.
    Probable {
        /// The store of visited states.
        store: String,
        /// Whether the chance of that is as small as that of a fault of the machine.
        negligible: bool,
        /// What is known of the chance that an error was missed, such as `p(miss) < 1e-9`.
        chance: String,
    },
    /// A limit ended the search before an error was met.
    Limit(Limit),
    /// The program needs something that is not modelled; the first unknown says what.
    NotModelled,
    /// The user stopped the search before an error was met.
    Interrupted,
    /// The search met an error, but its schedule does not lead there again: steam is wrong.
    Unconfirmed,
}

/// A bound within which a search looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchBound {
    /// Steps from the start.
    Depth(u32),
    /// States of a level; errors beyond the other ones may be missed.
    Width(u32),
    /// Schedules that are tried.
    Schedules(u64),
    /// Switches of a thread that could have gone on.
    Preemptions(u32),
    /// Threads that are passed over.
    Delays(u32),
    /// Executions that a fair scheduler allows.
    FairScheduler,
}

/// A limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Bytes of memory.
    Memory(u64),
    /// Time.
    Time(Duration),
    /// Distinct states.
    States(u64),
}

impl Verdict {
    /// The exit status that tells the answer: 0 nothing found and all explored, 1 an error of the
    /// program, 3 unknown, 101 steam itself is wrong, 130 interrupted.
    pub const fn exit_status(&self) -> u8 {
        match self {
            Self::Complete | Self::Suppressed { .. } | Self::Probable { negligible: true, .. } => 0,
            Self::Violation => 1,
            Self::Probable { negligible: false, .. } => 3,
            Self::Bounded(_) | Self::Limit(_) | Self::NotModelled => 3,
            Self::Interrupted => 130,
            Self::Unconfirmed => 101,
        }
    }

    /// The one word for programs that read the answer.
    pub const fn result(&self) -> &'static str {
        match self {
            Self::Violation => "violation",
            Self::Complete | Self::Suppressed { .. } | Self::Bounded(_) | Self::Probable { .. } => {
                "no-error"
            }
            Self::Limit(_) | Self::NotModelled => "unknown",
            Self::Interrupted => "interrupted",
            Self::Unconfirmed => "unconfirmed",
        }
    }

    /// Why the answer is not complete, where it is not.
    pub fn reason(&self, report: &Report) -> Option<String> {
        match self {
            Self::Violation | Self::Complete => None,
            Self::Suppressed { errors, cuts } => Some(suppressed(*errors, cuts)),
            Self::Bounded(bound) => Some(format!("bounded: {}", bound.text())),
            Self::Probable { store, chance, .. } => Some(format!("{store}: {chance}")),
            Self::Limit(limit) => Some(limit.text(report.statistics.states)),
            Self::NotModelled => Some(not_modelled(report)),
            Self::Interrupted => Some(format!(
                "after {}",
                quantity::counted(report.statistics.states, "state", "states")
            )),
            Self::Unconfirmed => {
                Some(report.unconfirmed.first().map_or_else(String::new, |it| it.headline.clone()))
            }
        }
    }

    /// The verdict's line; its first words are fixed.
    pub fn line(&self, report: &Report) -> String {
        let reason = self.reason(report).unwrap_or_default();
        let line = match self {
            Self::Violation => match report.violations.first() {
                Some(violation) => violation.verdict(),
                None => "VIOLATION".to_owned(),
            },
            Self::Complete => format!("NO ERROR FOUND (complete{})", scope(report)),
            Self::Suppressed { .. } | Self::Bounded(_) | Self::Probable { .. } => {
                format!("NO ERROR FOUND ({reason}{})", scope(report))
            }
            Self::Limit(_) | Self::NotModelled => format!("UNKNOWN ({reason})"),
            Self::Interrupted => format!("INTERRUPTED  {reason}, no error so far"),
            Self::Unconfirmed => format!("UNCONFIRMED  {reason}"),
        };
        clean(&line)
    }
}

/// What the answer is about, where that is not the usual: ` for --find race`.
fn scope(report: &Report) -> String {
    report.configuration.scope.as_ref().map_or_else(String::new, |scope| format!(" for {scope}"))
}

impl SearchBound {
    /// The bound in words: `depth 200`.
    fn text(self) -> String {
        match self {
            Self::Depth(steps) => format!("depth {steps}"),
            Self::Width(states) => format!("width {states}"),
            Self::Schedules(count) => format!("{count} schedules"),
            Self::Preemptions(count) => up_to(count, "preemption", "preemptions"),
            Self::Delays(count) => up_to(count, "delay", "delays"),
            Self::FairScheduler => "executions of a fair scheduler".to_owned(),
        }
    }
}

/// What was left out, and what was not explored because of that.
fn suppressed(errors: u64, cuts: &[String]) -> String {
    let errors = format!("{} suppressed", quantity::counted(errors, "error", "errors"));
    match cuts {
        [] => format!("complete, {errors}"),
        _ => format!("{errors}; not explored what comes after {}", cuts.join(", ")),
    }
}

fn up_to(count: u32, one: &str, several: &str) -> String {
    format!("verified up to {}", quantity::counted(u64::from(count), one, several))
}

impl Limit {
    /// The limit in words: `memory limit 4 GiB after 1.2 M states`.
    fn text(self, states: u64) -> String {
        let after = format!("after {} states", quantity::rounded(states, " "));
        match self {
            Self::Memory(bytes) => format!("memory limit {} {after}", quantity::bytes(bytes)),
            Self::Time(time) => format!("time limit {} {after}", quantity::duration(time)),
            Self::States(limit) => format!("limit of {limit} states"),
        }
    }
}

impl ViolationInfo {
    /// The word of the verdict, which is fixed.
    pub fn word(&self) -> &'static str {
        match self.kind.as_str() {
            "deadlock" => "DEADLOCK",
            "hang" => "HANG",
            "race" => "RACE",
            "discipline" => "DISCIPLINE",
            "livelock" => "LIVELOCK",
            _ => "VIOLATION",
        }
    }

    /// The word of the verdict and the headline.
    pub fn verdict(&self) -> String {
        format!("{:<9}  {}", self.word(), self.headline)
    }
}

fn not_modelled(report: &Report) -> String {
    let Some(unknown) = report.unknowns.first() else {
        return "something that is not modelled".to_owned();
    };
    match unknown.location.file {
        Some(_) => format!("{} at {}", unknown.headline, unknown.location.line_position()),
        None => unknown.headline.clone(),
    }
}
