//! Signals in a search: who sends them, whom they may interrupt, and what a handler has in common with
//! what it interrupts.
//!
//! A handler comes only where its thread stands. So what a thread does to its own things is a step as
//! soon as a handler may come before or after it and observe the difference, although no other thread can.
//! For words of memory `steam_state` sees to that; here it is done for synchronisation objects and system
//! calls. An object that was used in a handler is shared with all that a handler may interrupt. A call
//! that changes what its process has, such as its descriptors, mappings or children, is a step wherever
//! handlers may come, and one that only uses it if a handler changes it.

use std::ops::ControlFlow;

use steam_libc::Row;
use steam_linux::kernel::{Action, Disposition, Pending, ProcessEnvironment, Then, Timer};
use steam_linux::objects::place_of;
use steam_linux::signals::{self, DefaultAction, bit, flag, number};
use steam_linux::syscalls::{self, ActionForm, Effect, Role, SystemCall};
use steam_linux::system::System;
use steam_state::{Context, Key, Reading, ThreadId};
use steam_sync::{Call, Object, Objects, Operation, Patience, SemaphoreCall};
use steam_visibility::{ObjectFact, OthersFact};

use super::Program;
use super::action::Choice;
use super::choices::{Frozen, is_halfway};
use super::step::{Flow, Worker};

/// Whether a handler may end the wait of an operation, and if so whether the wait is a timed one: glibc
/// passes on what the kernel says to a semaphore, and to nothing else.
fn interruptible(operation: &Operation) -> Option<bool> {
    match operation.call {
        Call::Semaphore(SemaphoreCall::Wait(Patience::Endless)) => Some(false),
        Call::Semaphore(SemaphoreCall::Wait(Patience::Timed)) => Some(true),
        _ => None,
    }
}

/// Whether an answer to a signal ends a wait at a semaphore: the kernel begins one without a limit of
/// time again if the answer says so.
fn ends_wait(action: &Action, timed: bool) -> bool {
    matches!(action.disposition, Disposition::Handler(_))
        && (timed || action.flags & flag::RESTART == 0)
}

impl Program {
    /// Whether the signal that a thread takes next may find it waiting, and end the wait. That it had not
    /// begun to wait is as possible.
    pub(super) fn ends_wait(&self, state: Reading<'_>, frozen: &Frozen<'_>) -> bool {
        // Waits in system calls are not known here: the kernel ends those (`interrupt_wait`).
        let Pending::Sync { operation, .. } = &frozen.state.pending else { return false };
        // Other operations never fail by a handler: they wait on after it.
        let Some(timed) = interruptible(operation) else { return false };
        let objects = self.objects_of(state);
        if matches!(objects.get(operation.address), Object::Semaphore(it) if it.value() > 0) {
            return false;
        }
        let process = self.stores.state.component(state, Key::Process(frozen.state.space));
        let process = self.stores.processes.get(process);
        let signal = signals::next_of(frozen.record, &process.pending);
        signal.is_some_and(|signal| ends_wait(&process.action(signal), timed))
    }

    /// Whether a timer of a thread's process may send its signal, if that thread is the first one.
    pub(super) fn is_timed(&self, state: Reading<'_>, frozen: &Frozen<'_>) -> bool {
        frozen.thread == frozen.state.space.leader() && self.process_of(state, frozen).has_timer()
    }

