//! Limits and the stop flag hold for a check as a whole; options that do not fit are refused.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use steam_search::{LimitKind, Verdict};
use steam_session::{Algorithm, Control, Limits, Mismatch, Options, Progress, StoreKind, check};

use crate::iterations::{run, without_pilots};
use crate::toy::{Deadlock, Op, Program, Pupil};

/// About two million states, after an iteration or two of learning.
fn large() -> Program {
    let mut threads = vec![vec![Op::Store(0)], vec![Op::Load(0)]];
    threads.extend((1..=5).map(|lock| [Op::Lock(lock), Op::Unlock(lock)].repeat(8)));
    Program { threads, cells: 6 }
}

#[test]
fn states_are_those_of_all_iterations() {
    for jobs in [1, 2] {
        let limits = Limits { states: Some(20_000), ..Limits::default() };
        let checked = run(&large(), Options { limits, jobs, ..without_pilots() });
        assert_eq!(checked.outcome.verdict(), Verdict::Limit(LimitKind::States));
        assert_eq!((checked.totals.states, checked.iterations), (20_000, 2));
    }
}

#[test]
fn time_and_memory_end_a_check() {
    for jobs in [1, 2] {
        let limits = Limits { time: Some(Duration::from_millis(40)), ..Limits::default() };
        let checked = run(&large(), Options { limits, jobs, ..Options::default() });
        assert_eq!(checked.outcome.verdict(), Verdict::Limit(LimitKind::Time));
        assert!(checked.totals.elapsed >= Duration::from_millis(40));
        let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
        let checked = run(&large(), Options { limits, jobs, ..Options::default() });
        assert_eq!(checked.outcome.verdict(), Verdict::Limit(LimitKind::Memory));
    }
}

#[test]
fn no_time_at_all_is_an_answer_too() {
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let checked = run(&large(), Options { limits, ..Options::default() });
    assert_eq!(checked.outcome.verdict(), Verdict::Limit(LimitKind::Time));
}

#[test]
fn the_flag_ends_any_iteration() {
    for jobs in [1, 2] {
        let flag = AtomicBool::new(false);
        let mut last = Progress::default();
        let mut tell = |progress: &Progress| {
            assert!(progress.elapsed >= last.elapsed);
            last = *progress;
            flag.store(true, Ordering::Relaxed);
        };
        let mut control = Control {
            stop: Some(&flag),
            full: None,
            interval: Duration::from_millis(5),
            progress: Some(&mut tell),
            abandon: None,
        };
        let options = Options { jobs, ..Options::default() };
        let checked = check(&Pupil::new(large()), &Deadlock, &options, &mut control);
        let checked = checked.expect("the options fit");
        assert_eq!(checked.outcome.verdict(), Verdict::Interrupted);
        assert!(last.states > 0);
    }
}

#[test]
fn a_flag_that_is_set_from_the_beginning_ends_the_scouting() {
    let flag = AtomicBool::new(true);
    let mut control = Control { stop: Some(&flag), ..Control::default() };
    // Longer than the pilots' looks at the flag are apart.
    let mut program = large();
    program.threads[2] = [Op::Lock(1), Op::Unlock(1)].repeat(200);
    let checked = check(&Pupil::new(program), &Deadlock, &Options::default(), &mut control);
    let checked = checked.expect("the options fit");
    assert_eq!((checked.outcome.verdict(), checked.iterations), (Verdict::Interrupted, 0));
}

#[test]
fn deepening_on_bits_is_refused() {
    let store = StoreKind::Bitstate { bytes: 1 << 20 };
    for algorithm in [Algorithm::IterativeDeepening, Algorithm::Ida] {
        let options = Options { algorithm, store, ..Options::default() };
        let refused = check(&Pupil::new(large()), &Deadlock, &options, &mut Control::default());
        assert_eq!(refused.expect_err("they do not fit"), Mismatch::DeepeningOnBits);
    }
}

#[test]
fn the_depth_limit_is_one_of_every_iteration() {
    let program = Program { threads: vec![vec![Op::Store(0)], vec![Op::Load(0)]], cells: 1 };
    let limits = Limits { depth: Some(1), ..Limits::default() };
    for algorithm in [Algorithm::BreadthFirst, Algorithm::IterativeDeepening] {
        // Depth 1 is not enough to learn that the cell is shared; the cut has to show.
        let checked = run(&program, Options { algorithm, limits, ..without_pilots() });
        assert_eq!(checked.outcome.verdict(), Verdict::Limit(LimitKind::Depth));
        let enough = Limits { depth: Some(2), ..limits };
        let checked = run(&program, Options { algorithm, limits: enough, ..without_pilots() });
        assert_eq!((checked.outcome.verdict(), checked.iterations), (Verdict::Complete, 2));
    }
}

#[test]
fn the_width_is_one_of_every_iteration() {
    let program = Program { threads: vec![vec![Op::Store(0)], vec![Op::Load(0)]], cells: 1 };
    let beam =
        |width| run(&program, Options { algorithm: Algorithm::Beam { width }, ..without_pilots() });
    // One path is enough to learn that the cell is shared, and to drop the other one.
    let narrow = beam(1);
    assert_eq!(
        (narrow.outcome.verdict(), narrow.iterations),
        (Verdict::Limit(LimitKind::Width), 2)
    );
    let wide = beam(2);
    assert_eq!((wide.outcome.verdict(), wide.iterations), (Verdict::Complete, 2));
}
