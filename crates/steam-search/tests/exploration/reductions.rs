//! A reduction chooses; the search makes sure that nothing is ignored for good.

use steam_model::{Blind, Reduction};
use steam_search::{Config, Control, End, OutcomeOf, Problem, explore_in};
use steam_store::TreeStore;

use crate::laws::ORDERS;
use crate::toys::counters::Counters;
use crate::toys::{Action, DEADLOCK, Deadlock, Hand, Play};

/// Only the first process that can act; sound for processes that share nothing.
struct FirstProcess;

impl Reduction<Play<Counters>> for FirstProcess {
    type Notes = ();

    fn choose(
        &self,
        _: (&Play<Counters>, &mut Hand),
        _: &Vec<u32>,
        enabled: &[Action],
        (): &mut (),
        chosen: &mut Vec<usize>,
    ) {
        chosen.extend((!enabled.is_empty()).then_some(0));
    }
}

/// Chooses nothing at all, which is a mistake.
struct Nothing;

impl Reduction<Play<Counters>> for Nothing {
    type Notes = ();

    fn choose(
        &self,
        _: (&Play<Counters>, &mut Hand),
        _: &Vec<u32>,
        _: &[Action],
        (): &mut (),
        _: &mut Vec<usize>,
    ) {
    }
}

fn outcomes<R: Reduction<Play<Counters>>>(
    play: &Play<Counters>,
    reduction: &R,
) -> Vec<OutcomeOf<Play<Counters>>> {
    let problem = Problem { model: play, heuristic: &Blind, property: &Deadlock, reduction };
    let search = |order, jobs| {
        let config = Config { jobs, all: true, ..Config::default() };
        let store = TreeStore::default();
        explore_in(order, &problem, &store, &config, &mut Control::default())
    };
    ORDERS.into_iter().flat_map(|order| [search(order, 1), search(order, 2)]).collect()
}

#[test]
fn independent_counters_need_one_path() {
    let play = Play(Counters::new(4, 5, false));
    for outcome in outcomes(&play, &FirstProcess) {
        assert_eq!(outcome.end, End::Exhausted);
        assert_eq!(outcome.statistics.states, 4 * 5 + 1);
        assert_eq!(outcome.violations[0].what, DEADLOCK);
        assert_eq!(outcome.violations[0].depth, 20);
    }
}

#[test]
fn a_process_that_loops_does_not_hide_the_others() {
    let wrong = Some(3);
    let play = Play(Counters { count: 3, top: 4, cyclic: true, wrong });
    for outcome in outcomes(&play, &FirstProcess) {
        assert!(outcome.violations.iter().any(|found| found.what == 3));
        // Every state is reached in the end, but by fewer steps than there are.
        assert!(outcome.statistics.transitions < 3 * 5 * 5 * 3);
    }
}

#[test]
fn choosing_nothing_means_everything() {
    let play = Play(Counters::new(3, 3, false));
    for outcome in outcomes(&play, &Nothing) {
        assert_eq!(outcome.statistics.states, 64);
    }
}
