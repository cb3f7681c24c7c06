//! Choices and their names.

use steam_check::{AlgorithmName, Choice, ErrorClass, Store};

#[test]
fn a_choice_is_known_by_its_name() {
    for choice in AlgorithmName::ALL {
        assert_eq!(AlgorithmName::named(choice.name()), Some(*choice));
    }
    assert_eq!(ErrorClass::named("usual"), None);
}

/// A description of several lines is one sentence.
#[test]
fn what_documents_a_choice_describes_it() {
    let text = "All executions without a store; what only another order of independent steps would \
        change is left out (see --por).";
    assert_eq!(AlgorithmName::Stateless.description(), text);
}

#[test]
fn fingerprints_are_hardly_ever_mistaken() {
    assert_eq!(Store::Hash128.chance(1_000_000), "p(miss) < 1e-26");
    assert_eq!(Store::Hash128.chance(1), "p(miss) < 1e-38");
}
