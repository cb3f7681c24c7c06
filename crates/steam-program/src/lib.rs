//! A program as a model: its states, what can happen in them, and what comes of it.
//!
//! A [`Machine`] is a CPU, a kernel and the program on it. [`Machine::boot`] lays the program out in memory as Linux
//! does; [`Machine::run`] runs it to its [`Ending`] by a plain round robin; [`Machine::freeze`] makes a state of it
//! from which any machine can go on. A [`Program`] is what can be explored: a [`Model`] whose workers each have a
//! machine.
//!
//! A step is one visible operation of a thread, then all that is invisible up to just before its
//! next visible one; so in each state it is known what every thread does next ([`Pending`]). Where
//! only one thread was ever there, or all others were joined, nothing is visible.
//!
//! [`Pending`]: steam_linux::kernel::Pending

mod accessors;
mod action;
mod alone_runs;
mod arguments;
mod assumptions;
mod atomic_blocks;
mod atomic_objects;
mod calls;
mod cancel;
mod canonical;
mod choices;
mod clock;
mod composed;
mod counting;
mod deadline;
mod deadlock;
mod dependence;
mod describe;
mod discipline;
mod event;
mod expiry;
mod facts;
mod finding;
mod followed;
mod given;
mod giving_way;
mod hang;
mod initialising;
mod inlined;
mod inside;
mod intended;
mod interruption;
mod kept_locks;
mod livelock;
mod loans;
mod lock_order;
mod long_runs;
mod machine;
mod made_again;
mod memo;
mod misnamed;
mod observed;
mod operations;
mod orders;
mod overlaps;
mod ownership;
mod past;
mod perform;
mod plain;
mod positions;
mod postponed;
mod privacy;
mod races;
mod readiness;
mod regime;
mod remarks;
mod run_on;
mod step;
mod toss;
mod unsafe_calls;
mod unseen_loop;
mod uses;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use steam_access::Atomics;
use steam_image::Image;
use steam_linux::boot::BootError;
use steam_linux::stores::GuestStores;
use steam_model::{Change, Delta, Model, Observer, StepOf};
use steam_report::Kind;
use steam_state::{Component, Place, Stores, Table};
use steam_sync::Faults;
use steam_visibility::{Discipline, SearchFact};
use vm_isa::request::Request;

use self::accessors::Accessors;
use self::counting::Counting;
use self::discipline::Disciplined;
use self::intended::Intended;
use self::lock_order::LockOrders;
use self::orders::Orders;

pub use accessors::Atomicity;
pub use action::{Action, Choice};
pub use deadlock::Deadlock;
pub use dependence::Touch;
pub use discipline::{Accesses, Breach, Seen};
pub use event::Event;
pub use facts::{ThreadView, Wait};
pub use finding::{Unknown, Violation};
pub use hang::{Hang, Hangs, Loop};
pub use inside::{Glimpse, Inside};
pub use lock_order::LockOrder;
pub use machine::{Config, Ending, Machine, QUANTUM, Schedule};
pub use observed::{Observed, StateMemory};
pub use races::{Race, Races, Side};
pub use steam_visibility::Granularity;
pub use step::Worker;
pub use toss::tossed;
pub use uses::Use;

