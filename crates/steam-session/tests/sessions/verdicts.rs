//! Every algorithm and store gives the verdict of the naive twin, on random programs too.

use std::collections::BTreeSet;

use steam_model::{Silent, Step};
use steam_search::{End, LimitKind, Verdict, replay};
use steam_session::{
    Algorithm, CheckedOf, Control, Limits, Options, Por, StoreKind, by_name, check,
};

use crate::iterations::{run, without_pilots};
use crate::naive::{enumerate, random_looping_program, random_program};
use crate::toy::{DEADLOCK, Deadlock, Op, Program, Pupil};

const COMPLETE: [Algorithm; 11] = [
    Algorithm::DepthFirst,
    Algorithm::BreadthFirst,
    Algorithm::BestFirst,
    Algorithm::AStar { weight: 100 },
    Algorithm::Beam { width: u32::MAX },
    Algorithm::IterativeDeepening,
    Algorithm::Ida,
    Algorithm::Stateless { por: Por::None, livelock: None },
    Algorithm::Stateless { por: Por::Sleep, livelock: None },
    Algorithm::Stateless { por: Por::Persistent, livelock: None },
    Algorithm::Stateless { por: Por::Source, livelock: None },
];

fn names(checked: &CheckedOf<Pupil>) -> BTreeSet<u32> {
    checked.outcome.violations.iter().map(|found| found.what).collect()
}

/// Philosophers who eat once, each with a fork on both sides.
fn philosophers(count: usize) -> Program {
    let eat = |left: usize| {
        let right = (left + 1) % count;
        vec![Op::Lock(left), Op::Lock(right), Op::Unlock(left), Op::Unlock(right)]
    };
    Program { threads: (0..count).map(eat).collect(), cells: count }
}

#[test]
fn random_programs_have_the_errors_of_the_full_interleaving() {
    let mut wrong = 0;
    for seed in 0..400 {
        let program = random_program(seed);
        let (errors, unknowns) = enumerate(&program);
        assert!(unknowns.is_empty());
        wrong += u32::from(!errors.is_empty());
        for (number, algorithm) in COMPLETE.into_iter().enumerate() {
            let heuristic = by_name(["mb", "pl2"][number % 2]);
            let jobs = 1 + (seed as usize + number) % 2;
            let options = Options { algorithm, heuristic, jobs, ..without_pilots() };
            let all = run(&program, Options { all: true, ..options });
            assert_eq!(names(&all), errors, "seed {seed} {algorithm:?} {program:?}");
            if algorithm.keeps_open_states() {
                let stubborn = run(&program, Options { all: true, stubborn: true, ..options });
                assert_eq!(names(&stubborn), errors, "seed {seed} {algorithm:?} {program:?}");
            }
            let piloted =
                run(&program, Options { pilot_runs: Options::default().pilot_runs, ..options });
            match piloted.outcome.verdict() {
                Verdict::Violation(found) => assert!(errors.contains(&found.what), "seed {seed}"),
                Verdict::Complete => assert!(errors.is_empty(), "seed {seed} {algorithm:?}"),
                other => panic!("seed {seed} {algorithm:?}: {other:?}"),
            }
        }
    }
    assert!((100..300).contains(&wrong), "{wrong} of 400 programs are wrong");
}

#[test]
fn stubborn_sets_leave_out_orders_that_make_no_difference() {
    let program = philosophers(6);
    let all = run(&program, Options { all: true, ..without_pilots() });
    let stubborn = run(&program, Options { all: true, stubborn: true, ..without_pilots() });
    assert_eq!(names(&stubborn), names(&all));
    let states = |checked: &CheckedOf<Pupil>| checked.outcome.statistics.states;
    assert!(3 * states(&stubborn) < states(&all), "{} of {}", states(&stubborn), states(&all));
}

#[test]
fn loops_that_wait_are_gone_along_once_and_hide_no_error() {
    let (mut ended, mut wrong) = (0, 0);
    for seed in 0..1000 {
        let program = random_looping_program(seed);
        let (errors, _) = enumerate(&program);
        let stored = run(&program, Options { all: true, ..without_pilots() });
        assert_eq!(names(&stored), errors, "seed {seed} {program:?}");
        let stubborn = run(&program, Options { all: true, stubborn: true, ..without_pilots() });
        assert_eq!(names(&stubborn), errors, "stubborn sets, seed {seed} {program:?}");
        for por in [Por::Sleep, Por::Persistent, Por::Source] {
            let algorithm = Algorithm::Stateless { por, livelock: None };
            // Two loops that write may loop forever.
            let limits = Limits { depth: Some(60), states: Some(20_000), ..Limits::default() };
            let checked =
                run(&program, Options { algorithm, limits, all: true, ..without_pilots() });
            let found = names(&checked);
            assert!(found.is_subset(&errors), "seed {seed} {por:?} {program:?}");
            if checked.outcome.end == End::Exhausted {
                assert_eq!(found, errors, "seed {seed} {por:?} {program:?}");
                ended += 1;
                wrong += u32::from(!errors.is_empty());
            }
        }
    }
    assert!(ended > 2000 && wrong > 500, "{ended} {wrong}");
}

