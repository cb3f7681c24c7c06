//! Limits, the stop flag and progress: every search ends in an answer that names its reason.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use steam_model::{Blind, NoReduction, Visited};
use steam_search::{
    Config, Control, End, LimitKind, Limits, Order, OutcomeOf, Problem, Progress, Verdict,
    explore_in,
};
use steam_store::{FullStore, TreeStore};

use crate::laws::{ORDERS, Store, search};
use crate::naive::enumerate;
use crate::toys::counters::Counters;
use crate::toys::system::{Oddity, System};
use crate::toys::{Act, Action, AnyToy, Deadlock, Errors, Play, Toy, play};

/// A space without end.
fn endless() -> Play<AnyToy> {
    play(Counters::new(6, u32::MAX - 1, false))
}

fn limited(limits: Limits, order: Order, jobs: usize) -> OutcomeOf<Play<AnyToy>> {
    let config = Config { limits, jobs, ..Config::default() };
    search(&endless(), &Deadlock, order, Store::Tree, config)
}

#[test]
fn the_limit_of_states_is_exact() {
    for order in ORDERS {
        for jobs in [1, 2] {
            let outcome = limited(Limits { states: Some(5000), ..Limits::default() }, order, jobs);
            assert_eq!(outcome.verdict(), Verdict::Limit(LimitKind::States));
            assert_eq!(outcome.statistics.states, 5000);
        }
    }
}

#[test]
fn memory_and_time_end_a_search() {
    for order in ORDERS {
        for jobs in [1, 2] {
            let memory = Some(3 << 20);
            let outcome = limited(Limits { memory, ..Limits::default() }, order, jobs);
            assert_eq!(outcome.verdict(), Verdict::Limit(LimitKind::Memory));
            assert!(outcome.statistics.bytes < 16 << 20, "{}", outcome.statistics.bytes);
            let time = Some(Duration::from_millis(10));
            let outcome = limited(Limits { time, ..Limits::default() }, order, jobs);
            assert_eq!(outcome.verdict(), Verdict::Limit(LimitKind::Time));
        }
    }
}

/// Six counters, each of whose steps takes a while.
struct Slow(Counters);

impl Toy for Slow {
    fn initial(&self) -> Vec<u32> {
        self.0.initial()
    }

    fn actions(&self, state: &[u32]) -> Vec<Action> {
        self.0.actions(state)
    }

    fn act(&self, state: &mut Vec<u32>, action: Action) -> Act {
        std::thread::sleep(Duration::from_millis(1));
        self.0.act(state, action)
    }
}

#[test]
fn slow_steps_do_not_make_a_search_late() {
    let slow = play(Slow(Counters::new(6, u32::MAX - 1, false)));
    let limits = Limits { time: Some(Duration::from_millis(20)), ..Limits::default() };
    for jobs in [1, 2] {
        let config = Config { limits, jobs, ..Config::default() };
        let outcome = search(&slow, &(), Order::BreadthFirst, Store::Tree, config);
        assert_eq!(outcome.verdict(), Verdict::Limit(LimitKind::Time));
        let done = outcome.statistics.transitions;
        assert!(done < 200, "{jobs}: {done}");
    }
}

fn fills<V: Visited>(store: &V, jobs: usize) {
    let play = endless();
    let problem =
        Problem { model: &play, heuristic: &Blind, property: &(), reduction: &NoReduction };
    let config = Config { jobs, ..Config::default() };
    let control = &mut Control::default();
    let outcome = explore_in(Order::BreadthFirst, &problem, store, &config, control);
    assert_eq!(outcome.verdict(), Verdict::Limit(LimitKind::Memory));
    assert!(outcome.statistics.states > 100);
}

#[test]
fn a_full_store_ends_a_search() {
    for jobs in [1, 2] {
        fills(&TreeStore::with_limit(200_000), jobs);
        fills(&FullStore::with_limit(200_000), jobs);
    }
}

#[test]
fn the_depth_limit_bounds_every_order() {
    let play = play(Counters::new(3, 9, false));
    for order in ORDERS {
        for jobs in [1, 2] {
            let limits = Limits { depth: Some(4), ..Limits::default() };
            let config = Config { limits, jobs, ..Config::default() };
            let outcome = search(&play, &Deadlock, order, Store::Tree, config);
            assert_eq!(outcome.verdict(), Verdict::Limit(LimitKind::Depth));
            // All vectors whose sum is at most 4, however deep they were reached first.
            assert_eq!(outcome.statistics.states, 35, "{order:?}");
        }
    }
}

#[test]
fn a_depth_limit_that_cuts_nothing_is_no_limit() {
    let play = play(Counters::new(3, 2, false));
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let config = Config { limits, ..Config::default() };
    let outcome = search(&play, &(), Order::DepthFirst, Store::Tree, config);
    assert_eq!(outcome.verdict(), Verdict::Complete);
}

