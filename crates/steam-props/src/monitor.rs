//! Reading along for claims that are broken after finitely many states: the automata of their
//! violations, made deterministic as far as they are met.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use steam_ltl::{Automaton, StateId, Valuation};

/// The states in which each automaton may be.
type Sets = Vec<Vec<u32>>;

/// Reads the valuations of a run, for several automata at once.
pub struct ClaimMonitor<'a> {
    automata: Vec<&'a Automaton>,
    /// For each automaton the states from which every run is accepted.
    sinks: Vec<Vec<bool>>,
    known: RwLock<Known>,
}

#[derive(Default)]
struct Known {
    list: Vec<Sets>,
    numbers: HashMap<Sets, u32>,
    next: HashMap<(u32, u64), u32>,
}

impl Known {
    fn number(&mut self, sets: Sets) -> u32 {
        if let Some(number) = self.numbers.get(&sets) {
            return *number;
        }
        let number = self.list.len() as u32;
        self.list.push(sets.clone());
        self.numbers.insert(sets, number);
        number
    }
}

impl<'a> ClaimMonitor<'a> {
    /// Reads along for these automata.
    pub fn new(automata: impl IntoIterator<Item = &'a Automaton>) -> ClaimMonitor<'a> {
        let automata: Vec<&Automaton> = automata.into_iter().collect();
        let sinks = automata.iter().map(|automaton| automaton.sinks()).collect();
        let mut known = Known::default();
        known.number(automata.iter().map(|automaton| vec![automaton.initial.0]).collect());
        ClaimMonitor { automata, sinks, known: RwLock::new(known) }
    }

    /// Where it is before the first state is read.
    pub fn initial(&self) -> u32 {
        0
    }

    /// Where it is when a state was read.
    pub fn next(&self, from: u32, valuation: u64) -> u32 {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(next) = known.next.get(&(from, valuation)) {
            return *next;
        }
        let sets = known.list[from as usize].clone();
        drop(known);
        let step = |(automaton, set): (&&Automaton, &Vec<u32>)| {
            let successors = |state: &u32| {
                automaton.successors(StateId(*state), Valuation(valuation)).map(|it| it.target.0)
            };
            let mut next: Vec<u32> = set.iter().flat_map(successors).collect();
            next.sort_unstable();
            next.dedup();
            next
        };
        let sets: Sets = self.automata.iter().zip(&sets).map(step).collect();
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let number = known.number(sets);
        known.next.insert((from, valuation), number);
        number
    }

    /// Which claims are broken by what was read: a bit for each automaton.
    pub fn broken(&self, at: u32) -> u64 {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let sets = known.list[at as usize].iter().zip(&self.sinks).enumerate();
        sets.fold(0, |bits, (number, (set, sinks))| {
            let broken = set.iter().any(|state| sinks[*state as usize]);
            bits | u64::from(broken) << number
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use steam_ltl::{Atoms, Lasso, Property, parse};

    /// The plain meaning of a formula on runs that end is the twin of reading along.
    #[test]
    fn a_run_is_broken_if_and_only_if_it_violates_the_formula() {
        let mut broken = 0;
        for text in
            ["G a", "a", "G (a -> b)", "a W b", "b R a", "G !(a && b)", "X a", "G (a -> X b)"]
        {
            let mut atoms = Atoms::default();
            assert!(atoms.number("a").is_some() && atoms.number("b").is_some());
            let syntax = parse(text, &mut atoms).expect("a formula");
            let property = Property::new(syntax, &atoms).expect("a small formula");
            assert!(property.is_safety, "{text}");
            let monitor = ClaimMonitor::new([&property.violations]);
            for word in 0..4_u64.pow(4) {
                let states: Vec<u64> = (0..4).map(|at| word >> (2 * at) & 3).collect();
                let run = Lasso::finished(states.iter().copied().map(Valuation).collect());
                let fulfils = run.expect("it has states").fulfils(&property.syntax);
                let last = std::iter::repeat_n(states[3], 4);
                let read = states.iter().copied().chain(last);
                let at = read.fold(monitor.initial(), |at, bits| monitor.next(at, bits));
                assert_eq!(monitor.broken(at) == 0, fulfils, "{text} {states:?}");
                broken += u32::from(!fulfils);
            }
        }
        assert!(broken > 100);
    }

    #[test]
    fn several_automata_are_read_at_once() {
        let mut atoms = Atoms::default();
        let property = |text: &str, atoms: &mut Atoms| {
            let syntax = parse(text, atoms).expect("a formula");
            Property::new(syntax, atoms).expect("a small formula").violations
        };
        let always = [property("G a", &mut atoms), property("G b", &mut atoms)];
        let monitor = ClaimMonitor::new(&always);
        let first = monitor.next(monitor.initial(), 0b11);
        assert_eq!(monitor.broken(first), 0);
        let second = monitor.next(first, 0b01);
        assert_eq!(monitor.broken(second), 0b10);
        assert_eq!(monitor.broken(monitor.next(second, 0b10)), 0b11, "what is broken stays broken");
    }
}
