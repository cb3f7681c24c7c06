//! What stands before the states: propositions, acceptance, aliases, where to start.

use super::acceptance;
use super::label::Names;
use super::token::{Kind, Tokens};
use crate::atoms::Atoms;
use crate::automaton::StateId;
use crate::error::LtlError;

/// The most states of a file.
pub(super) const MOST_STATES: u32 = 1_000_000;

/// The head of an automaton.
pub(super) struct Header {
    /// How many states there are, if it is said.
    pub states: Option<u32>,
    pub start: Vec<StateId>,
    pub names: Names,
    /// For each acceptance set of the file its number among those that count.
    pub marks: Vec<Option<u32>>,
    /// How many sets count.
    pub sets: u32,
    /// Whether it is said that repeating a state makes no difference.
    pub stutter_invariant: bool,
}

/// Reads all up to `--BODY--`.
pub(super) fn read(tokens: &mut Tokens, atoms: &mut Atoms) -> Result<Header, LtlError> {
    tokens.expect(&Kind::Header("HOA".into()), "`HOA: v1`")?;
    tokens.expect(&Kind::Word("v1".into()), "`v1`")?;
    let mut header = Header {
        states: None,
        start: Vec::new(),
        names: Names::default(),
        marks: Vec::new(),
        sets: 0,
        stutter_invariant: false,
    };
    let (mut propositions, mut acceptance) = (false, false);
    loop {
        let at = tokens.at();
        let name = match tokens.peek().kind.clone() {
            Kind::Header(name) => name,
            Kind::Word(word) if word == "--BODY--" => break,
            _ => return Err(tokens.unexpected("a header or `--BODY--`")),
        };
        tokens.pass();
        match &*name {
            "States" => header.states = Some(states(tokens)?),
            "Start" => header.start.push(start(tokens)?),
            "AP" if !propositions => {
                propositions = true;
                header.read_propositions(tokens, atoms)?;
            }
            "properties" => header.stutter_invariant |= has_property(tokens, "stutter-invariant"),
            "Alias" => header.names.alias(tokens)?,
            "Acceptance" if !acceptance => {
                acceptance = true;
                (header.marks, header.sets) = acceptance::read(tokens)?;
            }
            "AP" | "Acceptance" => {
                return Err(LtlError::new(at, format!("`{name}:` stands here twice")));
            }
            // Headers that start with a large letter may change what the automaton means.
            _ if name.starts_with(char::is_uppercase) => {
                return Err(LtlError::new(at, format!("the header `{name}:` is not known")));
            }
            _ => skip(tokens),
        }
    }
    if !acceptance {
        return Err(LtlError::new(tokens.at(), "the header `Acceptance:` is missing"));
    }
    let count = header.states.unwrap_or(MOST_STATES);
    if let Some(outside) = header.start.iter().find(|start| start.0 >= count) {
        let message = format!("the automaton starts in state {}, which it has not", outside.0);
        return Err(LtlError::new(tokens.at(), message));
    }
    tokens.pass();
    Ok(header)
}

/// Passes what belongs to a header that says nothing about the meaning.
fn skip(tokens: &mut Tokens) {
    while !is_end(&tokens.peek().kind) {
        tokens.pass();
    }
}

/// Passes properties; whether one is among them, and not its contrary.
fn has_property(tokens: &mut Tokens, name: &str) -> bool {
    let (mut found, mut negated) = (false, false);
    while !is_end(&tokens.peek().kind) {
        let kind = &tokens.peek().kind;
        found |= !negated && matches!(kind, Kind::Word(word) if word == name);
        negated = *kind == Kind::Sign('!');
        tokens.pass();
    }
    found
}

/// Whether a header ends before this.
fn is_end(kind: &Kind) -> bool {
    match kind {
        Kind::Header(_) | Kind::End => true,
        Kind::Word(word) => word == "--BODY--",
        _ => false,
    }
}

fn states(tokens: &mut Tokens) -> Result<u32, LtlError> {
    let at = tokens.at();
    match tokens.number("the number of states")? {
        count if count > MOST_STATES => {
            Err(LtlError::new(at, format!("there are more than {MOST_STATES} states")))
        }
        count => Ok(count),
    }
}

fn start(tokens: &mut Tokens) -> Result<StateId, LtlError> {
    let state = tokens.number("a state")?;
    match tokens.peek().kind {
        Kind::Sign('&') => Err(branching(tokens.at())),
        _ => Ok(StateId(state)),
    }
}

/// Several states at once are another kind of automaton.
pub(super) fn branching(at: usize) -> LtlError {
    LtlError::new(at, "automata that are in several states at once cannot be used")
        .hint("Spot's autfilt --tgba writes automata that are in one")
}

impl Header {
    fn read_propositions(
        &mut self,
        tokens: &mut Tokens,
        atoms: &mut Atoms,
    ) -> Result<(), LtlError> {
        let count = tokens.number("the number of propositions")?;
        for _ in 0..count {
            let at = tokens.at();
            let Kind::Text(text) = tokens.peek().kind.clone() else {
                return Err(tokens.unexpected("a proposition in double quotes"));
            };
            tokens.pass();
            let number = atoms.number(text.trim()).ok_or_else(|| {
                LtlError::new(at, format!("there are more than {} different atoms", Atoms::MOST))
            })?;
            self.names.propositions.push(number);
        }
        Ok(())
    }
}
