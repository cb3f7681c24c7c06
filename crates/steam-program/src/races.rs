//! Data races: two threads are about to touch the same bytes, one of them writes, and not both
//! atomically.
//!
//! In each state it is known what every thread does next, so a race is a property of states: no order
//! of search and no reduction of stored states can hide one (docs/theory.md, 7). An access that is pending
//! here is one of a word on which threads can conflict; that is how visibility was learned. What runs
//! as a whole, such as `memcpy`, is asked what it touches by doing it.
//!
//! A pair of accesses that was pending in the state before was found there, so only threads are looked
//! at that have moved since ([`Pendings`]). What a whole touches may depend on what others have done
//! (`waitpid` writes where a child has ended): one that touches something else now counts as moved.
//!
//! Invariant: a worker has reported all races of the states that it has looked at. Debug builds look for all of
//! them in some states.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock};

#[cfg(debug_assertions)]
use ahash::HashSet;
use ahash::{HashMap, RandomState};
use steam_access::{Atomics, Verdict};
use steam_libc::Work;
use steam_linux::kernel::{AtomicBlock, Pending};
use steam_linux::syscalls::{self, Role};
use steam_model::{Delta, Property, Silent, Step};
use steam_report::{Kind, Report, located};
use steam_state::{Access, Context, HEAP_END, HEAP_START, Key, Space, Table, ThreadId};
use steam_visibility::Keep;
use vm_isa::request::Request;

use super::accessors::Atomicity;
use super::action::Choice;
use super::choices::Frozen;
use super::finding::Violation;
use super::overlaps::Overlaps;
use super::{Action, Granularity, Program, Worker};

/// The position of eip among the registers of a frozen thread.
pub(super) const EIP: usize = 8;

/// No two threads are in a data race.
#[derive(Clone, Copy, Debug, Default)]
pub struct Races;

/// One of the two accesses of a race.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Side {
    /// Whose it is.
    pub thread: ThreadId,
    /// The instruction, or the one after the call of a function that runs as a whole.
    pub eip: u32,
    /// What it touches.
    pub access: Access,
    /// Whether it locks the bus, or is declared to be atomic as a whole.
    pub locked: bool,
    /// Whether it is part of something that runs as a whole.
    pub whole: bool,
    /// Whether that is code of the C library, and not a model of it or a part of the program.
    pub library: bool,
}

impl Side {
    /// An address within the instruction, or within the call.
    pub fn instruction(&self) -> u32 {
        if self.whole { self.eip.wrapping_sub(1) } else { self.eip }
    }

    /// Whether it and another access touch the same bytes, and not in any order to the same effect.
    fn conflicts(&self, other: &Self) -> bool {
        // Two reads commute.
        (self.access.write || other.access.write)
            // Instructions that lock the bus exclude each other, whatever they do.
            && !(self.locked && other.locked)
            // Bytes count, not words: neighbours in a structure are different objects.
            && self.access.overlaps(other.access)
    }
}

/// A race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race {
    /// Whether the two are atomic.
    pub atomic: [Atomicity; 2],
    /// Its two accesses; the first one writes. If both do, it is that of the lower thread.
    pub sides: [Side; 2],
    /// Whether both are done by functions of the library that were given the memory.
    pub foreign: bool,
}

/// What threads are about to touch, kept from state to state by who looks at them.
pub(super) struct Pendings {
    /// By the number of the thread.
    sides: Vec<Option<Side>>,
    /// The threads that are about to touch a word.
    words: HashMap<u64, Vec<u32>>,
    /// The threads that are about to do something as a whole, each with what it touched when it was asked
    /// last.
    wholes: BTreeMap<u32, Vec<Side>>,
    /// The threads that have moved since races were looked for.
    fresh: BTreeSet<u32>,
    /// The races that were reported, and in how many states they were looked for.
    #[cfg(debug_assertions)]
    reported: (HashSet<[Side; 2]>, u64),
}

impl Default for Pendings {
    fn default() -> Self {
        Self {
            sides: Vec::new(),
            words: HashMap::with_hasher(RandomState::with_seeds(4, 3, 2, 1)),
            wholes: BTreeMap::new(),
            fresh: BTreeSet::new(),
            #[cfg(debug_assertions)]
            reported: (HashSet::with_hasher(RandomState::with_seeds(3, 5, 7, 9)), 0),
        }
    }
}

