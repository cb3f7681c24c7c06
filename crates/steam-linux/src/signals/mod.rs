//! Signals: what they are called, what they do by default, and how they come to a thread.

mod deliver;
mod floating_point;
mod frame;
mod record;
mod stop;

use steam_state::{Space, ThreadId};

use crate::kernel::{Disposition, ProcessEnvironment, Reason, SignalInfo, Status, ThreadRecord};
use crate::system::{System, Viewer};
use crate::world::USER_ID;

pub use deliver::{Delivery, deliver, force};
pub use frame::{info_bytes, restore, restore_extended, stack_words};
pub use record::{RECORD_SIZE, record_bytes};
pub use stop::{CHANGES, GOES_ON};

/// The smallest stack on which a handler can run, as the auxiliary vector tells it.
pub const SMALLEST_STACK: u32 = 2048;

/// Numbers of signals.
pub mod number {
    /// Illegal instruction.
    pub const ILL: u8 = 4;
    /// Breakpoint.
    pub const TRAP: u8 = 5;
    /// A bad access that is not a matter of mappings.
    pub const BUS: u8 = 7;
    /// Arithmetic.
    pub const FPE: u8 = 8;
    /// Kill, which cannot be caught.
    pub const KILL: u8 = 9;
    /// A bad access.
    pub const SEGV: u8 = 11;
    /// A pipe without readers.
    pub const PIPE: u8 = 13;
    /// `ITIMER_REAL`.
    pub const ALRM: u8 = 14;
    /// A child ended.
    pub const CHLD: u8 = 17;
    /// Go on.
    pub const CONT: u8 = 18;
    /// Stop, which cannot be caught.
    pub const STOP: u8 = 19;
    /// Urgent data.
    pub const URG: u8 = 23;
    /// A file grows beyond its limit.
    pub const XFSZ: u8 = 25;
    /// `ITIMER_VIRTUAL`.
    pub const VTALRM: u8 = 26;
    /// `ITIMER_PROF`.
    pub const PROF: u8 = 27;
    /// The window's size changed.
    pub const WINCH: u8 = 28;
    /// The first signal that queues.
    pub const FIRST_REALTIME: u8 = 32;
    /// The last signal.
    pub const LAST: u8 = 64;
}

/// Flags of `sigaction`.
pub mod flag {
    /// The handler gets a `siginfo_t`.
    pub const SIGINFO: u32 = 4;
    /// There is a return trampoline of the guest's own.
    pub const RESTORER: u32 = 0x0400_0000;
    /// The handler runs on the alternate stack.
    pub const ONSTACK: u32 = 0x0800_0000;
    /// Interrupted calls are done again.
    pub const RESTART: u32 = 0x1000_0000;
    /// The signal is not blocked in its own handler.
    pub const NODEFER: u32 = 0x4000_0000;
    /// The handler is called once.
    pub const RESETHAND: u32 = 0x8000_0000;
}

/// `si_code` for a signal of the kernel.
pub const CODE_KERNEL: i32 = 0x80;
/// `si_code` for a signal of `kill`.
pub const CODE_USER: i32 = 0;
/// `si_code` for a signal of `tkill`.
pub const CODE_THREAD: i32 = -6;

/// Signals that cannot be blocked, caught or ignored.
pub const UNBLOCKABLE: u64 = bit(number::KILL) | bit(number::STOP);

/// The bit of a signal in a mask.
pub const fn bit(signal: u8) -> u64 {
    1 << (signal - 1)
}

/// What a signal does when the program says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefaultAction {
    /// The process ends.
    Terminate,
    /// Nothing.
    Ignore,
    /// The process stops until it is told to go on.
    Stop,
}

/// What a signal does when the program says nothing.
pub fn default_action(signal: u8) -> DefaultAction {
    match signal {
        number::CHLD | number::CONT | number::URG | number::WINCH => DefaultAction::Ignore,
        number::STOP..=22 => DefaultAction::Stop,
        _ => DefaultAction::Terminate,
    }
}

/// Whether a signal that ends a process leaves a core file: it reports a mistake.
pub fn leaves_core(signal: u8) -> bool {
    matches!(signal, 3..=8 | number::SEGV | 24 | 25 | 31)
}

