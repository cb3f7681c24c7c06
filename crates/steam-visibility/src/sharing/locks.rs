//! Under which locks words are touched: the mutex locking discipline (Stoller: Model-Checking
//! Multi-Threaded Distributed Java Programs, sections 2.2 and 9).
//!
//! A word obeys the discipline if it is read-only once threads share it, or if one lock is held at
//! every access from then on; of a read-write lock, writers must hold the side that excludes others.
//! What is summed up here is the *set* of accesses, each with its thread, its [`Epoch`] and the locks
//! held, never their order: so what comes of it is the same for every order of search. That is what
//! the paper's stricter MLD' is for (observations M2 and M3 of its proof of Theorem 2'), and like it
//! this fixes in advance who initialises: the first thread, before it creates those that touch the
//! word too. As in the paper's section 8, the lock has to be the same one in all executions.
//!
//! Why accesses to words that obey may be invisible (Theorem 2', with this discipline as D in
//! docs/theory.md, 2). Let thread A be about to make an invisible access t in a state s, and let w be steps
//! of others from s on, the last of them being the first that depends on t. It touches the same word,
//! and one of the two writes. While w is done A does not move and keeps its locks, for no other thread can take
//! a lock away from who holds it; so in the state before the last step two threads hold disjoint sets
//! of locks, as far as these exclude each other. The same two accesses with the same locks are made
//! when t comes first: both are noted here, no lock is common to them, neither is part of the
//! initialisation, and the word is known not to obey. So a search that learned nothing has left out
//! nothing; one that learned something is done again with the accesses to that word visible. Locks
//! whose memory may go away while a thread holds them do not count, nor do those that a handler may take
//! from its own thread; who hands the sets over sees to that.
//!
//! What it costs to find this out is bounded. Of each word that several threads may touch all different accesses are
//! kept; beyond [`MOST_WORDS`] words the discipline is not asked for. And where it is *on trial*
//! ([`Locks::try_out`]), a search gives it up that has done [`MOST_DISAPPOINTMENTS`] iterations in which a word that
//! seemed to have a lock turned out to have none: each of them is an iteration that a search without it may not need.
//! That is counted and not timed, so that a search comes to the same each time. It is given up, too, where one access
//! touches more than [`MOST_SWEPT`] words, unless the user has asked for it.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use ahash::{HashMap, RandomState};

use super::cell::{Epoch, Visitor, is_several};
use steam_state::{Place, ThreadId};

/// A lock that a thread holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hold {
    /// The place of the lock.
    pub lock: u64,
    /// Whether no other thread can hold it meanwhile.
    pub exclusive: bool,
}

/// A set of locks, by a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Held(u32);

impl Held {
    /// No lock.
    pub const NOTHING: Self = Self(0);
}

/// How a word is touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Under {
    /// Under these locks.
    pub held: Held,
    /// Whether an instruction or a call of the program reads or writes it, which the discipline judges;
    /// and not something that concerns its memory, such as giving it back.
    pub access: bool,
    /// Who does it, by a number that is the same in all executions, where that is known.
    pub who: Option<ThreadId>,
}

impl Under {
    /// No access, and no lock.
    pub const NOTHING: Self = Self { held: Held::NOTHING, access: false, who: None };
}

/// What the locking discipline is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Discipline {
    /// They are not recorded.
    #[default]
    Ignored,
    /// It is found out which words obey, whatever the order of accesses.
    Checked,
    /// It is found out which words obey in each execution: the first thread that comes initialises.
    Plain,
    /// Accesses to words that obey are private to their threads.
    Used,
}

impl Discipline {
    /// Whether it is found out which words obey.
    pub fn judges(self) -> bool {
        matches!(self, Self::Checked | Self::Plain)
    }
}

/// An access, as far as the discipline cares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fact {
    thread: ThreadId,
    epoch: Epoch,
    write: bool,
    held: Held,
}