    fn process_of<'a>(&'a self, state: Reading<'_>, frozen: &Frozen<'_>) -> &'a ProcessEnvironment {
        let process = self.stores.state.component(state, Key::Process(frozen.state.space));
        self.stores.processes.get(process)
    }

    /// Whether all that timers of a thread's process do is to end it, if that thread is the first one.
    pub(super) fn is_ended_by_timer(&self, state: Reading<'_>, frozen: &Frozen<'_>) -> bool {
        self.is_timed(state, frozen) && {
            let process = self.process_of(state, frozen);
            // Who blocks a signal may wait for it.
            let ends = |(signal, thread): (u8, Option<ThreadId>)| {
                process.action(signal).disposition == Disposition::Default
                    && signals::default_action(signal) == DefaultAction::Terminate
                    && self.is_open_to(state, frozen, signal, thread)
            };
            let armed = process.posix_timers.values().filter(|timer| timer.is_armed());
            let own = process.timers[0].deadline.map(|_| (number::ALRM, None));
            own.into_iter().chain(armed.filter_map(|it| it.signal())).all(ends)
        }
    }

    /// Whether a thread of a thread's process, or the one that is named, does not block a signal.
    fn is_open_to(
        &self,
        state: Reading<'_>,
        frozen: &Frozen<'_>,
        signal: u8,
        thread: Option<ThreadId>,
    ) -> bool {
        let mut found = false;
        self.each_thread(state, |other| {
            let meant = thread.is_none_or(|thread| thread == other.thread);
            found |= meant
                && other.state.space == frozen.state.space
                && other.record.mask & bit(signal) == 0;
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found
    }

    /// Appends the choices that a timer of a thread's process sends its signal now, if that thread is the first
    /// one. A timer that goes off again and again does so once between two steps of the thread, unless the thread
    /// waits: it would never be done otherwise.
    pub(super) fn offer_timers(
        &self,
        state: Reading<'_>,
        frozen: &Frozen<'_>,
        waits: bool,
        choices: &mut Vec<Choice>,
    ) {
        if !self.is_timed(state, frozen) {
            return;
        }
        let process = self.process_of(state, frozen);
        let pending = |signal: u8, thread: Option<ThreadId>| {
            let mut shared = process.pending.iter();
            let own = self.frozen(state, thread.unwrap_or(frozen.thread));
            // A signal to a thread that has ended reaches none.
            shared.any(|it| it.number == signal)
                || own.is_none_or(|own| own.record.pending.iter().any(|it| it.number == signal))
        };
        let may_fire = |timer: &Timer| timer.deadline.is_some() && (waits || !timer.fired);
        if may_fire(&process.timers[0]) && !pending(number::ALRM, None) {
            choices.push(Choice::Alarm);
        }
        for (&id, it) in process.posix_timers.iter() {
            // One that signals nothing when it fires makes no difference.
            let Some((signal, thread)) = it.signal().filter(|_| may_fire(&it.timer)) else {
                continue;
            };
            let waits_for_thread = it.again && self.is_noticed(state, frozen);
            if !pending(signal, thread) && !waits_for_thread {
                choices.push(Choice::Timer(id));
            }
        }
    }

    /// Whether a thread lives that a function of a timer runs in (`SIGEV_THREAD`). A timer that goes off again and
    /// again waits for it, or there would be more and more of them.
    fn is_noticed(&self, state: Reading<'_>, frozen: &Frozen<'_>) -> bool {
        let mut found = false;
        self.each_thread(state, |other| {
            found |= other.state.space == frozen.state.space && other.record.of_timer;
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found
    }
}

impl Worker {
    /// Whether a signal may come to the thread on the CPU that it does not send itself.
    pub(super) fn may_be_signalled(&self) -> bool {
        let (system, sharing) = (&self.machine.system, &self.machine.stores.sharing);
        let children = system.process.action(number::CHLD).disposition;
        sharing.knows(OthersFact::SendsSignals)
            || !system.is_only_process() && matches!(children, Disposition::Handler(_))
    }

    /// Whether a handler may run in the middle of a wait of the thread on the CPU.
    pub(super) fn may_be_interrupted(&self) -> bool {
        self.machine.system.process.has_handlers() && self.may_be_signalled()
    }

    /// Whether a handler of the program may come to the thread on the CPU because of others. Where there
    /// are none, it comes where the thread itself sends its signal.
    pub(super) fn meets_handlers(&self) -> bool {
        let system = &self.machine.system;
        !system.is_alone()
            && (system.process.has_own_handlers() && self.may_be_signalled()
                || self.may_be_cancelled_anywhere())
    }

    /// Whether a handler may come to the thread on the CPU that does not return: it matters what the thread holds
    /// and has done by then.
    pub(super) fn may_be_abandoned(&self) -> bool {
        self.machine.stores.sharing.knows(OthersFact::AbandonsInHandler) && self.meets_handlers()
    }

    /// Notes that the thread on the CPU has jumped out of handlers, if it has.
    pub(super) fn settle_handlers(&mut self) {
        let esp = self.machine.cpu.gpr[Context::ESP];
        let handlers = self.machine.system.handlers_of_current();
        self.machine.system.settle(esp);
        if self.machine.system.handlers_of_current() == handlers {
            return;
        }
        self.machine.stores.sharing.learn(OthersFact::AbandonsInHandler);
        if self.meets_handlers() {
            self.machine.system.own_record_mut().jumped_to = Some(esp);
        }
    }

    /// Whether the thread on the CPU stands after its function, where a handler may still come: the
    /// library ends it with all signals blocked.
    pub(super) fn stands_before_end(&mut self) -> bool {
        let here = (self.machine.cpu.eip, self.machine.cpu.instructions);
        self.meets_handlers() && self.resumed != Some(here) && self.has_returned()
    }

    /// Whether the thread on the CPU may observe half of what it has interrupted: it is in a handler, or has jumped out
    /// of one.
    fn is_after_interruption(&self) -> bool {
        self.machine.system.interruption().is_some()
    }

    /// Whether the thread on the CPU is in a handler.
    pub(super) fn is_in_handler(&self) -> bool {
        !self.machine.system.own_record().interrupted.is_empty()
    }

    /// Whether a handler may come to the thread on the CPU that uses an object of an operation too; notes
    /// what a handler uses.
    pub(super) fn shares_with_handler(&self, operation: &Operation) -> bool {
        let sharing = &self.machine.stores.sharing;
        let places = || operation.objects().into_iter().flatten().map(place_of);
        if self.is_after_interruption() {
            places().for_each(|place| sharing.learn(ObjectFact::UsedByHandler(place)));
        }
        // What a handler's copy looks at the handler looks at.
        let space = self.machine.system.space;
        for origin in
            self.machine.cpu.memory.policy.origins().iter().filter(|origin| origin.handlers > 0)
        {
            for place in places().filter(|it| it.space() == space) {
                sharing.learn(ObjectFact::UsedByHandler(origin.space.at(place.address())));
            }
        }
        self.meets_handlers()
            && places().any(|place| sharing.knows(ObjectFact::UsedByHandler(place)))
    }

    /// Whether a handler may end the wait of an operation. Then it matters when another thread ends the wait
    /// in the usual way, and that it was begun.
    pub(super) fn fails_by_handler(&self, operation: &Operation) -> bool {
        // Other operations never fail by a handler: they wait on after it.
        let Some(timed) = interruptible(operation) else { return false };
        let fails = self.meets_handlers()
            && self.machine.system.process.actions.values().any(|action| ends_wait(action, timed));
        if fails {
            let place = place_of(operation.address);
            self.machine.stores.sharing.learn(ObjectFact::Observed(place));
        }
        fails
    }

    /// Delivers a signal to the thread on the CPU, which waits, and does so no more after its handler.
    pub(super) fn deliver_in_wait(&mut self) -> Flow<bool> {
        let runs_on = self.deliver()?;
        let last = self.machine.system.own_record_mut().interrupted.last_mut();
        last.expect("a wait ends by a handler").then = Then::EndsWait;
        Ok(runs_on)
    }

    /// Whether the thread on the CPU, whose process got a signal from its timer, takes it in the same step. That
    /// others come between is as if the timer had been later.
    pub(super) fn takes_alarm(&mut self, signal: u8) -> bool {
        let system = &mut self.machine.system;
        if system.next_signal() != Some(signal) {
            return false;
        }
        let live = system.own_thread();
        let ends = matches!(&live.pending, Pending::Sync { operation, .. } if interruptible(operation).is_some());
        !ends && !is_halfway(&live.pending, &live.partial)
    }

    /// What follows the call before eip, if it is the return from a handler.
    pub(super) fn after_handler(&self) -> Then {
        let last = self.machine.system.own_record().interrupted.last();
        let row = || syscalls::row(self.machine.cpu.gpr[Context::EAX]);
        let returns = || row().has(Role::ReturnsFromHandler);
        last.filter(|_| returns()).map_or(Then::GoesOn, |it| it.then.clone())
    }

    /// Whether it makes a difference to a handler of the thread on the CPU, or to the thread, which of
    /// them comes first, the handler or a call; notes what handlers change.
    pub(super) fn call_meets_handler(&self, call: &SystemCall) -> bool {
        if call.is_local() {
            return false;
        }
        let sharing = &self.machine.stores.sharing;
        let changes = call.facts.is_none_or(|facts| facts.effect == Effect::Changes);
        if changes && self.is_after_interruption() {
            sharing.learn(OthersFact::ChangesInHandler);
        }
        self.meets_handlers() && (changes || sharing.knows(OthersFact::ChangesInHandler))
    }

    /// Whether the call that sets which signals are blocked changes that; the old one is narrow.
    pub(super) fn changes_mask(&mut self, narrow: bool) -> bool {
        let gpr = &self.machine.cpu.gpr;
        let (how, place) = (gpr[Context::EBX], gpr[Context::ECX]);
        if place == 0 {
            return false;
        }
        let low = u64::from(self.word_at(place));
        let high = if narrow { 0 } else { u64::from(self.word_at(place.wrapping_add(4))) };
        let mask = self.machine.system.own_record().mask;
        // A call that fails changes nothing.
        let after = syscalls::new_mask(mask, how, high << 32 | low, narrow);
        after.is_ok_and(|after| after != mask)
    }

    /// Whether `rt_sigaction` changes nothing that others could observe: it asks, or lets a signal do what it does
    /// already. Those that came before are forgotten even then, if they were to do nothing.
    pub(super) fn leaves_action(&mut self) -> bool {
        self.machine.cpu.gpr[Context::ECX] == 0
            || !self.changes_action() && !self.may_be_signalled()
    }

    /// Whether `rt_sigaction` changes what a signal does.
    fn changes_action(&mut self) -> bool {
        const ABOUT_CHILDREN: u32 = 3;
        let gpr = &self.machine.cpu.gpr;
        let (signal, place) = (gpr[Context::EBX], gpr[Context::ECX]);
        let (handler, flags) = (self.word_at(place), self.word_at(place.wrapping_add(4)));
        let before = self.machine.system.process.action(signal as u8);
        place != 0
            && (matches!(before.disposition, Disposition::Handler(_))
                || syscalls::disposition(handler) != before.disposition
                || (flags ^ before.flags) & ABOUT_CHILDREN != 0)
    }

    /// Notes that a call sends a signal to others, or looks for those that come when a child ends.
    pub(super) fn note_signals(&mut self, call: &'static SystemCall) {
        for role in call.roles() {
            let (sends, looks) = self.signals_of(*role);
            let sharing = &self.machine.stores.sharing;
            if sends || looks {
                sharing.learn(OthersFact::SendsSignals);
            }
            if looks {
                sharing.learn(OthersFact::ObservesProcessEnd);
            }
        }
    }

    /// Whether a call with a role sends a signal to others, or lets a timer send one; and whether it looks for those that
    /// come when a child ends.
    fn signals_of(&mut self, role: Role) -> (bool, bool) {
        const CHILD: u32 = number::CHLD as u32;
        let arguments = self.machine.arguments();
        let [first, second, ..] = arguments;
        let chosen = bit(number::CHLD) as u32;
        let (system, others) = (&self.machine.system, !self.machine.system.is_only_process());
        let mask = || system.own_record().mask as u32;
        match role {
            Role::SignalsProcess => {
                let own = !others || first == system.process_number();
                (!system.is_only_thread() || !own, false)
            }
            Role::SignalsThread(position) => {
                (arguments[position] != System::thread_number(system.current), false)
            }
            Role::SetsTimer(_) => (true, false),
            // Whoever sends a message later sends the signal.
            Role::AsksForNotice => (second != 0, false),
            Role::SetsAction(form) => {
                let changes = match form {
                    ActionForm::Wide => self.changes_action(),
                    ActionForm::Narrow => second != 0,
                    ActionForm::Plain => true,
                };
                (false, others && first == CHILD && changes)
            }
            Role::AsksPending => (false, others && mask() & chosen != 0),
            Role::AwaitsSignals => (false, others && self.word_at(first) & chosen != 0),
            // A child that ends later is read of.
            Role::OpensSignals => (false, self.word_at(second) & chosen != 0),
            _ => (false, false),
        }
    }

    /// Notes that a function of the library sends a signal to another thread, be it one that takes none
    /// any more.
    pub(super) fn note_sender(&mut self, row: &Row) {
        if matches!(row.name, "pthread_kill" | "pthread_sigqueue")
            && self.argument(0) != self.machine.cpu.gs_base
        {
            self.machine.stores.sharing.learn(OthersFact::SendsSignals);
        }
    }
}
