//! Persistent sets: processes with whose next steps nothing interferes that the others may still do
//! (Godefroid: Partial-Order Methods for the Verification of Concurrent Systems, LNCS 1032). With
//! sleep sets that is Algorithm 2 of VeriSoft. It takes them from the text of the program; here they
//! are learned.
//!
//! A *footprint* says what a process was seen to do as its n-th own step, and whom it created there.
//! From the footprints follows what each process may still do. A search begins with none, as if no process
//! did more than is pending, and is done again until a round finds nothing that was not known when it
//! began.
//!
//! Why such a round has missed nothing. That a process does something unknown as its n-th step depends
//! on its own steps alone, not on the order of independent ones. Suppose that some execution leads to
//! something unknown, and take the last state s on it that the round visits, with the shortest rest w
//! that does; so up to the last step of w every process does what is known. Let T be the set chosen in s.
//! If a process of T moves in w, all others before its first step do what is known and is independent of
//! it by the choice of T; so its step can come first, does the same there, and what is left of w is
//! shorter. If none moves in w, any step of T can come first, w can still be done after it, and
//! because executions are finite this cannot go on for ever. Either way the round comes to something
//! unknown, unless it had met it before: this is the proof of VeriSoft's Theorem 2 with "something
//! unknown" in the place of a failed assertion, and sleep sets change it as little. So nothing unknown
//! is left, the sets were persistent, and the theorem holds for deadlocks and assertions too.
//!
//! A step that ends everything, such as a failed assertion, interferes with all that the others may
//! still do. Where the depth limit cut an execution, executions are not finite, and the search is done again
//! without persistent sets.

use steam_model::Dependence;

/// What is known of a process's n-th step.
struct Place<O> {
    /// What it did or was about to do.
    operations: Vec<O>,
    /// What followed from it beside what was pending.
    effects: Vec<O>,
    /// Whom it created.
    created: Vec<u32>,
    /// Whether it ended everything, though others had something to do.
    ends: bool,
}

impl<O> Default for Place<O> {
    fn default() -> Self {
        Self { operations: Vec::new(), effects: Vec::new(), created: Vec::new(), ends: false }
    }
}

/// What processes were seen to do.
pub(super) struct Footprints<O> {
    /// By process, then by how many own steps came before.
    places: Vec<Vec<Place<O>>>,
    /// In the same way, what may come from there on; as it was known when the round began.
    futures: Vec<Vec<Vec<O>>>,
    /// Whether something was seen in this round for the first time.
    grew: bool,
}

impl<O> Default for Footprints<O> {
    fn default() -> Self {
        Self { places: Vec::new(), futures: Vec::new(), grew: false }
    }
}

/// Adds an element to a set; whether it is new.
fn add<T: PartialEq>(set: &mut Vec<T>, element: T) -> bool {
    let new = !set.contains(&element);
    if new {
        set.push(element);
    }
    new
}

impl<O: Clone + PartialEq> Footprints<O> {
    /// Lets everything that was seen so far count.
    pub(super) fn begin_iteration(&mut self) {
        self.grew = false;
        let empty = |places: &Vec<Place<O>>| vec![Vec::new(); places.len()];
        self.futures = self.places.iter().map(empty).collect();
        while self.propagate() {}
    }

    /// Adds to each future what its own place and those after it show; whether anything was new.
    fn propagate(&mut self) -> bool {
        let mut grew = false;
        for process in 0..self.places.len() {
            let mut future: Vec<O> = Vec::new();
            for number in (0..self.places[process].len()).rev() {
                let place = &self.places[process][number];
                let children = place.created.iter();
                let begun = children.filter_map(|&child| self.futures.get(child as usize)?.first());
                for operation in place.operations.iter().chain(begun.flatten()) {
                    add(&mut future, operation.clone());
                }
                let known = &mut self.futures[process][number];
                if known.len() < future.len() {
                    known.clone_from(&future);
                    grew = true;
                }
            }
        }
        grew
    }

    /// Whether something was seen that was not known when the round began.
    pub(super) fn grew(&self) -> bool {
        self.grew
    }

    fn place(&mut self, process: u32, number: u32) -> &mut Place<O> {
        let (process, number) = (process as usize, number as usize);
        if self.places.len() <= process {
            self.places.resize_with(process + 1, Vec::new);
        }
        let places = &mut self.places[process];
        if places.len() <= number {
            places.resize_with(number + 1, Place::default);
        }
        &mut places[number]
    }

    /// Takes note of what a process is about to do as its n-th step.
    pub(super) fn note_pending(&mut self, process: u32, number: u32, operation: &O) {
        if !self.place(process, number).operations.contains(operation) {
            self.place(process, number).operations.push(operation.clone());
            self.grew = true;
        }
    }

    /// Takes note of what followed from a process's n-th step.
    pub(super) fn note_effect(&mut self, process: u32, number: u32, operation: &O) {
        self.note_pending(process, number, operation);
        let new = add(&mut self.place(process, number).effects, operation.clone());
        self.grew |= new;
    }

