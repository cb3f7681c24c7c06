//! The mutex locking discipline: which locks threads hold, and the accesses to words that no lock
//! protects, with what it takes to explain them.
//!
//! Whether a word obeys is known to `steam_visibility::Sharing`, from all accesses of all iterations. In a check
//! every access to a word on which threads conflict is a step of its own, so that each of them is
//! pending in some state, where it can be looked at: [`Accesses`] is a property that never fails and
//! takes note of them. Of the plain discipline (`plain.rs`) it is known from single steps which words obey.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError, RwLock};

use steam_linux::kernel::Pending;
use steam_linux::objects::place_of;
use steam_model::Property;
use steam_state::{Component, Key, Place, Reading, Space, Table, ThreadId};
use steam_sync::{Address, Objects, Thread};
use steam_visibility::{Discipline, Epoch, Held, Hold, OthersFact, Protection, Regime};

use super::accessors::Atomicity;
use super::choices::Frozen;
use super::finding::Violation;
use super::initialising::covers;
use super::plain::words_of;
use super::races::{Side, is_whole};
use super::step::Worker;
use super::{Action, Program};

impl Worker {
    /// The locks that the thread on the CPU holds, as far as no other thread can take them from it: the memory
    /// of one that others may free meanwhile is not relied on.
    pub(super) fn held_now(&mut self, regime: &Regime) -> Held {
        let system = &mut self.machine.system;
        let sharing = &self.machine.stores.sharing;
        let used = sharing.discipline() == Discipline::Used;
        let runs_handlers = system.process.has_own_handlers() && !system.is_alone();
        if used && runs_handlers && !sharing.knows(OthersFact::RunsHandlers) {
            // Learned whatever the thread holds: it may hold nothing in each state in which its handler comes, just
            // because the section under the lock is a part of one step.
            sharing.learn(OthersFact::RunsHandlers);
        }
        let current = system.current;
        // A thread that has ended in this step touches nothing more.
        let held = system.threads.live(current).map(|live| live.held.clone()).unwrap_or_default();
        if held.is_empty() {
            return Held::NOTHING;
        }
        let facts = Protection {
            handlers_run: sharing.knows(OthersFact::RunsHandlers),
            cancels: sharing.knows(OthersFact::CancelsThreads),
        };
        if used && !steam_visibility::locks_protect(&facts, regime) {
            return Held::NOTHING;
        }
        let lasts = |&lock: &Address| !(self.may_vanish(lock) && sharing.is_shared(place_of(lock)));
        let lasting: Vec<Address> = held.into_iter().filter(lasts).collect();
        sharing.held(&holds(&lasting, current, &self.machine.system.objects))
    }
}

/// How a thread holds locks that it was known to hold.
pub(super) fn holds(locks: &[Address], thread: ThreadId, objects: &impl Objects) -> Vec<Hold> {
    let holder = Thread(thread.0);
    let hold = |&lock: &Address| {
        let object = objects.get(lock);
        let exclusive = object.owner() == Some(holder);
        (object.held_count(holder) > 0).then_some(Hold { lock, exclusive })
    };
    locks.iter().filter_map(hold).collect()
}

/// An access to a word on which threads conflict, as it was seen in some state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Seen {
    /// Whose it is.
    pub thread: ThreadId,
    /// An address within the instruction, or within the call of a function that runs as a whole.
    pub instruction: u32,
    /// Where it begins.
    pub address: u32,
    /// How many bytes it touches.
    pub size: u32,
    /// Whether it writes.
    pub write: bool,
    /// The locks that its thread holds, ascending.
    pub holds: Vec<Hold>,
    /// Where the thread stands among those that the first thread of its process creates, and whether it
    /// is that one.
    standing: (Epoch, bool),
}

/// A variable, or a part of one, that no lock protects although several threads touch it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// What the source calls it, if it has a name.
    pub name: Option<String>,
    /// Where it lies.
    pub place: Place,
    /// Accesses that have no lock in common: no fewer would do.
    pub accesses: Vec<Seen>,
    /// How many different accesses were seen.
    pub count: usize,
    /// The members of types as which locks were taken that are held there.
    pub members: BTreeMap<Address, String>,
}

