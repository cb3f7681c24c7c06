//! Every store against a plain map of whole vectors: what is new, what is seen, what is rebuilt.

use std::collections::HashMap;
use std::thread;

use steam_model::{Delta, Insert, StateId, Visited};
use steam_store::{BitStore, FullStore, Hash128Store, TreeStore};

/// A small deterministic source of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as usize % bound
    }
}

/// The shape of the random vectors of one test.
#[derive(Clone, Copy)]
struct Shape {
    slots: usize,
    components: usize,
    changes: usize,
}

const SHAPES: [Shape; 4] = [
    Shape { slots: 3, components: 3, changes: 2 },
    Shape { slots: 9, components: 2, changes: 3 },
    Shape { slots: 70, components: 4, changes: 5 },
    Shape { slots: 1500, components: 1000, changes: 9 },
];

/// A delta from `vector` to a neighbour of it, and that neighbour.
fn neighbour(numbers: &mut Numbers, shape: Shape, vector: &[u32]) -> (Delta, Vec<u32>) {
    let mut delta = Delta::new();
    let mut next = vector.to_vec();
    next.resize(shape.slots, 0);
    // Now and then the vector loses its end, so that trees shrink as well as grow.
    if numbers.below(8) == 0 {
        let keep = numbers.below(shape.slots);
        for (slot, id) in next.iter_mut().enumerate().skip(keep) {
            delta.record(slot as u32, *id, 0);
            *id = 0;
        }
    }
    for _ in 0..numbers.below(shape.changes + 1) {
        let reach = 1 + numbers.below(shape.slots);
        let slot = numbers.below(reach);
        let id = numbers.below(shape.components) as u32;
        delta.record(slot as u32, next[slot], id);
        next[slot] = id;
    }
    delta.normalise();
    let used = next.iter().rposition(|&id| id != 0).map_or(0, |last| last + 1);
    next.truncate(used);
    (delta, next)
}

/// The whole vector of a stored state, by way of another one.
fn rebuilt<V: Visited>(store: &V, base: (Option<V::Key>, &[u32]), state: V::Key) -> Vec<u32> {
    let mut delta = Delta::new();
    store.difference(base.0, state, &mut delta);
    assert!(delta.changes().is_sorted_by(|a, b| a.slot < b.slot));
    let mut vector = base.1.to_vec();
    delta.apply(&mut vector);
    vector
}

fn agrees_with_a_map<V: Visited>(store: &V, shape: Shape, rounds: usize) {
    let mut numbers = Numbers(shape.slots as u64);
    let mut scratch = store.scratch();
    let mut twin: HashMap<Vec<u32>, usize> = HashMap::new();
    let mut states: Vec<(V::Key, Vec<u32>)> = Vec::new();
    let mut base = (None, Vec::new());
    for _ in 0..rounds {
        let (delta, next) = neighbour(&mut numbers, shape, &base.1);
        let known = twin.get(&next).copied();
        match store.insert(&mut scratch, base.0, delta.changes()).expect("there is no limit") {
            Insert::New(key) => {
                assert_eq!(known, None, "{next:?} is not new");
                assert_eq!(V::id(key), StateId(states.len() as u32));
                twin.insert(next.clone(), states.len());
                states.push((key, next));
            }
            Insert::Seen(key) => {
                let number = known.expect("a state that was never inserted is not seen");
                assert!(key.is_none_or(|key| V::id(key) == StateId(number as u32)));
            }
        }
        let pick = &states[numbers.below(states.len())];
        if store.rebuilds() {
            let from = (base.0, base.1.as_slice());
            assert_eq!(rebuilt(store, from, pick.0), pick.1);
            assert_eq!(rebuilt(store, (None, &[]), pick.0), pick.1);
        }
        base = (Some(pick.0), pick.1.clone());
    }
    assert_eq!(store.len(), twin.len());
    assert!(states.len() > 20, "the test has to insert something");
}

#[test]
fn tree_agrees() {
    for shape in SHAPES {
        agrees_with_a_map(&TreeStore::default(), shape, 4000);
    }
}

#[test]
fn tree_agrees_when_its_slots_are_arranged_anew() {
    // Enough random states for the store to look at its arrangement.
    for shape in &SHAPES[2..] {
        agrees_with_a_map(&TreeStore::default(), *shape, 12_000);
    }
}

