//! How a command ended, and the exit status that says so.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All went well.
    Success,
    /// The machine found an error of the guest.
    Violation,
    /// The user gave something wrong; the message is out already.
    UserError,
    /// The guest needs what is not modelled, or a limit was reached.
    Unknown,
    /// We are wrong; the message is out already.
    OwnError,
    /// The user stopped it before anything was found.
    Interrupted,
    /// Another program's status is passed on: the guest's or the compiler's.
    Status(u8),
    /// Another program was ended by a signal.
    Signal(u8),
    /// Our output has no reader any more.
    BrokenPipe,
}

impl Outcome {
    fn status(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Violation => 1,
            Self::UserError => 2,
            Self::Unknown => 3,
            Self::OwnError => 101,
            // What shells say of a program that Ctrl-C ended.
            Self::Interrupted => Self::Signal(2).status(),
            Self::Status(status) => status,
            // What shells say.
            Self::Signal(signal) => signal.wrapping_add(128),
            Self::BrokenPipe => Self::Signal(13).status(),
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        outcome.status().into()
    }
}

impl From<&steam_trail::Verdict> for Outcome {
    fn from(verdict: &steam_trail::Verdict) -> Self {
        use steam_trail::Verdict;
        match verdict {
            Verdict::Complete
            | Verdict::Suppressed { .. }
            | Verdict::Probable { negligible: true, .. } => Self::Success,
            Verdict::Violation => Self::Violation,
            Verdict::Probable { negligible: false, .. } => Self::Unknown,
            Verdict::Bounded(_) | Verdict::Limit(_) | Verdict::NotModelled => Self::Unknown,
            Verdict::Interrupted => Self::Interrupted,
            Verdict::Unconfirmed => Self::OwnError,
        }
    }
}

impl From<std::process::ExitStatus> for Outcome {
    fn from(status: std::process::ExitStatus) -> Self {
        use std::os::unix::process::ExitStatusExt;
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Status(code as u8),
            (None, Some(signal)) => Self::Signal(signal as u8),
            (None, None) => Self::UserError,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use steam_trail::{Limit, SearchBound, Verdict};

    #[test]
    fn a_verdict_and_its_outcome_have_one_status() {
        let probable = |negligible| Verdict::Probable {
            store: String::new(),
            negligible,
            chance: String::new(),
        };
        for verdict in [
            Verdict::Complete,
            probable(true),
            probable(false),
            Verdict::Violation,
            Verdict::Bounded(SearchBound::Depth(1)),
            Verdict::Limit(Limit::States(1)),
            Verdict::NotModelled,
            Verdict::Interrupted,
            Verdict::Unconfirmed,
        ] {
            assert_eq!(Outcome::from(&verdict).status(), verdict.exit_status(), "{verdict:?}");
        }
    }

    #[test]
    fn the_documented_numbers() {
        let all = [
            (Outcome::Success, 0),
            (Outcome::Violation, 1),
            (Outcome::UserError, 2),
            (Outcome::Unknown, 3),
            (Outcome::Interrupted, 130),
            (Outcome::Status(42), 42),
            (Outcome::Signal(6), 134),
            (Outcome::BrokenPipe, 141),
        ];
        for (outcome, status) in all {
            assert_eq!(outcome.status(), status, "{outcome:?}");
        }
    }
}
