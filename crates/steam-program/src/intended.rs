//! Races that the user says are intended: by the names of variables, members and functions.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use steam_access::{Atomics, Reason, Verdict};
use steam_image::Image;

use super::races::Side;

/// Which races are intended, and which of them were met.
pub(super) struct Intended {
    /// All that is listed counts as atomic here; none if nothing is.
    list: Option<Atomics>,
    /// What is atomic anyway.
    plain: Atomics,
    /// Each entry for itself, where it has to be known which one was met.
    single: Vec<OnceLock<Atomics>>,
    image: Arc<Image>,
    names: Vec<String>,
    /// The entries that were met.
    met: Mutex<BTreeSet<usize>>,
}

impl Intended {
    pub(super) fn new(image: &Arc<Image>, names: &[String]) -> Self {
        let list = (!names.is_empty()).then(|| Atomics::with_list(image, names).0);
        Self {
            list,
            plain: Atomics::new(image),
            single: names.iter().map(|_| OnceLock::new()).collect(),
            image: Arc::clone(image),
            names: names.to_vec(),
            met: Mutex::default(),
        }
    }

    /// Whether a race that has this access is intended.
    pub(super) fn covers(&self, side: Side) -> bool {
        // Without a list nothing is intended, and each race is reported.
        let Some(list) = &self.list else { return false };
        let decide = |atomics: &Atomics| {
            atomics.decide(side.instruction(), side.access.address, side.access.size)
        };
        match decide(list) {
            Verdict::Atomic(Reason::Listed(entry)) => {
                self.met.lock().unwrap_or_else(PoisonError::into_inner).insert(entry);
                true
            }
            // Members are listed as parts of their types, and locals by their functions.
            Verdict::Atomic(_) if !matches!(decide(&self.plain), Verdict::Atomic(_)) => {
                let covers =
                    |entry: &usize| matches!(decide(self.single(*entry)), Verdict::Atomic(_));
                let covering: Vec<usize> = (0..self.names.len()).filter(covers).collect();
                self.met.lock().unwrap_or_else(PoisonError::into_inner).extend(covering);
                true
            }
            Verdict::Atomic(_) | Verdict::Plain | Verdict::Undecided(_) => false,
        }
    }

    /// What one entry says.
    fn single(&self, entry: usize) -> &Atomics {
        let name = &self.names[entry..=entry];
        self.single[entry].get_or_init(|| Atomics::with_list(&self.image, name).0)
    }

    /// Which entries were met, for the report; some were by names that only reports have.
    pub(super) fn note(&self, names: &[String], met_by_name: &[&str]) -> Option<String> {
        let met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let list = |wanted: bool| {
            let is_met =
                |entry: &usize| met.contains(entry) || met_by_name.contains(&&*names[*entry]);
            let matching = (0..names.len()).filter(|entry| is_met(entry) == wanted);
            matching.map(|entry| format!("`{}`", names[entry])).collect::<Vec<_>>().join(", ")
        };
        match (list(true), list(false)) {
            (none, _) if names.is_empty() && none.is_empty() => None,
            (met, rest) if rest.is_empty() => Some(format!("intended races were met: {met}")),
            (met, rest) if met.is_empty() => {
                Some(format!("no race was met on a variable or in a function of {rest}"))
            }
            (met, rest) => Some(format!("intended races were met: {met}; not met: {rest}")),
        }
    }
}
