//! Which words of memory several threads touch: what makes an access a step of its own.
//!
//! A word is *private* until two threads touch it and one of them writes; then it is *shared* for
//! good. What the first thread does before it creates another one does not count as against that
//! one, for no schedule can change their order ([`Epoch`]). Of a shared word that only one thread writes, that thread's
//! own reads are its private affair too: they conflict with nothing. What is found in an iteration of a search counts
//! from the next iteration on ([`Sharing::begin_iteration`]), so that within an iteration every worker sees the same
//! words as shared, whoever was faster; a search that learned nothing in an iteration has seen everything
//! (docs/theory.md, 2: the set that remains is the set of all words on which threads can conflict, whatever the order
//! of discovery).
//!
//! Looking at each access would be slow. So pages come first: a page that only one thread touches,
//! or that no thread writes, needs no look at its words. Only when that ends the page is *tracked*,
//! again from the next iteration on, and each access to it is noted word by word. A thread's stack is
//! its own by definition: only others are noted there.
//!
//! Beside memory the same rule serves the heap arenas, each of which stands for one word, and the
//! *facts*, such as that a call of `memcpy` touched a shared word (`facts.rs`).

mod cell;
mod copies;
mod locks;
mod pieces;
mod tree;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use ahash::{HashSet, RandomState};

use cell::ANY_WRITER;
pub use cell::{Epoch, MOST_HANDLERS, Visitor, in_handlers};
use copies::Copies;
pub use copies::Origin;
pub use locks::{Discipline, Held, Hold, Under};
use locks::{Guarding, Locks, Noted};
use pieces::Pieces;
use steam_state::{Place, Space, ThreadId};
use tree::Tree;

use crate::facts::{Fact, MemoryFact, OthersFact, SearchFact, word};
pub(crate) use tree::{Sweep, Swept};

/// Bytes and words of a page.
const PAGE: u64 = 4096;
const WORDS: u32 = 1024;
/// The page whose words stand for other things: heap arenas, and the first one for the table of
/// threads. Nothing of the guest is ever mapped there.
const OTHER_THINGS: u32 = 0xffff_f000;

/// What is written where threads may have blocks for themselves, and it matters.
const PRIVACY: &str = "private-blocks";
/// That registers which only count are part of a state.
const COUNTERS: &str = "counters";

/// The word that stands for the table of threads: which numbers and stacks are free.
pub const THREAD_TABLE: u32 = OTHER_THINGS;

/// What a search has learned about who touches what. Shared by all workers.
pub struct Sharing {
    tree: Tree,
    facts: RwLock<HashSet<Fact>>,
    next_facts: Mutex<HashSet<Fact>>,
    grew: AtomicBool,
    /// Whether the iteration could not go on somewhere.
    required: AtomicBool,
    /// Every [`MemoryFact::Copied`] that counts, by the space that has the copy.
    copies: Copies,
    /// Whether [`OthersFact::EndsProcess`] counts.
    ends_process: AtomicBool,
    /// Whether what counts was given, and not learned iteration by iteration.
    given: AtomicBool,
    /// Whether there is a [`MemoryFact::ObservedWord`] that counts.
    observes: AtomicBool,
    /// Whether [`SearchFact::ObservesThreads`] counts.
    observes_threads: AtomicBool,
    /// Whether [`SearchFact::JudgesOperations`] counts.
    operations: AtomicBool,
    /// The shared words once more, for questions about many words at once.
    shared: Pieces,
    /// Every [`MemoryFact::Claimed`] that counts.
    claimed: Pieces,
    /// Every [`MemoryFact::Atomic`] that counts.
    atomic: Pieces,
    /// Every [`MemoryFact::Hidden`] that counts.
    hidden: Pieces,
    /// Every [`MemoryFact::Reached`] that counts.
    reached: Pieces,
    /// Whether threads may have blocks of the heap for themselves, if that is asked for.
    privacy: AtomicBool,
    /// Whether what only counts is part of a state.
    counters: AtomicBool,
    /// Whether a thread seems to run on and on without a visible operation.
    suspects: AtomicBool,
    /// What the locking discipline is for.
    discipline: OnceLock<Discipline>,
    /// Under which locks words were touched, where that is asked for.
    locks: Locks,
}