/// What is known of a word.
#[derive(Default)]
struct Word {
    seen: BTreeSet<Seen>,
    /// Those by which it was initialised, if each execution decides who does that.
    first: BTreeSet<Seen>,
    /// Whether it is not judged: threads may communicate by it, because an access is atomic or its races
    /// are intended; or it lies on a stack, where other variables lie at other times.
    exempt: bool,
    /// Whether the program itself touches it, and not only the C library.
    is_users: bool,
}

/// The accesses that were seen in a search.
#[derive(Default)]
pub(super) struct Disciplined {
    words: Mutex<BTreeMap<Place, Word>>,
    /// Threads that were looked at, with what was remembered of the words that they were about to touch.
    threads: RwLock<BTreeSet<(Component, Vec<Component>)>>,
    /// The words that violate the plain discipline in some execution.
    breached: Mutex<BTreeSet<Place>>,
    /// Where calls return to that took locks.
    takers: Mutex<BTreeMap<Address, u32>>,
}

impl Disciplined {
    /// A word violates the plain discipline.
    pub(super) fn note_breach(&self, word: Place) {
        self.breached.lock().unwrap_or_else(PoisonError::into_inner).insert(word);
    }

    /// A call that returns to an address takes a lock.
    pub(super) fn note_taker(&self, lock: Address, behind: u32) {
        let mut takers = self.takers.lock().unwrap_or_else(PoisonError::into_inner);
        takers.entry(lock).or_insert(behind);
    }
}

/// Takes note of accesses for [`Program::breaches`]. No state is an error.
#[derive(Clone, Copy, Debug, Default)]
pub struct Accesses;

impl Property<Program> for Accesses {
    fn check(
        &self,
        program: &Program,
        worker: &mut Worker,
        state: &Table,
        _: Option<Action>,
        _: &mut dyn FnMut(Violation),
    ) {
        if !program.options.discipline.judges() || program.has_ended(state) {
            return;
        }
        if program.options.discipline == Discipline::Plain && !program.knows_no_atomics() {
            // Where races are sought, they are noted already.
            program.races_with_moved(worker, state, &mut |_| {});
        }
        let mut fresh: Vec<Side> = Vec::new();
        let mut wholes: Vec<ThreadId> = Vec::new();
        program.each_thread(Reading::unrecorded(state), |frozen| {
            let side = program.side(&frozen);
            if program.is_new(state, frozen.thread, side) {
                match side {
                    Some(side) => fresh.push(side),
                    None if is_whole(&frozen)
                        && !program.manages_memory(worker, state, &frozen) =>
                    {
                        wholes.push(frozen.thread);
                    }
                    None => {}
                }
            }
            ControlFlow::Continue(())
        });
        for thread in wholes {
            fresh.extend(program.sides_of_whole(worker, state, thread));
        }
        for side in fresh {
            program.take_note(worker, state, side, false);
        }
    }
}

impl Program {
    /// Whether a thread is about to take memory or to give it back, which concerns the memory and not what is in it.
    fn manages_memory(&self, worker: &mut Worker, state: &Table, frozen: &Frozen<'_>) -> bool {
        // What allocates is a function of the library; whatever else is pending uses what is in memory.
        let Pending::Function(id) = frozen.state.pending else { return false };
        self.look_into_program(worker, state, frozen);
        worker.model_of(id).manages_memory()
    }

    /// Whether a thread was not seen yet as it is in a state.
    fn is_new(&self, state: &Table, thread: ThreadId, side: Option<Side>) -> bool {
        let component = |key| self.unrecorded(state, key);
        let plain = self.options.discipline == Discipline::Plain;
        let words = side.into_iter().filter(|_| plain).flat_map(|side| words_of(side.access));
        let marks = words.map(|word| component(Key::Mark(word))).collect();
        let component = (component(Key::Thread(thread)), marks);
        let threads = &self.disciplined.threads;
        if threads.read().unwrap_or_else(PoisonError::into_inner).contains(&component) {
            return false;
        }
        threads.write().unwrap_or_else(PoisonError::into_inner).insert(component)
    }

