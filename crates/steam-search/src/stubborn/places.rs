//! What processes were seen to do, by where they stood.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// A process, and where it stands.
pub(super) type Place = (u32, u64);

/// With more places than this, nothing is left out: what may come after each of them would take too much room.
const MOST_PLACES: usize = 1 << 14;
/// The same for operations, of which each is compared with each.
const MOST_OPERATIONS: usize = 1 << 12;

/// What was seen of a process that stood at a place.
#[derive(Clone)]
pub(super) struct Seen<O> {
    /// What it was about to do.
    pub(super) operations: Vec<O>,
    /// What followed from it beside, or was done instead.
    pub(super) effects: Vec<O>,
    /// Where its step led to: where it stood then, and those whom it created.
    pub(super) next: Vec<Place>,
    /// Whether its step ended everything, or led nowhere.
    pub(super) ends: bool,
}

impl<O> Default for Seen<O> {
    fn default() -> Self {
        Self { operations: Vec::new(), effects: Vec::new(), next: Vec::new(), ends: false }
    }
}

/// What was learned in all iterations so far.
pub struct Learned<O> {
    places: Mutex<HashMap<Place, Seen<O>>>,
    grew: AtomicBool,
    /// Whether something was left out in the iteration.
    reduced: AtomicBool,
    /// Whether there is too much to know.
    given_up: AtomicBool,
}

impl<O> Default for Learned<O> {
    fn default() -> Self {
        Self {
            places: Mutex::default(),
            grew: AtomicBool::new(false),
            reduced: AtomicBool::new(false),
            given_up: AtomicBool::new(false),
        }
    }
}

impl<O: Clone + PartialEq> Learned<O> {
    /// Whether something was seen that was not known when the iteration began.
    pub fn grew(&self) -> bool {
        self.grew.load(Ordering::Relaxed)
    }

    /// Whether the iteration may have left out too much: what was left out was chosen by less than is known now.
    pub fn is_incomplete(&self) -> bool {
        self.grew() && self.reduced.load(Ordering::Relaxed)
    }

    /// Takes note that something is left out.
    pub(super) fn note_reduced(&self) {
        // Workers would wait for each other at each write.
        if !self.reduced.load(Ordering::Relaxed) {
            self.reduced.store(true, Ordering::Relaxed);
        }
    }

    /// Begins an iteration with what `read` makes of all that is known; nothing if that is too much.
    pub(super) fn begin_iteration<T>(
        &self,
        read: impl FnOnce(&HashMap<Place, Seen<O>>) -> T,
    ) -> Option<T> {
        self.grew.store(false, Ordering::Relaxed);
        self.reduced.store(false, Ordering::Relaxed);
        let places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let operations: usize = places.values().map(|it| it.operations.len()).sum();
        if places.len() > MOST_PLACES || operations > MOST_OPERATIONS {
            self.given_up.store(true, Ordering::Relaxed);
        }
        (!self.given_up.load(Ordering::Relaxed)).then(|| read(&places))
    }

    fn note(&self, place: Place, note: impl FnOnce(&mut Seen<O>) -> bool) {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let first = !places.contains_key(&place);
        if note(places.entry(place).or_default()) || first {
            self.grew.store(true, Ordering::Relaxed);
        }
    }

    /// Takes note of what a process is about to do.
    pub(super) fn note_pending(&self, place: Place, operation: &O) {
        self.note(place, |seen| add(&mut seen.operations, operation));
    }

    /// Takes note of what followed from a step.
    pub(super) fn note_effect(&self, place: Place, effect: &O) {
        self.note(place, |seen| {
            let effects = add(&mut seen.effects, effect);
            add(&mut seen.operations, effect) || effects
        });
    }

    /// Takes note of where a step led to.
    pub(super) fn note_next(&self, place: Place, next: Place) {
        self.note(place, |seen| add(&mut seen.next, &next));
    }

    /// Takes note that a step ended everything, or led nowhere.
    pub(super) fn note_end(&self, place: Place) {
        self.note(place, |seen| !std::mem::replace(&mut seen.ends, true));
    }
}

/// Adds an element to a set; whether it is new.
fn add<T: Clone + PartialEq>(set: &mut Vec<T>, element: &T) -> bool {
    let new = !set.contains(element);
    if new {
        set.push(element.clone());
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_is_told_until_the_next_iteration() {
        let learned = Learned::default();
        assert!(!learned.grew());
        learned.note_pending((1, 7), &'a');
        assert!(learned.grew());
        let seen = learned.begin_iteration(|places| places[&(1, 7)].operations.clone());
        assert_eq!(seen, Some(vec!['a']));
        learned.note_pending((1, 7), &'a');
        assert!(!learned.grew());
        for note in [
            |it: &Learned<char>| it.note_effect((1, 7), &'b'),
            |it: &Learned<char>| it.note_next((1, 7), (1, 8)),
            |it: &Learned<char>| it.note_end((1, 7)),
        ] {
            note(&learned);
            assert!(learned.grew());
            learned.begin_iteration(|_| ());
            note(&learned);
            assert!(!learned.grew());
        }
    }

    #[test]
    fn too_much_is_not_read() {
        let learned = Learned::default();
        (0..=MOST_PLACES as u64).for_each(|position| learned.note_pending((1, position), &'a'));
        assert_eq!(learned.begin_iteration(|_| ()), None);
    }
}