impl Default for Sharing {
    fn default() -> Self {
        let none = || HashSet::with_hasher(RandomState::with_seeds(9, 8, 7, 6));
        Self {
            tree: Tree::default(),
            facts: RwLock::new(none()),
            next_facts: Mutex::new(none()),
            grew: AtomicBool::new(false),
            required: AtomicBool::new(false),
            copies: Copies::default(),
            ends_process: AtomicBool::new(false),
            given: AtomicBool::new(false),
            observes: AtomicBool::new(false),
            observes_threads: AtomicBool::new(false),
            operations: AtomicBool::new(false),
            shared: Pieces::default(),
            claimed: Pieces::default(),
            atomic: Pieces::default(),
            hidden: Pieces::default(),
            reached: Pieces::default(),
            privacy: AtomicBool::new(false),
            counters: AtomicBool::new(false),
            suspects: AtomicBool::new(false),
            discipline: OnceLock::new(),
            locks: Locks::default(),
        }
    }
}

impl std::fmt::Debug for Sharing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sharing").field("words", &self.words().len()).finish()
    }
}

/// How many arenas have words of their own; others share theirs with one of them.
const ARENA_WORDS: u32 = (WORDS - 2) / 2;

/// The word that stands for a thread's heap arena.
pub fn arena_word(thread: ThreadId) -> u32 {
    OTHER_THINGS | (8 + (thread.0 % ARENA_WORDS) * 8)
}

/// The word that stands for what others have given back to a thread's heap arena.
pub fn returned_word(thread: ThreadId) -> u32 {
    arena_word(thread) + 4
}

impl Sharing {
    /// A thread comes to the page of a place; whether its accesses there must be looked at one by
    /// one.
    pub fn visit_page(&self, place: Place, thread: ThreadId, write: bool) -> bool {
        let cell = self.tree.page_cell(place);
        if cell.is_marked() {
            return true;
        }
        if cell.touch(thread.into(), write) {
            self.grew.store(true, Relaxed);
        }
        false
    }

    /// Whether a page of the thread's own stack has words that others touch.
    pub fn is_tracked(&self, place: Place) -> bool {
        self.tree.known_page(place).is_marked()
    }

    /// Whether what counts was learned before: no iteration will come that knows more.
    pub fn is_given(&self) -> bool {
        self.given.load(Relaxed)
    }

    /// Whether a page will have words that others touch, from the next iteration on.
    pub fn will_be_tracked(&self, place: Place) -> bool {
        self.tree.known_page(place).will_be_marked()
    }

    /// Whether a word will be shared, from the next iteration on.
    pub fn will_be_shared(&self, place: Place) -> bool {
        self.tree.known_word(place).will_be_marked()
    }

    /// Whether a word is shared, whoever asks.
    pub fn is_shared(&self, place: Place) -> bool {
        self.tree.known_word(place).is_marked()
    }

    /// Whether some word among the bytes from a place on is shared, whoever asks. It costs the same however many
    /// bytes these are.
    pub fn is_any_shared(&self, start: Place, size: u32) -> bool {
        self.shared.touch(start, size)
    }

    /// Says what the locking discipline is for, before anything was touched.
    pub fn set_discipline(&self, discipline: Discipline) {
        self.discipline.get_or_init(|| discipline);
    }

    /// Lets the locking discipline be given up where it does not pay.
    pub fn try_discipline(&self) {
        self.locks.try_out();
    }

    /// No user has asked for the locking discipline: it may be given up where it costs much.
    pub fn use_discipline_by_default(&self) {
        self.locks.use_by_default();
    }

    /// What the locking discipline is for.
    pub fn discipline(&self) -> Discipline {
        match self.discipline.get() {
            Some(Discipline::Used) if self.locks.is_given_up() => Discipline::Ignored,
            discipline => discipline.copied().unwrap_or_default(),
        }
    }

    /// The number of a set of locks, ascending and each once.
    pub fn held(&self, holds: &[Hold]) -> Held {
        self.locks.number(holds)
    }

