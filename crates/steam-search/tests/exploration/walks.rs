//! The searches that own a stack: iterative deepening, random walks, PCT.

use steam_model::{Blind, Heuristic, Livelocks, NoReduction, Property};
use steam_search::walk::{Plan, Scheduler, deepen, run};
use steam_search::{Config, Control, End, LimitKind, Limits, OutcomeOf, Problem, Verdict};
use steam_store::{Hash128Store, TreeStore};

use crate::laws::assert_replays;
use crate::naive::enumerate;
use crate::toys::counters::Counters;
use crate::toys::philosophers::Philosophers;
use crate::toys::system::{Oddity, System};
use crate::toys::tiles::{Manhattan, Tiles};
use crate::toys::{Act, Action, AnyToy, Deadlock, Errors, Hand, Play, Toy, play};

fn deepened<T: Toy, H: Heuristic<Play<T>>>(
    play: &Play<T>,
    heuristic: &H,
    property: &dyn Property<Play<T>>,
    config: Config,
) -> OutcomeOf<Play<T>> {
    let problem = Problem { model: play, heuristic, property, reduction: &NoReduction };
    deepen(&problem, Some(&TreeStore::default()), &config, &mut Control::default())
}

/// Nobody yields, and livelocks are not looked for.
impl Livelocks for Play<AnyToy> {
    fn livelock(&self, _: &Vec<u32>, process: u32, _: u32) -> u32 {
        process
    }

    fn progressed(&self, _: &Hand) -> bool {
        false
    }

    fn yields(&self, _: &Vec<u32>, _: Action) -> bool {
        false
    }

    fn non_progress(&self, _: &[(Vec<u32>, Action)]) -> u32 {
        0
    }
}

#[test]
fn deepening_finds_shortest_trails() {
    let oddity = Oddity { wrong_node: 20, wrong_edge: 20, unknown_edge: 10, infeasible_edge: 20 };
    let mut with_errors = 0;
    for seed in 0..150 {
        let play = play(System::random(seed, oddity));
        let truth = enumerate(&play.0, |state, _| play.0.error(state));
        let config = Config { past_unknown: true, ..Config::default() };
        let outcome = deepened(&play, &Blind, &Errors, config);
        assert_eq!(outcome.violations.first().map(|found| found.depth), truth.nearest());
        assert_replays(&play, &Errors, &outcome);
        with_errors += usize::from(truth.nearest().is_some());
        if truth.errors.is_empty() {
            assert_eq!(outcome.end, End::Exhausted);
            assert_eq!(outcome.statistics.states, truth.states);
            // One more if something unknown lies one step beyond the farthest state.
            let beyond = outcome.statistics.runs - u64::from(truth.depth);
            assert!(beyond == 1 || beyond == 2 && !truth.unknowns.is_empty());
        }
        let all = deepened(&play, &Blind, &Errors, Config { all: true, ..config });
        assert_eq!(all.statistics.states, truth.states);
        assert_eq!(all.violations.len(), truth.errors.len());
        assert!(all.violations.iter().all(|found| found.depth == truth.errors[&found.what]));
    }
    assert!(with_errors > 50, "{with_errors}");
}

#[test]
fn deepening_works_without_states_in_memory() {
    let play = play(Counters { count: 3, top: 9, cyclic: false, wrong: Some(4) });
    let problem =
        Problem { model: &play, heuristic: &Blind, property: &(), reduction: &NoReduction };
    let config = Config::default();
    let control = &mut Control::default();
    let none = None::<&TreeStore>;
    let outcome = deepen(&problem, none, &config, control);
    assert_eq!(outcome.violations[0].depth, 4);
    // All paths of up to three steps in four iterations, then the first one of the fifth.
    assert_eq!(outcome.statistics.states, 1 + 4 + 13 + 40 + 4);
    assert_eq!(outcome.statistics.runs, 5);
    let hashed = deepen(&problem, Some(&Hash128Store::default()), &config, control);
    assert_eq!(hashed.violations[0].depth, 4);
    assert!(!hashed.exact && outcome.exact);
    let limits = Limits { depth: Some(3), ..Limits::default() };
    let bounded = Config { limits, ..config };
    let bounded = deepen(&problem, none, &bounded, control);
    assert_eq!(bounded.verdict(), Verdict::Limit(LimitKind::Depth));
}

#[test]
fn deepening_by_an_estimate_solves_the_puzzle() {
    let play = Play(Tiles { start: [8, 0, 6, 5, 4, 7, 2, 3, 1] });
    let outcome = deepened(&play, &Manhattan, &Errors, Config::default());
    assert_eq!(outcome.violations[0].depth, 31);
    assert_replays(&play, &Errors, &outcome);
}

