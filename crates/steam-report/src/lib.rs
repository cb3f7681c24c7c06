//! Reports: what went wrong, where, and how the program came there, for people.
//!
//! A [`Cause`] is what the machine stopped with; [`build`] looks at the stopped machine (the
//! [`Scene`]) and makes a [`Report`] of it, a plain value whose `Display` is the text of the user
//! interface. A report never changes the machine.
//!
//! Reports know neither the models of library functions nor the program as a model: what a function
//! of the library stopped with is plain data here ([`Failure`]), and so is what the machine
//! remembers of heap blocks for the sake of reports ([`History`]).

mod abort;
mod block;
mod classify;
mod display;
mod excerpt;
mod failure;
mod history;
mod kinds;
mod place;
mod scan;
mod signal_frame;
mod standing;
mod uninitialised;
mod unwind;

use steam_image::Image;
use steam_state::{AccessError, AccessKind, Birth, HeapPool, ThreadId};
use steam_sync::Misuse;
use steam_vm::{Cpu, Trap};

pub use block::{BlockStory, Site, live_story as block_story};
pub use failure::{Failure, FailureProblem, Form};
pub use history::{Event, History, Life};
pub use place::{Location, at as located};
pub use standing::{Stands, activations, call_stack, locations, remembered_stack, users_line};
pub use uninitialised::User;
pub use unwind::CallStacks;

/// What the machine stopped with.
#[derive(Clone, Debug)]
pub enum Cause {
    /// An instruction at `eip`, or the fetch of one, was refused by memory.
    Access(AccessError),
    /// A library model failed; `eip` is at the function's first byte.
    Model(Failure),
    /// The CPU raised an exception at `eip`.
    Trap(Trap),
    /// A signal ends the process by its default action.
    Signal {
        /// Its number.
        number: u32,
        /// Its name, such as `SIGABRT`.
        name: String,
    },
    /// A system call that is not modelled; `eip` is after `int 0x80`.
    SystemCall {
        /// Its number.
        number: u32,
        /// Its name, where it has one.
        name: Option<&'static str>,
        /// What of it is not modelled, where the call itself is known (`"futex operation 9"`).
        detail: Option<String>,
    },
    /// A system call for which a limit of ours is too low; `eip` is after `int 0x80`.
    Limit {
        /// Its number.
        number: u32,
        /// Its name.
        name: &'static str,
        /// Which limit.
        detail: String,
    },
    /// A system call got a buffer that the program must not pass; `eip` is after `int 0x80`.
    Buffer {
        /// The name of the call.
        call: &'static str,
        /// What was refused.
        error: AccessError,
    },
    /// A signal would stop the program, which is not modelled: no process is there to continue it.
    Stopped {
        /// Its name, such as `SIGSTOP`.
        name: String,
    },
    /// `VASSERT` found its condition false; `eip` is after the request.
    Assertion,
    /// No thread can ever go on.
    Deadlock {
        /// What each thread waits for, in words.
        waits: Vec<String>,
    },
    /// A synchronisation object was misused.
    Misuse(Misuse),
    /// A thread is joined that is no more.
    JoinedTwice,
    /// A function is called where or for what it must not be; `eip` is at its first byte.
    BadCall {
        /// The name of the kind of error.
        name: &'static str,
        /// What is wrong.
        message: String,
    },
    /// A thread ends while it holds a lock; `eip` is after `int 0x80`.
    LockKept {
        /// Which lock.
        message: String,
    },
    /// Something that the program says of itself by `steam.h` is not true.
    Annotation {
        /// What, and why not.
        message: String,
        /// Where the CPU stands.
        stands: Stands,
    },
    /// A thread does nothing that others could see, and does not end.
    Divergence,
    /// The thread has run for so many instructions without anything that others could see, and was not seen to repeat: it
    /// may end later.
    LongRun {
        /// How many.
        instructions: u64,
    },
    /// The same as [`Self::Divergence`], in a loop that reads a clock which stands still here.
    StandingClock,
    /// The program ended with a status that is an error.
    Status(i32),
    /// A thread is to be cancelled, and the program has no function that could do it.
    Cancellation,
    /// A process that lives in the memory of its parent does what is not modelled while other threads of that one
    /// go on.
    Borrower {
        /// What it does.
        does: String,
    },
    /// A toss among more values than are explored; `eip` is after the request.
    LargeToss {
        /// How many values.
        values: u64,
    },
    /// What was never written is used; `eip` is at the instruction, or after `int 0x80`.
    Uninitialised {
        /// By whom.
        user: User,
        /// Where it comes from.
        birth: Birth,
    },
    /// A request that is not known; `eip` is after it.
    Request {
        /// Its number.
        number: u8,
    },
    /// An instruction at `eip` that is valid but not modelled.
    Instruction {
        /// Its bytes.
        bytes: Vec<u8>,
    },
}