/// The words that an access touches.
fn words(access: Access) -> impl Iterator<Item = u64> {
    let first = access.place.number() / 4;
    first..=(access.place.number() + u64::from(access.size.max(1)) - 1) / 4
}

impl Pendings {
    /// Takes note of what a thread is about to do now.
    pub(super) fn set(&mut self, program: &Program, number: u32, frozen: Option<&Frozen<'_>>) {
        let place = number as usize;
        if self.sides.len() <= place {
            self.sides.resize(place + 1, None);
        }
        if let Some(side) = self.sides[place].take() {
            for word in words(side.access) {
                if let Some(threads) = self.words.get_mut(&word) {
                    threads.retain(|thread| *thread != number);
                }
            }
        }
        self.wholes.remove(&number);
        self.fresh.remove(&number);
        // It has ended, or takes a signal first.
        let Some(frozen) = frozen else { return };
        if let Some(side) = program.side(frozen) {
            for word in words(side.access) {
                self.words.entry(word).or_default().push(number);
            }
            self.sides[place] = Some(side);
            self.fresh.insert(number);
        } else if is_whole(frozen) {
            self.wholes.insert(number, Vec::new());
            self.fresh.insert(number);
        }
    }

    /// The races of a thread's access with those of others.
    fn conflicts(&self, number: u32, tell: &mut impl FnMut(Side, Side)) {
        // What is done as a whole has no side: it is paired elsewhere.
        let Some(side) = self.sides.get(number as usize).copied().flatten() else { return };
        let mut seen: Vec<u32> = Vec::new();
        for word in words(side.access) {
            for &other in self.words.get(&word).into_iter().flatten() {
                if other == number || seen.contains(&other) {
                    continue;
                }
                seen.push(other);
                // Of two that have both moved, one reports.
                if self.fresh.contains(&other) && other < number {
                    continue;
                }
                if let Some(other) = self.sides[other as usize] {
                    tell(side, other);
                }
            }
        }
    }
}

/// Whether a thread is about to do something as a whole that may touch memory.
pub(super) fn is_whole(frozen: &Frozen<'_>) -> bool {
    match &frozen.state.pending {
        Pending::Function(_) | Pending::SystemCall => true,
        Pending::Sync { touches, .. } | Pending::Join { touches, .. } => !touches.is_empty(),
        Pending::Request { number, .. } => {
            Request::from_number(*number) == Some(Request::BeginAtomic) || frozen.is_midway()
        }
        _ => false,
    }
}

impl Race {
    /// The race of two accesses, if they are in one.
    fn of(
        program: &Program,
        worker: &mut Worker,
        state: &Table,
        [one, other]: [Side; 2],
    ) -> Option<Self> {
        if !one.conflicts(&other) || program.is_unclaimed(worker, state, [one, other]) {
            return None;
        }
        // The C library keeps what it has in common under its own locks.
        let users = |side: Side| !side.library && program.accessor(side.instruction()).is_users;
        let named = |side: Side| {
            program.atomics.name(side.access.address, side.access.size.min(4)).is_some()
        };
        let foreign = !users(one) && !users(other);
        let given = |side: Side| side.whole && !side.locked;
        // The library of C++ says of its own data how many threads may use it.
        let library = |side: Side| side.library || program.accessor(side.instruction()).is_library;
        let own =
            library(one) && library(other) && program.is_of_standard_library(one.access.address);
        // What runs as a part of the program, such as `strtok_r`, was given the memory, too.
        let data = || program.atomics.is_data(one.access.address);
        let mut counts = !own
            // An access by code of the program's own: the race is the program's.
            && (!foreign
                // The library works on a variable of the program that it was given.
                || (given(one) || given(other)) && named(one)
                || data()
                // The same for a block of the heap that the program allocated.
                || program.is_given_block(worker, state, [one, other]));
        if counts && [one, other].iter().all(|side| side.whole && side.library) {
            counts = !program.is_buffer(worker, state, one);
        }
        let mut sides = [one, other];
        sides.sort_by_key(|side| (!side.access.write, side.thread));
        let atomic = sides.map(|side| program.side_atomicity(side));
        // The header of std::atomic is the library's, and what it works on the program's.
        let is_programs = counts || !own && !given(one) && !given(other) && named(one);
        let mut weak = |side: &Side| {
            side.access.write && (!side.locked || program.is_weaker(worker, state, *side))
        };
        if is_programs && sides.iter().any(&mut weak) {
            let what = || program.stored_at(sides[0].instruction(), sides[0].access);
            program.remarks.note_reorderable(sides[0].access.address, what);
        }
        if !counts || atomic == [Atomicity::Atomic; 2] {
            return None;
        }
        let intended = sides.into_iter().any(|side| program.intended.covers(side));
        (!intended).then_some(Self { atomic, sides, foreign })
    }

