//! One step of a program: thaw, do, run on, freeze.

use std::sync::Arc;

use ahash::HashMap;
use steam_linux::kernel::{ProcessEnvironment, Stream};
use steam_linux::syscalls::Output;
use steam_model::{Delta, Observer, Step, StepOf};
use steam_report::{Kind, Report};
use steam_state::{Access, Key, Reading, Reads, Space, Table, ThreadId};
use steam_sync::SyncChoice;
use steam_visibility::{Discipline, Judged, Regime, Turn, Watch, Watching};
use vm_isa::counters::Counters;

use super::action::Choice;
use super::alone_runs::AloneRuns;
use super::counting;
use super::event::Event;
use super::finding::{Unknown, Violation};
use super::followed::Followed;
use super::long_runs::{Cycle, Length, Looped};
use super::memo::{Beginning, Came, Kept, Memo, Recalled};
use super::past;
use super::postponed::Postponed;
use super::privacy::Privacy;
use super::readiness::Readiness;
use super::{Action, Granularity, Program};
use crate::machine::{Ending, Machine, Schedule};

/// Why a step does not lead to a state of the running program.
pub(super) enum Halt {
    /// The program ended.
    Ending(Ending),
    /// An assumption does not hold.
    Infeasible,
}

/// Whether a step goes on.
pub(super) type Flow<T = ()> = Result<T, Halt>;

/// What one worker of a search has for itself: a machine.
pub struct Worker {
    pub(super) machine: Machine,
    pub(super) sink: Sink,
    /// What happens in the step, if an observer listens.
    pub(super) events: Option<Vec<Event>>,
    /// Threads that were created in the step and have not run yet.
    pub(super) created: Vec<ThreadId>,
    /// Whether the thread on the CPU goes on in the middle of invisible instructions.
    pub(super) resumes: bool,
    /// Whether it goes on although a signal waits for it.
    pub(super) postponed: Postponed,
    /// Whether it was seen to loop forever.
    pub(super) looped: Looped,
    /// Whether it loops where it is followed.
    pub(super) cycle: Cycle,
    /// How often the run was answered since it was asked whether there is time for more.
    pub(super) answers: u32,
    /// Whether no step is given up, however late it is.
    pub(super) ignores_deadline: bool,
    /// Where the thread on the CPU was last seen before something that may be its failure.
    pub(super) failure: Option<u32>,
    /// Where the step began to run, if it did nothing before, and with which count of instructions.
    pub(super) resumed: Option<(u32, u64)>,
    /// Whether the step was progress: an output, the end of a thread, or what the program calls so.
    pub(super) progress: bool,
    /// The shared memory that the step touched as a whole, if races are looked for.
    pub(super) footprint: Vec<Access>,
    /// The memory that it touched beside, where that is no step and several threads touch the page; kept
    /// if steps are composed.
    pub(super) beside: Vec<Access>,
    /// Whether the program is on its way to `main`, which is no step.
    pub(super) starts: bool,
    /// How many instructions the last step has done, or had when it was done for the first time.
    pub(super) effort: u64,
    /// Runs of threads alone that were found not to be loops, and how often those were asked for.
    pub(super) alone_runs: AloneRuns,
    pub(super) alone_asked: u32,
    /// The state of which it was asked last what can be done there, and the first thread that can act by itself.
    pub(super) first_sure: Option<(Table, ThreadId)>,
    /// The steps of this iteration.
    pub(super) memo: Memo,
    reads: Reads,
    /// Room for what a thread can do.
    pub(super) sync_choices: Vec<SyncChoice>,
    pub(super) choices: Vec<Choice>,
    /// Room for numbers of contents (`observed.rs`).
    pub(super) contents: Vec<u32>,
    /// What threads can do in the state that was looked at last.
    pub(super) readiness: Readiness,
    /// Where it is known what was never written.
    pub(super) followed: Followed,
    /// What threads have for themselves.
    pub(super) privacy: Privacy,
    /// What only counts at an address; also where sleeping leaves a trace.
    pub(super) counters: HashMap<(u32, bool), Counters>,
}

/// Where the guest's output goes: nowhere, or into the events of the step.
#[derive(Default)]
pub(super) struct Sink {
    listens: bool,
    /// Whether something was written.
    wrote: bool,
    written: Vec<(Stream, Vec<u8>)>,
}