    /// The words that several threads touch without a lock that is held at every access, ascending, as
    /// far as the locking discipline is checked.
    pub fn undisciplined(&self) -> Vec<Place> {
        let mut lacking = self.locks.lacking();
        lacking.retain(|word| !self.copies.is_seen(*word));
        lacking
    }

    /// A copy of a space looks at a word of it, or what it was lent to touches the word; whether others can observe it.
    pub fn visit_original(&self, word: Place, visitor: Visitor, write: bool) -> bool {
        if self.discipline() == Discipline::Used {
            self.copies.note_seen(word);
        }
        self.visit_word(word, visitor, write)
    }

    /// A thread touches a word, whatever it holds; whether others can observe when it does.
    pub fn visit_word(&self, place: Place, visitor: impl Into<Visitor>, write: bool) -> bool {
        self.visit_word_under(place, visitor.into(), write, Under::NOTHING)
    }

    /// A thread that holds locks touches a word; whether others can observe when it does.
    pub fn visit_word_under(
        &self,
        place: Place,
        visitor: Visitor,
        write: bool,
        Under { held, access, who }: Under,
    ) -> bool {
        let discipline = self.discipline();
        let cell = self.tree.word_cell(place);
        if discipline.judges() && access {
            let visitor = Visitor { thread: who.unwrap_or(visitor.thread), ..visitor };
            self.locks.note(place, visitor, write, held);
        }
        if cell.is_marked() {
            let (visible, new) = cell.meet(visitor.thread, write);
            if new {
                self.grew.store(true, Relaxed);
            }
            return visible;
        }
        let conflict = match discipline {
            Discipline::Used => match self.locks.note(place, visitor, write, held) {
                Noted::New(Guarding::Lacking(writer)) => cell.mark_conflict(writer),
                Noted::New(Guarding::Needless | Guarding::Guarded) | Noted::Known => false,
                Noted::Full => cell.touch(visitor, write),
            },
            Discipline::Ignored | Discipline::Checked | Discipline::Plain => {
                cell.touch(visitor, write)
            }
        };
        if conflict {
            self.grew.store(true, Relaxed);
        }
        false
    }

    /// A thread touches a word of the first thread's stack; whether the word is shared. From the
    /// next iteration on the first thread is looked at there too: it may have left the word alone since
    /// it created the other one.
    pub fn visit_first_stack(
        &self,
        place: Place,
        visitor: Visitor,
        write: bool,
        under: Under,
    ) -> bool {
        if self.tree.page_cell(place).mark() {
            self.grew.store(true, Relaxed);
        }
        if self.has_privacy() && !self.reached.touch(place, 4) {
            self.learn(MemoryFact::Reached(place));
        }
        self.visit_word_under(place, visitor, write, under)
    }

    /// A thread touches a word of another one's stack; whether the word is shared. It will be:
    /// the owner writes all of its stack.
    pub fn visit_foreign(&self, place: Place) -> bool {
        let cell = self.tree.word_cell(place);
        if cell.is_marked() {
            return true;
        }
        if cell.mark() {
            self.tree.page_cell(place).mark();
            self.grew.store(true, Relaxed);
        }
        false
    }

    /// Whether something is a step of its own.
    pub fn knows(&self, fact: impl Into<Fact>) -> bool {
        self.facts.read().unwrap_or_else(PoisonError::into_inner).contains(&fact.into())
    }

    /// Whether one of several facts is known.
    pub fn knows_any(&self, asked: &[Fact]) -> bool {
        let facts = self.facts.read().unwrap_or_else(PoisonError::into_inner);
        asked.iter().any(|fact| facts.contains(fact))
    }

    /// Whether memory is copied while others are at it: which locks they hold may be seen in the copy.
    pub fn is_copied(&self) -> bool {
        self.copies.any()
    }

    /// What a space may be a copy of, of processes with several threads.
    pub fn origins(&self, space: Space) -> Arc<[Origin]> {
        self.copies.origins(space)
    }

    /// Whether a process may be ended in the middle of what it does: all that it writes to memory that
    /// processes share may be the last.
    pub fn ends_process(&self) -> bool {
        self.ends_process.load(Relaxed)
    }

