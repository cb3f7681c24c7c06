//! The laws: all complete orders and exact stores find the same, whatever the number of workers;
//! a trail replays; twice is the same.

use steam_model::{Blind, Heuristic, Model, NoReduction, Property, Silent, Step};
use steam_search::{
    Config, Control, End, Order, OutcomeOf, Problem, Verdict, explore_in, laws::audit, replay,
};
use steam_store::{BitStore, FullStore, Hash128Store, TreeStore};

use crate::naive::{Truth, enumerate};
use crate::toys::counters::Counters;
use crate::toys::grid::Grid;
use crate::toys::jugs::Jugs;
use crate::toys::philosophers::Philosophers;
use crate::toys::spawner::Spawner;
use crate::toys::system::{Oddity, System};
use crate::toys::tiles::Tiles;
use crate::toys::{Action, AnyToy, Deadlock, Errors, Play, Toy, play};

pub const ORDERS: [Order; 6] = [
    Order::DepthFirst,
    Order::BreadthFirst,
    Order::BestFirst,
    Order::AStar { weight: 100 },
    Order::AStar { weight: 300 },
    Order::Beam { width: u32::MAX },
];

/// Whether states are expanded level by level: all of them, so trails are shortest, and several
/// workers do what one does.
fn goes_by_levels(order: Order) -> bool {
    matches!(order, Order::BreadthFirst | Order::Beam { .. })
}

/// Which store to use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Store {
    Tree,
    Full,
    Hash128,
    Bits,
}

pub const STORES: [Store; 4] = [Store::Tree, Store::Full, Store::Hash128, Store::Bits];

pub fn search(
    play: &Play<AnyToy>,
    property: &dyn Property<Play<AnyToy>>,
    order: Order,
    store: Store,
    config: Config,
) -> OutcomeOf<Play<AnyToy>> {
    let problem = Problem { model: play, heuristic: &Blind, property, reduction: &NoReduction };
    let control = &mut Control::default();
    match store {
        Store::Tree => explore_in(order, &problem, &TreeStore::default(), &config, control),
        Store::Full => explore_in(order, &problem, &FullStore::default(), &config, control),
        Store::Hash128 => explore_in(order, &problem, &Hash128Store::default(), &config, control),
        Store::Bits => explore_in(order, &problem, &BitStore::new(1 << 24), &config, control),
    }
}

/// A directed search, on the tree store.
pub fn direct<T, H>(
    play: &Play<T>,
    heuristic: &H,
    property: &dyn Property<Play<T>>,
    order: Order,
    config: Config,
) -> OutcomeOf<Play<T>>
where
    T: Toy,
    H: Heuristic<Play<T>>,
{
    let problem = Problem { model: play, heuristic, property, reduction: &NoReduction };
    explore_in(order, &problem, &TreeStore::default(), &config, &mut Control::default())
}

/// A trail leads to its error, by the last step or in the last state.
pub fn assert_replays<T: Toy>(
    play: &Play<T>,
    property: &dyn Property<Play<T>>,
    outcome: &OutcomeOf<Play<T>>,
) {
    for finding in &outcome.violations {
        let trail = finding.trail.as_ref().expect("trails are on");
        assert_eq!(trail.len(), finding.depth as usize);
        let replayed = replay(play, trail, &mut Silent);
        assert_eq!(replayed.steps, trail.len());
        match replayed.end.expect("every action is enabled") {
            Step::Next => {
                let (last, state) = (trail.last().copied(), &replayed.state);
                let mut error = None;
                property.check(play, &mut play.worker(), state, last, &mut |it| error = Some(it));
                assert_eq!(error, Some(finding.what));
            }
            Step::Violation(what) => assert_eq!(what, finding.what),
            end => panic!("a trail that ends in {end:?}"),
        }
    }
}

/// What must not depend on chance: the error and its depth, the trail, the counts.
type Summary = (Option<(u32, u32)>, Option<Vec<Action>>, [u64; 4]);

/// Everything that all complete searches of a toy have in common.
pub fn assert_laws(play: &Play<AnyToy>, property: &dyn Property<Play<AnyToy>>, truth: &Truth) {
    for order in ORDERS {
        for store in STORES {
            let outcomes = [1, 2, 3].map(|jobs| {
                let everything =
                    Config { jobs, all: true, past_unknown: true, ..Config::default() };
                assert_complete(play, property, truth, order, store, everything);
                let first = Config { jobs, past_unknown: true, ..Config::default() };
                assert_first(play, property, truth, order, store, first)
            });
            if store != Store::Bits {
                assert_eq!(outcomes[1], outcomes[2], "{order:?} {store:?}");
            }
            if goes_by_levels(order) && store != Store::Bits {
                assert_eq!(outcomes[0], outcomes[1], "{order:?} {store:?}");
            }
        }
    }
}

