//! Cycles in random systems, read by random automata: found if and only if reachability says so, and
//! the run that shows one is one.

use std::collections::{BTreeSet, HashMap};

use steam_model::{Automaton, Model, Move, Reading};
use steam_search::cycles::{Fairness, cycles};
use steam_search::walk::Numbers;
use steam_search::{Config, Control, End};
use steam_store::{FullStore, TreeStore};

use crate::naive::enumerate;
use crate::toys::system::{Oddity, System};
use crate::toys::{Act, Action, AnyToy, Errors, Hand, Play, Toy, play, trimmed};

/// What a wrong cycle is called.
const CYCLE: u32 = 3000;

/// An automaton whose moves depend on its state, on the state of the system, and on who acts.
struct Reader {
    states: u32,
    sets: u32,
    seed: u64,
}

impl Reader {
    fn random(seed: u64) -> Self {
        let mut numbers = Numbers::new(seed);
        Self { states: 1 + numbers.below(3) as u32, sets: numbers.below(3) as u32, seed }
    }

    fn read(&self, from: u32, state: &[u32], step: Option<Action>) -> Vec<Move> {
        let letter: u64 = state.iter().map(|it| u64::from(*it)).sum::<u64>() % 5;
        let process = step.map_or(9, |(process, _)| u64::from(process));
        let mut numbers = Numbers::new(self.seed + 1000 * letter + 100 * u64::from(from) + process);
        let mut moves = Vec::new();
        for to in 0..self.states {
            match numbers.below(4) {
                // Else some process acts on almost every cycle.
                _ if process == self.seed % 3 => moves.push(Move::Onward { to }),
                0 => {}
                1 => moves.push(Move::Onward { to }),
                _ => moves.push(Move::Within { to, marks: numbers.below(1 << self.sets) as u64 }),
            }
        }
        moves
    }
}

impl Automaton<Play<AnyToy>> for Reader {
    fn sets(&self) -> u32 {
        self.sets
    }

    fn initial(&self) -> u32 {
        0
    }

    fn moves(
        &self,
        _: &Play<AnyToy>,
        _: &mut Hand,
        from: u32,
        reading: &Reading<'_, Play<AnyToy>>,
        visit: &mut dyn FnMut(Move),
    ) {
        self.read(from, reading.before, reading.step).into_iter().for_each(visit);
    }

    fn violation(&self, _: &Play<AnyToy>, cycle: &[(Vec<u32>, Option<Action>)]) -> u32 {
        assert!(!cycle.is_empty());
        CYCLE
    }
}

/// A move of the product as the twin knows it.
struct Arc {
    from: usize,
    to: usize,
    process: Option<u32>,
    marks: u64,
}

/// The product as a list of nodes and moves that cycles may have.
#[derive(Default)]
struct Graph {
    numbers: HashMap<(Vec<u32>, u32), usize>,
    able: Vec<BTreeSet<u32>>,
    arcs: Vec<Arc>,
}

impl Graph {
    fn of(toy: &AnyToy, reader: &Reader) -> Self {
        let mut graph = Self::default();
        let mut todo = vec![(trimmed(toy.initial()), 0)];
        graph.meet(todo[0].clone());
        while let Some((state, reads)) = todo.pop() {
            let from = graph.numbers[&(state.clone(), reads)];
            let actions = toy.actions(&state);
            graph.able[from] = actions.iter().map(|(process, _)| *process).collect();
            let acts = actions.iter().filter_map(|action| {
                let mut next = state.clone();
                (toy.act(&mut next, *action) == Act::Done).then(|| (Some(*action), trimmed(next)))
            });
            let stays = actions.is_empty().then(|| (None, state.clone()));
            for (action, next) in acts.chain(stays).collect::<Vec<_>>() {
                for it in reader.read(reads, &state, action) {
                    let (to, marks) = match it {
                        Move::Within { to, marks } => (to, Some(marks)),
                        Move::Onward { to } => (to, None),
                    };
                    let key = (next.clone(), to);
                    if graph.meet(key.clone()) {
                        todo.push(key.clone());
                    }
                    let to = graph.numbers[&key];
                    let process = action.map(|(process, _)| process);
                    graph.arcs.extend(marks.map(|marks| Arc { from, to, process, marks }));
                }
            }
        }
        graph
    }