impl Fact {
    /// Whether nothing orders the two, they are of different threads and one writes.
    fn conflicts(&self, other: &Self) -> bool {
        let before =
            |one: &Self, other: &Self| one.thread == ThreadId::FIRST && one.epoch < other.epoch;
        // Whose thread jumped out of handlers may jump again: it conflicts with itself.
        (self.thread != other.thread || is_several(self.thread))
            && (self.write || other.write)
            // Either may be the first thread's, from before it created the other one.
            && !before(self, other)
            && !before(other, self)
    }
}

/// What is known of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Guarding {
    /// No two accesses conflict.
    Needless,
    /// One lock is held at every access.
    Guarded,
    /// There is none such. If but one thread writes, which one.
    Lacking(Option<ThreadId>),
}

type Sets = HashMap<Vec<Hold>, Held>;

/// What comes of noting an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Noted {
    /// Nothing that was not known.
    Known,
    /// This is known of its word now.
    New(Guarding),
    /// There are too many words: the discipline is not asked for here.
    Full,
}

/// Words of which accesses are kept, at most.
const MOST_WORDS: usize = 1 << 17;
/// With more words than this in one access, such as the allocation of a large block, the discipline is given up.
const MOST_SWEPT: usize = 1 << 17;
/// They are divided so that workers rarely wait for each other.
const SHARDS: usize = 64;
/// Iterations in which words lost their locks, for a discipline on trial; with as many it is given up.
const MOST_DISAPPOINTMENTS: u32 = 2;

/// What is known of a word.
#[derive(Default)]
struct Word {
    facts: Vec<Fact>,
    /// The first iteration in which accesses conflicted and a lock was held at all of them.
    guarded_in: Option<u32>,
}

type Words = HashMap<Place, Word>;

/// The accesses of all iterations, by words.
pub(super) struct Locks {
    shards: Vec<Mutex<Words>>,
    spread: RandomState,
    sets: RwLock<(Sets, Vec<Vec<Hold>>)>,
    /// The number of the iteration.
    iteration: AtomicU32,
    on_trial: AtomicBool,
    /// Whether a word that had a lock when this iteration began turned out to have none.
    disappointed: AtomicBool,
    /// How many iterations were like that.
    disappointments: AtomicU32,
    given_up: AtomicBool,
    /// Whether it may be given up where so much is touched at once that words cannot be told apart.
    by_default: AtomicBool,
    /// Whether that was so in this iteration.
    swept: AtomicBool,
}

impl Default for Locks {
    fn default() -> Self {
        let sets = HashMap::with_hasher(RandomState::with_seeds(5, 8, 13, 21));
        let words = || HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 5));
        Self {
            shards: (0..SHARDS).map(|_| Mutex::new(words())).collect(),
            spread: RandomState::with_seeds(34, 55, 89, 144),
            sets: RwLock::new((sets, vec![Vec::new()])),
            iteration: AtomicU32::new(0),
            on_trial: AtomicBool::new(false),
            disappointed: AtomicBool::new(false),
            disappointments: AtomicU32::new(0),
            given_up: AtomicBool::new(false),
            by_default: AtomicBool::new(false),
            swept: AtomicBool::new(false),
        }
    }
}

