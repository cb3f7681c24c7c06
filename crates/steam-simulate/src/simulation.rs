//! The simulation itself: the steps made so far, where in them the user stands, and what may come
//! next. Nothing here prints or reads.
//!
//! A place in time is a number of steps made and, within the next step, a number of instructions
//! looked into. The middle of a step is no state of the program: other threads cannot see it, and
//! the schedule remains one of whole steps, which `steam replay` can follow.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use steam_explain::{Ended, Ends, Explainer, Retraced, Retracing, Traced, retrace};
use steam_expr::ProgramNames;
use steam_image::{Image, NoDeclarations, is_shown_source};
use steam_model::Model;
use steam_program::{Action, Inside, Program, Worker};
use steam_state::{Table, ThreadId};
use steam_trail::{Sources, Step, Trail, ViolationInfo};

use crate::lines::LineMap;
use crate::points::Points;

/// A program that makes the steps of a schedule, and that schedule.
pub struct Scene {
    /// The program.
    pub program: Program,
    /// The schedule with all that a trail file says.
    pub trail: Trail,
    /// Whether deadlocks count as errors.
    pub deadlocks: bool,
}

/// How many steps were made, and how many instructions were looked into the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// Steps.
    pub steps: usize,
    /// 0 before the next step, 1 after its visible operation, then one more for each instruction.
    pub turns: u64,
}

/// A program under the user's hands.
pub struct Simulation<'i> {
    pub(crate) image: &'i Image,
    pub(crate) program: Program,
    /// What a trail file says beside the steps.
    pub(crate) form: Trail,
    pub(crate) deadlocks: bool,
    pub(crate) tracing: Retracing,
    /// How many of the steps made the user stands after.
    pub(crate) cursor: usize,
    /// The rest of a recorded schedule, after the steps made.
    pub(crate) planned: Vec<Action>,
    /// The thread that goes on when the user says so.
    pub(crate) thread: ThreadId,
    /// By which choice it does its next step, if the user chose one.
    pub(crate) choice: Option<u32>,
    /// The step that is looked into.
    pub(crate) inside: Option<(Action, Inside)>,
    /// The end of a step that led to no state: what an error left behind.
    pub(crate) wreck: Option<Inside>,
    /// For looking at states; none while it is in use.
    pub(crate) looker: Option<Worker>,
    /// For asking what can happen.
    pub(crate) asker: Worker,
    /// The function whose variables are meant, counted from the innermost that is the user's.
    pub(crate) frame: Option<usize>,
    pub(crate) points: Points,
    pub(crate) lines: LineMap,
    pub(crate) names: Result<ProgramNames<'i>, NoDeclarations>,
    pub(crate) sources: Sources,
    /// Where threads were and what they held at an earlier moment.
    past: Option<(usize, Retraced)>,
    stop: Arc<AtomicBool>,
}

impl<'i> Simulation<'i> {
    /// Stands at the beginning of a scene, whose program is that of the image; `stop` ends what
    /// takes long.
    pub fn new(image: &'i Image, scene: Scene, stop: Arc<AtomicBool>) -> Self {
        let Scene { program, trail, deadlocks } = scene;
        let planned = actions(&trail);
        Self {
            image,
            deadlocks,
            tracing: Retracing::new(&program),
            cursor: 0,
            thread: planned.first().map_or(ThreadId::FIRST, |action| action.thread),
            planned,
            choice: None,
            inside: None,
            wreck: None,
            looker: Some(program.worker()),
            asker: program.worker(),
            frame: None,
            points: Points::default(),
            lines: LineMap::default(),
            names: ProgramNames::new(image),
            sources: Sources::showing(is_shown_source),
            past: None,
            stop,
            form: Trail { steps: Vec::new(), ..trail },
            program,
        }
    }

    /// Goes over to another scene of the same program, and stands at its beginning; breakpoints
    /// stay.
    pub fn change_scene(&mut self, scene: Scene) {
        let points = std::mem::take(&mut self.points);
        let lines = std::mem::take(&mut self.lines);
        *self = Self::new(self.image, scene, Arc::clone(&self.stop));
        (self.points, self.lines) = (points, lines);
    }

    /// Where in time the user stands.
    pub fn moment(&self) -> Moment {
        let turns = self.inside.as_ref().map_or(0, |(_, inside)| inside.turns() + 1);
        Moment { steps: self.cursor, turns }
    }

    /// The thread that goes on.
    pub fn thread(&self) -> ThreadId {
        self.thread
    }

    /// The steps made, also those that the user went back over.
    pub fn made(&self) -> &[Traced] {
        &self.tracing.retraced().steps
    }

    /// The state in which the user stands; none after a step that led to no state.
    pub fn state(&self) -> Option<&Table> {
        self.state_after(self.cursor)
    }

    /// The state after some steps.
    pub(crate) fn state_after(&self, steps: usize) -> Option<&Table> {
        match steps.checked_sub(1) {
            None => Some(&self.tracing.retraced().initial),
            Some(last) => self.made().get(last)?.after.as_ref(),
        }
    }

    /// The whole schedule: steps made, and what was recorded after them.
    pub fn schedule(&self) -> Vec<Action> {
        let made = self.made().iter().map(|traced| traced.action);
        made.chain(self.planned.iter().copied()).collect()
    }

    /// The recorded step that comes next.
    pub(crate) fn recorded(&self) -> Option<Action> {
        let made = self.made();
        match made.get(self.cursor) {
            Some(traced) => Some(traced.action),
            None => self.planned.first().copied(),
        }
    }

    /// What can happen, in ascending order.
    pub fn enabled(&mut self) -> Vec<Action> {
        let mut actions = Vec::new();
        if let Some(state) = self.state().cloned() {
            self.program.enabled(&mut self.asker, &state, &mut actions);
        }
        actions
    }

