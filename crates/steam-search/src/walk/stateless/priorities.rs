//! A fair scheduler: who yields lets others go first (Musuvathi and Qadeer: Fair Stateless Model Checking,
//! PLDI 2008).
//!
//! Between two yields of a process, others that could act all the time, or that the process itself kept from
//! acting, and that did not act, come before it from then on, until they have acted. That never leaves
//! every process behind another one. An execution without an end on which every process that acts again and
//! again yields again and again is then a fair one.

use std::collections::{BTreeMap, BTreeSet};

/// Who has to let whom go first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Priorities {
    /// Pairs: the first does nothing while the second can act.
    behind: BTreeSet<(u32, u32)>,
    /// For each process that has yielded what has happened since.
    windows: BTreeMap<u32, Window>,
}

/// What has happened since a process yielded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Window {
    /// Who could act all the time.
    able: BTreeSet<u32>,
    /// Whom the process kept from acting.
    hindered: BTreeSet<u32>,
    /// Who acted.
    acted: BTreeSet<u32>,
}

/// A step, for the scheduler.
pub(super) struct Turn<'a> {
    pub(super) process: u32,
    /// Whether its process gives way.
    pub(super) yields: bool,
    /// Who could act before it.
    pub(super) before: &'a BTreeSet<u32>,
    /// Who can act after it.
    pub(super) able: &'a BTreeSet<u32>,
}

impl Priorities {
    /// Whether a process may act where these can.
    pub(super) fn allow(&self, process: u32, able: &BTreeSet<u32>) -> bool {
        !able.iter().any(|other| self.behind.contains(&(process, *other)))
    }

    /// Who has to let whom go first after a step.
    pub(super) fn next(&self, turn: &Turn<'_>) -> Self {
        let mut next = self.clone();
        next.behind.retain(|(_, first)| *first != turn.process);
        for (owner, window) in &mut next.windows {
            window.able.retain(|process| turn.able.contains(process));
            window.acted.insert(turn.process);
            if *owner == turn.process {
                window.hindered.extend(turn.before.difference(turn.able));
            }
        }
        if turn.yields {
            let fresh = Window { able: turn.able.clone(), ..Window::default() };
            if let Some(window) = next.windows.insert(turn.process, fresh) {
                let waited = window.able.union(&window.hindered).copied();
                let first = waited.filter(|process| !window.acted.contains(process));
                next.behind.extend(first.map(|process| (turn.process, process)));
            }
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(
        priorities: &Priorities,
        process: u32,
        yields: bool,
        able: &BTreeSet<u32>,
    ) -> Priorities {
        priorities.next(&Turn { process, yields, before: able, able })
    }

    /// The example of the paper: one process spins and yields until the other one has acted.
    #[test]
    fn who_yields_twice_lets_the_other_one_go_first() {
        let both = BTreeSet::from([1, 2]);
        let first = turn(&Priorities::default(), 1, true, &both);
        assert!(first.allow(1, &both) && first.allow(2, &both));
        let second = turn(&first, 1, true, &both);
        assert!(!second.allow(1, &both) && second.allow(2, &both));
        // Where the other one cannot act no process is held back.
        assert!(second.allow(1, &BTreeSet::from([1])));
        let third = turn(&second, 2, false, &both);
        assert!(third.allow(1, &both) && third.allow(2, &both));
        // It has acted since the last yield, so it need not go first at the next one.
        assert!(turn(&third, 1, true, &both).allow(1, &both));
    }

    #[test]
    fn who_was_kept_from_acting_goes_first_too() {
        let (both, one) = (BTreeSet::from([1, 2]), BTreeSet::from([1]));
        let first = turn(&Priorities::default(), 1, true, &both);
        let taken = first.next(&Turn { process: 1, yields: false, before: &both, able: &one });
        let given = taken.next(&Turn { process: 1, yields: true, before: &one, able: &both });
        assert!(!given.allow(1, &both) && given.allow(2, &both));
    }

    /// Whatever happens, some process that can act may.
    #[test]
    fn nobody_waits_for_himself() {
        let mut numbers = crate::walk::Numbers::new(7);
        let mut sets = || -> BTreeSet<u32> {
            let bits = 1 + numbers.below(15);
            (0..4).filter(|process| bits >> process & 1 == 1).collect()
        };
        let (mut priorities, mut able) = (Priorities::default(), BTreeSet::from([0, 1, 2, 3]));
        for round in 0..20_000_u32 {
            let allowed: Vec<u32> =
                able.iter().copied().filter(|it| priorities.allow(*it, &able)).collect();
            assert!(!allowed.is_empty(), "{priorities:?} {able:?}");
            let process = allowed[round as usize % allowed.len()];
            let next = sets();
            let yields = round % 3 != 0;
            priorities = priorities.next(&Turn { process, yields, before: &able, able: &next });
            able = next;
        }
    }
}
