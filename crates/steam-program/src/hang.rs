//! Hangs: all that is left of a program waits or loops forever.
//!
//! A thread *spins* in a state if, running alone, it comes back to where it was without having changed
//! anything that others can see: its loop reads, computes, yields, sleeps, or stores what is there already
//! (a failed compare-and-swap, a test-and-set of a lock that is taken). A state is a hang if some thread
//! spins and every other live thread spins too or is blocked.
//!
//! Such a state has no way out, whatever the scheduler does: each step of a spinning thread leaves
//! everything as it was for all others, so each of them stays in its own loop, and no thread wakes those
//! who are blocked. No fairness is assumed, and no bound.
//!
//! When to look: the addresses at which a thread stands along a loop cannot all increase. So it is enough to
//! look after a step that changed nothing others see and did not lead to a higher address; a search of
//! states makes all steps of the loop, and one of them is such a step. A search without a store, which
//! stops a thread that loops without effect, asks where only such threads are left.
//!
//! A thread may also loop over words of which no other thread is known to touch them: then its loop has no visible
//! operation, and the thread was cut in the midst of it (`long_runs.rs`). While others can act, or where no other is
//! left, that is a divergence.
//!
//! What is no spinning, though nothing changes:
//!
//! - a loop that reads a clock: time passes in the real world, however long it stands still here;
//! - an output, or what the program calls progress;
//! - a thread that has several ways to go on (a timer, a toss): one of them may lead out;
//! - a loop in which locks are taken and released, or something is counted that matters.

use std::ops::ControlFlow;
use std::sync::Arc;

use steam_linux::kernel::Pending;
use steam_linux::syscalls::{self, Role};
use steam_model::{Change, Delta, Model, Silent, Step, StepOf};
use steam_report::{Kind, Report};
use steam_state::{
    Access, Component, Context, Key, PageNumber, Reading, Reads, Table, ThreadId, page_of,
};

use super::action::Choice;
use super::choices::{Frozen, is_unfair};
use super::finding::Violation;
use super::step::Worker;
use super::{Action, Granularity, Program};

/// Longer loops, in steps, are not recognised.
pub(super) const LONGEST_LOOP: usize = 64;
/// The same where each access is a step: there a loop that calls a function which sleeps is longer.
const MOST_ACCESSES: usize = 256;

/// Where hangs are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hangs {
    /// Nowhere.
    #[default]
    Ignored,
    /// After each step that may close a loop.
    AfterSteps,
    /// The same after steps of the first thread that can act. That is enough for a search that lets each
    /// thread act in each state: in a hang the first one spins like the others.
    AfterFirstSteps,
    /// In states in which a search has stopped all that can act, because they loop without effect. That
    /// is enough there, and costs nothing elsewhere.
    WhereStopped,
}

/// The loop of one thread that spins.
pub struct Loop {
    /// The thread.
    pub thread: ThreadId,
    /// The states along the loop, as the thread makes them alone; the first follows the last.
    pub states: Vec<Table>,
    /// What it stores into its own stack, where that is a step.
    pub(super) stores: Vec<Access>,
    /// What it reads, and stores without effect.
    pub(super) reads: Vec<Access>,
}

/// A state that has no way out.
pub struct Hang {
    /// The threads that spin; all others are blocked.
    pub loops: Vec<Loop>,
}

impl Program {
    /// The hang that a state is, if it is one.
    pub fn hang_in(&self, worker: &mut Worker, state: &Table) -> Option<Hang> {
        let loops = self.loops_of_others(worker, state, None)?;
        (!loops.is_empty() && !interfere(&loops)).then_some(Hang { loops })
    }

    /// The loops of all threads of a state that are not blocked, but for one of them; none if one of them
    /// does something that others see.
    fn loops_of_others(
        &self,
        worker: &mut Worker,
        state: &Table,
        but: Option<ThreadId>,
    ) -> Option<Vec<Loop>> {
        let candidates = self.candidates(worker, state, but)?;
        self.loops_of(worker, state, candidates)
    }

