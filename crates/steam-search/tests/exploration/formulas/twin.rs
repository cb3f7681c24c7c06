//! The naive twin of the search for cycles: the whole product in memory, and the textbook search for
//! accepting cycles (Courcoubetis, Vardi, Wolper, Yannakakis 1992) on the degeneralised automaton.
//!
//! Weak fairness is one more acceptance set for each process: moves by which it acts, or from states in
//! which it cannot. Strong fairness guesses who will never be able to act any more: only states count in
//! which they are not, and all others have to act again and again. The tests of programs use this file too.

use std::collections::{BTreeSet, HashMap};

use steam_ltl::{Atoms, Formulas, StateId, Syntax, Valuation, translate_plainly};
use steam_model::{Delta, Model, Silent, Step};
use steam_search::cycles::Fairness;

/// All states of a system, by number; the first one is where it begins.
#[derive(Default)]
pub struct Graph {
    /// What holds in each.
    pub holds: Vec<Valuation>,
    /// Who can act in each.
    able: Vec<BTreeSet<u32>>,
    /// Who leads to which state.
    steps: Vec<Vec<(u32, usize)>>,
}

impl Graph {
    /// All states of a model, each told by its whole vector; nothing if there are more than so many. Steps
    /// that lead to no state are left out.
    pub fn of<M: Model>(
        model: &M,
        most: usize,
        mut holds: impl FnMut(&mut M::Worker, &M::State) -> Valuation,
    ) -> Option<Self> {
        let mut worker = model.worker();
        let mut graph = Self::default();
        let initial = model.initial(&mut worker);
        let mut numbers = HashMap::from([(vector(model, &initial), 0)]);
        let mut states = vec![initial];
        while let Some(state) = states.get(graph.steps.len()).cloned() {
            let mut actions = Vec::new();
            model.enabled(&mut worker, &state, &mut actions);
            graph.holds.push(holds(&mut worker, &state));
            graph.able.push(actions.iter().map(|action| model.process(*action)).collect());
            let mut steps = Vec::new();
            for action in actions {
                let mut delta = Delta::new();
                let step = model.step(&mut worker, &state, action, &mut delta, &mut Silent);
                if !matches!(step, Step::Next) {
                    continue;
                }
                delta.normalise();
                let next = model.patch(&mut worker, &state, delta.changes());
                let known = numbers.len();
                let number = *numbers.entry(vector(model, &next)).or_insert(known);
                if number == known {
                    states.push(next);
                }
                steps.push((model.process(action), number));
            }
            graph.steps.push(steps);
            if states.len() > most {
                return None;
            }
        }
        Some(graph)
    }
}

/// The whole vector of a state.
pub fn vector<M: Model>(model: &M, state: &M::State) -> Vec<u32> {
    let mut vector = Vec::new();
    model.describe(state, &mut vector);
    // Zeros at the end do not count.
    Delta::new().apply(&mut vector);
    vector
}

struct Arc {
    to: usize,
    marks: u64,
    process: Option<u32>,
}

/// A system and the automaton of a formula's violations.
pub struct Product {
    able: Vec<BTreeSet<u32>>,
    arcs: Vec<Vec<Arc>>,
    sets: u32,
}

impl Product {
    pub fn of(graph: &Graph, syntax: &Syntax, atoms: &Atoms) -> Self {
        let mut formulas = Formulas::new();
        let formula = formulas.formula(syntax);
        let negation = formulas.not(formula);
        let automaton = translate_plainly(&mut formulas, negation, atoms).unwrap();
        let mut product = Self { able: Vec::new(), arcs: Vec::new(), sets: automaton.sets };
        let mut numbers = HashMap::from([((0, automaton.initial), 0)]);
        let mut todo: Vec<(usize, StateId)> = vec![(0, automaton.initial)];
        let mut next = 0;
        while let Some((state, at)) = todo.get(next).copied() {
            next += 1;
            product.able.push(graph.able[state].clone());
            let mut steps: Vec<(Option<u32>, usize)> =
                graph.steps[state].iter().map(|(process, to)| (Some(*process), *to)).collect();
            if graph.able[state].is_empty() {
                steps.push((None, state));
            }
            let mut arcs = Vec::new();
            for (process, to) in steps {
                for one in automaton.successors(at, graph.holds[state]) {
                    let known = numbers.len();
                    let number = *numbers.entry((to, one.target)).or_insert(known);
                    if number == known {
                        todo.push((to, one.target));
                    }
                    arcs.push(Arc { to: number, marks: one.marks.0, process });
                }
            }
            product.arcs.push(arcs);
        }
        product
    }

