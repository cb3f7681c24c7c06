//! Progression: what is left of a formula after one state (Bacchus and Kabanza, AIJ 2000).
//!
//! A formula holds of a run if what is left of it holds of the run without its first state. Since
//! each formula is stored once, a search without a store keeps one number per property in each of
//! its nodes. [`Formula::FALSE`] means that the states so far are enough for a violation, whatever
//! follows; [`Formula::TRUE`] that nothing is owed any more.
//!
//! A finished run repeats its last state for ever: [`Formulas::end`]. A run that is only cut off
//! has no value; what is left of the formula says what was not seen.

use crate::atoms::Valuation;
use crate::formula::{Formula, Formulas, Node};

impl Formulas {
    /// Returns what the run after a state must fulfil so that the whole run fulfils the formula.
    pub fn progress(&mut self, formula: Formula, state: Valuation) -> Formula {
        let key = (formula, Valuation(state.0 & self.atoms(formula)));
        if let Some(&known) = self.progressed.get(&key) {
            return known;
        }
        let left = self.unfold(formula, state);
        let left = self.settle(left);
        self.progressed.insert(key, left);
        left
    }

    fn unfold(&mut self, formula: Formula, state: Valuation) -> Formula {
        match self.node(formula).clone() {
            Node::True | Node::False => formula,
            Node::Literal(atom, positive) => Formula::constant(state.holds(atom) == positive),
            Node::And(all) => {
                let all: Vec<Formula> = all.iter().map(|one| self.progress(*one, state)).collect();
                self.and(all)
            }
            Node::Or(all) => {
                let all: Vec<Formula> = all.iter().map(|one| self.progress(*one, state)).collect();
                self.or(all)
            }
            Node::Next(inner) => inner,
            Node::Until(left, right) => {
                let (left, right) = (self.progress(left, state), self.progress(right, state));
                let goes_on = self.and([left, formula]);
                self.or([right, goes_on])
            }
            Node::Release(left, right) => {
                let (left, right) = (self.progress(left, state), self.progress(right, state));
                let goes_on = self.or([left, formula]);
                self.and([right, goes_on])
            }
        }
    }

    /// Returns whether a run that repeats one state for ever fulfils the formula: what a finished
    /// run comes to, with its last state.
    pub fn end(&mut self, formula: Formula, last: Valuation) -> bool {
        let key = (formula, Valuation(last.0 & self.atoms(formula)));
        if let Some(&known) = self.ended.get(&key) {
            return known;
        }
        let value = match self.node(formula).clone() {
            Node::True => true,
            Node::False => false,
            Node::Literal(atom, positive) => last.holds(atom) == positive,
            Node::And(all) => all.iter().all(|one| self.end(*one, last)),
            Node::Or(all) => all.iter().any(|one| self.end(*one, last)),
            Node::Next(inner) => self.end(inner, last),
            Node::Until(_, right) | Node::Release(_, right) => self.end(right, last),
        };
        self.ended.insert(key, value);
        value
    }
}
