//! States and transitions.

use super::header::{Header, MOST_STATES, branching};
use super::token::{Kind, Tokens};
use crate::automaton::{Cube, Marks, StateId, Transition};
use crate::error::LtlError;

/// The transitions of each state, and the states' names.
type States = (Vec<Vec<Transition>>, Vec<String>);

/// Without labels there is a transition for each valuation; more propositions are too many.
const MOST_IMPLICIT: usize = 12;

/// Reads all up to `--END--`. States that are named and not described have no transitions.
pub(super) fn read(tokens: &mut Tokens, header: &Header) -> Result<States, LtlError> {
    let starts = header.start.iter().map(|start| start.0 + 1).max().unwrap_or(0);
    let mut states: Vec<Vec<Transition>> =
        vec![Vec::new(); header.states.unwrap_or(starts) as usize];
    let mut names: Vec<Option<String>> = vec![None; states.len()];
    while tokens.pass_if(&Kind::Header("State".into())) {
        let at = tokens.at();
        let (number, name, transitions) = state(tokens, header)?;
        let largest = transitions.iter().map(|one| one.target).max().unwrap_or(number).max(number);
        if largest.index() >= states.len() {
            states.resize(largest.index() + 1, Vec::new());
            names.resize(states.len(), None);
        }
        if names[number.index()].replace(name).is_some() {
            return Err(LtlError::new(at, format!("state {} stands here twice", number.0)));
        }
        states[number.index()] = transitions;
    }
    Ok((states, names.into_iter().map(Option::unwrap_or_default).collect()))
}

/// A state: `State: [label] number "name" {marks}`, and its transitions.
fn state(
    tokens: &mut Tokens,
    header: &Header,
) -> Result<(StateId, String, Vec<Transition>), LtlError> {
    let label = label(tokens, header)?;
    let number = number(tokens, header)?;
    let name = match tokens.peek().kind.clone() {
        Kind::Text(name) => {
            tokens.pass();
            name
        }
        _ => String::new(),
    };
    let marks = marks(tokens, header)?;
    let mut transitions = Vec::new();
    let mut implicit = 0;
    while matches!(tokens.peek().kind, Kind::Sign('[') | Kind::Number(_)) {
        let edge = Edge::read(tokens, header)?;
        let labels = match (&label, edge.label) {
            (Some(_), Some(_)) => {
                return Err(LtlError::new(edge.at, "the state and the transition have a label"));
            }
            (Some(label), None) => label.clone(),
            (None, Some(label)) => label,
            (None, None) => {
                implicit += 1;
                valuation(header, implicit - 1, edge.at)?.into_iter().collect()
            }
        };
        let marks = Marks(marks.0 | edge.marks.0);
        let target = edge.target;
        transitions.extend(labels.iter().map(|&label| Transition { target, marks, label }));
    }
    if implicit != 0 && implicit != 1 << header.names.propositions.len() {
        let message = "transitions without labels are not one for each valuation";
        return Err(LtlError::new(tokens.at(), message));
    }
    Ok((number, name, transitions))
}

/// A transition: `[label] target {marks}`.
struct Edge {
    at: usize,
    label: Option<Vec<Cube>>,
    target: StateId,
    marks: Marks,
}

impl Edge {
    fn read(tokens: &mut Tokens, header: &Header) -> Result<Edge, LtlError> {
        let at = tokens.at();
        let label = label(tokens, header)?;
        let target = number(tokens, header)?;
        if tokens.peek().kind == Kind::Sign('&') {
            return Err(branching(tokens.at()));
        }
        Ok(Edge { at, label, target, marks: marks(tokens, header)? })
    }
}

fn number(tokens: &mut Tokens, header: &Header) -> Result<StateId, LtlError> {
    let at = tokens.at();
    let number = tokens.number("a state")?;
    match number < header.states.unwrap_or(MOST_STATES) {
        true => Ok(StateId(number)),
        false => Err(LtlError::new(at, format!("there is no state {number}"))),
    }
}

fn label(tokens: &mut Tokens, header: &Header) -> Result<Option<Vec<Cube>>, LtlError> {
    if !tokens.pass_if(&Kind::Sign('[')) {
        return Ok(None);
    }
    let label = header.names.label(tokens)?;
    tokens.expect(&Kind::Sign(']'), "`]`")?;
    Ok(Some(label))
}

/// The marks in braces, with the numbers of the sets that count.
fn marks(tokens: &mut Tokens, header: &Header) -> Result<Marks, LtlError> {
    let mut marks = 0;
    if tokens.pass_if(&Kind::Sign('{')) {
        while !tokens.pass_if(&Kind::Sign('}')) {
            let at = tokens.at();
            let set = tokens.number("an acceptance set or `}`")?;
            let known = header.marks.get(set as usize);
            let known = known.ok_or_else(|| LtlError::new(at, format!("there is no set {set}")))?;
            marks |= known.map_or(0, |set| 1 << set);
        }
    }
    Ok(Marks(marks))
}

/// The label of a transition that has none: each stands for one valuation, in order.
fn valuation(header: &Header, number: usize, at: usize) -> Result<Option<Cube>, LtlError> {
    let propositions = &header.names.propositions;
    if propositions.len() > MOST_IMPLICIT {
        let message = "there are too many propositions for transitions without labels";
        return Err(LtlError::new(at, message).hint("write labels: `[0 & !1] 3`"));
    }
    let literal = |(index, atom)| Cube::literal(atom, number >> index & 1 == 1);
    let mut literals = propositions.iter().copied().enumerate().map(literal);
    Ok(literals.try_fold(Cube::TRUE, Cube::and))
}