/// The name of a signal.
pub fn name(signal: u8) -> String {
    const NAMES: [&str; 31] = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
        "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
        "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
    ];
    match NAMES.get(usize::from(signal).wrapping_sub(1)) {
        Some(name) => format!("SIG{name}"),
        None => format!("SIGRTMIN+{}", signal.wrapping_sub(34)),
    }
}

impl SignalInfo {
    /// A signal that a process sends, by its number.
    pub fn sent(number: u8, code: i32, process: u32) -> Self {
        Self { number, code, fields: [process, USER_ID, 0], trap: [0; 3] }
    }

    /// A signal of the kernel's own.
    pub fn of_kernel(number: u8) -> Self {
        Self { number, code: CODE_KERNEL, fields: [0; 3], trap: [0; 3] }
    }
}

impl System {
    /// Whether a signal would do nothing to a process, now.
    fn is_ignored(&self, space: Space, signal: u8) -> bool {
        match self.environment(space).action(signal).disposition {
            Disposition::Ignore => true,
            Disposition::Default => default_action(signal) == DefaultAction::Ignore,
            Disposition::Handler(_) => false,
        }
    }

    /// Whether a signal of a set waits for a thread of a process or for any of its threads.
    pub fn has_pending(&self, viewer: Viewer<'_>, set: u64) -> bool {
        let mut pending = viewer.pending.iter().chain(&self.environment(viewer.space).pending);
        pending.any(|info| bit(info.number) & set != 0)
    }

    /// Takes the pending signal of a set that comes first: those of the thread, then those of its process; of
    /// these synchronous ones, then by number.
    pub fn take_pending(&mut self, thread: ThreadId, set: u64) -> Option<SignalInfo> {
        let record = self.threads.get_mut(thread)?;
        let info = match most_urgent(&record.pending, set) {
            Some(position) => record.pending.remove(position),
            None => {
                let position = most_urgent(&self.process.pending, set)?;
                self.process.pending.remove(position)
            }
        };
        self.note_taken(&info);
        Some(info)
    }

    /// The signal that the thread on the CPU takes next.
    pub fn next_signal(&self) -> Option<u8> {
        next_of(self.own_record(), &self.process.pending)
    }

    /// Sends a signal to one thread.
    pub fn send_to_thread(&mut self, thread: ThreadId, info: SignalInfo) {
        // Who sends it to a thread that has ended sends it to none.
        let Some(space) = self.threads.space(thread) else { return };
        self.stop_or_go_on(space, info.number);
        let ignored = self.is_ignored(space, info.number);
        let record = self.threads.get_mut(thread).expect("a thread with a space lives");
        // As in Linux, who waits for it does not get it either.
        if ignored && record.mask & bit(info.number) == 0 {
            return;
        }
        queue(&mut record.pending, info);
    }

    /// Sends a signal to a process, where it waits for whichever thread takes it. As in Linux its first
    /// thread decides whether one that does nothing is kept.
    pub fn send_to_process(&mut self, space: Space, info: SignalInfo) {
        self.stop_or_go_on(space, info.number);
        let first = self.threads.of(space).next();
        let kept = first.is_some_and(|(_, it)| it.mask & bit(info.number) != 0);
        if kept || !self.is_ignored(space, info.number) {
            queue(&mut self.environment_mut(space).pending, info);
        }
    }

    /// Whether a thread of a process takes its next signal before it does anything else.
    pub fn is_due(&self, space: Space, thread: ThreadId, record: &ThreadRecord) -> bool {
        let shared = &self.environment(space).pending;
        is_due(thread, record, shared, || self.threads.of(space))
    }

    /// Another action changes which signals the threads of the process get that wait for them.
    pub fn review_waits(&mut self) {
        let own = self.threads.of(self.space);
        let waiting = own.filter(|(_, it)| waits_for_any(it));
        for thread in waiting.map(|(thread, _)| thread).collect::<Vec<ThreadId>>() {
            let record = self.threads.get_mut(thread).expect("a thread that waits lives");
            let deadly = deadly(&self.process, record.mask);
            if let Status::Waiting(waiting) = &mut record.status
                && let Reason::SignalOf { wanted, set } = &mut waiting.reason
            {
                *set = *wanted & !deadly;
            }
        }
    }

