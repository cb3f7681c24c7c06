//! The execution that a walk is at: its events, which of them come before which, and in which
//! states another order has to be tried.
//!
//! Two events of different processes are in a *race* if they depend on each other, nothing between
//! orders them, and the later one could have come first. Whoever can begin such an execution has to
//! be tried in the state before the earlier one: source sets (Abdulla, Aronis, Jonsson, Sagonas:
//! Optimal Dynamic Partial Order Reduction, POPL 2014). Deviation: races are looked for with the
//! pending operations of all processes, whether they can be done or not, so that an operation that never
//! can be done because of another one has its turn too.

use std::collections::HashSet;
use std::rc::Rc;

use steam_model::{Change, Delta, Dependence};

use super::clock::Clock;
use super::cycle::{self, Together};
use super::persistent::{Footprints, Standing, persistent_set};

/// A process that has something to do.
struct Pending<O> {
    process: u32,
    /// What it does next.
    operation: O,
    /// How many steps it has done.
    steps: u32,
    /// What it knows.
    clock: Rc<Clock>,
}

/// A step that was done.
struct Event<O> {
    process: u32,
    /// Where the process stood among the pending ones.
    stood: Option<usize>,
    /// The number of steps up to and with the process's event before this one, 0 if there is none.
    before: u32,
    /// What it did: the process's operation, then what followed from it.
    operations: Vec<O>,
    changes: Vec<Change>,
    clock: Rc<Clock>,
}

/// A state of the execution.
pub(super) struct Node<O> {
    /// What processes do next, ascending by process.
    pending: Vec<Pending<O>>,
    /// Processes whose steps from here were explored already, here or from a state before.
    sleeping: Vec<u32>,
    /// Processes that have looped and do nothing any more.
    still: Vec<u32>,
    /// Processes to be tried here.
    wanted: Vec<u32>,
    /// Whether all of them are to be tried.
    all: bool,
    /// How many of them were tried to the end.
    tried: u32,
    /// The step that was taken here last.
    event: Option<Event<O>>,
}

impl<O> Node<O> {
    /// Whether a process is not to be tried here.
    pub(super) fn sleeps(&self, process: u32) -> bool {
        self.sleeping.contains(&process) || self.still.contains(&process)
    }

    /// Whether a process was stopped, because it loops without effect.
    pub(super) fn is_still(&self, process: u32) -> bool {
        self.still.contains(&process)
    }

    /// Lets a process sleep from now on: all that its step leads to is explored.
    pub(super) fn let_sleep(&mut self, process: u32) {
        self.sleeping.push(process);
        self.tried += 1;
    }

    /// The processes that have something to do here.
    pub(super) fn processes(&self) -> Vec<u32> {
        self.pending.iter().map(|it| it.process).collect()
    }

    /// Asks for a process to be tried.
    pub(super) fn want(&mut self, process: u32) {
        if !self.wanted.contains(&process) {
            self.wanted.push(process);
        }
    }

    /// Asks for all who can do something instead of a process that cannot: another one has to make it
    /// possible.
    pub(super) fn want_others(&mut self, process: u32) {
        self.wanted.retain(|wanted| *wanted != process);
        self.all = true;
    }

    /// Whether all processes are to be tried.
    pub(super) fn wants_all(&self) -> bool {
        self.all
    }

    /// The processes to be tried.
    pub(super) fn wanted(&self) -> &[u32] {
        &self.wanted
    }

    /// Who took the last step from here.
    pub(super) fn last_process(&self) -> Option<u32> {
        self.event.as_ref().map(|event| event.process)
    }
}

/// What becomes of processes that loop without effect.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cycles {
    /// Nothing.
    Ignored,
    /// They do nothing any more.
    Stopped,
    /// They go on, and a property asks.
    Noticed,
}

/// The states from the initial one to the current one.
pub(super) struct Execution<M: Dependence> {
    nodes: Vec<Node<M::Operation>>,
    /// For each process its last event.
    latest: Clock,
    /// Whether who sleeps in a state sleeps on after steps that do not depend on it.
    sleep_sets: bool,
    /// What becomes of processes that have looped.
    cycles: Cycles,
    /// Whether the last step's process has looped, where that is noticed.
    round: bool,
    /// What processes were seen to do, where that is recorded.
    footprints: Option<Footprints<M::Operation>>,
    /// Pairs of operations that clash, each reported once.
    clashes: HashSet<(u32, u32)>,
    /// The steps after which both operations of a clash are pending.
    asides: Vec<Vec<usize>>,
}