/// The stopped machine.
pub struct Scene<'a> {
    /// The program.
    pub image: &'a Image,
    /// The CPU of the thread that stopped.
    pub cpu: &'a mut Cpu,
    /// The live heap blocks.
    pub heap: &'a HeapPool,
    /// What happened to heap blocks before.
    pub history: &'a History,
    /// The thread that stopped.
    pub thread: ThreadId,
}

/// The class of a problem; its name is part of the user interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Kind {
    /// An access within the first page: a null pointer, or one with a small offset.
    NullAccess,
    /// An access where nothing is mapped, or where no access is allowed.
    UnmappedAccess,
    /// An access to a page of a mapped file that lies past the end of the file.
    BusError,
    /// A write to memory that is only to be read.
    ReadOnlyWrite,
    /// A jump to memory that holds no code.
    NotExecutable,
    /// An access between heap blocks.
    HeapOutOfBounds,
    /// An access to a heap block that was freed.
    UseAfterFree,
    /// A block is freed a second time.
    DoubleFree,
    /// What is freed is no block.
    InvalidFree,
    /// A block is freed otherwise than it was made: `new[]` and `delete`, `malloc` and `delete`.
    MismatchedFree,
    /// A copy between blocks that overlap, by a function that must not do that.
    OverlappingCopy,
    /// An access to the part of the stack that is not in use.
    BelowStackPointer,
    /// An access to the stack of a thread that has ended.
    UseAfterReturn,
    /// The stack is used up.
    StackOverflow,
    /// A value that was never written decides something.
    Uninitialised,
    /// An integer division by zero, or with a result that does not fit.
    DivideError,
    /// Bytes that are no instruction.
    IllegalInstruction,
    /// Another exception of the CPU.
    CpuException,
    /// The program called `abort`.
    Abort,
    /// An assertion of the program failed.
    Assert,
    /// A C++ exception that nothing catches.
    UncaughtException,
    /// Another signal that ends the program.
    Signal,
    /// No thread can ever go on.
    Deadlock,
    /// Every thread that is left waits or loops forever.
    Hang,
    /// A synchronisation object was misused.
    Misuse(&'static str),
    /// A thread is joined that is no more.
    JoinedTwice,
    /// Something that the program says of itself is not true.
    Annotation,
    /// A thread does nothing that others could see, and does not end.
    Divergence,
    /// A thread runs for longer than a limit of ours allows, without anything that others could see.
    LongRun,
    /// A thread waits for too many states in a row.
    Livelock,
    /// Something that is claimed of every state does not hold in one.
    Invariant,
    /// A run breaks a temporal formula.
    Formula,
    /// Two threads touch the same bytes at once, one of them writes, and not both atomically.
    Race,
    /// A thread ends while it holds a lock.
    LockKept,
    /// An exit status that is an error.
    ExitStatus,
    /// A system call that is not modelled.
    UnknownSystemCall,
    /// A limit of ours that the real system does not have. Other paths may not come to it.
    LimitReached,
    /// An instruction that is not modelled.
    UnsupportedInstruction,
    /// A request to the checker that is not known.
    UnsupportedRequest,
    /// A choice among so many values that not all are tried.
    LargeChoice,
    /// A signal whose effect is not modelled.
    UnsupportedSignal,
}

