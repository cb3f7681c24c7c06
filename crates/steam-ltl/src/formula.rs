//! Formulas as values: each different one is stored once and named by a small number.
//!
//! A [`Formula`] is in negation normal form by construction: negation stands before atoms only, and
//! the operators are `&& || X U R`, with `F a` as `true U a` and `G a` as `false R a`. Operands of
//! `&&` and `||` are sorted sets. So equality is a comparison of numbers, and what is computed for
//! a formula can be remembered under its number.

mod context;
mod implies;
mod normal;
mod simplify;

use ahash::{HashMap, RandomState};

use crate::atoms::{AtomId, Valuation};

/// A formula by its number in an arena of [`Formulas`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Formula(u32);

impl Formula {
    /// The formula that always holds.
    pub const TRUE: Formula = Formula(0);
    /// The formula that never holds.
    pub const FALSE: Formula = Formula(1);

    /// Returns the constant for a value.
    pub fn constant(value: bool) -> Formula {
        if value { Formula::TRUE } else { Formula::FALSE }
    }
}

/// What a formula is made of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Node {
    /// `true`
    True,
    /// `false`
    False,
    /// An atom, or its negation.
    Literal(AtomId, bool),
    /// All of two or more different formulas, in ascending order.
    And(Box<[Formula]>),
    /// One of two or more different formulas, in ascending order.
    Or(Box<[Formula]>),
    /// `X a`
    Next(Formula),
    /// `a U b`
    Until(Formula, Formula),
    /// `a R b`
    Release(Formula, Formula),
}

/// All formulas that were made so far.
#[derive(Debug, Clone)]
pub struct Formulas {
    nodes: Vec<Node>,
    numbers: HashMap<Node, Formula>,
    facts: Vec<Facts>,
    negations: HashMap<Formula, Formula>,
    simplified: HashMap<Formula, Formula>,
    implications: HashMap<(Formula, Formula), bool>,
    pub(crate) progressed: HashMap<(Formula, Valuation), Formula>,
    pub(crate) ended: HashMap<(Formula, Valuation), bool>,
}

/// What is asked of a formula more often than its parts should be walked through: parts may be
/// shared, so that there are far more ways through a formula than parts.
#[derive(Debug, Clone, Copy)]
struct Facts {
    /// The atoms in it, one bit each.
    atoms: u64,
    uses_next: bool,
    /// It holds of a run if it holds of a later part of it: `F a`, `G F a`.
    may_be_late: bool,
}

impl Default for Formulas {
    fn default() -> Formulas {
        Formulas::new()
    }
}

/// An empty table with fixed keys.
fn table<K, V>() -> HashMap<K, V> {
    HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 4))
}

impl Formulas {
    /// Makes an arena with the two constants.
    pub fn new() -> Formulas {
        let mut formulas = Formulas {
            nodes: Vec::new(),
            numbers: table(),
            facts: Vec::new(),
            negations: table(),
            simplified: table(),
            implications: table(),
            progressed: table(),
            ended: table(),
        };
        formulas.intern(Node::True);
        formulas.intern(Node::False);
        formulas
    }

    /// Returns the number of different formulas so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there are no formulas; there always are.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns what a formula is made of.
    pub fn node(&self, formula: Formula) -> &Node {
        &self.nodes[formula.0 as usize]
    }

    /// Returns the atoms in a formula, one bit each.
    pub fn atoms(&self, formula: Formula) -> u64 {
        self.facts(formula).atoms
    }

    fn facts(&self, formula: Formula) -> Facts {
        self.facts[formula.0 as usize]
    }

    fn facts_of(&self, node: &Node) -> Facts {
        let parts = match node {
            Node::True | Node::False | Node::Literal(..) => &[][..],
            Node::And(all) | Node::Or(all) => all,
            Node::Next(inner) => &[*inner],
            Node::Until(left, right) | Node::Release(left, right) => &[*left, *right],
        };
        let mut facts = match node {
            Node::Literal(atom, _) => {
                Facts { atoms: 1 << atom.0, uses_next: false, may_be_late: false }
            }
            _ => Facts { atoms: 0, uses_next: matches!(node, Node::Next(_)), may_be_late: true },
        };
        for part in parts.iter().map(|part| self.facts(*part)) {
            facts.atoms |= part.atoms;
            facts.uses_next |= part.uses_next;
            facts.may_be_late &= part.may_be_late;
        }
        facts.may_be_late |= matches!(node, Node::Until(Formula::TRUE, _));
        facts
    }

