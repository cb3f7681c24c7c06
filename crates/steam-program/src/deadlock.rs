//! Deadlock: no thread can ever go on, or some threads wait for each other in a cycle.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use steam_model::Property;
use steam_report::{Kind, Report};
use steam_state::{Component, Key, Reading, Table, ThreadId};

use super::choices::can_go_on;
use super::facts::ThreadView;
use super::finding::Violation;
use super::{Action, Program, Worker};

/// The absence of deadlocks, also of a part of the threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deadlock;

impl Property<Program> for Deadlock {
    fn check(
        &self,
        program: &Program,
        worker: &mut Worker,
        state: &Table,
        last: Option<Action>,
        tell: &mut dyn FnMut(Violation),
    ) {
        program.deadlock_in(worker, state, last).into_iter().for_each(tell);
    }
}

impl Program {
    fn deadlock_in(
        &self,
        worker: &mut Worker,
        state: &Table,
        last: Option<Action>,
    ) -> Option<Violation> {
        if self.has_ended(state) {
            return None;
        }
        // Whoever took the last step may have closed a cycle, but only by waiting now.
        if let Some(action) = last
            && self.goes_on(worker, state, action.thread)
        {
            return self.cycle_of_woken(worker, state);
        }
        // Decided in this order, so that it depends on the state alone what a deadlock is called.
        if !self.is_any_enabled(worker, state) || self.waits_for_its_end(worker, state) {
            let mut threads = Vec::new();
            self.each_thread(Reading::unrecorded(state), |frozen| {
                threads.push(frozen.thread);
                ControlFlow::Continue(())
            });
            assert!(!threads.is_empty(), "a program that has not ended has a thread");
            return Some(self.deadlock(state, &threads));
        }
        let cycle = self.cycle(state, last?.thread)?;
        Some(self.deadlock(state, &cycle))
    }

    /// Whether a thread can go on, but for a timer that ends its process.
    fn goes_on(&self, worker: &mut Worker, state: &Table, thread: ThreadId) -> bool {
        // The thread of the last step may have ended by it.
        let Some(frozen) = self.frozen(Reading::unrecorded(state), thread) else { return false };
        let mut choices = std::mem::take(&mut worker.choices);
        choices.clear();
        self.choices(worker, state, &frozen, &mut choices);
        if self.is_ended_by_timer(Reading::unrecorded(state), &frozen) {
            choices.retain(|choice| !choice.is_alarm());
        }
        let goes_on = can_go_on(&choices);
        worker.choices = choices;
        goes_on
    }

    /// Whether nothing can happen any more but that a timer ends the only process: it was set for the case
    /// that threads wait for ever.
    fn waits_for_its_end(&self, worker: &mut Worker, state: &Table) -> bool {
        let mut timed = None;
        self.each_thread(Reading::unrecorded(state), |frozen| {
            if !self.is_ended_by_timer(Reading::unrecorded(state), &frozen) {
                return ControlFlow::Continue(());
            }
            timed = Some(frozen.state.space);
            ControlFlow::Break(())
        });
        // No timer is set.
        let Some(space) = timed else { return false };
        let mut others = false;
        self.each_thread(Reading::unrecorded(state), |frozen| {
            others |= frozen.state.space != space || self.goes_on(worker, state, frozen.thread);
            if others { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        !others
    }

    /// Whether nothing is left of a program but its status.
    pub(super) fn has_ended(&self, state: &Table) -> bool {
        self.unrecorded(state, Key::Kernel) == Component(0)
    }

    /// The deadlock of a thread that was woken from a condition and waits for its mutex now: who
    /// woke it has closed the cycle, and runs on.
    fn cycle_of_woken(&self, worker: &mut Worker, state: &Table) -> Option<Violation> {
        if !self.conditions.load(Ordering::Relaxed) {
            return None;
        }
        let woken = self.woken(worker, state);
        let cycle = woken.into_iter().find_map(|thread| self.cycle(state, thread))?;
        Some(self.deadlock(state, &cycle))
    }

    /// The threads that wait for each other in a cycle through a thread.
    pub fn cycle(&self, state: &Table, thread: ThreadId) -> Option<Vec<ThreadId>> {
        let mut path = Vec::new();
        let mut seen = Vec::new();
        self.follow(state, thread, thread, &mut path, &mut seen).then_some(path)
    }

    /// Whether a way along waits leads from `from` to `goal`; the way is in `path` then.
    fn follow(
        &self,
        state: &Table,
        from: ThreadId,
        goal: ThreadId,
        path: &mut Vec<ThreadId>,
        seen: &mut Vec<ThreadId>,
    ) -> bool {
        // A thread that has ended while it held something waits for none.
        let Some(view) = self.view_of(state, from) else { return false };
        path.push(from);
        for next in self.blockers(state, &view) {
            if next == goal {
                return true;
            }
            if !seen.contains(&next) {
                seen.push(next);
                if self.follow(state, next, goal, path, seen) {
                    return true;
                }
            }
        }
        path.pop();
        false
    }

    fn deadlock(&self, state: &Table, threads: &[ThreadId]) -> Violation {
        let mut places: Vec<(ThreadId, u32)> = threads
            .iter()
            .filter_map(|&thread| self.view_of(state, thread))
            .map(|ThreadView { thread, eip, .. }| (thread, eip))
            .collect();
        places.sort_unstable();
        let thread = places.first().map_or(ThreadId::FIRST, |&(thread, _)| thread);
        let report = Report {
            kind: Kind::Deadlock,
            message: format!("{} threads wait for each other", places.len()),
            thread,
            stack: Vec::new(),
            culprit: None,
            access: None,
            block: None,
        };
        let about = self.object_names(state, threads);
        let report = Arc::new(report);
        Violation { kind: Kind::Deadlock, thread, places, claim: None, about, report }
    }
}