/// The vector of a number: many slots that have nothing to do with each other, so that no
/// arrangement is small and the store tries another one at each look.
fn entangled(number: u32) -> Vec<u32> {
    let mut numbers = Numbers(u64::from(number));
    let mut vector: Vec<u32> = (0..20).map(|_| 1 + numbers.below(50) as u32).collect();
    vector.push(number + 1);
    vector
}

#[test]
fn states_keep_their_numbers_while_several_workers_insert_and_the_store_moves_them() {
    const STATES: u32 = 70_000;
    let store = TreeStore::default();
    let keys: Vec<Vec<(u32, StateId)>> = thread::scope(|scope| {
        let worker = |offset: u32| {
            let store = &store;
            scope.spawn(move || {
                let mut scratch = store.scratch();
                let number = |step| (step + offset * 300) % STATES;
                let key = |number| {
                    let delta = Delta::from_empty(&entangled(number));
                    match store.insert(&mut scratch, None, delta.changes()) {
                        Ok(Insert::New(key) | Insert::Seen(Some(key))) => (number, key),
                        other => panic!("{other:?}"),
                    }
                };
                (0..STATES).map(number).map(key).collect()
            })
        };
        let workers: Vec<_> = (0..4).map(worker).collect();
        workers.into_iter().map(|worker| worker.join().expect("no panic")).collect()
    });
    assert_eq!(store.len(), STATES as usize);
    for (number, key) in keys.into_iter().flatten() {
        assert_eq!(rebuilt(&store, (None, &[]), key), entangled(number));
    }
}

#[test]
fn a_step_that_changes_everything_does_not_spoil_the_arrangement() {
    // Six threads with two slots each, far from each other. The first step starts all of them.
    let store = TreeStore::default();
    let mut scratch = store.scratch();
    let first = store.insert(&mut scratch, None, Delta::from_empty(&[7; 12]).changes());
    let Ok(Insert::New(first)) = first else { panic!("{first:?}") };
    let mut start = Delta::new();
    (0..12).for_each(|slot| start.record(slot, 7, 100));
    let started = store.insert(&mut scratch, Some(first), start.changes());
    let Ok(Insert::New(started)) = started else { panic!("{started:?}") };
    let mut open = vec![(started, [0u32; 6])];
    while let Some((state, places)) = open.pop() {
        for thread in 0..6 {
            let mut next = places;
            next[thread as usize] = (next[thread as usize] + 1) % 7;
            let (old, new) = (100 + places[thread as usize], 100 + next[thread as usize]);
            let mut delta = Delta::new();
            delta.record(thread, old, new);
            delta.record(11 - thread, old, new);
            match store.insert(&mut scratch, Some(state), delta.changes()) {
                Ok(Insert::New(key)) => open.push((key, next)),
                Ok(Insert::Seen(Some(_))) => {}
                other => panic!("{other:?}"),
            }
        }
    }
    assert_eq!(store.len(), 1 + 7usize.pow(6));
    assert!(store.inner_nodes() <= 2000, "{}", store.inner_nodes());
}

#[test]
fn full_agrees() {
    for shape in SHAPES {
        agrees_with_a_map(&FullStore::default(), shape, 2000);
    }
}

#[test]
fn hash128_agrees() {
    for shape in SHAPES {
        agrees_with_a_map(&Hash128Store::default(), shape, 4000);
    }
}

#[test]
fn bits_agree_while_there_is_room() {
    for shape in SHAPES {
        agrees_with_a_map(&BitStore::new(64 << 20), shape, 4000);
    }
}

#[test]
fn a_small_bit_store_loses_states_and_never_invents_one() {
    let store = BitStore::new(1024);
    let mut delta = Delta::new();
    let mut new = 0;
    for id in 1..20_000 {
        delta.clear();
        delta.record(id % 50, 0, id);
        let inserted = store.insert(&mut (), None, delta.changes()).expect("bits never end");
        new += usize::from(matches!(inserted, Insert::New(_)));
    }
    assert!(new < 10_000 && new == store.len());
}

