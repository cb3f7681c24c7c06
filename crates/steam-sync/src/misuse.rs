//! What a program must not do with synchronisation objects, in one sentence each.

use std::fmt;

use crate::object::{Family, Thread};

/// An operation that POSIX leaves undefined, and that is always an error of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Misuse {
    /// What is wrong.
    pub kind: MisuseKind,
    /// The family of the object that was operated on.
    pub family: Family,
    /// The thread that did it.
    pub thread: Thread,
    /// The thread that holds the object or waits for it, if there is one.
    pub other: Option<Thread>,
}

/// The ways to misuse an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MisuseKind {
    /// Unlocks what the thread does not hold.
    BadUnlock,
    /// Destroys what a thread holds.
    DestroyLocked,
    /// Initialises what a thread holds.
    InitLocked,
    /// Destroys what a thread waits for.
    DestroyWaited,
    /// Initialises what a thread waits for.
    InitWaited,
    /// Waits for a condition without holding the mutex.
    WaitWithoutMutex,
    /// Waits for a condition with another mutex than the threads that wait already.
    MixedMutexes,
    /// Declares a mutex consistent that the thread does not hold.
    BadConsistent,
    /// Uses a barrier that was never initialised, or was destroyed.
    Uninitialised,
    /// Uses what was destroyed.
    Destroyed,
    /// Uses bytes that are no such object: it was never initialised, or overwritten.
    Overwritten,
    /// Uses a copy of an object.
    Copied,
    /// Uses what another process uses too, and what is meant for one process.
    NotShared,
    /// Operates on an address where an object of another family is in use.
    WrongObject {
        /// The family of the object in use.
        found: Family,
    },
}

impl Misuse {
    /// The names of all kinds.
    pub const NAMES: [&'static str; 14] = [
        "bad-unlock",
        "destroy-locked",
        "init-locked",
        "destroy-waited",
        "init-waited",
        "wait-without-mutex",
        "mixed-mutexes",
        "bad-consistent",
        "uninitialised",
        "destroyed",
        "overwritten",
        "copied",
        "not-process-shared",
        "wrong-object",
    ];

    /// A short name of the kind that stays the same for good.
    pub fn name(&self) -> &'static str {
        match self.kind {
            MisuseKind::BadUnlock => "bad-unlock",
            MisuseKind::DestroyLocked => "destroy-locked",
            MisuseKind::InitLocked => "init-locked",
            MisuseKind::DestroyWaited => "destroy-waited",
            MisuseKind::InitWaited => "init-waited",
            MisuseKind::WaitWithoutMutex => "wait-without-mutex",
            MisuseKind::MixedMutexes => "mixed-mutexes",
            MisuseKind::BadConsistent => "bad-consistent",
            MisuseKind::Uninitialised => "uninitialised",
            MisuseKind::Destroyed => "destroyed",
            MisuseKind::Overwritten => "overwritten",
            MisuseKind::Copied => "copied",
            MisuseKind::NotShared => "not-process-shared",
            MisuseKind::WrongObject { .. } => "wrong-object",
        }
    }

    /// Who else is involved, as the subject of a clause.
    fn other(&self) -> String {
        match self.other {
            None => "no thread".into(),
            Some(other) if other == self.thread => "it itself".into(),
            Some(other) => other.to_string(),
        }
    }
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, family, thread, .. } = self;
        let other = self.other();
        match kind {
            MisuseKind::BadUnlock => write!(f, "{thread} unlocks a {family} that {other} holds"),
            MisuseKind::DestroyLocked => {
                write!(f, "{thread} destroys a {family} that {other} holds")
            }
            MisuseKind::InitLocked => {
                write!(f, "{thread} initialises a {family} that {other} holds")
            }
            MisuseKind::DestroyWaited => {
                write!(f, "{thread} destroys a {family} at which {other} waits")
            }
            MisuseKind::InitWaited => {
                write!(f, "{thread} initialises a {family} at which {other} waits")
            }
            MisuseKind::WaitWithoutMutex => {
                write!(f, "{thread} waits for a condition with a mutex that {other} holds")
            }
            MisuseKind::MixedMutexes => {
                write!(f, "{thread} waits for a condition with another mutex than {other}")
            }
            MisuseKind::BadConsistent => {
                write!(f, "{thread} declares a {family} consistent that {other} holds")
            }
            MisuseKind::Uninitialised => {
                write!(f, "{thread} uses a {family} that is not initialised")
            }
            MisuseKind::Destroyed => write!(f, "{thread} uses a {family} that was destroyed"),
            MisuseKind::Overwritten => write!(
                f,
                "{thread} uses as a {family} bytes that are none: never initialised, or overwritten"
            ),
            MisuseKind::Copied => {
                write!(
                    f,
                    "{thread} uses a copy of a {family}: only the one that was initialised is one"
                )
            }
            MisuseKind::NotShared => {
                let other = self.other.unwrap_or(*thread);
                write!(
                    f,
                    "process {} uses a {family} of process {}, which is not process-shared",
                    thread.0, other.0
                )
            }
            MisuseKind::WrongObject { found } => {
                write!(f, "{thread} uses as a {family} what is a {found} that {other} uses")
            }
        }
    }
}

impl std::error::Error for Misuse {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_a_name_of_its_own() {
        use MisuseKind as Kind;
        let wrong = Kind::WrongObject { found: Family::Spin };
        let kinds = [
            [Kind::BadUnlock, Kind::DestroyLocked, Kind::InitLocked, Kind::DestroyWaited],
            [Kind::InitWaited, Kind::WaitWithoutMutex, Kind::MixedMutexes, Kind::BadConsistent],
            [Kind::Uninitialised, Kind::Destroyed, Kind::Overwritten, Kind::Copied],
            [Kind::NotShared, wrong, wrong, wrong],
        ];
        let name =
            |kind| Misuse { kind, family: Family::Mutex, thread: Thread(1), other: None }.name();
        let mut names: Vec<&str> = kinds.into_iter().flatten().map(name).collect();
        names.dedup();
        assert_eq!(names, Misuse::NAMES);
    }

    #[test]
    fn a_misuse_is_one_sentence() {
        let (family, thread) = (Family::Mutex, Thread(2));
        let misuse = |kind, other| Misuse { kind, family, thread, other }.to_string();
        assert_eq!(
            misuse(MisuseKind::BadUnlock, Some(Thread(3))),
            "thread 2 unlocks a mutex that thread 3 holds"
        );
        assert_eq!(
            misuse(MisuseKind::BadUnlock, None),
            "thread 2 unlocks a mutex that no thread holds"
        );
        assert_eq!(
            misuse(MisuseKind::DestroyLocked, Some(thread)),
            "thread 2 destroys a mutex that it itself holds"
        );
        assert_eq!(
            misuse(MisuseKind::NotShared, Some(Thread(1))),
            "process 2 uses a mutex of process 1, which is not process-shared"
        );
    }
}