    /// Forgets pending signals that are ignored from now on.
    pub fn forget_ignored(&mut self, signal: u8) {
        if !self.is_ignored(self.space, signal) {
            return;
        }
        self.process.pending.retain(|info| info.number != signal);
        let holders: Vec<ThreadId> = self
            .threads
            .of(self.space)
            .filter(|(_, record)| record.pending.iter().any(|info| info.number == signal))
            .map(|(thread, _)| thread)
            .collect();
        for thread in holders {
            let record = self.threads.get_mut(thread).expect("who has a signal pending lives");
            record.pending.retain(|info| info.number != signal);
        }
    }
}

/// The signals that a thread takes as it is now, by a handler or by what they do by default. Those for which
/// it waits by `sigwaitinfo` end that wait, whether it blocks them or not.
pub fn taken(record: &ThreadRecord) -> u64 {
    if record.stopped { bit(number::KILL) } else { !record.mask & !awaited(record) }
}

/// The signal that a thread takes next, of its own and those of its process.
pub fn next_of(record: &ThreadRecord, shared: &[SignalInfo]) -> Option<u8> {
    let first = |pending: &[SignalInfo]| {
        most_urgent(pending, taken(record)).map(|position| pending[position].number)
    };
    first(&record.pending).or_else(|| first(shared))
}

/// Whether a thread takes its next signal before it does anything else, `threads` telling those of its
/// process, ascending, if it comes to that. One that was sent to the whole process is due at the first thread that can take it; the others
/// may be quicker, or go on.
pub fn is_due<'a, I: Iterator<Item = (ThreadId, &'a ThreadRecord)>>(
    thread: ThreadId,
    record: &ThreadRecord,
    shared: &[SignalInfo],
    threads: impl FnOnce() -> I,
) -> bool {
    let Some(signal) = next_of(record, shared) else { return false };
    let takes = |it: &ThreadRecord| taken(it) & bit(signal) != 0 || awaits(it, signal);
    most_urgent(&record.pending, taken(record)).is_some()
        || threads().find(|(_, it)| takes(it)).is_some_and(|(first, _)| first == thread)
}

fn urgency(signal: u8) -> (bool, u8) {
    let synchronous = [number::SEGV, number::BUS, number::ILL, number::TRAP, number::FPE, 31];
    (!synchronous.contains(&signal), signal)
}

/// The position of the signal of a set that comes first.
fn most_urgent(pending: &[SignalInfo], set: u64) -> Option<usize> {
    let wanted = pending.iter().enumerate().filter(|(_, info)| bit(info.number) & set != 0);
    wanted.min_by_key(|(position, info)| (urgency(info.number), *position)).map(|it| it.0)
}

/// The signals for which a thread waits by `sigwaitinfo`.
fn awaited(record: &ThreadRecord) -> u64 {
    match record.waiting().map(|waiting| &waiting.reason) {
        Some(Reason::SignalOf { set, .. }) => *set,
        _ => 0,
    }
}

fn waits_for_any(record: &ThreadRecord) -> bool {
    matches!(record.waiting().map(|waiting| &waiting.reason), Some(Reason::SignalOf { .. }))
}

/// The signals that end a process as soon as they are sent to a thread with a mask, also if the thread waits for them
/// by `sigwaitinfo`. Those that leave a core file do it when they are taken, so that whoever waits gets them.
pub fn deadly(process: &ProcessEnvironment, mask: u64) -> u64 {
    let ends = |signal: u8| {
        process.action(signal).disposition == Disposition::Default
            && default_action(signal) == DefaultAction::Terminate
            && !leaves_core(signal)
    };
    let signals = (1..=number::LAST).filter(|&signal| mask & bit(signal) == 0 && ends(signal));
    signals.fold(0, |set, signal| set | bit(signal))
}

fn awaits(record: &ThreadRecord, signal: u8) -> bool {
    awaited(record) & bit(signal) != 0
}

/// Plain signals are pending once, real-time signals as often as they were sent.
fn queue(pending: &mut Vec<SignalInfo>, info: SignalInfo) {
    let known = pending.iter().any(|other| other.number == info.number);
    if info.number >= number::FIRST_REALTIME || !known {
        pending.push(info);
    }
}
