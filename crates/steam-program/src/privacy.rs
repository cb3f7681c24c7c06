//! Which blocks of the heap a thread has for itself in a state, although threads share their words in others.
//!
//! A block is *private* to a thread in a state if no other thread can reach it there (`reach.rs`). Accesses to it are
//! invisible in the thread's next step, until it stores a pointer where others may find it. `docs/theory.md`, 2.8, has the
//! argument, and says what this relies on: that pointers come to a thread by copies of words that others look at, too.
//! So it is followed how pointers move in each step. One that was formed from something else is *hidden*: that is learned,
//! and its block is private to no thread from the next iteration on.
//!
//! What is asked of the state in which a step begins is a part of what the step reads, as a key of its own for the memo
//! ([`Key::Asked`]); what becomes of pointers in the step follows from what it reads.

mod reach;

use ahash::{HashMap, HashSet, RandomState};
use reach::Reach;
use steam_libc::{About, Row};
use steam_linux::objects::place_of;
use steam_state::{Access, HEAP_END, HEAP_START, Key, Space, Table, ThreadId};
use steam_sync::Operation;
use steam_visibility::{
    Grant, MemoryFact, Mode, Moved, OthersFact, Private, Watching, arena_word, returned_word,
};

use super::Program;
use super::step::Worker;
use crate::machine::Machine;

/// In so many bytes that become known to others pointers are looked for; beyond, all may be known.
const MOST_PUBLISHED: u32 = 1 << 16;
/// So many arguments of a function of strings and bytes may point to something.
const MOST_ARGUMENTS: u32 = 3;

/// Where a value points to that may be a pointer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// To a live block, or its end: from its first byte to the one after its span.
    Block(u32, u32),
    /// To memory that was a part of a block once.
    Freed(u32),
    /// To nothing that ever was.
    Nothing,
}

impl Target {
    /// A number for what it points to.
    fn name(self) -> Option<u32> {
        match self {
            Self::Block(start, _) => Some(start),
            Self::Freed(address) => Some(address),
            Self::Nothing => None,
        }
    }
}

/// What a worker knows of who can reach what.
pub(super) struct Privacy {
    reach: Reach,
    /// What was ever asked, by number: from the first byte of a span to the one after it.
    questions: Vec<(u32, u32)>,
    numbers: HashMap<(u32, u32), u32>,
    /// The answers for the state in which the step begins, and the thread that makes it.
    answers: HashMap<u32, bool>,
    step: Step,
}

/// What is known of pointers in the step that is made.
struct Step {
    /// Whether it is followed how they move.
    follows: bool,
    /// The state in which the step began, and who makes it, while that one runs.
    asks: Option<(Table, ThreadId)>,
    /// What the running thread has pointers to, by their names.
    known: HashSet<u32>,
    /// When nothing can be asked about the state: who runs, and how much of its part of the heap was handed out by then.
    /// What it allocates beyond was never known to any thread.
    unused: Option<(ThreadId, u32)>,
    /// The blocks that the running thread has for itself.
    private: Vec<(u32, u32)>,
    /// Those of them that no other thread could reach since they were allocated.
    unpublished: Vec<(u32, u32)>,
    /// The blocks that others could not reach when the step began, and can now.
    published: Vec<(u32, u32)>,
}

fn fixed() -> RandomState {
    RandomState::with_seeds(2, 3, 5, 7)
}

impl Privacy {
    pub(super) fn new(program: &Program) -> Self {
        Self {
            reach: Reach::new(&program.stores.state),
            questions: Vec::new(),
            numbers: HashMap::with_hasher(fixed()),
            answers: HashMap::with_hasher(fixed()),
            step: Step {
                follows: false,
                asks: None,
                unused: None,
                known: HashSet::with_hasher(fixed()),
                private: Vec::new(),
                unpublished: Vec::new(),
                published: Vec::new(),
            },
        }
    }

    fn number(&mut self, span: (u32, u32)) -> u32 {
        *self.numbers.entry(span).or_insert_with(|| {
            self.questions.push(span);
            self.questions.len() as u32 - 1
        })
    }

