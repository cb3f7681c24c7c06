//! Errors as they are found: equal ones once, with the cheapest way to each.

use std::collections::HashMap;
use std::hash::Hash;

/// Distinct findings with the place where each was met.
pub(crate) struct Findings<T, P> {
    list: Vec<Found<T, P>>,
    positions: HashMap<T, usize>,
    met: u64,
    cheapest: Option<u32>,
}

/// One finding.
pub(crate) struct Found<T, P> {
    pub(crate) what: T,
    pub(crate) place: P,
    pub(crate) cost: u32,
}

impl<T, P> Default for Findings<T, P> {
    fn default() -> Self {
        Self { list: Vec::new(), positions: HashMap::new(), met: 0, cheapest: None }
    }
}

impl<T: Clone + Eq + Hash, P> Findings<T, P> {
    /// Takes note of a finding; its place is asked for only if it is kept.
    pub(crate) fn record(&mut self, what: T, cost: u32, place: impl FnOnce() -> P) {
        self.met += 1;
        self.cheapest = Some(self.cheapest.map_or(cost, |known| known.min(cost)));
        match self.positions.get(&what) {
            Some(&position) if self.list[position].cost <= cost => {}
            Some(&position) => self.list[position] = Found { what, place: place(), cost },
            None => {
                self.positions.insert(what.clone(), self.list.len());
                self.list.push(Found { what, place: place(), cost });
            }
        }
    }

    /// Adds what was found later.
    pub(crate) fn absorb(&mut self, later: Self) {
        let met = self.met + later.met;
        for found in later.list {
            self.record(found.what, found.cost, || found.place);
        }
        self.met = met;
    }

    /// How often anything was found, equal findings included.
    pub(crate) fn met(&self) -> u64 {
        self.met
    }

    /// The cost of the cheapest finding.
    pub(crate) fn cheapest(&self) -> Option<u32> {
        self.cheapest
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