    /// Whether it is none if an access is atomic of which the source does not say it.
    pub fn is_doubtful(&self) -> bool {
        let surely = |it: &Atomicity| *it == Atomicity::Plain;
        !self.atomic.iter().any(surely) && self.atomic != [Atomicity::Untyped; 2]
    }

    /// The race as an error. Those of the same variable on the same two lines are the same.
    fn violation(self, program: &Program) -> Violation {
        let [writer, _] = self.sides;
        let line = |side: Side| (ThreadId(0), program.accessor(side.instruction()).line);
        let mut places = self.sides.map(line).to_vec();
        places.sort_unstable();
        let symbol = program.data_symbol(writer.access.address);
        // What has no symbol is at least distinguished by where it lies: a name for one is none for the other.
        let heap = u32::from((HEAP_START..HEAP_END).contains(&writer.access.address));
        places.push((ThreadId(0), symbol.map_or(heap, |symbol| symbol.address)));
        let report = Report {
            kind: Kind::Race,
            message: "two threads touch the same memory at once".to_owned(),
            thread: writer.thread,
            stack: Vec::new(),
            culprit: None,
            access: None,
            block: None,
        };
        Violation {
            kind: Kind::Race,
            thread: writer.thread,
            places,
            claim: None,
            about: Vec::new(),
            report: Arc::new(report),
        }
    }
}

/// Where a thread lives.
#[derive(Clone, Copy)]
struct Abode {
    space: Space,
    /// Whether its process has memory in common with others.
    shares: bool,
}

impl Abode {
    /// Whether threads may touch the same memory. Who writes to a file need not have mapped it.
    fn meets(self, other: Self) -> bool {
        self.space == other.space || self.shares || other.shares
    }
}

/// Threads and their instructions.
type Places = Vec<(ThreadId, u32)>;

/// The memory on which races were met, by the places of their accesses: elements of an array have the
/// same ones.
#[derive(Default)]
pub(super) struct Raced(RwLock<BTreeMap<Places, BTreeSet<(u32, u32)>>>);

impl Raced {
    /// So many pieces of memory are kept for each pair of places.
    const MOST: usize = 100;

    fn note(&self, places: &[(ThreadId, u32)], access: Access) {
        let piece = (access.address, access.size);
        let enough = |known: &BTreeSet<_>| known.contains(&piece) || known.len() >= Self::MOST;
        if self.0.read().unwrap_or_else(PoisonError::into_inner).get(places).is_some_and(enough) {
            return;
        }
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        known.entry(places.to_vec()).or_default().insert(piece);
    }
}

impl Property<Program> for Races {
    fn check(
        &self,
        program: &Program,
        worker: &mut Worker,
        state: &Table,
        _: Option<Action>,
        tell: &mut dyn FnMut(Violation),
    ) {
        program.look_for_races(worker, state, &|_, _| false, tell);
    }
}

impl Program {
    /// Looks for the races of a state, but for those that are left out.
    pub fn look_for_races(
        &self,
        worker: &mut Worker,
        state: &Table,
        is_left_out: &dyn Fn(&Race, &Violation) -> bool,
        tell: &mut dyn FnMut(Violation),
    ) {
        let line = self.options.granularity == Granularity::Line;
        if self.has_ended(state) || line || self.knows_no_atomics() {
            return;
        }
        let mut reported: Vec<Violation> = Vec::new();
        self.races_with_moved(worker, state, &mut |race| {
            let violation = race.violation(self);
            if is_left_out(&race, &violation) {
                return;
            }
            self.raced.note(&violation.places, race.sides[0].access);
            if !reported.contains(&violation) {
                reported.push(violation);
            }
        });
        reported.into_iter().for_each(tell);
    }

