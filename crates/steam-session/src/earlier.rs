//! What earlier iterations found: real, but perhaps not found again by the rules of later ones.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use steam_search::Finding;

/// Distinct findings of earlier iterations, each with its iteration.
pub(crate) struct Earlier<T, A> {
    list: Vec<(u32, Finding<T, A>)>,
    positions: HashMap<T, usize>,
}

impl<T, A> Default for Earlier<T, A> {
    fn default() -> Self {
        Self { list: Vec::new(), positions: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash, A> Earlier<T, A> {
    /// Keeps what an iteration found. Of equal findings the last one stays, whose trail was made by
    /// the rules that are nearest to those of the last iteration.
    pub(crate) fn keep(&mut self, iteration: u32, findings: Vec<Finding<T, A>>) {
        for finding in findings {
            match self.positions.get(&finding.what) {
                Some(&position) => self.list[position] = (iteration, finding),
                None => {
                    self.positions.insert(finding.what.clone(), self.list.len());
                    self.list.push((iteration, finding));
                }
            }
        }
    }

    /// Adds to the findings of the last iteration those that it did not find again: all of them, or
    /// else of the fatal ones only the nearest, and only if there is no other. The iterations of all
    /// findings.
    pub(crate) fn add_to(
        self,
        findings: &mut Vec<Finding<T, A>>,
        last: u32,
        all: bool,
        is_fatal: impl Fn(&T) -> bool,
    ) -> Vec<u32> {
        let iterations = vec![last; findings.len()];
        let known: HashSet<T> = findings.iter().map(|finding| finding.what.clone()).collect();
        let mut lost: Vec<_> =
            self.list.into_iter().filter(|(_, finding)| !known.contains(&finding.what)).collect();
        if !all {
            lost.sort_by_key(|(_, finding)| finding.depth);
            let mut found = findings.iter().any(|finding| is_fatal(&finding.what));
            lost.retain(|(_, it)| !is_fatal(&it.what) || !std::mem::replace(&mut found, true));
        }
        let mut together: Vec<_> = iterations.into_iter().zip(findings.drain(..)).collect();
        together.extend(lost);
        // The order is otherwise that in which they were found.
        together.sort_by_key(|(_, finding)| !is_fatal(&finding.what));
        let (iterations, sorted): (Vec<u32>, Vec<_>) = together.into_iter().unzip();
        *findings = sorted;
        iterations
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(what: char, depth: u32) -> Finding<char, u32> {
        Finding::new(what, depth, None)
    }

    fn earlier() -> Earlier<char, u32> {
        let mut earlier = Earlier::default();
        earlier.keep(0, vec![finding('a', 9), finding('b', 7)]);
        earlier.keep(1, vec![finding('a', 10), finding('c', 8)]);
        earlier
    }

    #[test]
    fn nothing_gets_lost_and_nothing_is_told_twice() {
        let mut findings = vec![finding('c', 1)];
        assert_eq!(earlier().add_to(&mut findings, 2, true, |_| true), [2, 1, 0]);
        assert_eq!(findings, [finding('c', 1), finding('a', 10), finding('b', 7)]);
    }

    #[test]
    fn one_finding_is_enough_unless_all_are_wanted() {
        let mut findings = vec![finding('c', 1)];
        assert_eq!(earlier().add_to(&mut findings, 2, false, |_| true), [2]);
        let mut none = Vec::new();
        assert_eq!(earlier().add_to(&mut none, 2, false, |_| true), [0]);
        assert_eq!(none, [finding('b', 7)]);
    }

    #[test]
    fn what_is_not_fatal_is_told_beside() {
        let mut findings = vec![finding('d', 1)];
        let is_fatal = |what: &char| *what == 'c';
        assert_eq!(earlier().add_to(&mut findings, 2, false, is_fatal), [1, 2, 0, 1]);
        let told: Vec<char> = findings.iter().map(|finding| finding.what).collect();
        assert_eq!(told, ['c', 'd', 'b', 'a']);
    }
}
