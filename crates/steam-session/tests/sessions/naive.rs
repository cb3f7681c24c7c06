//! The naive twin: every operation of every thread is a step of its own, nothing is learned.

use std::collections::{BTreeSet, HashSet};

use steam_search::walk::Numbers;

use crate::toy::{Act, DEADLOCK, Op, Program, is_deadlock};

/// All errors that the program can meet, and all unknowns.
pub fn enumerate(program: &Program) -> (BTreeSet<u32>, BTreeSet<u32>) {
    let (mut errors, mut unknowns) = (BTreeSet::new(), BTreeSet::new());
    let mut seen = HashSet::from([program.initial()]);
    let mut open = vec![program.initial()];
    while let Some(state) = open.pop() {
        if is_deadlock(program, &state) {
            errors.insert(DEADLOCK);
        }
        for thread in 0..program.threads.len() {
            if program.pending(&state, thread).is_none() || program.is_blocked(&state, thread) {
                continue;
            }
            let mut next = state.clone();
            match program.act(&mut next, thread) {
                Act::Done if seen.insert(next.clone()) => open.push(next),
                Act::Done => {}
                Act::Wrong(name) => drop(errors.insert(name)),
                Act::Unknown(name) => drop(unknowns.insert(name)),
            }
        }
    }
    (errors, unknowns)
}

/// A random program of two or three threads on three cells and two locks.
pub fn random_program(seed: u64) -> Program {
    random(seed, |numbers, op| vec![op(numbers)])
}

/// The same with loops that wait for cells to change.
pub fn random_looping_program(seed: u64) -> Program {
    random(seed, |numbers, op| {
        let (cell, value) = (numbers.below(3), numbers.below(2) as u32);
        match numbers.below(10) {
            0 | 1 => vec![Op::Watch(cell), Op::BackIf(value, 1)],
            2 => {
                let other = (cell + 1) % 3;
                let leave = Op::SkipIf(1 - value, 2);
                vec![Op::Watch(cell), leave, Op::Watch(other), Op::BackIf(value, 3)]
            }
            3 => vec![Op::Watch(cell), op(numbers), Op::BackIf(value, 2)],
            _ => vec![op(numbers)],
        }
    })
}

type Draw<'a> = &'a mut dyn FnMut(&mut Numbers) -> Op;

fn random(seed: u64, piece: fn(&mut Numbers, Draw<'_>) -> Vec<Op>) -> Program {
    let mut numbers = Numbers::new(seed);
    let mut name = 0;
    let mut op = |numbers: &mut Numbers| {
        let (cell, value) = (numbers.below(3), numbers.below(3) as u32);
        match numbers.below(12) {
            0..=2 => Op::Load(cell),
            3..=5 => Op::Store(cell),
            6 => Op::Set(value),
            7 => Op::Add(1),
            8 => Op::SkipIf(value, 1 + numbers.below(3)),
            9 => Op::Lock(3 + cell % 2),
            10 => Op::Unlock(3 + cell % 2),
            _ => {
                name += 1;
                Op::Expect(value, name)
            }
        }
    };
    let threads = 2 + numbers.below(2);
    let threads = (0..threads)
        .map(|_| {
            let length = 3 + numbers.below(5);
            (0..length).flat_map(|_| piece(&mut numbers, &mut op)).collect()
        })
        .collect();
    Program { threads, cells: 5 }
}
