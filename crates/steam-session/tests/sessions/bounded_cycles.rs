//! Livelocks within bounds on switches: those that the naive twin finds, which knows all paths by their least cost.
//!
//! A livelock within a bound is a cycle whose switches cost nothing, on a path that costs at most the bound. It has to be
//! fair to all who could act without the bound.

use std::collections::{BTreeMap, BTreeSet};

use steam_search::cycles::Fairness;
use steam_session::{Algorithm, Bound, Options};

use crate::iterations::{run, without_pilots};
use crate::naive::random_looping_program;
use crate::toy::{Act, LIVELOCK, Op, Program};

/// A state, and who acted last.
type Place = (Vec<u32>, Option<usize>);

/// A step that a thread does from one place to another one, and what it costs.
struct Arc {
    from: Place,
    to: Place,
    thread: usize,
    cost: u32,
}

/// Who can act in a state.
fn able(program: &Program, state: &[u32]) -> BTreeSet<usize> {
    let acts = |thread: &usize| {
        program.pending(state, *thread).is_some() && !program.is_blocked(state, *thread)
    };
    (0..program.threads.len()).filter(acts).collect()
}

/// One operation of a thread, and those after it that no other one sees.
fn step(program: &Program, state: &[u32], thread: usize) -> Vec<u32> {
    let mut next = state.to_vec();
    loop {
        assert_eq!(program.act(&mut next, thread), Act::Done);
        let seen = |op| matches!(op, Op::Watch(_) | Op::Lock(_) | Op::Unlock(_));
        if program.pending(&next, thread).is_none_or(seen) {
            return next;
        }
    }
}

/// What it costs that a thread acts.
fn cost(program: &Program, (state, last): &Place, thread: usize, bound: Bound) -> u32 {
    let Some(last) = *last else { return 0 };
    let able = able(program, state);
    let count = program.threads.len();
    let turn = |it: usize| (it + count - last) % count;
    match bound {
        Bound::Preemptions(_) => u32::from(thread != last && able.contains(&last)),
        Bound::Delays(_) => able.iter().filter(|it| turn(**it) < turn(thread)).count() as u32,
    }
}

fn most(bound: Bound) -> u32 {
    match bound {
        Bound::Preemptions(most) | Bound::Delays(most) => most,
    }
}

/// The steps that cost nothing between places to which a path within the bound leads.
fn free_arcs(program: &Program, bound: Bound) -> Vec<Arc> {
    let mut least = BTreeMap::from([((program.initial(), None), 0)]);
    let mut open: Vec<Place> = least.keys().cloned().collect();
    let mut arcs = BTreeMap::new();
    while let Some(from) = open.pop() {
        for thread in able(program, &from.0) {
            let to = (step(program, &from.0, thread), Some(thread));
            let cost = cost(program, &from, thread, bound);
            let spent = least[&from] + cost;
            if spent > most(bound) {
                continue;
            }
            if least.get(&to).is_none_or(|known| spent < *known) {
                least.insert(to.clone(), spent);
                open.push(to.clone());
            }
            arcs.insert((from.clone(), thread), Arc { from: from.clone(), to, thread, cost });
        }
    }
    arcs.into_values().filter(|arc| arc.cost == 0).collect()
}

/// Where steps lead from a place, by one or more of them.
fn reach(from: &Place, arcs: &[&Arc]) -> BTreeSet<Place> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from.clone()];
    while let Some(place) = open.pop() {
        let next = arcs.iter().filter(|arc| arc.from == place).map(|arc| &arc.to);
        open.extend(next.filter(|to| reached.insert((*to).clone())).cloned());
    }
    reached
}

/// Whether some of the steps make a fair cycle.
fn has_fair_cycle(program: &Program, arcs: &[&Arc], fairness: Fairness) -> bool {
    let places: BTreeSet<&Place> = arcs.iter().map(|arc| &arc.from).collect();
    let reached: BTreeMap<&Place, BTreeSet<Place>> =
        places.iter().map(|place| (*place, reach(place, arcs))).collect();
    places.iter().any(|place| {
        let joins = |other: &Place| {
            reached[place].contains(other)
                && reached.get(other).is_some_and(|back| back.contains(*place))
        };
        let inner: Vec<&Arc> =
            arcs.iter().filter(|arc| joins(&arc.from) && joins(&arc.to)).copied().collect();
        let acting: BTreeSet<usize> = inner.iter().map(|arc| arc.thread).collect();
        let able = |arc: &&Arc| able(program, &arc.from.0);
        let sometimes: BTreeSet<usize> = inner.iter().flat_map(able).collect();
        let always = |it: &usize| inner.iter().all(|arc| able(arc).contains(it));
        let idle = |it: &usize| !acting.contains(it);
        if inner.is_empty() {
            return false;
        }
        match fairness {
            Fairness::None => true,
            Fairness::Weak => !sometimes.iter().any(|it| always(it) && idle(it)),
            Fairness::Strong => match sometimes.iter().find(|it| idle(it)) {
                None => true,
                // Who never acts must not be able to: a cycle stays where that is so.
                Some(it) => {
                    let without = inner.iter().filter(|arc| !able(arc).contains(it)).copied();
                    has_fair_cycle(program, &without.collect::<Vec<_>>(), fairness)
                }
            },
        }
    })
}