impl Output for Sink {
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> std::io::Result<()> {
        self.wrote = true;
        if self.listens {
            self.written.push((stream, bytes.to_vec()));
        }
        Ok(())
    }
}

impl Worker {
    pub(super) fn new(program: &Program) -> Self {
        Self {
            machine: program.boot(),
            sink: Sink::default(),
            events: None,
            created: Vec::new(),
            resumes: false,
            postponed: Postponed::default(),
            looped: Looped::Unseen,
            cycle: Cycle::default(),
            answers: 0,
            ignores_deadline: false,
            failure: None,
            resumed: None,
            progress: false,
            footprint: Vec::new(),
            beside: Vec::new(),
            starts: false,
            effort: 0,
            memo: Memo::default(),
            reads: Reads::default(),
            alone_runs: AloneRuns::default(),
            alone_asked: 0,
            first_sure: None,
            sync_choices: Vec::new(),
            choices: Vec::new(),
            contents: Vec::new(),
            readiness: Readiness::default(),
            followed: Followed::default(),
            privacy: Privacy::new(program),
            counters: counting::known(),
        }
    }

    /// The state in which `main` is about to begin, or the one before the first instruction where
    /// that does not come.
    pub(super) fn initial(&mut self, program: &Program) -> Table {
        self.return_to_boot(program);
        let start = program.start();
        let mut state = Table::default();
        let lives = self.machine.thaw(&start, Schedule { thread: ThreadId::FIRST, left: u64::MAX });
        assert!(lives, "a program begins with its first thread");
        state.clone_from(&start);
        self.starts = true;
        let arrived = self.run_to_main(program);
        self.starts = false;
        if arrived {
            steam_linux::boot::simplify_at_main(&program.image, &mut self.machine.cpu.memory);
            self.canonicalise(program);
            self.machine.freeze_into(&mut state);
            self.follow_from(&state);
            return state;
        }
        start
    }

    /// Makes the machine one that knows nothing but what is in a state. What was noted of earlier executions, and the shadow of
    /// what was never written, begin when a machine is made.
    fn return_to_boot(&mut self, program: &Program) {
        if program.options.uninitialised || !self.machine.history.is_empty() {
            self.machine = program.boot();
        }
        self.machine.history.enable(true);
        self.machine.cpu.clock_read = false;
        self.machine.cpu.memory.policy = Watch::new(Arc::clone(&program.stores.sharing));
    }

    /// Looks at a process of a state without running anything.
    pub(super) fn attach(&mut self, state: &Table, space: Space) {
        self.machine.system.attach(state, space, &self.machine.stores);
    }

    /// A state, to be read by what may be part of a step.
    pub(super) fn reading<'a>(&'a self, state: &'a Table) -> Reading<'a> {
        self.machine.reading(state)
    }

    pub(super) fn step<O: Observer<Event>>(
        &mut self,
        program: &Program,
        state: &Table,
        action: Action,
        delta: &mut Delta,
        observer: &mut O,
    ) -> StepOf<Program> {
        let step = self.plain_step(program, state, action, delta, observer);
        if step == Step::Next
            && let Some(hang) = self.hang_after(program, state, action, delta, O::LISTENS)
        {
            return Step::Violation(hang);
        }
        if self.looped != Looped::Unseen {
            return self.judge_loop(program, state, action, step, O::LISTENS);
        }
        step
    }

    /// The step, whether or not it leads to a hang.
    pub(super) fn plain_step<O: Observer<Event>>(
        &mut self,
        program: &Program,
        state: &Table,
        action: Action,
        delta: &mut Delta,
        observer: &mut O,
    ) -> StepOf<Program> {
        if !O::LISTENS && self.memo_serves(program) {
            return self.recalled_step(program, state, action, delta);
        }
        self.sink.listens = O::LISTENS;
        self.events = O::LISTENS.then(Vec::new);
        self.machine.history.enable(O::LISTENS);
        self.follow_into(program, state);
        let flow = self.advance(program, state, action);
        let step = self.conclude(program, state, flow, delta);
        if let Step::Next = step {
            self.follow_on(program, state, delta);
        }
        for event in self.events.take().into_iter().flatten() {
            observer.observe(|| event);
        }
        step
    }

    /// Whether steps may be taken from memory.
    fn memo_serves(&mut self, program: &Program) -> bool {
        program.options.memo
            && !program.options.uninitialised
            && !self.machine.cpu.memory.has_changing_code()
            && self.memo.is_useful(program.iteration(), program.stores.state.slots.heap_objects())
    }

