//! The invisible part of a step: a thread runs up to just before its next visible operation.

use std::sync::atomic::Ordering;

use steam_state::{Context, Grant, Mode, RegionKind, Site, THREAD_TABLE, ThreadId};
use steam_sync::{Agent, Call, ConditionCall, Objects, SpinCall};
use steam_vm::Stop;
use vm_isa::request::Request;

use super::step::{Flow, Halt, Worker};
use super::{Granularity, Program};
use crate::kernel::{Pending, Reason, Section};
use crate::machine::Machine;
use crate::models::{Row, Work};
use crate::report::Cause;
use crate::syscalls;

/// The number of intercepts that are set where a function returns to.
pub(super) const RETURN: u16 = u16::MAX;
/// The number of the intercept at the beginning of `main`.
pub(super) const MAIN: u16 = u16::MAX - 1;

/// Whether a thread runs on.
pub(super) enum Next {
    /// It does.
    RunsOn,
    /// It stands before this operation.
    Stands(Pending),
}

/// System calls that concern nobody but the thread, or that tell what never changes.
const LOCAL_CALLS: &[&str] = &[
    "getpid",
    "gettid",
    "getppid",
    "getuid",
    "getuid32",
    "geteuid",
    "geteuid32",
    "getgid",
    "getgid32",
    "getegid",
    "getegid32",
    "set_robust_list",
    "get_robust_list",
    "rseq",
    "rt_sigprocmask",
    "sigprocmask",
    "sigaltstack",
    "set_tid_address",
    "set_thread_area",
    "get_thread_area",
    "time",
    "gettimeofday",
    "clock_gettime",
    "clock_gettime64",
    "clock_getres",
    "clock_getres_time64",
    "uname",
    "getrlimit",
    "ugetrlimit",
    "sched_getaffinity",
    "rt_sigreturn",
    "sigreturn",
    "getrusage",
    "times",
    "sysinfo",
    "getcpu",
    "membarrier",
];

impl Worker {
    /// Runs the thread on the CPU up to its next visible operation, which becomes its pending one.
    pub(super) fn run_on(&mut self, program: &Program) -> Flow {
        let begin = self.machine.cpu.instructions;
        // What the thread is in was begun by a worker that may be another one.
        self.await_end();
        let start_line = self.line(program);
        let start = self.position();
        loop {
            self.leave_function();
            self.set_mode(program);
            self.take_own_signals()?;
            if self.machine.system.threads.get(self.machine.system.current).is_none() {
                self.note_end();
                self.hand_on_locks();
                return Ok(());
            }
            let done = self.machine.cpu.instructions - begin;
            if done >= program.options.divergence {
                return Err(self.endless(program));
            }
            if self.is_cut(program, done) {
                self.stand(Pending::Continue);
                return Ok(());
            }
            let by_line = program.options.granularity == Granularity::Line && !self.alone();
            let followed = self.is_followed(done);
            let portion = self.portion(program, done);
            let stop = self.machine.cpu.run(if by_line || followed { 1 } else { portion });
            let next = match stop {
                Stop::Limit if by_line && self.is_new_line(program, start_line.as_ref()) => {
                    Next::Stands(Pending::Continue)
                }
                Stop::Limit if followed && self.position() == start => {
                    Next::Stands(Pending::Continue)
                }
                stop => self.answer(program, stop)?,
            };
            if let Next::Stands(pending) = next {
                self.stand(pending);
                return Ok(());
            }
        }
    }

    /// Delivers the signals that the thread has sent to itself, such as that of `abort`.
    fn take_own_signals(&mut self) -> Flow {
        let system = &self.machine.system;
        let Some(record) = system.threads.get(system.current) else { return Ok(()) };
        if !record.pending.is_empty() && system.has_pending(record, !record.mask) {
            self.deliver()?;
        }
        Ok(())
    }

