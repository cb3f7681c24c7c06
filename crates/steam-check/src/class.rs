//! The classes of errors that a check may look for or not.

use steam_report::Kind;

use crate::choice::{Choice as _, choices};

choices! {
    /// What counts as an error.
    pub enum ErrorClass {
        /// Failed assertions and abort.
        Assert = "assert",
        /// Threads that wait for each other, or that no thread can wake.
        Deadlock = "deadlock",
        /// Threads that loop forever, waiting for what no thread is left to do.
        Hang = "hang",
        /// Bad accesses to memory, bad frees, faults of the CPU.
        Memory = "memory",
        /// Locks and threads used against their rules.
        Misuse = "misuse",
        /// What the program says of itself by steam.h, and is not true.
        Annotation = "annotation",
        /// Exceptions that nothing catches.
        Uncaught = "uncaught",
        /// A thread that goes on for ever alone; see also --divergence.
        Divergence = "divergence",
        /// Threads that may loop forever, each getting its turn, without making progress; see also
        /// --livelock.
        Livelock = "livelock",
        /// Two threads that touch the same bytes at once, one of them writing, not both atomically.
        Race = "race",
        /// An exit status other than 0.
        Exit = "exit",
        /// A thread that ends, or ends its process, while it holds a lock.
        LockKept = "lock-kept",
    }
}

impl ErrorClass {
    /// Those that are looked for by default.
    pub fn usual() -> impl Iterator<Item = Self> {
        let asked_for =
            |class: &Self| matches!(class, Self::Livelock | Self::Exit | Self::LockKept);
        Self::ALL.iter().copied().filter(move |class| !asked_for(class))
    }

    /// The class of an error. What the user claims is looked for whatever the classes are, and what is not modelled is no
    /// error: both have none.
    pub fn of(kind: Kind) -> Option<Self> {
        Some(match kind {
            Kind::Assert | Kind::Abort | Kind::Signal => Self::Assert,
            Kind::Deadlock => Self::Deadlock,
            Kind::Hang => Self::Hang,
            Kind::UncaughtException => Self::Uncaught,
            Kind::Misuse(_) | Kind::JoinedTwice => Self::Misuse,
            Kind::Annotation => Self::Annotation,
            Kind::Divergence => Self::Divergence,
            Kind::Livelock => Self::Livelock,
            Kind::Race => Self::Race,
            Kind::ExitStatus => Self::Exit,
            Kind::LockKept => Self::LockKept,
            Kind::NullAccess
            | Kind::UnmappedAccess
            | Kind::BusError
            | Kind::ReadOnlyWrite
            | Kind::NotExecutable
            | Kind::HeapOutOfBounds
            | Kind::UseAfterFree
            | Kind::DoubleFree
            | Kind::InvalidFree
            | Kind::MismatchedFree
            | Kind::OverlappingCopy
            | Kind::BelowStackPointer
            | Kind::UseAfterReturn
            | Kind::StackOverflow
            | Kind::Uninitialised
            | Kind::DivideError
            | Kind::IllegalInstruction
            | Kind::CpuException => Self::Memory,
            Kind::Invariant
            | Kind::Formula
            | Kind::LongRun
            | Kind::UnknownSystemCall
            | Kind::LimitReached
            | Kind::UnsupportedInstruction
            | Kind::UnsupportedRequest
            | Kind::LargeChoice
            | Kind::UnsupportedSignal => return None,
        })
    }
}
