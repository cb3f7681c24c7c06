//! The visible part of a step: a thread does its pending operation.

use steam_libc::{Row, Work};
use steam_linux::kernel::{AtomicBlock, Pending, Reason, Status, Then};
use steam_linux::signals::{self, Delivery, number};
use steam_report::{Cause, Stands};
use steam_state::{Access, Context};
use steam_sync::{Address, Done, Objects, Operation, SyncChoice, Thread};
use steam_visibility::{Discipline, Grant, Mode, OperationFact, OthersFact, Watching};
use steam_vm::Stop;
use vm_isa::request::Request;

use super::Program;
use super::accessors::Atomicity;
use super::action::Choice;
use super::event::Event;
use super::run_on::Next;
use super::step::{Flow, Halt, Worker};
use super::toss;

impl Worker {
    /// Does what the thread on the CPU has pending, in the chosen way; whether it runs on.
    pub(super) fn perform(&mut self, program: &Program, choice: Choice) -> Flow<bool> {
        match choice {
            Choice::Delivery => self.deliver(),
            Choice::Interruption => self.deliver_in_wait(),
            Choice::Alarm => {
                self.machine.system.fire_timer();
                if self.takes_alarm(number::ALRM) { self.deliver() } else { Ok(false) }
            }
            Choice::Timer(timer) => {
                let timers = &self.machine.system.process.posix_timers;
                let signal = timers.get(&timer).expect("a timer that fires is there").signal();
                self.machine.system.fire_posix_timer(timer);
                let taken = matches!(signal, Some((signal, None)) if self.takes_alarm(signal));
                if taken { self.deliver() } else { Ok(false) }
            }
            Choice::TimerFile(timer) => {
                self.expire(program, timer);
                Ok(false)
            }
            Choice::Operation(how) => self.perform_pending(program, choice, how),
            Choice::Cancellation | Choice::Leap => {
                self.perform_pending(program, choice, SyncChoice::USUAL)
            }
        }
    }

    /// Does the pending operation of the thread on the CPU, as it is done in the chosen way.
    fn perform_pending(
        &mut self,
        program: &Program,
        choice: Choice,
        how: SyncChoice,
    ) -> Flow<bool> {
        let live = self.machine.system.own_thread();
        let pending = std::mem::take(&mut live.pending);
        let partial = std::mem::take(&mut live.partial);
        let next = match pending {
            pending if choice == Choice::Cancellation => self.leave_wait(&pending)?,
            Pending::Continue | Pending::Cut => Next::RunsOn,
            Pending::Access { access, whole } => {
                if !whole {
                    self.note_store(program, access);
                }
                self.judge_claimed(program, access)?;
                self.judge_atomic(program, access, !partial.is_empty())?;
                if self.judges_deeds() {
                    self.judge_access(program, access)?;
                }
                self.publish_blocks_by(access);
                let before = self.bytes_at(access.address, access.size);
                let atomic = whole || self.is_atomic(program, access);
                self.machine.cpu.memory.policy.set_partial(&partial);
                let grant = if whole { Grant::All } else { Grant::One };
                let stop = self.machine.cpu.run_granted(grant);
                if atomic {
                    self.drop_made();
                }
                self.settle_marks(program);
                self.note_access(access, before);
                self.after_access(program, stop)?
            }
            Pending::Sync { operation, .. } => self.do_operation(program, operation, how)?,
            Pending::Function(id) => {
                self.judge_call(program, id)?;
                self.do_function(program, id)?
            }
            Pending::Join { storage, .. } => {
                self.judge_other(program, Stands::AtEntry)?;
                self.join(program, storage)?
            }
            Pending::SystemCall => {
                self.judge_other(program, Stands::Behind)?;
                self.leap(choice);
                self.note_called();
                self.call_system(program)?
            }
            Pending::Waiting => {
                self.note_called();
                self.resume(program, how)?
            }
            Pending::Request { number, argument } => {
                self.do_request(program, number, argument, how)?
            }
        };
        self.settle_marks(program);
        if let Next::Stands(pending) = next {
            self.stand(pending);
            return Ok(false);
        }
        self.settle_handlers();
        Ok(true)
    }