    /// The threads of a state that may spin, as far as their pending operations show, but for one of them; none if one of
    /// them is sure not to.
    fn candidates(
        &self,
        worker: &mut Worker,
        state: &Table,
        but: Option<ThreadId>,
    ) -> Option<Vec<ThreadId>> {
        let mut candidates = Vec::new();
        let mut active = false;
        self.each_thread(Reading::unrecorded(state), |frozen| {
            if Some(frozen.thread) == but {
                return ControlFlow::Continue(());
            }
            match self.prospect(worker, state, &frozen) {
                Prospect::Blocked => {}
                Prospect::MaySpin => candidates.push((is_read(&frozen), frozen.thread)),
                Prospect::GoesOn => active = true,
            }
            if active { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // One that does not spin is enough: those that do not just read are the most likely ones.
        candidates.sort_unstable();
        (!active).then(|| candidates.into_iter().map(|(_, thread)| thread).collect())
    }

    /// The loops of some threads of a state, if all of them spin.
    fn loops_of(
        &self,
        worker: &mut Worker,
        state: &Table,
        threads: Vec<ThreadId>,
    ) -> Option<Vec<Loop>> {
        worker.aside(|worker| {
            threads.into_iter().map(|thread| worker.spin(self, state, thread)).collect()
        })
    }

    /// The same as an error, in a search. What the loops touch was noted: had one of them written what
    /// another one takes for its own, that would be new, and nothing is said before the next iteration.
    pub(super) fn hang_learned(&self, worker: &mut Worker, state: &Table) -> Option<Violation> {
        let hang = self.hang_in(worker, state)?;
        (!self.learned()).then(|| self.hang_error(state, &hang))
    }

    /// The hang as an error.
    pub fn hang_error(&self, state: &Table, hang: &Hang) -> Violation {
        let mut places = Vec::new();
        self.each_thread(Reading::unrecorded(state), |frozen| {
            // Wherever a thread is in its loop, the hang is the same.
            let spins = hang.loops.iter().find(|it| it.thread == frozen.thread);
            let along = spins.map(|it| it.states.as_slice()).unwrap_or_default().iter();
            let eips = along.filter_map(|state| {
                Some(eip(self.frozen(Reading::unrecorded(state), frozen.thread)?.state))
            });
            places.push((frozen.thread, eips.min().unwrap_or(eip(frozen.state))));
            ControlFlow::Continue(())
        });
        let thread = hang.loops.first().map_or(ThreadId::FIRST, |first| first.thread);
        let report = Report {
            kind: Kind::Hang,
            message: "all threads that are left wait or loop forever".to_owned(),
            thread,
            stack: Vec::new(),
            culprit: None,
            access: None,
            block: None,
        };
        let (about, report) = (self.looked_at(hang), Arc::new(report));
        Violation { kind: Kind::Hang, thread, places, claim: None, about, report }
    }

    /// What the loops of a hang look at: variables, and locks that they try to take.
    fn looked_at(&self, hang: &Hang) -> Vec<String> {
        let variable = |access: &Access| self.plain_name(access.address);
        let mut names: Vec<String> =
            hang.loops.iter().flat_map(|it| &it.reads).filter_map(variable).collect();
        for it in &hang.loops {
            names.extend(it.states.iter().flat_map(|state| self.object_names(state, &[it.thread])));
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Whether a step of a thread, done from a state, may close a loop that only waits: it leads to no higher
    /// address, and changed nothing but memory and the thread.
    pub(super) fn leads_back(&self, state: &Table, thread: ThreadId, delta: &Delta) -> bool {
        if !self.changes_pages_only(thread, delta) {
            return false;
        }
        let before = self.living(state, thread);
        let slot = self.stores.state.slots.find(Key::Thread(thread));
        let own = delta.changes().iter().find(|change| Some(change.slot) == slot);
        // Where its own component is as it was, it stands where it stood.
        own.is_none_or(|own| eip(self.stores.threads.get(Component(own.new))) <= eip(before.state))
    }

    /// Whether a step changed nothing but memory and its own thread.
    fn changes_pages_only(&self, thread: ThreadId, delta: &Delta) -> bool {
        self.changed_keys(delta).all(|key| match key {
            Key::Thread(changed) => changed == thread,
            Key::Page(_) => true,
            _ => false,
        })
    }

    /// What a step changed.
    fn changed_keys<'a>(&'a self, delta: &'a Delta) -> impl Iterator<Item = Key> + 'a {
        delta.changes().iter().map(|change| self.key_of(change.slot))
    }

    /// Whether no thread with a lower number can act.
    fn is_first(&self, worker: &mut Worker, state: &Table, thread: ThreadId) -> bool {
        let asked = worker.first_sure.as_ref().filter(|(asked, _)| asked.same(state));
        if let Some(known) = asked.map(|(_, first)| *first >= thread) {
            debug_assert_eq!(known, self.is_first_afresh(worker, state, thread));
            return known;
        }
        self.is_first_afresh(worker, state, thread)
    }

    /// The same, asked of each thread.
    fn is_first_afresh(&self, worker: &mut Worker, state: &Table, thread: ThreadId) -> bool {
        let mut first = true;
        self.each_thread(Reading::unrecorded(state), |frozen| {
            if frozen.thread == thread {
                return ControlFlow::Break(());
            }
            first = self.sure_choices(worker, state, &frozen).is_empty();
            if first { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        first
    }

    /// What a thread can do in a state, as far as its pending operation shows.
    fn prospect(&self, worker: &mut Worker, state: &Table, frozen: &Frozen<'_>) -> Prospect {
        let choices = self.sure_choices(worker, state, frozen);
        let pending = &frozen.state.pending;
        match choices[..] {
            [] => Prospect::Blocked,
            [choice] if may_be_quiet(pending, choice, frozen) => Prospect::MaySpin,
            _ => Prospect::GoesOn,
        }
    }

    /// The ways in which a thread can go on, without those on which it cannot count: a spurious wake-up, or
    /// a timer that ends the process.
    fn sure_choices(&self, worker: &mut Worker, state: &Table, frozen: &Frozen<'_>) -> Vec<Choice> {
        let mut choices = Vec::new();
        self.choices(worker, state, frozen, &mut choices);
        let ends = choices.iter().any(|choice| choice.is_alarm())
            && self.is_ended_by_timer(worker.reading(state), frozen);
        choices.retain(|&choice| !(is_unfair(choice) || ends && choice.is_alarm()));
        choices
    }
}

/// What a thread can do, as far as its pending operation shows.
enum Prospect {
    /// Nothing.
    Blocked,
    /// It may be in a loop that only waits.
    MaySpin,
    /// It does something that others see, or has several ways to go on.
    GoesOn,
}

/// Whether doing what a thread has pending may change nothing that others see. It is tried where this is true. A
/// lock that is taken and released within one step changes nothing, but others see it.
fn may_be_quiet(pending: &Pending, choice: Choice, frozen: &Frozen<'_>) -> bool {
    match pending {
        Pending::Continue | Pending::Access { .. } | Pending::Function(_) => true,
        Pending::Waiting | Pending::Request { .. } => true,
        Pending::SystemCall => !reads_clock(frozen),
        Pending::Sync { operation, .. } => {
            operation.tries().is_some() || choice == Choice::TIME_OVER
        }
        Pending::Cut => true,
        Pending::Join { .. } => false,
    }
}

/// Whether a thread is about to read memory, and nothing more.
fn is_read(frozen: &Frozen<'_>) -> bool {
    matches!(&frozen.state.pending, Pending::Access { access, .. } if !access.write)
}

fn reads_clock(frozen: &Frozen<'_>) -> bool {
    syscalls::row(frozen.state.registers[Context::EAX]).has(Role::ReadsClock)
}

fn eip(thread: &steam_linux::threads::ThreadState) -> u32 {
    thread.registers[8]
}

/// What comes of a thread that runs alone.
enum Alone {
    /// It comes back to where it was, again and again.
    Loops(Loop),
    /// It leaves each of these states for good, as far as loops are looked for; with the slots that the rest of an earlier
    /// run read, where it has come to a state of one.
    GoesOn(Vec<Table>, Vec<u32>),
    /// Nothing that holds for other states, too.
    Unsure,
}

/// Whether one thread's loop stores where another one's reads.
fn interfere(loops: &[Loop]) -> bool {
    loops.iter().any(|one| {
        let others = || loops.iter().filter(|other| other.thread != one.thread);
        let touched = || others().flat_map(|other| other.reads.iter().chain(&other.stores));
        one.stores.iter().any(|store| touched().any(|access| store.overlaps(*access)))
    })
}

impl Worker {
    /// The hang to which a step has led, just done from a state. Where a trail is replayed, the search that
    /// made it had learned all that is needed.
    pub(super) fn hang_after(
        &mut self,
        program: &Program,
        state: &Table,
        action: Action,
        delta: &mut Delta,
        replays: bool,
    ) -> Option<Violation> {
        let looks = match program.options.hangs {
            Hangs::Ignored | Hangs::WhereStopped => false,
            Hangs::AfterSteps | Hangs::AfterFirstSteps => !self.progress,
        };
        // Nothing is said in an iteration that has learned something.
        if !looks || !replays && program.learned() {
            return None;
        }
        delta.normalise();
        // What costs least is asked first: in a loop that counts all but a few of its runs are known.
        if !program.leads_back(state, action.thread, delta)
            || program.options.hangs == Hangs::AfterFirstSteps
                && !program.is_first(self, state, action.thread)
            || self.is_known_to_leave(program, (state, delta.changes()), action.thread)
        {
            return None;
        }
        // Where it wrote nothing, the others do after it what they do before it; most of the time one of
        // them is at work, and then the state after it is not needed. The thread itself comes before them: what is known of
        // it is asked first the next time.
        let but = Some(action.thread);
        let wrote = program.changed_keys(delta).any(|key| matches!(key, Key::Page(_)));
        let before = if wrote { None } else { Some(program.candidates(self, state, but)?) };
        let next = program.patch(self, state, delta.changes());
        let others = before.map_or_else(|| program.candidates(self, &next, but), Some)?;
        // One of which it is known that it goes on is enough.
        if others.iter().any(|&other| self.is_known_to_leave(program, (&next, &[]), other)) {
            return None;
        }
        let own = self.aside(|worker| worker.spin(program, &next, action.thread))?;
        let mut loops = program.loops_of(self, &next, others)?;
        loops.push(own);
        let hang = (!interfere(&loops)).then_some(Hang { loops })?;
        (replays || !program.learned()).then(|| program.hang_error(&next, &hang))
    }

    /// What becomes of a step from a state in which its thread, which was cut, was seen to loop forever: a hang if all
    /// others loop, too, or wait. Where one of them goes on, the step is what it was: a divergence, or nothing for as
    /// long as it is not known that no thread writes what the thread waits for.
    pub(super) fn judge_loop(
        &mut self,
        program: &Program,
        state: &Table,
        action: Action,
        step: StepOf<Program>,
        replays: bool,
    ) -> StepOf<Program> {
        let sure = replays || !program.learned();
        // One that is alone waits for no other.
        let alone = program.view(state).len() == 1;
        if !sure || alone || program.options.hangs == Hangs::Ignored {
            return step;
        }
        let others = program.loops_of_others(self, state, Some(action.thread));
        let own = |worker: &mut Self| worker.spin(program, state, action.thread);
        match others.and_then(|others| Some((others, self.aside(own)?))) {
            Some((mut loops, own)) => {
                loops.push(own);
                loops.sort_unstable_by_key(|it| it.thread);
                let new = !replays && program.learned();
                if new || interfere(&loops) {
                    return step;
                }
                Step::Violation(program.hang_error(state, &Hang { loops }))
            }
            None => step,
        }
    }

    /// Does something without leaving traces in what is known of the last step.
    fn aside<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let (effort, progress, looped) = (self.effort, self.progress, self.looped);
        let footprint = std::mem::take(&mut self.footprint);
        let beside = std::mem::take(&mut self.beside);
        let (events, sink) = (self.events.take(), std::mem::take(&mut self.sink));
        let noted = self.machine.history.enable(false);
        let result = work(self);
        self.machine.history.enable(noted);
        (self.events, self.sink) = (events, sink);
        (self.footprint, self.beside) = (footprint, beside);
        (self.effort, self.progress, self.looped) = (effort, progress, looped);
        result
    }

    /// Whether a thread of a state spins. What is known of memory that was never written stays as it is.
    pub(super) fn spins_in(&mut self, program: &Program, state: &Table, thread: ThreadId) -> bool {
        let shadow = self.lay_shadow_aside(program);
        let found = self.aside(|worker| worker.spin(program, state, thread));
        self.take_shadow_up(shadow);
        found.is_some()
    }

    /// The loop in which a thread of a state spins, if it does.
    fn spin(&mut self, program: &Program, state: &Table, thread: ThreadId) -> Option<Loop> {
        let (iteration, slots) = (program.iteration(), &program.stores.state.slots);
        let known = self.alone_runs.knows(iteration, slots, (state, &[]), thread);
        if known && !self.checks_alone_runs() {
            return None;
        }
        let recording = self.machine.system.recorder.begin();
        let run = self.run_alone(program, state, thread, !known);
        let mut reads = Reads::default();
        self.machine.system.recorder.end(recording, &mut reads);
        match run {
            Alone::Loops(found) => {
                let comes_back = found.states.first().is_some_and(|first| first.same(state));
                debug_assert!(!known || !comes_back, "a thread spins that was known not to");
                Some(found)
            }
            Alone::GoesOn(states, met) => {
                // A step that was given up, or that changes code, says nothing of others like it.
                if !program.gave_up() && !self.machine.cpu.memory.has_changing_code() {
                    self.alone_runs.keep(iteration, slots, (&states, thread), (&reads, &met));
                }
                None
            }
            Alone::Unsure => None,
        }
    }

    /// Whether a thread is known not to spin in the state to which changes lead.
    fn is_known_to_leave(
        &mut self,
        program: &Program,
        after: (&Table, &[Change]),
        thread: ThreadId,
    ) -> bool {
        let (iteration, slots) = (program.iteration(), &program.stores.state.slots);
        self.alone_runs.knows(iteration, slots, after, thread) && !self.checks_alone_runs()
    }

    /// Whether a run alone is done although it is known what comes of it.
    fn checks_alone_runs(&mut self) -> bool {
        self.alone_asked = self.alone_asked.wrapping_add(1);
        cfg!(debug_assertions) && self.alone_asked.is_multiple_of(16)
    }

    /// Lets a thread of a state run alone, for as long as it changes nothing that others see. It runs for twice as long as
    /// a loop may be, so that of the states in the first half it is known that they are in none. It may end where it is
    /// known what comes: of the states on the way none is in a loop, or that one would be in it, too.
    fn run_alone(
        &mut self,
        program: &Program,
        state: &Table,
        thread: ThreadId,
        ends_where_known: bool,
    ) -> Alone {
        let (iteration, slots) = (program.iteration(), &program.stores.state.slots);
        let mut found =
            Loop { thread, states: vec![state.clone()], stores: Vec::new(), reads: Vec::new() };
        let longest = match program.options.granularity {
            Granularity::Access => MOST_ACCESSES,
            Granularity::Shared | Granularity::Line => LONGEST_LOOP,
        };
        while found.states.len() <= 2 * longest {
            let now = found.states.last().expect("a run has a first state").clone();
            let frozen = program.frozen(self.reading(&now), thread);
            if frozen.is_some_and(|it| it.state.pending == Pending::Cut) {
                // Of a loop it is not kept what was read.
                return self.unseen_loop(program, &now, thread).map_or(Alone::Unsure, Alone::Loops);
            }
            let Some((next, delta)) = self.quiet_step(program, &now, &mut found) else {
                return Alone::GoesOn(found.states, Vec::new());
            };
            if ends_where_known
                && let Some(met) =
                    self.alone_runs.reads_from(iteration, slots, (&next, &[]), thread)
            {
                return Alone::GoesOn(found.states, met.to_vec());
            }
            // Most of them differ in what the last step has changed.
            let has_changes = |known: &Table| {
                delta.changes().iter().all(|change| known.get(change.slot).0 == change.new)
            };
            let is_next = |known: &Table| has_changes(known) && known.same(&next);
            if let Some(first) = found.states.iter().position(is_next) {
                found.states.drain(..first);
                return match found.states.len() <= longest {
                    true => Alone::Loops(found),
                    false => Alone::Unsure,
                };
            }
            found.states.push(next);
        }
        found.states.truncate(longest);
        Alone::GoesOn(found.states, Vec::new())
    }

    /// Where the next step of a thread leads, and by which changes, if it changes nothing that others see.
    fn quiet_step(
        &mut self,
        program: &Program,
        state: &Table,
        found: &mut Loop,
    ) -> Option<(Table, Delta)> {
        let frozen = program.frozen(self.reading(state), found.thread)?;
        let choices = program.sure_choices(self, state, &frozen);
        // Where it has several ways to go on, another one may lead out.
        let [choice] = choices[..] else { return None };
        if !may_be_quiet(&frozen.state.pending, choice, &frozen) {
            return None;
        }
        let mut delta = Delta::new();
        std::mem::take(&mut self.machine.cpu.clock_read);
        let action = Action::new(found.thread, choice);
        let step = self.plain_step(program, state, action, &mut delta, &mut Silent);
        let timeless = !std::mem::take(&mut self.machine.cpu.clock_read);
        if step != Step::Next || self.progress || !timeless {
            return None;
        }
        delta.normalise();
        let next = program.patch(self, state, delta.changes());
        let quiet = match &frozen.state.pending {
            Pending::Access { access, .. } => {
                self.is_quiet_access(program, (state, &next), &frozen, *access, &delta, found)
            }
            Pending::Continue if program.options.granularity == Granularity::Shared => {
                program.changes_pages_only(found.thread, &delta)
            }
            _ => self.changes_stack_only(program, state, &frozen, &delta),
        };
        quiet.then_some((next, delta))
    }

    /// Whether an access has changed nothing that others see: what it stored was there already. Where
    /// each access is a step, the thread may also have stored into its own stack.
    fn is_quiet_access(
        &mut self,
        program: &Program,
        (before, after): (&Table, &Table),
        frozen: &Frozen<'_>,
        access: Access,
        delta: &Delta,
        found: &mut Loop,
    ) -> bool {
        if !program.changes_pages_only(frozen.thread, delta) {
            return false;
        }
        let stored = program.changed_keys(delta).any(|key| matches!(key, Key::Page(_)));
        let same = !stored
            || self.bytes_of(program, before, frozen, access)
                == self.bytes_of(program, after, frozen, access);
        if same {
            found.reads.push(access);
            return true;
        }
        found.stores.push(access);
        program.options.granularity == Granularity::Access
            && self.changes_stack_only(program, before, frozen, delta)
    }

    fn bytes_of(
        &mut self,
        program: &Program,
        state: &Table,
        frozen: &Frozen<'_>,
        access: Access,
    ) -> Option<Vec<u8>> {
        let mut bytes = vec![0; access.size as usize];
        let mut memory = program.memory_of(self, state, frozen.state.space);
        memory.read(access.address, &mut bytes).then_some(bytes)
    }

    /// Whether a step changed nothing but its thread and the pages of its stack.
    fn changes_stack_only(
        &mut self,
        program: &Program,
        state: &Table,
        frozen: &Frozen<'_>,
        delta: &Delta,
    ) -> bool {
        let (space, esp) = (frozen.state.space, frozen.state.registers[Context::ESP]);
        let stack = program.memory_of(self, state, space).mapping(esp);
        let is_own = |page: PageNumber| {
            stack.is_some_and(|(start, end)| {
                page >= space.page(page_of(start)) && page <= space.page(page_of(end - 1))
            })
        };
        program.changed_keys(delta).all(|key| match key {
            Key::Thread(thread) => thread == frozen.thread,
            Key::Page(page) => is_own(page),
            _ => false,
        })
    }
}