/// How a program is explored.
#[derive(Clone, Debug)]
pub struct Options {
    /// What a step is made of.
    pub granularity: Granularity,
    /// What may fail.
    pub faults: Faults,
    /// Whether the clock stands still, whatever happens.
    pub still: bool,
    /// A step of more instructions than these is given up.
    pub divergence: u64,
    /// Whether a thread diverges by that; if not, it does only where it was seen to repeat.
    pub long_runs_diverge: bool,
    /// Whether an exit status other than 0 is an error.
    pub status_matters: bool,
    /// Whether it is an error to end with a lock.
    pub kept_locks: bool,
    /// Whether it is an error that the library refuses to join or detach a thread, and its result is not checked; if not, the
    /// program goes on.
    pub refused_joins: bool,
    /// Whether data races are looked for.
    pub races: bool,
    /// Where hangs are looked for.
    pub hangs: Hangs,
    /// Whether it is looked for what the program says of itself and is not true; if not, what it says
    /// counts for nothing.
    pub annotations: bool,
    /// What the mutex locking discipline is for.
    pub discipline: Discipline,
    /// Whether no user asked for it: what violates the discipline is of no interest then.
    pub discipline_by_default: bool,
    /// Whether the discipline is given up where it does not pay, if it is used. Not for searches of several workers:
    /// what one of them has met by the end of an iteration depends on the others.
    pub discipline_on_trial: bool,
    /// Whether atomic blocks under a lock are one operation, where the discipline is used.
    pub composed: bool,
    /// Variables, members and functions whose accesses count as atomic, beside those that are.
    pub atomic: Vec<String>,
    /// Whether volatile objects count as atomic.
    pub volatile_is_atomic: bool,
    /// Variables, members and functions whose races are intended.
    pub intended: Vec<String>,
    /// Instructions that are progress, beside outputs, ends of threads and requests.
    pub progress: Vec<u32>,
    /// Whether steps that were done before are taken from memory. What comes out is the same.
    pub memo: bool,
    /// Whether a thread has for itself what no other one can reach in a state.
    pub privacy: bool,
    /// Whether it is used that threads wait in loops: to leave one is no preemption, and schedulers of single runs let
    /// others go first. What they only count is no part of a state.
    pub waits: bool,
    /// Whether uses of what was never written are looked for, along single paths: in a step that does not begin
    /// where the last one ended, or in the first state, all that is there counts as written.
    pub uninitialised: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            granularity: Granularity::default(),
            faults: Faults::default(),
            still: false,
            divergence: 100_000_000,
            long_runs_diverge: true,
            status_matters: false,
            kept_locks: false,
            refused_joins: true,
            races: false,
            hangs: Hangs::Ignored,
            annotations: true,
            discipline: Discipline::default(),
            discipline_by_default: false,
            discipline_on_trial: false,
            composed: false,
            atomic: Vec::new(),
            volatile_is_atomic: false,
            intended: Vec::new(),
            progress: Vec::new(),
            memo: true,
            privacy: true,
            waits: true,
            uninitialised: false,
        }
    }
}

/// A program to be explored.
pub struct Program {
    image: Arc<Image>,
    config: Config,
    options: Options,
    stores: Arc<GuestStores>,
    /// The state before the program's first instruction.
    start: Table,
    exits: Mutex<BTreeSet<i32>>,
    /// Whether it says of operations that they are such, and that is judged.
    judges_operations: bool,
    /// Whether it says of objects that they are atomic.
    says_atomic: bool,
    /// How many iterations were begun.
    iteration: AtomicU64,
    /// Whether a thread ever came to a wait for a condition.
    conditions: AtomicBool,
    /// What was known in each iteration.
    known: Mutex<Vec<String>>,
    /// What is to be reported of it.
    remarks: remarks::Remarks,
    /// Which of its assumptions held.
    assumptions: assumptions::Assumptions,
    /// What is known of instructions that touch shared memory.
    accessors: Accessors,
    orders: Orders,
    raced: races::Raced,
    /// What the source says of accesses.
    atomics: Atomics,
    /// Races that are no errors.
    intended: Intended,
    /// In which order locks are taken.
    lock_orders: LockOrders,
    /// Accesses that the locking discipline judges.
    disciplined: Disciplined,
    /// Who looks at states without being asked by a search.
    looker: OnceLock<Mutex<Worker>>,
    /// What threads only count.
    counting: Counting,
    /// What is looked at in every state.
    observed: Option<Observed>,
    /// A thread that ran on and on in this iteration, beside which the others went on.
    running: Mutex<Option<Violation>>,
    /// An error of a kind that is not looked for, after which the real program may go on.
    passed: Mutex<Option<Violation>>,
    /// When searches have to end.
    deadline: deadline::Deadline,
}