    /// The step, from memory if it was done before.
    fn recalled_step(
        &mut self,
        program: &Program,
        state: &Table,
        action: Action,
        delta: &mut Delta,
    ) -> StepOf<Program> {
        // Not a reference of its own: workers would wait for each other at the count.
        let stores = &program.stores;
        let own = stores.state.component(self.reading(state), Key::Thread(action.thread));
        self.looped = Looped::Unseen;
        let recorder = &self.machine.system.recorder;
        let privacy = &mut self.privacy;
        let mut answers = |number| privacy.answer(program, state, action.thread, number);
        let slots = &stores.state.slots;
        let beginning = Beginning { state, own, action, answers: &mut answers };
        match self.memo.recall(beginning, slots, recorder, delta) {
            Some((effort, Recalled::Next { progress, clock_read, footprint, beside })) => {
                (self.effort, self.progress) = (effort, progress);
                self.machine.cpu.clock_read |= clock_read;
                self.footprint.clear();
                self.footprint.extend_from_slice(footprint);
                self.beside.clear();
                self.beside.extend_from_slice(beside);
                return Step::Next;
            }
            Some((effort, Recalled::End { status, footprint })) => {
                (self.effort, self.progress) = (effort, true);
                self.footprint.clear();
                self.footprint.extend_from_slice(footprint);
                self.empty_but_for(status, 0, state, delta);
                return Step::Next;
            }
            Some((effort, Recalled::Divergence { error, looped })) => {
                (self.effort, self.progress, self.looped) = (effort, false, looped);
                self.footprint.clear();
                self.beside.clear();
                return Step::Violation(error.clone());
            }
            Some((effort, Recalled::Nowhere(looped))) => {
                (self.effort, self.progress, self.looped) = (effort, false, looped);
                self.footprint.clear();
                self.beside.clear();
                return Step::Infeasible;
            }
            None => {}
        }
        self.sink.listens = false;
        self.machine.history.enable(false);
        let recording = self.machine.system.recorder.begin();
        let flow = self.advance(program, state, action);
        self.machine.system.recorder.end(recording, &mut self.reads);
        let status = match &flow {
            Ok(()) => Some(None),
            Err(Halt::Ending(Ending::Exited(status))) => Some(Some(*status)),
            Err(_) => None,
        };
        let step = self.conclude(program, state, flow, delta);
        let came = match (&step, status) {
            // A step that was given up for lack of time would lead somewhere.
            (Step::Infeasible, _) => (!program.gave_up()).then_some(Came::Nowhere(self.looped)),
            (Step::Violation(error), _) if past::runs_on(error.kind) => {
                Some(Came::Divergence { error: error.clone(), looped: self.looped })
            }
            (Step::Next, Some(None)) => {
                let timed = self.machine.cpu.clock_read;
                Some(Came::next(delta, (self.progress, timed), &self.footprint, &self.beside))
            }
            // What held at the end depends on more than the step has read.
            (Step::Next, Some(Some(status))) if program.observed.is_none() => {
                Some(Came::End { status, footprint: self.footprint.as_slice().into() })
            }
            _ => None,
        };
        // What a lender gets back depends on what it has.
        let gave_back = self.machine.cpu.memory.take_gave_back();
        let repeats = !gave_back && !self.machine.cpu.memory.has_changing_code();
        if let Some(came) = came.filter(|_| repeats) {
            let kept = Kept { came, effort: self.effort };
            let mut answers = |number| self.privacy.answered(number);
            let slots = &stores.state.slots;
            let beginning = Beginning { state, own, action, answers: &mut answers };
            self.memo.keep(beginning, &self.reads, slots, kept);
        }
        step
    }

    pub(super) fn conclude(
        &mut self,
        program: &Program,
        state: &Table,
        flow: Flow,
        delta: &mut Delta,
    ) -> StepOf<Program> {
        match flow {
            Ok(()) => {
                // What a step wrote is as much again once it is interned.
                let patient = self.ignores_deadline;
                let goes_on = || patient || !program.is_late();
                if !self.machine.freeze_while(state, delta, &goes_on) {
                    delta.clear();
                    return Step::Infeasible;
                }
                if self.resumes && delta.changes().is_empty() {
                    if !self.machine.cpu.clock_read {
                        self.note_looped(Looped::Returned);
                    }
                    let halt = self.endless(program, Length::Endless);
                    return self.conclude(program, state, Err(halt), delta);
                }
                Step::Next
            }
            Err(Halt::Infeasible) => Step::Infeasible,
            Err(Halt::Ending(ending)) => self.end(program, state, ending, delta),
        }
    }

