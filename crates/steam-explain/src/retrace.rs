//! Runs a program along a trail and keeps what happens.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;

use steam_linux::kernel::Waiting;
use steam_model::{Delta, Livelocks, Model, Property, Recorder, Step};
use steam_program::{Action, Deadlock, Event, Program, Race, Unknown, Violation, Worker};
use steam_report::{Kind, Location};
use steam_search::walk::Starving;
use steam_state::{Table, ThreadId};
use steam_sync::Address;
use steam_trail::Place;

use crate::broken::{Judge, is_over, states};
use crate::hang;
use crate::holdings::Holdings;
use crate::names::thread_name;
use crate::objects;
use crate::places::users_place;
use crate::race::Racing;

/// One step that was made.
pub struct Traced {
    /// What was done.
    pub action: Action,
    /// The thread's instruction.
    pub eip: u32,
    /// Where the thread stood.
    pub stack: Vec<Location>,
    /// What the system call needed that it did, if that is one that may have to wait.
    pub waited: Option<Waiting>,
    /// The threads that could have gone on.
    pub enabled: Vec<u32>,
    /// What happened.
    pub events: Vec<Event>,
    /// Whether it was progress.
    pub progress: bool,
    /// The state after it, if it led to one.
    pub after: Option<Table>,
}

/// How the path ended.
pub enum Ended {
    /// In a state in which nothing is wrong.
    State,
    /// With an error of the program.
    Violation(Violation),
    /// With something that is not modelled.
    Unknown(Unknown),
    /// Before the trail did: a step was not possible.
    Stuck,
    /// Before the trail did: there was no time to go on.
    Late,
}

/// What is known of a thread that ended.
#[derive(Default)]
pub struct Finished {
    /// Where it made its last step.
    pub place: Place,
}

/// A path and its end.
pub struct Retraced {
    /// The steps.
    pub steps: Vec<Traced>,
    /// How it ended.
    pub end: Ended,
    /// The first state.
    pub initial: Table,
    /// The last state.
    pub state: Table,
    /// Where the threads of the last state stand.
    pub stacks: BTreeMap<ThreadId, Vec<Location>>,
    /// The names of all threads, as far as they are known.
    pub names: BTreeMap<ThreadId, String>,
    /// The threads that ended.
    pub finished: BTreeMap<ThreadId, Finished>,
    /// What the threads hold.
    pub holdings: Holdings,
    /// What synchronisation objects are called that are no variables, as far as that was asked.
    pub objects: BTreeMap<Address, String>,
    /// After how many steps the others are a cycle that may repeat for ever, if they are.
    pub cycle: Option<u32>,
    /// The data race in which it ends, if it does.
    pub race: Option<Racing>,
    /// What the words are called that are no variables, and that threads in a hang wait to see change.
    pub awaited: BTreeMap<(ThreadId, u32), String>,
}

/// Which errors the last state of a trail may be.
#[derive(Clone, Default)]
pub struct Ends {
    /// Whether it may be a deadlock.
    pub deadlock: bool,
    /// Whether it may be a hang.
    pub hang: bool,
    /// In how many successive states a thread may be blocked.
    pub livelock: Option<u32>,
    /// After how many steps the others are to be a cycle without progress.
    pub cycle: Option<u32>,
    /// Which data race its last state is to show.
    pub race: Option<RaceSought>,
    /// Who says whether the whole path is an error, and with `cycle` the run round its last part.
    pub judge: Option<Judge>,
    /// Which errors of steps the path goes past; none by default.
    pub unwanted: Option<Unwanted>,
    /// Who says that there is no time to go on.
    pub deadline: Option<Deadline>,
}

/// Says whether there is no time to go on.
pub type Deadline = Rc<dyn Fn() -> bool>;

/// Says of a kind of error whether it is not looked for.
pub type Unwanted = Rc<dyn Fn(Kind) -> bool>;

/// Which data race is meant.
#[derive(Clone)]
pub enum RaceSought {
    /// One that is this error.
    Error(Violation),
    /// One whose first access is at this file and line.
    At(Place),
}

/// Steps between two questions whether there is time.
const STEPS_OF_GLANCE: usize = 64;