impl Program {
    /// Prepares a program; fails if it cannot be booted.
    pub fn new(image: Arc<Image>, config: Config, options: Options) -> Result<Self, BootError> {
        let mut options = options;
        let judges_operations = operations::are_judged(&image, &options);
        let says_atomic = options.annotations && operations::asks(&image, Request::Atomic);
        if judges_operations {
            // What a lock protects is known, and is no step of its own.
            options.discipline = Discipline::Used;
            (options.discipline_by_default, options.discipline_on_trial) = (false, false);
        }
        let stores = Arc::new(GuestStores::new(Arc::new(Stores::new(5))));
        let learns = options.granularity.learns();
        let mut machine =
            Machine::boot_for_search(Arc::clone(&image), &config, Arc::clone(&stores), learns)?;
        let mut start = Table::default();
        machine.freeze_into(&mut start);
        stores.sharing.set_discipline(options.discipline);
        if options.discipline_by_default {
            stores.sharing.use_discipline_by_default();
        }
        if options.discipline_on_trial {
            stores.sharing.try_discipline();
        }
        if options.privacy && learns {
            stores.sharing.allow_privacy();
        }
        if !options.waits {
            stores.sharing.keep_counters();
        }
        let counting = Counting::new(&image);
        let (atomics, _) = Atomics::with_list(&image, &options.atomic);
        let atomics = atomics.with_volatile(options.volatile_is_atomic);
        let intended = Intended::new(&image, &options.intended);
        Ok(Self {
            image,
            config,
            options,
            stores,
            start,
            exits: Mutex::default(),
            judges_operations,
            says_atomic,
            iteration: AtomicU64::new(0),
            conditions: AtomicBool::new(false),
            known: Mutex::default(),
            remarks: remarks::Remarks::default(),
            assumptions: assumptions::Assumptions::default(),
            accessors: Accessors::default(),
            orders: Orders::default(),
            raced: races::Raced::default(),
            atomics,
            intended,
            lock_orders: LockOrders::default(),
            disciplined: Disciplined::default(),
            looker: OnceLock::new(),
            counting,
            observed: None,
            running: Mutex::default(),
            passed: Mutex::default(),
            deadline: deadline::Deadline::default(),
        })
    }

    /// A machine before the program's first instruction.
    fn boot(&self) -> Machine {
        let (image, stores) = (Arc::clone(&self.image), Arc::clone(&self.stores));
        let learns = self.options.granularity.learns();
        let mut machine = Machine::boot_for_search(image, &self.config, stores, learns)
            .expect("it could be booted before");
        for &address in &self.options.progress {
            machine.cpu.intercept(address, run_on::PROGRESS);
        }
        if self.options.uninitialised {
            machine.look_for_uninitialised();
        }
        machine
    }

    /// The state of such a machine, in parts of its own: workers that share them wait for each other at the reference
    /// counts.
    fn start(&self) -> Table {
        let mut start = Table::default();
        for (slot, id) in self.start.iter() {
            start.set(slot, id);
        }
        start
    }

    /// The program's file.
    pub fn image(&self) -> &Arc<Image> {
        &self.image
    }

    /// What its source says of accesses to memory.
    pub fn atomics(&self) -> &Atomics {
        &self.atomics
    }

    /// How it is explored.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Says where hangs are looked for.
    pub fn look_for_hangs(&mut self, hangs: Hangs) {
        self.options.hangs = hangs;
    }

