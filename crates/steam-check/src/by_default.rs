//! What a search does by itself where its user has not chosen.

use crate::choice::{AlgorithmName, Atomic, Mld};
use crate::class::ErrorClass;
use crate::config::Config;

/// What the locking discipline is for in a search: `--mld auto` is `off` where it does not suit the search.
pub(crate) fn discipline(config: &Config) -> Mld {
    match config.mld {
        Mld::Auto if !suits(config) => Mld::Off,
        chosen => chosen,
    }
}

/// Whether accesses under a lock may be invisible in a search whose user has not chosen.
fn suits(config: &Config) -> bool {
    let judgement = &config.scenario.judgement;
    let stores = match config.search.algorithm {
        AlgorithmName::Dfs
        | AlgorithmName::Bfs
        | AlgorithmName::Bf
        | AlgorithmName::Astar
        | AlgorithmName::Beam => true,
        // These go along executions: larger steps leave fewer places where a random schedule can switch, and where no
        // two orders are explored that a lock decides, little is won by learning which lock that is.
        AlgorithmName::Id
        | AlgorithmName::Ida
        | AlgorithmName::Stateless
        | AlgorithmName::Random
        | AlgorithmName::Pct => false,
    };
    stores
        // Which locks protect what is learned there alone.
        && judgement.atomic == Atomic::Lgc
        // A switch in the middle of a section counts; without that place, other errors lie within the bound.
        && config.search.bound.is_none()
        // Who waits for a lock that others take again and again cannot always go on, and so a schedule that leaves it out
        // for ever is fair. If the section is one step, the lock is free in each state, and the schedule is not.
        && !config.looks_for(ErrorClass::Livelock)
        // The same for runs; and what a property looks at is a step, whatever protects it.
        && config.claims().is_empty()
        // A section that is one step takes longer than each of its accesses.
        && judgement.divergence.is_none()
        && !config.audit
}
