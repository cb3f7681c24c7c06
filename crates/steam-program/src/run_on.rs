//! The invisible part of a step: a thread runs up to just before its next visible operation.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use steam_libc::{Row, Work};
use steam_linux::kernel::{AtomicBlock, Pending};
use steam_linux::objects::place_of;
use steam_report::{Stands, activations};
use steam_state::{Access, AccessError, AccessKind, Context, Place, RegionKind, Space, ThreadId};
use steam_sync::{Address, Call, ConditionCall, Objects, SpinCall, Thread};
use steam_visibility::{
    Creation, Grant, Held, Join, Mode, Model, ObjectFact, Operation, OperationFact, OthersFact,
    SynchronisationFacts, THREAD_TABLE, Watching,
};
use steam_vm::Stop;
use vm_isa::request::Request;

use super::deadline::{ANSWERS, GLANCE};
use super::long_runs::{Cycle, Length, Position, Seen};
use super::step::{Flow, Halt, Worker};
use super::{Granularity, Program};
use crate::machine::Machine;

/// The number of intercepts that are set where a function returns to.
pub(super) const RETURN: u16 = u16::MAX;
/// The number of the intercept at the beginning of `main`.
pub(super) const MAIN: u16 = u16::MAX - 1;

/// The number of the intercepts at instructions that are progress.
pub(super) const PROGRESS: u16 = u16::MAX - 2;

/// Whether a thread runs on.
pub(super) enum Next {
    /// It does.
    RunsOn,
    /// It stands before this operation.
    Stands(Pending),
}

/// Where and when a thread began to run.
pub(super) struct Start {
    /// How many instructions the CPU had done.
    pub(super) instructions: u64,
    /// The line, where steps are lines.
    line: Option<SourceLine>,
    pub(super) position: Position,
}

/// A source line, and the function to which what runs there belongs: several may stand in one line.
#[derive(PartialEq)]
struct SourceLine {
    file: Option<String>,
    line: Option<u32>,
    function: Option<String>,
}

impl Worker {
    /// Runs the thread on the CPU up to its next visible operation, which becomes its pending one.
    pub(super) fn run_on(&mut self, program: &Program) -> Flow {
        let start = self.start_run(program);
        while self.turn(program, &start, u64::MAX)? {}
        Ok(())
    }

    /// The thread on the CPU begins to run.
    pub(super) fn start_run(&mut self, program: &Program) -> Start {
        // What the thread is in was begun by a worker that may be another one.
        self.await_end();
        self.cycle = Cycle::default();
        self.answers = 0;
        Start {
            instructions: self.machine.cpu.instructions,
            line: self.line(program),
            position: self.position(),
        }
    }

    /// Lets the thread on the CPU run until something needs an answer, and gives it; at most
    /// `limit` instructions. Whether it runs on.
    pub(super) fn turn(&mut self, program: &Program, start: &Start, limit: u64) -> Flow<bool> {
        self.leave_function();
        self.judge_trespass(program, false)?;
        self.begin_turn(program);
        self.take_own_signals(program)?;
        if self.machine.system.threads.get(self.machine.system.current).is_none() {
            self.note_end();
            return Ok(false);
        }
        let done = self.machine.cpu.instructions - start.instructions;
        if self.is_cut(program, done) {
            self.stand(Pending::Cut);
            return Ok(false);
        }
        if done >= program.options.divergence {
            return Err(self.endless(program, Length::Limit));
        }
        if self.is_given_up(program, done) {
            return Err(Halt::Infeasible);
        }
        let asks = done >= GLANCE || self.answers >= ANSWERS || self.has_written_much();
        let asks = asks && !self.ignores_deadline;
        if asks && program.is_late() {
            return Err(Halt::Infeasible);
        }
        let tells = self.machine.stores.sharing.observes();
        let by_line = program.options.granularity == Granularity::Line && (tells || !self.alone());
        let followed = if by_line { 0 } else { self.followed(done).min(limit) };
        let before = self.position();
        let seen = if followed > 0 {
            self.follow(start, followed)
        } else {
            self.cycle = Cycle::default();
            let portion = if by_line { 1 } else { self.portion(program, done) };
            Seen::Stop(self.machine.cpu.run(portion.min(limit)))
        };
        self.settle_marks(program);
        if matches!(&seen, Seen::Stop(stop) if !matches!(stop, Stop::Limit)) {
            self.answers = if self.answers < ANSWERS { self.answers + 1 } else { 1 };
        }
        let next = match seen {
            Seen::Stop(Stop::Limit)
                if by_line && self.comes_to_line(program, start.line.as_ref(), before) =>
            {
                Next::Stands(Pending::Continue)
            }
            Seen::Stop(stop) => self.answer(program, stop)?,
            Seen::AtStart => Next::Stands(Pending::Cut),
            Seen::Looping => self.loops_forever(program)?,
        };
        if let Next::Stands(pending) = next {
            self.settle_marks(program);
            self.stand(pending);
            return Ok(false);
        }
        Ok(true)
    }

