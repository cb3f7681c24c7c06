//! On and on: along the recorded schedule, then by one of our own, up to a point or an end.

use steam_linux::program::Action;

use super::{Changed, Stop, Went};
use crate::simulation::Simulation;

/// Steps after which a run asks whether it should go on.
const MOST_STEPS: usize = 100_000;

impl Simulation<'_> {
    /// Goes on until a breakpoint, a change of a watched expression, an error or the end. Behind
    /// the recorded schedule the chosen thread goes on as long as it can, then the one with the
    /// lowest number that can.
    pub fn run(&mut self) -> Result<Went, Stop> {
        let from = self.cursor;
        let nothing = if self.has_ended() { Stop::Over } else { Stop::Waits(self.thread) };
        let mut action = self.next_of_run().ok_or(nothing)?;
        let mut steps = 0;
        let stop = loop {
            if let Some(number) = self.break_inside(action) {
                break Stop::Break(number);
            }
            match self.commit(action) {
                Some(Stop::Watch(changed)) => {
                    self.find_change(action, &changed);
                    break Stop::Watch(changed);
                }
                Some(stop) => break stop,
                None => {}
            }
            if let Some(number) = self.break_here() {
                break Stop::Break(number);
            }
            steps += 1;
            if self.is_stopped() {
                break Stop::Interrupted;
            }
            if steps == MOST_STEPS {
                break Stop::Limit;
            }
            match self.next_of_run() {
                Some(next) => action = next,
                None => break Stop::Waits(self.thread),
            }
        };
        Ok(Went { made: from..self.cursor, stop })
    }

    /// The step that a run makes next.
    fn next_of_run(&mut self) -> Option<Action> {
        if let Ok(action) = self.action_of(self.thread)
            && (self.inside.is_some() || self.choice.is_some())
        {
            return Some(action);
        }
        let enabled = self.enabled();
        let own = |action: &&Action| action.thread == self.thread;
        self.recorded()
            .filter(|action| enabled.contains(action))
            .or_else(|| enabled.iter().find(own).copied())
            .or_else(|| enabled.first().copied())
    }

    /// Looks into a step for a breakpoint that a thread comes to, and stands there.
    fn break_inside(&mut self, action: Action) -> Option<u32> {
        if !self.points.has_breaks() {
            return None;
        }
        if self.inside.is_none() {
            self.enter(action);
        }
        loop {
            let (_, inside) = self.inside.as_mut()?;
            let runner = inside.thread();
            if inside.is_over() || !inside.turn(&self.program) {
                return None;
            }
            // A thread that has just been put on the CPU has not moved yet.
            let found = self.points.at(inside.eip()).filter(|_| inside.thread() == runner);
            if found.is_some() {
                self.follow_runner();
                return found;
            }
            if self.is_stopped() {
                return None;
            }
        }
    }

    /// Stands right behind the instruction of the last step that changed a watched expression.
    fn find_change(&mut self, action: Action, changed: &[Changed]) {
        let behind = self.cursor;
        self.cursor -= 1;
        self.enter(action);
        loop {
            let now = self.watched();
            if changed
                .iter()
                .any(|it| now.iter().any(|(number, value)| *number == it.number && *value == it.to))
            {
                break;
            }
            let Some((_, inside)) = self.inside.as_mut() else { break };
            if inside.is_over() || !inside.turn(&self.program) {
                break;
            }
        }
        let is_over = self.inside.as_ref().is_none_or(|(_, inside)| inside.is_over());
        if is_over {
            self.leave();
            self.cursor = behind;
        }
        self.follow_runner();
    }
}
