//! Livelocks: as VeriSoft defines them, a thread whose next visible operation is blocked in more than a
//! given number of successive states; and cycles on which no thread makes progress.

use std::sync::Arc;

use steam_linux::kernel::Pending;
use steam_linux::syscalls::{self, Role};
use steam_model::{Delta, Livelocks};
use steam_report::{Kind, Report};
use steam_state::{Context, Table, ThreadId};

use super::action::Choice;
use super::finding::Violation;
use super::hang::Hangs;
use super::{Action, Program, Worker};

impl Livelocks for Program {
    fn livelock(&self, state: &Table, process: u32, states: u32) -> Violation {
        let thread = ThreadId(process);
        let eip = self.view_of(state, thread).map_or(0, |view| view.eip);
        let who = self.called(thread);
        let message = format!("{who} waits for more than {states} states in a row");
        violation(vec![(thread, eip)], message)
    }

    fn progressed(&self, worker: &Worker) -> bool {
        worker.progress
    }

    fn yields(&self, before: &Table, action: Action) -> bool {
        action.chosen() == Choice::TIME_OVER || self.is_yielding(before, action.thread)
    }

    fn spins(&self, worker: &mut Worker, state: &Table, process: u32) -> bool {
        self.spins_now(worker, state, ThreadId(process))
    }

    fn gives_way(
        &self,
        worker: &mut Worker,
        before: &Table,
        action: Action,
        delta: &Delta,
    ) -> bool {
        self.gives_way_after(worker, before, action, delta)
    }

    fn hang(&self, worker: &mut Worker, state: &Table) -> Option<Violation> {
        let looks = self.options.hangs == Hangs::WhereStopped;
        looks.then(|| self.hang_learned(worker, state)).flatten()
    }

    fn non_progress(&self, cycle: &[(Table, Action)]) -> Violation {
        let place = |(state, action): &(Table, Action)| {
            let eip = self.view_of(state, action.thread).map_or(0, |view| view.eip);
            (action.thread, eip)
        };
        let mut places: Vec<(ThreadId, u32)> = cycle.iter().map(place).collect();
        places.sort_unstable();
        places.dedup();
        let mut threads: Vec<String> =
            places.iter().map(|(thread, _)| self.called(*thread)).collect();
        threads.dedup();
        let loops = if threads.len() == 1 { "loops" } else { "loop" };
        let message = format!("{} {loops} forever without making progress", threads.join(" and "));
        violation(places, message)
    }
}

impl Program {
    /// Whether a thread is about to let others go first: it yields, or sleeps.
    fn is_yielding(&self, state: &Table, thread: ThreadId) -> bool {
        let frozen = self.living(state, thread);
        let call = syscalls::row(frozen.state.registers[Context::EAX]);
        matches!(frozen.state.pending, Pending::SystemCall) && call.has(Role::Yields)
    }

    /// What a thread is called: `thread 2`, or `process 2`.
    fn called(&self, thread: ThreadId) -> String {
        let kind = if self.is_process(thread) { "process" } else { "thread" };
        format!("{kind} {}", thread.0)
    }
}

fn violation(places: Vec<(ThreadId, u32)>, message: String) -> Violation {
    let thread = places.first().map_or(ThreadId::FIRST, |(thread, _)| *thread);
    let report = Report {
        kind: Kind::Livelock,
        message,
        thread,
        stack: Vec::new(),
        culprit: None,
        access: None,
        block: None,
    };
    let (about, report) = (Vec::new(), Arc::new(report));
    Violation { kind: Kind::Livelock, thread, places, claim: None, about, report }
}
