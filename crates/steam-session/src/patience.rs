//! How long a round goes on that will have to be done again.

use steam_model::Learns;
use steam_search::Progress;

/// Expansions that a round gets at least after it has learned something,
const LEAST: u64 = 1000;
/// unless they were this much work: where it is not known yet what threads wait for, a step may run for
/// millions of instructions.
const LEAST_EFFORT: u64 = 16_000_000;

/// Decides when a round is not worth going on with.
///
/// After the first thing was learned, a round may do as much again as it had done by then: less
/// would make rounds that learn little each, more would be wasted.
pub(crate) struct Patience<'a, M> {
    model: &'a M,
    /// Expansions and work when the first thing was learned.
    learned_at: Option<(u64, u64)>,
}

impl<'a, M: Learns> Patience<'a, M> {
    pub(crate) fn new(model: &'a M) -> Self {
        Self { model, learned_at: None }
    }

    /// Whether the round has gone on for long enough.
    pub(crate) fn is_over(&mut self, progress: &Progress) -> bool {
        if self.learned_at.is_none() && self.model.learned() {
            self.learned_at = Some((progress.expanded, progress.effort));
        }
        self.learned_at.is_some_and(|(expanded, effort)| {
            progress.expanded >= expanded + expanded.max(LEAST)
                || progress.effort >= effort + effort.max(LEAST_EFFORT)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    struct Pupil(AtomicBool);

    impl Learns for Pupil {
        fn learned(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn as_much_again_and_at_least_a_thousand() {
        for (learned_at, end) in [(0, 1000), (200, 1200), (5000, 10_000)] {
            let pupil = Pupil(AtomicBool::new(false));
            let mut patience = Patience::new(&pupil);
            let mut is_over =
                |expanded| patience.is_over(&Progress { expanded, ..Progress::default() });
            assert!(!is_over(learned_at / 2));
            pupil.0.store(true, Ordering::Relaxed);
            assert!(!is_over(learned_at));
            assert!(!is_over(end - 1));
            assert!(is_over(end));
        }
    }
    #[test]
    fn few_steps_are_enough_if_they_are_much_work() {
        let pupil = Pupil(AtomicBool::new(true));
        let mut patience = Patience::new(&pupil);
        let mut is_over = |expanded, effort| {
            patience.is_over(&Progress { expanded, effort, ..Progress::default() })
        };
        assert!(!is_over(1, 4_000_000));
        assert!(!is_over(4, 19_000_000));
        assert!(is_over(5, 20_000_000));
    }
}
