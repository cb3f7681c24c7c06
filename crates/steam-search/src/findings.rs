//! Errors as they are found: equal ones once, with the cheapest way to each.

use std::collections::HashMap;
use std::hash::Hash;

/// Distinct findings with the place where each was met.
pub(crate) struct Findings<T, P> {
    list: Vec<Found<T, P>>,
    positions: HashMap<T, usize>,
    met: u64,
}

/// One finding.
pub(crate) struct Found<T, P> {
    pub(crate) what: T,
    pub(crate) place: P,
    pub(crate) cost: u32,
}

impl<T, P> Default for Findings<T, P> {
    fn default() -> Self {
        Self { list: Vec::new(), positions: HashMap::new(), met: 0 }
    }
}

impl<T: Clone + Eq + Hash, P> Findings<T, P> {
    /// Takes note of a finding.
    pub(crate) fn record(&mut self, what: T, place: P, cost: u32) {
        self.met += 1;
        match self.positions.get(&what) {
            Some(&position) if self.list[position].cost <= cost => {}
            Some(&position) => self.list[position] = Found { what, place, cost },
            None => {
                self.positions.insert(what.clone(), self.list.len());
                self.list.push(Found { what, place, cost });
            }
        }
    }

    /// Adds what was found later.
    pub(crate) fn absorb(&mut self, later: Self) {
        let met = self.met + later.met;
        for found in later.list {
            self.record(found.what, found.place, found.cost);
        }
        self.met = met;
    }

    /// How often anything was found, equal findings included.
    pub(crate) fn met(&self) -> u64 {
        self.met
    }

    /// The cost of the cheapest finding.
    pub(crate) fn cheapest(&self) -> Option<u32> {
        self.list.iter().map(|found| found.cost).min()
    }

    /// All findings in the order in which each was first met; only the first of the cheapest
    /// ones unless all are wanted.
    pub(crate) fn into_list(self, all: bool) -> Vec<Found<T, P>> {
        if all {
            return self.list;
        }
        self.list.into_iter().min_by_key(|found| found.cost).into_iter().collect()
    }
}
