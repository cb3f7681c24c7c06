//! Strong fairness: who can act again and again acts again and again.
//!
//! A component in which a process that can act never does may still have a part that is fair: one without
//! the states in which that process can act. What is left may fall apart into components that starve
//! others, so it is done again, for all parts at once (the emptiness check of Streett automata; Emerson
//! and Lei 1985). Each time the parts that are left have lost a process, so there are no more rounds than
//! processes.

use steam_ltl::components;

use super::components::Moves;
use super::processes::Processes;

/// A complete component: who can act in each node, and the moves between its nodes.
#[derive(Default)]
pub(super) struct Piece {
    pub(super) able: Vec<Processes>,
    pub(super) moves: Vec<Vec<(usize, Moves)>>,
}

/// What the nodes and the inner moves of a part have, taken together.
#[derive(Clone, Default)]
struct Sum {
    moves: Moves,
    able: Processes,
    cyclic: bool,
}

impl Sum {
    fn may_be_wrong(&self, marks: u64) -> bool {
        self.cyclic && self.moves.marks & marks == marks
    }

    fn starving(&self) -> Processes {
        let mut starving = self.able.clone();
        starving.drop(&self.moves.acting);
        starving
    }
}

impl Piece {
    /// The nodes of a part that is fair, whose nodes all reach each other, and whose moves have all
    /// marks.
    pub(super) fn fair_part(&self, marks: u64) -> Option<Vec<usize>> {
        let mut parts: Vec<Option<usize>> = vec![Some(0); self.able.len()];
        while parts.iter().any(Option::is_some) {
            let inner = |from: usize, to: usize| parts[from].is_some() && parts[from] == parts[to];
            let component = components(self.able.len(), |node, out| {
                out.extend(self.moves[node].iter().map(|it| it.0).filter(|to| inner(node, *to)));
            });
            let sums = self
                .sums(&component, |from, to| inner(from, to) && component[from] == component[to]);
            let fair = |sum: &Sum| sum.may_be_wrong(marks) && sum.starving().is_empty();
            let stays = |node: &usize| parts[*node].is_some();
            if let Some(found) = sums.iter().position(fair) {
                let nodes = (0..component.len()).filter(stays);
                return Some(nodes.filter(|node| component[*node] == found).collect());
            }
            let starving: Vec<Processes> = sums.iter().map(Sum::starving).collect();
            let left = |node: usize| {
                let mut hindered = self.able[node].clone();
                hindered.keep(&starving[component[node]]);
                sums[component[node]].may_be_wrong(marks) && hindered.is_empty()
            };
            parts = (0..component.len())
                .map(|node| (stays(&node) && left(node)).then_some(component[node]))
                .collect();
        }
        None
    }

    fn sums(&self, component: &[usize], inner: impl Fn(usize, usize) -> bool) -> Vec<Sum> {
        let count = component.iter().max().map_or(0, |last| last + 1);
        let mut sums = vec![Sum::default(); count];
        for (node, moves) in self.moves.iter().enumerate() {
            let sum = &mut sums[component[node]];
            sum.able.add(&self.able[node]);
            for (_, by) in moves.iter().filter(|(to, _)| inner(node, *to)) {
                sum.moves.add(by);
                sum.cyclic = true;
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rings with a node in common: process 1 cycles through the first, process 2 through the second.
    fn rings(able: [&[u32]; 4]) -> Piece {
        let step = |to, marks, process| (to, Moves::one(marks, Some(process)));
        Piece {
            able: able.iter().map(|it| it.iter().copied().collect()).collect(),
            moves: vec![
                vec![step(1, 1, 1), step(2, 1, 2)],
                vec![step(0, 0, 1)],
                vec![step(3, 0, 2)],
                vec![step(0, 2, 2)],
            ],
        }
    }

    #[test]
    fn states_in_which_somebody_starves_are_left_out() {
        // Process 3 can act in the first ring and never does; without it process 1 cannot act.
        let piece = rings([&[1, 2], &[1, 3], &[2], &[2]]);
        assert_eq!(piece.fair_part(0), None);
        // Without process 1 in the common node the second ring is fair.
        let piece = rings([&[2], &[1, 3], &[2], &[2]]);
        assert_eq!(piece.fair_part(3), Some(vec![0, 2, 3]));
        assert_eq!(piece.fair_part(4), None);
        let everything = rings([&[1, 2], &[1], &[2], &[2]]);
        assert_eq!(everything.fair_part(3), Some(vec![0, 1, 2, 3]));
        let nothing = rings([&[1, 2, 3], &[1], &[2], &[2]]);
        assert_eq!(nothing.fair_part(0), None);
    }
}
