//! The run loop: the CPU runs until it needs the kernel, the kernel runs until a thread can go on.

use std::sync::Arc;

use steam_linux::guest::Refusal;
use steam_linux::kernel::{Reason, SignalInfo, Status, Stream, ThreadRecord, Waiting};
use steam_linux::processes::Fork;
use steam_linux::signals::{self, CODE_KERNEL, Delivery, number};
use steam_linux::syscalls::{self, Call, Output, Role};
use steam_linux::system::System;
use steam_linux::world::NANOSECONDS_PER_INSTRUCTION;
use steam_report::Cause;
use steam_state::{AccessError, AccessKind, Context, Problem, ThreadId};
use steam_vm::{Stop, Trap};

use crate::machine::{Ending, Machine, QUANTUM};

/// For calls that write nothing.
struct Nowhere;

impl Output for Nowhere {
    fn write(&mut self, _: Stream, _: &[u8]) -> std::io::Result<()> {
        Ok(())
    }
}

/// Why threads that are gone through are there.
const LISTED: &str = "a thread that is listed is there";

/// How far the time stamp counter goes with each reading, where one schedule is run.
const TIME_STAMP_PACE: u64 = 1000;

impl Machine {
    /// Runs the program to its end.
    pub fn run(&mut self, sink: &mut dyn Output) -> Ending {
        self.cpu.time_stamp.1 = TIME_STAMP_PACE;
        loop {
            if let Some(ending) = self.run_for(u64::MAX, sink) {
                return ending;
            }
        }
    }

    /// Runs at most so many instructions; `None` when the program has not ended by then.
    pub fn run_for(&mut self, instructions: u64, sink: &mut dyn Output) -> Option<Ending> {
        let end = self.cpu.instructions.saturating_add(instructions);
        while self.cpu.instructions < end {
            if (self.unsettled || self.left == 0)
                && let Some(ending) = self.settle(sink)
            {
                return Some(ending);
            }
            let before = self.cpu.instructions;
            let limit = (end - before).min(self.left).min(self.until_timer());
            let stop = self.cpu.run(limit);
            self.left = self.left.saturating_sub(self.cpu.instructions - before);
            if let Some(ending) = self.handle(stop, sink) {
                return Some(ending);
            }
        }
        None
    }

    /// Instructions until the next timer fires.
    fn until_timer(&self) -> u64 {
        let system = &self.system;
        if system.world.runner.searches() {
            return u64::MAX;
        }
        let passed = (self.cpu.instructions - system.counted) * NANOSECONDS_PER_INSTRUCTION;
        let left = system.armed_timers();
        let left = left.map(|(deadline, clock)| deadline.saturating_sub(clock + passed)).min();
        left.map_or(u64::MAX, |left| left.div_ceil(NANOSECONDS_PER_INSTRUCTION).max(1))
    }

    /// Lets timers fire, chooses the thread to run, delivers its signals, ends its wait.
    fn settle(&mut self, sink: &mut dyn Output) -> Option<Ending> {
        loop {
            self.system.count_time(self.cpu.instructions);
            self.system.fire_timers();
            if !self.choose_thread() {
                let Some(deadline) = self.system.next_deadline() else {
                    return Some(self.deadlock());
                };
                let clock = &mut self.system.kernel.clock;
                *clock = deadline.max(*clock);
                continue;
            }
            let delivery = match self.is_due(self.system.current) {
                true => signals::deliver(&mut self.system, &mut self.cpu),
                false => Delivery::Nothing,
            };
            match delivery {
                Delivery::Nothing => {}
                Delivery::Done => continue,
                Delivery::Ends(info) => match self.killed(info) {
                    Some(ending) => return Some(ending),
                    None => continue,
                },
                Delivery::Stops(info) => return Some(self.stopped(info)),
            }
            let Some(waiting) = self.end_wait() else {
                self.unsettled = self.system.armed_timers().next().is_some();
                return None;
            };
            if let Some(ending) = self.system_call(Some(waiting), sink) {
                return Some(ending);
            }
        }
    }

    /// Whether a signal comes to a thread before it goes on.
    fn is_due(&self, thread: ThreadId) -> bool {
        let threads = &self.system.threads;
        let (record, space) = threads.get(thread).zip(threads.space(thread)).expect(LISTED);
        self.system.is_due(space, thread, record)
    }