#[test]
fn the_nearest_error_is_found_within_any_sufficient_depth() {
    let oddity = Oddity { wrong_node: 30, wrong_edge: 10, unknown_edge: 0, infeasible_edge: 0 };
    for seed in 0..60 {
        let play = play(System::random(seed, oddity));
        let truth = enumerate(&play.0, |state, _| play.0.error(state));
        let Some(nearest) = truth.nearest() else { continue };
        for order in ORDERS {
            let limits = Limits { depth: Some(nearest), ..Limits::default() };
            let config = Config { limits, ..Config::default() };
            let outcome = search(&play, &Errors, order, Store::Tree, config);
            assert_eq!(outcome.violations[0].depth, nearest, "seed {seed} {order:?}");
        }
    }
}

#[test]
fn a_set_flag_interrupts() {
    let play = endless();
    let problem =
        Problem { model: &play, heuristic: &Blind, property: &(), reduction: &NoReduction };
    for jobs in [1, 2] {
        let flag = AtomicBool::new(false);
        let mut calls: Vec<Progress> = Vec::new();
        let mut tell = |progress: &Progress| {
            calls.push(*progress);
            flag.store(calls.len() == 3, Ordering::Relaxed);
        };
        let mut control = Control {
            stop: Some(&flag),
            full: None,
            interval: Duration::from_millis(1),
            progress: Some(&mut tell),
            abandon: None,
        };
        let config = Config { jobs, ..Config::default() };
        let store = TreeStore::default();
        let outcome = explore_in(Order::BreadthFirst, &problem, &store, &config, &mut control);
        assert_eq!(outcome.verdict(), Verdict::Interrupted);
        assert_eq!(calls.len(), 3);
        assert!(calls.is_sorted_by_key(|progress| (progress.states, progress.elapsed)));
        assert!(calls[2].states > 0 && calls[2].frontier > 0 && calls[2].depth > 0);
    }
}

/// Something unknown lies nearer than an error.
struct Foggy;

impl Toy for Foggy {
    fn initial(&self) -> Vec<u32> {
        vec![1]
    }

    fn actions(&self, _: &[u32]) -> Vec<Action> {
        vec![(0, 0), (1, 0)]
    }

    fn act(&self, state: &mut Vec<u32>, (process, _): Action) -> Act {
        state[0] += 1;
        match process {
            0 => Act::Unknown(9),
            _ if state[0] == 5 => Act::Wrong(5),
            _ => Act::Done,
        }
    }
}

#[test]
fn what_is_unknown_is_never_passed_in_silence() {
    for jobs in [1, 2] {
        let stops = Config { jobs, ..Config::default() };
        let outcome = search(&play(Foggy), &(), Order::BreadthFirst, Store::Tree, stops);
        let Verdict::Unknown(found) = outcome.verdict() else { panic!("{outcome:?}") };
        assert_eq!((found.what, found.trail.as_deref()), (9, Some(&[(0, 0)][..])));
        assert_eq!(outcome.end, End::Stopped);
        let passes = Config { past_unknown: true, ..stops };
        let outcome = search(&play(Foggy), &(), Order::BreadthFirst, Store::Tree, passes);
        let Verdict::Violation(found) = outcome.verdict() else { panic!("{outcome:?}") };
        assert_eq!((found.what, found.depth), (5, 4));
        assert_eq!(outcome.unknowns.len(), 1);
    }
}

#[test]
fn without_links_there_are_no_trails() {
    let config = Config { trails: false, past_unknown: true, ..Config::default() };
    let outcome = search(&play(Foggy), &(), Order::BreadthFirst, Store::Tree, config);
    assert_eq!(outcome.violations[0].trail, None);
    assert_eq!(outcome.violations[0].depth, 4);
}

#[test]
fn an_abandoned_search_ends_at_the_same_point_every_time() {
    let play = endless();
    let problem =
        Problem { model: &play, heuristic: &Blind, property: &(), reduction: &NoReduction };
    let run = |order, jobs| {
        let mut enough = |progress: &Progress| progress.expanded >= 3000;
        let mut control = Control { abandon: Some(&mut enough), ..Control::default() };
        let config = Config { jobs, ..Config::default() };
        explore_in(order, &problem, &TreeStore::default(), &config, &mut control)
    };
    for order in ORDERS {
        for jobs in [1, 2] {
            let outcome = run(order, jobs);
            assert_eq!((outcome.end, outcome.verdict()), (End::Abandoned, Verdict::Interrupted));
            let expanded = outcome.statistics.expanded;
            assert!((3000..6000).contains(&expanded), "{order:?} {jobs}: {expanded}");
            assert_eq!(outcome.statistics.states, run(order, jobs).statistics.states);
        }
    }
}
