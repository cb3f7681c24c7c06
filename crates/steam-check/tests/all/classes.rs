//! The classes of errors.

use steam_check::{Choice as _, ErrorClass};
use steam_report::Kind;

#[test]
fn each_error_belongs_to_one_class() {
    for (kind, class) in [
        (Kind::Assert, ErrorClass::Assert),
        (Kind::Abort, ErrorClass::Assert),
        (Kind::UseAfterFree, ErrorClass::Memory),
        (Kind::DivideError, ErrorClass::Memory),
        (Kind::JoinedTwice, ErrorClass::Misuse),
        (Kind::Annotation, ErrorClass::Annotation),
        (Kind::UncaughtException, ErrorClass::Uncaught),
        (Kind::Deadlock, ErrorClass::Deadlock),
        (Kind::Divergence, ErrorClass::Divergence),
        (Kind::Livelock, ErrorClass::Livelock),
        (Kind::Race, ErrorClass::Race),
        (Kind::ExitStatus, ErrorClass::Exit),
        (Kind::LockKept, ErrorClass::LockKept),
    ] {
        assert_eq!(ErrorClass::of(kind), Some(class), "{kind:?}");
    }
}

#[test]
fn all_are_there_once() {
    assert!(ErrorClass::ALL.is_sorted_by(|one, other| one < other));
    assert_eq!(ErrorClass::usual().count(), ErrorClass::ALL.len() - 3);
}
