//! The components that a depth-first search has not completed (Couvreur 1999; Gabow 2000): each is a
//! set of nodes that can all reach each other, and knows what its cycles have.

use super::Fairness;
use super::processes::Processes;

/// What the moves of a cycle have, taken together.
#[derive(Clone, Default)]
pub(super) struct Moves {
    pub(super) marks: u64,
    /// Who acts.
    pub(super) acting: Processes,
}

impl Moves {
    pub(super) fn one(marks: u64, process: Option<u32>) -> Self {
        Self { marks, acting: process.into_iter().collect() }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.marks |= other.marks;
        self.acting.add(&other.acting);
    }
}

/// A component.
struct Component {
    /// The position of its first node among those that are live.
    first: u32,
    /// The move that led into it.
    entry: Moves,
    /// Its own moves.
    moves: Moves,
    /// Who can act in all of its states.
    able: Processes,
    /// Who can act in some of them.
    sometimes: Processes,
    /// Whether it has a move.
    cyclic: bool,
    /// Whether a wrong cycle of it was reported already.
    reported: bool,
}

/// The components from the root to where the search is.
#[derive(Default)]
pub(super) struct Components(Vec<Component>);

impl Components {
    /// A node is met, by this move, at this position; these processes can act in it.
    pub(super) fn open(&mut self, position: u32, entry: Moves, able: Processes) {
        self.0.push(Component {
            first: position,
            entry,
            moves: Moves::default(),
            sometimes: able.clone(),
            able,
            cyclic: false,
            reported: false,
        });
    }

    /// A move leads back to the node at a position: all that lies between is one component.
    pub(super) fn merge(&mut self, position: u32, by: &Moves) {
        let mut moves = by.clone();
        let mut merged: Option<Component> = None;
        while let Some(last) = self.0.last_mut() {
            moves.add(&last.moves);
            if let Some(merged) = &merged {
                last.able.keep(&merged.able);
                last.sometimes.add(&merged.sometimes);
                last.reported |= merged.reported;
            }
            if last.first <= position {
                last.moves = moves;
                last.cyclic = true;
                return;
            }
            moves.add(&last.entry);
            merged = self.0.pop();
        }
    }

    /// The position of the first node of the last component.
    pub(super) fn first(&self) -> Option<u32> {
        self.0.last().map(|last| last.first)
    }

    /// The last component is complete.
    pub(super) fn close(&mut self) {
        self.0.pop();
    }

    /// A wrong cycle of the last component is reported.
    pub(super) fn set_reported(&mut self) {
        if let Some(last) = self.0.last_mut() {
            last.reported = true;
        }
    }

    /// Whether a cycle through everything in the last component is wrong, and none of it was reported.
    pub(super) fn is_wrong(&self, marks: u64, fairness: Fairness) -> bool {
        self.may_be_wrong(marks)
            && self.0.last().is_some_and(|last| {
                let mut starving = match fairness {
                    Fairness::None => return true,
                    Fairness::Weak => last.able.clone(),
                    Fairness::Strong => last.sometimes.clone(),
                };
                starving.drop(&last.moves.acting);
                starving.is_empty()
            })
    }

    /// Whether the last component has a cycle and all marks, and none of it was reported.
    pub(super) fn may_be_wrong(&self, marks: u64) -> bool {
        let lacks_nothing =
            |it: &Component| it.cyclic && !it.reported && it.moves.marks & marks == marks;
        self.0.last().is_some_and(lacks_nothing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn processes(of: &[u32]) -> Processes {
        of.iter().copied().collect()
    }

    #[test]
    fn a_cycle_has_the_marks_of_all_its_moves() {
        let mut components = Components::default();
        components.open(0, Moves::default(), processes(&[1]));
        components.open(1, Moves::one(1, Some(1)), processes(&[1]));
        components.open(2, Moves::one(2, Some(1)), processes(&[1]));
        components.merge(1, &Moves::one(4, Some(1)));
        assert_eq!(components.first(), Some(1));
        // The move that led into it is none of its own.
        assert!(components.is_wrong(6, Fairness::None) && !components.is_wrong(7, Fairness::None));
        components.merge(0, &Moves::one(0, Some(1)));
        assert!(components.first() == Some(0) && components.is_wrong(7, Fairness::None));
        components.set_reported();
        assert!(!components.is_wrong(7, Fairness::None));
    }

    #[test]
    fn who_can_always_act_has_to() {
        let mut components = Components::default();
        components.open(0, Moves::default(), processes(&[1, 2, 3]));
        components.open(1, Moves::one(0, Some(1)), processes(&[1, 2]));
        components.merge(0, &Moves::one(0, Some(1)));
        assert!(components.is_wrong(0, Fairness::None) && !components.is_wrong(0, Fairness::Weak));
        components.merge(0, &Moves::one(0, Some(2)));
        // The third can act in one of the states.
        assert!(
            components.is_wrong(0, Fairness::Weak) && !components.is_wrong(0, Fairness::Strong)
        );
        components.merge(0, &Moves::one(0, Some(3)));
        assert!(components.is_wrong(0, Fairness::Strong));
    }
}
