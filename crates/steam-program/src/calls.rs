//! System calls in a search: which are steps of their own, and what they do to what is learned.
//!
//! Beside other threads of the process, all calls are but those that concern no other thread. A thread
//! that is alone in its process meets others only in what processes have in common; so only calls
//! that have to do with that are its steps. A call that may have to wait is not begun before it can
//! be done: the thread stands before it as one that waits. Only where a handler may interrupt the
//! wait, or another thread takes away what the call is about, so that it makes a difference whether the call was
//! begun, it is begun in a step of its own.

use steam_linux::errno::Errno;
use steam_linux::kernel::{
    Asked, AtomicBlock, Children, Disposition, Object, Pending, PosixTimer, Reason, Segment,
    SegmentKind, Then,
};
use steam_linux::processes::leader_space;
use steam_linux::signals::number;
use steam_linux::syscalls::{self, ActionForm, Common, Role, SystemCall};
use steam_report::Cause;
use steam_state::{Context, RegionKind, Space};
use steam_sync::{Done, SyncChoice, Thread};
use steam_visibility::{CallFacts, Operation, OperationFact, OthersFact, THREAD_TABLE, Watching};

use super::Program;
use super::run_on::Next;
use super::step::{Flow, Halt, Worker};

/// `statx` of a descriptor itself.
const EMPTY_PATH: u32 = 0x1000;
/// `mmap` of memory that processes share.
const SHARED: u32 = 1;
/// `mmap` of memory without a file.
const ANONYMOUS: u32 = 0x20;

impl Worker {
    pub(super) fn system_call_reached(&mut self, program: &Program) -> Flow<Next> {
        let number = self.machine.cpu.gpr[Context::EAX];
        let call = syscalls::row(number);
        self.note_looking(call);
        if self.is_reading(program, call)? {
            return Ok(self.stand_before_call());
        }
        self.learn_required(call)?;
        let facts = self.facts_of_call(call);
        if self.is_visible(program, &Operation::SystemCall(facts)) {
            return Ok(self.stand_before_call());
        }
        let mode = self.machine.cpu.memory.policy.mode();
        self.machine.cpu.memory.policy.take_touched();
        let next = self.call_system(program);
        if self.machine.cpu.memory.policy.take_touched() {
            // Threads end in code whose accesses are not watched; what it notes is the number of a
            // detached thread, which becomes free.
            if call.has(Role::EndsThread) && !self.alone() {
                self.observe_end();
            } else if mode.learns_calls() {
                self.machine.stores.sharing.learn(OperationFact::SystemCall(number));
            }
        }
        next
    }

    /// What is known of the system call before eip that bears on whether it is a step.
    fn facts_of_call(&mut self, call: &'static SystemCall) -> CallFacts {
        let masks = |worker: &mut Self, role: &Role| match *role {
            Role::Masks { narrow } => worker.changes_mask(narrow),
            _ => false,
        };
        let blocks_signals =
            self.may_be_signalled() && call.roles().iter().any(|role| masks(self, role));
        let sets_action = call.has(Role::SetsAction(ActionForm::Wide));
        let leaves_action = sets_action && self.leaves_action();
        let outside = self.atomic_block() == AtomicBlock::None;
        let system = &self.machine.system;
        let sharing = &self.machine.stores.sharing;
        let beside_processes = !system.is_only_process();
        CallFacts {
            // Each fact is one question of the table; all are collected first, so that none depends on another's answer.
            local: call.is_local(),
            touches_shared: sharing.knows(OperationFact::SystemCall(call.number)),
            blocks_signals,
            // Within an atomic block no handler starts and no timer expires: the block is one operation.
            meets_handler: outside && self.call_meets_handler(call),
            // A timer may expire before or after every call that others can observe, and before one that reads it.
            timed: outside
                && (system.process.has_timer() && !call.is_local() || self.looks_at_timer(call)),
            // To set the action that is set already changes nothing that another process could observe.
            concerns_processes: beside_processes && !leaves_action && self.concerns_processes(call),
            ends_thread: call.has(Role::EndsThread),
            ends_process: call.has(Role::EndsProcess),
            ends_observed: sharing.knows(OthersFact::ObservesThreadEnd),
        }
    }

