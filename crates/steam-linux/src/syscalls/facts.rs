//! What is known of a system call beside what it does: one row a call, with all facts (`table.rs`).
//!
//! A search asks here who can tell when a call is made, what it uses and changes, what it may have to wait for and what
//! it observes. A fact that is missing in a row does not compile; a value that is new here shows, by the compiler, each
//! place that has to know it.

use super::{Call, Handler};
use crate::kernel::Waiting;

/// A row of the table.
pub struct SystemCall {
    /// Its number in eax.
    pub number: u32,
    /// Its name.
    pub name: &'static str,
    /// What is known of it; `None` where it is not modelled.
    pub facts: Option<Facts>,
}

/// All that is known of a call.
#[derive(Clone, Copy)]
pub struct Facts {
    /// What it does.
    pub handler: Handler,
    /// Whom it concerns in its own process.
    pub scope: Scope,
    /// What it has to do with what processes have in common.
    pub common: Common,
    /// What it does to what its process has.
    pub effect: Effect,
    /// What it would have to wait for, before it is done; nothing is done. `None` if it never waits, or is
    /// always begun before it waits.
    pub wait: Option<Wait>,
    /// What its plain arguments are, for people: `n` a number, `p` a process, `t` a thread, `s` a signal, `f` a path, `-`
    /// nothing that people would read.
    pub words: &'static str,
    /// Which of its arguments, and of the bytes that they point to, have to be written before.
    pub reads: Reads,
    /// What else it does that a search has to know.
    pub roles: &'static [Role],
}

/// What a call would have to wait for.
pub type Wait = fn(&mut Call<'_>) -> Option<Waiting>;

/// Whom a call concerns in its own process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Its thread alone, or it says what never changes.
    Thread,
    /// All threads of its process.
    Process,
}

/// What a call has to do with what processes have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Common {
    /// Nothing: it is about the process's own memory, and who it is.
    Nothing,
    /// Always something.
    Always,
    /// It reads what never changes, until a thread is seen to change it ([`Role::Tells`]).
    WhereChanged,
    /// It reads private copies of files again, where there are some.
    CopiedFiles,
    /// It ends a thread, which may be the last one of its process.
    ThreadEnd,
    /// It ends the process.
    ProcessEnd,
    /// It makes a process or a thread: what matters is its number, and whether it was made before its creator ends.
    Creation,
    /// It uses a word of memory, which may lie in shared memory.
    Futex,
    /// It transfers bytes by the descriptor that is its first argument.
    Transfer,
    /// It gives the status of a file by the descriptor that is its first argument.
    Status,
    /// The same by a path, or by the first argument where the path is empty.
    StatusOrPath,
    /// It sleeps: a signal may end that, and it moves the clock.
    Sleep,
    /// It may lock parts of a file, or change a descriptor.
    Control,
    /// It closes, copies or changes the descriptor that is its first argument.
    Descriptor,
    /// It maps memory.
    Mapping,
    /// It unmaps memory.
    Unmapping,
}

/// What a call does to what its process has: descriptors, mappings, children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It leaves all that as it is.
    Uses,
    /// It may change it.
    Changes,
}

/// What must be written before a call is made: how many of its first arguments, and what they point to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reads {
    /// Nothing is looked at.
    Nothing,
    /// So many first arguments.
    Arguments(usize),
    /// Three arguments, and the bytes at the second one, as many as the third says.
    Bytes,
    /// Three arguments, and the parts that the second one lists, as many as the third says.
    Parts,
    /// So many arguments, of which the last one points to a name.
    Path(usize),
    /// Two arguments, and the parts that the `msghdr` at the second one lists.
    Message,
}

impl Reads {
    /// How many of the first arguments must be written.
    pub fn arguments(self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Arguments(count) | Self::Path(count) => count,
            Self::Bytes | Self::Parts => 3,
            Self::Message => 2,
        }
    }
}

/// What a call does that a search has to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It reads a clock.
    ReadsClock,
    /// It sends a signal to the process that is its first argument, or to a group of them.
    SignalsProcess,
    /// It sends a signal to the thread that is its argument with this position.
    SignalsThread(usize),
    /// It changes which signals its thread blocks; the mask has 32 bits where it is narrow.
    Masks {
        /// Whether the mask has 32 bits.
        narrow: bool,
    },
    /// It sets or asks what a signal does.
    SetsAction(ActionForm),
    /// It asks which signals are pending.
    AsksPending,
    /// It waits for signals of the set at its first argument.
    AwaitsSignals,
    /// It makes a descriptor for signals of the set at its second argument.
    OpensSignals,
    /// It returns from a handler.
    ReturnsFromHandler,
    /// It asks to be notified of a message, or no longer to be.
    AsksForNotice,
    /// It sets a timer that sends a signal.
    SetsTimer(TimerForm),
    /// It says how long a timer has to go.
    TellsTimeLeft,
    /// It is the call by which the library prints.
    Prints,
    /// It waits for a child, or asks for one that has ended.
    AwaitsChild,
    /// It says whether other processes are there, or changes what others learn of them.
    ObservesProcesses,
    /// It asks for a set of System V semaphores, or changes it.
    ControlsSemaphores,
    /// It asks for a System V queue, or changes it.
    ControlsQueue,
    /// It asks for a System V segment, such as how many processes have it, or changes it.
    ControlsSegment,
    /// It attaches a System V segment, which fails where the last process has left one that is removed.
    Attaches,
    /// It is one of the System V calls, which its first argument says.
    SystemV,
    /// It is one of the calls on sockets, which its first argument says.
    OnSocket,
    /// It reports something that hardly a program changes.
    Tells(Topic),
    /// It changes that.
    Changes(Topic),
    /// The same if its argument with this position is not 0.
    ChangesIf(usize, Topic),
    /// It says what the timer does whose descriptor is its first argument, or sets it.
    ObservesTimer,
    /// It says what is ready, of descriptors that are listed in memory.
    ObservesReadiness,
    /// It changes what is mapped.
    ChangesMemory,
    /// It ends its thread.
    EndsThread,
    /// It ends its process.
    EndsProcess,
    /// It closes so many descriptors, or makes them stand for something else: its first arguments.
    MovesDescriptors(usize),
    /// It lets others go first: it yields, or sleeps.
    Yields,
    /// It looks at a word of memory atomically.
    AtomicWord,
}

/// How a call that sets what a signal does takes its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionForm {
    /// `rt_sigaction`.
    Wide,
    /// `sigaction`, with a mask of 32 bits.
    Narrow,
    /// `signal`: the second argument is the handler itself.
    Plain,
}

/// What hardly a program changes: a call that reports it concerns no other thread before one has changed it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    /// The limits of resources.
    Limits,
    /// On which processors a thread may run.
    Affinity,
    /// How a thread is scheduled.
    Scheduling,
}

/// Which timer a call sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimerForm {
    /// `alarm`: in so many seconds, once.
    Seconds,
    /// `setitimer`: with the interval at the second argument.
    Interval,
    /// `timer_settime`: a timer of `timer_create`.
    Posix,
}

impl SystemCall {
    /// Whether it does something that a search has to know.
    pub fn has(&self, role: Role) -> bool {
        self.roles().contains(&role)
    }

    /// What it does that a search has to know; nothing is known of a call that is not modelled, which ends
    /// the run.
    pub fn roles(&self) -> &'static [Role] {
        self.facts.map_or(&[], |facts| facts.roles)
    }

    /// Whether it concerns its thread alone. A call that is not modelled ends the run, and all threads with it.
    pub fn is_local(&self) -> bool {
        self.facts.is_some_and(|facts| facts.scope == Scope::Thread)
    }
}
