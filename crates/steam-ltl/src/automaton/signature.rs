//! States that do the same are one: classes of states are split until all states of a class have
//! the same transitions into the same classes.

use std::collections::BTreeMap;

use super::reduce::simplify_transitions;
use super::{Automaton, StateId, Transition};

impl Automaton {
    /// Merges states with equal signatures. The first of a class stands for all.
    pub(super) fn merge_equal_states(&mut self) {
        let mut class = vec![0; self.states.len()];
        let mut count = 1;
        loop {
            let mut numbers = BTreeMap::new();
            let mut finer = Vec::with_capacity(class.len());
            for state in 0..self.states.len() {
                let key = (class[state], self.signature(state, &class));
                let new = numbers.len();
                finer.push(*numbers.entry(key).or_insert(new));
            }
            class = finer;
            if numbers.len() == count {
                break;
            }
            count = numbers.len();
        }
        let mut first: Vec<Option<usize>> = vec![None; count];
        for (state, class) in class.iter().enumerate() {
            first[*class].get_or_insert(state);
        }
        let representative = |class: &usize| first[*class].expect("a class has states");
        self.initial = StateId(representative(&class[self.initial.index()]) as u32);
        for one in self.states.iter_mut().flatten() {
            one.target = StateId(representative(&class[one.target.index()]) as u32);
        }
    }

    /// The transitions of a state with classes in the place of states.
    fn signature(&self, state: usize, class: &[usize]) -> Vec<Transition> {
        let to_class = |one: &Transition| Transition {
            target: StateId(class[one.target.index()] as u32),
            ..*one
        };
        let mut transitions = self.states[state].iter().map(to_class).collect();
        simplify_transitions(&mut transitions);
        transitions
    }
}
