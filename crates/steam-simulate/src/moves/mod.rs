//! Going through time: by visible operation, line or instruction, up to the next point, and back.

mod back;
mod line;
mod run;
mod visible;

pub use line::Unit;

use steam_explain::Ended;
use steam_program::{Action, Event};
use steam_state::ThreadId;

use crate::simulation::Simulation;

/// Why a move ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It was as long as it should be.
    Done,
    /// A thread came to a breakpoint.
    Break(u32),
    /// A watched expression has another value.
    Watch(Vec<Changed>),
    /// Something is wrong: [`Simulation::finding`] says what.
    Finding,
    /// The program ended with this status.
    Exited(i32),
    /// The program has ended before.
    Over,
    /// The step contradicts an assumption of the program: what follows does not count.
    Infeasible,
    /// The chosen thread ended.
    ThreadEnded(ThreadId),
    /// The chosen thread cannot go on now.
    Waits(ThreadId),
    /// The chosen thread can go on by several choices.
    Choices(ThreadId),
    /// It took very many steps already.
    Limit,
    /// The user wanted it to end.
    Interrupted,
    /// There is nothing before.
    Start,
}

/// The values of watched expressions, by the numbers of their watchpoints.
pub(crate) type Values = Vec<(u32, String)>;

/// A watched expression that got another value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The number of the watchpoint.
    pub number: u32,
    /// The expression.
    pub text: String,
    /// Its value before.
    pub from: String,
    /// Its value now.
    pub to: String,
}

/// What a move did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Went {
    /// The steps that were made on the path, by position.
    pub made: std::ops::Range<usize>,
    /// Why it ended.
    pub stop: Stop,
}

impl Simulation<'_> {
    /// The step with which a thread goes on.
    pub(crate) fn action_of(&mut self, thread: ThreadId) -> Result<Action, Stop> {
        if let Some((action, _)) = &self.inside {
            return Ok(*action);
        }
        let mut choices = self.enabled();
        choices.retain(|action| action.thread == thread);
        if let Some(choice) = self.choice.filter(|_| thread == self.thread) {
            choices.retain(|action| action.choice == choice);
        } else if let Some(recorded) = self.recorded().filter(|action| choices.contains(action)) {
            return Ok(recorded);
        }
        match choices[..] {
            [] if self.has_ended() => Err(Stop::Over),
            [] if self.lives(thread) => Err(Stop::Waits(thread)),
            [] => Err(Stop::ThreadEnded(thread)),
            [action] => Ok(action),
            _ => Err(Stop::Choices(thread)),
        }
    }

    /// Whether a thread is there.
    pub(crate) fn lives(&self, thread: ThreadId) -> bool {
        self.state().is_some_and(|state| self.program.view_of(state, thread).is_some())
    }

    /// Whether no thread is left.
    pub(crate) fn has_ended(&self) -> bool {
        self.state().is_some_and(|state| self.program.view(state).is_empty())
    }

    /// The values of watched expressions where the user stands, if there are any.
    pub(crate) fn values_before(&mut self) -> Option<Values> {
        self.points.has_watches().then(|| self.watched())
    }

    /// Makes a step and says what came of it; none if the move may go on.
    pub(crate) fn commit(&mut self, action: Action) -> Option<Stop> {
        let before = self.values_before();
        self.commit_since(before, action)
    }

    /// The same where the step was already looked into on the path: watched expressions had the values
    /// `before` when the move began.
    pub(crate) fn commit_since(&mut self, before: Option<Values>, action: Action) -> Option<Stop> {
        let looked = self.inside.as_ref().filter(|(_, inside)| !inside.is_over());
        let runner = looked.map(|(_, inside)| inside.thread());
        if !self.make(action) {
            return Some(Stop::Waits(action.thread));
        }
        // Whoever was looked at inside the step stays the chosen one.
        if let Some(runner) = runner.filter(|&thread| self.lives(thread)) {
            self.thread = runner;
        }
        if let Some(stop) = self.judged() {
            return Some(stop);
        }
        let changed = self.changes(&before?);
        (!changed.is_empty()).then_some(Stop::Watch(changed))
    }

    /// What is to be said of the state in which the user stands, if it is not one like others.
    fn judged(&mut self) -> Option<Stop> {
        let last = self.cursor.checked_sub(1).and_then(|last| self.made().get(last))?;
        let exited = last.events.iter().find_map(|event| match event {
            Event::Exited(status) => Some(*status),
            _ => None,
        });
        if let Some(status) = exited {
            return Some(Stop::Exited(status));
        }
        // What was gone along before was judged then.
        if self.cursor < self.made().len() {
            return None;
        }
        match &self.tracing.retraced().end {
            Ended::Violation(_) | Ended::Unknown(_) => Some(Stop::Finding),
            Ended::Stuck | Ended::Late => Some(Stop::Infeasible),
            Ended::State if !self.deadlocks => None,
            Ended::State => self.tracing.deadlock(&self.program).map(|_| Stop::Finding),
        }
    }
}
