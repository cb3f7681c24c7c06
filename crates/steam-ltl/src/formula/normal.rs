//! Between syntax and formulas: negation normal form, and back to a tree that is printed.

use super::{Formula, Formulas, Node};
use crate::syntax::{Binary, Syntax, Unary};

impl Formulas {
    /// Returns the formula that a syntax stands for.
    pub fn formula(&mut self, syntax: &Syntax) -> Formula {
        match syntax {
            Syntax::True => Formula::TRUE,
            Syntax::False => Formula::FALSE,
            Syntax::Atom(atom) => self.literal(*atom, true),
            Syntax::Unary(operator, operand) => {
                let operand = self.formula(operand);
                match operator {
                    Unary::Not => self.not(operand),
                    Unary::Next => self.next(operand),
                    Unary::Finally => self.finally(operand),
                    Unary::Globally => self.globally(operand),
                }
            }
            Syntax::Binary(operator, left, right) => {
                let (left, right) = (self.formula(left), self.formula(right));
                self.combined(*operator, left, right)
            }
        }
    }

    fn combined(&mut self, operator: Binary, left: Formula, right: Formula) -> Formula {
        match operator {
            Binary::And => self.and([left, right]),
            Binary::Or => self.or([left, right]),
            Binary::Implies => {
                let never = self.not(left);
                self.or([never, right])
            }
            Binary::Iff => {
                let (no_left, no_right) = (self.not(left), self.not(right));
                let (both, neither) = (self.and([left, right]), self.and([no_left, no_right]));
                self.or([both, neither])
            }
            Binary::Until => self.until(left, right),
            Binary::Release => self.release(left, right),
            // Right, or both, releases right-or-left.
            Binary::WeakUntil => {
                let either = self.or([left, right]);
                self.release(right, either)
            }
        }
    }

    /// Returns the negation, with negations before atoms only.
    pub fn not(&mut self, formula: Formula) -> Formula {
        if let Some(&known) = self.negations.get(&formula) {
            return known;
        }
        let negation = match self.node(formula).clone() {
            Node::True => Formula::FALSE,
            Node::False => Formula::TRUE,
            Node::Literal(atom, positive) => self.literal(atom, !positive),
            Node::And(all) => {
                let all: Vec<Formula> = all.iter().map(|one| self.not(*one)).collect();
                self.or(all)
            }
            Node::Or(all) => {
                let all: Vec<Formula> = all.iter().map(|one| self.not(*one)).collect();
                self.and(all)
            }
            Node::Next(inner) => {
                let inner = self.not(inner);
                self.next(inner)
            }
            Node::Until(left, right) => {
                let (left, right) = (self.not(left), self.not(right));
                self.release(left, right)
            }
            Node::Release(left, right) => {
                let (left, right) = (self.not(left), self.not(right));
                self.until(left, right)
            }
        };
        self.negations.insert(formula, negation);
        self.negations.insert(negation, formula);
        negation
    }

    /// Returns the formula as syntax, with `F`, `G` and `W` where it has their form.
    pub fn syntax(&self, formula: Formula) -> Syntax {
        let chain = |operator, all: &[Formula]| {
            let all = all.iter().map(|one| self.syntax(*one));
            all.reduce(|left, right| Syntax::binary(operator, left, right)).unwrap_or(Syntax::True)
        };
        match self.node(formula) {
            Node::True => Syntax::True,
            Node::False => Syntax::False,
            Node::Literal(atom, true) => Syntax::Atom(*atom),
            Node::Literal(atom, false) => Syntax::unary(Unary::Not, Syntax::Atom(*atom)),
            Node::And(all) => chain(Binary::And, all),
            Node::Or(all) => chain(Binary::Or, all),
            Node::Next(inner) => Syntax::unary(Unary::Next, self.syntax(*inner)),
            Node::Until(Formula::TRUE, inner) => Syntax::unary(Unary::Finally, self.syntax(*inner)),
            Node::Release(Formula::FALSE, inner) => {
                Syntax::unary(Unary::Globally, self.syntax(*inner))
            }
            Node::Until(left, right) => {
                Syntax::binary(Binary::Until, self.syntax(*left), self.syntax(*right))
            }
            Node::Release(left, right) => match self.weak(*left, *right) {
                Some((first, then)) => {
                    Syntax::binary(Binary::WeakUntil, self.syntax(first), self.syntax(then))
                }
                None => Syntax::binary(Binary::Release, self.syntax(*left), self.syntax(*right)),
            },
        }
    }

    /// `b R (a || b)` is `a W b`: the two sides, if it has this form.
    fn weak(&self, left: Formula, right: Formula) -> Option<(Formula, Formula)> {
        let Node::Or(either) = self.node(right) else { return None };
        match either[..] {
            [one, two] if one == left => Some((two, left)),
            [one, two] if two == left => Some((one, left)),
            _ => None,
        }
    }
}