    /// Takes note of an access. `clashes`: another thread makes one at the same time.
    pub(super) fn take_note(&self, worker: &mut Worker, state: &Table, side: Side, clashes: bool) {
        let Side { thread, access, .. } = side;
        let frozen = self.living(state, thread);
        if covers(&frozen.state.fresh, access) {
            return;
        }
        let plain = self.options.discipline == Discipline::Plain;
        let initialises = plain && !clashes && self.initialises(state, &frozen, access);
        let (leader, space) = (frozen.state.space.leader() == thread, frozen.state.space);
        let process = self.unrecorded(state, Key::Process(space));
        let epoch = match leader {
            true => self.stores.processes.get(process).created,
            false => frozen.record.epoch,
        };
        let interrupted = !frozen.record.interrupted.is_empty();
        let locks: &[Address] = if interrupted { &[] } else { &frozen.state.held };
        let seen = Seen {
            thread,
            instruction: side.instruction(),
            address: access.address,
            size: access.size,
            write: access.write,
            holds: holds(locks, thread, &self.objects_of(Reading::unrecorded(state))),
            // By the plain discipline, what comes after the initialisation is none, whoever does it.
            standing: (epoch, !plain && leader && access.place.space() == space),
        };
        let exempt = self.side_atomicity(side) == Atomicity::Atomic
            || self.intended.covers(side)
            || self.stack_owner(worker, state, thread, access.address).is_some();
        let is_users = !side.library && self.accessor(side.instruction()).is_users;
        let mut words = self.disciplined.words.lock().unwrap_or_else(PoisonError::into_inner);
        for place in words_of(access) {
            let word = words.entry(place).or_default();
            word.exempt |= exempt;
            word.is_users |= is_users;
            let set = if initialises { &mut word.first } else { &mut word.seen };
            set.insert(seen.clone());
        }
    }

    /// What no lock protects although several threads touch it and one writes, ascending by place; of
    /// all accesses that were noted so far.
    pub fn breaches(&self) -> Vec<Breach> {
        let words = self.disciplined.words.lock().unwrap_or_else(PoisonError::into_inner);
        let mut breaches: Vec<Breach> = Vec::new();
        let plain = self.options.discipline == Discipline::Plain;
        let breached = self.disciplined.breached.lock().unwrap_or_else(PoisonError::into_inner);
        for place in self.stores.sharing.undisciplined() {
            if plain && !breached.contains(&place) {
                continue;
            }
            let Some(word) = words.get(&place).filter(|word| word.is_users && !word.exempt) else {
                continue;
            };
            let parts = match place.space() == Space::SHARED {
                true => vec![word.seen.clone()],
                false => breached_parts(place.address(), word),
            };
            for seen in parts {
                let name = self.name_of(place, &seen);
                let known = |breach: &Breach| match &name {
                    Some(_) => breach.name == name,
                    None => breach.place == place,
                };
                if breaches.iter().any(known) {
                    continue;
                }
                let accesses = without_common_lock(&seen);
                let members = self.members_of_locks(&accesses);
                breaches.push(Breach { name, place, accesses, count: seen.len(), members });
            }
        }
        breaches
    }

    /// The members of types as which the locks were taken that are held at some accesses.
    fn members_of_locks(&self, accesses: &[Seen]) -> BTreeMap<Address, String> {
        let takers = self.disciplined.takers.lock().unwrap_or_else(PoisonError::into_inner);
        let locks = accesses.iter().flat_map(|seen| &seen.holds).map(|hold| hold.lock);
        let member = |lock| Some((lock, self.atomics.argument(*takers.get(&lock)?)?));
        locks.filter_map(member).collect()
    }

    /// Where the user asked to use the discipline: which variables violate it, and are explored as if it were not.
    pub(super) fn note_of_discipline(&self) -> Option<String> {
        const MOST: usize = 5;
        if self.options.discipline != Discipline::Used || self.options.discipline_by_default {
            return None;
        }
        let words = self.stores.sharing.undisciplined();
        let words = words.into_iter().filter(|word| word.space() != Space::SHARED);
        let names: BTreeSet<String> =
            words.filter_map(|word| self.atomics.name(word.address(), 4)).collect();
        let listed: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
        let more = if names.len() > MOST { " and others" } else { "" };
        (!listed.is_empty()).then(|| {
            format!(
                "no lock protects {}{more}: every order of accesses to what violates the locking \
                 discipline was explored; --mld check reports more",
                listed.join(", ")
            )
        })
    }