    /// Begins an iteration of a search: what was learned counts from now on.
    pub fn begin_iteration(&self) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_empty() {
            known.push(self.stores.sharing.write());
        }
        if self.judges_operations {
            self.stores.sharing.learn(SearchFact::JudgesOperations);
        }
        self.stores.sharing.begin_iteration();
        known.push(self.stores.sharing.write());
        self.lock_exits().clear();
        self.forget_running();
        self.iteration.fetch_add(1, Ordering::Relaxed);
    }

    /// Hears that an iteration has gone everywhere.
    pub fn conclude_iteration(&self) {
        self.stores.sharing.conclude_iteration();
    }

    /// How many iterations were begun.
    pub fn iterations(&self) -> usize {
        self.iteration() as usize
    }

    /// The number of the iteration.
    fn iteration(&self) -> u64 {
        self.iteration.load(Ordering::Relaxed)
    }

    /// What was known in an iteration, as text; what came before the first one is round 0. With it,
    /// [`Program::learn`] lets another search make the same steps.
    pub fn known_in(&self, iteration: usize) -> String {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(iteration).cloned().unwrap_or_else(|| self.stores.sharing.write())
    }

    /// Takes over what another search has learned. The error names what cannot be understood.
    pub fn learn(&self, known: &str) -> Result<(), String> {
        self.stores.sharing.read(known)
    }

    /// Whether something was learned since the iteration began.
    pub fn learned(&self) -> bool {
        let learns = self.options.granularity.learns() || self.observed.is_some();
        let learns = learns || self.judges_operations || self.says_atomic;
        let sharing = &self.stores.sharing;
        learns && sharing.grew() || sharing.requires_more() || self.knows_no_atomics()
    }

    /// The words of memory that threads share, as far as it is known.
    pub fn shared_words(&self) -> Vec<Place> {
        self.stores.sharing.words()
    }

    /// What the user should know of the limits of the search.
    pub fn notes(&self) -> Vec<String> {
        self.remarks
            .notes(self.options.still)
            .chain(self.accessors.note_of_assembly(&self.image))
            .chain(inlined::note(&self.image))
            .chain(self.note_of_discipline())
            .collect()
    }

    /// Which races that the user calls intended were met, here or, by these names, by what leaves errors out.
    pub fn note_of_intended(&self, met_by_name: &[&str]) -> Option<String> {
        self.intended.note(&self.options.intended, met_by_name)
    }

    /// The statuses with which the program ended.
    pub fn exits(&self) -> Vec<i32> {
        self.lock_exits().iter().copied().collect()
    }

    fn lock_exits(&self) -> std::sync::MutexGuard<'_, BTreeSet<i32>> {
        self.exits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Model for Program {
    type State = Table;
    type Action = Action;
    type Event = Event;
    type Violation = Violation;
    type Unknown = Unknown;
    type Worker = Worker;

    fn worker(&self) -> Worker {
        Worker::new(self)
    }

    fn initial(&self, worker: &mut Worker) -> Table {
        worker.initial(self)
    }

    fn describe(&self, state: &Table, vector: &mut Vec<u32>) {
        for (slot, id) in state.iter() {
            vector.resize(slot as usize, 0);
            vector.push(id.0);
        }
    }

    fn patch(&self, _: &mut Worker, base: &Table, changes: &[Change]) -> Table {
        let mut state = base.clone();
        for change in changes {
            state.set(change.slot, Component(change.new));
        }
        state
    }

    fn enabled(&self, worker: &mut Worker, state: &Table, actions: &mut Vec<Action>) {
        self.enabled_in(worker, state, actions);
    }

    fn step<O: Observer<Event>>(
        &self,
        worker: &mut Worker,
        state: &Table,
        action: Action,
        delta: &mut Delta,
        observer: &mut O,
    ) -> StepOf<Self> {
        worker.step(self, state, action, delta, observer)
    }

    fn is_fatal(&self, violation: &Violation) -> bool {
        violation.kind != Kind::Race
    }

    fn ends_search(&self, unknown: &Unknown) -> bool {
        // Paths that do not come to it are worth exploring.
        !matches!(unknown.kind, Kind::LargeChoice | Kind::LimitReached)
    }

    fn ignore_deadline(&self, worker: &mut Worker) {
        worker.ignores_deadline = true;
    }

    fn effort(&self, worker: &Worker) -> u64 {
        worker.effort
    }

    fn process(&self, action: Action) -> u32 {
        action.thread.0
    }

    fn justice(&self, action: Action) -> u32 {
        postponed::justice(action)
    }

    fn is_unfair(&self, action: Action) -> bool {
        choices::is_unfair(action.chosen())
    }

    fn bytes(&self) -> u64 {
        self.stores.bytes() + self.config.host.bytes()
    }

    fn bytes_beside(&self, changes: usize) -> u64 {
        size_of::<Table>() as u64 + changes as u64 * Table::BYTES_OF_CHANGE
    }
}
