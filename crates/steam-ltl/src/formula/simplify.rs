//! Smaller formulas with the same meaning, before they are translated (Etessami and Holzmann,
//! CONCUR 2000; Somenzi and Bloem, CAV 2000). The rules for `||` and `R` are those for `&&` and
//! `U`, applied to the negation.

use super::{Formula, Formulas, Node};

impl Formulas {
    /// Returns an equivalent formula that is no larger.
    pub fn simplify(&mut self, formula: Formula) -> Formula {
        if let Some(&known) = self.simplified.get(&formula) {
            return known;
        }
        let once = self.simplify_once(formula);
        let simple = if once == formula { once } else { self.simplify(once) };
        self.simplified.insert(formula, simple);
        simple
    }

    fn simplify_once(&mut self, formula: Formula) -> Formula {
        match self.node(formula).clone() {
            Node::True | Node::False | Node::Literal(..) => formula,
            Node::And(all) => {
                let all = all.iter().map(|one| self.simplify(*one)).collect();
                let all = self.simple_and(all);
                self.settle(all)
            }
            Node::Or(all) => {
                let all = all.iter().map(|one| self.simplify(*one)).collect::<Vec<_>>();
                let opposites = all.iter().map(|one| self.not(*one)).collect();
                let opposite = self.simple_and(opposites);
                let opposite = self.settle(opposite);
                self.not(opposite)
            }
            Node::Next(inner) => {
                let inner = self.simplify(inner);
                self.next(inner)
            }
            Node::Until(left, right) => {
                let (left, right) = (self.simplify(left), self.simplify(right));
                self.simple_until(left, right)
            }
            Node::Release(left, right) => {
                let (left, right) = (self.simplify(left), self.simplify(right));
                let (left, right) = (self.not(left), self.not(right));
                let opposite = self.simple_until(left, right);
                self.not(opposite)
            }
        }
    }

    fn simple_until(&mut self, left: Formula, right: Formula) -> Formula {
        // What stays true when it is put off is not waited for.
        if self.implies(left, right) || self.facts(right).may_be_late {
            return right;
        }
        let not_left = self.not(left);
        let left = if self.implies(not_left, right) { Formula::TRUE } else { left };
        match (self.node(left).clone(), self.node(right).clone()) {
            (_, Node::Until(first, _)) if self.implies(left, first) => right,
            (Node::Next(left), Node::Next(right)) => {
                let inner = self.until(left, right);
                self.next(inner)
            }
            (Node::True, Node::Next(inner)) => {
                let inner = self.finally(inner);
                self.next(inner)
            }
            // F (a U b) is F b, and F (a || F b) is F (a || b).
            (Node::True, Node::Until(_, then)) => self.finally(then),
            (Node::True, Node::Or(all)) => {
                let plain: Vec<Formula> =
                    all.iter().map(|one| self.without_finally(*one)).collect();
                let either = self.or(plain);
                self.finally(either)
            }
            _ => self.until(left, right),
        }
    }

    fn without_finally(&self, formula: Formula) -> Formula {
        match self.node(formula) {
            Node::Until(Formula::TRUE, inner) => *inner,
            _ => formula,
        }
    }

    fn simple_and(&mut self, all: Vec<Formula>) -> Formula {
        let merged = self.merged(all);
        let joined = self.and(merged);
        let Node::And(all) = self.node(joined).clone() else { return joined };
        let mut kept = all.to_vec();
        let mut index = 0;
        while index < kept.len() {
            let one = kept[index];
            let opposite = self.not(one);
            let others: Vec<Formula> = kept.iter().copied().filter(|other| *other != one).collect();
            if others.iter().any(|other| self.implies(*other, opposite)) {
                return Formula::FALSE;
            }
            match others.iter().any(|other| self.implies(*other, one)) {
                true => drop(kept.remove(index)),
                false => index += 1,
            }
        }
        self.and(kept)
    }

    /// `G a && G b` as `G (a && b)`; the same with `X` and with `F G`.
    fn merged(&mut self, all: Vec<Formula>) -> Vec<Formula> {
        let (mut always, mut next, mut at_last) = (Vec::new(), Vec::new(), Vec::new());
        let mut others = Vec::new();
        for one in all {
            match self.node(one) {
                Node::Release(Formula::FALSE, inner) => always.push(*inner),
                Node::Next(inner) => next.push(*inner),
                Node::Until(Formula::TRUE, inner) => match self.node(*inner) {
                    Node::Release(Formula::FALSE, inner) => at_last.push(*inner),
                    _ => others.push(one),
                },
                _ => others.push(one),
            }
        }
        let always = self.and(always);
        others.push(self.globally(always));
        let next = self.and(next);
        others.push(self.next(next));
        let at_last = self.and(at_last);
        let at_last = self.globally(at_last);
        others.push(self.finally(at_last));
        others
    }
}