/// A run that is reported is a livelock: it keeps to the bound, comes back, costs nothing on its cycle, and is fair.
fn assert_livelock(program: &Program, trail: &[u32], begins: usize, wanted: (Bound, Fairness)) {
    let (bound, fairness) = wanted;
    let mut places = vec![(program.initial(), None)];
    let mut costs = Vec::new();
    for &thread in trail {
        let (thread, place) = (thread as usize, &places[places.len() - 1]);
        assert!(able(program, &place.0).contains(&thread));
        costs.push(cost(program, place, thread, bound));
        places.push((step(program, &place.0, thread), Some(thread)));
    }
    assert!(costs.iter().sum::<u32>() <= most(bound) && begins < trail.len());
    assert_eq!(costs[begins..].iter().sum::<u32>(), 0);
    assert_eq!(places[begins].0, places[trail.len()].0);
    for thread in (0..program.threads.len()).filter(|it| !trail[begins..].contains(&(*it as u32))) {
        let mut able = places[begins..].iter().map(|(state, _)| able(program, state));
        match fairness {
            Fairness::None => {}
            Fairness::Weak => assert!(able.any(|able| !able.contains(&thread))),
            Fairness::Strong => assert!(able.all(|able| !able.contains(&thread))),
        }
    }
}

/// Loops over two locks that all can look at; all but the registers is visible, and nothing is learned.
fn looping_program(seed: u64) -> Program {
    let mut program = random_looping_program(seed);
    for thread in &mut program.threads {
        // Looking again means looking.
        let visible = |op: &Op| match *op {
            Op::Load(cell) | Op::Watch(cell) => Op::Watch(cell % 2),
            Op::Store(cell) | Op::Lock(cell) => Op::Lock(cell % 2),
            Op::Unlock(cell) => Op::Unlock(cell % 2),
            Op::Expect(value, _) | Op::Add(value) => Op::Unlock(value as usize % 2),
            op => op,
        };
        *thread = thread.iter().map(visible).collect();
    }
    program.cells = 2;
    program
}

#[test]
fn livelocks_within_a_bound_are_those_of_free_cycles() {
    let (mut wrong, mut right, mut hidden, mut unfair) = (0, 0, 0, 0);
    for seed in 0..250 {
        let program = looping_program(seed);
        for bound in (0..3).flat_map(|most| [Bound::Preemptions(most), Bound::Delays(most)]) {
            let arcs = free_arcs(&program, bound);
            let arcs: Vec<&Arc> = arcs.iter().collect();
            for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
                let algorithm = Algorithm::Cycles { fairness };
                let bounded =
                    Options { algorithm, all: true, bound: Some(bound), ..without_pilots() };
                let outcome = run(&program, bounded).outcome;
                let found = outcome.violations.iter().find(|it| it.what == LIVELOCK);
                let expected = has_fair_cycle(&program, &arcs, fairness);
                let about = format!("seed {seed} {bound:?} {fairness:?} {program:?}");
                assert_eq!(found.is_some(), expected, "{about}");
                if let Some(found) = found {
                    let (trail, begins) = (found.trail.as_ref().unwrap(), found.cycle.unwrap());
                    assert_livelock(&program, trail, begins as usize, (bound, fairness));
                    wrong += 1;
                    continue;
                }
                right += 1;
                unfair += u32::from(has_fair_cycle(&program, &arcs, Fairness::None));
                let unbounded = run(&program, Options { bound: None, ..bounded }).outcome;
                hidden += u32::from(unbounded.violations.iter().any(|it| it.what == LIVELOCK));
            }
        }
    }
    assert!(wrong > 100 && right > 100, "{wrong} {right}");
    assert!(hidden > 10 && unfair > 10, "{hidden} {unfair}");
}
