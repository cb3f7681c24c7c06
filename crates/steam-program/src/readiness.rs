//! What every thread can do in a state, kept from state to state.
//!
//! A search asks for each of its states which actions are enabled, and a state may have a thousand
//! threads. But states that follow one another differ in few components. So a worker keeps what each
//! thread could do in the state that it looked at last, and on which components that depended
//! ([`Reads`]); in the next state only those threads are looked at again of whose components one
//! differs. The cost is that of what differs.
//!
//! Invariant: what is kept is what [`Program::enabled_afresh`] says; debug builds compare the two in
//! each state.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use ahash::{HashMap, HashSet, RandomState};
use steam_linux::kernel::Pending;
use steam_model::{Census, Tally};
use steam_state::{Component, Key, Reading, Reads, Table, ThreadId};

use super::action::Choice;
use super::choices::{can_go_on, is_unfair};
use super::facts::facts;
use super::races::Pendings;
use super::{Action, Program, Worker};

/// What is known of one thread.
#[derive(Default)]
struct Prospect {
    /// The ways in which it can go on.
    choices: Vec<Choice>,
    /// What they depend on beside the thread itself.
    looks: Vec<Key>,
}

/// What every thread can do in one state.
pub(super) struct Readiness {
    state: Table,
    /// By the number of the thread.
    prospects: Vec<Prospect>,
    enabled: BTreeSet<u32>,
    /// Threads within an atomic block: no other thread may act before they leave it.
    midway: BTreeSet<u32>,
    /// Threads that were woken from a condition and now want their mutex.
    woken: BTreeSet<u32>,
    /// Threads that looked for all components of a kind.
    restless: BTreeSet<u32>,
    /// The threads that a component may matter to; some of them only did once.
    dependents: HashMap<Key, BTreeSet<u32>>,
    /// Whether a signal is pending for whoever wants it: that concerns all threads.
    has_signals: bool,
    /// Sums over the threads.
    census: Census,
    /// Threads that hold locks, whose next lock was noted.
    holders: HashSet<Component>,
    /// What threads are about to touch, if races are looked for.
    pub(super) pendings: Pendings,
    /// Room for the numbers of the threads that are looked at again.
    again: Vec<u32>,
    reads: Reads,
}

impl Default for Readiness {
    fn default() -> Self {
        Self {
            state: Table::default(),
            prospects: Vec::new(),
            enabled: BTreeSet::new(),
            midway: BTreeSet::new(),
            woken: BTreeSet::new(),
            restless: BTreeSet::new(),
            dependents: HashMap::with_hasher(RandomState::with_seeds(1, 6, 1, 8)),
            has_signals: false,
            census: Census::default(),
            holders: HashSet::with_hasher(RandomState::with_seeds(2, 7, 1, 8)),
            pendings: Pendings::default(),
            again: Vec::new(),
            reads: Reads::default(),
        }
    }
}

impl Readiness {
    /// Goes over to another state.
    fn look_at(&mut self, program: &Program, worker: &mut Worker, state: &Table) {
        let mut again = std::mem::take(&mut self.again);
        again.clear();
        let before = std::mem::replace(&mut self.state, state.clone());
        before.differences(state, &mut |slot| {
            let key = program.key_of(slot);
            if let Key::Thread(thread) = key {
                again.push(thread.0);
            }
            self.depending(key, &mut again);
        });
        again.extend(&self.restless);
        let signals = program.has_shared_signals(state);
        if signals || self.has_signals {
            again.extend(1..=program.stores.state.slots.highest_thread());
        }
        self.has_signals = signals;
        again.sort_unstable();
        again.dedup();
        for &thread in &again {
            self.look_again(program, worker, thread);
        }
        self.again = again;
    }

    /// Appends the threads to which a component matters; forgets those to which it no longer does.
    fn depending(&mut self, key: Key, again: &mut Vec<u32>) {
        // It was not looked at.
        let Some(threads) = self.dependents.get_mut(&key) else { return };
        let prospects = &self.prospects;
        threads.retain(|&thread| prospects[thread as usize].looks.contains(&key));
        again.extend(threads.iter());
    }

    /// Finds out what one thread can do.
    fn look_again(&mut self, program: &Program, worker: &mut Worker, number: u32) {
        let place = number as usize;
        if self.prospects.len() <= place {
            self.prospects.resize_with(place + 1, Prospect::default);
        }
        let prospect = &mut self.prospects[place];
        prospect.choices.clear();
        prospect.looks.clear();
        let recording = worker.machine.system.recorder.begin();
        let frozen = program.frozen(worker.reading(&self.state), ThreadId(number));
        let (mut midway, mut woken) = (false, false);
        if let Some(frozen) = &frozen {
            program.choices(worker, &self.state, frozen, &mut prospect.choices);
            midway = frozen.is_midway();
            woken = matches!(frozen.state.pending, Pending::Sync { second_half: true, .. });
        }
        worker.machine.system.recorder.end(recording, &mut self.reads);
        for &key in &self.reads.keys {
            if key != Key::Thread(ThreadId(number)) {
                prospect.looks.push(key);
                self.dependents.entry(key).or_default().insert(number);
            }
        }
        if let Some(frozen) = frozen.as_ref().filter(|frozen| frozen.state.locks > 0) {
            let key = Key::Thread(frozen.thread);
            if self.holders.insert(program.unrecorded(&self.state, key)) {
                program.note_lock_order(&self.state, frozen);
            }
        }
        if program.options.races {
            // A signal comes before what it was about to touch, and may end it.
            let goes_on = prospect.choices.first() != Some(&Choice::Delivery);
            self.pendings.set(program, number, frozen.as_ref().filter(|_| goes_on));
        }
        let facts = frozen.map(|frozen| facts(&frozen, can_go_on(&prospect.choices)));
        self.census.set(number, facts);
        put(&mut self.restless, number, self.reads.listed.is_some());
        put(&mut self.enabled, number, !prospect.choices.is_empty());
        put(&mut self.midway, number, midway);
        put(&mut self.woken, number, woken);
    }