impl<M: Dependence> Execution<M> {
    pub(super) fn new(
        sleep_sets: bool,
        cycles: Cycles,
        footprints: Option<Footprints<M::Operation>>,
    ) -> Self {
        Self {
            nodes: Vec::new(),
            latest: Clock::default(),
            sleep_sets,
            cycles,
            round: false,
            footprints,
            clashes: HashSet::new(),
            asides: Vec::new(),
        }
    }

    /// About which part of all executions was gone along, in millionths: what is left to be tried in a
    /// state, as far as that is known, counts as much as what was tried there (Knuth: Estimating the
    /// efficiency of backtrack programs, 1975).
    pub(super) fn done(&self) -> u32 {
        let (mut done, mut share) = (0.0, 1.0);
        for node in &self.nodes {
            let awake = |process: &u32| !node.sleeps(*process);
            let left = match node.all {
                true => node.pending.iter().filter(|it| awake(&it.process)).count(),
                false => node.wanted.iter().filter(|process| awake(process)).count(),
            };
            let (tried, left) = (f64::from(node.tried), left as f64);
            if tried + left > 0.0 {
                done += share * tried / (tried + left);
                share /= tried + left;
            }
        }
        (done * 1e6) as u32
    }

    /// About how many bytes the states of the execution take.
    pub(super) fn bytes(&self, model: &M) -> u64 {
        let bytes = |node: &Node<M::Operation>| {
            let changes = node.event.as_ref().map_or(0, |event| event.changes.len());
            let own = size_of::<Node<M::Operation>>()
                + node.pending.capacity() * size_of::<Pending<M::Operation>>()
                + changes * size_of::<Change>();
            own as u64 + model.bytes_beside(changes)
        };
        self.nodes.iter().map(bytes).sum()
    }

    /// Takes the steps after which both operations of a clash are pending.
    pub(super) fn take_asides(&mut self) -> Vec<Vec<usize>> {
        std::mem::take(&mut self.asides)
    }

    /// What processes were seen to do.
    pub(super) fn into_footprints(self) -> Option<Footprints<M::Operation>> {
        self.footprints
    }

    /// Asks for the processes of a persistent set to be tried in a state.
    pub(super) fn want_persistent_set(&mut self, model: &M, depth: usize, enabled: &[M::Action]) {
        let Some(footprints) = &self.footprints else { return };
        let node = &self.nodes[depth];
        let moving = node.pending.iter().filter(|it| !node.still.contains(&it.process));
        let standing = moving.map(|it| Standing {
            process: it.process,
            number: it.steps,
            operation: &it.operation,
            enabled: enabled.iter().any(|action| model.process(*action) == it.process),
            asleep: node.sleeps(it.process),
        });
        let processes: Vec<_> = standing.collect();
        let set = persistent_set(model, footprints, &processes);
        let node = &mut self.nodes[depth];
        set.into_iter().for_each(|process| node.want(process));
    }

    pub(super) fn node(&mut self, depth: usize) -> &mut Node<M::Operation> {
        &mut self.nodes[depth]
    }

    /// Whether the process of the last step has looped, where that is noticed.
    pub(super) fn went_round(&self) -> bool {
        self.round
    }

    /// Who took the last step to a state.
    pub(super) fn last_process(&self, depth: usize) -> Option<u32> {
        self.nodes.get(depth.checked_sub(1)?)?.last_process()
    }

