//! Errors as they are found: equal ones once, with the cheapest way to each.

use std::collections::HashMap;
use std::hash::Hash;

/// Distinct findings with the place where each was met.
pub(crate) struct Findings<T, P> {
    list: Vec<Found<T, P>>,
    positions: HashMap<T, usize>,
    met: u64,
    /// The cost of the cheapest fatal one.
    cheapest: Option<u32>,
}

/// One finding.
pub(crate) struct Found<T, P> {
    pub(crate) what: T,
    pub(crate) place: P,
    pub(crate) cost: u32,
    /// Whether it ends a search that is not to find all of them.
    pub(crate) fatal: bool,
    /// How often it was met.
    pub(crate) met: u64,
}

impl<T, P> Default for Findings<T, P> {
    fn default() -> Self {
        Self { list: Vec::new(), positions: HashMap::new(), met: 0, cheapest: None }
    }
}

impl<T: Clone + Eq + Hash, P> Findings<T, P> {
    /// Takes note of a finding; its place is asked for only if it is kept.
    pub(crate) fn record(&mut self, what: T, fatal: bool, cost: u32, place: impl FnOnce() -> P) {
        self.add(what, fatal, cost, 1, place);
    }

    fn add(&mut self, what: T, fatal: bool, cost: u32, times: u64, place: impl FnOnce() -> P) {
        self.met += times;
        if fatal {
            self.cheapest = Some(self.cheapest.map_or(cost, |known| known.min(cost)));
        }
        match self.positions.get(&what) {
            Some(&position) => {
                let known = &mut self.list[position];
                known.met += times;
                if cost < known.cost {
                    *known = Found { what, place: place(), cost, fatal, met: known.met };
                }
            }
            None => {
                self.positions.insert(what.clone(), self.list.len());
                self.list.push(Found { what, place: place(), cost, fatal, met: times });
            }
        }
    }

    /// Adds what was found later.
    pub(crate) fn absorb(&mut self, later: Self) {
        for found in later.list {
            self.add(found.what, found.fatal, found.cost, found.met, || found.place);
        }
    }

    /// How often anything was found, equal findings included.
    pub(crate) fn met(&self) -> u64 {
        self.met
    }

    /// The cost of the cheapest fatal finding.
    pub(crate) fn cheapest(&self) -> Option<u32> {
        self.cheapest
    }

    /// The findings in the order in which each was first met, the fatal ones first; of these only the
    /// first of the cheapest unless all are wanted.
    pub(crate) fn into_list(self, all: bool) -> Vec<Found<T, P>> {
        let (mut fatal, others): (Vec<_>, Vec<_>) =
            self.list.into_iter().partition(|found| found.fatal);
        if !all {
            let cheapest = fatal.into_iter().min_by_key(|found| found.cost);
            fatal = cheapest.into_iter().collect();
        }
        fatal.extend(others);
        fatal
    }
}
