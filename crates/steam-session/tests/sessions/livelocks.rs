//! Threads that wait for too many states in a row, and how much of a search is done.

use std::collections::BTreeSet;
use std::time::Duration;

use steam_search::Verdict;
use steam_session::{Algorithm, Control, Limits, Options, Por, Progress, check};

use crate::iterations::{run, without_pilots};
use crate::naive::random_program;
use crate::toy::{Act, Deadlock, LIVELOCK, Op, Program, Pupil};

/// The threads that wait in more than so many successive states of some schedule, while others can go
/// on: going along all schedules, each operation a step.
fn starving(program: &Program, most: u32) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let count = program.threads.len();
    let mut open = vec![(program.initial(), vec![0; count])];
    while let Some((state, before)) = open.pop() {
        let threads = 0..count;
        let able: Vec<usize> = threads
            .filter(|&it| program.pending(&state, it).is_some() && !program.is_blocked(&state, it))
            .collect();
        let waits: Vec<u32> = (0..count)
            .map(|it| if program.is_blocked(&state, it) { before[it] + 1 } else { 0 })
            .collect();
        if !able.is_empty() {
            let first = (0..count).find(|&it| waits[it] > most);
            found.extend(first.map(|thread| LIVELOCK + thread as u32));
        }
        for thread in able {
            let mut next = state.clone();
            if program.act(&mut next, thread) == Act::Done {
                open.push((next, waits.clone()));
            }
        }
    }
    found
}

/// Only locks, which are always visible.
fn locking_program(seed: u64) -> Program {
    let mut program = random_program(seed);
    for (number, thread) in program.threads.iter_mut().enumerate() {
        let locks = |(place, op): (usize, &Op)| match op {
            Op::Load(cell) | Op::Lock(cell) => Op::Lock(cell % 2),
            Op::Unlock(cell) | Op::Store(cell) => Op::Unlock(cell % 2),
            _ => Op::Watch(2 + (place + number) % 2),
        };
        *thread = thread.iter().take(4).enumerate().map(locks).collect();
    }
    program
}

#[test]
fn who_waits_for_too_long_is_found_on_all_schedules() {
    let mut found = 0;
    for seed in 0..150 {
        let program = locking_program(seed);
        for most in [0, 2, 4] {
            let algorithm = Algorithm::Stateless { por: Por::None, livelock: Some(most) };
            let checked = run(&program, Options { algorithm, all: true, ..without_pilots() });
            let names = checked.outcome.violations.iter().map(|found| found.what);
            let names: BTreeSet<u32> = names.filter(|name| *name >= LIVELOCK).collect();
            assert_eq!(names, starving(&program, most), "seed {seed} {most} {program:?}");
            found += names.len();
        }
    }
    assert!(found > 50, "{found}");
}

/// Three threads of four steps each: 12! / (4!)^3 executions.
fn large() -> Program {
    Program { threads: vec![vec![Op::Watch(0); 4]; 3], cells: 1 }
}

#[test]
fn the_part_that_is_done_grows_to_the_whole() {
    let (mut last, mut estimates) = (0, Vec::new());
    let mut tell = |progress: &Progress| {
        let (done, executions) = (progress.done.unwrap(), progress.executions.unwrap());
        assert!(last <= done && done <= 1_000_000, "{last} {done}");
        last = done;
        if done > 0 {
            estimates.push(executions as f64 / f64::from(done) * 1e6);
        }
    };
    let mut control =
        Control { interval: Duration::ZERO, progress: Some(&mut tell), ..Control::default() };
    let algorithm = Algorithm::Stateless { por: Por::None, livelock: None };
    let options = Options { algorithm, ..without_pilots() };
    let checked = check(&Pupil::new(large()), &Deadlock, &options, &mut control).unwrap();
    assert_eq!(checked.outcome.verdict(), Verdict::Complete);
    assert_eq!(checked.outcome.statistics.runs, 34_650);
    assert!(last > 900_000, "{last}");
    let late = &estimates[estimates.len() / 2..];
    assert!(late.iter().all(|estimate| (20_000.0..60_000.0).contains(estimate)), "{late:?}");
}

#[test]
fn the_states_of_an_execution_count_for_the_memory_limit() {
    // One long execution: nothing else grows.
    let program = Program { threads: vec![vec![Op::Watch(0); 1000]], cells: 1 };
    let algorithm = Algorithm::Stateless { por: Por::None, livelock: None };
    let limits = Limits { memory: Some(20_000), ..Limits::default() };
    let checked = run(&program, Options { algorithm, limits, ..without_pilots() });
    let memory = Verdict::Limit(steam_search::LimitKind::Memory);
    assert_eq!(checked.outcome.verdict(), memory);
}
