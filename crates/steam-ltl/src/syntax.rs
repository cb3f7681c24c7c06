//! A formula as it was written: the tree of its operators, and how it is printed.

use std::fmt;

use crate::atoms::{AtomId, Atoms};
use crate::parse::{Spelling, spelling};

/// A formula as it was written, with all its operators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Syntax {
    /// `true`
    True,
    /// `false`
    False,
    /// What is said about one state.
    Atom(AtomId),
    /// An operator before its operand.
    Unary(Unary, Box<Syntax>),
    /// An operator between its operands.
    Binary(Binary, Box<Syntax>, Box<Syntax>),
}

/// The operators before an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// `!`
    Not,
    /// `X`: in the next state.
    Next,
    /// `F`, `<>`: now or later.
    Finally,
    /// `G`, `[]`: now and for ever.
    Globally,
}

/// The operators between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `->`
    Implies,
    /// `<->`
    Iff,
    /// `U`: the right side comes, and until then the left side holds.
    Until,
    /// `R`: the right side holds until both hold, or for ever.
    Release,
    /// `W`: as `U`, but the right side need not come if the left side holds for ever.
    WeakUntil,
}

impl Unary {
    /// Returns the operator as it is printed.
    pub fn sign(self) -> &'static str {
        match self {
            Unary::Not => "!",
            Unary::Next => "X",
            Unary::Finally => "F",
            Unary::Globally => "G",
        }
    }
}

impl Binary {
    /// Returns the operator as it is printed.
    pub fn sign(self) -> &'static str {
        match self {
            Binary::And => "&&",
            Binary::Or => "||",
            Binary::Implies => "->",
            Binary::Iff => "<->",
            Binary::Until => "U",
            Binary::Release => "R",
            Binary::WeakUntil => "W",
        }
    }

    /// Whether `a op b op c` is `(a op b) op c`.
    fn groups_left(self) -> bool {
        matches!(self, Binary::And | Binary::Or)
    }
}

impl Syntax {
    /// Makes a formula of an operator before another formula.
    pub fn unary(operator: Unary, operand: Syntax) -> Syntax {
        Syntax::Unary(operator, Box::new(operand))
    }

    /// Makes a formula of an operator between two formulas.
    pub fn binary(operator: Binary, left: Syntax, right: Syntax) -> Syntax {
        Syntax::Binary(operator, Box::new(left), Box::new(right))
    }

    /// Returns the formula as a text that is read as the same formula again.
    pub fn display<'a>(&'a self, atoms: &'a Atoms) -> impl fmt::Display + 'a {
        Displayed { syntax: self, atoms }
    }

    /// Whether the formula uses `X`. One that does not cannot see how often a state is repeated.
    pub fn uses_next(&self) -> bool {
        match self {
            Syntax::True | Syntax::False | Syntax::Atom(_) => false,
            Syntax::Unary(Unary::Next, _) => true,
            Syntax::Unary(_, operand) => operand.uses_next(),
            Syntax::Binary(_, left, right) => left.uses_next() || right.uses_next(),
        }
    }
}

struct Displayed<'a> {
    syntax: &'a Syntax,
    atoms: &'a Atoms,
}

impl Displayed<'_> {
    fn child<'a>(&'a self, syntax: &'a Syntax) -> Displayed<'a> {
        Displayed { syntax, atoms: self.atoms }
    }

    /// An operand of a binary operator, in parentheses where a reader could doubt.
    fn operand(
        &self,
        f: &mut fmt::Formatter<'_>,
        parent: Binary,
        operand: &Syntax,
        left: bool,
    ) -> fmt::Result {
        let plain = match operand {
            Syntax::Binary(operator, ..) if *operator == parent => parent.groups_left() == left,
            Syntax::Binary(Binary::And | Binary::Or, ..) => {
                matches!(parent, Binary::Implies | Binary::Iff)
            }
            Syntax::Binary(..) => false,
            _ => true,
        };
        match plain {
            true => write!(f, "{}", self.child(operand)),
            false => write!(f, "({})", self.child(operand)),
        }
    }
}

impl fmt::Display for Displayed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.syntax {
            Syntax::True => f.write_str("true"),
            Syntax::False => f.write_str("false"),
            Syntax::Atom(atom) => write_atom(f, self.atoms.text(*atom), false),
            Syntax::Unary(operator, operand) => {
                f.write_str(operator.sign())?;
                if *operator != Unary::Not {
                    f.write_str(" ")?;
                }
                match &**operand {
                    Syntax::Binary(..) => write!(f, "({})", self.child(operand)),
                    Syntax::Atom(atom) => write_atom(f, self.atoms.text(*atom), true),
                    _ => write!(f, "{}", self.child(operand)),
                }
            }
            Syntax::Binary(operator, left, right) => {
                self.operand(f, *operator, left, true)?;
                write!(f, " {} ", operator.sign())?;
                self.operand(f, *operator, right, false)
            }
        }
    }
}

/// Writes an atom so that it is read as one again; `close` keeps an operator before it from
/// seeming to belong to its first part only.
pub(crate) fn write_atom(f: &mut fmt::Formatter<'_>, text: &str, close: bool) -> fmt::Result {
    match spelling(text) {
        Spelling::Compound if close => write!(f, "({text})"),
        Spelling::Simple | Spelling::Compound => f.write_str(text),
        Spelling::Braces => write!(f, "{{{text}}}"),
        Spelling::Quotes => write!(f, "\"{text}\""),
    }
}
