//! The naive twin of the search for cycles: the whole product in memory, and the textbook search for
//! accepting cycles (Courcoubetis, Vardi, Wolper, Yannakakis 1992) on the degeneralised automaton.
//!
//! Weak fairness is one more acceptance set for each agent: moves by which it acts, or from states in
//! which it cannot. Strong fairness guesses who will never be able to act any more: only states count in
//! which they are not, and all others have to act again and again.

use std::collections::{BTreeSet, HashMap};

use steam_ltl::{Formulas, StateId, Syntax, translate_plainly};
use steam_search::cycles::Fairness;

use super::Hashed;
use crate::random_formula::atoms;
use crate::toys::{Act, AnyToy, Toy, trimmed};

const AGENTS: u32 = 3;

struct Arc {
    to: usize,
    marks: u64,
    agent: Option<u32>,
}

/// A system and the automaton of a formula's violations.
pub struct Product {
    able: Vec<BTreeSet<u32>>,
    arcs: Vec<Vec<Arc>>,
    sets: u32,
}

impl Product {
    pub fn of(toy: &AnyToy, propositions: &Hashed, syntax: &Syntax) -> Self {
        let mut formulas = Formulas::new();
        let formula = formulas.formula(syntax);
        let negation = formulas.not(formula);
        let automaton = translate_plainly(&mut formulas, negation, &atoms()).unwrap();
        let mut product = Self { able: Vec::new(), arcs: Vec::new(), sets: automaton.sets };
        let mut numbers = HashMap::from([((trimmed(toy.initial()), automaton.initial), 0)]);
        let mut todo = vec![(toy.initial(), automaton.initial)];
        let mut next = 0;
        while let Some((state, at)) = todo.get(next).cloned() {
            next += 1;
            let actions = toy.actions(&state);
            product.able.push(actions.iter().map(|(agent, _)| *agent).collect());
            let mut steps: Vec<(Option<u32>, Vec<u32>)> = Vec::new();
            for action in &actions {
                let mut to = state.clone();
                if toy.act(&mut to, *action) == Act::Done {
                    steps.push((Some(action.0), to));
                }
            }
            if actions.is_empty() {
                steps.push((None, state.clone()));
            }
            let mut arcs = Vec::new();
            for (agent, to) in steps {
                for one in automaton.successors(at, propositions.of(&state)) {
                    let key: (Vec<u32>, StateId) = (trimmed(to.clone()), one.target);
                    let known = numbers.len();
                    let number = *numbers.entry(key).or_insert(known);
                    if number == known {
                        todo.push((to.clone(), one.target));
                    }
                    arcs.push(Arc { to: number, marks: one.marks.0, agent });
                }
            }
            product.arcs.push(arcs);
        }
        product
    }

    pub fn is_violated(&self, fairness: Fairness) -> bool {
        let agents: BTreeSet<u32> = (0..AGENTS).collect();
        match fairness {
            Fairness::None => self.has_cycle(&[0], &BTreeSet::new(), &[], |_, _, _| false),
            Fairness::Weak => {
                let served = |agent, from: usize, arc: &Arc| {
                    arc.agent == Some(agent) || !self.able[from].contains(&agent)
                };
                let all: Vec<u32> = agents.into_iter().collect();
                self.has_cycle(&[0], &BTreeSet::new(), &all, served)
            }
            Fairness::Strong => (0..1_u32 << AGENTS).any(|guess| {
                let (gone, acting): (BTreeSet<u32>, BTreeSet<u32>) =
                    agents.iter().partition(|agent| guess >> **agent & 1 == 1);
                let acting: Vec<u32> = acting.into_iter().collect();
                // The guess may be made in any state that can be reached: all of them can.
                let all: Vec<usize> = (0..self.arcs.len()).collect();
                self.has_cycle(&all, &gone, &acting, |agent, _, arc| arc.agent == Some(agent))
            }),
        }
    }

    /// Whether a cycle can be reached without states in which somebody can act who is gone, which has
    /// moves of all sets of the automaton, and one that serves each of the agents.
    fn has_cycle(
        &self,
        initial: &[usize],
        gone: &BTreeSet<u32>,
        agents: &[u32],
        served: impl Fn(u32, usize, &Arc) -> bool,
    ) -> bool {
        let levels = self.sets as usize + agents.len();
        let allowed = |node: usize| self.able[node].is_disjoint(gone);
        let marked =
            |level: usize, from: usize, arc: &Arc| match level.checked_sub(self.sets as usize) {
                None => arc.marks >> level & 1 == 1,
                Some(agent) => served(agents[agent], from, arc),
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

/// The two searches, one within the other.
struct Nested {
    graph: Vec<Vec<usize>>,
    levels: usize,
    outer: Vec<bool>,
    inner: Vec<bool>,
}

impl Nested {
    fn outer(&mut self, node: usize) -> bool {
        if std::mem::replace(&mut self.outer[node], true) {
            return false;
        }
        for at in 0..self.graph[node].len() {
            if self.outer(self.graph[node][at]) {
                return true;
            }
        }
        node % (self.levels + 1) == self.levels && self.inner(node, node)
    }

    /// Whether a node leads back to the one from which the inner search began.
    fn inner(&mut self, node: usize, seed: usize) -> bool {
        for at in 0..self.graph[node].len() {
            let next = self.graph[node][at];
            if next == seed {
                return true;
            }
            if !std::mem::replace(&mut self.inner[next], true) && self.inner(next, seed) {
                return true;
            }
        }
        false
    }
}