    /// Whether a property observes words of memory, or threads, in every state.
    pub fn observes(&self) -> bool {
        self.observes.load(Relaxed)
    }

    /// Whether a property observes what threads hold and wait for, in every state.
    pub fn observes_threads(&self) -> bool {
        self.observes_threads.load(Relaxed)
    }

    /// Whether it is judged if what the program calls one operation is such.
    pub fn judges_operations(&self) -> bool {
        self.operations.load(Relaxed)
    }

    /// Whether a thread claims for itself some of the bytes from a place on, all of one page.
    pub fn is_claimed(&self, start: Place, size: u32) -> bool {
        self.claimed.touch(start, size)
    }

    /// Whether threads claim memory for themselves.
    pub fn has_claims(&self) -> bool {
        self.claimed.any()
    }

    /// Lets threads have for themselves the blocks of the heap that no other thread can reach.
    pub fn allow_privacy(&self) {
        self.privacy.store(true, Relaxed);
    }

    /// Has registers that only count be part of a state.
    pub fn keep_counters(&self) {
        self.counters.store(true, Relaxed);
    }

    /// Whether registers that only count are part of a state.
    pub fn keeps_counters(&self) -> bool {
        self.counters.load(Relaxed)
    }

    /// Whether threads may have for themselves what no other thread can reach in the first process's heap.
    pub fn has_privacy(&self) -> bool {
        self.privacy.load(Relaxed)
    }

    /// Whether a pointer to one of the bytes from a place on was formed from something else than a pointer.
    pub fn is_hidden(&self, start: Place, size: u32) -> bool {
        self.hidden.touch(start, size)
    }

    /// Whether another thread than its owner looks at a word of a stack.
    pub fn is_reached(&self, word: Place) -> bool {
        self.reached.touch(word, 4) || self.is_shared(word)
    }

    /// Whether the program says of all of the bytes from a place on that they are accessed atomically.
    pub fn is_atomic(&self, start: Place, size: u32) -> bool {
        self.atomic.cover(start, size)
    }

    /// Lets what the program says of memory count. Pages with claims are looked at word by word.
    fn begin_pieces(&self, facts: &HashSet<Fact>) {
        let claimed = |fact: &Fact| match *fact {
            Fact::Memory(MemoryFact::Claimed { start, size }) => Some((start, size)),
            _ => None,
        };
        for (start, size) in facts.iter().filter_map(claimed) {
            let last = start.address().saturating_add(size - 1) >> 12;
            for page in start.page()..=last {
                self.tree.page_cell(start.space().at(page << 12)).mark_now();
            }
        }
        self.claimed.set(facts.iter().filter_map(claimed));
        self.hidden.set(facts.iter().filter_map(|fact| match *fact {
            Fact::Memory(MemoryFact::Hidden(place)) => Some((place, 1)),
            _ => None,
        }));
        self.reached.set(facts.iter().filter_map(|fact| match *fact {
            Fact::Memory(MemoryFact::Reached(word)) => Some((word, 4)),
            _ => None,
        }));
        self.atomic.set(facts.iter().filter_map(|fact| match *fact {
            Fact::Memory(MemoryFact::Atomic { start, size }) => Some((start, size)),
            _ => None,
        }));
    }

    /// Whether it must be known which words threads share, also where each access is a step.
    pub fn judges_words(&self) -> bool {
        self.judges_operations() || self.atomic.any()
    }

    /// Whether others can observe when a thread touches a word.
    pub fn is_seen_by_others(&self, word: Place, thread: ThreadId, write: bool) -> bool {
        let cell = self.tree.known_word(word);
        cell.is_marked() && (write || cell.writer() != Some(thread.0))
    }

    /// Whether a property observes a word in every state: each write to it is a step of its own.
    pub fn is_observed(&self, word: Place) -> bool {
        self.observes() && self.knows(MemoryFact::ObservedWord(word))
    }

