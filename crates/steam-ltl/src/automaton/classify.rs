//! How hard it is to look for accepted runs: which automata need no search for cycles.

use super::{Automaton, Cube, Marks, Transition, components};

/// What an automaton asks of a search for an accepted run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Whoever reaches a state of [`Automaton::sinks`] has found one: a finite start is enough,
    /// and reachability finds it.
    Terminal,
    /// A component has only accepting cycles, or none: any cycle in the right place is one.
    Weak,
    /// Cycles must be looked at with their marks.
    General,
}

impl Automaton {
    /// Returns for each state whether every run from there is accepted.
    pub fn sinks(&self) -> Vec<bool> {
        let (component, marks) = self.component_marks();
        let strong = self.strong_components();
        let mut sink: Vec<bool> = (0..marks.len())
            .map(|number| marks[number] == Some(self.all_marks()) && strong[number])
            .collect();
        for (state, transitions) in self.states.iter().enumerate() {
            let inner = |one: &&Transition| component[one.target.index()] == component[state];
            let labels: Vec<Cube> = transitions.iter().filter(inner).map(|one| one.label).collect();
            sink[component[state]] &= Cube::cover_all(&labels);
        }
        component.iter().map(|number| sink[*number]).collect()
    }

    /// Returns how hard it is to look for accepted runs.
    pub fn strength(&self) -> Strength {
        let (component, marks) = self.component_marks();
        let (strong, sinks) = (self.strong_components(), self.sinks());
        let accepting = |state: &usize| marks[component[*state]] == Some(self.all_marks());
        let needed = |state: usize| match () {
            () if sinks[state] => Strength::Terminal,
            () if strong[component[state]] => Strength::Weak,
            () => Strength::General,
        };
        let needed = (0..self.states.len()).filter(accepting).map(needed);
        needed.max().unwrap_or(Strength::Terminal)
    }

    /// For each component whether every cycle in it is accepting: without the transitions of any
    /// one acceptance set, no cycle is left.
    pub(super) fn strong_components(&self) -> Vec<bool> {
        let (component, marks) = self.component_marks();
        let mut strong = vec![true; marks.len()];
        for set in 0..self.sets {
            let without = Marks(1 << set);
            let stays = |state: usize, one: &Transition| {
                component[one.target.index()] == component[state] && !one.marks.includes(without)
            };
            let smaller = components(self.states.len(), |state, out| {
                let left = self.states[state].iter().filter(|one| stays(state, one));
                out.extend(left.map(|one| one.target.index()));
            });
            for (state, transitions) in self.states.iter().enumerate() {
                let cycle = |one: &Transition| {
                    stays(state, one) && smaller[one.target.index()] == smaller[state]
                };
                strong[component[state]] &= !transitions.iter().any(cycle);
            }
        }
        strong
    }
}