    /// Whether so much was written in this step that a single call may take long.
    fn has_written_much(&self) -> bool {
        const PAGES: usize = 1 << 13;
        self.machine.cpu.memory.written_pages() >= PAGES
    }

    /// Delivers the signals that the thread has sent to itself, such as that of `abort`, and those that it has postponed
    /// until it left the kernel. A handler is no part of the function, such as `raise`, in which it comes.
    fn take_own_signals(&mut self, program: &Program) -> Flow {
        if !self.takes_signal_now() {
            return Ok(());
        }
        self.deliver()?;
        if let AtomicBlock::Function { requested, .. } = self.atomic_block()
            && self.is_sending()
        {
            self.set_atomic_block(AtomicBlock::after_function(requested));
            self.begin_turn(program);
        }
        Ok(())
    }

    /// The thread stands before its next visible operation.
    pub(super) fn stand(&mut self, pending: Pending) {
        let machine = &mut self.machine;
        let partial = match &pending {
            Pending::Access { .. } => machine.cpu.memory.policy.partial().clone(),
            _ => Vec::new(),
        };
        machine.cpu.memory.policy.instruction_over();
        let live = machine.system.own_thread();
        live.pending = pending;
        live.partial = partial;
    }

    /// Runs from the first instruction to `main`; false if something else comes first.
    pub(super) fn run_to_main(&mut self, program: &Program) -> bool {
        let main = program.image.symbols.find("main").find(|symbol| symbol.global);
        // Without one everything from the first instruction on belongs to steps.
        let Some(main) = main.map(|symbol| symbol.address) else { return false };
        self.machine.cpu.intercept(main, MAIN);
        self.begin_turn(program);
        loop {
            self.leave_function();
            let stop = self.machine.cpu.run(program.options.divergence);
            match stop {
                Stop::Intercept(MAIN) => return true,
                Stop::Limit => return false,
                stop => match self.answer(program, stop) {
                    Ok(Next::RunsOn) if self.created.is_empty() => {}
                    _ => return false,
                },
            }
        }
    }

    /// Answers a stop of the CPU, unless it is at a visible operation.
    pub(super) fn answer(&mut self, program: &Program, stop: Stop) -> Flow<Next> {
        self.note_failed_access(&stop);
        match stop {
            Stop::Limit => Ok(Next::RunsOn),
            Stop::Visible(access) => {
                if self.machine.models.is_bookkeeping(self.machine.cpu.eip) {
                    let stop = self.machine.cpu.run_granted(Grant::All);
                    return self.answer(program, stop);
                }
                if self.passes_as_private(program, access) {
                    return Ok(Next::RunsOn);
                }
                if self.drop_private() {
                    // If an access of the instruction is a step, so are those before it that have passed as private.
                    let stop = self.machine.cpu.run_granted(Grant::Nothing);
                    return self.answer(program, stop);
                }
                let whole = self.machine.cpu.locks_the_bus();
                Ok(Next::Stands(Pending::Access { access, whole }))
            }
            Stop::Intercept(_) if self.stands_before_end() => Ok(Next::Stands(Pending::Continue)),
            Stop::Intercept(id) => {
                self.pass_thread_bounds();
                self.begin_turn(program);
                self.progress |= id == PROGRESS;
                match self.machine.models.row(id) {
                    Some(row) => self.function(program, id, row),
                    None => {
                        self.machine.cpu.pass_intercept();
                        Ok(Next::RunsOn)
                    }
                }
            }
            Stop::SystemCall => {
                self.note_remarkable(program);
                self.judge_kept_locks(program)?;
                self.system_call_reached(program)
            }
            Stop::Request(number) => self.request_reached(program, number),
            // What was never written is used whoever comes before.
            Stop::Uninitialised(found) => Err(Halt::Ending(self.machine.uses_uninitialised(found))),
            _ if self.stands_before_failure(program) => Ok(Next::Stands(Pending::Continue)),
            stop => {
                let ending = self.machine.handle(stop, &mut self.sink);
                ending.map_or(Ok(Next::RunsOn), |ending| Err(Halt::Ending(ending)))
            }
        }
    }

