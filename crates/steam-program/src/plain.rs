//! The plain mutex locking discipline, MLD (Stoller: Model-Checking Multi-Threaded Distributed Java Programs,
//! section 2.2; Eraser): in each execution, from the first state on in which two different threads have
//! accessed a word, no thread writes it, or one lock is held at every access.
//!
//! Who initialises is decided by each execution, so this is no property of the set of accesses, as MLD' is
//! (`steam_visibility::Discipline::Checked`), nor one of states: a search that stores states, or that does
//! what is invisible first, would miss violations (section 9 has an example). Here it becomes one of
//! states: what the discipline remembers of a word, a [`Mark`], is a component of the state. Every access
//! to a word on which threads conflict is a step of its own, reads by the only writer included, and no lock
//! makes one invisible; so the accesses to such a word are made in every order, and each order leads to
//! states with its own marks. What is violated in some state is violated in an execution, and the set of such
//! words is that of all executions, whatever the order of search. A search without a store takes accesses to
//! the same word for dependent, also where both read.
//!
//! Two points of the definition. A thread *accesses* a word in all states in which the access is pending, not
//! only when it makes it. That matters where another thread comes meanwhile: if one of them writes, the two
//! have no lock in common that keeps others out, and are found as a race; if both read, the order in which
//! the pending one reads first has the same accesses after it. And what is invisible is done at once: then
//! accesses are pending as early as they can be, and in no other execution there are more of them.
//!
//! An execution begins here when there are two threads: what a thread does while it is alone is not looked
//! at. Words without two accesses that conflict are not judged, nor is a block of the heap that was freed the
//! same object as the next one at its place. So what violates MLD violates MLD' too.

use steam_linux::marks::Mark;
use steam_state::{Access, Key, Place, Space, Table, ThreadId};
use steam_visibility::{Discipline, in_handlers};

use super::Program;
use super::choices::Frozen;
use super::discipline::holds;
use super::races::Race;
use super::step::Worker;

/// The words that an access touches.
pub(super) fn words_of(access: Access) -> impl Iterator<Item = Place> {
    let first = access.place.address() & !3;
    let last = access.place.address().saturating_add(access.size.max(1) - 1);
    (first..=last).step_by(4).map(move |word| access.place.space().at(word))
}

/// Whether two accesses touch the same word.
pub(super) fn share_a_word(one: Access, other: Access) -> bool {
    words_of(one).any(|word| words_of(other).any(|it| it == word))
}

impl Worker {
    /// Remembers the accesses that the thread on the CPU has made, before it takes a lock or gives one back.
    pub(super) fn settle_marks(&mut self, program: &Program) {
        if program.options.discipline != Discipline::Plain {
            return;
        }
        let made = self.machine.cpu.memory.policy.take_made();
        if made.is_empty() {
            return;
        }
        let system = &mut self.machine.system;
        let current = system.current;
        // What a thread has done is settled before it comes to the call that ends it, and that call accesses nothing of
        // the program's.
        let Some(live) = system.threads.live(current) else { return };
        // A handler may come in the middle of what its thread does under a lock.
        let held = if live.record.interrupted.is_empty() { live.held.clone() } else { Vec::new() };
        let held = holds(&held, current, &system.objects);
        for (access, who) in made {
            let region = self.machine.cpu.memory.regions().find(access.address);
            if region.is_some_and(|(_, region)| region.kind.owner().is_some()) {
                continue;
            }
            for word in words_of(access) {
                if self.machine.stores.sharing.is_shared(word) {
                    let mark = system.objects.mark(word).after(who, access.write, &held);
                    if mark.is_breach() {
                        program.disciplined.note_breach(word);
                    }
                    system.objects.set_mark(word, mark);
                }
            }
        }
    }

    /// Forgets the accesses that the thread on the CPU has made: they are atomic, and the discipline is not for
    /// them.
    pub(super) fn drop_made(&mut self) {
        self.machine.cpu.memory.policy.take_made();
    }
}

impl Program {
    /// Whether an access that is pending in a state is part of the initialisation of what it touches.
    pub(super) fn initialises(&self, state: &Table, frozen: &Frozen<'_>, access: Access) -> bool {
        let (thread, space) = (frozen.thread, access.place.space());
        let leads = thread == frozen.state.space.leader() && space != Space::SHARED;
        let local = if leads { ThreadId::FIRST } else { thread };
        let who = match frozen.record.interrupted.len() as u32 {
            0 if space != Space::SHARED => ThreadId(frozen.record.descent.number(local)),
            handlers => in_handlers(local, handlers),
        };
        words_of(access).all(|word| self.mark(state, word).is_initialised_by(who))
    }

    /// What is remembered of a word in a state.
    fn mark(&self, state: &Table, word: Place) -> &Mark {
        self.stores.marks.get(self.unrecorded(state, Key::Mark(word)))
    }

    /// Two threads access words at once that no lock protects.
    pub(super) fn note_clash(&self, worker: &mut Worker, state: &Table, race: Race) {
        if self.options.discipline != Discipline::Plain {
            return;
        }
        let [one, other] = race.sides;
        for word in words_of(one.access).filter(|word| words_of(other.access).any(|it| it == *word))
        {
            self.disciplined.note_breach(word);
        }
        for side in race.sides {
            self.take_note(worker, state, side, true);
        }
    }
}
