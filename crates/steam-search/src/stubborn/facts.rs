//! What counts in an iteration: what each process may still do from each place, and which operations interfere.

use std::collections::HashMap;
use std::sync::OnceLock;

use steam_model::Positions;

use super::bits::Bits;
use super::order;
use super::places::{Place, Seen};

/// The number that stands for the end of everything, with which all interferes; operations are numbered from 1 on.
const END: usize = 0;

/// What is known of a place.
pub(super) struct Known<O> {
    /// Its number in the order of places.
    number: u32,
    /// What is done there, by number.
    operations: Vec<(O, u32)>,
    effects: Vec<O>,
    /// Where it leads to.
    pub(super) next: Vec<Place>,
    /// Whether everything may end there.
    pub(super) ends: bool,
    /// What may be done from there on.
    pub(super) future: Bits,
    /// What interferes with what follows from the operation there.
    pub(super) interferes: Option<Bits>,
}

impl<O: PartialEq> Known<O> {
    pub(super) fn has_effect(&self, effect: &O) -> bool {
        self.effects.contains(effect)
    }
}

/// What counts.
pub(super) struct Facts<O> {
    places: HashMap<Place, Known<O>>,
    operations: Vec<O>,
    /// For each operation those that interfere with it, END among them.
    conflicts: Vec<Bits>,
    /// For each operation those that may make it possible: of all, and beside the one who is known to be waited for.
    enabling: Vec<[OnceLock<Bits>; 2]>,
}

impl<O: Clone + PartialEq> Facts<O> {
    pub(super) fn of<M: Positions<Operation = O>>(
        model: &M,
        seen: &HashMap<Place, Seen<O>>,
    ) -> Self {
        let mut listed: Vec<Place> = seen.keys().copied().collect();
        listed.sort_unstable();
        let next = |place: Place| {
            let mut next = seen[&place].next.clone();
            next.sort_unstable();
            next
        };
        let numbers = order::numbers(&listed, next);
        let mut operations: Vec<O> = Vec::new();
        let mut number_of = |operation: &O| {
            let known = operations.iter().position(|it| it == operation);
            known.unwrap_or_else(|| {
                operations.push(operation.clone());
                operations.len() - 1
            }) as u32
        };
        let mut places = HashMap::new();
        for &place in &listed {
            let Seen { operations, effects, next, ends } = seen[&place].clone();
            let numbered = |it: O| {
                let number = number_of(&it);
                (it, number)
            };
            let operations = operations.into_iter().map(numbered).collect();
            let (future, interferes) = (Bits::default(), None);
            let number = numbers[&place];
            let known = Known { number, operations, effects, next, ends, future, interferes };
            places.insert(place, known);
        }
        listed.sort_unstable_by_key(|place| std::cmp::Reverse(numbers[place]));
        let bound = operations.len() + 1;
        let conflict =
            |one: &O, other: &O| model.dependent(one, other) && model.may_meet(one, other);
        let conflicts = operations.iter().map(|one| {
            let mut bits = Bits::below(bound);
            bits.insert(END);
            for (other, number) in operations.iter().zip(1..) {
                if conflict(one, other) || conflict(other, one) {
                    bits.insert(number);
                }
            }
            bits
        });
        let conflicts: Vec<Bits> = conflicts.collect();
        let enabling = operations.iter().map(|_| Default::default()).collect();
        let mut facts = Self { places, operations, conflicts, enabling };
        facts.close(&listed, bound);
        facts
    }

    /// Adds to each future what its own place and those that come after it have; the places come last first.
    fn close(&mut self, listed: &[Place], bound: usize) {
        for known in self.places.values_mut() {
            known.future = Bits::below(bound);
            if known.ends {
                known.future.insert(END);
            }
            known.operations.iter().for_each(|(_, it)| known.future.insert(*it as usize + 1));
            for effect in &known.effects {
                let number = known.operations.iter().find(|(it, _)| it == effect);
                let interferes = known.interferes.get_or_insert_with(|| Bits::below(bound));
                if let Some((_, number)) = number {
                    interferes.extend(&self.conflicts[*number as usize]);
                }
            }
        }
        let mut grew = true;
        while grew {
            grew = false;
            for place in listed {
                let mut future = std::mem::take(&mut self.known(place).future);
                let next = std::mem::take(&mut self.known(place).next);
                for after in &next {
                    // A loop to itself adds nothing.
                    if let Some(known) = self.places.get(after) {
                        grew |= future.extend(&known.future);
                    }
                }
                let known = self.known(place);
                (known.future, known.next) = (future, next);
            }
        }
    }

    fn known(&mut self, place: &Place) -> &mut Known<O> {
        self.places.get_mut(place).expect("it is listed")
    }

    /// What is known of a place.
    pub(super) fn at(&self, place: Place) -> Option<&Known<O>> {
        self.places.get(&place)
    }

    /// The number of an operation, if it is known that it is done at a place.
    pub(super) fn number_of(&self, place: Place, operation: &O) -> Option<u32> {
        let mut operations = self.at(place)?.operations.iter();
        operations.find(|(it, _)| it == operation).map(|(_, number)| *number)
    }

    /// What interferes with an operation.
    pub(super) fn conflicts(&self, operation: u32) -> &Bits {
        &self.conflicts[operation as usize]
    }

    /// What may make an operation possible.
    pub(super) fn enabling<M: Positions<Operation = O>>(
        &self,
        model: &M,
        operation: u32,
        awaited: bool,
    ) -> &Bits {
        self.enabling[operation as usize][usize::from(awaited)].get_or_init(|| {
            let mut bits = Bits::below(self.operations.len() + 1);
            let waiting = &self.operations[operation as usize];
            for (other, number) in self.operations.iter().zip(1..) {
                if model.enables(other, waiting, awaited) {
                    bits.insert(number);
                }
            }
            bits
        })
    }

    /// Whether a step from one place to another leads forward; one that was never seen counts as such, because the
    /// iteration is done again.
    pub(super) fn leads_forward(&self, from: Place, to: Place) -> bool {
        match (self.at(from), self.at(to)) {
            (Some(from), Some(to)) => from.number < to.number,
            _ => true,
        }
    }
}
