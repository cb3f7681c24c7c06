//! Composed steps: an atomic block under a lock as one operation (Stoller: Model-Checking Multi-Threaded
//! Distributed Java Programs, sections 5 to 7).
//!
//! Where locks protect memory (`steam_visibility::Discipline::Used`), a step that takes a lock goes on through
//! what it touches under it, and mostly gives it back. Such a step has no effect on the lock; two of them
//! commute unless what they touch conflicts. So the pending operation of a thread that can take a lock is
//! found out by doing its step and looking at what came of it: if the lock is as it was, the operation is
//! a [`AtomicBlock`], with the memory that it touches. That is the paper's C(S) for searches that leave out
//! orders; the steps themselves, and so the states, are the same.
//!
//! The paper's condition (4) calls two steps independent on a lock if *one* of them takes it and gives it
//! back. That is not enough: the other one may keep it, and then the first cannot follow. Here both have to.
//!
//! Why the laws of `steam_model::Dependence` hold. What an atomic block does is a function of the words that it
//! reads. Those that others may write are protected, so that who writes them holds a lock in common; not
//! one that this thread holds already, for then no other thread has it, but the one that it takes. Such a
//! writer either keeps the lock at the end of its step, and then the step depends on whoever wants the lock;
//! or it is an atomic block too, and the word is in both footprints. Who has the lock keeps the atomic block from being
//! possible; that depends on the lock alone, as for any other operation on it.

use std::sync::Arc;

use steam_linux::objects::place_of;
use steam_model::{Delta, Silent, Step};
use steam_state::{Access, Key, Table};
use steam_sync::Operation;

use super::action::Choice;
use super::choices::Frozen;
use super::{Action, Granularity, Program, Worker};

/// Takes a lock, touches memory under it, and gives the lock back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AtomicBlock {
    /// How it takes the lock.
    pub(super) operation: Operation,
    /// The memory that it touches and others may touch, ascending.
    pub(super) touches: Arc<[Access]>,
}

impl AtomicBlock {
    /// Whether two atomic blocks touch the same bytes, and one of them writes.
    pub(super) fn conflicts(&self, other: &Self) -> bool {
        self.touches.iter().any(|&access| other.conflicts_with(access))
    }

    /// Whether it touches the bytes of an access, and one of them writes.
    pub(super) fn conflicts_with(&self, access: Access) -> bool {
        self.touches.iter().any(|touch| (touch.write || access.write) && touch.overlaps(access))
    }
}

impl Program {
    /// What the step of a thread is that can take a lock now, if it gives it back.
    pub(super) fn atomic_block(
        &self,
        worker: &mut Worker,
        state: &Table,
        frozen: &Frozen<'_>,
        operation: Operation,
    ) -> Option<AtomicBlock> {
        if !self.options.composed || self.options.granularity != Granularity::Shared {
            return None;
        }
        let lock = operation.takes()?;
        let mut choices = std::mem::take(&mut worker.choices);
        choices.clear();
        self.choices(worker, state, frozen, &mut choices);
        let can = choices == [Choice::USUAL];
        worker.choices = choices;
        if !can {
            return None;
        }
        // Whoever asks what the last step was asks about another one.
        let progress = worker.progress;
        let mut delta = Delta::new();
        let action = Action::new(frozen.thread, Choice::USUAL);
        let step = worker.plain_step(self, state, action, &mut delta, &mut Silent);
        worker.progress = progress;
        let slot = self.stores.state.slots.find(Key::Object(place_of(lock)));
        let is_lock = |changed: u32| slot == Some(changed);
        let gives_back = matches!(step, Step::Next)
            && !delta
                .changes()
                .iter()
                .any(|change| is_lock(change.slot) && change.old != change.new);
        gives_back.then(|| AtomicBlock { operation, touches: ordered(&worker.beside).into() })
    }
}

/// The accesses of a footprint, ascending and each once.
fn ordered(footprint: &[Access]) -> Vec<Access> {
    let mut accesses = footprint.to_vec();
    accesses.sort_unstable_by_key(|access| (access.place, access.size, access.write));
    accesses.dedup_by_key(|access| (access.place, access.size, access.write));
    accesses
}