/// Four workers insert overlapping parts of one product space.
fn one_worker_is_told<V: Visited>(store: &V) {
    const SIDE: u32 = 60;
    let new: usize = thread::scope(|scope| {
        let workers: Vec<_> = (0..4u32)
            .map(|worker| {
                scope.spawn(move || {
                    let mut scratch = store.scratch();
                    let mut new = 0;
                    for number in 0..SIDE * SIDE * SIDE {
                        let number = (number + worker * 20_000) % (SIDE * SIDE * SIDE);
                        let vector = [
                            1 + number % SIDE,
                            7,
                            number / SIDE % SIDE,
                            0,
                            5,
                            number / SIDE / SIDE,
                        ];
                        let delta = Delta::from_empty(&vector);
                        let inserted = store.insert(&mut scratch, None, delta.changes());
                        new += usize::from(matches!(inserted, Ok(Insert::New(_))));
                    }
                    new
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("no panic")).sum()
    });
    let states = (SIDE * SIDE * SIDE) as usize;
    assert_eq!((new, store.len()), (states, states));
}

#[test]
fn exactly_one_of_several_workers_inserts_a_state() {
    one_worker_is_told(&TreeStore::default());
    one_worker_is_told(&FullStore::default());
    one_worker_is_told(&Hash128Store::default());
    one_worker_is_told(&BitStore::new(256 << 20));
}

/// Inserts ever new states until the store refuses; the ones before must still be there.
fn refuses_cleanly<V: Visited>(store: &V, limit: u64) {
    let mut scratch = store.scratch();
    let vector = |number: u32| Delta::from_empty(&[1, number, 2, number ^ 77, 3, number * 5]);
    let refused =
        (1..).find(|&number| store.insert(&mut scratch, None, vector(number).changes()).is_err());
    let refused = refused.expect("the limit is finite");
    assert!(refused > 1000, "{refused}");
    assert!(store.bytes() <= 2 * limit);
    let seen = store.insert(&mut scratch, None, vector(refused - 1).changes());
    assert!(matches!(seen, Ok(Insert::Seen(_))));
}

#[test]
fn a_limit_ends_in_an_answer() {
    refuses_cleanly(&TreeStore::with_limit(1 << 20), 1 << 20);
    refuses_cleanly(&FullStore::with_limit(1 << 20), 1 << 20);
    refuses_cleanly(&Hash128Store::with_limit(1 << 20), 1 << 20);
}

#[test]
fn a_slot_out_of_reach_is_refused() {
    let store = TreeStore::default();
    let mut delta = Delta::new();
    delta.record(u32::MAX, 0, 1);
    assert!(store.insert(&mut store.scratch(), None, delta.changes()).is_err());
}

#[test]
fn independent_parts_cost_one_node_a_state() {
    // Two halves with 300 values each: 90,000 states share 600 subtrees.
    let store = TreeStore::default();
    let mut scratch = store.scratch();
    for left in 1..=300 {
        for right in 1..=300 {
            let delta = Delta::from_empty(&[left, 0, 1, 1, 9, right, 1, 1]);
            assert!(store.insert(&mut scratch, None, delta.changes()).is_ok());
        }
    }
    assert_eq!(store.len(), 90_000);
    assert!(store.inner_nodes() <= 2000, "{}", store.inner_nodes());
}

#[test]
fn slots_that_change_together_and_slots_that_do_not_change_are_cheap() {
    // Four threads with two slots and ten local states each, all in the first eighth of a vector
    // whose other slots never change.
    let store = TreeStore::default();
    let mut scratch = store.scratch();
    let mut vector = vec![3; 64];
    vector[..8].fill(100);
    let first = store.insert(&mut scratch, None, Delta::from_empty(&vector).changes());
    let Ok(Insert::New(first)) = first else { panic!("{first:?}") };
    let mut open = vec![(first, [0u32; 4])];
    while let Some((state, places)) = open.pop() {
        for thread in 0..4 {
            let mut next = places;
            next[thread as usize] = (next[thread as usize] + 1) % 10;
            let (old, new) = (100 + places[thread as usize], 100 + next[thread as usize]);
            let mut delta = Delta::new();
            delta.record(2 * thread, old, new);
            delta.record(2 * thread + 1, old, new);
            match store.insert(&mut scratch, Some(state), delta.changes()) {
                Ok(Insert::New(key)) => open.push((key, next)),
                Ok(Insert::Seen(Some(_))) => {}
                other => panic!("{other:?}"),
            }
        }
    }
    assert_eq!(store.len(), 10_000);
    assert!(store.inner_nodes() <= 400, "{}", store.inner_nodes());
}