    fn meet(&mut self, key: (Vec<u32>, u32)) -> bool {
        let number = self.numbers.len();
        let new = *self.numbers.entry(key).or_insert(number) == number;
        if new {
            self.able.push(BTreeSet::new());
        }
        new
    }

    /// Whether some set of nodes that reach each other has all that a wrong cycle needs.
    fn is_wrong(&self, marks: u64, fairness: Fairness) -> bool {
        let reach: Vec<Vec<bool>> = (0..self.able.len()).map(|node| self.reach(node)).collect();
        (0..self.able.len()).any(|node| {
            let inside = |other: usize| reach[node][other] && reach[other][node];
            let arcs = || self.arcs.iter().filter(|arc| inside(arc.from) && inside(arc.to));
            let acting: BTreeSet<u32> = arcs().filter_map(|arc| arc.process).collect();
            let starves = |process: &u32| {
                !acting.contains(process)
                    && (0..self.able.len())
                        .all(|other| !inside(other) || self.able[other].contains(process))
            };
            inside(node)
                && arcs().fold(0, |all, arc| all | arc.marks) & marks == marks
                && (fairness == Fairness::None || !self.able[node].iter().any(starves))
        })
    }

    /// Which nodes can be reached by at least one move.
    fn reach(&self, from: usize) -> Vec<bool> {
        let mut reached = vec![false; self.able.len()];
        let mut todo = vec![from];
        while let Some(node) = todo.pop() {
            for arc in self.arcs.iter().filter(|arc| arc.from == node) {
                if !std::mem::replace(&mut reached[arc.to], true) {
                    todo.push(arc.to);
                }
            }
        }
        reached
    }
}

/// Reads a run along: it must be possible, go round, and have what a wrong cycle needs.
fn assert_lasso(
    play: &Play<AnyToy>,
    reader: &Reader,
    trail: &[Action],
    begins: usize,
    fairness: Fairness,
) {
    let mut worker = play.worker();
    let mut states = vec![trimmed(play.initial(&mut worker))];
    for &action in trail {
        let mut next = states[states.len() - 1].clone();
        assert!(play.0.actions(&next).contains(&action));
        assert_eq!(play.0.act(&mut next, action), Act::Done);
        states.push(trimmed(next));
    }
    let last = states.len() - 1;
    assert_eq!(states[begins], states[last], "the run comes back to where the cycle begins");
    if fairness == Fairness::Weak {
        let cycle = if begins == last { begins..last + 1 } else { begins..last };
        let able =
            |state: &Vec<u32>, process| play.0.actions(state).iter().any(|it| it.0 == process);
        for process in 0..3 {
            let acts = trail[begins..].iter().any(|action| action.0 == process);
            assert!(acts || states[cycle.clone()].iter().any(|state| !able(state, process)));
        }
    }
    // The automaton must be able to go round with it, perhaps not in its first round.
    let round = |from: u32, stays: usize| -> Vec<(u32, u64)> {
        let mut now = vec![(from, 0)];
        let steps: Vec<(usize, Option<Action>)> = match begins == last {
            // A run that has ended stays for as long as the automaton needs.
            true => vec![(begins, None); stays],
            false => (begins..last).map(|at| (at, Some(trail[at]))).collect(),
        };
        for (at, action) in steps {
            let mut next = BTreeSet::new();
            for (q, marks) in now {
                for it in reader.read(q, &states[at], action) {
                    if let Move::Within { to, marks: more } = it {
                        next.insert((to, marks | more));
                    }
                }
            }
            now = next.into_iter().collect();
        }
        now
    };
    let all = (1 << reader.sets) - 1;
    assert!((0..reader.states).any(|q| (1..20).any(|stays| round(q, stays).contains(&(q, all)))));
}