    /// From the next iteration on, something is a step of its own.
    pub fn learn(&self, fact: impl Into<Fact>) {
        let mut next = self.next_facts.lock().unwrap_or_else(PoisonError::into_inner);
        if next.insert(fact.into()) {
            self.grew.store(true, Relaxed);
        }
    }

    /// From the next iteration on, something counts without which this iteration could not go on. It is learned also where
    /// it is known from the start which operations are steps.
    pub fn require(&self, fact: impl Into<Fact>) {
        self.learn(fact);
        self.required.store(true, Relaxed);
    }

    /// Whether this iteration could not go on somewhere for lack of what will count in the next one.
    pub fn requires_more(&self) -> bool {
        self.required.load(Relaxed)
    }

    /// From the next iteration on, something is no step of its own, until that is found again. No worker may be
    /// under way.
    pub fn forget(&self, fact: impl Into<Fact>) {
        let fact = fact.into();
        self.next_facts.lock().unwrap_or_else(PoisonError::into_inner).remove(&fact);
        self.facts.write().unwrap_or_else(PoisonError::into_inner).remove(&fact);
    }

    /// A thread runs on and on; whether that is endless. A word for which it waits may not be known
    /// as shared yet: only an iteration that has gone everywhere and learned nothing decides it
    /// ([`Sharing::conclude_iteration`]).
    pub fn is_endless(&self) -> bool {
        let known = self.knows(SearchFact::Endless);
        self.suspects.fetch_or(!known, Relaxed);
        known
    }

    /// Whether something new was found since the iteration began.
    pub fn grew(&self) -> bool {
        self.grew.load(Relaxed)
    }

    /// The iteration has gone everywhere. If it learned nothing, a thread that runs on and on does so for
    /// ever: no thread writes what it waits for. An iteration that left something out says nothing of the kind:
    /// who would have written it may not have had a turn.
    pub fn conclude_iteration(&self) {
        if self.suspects.swap(false, Relaxed) && !self.grew.load(Relaxed) {
            self.learn(SearchFact::Endless);
        }
    }

