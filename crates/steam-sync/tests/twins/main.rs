//! Random small programs, explored exhaustively with the crate and with a simulator that is
//! written in another way: both must find the same ends, deadlocks and misuses.

mod explorer;
mod naive;
mod programs;

use std::collections::BTreeSet;

use programs::{Numbers, Program};

/// How a run of a program can end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// No thread can go on, at least not without a fault.
    Rest {
        /// The threads that are not done; none after a proper end.
        stuck: Vec<u32>,
        /// What each thread's operations returned.
        results: Vec<Vec<i32>>,
        /// Who holds what, and how often.
        held: Vec<(steam_sync::Address, u32, u32)>,
    },
    /// A thread did what it must not.
    Misuse {
        /// The thread.
        thread: u32,
        /// The name of the misuse.
        name: &'static str,
        /// What each thread's operations had returned.
        results: Vec<Vec<i32>>,
    },
}

/// What became of many programs: how many had deadlocks, misuses, proper ends.
#[derive(Default, Debug)]
struct Tally {
    finished: usize,
    deadlocked: usize,
    misused: usize,
    ends: usize,
}

impl Tally {
    fn count(&mut self, ends: &BTreeSet<End>) {
        let rests = |wanted: bool| move |end: &&End| matches!(end, End::Rest { stuck, .. } if stuck.is_empty() == wanted);
        self.finished += usize::from(ends.iter().any(|end| rests(true)(&end)));
        self.deadlocked += usize::from(ends.iter().any(|end| rests(false)(&end)));
        self.misused += usize::from(ends.iter().any(|end| matches!(end, End::Misuse { .. })));
        self.ends += ends.len();
    }
}

#[test]
fn both_ways_find_the_same_ends() {
    let mut tally = Tally::default();
    for seed in 0..2_000 {
        let program = Program::random(&mut Numbers::new(seed));
        let ours = explorer::ends(&program);
        let theirs = naive::ends(&program);
        let missed: Vec<_> = theirs.difference(&ours).collect();
        let invented: Vec<_> = ours.difference(&theirs).collect();
        assert!(
            missed.is_empty() && invented.is_empty(),
            "seed {seed}: missed {missed:#?}, invented {invented:#?} in {program:#?}"
        );
        tally.count(&ours);
    }
    println!("{tally:?}");
    // The programs are worth something only if they end in all ways.
    assert!(tally.finished > 500 && tally.deadlocked > 500 && tally.misused > 500, "{tally:?}");
}