    /// An access that fails is one like others: it need not fail where it comes before what another thread does, such as
    /// freeing its block.
    fn note_failed_access(&mut self, stop: &Stop) {
        if let Stop::Memory(AccessError { kind, address, size, .. }) = *stop {
            let end = address.saturating_add(size);
            self.machine.cpu.memory.note(address, end, kind == AccessKind::Write);
        }
    }

    /// The return address of the function at whose first byte the CPU stands.
    pub(super) fn site(&mut self) -> u32 {
        self.word_at(self.machine.cpu.gpr[Context::ESP])
    }

    /// A word of the program's memory, or 0 where nothing can be read.
    pub(super) fn word_at(&mut self, address: u32) -> u32 {
        if let Some(word) = self.machine.cpu.memory.peek(address) {
            return word;
        }
        let mut bytes = [0; 4];
        self.machine.unwatched(|machine| {
            if machine.cpu.memory.read_bytes(address, &mut bytes).is_err() {
                machine.cpu.memory.take_error();
            }
        });
        u32::from_le_bytes(bytes)
    }

    /// Whether a call from where the CPU came to the function is known to touch what threads share.
    fn touches_shared_here(&mut self) -> bool {
        let site = self.site();
        self.machine.stores.sharing.knows(OperationFact::Call(site))
    }

    /// The CPU stands at the first byte of a function that is one operation.
    fn function(&mut self, program: &Program, id: u16, row: &'static Row) -> Flow<Next> {
        if self.tests_cancellation(row)? {
            return Ok(Next::RunsOn);
        }
        if let Work::Foreign { .. } = row.work {
            self.note_sender(row);
        }
        if matches!(row.work, Work::Foreign { .. } | Work::Create | Work::Join)
            && let Some(ending) = self.machine.refuses_borrower("deals with threads")
        {
            return Err(Halt::Ending(ending));
        }
        if let Some(stands) = self.meets_unsafe_handler(id, row)? {
            return Ok(stands);
        }
        match &row.work {
            Work::Model(_) => {
                self.settle_pointers(program);
                if self.is_visible_model(program, row) {
                    return Ok(Next::Stands(Pending::Function(id)));
                }
                self.call_model(program, id)?;
                Ok(Next::RunsOn)
            }
            Work::Sync(synchronisation) => {
                let operation = self.machine.decode(row, synchronisation).map_err(Halt::Ending)?;
                self.look_at_objects(&operation);
                let touches = match self.atomic_block() {
                    AtomicBlock::None => self.note_arguments(id),
                    _ => {
                        self.touch_arguments(id);
                        Vec::new()
                    }
                };
                self.synchronise(program, operation, touches)
            }
            Work::Create if self.is_visible_creation(program) => {
                Ok(Next::Stands(Pending::Function(id)))
            }
            Work::AtomicBlock | Work::Last if self.is_own_affair(row) => {
                self.machine.cpu.pass_intercept();
                Ok(Next::RunsOn)
            }
            Work::CancellationPoint if self.is_visible(program, &Operation::CancellationPoint) => {
                Ok(Next::Stands(Pending::Function(id)))
            }
            Work::CancellationPoint => {
                self.machine.cpu.pass_intercept();
                Ok(Next::RunsOn)
            }
            Work::CancellationType if self.is_visible_cancellation_type(program) => {
                Ok(Next::Stands(Pending::Function(id)))
            }
            Work::CancellationType => {
                self.choose_cancellation();
                self.machine.cpu.pass_intercept();
                Ok(Next::RunsOn)
            }
            Work::AtomicBlock | Work::Foreign { .. }
                if self.is_visible(program, &Operation::Function) =>
            {
                Ok(Next::Stands(Pending::Function(id)))
            }
            Work::Last if self.stands_before_failure(program) => {
                Ok(Next::Stands(Pending::Continue))
            }
            Work::AtomicBlock | Work::Foreign { .. } | Work::Create | Work::Unseen | Work::Last => {
                self.refuse_detached_join(program, id)?;
                self.refuse_second_detach(program, id)?;
                self.note_cancellation(id);
                self.begin_function(id)?;
                Ok(Next::RunsOn)
            }
            Work::Frame => {
                if !self.find_frame() {
                    self.begin_function(id)?;
                }
                Ok(Next::RunsOn)
            }
            Work::Leap => {
                self.leave_operations();
                if let AtomicBlock::Function { requested, .. } = self.atomic_block() {
                    self.set_atomic_block(AtomicBlock::after_function(requested));
                }
                self.machine.cpu.pass_intercept();
                Ok(Next::RunsOn)
            }
            Work::Destructors => {
                self.call_destructors();
                Ok(Next::RunsOn)
            }
            // glibc refuses to wait for itself.
            Work::Join if self.argument(0) == self.machine.cpu.gs_base => {
                self.refuse_own_join(program)?;
                self.begin_function(id)?;
                Ok(Next::RunsOn)
            }
            Work::Join => {
                let storage = self.argument(0);
                let touches = self.note_arguments(id);
                let thread = self.machine.system.thread_with_storage(storage);
                let join = Join {
                    ended: thread.is_none(),
                    touches_shared: !touches.is_empty(),
                    shares_numbers: self.shares_thread_table(),
                };
                if !self.is_visible(program, &Operation::Join(join)) {
                    return self.join(program, storage);
                }
                if thread.is_some() && self.matters_when_join_begins() {
                    return Ok(Next::Stands(Pending::Function(id)));
                }
                let thread = thread.map_or(0, |thread| thread.0);
                Ok(Next::Stands(Pending::Join { thread, storage, touches }))
            }
        }
    }