fn assert_complete(
    play: &Play<AnyToy>,
    property: &dyn Property<Play<AnyToy>>,
    truth: &Truth,
    order: Order,
    store: Store,
    config: Config,
) {
    let outcome = search(play, property, order, store, config);
    let context = format!("{order:?} {store:?} {config:?}");
    assert_eq!(outcome.end, End::Exhausted, "{context}");
    assert_eq!(outcome.statistics.states, truth.states, "{context}");
    let reopens = matches!(order, Order::AStar { .. });
    if !reopens || config.jobs == 1 {
        assert_eq!(outcome.statistics.transitions, truth.transitions, "{context}");
        assert_eq!(outcome.statistics.expanded, truth.states, "{context}");
    }
    assert_eq!(outcome.violations.len(), truth.errors.len(), "{context}");
    assert!(outcome.violations.iter().all(|found| truth.errors.contains_key(&found.what)));
    assert_eq!(outcome.unknowns.len(), truth.unknowns.len(), "{context}");
    assert_replays(play, property, &outcome);
    if goes_by_levels(order) && store != Store::Bits {
        assert_eq!(outcome.statistics.depth, truth.depth, "{context}");
        for found in &outcome.violations {
            assert_eq!(found.depth, truth.errors[&found.what], "{context}");
        }
    }
}

fn assert_first(
    play: &Play<AnyToy>,
    property: &dyn Property<Play<AnyToy>>,
    truth: &Truth,
    order: Order,
    store: Store,
    config: Config,
) -> Summary {
    let outcome = search(play, property, order, store, config);
    let again = search(play, property, order, store, config);
    let same = store != Store::Bits || config.jobs == 1;
    let deterministic = |outcome: &OutcomeOf<Play<AnyToy>>| {
        let found = outcome.violations.first();
        let counts = outcome.statistics;
        (
            found.map(|found| (found.what, found.depth)),
            found.and_then(|found| found.trail.clone()),
            [counts.states, counts.transitions, counts.expanded, u64::from(counts.depth)],
        )
    };
    if same {
        assert_eq!(deterministic(&outcome), deterministic(&again), "{order:?} {store:?}");
    }
    assert_replays(play, property, &outcome);
    match outcome.verdict() {
        Verdict::Violation(found) => {
            let nearest = truth.nearest().expect("there is an error to be found");
            let shortest = goes_by_levels(order) || order == Order::AStar { weight: 100 };
            if shortest && same {
                assert_eq!(found.depth, nearest, "{order:?} {store:?} {config:?}");
            }
            assert!(found.depth >= nearest);
        }
        Verdict::Complete => assert!(truth.errors.is_empty() && truth.unknowns.is_empty()),
        Verdict::Unknown(_) => assert!(truth.errors.is_empty() && !truth.unknowns.is_empty()),
        other => panic!("{other:?}"),
    }
    deterministic(&outcome)
}

#[test]
fn counters_have_the_states_of_a_product() {
    for (count, top) in [(1, 7), (3, 4), (4, 3), (9, 1)] {
        let values = u64::from(top) + 1;
        let states = values.pow(count as u32);
        let per_counter = states / values;
        let open = play(Counters::new(count, top, false));
        let truth = enumerate(&open.0, |_, actions| (actions == 0).then_some(1000));
        assert_eq!(truth.states, states);
        assert_eq!(truth.transitions, count as u64 * u64::from(top) * per_counter);
        assert_eq!(truth.nearest(), Some(count as u32 * top));
        assert_laws(&open, &Deadlock, &truth);
        let cyclic = play(Counters::new(count, top, true));
        let truth = enumerate(&cyclic.0, |_, _| None);
        assert_eq!((truth.states, truth.transitions), (states, count as u64 * states));
        assert_laws(&cyclic, &Deadlock, &truth);
    }
}

#[test]
fn vectors_that_grow_and_shrink_are_told_apart() {
    let play = play(Spawner { most: 5, work: 3 });
    let truth = enumerate(&play.0, |_, _| None);
    // Three rounds of the first thread, and any number of threads, each with its work so far.
    assert_eq!(truth.states, 3 * (0..=5).map(|threads| 3u64.pow(threads)).sum::<u64>());
    assert_laws(&play, &Errors, &truth);
}

#[test]
fn toys_keep_the_laws_of_models() {
    assert_eq!(audit(&play(Philosophers { count: 4, careful: false }), 2000, 1), Ok(()));
    assert_eq!(audit(&play(Counters::new(5, 3, true)), 2000, 2), Ok(()));
    assert_eq!(audit(&play(Jugs), 2000, 3), Ok(()));
    assert_eq!(audit(&play(Tiles { start: [1, 0, 2, 3, 4, 5, 6, 7, 8] }), 2000, 4), Ok(()));
    assert_eq!(audit(&play(Grid::random(9, 5)), 2000, 5), Ok(()));
    assert_eq!(audit(&play(Spawner { most: 4, work: 3 }), 2000, 6), Ok(()));
    let oddity = Oddity { wrong_node: 50, wrong_edge: 50, unknown_edge: 50, infeasible_edge: 50 };
    for seed in 0..50 {
        assert_eq!(audit(&play(System::random(seed, oddity)), 200, seed), Ok(()));
    }
}
