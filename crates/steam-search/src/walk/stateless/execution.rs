//! The execution that a walk is at: its events, which of them come before which, and in which
//! states another order has to be tried.
//!
//! Two events of different agents are in a *race* if they depend on each other, nothing between
//! orders them, and the later one could have come first. Whoever can begin such an execution has to
//! be tried in the state before the earlier one: source sets (Abdulla, Aronis, Jonsson, Sagonas:
//! Optimal Dynamic Partial Order Reduction, POPL 2014). Deviation: races are looked for with the
//! pending operations of all agents, whether they can be done or not, so that an operation that never
//! can be done because of another one has its turn too.

use std::rc::Rc;

use steam_model::{Delta, Dependence};

use super::clock::Clock;

/// A step that was done.
struct Event<O> {
    agent: u32,
    /// What it did: the agent's operation, then what followed from it.
    operations: Vec<O>,
    clock: Rc<Clock>,
}

/// A state of the execution.
pub(super) struct Node<O> {
    /// What agents do next, ascending by agent, and what each of them knows.
    pending: Vec<(u32, O, Rc<Clock>)>,
    /// Agents whose steps from here were explored already, here or from a state before.
    sleeping: Vec<u32>,
    /// Agents to be tried here.
    wanted: Vec<u32>,
    /// Whether all of them are to be tried.
    all: bool,
    /// The step that was taken here last.
    event: Option<Event<O>>,
}

impl<O> Node<O> {
    /// Whether agents sleep here.
    pub(super) fn sleeps(&self, agent: u32) -> bool {
        self.sleeping.contains(&agent)
    }

    /// Lets an agent sleep from now on: all that its step leads to is explored.
    pub(super) fn let_sleep(&mut self, agent: u32) {
        self.sleeping.push(agent);
    }

    /// Asks for an agent to be tried.
    pub(super) fn want(&mut self, agent: u32) {
        if !self.wanted.contains(&agent) {
            self.wanted.push(agent);
        }
    }

    /// Asks for all who can do something instead of an agent who cannot: somebody has to make it
    /// possible.
    pub(super) fn want_others(&mut self, agent: u32) {
        self.wanted.retain(|wanted| *wanted != agent);
        self.all = true;
    }

    /// Asks for all agents to be tried.
    pub(super) fn want_all(&mut self) {
        self.all = true;
    }

    /// Whether all agents are to be tried.
    pub(super) fn wants_all(&self) -> bool {
        self.all
    }

    /// The agents to be tried.
    pub(super) fn wanted(&self) -> &[u32] {
        &self.wanted
    }

    /// Who took the last step from here.
    pub(super) fn last_agent(&self) -> Option<u32> {
        self.event.as_ref().map(|event| event.agent)
    }
}

/// The states from the initial one to the current one.
pub(super) struct Execution<M: Dependence> {
    nodes: Vec<Node<M::Operation>>,
    /// Whether who sleeps in a state sleeps on behind steps that do not depend on it.
    sleep_sets: bool,
}

impl<M: Dependence> Execution<M> {
    pub(super) fn new(sleep_sets: bool) -> Self {
        Self { nodes: Vec::new(), sleep_sets }
    }

    pub(super) fn node(&mut self, depth: usize) -> &mut Node<M::Operation> {
        &mut self.nodes[depth]
    }

    /// Who took the last step to a state.
    pub(super) fn last_agent(&self, depth: usize) -> Option<u32> {
        self.nodes.get(depth.checked_sub(1)?)?.last_agent()
    }

    /// Asks for all agents to be tried in all states.
    pub(super) fn want_all(&mut self) {
        self.nodes.iter_mut().for_each(Node::want_all);
    }

    /// Adds a state at a depth, and forgets what was behind. Sleeping agents sleep on unless the
    /// step depends on what they do.
    pub(super) fn enter(
        &mut self,
        model: &M,
        depth: usize,
        state: &M::State,
        step: Option<(&M::State, M::Action, &Delta)>,
    ) {
        self.nodes.truncate(depth);
        if let Some((before, action, delta)) = step {
            self.note_event(model, before, action, delta);
        }
        let parent = self.nodes.last();
        let event = parent.and_then(|node| node.event.as_ref());
        let mut pending = Vec::new();
        model.pending(state, &mut |agent, operation| {
            // Who was not there before was created by the last step.
            let kept = parent.and_then(|node| clock_in(node, agent));
            let clock = match event {
                Some(event) if event.agent == agent => Rc::clone(&event.clock),
                Some(event) => kept.unwrap_or_else(|| Rc::clone(&event.clock)),
                None => Rc::default(),
            };
            pending.push((agent, operation, clock));
        });
        let parent = parent.filter(|_| self.sleep_sets);
        let sleeping = parent.map_or_else(Vec::new, |node| still_asleep(model, node));
        let ended = pending.is_empty();
        self.nodes.push(Node { pending, sleeping, wanted: Vec::new(), all: false, event: None });
        if ended && let Some(node) = depth.checked_sub(1).map(|depth| &mut self.nodes[depth]) {
            // The step ended everything: what others would have done cannot be seen any more.
            node.all |= node.pending.len() > 1;
        }
    }