    /// Whether the call of a model is a step.
    fn is_visible_model(&mut self, program: &Program, row: &Row) -> bool {
        let touches_shared =
            self.touches_shared_here() && !self.touches_private_blocks(program, row);
        let model = Model { touches_shared, manages_memory: row.manages_memory() };
        self.is_visible(program, &Operation::Model(model))
    }

    /// Whether the creation of a thread is a step.
    fn is_visible_creation(&mut self, program: &Program) -> bool {
        let creation = Creation {
            touches_shared: self.touches_shared_here(),
            may_be_abandoned: self.may_be_abandoned(),
        };
        self.is_visible(program, &Operation::Creation(creation))
    }

    /// Whether it is a step to say where the thread may be cancelled.
    fn is_visible_cancellation_type(&mut self, program: &Program) -> bool {
        let cancels = self.is_cancellation_seen();
        self.is_visible(program, &Operation::CancellationType { cancels })
    }

    /// Whether several threads take numbers of threads and give them back.
    fn shares_thread_table(&self) -> bool {
        let table = self.machine.system.space.at(THREAD_TABLE);
        self.machine.stores.sharing.is_shared(table)
    }

    /// Whether some thread is detached while others join it, or are about to: then a join begins in a step of its own.
    fn matters_when_join_begins(&self) -> bool {
        self.machine.stores.sharing.knows(OthersFact::DetachesJoined)
    }

    /// Whether a function of the library concerns only the thread on the CPU, so that what it
    /// calls is what others may see: no other thread is in its process. Named semaphores are files.
    fn is_own_affair(&self, row: &Row) -> bool {
        let system = &self.machine.system;
        system.is_only_thread() && !system.is_only_process() && !row.name.starts_with("sem_")
    }

    /// An argument of the function at whose first byte the CPU stands.
    pub(super) fn argument(&mut self, position: u32) -> u32 {
        self.word_at(self.machine.cpu.gpr[Context::ESP].wrapping_add(4 + 4 * position))
    }