    /// Does the system call before eip.
    pub(super) fn call_system(&mut self, program: &Program) -> Flow<Next> {
        self.publish_blocks();
        let current = self.machine.system.current;
        let mode = self.machine.cpu.memory.policy.mode();
        self.machine.cpu.memory.watch(current, mode.atomic());
        let then = self.after_handler();
        let output = self.machine.shows_output();
        let ending = self.machine.system_call(None, &mut self.sink);
        self.machine.cpu.memory.watch(current, mode);
        if self.machine.system.current == current {
            self.machine.follow_output(output);
        }
        let next = self.after_system_call(program, ending)?;
        match then {
            Then::GoesOn => Ok(next),
            Then::EndsWait => self.complete(Done::Returns(Errno::EINTR.0.into())),
            Then::WaitsOn(pending) => Ok(Next::Stands(*pending)),
        }
    }

    pub(super) fn after_system_call(
        &mut self,
        program: &Program,
        ending: Option<crate::machine::Ending>,
    ) -> Flow<Next> {
        self.push_output();
        if let Some(ending) = ending {
            return Err(Halt::Ending(ending));
        }
        self.leave_kernel();
        if let Some(detail) = self.unmodelled_timer() {
            const SET_TIMER: u32 = 104;
            let (name, detail) = (Some("setitimer"), Some(detail.to_owned()));
            let cause = Cause::SystemCall { number: SET_TIMER, name, detail };
            return Err(Halt::Ending(self.machine.unknown(&cause)));
        }
        let created = std::mem::take(&mut self.machine.system.created);
        if !created.is_empty() {
            self.share_registers(program);
        }
        for &thread in &created {
            self.begin_thread(thread);
            self.note_created(thread);
        }
        self.created.extend(created);
        let whole = self.atomic_block() != AtomicBlock::None;
        let system = &self.machine.system;
        // A thread that has just ended waits for nothing.
        let record = system.threads.get(system.current);
        match record.and_then(|record| record.waiting()).map(|waiting| &waiting.reason) {
            None => Ok(Next::RunsOn),
            // A handler may interrupt it.
            Some(Reason::Time { .. }) if !whole && self.may_be_interrupted() => {
                Ok(Next::Stands(Pending::Waiting))
            }
            // It is unknown how long others take: any time is over at once.
            Some(Reason::Time { .. }) => self.resume(program, SyncChoice::TimeOver),
            Some(_) => Ok(Next::Stands(Pending::Waiting)),
        }
    }