    /// Whether the block of a question, by its number, is private to a thread in a state.
    pub(super) fn answer(
        &mut self,
        program: &Program,
        state: &Table,
        thread: ThreadId,
        number: u32,
    ) -> bool {
        let span = self.questions[number as usize];
        self.reach.is_private(program, state, thread, span)
    }

    /// What was answered to a question in this step.
    pub(super) fn answered(&self, number: u32) -> bool {
        *self.answers.get(&number).expect("what a step has asked was answered")
    }
}

/// Whether a value may be a pointer into the heap.
fn may_point(value: u32) -> bool {
    (HEAP_START..HEAP_END).contains(&value)
}

impl Worker {
    /// A step begins: its thread is on the CPU.
    pub(super) fn begin_privacy(&mut self, state: &Table, thread: ThreadId) {
        self.privacy.answers.clear();
        self.privacy.step.asks = Some((state.clone(), thread));
        self.privacy.step.unused = None;
        let follows = self.tracks_pointers() && !self.machine.system.is_only_thread();
        self.follow_pointers(follows);
    }

    /// A thread that was created in the step begins to run.
    pub(super) fn begin_privacy_of_created(&mut self) {
        self.privacy.step.asks = None;
        self.privacy.step.unused = None;
        let follows = self.tracks_pointers();
        self.follow_pointers(follows);
    }

    /// The thread on the CPU has created another one, which gets what is in its registers.
    pub(super) fn share_registers(&mut self, program: &Program) {
        if self.privacy.step.follows {
            self.settle_pointers(program);
            for value in self.values_held() {
                if let Target::Block(start, end) = self.target(value) {
                    self.publish(program, (start, end));
                }
            }
            self.pass_private();
        } else if self.tracks_pointers() {
            // While it was alone, it was not followed where it stored pointers.
            let system = &self.machine.system;
            let thread = self.machine.cpu.memory.local(system.current);
            let used = system.heap.used(thread);
            self.follow_pointers(true);
            self.privacy.step.asks = None;
            self.privacy.step.unused = Some((thread, used));
        }
    }

    /// Whether it matters who can reach which block of the heap.
    fn tracks_pointers(&self) -> bool {
        self.machine.system.space == Space::FIRST && self.machine.stores.sharing.has_privacy()
    }

    /// Follows the pointers of the thread on the CPU from here on, or none.
    fn follow_pointers(&mut self, follows: bool) {
        let memory = &mut self.machine.cpu.memory;
        memory.follow_pointers(follows);
        memory.policy.follow_flow(follows);
        let step = &mut self.privacy.step;
        step.follows = follows;
        step.known.clear();
        step.private.clear();
        step.unpublished.clear();
        step.published.clear();
        if follows {
            for value in self.values_held() {
                self.know(value);
            }
        }
    }

    /// The values in the registers of the thread on the CPU, and what its instruction has read, that may be pointers.
    fn values_held(&mut self) -> Vec<u32> {
        let cpu = &self.machine.cpu;
        let mut values = cpu.gpr.to_vec();
        values.extend(reach::vector_words(&cpu.simd));
        let system = &mut self.machine.system;
        if let Some(live) = system.threads.live(system.current) {
            for part in &live.partial {
                values.extend(reach::part_words(part));
            }
        }
        values.retain(|value| may_point(*value));
        values
    }

    fn target(&self, value: u32) -> Target {
        let heap = &self.machine.system.heap;
        match heap.span_at(value) {
            Some((start, end)) => Target::Block(start, end),
            None if heap.was_used(value) => Target::Freed(value),
            None => Target::Nothing,
        }
    }

    /// The thread on the CPU has a pointer that others could have, too.
    fn know(&mut self, value: u32) {
        let name = self.target(value).name();
        self.privacy.step.known.extend(name);
    }

