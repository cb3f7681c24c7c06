//! Labels: Boolean expressions over propositions, as lists of conjunctions.

use super::token::{Kind, Tokens};
use crate::atoms::AtomId;
use crate::automaton::Cube;
use crate::error::LtlError;

/// The most conjunctions of one label.
const MOST: usize = 4096;
/// Parentheses and negations within each other.
const DEEPEST: u32 = 250;

/// What labels may name.
#[derive(Default)]
pub(super) struct Names {
    /// The propositions, by their number in the file.
    pub propositions: Vec<AtomId>,
    /// Aliases, each with what it holds for and what its negation holds for.
    pub aliases: Vec<(String, Both)>,
}

/// An expression and its negation, as conjunctions of which one must hold.
#[derive(Clone)]
pub(super) struct Both {
    yes: Vec<Cube>,
    no: Vec<Cube>,
}

impl Both {
    fn negated(self) -> Both {
        Both { yes: self.no, no: self.yes }
    }

    fn and(&self, other: &Both, at: usize) -> Result<Both, LtlError> {
        Ok(Both {
            yes: product(&self.yes, &other.yes, at)?,
            no: tidy([&self.no[..], &other.no[..]].concat(), at)?,
        })
    }
}

fn product(left: &[Cube], right: &[Cube], at: usize) -> Result<Vec<Cube>, LtlError> {
    let pairs = left.iter().flat_map(|one| right.iter().filter_map(|other| one.and(*other)));
    tidy(pairs.collect(), at)
}

/// Without conjunctions that others cover.
fn tidy(mut cubes: Vec<Cube>, at: usize) -> Result<Vec<Cube>, LtlError> {
    cubes.sort_unstable();
    cubes.dedup();
    let needed = |one: &&Cube| !cubes.iter().any(|other| other != *one && other.covers(**one));
    let kept: Vec<Cube> = cubes.iter().filter(needed).copied().collect();
    match kept.len() > MOST {
        true => Err(LtlError::new(at, "the label is too large")),
        false => Ok(kept),
    }
}

impl Names {
    /// Reads an expression; returns conjunctions of which one must hold.
    pub fn label(&self, tokens: &mut Tokens) -> Result<Vec<Cube>, LtlError> {
        Ok(self.either(tokens, 0)?.yes)
    }

    /// Reads an alias with its expression.
    pub fn alias(&mut self, tokens: &mut Tokens) -> Result<(), LtlError> {
        let Kind::Alias(name) = tokens.peek().kind.clone() else {
            return Err(tokens.unexpected("a name such as `@a`"));
        };
        tokens.pass();
        let meaning = self.either(tokens, 0)?;
        self.aliases.push((name, meaning));
        Ok(())
    }

    fn either(&self, tokens: &mut Tokens, depth: u32) -> Result<Both, LtlError> {
        let at = tokens.at();
        let mut sum = self.all(tokens, depth)?;
        while tokens.pass_if(&Kind::Sign('|')) {
            let other = self.all(tokens, depth)?;
            sum = sum.negated().and(&other.negated(), at)?.negated();
        }
        Ok(sum)
    }

    fn all(&self, tokens: &mut Tokens, depth: u32) -> Result<Both, LtlError> {
        let at = tokens.at();
        let mut sum = self.single(tokens, depth)?;
        while tokens.pass_if(&Kind::Sign('&')) {
            sum = sum.and(&self.single(tokens, depth)?, at)?;
        }
        Ok(sum)
    }

    fn single(&self, tokens: &mut Tokens, depth: u32) -> Result<Both, LtlError> {
        let at = tokens.at();
        if depth > DEEPEST {
            return Err(LtlError::new(at, "the label is nested too deeply"));
        }
        let expected = tokens.unexpected("a label");
        match tokens.pass().kind {
            Kind::Sign('!') => Ok(self.single(tokens, depth + 1)?.negated()),
            Kind::Sign('(') => {
                let inner = self.either(tokens, depth + 1)?;
                tokens.expect(&Kind::Sign(')'), "`)`")?;
                Ok(inner)
            }
            Kind::Word(word) if word == "t" => Ok(Both { yes: vec![Cube::TRUE], no: Vec::new() }),
            Kind::Word(word) if word == "f" => Ok(Both { yes: Vec::new(), no: vec![Cube::TRUE] }),
            Kind::Number(number) => {
                let atom = self.propositions.get(number as usize);
                let atom = *atom.ok_or_else(|| {
                    LtlError::new(at, format!("there is no proposition {number}"))
                })?;
                let literal = |positive| vec![Cube::literal(atom, positive)];
                Ok(Both { yes: literal(true), no: literal(false) })
            }
            Kind::Alias(name) => {
                let found = self.aliases.iter().find(|(known, _)| *known == name);
                let missing = || LtlError::new(at, format!("the alias `@{name}` is not defined"));
                Ok(found.ok_or_else(missing)?.1.clone())
            }
            _ => Err(expected),
        }
    }
}
