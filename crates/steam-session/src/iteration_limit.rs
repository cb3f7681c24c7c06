//! How long an iteration goes on that will have to be done again.

use steam_model::Learns;
use steam_search::Progress;

/// What an iteration gets at least after it has learned something.
#[derive(Clone, Copy)]
pub(crate) struct Least {
    /// Expansions,
    expansions: u64,
    /// unless they were this much work: where it is not known yet what threads wait for, a step may run for
    /// millions of instructions.
    effort: u64,
}

/// For a search.
pub(crate) const SEARCH: Least = Least { expansions: 1000, effort: 16_000_000 };
/// For single executions: each of them goes to the end of the program, so that few of them meet nearly all that there
/// is to learn, and uninitialised values may be looked for in them, which takes ten times as long.
pub(crate) const EXECUTIONS: Least = Least { expansions: 100, effort: 1_000_000 };

/// From this much work for each step on, steps are long: a thread seems to wait for what the search does
/// not know to be shared.
const LONG: u64 = 10_000;
/// The work of long steps after which pilots are sent for the first time in an iteration.
const FIRST_PILOTS: u64 = 2_000_000;

/// Decides when an iteration is not worth continuing.
///
/// After the first thing was learned, an iteration may do as much again as it had done by then: less
/// would make iterations that learn little each, more would be wasted.
///
/// An iteration of long steps may learn late: who writes what a thread waits for has its turn when the order of the
/// search comes to it, and until then the thread waits in each of many states. So pilots are sent, which
/// let every process have turns, and again each time that the work has doubled. If they learn something, the
/// iteration is over at once: it is the expensive way to learn the same.
pub(crate) struct IterationLimit<'a, M> {
    model: &'a M,
    least: Least,
    /// Expansions and work when the first thing was learned.
    learned_at: Option<(u64, u64)>,
    /// Steps and work when it was asked last.
    seen: (u64, u64),
    /// The work of long steps.
    long: u64,
    /// The work of long steps with which pilots are sent next.
    pilots_at: u64,
}

impl<'a, M: Learns> IterationLimit<'a, M> {
    pub(crate) fn new(model: &'a M, least: Least) -> Self {
        Self { model, least, learned_at: None, seen: (0, 0), long: 0, pilots_at: FIRST_PILOTS }
    }

    /// Whether the iteration has gone on for long enough. `pilots` sends them.
    pub(crate) fn is_over(&mut self, progress: &Progress, pilots: impl FnOnce()) -> bool {
        if self.learned_at.is_none() && !self.model.learned() && self.wants_pilots(progress) {
            pilots();
            if self.model.learned() {
                return true;
            }
        }
        if self.learned_at.is_none() && self.model.learned() {
            self.learned_at = Some((progress.expanded, progress.effort));
        }
        self.learned_at.is_some_and(|(expanded, effort)| {
            progress.expanded >= expanded + expanded.max(self.least.expansions)
                || progress.effort >= effort + effort.max(self.least.effort)
        })
    }

    /// Whether it is time for pilots.
    fn wants_pilots(&mut self, progress: &Progress) -> bool {
        let now = (progress.transitions, progress.effort);
        let steps = now.0.saturating_sub(self.seen.0);
        let work = now.1.saturating_sub(self.seen.1);
        self.seen = now;
        if work >= LONG.saturating_mul(steps) {
            self.long += work;
        }
        let due = self.long >= self.pilots_at;
        if due {
            self.pilots_at = 2 * self.long;
        }
        due
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
            let mut limit = IterationLimit::new(&pupil, SEARCH);
            let mut is_over =
                |expanded| limit.is_over(&Progress { expanded, ..Progress::default() }, || ());
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
        let mut limit = IterationLimit::new(&pupil, SEARCH);
        let mut is_over = |expanded, effort| {
            limit.is_over(&Progress { expanded, effort, ..Progress::default() }, || ())
        };
        assert!(!is_over(1, 4_000_000));
        assert!(!is_over(4, 19_000_000));
        assert!(is_over(5, 20_000_000));
    }

    #[test]
    fn pilots_are_sent_while_steps_are_long_and_each_time_that_the_work_has_doubled() {
        let pupil = Pupil(AtomicBool::new(false));
        let mut limit = IterationLimit::new(&pupil, SEARCH);
        let mut sent = Vec::new();
        let mut work = |transitions, effort| {
            let progress = Progress { transitions, effort, ..Progress::default() };
            assert!(!limit.is_over(&progress, || sent.push(transitions)));
        };
        // Much work, but in many steps.
        work(1_000_000, 90_000_000);
        for step in 1..=20 {
            work(1_000_000 + step, 90_000_000 + 4_000_000 * step);
        }
        assert_eq!(sent, [1_000_001, 1_000_002, 1_000_004, 1_000_008, 1_000_016]);
    }

    #[test]
    fn what_pilots_learn_ends_the_round_at_once() {
        let pupil = Pupil(AtomicBool::new(false));
        let mut limit = IterationLimit::new(&pupil, SEARCH);
        let progress = Progress { transitions: 2, effort: 8_000_000, ..Progress::default() };
        assert!(limit.is_over(&progress, || pupil.0.store(true, Ordering::Relaxed)));
        let mut limit = IterationLimit::new(&pupil, SEARCH);
        assert!(!limit.is_over(&progress, || panic!("the iteration has learned by itself")));
    }
}
