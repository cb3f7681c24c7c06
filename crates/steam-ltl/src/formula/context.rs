//! What a formula comes to beside others: in `a && (b || !a)` the inner `a` is known to hold.
//!
//! Progression unfolds `U` and `R` again at each state. Without this, what is still owed would
//! grow with the run; with it no part is said twice on a way from the root, so that the number of
//! formulas that a run can come to stays bounded by the parts of the first one.

use super::{Formula, Formulas, Node};

/// Parts may be shared, so that there are far more ways through a formula than parts. Who gives
/// up leaves a formula that is larger, not wrong.
const MOST_VISITS: u32 = 2_000;

impl Formulas {
    /// Returns an equivalent formula in which no operand of `&&` or `||` repeats what operands
    /// around it decide. Operators of time are left as they are.
    pub(crate) fn settle(&mut self, formula: Formula) -> Formula {
        let mut known = Vec::new();
        let mut visits = MOST_VISITS;
        let mut before = formula;
        loop {
            let after = self.settle_among(before, &mut known, &mut visits);
            if after == before {
                return after;
            }
            before = after;
        }
    }

    /// The formula where some others are known to hold or not.
    fn settle_among(
        &mut self,
        formula: Formula,
        known: &mut Vec<(Formula, bool)>,
        visits: &mut u32,
    ) -> Formula {
        if *visits == 0 {
            return formula;
        }
        *visits -= 1;
        if let Some((_, value)) = known.iter().find(|(other, _)| *other == formula) {
            return Formula::constant(*value);
        }
        let opposite = self.not(formula);
        if let Some((_, value)) = known.iter().find(|(other, _)| *other == opposite) {
            return Formula::constant(!*value);
        }
        let (all, conjunction) = match self.node(formula) {
            Node::And(all) => (all.to_vec(), true),
            Node::Or(all) => (all.to_vec(), false),
            _ => return formula,
        };
        let mut settled = all;
        for index in 0..settled.len() {
            let length = known.len();
            let others = settled.iter().enumerate().filter(|(other, _)| *other != index);
            known.extend(others.map(|(_, other)| (*other, conjunction)));
            settled[index] = self.settle_among(settled[index], known, visits);
            known.truncate(length);
        }
        if conjunction { self.and(settled) } else { self.or(settled) }
    }
}