    /// Adds the step from the last state.
    fn note_event(&mut self, model: &M, before: &M::State, action: M::Action, delta: &Delta) {
        let agent = model.agent(action);
        let mut operations = Vec::new();
        model.performed(before, action, delta, &mut operations);
        let position = self.nodes.len() - 1;
        let own = clock_in(&self.nodes[position], agent).unwrap_or_default();
        let mut clock = (*own).clone();
        for (earlier, node) in self.nodes[..position].iter().enumerate().rev() {
            if let Some(event) = &node.event
                && event.agent != agent
                && !clock.knows(event.agent, earlier)
                && depend(model, &event.operations, &operations)
            {
                clock.join(&event.clock);
            }
        }
        // What only followed from the operation was not known to be pending.
        for operation in &operations[1.min(operations.len())..] {
            self.find_races(model, position, agent, operation, &own);
        }
        clock.learn(agent, position);
        let clock = Rc::new(clock);
        self.nodes[position].event = Some(Event { agent, operations, clock });
    }

    /// Looks for races of what agents do next with what was done, and asks for other orders.
    pub(super) fn reverse_races(&mut self, model: &M) {
        let Some(position) = self.nodes.len().checked_sub(1) else { return };
        let pending = std::mem::take(&mut self.nodes[position].pending);
        for (agent, operation, clock) in &pending {
            self.find_races(model, position, *agent, operation, clock);
        }
        self.nodes[position].pending = pending;
    }

    fn find_races(
        &mut self,
        model: &M,
        end: usize,
        agent: u32,
        operation: &M::Operation,
        clock: &Clock,
    ) {
        // What comes before an event of a race is ordered by it.
        let mut ordered = clock.clone();
        for earlier in (0..end).rev() {
            let Some(event) = &self.nodes[earlier].event else { continue };
            let races = |done: &M::Operation| {
                model.dependent(done, operation) && model.may_meet(done, operation)
            };
            if event.agent != agent
                && !ordered.knows(event.agent, earlier)
                && event.operations.iter().any(races)
            {
                ordered.join(&event.clock);
                self.reverse(model, earlier, end, agent, operation, clock);
            }
        }
    }

    /// Asks for somebody to be tried before an event, so that an operation can come before it.
    fn reverse(
        &mut self,
        model: &M,
        earlier: usize,
        end: usize,
        agent: u32,
        operation: &M::Operation,
        clock: &Clock,
    ) {
        let event_at = |position: usize| self.nodes[position].event.as_ref();
        let Some(first) = event_at(earlier) else { return };
        // What does not come behind the event, and can therefore be done without it.
        let mut without: Vec<(usize, &Event<M::Operation>)> = Vec::new();
        let mut beginners: Vec<u32> = Vec::new();
        for position in earlier + 1..end {
            let Some(event) = event_at(position) else { continue };
            if event.agent == first.agent || event.clock.knows(first.agent, earlier) {
                continue;
            }
            let knows = |(at, other): &(usize, &Event<_>)| event.clock.knows(other.agent, *at);
            if !without.iter().any(knows) {
                beginners.push(event.agent);
            }
            without.push((position, event));
        }
        let comes_later = |(at, other): &(usize, &Event<M::Operation>)| {
            clock.knows(other.agent, *at)
                || other.agent == agent
                || other.operations.iter().any(|done| model.dependent(done, operation))
        };
        if !without.iter().any(comes_later) {
            beginners.push(agent);
        }
        let node = &mut self.nodes[earlier];
        if beginners.iter().any(|beginner| node.wanted.contains(beginner)) {
            return;
        }
        let chosen =
            if beginners.contains(&agent) { Some(agent) } else { beginners.first().copied() };
        node.want(chosen.unwrap_or(agent));
    }
}

/// What an agent knows in a state.
fn clock_in<O>(node: &Node<O>, agent: u32) -> Option<Rc<Clock>> {
    let position = node.pending.binary_search_by_key(&agent, |(agent, ..)| *agent).ok()?;
    Some(Rc::clone(&node.pending[position].2))
}

/// The agents that sleep on behind the last step from a state.
fn still_asleep<M: Dependence>(model: &M, node: &Node<M::Operation>) -> Vec<u32> {
    let Some(event) = &node.event else { return Vec::new() };
    let sleeps_on = |agent: &u32| {
        let position = node.pending.binary_search_by_key(agent, |(agent, ..)| *agent);
        let operation = position.ok().map(|position| &node.pending[position].1);
        *agent != event.agent
            && operation.is_some_and(|operation| {
                !event.operations.iter().any(|done| model.dependent(done, operation))
            })
    };
    node.sleeping.iter().copied().filter(sleeps_on).collect()
}

fn depend<M: Dependence>(model: &M, one: &[M::Operation], other: &[M::Operation]) -> bool {
    one.iter().any(|one| other.iter().any(|other| model.dependent(one, other)))
}