fn lock(words: &Mutex<Words>) -> MutexGuard<'_, Words> {
    words.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Locks {
    /// Lets the discipline be given up where it does not pay.
    pub(super) fn try_out(&self) {
        self.on_trial.store(true, Relaxed);
    }

    /// No user has asked for the discipline: it need not be kept at any price.
    pub(super) fn use_by_default(&self) {
        self.by_default.store(true, Relaxed);
    }

    /// So many bytes are touched at once; whether they are too many to note each word of them. Then the discipline is given
    /// up, and this iteration is none: which words it guards is not known of these.
    pub(super) fn gives_up_for(&self, bytes: u32) -> bool {
        let too_many = self.by_default.load(Relaxed) && bytes as usize / 4 > MOST_SWEPT;
        if too_many {
            self.swept.store(true, Relaxed);
        }
        self.swept.load(Relaxed)
    }

    /// Whether it was given up.
    pub(super) fn is_given_up(&self) -> bool {
        self.given_up.load(Relaxed)
    }

    /// An iteration begins. If the discipline is given up with it, the words on which accesses conflict,
    /// whatever protects them.
    pub(super) fn begin_iteration(&self) -> Vec<Place> {
        self.iteration.fetch_add(1, Relaxed);
        if self.disappointed.swap(false, Relaxed) {
            self.disappointments.fetch_add(1, Relaxed);
        }
        let disappoints = self.on_trial.load(Relaxed)
            && self.disappointments.load(Relaxed) >= MOST_DISAPPOINTMENTS;
        let ends = disappoints || self.swept.load(Relaxed);
        if self.is_given_up() || !ends {
            return Vec::new();
        }
        self.given_up.store(true, Relaxed);
        self.words_where(|guarding| guarding != Guarding::Needless)
    }

    /// The words of which something is known, ascending.
    fn words_where(&self, counts: impl Fn(Guarding) -> bool) -> Vec<Place> {
        let mut found: Vec<Place> = Vec::new();
        for words in &self.shards {
            let words = lock(words);
            let counts = |word: &Word| counts(self.judge(&word.facts));
            found.extend(words.iter().filter(|(_, word)| counts(word)).map(|(place, _)| *place));
        }
        found.sort_unstable();
        found
    }

    /// The number of a set of locks, ascending and each once.
    pub(super) fn number(&self, holds: &[Hold]) -> Held {
        if holds.is_empty() {
            return Held::NOTHING;
        }
        let sets = self.sets.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(&held) = sets.0.get(holds) {
            return held;
        }
        drop(sets);
        let mut sets = self.sets.write().unwrap_or_else(PoisonError::into_inner);
        let (numbers, lists) = &mut *sets;
        *numbers.entry(holds.to_vec()).or_insert_with(|| {
            lists.push(holds.to_vec());
            Held(lists.len() as u32 - 1)
        })
    }

    /// Notes an access, and says what is known of the word then.
    pub(super) fn note(&self, place: Place, visitor: Visitor, write: bool, held: Held) -> Noted {
        let Visitor { thread, epoch } = visitor;
        let fact = Fact { thread, epoch, write, held };
        let shard = self.spread.hash_one(place) as usize % SHARDS;
        let mut words = lock(&self.shards[shard]);
        if words.len() >= MOST_WORDS / SHARDS && !words.contains_key(&place) {
            return Noted::Full;
        }
        let word = words.entry(place).or_default();
        if word.facts.contains(&fact) {
            return Noted::Known;
        }
        word.facts.push(fact);
        let guarding = self.judge(&word.facts);
        let iteration = self.iteration.load(Relaxed);
        match guarding {
            Guarding::Needless => {}
            Guarding::Guarded => word.guarded_in = word.guarded_in.or(Some(iteration)),
            Guarding::Lacking(_) => {
                if word.guarded_in.take().is_some_and(|since| since < iteration) {
                    self.disappointed.store(true, Relaxed);
                }
            }
        }
        Noted::New(guarding)
    }

    /// The words that do not obey, ascending.
    pub(super) fn lacking(&self) -> Vec<Place> {
        self.words_where(|guarding| matches!(guarding, Guarding::Lacking(_)))
    }

    fn judge(&self, facts: &[Fact]) -> Guarding {
        let conflict =
            facts.iter().any(|one| one.write && facts.iter().any(|other| one.conflicts(other)));
        if !conflict {
            return Guarding::Needless;
        }
        let others = facts.iter().filter(|fact| fact.thread != ThreadId::FIRST);
        let earliest = others.map(|fact| fact.epoch).min();
        let initialises = |fact: &&Fact| {
            fact.thread == ThreadId::FIRST && earliest.is_none_or(|earliest| fact.epoch < earliest)
        };
        let sets = self.sets.read().unwrap_or_else(PoisonError::into_inner);
        let mut common: Option<Vec<u64>> = None;
        for fact in facts.iter().filter(|fact| !initialises(fact)) {
            let holds = sets.1[fact.held.0 as usize].iter();
            // A lock that is held for reading protects reads alone: others may hold it for reading, too.
            let serves = holds.filter(|hold| hold.exclusive || !fact.write);
            let locks: Vec<u64> = serves.map(|hold| hold.lock).collect();
            common = Some(match common {
                None => locks,
                Some(known) => known.into_iter().filter(|lock| locks.contains(lock)).collect(),
            });
        }
        if common.is_some_and(|locks| !locks.is_empty()) {
            return Guarding::Guarded;
        }
        let mut writers = facts.iter().filter(|fact| fact.write).map(|fact| fact.thread);
        let first = writers.next();
        Guarding::Lacking(first.filter(|first| writers.all(|other| other == *first)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use steam_state::Space;

    const MUTEX: u64 = 8;
    const OTHER: u64 = 16;

    fn visitor(thread: u32, epoch: u32) -> Visitor {
        let epoch = (0..epoch).fold(Epoch::default(), |epoch, _| epoch.next());
        Visitor { thread: ThreadId(thread), epoch }
    }

    fn hold(lock: u64) -> Hold {
        Hold { lock, exclusive: true }
    }

    /// What is known after some accesses to one word: thread, epoch, whether it writes, locks.
    fn known(accesses: &[(u32, u32, bool, &[Hold])]) -> Guarding {
        let locks = Locks::default();
        let word = Space::FIRST.at(0x1000);
        for &(thread, epoch, write, holds) in accesses {
            locks.note(word, visitor(thread, epoch), write, locks.number(holds));
        }
        let word = locks.shards.iter().find_map(|words| lock(words).remove(&word));
        locks.judge(&word.expect("it was touched").facts)
    }

    #[test]
    fn a_word_is_guarded_by_a_lock_that_is_held_at_every_access() {
        let (mutex, both) = ([hold(MUTEX)], [hold(MUTEX), hold(OTHER)]);
        assert_eq!(known(&[(2, 1, true, &mutex), (3, 2, false, &both)]), Guarding::Guarded);
        assert_eq!(
            known(&[(2, 1, true, &mutex), (3, 2, true, &[hold(OTHER)])]),
            Guarding::Lacking(None)
        );
        assert_eq!(
            known(&[(2, 1, true, &mutex), (3, 2, false, &[])]),
            Guarding::Lacking(Some(ThreadId(2)))
        );
        // Each two have a lock in common, all of them have none.
        let (a, b, c) = (hold(8), hold(16), hold(24));
        assert_eq!(
            known(&[(2, 1, true, &[a, b]), (3, 1, true, &[b, c]), (4, 1, true, &[a, c])]),
            Guarding::Lacking(None)
        );
    }

    #[test]
    fn who_creates_the_others_may_initialise() {
        let mutex = [hold(MUTEX)];
        assert_eq!(known(&[(1, 0, true, &[]), (2, 1, false, &[])]), Guarding::Needless);
        let initialised = [(1, 0, true, &[][..]), (2, 1, true, &mutex), (3, 2, true, &mutex)];
        assert_eq!(known(&initialised), Guarding::Guarded);
        let mut late = initialised.to_vec();
        late.push((1, 1, true, &[]));
        assert_eq!(known(&late), Guarding::Lacking(None));
    }

    /// Lets a word lose its lock in each iteration after the first; in which iteration the discipline is given up, with
    /// which words.
    fn given_up_in(tries: bool) -> Option<(u32, Vec<Place>)> {
        let locks = Locks::default();
        if tries {
            locks.try_out();
        }
        let touch = |word: u32, thread, holds: &[Hold]| {
            locks.note(Space::FIRST.at(word), visitor(thread, 1), true, locks.number(holds))
        };
        for iteration in 1..10 {
            let conflicting = locks.begin_iteration();
            if locks.is_given_up() {
                return Some((iteration, conflicting));
            }
            assert!(conflicting.is_empty());
            for thread in 2..4 {
                touch(0x1000 + 8 * iteration, thread, &[hold(MUTEX)]);
                // One that never had a lock, and one thread's own, are no disappointment.
                touch(0x2000 + 8 * iteration, thread, &[]);
                touch(0x3000 + 8 * thread, thread, &[]);
            }
            touch(0x1000 + 8 * (iteration - 1), 2, &[]);
        }
        None
    }

    #[test]
    fn a_discipline_by_default_is_given_up_where_much_is_touched_at_once() {
        let much = 4 * (MOST_SWEPT as u32 + 1);
        let asked_for = Locks::default();
        assert!(!asked_for.gives_up_for(much));
        let locks = Locks::default();
        locks.use_by_default();
        assert!(!locks.gives_up_for(much - 4) && !locks.is_given_up());
        assert!(locks.gives_up_for(much));
        assert!(locks.gives_up_for(4), "this iteration is done again");
        locks.begin_iteration();
        assert!(locks.is_given_up());
    }

    #[test]
    fn a_discipline_on_trial_is_given_up_after_some_disappointments() {
        let (iteration, conflicting) = given_up_in(true).expect("each iteration disappoints");
        // Nothing had a lock before the first one.
        assert_eq!(iteration, 1 + 1 + MOST_DISAPPOINTMENTS);
        assert_eq!(conflicting.len(), 2 * (iteration as usize - 1));
        assert_eq!(given_up_in(false), None);
    }

    #[test]
    fn beyond_so_many_words_the_discipline_is_not_asked_for() {
        let locks = Locks::default();
        let note = |word| locks.note(Space::FIRST.at(8 * word), visitor(2, 1), true, Held::NOTHING);
        let noted = (0..2 * MOST_WORDS as u32).filter(|word| note(*word) != Noted::Full).count();
        assert_eq!(noted, MOST_WORDS);
        assert_eq!(note(0), Noted::Known);
    }

    #[test]
    fn who_has_jumped_out_of_handlers_conflicts_with_itself() {
        let several = super::super::in_handlers(ThreadId(1), super::super::MOST_HANDLERS).0;
        assert_eq!(known(&[(several, 0, true, &[])]), Guarding::Lacking(Some(ThreadId(several))));
        assert_eq!(known(&[(1, 0, true, &[])]), Guarding::Needless);
    }

    #[test]
    fn readers_may_share_a_lock_and_writers_may_not() {
        let (shared, alone) = ([Hold { lock: 8, exclusive: false }], [hold(8)]);
        assert_eq!(known(&[(2, 1, false, &shared), (3, 1, true, &alone)]), Guarding::Guarded);
        assert_eq!(
            known(&[(2, 1, true, &shared), (3, 1, false, &alone)]),
            Guarding::Lacking(Some(ThreadId(2)))
        );
    }

    #[test]
    fn what_is_known_does_not_depend_on_the_order_and_only_gets_worse() {
        let rank = |guarding: Guarding| match guarding {
            Guarding::Needless => 0,
            Guarding::Guarded => 1,
            Guarding::Lacking(_) => 2,
        };
        let mut seed = 11u32;
        let mut below = |count: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % count
        };
        let mut seen = [0; 3];
        for _ in 0..4000 {
            let choices: [&[Hold]; 4] = [
                &[],
                &[Hold { lock: 8, exclusive: true }],
                &[Hold { lock: 8, exclusive: false }],
                &[Hold { lock: 8, exclusive: true }, Hold { lock: 16, exclusive: true }],
            ];
            let mut accesses: Vec<(u32, u32, bool, &[Hold])> = (0..1 + below(4))
                .map(|_| {
                    let held = choices[below(8).saturating_sub(4) as usize];
                    (
                        1 + below(3),
                        below(3),
                        below(2) == 0,
                        if below(4) > 0 { choices[1] } else { held },
                    )
                })
                .collect();
            let mut before = 0;
            for count in 1..=accesses.len() {
                let now = rank(known(&accesses[..count]));
                assert!(now >= before, "{accesses:?}");
                before = now;
            }
            let whole = known(&accesses);
            seen[rank(whole)] += 1;
            accesses.reverse();
            assert_eq!(known(&accesses), whole);
        }
        assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
    }
}