    /// What an access of an instruction touches, and where.
    pub(super) fn stored_at(&self, instruction: u32, access: Access) -> String {
        let name = self.atomics.name(access.address, access.size.min(4));
        let name =
            name.map_or_else(|| format!("{:#010x}", access.address), |name| format!("`{name}`"));
        let locations = located(&self.image, instruction);
        let users = locations.iter().find(|location| location.is_users());
        match users.or_else(|| locations.first()).filter(|it| it.has_line()) {
            Some(place) => format!("{name} ({})", place.line_position()),
            None => name,
        }
    }

    /// Whether it is not known yet what the program says is atomic: the next iteration knows.
    pub(super) fn knows_no_atomics(&self) -> bool {
        self.says_atomic && self.iteration() == 1
    }

    /// Which accesses are kept of what runs as a whole.
    pub(super) fn kept(&self) -> Keep {
        let sharing = &self.stores.sharing;
        match self.options.granularity {
            _ if !self.options.races => Keep::Nothing,
            Granularity::Access => Keep::All,
            _ if sharing.ends_process() => Keep::All,
            _ => Keep::Shared,
        }
    }

    /// What a thread is about to touch, if that is one access.
    pub(super) fn side(&self, frozen: &Frozen<'_>) -> Option<Side> {
        // Operations that are atomic blocks are paired by `sides_of_whole`; others access nothing that may race.
        let Pending::Access { access, whole } = frozen.state.pending else { return None };
        if frozen.state.atomic_block != AtomicBlock::None {
            return None;
        }
        let access = Access { write: access.write || whole, ..access };
        let eip = frozen.state.registers[EIP];
        let thread = frozen.thread;
        Some(Side { thread, eip, access, locked: whole, whole: false, library: false })
    }

    pub(super) fn side_atomicity(&self, side: Side) -> Atomicity {
        match side {
            Side { locked: true, .. } => Atomicity::Atomic,
            Side { whole: true, .. } => Atomicity::Plain,
            Side { eip, access, .. } => self.atomicity(eip, access),
        }
    }

    /// What a thread touches that is about to do something as a whole.
    pub(super) fn sides_of_whole(
        &self,
        worker: &mut Worker,
        state: &Table,
        thread: ThreadId,
    ) -> Vec<Side> {
        let frozen = self.living(state, thread);
        self.look_into_program(worker, state, &frozen);
        let touches = frozen.state.pending.touches();
        if !touches.is_empty() {
            return self.sides_of_known(worker, state, thread, touches);
        }
        let function = match frozen.state.pending {
            Pending::Function(id) => Some(worker.model_of(id).work),
            _ => None,
        };
        let number = frozen.state.registers[Context::EAX];
        let call = syscalls::row(number);
        // What the kernel looks at for a futex it looks at atomically.
        // What the program itself makes a whole is atomic, before a choice of a value and after it.
        let of_program = match (&frozen.state.pending, &frozen.state.atomic_block) {
            (Pending::Function(id), _) | (_, AtomicBlock::Function { function: id, .. }) => {
                worker.machine.models.is_of_program(*id)
            }
            (Pending::Request { .. }, _) => true,
            _ => false,
        };
        let locked = match frozen.state.pending {
            _ if of_program => true,
            Pending::SystemCall => call.has(Role::AtomicWord),
            _ => false,
        };
        let library = !of_program && !matches!(function, Some(Work::Model(_)));
        let eip = match frozen.state.atomic_block {
            _ if function.is_some() => self.return_address(worker, state, thread),
            AtomicBlock::Function { site, .. } => site,
            _ => frozen.state.registers[EIP],
        };
        let mut sides = Vec::new();
        for choice in self.choices_of_operation(worker, state, &frozen) {
            let mut delta = Delta::new();
            let action = Action::new(thread, choice);
            // A choice that an assumption ends is none. What else comes of it is no matter of this state, nor is a hang.
            let step = worker.plain_step(self, state, action, &mut delta, &mut Silent);
            if step != Step::Infeasible {
                let side = |&access| Side { thread, eip, access, locked, whole: true, library };
                sides.extend(worker.footprint.iter().map(side));
            }
        }
        sides
    }