    /// The thread stands before its next visible operation.
    pub(super) fn stand(&mut self, pending: Pending) {
        let machine = &mut self.machine;
        let partial = match &pending {
            Pending::Access { .. } => machine.cpu.memory.partial().clone(),
            _ => Vec::new(),
        };
        machine.cpu.memory.instruction_over();
        if let Some(live) = machine.system.threads.live(machine.system.current) {
            live.pending = pending;
            live.partial = partial;
        }
    }

    /// Runs from the first instruction to `main`; false if something else comes first.
    pub(super) fn run_to_main(&mut self, program: &Program) -> bool {
        let main = program.image.symbols.find("main").find(|symbol| symbol.global);
        let Some(main) = main.map(|symbol| symbol.address) else { return false };
        self.machine.cpu.intercept(main, MAIN);
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
        match stop {
            Stop::Limit => Ok(Next::RunsOn),
            Stop::Visible(access) => {
                if self.machine.models.is_bookkeeping(self.machine.cpu.eip) {
                    let stop = self.machine.cpu.run_granted(Grant::All);
                    return self.answer(program, stop);
                }
                let whole = self.machine.cpu.locks_the_bus();
                Ok(Next::Stands(Pending::Access { access, whole }))
            }
            Stop::Intercept(id) => {
                self.pass_thread_bounds();
                self.set_mode(program);
                match self.machine.models.row(id) {
                    Some(row) => self.function(program, id, row),
                    None => {
                        self.machine.cpu.pass_intercept();
                        Ok(Next::RunsOn)
                    }
                }
            }
            Stop::SystemCall => {
                self.note_clock(program);
                self.system_call_reached()
            }
            Stop::Request(number) => self.request_reached(program, number),
            _ if self.stands_before_failure(program) => Ok(Next::Stands(Pending::Continue)),
            stop => {
                let ending = self.machine.handle(stop, &mut self.sink);
                ending.map_or(Ok(Next::RunsOn), |ending| Err(Halt::Ending(ending)))
            }
        }
    }

