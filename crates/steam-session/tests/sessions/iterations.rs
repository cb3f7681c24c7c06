//! Rounds: how many there are, what they have learned, and what they keep.

use steam_search::{End, Verdict};
use steam_session::{Algorithm, CheckedOf, Control, Options, PilotRuns, check};

use crate::naive::enumerate;
use crate::toy::{Deadlock, Op, Program, Pupil};

/// Without pilots, so that the number of iterations is known.
pub fn without_pilots() -> Options {
    Options { pilot_runs: PilotRuns { runs: 0, steps: 0, tells: true }, ..Options::default() }
}

pub fn run(program: &Program, options: Options) -> CheckedOf<Pupil> {
    let pupil = Pupil::new(program.clone());
    check(&pupil, &Deadlock, &options, &mut Control::default()).expect("the options fit")
}

/// The second cell is only found to be shared when the first one is known to be, and the error
/// only when the second is too.
fn hidden_twice() -> Program {
    let first = vec![
        Op::Set(1),
        Op::Store(0),
        Op::Load(0),
        Op::SkipIf(1, 4),
        Op::Set(5),
        Op::Store(1),
        Op::Load(1),
        Op::Expect(5, 77),
    ];
    let second = vec![Op::Set(2), Op::Store(0), Op::Store(1)];
    Program { threads: vec![first, second], cells: 2 }
}

/// Threads that lock and unlock each its own lock many times, beside what `others` do.
fn busy(others: Vec<Vec<Op>>, count: usize, times: usize) -> Program {
    let mut threads = others;
    let cells = 2 + count;
    let work = |lock| [Op::Lock(lock), Op::Unlock(lock)].repeat(times);
    threads.extend((2..cells).map(work));
    Program { threads, cells }
}

#[test]
fn an_error_that_takes_two_lessons_is_found_in_the_third_iteration() {
    assert!(enumerate(&hidden_twice()).0.contains(&77));
    for jobs in [1, 2] {
        let checked = run(&hidden_twice(), Options { jobs, ..without_pilots() });
        let Verdict::Violation(found) = checked.outcome.verdict() else { panic!("{checked:?}") };
        assert_eq!((found.what, checked.iterations), (77, 3));
        assert_eq!(checked.violation_iterations, [3]);
    }
}

#[test]
fn pilots_save_rounds_and_change_no_verdict() {
    let checked = run(&hidden_twice(), Options::default());
    assert!(matches!(checked.outcome.verdict(), Verdict::Violation(found) if found.what == 77));
    assert!(checked.iterations < 3, "{}", checked.iterations);
}

#[test]
fn a_model_that_learns_nothing_needs_one_iteration() {
    let program = busy(Vec::new(), 2, 2);
    let checked = run(&program, without_pilots());
    assert_eq!((checked.outcome.verdict(), checked.iterations), (Verdict::Complete, 1));
    assert_eq!(checked.outcome.statistics.states, 25);
    assert_eq!(checked.totals.states, 25);
}

#[test]
fn only_the_last_round_counts() {
    let program = busy(vec![vec![Op::Store(0)], vec![Op::Load(0)]], 2, 2);
    let checked = run(&program, without_pilots());
    assert_eq!((checked.outcome.verdict(), checked.iterations), (Verdict::Complete, 2));
    assert_eq!(checked.outcome.statistics.states, 4 * 25);
    assert!(checked.totals.states > checked.outcome.statistics.states);
}

#[test]
fn a_round_that_has_learned_is_abandoned() {
    // Some 40,000 states; what there is to learn shows itself within the first hundred.
    let program = busy(vec![vec![Op::Store(0)], vec![Op::Load(0)]], 4, 5);
    for jobs in [1, 2] {
        for algorithm in [Algorithm::DepthFirst, Algorithm::BreadthFirst] {
            let checked = run(&program, Options { algorithm, jobs, ..without_pilots() });
            assert_eq!((checked.outcome.verdict(), checked.iterations), (Verdict::Complete, 2));
            let last = checked.outcome.statistics.states;
            assert_eq!(last, 4 * 11u64.pow(4));
            let first = checked.totals.states - last;
            assert!((1000..20_000).contains(&first), "{algorithm:?} {jobs}: {first}");
        }
    }
}

#[test]
fn pilots_come_to_the_help_of_a_round_of_long_steps() {
    // Those who go before the first iteration learn the first cell. That the first thread ever writes the second
    // one takes steps of others between its own, which a search in breadth comes to late; and in
    // many of the states before that there is a step that is much work.
    let delay = [Op::Lock(2), Op::Unlock(2)].repeat(4);
    let tries = [Op::Set(1), Op::Store(0), Op::Load(0), Op::SkipIf(1, 1), Op::Store(1)].repeat(6);
    let first = [delay.clone(), tries].concat();
    let second = [delay, [Op::Set(2), Op::Store(0)].repeat(6), vec![Op::Store(1)]].concat();
    let early = |work: u32| {
        let third = vec![Op::Lock(3), Op::Work(work), Op::Unlock(3)];
        let program = busy(vec![first.clone(), second.clone(), third], 2, 4);
        let algorithm = Algorithm::BreadthFirst;
        let checked = run(&program, Options { algorithm, ..Options::default() });
        assert_eq!(
            (checked.outcome.verdict(), checked.iterations),
            (Verdict::Complete, 2),
            "{work}"
        );
        checked.totals.states - checked.outcome.statistics.states
    };
    let (without, with) = (early(1), early(2_000_000));
    assert!(10 * with < without, "{with} and {without} states before the last iteration");
}

#[test]
fn with_all_nothing_that_was_found_gets_lost() {
    // By the rules of the first iteration the first thread runs to its end before anything can stop
    // it; both errors are there in the end, each once.
    let mut program = hidden_twice();
    program.threads.push(vec![Op::Set(3), Op::Expect(4, 88)]);
    let checked = run(&program, Options { all: true, ..without_pilots() });
    let mut names: Vec<_> = checked.outcome.violations.iter().map(|found| found.what).collect();
    names.sort_unstable();
    assert_eq!(names, [77, 88]);
    assert_eq!(checked.violation_iterations.len(), 2);
    assert_eq!((checked.outcome.end, checked.iterations), (End::Exhausted, 3));
}

#[test]
fn what_pilots_found_is_told_if_nothing_else_is() {
    // The only error lies after more states than the search may look at.
    let mut program = busy(Vec::new(), 4, 8);
    program.threads[0].push(Op::Expect(1, 5));
    let limits = steam_session::Limits { states: Some(5), ..Default::default() };
    let options = Options { algorithm: Algorithm::BreadthFirst, limits, ..Options::default() };
    let checked = run(&program, options);
    assert!(matches!(checked.outcome.verdict(), Verdict::Violation(found) if found.what == 5));
    assert_eq!(checked.violation_iterations, [0]);
    let silent = PilotRuns { tells: false, ..options.pilot_runs };
    for pilot_runs in [without_pilots().pilot_runs, silent] {
        let checked = run(&program, Options { pilot_runs, ..options });
        assert!(checked.outcome.violations.is_empty());
    }
}
