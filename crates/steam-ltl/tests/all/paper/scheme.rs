//! The paper's scheme at its word (Figures 5, 7, 8 and 9), with its errors: here to show that they
//! are errors.

use steam_ltl::{AtomId, Binary, Syntax, Unary, Valuation};

/// A worker or a condition checker.
enum Actor {
    /// Sends the value of its atom after each state.
    Condition(Option<AtomId>),
    Not,
    And(Inbox),
    Until {
        inbox: Inbox,
        first: bool,
        /// It has sent its result to its supervisor, and does nothing more.
        done: bool,
    },
}

/// The flags `lFlag` and `rFlag` with the last messages of both children.
#[derive(Default)]
struct Inbox {
    left: Option<bool>,
    right: Option<bool>,
}

impl Inbox {
    /// Takes a message; both, once both are there.
    fn take(&mut self, from_left: bool, value: bool) -> Option<(bool, bool)> {
        *(if from_left { &mut self.left } else { &mut self.right }) = Some(value);
        let both = (self.left?, self.right?);
        *self = Inbox::default();
        Some(both)
    }
}

/// The hierarchy of actors for one property.
pub struct Scheme {
    actors: Vec<Actor>,
    /// For each actor its supervisor, and whether it is the left child.
    supervisors: Vec<Option<(usize, bool)>>,
    result: Option<bool>,
}

impl Scheme {
    /// Makes the actors for a property of `!`, `&&`, `U`, atoms and `true`.
    pub fn new(property: &Syntax) -> Scheme {
        let mut scheme = Scheme { actors: Vec::new(), supervisors: Vec::new(), result: None };
        scheme.add(property, None);
        scheme
    }

    fn add(&mut self, part: &Syntax, supervisor: Option<(usize, bool)>) {
        let own = self.actors.len();
        let (actor, children): (_, &[&Syntax]) = match part {
            Syntax::True => (Actor::Condition(None), &[]),
            Syntax::Atom(atom) => (Actor::Condition(Some(*atom)), &[]),
            Syntax::Unary(Unary::Not, inner) => (Actor::Not, &[inner]),
            Syntax::Binary(Binary::And, left, right) => {
                (Actor::And(Inbox::default()), &[left, right])
            }
            Syntax::Binary(Binary::Until, left, right) => {
                let inbox = Inbox::default();
                (Actor::Until { inbox, first: true, done: false }, &[left, right])
            }
            _ => panic!("the paper brings properties into the form of `!`, `&&` and `U`"),
        };
        self.actors.push(actor);
        self.supervisors.push(supervisor);
        for (index, child) in children.iter().enumerate() {
            self.add(child, Some((own, index == 0)));
        }
    }

    /// Goes along a run; the first result that comes to the property checker. The model checker
    /// informs the condition checkers at the end of each transition: never about the first state.
    pub fn run(mut self, states: &[Valuation]) -> Option<bool> {
        for state in &states[1..] {
            for actor in 0..self.actors.len() {
                if let Actor::Condition(atom) = self.actors[actor] {
                    self.send(actor, atom.is_none_or(|atom| state.holds(atom)));
                }
            }
        }
        self.result
    }

    /// A message of an actor to its supervisor.
    fn send(&mut self, from: usize, value: bool) {
        let Some((supervisor, left)) = self.supervisors[from] else {
            self.result.get_or_insert(value);
            return;
        };
        let answer = match &mut self.actors[supervisor] {
            Actor::Condition(_) => None,
            Actor::Not => Some(!value),
            Actor::And(inbox) => inbox.take(left, value).map(|(left, right)| left && right),
            Actor::Until { done: true, .. } => None,
            Actor::Until { inbox, first, done } => {
                let answer = inbox.take(left, value).and_then(|(left, right)| {
                    let was_first = std::mem::replace(first, false);
                    match was_first {
                        true if left && right => Some(true),
                        true if !left => Some(false),
                        false if right => Some(true),
                        false if !left => Some(false),
                        _ => None,
                    }
                });
                *done = answer.is_some();
                answer
            }
        };
        if let Some(answer) = answer {
            self.send(supervisor, answer);
        }
    }
}
