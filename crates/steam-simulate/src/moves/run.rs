//! On and on: along the recorded schedule, then by one of our own, up to a point or an end.

use steam_program::Action;

use super::{Changed, Stop, Went};
use crate::simulation::Simulation;

/// Steps after which a run asks whether it should go on.
const MOST_STEPS: usize = 100_000;

impl Simulation<'_> {
    /// Goes on until a breakpoint, a change of a watched expression, an error or the end. After
    /// the recorded schedule the chosen thread goes on as long as it can, then the one with the
    /// lowest number that can.
    pub fn run(&mut self) -> Result<Went, Stop> {
        let from = self.cursor;
        let nothing = if self.has_ended() { Stop::Over } else { Stop::Waits(self.thread) };
        let mut action = self.next_of_run().ok_or(nothing)?;
        let mut steps = 0;
        let mut stood = self.stands_inside();
        let stop = loop {
            let (before, turns) = (self.values_before(), self.moment().turns);
            if let Some(number) = self.break_inside(action) {
                // What has changed on the way there comes first.
                let changed = before.as_ref().map_or(Vec::new(), |before| self.changes(before));
                if changed.is_empty() {
                    break Stop::Break(number);
                }
                self.find_change(action, turns, &changed);
                break Stop::Watch(changed);
            }
            match self.commit_since(before, action) {
                Some(Stop::Watch(changed)) => {
                    let behind = self.cursor;
                    self.cursor -= 1;
                    if !self.find_change(action, turns, &changed) {
                        self.cursor = behind;
                    }
                    break Stop::Watch(changed);
                }
                Some(stop) => break stop,
                None => {}
            }
            if let Some(number) = self.break_here(stood.take()) {
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
            if let Some(number) = self.break_after_operation() {
                self.follow_runner();
                return Some(number);
            }
        }
        loop {
            let (_, inside) = self.inside.as_mut()?;
            let runner = inside.thread();
            if inside.is_over() || !inside.turn(&self.program) {
                return None;
            }
            // A thread that has just been put on the CPU has not moved yet.
            let (eip, moved) = (inside.eip(), inside.thread() == runner);
            if moved && let Some(number) = self.stop_at(runner, eip) {
                self.follow_runner();
                return Some(number);
            }
            if self.is_stopped() {
                return None;
            }
        }
    }

    /// Stands in the next step right after the instruction that changed a watched expression, which is
    /// none of the first `turns`; false, and the step is not looked into, if there is none such.
    fn find_change(&mut self, action: Action, turns: u64, changed: &[Changed]) -> bool {
        self.enter(action);
        if let Some((_, inside)) = self.inside.as_mut() {
            while inside.turns() + 1 < turns && inside.turn(&self.program) {}
        }
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
        }
        self.follow_runner();
        !is_over
    }
}