#[test]
fn a_narrow_beam_finds_no_other_errors_and_proves_nothing() {
    let (mut found, mut complete, mut missed) = (0, 0, 0);
    for seed in 0..400 {
        let program = random_program(seed);
        let (errors, _) = enumerate(&program);
        for width in [1, 3] {
            let algorithm = Algorithm::Beam { width };
            let options = Options { algorithm, heuristic: by_name("pl2"), ..without_pilots() };
            let checked = run(&program, options);
            match checked.outcome.verdict() {
                Verdict::Violation(what) => {
                    assert!(errors.contains(&what.what), "seed {seed} width {width}");
                    found += 1;
                }
                Verdict::Complete => {
                    assert!(errors.is_empty(), "seed {seed} width {width}");
                    complete += 1;
                }
                Verdict::Limit(LimitKind::Width) => missed += u32::from(!errors.is_empty()),
                other => panic!("seed {seed} width {width}: {other:?}"),
            }
        }
    }
    assert!(found > 0 && complete > 0 && missed > 0, "{found} {complete} {missed}");
}

#[test]
fn workers_and_exact_stores_agree() {
    for seed in 0..100 {
        let program = random_program(1000 + seed);
        let counts = |jobs, store| {
            let checked = run(&program, Options { jobs, store, all: true, ..Options::default() });
            let statistics = checked.outcome.statistics;
            (names(&checked), checked.iterations, statistics.states, statistics.transitions)
        };
        let one = counts(1, StoreKind::Tree);
        assert_eq!(one, counts(2, StoreKind::Tree), "seed {seed}");
        assert_eq!(one, counts(1, StoreKind::Full), "seed {seed}");
        assert_eq!(one, counts(2, StoreKind::Hash128), "seed {seed}");
        assert_eq!(one, counts(1, StoreKind::Bitstate { bytes: 1 << 20 }), "seed {seed}");
    }
}

#[test]
fn a_trail_replays_in_the_round_in_which_it_was_found() {
    for seed in 0..100 {
        let program = random_program(seed);
        let pupil = Pupil::new(program.clone());
        let checked = check(&pupil, &Deadlock, &Options::default(), &mut Control::default());
        let checked = checked.expect("the options fit");
        let Some(found) = checked.outcome.violations.first() else { continue };
        if checked.violation_iterations != [checked.iterations] {
            continue;
        }
        let trail = found.trail.as_ref().expect("trails are on");
        match replay(&pupil, trail, &mut Silent).end {
            Some(Step::Violation(what)) => assert_eq!(what, found.what),
            Some(Step::Next) => assert_eq!(found.what, DEADLOCK),
            end => panic!("seed {seed}: a trail that ends in {end:?}"),
        }
    }
}

#[test]
fn sampling_finds_errors_and_proves_nothing() {
    let wrong = philosophers(3);
    let right = Program { threads: vec![vec![Op::Lock(0), Op::Unlock(0)]; 3], cells: 1 };
    for algorithm in [Algorithm::Random { runs: 500 }, Algorithm::Pct { runs: 500, depth: 3 }] {
        for jobs in [1, 2] {
            let options = Options { algorithm, jobs, ..Options::default() };
            let checked = run(&wrong, options);
            assert_eq!(names(&checked), BTreeSet::from([DEADLOCK]), "{algorithm:?}");
            assert_eq!(checked.violation_iterations, [checked.iterations]);
            let checked = run(&right, options);
            assert_eq!(checked.outcome.verdict(), Verdict::Limit(LimitKind::Runs));
        }
    }
}

#[test]
fn heuristics_direct_the_search_to_the_deadlock() {
    let program = philosophers(8);
    let expanded = |algorithm, name| {
        let options = Options { algorithm, heuristic: by_name(name), ..without_pilots() };
        let checked = run(&program, options);
        assert_eq!(names(&checked), BTreeSet::from([DEADLOCK]));
        (checked.outcome.statistics.expanded, checked.outcome.violations[0].depth)
    };
    let (blind, shortest) = expanded(Algorithm::BreadthFirst, "none");
    assert_eq!(shortest, 8);
    let directed = [
        (Algorithm::BestFirst, "pl2"),
        (Algorithm::AStar { weight: 100 }, "mb"),
        (Algorithm::Beam { width: 1 }, "pl2"),
    ];
    for (algorithm, name) in directed {
        let (count, depth) = expanded(algorithm, name);
        assert!(count * 50 < blind, "{name}: {count} of {blind}");
        assert_eq!(depth, shortest, "{name}");
    }
}

#[test]
fn what_is_unknown_ends_a_check_unless_told_otherwise() {
    let program =
        Program { threads: vec![vec![Op::Set(9), Op::Mystery(9)], vec![Op::Lock(0)]], cells: 1 };
    let checked = run(&program, Options::default());
    assert!(matches!(checked.outcome.verdict(), Verdict::Unknown(found) if found.what == 9));
    assert_eq!(checked.unknown_iterations, [1]);
    let checked = run(&program, Options { past_unknown: true, ..Options::default() });
    assert!(matches!(checked.outcome.verdict(), Verdict::Unknown(_)));
    assert_eq!(checked.outcome.statistics.states, 2);
}
