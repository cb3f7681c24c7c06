//! Bounds on preemptions and delays: what is found within them is what the naive twin finds.

use std::collections::BTreeSet;

use steam_search::{LimitKind, Verdict};
use steam_session::{Algorithm, Bound, Mismatch, Options, Por};

use crate::iterations::{run, without_pilots};
use crate::naive::{enumerate, random_program};
use crate::toy::{Act, DEADLOCK, Deadlock, Op, Program, Pupil, is_deadlock};

/// All errors on schedules within a bound, where each operation is a step: going along all of them.
fn enumerate_within(program: &Program, bound: Bound) -> (BTreeSet<u32>, bool) {
    let mut errors = BTreeSet::new();
    let mut cut = false;
    let mut open = vec![(program.initial(), None, 0)];
    while let Some((state, last, cost)) = open.pop() {
        if is_deadlock(program, &state) {
            errors.insert(DEADLOCK);
        }
        let count = program.threads.len();
        let able = |thread: &usize| {
            program.pending(&state, *thread).is_some() && !program.is_blocked(&state, *thread)
        };
        // Whose turn it is first.
        let first = last.unwrap_or(0);
        let order: Vec<usize> =
            (0..count).map(|turn| (first + turn) % count).filter(able).collect();
        for (passed, &thread) in order.iter().enumerate() {
            let (step, most) = match bound {
                _ if last.is_none() => (0, 0),
                Bound::Preemptions(most) => {
                    let goes_on = order.first().copied() == last;
                    (u32::from(goes_on && last != Some(thread)), most)
                }
                Bound::Delays(most) => (passed as u32, most),
            };
            if last.is_some() && cost + step > most {
                cut = true;
                continue;
            }
            let mut next = state.clone();
            match program.act(&mut next, thread) {
                Act::Done => open.push((next, Some(thread), cost + step)),
                Act::Wrong(name) => drop(errors.insert(name)),
                Act::Unknown(_) => {}
            }
        }
    }
    (errors, cut)
}

/// Only operations that are always visible, so that a step is the same for both.
fn visible_program(seed: u64) -> Program {
    let visible = |op: &Op| match *op {
        Op::Load(cell) => Op::Watch(cell),
        Op::Store(cell) => Op::Lock(3 + cell % 2),
        Op::SkipIf(..) | Op::Add(_) | Op::Set(_) => Op::Unlock(3),
        op => op,
    };
    let mut program = random_program(seed);
    for thread in &mut program.threads {
        *thread = thread.iter().take(4).map(visible).collect();
        // Nothing invisible may come at the end of a step.
        thread.retain(|op| !matches!(op, Op::Expect(..)));
    }
    program
}

const ALGORITHMS: [Algorithm; 4] = [
    Algorithm::DepthFirst,
    Algorithm::BreadthFirst,
    Algorithm::IterativeDeepening,
    Algorithm::Stateless { por: Por::None, livelock: None },
];

fn found(program: &Program, algorithm: Algorithm, bound: Bound) -> (BTreeSet<u32>, bool) {
    let checked =
        run(program, Options { algorithm, bound: Some(bound), all: true, ..without_pilots() });
    let errors = checked.outcome.violations.iter().map(|found| found.what).collect();
    (errors, checked.outcome.end == steam_search::End::Limit(LimitKind::Switches))
}

#[test]
fn what_is_found_within_a_bound_is_what_all_schedules_within_it_have() {
    let (mut wrong, mut hidden) = (0, 0);
    for seed in 0..150 {
        let program = visible_program(seed);
        let all = enumerate(&program).0;
        for most in 0..3 {
            for bound in [Bound::Preemptions(most), Bound::Delays(most)] {
                let expected = enumerate_within(&program, bound);
                assert!(expected.1 || expected.0 == all, "seed {seed} {bound:?}");
                wrong += u32::from(!expected.0.is_empty());
                hidden += u32::from(expected.0.len() < all.len());
                for algorithm in ALGORITHMS {
                    let found = found(&program, algorithm, bound);
                    assert_eq!(found, expected, "seed {seed} {bound:?} {algorithm:?} {program:?}");
                }
            }
        }
    }
    assert!(wrong > 50 && hidden > 5, "{wrong} {hidden}");
}

#[test]
fn a_wide_bound_leaves_nothing_out() {
    for seed in 0..100 {
        let program = random_program(seed);
        let errors = enumerate(&program).0;
        for bound in [Bound::Preemptions(100), Bound::Delays(100)] {
            for algorithm in ALGORITHMS {
                let found = found(&program, algorithm, bound);
                assert_eq!(found, (errors.clone(), false), "seed {seed} {bound:?} {algorithm:?}");
            }
        }
    }
}

#[test]
fn a_verdict_within_a_bound_says_so() {
    // An error only if the second thread comes between two steps of the first.
    let first = vec![Op::Lock(0), Op::Unlock(0), Op::Watch(1), Op::Expect(0, 7)];
    let second = vec![Op::Lock(0), Op::Set(1), Op::Store(1)];
    let program = Program { threads: vec![first, second], cells: 2 };
    let within = |most| found(&program, Algorithm::DepthFirst, Bound::Preemptions(most));
    assert_eq!(within(0), (BTreeSet::from([DEADLOCK]), true));
    assert!(within(1).0.contains(&7));
    let bounded = |program: &Program| {
        let options = Options { bound: Some(Bound::Preemptions(0)), ..without_pilots() };
        run(program, options).outcome.verdict() == Verdict::Limit(LimitKind::Switches)
    };
    let harmless = Program { threads: vec![vec![Op::Lock(0)], vec![Op::Lock(1)]], cells: 2 };
    assert!(!bounded(&harmless), "who has ended is not preempted");
    let longer = Program { threads: vec![vec![Op::Watch(0); 2]; 2], cells: 2 };
    assert!(bounded(&longer));
}

#[test]
fn nothing_may_be_left_out_within_a_bound() {
    let pupil = Pupil::new(random_program(0));
    for por in [Por::Sleep, Por::Persistent, Por::Source] {
        let algorithm = Algorithm::Stateless { por, livelock: None };
        let options = Options { algorithm, bound: Some(Bound::Delays(1)), ..Options::default() };
        let refused = steam_session::check(&pupil, &Deadlock, &options, &mut Default::default());
        assert_eq!(refused.err(), Some(Mismatch::ReductionInBound));
    }
    let bound = Some(Bound::Preemptions(1));
    let options = Options { stubborn: true, bound, ..Options::default() };
    let refused = steam_session::check(&pupil, &Deadlock, &options, &mut Default::default());
    assert_eq!(refused.err(), Some(Mismatch::ReductionInBound));
}