    pub fn is_violated(&self, fairness: Fairness) -> bool {
        let processes: BTreeSet<u32> = self.able.iter().flatten().copied().collect();
        match fairness {
            Fairness::None => self.has_cycle(&[0], &BTreeSet::new(), &[], |_, _, _| false),
            Fairness::Weak => {
                let served = |process, from: usize, arc: &Arc| {
                    arc.process == Some(process) || !self.able[from].contains(&process)
                };
                let all: Vec<u32> = processes.into_iter().collect();
                self.has_cycle(&[0], &BTreeSet::new(), &all, served)
            }
            Fairness::Strong => (0..1_u32 << processes.len()).any(|guess| {
                let is_gone = |place: usize| guess >> place & 1 == 1;
                let part = |gone: bool| {
                    let all = processes.iter().enumerate();
                    all.filter(move |(place, _)| is_gone(*place) == gone)
                        .map(|(_, process)| *process)
                };
                let (gone, acting): (BTreeSet<u32>, Vec<u32>) =
                    (part(true).collect(), part(false).collect());
                // The guess may be made in any state that can be reached: all of them can.
                let all: Vec<usize> = (0..self.arcs.len()).collect();
                self.has_cycle(&all, &gone, &acting, |process, _, arc| arc.process == Some(process))
            }),
        }
    }

    /// Whether a cycle can be reached without states in which somebody can act who is gone, which has
    /// moves of all sets of the automaton, and one that serves each of the processes.
    fn has_cycle(
        &self,
        initial: &[usize],
        gone: &BTreeSet<u32>,
        processes: &[u32],
        served: impl Fn(u32, usize, &Arc) -> bool,
    ) -> bool {
        let levels = self.sets as usize + processes.len();
        let allowed = |node: usize| self.able[node].is_disjoint(gone);
        let marked =
            |level: usize, from: usize, arc: &Arc| match level.checked_sub(self.sets as usize) {
                None => arc.marks >> level & 1 == 1,
                Some(process) => served(processes[process], from, arc),
            };
        // A node with the number of sets that were met in turn; with all of them it is accepting.
        let number = |node: usize, level: usize| node * (levels + 1) + level;
        let mut graph = vec![Vec::new(); self.arcs.len() * (levels + 1)];
        for (from, arcs) in self.arcs.iter().enumerate().filter(|(node, _)| allowed(*node)) {
            for arc in arcs.iter().filter(|arc| allowed(arc.to)) {
                for level in 0..=levels {
                    let mut next = if level == levels { 0 } else { level };
                    while next < levels && marked(next, from, arc) {
                        next += 1;
                    }
                    graph[number(from, level)].push(number(arc.to, next));
                }
            }
        }
        let count = graph.len();
        let mut search =
            Nested { graph, levels, outer: vec![false; count], inner: vec![false; count] };
        initial.iter().any(|node| allowed(*node) && search.outer(number(*node, 0)))
    }
}

/// The two searches, one within the other. Their stacks are their own: the graphs of programs are deep.
struct Nested {
    graph: Vec<Vec<usize>>,
    levels: usize,
    outer: Vec<bool>,
    inner: Vec<bool>,
}

impl Nested {
    /// Whether an accepting node that can be reached leads back to itself. When all that follows a node
    /// was seen, it is asked.
    fn outer(&mut self, from: usize) -> bool {
        if std::mem::replace(&mut self.outer[from], true) {
            return false;
        }
        let mut stack = vec![(from, 0)];
        while let Some((node, tried)) = stack.last_mut() {
            if let Some(next) = self.graph[*node].get(*tried).copied() {
                *tried += 1;
                if !std::mem::replace(&mut self.outer[next], true) {
                    stack.push((next, 0));
                }
                continue;
            }
            let node = *node;
            stack.pop();
            if node % (self.levels + 1) == self.levels && self.inner(node) {
                return true;
            }
        }
        false
    }

    /// Whether a node leads back to itself, over nodes from which no earlier one could be reached.
    fn inner(&mut self, seed: usize) -> bool {
        let mut todo = vec![seed];
        while let Some(node) = todo.pop() {
            for at in 0..self.graph[node].len() {
                let next = self.graph[node][at];
                if next == seed {
                    return true;
                }
                if !std::mem::replace(&mut self.inner[next], true) {
                    todo.push(next);
                }
            }
        }
        false
    }
}