    /// Whether the access of the instruction at which the CPU stands is atomic, where that is asked for.
    fn is_atomic(&self, program: &Program, access: Access) -> bool {
        program.options.discipline == Discipline::Plain
            && program.atomicity(self.machine.cpu.eip, access) == Atomicity::Atomic
    }

    /// An instruction has done its granted access, and maybe stands before another one.
    fn after_access(&mut self, program: &Program, stop: Stop) -> Flow<Next> {
        match stop {
            Stop::Visible(access) => Ok(Next::Stands(Pending::Access { access, whole: false })),
            stop => self.answer(program, stop),
        }
    }

    pub(super) fn deliver(&mut self) -> Flow<bool> {
        const CALL_LENGTH: u32 = 2;
        let machine = &mut self.machine;
        let pending = &machine.system.own_thread().pending;
        let half = pending.is_half().then(|| pending.clone());
        if matches!(pending, Pending::SystemCall) {
            // It stands after the instruction, and has not done it.
            machine.cpu.eip = machine.cpu.eip.wrapping_sub(CALL_LENGTH);
        }
        let used = self.about_to_use();
        self.note_signalled();
        let machine = &mut self.machine;
        let handlers = machine.system.handlers_of_current();
        match signals::deliver(&mut machine.system, &mut machine.cpu) {
            Delivery::Nothing | Delivery::Done => {}
            Delivery::Ends(info) => {
                return machine.killed(info).map_or(Ok(true), |it| Err(Halt::Ending(it)));
            }
            Delivery::Stops(info) => return Err(Halt::Ending(machine.stopped(info))),
        }
        let live = machine.system.own_thread();
        if live.record.stopped {
            match live.pending {
                // Its wait has failed.
                Pending::Waiting if live.record.status == Status::Runnable => {
                    live.pending = Pending::Continue;
                }
                Pending::SystemCall => machine.cpu.eip = machine.cpu.eip.wrapping_add(CALL_LENGTH),
                // It does what it has pending when it goes on.
                Pending::Continue
                | Pending::Cut
                | Pending::Access { .. }
                | Pending::Sync { .. }
                | Pending::Function(_)
                | Pending::Join { .. }
                | Pending::Waiting
                | Pending::Request { .. } => {}
            }
            return Ok(false);
        }
        // What was pending is met again when the handler has returned, unless the thread waits on.
        if live.record.status != Status::Runnable {
            return Ok(false);
        }
        if let Some(half) = half {
            // What was done of it is not undone: the handler returns to the other half. Where none comes, since the
            // signal does nothing, the other half is still pending.
            let Some(last) = live.record.interrupted.get_mut(handlers) else { return Ok(false) };
            last.then = Then::WaitsOn(Box::new(half));
        }
        live.pending = Pending::Continue;
        live.partial.clear();
        // A signal that does nothing has no handler.
        if let Some(last) = live.record.interrupted.get_mut(handlers) {
            last.used = used;
        }
        Ok(true)
    }