    /// Makes a step from where the user stands; false if it is not possible. What was recorded
    /// after is forgotten if this is another one.
    pub(crate) fn make(&mut self, action: Action) -> bool {
        self.leave();
        let recorded = self.recorded() == Some(action);
        if recorded && self.cursor < self.made().len() {
            self.cursor += 1;
            self.settle(action.thread);
            return true;
        }
        if !self.enabled().contains(&action) {
            return false;
        }
        self.forget_ahead(recorded);
        self.tracing.go(&self.program, action);
        self.cursor = self.made().len();
        self.settle(action.thread);
        true
    }

    /// Forgets what lies ahead, but for what was recorded after a step that is `recorded` too.
    fn forget_ahead(&mut self, recorded: bool) {
        match recorded {
            true => drop(self.planned.remove(0)),
            false => self.planned.clear(),
        }
        if self.cursor < self.made().len() {
            self.past = None;
            let kept: Vec<Action> =
                self.made()[..self.cursor].iter().map(|traced| traced.action).collect();
            self.tracing = Retracing::new(&self.program);
            for action in kept {
                self.tracing.go(&self.program, action);
            }
        }
    }

    /// Stands somewhere else in the steps made, before the next instruction of a whole step.
    pub(crate) fn stand(&mut self, steps: usize) {
        self.leave();
        self.cursor = steps.min(self.made().len());
        let thread = self.recorded().map_or(self.thread, |action| action.thread);
        self.settle(thread);
    }

    /// Stands where the user stood before, with the same thread.
    pub(crate) fn return_to(&mut self, moment: Moment, thread: ThreadId) {
        self.stand(moment.steps);
        if let (Some(turns), Some(action)) = (moment.turns.checked_sub(1), self.recorded()) {
            self.look_into(action, turns);
        }
        self.settle(thread);
    }

    /// A thread is the chosen one now, with its innermost function.
    pub(crate) fn settle(&mut self, thread: ThreadId) {
        self.thread = thread;
        self.choice = None;
        self.frame = None;
    }

    /// Looks no longer into a step, which then was not made.
    pub(crate) fn leave(&mut self) {
        if let Some((_, inside)) = self.inside.take() {
            self.looker = Some(inside.into_worker());
        }
        self.wreck = None;
        self.frame = None;
    }

    /// Looks into a step, right after its visible operation; false past the end of all steps.
    pub(crate) fn enter(&mut self, action: Action) -> bool {
        self.leave();
        let Some(state) = self.state().cloned() else { return false };
        let worker = self.looker.take().unwrap_or_else(|| self.program.worker());
        self.inside = Some((action, self.program.enter(worker, &state, action)));
        true
    }

    /// Runs a step that led to no state up to its end, to look at what is left.
    pub(crate) fn visit_wreck(&mut self) {
        let Some(last) = self.cursor.checked_sub(1) else { return };
        let Some(action) = self.made().get(last).map(|traced| traced.action) else { return };
        let Some(state) = self.state_after(last).cloned() else { return };
        let worker = self.looker.take().unwrap_or_else(|| self.program.worker());
        let mut inside = self.program.enter(worker, &state, action);
        while inside.turn(&self.program) {}
        self.thread = inside.thread();
        self.wreck = Some(inside);
    }

    /// What is wrong where the user stands, in the words of `steam check`. It is reported by running
    /// the whole path again: only then the past of heap blocks is known.
    pub fn finding(&mut self) -> Option<(ViolationInfo, bool)> {
        let is_wrong = self.state().is_none() || self.deadlocks && self.is_deadlock();
        if !is_wrong {
            return None;
        }
        let retraced = self.retraced();
        let not_modelled = matches!(retraced.end, Ended::Unknown(_));
        Explainer::new(&self.program).finding(&retraced).map(|finding| (finding, not_modelled))
    }

    /// The path to where the user stands, run again.
    pub(crate) fn retraced(&self) -> Retraced {
        let actions: Vec<Action> =
            self.made()[..self.cursor].iter().map(|traced| traced.action).collect();
        retrace(&self.program, &actions, Ends { deadlock: self.deadlocks, ..Ends::default() })
    }

    fn is_deadlock(&mut self) -> bool {
        if self.cursor == self.made().len() {
            return self.tracing.deadlock(&self.program).is_some();
        }
        self.look_around();
        matches!(self.known().end, Ended::Violation(_))
    }

    /// Finds out about threads, locks and names where the user stands: [`known`](Self::known).
    pub(crate) fn look_around(&mut self) {
        if self.cursor == self.made().len() {
            self.tracing.look_around(&self.program);
        } else if self.past.as_ref().is_none_or(|(steps, _)| *steps != self.cursor) {
            self.past = Some((self.cursor, self.retraced()));
        }
    }

    /// Threads, locks and names where the user [looked around](Self::look_around) last.
    pub(crate) fn known(&self) -> &Retraced {
        match &self.past {
            Some((steps, retraced)) if *steps == self.cursor => retraced,
            _ => self.tracing.retraced(),
        }
    }

    /// A step that was made, in words.
    pub fn told(&self, index: usize) -> Option<Step> {
        let number = u32::try_from(index + 1).ok()?;
        self.made().get(index).map(|traced| Explainer::new(&self.program).step(number, traced))
    }

    /// Whether the user wants what takes long to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// A new command: what asked the last one to end is over.
    pub(crate) fn begin_command(&self) {
        self.stop.store(false, Ordering::Relaxed);
    }
}

/// The actions of a trail's steps.
pub fn actions(trail: &Trail) -> Vec<Action> {
    let action = |step: &Step| Action { thread: ThreadId(step.thread), choice: step.choice };
    trail.steps.iter().map(action).collect()
}
