//! Stubborn sets that are learned: of the processes of a state, some with whose next steps nothing interferes that the
//! others may still do (Valmari: Stubborn Sets for Reduced State Space Generation, 1989; docs/theory.md has the argument).
//!
//! What a process may still do is learned by where it stands ([`places`]) and counts from the next iteration on
//! ([`facts`]); what is not known interferes with nothing, and an iteration in which something new was seen is done again.
//! Beginning with one process that can act, those are added ([`choice`]) who may do something that interferes with what a member does
//! next, and for a member that can do nothing, those who may make it possible.
//!
//! A choice counts if one of its steps leads forward, by an order of the places ([`order`]) in which each loop leads back
//! somewhere; if none does, or one ends the program or leads nowhere, the others are done, too. Neither the order of
//! the search nor its store bear on that.

mod bits;
mod choice;
mod facts;
mod order;
mod places;

use steam_model::{Delta, Positions, Reduction, Standing, Support};

use self::facts::Facts;
use self::places::Place;

pub use self::places::Learned;

/// The reduction of one iteration.
pub struct Stubborn<'a, M: Positions> {
    /// What was learned, and what counts of it; `None` if nothing is left out.
    known: Option<KnownTo<'a, M::Operation>>,
}

/// What goes on being learned, and what counts.
type KnownTo<'a, O> = (&'a Learned<O>, Facts<O>);

/// What is kept of a state for the steps from it.
pub struct Notes<O> {
    standing: Vec<Standing<O>>,
    operations: Vec<O>,
    room: choice::Room,
}

impl<O> Default for Notes<O> {
    fn default() -> Self {
        Self { standing: Vec::new(), operations: Vec::new(), room: choice::Room::default() }
    }
}

impl<O> Notes<O> {
    fn of(&self, process: u32) -> Option<&Standing<O>> {
        let at = self.standing.binary_search_by_key(&process, |it| it.process).ok()?;
        Some(&self.standing[at])
    }
}

fn place_of<O>(standing: &Standing<O>) -> Place {
    (standing.process, standing.position)
}

impl<'a, M: Positions> Stubborn<'a, M> {
    /// Leaves nothing out.
    pub fn off() -> Self {
        Self { known: None }
    }

    /// Lets everything count that was learned so far.
    pub fn begin(model: &M, learned: &'a Learned<M::Operation>) -> Self {
        let facts = learned.begin_iteration(|places| Facts::of(model, places));
        Self { known: facts.map(|facts| (learned, facts)) }
    }

    /// Takes note of what a step did.
    fn learn_step(
        &self,
        own: &Standing<M::Operation>,
        effects: &[M::Operation],
        moved: &[(u32, Option<u64>)],
        ends: bool,
    ) {
        let Some((learned, facts)) = &self.known else { return };
        let place = place_of(own);
        let known = facts.at(place);
        for effect in effects {
            if !known.is_some_and(|it| it.has_effect(effect)) {
                learned.note_effect(place, effect);
            }
        }
        if ends && !known.is_some_and(|it| it.ends) {
            learned.note_end(place);
        }
        for &(process, position) in moved {
            if let Some(position) = position
                && !known.is_some_and(|it| it.next.contains(&(process, position)))
            {
                learned.note_next(place, (process, position));
            }
        }
    }
}

impl<M: Positions> Reduction<M> for Stubborn<'_, M> {
    type Notes = Notes<M::Operation>;

    fn choose(
        &self,
        (model, worker): (&M, &mut M::Worker),
        state: &M::State,
        enabled: &[M::Action],
        notes: &mut Self::Notes,
        chosen: &mut Vec<usize>,
    ) {
        let Some((learned, facts)) = &self.known else {
            chosen.extend(0..enabled.len());
            return;
        };
        notes.standing.clear();
        let covered = model.standing(worker, state, enabled, &mut notes.standing);
        for standing in &notes.standing {
            let place = place_of(standing);
            if facts.number_of(place, &standing.operation).is_none() {
                learned.note_pending(place, &standing.operation);
            }
        }
        if covered {
            choice::choose(model, facts, state, enabled, notes, chosen);
            if chosen.len() < enabled.len() {
                learned.note_reduced();
            }
        } else {
            chosen.extend(0..enabled.len());
        }
    }

    fn hear(
        &self,
        model: &M,
        before: &M::State,
        action: M::Action,
        changes: Option<&Delta>,
        notes: &mut Self::Notes,
    ) -> Support {
        let Some((_, facts)) = &self.known else { return Support::IfNew };
        let mut operations = std::mem::take(&mut notes.operations);
        operations.clear();
        let Some(own) = notes.of(model.process(action)) else { return Support::Against };
        let Some(delta) = changes else {
            // Whether it leads nowhere may depend on what others do first: all of it has to be explored.
            self.learn_step(own, &[], &[], true);
            return Support::Against;
        };
        model.performed(&own.operation, before, action, delta, &mut operations);
        // The first one is what was pending, unless the action is another one.
        let known = operations.first() == Some(&own.operation);
        let mut moved = Vec::new();
        let (mut ends, mut disturbs) = (false, false);
        model.moved(before, delta, &mut |process, position| {
            let stood = notes.of(process).map(|it| it.position);
            let others = process != own.process;
            if others && stood.is_some() && stood == position {
                return;
            }
            ends |= others && stood.is_some() && position.is_none();
            disturbs |= others && stood.is_some();
            moved.push((process, position));
            // Where another one is moved, what it does there is not what it would have done.
            if let (true, Some(stood), Some((learned, _))) = (others, stood, &self.known)
                && let Some(position) = position
            {
                learned.note_next((process, stood), (process, position));
            }
        });
        self.learn_step(own, &operations[usize::from(known)..], &moved, ends);
        let forward = moved.iter().all(|&(process, position)| {
            position.is_none_or(|position| facts.leads_forward(place_of(own), (process, position)))
        });
        // A step that leaves its process where it was leads back.
        let stays = !moved.iter().any(|(process, _)| *process == own.process);
        notes.operations = operations;
        if ends {
            Support::Against
        } else if forward && !stays && !disturbs {
            Support::For
        } else {
            Support::Neutral
        }
    }
}