    pub(super) fn advance(&mut self, program: &Program, state: &Table, action: Action) -> Flow {
        (self.progress, self.sink.wrote) = (false, false);
        self.looped = Looped::Unseen;
        self.machine.cpu.clock_read = false;
        self.footprint.clear();
        self.beside.clear();
        self.machine.cpu.memory.policy.keep_footprint(program.kept());
        self.machine.cpu.memory.policy.keep_beside(program.options.composed);
        let before = self.machine.cpu.instructions;
        let flow = self.advance_all(program, state, action);
        let flow = self.judge_stray(program, flow);
        self.effort = self.machine.cpu.instructions.saturating_sub(before);
        self.progress |= self.sink.wrote;
        self.footprint.extend_from_slice(self.machine.cpu.memory.policy.footprint());
        self.beside.extend_from_slice(self.machine.cpu.memory.policy.beside());
        flow
    }

    fn advance_all(&mut self, program: &Program, state: &Table, action: Action) -> Flow {
        if self.begin(program, state, action)? {
            self.run_on(program)?;
        }
        self.judge_trespass(program, true)?;
        self.canonicalise(program);
        self.end_privacy(program);
        while let Some(thread) = self.next_created() {
            // Each of them may make another one, before any of them is asked how long it takes.
            if !self.ignores_deadline && program.is_late() {
                return Err(Halt::Infeasible);
            }
            self.resumes = false;
            self.postponed = Postponed::Nothing;
            self.run_on(program)?;
            self.judge_trespass(program, true)?;
            debug_assert_eq!(thread, self.machine.system.current);
            self.canonicalise(program);
            self.end_privacy(program);
        }
        Ok(())
    }

    /// The visible part of a step: puts the thread on the CPU and does its pending operation;
    /// whether it runs on.
    pub(super) fn begin(&mut self, program: &Program, state: &Table, action: Action) -> Flow<bool> {
        self.created.clear();
        self.failure = None;
        self.machine.cpu.memory.policy.take_trespass();
        self.machine.cpu.memory.policy.take_stray();
        let schedule = Schedule { thread: action.thread, left: u64::MAX };
        // An action comes from a state that enables it; to leave out its step would hide all that comes behind it.
        assert!(self.machine.thaw(state, schedule), "a thread that makes a step lives");
        self.note_begin(action.thread);
        self.begin_privacy(state, action.thread);
        self.begin_turn(program);
        let choice = action.chosen();
        self.note_postponed(choice);
        self.prepare(program, choice)?;
        self.perform(program, choice)
    }

    /// Puts the next thread that was created in this step on the CPU.
    pub(super) fn next_created(&mut self) -> Option<ThreadId> {
        while !self.created.is_empty() {
            let thread = self.created.remove(0);
            let system = &mut self.machine.system;
            let context = self.machine.cpu.context();
            system.threads.set_context(system.current, context);
            // One that ran before it may have ended its process.
            if self.machine.load(thread) {
                self.begin_privacy_of_created();
                return Some(thread);
            }
        }
        None
    }

    /// What became of a program that ended.
    fn end(
        &mut self,
        program: &Program,
        state: &Table,
        ending: Ending,
        delta: &mut Delta,
    ) -> StepOf<Program> {
        match ending {
            Ending::Exited(status) => {
                if program.options.status_matters && status != 0 {
                    let report = self.machine.status_report(status);
                    return Step::Violation(self.violation(program, report));
                }
                self.push_output();
                if let Some(events) = &mut self.events {
                    events.push(Event::Exited(status));
                }
                program.lock_exits().insert(status);
                let observed = self.holds_at_end(program, state);
                self.empty_but_for(status, observed, state, delta);
                Step::Next
            }
            Ending::Killed { report, .. } | Ending::Violation(report) => {
                self.learn_failure();
                self.push_output();
                Step::Violation(self.violation(program, report))
            }
            Ending::Unknown(report) => {
                let place = self.machine.cpu.eip;
                Step::Unknown(Unknown { kind: report.kind, place, report: Arc::from(report) })
            }
        }
    }