    /// The thread on the CPU uses a value as a pointer: if it was not copied from one, that is learned.
    fn expect_known(&mut self, value: u32) {
        let Some(name) = self.target(value).name() else { return };
        if self.privacy.step.known.insert(name) {
            self.machine.stores.sharing.learn(MemoryFact::Hidden(Space::FIRST.at(value)));
        }
    }

    /// Finds out what became of pointers since this was done last. To be done before a block comes or goes.
    pub(super) fn settle_pointers(&mut self, program: &Program) {
        if self.machine.cpu.memory.policy.is_settled() {
            return;
        }
        for moved in self.machine.cpu.memory.policy.take_moved() {
            match moved {
                Moved::Loaded { address, value } => {
                    if may_point(address) {
                        self.expect_known(address);
                    }
                    if self.is_root(address) {
                        self.know(value);
                    }
                }
                Moved::Stored { address, value } => self.settle_store(program, address, value),
                Moved::Overwritten { address, size } => {
                    for word in (address & !3..address + size).step_by(4) {
                        let value = self.word_at(word);
                        if may_point(value) {
                            self.settle_store(program, word, value);
                        }
                    }
                }
                Moved::Touched(address) => self.expect_known(address),
                Moved::Allocated(address) => self.know(address),
            }
        }
        self.pass_private();
    }

    /// Whether pointers are looked for in the word at an address, so that others may have found there what a thread
    /// finds. No pointer is stored to memory that cannot be written, unless its protection changes.
    fn is_root(&self, address: u32) -> bool {
        let region = self.machine.cpu.memory.regions().find(address);
        region.is_some_and(|(_, region)| region.protection.write)
    }

    /// A value was stored that may be a pointer.
    fn settle_store(&mut self, program: &Program, address: u32, value: u32) {
        self.expect_known(value);
        let Target::Block(start, end) = self.target(value) else { return };
        let step = &self.privacy.step;
        let asks = step.asks.is_some() || step.unused.is_some();
        if asks && !self.has_for_itself(program, address) {
            self.publish(program, (start, end));
        }
    }

    /// Whether no other thread than the one on the CPU looks at the word at an address.
    fn has_for_itself(&mut self, program: &Program, address: u32) -> bool {
        if may_point(address) {
            let Target::Block(start, end) = self.target(address) else { return false };
            return self.ask(program, (start, end));
        }
        let memory = &self.machine.cpu.memory;
        let (low, high) = memory.stack();
        (low..high).contains(&address)
            && !memory.policy.sharing().is_reached(memory.space().at(address))
    }

    /// A pointer to a block was stored where others may find it: they can reach it from now on, and the blocks to which
    /// pointers lie in it. Into blocks that they could reach before, each pointer was stored like this one.
    fn publish(&mut self, program: &Program, block: (u32, u32)) {
        let mut ahead = vec![block];
        let mut left = MOST_PUBLISHED;
        while let Some(block @ (start, end)) = ahead.pop() {
            if !self.ask(program, block) {
                continue;
            }
            let step = &mut self.privacy.step;
            step.private.retain(|other| *other != block);
            step.unpublished.retain(|other| *other != block);
            step.published.push(block);
            let Some(rest) = left.checked_sub(end - start) else { return self.publish_all() };
            left = rest;
            for word in (start.next_multiple_of(4)..end).step_by(4) {
                let value = self.word_at(word);
                if may_point(value)
                    && let Target::Block(start, end) = self.target(value)
                {
                    ahead.push((start, end));
                }
            }
        }
    }

    /// All that the thread on the CPU had for itself may be known to others: nothing is private in the rest of this step.
    fn publish_all(&mut self) {
        self.privacy.step.asks = None;
        self.privacy.step.unused = None;
        self.drop_private();
    }

    /// Accesses to what the thread on the CPU has for itself pass no more; whether some would have.
    pub(super) fn drop_private(&mut self) -> bool {
        let step = &mut self.privacy.step;
        let some = !step.private.is_empty();
        step.private.clear();
        step.unpublished.clear();
        if some {
            (step.asks, step.unused) = (None, None);
        }
        self.machine.cpu.memory.policy.set_private(&[], &[]);
        some
    }

