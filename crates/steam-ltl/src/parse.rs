//! From text to syntax. Atoms are C expressions that stand in formulas without quotes, so the
//! parser has to find where each ends; `parse/atom.rs` has the rules.
//!
//! From loose to close: `<->`, `->`, `||`, `&&`, then `U R W`, then `! X F G [] <>`. All but `&&`
//! and `||` group to the right. The single letters `G F X U R W` are operators wherever a formula
//! may stand; a variable of that name is quoted, with its whole atom: `{F == 1}` or `"F == 1"`.

mod atom;
mod scan;
#[cfg(test)]
mod tests;
mod wording;

use crate::atoms::Atoms;
use crate::error::LtlError;
use crate::syntax::{Binary, Syntax, Unary};
use scan::{Scanner, is_word};

pub(crate) use atom::{Spelling, spelling};

/// Formulas within each other: whoever walks through them may recurse.
const DEEPEST: u32 = 250;

/// Longer texts are no formulas that people or programs write. What a parenthesis begins is found by looking
/// for its end, so that time is not proportional to length.
const LONGEST: usize = 1 << 16;

/// The operators between formulas, with how close they bind.
const BINARY: [(&str, u8, Binary); 7] = [
    ("<->", 1, Binary::Iff),
    ("->", 2, Binary::Implies),
    ("||", 3, Binary::Or),
    ("&&", 4, Binary::And),
    ("U", 5, Binary::Until),
    ("R", 5, Binary::Release),
    ("W", 5, Binary::WeakUntil),
];

/// The operators before formulas.
const UNARY: [(&str, Unary); 6] = [
    ("!", Unary::Not),
    ("X", Unary::Next),
    ("F", Unary::Finally),
    ("G", Unary::Globally),
    ("<>", Unary::Finally),
    ("[]", Unary::Globally),
];

/// Reads a formula; its atoms get numbers in the table. A table is unchanged by a text that is
/// no formula.
pub fn parse(text: &str, atoms: &mut Atoms) -> Result<Syntax, LtlError> {
    if text.len() > LONGEST {
        let why = format!("the formula has more than {LONGEST} bytes");
        return Err(LtlError::new(0, why).hint("check its parts as formulas of their own"));
    }
    let before = atoms.len();
    let mut parser = Parser { scan: Scanner::new(text), atoms, open: 0, arrow: None };
    let syntax = parser.whole();
    if syntax.is_err() {
        atoms.truncate(before);
    }
    syntax
}

/// What is left to read.
struct Parser<'a> {
    scan: Scanner<'a>,
    atoms: &'a mut Atoms,
    /// The number of operators and parentheses around the next letter.
    open: u32,
    /// Where the last `->` stands that was read as the way to a member.
    arrow: Option<usize>,
}

/// A formula with what its surroundings must know of it.
struct Part {
    syntax: Syntax,
    height: u32,
    /// It is an atom with an operator of C, not in parentheses: a sign before it would bind
    /// closer in C than in a formula.
    bare: bool,
}

impl Part {
    fn leaf(syntax: Syntax) -> Part {
        Part { syntax, height: 1, bare: false }
    }
}