    /// Lets a worker know functions as a thread's process does: processes may run several programs, each with models of
    /// its own, and the worker may have come from another one.
    pub(super) fn look_into_program(
        &self,
        worker: &mut Worker,
        state: &Table,
        frozen: &Frozen<'_>,
    ) {
        let process = self.unrecorded(state, Key::Process(frozen.state.space));
        worker.machine.use_image(self.stores.processes.get(process).image);
    }

    /// The choices for what a thread is about to do as one operation: one, unless it stands before the
    /// choice of a value.
    fn choices_of_operation(
        &self,
        worker: &mut Worker,
        state: &Table,
        frozen: &Frozen<'_>,
    ) -> Vec<Choice> {
        let mut choices = vec![Choice::USUAL];
        if frozen.is_midway() {
            choices.clear();
            self.choices(worker, state, frozen, &mut choices);
        }
        choices
    }

    /// What a thread touches that is about to do a function of which that is known.
    fn sides_of_known(
        &self,
        worker: &mut Worker,
        state: &Table,
        thread: ThreadId,
        touches: &[Access],
    ) -> Vec<Side> {
        let eip = self.return_address(worker, state, thread);
        let side =
            |&access| Side { thread, eip, access, locked: false, whole: true, library: true };
        touches.iter().map(side).collect()
    }

    /// Where the function returns to at whose first byte a thread stands.
    pub(super) fn return_address(
        &self,
        worker: &mut Worker,
        state: &Table,
        thread: ThreadId,
    ) -> u32 {
        let mut bytes = [0; 4];
        let frozen = self.living(state, thread);
        let (space, esp) = (frozen.state.space, frozen.state.registers[Context::ESP]);
        // Where nothing can be read the call returns nowhere.
        self.read_memory(worker, state, space, esp, &mut bytes);
        u32::from_le_bytes(bytes)
    }

    /// The races of threads that have moved since this worker looked for races last.
    pub(super) fn races_with_moved(
        &self,
        worker: &mut Worker,
        state: &Table,
        tell: &mut dyn FnMut(Race),
    ) {
        let races = self.fresh_races(worker, state);
        #[cfg(debug_assertions)]
        self.compare_with_all(worker, state, &races);
        races.into_iter().for_each(tell);
    }

    /// All races of a state were reported.
    #[cfg(debug_assertions)]
    fn compare_with_all(&self, worker: &mut Worker, state: &Table, races: &[Race]) {
        const ONE_IN: u64 = 16;
        let (reported, looks) = &mut worker.readiness.pendings.reported;
        reported.extend(races.iter().map(|race| race.sides));
        *looks += 1;
        if !looks.is_multiple_of(ONE_IN) {
            return;
        }
        let kept = std::mem::take(&mut worker.readiness);
        let all = self.fresh_races(worker, state);
        worker.readiness = kept;
        let (reported, _) = &worker.readiness.pendings.reported;
        let missed = all.iter().find(|race| !reported.contains(&race.sides));
        assert!(missed.is_none(), "a race was missed: {missed:?}");
    }

    fn fresh_races(&self, worker: &mut Worker, state: &Table) -> Vec<Race> {
        self.look_at(worker, state);
        let pendings = &worker.readiness.pendings;
        let fresh: Vec<u32> = pendings.fresh.iter().copied().collect();
        let mut pairs: Vec<(Side, Side)> = Vec::new();
        for &thread in &fresh {
            pendings.conflicts(thread, &mut |one, other| pairs.push((one, other)));
        }
        self.pairs_of_wholes(worker, state, &fresh, &mut pairs);
        worker.readiness.pendings.fresh.clear();
        let mut races = Vec::new();
        for (one, other) in pairs {
            let Some(race) = Race::of(self, worker, state, [one, other]) else { continue };
            self.note_clash(worker, state, race);
            races.push(race);
        }
        races
    }

