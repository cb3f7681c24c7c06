//! The naive twin of all searches: a queue and a hash set of whole vectors.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::toys::{Act, Toy, trimmed};

/// What there is to find.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Truth {
    pub states: u64,
    pub transitions: u64,
    /// The greatest distance of a state.
    pub depth: u32,
    /// For each error its distance.
    pub errors: HashMap<u32, u32>,
    pub unknowns: HashSet<u32>,
}

impl Truth {
    pub fn nearest(&self) -> Option<u32> {
        self.errors.values().copied().min()
    }
}

/// Visits everything; `error` says whether a state with so many actions is one.
pub fn enumerate<T: Toy>(toy: &T, error: impl Fn(&[u32], usize) -> Option<u32>) -> Truth {
    let mut truth = Truth::default();
    let mut seen = HashSet::from([trimmed(toy.initial())]);
    let mut queue = VecDeque::from([(toy.initial(), 0)]);
    while let Some((state, distance)) = queue.pop_front() {
        truth.states += 1;
        truth.depth = truth.depth.max(distance);
        let actions = toy.actions(&state);
        if let Some(error) = error(&state, actions.len()) {
            truth.errors.entry(error).or_insert(distance);
        }
        for action in actions {
            truth.transitions += 1;
            let mut next = state.clone();
            match toy.act(&mut next, action) {
                Act::Done if seen.insert(trimmed(next.clone())) => {
                    queue.push_back((next, distance + 1));
                }
                Act::Wrong(error) => {
                    let nearest = truth.errors.entry(error).or_insert(distance + 1);
                    *nearest = (*nearest).min(distance + 1);
                }
                Act::Unknown(unknown) => {
                    truth.unknowns.insert(unknown);
                }
                Act::Done | Act::Infeasible => {}
            }
        }
    }
    truth
}
