//! A program of whose errors only some kinds are looked for: a run that comes to another one goes on as it
//! would behind an exit ([`Program::go_past`]).

use std::rc::Rc;

use steam_linux::program::{
    Accesses, Action, Deadlock, Event, Program, Race, Touch, Unknown, Violation, Worker,
};
use steam_linux::report::Kind;
use steam_model::{
    Change, Changes, Delta, Dependence, Learns, Livelocks, Model, Observer, Property,
    Propositions as Holding, SharedAccess, Step, StepOf, Tally, ThreadFacts, Threads,
};
use steam_props::Propositions;
use steam_state::Table;
use steam_story::Unwanted;

use crate::class::ErrorClass;
use crate::suppressed::Suppressed;

/// A program and the errors that are looked for.
pub struct Wanted<'a> {
    /// The program.
    pub program: &'a Program,
    /// The kinds of errors.
    pub find: &'a [ErrorClass],
    /// The state in which everything begins, if it is not the program's first one.
    pub start: Option<Table>,
    /// What is claimed of every state.
    pub invariants: Option<&'a dyn Property<Program>>,
    /// Errors that are looked for and left out.
    pub suppressed: Option<&'a Suppressed>,
}

/// What holds in the states of a program of whose errors only some kinds are looked for.
pub struct Shown<'a>(pub &'a Propositions);

impl<'a> Holding<Wanted<'a>> for Shown<'_> {
    fn count(&self) -> u32 {
        self.0.count()
    }

    fn valuation(&self, model: &Wanted<'a>, worker: &mut Worker, state: &Table) -> u64 {
        self.0.valuation(model.program, worker, state)
    }
}

impl<'a> Changes<Wanted<'a>> for Shown<'_> {
    fn may_change(&self, model: &Wanted<'a>, operation: &Touch) -> bool {
        model.program.may_tell(operation)
    }
}

/// The property of states: no deadlock and no race, if they are looked for, and all invariants.
pub struct Sought;

/// Whether an error is one of those that are looked for.
fn is_wanted(find: &[ErrorClass], kind: Kind) -> bool {
    find.contains(&ErrorClass::of(kind))
}

/// Says which errors of steps the trail of a finding of a kind goes past: those that are not looked for, and
/// all where it is to break a claim. A trail to another error may lead through the states of a hang: a
/// search that still learns says nothing of those.
pub fn unwanted(find: &[ErrorClass], claims: bool, sought: &str) -> Unwanted {
    let find = find.to_vec();
    let hangs = sought == Kind::Hang.name();
    Rc::new(move |kind| claims || !is_wanted(&find, kind) || kind == Kind::Hang && !hangs)
}

impl Wanted<'_> {
    fn suppresses(&self, error: &Violation) -> bool {
        self.suppressed.is_some_and(|suppressed| suppressed.has_step(error))
    }
}

impl Model for Wanted<'_> {
    type State = Table;
    type Action = Action;
    type Event = Event;
    type Violation = Violation;
    type Unknown = Unknown;
    type Worker = Worker;

    fn worker(&self) -> Worker {
        self.program.worker()
    }

    fn initial(&self, worker: &mut Worker) -> Table {
        self.start.clone().unwrap_or_else(|| self.program.initial(worker))
    }

    fn describe(&self, state: &Table, vector: &mut Vec<u32>) {
        self.program.describe(state, vector);
    }

    fn patch(&self, worker: &mut Worker, base: &Table, changes: &[Change]) -> Table {
        self.program.patch(worker, base, changes)
    }

    fn enabled(&self, worker: &mut Worker, state: &Table, actions: &mut Vec<Action>) {
        self.program.enabled(worker, state, actions);
    }

    fn step<O: Observer<Event>>(
        &self,
        worker: &mut Worker,
        state: &Table,
        action: Action,
        delta: &mut Delta,
        observer: &mut O,
    ) -> StepOf<Self> {
        match self.program.step(worker, state, action, delta, observer) {
            Step::Violation(error) if !is_wanted(self.find, error.kind) => {
                self.program.note_passed(state, &error);
                self.program.go_past(worker, state, &error, delta)
            }
            // The verdict names what a suppression has cut off.
            Step::Violation(error) if self.suppresses(&error) => {
                self.program.go_past(worker, state, &error, delta)
            }
            step => step,
        }
    }

    fn is_grave(&self, violation: &Violation) -> bool {
        self.program.is_grave(violation)
    }

    fn is_in_the_way(&self, unknown: &Unknown) -> bool {
        self.program.is_in_the_way(unknown)
    }

    fn unhurry(&self, worker: &mut Worker) {
        self.program.unhurry(worker);
    }

    fn effort(&self, worker: &Worker) -> u64 {
        self.program.effort(worker)
    }

    fn agent(&self, action: Action) -> u32 {
        self.program.agent(action)
    }

    fn is_chance(&self, action: Action) -> bool {
        self.program.is_chance(action)
    }

    fn bytes(&self) -> u64 {
        self.program.bytes()
    }

    fn bytes_beside(&self, changes: usize) -> u64 {
        self.program.bytes_beside(changes)
    }
}