    /// Conflicting pairs of an access with something that is done as a whole, one of whose threads has moved.
    fn pairs_of_wholes(
        &self,
        worker: &mut Worker,
        state: &Table,
        fresh: &[u32],
        pairs: &mut Vec<(Side, Side)>,
    ) {
        let pendings = &worker.readiness.pendings;
        if pendings.wholes.is_empty() {
            return;
        }
        let wholes: Vec<u32> = pendings.wholes.keys().copied().collect();
        let accesses: Vec<Side> = pendings.sides.iter().flatten().copied().collect();
        let threads = accesses.iter().map(|side| side.thread.0).chain(wholes.iter().copied());
        let abodes: Vec<(u32, Abode)> =
            threads.map(|it| (it, self.abode(state, ThreadId(it)))).collect();
        // What the wholes before touch.
        let mut before: Vec<(bool, Vec<Side>)> = Vec::new();
        for &whole in &wholes {
            let own = self.abode(state, ThreadId(whole));
            let meets = |(other, abode): &(u32, Abode)| *other != whole && own.meets(*abode);
            if !abodes.iter().any(meets) {
                continue;
            }
            // Who waits is not about to touch anything.
            let sides = match self.is_enabled(worker, state, ThreadId(whole)) {
                true => self.sides_of_whole(worker, state, ThreadId(whole)),
                false => Vec::new(),
            };
            let known = worker.readiness.pendings.wholes.insert(whole, sides.clone());
            let moved = fresh.contains(&whole) || known.is_none_or(|known| known != sides);
            let concerned = accesses.iter().filter(|side| moved || fresh.contains(&side.thread.0));
            let earlier = before.iter().filter(|(fresh, _)| moved || *fresh);
            let others = concerned.chain(earlier.flat_map(|(_, sides)| sides));
            let overlaps = Overlaps::of(sides.iter().map(|side| side.access));
            for &other in others {
                let near = overlaps.near(other.access).into_iter();
                let near = near.map(|number| sides[number as usize]);
                pairs.extend(near.filter(|side| side.conflicts(&other)).map(|side| (side, other)));
            }
            before.push((moved, sides));
        }
    }

    fn abode(&self, state: &Table, thread: ThreadId) -> Abode {
        let space = self.living(state, thread).state.space;
        let regions = self.unrecorded(state, Key::Regions(space));
        Abode { space, shares: self.stores.state.regions.get(regions).share() }
    }

    /// What the source calls the memory on which races were met that count as the same one.
    pub fn raced_names(&self, violation: &Violation) -> BTreeSet<String> {
        let known = self.raced.0.read().unwrap_or_else(PoisonError::into_inner);
        let pieces = known.get(&violation.places).into_iter().flatten();
        pieces.filter_map(|&(address, size)| self.atomics.name(address, size)).collect()
    }

    /// Whether a race is none once a name is listed as atomic.
    pub fn is_settled_by(&self, race: &Race, name: &str) -> bool {
        let (atomics, unmatched) = Atomics::with_list(&self.image, &[name.to_owned()]);
        unmatched.is_empty() && is_none_by(race, &atomics)
    }

    /// Whether a race is none once volatile objects count as atomic.
    pub fn is_volatile(&self, race: &Race) -> bool {
        is_none_by(race, &Atomics::new(&self.image).with_volatile(true))
    }

    /// All races of a state, for reports.
    pub fn races(&self, worker: &mut Worker, state: &Table) -> Vec<(Race, Violation)> {
        worker.readiness = super::readiness::Readiness::default();
        let races = self.fresh_races(worker, state);
        races.into_iter().map(|race| (race, race.violation(self))).collect()
    }
}

/// Whether all accesses of a race are atomic by other rules.
fn is_none_by(race: &Race, atomics: &Atomics) -> bool {
    let is_atomic = |(side, atomic): (&Side, &Atomicity)| {
        let Access { address, size, .. } = side.access;
        *atomic == Atomicity::Atomic
            || matches!(atomics.decide(side.instruction(), address, size), Verdict::Atomic(_))
    };
    race.sides.iter().zip(&race.atomic).all(is_atomic)
}