/// Runs a program along a trail to an error of a step, or to one that its end may be.
pub fn retrace(program: &Program, actions: &[Action], sought: Ends) -> Retraced {
    let mut tracing = Retracing { unwanted: sought.unwanted.clone(), ..Retracing::new(program) };
    for (number, &action) in actions.iter().enumerate() {
        if number % STEPS_OF_GLANCE == 0
            && sought.deadline.as_ref().is_some_and(|is_late| is_late())
        {
            tracing.retraced.end = Ended::Late;
            return tracing.retraced;
        }
        if !tracing.go(program, action) {
            break;
        }
    }
    if sought.deadlock
        && let Some(error) = tracing.deadlock(program)
    {
        tracing.retraced.end = Ended::Violation(error);
    }
    if sought.hang
        && let Some(error) = tracing.hang(program)
    {
        tracing.retraced.end = Ended::Violation(error);
    }
    if let Some(error) = sought.livelock.and_then(|most| tracing.livelock(program, most)) {
        tracing.retraced.end = Ended::Violation(error);
    }
    if let Some(judge) = &sought.judge {
        if let Some(error) = tracing.judged(program, judge, sought.cycle) {
            tracing.retraced.cycle = sought.cycle;
            tracing.retraced.end = Ended::Violation(error);
        }
    } else if let Some(error) = sought.cycle.and_then(|begins| tracing.cycle(program, begins)) {
        tracing.retraced.cycle = sought.cycle;
        tracing.retraced.end = Ended::Violation(error);
    }
    tracing.look_around(program);
    tracing.name_objects(program);
    if let Some(race) = &sought.race {
        tracing.find_race(program, race);
    }
    tracing.name_awaited(program);
    tracing.retraced
}

/// A path that is being run again.
pub struct Retracing {
    worker: Worker,
    // Looking at threads changes a worker, so the one that makes the steps does not look.
    looker: Worker,
    delta: Delta,
    /// Who waits, and since when.
    starving: Starving,
    /// Which errors of steps it goes past.
    unwanted: Option<Unwanted>,
    retraced: Retraced,
}

impl Retracing {
    /// Stands where a program begins.
    pub fn new(program: &Program) -> Self {
        let mut worker = program.worker();
        let state = program.initial(&mut worker);
        let retraced = Retraced {
            steps: Vec::new(),
            end: Ended::State,
            initial: state.clone(),
            state,
            stacks: BTreeMap::new(),
            names: BTreeMap::from([(ThreadId::FIRST, "main".to_owned())]),
            finished: BTreeMap::new(),
            holdings: Holdings::default(),
            objects: BTreeMap::new(),
            cycle: None,
            race: None,
            awaited: BTreeMap::new(),
        };
        Self {
            worker,
            looker: program.worker(),
            delta: Delta::new(),
            starving: Starving::default(),
            unwanted: None,
            retraced,
        }
    }

    /// The path so far.
    pub fn retraced(&self) -> &Retraced {
        &self.retraced
    }

    /// Makes one step more, if it is possible; whether it leads to a state.
    pub fn go(&mut self, program: &Program, action: Action) -> bool {
        let Self { worker, looker, delta, starving, unwanted, retraced } = self;
        let mut enabled = Vec::new();
        program.enabled(worker, &retraced.state, &mut enabled);
        *starving = retraced.waiting(program, starving, &enabled);
        if !enabled.contains(&action) {
            retraced.end = Ended::Stuck;
            return false;
        }
        let stack = program.stack_of(looker, &retraced.state, action.thread);
        retraced.note_name(action.thread, &stack);
        let eip = program.view_of(&retraced.state, action.thread).map_or(0, |view| view.eip);
        let waited = program.waiting_in(&retraced.state, action.thread).cloned();
        let mut recorder = Recorder::default();
        delta.clear();
        let step = match program.step(worker, &retraced.state, action, delta, &mut recorder) {
            Step::Violation(error) if unwanted.as_ref().is_some_and(|is| is(error.kind)) => {
                program.go_past(worker, &retraced.state, &error, delta)
            }
            step => step,
        };
        let mut enabled: Vec<u32> = enabled.iter().map(|action| action.thread.0).collect();
        enabled.dedup();
        let events = recorder.events;
        let progress = program.progressed(worker);
        retraced.steps.push(Traced {
            action,
            eip,
            stack,
            waited,
            enabled,
            events,
            progress,
            after: None,
        });
        match step {
            Step::Next => {
                delta.normalise();
                let next = program.patch(worker, &retraced.state, delta.changes());
                retraced.advance(program, next);
                return true;
            }
            Step::Violation(error) => {
                // A hang is a state to which the step has led.
                if error.kind == Kind::Hang {
                    delta.normalise();
                    let next = program.patch(worker, &retraced.state, delta.changes());
                    retraced.advance(program, next);
                } else {
                    retraced.note_last_step(program);
                }
                retraced.end = Ended::Violation(error);
            }
            Step::Unknown(unknown) => {
                retraced.note_last_step(program);
                retraced.end = Ended::Unknown(unknown);
            }
            Step::Infeasible => retraced.end = Ended::Stuck,
        }
        false
    }