    /// Asks for all processes to be tried in all states.
    pub(super) fn want_all(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.all = true);
    }

    /// Adds a state at a depth, and forgets what was after. Sleeping processes sleep on unless the
    /// step depends on what they do.
    pub(super) fn enter(
        &mut self,
        model: &M,
        worker: &mut M::Worker,
        depth: usize,
        state: &M::State,
        step: Option<(&M::State, M::Action, &Delta)>,
    ) {
        self.forget_from(depth);
        if let Some((before, action, delta)) = step {
            self.note_event(model, before, action, delta);
        }
        let parent = self.nodes.last();
        let event = parent.and_then(|node| node.event.as_ref());
        let (mut pending, nothing) = (Vec::new(), Rc::default());
        model.pending(worker, state, &mut |process, operation| {
            // Who was not there before was created by the last step.
            let kept = parent.and_then(|node| pending_of(&node.pending, process));
            let steps = kept.map_or(0, |it| it.steps);
            let (steps, clock) = match (event, kept) {
                (Some(event), _) if event.process == process => (steps + 1, &event.clock),
                (Some(_), Some(kept)) => (steps, &kept.clock),
                (Some(event), None) => (steps, &event.clock),
                (None, _) => (steps, &nothing),
            };
            pending.push(Pending { process, operation, steps, clock: Rc::clone(clock) });
        });
        if let Some(footprints) = &mut self.footprints {
            note_footprints(footprints, parent, &pending);
        }
        let parent = parent.filter(|_| self.sleep_sets);
        let sleeping = parent.map_or_else(Vec::new, |node| still_asleep(model, node));
        let mut still = parent.map_or_else(Vec::new, |node| node.still.clone());
        let round = match self.cycles {
            Cycles::Ignored => None,
            Cycles::Stopped | Cycles::Noticed => self.gone_round(&pending),
        };
        still.extend(round.filter(|_| self.cycles == Cycles::Stopped));
        self.round = round.is_some();
        // One with the same number may have been created.
        still.retain(|process| pending_of(&pending, *process).is_some());
        let ended = pending.is_empty();
        self.nodes.push(Node {
            pending,
            sleeping,
            still,
            wanted: Vec::new(),
            all: false,
            tried: 0,
            event: None,
        });
        if ended
            && let Some(before) = depth.checked_sub(1)
            && let Some(process) = self.nodes[before].last_process()
        {
            self.note_end(before, process);
        }
    }

    /// Forgets the states from a depth on, and the step to the first of them.
    fn forget_from(&mut self, depth: usize) {
        let first = depth.saturating_sub(1).min(self.nodes.len());
        for node in self.nodes[first..].iter_mut().rev() {
            if let Some(event) = node.event.take() {
                self.latest.set(event.process, event.before);
            }
        }
        self.nodes.truncate(depth);
    }

    /// Takes note that the step of a process from a state ended everything: what others would have
    /// done cannot be seen any more, so that they have to be tried there.
    pub(super) fn note_end(&mut self, depth: usize, process: u32) {
        let node = &mut self.nodes[depth];
        if node.pending.len() <= 1 {
            return;
        }
        node.all = true;
        if let Some(footprints) = &mut self.footprints
            && let Some(own) = pending_of(&node.pending, process)
        {
            footprints.note_end(process, own.steps);
        }
    }

    /// Who took the last step, if its last steps led back to where they began: see `cycle`.
    fn gone_round(&self, pending: &[Pending<M::Operation>]) -> Option<u32> {
        let process = self.nodes.last()?.last_process()?;
        let Pending { operation: next, clock, .. } = pending_of(pending, process)?;
        let mut last = self.latest.last_of(process);
        let own_steps = std::iter::from_fn(|| {
            let position = last?;
            let Node { pending, event, .. } = &self.nodes[position];
            let event = event.as_ref()?;
            last = event.before.checked_sub(1).map(|before| before as usize);
            Some((position, &pending[event.stood?].operation, &event.changes))
        });
        let mut together = Together::default();
        // What was not put together yet.
        let mut left: [Option<&[Change]>; cycle::MOST_STEPS] = Default::default();
        let (mut count, mut times) = (0, 0);
        for (position, operation, changes) in own_steps.take(cycle::MOST_STEPS) {
            left[count] = Some(changes);
            count += 1;
            if operation != next {
                continue;
            }
            left[..count].iter_mut().filter_map(Option::take).for_each(|it| together.precede(it));
            if together.is_cycle() {
                return (!self.comes_between(process, position, clock)).then_some(process);
            }
            times += 1;
            if times == cycle::MOST_TIMES {
                return None;
            }
        }
        None
    }

    /// Whether another process did something after an event of a process without which the process could
    /// not know what it knows now.
    fn comes_between(&self, process: u32, first: usize, clock: &Clock) -> bool {
        let later = self.nodes.iter().enumerate().skip(first + 1);
        let mut events =
            later.filter_map(|(position, node)| Some((position, node.event.as_ref()?)));
        events.any(|(position, event)| {
            event.process != process
                && clock.knows(event.process, position)
                && event.clock.knows(process, first)
        })
    }

    /// Adds the step from the last state.
    fn note_event(&mut self, model: &M, before: &M::State, action: M::Action, delta: &Delta) {
        let process = model.process(action);
        let position = self.nodes.len() - 1;
        let mut operations = Vec::new();
        let stood = position_of(&self.nodes[position].pending, process);
        let pending = stood.map(|stood| &self.nodes[position].pending[stood]);
        if let Some(own) = pending {
            model.performed(&own.operation, before, action, delta, &mut operations);
        }
        let own = pending.map(|own| Rc::clone(&own.clock)).unwrap_or_default();
        let mut clock = (*own).clone();
        let unknown = clock.first_unknown(&self.latest).unwrap_or(position);
        for earlier in (unknown..position).rev() {
            if let Some(event) = &self.nodes[earlier].event
                && event.process != process
                && !clock.knows(event.process, earlier)
                && depend(model, &event.operations, &operations)
            {
                clock.join(&event.clock);
            }
        }
        // What only followed from the operation was not known to be pending.
        for operation in &operations[1.min(operations.len())..] {
            self.find_races(model, position, process, operation, &own, true);
        }
        clock.learn(process, position);
        let clock = Rc::new(clock);
        let changes = delta.changes().to_vec();
        let before = self.latest.get(process);
        self.latest.learn(process, position);
        let event = Event { process, stood, before, operations, changes, clock };
        self.nodes[position].event = Some(event);
    }

    /// Looks for races of what processes do next with what was done, notes those that clash, and asks for
    /// other orders if they are to be `reversed`.
    pub(super) fn look_for_races(&mut self, model: &M, reversed: bool) {
        let Some(position) = self.nodes.len().checked_sub(1) else { return };
        let pending = std::mem::take(&mut self.nodes[position].pending);
        for own in &pending {
            if self.nodes[position].still.contains(&own.process) {
                continue;
            }
            if self.is_as_before(model, own) {
                #[cfg(debug_assertions)]
                self.compare_with_all(model, position, own, reversed);
                continue;
            }
            let Pending { process, operation, clock, .. } = own;
            self.find_races(model, position, *process, operation, clock, reversed);
        }
        self.nodes[position].pending = pending;
    }

    /// Whether a process stands in the last state as in the one before, and the step between them does not
    /// depend on what it does next. Then its races are those of the state before; and who could begin
    /// another order there can still do so, for the step comes after all of them.
    fn is_as_before(&self, model: &M, own: &Pending<M::Operation>) -> bool {
        let [.., before, _] = &*self.nodes else { return false };
        let (Some(event), Some(kept)) = (&before.event, pending_of(&before.pending, own.process))
        else {
            return false;
        };
        event.process != own.process
            && Rc::ptr_eq(&kept.clock, &own.clock)
            && kept.operation == own.operation
            && !event.operations.iter().any(|done| model.dependent(done, &own.operation))
    }

    /// The naive twin: a process that stands as before races with no new one.
    #[cfg(debug_assertions)]
    fn compare_with_all(
        &mut self,
        model: &M,
        end: usize,
        own: &Pending<M::Operation>,
        reversed: bool,
    ) {
        let clashes = self.clashes.len();
        let wanted: Vec<usize> = self.nodes.iter().map(|node| node.wanted.len()).collect();
        self.find_races(model, end, own.process, &own.operation, &own.clock, reversed);
        assert_eq!(self.clashes.len(), clashes, "a clash of a process that stands as before");
        for (node, before) in self.nodes.iter_mut().zip(wanted) {
            // Where all are tried, none needs to be asked for.
            let new = node.wanted.split_off(before);
            assert!(node.all || new.is_empty(), "a process that stands as before wants {new:?}");
        }
    }

    fn find_races(
        &mut self,
        model: &M,
        end: usize,
        process: u32,
        operation: &M::Operation,
        clock: &Clock,
        reversed: bool,
    ) {
        // What comes before an event of a race is ordered by it.
        let Some(unknown) = clock.first_unknown(&self.latest) else { return };
        let mut ordered = clock.clone();
        for earlier in (unknown..end).rev() {
            let Some(event) = &self.nodes[earlier].event else { continue };
            let races = |done: &M::Operation| {
                model.dependent(done, operation) && model.may_meet(done, operation)
            };
            if event.process != process
                && !ordered.knows(event.process, earlier)
                && event.operations.iter().any(races)
            {
                ordered.join(&event.clock);
                let clash = event.operations.first().and_then(|it| model.clash(it, operation));
                if clash.is_some_and(|clash| self.clashes.insert(clash)) {
                    self.note_aside(earlier, end);
                }
                if reversed {
                    self.reverse(model, earlier, end, process, operation, clock);
                }
            }
        }
    }

    /// Notes the steps up to a state that do not come after an event: without them and it, the processes
    /// of the race stand before their operations.
    fn note_aside(&mut self, earlier: usize, end: usize) {
        let Some(first) = &self.nodes[earlier].event else { return };
        let stays = |position: &usize| {
            *position < earlier
                || self.nodes[*position].event.as_ref().is_some_and(|event| {
                    event.process != first.process && !event.clock.knows(first.process, earlier)
                })
        };
        self.asides.push((0..end).filter(|at| *at != earlier).filter(stays).collect());
    }

    /// Asks for a process to be tried before an event, so that an operation can come before it.
    fn reverse(
        &mut self,
        model: &M,
        earlier: usize,
        end: usize,
        process: u32,
        operation: &M::Operation,
        clock: &Clock,
    ) {
        let event_at = |position: usize| self.nodes[position].event.as_ref();
        let Some(first) = event_at(earlier) else { return };
        // What does not come after the event, and can therefore be done without it.
        let mut without: Vec<(usize, &Event<M::Operation>)> = Vec::new();
        let mut beginners: Vec<u32> = Vec::new();
        for position in earlier + 1..end {
            let Some(event) = event_at(position) else { continue };
            if event.process == first.process || event.clock.knows(first.process, earlier) {
                continue;
            }
            let knows = |(at, other): &(usize, &Event<_>)| event.clock.knows(other.process, *at);
            if !without.iter().any(knows) {
                beginners.push(event.process);
            }
            without.push((position, event));
        }
        let comes_later = |(at, other): &(usize, &Event<M::Operation>)| {
            clock.knows(other.process, *at)
                || other.process == process
                || other.operations.iter().any(|done| model.dependent(done, operation))
        };
        if !without.iter().any(comes_later) {
            beginners.push(process);
        }
        let node = &mut self.nodes[earlier];
        if beginners.iter().any(|beginner| node.wanted.contains(beginner)) {
            return;
        }
        let chosen =
            if beginners.contains(&process) { Some(process) } else { beginners.first().copied() };
        node.want(chosen.unwrap_or(process));
    }
}

