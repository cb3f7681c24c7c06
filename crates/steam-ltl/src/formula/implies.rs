//! Which formulas follow from which, as far as their form tells (Somenzi and Bloem, CAV 2000).

use super::{Formula, Formulas, Node};

impl Formulas {
    /// Whether `then` holds wherever `given` does, seen from their form alone: `false` means that
    /// it is not known.
    pub(crate) fn implies(&mut self, given: Formula, then: Formula) -> bool {
        if given == then || given == Formula::FALSE || then == Formula::TRUE {
            return true;
        }
        if given == Formula::TRUE || then == Formula::FALSE {
            return false;
        }
        if let Some(&known) = self.implications.get(&(given, then)) {
            return known;
        }
        let implied = self.implies_by_given(given, then) || self.implies_by_then(given, then);
        self.implications.insert((given, then), implied);
        implied
    }

    /// Whether it follows from a part of what is given.
    fn implies_by_given(&mut self, given: Formula, then: Formula) -> bool {
        match self.node(given).clone() {
            Node::And(all) => all.iter().any(|one| self.implies(*one, then)),
            Node::Or(all) => all.iter().all(|one| self.implies(*one, then)),
            Node::Until(left, right) => {
                let lasting = matches!(self.node(then), Node::Until(Formula::TRUE, _));
                self.implies(right, then) && (lasting || self.implies(left, then))
            }
            Node::Release(_, right) => self.implies(right, then),
            Node::Next(inner) => match self.node(then).clone() {
                Node::Until(Formula::TRUE, _) => self.implies(inner, then),
                Node::Next(other) => self.implies(inner, other),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether it follows from the form of what is to hold.
    fn implies_by_then(&mut self, given: Formula, then: Formula) -> bool {
        match (self.node(given).clone(), self.node(then).clone()) {
            (_, Node::And(all)) => all.iter().all(|one| self.implies(given, *one)),
            (_, Node::Or(all)) => all.iter().any(|one| self.implies(given, *one)),
            (Node::Until(a, b), Node::Until(c, d)) => {
                self.implies(given, d) || self.implies(a, c) && self.implies(b, d)
            }
            (Node::Release(a, b), Node::Release(c, d)) => {
                let lasting = a == Formula::FALSE && c == Formula::FALSE && self.implies(given, d);
                lasting
                    || self.implies(a, c) && self.implies(b, d)
                    || self.implies(given, c) && self.implies(given, d)
            }
            (_, Node::Until(_, right)) => self.implies(given, right),
            (_, Node::Release(left, right)) => {
                self.implies(given, left) && self.implies(given, right)
            }
            (Node::Release(Formula::FALSE, _), Node::Next(inner)) => self.implies(given, inner),
            _ => false,
        }
    }
}