    /// Gives the CPU to a thread that can go on: the current one while its time lasts.
    fn choose_thread(&mut self) -> bool {
        let yields = std::mem::take(&mut self.system.yields);
        let system = &self.system;
        let enabled = |thread, record: &ThreadRecord| {
            let space = system.threads.space(thread).expect(LISTED);
            !system.has_lent(space) && (system.can_go_on(space, record) || self.is_due(thread))
        };
        // The thread that ran last may have ended.
        let current = system.threads.get(system.current);
        if self.left > 0 && !yields && current.is_some_and(|it| enabled(system.current, it)) {
            return true;
        }
        let next = system.threads.next(system.current, enabled);
        // All threads wait: the caller lets time pass, or reports a deadlock.
        let Some(next) = next else { return false };
        self.left = QUANTUM;
        if next == system.current {
            return true;
        }
        self.system.threads.set_context(self.system.current, self.cpu.context());
        self.load(next)
    }

    /// If the current thread was waiting, lets it stand after its call again. Who was woken at a futex stands there
    /// already.
    pub(crate) fn end_wait(&mut self) -> Option<Waiting> {
        // A look first: to change a thread costs a copy.
        self.system.own_record().waiting()?;
        let status = &mut self.system.own_record_mut().status;
        match std::mem::replace(status, Status::Runnable) {
            Status::Waiting(waiting) => {
                self.cpu.eip = self.cpu.eip.wrapping_add(2);
                Some(waiting)
            }
            Status::Runnable => unreachable!("a thread that waits has something that it waits for"),
        }
    }

    pub(crate) fn handle(&mut self, stop: Stop, sink: &mut dyn Output) -> Option<Ending> {
        match stop {
            Stop::Limit => {
                self.unsettled |= self.left == 0 || self.until_timer() <= 1;
                None
            }
            Stop::Intercept(id) => self.model(id),
            Stop::SystemCall => self.system_call(None, sink),
            Stop::Memory(error) => self.refused(error, Cause::Access(error)),
            Stop::Trap(trap) => self.exception(trap),
            Stop::Uninitialised(found) => Some(self.uses_uninitialised(found)),
            Stop::Request(request) => self.request(request),
            Stop::SegmentLoad { register, selector } => self.load_segment(register, selector),
            Stop::Visible(_) => {
                unreachable!("only a search watches accesses, and it deals with them itself")
            }
            Stop::Unsupported { bytes, length } => {
                let bytes = bytes[..usize::from(length)].to_vec();
                Some(self.unknown(&Cause::Instruction { bytes }))
            }
        }
    }

    pub(crate) fn model(&mut self, id: u16) -> Option<Ending> {
        if self.models.is_about_heap(id)
            && let Some(ending) = self.refuses_borrower("uses the heap")
        {
            return Some(ending);
        }
        if self.models.row(id).is_some_and(|row| matches!(row.work, steam_libc::Work::Frame)) {
            self.find_frame_or_pass();
            return None;
        }
        let failure = self.in_model(|models, call| models.call(id, call)).err()?;
        match failure.problem {
            steam_report::FailureProblem::Access(error) => {
                self.refused(error, Cause::Model(failure))
            }
            _ => Some(self.model_failed(failure)),
        }
    }

    /// Looks up how a function is unwound; the guest's own code does where the image does not say.
    fn find_frame_or_pass(&mut self) {
        let image = Arc::clone(self.image());
        if !self.in_model(|models, call| models.find_frame(&image, call)) {
            self.cpu.pass_intercept();
        }
    }

