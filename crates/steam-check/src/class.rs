//! The classes of errors that somebody may look for or not.

use steam_report::Kind;

/// What counts as an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ErrorClass {
    /// Failed assertions and abort.
    Assert,
    /// Threads that wait for each other, or that nobody can wake.
    Deadlock,
    /// Threads that loop forever, waiting for what nobody is left to do.
    Hang,
    /// Bad accesses to memory, bad frees, faults of the CPU.
    Memory,
    /// Locks and threads used against their rules.
    Misuse,
    /// What the program says of itself by steam.h, and is not true.
    Annotation,
    /// Exceptions that nothing catches.
    Uncaught,
    /// A thread that goes on for ever alone.
    Divergence,
    /// Threads that may go round for ever, each getting its turn, and never get on.
    Livelock,
    /// Two threads that touch the same bytes at once, one of them writing, not both atomically.
    Race,
    /// An exit status other than 0.
    Exit,
    /// A thread that ends, or ends its process, while it holds a lock.
    LockKept,
}

impl ErrorClass {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Assert,
        Self::Deadlock,
        Self::Hang,
        Self::Memory,
        Self::Misuse,
        Self::Annotation,
        Self::Uncaught,
        Self::Divergence,
        Self::Livelock,
        Self::Race,
        Self::Exit,
        Self::LockKept,
    ];

    /// Its name, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Assert => "assert",
            Self::Deadlock => "deadlock",
            Self::Hang => "hang",
            Self::Memory => "memory",
            Self::Misuse => "misuse",
            Self::Annotation => "annotation",
            Self::Uncaught => "uncaught",
            Self::Divergence => "divergence",
            Self::Livelock => "livelock",
            Self::Race => "race",
            Self::Exit => "exit",
            Self::LockKept => "lock-kept",
        }
    }

    /// The class of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }

    /// Those that are looked for unless somebody says otherwise.
    pub fn usual() -> impl Iterator<Item = Self> {
        let asked_for =
            |class: &Self| matches!(class, Self::Livelock | Self::Exit | Self::LockKept);
        Self::ALL.into_iter().filter(move |class| !asked_for(class))
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
            | Kind::UnknownSystemCall
            | Kind::LimitReached
            | Kind::UnsupportedInstruction
            | Kind::UnsupportedRequest
            | Kind::LargeChoice
            | Kind::UnsupportedSignal => return None,
        })
    }
}
