//! What the kernel keeps for one process.

use std::sync::Arc;

use steam_state::ThreadId;
use steam_visibility::{Epoch, Ownership};

use super::description::Descriptor;
use super::map::Map;
use super::timer::{PosixTimer, Timer};

/// What a signal does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Disposition {
    /// What Linux does by itself.
    Default,
    /// Nothing.
    Ignore,
    /// It calls the function at an address.
    Handler(u32),
}

/// A process's answer to a signal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Action {
    /// What happens.
    pub disposition: Disposition,
    /// The `SA_` flags.
    pub flags: u32,
    /// Where the handler returns to, with `SA_RESTORER`.
    pub restorer: u32,
    /// Signals that are blocked while the handler runs.
    pub mask: u64,
}

impl Default for Action {
    fn default() -> Self {
        Self { disposition: Disposition::Default, flags: 0, restorer: 0, mask: 0 }
    }
}

/// One signal with what `siginfo_t` reports of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SignalInfo {
    /// The signal's number.
    pub number: u8,
    /// `si_code`.
    pub code: i32,
    /// The three words after the code: sender, user and value, or the faulting address.
    pub fields: [u32; 3],
    /// The CPU's exception number, error code and faulting address, as `sigcontext` shows them.
    pub trap: [u32; 3],
}

/// What others know of a process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ProcessEntry {
    /// The first thread of its parent; `None` where no process waits for it.
    pub parent: Option<ThreadId>,
    /// How it ended, as `wait` reports it; `None` while it lives.
    pub ended: Option<u32>,
    /// That it was stopped or goes on again, as `wait` reports it, if it was not reported yet.
    pub change: Option<u32>,
    /// The process group.
    pub group: u32,
    /// Nanoseconds that it and the children for which it waited have used, once it has ended.
    pub busy: u64,
}

/// A program that a process went over to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Executed {
    /// The path of its file.
    pub path: Arc<[u8]>,
    /// Its arguments, each followed by a zero byte.
    pub command_line: Arc<[u8]>,
}

/// What the kernel keeps for a process.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ProcessEnvironment {
    /// The table of file descriptors.
    pub descriptors: Map<u32, Descriptor>,
    /// The working directory, without symbolic links.
    pub directory: Arc<[u8]>,
    /// The bits that new files do not get.
    pub umask: u32,
    /// Answers to signals that are not the default ones.
    pub actions: Map<u8, Action>,
    /// Signals for the process that no thread could take yet.
    pub pending: Vec<SignalInfo>,
    /// Where the area that `brk` moves begins, and where it ends now.
    pub program_break: (u32, u32),
    /// How many threads were created and not joined.
    pub unjoined: u32,
    /// How many threads the first thread has created since it was alone, up to the point from which
    /// on that makes no difference.
    pub created: Epoch,
    /// What threads have claimed for themselves.
    pub ownership: Arc<Ownership>,
    /// Whether there ever was a thread that cannot be joined.
    pub detached: bool,
    /// The threads that were created, by the address of their thread-local storage, which is how
    /// the libraries name them; a thread that was joined is no longer there.
    pub storages: Map<u32, ThreadId>,
    /// The threads among them that have ended and can still be joined, which keeps their numbers in
    /// use: each with the address of its thread-local storage, ascending.
    pub ended: Vec<(ThreadId, u32)>,
    /// `ITIMER_REAL`, `ITIMER_VIRTUAL` and `ITIMER_PROF`.
    pub timers: [Timer; 3],
    /// The timers of `timer_create`, by their numbers.
    pub posix_timers: Map<u32, PosixTimer>,
    /// Nanoseconds that the CPU was busy for it; a search does not count them.
    pub busy: u64,
    /// The same of the children for which it has waited, and of theirs.
    pub busy_children: u64,
    /// Resource limits that were changed: soft and hard.
    pub limits: Map<u32, (u64, u64)>,
    /// Whether memory that it maps from now on is to stay in memory (`mlockall`).
    pub locks_future: bool,
    /// What the first thread left as exit status, if it ended before the others.
    pub first_status: i32,
    /// The process group.
    pub group: u32,
    /// The session.
    pub session: u32,
    /// The number of the executable file that it runs.
    pub image: u32,
    /// The program that it went over to, if it did.
    pub executed: Option<Arc<Executed>>,
    /// Whether it runs the shell of our own.
    pub built_in: bool,
    /// Whether it lives in the memory of its parent, of which a thread waits for it.
    pub loan: Loan,
    /// Whether its memory is a copy that was made beside other threads, or beside what a handler has
    /// interrupted, and was not replaced by that of another program since.
    pub copied: bool,
    /// What held at the end of the program, of what a property observes; a bit for each.
    pub observed: u64,
}

/// Whose memory a process lives in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Loan {
    /// Its own.
    #[default]
    None,
    /// That of its parent, which has no other thread than the one that waits: it gets all of it back.
    Whole,
    /// That of its parent, whose other threads go on: it gets what is written as it is written.
    Beside {
        /// The stack pointer with which it began, if it has a stack of its own; 0 if it has not.
        stack: u32,
    },
}

impl Loan {
    /// What `clone` of the libraries leaves on the stack for the function that it calls there.
    const HANDED: u32 = 16;

    /// Whether other threads go on in the same memory.
    pub fn is_beside(self) -> bool {
        matches!(self, Self::Beside { .. })
    }

    /// Where the stack ends that was made for the process, if there is one.
    pub fn end_of_stack(self) -> Option<u32> {
        match self {
            Self::Beside { stack } if stack != 0 => Some(stack.saturating_add(Self::HANDED)),
            _ => None,
        }
    }
}

impl ProcessEnvironment {
    /// Whether no process learns how its children end: it ignores the signal that reports it.
    pub fn forgets_children(&self) -> bool {
        const CHILD: u8 = 17;
        const NO_WAIT: u32 = 2;
        let action = self.action(CHILD);
        action.disposition == Disposition::Ignore || action.flags & NO_WAIT != 0
    }

    /// Whether a timer may send its signal at any moment.
    pub fn has_timer(&self) -> bool {
        self.timers[0].deadline.is_some() || self.posix_timers.values().any(PosixTimer::is_armed)
    }

    /// Whether the program has a function for some signal.
    pub fn has_handlers(&self) -> bool {
        self.actions.values().any(|action| matches!(action.disposition, Disposition::Handler(_)))
    }

    /// The same without the signals that the C library uses for itself.
    pub fn has_own_handlers(&self) -> bool {
        const OF_LIBRARY: [u8; 2] = [32, 33];
        let handles = |(signal, action): (&u8, &Action)| {
            !OF_LIBRARY.contains(signal) && matches!(action.disposition, Disposition::Handler(_))
        };
        self.actions.iter().any(handles)
    }

    /// The answer to a signal.
    pub fn action(&self, signal: u8) -> Action {
        self.actions.get(&signal).copied().unwrap_or_default()
    }

    /// Sets the answer to a signal.
    pub fn set_action(&mut self, signal: u8, action: Action) {
        if action == Action::default() {
            self.actions.remove(&signal);
        } else {
            self.actions.insert(signal, action);
        }
    }
}