    /// Whether what comes next is no step of its own: nobody can interfere, or it is part of one.
    pub(super) fn within(&mut self) -> bool {
        self.alone() || self.section() != Section::None
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

    fn is_visible_call(&mut self) -> bool {
        let site = self.site();
        self.machine.stores.state.sharing.is_marked(Site::Call(site))
    }

    /// The CPU stands at the first byte of a function that is one operation.
    fn function(&mut self, program: &Program, id: u16, row: &'static Row) -> Flow<Next> {
        if self.tests_cancellation(row)? {
            return Ok(Next::RunsOn);
        }
        match &row.work {
            Work::Model(_) => {
                if !self.within() && self.is_visible_call() {
                    return Ok(Next::Stands(Pending::Function(id)));
                }
                self.call_model(id)?;
                Ok(Next::RunsOn)
            }
            Work::Sync(synchronisation) => {
                let operation = self.machine.decode(row, synchronisation).map_err(Halt::Ending)?;
                self.synchronise(program, operation)
            }
            Work::Create if !self.within() && self.is_visible_call() => {
                Ok(Next::Stands(Pending::Function(id)))
            }
            Work::Whole | Work::Foreign { .. } if !self.within() => {
                Ok(Next::Stands(Pending::Function(id)))
            }
            Work::Last if self.stands_before_failure(program) => {
                Ok(Next::Stands(Pending::Continue))
            }
            Work::Whole | Work::Foreign { .. } | Work::Create | Work::Unseen | Work::Last => {
                self.begin_function(id)?;
                Ok(Next::RunsOn)
            }
            Work::Leap => {
                if let Section::Function { requested, .. } = self.section() {
                    self.set_section(Section::behind_function(requested));
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
                self.begin_function(id)?;
                Ok(Next::RunsOn)
            }
            Work::Join => {
                let storage = self.argument(0);
                match self.machine.system.thread_with_storage(storage) {
                    Some(thread) => Ok(Next::Stands(Pending::Join { thread: thread.0, storage })),
                    // It has ended, which nobody can undo; but numbers of threads become free.
                    None if self.within()
                        || !self.machine.stores.state.sharing.is_shared(THREAD_TABLE) =>
                    {
                        self.join(storage)
                    }
                    None => Ok(Next::Stands(Pending::Join { thread: 0, storage })),
                }
            }
        }
    }

    /// An argument of the function at whose first byte the CPU stands.
    pub(super) fn argument(&mut self, position: u32) -> u32 {
        self.word_at(self.machine.cpu.gpr[Context::ESP].wrapping_add(4 + 4 * position))
    }

    /// Does a library model as part of something, and notes if it touches what is shared.
    pub(super) fn call_model(&mut self, id: u16) -> Flow {
        let memory = &mut self.machine.cpu.memory;
        let mode = memory.mode();
        let current = self.machine.system.current;
        if mode != Mode::Off {
            memory.watch(current, Mode::Whole);
            memory.take_touched();
        }
        let site = self.site();
        let ending = self.machine.model(id);
        let memory = &mut self.machine.cpu.memory;
        if mode == Mode::Shared && memory.take_touched() {
            memory.sharing().mark(Site::Call(site));
        }
        memory.watch(current, mode);
        ending.map_or(Ok(()), |ending| Err(Halt::Ending(ending)))
    }

    /// The thread is about to synchronise: at once if nobody can tell the difference.
    fn synchronise(
        &mut self,
        program: &Program,
        mut operation: steam_sync::Operation,
    ) -> Flow<Next> {
        let agent = Agent(self.machine.system.current.0);
        if let Call::Spin(SpinCall::Unlock | SpinCall::Initialise) = operation.call {
            // One function of glibc with two names.
            let object = self.machine.system.objects.get(operation.address);
            operation.call = SpinCall::unlock_or_initialise(agent, object).into();
        }
        let sharing = &self.machine.stores.state.sharing;
        // Alone, nobody can tell when something was released.
        if let Some(object) = operation.observes().filter(|_| !self.alone()) {
            sharing.mark(Site::Observed(object));
        }
        if matches!(operation.call, Call::Condition(ConditionCall::Wait(_))) {
            program.conditions.store(true, Ordering::Relaxed);
        }
        let quiet = operation.is_release()
            && program.options.granularity != Granularity::Access
            && !sharing.is_marked(Site::Observed(operation.address))
            && !self.note_object(&operation);
        let stands = Next::Stands(Pending::Sync { operation, second_half: false });
        if !quiet && !self.within() {
            return Ok(stands);
        }
        let mut choices = Vec::new();
        let (objects, faults) = (&self.machine.system.objects, &program.options.faults);
        steam_sync::choices(&operation, agent, objects, faults, &mut choices);
        match choices[..] {
            [choice] => self.do_operation(operation, choice),
            _ => Ok(stands),
        }
    }

    /// Whether the memory of an object may go away: on the heap, or in a mapping.
    pub(super) fn may_vanish(&self, address: u32) -> bool {
        let region = self.machine.cpu.memory.regions().find(address);
        region
            .is_none_or(|(_, region)| matches!(region.kind, RegionKind::Heap | RegionKind::Mapped))
    }

    /// Notes that an operation looks at the memory of an object that may go away, as against those
    /// who free or unmap it; whether that is shared.
    fn note_object(&mut self, operation: &steam_sync::Operation) -> bool {
        let address = operation.address;
        if !self.may_vanish(address) {
            return false;
        }
        let memory = &mut self.machine.cpu.memory;
        memory.note(address, address.saturating_add(4), false);
        memory.sharing().is_shared(address)
    }

    /// Notes where the program first reads a clock.
    fn note_clock(&mut self, program: &Program) {
        let name = syscalls::find(self.machine.cpu.gpr[Context::EAX]).map_or("", |row| row.name);
        let reads = matches!(
            name,
            "time" | "gettimeofday" | "clock_gettime" | "clock_gettime64" | "times" | "getrusage"
        );
        if !reads || program.clock_read.get().is_some() {
            return;
        }
        let lines = |&address: &u32| {
            let frame = program.image.lines.frames(address.wrapping_sub(1)).into_iter().next()?;
            Some(format!("{}:{}", frame.file?, frame.line?))
        };
        if let Some(place) = self.callers().iter().find_map(lines) {
            // Another worker may have been faster.
            let _ = program.clock_read.set(place);
        }
    }

    fn system_call_reached(&mut self) -> Flow<Next> {
        let number = self.machine.cpu.gpr[Context::EAX];
        let name = syscalls::find(number).map_or("", |row| row.name);
        let sharing = &self.machine.stores.state.sharing;
        let known = sharing.is_marked(Site::SystemCall(number));
        let visible = match name {
            "exit" => !self.alone() && sharing.is_marked(Site::ThreadEnd),
            _ => !self.within() && (known || !LOCAL_CALLS.contains(&name)),
        };
        if visible {
            return Ok(Next::Stands(Pending::SystemCall));
        }
        let mode = self.machine.cpu.memory.mode();
        self.machine.cpu.memory.take_touched();
        let next = self.call_system();
        match (name, self.machine.cpu.memory.take_touched()) {
            // Threads end in code whose accesses are not watched; what it notes is the number of a
            // detached thread, which becomes free.
            ("exit", true) if !self.alone() => self.observe_end(),
            (_, true) if mode == Mode::Shared => {
                self.machine.stores.state.sharing.mark(Site::SystemCall(number));
            }
            _ => {}
        }
        next
    }

    /// Notes what a system call does to memory beside reading and writing it.
    fn note_mapping(&mut self) {
        let gpr = &self.machine.cpu.gpr;
        let (number, start, size) = (gpr[Context::EAX], gpr[Context::EBX], gpr[Context::ECX]);
        let name = syscalls::find(number).map_or("", |row| row.name);
        if matches!(name, "munmap" | "mremap" | "madvise" | "mprotect") {
            let end = start.saturating_add(size);
            let memory = &mut self.machine.cpu.memory;
            // No more than is there: the size may be anything.
            let parts = memory.regions().within(start, end);
            let parts: Vec<(u32, u32)> = parts.iter().map(|(at, it)| (*at, it.end)).collect();
            for (from, to) in parts {
                memory.note(from.max(start), to.min(end), true);
            }
        }
    }

    /// Does the system call before eip.
    pub(super) fn call_system(&mut self) -> Flow<Next> {
        let current = self.machine.system.current;
        let mode = self.machine.cpu.memory.mode();
        if mode != Mode::Off {
            self.machine.cpu.memory.watch(current, Mode::Whole);
        }
        let live = self.machine.system.threads.live(current);
        self.ended_with_locks = live.is_some_and(|live| live.locks > 0);
        self.note_mapping();
        let ending = self.machine.system_call(None, &mut self.sink);
        self.machine.cpu.memory.watch(current, mode);
        self.after_system_call(ending)
    }

    pub(super) fn after_system_call(
        &mut self,
        ending: Option<crate::ending::Ending>,
    ) -> Flow<Next> {
        self.push_output();
        if let Some(ending) = ending {
            return Err(Halt::Ending(ending));
        }
        if self.machine.system.process.timers.iter().any(|timer| timer.deadline.is_some()) {
            const SET_TIMER: u32 = 104;
            let detail = "a timer, whose signal a search does not send".to_owned();
            let (name, detail) = (Some("setitimer"), Some(detail));
            let cause = Cause::SystemCall { number: SET_TIMER, name, detail };
            return Err(Halt::Ending(self.machine.unknown(&cause)));
        }
        let created = std::mem::take(&mut self.machine.system.created);
        for &thread in &created {
            self.begin_thread(thread);
            self.note_created(thread);
        }
        self.created.extend(created);
        let system = &self.machine.system;
        let record = system.threads.get(system.current);
        match record.and_then(|record| record.waiting()).map(|waiting| &waiting.reason) {
            None => Ok(Next::RunsOn),
            // Nobody knows how long others take: any time is over at once.
            Some(Reason::Time { .. }) => self.resume(steam_sync::TIMEOUT),
            Some(_) => Ok(Next::Stands(Pending::Waiting)),
        }
    }

    fn request_reached(&mut self, program: &Program, number: u8) -> Flow<Next> {
        let argument = self.machine.cpu.gpr[Context::ECX];
        match Request::from_number(number) {
            Some(Request::Lock | Request::Unlock) => {
                let call = match Request::from_number(number) {
                    Some(Request::Lock) => steam_sync::LockCall::Lock,
                    _ => steam_sync::LockCall::Unlock,
                };
                self.synchronise(program, steam_sync::Operation::new(argument, call))
            }
            Some(Request::BeginAtomic) if self.section() == Section::None => {
                Ok(Next::Stands(Pending::Request { number, argument }))
            }
            Some(Request::BeginAtomic) => {
                if let Section::Requested(depth) = self.section() {
                    self.set_section(Section::Requested(depth + 1));
                }
                Ok(Next::RunsOn)
            }
            Some(Request::EndAtomic) => {
                match self.section() {
                    Section::Requested(1) => self.set_section(Section::None),
                    Section::Requested(depth) => self.set_section(Section::Requested(depth - 1)),
                    _ => {}
                }
                Ok(Next::RunsOn)
            }
            Some(Request::Toss) if argument == 0 => {
                self.machine.cpu.gpr[Context::EAX] = 0;
                Ok(Next::RunsOn)
            }
            Some(Request::Toss) if argument > LARGEST_TOSS => {
                let cause = Cause::LargeToss { values: u64::from(argument) + 1 };
                Err(Halt::Ending(self.machine.unknown(&cause)))
            }
            Some(Request::Toss) => Ok(Next::Stands(Pending::Request { number, argument })),
            // What the thread did before it counts, until it goes on from here.
            Some(Request::Assume) if argument == 0 && !self.within() => {
                Ok(Next::Stands(Pending::Request { number, argument }))
            }
            Some(Request::Assume) if argument == 0 => Err(Halt::Infeasible),
            Some(Request::Assume) => Ok(Next::RunsOn),
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
    fn line(&mut self, program: &Program) -> Option<(Option<String>, Option<u32>)> {
        if program.options.granularity != Granularity::Line {
            return None;
        }
        let frames = program.image.lines.frames(self.machine.cpu.eip);
        let frame = frames.into_iter().next()?;
        frame.line.is_some().then_some((frame.file, frame.line))
    }

    fn is_new_line(
        &mut self,
        program: &Program,
        start: Option<&(Option<String>, Option<u32>)>,
    ) -> bool {
        let here = self.line(program);
        here.is_some() && here.as_ref() != start && self.section() == Section::None
    }

    pub(super) fn callers(&mut self) -> Vec<u32> {
        self.machine.callers()
    }

    fn note_created(&mut self, thread: ThreadId) {
        if self.events.is_none() {
            return;
        }
        let by = self.machine.system.current;
        let (eip, callers) = (self.machine.cpu.eip, self.callers());
        if let Some(events) = &mut self.events {
            events.push(super::Event::Created { thread, by, eip, callers });
        }
    }

    fn note_end(&mut self) {
        let thread = self.machine.system.current;
        if let Some(events) = &mut self.events {
            events.push(super::Event::Ended(thread));
        }
    }
}

/// A toss among more values than this is not explored.
const LARGEST_TOSS: u32 = 1000;

impl Machine {
    /// What a call of a synchronising function does.
    pub(crate) fn decode(
        &mut self,
        row: &'static Row,
        synchronisation: &crate::models::Synchronisation,
    ) -> Result<steam_sync::Operation, crate::ending::Ending> {
        let result = self.unwatched(|machine| {
            machine.in_model(|models, call| models.decode(row, synchronisation, call))
        });
        result.map_err(|failure| self.model_failed(failure))
    }

    /// Does something whose accesses to memory are no affair of the search: what is visible of it
    /// is another thing than its accesses.
    pub(crate) fn unwatched<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let (current, mode) = (self.system.current, self.cpu.memory.mode());
        self.cpu.memory.watch(current, Mode::Off);
        let result = work(self);
        self.cpu.memory.watch(current, mode);
        result
    }
}
