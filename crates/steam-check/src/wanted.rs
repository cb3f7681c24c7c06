//! A program of whose errors only some kinds are looked for: a run that comes to another one goes on as it
//! would after an exit ([`Program::go_past`]).

use std::rc::Rc;

use steam_explain::Unwanted;
use steam_model::{
    Change, Changes, Delta, Layer, LayerOperations, Model, Observer, Property, Propositions, Step,
    StepOf,
};
use steam_program::{Accesses, Action, Deadlock, Event, Program, Race, Touch, Violation, Worker};
use steam_props::ProgramPropositions;
use steam_report::Kind;
use steam_state::Table;

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
pub struct Shown<'a>(pub &'a ProgramPropositions);

impl<'a> Propositions<Wanted<'a>> for Shown<'_> {
    fn count(&self) -> u32 {
        self.0.count()
    }

    fn valuation(&self, model: &Wanted<'a>, worker: &mut Worker, state: &Table) -> u64 {
        self.0.valuation(model.program, worker, state)
    }
}

impl<'a> Changes<Wanted<'a>> for Shown<'_> {
    fn may_change(&self, model: &Wanted<'a>, operation: &Touch) -> bool {
        model.program.may_be_observed(operation)
    }
}

/// The property of states: no deadlock and no race, if they are looked for, and all invariants.
pub struct Sought;

/// Whether an error is one of those that are looked for.
fn is_wanted(find: &[ErrorClass], kind: Kind) -> bool {
    ErrorClass::of(kind).is_some_and(|class| find.contains(&class))
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

impl Layer for Wanted<'_> {
    type Inner = Program;
    const SLOTS: u32 = 0;
    type State = Table;
    type Worker = Worker;

    fn inner(&self) -> &Program {
        self.program
    }

    fn state_within(state: &Table) -> &Table {
        state
    }

    fn worker_within(worker: &Worker) -> &Worker {
        worker
    }

    fn worker_within_mut(worker: &mut Worker) -> &mut Worker {
        worker
    }

    fn new_worker(&self) -> Worker {
        self.program.worker()
    }

    fn first_state(&self, worker: &mut Worker) -> Table {
        self.start.clone().unwrap_or_else(|| self.program.initial(worker))
    }

    fn describe_state(&self, state: &Table, vector: &mut Vec<u32>) {
        self.program.describe(state, vector);
    }

    fn patch_state(&self, worker: &mut Worker, base: &Table, changes: &[Change]) -> Table {
        self.program.patch(worker, base, changes)
    }

    fn make_step<O: Observer<Event>>(
        &self,
        worker: &mut Worker,
        state: &Table,
        action: Action,
        delta: &mut Delta,
        observer: &mut O,
    ) -> StepOf<Program> {
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

    fn reports_hang(&self, error: &Violation) -> bool {
        is_wanted(self.find, error.kind)
    }
}

impl LayerOperations for Wanted<'_> {
    const ALL_DEPEND: bool = false;
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