impl Parser<'_> {
    fn whole(&mut self) -> Result<Syntax, LtlError> {
        self.scan.skip_blanks();
        if self.scan.at_end() {
            return Err(LtlError::new(self.scan.at, "there is no formula")
                .hint("for example: G (request -> F granted)"));
        }
        let part = self.binary(1, None)?;
        self.scan.skip_blanks();
        match self.scan.peek() {
            None => Ok(part.syntax),
            Some(')') => Err(LtlError::new(self.scan.at, "`)` closes nothing")),
            Some(_) => Err(wording::no_operator(&self.scan, self.arrow)),
        }
    }

    /// A formula whose operators bind at least as close as `closest`; `after` is the operator
    /// before it.
    fn binary(&mut self, closest: u8, after: Option<&str>) -> Result<Part, LtlError> {
        self.open += 1;
        self.bounded(self.open)?;
        let mut left = self.unary(after)?;
        while let Some((sign, precedence, operator)) = self.operator(closest) {
            self.scan.at += sign.len();
            let groups_left = matches!(operator, Binary::And | Binary::Or);
            let right = self.binary(precedence + u8::from(groups_left), Some(sign))?;
            let height = 1 + left.height.max(right.height);
            self.bounded(height)?;
            left = Part {
                syntax: Syntax::binary(operator, left.syntax, right.syntax),
                height,
                bare: false,
            };
        }
        self.open -= 1;
        Ok(left)
    }

    /// The operator at the next letter, if it binds close enough.
    fn operator(&mut self, closest: u8) -> Option<(&'static str, u8, Binary)> {
        self.scan.skip_blanks();
        let found = BINARY.iter().find(|(sign, ..)| self.scan.starts_with_operator(sign))?;
        (found.1 >= closest).then_some(*found)
    }

    fn unary(&mut self, after: Option<&str>) -> Result<Part, LtlError> {
        self.scan.skip_blanks();
        let at = self.scan.at;
        let found = UNARY.iter().find(|(sign, _)| self.scan.starts_with_operator(sign));
        let Some(&(sign, operator)) = found else { return self.primary(after) };
        self.scan.at += sign.len();
        self.open += 1;
        self.bounded(self.open)?;
        let operand = self.unary(Some(sign))?;
        self.open -= 1;
        if operator == Unary::Not && operand.bare {
            return Err(wording::doubtful_not(&self.scan, at));
        }
        self.bounded(operand.height + 1)?;
        let syntax = Syntax::unary(operator, operand.syntax);
        Ok(Part { syntax, height: operand.height + 1, bare: false })
    }

    /// A constant, a formula in parentheses, or an atom.
    fn primary(&mut self, after: Option<&str>) -> Result<Part, LtlError> {
        let at = self.scan.at;
        match self.scan.peek() {
            Some('{' | '"') => {
                let text = self.scan.quoted()?;
                return self.atom(at, text, false);
            }
            Some('(') if !atom::starts_atom(&self.scan)? => return self.group(),
            _ => {}
        }
        if let Some(error) = wording::no_operand(&self.scan, after) {
            return Err(error);
        }
        let found = atom::read(&mut self.scan)?;
        self.arrow = found.arrow.or(self.arrow);
        let text = &self.scan.text[at..self.scan.at];
        match text {
            "true" => Ok(Part::leaf(Syntax::True)),
            "false" => Ok(Part::leaf(Syntax::False)),
            _ => self.atom(at, text, found.compound),
        }
    }

    fn group(&mut self) -> Result<Part, LtlError> {
        let opened = self.scan.at;
        self.scan.at += 1;
        let part = self.binary(1, Some("("))?;
        self.scan.skip_blanks();
        if self.scan.peek() != Some(')') {
            return Err(match self.scan.at_end() {
                true => LtlError::new(self.scan.at, "`)` is missing")
                    .hint(format!("what it ends starts at column {}", self.scan.column(opened))),
                false => wording::no_operator(&self.scan, self.arrow),
            });
        }
        self.scan.at += 1;
        Ok(Part { bare: false, ..part })
    }

    fn atom(&mut self, at: usize, text: &str, bare: bool) -> Result<Part, LtlError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let quoted = text.contains('\'');
        let text = if quoted { text.trim().to_owned() } else { words.join(" ") };
        let number = self.atoms.number(&text).ok_or_else(|| {
            LtlError::new(at, format!("there are more than {} different atoms", Atoms::MOST))
                .hint("check some of the formulas by themselves")
        })?;
        Ok(Part { syntax: Syntax::Atom(number), height: 1, bare })
    }

    fn bounded(&self, height: u32) -> Result<(), LtlError> {
        match height > DEEPEST {
            true => Err(LtlError::new(self.scan.at, "the formula is nested too deeply")),
            false => Ok(()),
        }
    }
}

/// Whether a word is an operator of formulas.
fn is_operator(word: &str) -> bool {
    matches!(word, "G" | "F" | "X" | "U" | "R" | "W")
}

/// Whether a word consists of the letters of operators before formulas, as in `GF p`.
fn is_run_of_operators(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|letter| matches!(letter, b'G' | b'F' | b'X'))
}

impl Scanner<'_> {
    /// Whether an operator of formulas stands here. Letters end with the word; `<` of `<->` and
    /// `!` of `!=` are distinguished by what follows.
    fn starts_with_operator(&self, sign: &str) -> bool {
        let rest = self.rest();
        let Some(after) = rest.strip_prefix(sign) else { return false };
        let next = after.chars().next();
        match sign {
            "!" => next != Some('='),
            _ if sign.starts_with(is_word) => !next.is_some_and(is_word),
            _ => true,
        }
    }
}
