//! What `epoll` watches: a set of descriptions, and what is to be reported of each.

/// A description that is watched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Watched {
    /// The descriptor by which it was named.
    pub descriptor: u32,
    /// The description.
    pub description: u32,
    /// The events that are waited for, as in `struct pollfd`.
    pub events: u16,
    /// What the program wants to get with them.
    pub data: u64,
    /// How often it is reported.
    pub telling: Telling,
    /// When it is reported.
    pub trigger: Trigger,
}

/// When it is reported what happens to a description.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Trigger {
    /// As long as there is something.
    Level,
    /// If there is something, after an event.
    Edge {
        /// Whether there was one since it was reported last.
        happened: bool,
    },
}

/// How often it is reported what happens to a description.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Telling {
    /// Again and again.
    Always,
    /// Once, until the program says otherwise.
    Once,
    /// Not any more.
    Over,
}

/// The descriptions that are watched, ascending.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Watch {
    entries: Vec<Watched>,
}

impl Watch {
    /// All entries.
    pub fn entries(&self) -> &[Watched] {
        &self.entries
    }

    /// Adds an entry, or puts it in the place of the one for the same description.
    pub fn set(&mut self, entry: Watched) {
        self.remove(entry.descriptor, entry.description);
        self.entries.push(entry);
        self.entries.sort_unstable();
    }

    /// An entry was reported: that may have been the last time, or the last one until an event.
    pub fn reported(&mut self, entry: Watched) {
        let telling = match entry.telling {
            Telling::Once => Telling::Over,
            telling => telling,
        };
        let trigger = match entry.trigger {
            Trigger::Level => Trigger::Level,
            Trigger::Edge { .. } => Trigger::Edge { happened: false },
        };
        self.set(Watched { telling, trigger, ..entry });
    }

    /// An event has happened to what an edge-triggered entry watches.
    pub fn list(&mut self, entry: Watched) {
        self.set(Watched { trigger: Trigger::Edge { happened: true }, ..entry });
    }

    /// Whether an event has happened to an entry that was not told since.
    pub fn is_listed(&self, descriptor: u32, description: u32) -> bool {
        self.entries.iter().any(|entry| {
            (entry.descriptor, entry.description) == (descriptor, description)
                && entry.trigger == Trigger::Edge { happened: true }
        })
    }

    /// Whether there is an entry for a description by a descriptor.
    pub fn has(&self, descriptor: u32, description: u32) -> bool {
        self.entries
            .iter()
            .any(|entry| (entry.descriptor, entry.description) == (descriptor, description))
    }

    /// Removes the entry for a description by a descriptor.
    pub fn remove(&mut self, descriptor: u32, description: u32) {
        self.entries
            .retain(|entry| (entry.descriptor, entry.description) != (descriptor, description));
    }

    /// Removes all entries for a description.
    pub fn forget(&mut self, description: u32) {
        self.entries.retain(|entry| entry.description != description);
    }
}

/// In how many orders so many things can be reported, if that is not too many.
pub fn orders(count: usize) -> Option<u32> {
    const MOST: usize = 4;
    (count <= MOST).then(|| (1..=count as u32).product())
}

/// Brings things into one of the orders that they can have.
pub fn arrange<T>(mut things: Vec<T>, order: u32) -> Vec<T> {
    let mut order = order as usize;
    let mut arranged = Vec::with_capacity(things.len());
    while !things.is_empty() {
        let next = order % things.len();
        order /= things.len();
        arranged.push(things.remove(next));
    }
    arranged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_order_is_one_of_its_own() {
        let all: std::collections::BTreeSet<Vec<u8>> =
            (0..24).map(|order| arrange(vec![1, 2, 3, 4], order)).collect();
        assert_eq!(orders(4), Some(24));
        assert_eq!(all.len(), 24);
        assert_eq!((orders(0), orders(1), orders(5)), (Some(1), Some(1), None));
    }
}
