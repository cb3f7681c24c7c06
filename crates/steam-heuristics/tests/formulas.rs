//! The heuristics as a search uses them; what each formula says is tested beside it.

use steam_heuristics::{Bounds, Made, PathMemory, TABLE, ThreadFacts, Threads, by_name};
use steam_model::{Change, Delta, Heuristic, Model, Observer, SharedAccess, StepOf};

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

    fn process(&self, action: u32) -> u32 {
        action
    }
}

impl Threads for Still {
    fn threads(&self, state: &State, visit: &mut dyn FnMut(ThreadFacts)) {
        state.iter().copied().for_each(visit);
    }

    fn access(&self, _: &State, _: u32) -> Option<SharedAccess> {
        None
    }
}

/// Threads of which some are blocked.
fn state(blocked: &[bool]) -> State {
    let thread = |(number, &blocked): (u32, &bool)| ThreadFacts {
        number,
        alive: true,
        blocked,
        locks: u32::from(blocked),
        wants: None,
    };
    (1..).zip(blocked).map(thread).collect()
}

fn estimate(name: &str, blocked: &[bool], bounds: Bounds) -> i64 {
    match by_name(name).expect("the name is in the table").make(bounds) {
        Made::OnState(directed) => directed.estimate(&Still, &mut (), &state(blocked), &()),
        Made::OnPath(followed) => {
            followed.estimate(&Still, &mut (), &state(blocked), &PathMemory::default())
        }
    }
}

const BOUNDS: Bounds = Bounds { threads: 4, locks: 4, only_deadlocks: true };

#[test]
fn when_all_are_blocked_with_all_locks_there_is_nothing_left_to_do() {
    for name in ["mb", "lnb", "pl1", "pl2", "pba", "pbb", "pbb-text", "dl"] {
        assert_eq!(estimate(name, &[true; 4], BOUNDS), 0, "{name}");
        assert!(estimate(name, &[true, false, true, true], BOUNDS) > 0, "{name}");
    }
    // Beyond the bounds the order stays.
    assert_eq!(estimate("mb", &[true; 6], BOUNDS), -2);
}

#[test]
fn the_distance_to_a_deadlock_says_nothing_of_other_errors() {
    assert_eq!(estimate("dl", &[false; 4], BOUNDS), 4);
    let all_errors = Bounds { only_deadlocks: false, ..BOUNDS };
    assert_eq!(estimate("dl", &[false; 4], all_errors), 1);
    assert_eq!(estimate("dl", &[true; 4], all_errors), 0);
}

/// A path that is followed step by step is what the formula says, whatever the state.
#[test]
fn ways_are_followed_by_the_actions_that_make_them() {
    let Made::OnPath(int) = by_name("int").expect("it is there").make(BOUNDS) else {
        panic!("it looks at the way");
    };
    let nobody = state(&[false; 2]);
    let memory = [1, 2, 2].iter().fold(PathMemory::default(), |memory, &thread| {
        Heuristic::<Still>::extend(&int, &Still, &memory, &nobody, thread)
    });
    assert_eq!(int.preference(&Still, &mut (), &nobody, &memory), -(16 + 15) * 2);
}

#[test]
fn bounds_follow_from_the_first_state() {
    assert_eq!(Bounds::of(&Still, &state(&[false; 2]), true).threads, 8);
    assert_eq!(Bounds::of(&Still, &state(&[]), true), BOUNDS);
}

#[test]
fn names_are_distinct_and_described() {
    for (position, named) in TABLE.iter().enumerate() {
        assert!(TABLE[..position].iter().all(|other| other.name != named.name));
        assert!(!named.description.is_empty() && !named.description.contains('\n'));
    }
    assert_eq!(TABLE.len(), 11);
    assert!(by_name("mb ").is_none());
}