    /// Does a library model as part of something, and notes if it touches what is shared.
    pub(super) fn call_model(&mut self, program: &Program, id: u16) -> Flow {
        let memory = &mut self.machine.cpu.memory;
        let mode = memory.policy.mode();
        let current = self.machine.system.current;
        if mode != Mode::Off {
            memory.watch(current, mode.atomic());
            memory.policy.take_touched();
        }
        let site = self.site();
        let row = self.model_of(id);
        let awaits_block = self.awaits_block(program, row);
        let ending = self.machine.model(id);
        if awaits_block {
            self.judge_block(program);
        }
        let memory = &mut self.machine.cpu.memory;
        if mode.learns_calls() && memory.policy.take_touched() {
            memory.policy.sharing().learn(OperationFact::Call(site));
        }
        memory.watch(current, mode);
        self.note_fresh_block(id);
        ending.map_or(Ok(()), |ending| Err(Halt::Ending(ending)))
    }

    /// Looks up how a function is unwound, if the image says it. The library does that for itself: no thread takes
    /// note.
    fn find_frame(&mut self) -> bool {
        self.machine.unwatched(|machine| {
            let image = Arc::clone(machine.image());
            machine.in_model(|models, call| models.find_frame(&image, call))
        })
    }

    /// The thread is about to synchronise: at once if no other thread can observe the difference.
    fn synchronise(
        &mut self,
        program: &Program,
        mut operation: steam_sync::Operation,
        touches: Vec<Access>,
    ) -> Flow<Next> {
        let thread = Thread(self.machine.system.current.0);
        if let Call::Spin(SpinCall::Unlock | SpinCall::Initialise) = operation.call {
            // One function of glibc with two names.
            let object = self.machine.system.objects.get(operation.address);
            operation.call = SpinCall::unlock_or_initialise(thread, object).into();
        }
        let may_vanish = self.note_objects(&operation);
        let handled = self.shares_with_handler(&operation) || self.fails_by_handler(&operation);
        let sharing = &self.machine.stores.sharing;
        let place = place_of(operation.address);
        let observed = sharing.observes_threads() && !self.starts;
        let secluded = self.secludes(&operation) || self.has_objects_alone(program, &operation);
        let sharing = &self.machine.stores.sharing;
        // Where the thread is alone, nothing can observe when something was released.
        let unseen = secluded && !handled && !observed;
        if let Some(object) = operation.observes().filter(|_| !unseen) {
            sharing.learn(ObjectFact::Observed(place_of(object)));
            if sharing.judges_operations() && operation.tries().is_some() {
                sharing.learn(ObjectFact::Tried(place_of(object)));
            }
        }
        if matches!(operation.call, Call::Condition(ConditionCall::Wait(_))) {
            program.conditions.store(true, Ordering::Relaxed);
        }
        let releases = operation.is_release();
        let facts = SynchronisationFacts {
            releases,
            secluded,
            meets_handler: handled,
            observed: releases && sharing.knows(ObjectFact::Observed(place)),
            may_vanish,
            in_common: place.space() == Space::SHARED,
            copied_anywhere: sharing.is_copied(),
            may_be_abandoned: releases && self.may_be_abandoned(),
        };
        let stands = Next::Stands(Pending::sync(operation, touches));
        if self.is_visible(program, &Operation::Synchronisation(facts)) {
            return Ok(stands);
        }
        let mut choices = Vec::new();
        let (objects, faults) = (&self.machine.system.objects, &program.options.faults);
        steam_sync::choices(&operation, thread, objects, faults, &mut choices);
        match choices[..] {
            [choice] => self.do_operation(program, operation, choice),
            _ => Ok(stands),
        }
    }

    /// What kind of objects an operation is about lies in memory: in a copy, that speaks of the original.
    fn look_at_objects(&self, operation: &steam_sync::Operation) {
        /// The largest one is a condition.
        const MOST_BYTES: u32 = 48;
        let memory = &self.machine.cpu.memory;
        if !memory.policy.origins().is_empty() {
            let objects = operation.objects().into_iter().flatten().map(place_of);
            objects.for_each(|object| memory.look_at_originals(object, MOST_BYTES));
        }
    }

