//! System calls in a search: which are steps of their own, and what they do to what is learned.
//!
//! Beside other threads of the process, all calls are but those that concern nobody else. A thread
//! that is alone in its process meets others only in what processes have in common; so only calls
//! that have to do with that are its steps. A call that may have to wait is not begun before it can
//! be done: the thread stands before it as one that waits. Only where a handler may interrupt the
//! wait, or somebody takes away what the call is about, so that it makes a difference whether the call was
//! begun, it is begun in a step of its own.

use steam_state::{Context, RegionKind, Site, Space, THREAD_TABLE};
use steam_sync::{Agent, Done};

use super::run_on::Next;
use super::step::{Flow, Halt, Worker};
use super::{Granularity, Program};
use crate::errno::Errno;
use crate::kernel::{
    Asked, Children, Disposition, Object, Pending, PosixTimer, Reason, Section, Segment,
    SegmentKind, Then, TimerClock,
};
use crate::report::Cause;
use crate::signals::number;
use crate::syscalls;

/// `statx` of a descriptor itself.
const EMPTY_PATH: u32 = 0x1000;
/// `mmap` of memory that processes share.
const SHARED: u32 = 1;
/// `mmap` of memory without a file.
const ANONYMOUS: u32 = 0x20;

/// System calls that concern nobody but the thread, or that tell what never changes.
pub(super) const LOCAL_CALLS: &[&str] = &[
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

/// System calls of a process that others cannot tell of, unless they look into its threads: about
/// its own memory and who it is.
const OWN_CALLS: &[&str] = &[
    "brk",
    "mprotect",
    "madvise",
    "mremap",
    "mlock",
    "mlock2",
    "munlock",
    "mlockall",
    "munlockall",
    "sched_yield",
    "sched_getparam",
    "sched_getscheduler",
    "prctl",
    "getpgrp",
    "getcwd",
    "umask",
    "getrandom",
    "arch_prctl",
    "prlimit64",
    "setrlimit",
];

impl Worker {
    pub(super) fn system_call_reached(&mut self, program: &Program) -> Flow<Next> {
        let number = self.machine.cpu.gpr[Context::EAX];
        let name = syscalls::find(number).map_or("", |row| row.name);
        self.note_looking(name);
        if self.is_reading(program, name)? {
            return Ok(self.stand_before_call());
        }
        self.learn_required(name)?;
        let within = self.within();
        let plain = program.options.granularity == Granularity::Access;
        let section = self.section();
        let sharing = &self.machine.stores.state.sharing;
        let known = sharing.is_marked(Site::SystemCall(number));
        let masks = matches!(name, "rt_sigprocmask" | "sigprocmask")
            && section == Section::None
            && self.may_be_signalled()
            && self.changes_mask(name == "sigprocmask");
        let leaves_action = name == "rt_sigaction" && self.leaves_action();
        let meets_handler = section == Section::None && self.call_meets_handler(name);
        let sharing = &self.machine.stores.state.sharing;
        let system = &self.machine.system;
        let visible = match name {
            // Whether a signal comes before or behind it makes a difference.
            _ if masks && !system.is_alone() => true,
            _ if meets_handler => true,
            // The timer may have sent its signal by then.
            _ if system.process.has_timer()
                && section == Section::None
                && !LOCAL_CALLS.contains(&name) =>
            {
                true
            }
            // The timer that it looks at may have expired by then.
            _ if section == Section::None && self.looks_at_timer(name) => true,
            // What runs as a whole does so beside the threads of its process.
            _ if !system.is_only_process()
                && matches!(section, Section::None | Section::Function { .. })
                && (!leaves_action && self.concerns_processes(name)
                    || plain && !LOCAL_CALLS.contains(&name)) =>
            {
                true
            }
            // What is told of threads changes with their end.
            "exit" | "exit_group" if sharing.tells_threads() && section == Section::None => true,
            "exit" => !system.is_alone() && sharing.is_marked(Site::ThreadEnd),
            _ if sharing.tells() && known => !within,
            _ => !within && !system.is_only_thread() && (known || !LOCAL_CALLS.contains(&name)),
        };
        if visible {
            return Ok(self.stand_before_call());
        }
        let mode = self.machine.cpu.memory.mode();
        self.machine.cpu.memory.take_touched();
        let next = self.call_system(program);
        match (name, self.machine.cpu.memory.take_touched()) {
            // Threads end in code whose accesses are not watched; what it notes is the number of a
            // detached thread, which becomes free.
            ("exit", true) if !self.alone() => self.observe_end(),
            (_, true) if mode.learns_calls() => {
                self.machine.stores.state.sharing.mark(Site::SystemCall(number));
            }
            _ => {}
        }
        next
    }

    /// Does the system call before eip.
    pub(super) fn call_system(&mut self, program: &Program) -> Flow<Next> {
        self.publish_blocks();
        let current = self.machine.system.current;
        let mode = self.machine.cpu.memory.mode();
        self.machine.cpu.memory.watch(current, mode.whole());
        let then = self.behind_handler();
        let output = self.machine.system.shows_output();
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
        ending: Option<crate::ending::Ending>,
    ) -> Flow<Next> {
        self.push_output();
        if let Some(ending) = ending {
            return Err(Halt::Ending(ending));
        }
        if let Some(detail) = self.unmodelled_timer() {
            const SET_TIMER: u32 = 104;
            let (name, detail) = (Some("setitimer"), Some(detail.to_owned()));
            let cause = Cause::SystemCall { number: SET_TIMER, name, detail };
            return Err(Halt::Ending(self.machine.unknown(&cause)));
        }
        let created = std::mem::take(&mut self.machine.system.created);
        for &thread in &created {
            self.begin_thread(thread);
            self.note_created(thread);
        }
        self.created.extend(created);
        let whole = self.section() != Section::None;
        let system = &self.machine.system;
        let record = system.threads.get(system.current);
        match record.and_then(|record| record.waiting()).map(|waiting| &waiting.reason) {
            None => Ok(Next::RunsOn),
            // A handler may interrupt it.
            Some(Reason::Time { .. }) if !whole && self.may_be_interrupted() => {
                Ok(Next::Stands(Pending::Waiting))
            }
            // Nobody knows how long others take: any time is over at once.
            Some(Reason::Time { .. }) => self.resume(program, steam_sync::TIMEOUT),
            Some(_) => Ok(Next::Stands(Pending::Waiting)),
        }
    }

    /// What a search does not know of the timers of the process on the CPU.
    fn unmodelled_timer(&self) -> Option<&'static str> {
        let system = &self.machine.system;
        let [real, others @ ..] = &system.process.timers;
        let posix = || system.process.posix_timers.values();
        let busy = |it: &PosixTimer| it.is_armed() && it.clock == TimerClock::Busy;
        if others.iter().any(|timer| timer.deadline.is_some()) || posix().any(busy) {
            return Some("a timer of CPU time, whose signal a search does not send");
        }
        let headless = || system.threads.get(system.space.leader()).is_none();
        let armed = real.deadline.is_some() || posix().any(PosixTimer::is_armed);
        (armed && headless()).then_some("a timer whose process has no first thread")
    }

    /// Whether a call has to do with what processes have in common.
    fn concerns_processes(&self, name: &str) -> bool {
        if matches!(name, "sched_getaffinity" | "sched_getparam" | "sched_getscheduler") {
            let number = self.machine.cpu.gpr[Context::EAX];
            return self.machine.stores.state.sharing.is_marked(Site::SystemCall(number));
        }
        if name == "madvise" {
            // Private copies of a file are read again.
            return !self.machine.system.kernel.copied_files.is_empty();
        }
        if name != "getppid" && (LOCAL_CALLS.contains(&name) || OWN_CALLS.contains(&name)) {
            return false;
        }
        let (memory, gpr) = (&self.machine.cpu.memory, &self.machine.cpu.gpr);
        match name {
            // The end of a thread that is not the last one is an affair of its process.
            "exit" => self.machine.system.is_only_thread() && self.is_end_seen(),
            "exit_group" => self.is_end_seen(),
            // A process that nobody knows yet does nothing but be there; its number may matter, whether
            // there is one where its parent may be ended before, and that it has segments attached.
            "fork" | "vfork" | "clone" => {
                let sharing = memory.sharing();
                sharing.is_shared(Space::SHARED.at(THREAD_TABLE))
                    || sharing.is_cut()
                    || sharing.is_marked(Asked::Segments.site()) && memory.shares()
            }
            "futex" | "futex_time64" => memory.place(gpr[Context::EBX]).space() == Space::SHARED,
            "read" | "readv" | "write" | "writev" => self.is_common(gpr[Context::EBX]),
            "lseek" | "_llseek" | "fstat" | "fstat64" => self.is_file(gpr[Context::EBX]),
            "statx" if gpr[Context::EDX] & EMPTY_PATH != 0 => self.is_file(gpr[Context::EBX]),
            // A signal may end the process, or the sleep; and it moves the clock.
            "nanosleep" | "clock_nanosleep" | "clock_nanosleep_time64" => {
                self.may_be_signalled() || memory.sharing().is_marked(Site::Clock)
            }
            "fcntl" | "fcntl64" if syscalls::is_about_locks(gpr[Context::ECX]) => true,
            "close" | "dup" | "ioctl" | "fcntl" | "fcntl64" => self.leaves_trace(gpr[Context::EBX]),
            // Shared memory that is mapped is taken from what all have.
            // What others write to a file is read when it is mapped.
            "mmap2" => {
                let (flags, descriptor) = (gpr[Context::ESI], gpr[Context::EDI]);
                let reads = flags & ANONYMOUS == 0 && self.is_common(descriptor);
                flags & SHARED != 0 || reads || memory.shares()
            }
            "munmap" => memory.shares(),
            _ => true,
        }
    }

    /// Whether others may tell when the process on the CPU ends: somebody looks for it without waiting
    /// for this one, or it leaves something behind.
    fn is_end_seen(&self) -> bool {
        let system = &self.machine.system;
        let descriptors: Vec<u32> = system.process.descriptors.keys().copied().collect();
        let is_handler = |disposition| matches!(disposition, Disposition::Handler(_));
        let entry = system.kernel.processes.get(&system.space.leader());
        let told = entry.and_then(|it| it.parent).and_then(Space::of).is_some_and(|parent| {
            is_handler(system.environment(parent).action(number::CHLD).disposition)
        });
        told || self.machine.stores.state.sharing.is_marked(Site::ProcessEnd)
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
    /// can be told by that.
    fn holds_in_common(&self) -> bool {
        let system = &self.machine.system;
        let common = system.objects.within(Space::SHARED.at(0), Space::SHARED.at(u32::MAX));
        let mut common = common.into_iter();
        common.any(|place| {
            let object = system.objects.at(place);
            system.threads.of(system.space).any(|(it, _)| object.held_count(Agent(it.0)) > 0)
        })
    }

    /// Whether others can tell when a descriptor is closed.
    fn leaves_trace(&self, descriptor: u32) -> bool {
        let system = &self.machine.system;
        let description = system.description(descriptor);
        description.is_ok_and(|(_, it)| it.object.is_channel())
            || system.unlocks_at_close(descriptor)
    }

    /// Whether a call tells, or may tell, how many processes have a System V segment.
    fn counts_attachments(&self, name: &str) -> bool {
        let gpr = &self.machine.cpu.gpr;
        let (control, attach) = match (name, gpr[Context::EBX]) {
            ("shmctl", _) | ("ipc", 24) => (true, false),
            ("shmat", _) | ("ipc", 21) => (false, true),
            _ => return false,
        };
        let removed = |it: &Segment| matches!(it.kind, SegmentKind::Facility { removed: true, .. });
        control || attach && self.machine.system.kernel.segments.values().any(removed)
    }

    /// Notes that a call looks whether processes have ended, if it does.
    fn note_looking(&mut self, name: &str) {
        self.note_signals(name);
        let gpr = &self.machine.cpu.gpr;
        let looks = match name {
            "waitpid" | "wait4" => {
                const NO_HANG: u32 = 1;
                let any = gpr[Context::EBX] as i32 <= 0;
                let system = &self.machine.system;
                let several = system.children(system.space, Children::Any).count() > 1;
                gpr[Context::EDX] & NO_HANG != 0 || any && several
            }
            "waitid" | "kill" | "tkill" | "tgkill" | "getppid" | "getpgid" | "setpgid"
            | "getsid" | "rt_sigqueueinfo" => true,
            _ => self.counts_attachments(name),
        };
        let (system, sharing) = (&self.machine.system, &self.machine.stores.state.sharing);
        if looks && !system.is_only_process() {
            sharing.mark(Site::ProcessEnd);
        }
        if self.cuts(name) {
            sharing.mark(Site::Cut);
        }
        if matches!(name, "exit" | "exit_group") && self.is_in_handler() {
            sharing.mark(Site::Abandoned);
        }
        self.note_changing(name);
    }

    /// Learns what must be known before a call can be answered. As long as it was not, states lack what the call asks
    /// for: what follows is left to the next round.
    fn learn_required(&self, name: &str) -> Flow {
        let Some(site) = syscalls::requires(name, &self.machine.cpu.gpr) else { return Ok(()) };
        let sharing = &self.machine.stores.state.sharing;
        if sharing.is_marked(site) {
            return Ok(());
        }
        sharing.require(site);
        Err(Halt::Infeasible)
    }

    /// Notes that a call changes what others ask by calls that concern nobody else as long as nobody changes it.
    fn note_changing(&self, name: &str) {
        let (system, gpr) = (&self.machine.system, &self.machine.cpu.gpr);
        let askers: &[&str] = match name {
            "setrlimit" => &["getrlimit", "ugetrlimit"],
            "prlimit64" if gpr[Context::EDX] != 0 => &["getrlimit", "ugetrlimit"],
            "sched_setaffinity" => &["sched_getaffinity"],
            "sched_setparam" | "sched_setscheduler" | "sched_setattr" => {
                &["sched_getparam", "sched_getscheduler"]
            }
            _ => return,
        };
        if !system.is_only_thread() || !system.is_only_process() {
            for row in askers.iter().filter_map(|name| syscalls::named(name)) {
                self.machine.stores.state.sharing.mark(Site::SystemCall(row.number));
            }
        }
    }

    /// Whether a call may end a process in the middle of what its threads do.
    fn cuts(&self, name: &str) -> bool {
        let system = &self.machine.system;
        !system.is_only_process()
            && match name {
                "kill" | "rt_sigqueueinfo" => {
                    !system.is_only_thread()
                        || self.machine.cpu.gpr[Context::EBX] != system.process_number()
                }
                "tkill" | "tgkill" | "exit_group" => !system.is_only_thread(),
                _ => false,
            }
    }

    /// Whether what a descriptor stands for can be told apart by others when it is used.
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
        let sharing = &self.machine.stores.state.sharing;
        if self.machine.system.process.has_handlers() || sharing.is_marked(Site::Withdrawn) {
            return Next::Stands(Pending::SystemCall);
        }
        match self.machine.anticipate() {
            true => Next::Stands(Pending::Waiting),
            false => Next::Stands(Pending::SystemCall),
        }
    }
}
