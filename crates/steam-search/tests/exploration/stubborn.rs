//! Learned stubborn sets against all schedules: end states, failures and pairs of operations that are pending together and
//! depend on each other have to be the same, in each order of search and with several workers.

use std::collections::BTreeSet;

use steam_model::{Blind, Delta, Dependence, NoReduction, Property, Reduction, Support};
use steam_search::{
    Config, Control, End, Learned, Notes, Order, OutcomeOf, Problem, Stubborn, explore_in,
};
use steam_store::TreeStore;

use crate::laws::ORDERS;
use crate::toys::workers::{FAILED, Op, Workers};
use crate::toys::{Action, Hand, Play, Toy};

/// What [`All`] calls a state in which nothing can be done, before the places and values in it.
const ENDED: u32 = 1 << 30;
/// What it calls two operations that are pending together and depend on each other, before processes and places.
const PAIR: u32 = 1 << 29;

/// All that is to be kept.
struct All;

impl Property<Play<Workers>> for All {
    fn check(
        &self,
        model: &Play<Workers>,
        hand: &mut Hand,
        state: &Vec<u32>,
        _: Option<Action>,
        tell: &mut dyn FnMut(u32),
    ) {
        if model.0.actions(state).is_empty() {
            tell(state.iter().fold(0, |sum, value| 8 * sum + value) | ENDED);
        }
        let mut pending = Vec::new();
        model.pending(hand, state, &mut |process, op| pending.push((process, op)));
        for (at, (one, first)) in pending.iter().enumerate() {
            for (other, second) in &pending[at + 1..] {
                if model.dependent(first, second) {
                    let places = 8 * state[*one as usize] + state[*other as usize];
                    tell((64 * (8 * one + other) + places) | PAIR);
                }
            }
        }
    }
}

/// What a search has found, and in how many states.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    errors: BTreeSet<u32>,
    states: u64,
}

fn explored<R: Reduction<Play<Workers>>>(
    play: &Play<Workers>,
    reduction: &R,
    order: Order,
    jobs: usize,
) -> Found {
    let problem = Problem { model: play, heuristic: &Blind, property: &All, reduction };
    let config = Config { jobs, all: true, ..Config::default() };
    let store = TreeStore::default();
    let outcome: OutcomeOf<Play<Workers>> =
        explore_in(order, &problem, &store, &config, &mut Control::default());
    assert_eq!(outcome.end, End::Exhausted);
    let errors = outcome.violations.iter().map(|found| found.what).collect();
    Found { errors, states: outcome.statistics.states }
}

/// Stubborn sets, perhaps without the proviso: then a set counts, too, whose steps all lead back.
struct Sets<'a> {
    stubborn: Stubborn<'a, Play<Workers>>,
    proviso: bool,
}

impl Reduction<Play<Workers>> for Sets<'_> {
    type Notes = Notes<Op>;

    fn choose(
        &self,
        system: (&Play<Workers>, &mut Hand),
        state: &Vec<u32>,
        enabled: &[Action],
        notes: &mut Notes<Op>,
        chosen: &mut Vec<usize>,
    ) {
        self.stubborn.choose(system, state, enabled, notes, chosen);
    }

    fn hear(
        &self,
        model: &Play<Workers>,
        before: &Vec<u32>,
        action: Action,
        changes: Option<&Delta>,
        notes: &mut Notes<Op>,
    ) -> Support {
        match self.stubborn.hear(model, before, action, changes, notes) {
            Support::Neutral if !self.proviso => Support::For,
            support => support,
        }
    }
}

/// The last of the iterations.
fn reduced(play: &Play<Workers>, order: Order, jobs: usize, proviso: bool) -> Found {
    let learned = Learned::default();
    for _ in 0..100 {
        let sets = Sets { stubborn: Stubborn::begin(play, &learned), proviso };
        let found = explored(play, &sets, order, jobs);
        if !learned.is_incomplete() {
            return found;
        }
    }
    panic!("there is always more to learn: {:?}", play.0);
}

/// Compares with all schedules; the states of both.
fn assert_kept(workers: &Workers, name: &str) -> (u64, u64) {
    let play = Play(workers.clone());
    let all = explored(&play, &NoReduction, Order::DepthFirst, 1);
    let mut fewest = u64::MAX;
    for order in ORDERS {
        let found = [1, 2].map(|jobs| reduced(&play, order, jobs, true));
        assert_eq!(found[0], found[1], "{name}, {order:?}: one worker and two\n{workers:?}");
        assert_eq!(found[0].errors, all.errors, "{name}, {order:?}\n{workers:?}");
        assert!(found[0].states <= all.states, "{name}, {order:?}\n{workers:?}");
        assert!(fewest == u64::MAX || fewest == found[0].states, "{name}: states alone decide");
        fewest = found[0].states;
    }
    (all.states, fewest)
}

#[test]
fn on_random_programs_nothing_is_lost() {
    let (mut all, mut few) = (0, 0);
    for seed in 0..300 {
        for (workers, name) in
            [(Workers::looping(seed), "looping"), (Workers::ending(seed), "ending")]
        {
            let (one, other) = assert_kept(&workers, &format!("{name} {seed}"));
            all += one;
            few += other;
        }
    }
    assert!(few < all * 9 / 10, "{few} of {all} states");
}

#[test]
fn who_shares_nothing_needs_one_path() {
    let workers = Workers(vec![vec![Op::Nothing; 5]; 4]);
    assert_eq!(assert_kept(&workers, "nothing in common"), (6 * 6 * 6 * 6, 21));
}

#[test]
fn who_loops_for_ever_does_not_hide_the_others() {
    let workers = Workers(vec![vec![Op::Nothing, Op::Goto(0)], vec![Op::Nothing, Op::Fail]]);
    assert_kept(&workers, "a loop beside a failure");
    let ignored = reduced(&Play(workers), Order::DepthFirst, 1, false);
    assert!(
        !ignored.errors.contains(&(FAILED + 1)),
        "without the proviso the loop is all that is seen"
    );
    // Each of the two leads back somewhere, never in the same step.
    let forth = vec![Op::Toss(2), Op::Goto(0), Op::Goto(0)];
    let workers = Workers(vec![forth.clone(), forth, vec![Op::Add(0), Op::Fail]]);
    assert_kept(&workers, "two loops beside a failure");
}

#[test]
fn what_ends_everything_hides_nothing() {
    let workers =
        Workers(vec![vec![Op::Nothing, Op::Exit], vec![Op::Add(0), Op::Add(1), Op::Fail]]);
    assert_kept(&workers, "an end beside others");
    let workers = Workers(vec![vec![Op::Fail], vec![Op::Nothing, Op::Fail], vec![Op::Nothing]]);
    let errors = reduced(&Play(workers.clone()), Order::DepthFirst, 1, true).errors;
    assert!(errors.contains(&FAILED) && errors.contains(&(FAILED + 1)));
    assert_kept(&workers, "two failures");
}

#[test]
fn who_cannot_act_yet_counts_by_what_comes_later() {
    let waits = vec![Op::Await(0, 1), Op::Set(1, 1)];
    let workers = Workers(vec![waits, vec![Op::Set(1, 2)], vec![Op::Set(0, 1)]]);
    assert_kept(&workers, "a write that has to be waited for");
    let first = vec![Op::Await(0, 1), Op::Add(1)];
    let second = vec![Op::Await(1, 1), Op::Add(0)];
    let workers = Workers(vec![first, second, vec![Op::Toss(2), Op::Set(0, 1)]]);
    assert_kept(&workers, "two who wait for each other");
}