impl Kind {
    /// The name of the kind, as reports print it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NullAccess => "null-access",
            Self::UnmappedAccess => "unmapped-access",
            Self::BusError => "bus-error",
            Self::ReadOnlyWrite => "read-only-write",
            Self::NotExecutable => "not-executable",
            Self::HeapOutOfBounds => "heap-out-of-bounds",
            Self::UseAfterFree => "use-after-free",
            Self::DoubleFree => "double-free",
            Self::InvalidFree => "invalid-free",
            Self::MismatchedFree => "mismatched-free",
            Self::OverlappingCopy => "overlapping-copy",
            Self::BelowStackPointer => "below-stack-pointer",
            Self::UseAfterReturn => "use-after-return",
            Self::StackOverflow => "stack-overflow",
            Self::Uninitialised => "uninitialised",
            Self::DivideError => "divide-error",
            Self::IllegalInstruction => "illegal-instruction",
            Self::CpuException => "cpu-exception",
            Self::Abort => "abort",
            Self::Assert => "assert",
            Self::UncaughtException => "uncaught-exception",
            Self::Signal => "signal",
            Self::Deadlock => "deadlock",
            Self::Hang => "hang",
            Self::Misuse(name) => name,
            Self::JoinedTwice => "joined-twice",
            Self::Annotation => "annotation",
            Self::Divergence => "divergence",
            Self::LongRun => "long-run",
            Self::Livelock => "livelock",
            Self::Invariant => "invariant",
            Self::Formula => "ltl",
            Self::Race => "race",
            Self::LockKept => "lock-kept",
            Self::ExitStatus => "exit-status",
            Self::UnknownSystemCall => "unknown-system-call",
            Self::LimitReached => "limit-reached",
            Self::UnsupportedInstruction => "unsupported-instruction",
            Self::UnsupportedRequest => "unsupported-request",
            Self::LargeChoice => "large-choice",
            Self::UnsupportedSignal => "unsupported-signal",
        }
    }

    /// The family that `error[...]` names.
    pub const fn family(self) -> &'static str {
        match self {
            Self::Abort | Self::Signal => "signal",
            Self::Assert => "assert",
            Self::Deadlock => "deadlock",
            Self::Hang => "hang",
            Self::UncaughtException => "uncaught",
            Self::Misuse(_) | Self::JoinedTwice => "sync",
            Self::Annotation => "annotation",
            Self::Divergence => "divergence",
            Self::Livelock => "livelock",
            Self::Invariant => "invariant",
            Self::Formula => "ltl",
            Self::Race => "race",
            Self::LockKept => "lock-kept",
            Self::ExitStatus => "exit",
            Self::DivideError | Self::IllegalInstruction | Self::CpuException => "cpu",
            Self::UnknownSystemCall
            | Self::LongRun
            | Self::LimitReached
            | Self::UnsupportedInstruction
            | Self::UnsupportedRequest
            | Self::LargeChoice
            | Self::UnsupportedSignal => "unknown",
            Self::NullAccess
            | Self::UnmappedAccess
            | Self::BusError
            | Self::ReadOnlyWrite
            | Self::NotExecutable
            | Self::HeapOutOfBounds
            | Self::UseAfterFree
            | Self::DoubleFree
            | Self::InvalidFree
            | Self::MismatchedFree
            | Self::OverlappingCopy
            | Self::BelowStackPointer
            | Self::UseAfterReturn
            | Self::StackOverflow
            | Self::Uninitialised => "memory",
        }
    }

    /// Whether the real process ends where this happens. Else it may go on: a call returns an error code that is
    /// ignored, a write lands in memory that belongs to no block, a second free finds a block that was allocated
    /// meanwhile.
    pub const fn ends_process(self) -> bool {
        matches!(
            self,
            Self::NullAccess
                | Self::UnmappedAccess
                | Self::BusError
                | Self::ReadOnlyWrite
                | Self::NotExecutable
                | Self::StackOverflow
                | Self::DivideError
                | Self::IllegalInstruction
                | Self::CpuException
                | Self::Abort
                | Self::Assert
                | Self::UncaughtException
                | Self::Signal
                | Self::ExitStatus
        )
    }

    /// Whether the program did wrong, and not we who do not model what it did.
    pub const fn is_violation(self) -> bool {
        !matches!(
            self,
            Self::UnknownSystemCall
                | Self::LongRun
                | Self::LimitReached
                | Self::UnsupportedInstruction
                | Self::UnsupportedRequest
                | Self::LargeChoice
                | Self::UnsupportedSignal
        )
    }
}

/// What was accessed, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Read, write or execute.
    pub kind: AccessKind,
    /// Where the access began.
    pub address: u32,
    /// How many bytes it wanted.
    pub size: u32,
    /// The first byte that was refused.
    pub byte: u32,
}

/// A problem with all that a person needs to understand it.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its class.
    pub kind: Kind,
    /// What happened, in one line.
    pub message: String,
    /// The thread in which it happened.
    pub thread: ThreadId,
    /// The call stack, innermost first; inlined calls are locations of their own.
    pub stack: Vec<Location>,
    /// The position in `stack` of the line to show: the innermost one that the user wrote.
    pub culprit: Option<usize>,
    /// What was accessed, for problems of memory.
    pub access: Option<Access>,
    /// The heap block that is concerned.
    pub block: Option<BlockStory>,
}

impl Report {
    /// The location to show first.
    pub fn location(&self) -> Option<&Location> {
        self.culprit.map_or_else(|| self.stack.first(), |position| self.stack.get(position))
    }

    /// Whether the program did wrong (exit 1), and not we who do not model it (exit 3).
    pub fn is_violation(&self) -> bool {
        self.kind.is_violation()
    }
}

/// Where the scene's thread is: the innermost line that the user wrote.
pub fn location(scene: &mut Scene<'_>) -> Option<Location> {
    classify::location(scene)
}

/// Makes a report of what the machine stopped with.
pub fn build(cause: &Cause, scene: &mut Scene<'_>) -> Report {
    classify::report(cause, scene)
}