    fn violation(&mut self, program: &Program, report: Box<Report>) -> Violation {
        let thread = self.machine.system.current;
        let places = vec![(thread, self.machine.cpu.eip)];
        let about = self.object_of(program, &report);
        let report = Arc::<Report>::from(report);
        Violation { kind: report.kind, thread, places, claim: None, about, report }
    }

    /// The names of the locks that an error of the thread on the CPU is about.
    fn object_of(&mut self, program: &Program, report: &Report) -> Vec<String> {
        match report.kind {
            // It stands at the first byte of the function that it called.
            Kind::Misuse(_) => program.plain_name(self.argument(0)).into_iter().collect(),
            Kind::LockKept => {
                report.message.split('`').skip(1).step_by(2).map(Into::into).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The way to the state of a program that has ended: nothing is left of it but its status, and
    /// what held of it.
    pub(super) fn empty_but_for(
        &self,
        status: i32,
        observed: u64,
        state: &Table,
        delta: &mut Delta,
    ) {
        let stores = &self.machine.stores;
        let process =
            ProcessEnvironment { first_status: status, observed, ..ProcessEnvironment::default() };
        let id = stores.processes.intern(Arc::new(process));
        let kept = stores.state.slots.slot(Key::Process(Space::FIRST), ThreadId::FIRST);
        for (slot, old) in state.iter().filter(|(slot, _)| *slot != kept) {
            delta.record(slot, old.0, 0);
        }
        // The first process may have ended before.
        delta.record(kept, state.get(kept).0, id.0);
    }

    /// Moves what the guest wrote into the events.
    pub(super) fn push_output(&mut self) {
        if let Some(events) = &mut self.events {
            let written = std::mem::take(&mut self.sink.written);
            events.extend(written.into_iter().map(|(stream, bytes)| Event::Output(stream, bytes)));
        }
    }

    fn note_begin(&mut self, thread: ThreadId) {
        if self.events.is_none() {
            return;
        }
        let pending = self.machine.system.threads.pending(thread).cloned();
        let pending = pending.expect("a thread that makes a step lives");
        let (eip, callers) = (self.machine.cpu.eip, self.callers());
        if let Some(events) = &mut self.events {
            events.push(Event::Begins { thread, eip, callers, pending });
        }
    }

    /// The thread on the CPU begins a turn, under the rules that hold for it now.
    pub(super) fn begin_turn(&mut self, program: &Program) {
        let regime = self.regime(program);
        let (system, sharing) = (&self.machine.system, &self.machine.stores.sharing);
        let current = system.current;
        let ownership = &system.process.ownership;
        // What a thread has for itself shows in a copy all the same.
        let secluded =
            !ownership.is_empty() && !sharing.is_copied() && !system.process.has_own_handlers();
        let turn = Turn {
            thread: current,
            mode: steam_visibility::watching(&regime),
            epoch: Some(system.epoch(current)),
            interrupted: system.interruption(),
            ownership: Arc::clone(ownership),
            secluded,
            origins: regime.copied.then(|| sharing.origins(system.space)),
            lent_at: system.lender().map(|(_, record)| record.epoch),
            apart: system.process.loan.end_of_stack(),
            esp: self.machine.cpu.gpr[steam_state::Context::ESP],
        };
        self.machine.lends = program.options.granularity == Granularity::Shared;
        self.machine.cpu.memory.begin_turn(turn);
        if self.machine.stores.sharing.discipline() != Discipline::Ignored {
            let judged = self.judged_by_discipline(&regime);
            self.machine.cpu.memory.policy.judge(judged);
        }
    }

    /// What the locking discipline asks of the thread on the CPU.
    fn judged_by_discipline(&mut self, regime: &Regime) -> Judged {
        let (held, fresh) = (self.held_now(regime), self.fresh_blocks());
        let system = &self.machine.system;
        // One that has ended in this step touches nothing more.
        let descent = system.threads.get(system.current).map(|record| record.descent);
        let local = self.machine.cpu.memory.local(system.current);
        let who = descent.unwrap_or_default().number(local);
        Judged { held, fresh, who }
    }

    /// Whether no other thread can interfere: none was created, or all were joined.
    pub(super) fn alone(&self) -> bool {
        self.machine.system.is_alone()
    }
}