    /// What the source calls a word: the variable or a part of it, or the member by which a pointer
    /// reaches it.
    fn name_of(&self, place: Place, seen: &BTreeSet<Seen>) -> Option<String> {
        let smallest = seen.iter().min_by_key(|seen| (seen.size, seen.address))?;
        let named = (place.space() != Space::SHARED)
            .then(|| self.atomics.name(smallest.address, smallest.size))
            .flatten();
        let member = |seen: &Seen| self.atomics.member(seen.instruction);
        named.or_else(|| seen.iter().find_map(member))
    }
}

/// The accesses to those bytes of a word that violate the discipline, which was learned of the word as a whole:
/// neighbours may each have a lock of their own, or a thread.
fn breached_parts(start: u32, word: &Word) -> Vec<BTreeSet<Seen>> {
    let covering = |all: &BTreeSet<Seen>, byte: u32| -> BTreeSet<Seen> {
        let covers = |it: &&Seen| byte.wrapping_sub(it.address) < it.size;
        all.iter().filter(covers).cloned().collect()
    };
    let bytes = start..start.saturating_add(4);
    if bytes.clone().all(|byte| covering(&word.seen, byte) == word.seen) {
        return vec![word.seen.clone()];
    }
    let parts = bytes.map(|byte| (covering(&word.seen, byte), covering(&word.first, byte)));
    let breached = parts.filter(|(seen, first)| is_breached(seen, first));
    breached.map(|(seen, _)| seen).collect()
}

/// Whether several threads make accesses, one of them writes, and no lock is common to all.
fn is_breached(seen: &BTreeSet<Seen>, first: &BTreeSet<Seen>) -> bool {
    let lasting = lasting(seen);
    // The first thread is one, wherever it stands.
    let whose = |it: &Seen| (it.thread, (!it.standing.1).then_some(it.standing.0));
    let threads: BTreeSet<_> = lasting.iter().copied().chain(first).map(whose).collect();
    let locks = |it: &&Seen| serving(it).collect::<BTreeSet<u64>>();
    let common = lasting.iter().map(locks).reduce(|all, own| &all & &own);
    threads.len() > 1 && lasting.iter().any(|it| it.write) && common.is_none_or(|it| it.is_empty())
}

/// The accesses that are no initialisation.
fn lasting(seen: &BTreeSet<Seen>) -> Vec<&Seen> {
    let others = seen.iter().filter(|it| !it.standing.1).map(|it| it.standing.0);
    let earliest = others.min();
    let initialises =
        |it: &&Seen| it.standing.1 && earliest.is_some_and(|earliest| it.standing.0 < earliest);
    seen.iter().filter(|it| !initialises(it)).collect()
}

/// The locks that serve at an access.
fn serving(seen: &Seen) -> impl Iterator<Item = u64> {
    let serves = seen.holds.iter().filter(|hold| hold.exclusive || !seen.write);
    serves.map(|hold| hold.lock)
}

/// Accesses that have no lock in common, in the order of threads; each of them has fewer in common with
/// those before than they had among themselves.
fn without_common_lock(seen: &BTreeSet<Seen>) -> Vec<Seen> {
    let mut common: Option<Vec<u64>> = None;
    let mut chosen = Vec::new();
    // Those that hold most say best what was meant, and writers what goes wrong.
    let mut ordered = lasting(seen);
    ordered.sort_by_key(|it| (std::cmp::Reverse(it.holds.len()), !it.write));
    for seen in ordered {
        let locks: Vec<u64> = serving(seen).collect();
        let left: Vec<u64> = match &common {
            None => locks,
            Some(known) => known.iter().copied().filter(|it| locks.contains(it)).collect(),
        };
        let fewer = common.as_ref().is_none_or(|known| left.len() < known.len());
        let other_thread = || chosen.iter().all(|it: &Seen| it.thread != seen.thread);
        let alone = chosen.len() == 1 && left.is_empty() && other_thread();
        if fewer || alone {
            chosen.push(seen.clone());
            common = Some(left);
        }
    }
    chosen
}
