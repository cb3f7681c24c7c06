//! What the outcome of a search means: verdict and counts.

use std::time::Duration;

use steam_props::{Claim, ClaimKind};
use steam_search::{End, LimitKind, Outcome};
use steam_session::{Bound, Checked};
use steam_trail::{Decision, Limit, SearchBound, Statistics, Verdict, ViolationInfo};

use crate::choice::{AlgorithmName, Choice as _, Store};
use crate::claimed::Claimed;
use crate::config::Config;
use crate::phases::Phase;
use crate::recorded::broken_claims;

/// The verdict of a search that was done by a configuration.
pub(crate) fn verdict<V, U, A>(config: &Config, outcome: &Outcome<V, U, A>) -> Verdict {
    if !outcome.violations.is_empty() {
        return Verdict::Violation;
    }
    if !outcome.unknowns.is_empty() {
        return Verdict::NotModelled;
    }
    match outcome.end {
        End::Limit(limit) => limited(config, limit),
        End::Interrupted | End::Abandoned => Verdict::Interrupted,
        End::Exhausted | End::Stopped if outcome.exact => Verdict::Complete,
        End::Exhausted | End::Stopped => Verdict::Probable {
            store: config.store.name().to_owned(),
            negligible: config.store == Store::Hash128,
            chance: config.store.chance(outcome.statistics.states),
        },
    }
}

fn limited(config: &Config, limit: LimitKind) -> Verdict {
    match limit {
        LimitKind::Memory => Verdict::Limit(Limit::Memory(config.bounds.memory)),
        LimitKind::Time => Verdict::Limit(Limit::Time(config.bounds.time.unwrap_or_default())),
        LimitKind::States => {
            Verdict::Limit(Limit::States(config.bounds.states.unwrap_or_default()))
        }
        LimitKind::Depth => {
            Verdict::Bounded(SearchBound::Depth(config.bounds.depth.unwrap_or_default()))
        }
        LimitKind::Width => Verdict::Bounded(SearchBound::Width(config.search.width)),
        LimitKind::Runs => Verdict::Bounded(SearchBound::Schedules(config.search.runs)),
        LimitKind::Switches => Verdict::Bounded(match config.search.bound {
            Some(Bound::Delays(most)) => SearchBound::Delays(most),
            Some(Bound::Preemptions(most)) => SearchBound::Preemptions(most),
            None => SearchBound::FairScheduler,
        }),
    }
}

/// What several searches together say.
pub(crate) struct Judged<'a> {
    /// What they were to do.
    pub config: &'a Config,
    /// What is claimed of the program.
    pub claimed: Option<&'a Claimed>,
    /// The searches; there is at least one.
    pub phases: &'a [Phase],
}