    /// The deadlock in which the path ends, if it does.
    pub fn deadlock(&mut self, program: &Program) -> Option<Violation> {
        let ends_in_state = matches!(self.retraced.end, Ended::State);
        let last = self.retraced.steps.last().map(|traced| traced.action);
        let mut found = None;
        if ends_in_state {
            let tell = &mut |error| found = Some(error);
            Deadlock.check(program, &mut self.worker, &self.retraced.state, last, tell);
        }
        found
    }

    /// The hang in which the path ends, if it does.
    fn hang(&mut self, program: &Program) -> Option<Violation> {
        let ends_in_state = matches!(self.retraced.end, Ended::State);
        let hang = ends_in_state.then(|| program.hang_in(&mut self.worker, &self.retraced.state));
        hang.flatten().map(|hang| program.hang_error(&self.retraced.state, &hang))
    }

    /// The livelock in which the path ends, if a thread may be blocked in so many states only.
    fn livelock(&mut self, program: &Program, most: u32) -> Option<Violation> {
        let mut enabled = Vec::new();
        program.enabled(&mut self.worker, &self.retraced.state, &mut enabled);
        let process = self.retraced.waiting(program, &self.starving, &enabled).beyond(most)?;
        let lives = matches!(self.retraced.end, Ended::State) && !enabled.is_empty();
        lives.then(|| program.livelock(&self.retraced.state, process, most))
    }

    /// The error that the judge says the path is, with the cycle after so many steps.
    fn judged(&self, program: &Program, judge: &Judge, cycle: Option<u32>) -> Option<Violation> {
        let retraced = &self.retraced;
        let mut states = states(retraced).filter(|_| matches!(retraced.end, Ended::State))?;
        if let Some(begins) = cycle {
            let last = states.len() - 1;
            match begins as usize {
                // Nothing more happens, for ever.
                begins if begins == last => is_over(program, &states[last]).then_some(())?,
                begins => {
                    let first = states.get(begins)?;
                    let closes = vector(program, first) == vector(program, &states[last]);
                    closes.then_some(())?;
                    states.pop();
                }
            }
        }
        judge(program, &states, cycle)
    }

    /// The cycle without progress that the steps after so many are, if they are one.
    fn cycle(&self, program: &Program, begins: u32) -> Option<Violation> {
        let retraced = &self.retraced;
        let steps = retraced.steps.get(begins as usize..).filter(|steps| !steps.is_empty())?;
        let before = match begins {
            0 => Some(&retraced.initial),
            _ => retraced.steps[begins as usize - 1].after.as_ref(),
        };
        let states = std::iter::once(before).chain(steps.iter().map(|step| step.after.as_ref()));
        let states: Vec<Table> = states.flatten().cloned().collect();
        let closes = states.len() == steps.len() + 1
            && match &states[..] {
                [first, .., last] => vector(program, first) == vector(program, last),
                _ => false,
            };
        if !closes || steps.iter().any(|step| step.progress) {
            return None;
        }
        let acts = steps.iter().map(|step| step.action);
        Some(program.non_progress(&states.into_iter().zip(acts).collect::<Vec<_>>()))
    }

