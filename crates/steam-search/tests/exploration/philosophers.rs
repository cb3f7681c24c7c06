//! Philosophers: known counts, the deadlock, its shortest trail.

use std::collections::HashSet;

use steam_model::Recorder;
use steam_search::{Config, Order, Verdict, replay};

use crate::laws::{Store, assert_laws, search};
use crate::naive::enumerate;
use crate::toys::philosophers::Philosophers;
use crate::toys::{DEADLOCK, Deadlock, play};

/// Counts states and steps in a form of its own: how many forks each philosopher holds, of those
/// who are about to put them back one or two.
fn count(philosophers: usize) -> (u64, u64) {
    // 0: none held, 1: left held, 2: both held, 3: right held and the left put back.
    let right = |philosopher: usize| (philosopher + 1) % philosophers;
    let holds_left = |place: u8| place == 1 || place == 2;
    let holds_right = |place: u8| place == 2 || place == 3;
    let start = vec![0u8; philosophers];
    let mut seen = HashSet::from([start.clone()]);
    let (mut open, mut steps) = (vec![start], 0);
    while let Some(places) = open.pop() {
        for philosopher in 0..philosophers {
            let left_neighbour = (philosopher + philosophers - 1) % philosophers;
            let able = match places[philosopher] {
                0 => !holds_right(places[left_neighbour]),
                1 => !holds_left(places[right(philosopher)]),
                _ => true,
            };
            if able {
                steps += 1;
                let mut next = places.clone();
                next[philosopher] = (next[philosopher] + 1) % 4;
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    (seen.len() as u64, steps)
}

#[test]
fn counts_are_those_of_an_independent_enumeration() {
    for philosophers in 2..8 {
        let play = play(Philosophers { count: philosophers, careful: false });
        let everything = Config { all: true, ..Config::default() };
        let outcome = search(&play, &Deadlock, Order::DepthFirst, Store::Tree, everything);
        let counts = (outcome.statistics.states, outcome.statistics.transitions);
        assert_eq!(counts, count(philosophers));
        assert_eq!(counts.0, 3u64.pow(philosophers as u32) - 1);
    }
}

#[test]
fn all_laws_hold_with_and_without_deadlock() {
    for (philosophers, careful) in [(3, false), (5, false), (5, true)] {
        let play = play(Philosophers { count: philosophers, careful });
        let deadlock = |_: &[u32], actions| (actions == 0).then_some(DEADLOCK);
        let truth = enumerate(&play.0, deadlock);
        assert_eq!(truth.errors.is_empty(), careful);
        assert_laws(&play, &Deadlock, &truth);
    }
}

#[test]
fn the_shortest_trail_takes_every_left_fork() {
    for jobs in [1, 2] {
        let play = play(Philosophers { count: 7, careful: false });
        let config = Config { jobs, ..Config::default() };
        let outcome = search(&play, &Deadlock, Order::BreadthFirst, Store::Tree, config);
        let Verdict::Violation(found) = outcome.verdict() else { panic!("{outcome:?}") };
        let trail = found.trail.clone().expect("trails are on");
        assert_eq!(trail, (0..7).map(|philosopher| (philosopher, 0)).collect::<Vec<_>>());
        let mut recorder = Recorder::default();
        replay(&play, &trail, &mut recorder);
        assert_eq!(recorder.events.len(), 7);
        assert_eq!(recorder.events[2], "2 does 0");
    }
}

#[test]
fn depth_first_prefers_the_highest_philosopher() {
    let play = play(Philosophers { count: 4, careful: false });
    let outcome = search(&play, &Deadlock, Order::DepthFirst, Store::Tree, Config::default());
    let trail = outcome.violations[0].trail.clone().expect("trails are on");
    assert_eq!(trail[0], (3, 0));
    assert!(trail.len() > 4);
}
