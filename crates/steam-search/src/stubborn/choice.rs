//! The choice in a state: the smallest closed set that is found from any process that can act.
//!
//! A set is closed if it has, with a member that can act, all who may do something that interferes with what the member
//! does next; and with a member that cannot, all of some group without whose steps the member will not be able to.

use steam_model::Positions;

use super::bits::Bits;
use super::facts::Facts;
use super::{Notes, place_of};

/// With more processes than there are bits in a set of them, nothing is left out.
const MOST_PROCESSES: usize = 64;

/// Room for what is asked of each process of a state.
#[derive(Default)]
pub(super) struct Room {
    /// How many actions each process has.
    actions: Vec<u32>,
    /// Whom each of them brings into a set, where that was asked.
    brings: Vec<Option<u64>>,
}

/// Appends the actions of the smallest closed set, by their number; all of them if there is none that leaves one out.
pub(super) fn choose<M: Positions>(
    model: &M,
    facts: &Facts<M::Operation>,
    state: &M::State,
    enabled: &[M::Action],
    notes: &mut Notes<M::Operation>,
    chosen: &mut Vec<usize>,
) {
    let mut room = std::mem::take(&mut notes.room);
    let best = smallest(model, facts, state, enabled, notes, &mut room);
    notes.room = room;
    let is_member = |action: &M::Action| {
        let Some(best) = best else { return true };
        let process = model.process(*action);
        let at = notes.standing.binary_search_by_key(&process, |it| it.process);
        at.is_ok_and(|at| best >> at & 1 == 1)
    };
    let actions = enabled.iter().enumerate();
    chosen.extend(actions.filter(|(_, action)| is_member(action)).map(|(at, _)| at));
}

/// The smallest closed set, as positions among those who stand; none if it has all actions.
fn smallest<M: Positions>(
    model: &M,
    facts: &Facts<M::Operation>,
    state: &M::State,
    enabled: &[M::Action],
    notes: &Notes<M::Operation>,
    room: &mut Room,
) -> Option<u64> {
    let count = notes.standing.len();
    if count > MOST_PROCESSES {
        return None;
    }
    let Room { actions, brings } = room;
    actions.clear();
    actions.resize(count, 0);
    brings.clear();
    brings.resize(count, None);
    for action in enabled {
        let process = model.process(*action);
        // Who acts and does not stand anywhere is not known.
        let at = notes.standing.binary_search_by_key(&process, |it| it.process).ok()?;
        actions[at] += 1;
    }
    let members = |set: u64| (0..count).filter(move |at| set >> at & 1 == 1);
    let (mut best, mut least) = (None, enabled.len() as u32);
    for first in (0..count).filter(|at| actions[*at] > 0) {
        let (mut set, mut left) = (1u64 << first, 1u64 << first);
        while left != 0 {
            let member = left.trailing_zeros() as usize;
            left &= left - 1;
            let brought = *brings[member].get_or_insert_with(|| {
                brought_by(model, facts, state, notes, (member, actions[member] > 0))
            });
            left |= brought & !set;
            set |= brought;
        }
        let size: u32 = members(set).map(|at| actions[at]).sum();
        if size < least {
            (best, least) = (Some(set), size);
        }
        if least == 1 {
            break;
        }
    }
    best
}

/// Whom a member brings into a set.
fn brought_by<M: Positions>(
    model: &M,
    facts: &Facts<M::Operation>,
    state: &M::State,
    notes: &Notes<M::Operation>,
    (member, acts): (usize, bool),
) -> u64 {
    let standing = &notes.standing[member];
    let place = place_of(standing);
    // What is not known interferes with nothing: the iteration is done again.
    let Some(known) = facts.at(place) else { return 0 };
    let Some(operation) = facts.number_of(place, &standing.operation) else { return 0 };
    let others = |meets: &dyn Fn(&Bits) -> bool| {
        let mut set = 0;
        for (at, other) in notes.standing.iter().enumerate() {
            if at != member && facts.at(place_of(other)).is_some_and(|it| meets(&it.future)) {
                set |= 1 << at;
            }
        }
        set
    };
    if acts {
        if known.ends {
            return others(&|_| true);
        }
        let conflicts = facts.conflicts(operation);
        return others(&|future| {
            future.meets(conflicts) || known.interferes.as_ref().is_some_and(|it| future.meets(it))
        });
    }
    let awaited = model.awaited(state, standing);
    let enabling = facts.enabling(model, operation, awaited.is_some());
    let mut set = others(&|future| future.meets(enabling));
    if let Some(process) = awaited
        && let Ok(at) = notes.standing.binary_search_by_key(&process, |it| it.process)
    {
        set |= 1 << at;
    }
    set
}