    /// Whether no other thread could reach a block when the step began, and none can now.
    fn ask(&mut self, program: &Program, span: (u32, u32)) -> bool {
        if self.privacy.step.private.contains(&span) {
            return true;
        }
        if self.privacy.step.published.contains(&span) {
            return false;
        }
        let answer = match self.privacy.step.unused {
            Some((thread, used)) => {
                let place = Space::FIRST.at(span.0);
                self.machine.system.heap.is_beyond(thread, used, span.0)
                    && !self.machine.stores.sharing.is_hidden(place, span.1 - span.0)
            }
            None => self.ask_state(program, span),
        };
        if answer {
            self.privacy.step.private.push(span);
        }
        answer
    }

    /// Whether no other thread could reach a block when the step began.
    fn ask_state(&mut self, program: &Program, span: (u32, u32)) -> bool {
        let Privacy { reach, step, .. } = &mut self.privacy;
        let Some((state, thread)) = &step.asks else { return false };
        let answer = reach.is_private(program, state, *thread, span);
        let number = self.privacy.number(span);
        self.privacy.answers.insert(number, answer);
        self.machine.system.recorder.note(Key::Asked(number));
        answer
    }

    /// Whether the access at which the CPU has stopped is to a block that the thread has for itself, so that the
    /// instruction can be run again and passes.
    pub(super) fn passes_as_private(&mut self, program: &Program, access: Access) -> bool {
        if !self.privacy.step.follows || !may_point(access.address) {
            return false;
        }
        self.settle_pointers(program);
        self.expect_known(access.address);
        if !self.may_have_blocks(program) {
            return false;
        }
        let Target::Block(start, end) = self.target(access.address) else { return false };
        let inside = access.address.saturating_add(access.size) <= end;
        let passes = inside && self.ask(program, (start, end));
        if passes {
            self.pass_private();
            self.machine.cpu.memory.policy.grant(Grant::Nothing);
        }
        passes
    }

    /// Whether all objects of an operation lie in blocks that the thread on the CPU has for itself.
    pub(super) fn has_objects_alone(&mut self, program: &Program, operation: &Operation) -> bool {
        if !self.privacy.step.follows || !self.may_have_blocks(program) {
            return false;
        }
        self.settle_pointers(program);
        operation.objects().into_iter().flatten().all(|object| {
            let place = place_of(object);
            match self.target(place.address()) {
                Target::Block(start, end) if place.space() == Space::FIRST => {
                    self.ask(program, (start, end))
                }
                _ => false,
            }
        })
    }

    /// Whether the rules let the thread on the CPU have blocks for itself.
    fn may_have_blocks(&mut self, program: &Program) -> bool {
        let regime = self.regime(program);
        let sharing = &self.machine.stores.sharing;
        if self.machine.system.process.has_own_handlers() {
            sharing.learn(OthersFact::RunsHandlers);
        }
        let facts = Private {
            handlers_run: sharing.knows(OthersFact::RunsHandlers),
            cancels: sharing.knows(OthersFact::CancelsThreads),
            copied_anywhere: sharing.is_copied(),
            claims: sharing.has_claims(),
        };
        steam_visibility::may_have_blocks(&facts, &regime)
    }

    /// Whether the call of a model, at which the thread on the CPU stands, touches nothing but blocks that the thread has
    /// for itself, and memory that it shares with no other thread.
    pub(super) fn touches_private_blocks(&mut self, program: &Program, row: &Row) -> bool {
        if !self.privacy.step.follows || !self.may_have_blocks(program) {
            return false;
        }
        let private = match row.about() {
            About::NewBlock { factors } => self.takes_private_block(program, factors),
            About::FreedBlock => self.frees_private_block(program),
            About::Pointees => (0..MOST_ARGUMENTS).all(|position| {
                let value = self.argument(position);
                match self.target(value) {
                    Target::Block(start, end) => self.ask(program, (start, end)),
                    Target::Freed(_) => false,
                    Target::Nothing => !self.is_mapped(value) || self.is_on_own_page(value),
                }
            }),
            About::More => false,
        };
        self.pass_private();
        private
    }