    /// Finds the data race that is meant among those of the last state.
    fn find_race(&mut self, program: &Program, sought: &RaceSought) {
        if !matches!(self.retraced.end, Ended::State) {
            return;
        }
        let races = program.races(&mut self.looker, &self.retraced.state);
        let is_meant = |(race, error): &(Race, Violation)| match sought {
            RaceSought::Error(sought) => error == sought,
            RaceSought::At(place) => {
                let stack = self.retraced.stacks.get(&race.sides[0].thread);
                let found = stack.map(|stack| users_place(stack)).unwrap_or_default();
                (&found.file, found.line) == (&place.file, place.line)
            }
        };
        let Some((race, error)) = races.into_iter().find(is_meant) else { return };
        self.retraced.race =
            Some(Racing::new(program, &mut self.worker, &self.retraced.state, race));
        self.retraced.end = Ended::Violation(error);
    }

    /// Finds out what the words are called for which threads wait in a hang.
    fn name_awaited(&mut self, program: &Program) {
        let Self { worker, looker, retraced, .. } = self;
        if matches!(&retraced.end, Ended::Violation(error) if error.kind == Kind::Hang) {
            retraced.awaited = hang::awaited(program, (worker, looker), &retraced.state);
        }
    }

    /// Finds out what the objects are called that threads use.
    fn name_objects(&mut self, program: &Program) {
        let Self { worker, looker, retraced, .. } = self;
        retraced.objects =
            objects::names(program, (worker, looker), &retraced.steps, &retraced.state);
    }

    /// Finds out where the threads of the last state stand.
    pub fn look_around(&mut self, program: &Program) {
        let Self { looker, retraced, .. } = self;
        retraced.stacks.clear();
        for view in program.view(&retraced.state) {
            let stack = program.stack_of(looker, &retraced.state, view.thread);
            retraced.note_name(view.thread, &stack);
            retraced.stacks.insert(view.thread, stack);
        }
    }
}

/// All that a state is made of.
fn vector(program: &Program, state: &Table) -> Vec<u32> {
    let mut vector = Vec::new();
    program.describe(state, &mut vector);
    // Trailing zeros do not count.
    vector.truncate(vector.iter().rposition(|id| *id != 0).map_or(0, |last| last + 1));
    vector
}

impl Retraced {
    /// Who waits in the last state, if it was so before.
    fn waiting(&self, program: &Program, before: &Starving, enabled: &[Action]) -> Starving {
        let able: Vec<u32> = enabled.iter().map(|action| action.thread.0).collect();
        let threads = program.view(&self.state);
        let pending: Vec<u32> = threads.iter().map(|view| view.thread.0).collect();
        before.next(&pending, &able)
    }

    /// Notes what a thread is called, as soon as its call stack shows it.
    fn note_name(&mut self, thread: ThreadId, stack: &[Location]) {
        if let Entry::Vacant(unknown) = self.names.entry(thread)
            && let Some(name) = thread_name(stack)
        {
            unknown.insert(name);
        }
    }

    /// Goes to the next state and notes what became of the threads.
    fn advance(&mut self, program: &Program, next: Table) {
        if let Some(last) = self.steps.last_mut() {
            last.after = Some(next.clone());
        }
        self.state = next;
        let Some(last) = self.steps.last() else { return };
        for event in &last.events {
            match event {
                Event::Created { thread, .. } => {
                    self.finished.remove(thread);
                    self.names.remove(thread);
                }
                Event::Ended(thread) => {
                    let steps = self.steps.iter().rev();
                    let last = steps.clone().find(|traced| traced.action.thread == *thread);
                    let place = last.map(|traced| users_place(&traced.stack)).unwrap_or_default();
                    self.finished.insert(*thread, Finished { place });
                }
                _ => {}
            }
        }
        self.holdings.follow(program, &self.state, &last.events);
    }

    /// Notes what a step did to locks that leads to no state any more.
    fn note_last_step(&mut self, program: &Program) {
        if let Some(last) = self.steps.last() {
            self.holdings.guess(program, &self.state, &last.events);
        }
    }
}
