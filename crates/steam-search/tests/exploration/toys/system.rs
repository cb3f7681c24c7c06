//! Random transition systems: a graph of nodes, some of them errors, some steps odd.

use steam_search::walk::Numbers;

use super::{Act, Action, Toy};

pub struct System {
    /// For each node its edges, by process and choice.
    edges: Vec<Vec<(Action, Edge)>>,
    errors: Vec<Option<u32>>,
    scramble: u32,
}

#[derive(Clone, Copy)]
enum Edge {
    To(usize),
    Ends(Act),
}

/// How often, in a thousand, odd things happen in a random system.
#[derive(Clone, Copy)]
pub struct Oddity {
    pub wrong_node: usize,
    pub wrong_edge: usize,
    pub unknown_edge: usize,
    pub infeasible_edge: usize,
}

impl System {
    pub fn random(seed: u64, oddity: Oddity) -> Self {
        Self::with_nodes(seed, 200, oddity)
    }

    /// One with so few nodes that some formulas hold of it.
    pub fn small(seed: u64, oddity: Oddity) -> Self {
        Self::with_nodes(seed, 12, oddity)
    }

    fn with_nodes(seed: u64, most: usize, oddity: Oddity) -> Self {
        let mut numbers = Numbers::new(seed);
        let count = 2 + numbers.below(most);
        let degree = 2 + numbers.below(4);
        let mut per_mille = |bound: usize| numbers.below(1000) < bound;
        let errors: Vec<_> =
            (0..count).map(|node| per_mille(oddity.wrong_node).then_some(node as u32)).collect();
        let mut edges = Vec::new();
        for _ in 0..count {
            let mut out = Vec::new();
            for number in 0..numbers.below(degree + 1) as u32 {
                let action = (number / 2, number % 2);
                let what = numbers.below(1000);
                let edge = if what < oddity.wrong_edge {
                    Edge::Ends(Act::Wrong(100 + numbers.below(5) as u32))
                } else if what < oddity.wrong_edge + oddity.unknown_edge {
                    Edge::Ends(Act::Unknown(numbers.below(3) as u32))
                } else if what < oddity.wrong_edge + oddity.unknown_edge + oddity.infeasible_edge {
                    Edge::Ends(Act::Infeasible)
                } else {
                    Edge::To(numbers.below(count))
                };
                out.push((action, edge));
            }
            edges.push(out);
        }
        Self { edges, errors, scramble: numbers.next() as u32 | 1 }
    }

    /// A node as a vector of one to nine slots.
    fn encode(&self, node: usize) -> Vec<u32> {
        let length = 1 + node % 9;
        let mut vector: Vec<u32> =
            (1..length as u32).map(|slot| self.scramble.wrapping_mul(slot) >> 29).collect();
        vector.push(node as u32 + 1);
        vector
    }

    fn decode(state: &[u32]) -> usize {
        let last = state.iter().rev().find(|id| **id != 0).copied().unwrap_or(1);
        last as usize - 1
    }
}

impl Toy for System {
    fn initial(&self) -> Vec<u32> {
        self.encode(0)
    }

    fn actions(&self, state: &[u32]) -> Vec<Action> {
        self.edges[Self::decode(state)].iter().map(|(action, _)| *action).collect()
    }

    fn act(&self, state: &mut Vec<u32>, action: Action) -> Act {
        let edges = &self.edges[Self::decode(state)];
        match edges.iter().find(|(name, _)| *name == action) {
            Some((_, Edge::To(node))) => {
                *state = self.encode(*node);
                Act::Done
            }
            Some((_, Edge::Ends(act))) => *act,
            None => Act::Infeasible,
        }
    }

    fn error(&self, state: &[u32]) -> Option<u32> {
        self.errors[Self::decode(state)]
    }
}