#[test]
fn deepening_keeps_to_limits() {
    let play = play(Counters::new(5, 1000, false));
    let states = Limits { states: Some(2000), ..Limits::default() };
    let outcome = deepened(&play, &Blind, &(), Config { limits: states, ..Config::default() });
    assert_eq!(outcome.verdict(), Verdict::Limit(LimitKind::States));
    let problem =
        Problem { model: &play, heuristic: &Blind, property: &(), reduction: &NoReduction };
    let small = TreeStore::with_limit(100_000);
    let outcome = deepen(&problem, Some(&small), &Config::default(), &mut Control::default());
    assert_eq!(outcome.verdict(), Verdict::Limit(LimitKind::Memory));
}

fn walked(
    play: &Play<AnyToy>,
    property: &dyn Property<Play<AnyToy>>,
    scheduler: Scheduler,
    runs: u64,
    jobs: usize,
) -> OutcomeOf<Play<AnyToy>> {
    let plan = Plan { scheduler, runs, steps: 1000, effort: u64::MAX, seed: 7 };
    let config = Config { jobs, ..Config::default() };
    run(play, property, &plan, &config, &mut Control::default())
}

#[test]
fn runs_find_the_deadlock_and_do_not_depend_on_workers() {
    let play = play(Philosophers { count: 4, careful: false });
    for scheduler in [Scheduler::Random, Scheduler::Pct { depth: 4 }] {
        let one = walked(&play, &Deadlock, scheduler, 1000, 1);
        assert!(matches!(one.verdict(), Verdict::Violation(_)), "{scheduler:?} {one:?}");
        assert_replays(&play, &Deadlock, &one);
        assert_eq!(one, walked(&play, &Deadlock, scheduler, 1000, 1));
        assert_eq!(one, walked(&play, &Deadlock, scheduler, 1000, 3));
    }
}

#[test]
fn runs_prove_nothing() {
    let play = play(Counters::new(3, 3, false));
    for scheduler in [Scheduler::Random, Scheduler::Pct { depth: 2 }] {
        let outcome = walked(&play, &(), scheduler, 100, 2);
        assert_eq!(outcome.verdict(), Verdict::Limit(LimitKind::Runs));
        assert_eq!(outcome.statistics.runs, 100);
        assert_eq!(outcome.statistics.transitions, 100 * 9);
        assert_eq!(outcome.statistics.depth, 9);
    }
}

/// An error if the second process acts before the first is done with its many steps: with equal
/// chances that is almost certain, in the other order almost impossible.
struct Late {
    length: u32,
}

impl Toy for Late {
    fn initial(&self) -> Vec<u32> {
        vec![0, 0]
    }

    fn actions(&self, state: &[u32]) -> Vec<Action> {
        let able = |process: &u32| state[*process as usize] < self.length;
        (0..2).filter(able).map(|process| (process, 0)).collect()
    }

    fn act(&self, state: &mut Vec<u32>, (process, _): Action) -> Act {
        state[process as usize] += 1;
        // The first process is done before the second one begins.
        let late = process == 0 && state[0] == self.length && state[1] == 0;
        if late { Act::Wrong(1) } else { Act::Done }
    }
}

#[test]
fn priorities_find_what_equal_chances_do_not() {
    let play = play(Late { length: 60 });
    let random = walked(&play, &(), Scheduler::Random, 300, 1);
    assert_eq!(random.verdict(), Verdict::Limit(LimitKind::Runs));
    let pct = walked(&play, &(), Scheduler::Pct { depth: 1 }, 300, 1);
    assert!(matches!(pct.verdict(), Verdict::Violation(_)));
    assert!(pct.statistics.runs < 20);
}

#[test]
fn change_points_find_what_priorities_alone_do_not() {
    /// An error if the second process acts exactly between two steps in the middle of the first.
    struct Between;
    impl Toy for Between {
        fn initial(&self) -> Vec<u32> {
            vec![0, 0]
        }
        fn actions(&self, state: &[u32]) -> Vec<Action> {
            let able = |process: &u32| state[*process as usize] < 20;
            (0..2).filter(able).map(|process| (process, 0)).collect()
        }
        fn act(&self, state: &mut Vec<u32>, (process, _): Action) -> Act {
            state[process as usize] += 1;
            if process == 1 && state[0] == 10 && state[1] == 20 { Act::Wrong(1) } else { Act::Done }
        }
    }
    let play = play(Between);
    let without = walked(&play, &(), Scheduler::Pct { depth: 1 }, 500, 1);
    assert_eq!(without.verdict(), Verdict::Limit(LimitKind::Runs));
    let with = walked(&play, &(), Scheduler::Pct { depth: 2 }, 500, 1);
    assert!(matches!(with.verdict(), Verdict::Violation(_)));
}