    /// From now on, all that was found counts. No worker may be under way.
    pub fn begin_iteration(&self) {
        self.suspects.store(false, Relaxed);
        self.given.store(false, Relaxed);
        for fact in self.next_facts.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            if let Fact::Memory(MemoryFact::ObservedWord(word)) = *fact {
                // Its writes are looked for word by word.
                self.tree.page_cell(word).mark();
            }
        }
        for word in self.locks.begin_iteration() {
            self.tree.word_cell(word).mark();
        }
        // A check of the discipline wants to see all accesses.
        let any = self.discipline().judges();
        self.tree.begin_iteration(any);
        let runs = self.tree.runs();
        self.shared.set(runs.iter().map(|run| (run.start, run.count.saturating_mul(4))));
        let mut next = self.next_facts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut facts = self.facts.write().unwrap_or_else(PoisonError::into_inner);
        facts.extend(next.iter().copied());
        next.clear();
        next.extend(facts.iter().copied());
        self.copies.set(facts.iter().filter_map(|fact| match *fact {
            Fact::Memory(MemoryFact::Copied { to, from }) => Some((to, from)),
            _ => None,
        }));
        self.ends_process.store(facts.contains(&OthersFact::EndsProcess.into()), Relaxed);
        self.observes_threads.store(facts.contains(&SearchFact::ObservesThreads.into()), Relaxed);
        self.begin_pieces(&facts);
        self.operations.store(facts.contains(&SearchFact::JudgesOperations.into()), Relaxed);
        let told = |fact: &Fact| {
            matches!(
                fact,
                Fact::Memory(MemoryFact::ObservedWord(_))
                    | Fact::Search(SearchFact::ObservesThreads)
            )
        };
        self.observes.store(facts.iter().any(told), Relaxed);
        self.grew.store(false, Relaxed);
        self.required.store(false, Relaxed);
    }

    /// What counts now, as text: `804a010+2` for two shared words from there on, `804a010+2=3` where
    /// thread 3 alone writes them, `call:8049742`,
    /// `observed:804a020`, `asked:2`, `system:7a`, `failure:8049850`, `told:804a024`, `end`, `process-end`,
    /// `cut`, `divergence`, `told-threads`, `operations`, `tried:804a020`, `claimed:804a030+64`,
    /// `atomic:804a030+4`, and `copied:3=1/2/0` where process 3 has a copy of the memory of process 1 that its
    /// thread 2 made in no handler, `copied:3=1/2/0/lent` where it was lent that memory. A search that
    /// [`Sharing::read`]s it makes the same steps.
    pub fn write(&self) -> String {
        let mut items = Vec::new();
        for run in self.tree.runs() {
            let writer = run.writer.map_or_else(String::new, |writer| format!("={writer}"));
            items.push(format!("{:x}+{}{writer}", run.start, run.count));
        }
        let facts = self.facts.read().unwrap_or_else(PoisonError::into_inner);
        let mut facts: Vec<String> = facts.iter().map(Fact::write).collect();
        facts.extend(self.has_privacy().then(|| PRIVACY.to_owned()));
        facts.extend(self.keeps_counters().then(|| COUNTERS.to_owned()));
        facts.sort_unstable();
        items.extend(facts);
        items.join(" ")
    }

    /// Takes over what another search has learned; it counts at once. The error names the part that
    /// cannot be understood.
    pub fn read(&self, text: &str) -> Result<(), String> {
        self.privacy.store(false, Relaxed);
        self.counters.store(false, Relaxed);
        for item in text.split_whitespace() {
            match item {
                PRIVACY => self.allow_privacy(),
                COUNTERS => self.keep_counters(),
                _ => {}
            }
            if [PRIVACY, COUNTERS].contains(&item) {
                continue;
            }
            let understood = match Fact::read(item) {
                Some(fact) => {
                    self.learn(fact);
                    Some(())
                }
                None => self.read_words(item),
            };
            understood.ok_or_else(|| format!("`{item}` is no shared word and no fact"))?;
        }
        self.begin_iteration();
        self.given.store(true, Relaxed);
        Ok(())
    }

    fn read_words(&self, item: &str) -> Option<()> {
        let (start, rest) = item.split_once('+')?;
        let (count, writer) = match rest.split_once('=') {
            Some((count, writer)) => (count, writer.parse().ok()?),
            None => (rest, ANY_WRITER),
        };
        if !(1..=ANY_WRITER).contains(&writer) {
            return None;
        }
        let start = word(start)?;
        let count: u32 = count.parse().ok()?;
        let end = start.address().checked_add(count.checked_sub(1)?.checked_mul(4)?)?;
        self.read_run(start, end, writer);
        Some(())
    }

    /// The words from `start` to `end` of its space are shared: whole pages, and words before and after them.
    fn read_run(&self, start: Place, end: u32, writer: u32) {
        let (from, to) = (u64::from(start.address()), u64::from(end) + 4);
        let pages = from.div_ceil(PAGE)..to / PAGE;
        let (before, behind) = match pages.is_empty() {
            true => (from..to, to..to),
            false => (from..pages.start * PAGE, pages.end * PAGE..to),
        };
        if !pages.is_empty() {
            let (first, last) = (pages.start as u32, pages.end as u32 - 1);
            self.tree.mark_written_by(start.space(), first, last, writer);
        }
        for word in before.chain(behind).step_by(4) {
            let word = start.space().at(word as u32);
            self.tree.page_cell(word).mark();
            self.tree.word_cell(word).mark_written_by(writer);
        }
    }

    /// The shared words, ascending.
    pub fn words(&self) -> Vec<Place> {
        self.tree.runs().into_iter().flat_map(|run| run.words()).collect()
    }

    /// A thread touches all words of the pages `first..=last` of a space, and that is no access which the
    /// locking discipline judges; what it found, by pages. Where [`Sharing::sweeps`] says no, each word has to
    /// be visited.
    pub(crate) fn sweep(&self, space: Space, first: u32, last: u32, sweep: Sweep) -> Vec<Swept> {
        let (found, grew) = self.tree.sweep(space, first, last, sweep);
        if grew {
            self.grew.store(true, Relaxed);
        }
        found
    }

    /// Whether nothing is asked of single words, so many bytes of them, that a visit to whole pages does not answer.
    pub(crate) fn sweeps(&self, bytes: u32) -> bool {
        !self.asks_for_locks(bytes) && !self.observes() && !self.claimed.any()
    }

    /// Whether it is asked what protects each word of so many bytes that are touched at once.
    fn asks_for_locks(&self, bytes: u32) -> bool {
        if self.discipline() != Discipline::Used {
            return false;
        }
        let gives_up = self.locks.gives_up_for(bytes);
        if gives_up {
            self.grew.store(true, Relaxed);
        }
        !gives_up
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{ObjectFact, OperationFact};

    fn at(address: u32) -> Place {
        Space::FIRST.at(address)
    }

    const A: u32 = 0x804_a010;
    const ONE: ThreadId = ThreadId(1);
    const TWO: ThreadId = ThreadId(2);

    #[test]
    fn a_word_is_shared_from_the_round_after_the_conflict_on() {
        let sharing = Sharing::default();
        assert!(!sharing.visit_word(at(A), ONE, false));
        assert!(!sharing.visit_word(at(A), TWO, false));
        assert!(!sharing.grew(), "no thread wrote");
        assert!(!sharing.visit_word(at(A + 4), ONE, true));
        assert!(!sharing.visit_word(at(A + 4), ONE, false));
        assert!(!sharing.grew(), "one thread only");
        assert!(!sharing.visit_word(at(A), ONE, true));
        assert!(sharing.grew() && !sharing.is_any_shared(at(0), u32::MAX));
        sharing.begin_iteration();
        assert!(!sharing.grew());
        assert!(sharing.is_any_shared(at(A - 8), 9) && !sharing.is_any_shared(at(A - 8), 8));
        assert!(!sharing.is_any_shared(at(A + 4), 100));
        assert!(sharing.visit_word(at(A), TWO, false));
        assert!(!sharing.visit_word(at(A), ONE, false), "it alone writes");
        assert!(sharing.visit_word(at(A), ONE, true));
        assert!(!sharing.grew());
        assert!(sharing.visit_word(at(A), TWO, true));
        assert!(sharing.grew(), "now there are two writers");
        assert!(!sharing.visit_word(at(A), ONE, false), "not before the next iteration");
        sharing.begin_iteration();
        assert!(sharing.visit_word(at(A), ONE, false));
        assert!(sharing.is_shared(at(A)) && !sharing.is_shared(at(A + 4)));
        assert_eq!(sharing.words(), [at(A)]);
        sharing.begin_iteration();
        assert!(sharing.is_shared(at(A)), "for good");
    }

    #[test]
    fn what_was_learned_can_be_written_and_read() {
        let sharing = Sharing::default();
        for word in [A, A + 4, A + 12] {
            sharing.visit_word(at(word), ONE, true);
            sharing.visit_word(at(word), TWO, false);
        }
        sharing.learn(OperationFact::Call(0x80_1234));
        sharing.learn(ObjectFact::Observed(at(A)));
        sharing.learn(OthersFact::ObservesThreadEnd);
        sharing.learn(OthersFact::ObservesProcessEnd);
        let from = Origin { space: Space::FIRST, by: TWO, handlers: 0, lent: true };
        sharing.learn(MemoryFact::Copied { to: Space::numbered(2), from });
        sharing.learn(OthersFact::EndsProcess);
        sharing.learn(OthersFact::SendsSignals);
        sharing.learn(ObjectFact::UsedByHandler(at(A)));
        sharing.learn(OthersFact::ChangesInHandler);
        sharing.learn(OthersFact::AbandonsInHandler);
        sharing.learn(OthersFact::CancelsThreads);
        sharing.learn(OthersFact::AsksForPast(2));
        sharing.learn(OthersFact::ReadsClock);
        sharing.learn(OthersFact::FillsSemaphore);
        sharing.learn(OthersFact::Withdraws);
        sharing.learn(OperationFact::SystemCall(122));
        sharing.learn(OperationFact::Failure(0x80_5678));
        sharing.learn(SearchFact::Endless);
        sharing.learn(SearchFact::NeedsLongRuns);
        sharing.learn(MemoryFact::ObservedWord(at(A + 8)));
        sharing.learn(SearchFact::ObservesThreads);
        sharing.learn(SearchFact::JudgesOperations);
        sharing.learn(ObjectFact::Tried(at(A)));
        sharing.learn(MemoryFact::Claimed { start: at(A + 0xffd), size: 6 });
        sharing.learn(MemoryFact::Atomic { start: at(A), size: 4 });
        assert_eq!(sharing.write(), "", "not yet");
        sharing.begin_iteration();
        let text = sharing.write();
        let facts = "abandoned asked:2 atomic:804a010+4 call:801234 cancelled claimed:804b00d+6 clock copied:3=1/2/0/lent cut divergence end failure:805678 handled:804a010 handler-changes large-semaphore observed:804a010 operations patience process-end signal system:7a told-threads told:804a018 tried:804a010 withdrawn";
        assert_eq!(text, format!("804a010+2=1 804a01c+1=1 {facts}"));
        let other = Sharing::default();
        other.read(&text).unwrap();
        assert_eq!(other.write(), text);
        assert!(other.is_copied() && !Sharing::default().is_copied());
        assert_eq!(*other.origins(Space::numbered(2)), [from]);
        assert!(other.ends_process() && !Sharing::default().ends_process());
        assert!(other.is_tracked(at(A)) && !other.grew());
        assert!(other.judges_operations() && !Sharing::default().judges_operations());
        assert!(other.is_claimed(at(A + 0x1000), 1) && other.is_claimed(at(A + 0xffc), 2));
        assert!(!other.is_claimed(at(A + 0xffc), 1) && !other.is_claimed(at(A + 0x1003), 1));
        assert!(other.is_tracked(at(A + 0xffd)));
        assert!(other.is_atomic(at(A), 4) && !other.is_atomic(at(A), 8));
        assert!(
            other.is_observed(at(A + 8)) && !other.is_observed(at(A)) && other.observes_threads()
        );
        other.forget(SearchFact::ObservesThreads);
        other.begin_iteration();
        assert!(
            !other.observes_threads()
                && !other.grew()
                && other.knows(OthersFact::ObservesThreadEnd)
        );
        for wrong in [
            "804a011+1",
            "804a010+0",
            "ffffff00+99999",
            "call:x",
            "804a010",
            "x+1",
            "804a010+1=x",
            "told:804a011",
            "claimed:804a010+0",
            "claimed:804a010",
            "copied:3",
        ] {
            assert!(Sharing::default().read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_loop_is_endless_after_a_round_that_learned_nothing_else() {
        let sharing = Sharing::default();
        assert!(!sharing.is_endless());
        sharing.visit_word(at(A), ONE, true);
        sharing.visit_word(at(A), TWO, true);
        sharing.conclude_iteration();
        sharing.begin_iteration();
        assert!(!sharing.is_endless() && !sharing.grew(), "a word was learned");
        sharing.begin_iteration();
        assert!(!sharing.is_endless(), "the last iteration had not gone everywhere");
        sharing.conclude_iteration();
        assert!(sharing.grew());
        sharing.begin_iteration();
        assert!(sharing.is_endless() && !sharing.grew());
        sharing.conclude_iteration();
        assert!(!sharing.grew(), "it is known");
    }

    #[test]
    fn pages_are_tracked_after_a_conflict_and_facts_stay() {
        let sharing = Sharing::default();
        assert!(!sharing.visit_page(at(0x5000), ONE, true));
        assert!(!sharing.visit_page(at(0x5000), TWO, false));
        assert!(sharing.grew());
        sharing.learn(OperationFact::Call(77));
        sharing.begin_iteration();
        assert!(sharing.visit_page(at(0x5000), ONE, false));
        assert!(sharing.knows(OperationFact::Call(77)));
        sharing.learn(OperationFact::Call(77));
        assert!(!sharing.grew(), "known already");
        assert!(!sharing.visit_foreign(at(0x9000)));
        assert!(sharing.grew());
        sharing.begin_iteration();
        assert!(sharing.is_tracked(at(0x9000)) && sharing.visit_foreign(at(0x9000)));
    }
}