/// What a process does next.
fn pending_of<O>(pending: &[Pending<O>], process: u32) -> Option<&Pending<O>> {
    position_of(pending, process).map(|position| &pending[position])
}

/// Where a process stands among the pending ones.
fn position_of<O>(pending: &[Pending<O>], process: u32) -> Option<usize> {
    pending.binary_search_by_key(&process, |it| it.process).ok()
}

/// Takes note of what processes are about to do, and of what the step from the state before did.
fn note_footprints<O: Clone + PartialEq>(
    footprints: &mut Footprints<O>,
    before: Option<&Node<O>>,
    pending: &[Pending<O>],
) {
    for Pending { process, operation, steps, .. } in pending {
        footprints.note_pending(*process, *steps, operation);
    }
    let Some((before, event)) = before.and_then(|node| Some((node, node.event.as_ref()?))) else {
        return;
    };
    let Some(own) = pending_of(&before.pending, event.process) else { return };
    for operation in event.operations.iter().filter(|it| **it != own.operation) {
        footprints.note_effect(own.process, own.steps, operation);
    }
    let is_new = |it: &&Pending<O>| pending_of(&before.pending, it.process).is_none();
    for child in pending.iter().filter(is_new) {
        footprints.note_created(own.process, own.steps, child.process);
    }
}

/// The processes that sleep on after the last step from a state.
fn still_asleep<M: Dependence>(model: &M, node: &Node<M::Operation>) -> Vec<u32> {
    let Some(event) = &node.event else { return Vec::new() };
    let sleeps_on = |process: &u32| {
        let operation = pending_of(&node.pending, *process).map(|it| &it.operation);
        *process != event.process
            && operation.is_some_and(|operation| {
                !event.operations.iter().any(|done| model.dependent(done, operation))
            })
    };
    node.sleeping.iter().copied().filter(sleeps_on).collect()
}

fn depend<M: Dependence>(model: &M, one: &[M::Operation], other: &[M::Operation]) -> bool {
    one.iter().any(|one| other.iter().any(|other| model.dependent(one, other)))
}