    /// A system call goes on after its wait, or because its time is over.
    pub(super) fn resume(&mut self, program: &Program, choice: SyncChoice) -> Flow<Next> {
        // Who was woken at a futex stands after its call already.
        let Some(mut waiting) = self.machine.end_wait() else { return Ok(Next::RunsOn) };
        match (choice, &mut waiting.reason) {
            (SyncChoice::Spurious, _) => {
                self.machine.system.wake_for_nothing(&waiting);
                self.machine.cpu.gpr[Context::EAX] = 0;
                return Ok(Next::RunsOn);
            }
            (SyncChoice::TimeOver, _) => {
                self.pass_to(program, waiting.deadline);
                // Whatever the clock shows, this one time is over.
                waiting.deadline = Some(0);
            }
            (SyncChoice::Usual(chosen), Reason::Watch { order, .. }) => *order = chosen,
            // All else that a thread waits for comes in one order.
            (SyncChoice::Usual(_), _) => {}
        }
        let number = self.machine.cpu.gpr[Context::EAX];
        let current = self.machine.system.current;
        let memory = &mut self.machine.cpu.memory;
        let mode = memory.policy.mode();
        memory.policy.take_touched();
        // What the call reads and writes for the thread is part of this step.
        memory.watch(current, mode.atomic());
        let ending = self.machine.system_call(Some(waiting), &mut self.sink);
        let memory = &mut self.machine.cpu.memory;
        memory.watch(current, mode);
        if memory.policy.take_touched() && mode != Mode::Off {
            self.machine.stores.sharing.learn(OperationFact::SystemCall(number));
        }
        self.after_system_call(program, ending)
    }

    fn do_function(&mut self, program: &Program, id: u16) -> Flow<Next> {
        match self.model_of(id).work {
            Work::Model(_) => {
                self.set_atomic_block(AtomicBlock::Requested(1));
                let done = self.call_model(program, id);
                self.set_atomic_block(AtomicBlock::None);
                done?;
            }
            Work::CancellationPoint => self.machine.cpu.pass_intercept(),
            Work::CancellationType => {
                self.choose_cancellation();
                self.machine.cpu.pass_intercept();
            }
            Work::Join => {
                let storage = self.argument(0);
                return self.join(program, storage);
            }
            _ => {
                self.refuse_detached_join(program, id)?;
                self.refuse_second_detach(program, id)?;
                self.note_cancellation(id);
                self.begin_function(id)?;
            }
        }
        Ok(Next::RunsOn)
    }

    /// Lets the library join the thread with this storage, which has ended or is detached; or begin to, and wait.
    pub(super) fn join(&mut self, program: &Program, storage: u32) -> Flow<Next> {
        if self.is_no_thread(storage) {
            return Err(Halt::Ending(self.machine.violation(&Cause::JoinedTwice)));
        }
        let id = self.machine.models.id_at(self.machine.cpu.eip);
        let id = id.expect("who joins stands at the first byte of a function");
        self.refuse_detached_join(program, id)?;
        self.begin_function(id)?;
        Ok(Next::RunsOn)
    }