#[test]
fn wrong_cycles_are_found_if_and_only_if_there_are_some() {
    let (mut wrong, mut right, mut unfair) = (0, 0, 0);
    for seed in 0..600 {
        let infeasible_edge = 200 * (seed as usize % 4);
        let oddity = Oddity { wrong_node: 0, wrong_edge: 0, unknown_edge: 0, infeasible_edge };
        let play = play(System::random(seed, oddity));
        let reader = Reader::random(seed);
        let graph = Graph::of(&play.0, &reader);
        let marks = (1 << reader.sets) - 1;
        for fairness in [Fairness::None, Fairness::Weak] {
            let store = TreeStore::with_limit(u64::MAX);
            let config = Config::default();
            let outcome = cycles(
                (&play, &Errors),
                (&reader, fairness),
                &store,
                &config,
                &mut Control::default(),
            );
            let expected = graph.is_wrong(marks, fairness);
            assert_eq!(!outcome.violations.is_empty(), expected, "seed {seed} {fairness:?}");
            if let Some(finding) = outcome.violations.first() {
                let (trail, begins) = (finding.trail.as_ref().unwrap(), finding.cycle.unwrap());
                assert_lasso(&play, &reader, trail, begins as usize, fairness);
                wrong += 1;
            } else {
                assert_eq!(outcome.end, End::Exhausted);
                right += 1;
                unfair += usize::from(graph.is_wrong(marks, Fairness::None));
            }
        }
    }
    assert!(wrong > 100 && right > 100 && unfair >= 5, "{wrong} {right} {unfair}");
}

#[test]
fn errors_on_the_way_are_all_found_too() {
    for seed in 0..40 {
        let oddity =
            Oddity { wrong_node: 20, wrong_edge: 20, unknown_edge: 20, infeasible_edge: 20 };
        let play = play(System::random(seed, oddity));
        let truth = enumerate(&play.0, |state, _| play.0.error(state));
        // With one state and all moves the product is the system.
        let reader = Reader { states: 1, sets: 0, seed: 0 };
        let config = Config { all: true, past_unknown: true, ..Config::default() };
        let everything = Everything(reader);
        let outcome = cycles(
            (&play, &Errors),
            (&everything, Fairness::None),
            &FullStore::with_limit(u64::MAX),
            &config,
            &mut Control::default(),
        );
        let errors: BTreeSet<u32> =
            outcome.violations.iter().map(|it| it.what).filter(|it| *it != CYCLE).collect();
        assert_eq!(errors, truth.errors.keys().copied().collect());
        assert_eq!(outcome.unknowns.len(), truth.unknowns.len());
        assert_eq!(outcome.statistics.states, truth.states);
    }
}

/// Reads everything, and takes every other move for one that no cycle may have.
struct Everything(Reader);

impl Automaton<Play<AnyToy>> for Everything {
    fn sets(&self) -> u32 {
        0
    }

    fn initial(&self) -> u32 {
        0
    }

    fn moves(
        &self,
        _: &Play<AnyToy>,
        _: &mut Hand,
        from: u32,
        reading: &Reading<'_, Play<AnyToy>>,
        visit: &mut dyn FnMut(Move),
    ) {
        let Some((process, choice)) = reading.step else { return };
        match (reading.before.len() as u32 + process + choice) % 2 {
            0 => visit(Move::Onward { to: from }),
            _ => visit(Move::Within { to: from, marks: 0 }),
        }
    }

    fn violation(&self, model: &Play<AnyToy>, cycle: &[(Vec<u32>, Option<Action>)]) -> u32 {
        self.0.violation(model, cycle)
    }
}
