//! Smaller automata that accept the same runs.

use super::{Automaton, Cube, Marks, StateId, Transition};

impl Automaton {
    /// Returns an automaton for the same runs without states that reach no accepting cycle,
    /// transitions that others replace, states that do the same, and acceptance sets that others
    /// include.
    #[must_use]
    pub fn reduce(mut self) -> Automaton {
        loop {
            let before = (self.states.len(), self.transition_count(), self.sets);
            self.drop_dead_states();
            self.settle_marks();
            self.drop_sets();
            self.states.iter_mut().for_each(simplify_transitions);
            self.merge_equal_states();
            self.drop_unreachable_states();
            if before == (self.states.len(), self.transition_count(), self.sets) {
                return self;
            }
        }
    }

    /// Drops transitions to states from which nothing is accepted.
    fn drop_dead_states(&mut self) {
        let (component, marks) = self.component_marks();
        let accepting = |marks: &Option<Marks>| *marks == Some(self.all_marks());
        let mut alive: Vec<bool> = marks.iter().map(accepting).collect();
        // A component has a higher number than those that it reaches.
        let mut order: Vec<usize> = (0..self.states.len()).collect();
        order.sort_by_key(|state| component[*state]);
        for state in order {
            let reaches = |one: &Transition| alive[component[one.target.index()]];
            alive[component[state]] |= self.states[state].iter().any(reaches);
        }
        for transitions in &mut self.states {
            transitions.retain(|one| alive[component[one.target.index()]]);
        }
    }

    /// Marks count on cycles alone: none elsewhere, none where a cycle cannot be accepting, and
    /// all where every cycle is. Then transitions that differ in nothing that matters are equal.
    fn settle_marks(&mut self) {
        let (component, marks) = self.component_marks();
        let all = self.all_marks();
        let strong = self.strong_components();
        for (state, transitions) in self.states.iter_mut().enumerate() {
            let own = component[state];
            for one in transitions {
                let inner = component[one.target.index()] == own;
                one.marks = match () {
                    () if !inner || marks[own] != Some(all) => Marks::default(),
                    () if strong[own] => all,
                    () => one.marks,
                };
            }
        }
    }

    /// Drops acceptance sets to which all transitions of cycles belong, or all that belong to
    /// another set.
    fn drop_sets(&mut self) {
        let (component, _) = self.component_marks();
        let mut inner: Vec<Marks> = Vec::new();
        for (state, transitions) in self.states.iter().enumerate() {
            let own =
                transitions.iter().filter(|one| component[one.target.index()] == component[state]);
            inner.extend(own.map(|one| one.marks));
        }
        inner.sort_unstable();
        inner.dedup();
        let has = |marks: &Marks, set: u32| marks.0 >> set & 1 == 1;
        let mut kept: Vec<u32> = (0..self.sets).collect();
        for set in (0..self.sets).rev() {
            let full = inner.iter().all(|marks| has(marks, set));
            let included = kept.iter().any(|&other| {
                other != set && inner.iter().all(|marks| !has(marks, other) || has(marks, set))
            });
            if full || included {
                kept.retain(|other| *other != set);
            }
        }
        let renumbered = |marks: Marks| {
            let sets = kept.iter().enumerate().filter(|(_, set)| has(&marks, **set));
            Marks(sets.fold(0, |sum, (new, _)| sum | 1 << new))
        };
        for one in self.states.iter_mut().flatten() {
            one.marks = renumbered(one.marks);
        }
        self.sets = kept.len() as u32;
    }

    /// Keeps the states that can be reached, in the order in which they are met.
    fn drop_unreachable_states(&mut self) {
        let mut order = vec![self.initial];
        let mut number = vec![None; self.states.len()];
        number[self.initial.index()] = Some(StateId(0));
        let mut next = 0;
        while let Some(state) = order.get(next) {
            next += 1;
            for one in &self.states[state.index()] {
                if number[one.target.index()].is_none() {
                    number[one.target.index()] = Some(StateId(order.len() as u32));
                    order.push(one.target);
                }
            }
        }
        let renumbered = |one: &Transition| Transition {
            target: number[one.target.index()].expect("a target of a reached state"),
            ..*one
        };
        let transitions = |state: &StateId| {
            let mut all: Vec<_> = self.states[state.index()].iter().map(renumbered).collect();
            all.sort_unstable();
            all
        };
        let names = order.iter().map(|state| self.names[state.index()].clone()).collect();
        let states = order.iter().map(transitions).collect();
        *self = Automaton { initial: StateId(0), sets: self.sets, states, names };
    }
}

/// Joins labels that differ in one sign, and drops transitions that others replace.
pub(super) fn simplify_transitions(transitions: &mut Vec<Transition>) {
    loop {
        transitions.sort_unstable();
        transitions.dedup();
        let replaces = |one: &Transition, other: &Transition| {
            one != other
                && one.target == other.target
                && one.marks.includes(other.marks)
                && one.label.covers(other.label)
        };
        let needed = |one: &&Transition| !transitions.iter().any(|other| replaces(other, one));
        let mut kept: Vec<Transition> = transitions.iter().filter(needed).copied().collect();
        let joined = join(&kept);
        let done = joined.is_empty();
        kept.extend(joined);
        *transitions = kept;
        if done {
            return;
        }
    }
}

/// The labels of pairs of transitions to the same state that differ in one sign.
fn join(transitions: &[Transition]) -> Vec<Transition> {
    let mut joined = Vec::new();
    for (index, one) in transitions.iter().enumerate() {
        for other in &transitions[index + 1..] {
            if (one.target, one.marks) == (other.target, other.marks) {
                let label: Option<Cube> = one.label.joined(other.label);
                joined.extend(label.map(|label| Transition { label, ..*one }));
            }
        }
    }
    joined
}