    /// Whether no other thread can reach the objects of an operation.
    fn secludes(&self, operation: &steam_sync::Operation) -> bool {
        let system = &self.machine.system;
        let mut objects = operation.objects().into_iter().flatten();
        system.is_alone()
            || system.is_only_thread()
                && objects.all(|object| place_of(object).space() != Space::SHARED)
    }

    /// Whether the memory of an object may go away: on the heap, in a mapping, or on the stack of a thread that may end.
    pub(super) fn may_vanish(&self, address: Address) -> bool {
        let place = place_of(address);
        if place.space() != self.machine.system.space {
            return true;
        }
        let region = self.machine.cpu.memory.regions().find(place.address());
        region.is_none_or(|(_, region)| {
            use RegionKind::{EndedStack, FileCopy, Former, Heap, Mapped, Stack};
            match region.kind {
                Heap | Mapped | FileCopy { .. } | Former { .. } | EndedStack { .. } => true,
                Stack(owner) => owner != ThreadId::FIRST,
                _ => false,
            }
        })
    }

    /// Whether the memory of an object may go away or be overwritten between two steps.
    pub(super) fn may_change(&self, program: &Program, operation: &steam_sync::Operation) -> bool {
        let sharing = &self.machine.stores.sharing;
        // By single accesses nothing is learned, and each access of another thread is a step.
        !program.options.granularity.learns()
            || self.may_vanish(operation.address)
            || operation
                .extents()
                .any(|(object, size)| sharing.is_any_shared(place_of(object), size))
    }

    /// Notes that an operation looks at the memory of its objects, as against those who free, unmap or overwrite it;
    /// whether that is shared.
    fn note_objects(&mut self, operation: &steam_sync::Operation) -> bool {
        let locked = matches!(operation.call, Call::Lock(_)).then_some((operation.address, 4));
        let locked = locked.filter(|&(address, _)| self.may_vanish(address));
        operation.extents().chain(locked).fold(false, |shared, (object, size)| {
            self.note_object(place_of(object), size) || shared
        })
    }

    fn note_object(&mut self, object: Place, size: u32) -> bool {
        let only = self.machine.system.is_only_thread();
        let memory = &mut self.machine.cpu.memory;
        // The thread may hold the object for longer than the locks that it holds now.
        memory.policy.set_held(Held::NOTHING);
        if object.space() == memory.space() {
            memory.note(object.address(), object.address().saturating_add(size), false);
        } else if !only {
            // No other process can take it away from this one.
            memory.note_common_object(object);
        }
        memory.policy.sharing().is_any_shared(object, size)
    }

    fn request_reached(&mut self, program: &Program, number: u8) -> Flow<Next> {
        let argument = self.machine.cpu.gpr[Context::ECX];
        match Request::from_number(number) {
            Some(Request::Lock | Request::Unlock) => {
                let call = match Request::from_number(number) {
                    Some(Request::Lock) => steam_sync::LockCall::Lock,
                    _ => steam_sync::LockCall::Unlock,
                };
                let place = self.machine.cpu.memory.place(argument).number();
                self.synchronise(program, steam_sync::Operation::new(place, call), Vec::new())
            }
            Some(Request::BeginAtomic) if self.is_visible(program, &Operation::AtomicBlock) => {
                Ok(Next::Stands(Pending::Request { number, argument }))
            }
            Some(Request::BeginAtomic) => {
                // What else runs as a whole is atomic anyway, and ends later.
                if let AtomicBlock::Requested(depth) = self.atomic_block() {
                    self.set_atomic_block(AtomicBlock::Requested(depth + 1));
                }
                Ok(Next::RunsOn)
            }
            Some(Request::EndAtomic) => {
                match self.atomic_block() {
                    AtomicBlock::Requested(1) => self.set_atomic_block(AtomicBlock::None),
                    AtomicBlock::Requested(depth) => {
                        self.set_atomic_block(AtomicBlock::Requested(depth - 1))
                    }
                    // The program ends what it has not begun, or what began within one of these.
                    AtomicBlock::None
                    | AtomicBlock::Function { .. }
                    | AtomicBlock::Beginning { .. }
                    | AtomicBlock::Ending => {}
                }
                Ok(Next::RunsOn)
            }
            Some(Request::Toss) if argument == 0 => {
                self.machine.cpu.gpr[Context::EAX] = 0;
                Ok(Next::RunsOn)
            }
            Some(Request::Toss) => Ok(Next::Stands(Pending::Request { number, argument })),
            // What the thread did before it counts, until it goes on from here.
            Some(Request::Assume) => {
                self.note_assumption(program, argument != 0);
                match argument {
                    0 if self.is_within_step(program) => Err(Halt::Infeasible),
                    0 => Ok(Next::Stands(Pending::Request { number, argument })),
                    _ => Ok(Next::RunsOn),
                }
            }
            Some(Request::BeginOperation) => {
                self.begin_operation(argument);
                Ok(Next::RunsOn)
            }
            Some(Request::EndOperation) => {
                self.end_operation();
                Ok(Next::RunsOn)
            }
            Some(request @ (Request::Unshared | Request::Shared)) => {
                self.claim_reached(program, request)
            }
            Some(Request::Atomic) => {
                self.note_atomic(program);
                Ok(Next::RunsOn)
            }
            Some(Request::Progress) => {
                self.progress = true;
                Ok(Next::RunsOn)
            }
            Some(Request::Assert) if argument == 0 && self.stands_before_failure(program) => {
                Ok(Next::Stands(Pending::Request { number, argument }))
            }
            Some(Request::Assert) | None => {
                let ending = self.machine.request(number);
                ending.map_or(Ok(Next::RunsOn), |ending| Err(Halt::Ending(ending)))
            }
        }
    }