impl Judged<'_> {
    /// The verdict, where it is known whether there are errors and things that are not known.
    pub fn verdict(&self, violated: bool, unknown: bool) -> Verdict {
        if violated {
            return Verdict::Violation;
        }
        if unknown {
            return Verdict::NotModelled;
        }
        let verdicts = self.phases.iter().map(|phase| verdict(self.config, &phase.checked.outcome));
        let mut open = verdicts.filter(|it| !matches!(it, Verdict::Violation | Verdict::Complete));
        open.next().unwrap_or(Verdict::Complete)
    }

    /// The counts of all searches together.
    pub fn statistics(&self) -> Statistics {
        let each = self.phases.iter().map(|phase| statistics(self.config, &phase.checked));
        let sum = |mut all: Statistics, one: Statistics| {
            all.states += one.states;
            all.transitions += one.transitions;
            all.depth = all.depth.max(one.depth);
            all.executions = all.executions.or(one.executions);
            all.iterations += one.iterations;
            all.time += one.time;
            all.peak_bytes = all.peak_bytes.max(one.peak_bytes);
            all.store_bytes = all.store_bytes.max(one.store_bytes);
            all.truncated.extend(one.truncated);
            all
        };
        each.reduce(sum).unwrap_or_default()
    }

    /// The answer to each claim.
    pub fn decisions(&self, violations: &[ViolationInfo]) -> Vec<Decision> {
        let Some(claimed) = self.claimed else { return Vec::new() };
        let decision = |(number, claim): (usize, &Claim)| {
            let trails = violations.iter().filter_map(|violation| violation.trail.as_ref());
            let is_broken = trails.flat_map(|it| broken_claims(&it.trail)).any(|it| it == number);
            let reason = self.reason(claimed, number).filter(|_| !is_broken);
            let verdict = match (&reason, is_broken) {
                (_, true) => "violated",
                (Some(_), _) => "unknown",
                (None, _) => "holds",
            };
            Decision {
                kind: match claim.kind {
                    ClaimKind::Invariant => "invariant",
                    ClaimKind::Formula => "ltl",
                    ClaimKind::Automaton => "automaton",
                }
                .to_owned(),
                claim: claim.text.clone(),
                verdict: verdict.to_owned(),
                reason,
            }
        };
        claimed.claims.list.iter().enumerate().map(decision).collect()
    }

    /// Why it is not known of a claim whether it holds; nothing if it is.
    fn reason(&self, claimed: &Claimed, claim: usize) -> Option<String> {
        let last = self.phases.iter().rev().find(|phase| phase.asked.contains(&claim));
        let Some(phase) = last else { return Some("it was not looked for".to_owned()) };
        if let Some(failure) = claimed.failures_of(claim).first() {
            return Some(failure.to_string());
        }
        let outcome = &phase.checked.outcome;
        if let Some(unknown) = outcome.unknowns.first() {
            return Some(unknown.what.report.message.clone());
        }
        if let Some(running) = &phase.running {
            return Some(running.report.message.clone());
        }
        if let Some(passed) = &phase.passed {
            return Some(format!("{PATHS_END}: {}", passed.report.message));
        }
        match outcome.end {
            End::Exhausted if outcome.exact => None,
            End::Exhausted => Some("states may have been missed".to_owned()),
            End::Stopped => Some("the search ended with an error".to_owned()),
            End::Limit(LimitKind::Depth) => Some("runs were cut off at the depth limit".to_owned()),
            End::Limit(LimitKind::Switches) if self.config.search.bound.is_none() => {
                Some("only executions of a fair scheduler were gone along".to_owned())
            }
            End::Limit(_) => Some("a limit ended the search".to_owned()),
            End::Interrupted | End::Abandoned => Some("the search was interrupted".to_owned()),
        }
    }
}

/// Said where the real program may go on after an error.
pub(crate) const PATHS_END: &str = "paths end at an error that is not looked for";

/// The counts of a check. Those of states are of its last iteration.
pub(crate) fn statistics<V, U, A>(config: &Config, checked: &Checked<V, U, A>) -> Statistics {
    let counts = &checked.outcome.statistics;
    Statistics {
        states: counts.states,
        transitions: counts.transitions,
        depth: counts.depth,
        executions: (config.search.algorithm == AlgorithmName::Stateless).then_some(counts.runs),
        iterations: checked.iterations,
        time: Duration::from_millis(checked.totals.elapsed.as_millis() as u64),
        peak_bytes: steam_host::peak_memory().unwrap_or(counts.bytes),
        store_bytes: counts.store_bytes,
        truncated: left_out(config, &checked.outcome).into_iter().collect(),
    }
}

/// What a search for all errors did not come to, where it found some: the verdict does not say it.
fn left_out<V, U, A>(config: &Config, outcome: &Outcome<V, U, A>) -> Option<String> {
    if !config.all || outcome.violations.is_empty() {
        return None;
    }
    let what = match outcome.end {
        End::Limit(LimitKind::Memory) => "what was left at the memory limit",
        End::Limit(LimitKind::Time) => "what was left at the time limit",
        End::Limit(LimitKind::States) => "what was left at the limit of states",
        End::Limit(LimitKind::Depth) => "what lies beyond the depth limit",
        End::Limit(LimitKind::Width) => "what lies beyond the width of the beam",
        End::Limit(LimitKind::Switches) => "what lies beyond the bound on switches",
        End::Limit(LimitKind::Runs) => "schedules that no run took",
        End::Interrupted => "what was left when it was interrupted",
        End::Exhausted | End::Stopped | End::Abandoned => return None,
    };
    Some(format!("{what}; there may be more errors"))
}