    /// Whether the allocator, which is about to be called, takes what no other thread knows of, from where no other
    /// thread takes or gives anything.
    fn takes_private_block(&mut self, program: &Program, factors: u32) -> bool {
        let mut size = 1_u32;
        for position in 0..factors {
            let Some(product) = size.checked_mul(self.argument(position)) else { return false };
            size = product;
        }
        let Machine { system, cpu, .. } = &mut self.machine;
        let thread = cpu.memory.local(system.current);
        let Some((block, looks_back)) = system.heap.preview(thread, size, 1) else { return false };
        let words = match looks_back {
            true => {
                vec![arena_word(block.arena), returned_word(thread), returned_word(block.arena)]
            }
            false => vec![arena_word(block.arena)],
        };
        self.shares_none(&words) && self.ask(program, block.reach())
    }

    /// The same for the block that is freed.
    fn frees_private_block(&mut self, program: &Program) -> bool {
        let address = self.argument(0);
        let Machine { system, cpu, .. } = &mut self.machine;
        let thread = cpu.memory.local(system.current);
        let Some(block) = system.heap.get(address) else { return false };
        let word = match block.arena == thread {
            true => arena_word(thread),
            false => returned_word(block.arena),
        };
        self.shares_none(&[word]) && self.ask(program, block.reach())
    }

    /// Whether none of some words that stand for arenas is shared.
    fn shares_none(&self, words: &[u32]) -> bool {
        let sharing = &self.machine.stores.sharing;
        words.iter().all(|&word| !sharing.is_shared(Space::FIRST.at(word)))
    }

    /// Lets accesses to what the thread on the CPU has for itself pass.
    fn pass_private(&mut self) {
        let Step { private, unpublished, .. } = &self.privacy.step;
        self.machine.cpu.memory.policy.set_private(private, unpublished);
    }

    /// The thread on the CPU is about to call a model; whether [`Worker::judge_block`] has to follow.
    pub(super) fn awaits_block(&mut self, program: &Program, row: &Row) -> bool {
        let notes = self.machine.cpu.memory.policy.mode() != Mode::Off;
        let awaits = notes
            && self.privacy.step.follows
            && matches!(row.about(), About::NewBlock { .. })
            && self.may_have_blocks(program);
        if awaits {
            self.settle_pointers(program);
            self.machine.cpu.memory.policy.await_block();
        }
        awaits
    }

    /// The model has allocated a block, perhaps. If no other thread can reach it yet, what its thread does to it is no
    /// access until one can.
    pub(super) fn judge_block(&mut self, program: &Program) {
        // Where there was no room, there is no block.
        let Some((start, end)) = self.machine.cpu.memory.policy.take_block() else { return };
        let block = self.machine.system.heap.span_at(start).expect("it was just allocated");
        if self.ask(program, block) {
            self.privacy.step.unpublished.push(block);
            self.pass_private();
        } else {
            self.machine.cpu.memory.note(start, end, true);
        }
    }

    fn is_mapped(&self, address: u32) -> bool {
        self.machine.cpu.memory.regions().find(address).is_some()
    }

    /// Whether an address lies on a page of the thread's own stack of which no other thread uses a word.
    fn is_on_own_page(&self, address: u32) -> bool {
        let memory = &self.machine.cpu.memory;
        let (low, high) = memory.stack();
        (low..high).contains(&address)
            && !memory.policy.sharing().is_tracked(memory.space().at(address))
    }

    /// The thread on the CPU stands before its next operation: what it has in registers has to come from others.
    pub(super) fn end_privacy(&mut self, program: &Program) {
        if !self.privacy.step.follows {
            return;
        }
        self.settle_pointers(program);
        for value in self.values_held() {
            self.expect_known(value);
        }
    }
}