    /// Does something with the models and a call of the function at eip.
    pub(crate) fn in_model<T>(
        &mut self,
        work: impl FnOnce(&steam_libc::Models, &mut steam_libc::LibraryCall<'_>) -> T,
    ) -> T {
        self.cpu.memory.policy.set_stack_pointer(self.cpu.gpr[Context::ESP]);
        let system = &mut self.system;
        let limit = system.memory_limit();
        let mut call = steam_libc::LibraryCall::new(
            &mut self.cpu,
            &mut system.heap,
            &mut system.objects,
            system.current,
            &mut self.history,
        );
        call.operators = Some(&self.models.operators);
        call.limit = limit;
        work(&self.models, &mut call)
    }

    pub(crate) fn system_call(
        &mut self,
        resumed: Option<Waiting>,
        sink: &mut dyn Output,
    ) -> Option<Ending> {
        let kept = self.system.take_kept();
        if kept.is_empty() {
            return self.do_system_call(resumed, sink);
        }
        if resumed.is_none() {
            // A signal ended the call that kept them.
            self.system.release_kept(kept);
            return self.do_system_call(resumed, sink);
        }
        let covered = self.system.show_kept(&kept);
        let ending = self.do_system_call(resumed, sink);
        self.system.hide_kept(kept, covered);
        ending
    }

    fn do_system_call(
        &mut self,
        resumed: Option<Waiting>,
        sink: &mut dyn Output,
    ) -> Option<Ending> {
        self.unsettled = true;
        self.cpu.memory.policy.set_stack_pointer(self.cpu.gpr[Context::ESP]);
        self.system.count_time(self.cpu.instructions);
        let eax = self.cpu.gpr[Context::EAX];
        let row = syscalls::find(eax);
        let Some((row, facts)) = row.and_then(|row| Some((row, row.facts?))) else {
            let name = row.map(|row| row.name);
            return Some(self.unknown(&Cause::SystemCall { number: eax, name, detail: None }));
        };
        let name = row.name;
        if syscalls::meant(row, self.cpu.gpr[Context::EBX]).has(Role::ChangesMemory)
            && let Some(ending) = self.refuses_borrower("changes what is mapped")
        {
            return Some(ending);
        }
        if let Some(ending) = self.given_uninitialised(row) {
            return Some(ending);
        }
        let arguments = self.arguments();
        let (cpu, system) = (&mut self.cpu, &mut self.system);
        match (facts.handler)(&mut Call { cpu, system, sink, arguments, resumed }) {
            Ok(result) => self.cpu.gpr[Context::EAX] = result,
            Err(Refusal::Errno(errno)) => self.cpu.gpr[Context::EAX] = errno.result(),
            Err(Refusal::Wait(waiting)) => self.wait(waiting),
            Err(Refusal::RegistersSet) => self.cpu.shadow_registers_set(),
            Err(Refusal::ThreadEnds) => {}
            Err(Refusal::Exit(status)) => {
                return self.process_ends((status as u32 & 0xff) << 8).map(Ending::Exited);
            }
            Err(Refusal::Fork(fork)) => return self.forks(eax, name, fork),
            Err(Refusal::Execute(execution)) => {
                let done = self.execute(&execution);
                return done.err().and_then(|refusal| self.refuse(eax, name, refusal));
            }
            Err(Refusal::Memory(error)) => return Some(self.bad_buffer(name, error)),
            Err(Refusal::Unknown(detail)) => {
                let (name, detail) = (Some(name), Some(detail));
                return Some(self.unknown(&Cause::SystemCall { number: eax, name, detail }));
            }
            Err(Refusal::Limit(detail)) => {
                return Some(self.unknown(&Cause::Limit { number: eax, name, detail }));
            }
        }
        None
    }

    /// The process makes another one; its parent may have to wait for it.
    fn forks(&mut self, call: u32, name: &'static str, fork: Fork) -> Option<Ending> {
        match self.fork(fork) {
            Ok(number) => {
                match System::thread_numbered(number).filter(|_| fork.borrows) {
                    Some(child) => {
                        self.wait(Waiting { reason: Reason::Borrowed(child), deadline: None });
                    }
                    None => self.cpu.gpr[Context::EAX] = number,
                }
                None
            }
            Err(refusal) => self.refuse(call, name, refusal),
        }
    }

    /// A call that makes a process, or another one of it, is refused.
    fn refuse(&mut self, number: u32, name: &'static str, refusal: Refusal) -> Option<Ending> {
        match refusal {
            Refusal::Errno(errno) => {
                self.cpu.gpr[Context::EAX] = errno.result();
                None
            }
            Refusal::Unknown(detail) => {
                let (name, detail) = (Some(name), Some(detail));
                Some(self.unknown(&Cause::SystemCall { number, name, detail }))
            }
            Refusal::Limit(detail) => Some(self.unknown(&Cause::Limit { number, name, detail })),
            Refusal::Memory(error) => Some(self.bad_buffer(name, error)),
            Refusal::Wait(_)
            | Refusal::Exit(_)
            | Refusal::Fork(_)
            | Refusal::Execute(_)
            | Refusal::ThreadEnds
            | Refusal::RegistersSet => {
                unreachable!("to make a process or run a program is not refused by {refusal:?}")
            }
        }
    }

    /// Lets the current thread wait for what its next system call needs, before it is done; false if
    /// the call needs nothing. The wait may be over already.
    pub(crate) fn anticipate(&mut self) -> bool {
        let row = syscalls::row(self.cpu.gpr[Context::EAX]);
        // It never waits, is always begun before it waits, or is not modelled, which is reported when it is made.
        let Some(wait) = row.facts.and_then(|facts| facts.wait) else { return false };
        let arguments = self.arguments();
        let (cpu, system) = (&mut self.cpu, &mut self.system);
        let sink = &mut Nowhere;
        let mut call = Call { cpu, system, sink, arguments, resumed: None };
        // It need not wait now.
        let Some(waiting) = wait(&mut call) else { return false };
        self.wait(waiting);
        true
    }

    /// The system call that comes next, in words.
    pub(crate) fn call_in_words(&mut self) -> Option<String> {
        let row = syscalls::find(self.cpu.gpr[Context::EAX])?;
        let arguments = self.arguments();
        let (cpu, system) = (&mut self.cpu, &mut self.system);
        let mut call = Call { cpu, system, sink: &mut Nowhere, arguments, resumed: None };
        Some(syscalls::in_words(row, &mut call))
    }

    /// The arguments of the system call that comes next.
    pub(crate) fn arguments(&self) -> [u32; 6] {
        let order =
            [Context::EBX, Context::ECX, Context::EDX, Context::ESI, Context::EDI, Context::EBP];
        order.map(|register| self.cpu.gpr[register])
    }

    /// The current thread waits, standing at its call.
    fn wait(&mut self, waiting: Waiting) {
        self.cpu.eip = self.cpu.eip.wrapping_sub(2);
        self.system.own_record_mut().status = Status::Waiting(waiting);
    }

    /// A refused access is the guest's own affair if it is a fault of the CPU and has a handler,
    /// and a violation otherwise.
    fn refused(&mut self, error: AccessError, cause: Cause) -> Option<Ending> {
        let fault =
            matches!(error.problem, Problem::Unmapped | Problem::Protected | Problem::PastFileEnd);
        if fault && self.force(access_signal(&error)) {
            return None;
        }
        Some(self.violation(&cause))
    }

    /// Whether a handler takes a signal of the CPU.
    fn force(&mut self, info: SignalInfo) -> bool {
        self.unsettled = true;
        self.system.count_time(self.cpu.instructions);
        signals::force(&mut self.system, &mut self.cpu, info) == Delivery::Done
    }

    fn exception(&mut self, trap: Trap) -> Option<Ending> {
        let info = self.trap_signal(trap);
        if self.force(info) {
            return None;
        }
        Some(self.killed_by(trap, info))
    }

    fn trap_signal(&self, trap: Trap) -> SignalInfo {
        let cpu = &self.cpu;
        let status = u32::from(cpu.x87.status & !cpu.x87.control);
        let mxcsr = cpu.simd.mxcsr;
        let (number, code, trap) = match trap {
            Trap::DivideError => (number::FPE, 1, 0),
            Trap::Breakpoint => (number::TRAP, CODE_KERNEL, 3),
            Trap::Overflow => (number::SEGV, CODE_KERNEL, 4),
            Trap::Bound => (number::SEGV, CODE_KERNEL, 5),
            Trap::InvalidOpcode => (number::ILL, 2, 6),
            Trap::GeneralProtection => (number::SEGV, CODE_KERNEL, 13),
            Trap::MathFault => (number::FPE, floating_point_code(status), 16),
            Trap::SimdFault => (number::FPE, floating_point_code(mxcsr & !(mxcsr >> 7)), 19),
        };
        let address = if code == CODE_KERNEL { 0 } else { cpu.eip };
        SignalInfo { number, code, fields: [address, 0, 0], trap: [trap, 0, 0] }
    }

    fn load_segment(&mut self, register: usize, selector: u16) -> Option<Ending> {
        const FS: usize = 4;
        const GS: usize = 5;
        let record = self.system.own_record();
        match (record.segment_base(selector), register) {
            (Some(base), FS) => self.cpu.fs_base = base,
            (Some(base), GS) => self.cpu.gs_base = base,
            (Some(0), _) => {}
            _ => return self.exception(Trap::GeneralProtection),
        }
        None
    }

    pub(crate) fn request(&mut self, number: u8) -> Option<Ending> {
        use vm_isa::request::Request;
        match Request::from_number(number) {
            Some(Request::Assert) if self.cpu.gpr[Context::ECX] == 0 => {
                Some(self.failed_assertion())
            }
            Some(Request::Assert) => None,
            // One schedule is run: no other thread comes between, and the first value is as good as any.
            Some(_) => None,
            // A real CPU does nothing here; but a program that asks wants to be checked by it.
            None => Some(self.unknown(&Cause::Request { number })),
        }
    }
}

/// `si_code` for the first of the raised floating point exceptions.
fn floating_point_code(raised: u32) -> i32 {
    match raised & 0x3f {
        bits if bits & 0x01 != 0 => 7,
        bits if bits & 0x04 != 0 => 3,
        bits if bits & 0x08 != 0 => 4,
        bits if bits & 0x12 != 0 => 5,
        _ => 6,
    }
}

/// `si_code` of a bus error where nothing lies after an address.
const BUS_ADDRESS: i32 = 2;

fn access_signal(error: &AccessError) -> SignalInfo {
    let protected = error.problem == Problem::Protected;
    let bits = match error.kind {
        AccessKind::Read => 4,
        AccessKind::Write => 6,
        AccessKind::Execute => 0x14,
    };
    let (number, code) = match error.problem {
        Problem::PastFileEnd => (number::BUS, BUS_ADDRESS),
        Problem::Protected => (number::SEGV, 2),
        _ => (number::SEGV, 1),
    };
    SignalInfo {
        number,
        code,
        fields: [error.byte, 0, 0],
        trap: [14, bits | u32::from(protected), error.byte],
    }
}