    /// Takes note of whom a process created by its n-th step.
    pub(super) fn note_created(&mut self, process: u32, number: u32, child: u32) {
        let new = add(&mut self.place(process, number).created, child);
        self.grew |= new;
    }

    /// Takes note that a process's n-th step ended everything.
    pub(super) fn note_end(&mut self, process: u32, number: u32) {
        let place = self.place(process, number);
        let new = !std::mem::replace(&mut place.ends, true);
        self.grew |= new;
    }

    fn known(&self, process: u32, number: u32) -> Option<&Place<O>> {
        self.places.get(process as usize)?.get(number as usize)
    }

    fn future(&self, process: u32, number: u32) -> &[O] {
        let future =
            self.futures.get(process as usize).and_then(|future| future.get(number as usize));
        future.map_or(&[], Vec::as_slice)
    }
}

/// A process in a state: who it is, how many steps it has done, and what it does next.
pub(super) struct Standing<'a, O> {
    pub(super) process: u32,
    pub(super) number: u32,
    pub(super) operation: &'a O,
    pub(super) enabled: bool,
    pub(super) asleep: bool,
}

/// The processes of a persistent set in a state that can do something: of those that are found, one with
/// the fewest processes that are awake.
pub(super) fn persistent_set<M: Dependence>(
    model: &M,
    footprints: &Footprints<M::Operation>,
    processes: &[Standing<'_, M::Operation>],
) -> Vec<u32> {
    let able = |set: &[usize]| -> Vec<u32> {
        set.iter().map(|&at| &processes[at]).filter(|it| it.enabled).map(|it| it.process).collect()
    };
    let awake = |set: &[usize]| {
        set.iter().filter(|&&at| processes[at].enabled && !processes[at].asleep).count()
    };
    let beginnings = (0..processes.len()).filter(|&at| processes[at].enabled);
    let sets = beginnings.map(|first| closure(model, footprints, processes, first));
    let least = sets.min_by_key(|set| (awake(set), able(set).len()));
    least.map_or_else(Vec::new, |set| able(&set))
}

/// The smallest set with a process in it such that nothing that others may still do interferes with what
/// its members do next.
fn closure<M: Dependence>(
    model: &M,
    footprints: &Footprints<M::Operation>,
    processes: &[Standing<'_, M::Operation>],
    first: usize,
) -> Vec<usize> {
    let mut set = vec![first];
    let mut next = 0;
    while let Some(&member) = set.get(next) {
        next += 1;
        for other in 0..processes.len() {
            if !set.contains(&other)
                && interferes(model, footprints, &processes[other], &processes[member])
            {
                set.push(other);
            }
        }
    }
    set
}

/// Whether something that a process may still do interferes with the next step of another one.
fn interferes<M: Dependence>(
    model: &M,
    footprints: &Footprints<M::Operation>,
    process: &Standing<'_, M::Operation>,
    other: &Standing<'_, M::Operation>,
) -> bool {
    let place = footprints.known(other.process, other.number);
    if place.is_some_and(|place| place.ends) {
        return true;
    }
    let effects = place.map_or(&[][..], |place| &place.effects);
    let with = |may: &M::Operation| {
        let with_effect = |it: &M::Operation| model.dependent(it, may) && model.may_meet(it, may);
        model.dependent(other.operation, may) || effects.iter().any(with_effect)
    };
    with(process.operation) || footprints.future(process.process, process.number).iter().any(with)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_later_and_what_children_do_belongs_to_the_future() {
        let mut footprints = Footprints::default();
        footprints.note_pending(1, 0, &'a');
        footprints.note_effect(1, 1, &'b');
        footprints.note_created(1, 1, 2);
        footprints.note_pending(2, 0, &'c');
        footprints.note_pending(2, 1, &'d');
        assert!(footprints.grew() && footprints.future(1, 0).is_empty());
        footprints.begin_iteration();
        assert!(!footprints.grew());
        let sorted = |process, number| {
            let mut future = footprints.future(process, number).to_vec();
            future.sort_unstable();
            future
        };
        assert_eq!(sorted(1, 0), ['a', 'b', 'c', 'd']);
        assert_eq!(sorted(1, 1), ['b', 'c', 'd']);
        assert_eq!((sorted(2, 1), sorted(2, 2), sorted(3, 0)), (vec!['d'], vec![], vec![]));
        assert!(footprints.known(1, 1).is_some_and(|it| it.effects == ['b'] && !it.ends));
        footprints.note_pending(1, 0, &'a');
        assert!(!footprints.grew());
        footprints.note_created(2, 0, 1);
        assert!(footprints.grew());
        footprints.begin_iteration();
        footprints.note_end(1, 1);
        assert!(footprints.grew() && footprints.known(1, 1).is_some_and(|it| it.ends));
        assert_eq!(footprints.future(2, 0).len(), 4);
        assert_eq!(footprints.future(2, 1).len(), 1);
    }
}
