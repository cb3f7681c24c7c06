//! Beams against a naive one; a narrow beam may miss an error, but never says that there is none.
//! That a beam which drops nothing finds what all complete orders find is one of the `laws`.

use std::collections::HashSet;

use steam_model::{Heuristic, Model};
use steam_search::{Config, End, LimitKind, Limits, Order, Outcome, Verdict};

use crate::laws::{Store, assert_replays, direct, search};
use crate::naive::enumerate;
use crate::toys::counters::Counters;
use crate::toys::grid::{Beeline, Grid};
use crate::toys::system::{Oddity, System};
use crate::toys::tiles::{Manhattan, Tiles};
use crate::toys::{Action, Deadlock, Errors, Play, Toy, play};

/// What a naive beam found.
#[derive(Debug, Default, PartialEq, Eq)]
struct Naive {
    states: u64,
    transitions: u64,
    expanded: u64,
    depth: u32,
    dropped: bool,
    /// The depth of the first error.
    found: Option<u32>,
}

/// Whole levels, each sorted and cut; it stops at the first error. The toy's steps must all succeed.
fn naive<T: Toy, H: Heuristic<Play<T>, Path = ()>>(
    play: &Play<T>,
    heuristic: &H,
    width: usize,
) -> Naive {
    let mut level = vec![play.0.initial()];
    let mut seen: HashSet<Vec<u32>> = level.iter().cloned().collect();
    let mut result = Naive { states: 1, ..Naive::default() };
    let estimate = |state: &Vec<u32>| heuristic.estimate(play, &mut play.worker(), state, &());
    let mut depth = 0;
    while !level.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for state in &level {
            result.expanded += 1;
            for action in play.0.actions(state) {
                result.transitions += 1;
                let mut reached = state.clone();
                play.0.act(&mut reached, action);
                if !seen.insert(reached.clone()) {
                    continue;
                }
                (result.states, result.depth) = (result.states + 1, depth);
                if play.0.error(&reached).is_some() {
                    return Naive { found: Some(depth), ..result };
                }
                next.push(reached);
            }
        }
        next.reverse();
        next.sort_by_key(estimate);
        result.dropped |= next.len() > width;
        next.truncate(width);
        level = next;
    }
    result
}

/// The same numbers of a beam search.
fn summary(outcome: &Outcome<u32, u32, Action>) -> Naive {
    let counts = outcome.statistics;
    Naive {
        states: counts.states,
        transitions: counts.transitions,
        expanded: counts.expanded,
        depth: counts.depth,
        dropped: outcome.end == End::Limit(LimitKind::Width),
        found: outcome.violations.first().map(|found| found.depth),
    }
}

/// Every width and number of workers against the naive beam; whether one found an error, and
/// whether one missed it.
fn assert_naive<T: Toy, H: Heuristic<Play<T>, Path = ()>>(
    play: &Play<T>,
    heuristic: &H,
    widths: &[u32],
) -> (bool, bool) {
    let (mut found, mut missed) = (false, false);
    for &width in widths {
        let outcomes = [1, 2, 3].map(|jobs| {
            let config = Config { jobs, ..Config::default() };
            direct(play, heuristic, &Errors, Order::Beam { width }, config)
        });
        let mut expected = naive(play, heuristic, width as usize);
        // What ends a search that found something is the error.
        expected.dropped &= expected.found.is_none();
        for outcome in &outcomes {
            assert_eq!(summary(outcome), expected, "width {width}");
            assert_eq!(outcome.violations, outcomes[0].violations, "width {width}");
            assert_replays(play, &Errors, outcome);
        }
        found |= expected.found.is_some();
        missed |= expected.dropped;
    }
    (found, missed)
}

#[test]
fn beams_of_all_widths_are_those_of_a_naive_search() {
    let (mut found, mut missed) = (false, false);
    for seed in 0..40 {
        let play = Play(Grid::random(15, seed));
        let (one, other) = assert_naive(&play, &Beeline, &[1, 2, 3, 5, 100]);
        (found, missed) = (found | one, missed | other);
    }
    assert!(found && missed);
    let tiles = Play(Tiles { start: [8, 0, 6, 5, 4, 7, 2, 3, 1] });
    assert!(assert_naive(&tiles, &Manhattan, &[1, 7, 200, 5000]).0);
}

#[test]
fn a_beam_takes_little_of_a_large_puzzle() {
    let play = Play(Tiles { start: [8, 0, 6, 5, 4, 7, 2, 3, 1] });
    let outcome = direct(&play, &Manhattan, &Errors, Order::Beam { width: 200 }, Config::default());
    let Verdict::Violation(found) = outcome.verdict() else { panic!("{outcome:?}") };
    assert!(found.depth >= 31);
    assert!(outcome.statistics.states < 20_000, "{:?}", outcome.statistics);
    assert!(outcome.statistics.peak_frontier < 600, "{:?}", outcome.statistics);
}

#[test]
fn a_narrow_beam_never_says_that_there_is_no_error() {
    let oddity = Oddity { wrong_node: 10, wrong_edge: 10, unknown_edge: 0, infeasible_edge: 20 };
    let (mut complete, mut missed) = (0, 0);
    for seed in 0..200 {
        let play = play(System::random(seed, oddity));
        let truth = enumerate(&play.0, |state, _| play.0.error(state));
        for (width, jobs) in [(1, 1), (2, 2), (5, 3)] {
            let config = Config { jobs, ..Config::default() };
            let order = Order::Beam { width };
            let outcome = search(&play, &Errors, order, Store::Tree, config);
            match outcome.verdict() {
                Verdict::Complete => {
                    assert!(truth.errors.is_empty(), "seed {seed} width {width}");
                    assert_eq!(outcome.statistics.states, truth.states);
                    complete += 1;
                }
                Verdict::Violation(found) => assert!(found.depth >= truth.errors[&found.what]),
                Verdict::Limit(LimitKind::Width) => missed += u32::from(!truth.errors.is_empty()),
                other => panic!("seed {seed} width {width}: {other:?}"),
            }
        }
    }
    assert!(complete > 0 && missed > 0, "{complete} {missed}");
}

#[test]
fn a_drop_counts_more_than_a_cut_by_the_depth() {
    let play = play(Counters::new(3, 9, false));
    for (width, depth, limit) in [
        (1, Some(4), LimitKind::Width),
        (1, None, LimitKind::Width),
        // There are 15 vectors whose sum is 4.
        (14, Some(4), LimitKind::Width),
        (15, Some(4), LimitKind::Depth),
    ] {
        let limits = Limits { depth, ..Limits::default() };
        let config = Config { limits, ..Config::default() };
        let outcome = search(&play, &(), Order::Beam { width }, Store::Tree, config);
        assert_eq!(outcome.verdict(), Verdict::Limit(limit), "{width} {depth:?}");
    }
}

#[test]
fn errors_do_not_hide_what_was_dropped() {
    let play = play(Counters::new(3, 4, false));
    let config = Config { all: true, ..Config::default() };
    let outcome = search(&play, &Deadlock, Order::Beam { width: 1 }, Store::Tree, config);
    assert!(matches!(outcome.verdict(), Verdict::Violation(found) if found.depth == 12));
    assert_eq!(outcome.end, End::Limit(LimitKind::Width));
}