    /// The first thread that can act by itself, if that is plain: what comes of an alarm is not known here.
    fn first_sure(&self) -> Option<ThreadId> {
        for &number in &self.enabled {
            let choices = &self.prospects[number as usize].choices;
            if choices.iter().any(|choice| !is_unfair(*choice) && !choice.is_alarm()) {
                return Some(ThreadId(number));
            }
            if choices.iter().any(|choice| choice.is_alarm()) {
                return None;
            }
        }
        None
    }

    /// Appends the actions that can happen, ascending.
    fn actions(&self, actions: &mut Vec<Action>) {
        let first_midway = self.midway.first();
        let threads = first_midway.into_iter().chain(&self.enabled);
        let count = if first_midway.is_some() { 1 } else { usize::MAX };
        for &number in threads.take(count) {
            let choices = &self.prospects[number as usize].choices;
            let action = |&choice| Action::new(ThreadId(number), choice);
            actions.extend(choices.iter().map(action));
        }
    }
}

/// Puts a thread into a set, or takes it out.
fn put(set: &mut BTreeSet<u32>, thread: u32, belongs: bool) {
    if belongs {
        set.insert(thread);
    } else {
        set.remove(&thread);
    }
}

impl Program {
    /// Lets a worker look at a state, and returns what is asked of it.
    fn with_readiness<T>(
        &self,
        worker: &mut Worker,
        state: &Table,
        ask: impl FnOnce(&Readiness) -> T,
    ) -> T {
        let mut readiness = std::mem::take(&mut worker.readiness);
        readiness.look_at(self, worker, state);
        let answer = ask(&readiness);
        worker.readiness = readiness;
        answer
    }

    /// Lets a worker look at a state.
    pub(super) fn look_at(&self, worker: &mut Worker, state: &Table) {
        self.with_readiness(worker, state, |_| ());
    }

    /// Appends the actions that can happen in a state, ascending.
    pub(super) fn enabled_in(&self, worker: &mut Worker, state: &Table, actions: &mut Vec<Action>) {
        if self.has_ended(state) {
            // What is kept of the state before serves the next one better.
            return;
        }
        let before = actions.len();
        worker.first_sure = self.with_readiness(worker, state, |readiness| {
            readiness.actions(actions);
            Some((state.clone(), readiness.first_sure()?))
        });
        debug_assert_eq!(actions[before..], self.enabled_afresh(worker, state));
    }

    /// Whether a thread can do something in a state, on which it can count.
    pub(super) fn is_any_enabled(&self, worker: &mut Worker, state: &Table) -> bool {
        self.with_readiness(worker, state, |readiness| {
            let choices = |thread: &u32| &readiness.prospects[*thread as usize].choices;
            readiness.enabled.iter().any(|thread| can_go_on(choices(thread)))
        })
    }

    /// Sums over the threads of a state.
    pub(super) fn kept_tally(&self, worker: &mut Worker, state: &Table) -> Tally {
        let tally = self.with_readiness(worker, state, |readiness| readiness.census.tally());
        debug_assert_eq!(tally, self.tally_afresh(worker, state));
        tally
    }

    /// The same from looking at all threads: the naive twin.
    fn tally_afresh(&self, worker: &mut Worker, state: &Table) -> Tally {
        let mut threads = Vec::new();
        self.each_thread(Reading::unrecorded(state), |frozen| {
            threads.push(facts(&frozen, self.is_enabled(worker, state, frozen.thread)));
            ControlFlow::Continue(())
        });
        Tally::of(threads)
    }

    /// The threads of a state that were woken from a condition and now want their mutex.
    pub(super) fn woken(&self, worker: &mut Worker, state: &Table) -> Vec<ThreadId> {
        self.with_readiness(worker, state, |readiness| {
            readiness.woken.iter().copied().map(ThreadId).collect()
        })
    }

    /// The actions that can happen in a state, from looking at all its threads: the naive twin.
    fn enabled_afresh(&self, worker: &mut Worker, state: &Table) -> Vec<Action> {
        let (mut actions, mut choices) = (Vec::new(), Vec::new());
        self.each_thread(Reading::unrecorded(state), |frozen| {
            choices.clear();
            self.choices(worker, state, &frozen, &mut choices);
            if frozen.is_midway() {
                actions.clear();
            }
            let thread = frozen.thread;
            actions.extend(choices.iter().map(|&choice| Action::new(thread, choice)));
            if frozen.is_midway() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        actions
    }
}
