//! Automata as text in the Hanoi omega-automata format, version 1, as other tools write and read
//! it (<https://adl.github.io/hoaf/>).
//!
//! What is read: generalised Büchi acceptance, on states or transitions; labels on transitions or
//! states, aliases, and labels left out; several initial states. What cannot be used as it is
//! meant (other acceptance, universal branching) is refused, never read as something else.

mod acceptance;
mod body;
mod header;
mod label;
mod token;
mod write;

pub use write::hoa;

use crate::atoms::Atoms;
use crate::automaton::{Automaton, StateId, Transition};
use crate::error::LtlError;
use token::{Kind, Tokens};

/// Reads an automaton; its propositions get numbers in the table.
pub fn read_hoa(text: &str, atoms: &mut Atoms) -> Result<Automaton, LtlError> {
    let before = atoms.len();
    let automaton = read(text, atoms);
    if automaton.is_err() {
        atoms.truncate(before);
    }
    automaton
}

/// Whether the file of an automaton says that repeating a state makes no difference to it.
pub fn is_stutter_invariant(text: &str) -> bool {
    let header = Tokens::new(text).and_then(|mut it| header::read(&mut it, &mut Atoms::default()));
    header.is_ok_and(|header| header.stutter_invariant)
}

fn read(text: &str, atoms: &mut Atoms) -> Result<Automaton, LtlError> {
    let mut tokens = Tokens::new(text)?;
    let header = header::read(&mut tokens, atoms)?;
    let (states, names) = body::read(&mut tokens, &header)?;
    tokens.expect(&Kind::Word("--END--".into()), "`--END--`")?;
    if tokens.peek().kind != Kind::End {
        return Err(LtlError::new(tokens.at(), "there is more than one automaton")
            .hint("give each a file of its own"));
    }
    let mut automaton = Automaton { initial: StateId(0), sets: header.sets, states, names };
    match header.start[..] {
        [] => return Ok(Automaton::nothing()),
        [one] => automaton.initial = one,
        // A new state with the transitions of all: marks before the first cycle do not count.
        ref several => {
            let all = several.iter().flat_map(|one| automaton.transitions(*one).to_vec());
            let all: Vec<Transition> = all.collect();
            automaton.initial = StateId(automaton.states.len() as u32);
            automaton.states.push(all);
            automaton.names.push("start".to_owned());
        }
    }
    Ok(automaton)
}