    /// The source line at which the thread stands, where steps are lines.
    fn line(&mut self, program: &Program) -> Option<SourceLine> {
        if program.options.granularity != Granularity::Line {
            return None;
        }
        let frames = program.image.lines.frames(self.machine.cpu.eip);
        let frame = frames.into_iter().next()?;
        let line = SourceLine { file: frame.file, line: frame.line, function: frame.function };
        line.line.is_some().then_some(line)
    }

    /// Whether the last instruction, before which the thread was at a position, has led it to a line: to
    /// another one than where the step began, or back to it, as in a loop that waits.
    fn comes_to_line(
        &mut self,
        program: &Program,
        start: Option<&SourceLine>,
        before: Position,
    ) -> bool {
        if self.atomic_block() != AtomicBlock::None {
            return false;
        }
        let here = self.line(program);
        let jumped_back = self.machine.cpu.eip < before.1 || self.position() == before;
        here.is_some() && (here.as_ref() != start || jumped_back)
    }

    pub(super) fn callers(&mut self) -> Vec<u32> {
        self.machine.unwatched(Machine::callers)
    }

    pub(super) fn note_created(&mut self, thread: ThreadId) {
        if self.events.is_none() {
            return;
        }
        let by = self.machine.system.current;
        let image = std::sync::Arc::clone(&self.machine.image);
        // In the midst of the system call that creates it.
        let stack =
            self.machine.unwatched(|machine| activations(&image, &mut machine.cpu, Stands::Behind));
        let eip = self.machine.cpu.eip;
        let callers = stack.iter().skip(1).map(|call| call.eip).collect();
        if let Some(events) = &mut self.events {
            events.push(super::Event::Created { thread, by, eip, callers });
        }
    }

    fn note_end(&mut self) {
        self.progress = true;
        let thread = self.machine.system.current;
        if let Some(events) = &mut self.events {
            events.push(super::Event::Ended(thread));
        }
    }
}

impl Machine {
    /// What a call of a synchronising function does.
    pub(crate) fn decode(
        &mut self,
        row: &'static Row,
        synchronisation: &steam_libc::Synchronisation,
    ) -> Result<steam_sync::Operation, crate::machine::Ending> {
        if let Some(ending) = self.refuses_borrower("synchronises") {
            return Err(ending);
        }
        let result = self.unwatched(|machine| {
            machine.in_model(|models, call| models.decode(row, synchronisation, call))
        });
        result.map_err(|failure| self.model_failed(failure))
    }

    /// Does something whose accesses to memory are no affair of the search: what is visible of it
    /// is another thing than its accesses.
    pub(crate) fn unwatched<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let (current, mode) = (self.system.current, self.cpu.memory.policy.mode());
        self.cpu.memory.watch(current, Mode::Off);
        let result = work(self);
        self.cpu.memory.watch(current, mode);
        result
    }
}
