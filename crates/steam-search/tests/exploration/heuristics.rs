//! Directed search on philosophers, with the preferences mb, lnb and pl2 and the estimate dl.

use std::collections::HashSet;
use std::marker::PhantomData;

use steam_model::{Blind, Heuristic};
use steam_search::{Config, Order};

use crate::laws::direct;
use crate::toys::philosophers::Philosophers;
use crate::toys::{Action, Deadlock, Hand, Play};

/// The sum, over maximal runs of consecutive ids with a flag, of length squared times largest id.
fn groups(flags: &[bool], first_id: i64) -> i64 {
    let (mut sum, mut length) = (0, 0);
    for (id, index) in (first_id..).zip(0..flags.len()) {
        length = if flags[index] { length + 1 } else { 0 };
        if length > 0 && !flags.get(index + 1).is_some_and(|flag| *flag) {
            sum += length * length * id;
        }
    }
    sum
}

/// What a preference looks at.
struct View {
    blocked: Vec<bool>,
    locks: i64,
}

impl View {
    fn count(&self) -> i64 {
        self.blocked.iter().filter(|blocked| **blocked).count() as i64
    }
}

/// A formula over a [`View`].
trait Formula: Sync + Send {
    fn value(view: &View) -> i64;
}

struct Preference<F>(PhantomData<F>);

impl<F: Formula> Heuristic<Play<Philosophers>> for Preference<F> {
    /// The number of steps: it must have no influence, but has to be carried along.
    type Path = u32;
    const FOLLOWS_PATH: bool = true;

    fn maximum(&self) -> i64 {
        10_000
    }

    fn preference(
        &self,
        play: &Play<Philosophers>,
        _: &mut Hand,
        state: &Vec<u32>,
        _: &u32,
    ) -> i64 {
        let blocked =
            (0..play.0.count).map(|philosopher| play.0.is_blocked(state, philosopher)).collect();
        F::value(&View { blocked, locks: play.0.held(state) })
    }

    fn extend(&self, _: &Play<Philosophers>, path: &u32, _: &Vec<u32>, _: Action) -> u32 {
        path + 1
    }
}

/// Most blocked.
struct Mb;

impl Formula for Mb {
    fn value(view: &View) -> i64 {
        view.count()
    }
}

/// Locks and blocked.
struct Lnb;

impl Formula for Lnb {
    fn value(view: &View) -> i64 {
        view.locks + view.count()
    }
}

/// Locks squared, groups of blocked and of alive threads; main is thread 1.
struct Pl2;

impl Formula for Pl2 {
    fn value(view: &View) -> i64 {
        let alive = vec![true; view.blocked.len()];
        view.locks * view.locks + groups(&view.blocked, 2) + groups(&alive, 2)
    }
}

fn trail_length<F: Formula>(count: usize, order: Order, jobs: usize) -> usize {
    let play = Play(Philosophers { count, careful: false });
    let heuristic = Preference::<F>(PhantomData);
    let config = Config { jobs, ..Config::default() };
    let outcome = direct(&play, &heuristic, &Deadlock, order, config);
    outcome.violations[0].trail.as_ref().map_or(0, Vec::len)
}

#[test]
fn groups_are_those_of_the_figure() {
    // Threads 2, 3 and 6, 7, 8 of eight are blocked: 2² · 3 + 3² · 8.
    let blocked = [false, true, true, false, false, true, true, true];
    assert_eq!(groups(&blocked, 1), 12 + 72);
}

#[test]
fn best_first_trails_are_those_of_an_independent_simulation() {
    for count in [6, 12] {
        assert_eq!(trail_length::<Mb>(count, Order::BestFirst, 1), 5 * count);
        assert_eq!(trail_length::<Lnb>(count, Order::BestFirst, 1), 5 * count);
        assert_eq!(trail_length::<Pl2>(count, Order::BestFirst, 1), count);
    }
    assert_eq!(trail_length::<Pl2>(100, Order::BestFirst, 1), 100);
}

#[test]
fn directed_search_finds_the_deadlock_with_several_workers() {
    for jobs in [2, 3] {
        assert_eq!(trail_length::<Pl2>(30, Order::BestFirst, jobs), 30);
        assert_eq!(trail_length::<Pl2>(20, Order::AStar { weight: 100 }, jobs), 20);
    }
}

/// The number of objects that free philosophers are about to work on: each needs a step of its
/// own before all are blocked, so it is admissible.
struct Dl;

impl Heuristic<Play<Philosophers>> for Dl {
    type Path = ();
    const FOLLOWS_PATH: bool = false;

    fn maximum(&self) -> i64 {
        0
    }

    fn preference(&self, play: &Play<Philosophers>, _: &mut Hand, state: &Vec<u32>, _: &()) -> i64 {
        let free = (0..play.0.count).filter(|&it| !play.0.is_blocked(state, it));
        let object = |philosopher| match play.0.pending(state, philosopher) {
            (fork, true) => fork,
            (_, false) => play.0.count + philosopher,
        };
        -(free.map(object).collect::<HashSet<_>>().len() as i64)
    }

    fn extend(&self, _: &Play<Philosophers>, _: &(), _: &Vec<u32>, _: Action) {}
}

#[test]
fn an_admissible_estimate_gives_shortest_trails_with_less_work() {
    for count in 3..8 {
        let play = Play(Philosophers { count, careful: false });
        let order = Order::AStar { weight: 100 };
        let config = Config::default();
        let directed = direct(&play, &Dl, &Deadlock, order, config);
        let blind = direct(&play, &Blind, &Deadlock, Order::BreadthFirst, config);
        assert_eq!(directed.violations[0].depth, count as u32);
        assert_eq!(blind.violations[0].depth, count as u32);
        assert!(directed.statistics.expanded < blind.statistics.expanded);
    }
}