    /// What a search does not know of the timers of the process on the CPU.
    fn unmodelled_timer(&self) -> Option<&'static str> {
        let system = &self.machine.system;
        let [real, others @ ..] = &system.process.timers;
        let posix = || system.process.posix_timers.values();
        let busy = |it: &PosixTimer| it.is_armed() && it.is_of_cpu_time();
        if others.iter().any(|timer| timer.deadline.is_some()) || posix().any(busy) {
            return Some("a timer of CPU time, whose signal a search does not send");
        }
        let headless = || system.threads.get(system.space.leader()).is_none();
        let armed = real.deadline.is_some() || posix().any(PosixTimer::is_armed);
        (armed && headless()).then_some("a timer whose process has no first thread")
    }

    /// Whether a call has to do with what processes have in common.
    fn concerns_processes(&self, call: &SystemCall) -> bool {
        let (memory, gpr) = (&self.machine.cpu.memory, &self.machine.cpu.gpr);
        let (first, sharing) = (gpr[Context::EBX], &self.machine.stores.sharing);
        // A call that is not modelled ends the run, which others can observe.
        let common = call.facts.map_or(Common::Always, |facts| facts.common);
        match common {
            Common::Nothing => false,
            Common::Always => true,
            Common::WhereChanged => sharing.knows(OperationFact::SystemCall(call.number)),
            Common::CopiedFiles => !self.machine.system.kernel.copied_files.is_empty(),
            // The end of a thread that is not the last one is an affair of its process.
            Common::ThreadEnd => self.machine.system.is_only_thread() && self.is_end_seen(),
            Common::ProcessEnd => self.is_end_seen(),
            // A process that no other one knows yet does nothing but be there; its number may matter, whether
            // there is one where its parent may be ended before, and that it has segments attached.
            Common::Creation => {
                sharing.is_shared(Space::SHARED.at(THREAD_TABLE))
                    || sharing.ends_process()
                    || sharing.knows(Asked::Segments.fact()) && memory.shares()
            }
            Common::Futex => memory.place(first).space() == Space::SHARED,
            Common::Transfer => self.is_common(first),
            Common::Status => self.is_file(first),
            Common::StatusOrPath => gpr[Context::EDX] & EMPTY_PATH == 0 || self.is_file(first),
            // A signal may end the process, or the sleep; and it moves the clock.
            Common::Sleep => self.may_be_signalled() || sharing.knows(OthersFact::ReadsClock),
            Common::Control => {
                syscalls::is_about_locks(gpr[Context::ECX]) || self.leaves_trace(first)
            }
            Common::Descriptor => self.leaves_trace(first),
            // Shared memory that is mapped is taken from what all have.
            // What others write to a file is read when it is mapped.
            Common::Mapping => {
                let (flags, descriptor) = (gpr[Context::ESI], gpr[Context::EDI]);
                let reads = flags & ANONYMOUS == 0 && self.is_common(descriptor);
                flags & SHARED != 0 || reads || memory.shares()
            }
            Common::Unmapping => memory.shares(),
        }
    }

    /// Whether others may observe when the process on the CPU ends: some process looks for it without waiting
    /// for this one, or it leaves something behind.
    fn is_end_seen(&self) -> bool {
        let system = &self.machine.system;
        let descriptors: Vec<u32> = system.process.descriptors.keys().copied().collect();
        let is_handler = |disposition| matches!(disposition, Disposition::Handler(_));
        let entry = system.kernel.processes.get(&system.space.leader());
        let parent = entry.expect("the process on the CPU is in the table").parent;
        let told = parent.map(leader_space).is_some_and(|parent| {
            is_handler(system.environment(parent).action(number::CHLD).disposition)
        });
        told || self.machine.stores.sharing.knows(OthersFact::ObservesProcessEnd)
            || descriptors.into_iter().any(|descriptor| self.leaves_trace(descriptor))
            || system.has_to_undo()
            || self.holds_in_common()
            || self.shows_file()
    }

    /// Whether the process on the CPU has mapped a file that others may read as a file: as long as it
    /// has, they are seen to touch the same bytes.
    fn shows_file(&self) -> bool {
        let segments = &self.machine.system.kernel.segments;
        let files = segments.iter().filter(|(_, it)| matches!(it.kind, SegmentKind::File(_)));
        let files: Vec<(u32, u32)> = files.map(|(&start, it)| (start, it.end)).collect();
        let regions = self.machine.cpu.memory.regions();
        !files.is_empty()
            && regions.iter().any(|(start, region)| match region.kind {
                RegionKind::Shared(distance) => {
                    let first = start.wrapping_add(distance);
                    files.iter().any(|&(start, end)| (start..end).contains(&first))
                }
                _ => false,
            })
    }

    /// Whether a thread of the process on the CPU holds a lock in memory that processes share: its end
    /// can be known by that.
    fn holds_in_common(&self) -> bool {
        let system = &self.machine.system;
        let common = system.objects.within(Space::SHARED.at(0), Space::SHARED.at(u32::MAX));
        let mut common = common.into_iter();
        common.any(|place| {
            let object = system.objects.at(place);
            system.threads.of(system.space).any(|(it, _)| object.held_count(Thread(it.0)) > 0)
        })
    }

    /// Whether others can observe when a descriptor is closed.
    fn leaves_trace(&self, descriptor: u32) -> bool {
        let system = &self.machine.system;
        let description = system.description(descriptor);
        description.is_ok_and(|(_, it)| it.object.is_channel())
            || system.unlocks_at_close(descriptor)
    }

    /// Whether attaching a System V segment may show how many processes have one.
    fn may_find_removed(&self) -> bool {
        let removed = |it: &Segment| matches!(it.kind, SegmentKind::Facility { removed: true, .. });
        self.machine.system.kernel.segments.values().any(removed)
    }

    /// Whether a call with a role looks whether processes have ended.
    fn looks_for_ends(&self, role: Role) -> bool {
        let gpr = &self.machine.cpu.gpr;
        match role {
            Role::AwaitsChild => {
                const NO_HANG: u32 = 1;
                let any = gpr[Context::EBX] as i32 <= 0;
                let system = &self.machine.system;
                let several = system.children(system.space, Children::Any).count() > 1;
                gpr[Context::EDX] & NO_HANG != 0 || any && several
            }
            Role::ObservesProcesses => true,
            Role::ControlsSegment => true,
            Role::Attaches => self.may_find_removed(),
            _ => false,
        }
    }

    /// Notes what a call observes and changes that makes other operations steps from the next iteration on.
    fn note_looking(&mut self, call: &'static SystemCall) {
        self.note_signals(call);
        let meant = syscalls::meant(call, self.machine.cpu.gpr[Context::EBX]);
        let looks = meant.roles().iter().any(|role| self.looks_for_ends(*role));
        let (system, sharing) = (&self.machine.system, &self.machine.stores.sharing);
        if looks && !system.is_only_process() {
            sharing.learn(OthersFact::ObservesProcessEnd);
        }
        if self.cuts(call) {
            sharing.learn(OthersFact::EndsProcess);
        }
        let ends = call.has(Role::EndsThread) || call.has(Role::EndsProcess);
        if ends && self.is_in_handler() {
            sharing.learn(OthersFact::AbandonsInHandler);
        }
        self.note_changing(call);
    }

    /// Learns what must be known before a call can be answered. As long as it was not, states lack what the call asks
    /// for: what follows is left to the next iteration.
    fn learn_required(&self, call: &'static SystemCall) -> Flow {
        // Nearly all calls can be answered.
        let Some(site) = syscalls::requires(call, self.machine.arguments()) else {
            return Ok(());
        };
        let sharing = &self.machine.stores.sharing;
        if sharing.knows(site) {
            return Ok(());
        }
        sharing.require(site);
        Err(Halt::Infeasible)
    }

    /// Notes that a call changes what others ask by calls that concern no other thread as long as it stays the same.
    fn note_changing(&self, call: &SystemCall) {
        let system = &self.machine.system;
        if system.is_only_thread() && system.is_only_process() {
            return;
        }
        for role in call.roles() {
            let topic = match *role {
                Role::Changes(topic) => topic,
                Role::ChangesIf(position, topic) if self.machine.arguments()[position] != 0 => {
                    topic
                }
                _ => continue,
            };
            for asker in syscalls::with(Role::Tells(topic)) {
                self.machine.stores.sharing.learn(OperationFact::SystemCall(asker.number));
            }
        }
    }

    /// Whether a call may end a process in the middle of what its threads do.
    fn cuts(&self, call: &SystemCall) -> bool {
        let system = &self.machine.system;
        !system.is_only_process()
            && call.roles().iter().any(|role| match role {
                Role::SignalsProcess => {
                    !system.is_only_thread()
                        || self.machine.cpu.gpr[Context::EBX] != system.process_number()
                }
                Role::SignalsThread(_) | Role::EndsProcess => !system.is_only_thread(),
                _ => false,
            })
    }

    /// Whether what a descriptor stands for can be distinguished by others when it is used.
    fn is_common(&self, descriptor: u32) -> bool {
        let description = self.machine.system.description(descriptor);
        description.is_ok_and(|(_, it)| {
            !matches!(it.object, Object::Output(_) | Object::Null | Object::Zero | Object::Full)
        })
    }

    /// Whether a descriptor stands for something whose status may change: not for a pipe or a socket.
    fn is_file(&self, descriptor: u32) -> bool {
        let description = self.machine.system.description(descriptor);
        description.is_ok_and(|(_, it)| {
            matches!(it.object, Object::File(_) | Object::Directory { .. } | Object::Snapshot(_))
        })
    }

    /// The thread stands before the system call that comes next.
    fn stand_before_call(&mut self) -> Next {
        let sharing = &self.machine.stores.sharing;
        if self.machine.system.process.has_handlers() || sharing.knows(OthersFact::Withdraws) {
            return Next::Stands(Pending::SystemCall);
        }
        match self.machine.anticipate() {
            true => Next::Stands(Pending::Waiting),
            false => Next::Stands(Pending::SystemCall),
        }
    }
}