impl Threads for Wanted<'_> {
    fn threads(&self, state: &Table, visit: &mut dyn FnMut(ThreadFacts)) {
        self.program.threads(state, visit);
    }

    fn tally(&self, worker: &mut Self::Worker, state: &Table) -> Tally {
        self.program.tally(worker, state)
    }

    fn access(&self, state: &Table, action: Self::Action) -> Option<SharedAccess> {
        self.program.access(state, action)
    }
}

impl Dependence for Wanted<'_> {
    type Operation = Touch;

    fn pending(&self, worker: &mut Self::Worker, state: &Table, visit: &mut dyn FnMut(u32, Touch)) {
        Dependence::pending(self.program, worker, state, visit);
    }

    fn performed(
        &self,
        pending: &Touch,
        before: &Table,
        action: Action,
        delta: &Delta,
        did: &mut Vec<Touch>,
    ) {
        self.program.performed(pending, before, action, delta, did);
    }

    fn dependent(&self, one: &Touch, other: &Touch) -> bool {
        self.program.dependent(one, other)
    }

    fn clash(&self, one: &Touch, other: &Touch) -> Option<(u32, u32)> {
        self.program.clash(one, other)
    }

    fn may_meet(&self, one: &Touch, other: &Touch) -> bool {
        self.program.may_meet(one, other)
    }
}

impl Livelocks for Wanted<'_> {
    fn livelock(&self, state: &Table, agent: u32, states: u32) -> Violation {
        self.program.livelock(state, agent, states)
    }

    fn progressed(&self, worker: &Worker) -> bool {
        self.program.progressed(worker)
    }

    fn yields(&self, before: &Table, action: Action) -> bool {
        self.program.yields(before, action)
    }

    fn circling(&self, cycle: &[(Table, Action)]) -> Violation {
        self.program.circling(cycle)
    }

    fn hang(&self, worker: &mut Worker, state: &Table) -> Option<Violation> {
        let hang = Livelocks::hang(self.program, worker, state);
        hang.filter(|error| is_wanted(self.find, error.kind))
    }
}

impl Learns for Wanted<'_> {
    fn begin_round(&self) {
        self.program.begin_round();
    }

    fn conclude_round(&self) {
        self.program.conclude_round();
    }

    fn learned(&self) -> bool {
        self.program.learned()
    }
}

impl Property<Wanted<'_>> for Sought {
    fn check(
        &self,
        model: &Wanted<'_>,
        worker: &mut Worker,
        state: &Table,
        last: Option<Action>,
        tell: &mut dyn FnMut(Violation),
    ) {
        let tell = &mut |error: Violation| match model.suppressed {
            // Races were asked for one by one.
            Some(suppressed)
                if error.kind != Kind::Race
                    && suppressed.has_state(model.program, state, &error) => {}
            _ => tell(error),
        };
        if is_wanted(model.find, Kind::Deadlock) {
            Deadlock.check(model.program, worker, state, last, tell);
        }
        if is_wanted(model.find, Kind::Race) {
            let suppressed = model.suppressed.filter(|it| !it.is_empty());
            let is_left_out = |race: &Race, error: &Violation| {
                suppressed.is_some_and(|it| it.has_race(model.program, state, race, error))
            };
            model.program.look_for_races(worker, state, &is_left_out, tell);
        }
        if let Some(invariants) = model.invariants {
            invariants.check(model.program, worker, state, last, tell);
        }
        Accesses.check(model.program, worker, state, last, tell);
    }
}