    fn intern(&mut self, node: Node) -> Formula {
        if let Some(&known) = self.numbers.get(&node) {
            return known;
        }
        let facts = self.facts_of(&node);
        let number = Formula(u32::try_from(self.nodes.len()).expect("fewer formulas than memory"));
        self.nodes.push(node.clone());
        self.facts.push(facts);
        self.numbers.insert(node, number);
        number
    }

    /// Returns an atom, or its negation.
    pub fn literal(&mut self, atom: AtomId, positive: bool) -> Formula {
        self.intern(Node::Literal(atom, positive))
    }

    /// Returns the formula that holds where all of some hold.
    pub fn and(&mut self, all: impl IntoIterator<Item = Formula>) -> Formula {
        let mut operands = Vec::new();
        for one in all {
            match self.node(one) {
                Node::And(inner) => operands.extend_from_slice(inner),
                _ => operands.push(one),
            }
        }
        match self.operands(operands, Formula::TRUE, Formula::FALSE) {
            Ok(operands) => self.intern(Node::And(operands)),
            Err(one) => one,
        }
    }

    /// Returns the formula that holds where one of some holds.
    pub fn or(&mut self, all: impl IntoIterator<Item = Formula>) -> Formula {
        let mut operands = Vec::new();
        for one in all {
            match self.node(one) {
                Node::Or(inner) => operands.extend_from_slice(inner),
                _ => operands.push(one),
            }
        }
        match self.operands(operands, Formula::FALSE, Formula::TRUE) {
            Ok(operands) => self.intern(Node::Or(operands)),
            Err(one) => one,
        }
    }

    /// The operands of `&&` or `||` as a sorted set without the constant that says nothing;
    /// or the single formula that they come to.
    fn operands(
        &mut self,
        mut operands: Vec<Formula>,
        nothing: Formula,
        everything: Formula,
    ) -> Result<Box<[Formula]>, Formula> {
        operands.sort_unstable();
        operands.dedup();
        operands.retain(|one| *one != nothing);
        if operands.contains(&everything) {
            return Err(everything);
        }
        for index in 0..operands.len() {
            let opposite = self.not(operands[index]);
            if operands.binary_search(&opposite).is_ok() {
                return Err(everything);
            }
        }
        // Absorption: a && (a || b) is a, and the same with the operators exchanged.
        let absorbed = |one: &Formula| match self.node(*one) {
            Node::And(inner) | Node::Or(inner) => {
                inner.iter().any(|part| operands.binary_search(part).is_ok())
            }
            _ => false,
        };
        let left: Vec<Formula> = operands.iter().copied().filter(|one| !absorbed(one)).collect();
        match left[..] {
            [] => Err(nothing),
            [one] => Err(one),
            _ => Ok(left.into()),
        }
    }

    /// Returns `X a`.
    pub fn next(&mut self, inner: Formula) -> Formula {
        match inner {
            Formula::TRUE | Formula::FALSE => inner,
            _ => self.intern(Node::Next(inner)),
        }
    }

    /// Returns `a U b`.
    pub fn until(&mut self, left: Formula, right: Formula) -> Formula {
        match (left, right) {
            (_, Formula::TRUE | Formula::FALSE) | (Formula::FALSE, _) => right,
            _ if left == right => right,
            _ => self.intern(Node::Until(left, right)),
        }
    }

    /// Returns `a R b`.
    pub fn release(&mut self, left: Formula, right: Formula) -> Formula {
        match (left, right) {
            (_, Formula::TRUE | Formula::FALSE) | (Formula::TRUE, _) => right,
            _ if left == right => right,
            _ => self.intern(Node::Release(left, right)),
        }
    }

    /// Returns `F a`.
    pub fn finally(&mut self, inner: Formula) -> Formula {
        self.until(Formula::TRUE, inner)
    }

    /// Returns `G a`.
    pub fn globally(&mut self, inner: Formula) -> Formula {
        self.release(Formula::FALSE, inner)
    }

    /// Whether the formula uses `X`. One that does not cannot see how often a state is repeated.
    pub fn uses_next(&self, formula: Formula) -> bool {
        self.facts(formula).uses_next
    }
}
