//! Each row of a table decides somewhere, and what is known of an operation matters as one would expect.

use super::*;
use crate::regime::{Block, Company, Granularity};

/// All regimes that differ in what tables ask for.
fn regimes() -> impl Iterator<Item = Regime> {
    const FLAGS: u32 = 10;
    let granularities = [Granularity::Shared, Granularity::Line, Granularity::Access];
    let blocks = [
        Block::None,
        Block::Requested,
        Block::Function { noted: true },
        Block::Function { noted: false },
        Block::Bookkeeping,
    ];
    let companies = [Company::Alone, Company::OnlyThread, Company::Threads];
    let kinds = granularities.into_iter().flat_map(move |granularity| {
        blocks.into_iter().flat_map(move |block| {
            companies.into_iter().map(move |company| (granularity, block, company))
        })
    });
    kinds.flat_map(|(granularity, block, company)| {
        (0..1 << FLAGS).map(move |flags: u32| {
            let flag = |number: u32| flags >> number & 1 == 1;
            Regime {
                granularity,
                block,
                company,
                beside_processes: flag(0),
                meets_own_handlers: flag(1),
                copied: flag(2),
                maps_common_memory: flag(3),
                ends_anywhere: flag(4),
                observed: flag(5),
                threads_observed: flag(6),
                starts: flag(7),
                races: flag(8),
                judges_words: flag(9),
                owns: false,
            }
        })
    })
}

fn flags(count: u32) -> impl Iterator<Item = impl Fn(u32) -> bool> {
    (0..1u32 << count).map(|flags| move |number: u32| flags >> number & 1 == 1)
}

fn synchronisations() -> impl Iterator<Item = SynchronisationFacts> {
    flags(8).map(|flag| SynchronisationFacts {
        releases: flag(0),
        secluded: flag(1),
        meets_handler: flag(2),
        observed: flag(3),
        may_vanish: flag(4),
        in_common: flag(5),
        copied_anywhere: flag(6),
        may_be_abandoned: flag(7),
    })
}

fn calls() -> impl Iterator<Item = CallFacts> {
    flags(9).map(|flag| CallFacts {
        local: flag(0),
        touches_shared: flag(1),
        blocks_signals: flag(2),
        meets_handler: flag(3),
        timed: flag(4),
        concerns_processes: flag(5),
        ends_thread: flag(6),
        ends_process: flag(7),
        ends_observed: flag(8),
    })
}

fn privates() -> impl Iterator<Item = Private> {
    flags(4).map(|flag| Private {
        handlers_run: flag(0),
        cancels: flag(1),
        copied_anywhere: flag(2),
        claims: flag(3),
    })
}

/// Sees that each row decides for some facts and some regime.
fn each_decides<F>(name: &str, facts: &[F], rows: &[Reason], row: impl Fn(&F, &Regime) -> usize) {
    let mut decides = vec![false; rows.len()];
    for regime in regimes() {
        for facts in facts {
            decides[row(facts, &regime)] = true;
        }
    }
    let idle: Vec<_> = rows.iter().zip(decides).filter(|(_, decides)| !decides).collect();
    assert!(idle.is_empty(), "rows of {name} that never decide: {idle:#?}");
}

#[test]
fn each_row_decides_somewhere() {
    let booleans = [false, true];
    each_decides("accesses", &[()], accesses::ACCESSES, accesses::row);
    let facts: Vec<_> = privates().collect();
    each_decides("private blocks", &facts, privacy::PRIVATE, privacy::private_row);
    let facts: Vec<_> =
        flags(2).map(|flag| Protection { handlers_run: flag(0), cancels: flag(1) }).collect();
    each_decides("locks", &facts, locks::PROTECTION, locks::protection_row);
    let facts: Vec<_> = synchronisations().collect();
    each_decides("objects", &facts, synchronisation::SYNCHRONISATION, synchronisation::row);
    let facts: Vec<_> = calls().collect();
    each_decides("calls", &facts, system_calls::SYSTEM_CALLS, system_calls::row);
    let facts: Vec<_> =
        flags(2).map(|flag| Model { touches_shared: flag(0), manages_memory: flag(1) }).collect();
    each_decides("models", &facts, functions::MODELS, functions::model_row);
    each_decides("functions", &[()], functions::FUNCTIONS, functions::function_row);
    let facts: Vec<_> = flags(2)
        .map(|flag| Creation { touches_shared: flag(0), may_be_abandoned: flag(1) })
        .collect();
    each_decides("creations", &facts, functions::CREATIONS, functions::creation_row);
    let facts: Vec<_> = flags(3)
        .map(|flag| Join { ended: flag(0), touches_shared: flag(1), shares_numbers: flag(2) })
        .collect();
    each_decides("joins", &facts, functions::JOINS, functions::join_row);
    each_decides("points", &[()], functions::CANCELLATION_POINTS, functions::point_row);
    each_decides("types", &booleans, functions::CANCELLATION_TYPES, functions::type_row);
    each_decides("blocks", &[()], functions::ATOMIC_BLOCKS, functions::block_row);
    each_decides("claims", &[()], functions::CLAIMS, functions::claim_row);
    each_decides("failures", &booleans, functions::FAILURES, functions::failure_row);
}

/// Knowing more of who could observe it never makes an operation invisible: learning goes one way, or iterations would not
/// come to an end.
#[test]
fn what_is_learned_makes_operations_visible_and_never_invisible() {
    let visible =
        |operation: Operation, regime: &Regime| decide(&operation, regime) == Decision::Visible;
    for regime in regimes() {
        for facts in synchronisations().filter(|facts| !facts.observed) {
            let known = SynchronisationFacts { observed: true, ..facts };
            let before = visible(Operation::Synchronisation(facts), &regime);
            assert!(!before || visible(Operation::Synchronisation(known), &regime), "{facts:?}");
        }
        for facts in calls().filter(|facts| !facts.touches_shared) {
            let known = CallFacts { touches_shared: true, ..facts };
            let before = visible(Operation::SystemCall(facts), &regime);
            assert!(!before || visible(Operation::SystemCall(known), &regime), "{facts:?}");
        }
    }
}

/// Where every access is a step and nothing is atomic, no use of an object is invisible that others can come to.
#[test]
fn the_reference_hides_no_use_of_an_object() {
    let plain =
        |regime: &Regime| regime.granularity == Granularity::Access && regime.block == Block::None;
    for regime in regimes().filter(plain) {
        for facts in synchronisations().filter(|facts| !facts.secluded) {
            let decision = decide(&Operation::Synchronisation(facts), &regime);
            assert_eq!(decision, Decision::Visible, "{facts:?} {regime:?}");
        }
    }
}

/// A thread that is alone, and at which no property looks, makes no step but where it meets its own handlers.
#[test]
fn nobody_waits_for_who_is_alone() {
    let alone = |regime: &Regime| {
        regime.is_unobserved() && regime.block == Block::None && !regime.threads_observed
    };
    for regime in regimes().filter(alone) {
        for facts in synchronisations().filter(|facts| facts.secluded && !facts.meets_handler) {
            let decision = decide(&Operation::Synchronisation(facts), &regime);
            assert_eq!(decision, Decision::Invisible, "{facts:?} {regime:?}");
        }
        let join = Join { ended: true, ..Join::default() };
        assert_eq!(decide(&Operation::Join(join), &regime), Decision::Invisible);
        assert_eq!(decide(&Operation::Creation(Creation::default()), &regime), Decision::Invisible);
    }
}