    /// The model of a function that the thread on the CPU has come to.
    pub(super) fn model_of(&self, id: u16) -> &'static Row {
        self.machine.models.row(id).expect("a function is known by its model")
    }

    fn do_request(
        &mut self,
        program: &Program,
        number: u8,
        argument: u32,
        choice: SyncChoice,
    ) -> Flow<Next> {
        match Request::from_number(number) {
            Some(Request::Assert) => {
                if let Some(ending) = self.machine.request(number) {
                    return Err(Halt::Ending(ending));
                }
            }
            Some(Request::BeginAtomic) => {
                self.judge_other(program, Stands::Behind)?;
                self.set_atomic_block(AtomicBlock::Requested(1));
            }
            Some(request @ (Request::Unshared | Request::Shared)) => {
                self.do_claim(program, request)?;
            }
            Some(Request::Toss) => {
                let SyncChoice::Usual(number) = choice else {
                    unreachable!("a toss does not wait")
                };
                let Some(value) = toss::tossed(argument, number) else {
                    let cause = Cause::LargeToss { values: u64::from(argument) + 1 };
                    return Err(Halt::Ending(self.machine.unknown(&cause)));
                };
                self.machine.cpu.gpr[Context::EAX] = value;
            }
            request => unreachable!("no step is {request:?}"),
        }
        Ok(Next::RunsOn)
    }

    /// Does a synchronisation operation, and lets its function return if it is done.
    pub(super) fn do_operation(
        &mut self,
        program: &Program,
        operation: Operation,
        choice: SyncChoice,
    ) -> Flow<Next> {
        self.publish_blocks();
        if self.refuses_attributes(program, &operation) {
            return self.complete(Done::Returns(steam_sync::ENOTSUP));
        }
        if self.refuses_limit(&operation, choice) {
            return self.complete(Done::Returns(steam_sync::EINVAL));
        }
        self.note_wait(program, &operation);
        if choice == SyncChoice::TimeOver {
            let deadline = self.deadline_of_call();
            self.pass_to(program, deadline);
        }
        let held = self.held(&operation);
        let judged = self.judges_deeds().then(|| self.times_held(&operation));
        let machine = &mut self.machine;
        let thread = Thread(machine.system.current.0);
        let done = steam_sync::perform(&operation, choice, thread, &mut machine.system.objects);
        let done = match done {
            Ok(done) => done,
            Err(misuse) => {
                return Err(Halt::Ending(machine.violation(&Cause::Misuse(misuse))));
            }
        };
        self.settle_bytes(&operation)?;
        self.note_synchronised(operation);
        self.count_locks(held, self.held(&operation));
        self.list_locks(&operation);
        self.note_taken(program, &operation);
        if let Some(before) = judged.filter(|_| done != Done::Blocked) {
            self.judge_synchronised(program, &operation, before)?;
        }
        match done {
            Done::Continues(operation) => {
                return Ok(Next::Stands(Pending::second_half(operation)));
            }
            Done::Blocked => {
                return Ok(Next::Stands(Pending::sync(operation, Vec::new())));
            }
            Done::Returns(_) | Done::Value(_) => {}
        }
        if operation.is_request() {
            self.machine.cpu.gpr[Context::EAX] = 1;
            return Ok(Next::RunsOn);
        }
        if self.acts_on_cancellation()? {
            return Ok(Next::RunsOn);
        }
        self.complete(done)
    }

    /// Makes the bytes of the lock that an operation was about those of one that is held, or free.
    fn settle_bytes(&mut self, operation: &Operation) -> Flow {
        // A request has no object in memory. A handler may have let its thread return elsewhere.
        let row = self.machine.models.row_at(self.machine.cpu.eip);
        let Some(row) = row.filter(|_| operation.lock().is_some()) else { return Ok(()) };
        let result = self.machine.unwatched(|machine| {
            machine.in_model(|models, call| models.settle(row, operation, call))
        });
        result.map_err(|failure| Halt::Ending(self.machine.model_failed(failure)))
    }

    /// Lets the synchronising function at whose first byte the CPU stands return.
    pub(super) fn complete(&mut self, done: Done) -> Flow<Next> {
        // A handler may have let its thread return elsewhere: then the operation is done, and the thread goes on there.
        let Some(row) = self.machine.models.row_at(self.machine.cpu.eip) else {
            return Ok(Next::RunsOn);
        };
        // The handler has let its thread return to another function of the library: as above.
        let Work::Sync(synchronisation) = &row.work else { return Ok(Next::RunsOn) };
        let result = self.machine.unwatched(|machine| {
            machine.in_model(|models, call| models.complete(row, synchronisation, call, done))
        });
        match result {
            Ok(()) => Ok(Next::RunsOn),
            Err(failure) => Err(Halt::Ending(self.machine.model_failed(failure))),
        }
    }

    /// How many of an operation's objects the thread on the CPU holds.
    fn held(&self, operation: &Operation) -> u32 {
        let system = &self.machine.system;
        let thread = Thread(system.current.0);
        let objects = operation.objects().into_iter().flatten();
        let held = |&address: &Address| system.objects.get(address).held_count(thread) > 0;
        objects.filter(held).count() as u32
    }

    /// Notes how many locks the thread on the CPU holds more, or fewer.
    fn count_locks(&mut self, before: u32, after: u32) {
        if before != after {
            let live = self.machine.system.own_thread();
            live.locks = (live.locks + after).saturating_sub(before);
        }
    }

    /// Notes which of an operation's objects the thread on the CPU holds, where that is asked for.
    fn list_locks(&mut self, operation: &Operation) {
        let system = &mut self.machine.system;
        if self.machine.stores.sharing.discipline() == Discipline::Ignored {
            return;
        }
        let thread = Thread(system.current.0);
        for address in operation.objects().into_iter().flatten() {
            let holds = system.objects.get(address).held_count(thread) > 0;
            let live = system.own_thread();
            match (live.held.binary_search(&address), holds) {
                (Ok(position), false) => drop(live.held.remove(position)),
                (Err(position), true) => live.held.insert(position, address),
                (Ok(_), true) | (Err(_), false) => {}
            }
        }
    }

    /// Notes by which call the thread on the CPU holds an operation's objects, if that is to be reported.
    fn note_taken(&mut self, program: &Program, operation: &Operation) {
        let calls = !operation.is_request();
        if !program.options.discipline.judges() || !calls {
            return;
        }
        let thread = Thread(self.machine.system.current.0);
        let [first, _] = operation.objects();
        let objects = &self.machine.system.objects;
        let taken = first.filter(|&address| objects.get(address).held_count(thread) > 0);
        let esp = self.machine.cpu.gpr[Context::ESP];
        // It is for a report only, which says less where nothing can be read.
        if let Some(lock) = taken
            && let Some(behind) = self.machine.cpu.memory.peek(esp)
        {
            program.disciplined.note_taker(lock, behind);
        }
    }

    /// For observers only: nothing where none listens, or nothing can be read.
    fn bytes_at(&mut self, address: u32, size: u32) -> Option<Vec<u8>> {
        self.events.as_ref()?;
        let mut bytes = vec![0; size as usize];
        self.machine.unwatched(|machine| {
            let read = machine.cpu.memory.read_bytes(address, &mut bytes);
            machine.cpu.memory.take_error();
            read.ok().map(|()| bytes)
        })
    }

    fn note_access(&mut self, access: Access, before: Option<Vec<u8>>) {
        // No observer asks for values, or the address is bad: then the access fails, and that is reported.
        let Some(old) = before else { return };
        // What was readable before is not now: the instruction failed, and that is reported.
        let Some(new) = self.bytes_at(access.address, old.len() as u32) else { return };
        let address = access.address;
        let event = match access.write || old != new {
            true => Event::Wrote { address, old, new },
            false => Event::Read { address, bytes: old },
        };
        if let Some(events) = &mut self.events {
            events.push(event);
        }
    }

    fn note_called(&mut self) {
        if self.events.is_none() {
            return;
        }
        let called = self.machine.unwatched(|machine| machine.call_in_words());
        if let (Some(events), Some(called)) = (&mut self.events, called) {
            events.push(Event::Called(called));
        }
    }

    fn note_signalled(&mut self) {
        let system = &self.machine.system;
        if let (Some(events), Some(signal)) = (&mut self.events, system.next_signal()) {
            events.push(Event::Signalled(signal));
        }
    }

    fn note_synchronised(&mut self, operation: Operation) {
        if self.events.is_none() {
            return;
        }
        let thread = self.machine.system.current;
        let (eip, callers) = (self.machine.cpu.eip, self.callers());
        if let Some(events) = &mut self.events {
            events.push(Event::Synchronised { operation, thread, eip, callers });
        }
    }

    /// Marks that the program tests whether a thread has ended.
    pub(super) fn observe_end(&self) {
        self.machine.stores.sharing.learn(OthersFact::ObservesThreadEnd);
    }

    /// A thread was joined: it cannot interfere any more.
    pub(super) fn joined(&mut self, storage: u32) {
        self.machine.system.joined(storage);
        if !self.machine.system.is_only_thread() {
            let current = self.machine.system.current;
            self.machine.cpu.memory.note_word(steam_visibility::THREAD_TABLE, current, true);
        }
    }
}
