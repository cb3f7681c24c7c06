//! The formulas on states written down by hand, with the paper's Figure 3 where it applies.

use steam_heuristics::{Bounds, MostBlocked, PreferLocks, TABLE, ThreadFacts, Threads, by_name};
use steam_model::{Change, Delta, Heuristic, Model, Observer, StepOf};

/// A model that has states but does nothing with them.
struct Still;

type State = Vec<ThreadFacts>;

impl Model for Still {
    type State = State;
    type Action = u32;
    type Event = ();
    type Violation = ();
    type Unknown = ();
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, (): &mut ()) -> State {
        Vec::new()
    }

    fn describe(&self, _: &State, _: &mut Vec<u32>) {}

    fn patch(&self, (): &mut (), base: &State, _: &[Change]) -> State {
        base.clone()
    }

    fn enabled(&self, (): &mut (), _: &State, _: &mut Vec<u32>) {}

    fn step<O: Observer<()>>(
        &self,
        (): &mut (),
        _: &State,
        _: u32,
        _: &mut Delta,
        _: &mut O,
    ) -> StepOf<Self> {
        steam_model::Step::Next
    }

    fn agent(&self, action: u32) -> u32 {
        action
    }
}

impl Threads for Still {
    fn threads(&self, state: &State, visit: &mut dyn FnMut(ThreadFacts)) {
        state.iter().copied().for_each(visit);
    }
}

/// Threads 1 to n, by letters: `.` runs, `B` is blocked, `x` has ended; a digit runs and holds so
/// many locks, and `b` is blocked and holds one.
fn state(letters: &str) -> State {
    let thread = |(number, letter): (u32, char)| ThreadFacts {
        number,
        alive: letter != 'x',
        blocked: letter.eq_ignore_ascii_case(&'b'),
        locks: if letter == 'b' { 1 } else { letter.to_digit(10).unwrap_or(0) },
    };
    (1..).zip(letters.chars()).map(thread).collect()
}

fn preference(name: &str, letters: &str) -> i64 {
    let bounds = Bounds { threads: 8, locks: 8 };
    let heuristic = by_name(name).expect("the name is in the table").make(bounds);
    heuristic.preference(&Still, &mut (), &state(letters), &())
}

#[test]
fn figure_three() {
    // Threads 2 and 3 and threads 6 to 8 are blocked: groups of 12 and 72, eight alive in one
    // group of 512.
    assert_eq!(preference("mb", ".BB..BBB"), 5);
    assert_eq!(preference("pl2", ".BB..BBB"), 84 + 512);
    assert_eq!(preference("none", ".BB..BBB"), 0);
}

#[test]
fn locks_count_as_the_square_of_their_sum() {
    assert_eq!(preference("pl2", "12"), 9 + 8);
    assert_eq!(preference("pl2", "1b"), 4 + 2 + 8);
    assert_eq!(preference("mb", "1b"), 1);
}

#[test]
fn threads_that_ended_split_groups() {
    // Threads 1 and 3 are alive: 1 + 3.
    assert_eq!(preference("pl2", ".x."), 4);
    assert_eq!(preference("pl2", "..."), 27);
    assert_eq!(preference("mb", "xxB"), 1);
}

#[test]
fn the_maximum_is_reached_when_all_are_blocked_with_all_locks() {
    let bounds = Bounds { threads: 4, locks: 4 };
    let all = state("bbbb");
    let locks = PreferLocks::new(bounds);
    assert_eq!(Heuristic::<Still>::maximum(&locks), 16 + 128);
    assert_eq!(locks.estimate(&Still, &mut (), &all, &()), 0);
    assert_eq!(MostBlocked::new(bounds).estimate(&Still, &mut (), &all, &()), 0);
    assert_eq!(MostBlocked::new(bounds).estimate(&Still, &mut (), &state("b..."), &()), 3);
    // Beyond the bounds the order stays.
    let more = MostBlocked::new(Bounds { threads: 2, locks: 2 });
    assert_eq!(more.estimate(&Still, &mut (), &all, &()), -2);
}

#[test]
fn bounds_follow_from_the_first_state() {
    assert_eq!(Bounds::of(&Still, &state(".x.")), Bounds { threads: 8, locks: 8 });
    assert_eq!(Bounds::of(&Still, &state("")), Bounds { threads: 4, locks: 4 });
}

#[test]
fn names_are_distinct_and_described() {
    for (position, named) in TABLE.iter().enumerate() {
        assert!(TABLE[..position].iter().all(|other| other.name != named.name));
        assert!(!named.description.is_empty() && !named.description.contains('\n'));
    }
    assert!(by_name("mb ").is_none());
}
