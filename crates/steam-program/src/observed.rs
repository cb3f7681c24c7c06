//! What observes every state, beside the threads: invariants and temporal formulas.
//!
//! What is looked at must not change within a step, or states would be missed. So each write to a word
//! that was read for this is a step of its own ([`MemoryFact::ObservedWord`]), also where no other thread is there; which
//! words are read is learned as it is learned what threads share. What a program has left behind when it
//! has ended is only what holds of it.

use std::sync::Arc;

use steam_model::{Change, Delta, Model, Propositions};
use steam_report::{Kind, Report};
use steam_state::{Component, Key, Place, RegionKind, Space, Table, ThreadId};
use steam_visibility::{Memory, MemoryFact, Mode, OthersFact, SearchFact, Watching};

use super::finding::Violation;
use super::{Program, Worker};

/// What is looked at in every state.
pub type Observed = Arc<dyn Propositions<Program> + Send + Sync>;

/// The memory of a process in a state.
pub struct StateMemory<'a> {
    memory: &'a mut Memory,
}

impl StateMemory<'_> {
    /// Reads memory; false where the program could not read all of it.
    pub fn read(&mut self, address: u32, bytes: &mut [u8]) -> bool {
        self.memory.read_bytes(address, bytes).is_ok() || {
            self.memory.take_error();
            false
        }
    }

    /// Whether an address is of a variable that is always there.
    pub fn is_static(&self, address: u32) -> bool {
        let region = self.memory.regions().find(address);
        region.is_some_and(|(_, region)| matches!(region.kind, RegionKind::Image(_)))
    }

    /// The first address of the mapping that holds an address, and the first one after it.
    pub(super) fn mapping(&self, address: u32) -> Option<(u32, u32)> {
        self.memory.regions().find(address).map(|(start, region)| (start, region.end))
    }

    /// The number of the executable file that the process runs, as far as one is mapped.
    fn image(&self) -> Option<u32> {
        self.memory.regions().iter().find_map(|(_, region)| match region.kind {
            RegionKind::Image(number) => Some(number),
            _ => None,
        })
    }

    /// Where an address of the process lies, among all that processes have.
    pub fn place(&self, address: u32) -> Place {
        self.memory.place(address)
    }
}

impl Program {
    /// Lets a property observe every state, and what threads hold and wait for if that is said.
    pub fn observe(&mut self, observed: Observed, threads: bool) {
        if threads {
            self.observe_threads();
        }
        self.observed = Some(observed);
        // The words of the first state are known from the beginning.
        let mut worker = self.worker();
        let state = self.initial(&mut worker);
        if let Some(observed) = &self.observed {
            observed.valuation(self, &mut worker, &state);
        }
    }

    /// From the next iteration on it is seen in every state who could go on: what threads give up, create and
    /// end are steps of their own. Otherwise a lock may be taken and given up within one step, as if
    /// those who wait for it could always have it: whether a run is fair depends on that.
    pub fn observe_threads(&self) {
        let sharing = &self.stores.sharing;
        sharing.learn(SearchFact::ObservesThreads);
        sharing.learn(OthersFact::ObservesThreadEnd);
    }

    /// From the next iteration on that is no longer seen, as far as threads do not need it themselves.
    pub fn observe_threads_no_more(&self) {
        let sharing = &self.stores.sharing;
        sharing.forget(SearchFact::ObservesThreads);
        sharing.forget(OthersFact::ObservesThreadEnd);
    }

    /// What is looked at in every state.
    pub fn observed(&self) -> Option<&Observed> {
        self.observed.as_ref()
    }

    /// The memory of a process in a state. The rest as for [`stack_of`](Self::stack_of).
    pub fn memory_of<'a>(
        &self,
        worker: &'a mut Worker,
        state: &Table,
        space: Space,
    ) -> StateMemory<'a> {
        let memory = &mut worker.machine.cpu.memory;
        memory.attach(state, space);
        memory.watch(space.leader(), Mode::Off);
        StateMemory { memory }
    }

    /// Whether a process runs the program whose variables are known, and not another one by `execve`.
    pub fn is_run_by(&self, memory: &StateMemory<'_>) -> bool {
        let other = memory.image().and_then(|number| self.stores.images.get(number));
        other.is_none_or(|other| other.is_same(&self.image))
    }

    /// The error that something which is claimed does not hold: in a state, or along a run.
    pub fn broken(&self, kind: Kind, claim: u32, message: String) -> Violation {
        let thread = ThreadId::FIRST;
        let report = Report {
            kind,
            message,
            thread,
            stack: Vec::new(),
            culprit: None,
            access: None,
            block: None,
        };
        Violation {
            kind,
            thread,
            places: Vec::new(),
            claim: Some(claim),
            about: Vec::new(),
            report: Arc::new(report),
        }
    }

    /// The words of some bytes are looked at: from the next iteration on, each write to them is a step.
    pub fn tell(&self, place: Place, size: u32) {
        let sharing = &self.stores.sharing;
        let start = place.address() & !3;
        let end = place.address().saturating_add(size.max(1) - 1);
        for word in (start..=end).step_by(4).map(|word| place.space().at(word)) {
            if !sharing.is_observed(word) {
                sharing.learn(MemoryFact::ObservedWord(word));
            }
        }
    }

    /// Numbers for what is in some pages of the first process, and for what is mapped where, in the state
    /// that differs from one in some slots: equal ones stand for equal contents. Nothing if the program
    /// has ended there. The worker has the room for them.
    pub fn contents<'a>(
        &self,
        worker: &'a mut Worker,
        state: &Table,
        changes: &[Change],
        pages: &[u32],
    ) -> Option<&'a [u32]> {
        let component = |key: Key| {
            let is_changed =
                |change: &&Change| self.stores.state.slots.key(change.slot) == Some(key);
            let change = changes.iter().find(is_changed);
            change.map_or_else(|| self.unrecorded(state, key).0, |change| change.new)
        };
        let contents = &mut worker.contents;
        contents.clear();
        contents.push(component(Key::Regions(Space::FIRST)));
        contents.extend(pages.iter().map(|page| component(Key::Page(Space::FIRST.page(*page)))));
        (component(Key::Kernel) != 0).then_some(contents.as_slice())
    }

    /// What held at the end of a program, if a state is that of a program that has ended.
    pub fn held_at_end(&self, state: &Table) -> Option<u64> {
        self.has_ended(state).then(|| {
            let id = self.unrecorded(state, Key::Process(Space::FIRST));
            self.stores.processes.get(id).observed
        })
    }
}

impl Worker {
    /// What holds when the program has just ended: of memory as it is now, and of no thread.
    pub(super) fn holds_at_end(&mut self, program: &Program, state: &Table) -> u64 {
        // It is not asked for what held.
        let Some(observed) = program.observed() else { return 0 };
        let mut delta = Delta::new();
        self.machine.freeze(state, &mut delta);
        delta.normalise();
        let mut last = program.patch(self, state, delta.changes());
        let is_thread = |slot: u32| matches!(program.key_of(slot), Key::Thread(_));
        let threads: Vec<Change> = last
            .iter()
            .filter(|(slot, _)| is_thread(*slot))
            .map(|(slot, id)| Change { slot, old: id.0, new: 0 })
            .collect();
        for thread in threads {
            last.set(thread.slot, Component(0));
        }
        observed.valuation(program, self, &last)
    }
}
