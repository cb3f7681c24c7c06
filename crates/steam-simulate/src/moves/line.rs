//! By line and by instruction: a thread goes on alone, and its steps are looked into.

use steam_report::{Location, locations};
use steam_state::ThreadId;

use super::{Stop, Went};
use crate::lines::Line;
use crate::simulation::Simulation;

/// Instructions after which a line counts as endless.
const MOST_TURNS: u64 = 50_000_000;

/// Where a thread goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The next line, also that of a function which is called.
    Line,
    /// The next line of the same function, or of one that called it.
    LineOver,
    /// After the call of the function.
    Out,
}

/// Where a thread was when it began to go.
struct Start {
    thread: ThreadId,
    line: Option<Line>,
    depth: usize,
}

impl Simulation<'_> {
    /// Lets the chosen thread do one instruction.
    pub fn step_instruction(&mut self) -> Result<Went, Stop> {
        let (thread, from) = (self.thread, self.cursor);
        let action = self.action_of(thread)?;
        let before = self.values_before();
        let goes_on = match &mut self.inside {
            Some((_, inside)) => inside.turn(&self.program),
            None => {
                self.enter(action);
                self.inside.as_ref().is_some_and(|(_, inside)| !inside.is_over())
            }
        };
        let stop = match goes_on {
            true => {
                self.follow_runner();
                Stop::Done
            }
            false => {
                let stop = self.commit_since(before, action).unwrap_or(Stop::Done);
                if self.lives(thread) {
                    self.thread = thread;
                }
                stop
            }
        };
        Ok(Went { made: from..self.cursor, stop })
    }

    /// Lets the chosen thread go on to another line, making as many steps as that takes.
    pub fn step_line(&mut self, unit: Unit) -> Result<Went, Stop> {
        let from = self.cursor;
        let start = self.start();
        let mut first = Some(self.action_of(start.thread)?);
        let mut stood = self.stands_inside();
        let stop = loop {
            let next = first.take().map_or_else(|| self.action_of(start.thread), Ok);
            let action = match next {
                Ok(action) => action,
                Err(stop) => break stop,
            };
            let before = self.values_before();
            if let Some(stop) = self.look_for(&start, unit, action) {
                break stop;
            }
            if let Some(stop) = self.commit_since(before, action) {
                break stop;
            }
            if !self.lives(start.thread) {
                break Stop::ThreadEnded(start.thread);
            }
            self.thread = start.thread;
            if let Some(number) = self.break_here(stood.take()) {
                break Stop::Break(number);
            }
            if self.has_arrived(&start, unit, false) {
                break Stop::Done;
            }
        };
        Ok(Went { made: from..self.cursor, stop })
    }

    fn start(&mut self) -> Start {
        Start { thread: self.thread, line: self.line(), depth: self.depth() }
    }

    /// Looks for the end of a move inside a step; none if the step has to be made for it.
    fn look_for(
        &mut self,
        start: &Start,
        unit: Unit,
        action: steam_program::Action,
    ) -> Option<Stop> {
        if self.inside.is_none() {
            self.enter(action);
            if let Some(number) = self.break_after_operation() {
                return Some(Stop::Break(number));
            }
            if self.is_after_operation() && self.has_arrived(start, unit, true) {
                return Some(Stop::Done);
            }
        }
        let mut left = MOST_TURNS;
        loop {
            let (_, inside) = self.inside.as_mut()?;
            if inside.is_over() || !inside.turn(&self.program) || inside.thread() != start.thread {
                return None;
            }
            let eip = inside.eip();
            if let Some(number) = self.stop_at(start.thread, eip) {
                return Some(Stop::Break(number));
            }
            if self.has_arrived(start, unit, true) {
                return Some(Stop::Done);
            }
            left -= 1;
            if left == 0 {
                return Some(Stop::Limit);
            }
            if self.is_stopped() {
                return Some(Stop::Interrupted);
            }
        }
    }

    /// Whether the thread is where it should go to; within a step only where a line begins.
    fn has_arrived(&mut self, start: &Start, unit: Unit, within: bool) -> bool {
        if unit == Unit::Out {
            // Only where the user's code goes on can a function of the user have returned.
            return self.line_at_eip().is_some() && self.depth() < start.depth;
        }
        let line = if within { self.begun_line() } else { self.line() };
        let other = line.is_some() && (line != start.line || self.depth() < start.depth);
        other && (unit == Unit::Line || self.depth() <= start.depth)
    }

    /// Who stands where in the step that is looked into.
    pub(crate) fn stands_inside(&self) -> Option<(ThreadId, u32)> {
        self.inside.as_ref().map(|(_, inside)| (inside.thread(), inside.eip()))
    }

    /// The breakpoint before whose instruction the chosen thread stands, having just come there. Who
    /// `stood` there in the step, when it had no more to do, has not.
    pub(crate) fn break_here(&mut self, stood: Option<(ThreadId, u32)>) -> Option<u32> {
        let eip = |steps: usize| {
            let state = self.state_after(steps)?;
            self.program.view_of(state, self.thread).map(|view| view.eip)
        };
        let here = eip(self.cursor)?;
        let before = self.cursor.checked_sub(1).and_then(eip);
        let stays = before == Some(here) || stood == Some((self.thread, here));
        if stays { None } else { self.stop_at(self.thread, here) }
    }

    /// Whether the step that is looked into is right after its visible operation, and that took the
    /// thread to another instruction: of one that makes several accesses there is more to come.
    pub(crate) fn is_after_operation(&self) -> bool {
        let Some((action, inside)) = &self.inside else { return false };
        let before = self.state().and_then(|state| self.program.view_of(state, action.thread));
        let moved = before.is_some_and(|view| view.eip != inside.eip());
        moved && !inside.is_over() && inside.turns() == 0 && inside.thread() == action.thread
    }

    /// The breakpoint right after the visible operation of the step that is looked into.
    pub(crate) fn break_after_operation(&mut self) -> Option<u32> {
        let at = self.inside.as_ref().map(|(_, inside)| (inside.thread(), inside.eip()));
        let (thread, eip) = at.filter(|_| self.is_after_operation())?;
        self.stop_at(thread, eip)
    }

    /// The breakpoint at an instruction, if a thread that stands before it should stop there. What
    /// cannot be said in a condition is said to the user by stopping.
    pub(crate) fn stop_at(&mut self, thread: ThreadId, eip: u32) -> Option<u32> {
        let points: Vec<(u32, Option<String>)> = self.points.at(eip).collect();
        let (own, frame) = (self.thread, self.frame.take());
        self.thread = thread;
        let mut points = points.into_iter();
        let found = points.find(|(_, condition)| {
            condition.as_ref().is_none_or(|condition| self.holds(condition))
        });
        (self.thread, self.frame) = (own, frame);
        found.map(|(number, _)| number)
    }

    fn holds(&mut self, condition: &str) -> bool {
        let value = self.evaluate(condition, Some('d'));
        value.map_or(true, |(value, _)| !matches!(value.as_str(), "0" | "false"))
    }

    /// Whoever runs inside the step is the chosen thread.
    pub(crate) fn follow_runner(&mut self) {
        if let Some((_, inside)) = &self.inside {
            self.thread = inside.thread();
        }
        self.frame = None;
    }

    /// The next instruction of the chosen thread.
    pub fn eip(&self) -> Option<u32> {
        match (&self.inside, &self.wreck) {
            (Some((_, inside)), _) => Some(inside.eip()),
            (None, Some(wreck)) => Some(wreck.eip()),
            (None, None) => self.program.view_of(self.state()?, self.thread).map(|view| view.eip),
        }
    }

    fn line_at_eip(&mut self) -> Option<Line> {
        let eip = self.eip()?;
        self.lines.at(self.image, eip)
    }

    fn begun_line(&mut self) -> Option<Line> {
        let eip = self.eip()?;
        self.lines.begins_at(self.image, eip)
    }

    /// The line that the user wrote at which the chosen thread is.
    pub fn line(&mut self) -> Option<Line> {
        self.line_of(self.thread)
    }

    /// The line that the user wrote at which a thread is.
    pub fn line_of(&mut self, thread: ThreadId) -> Option<Line> {
        let activations = self.activations(thread);
        activations.iter().find_map(|activation| self.lines.at(self.image, activation.probe()))
    }

    /// How many functions of the user are on the call stack.
    fn depth(&mut self) -> usize {
        let activations = self.activations(self.thread);
        let all = activations.iter().flat_map(|activation| locations(self.image, activation));
        all.filter(Location::is_users).count()
    }
}
