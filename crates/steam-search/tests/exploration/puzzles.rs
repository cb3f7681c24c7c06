//! Puzzles whose shortest solutions are known.

use steam_model::Blind;
use steam_search::{Config, End, Order, Verdict};

use crate::laws::{Store, assert_laws, assert_replays, direct, search};
use crate::naive::enumerate;
use crate::toys::grid::{Beeline, Grid};
use crate::toys::jugs::Jugs;
use crate::toys::tiles::{Manhattan, Tiles};
use crate::toys::{Errors, Play, Toy, play};

#[test]
fn four_litres_take_six_steps() {
    let truth = enumerate(&Jugs, |state, _| Jugs.error(state));
    assert_eq!(truth.nearest(), Some(6));
    assert_laws(&play(Jugs), &Errors, &truth);
}

#[test]
fn half_of_all_arrangements_of_tiles_can_be_reached() {
    let play = play(Tiles { start: [0, 1, 2, 3, 4, 5, 6, 7, 8] });
    for (store, jobs) in [(Store::Tree, 1), (Store::Tree, 2), (Store::Hash128, 1)] {
        let config = Config { jobs, ..Config::default() };
        let outcome = search(&play, &(), Order::BreadthFirst, store, config);
        assert_eq!(outcome.end, End::Exhausted);
        assert_eq!(outcome.statistics.states, 181_440);
        assert_eq!(outcome.statistics.depth, 31);
    }
}

#[test]
fn the_hardest_arrangement_takes_31_moves() {
    let play = Play(Tiles { start: [8, 0, 6, 5, 4, 7, 2, 3, 1] });
    let mut expanded = Vec::new();
    for jobs in [1, 2] {
        let config = Config { jobs, ..Config::default() };
        let order = Order::AStar { weight: 100 };
        let outcome = direct(&play, &Manhattan, &Errors, order, config);
        let Verdict::Violation(found) = outcome.verdict() else { panic!("{outcome:?}") };
        assert_eq!(found.depth, 31);
        assert_replays(&play, &Errors, &outcome);
        expanded.push(outcome.statistics.expanded);
        let order = Order::BestFirst;
        let greedy = direct(&play, &Manhattan, &Errors, order, config);
        assert!(greedy.violations[0].depth >= 31);
        assert!(greedy.statistics.expanded < expanded[0] / 2);
    }
    let order = Order::AStar { weight: 100 };
    let blind = direct(&play, &Blind, &Errors, order, Config::default());
    assert_eq!(blind.violations[0].depth, 31);
    assert!(expanded[0] < blind.statistics.expanded, "the heuristic has to help");
}

#[test]
fn a_star_finds_shortest_ways_through_walls() {
    let mut solvable = 0;
    for seed in 0..40 {
        let play = Play(Grid::random(15, seed));
        let truth = enumerate(&play.0, |state, _| play.0.error(state));
        solvable += usize::from(truth.nearest().is_some());
        for (weight, jobs) in [(100, 1), (100, 2), (250, 1)] {
            let config = Config { jobs, ..Config::default() };
            let order = Order::AStar { weight };
            let outcome = direct(&play, &Beeline, &Errors, order, config);
            let found = outcome.violations.first().map(|found| found.depth);
            match (found, truth.nearest()) {
                (Some(depth), Some(nearest)) => {
                    let bound = nearest * weight / 100;
                    assert!(nearest <= depth && depth <= bound, "{nearest} {depth} {bound}");
                }
                (found, nearest) => assert_eq!(found, nearest),
            }
            assert_replays(&play, &Errors, &outcome);
        }
    }
    assert!(solvable > 5, "{solvable}");
}
