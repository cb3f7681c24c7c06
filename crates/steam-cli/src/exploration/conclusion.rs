//! What the outcome of a search means: verdict and counts.

use std::time::Duration;

use steam_search::{End, LimitKind, Outcome};
use steam_session::{Bound as Switches, Checked};
use steam_trail::{Bound, Limit, Statistics, Verdict};

use crate::args::check::{Algorithm, Store, name_of};
use crate::config::check::CheckPlan;

/// The verdict of a search that was done by a plan.
pub fn verdict<V, U, A>(plan: &CheckPlan, outcome: &Outcome<V, U, A>) -> Verdict {
    if !outcome.violations.is_empty() {
        return Verdict::Violation;
    }
    if !outcome.unknowns.is_empty() {
        return Verdict::NotModelled;
    }
    match outcome.end {
        End::Limit(limit) => limited(plan, limit),
        End::Interrupted | End::Abandoned => Verdict::Interrupted,
        End::Exhausted | End::Stopped if outcome.exact => Verdict::Complete,
        End::Exhausted | End::Stopped => Verdict::Probable {
            store: name_of(plan.store),
            chance: chance(plan.store, outcome.statistics.states),
        },
    }
}

fn limited(plan: &CheckPlan, limit: LimitKind) -> Verdict {
    match limit {
        LimitKind::Memory => Verdict::Limit(Limit::Memory(plan.bounds.memory)),
        LimitKind::Time => Verdict::Limit(Limit::Time(plan.bounds.time.unwrap_or_default())),
        LimitKind::States => Verdict::Limit(Limit::States(plan.bounds.states.unwrap_or_default())),
        LimitKind::Depth => Verdict::Bounded(Bound::Depth(plan.bounds.depth.unwrap_or_default())),
        LimitKind::Width => Verdict::Bounded(Bound::Width(plan.search.width)),
        LimitKind::Runs => Verdict::Bounded(Bound::Schedules(plan.search.runs)),
        LimitKind::Switches => Verdict::Bounded(match plan.search.bound {
            Some(Switches::Delays(most)) => Bound::Delays(most),
            Some(Switches::Preemptions(most)) => Bound::Preemptions(most),
            None => Bound::Preemptions(0),
        }),
    }
}

/// What is known of the chance that a state was mistaken for another one.
fn chance(store: Store, states: u64) -> String {
    match store {
        Store::Hash128 => {
            // Pairs of states, each with the same fingerprint in one of 2^128 cases.
            let pairs = states as f64 * states as f64 / 2.0;
            let exponent = (pairs.max(1.0) / 2f64.powi(128)).log10().ceil();
            format!("p(miss) < 1e{exponent}")
        }
        _ => "states may be missed".to_owned(),
    }
}

/// The counts of a check. Those of states are of its last round.
pub fn statistics<V, U, A>(plan: &CheckPlan, checked: &Checked<V, U, A>) -> Statistics {
    let counts = &checked.outcome.statistics;
    Statistics {
        states: counts.states,
        transitions: counts.transitions,
        depth: counts.depth,
        executions: (plan.search.algorithm == Algorithm::Stateless).then_some(counts.runs),
        rounds: checked.rounds,
        time: Duration::from_millis(checked.totals.elapsed.as_millis() as u64),
        peak_bytes: peak_bytes().unwrap_or(counts.bytes),
        store_bytes: counts.store_bytes,
        truncated: left_out(plan, &checked.outcome).into_iter().collect(),
    }
}

/// What a search for all errors did not come to, where it found some: the verdict does not tell.
fn left_out<V, U, A>(plan: &CheckPlan, outcome: &Outcome<V, U, A>) -> Option<String> {
    if !plan.all || outcome.violations.is_empty() {
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

/// The greatest amount of memory that this process had.
fn peak_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_hardly_ever_mistaken() {
        assert_eq!(chance(Store::Hash128, 1_000_000), "p(miss) < 1e-26");
        assert_eq!(chance(Store::Hash128, 1), "p(miss) < 1e-38");
    }

    #[test]
    fn this_process_has_memory() {
        assert!(peak_bytes().is_some_and(|bytes| bytes > 1 << 20));
    }
}
