//! The names of all kinds of errors, for those who name them.

use steam_sync::Misuse;

use super::Kind;

/// All kinds of errors, but for misuses.
const ERRORS: [Kind; 33] = [
    Kind::NullAccess,
    Kind::UnmappedAccess,
    Kind::BusError,
    Kind::ReadOnlyWrite,
    Kind::NotExecutable,
    Kind::HeapOutOfBounds,
    Kind::UseAfterFree,
    Kind::DoubleFree,
    Kind::InvalidFree,
    Kind::MismatchedFree,
    Kind::OverlappingCopy,
    Kind::BelowStackPointer,
    Kind::UseAfterReturn,
    Kind::StackOverflow,
    Kind::Uninitialised,
    Kind::DivideError,
    Kind::IllegalInstruction,
    Kind::CpuException,
    Kind::Abort,
    Kind::Assert,
    Kind::UncaughtException,
    Kind::Signal,
    Kind::Deadlock,
    Kind::Hang,
    Kind::JoinedTwice,
    Kind::Annotation,
    Kind::Divergence,
    Kind::Livelock,
    Kind::Invariant,
    Kind::Formula,
    Kind::Race,
    Kind::LockKept,
    Kind::ExitStatus,
];
/// Misuses that concern no synchronisation object.
const CALLS: [&str; 5] =
    ["no-such-thread", "joins-itself", "joins-detached", "detached-twice", "async-signal-unsafe"];

impl Kind {
    /// The names of all kinds of errors.
    pub fn names_of_errors() -> impl Iterator<Item = &'static str> {
        ERRORS.into_iter().map(Self::name).chain(Misuse::NAMES).chain(CALLS)
    }
}
