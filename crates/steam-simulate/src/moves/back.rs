//! Back in time, by the same units as on.

use steam_program::Action;

use super::Stop;
use crate::simulation::Simulation;

impl Simulation<'_> {
    /// Goes back to before the step that is looked into, or the one before.
    pub fn back_visible(&mut self) -> Stop {
        match (self.inside.is_some(), self.cursor) {
            (true, steps) => self.stand(steps),
            (false, 0) => return Stop::Start,
            (false, steps) => self.stand(steps - 1),
        }
        Stop::Done
    }

    /// Goes back by one instruction.
    pub fn back_instruction(&mut self) -> Stop {
        if let Some((action, inside)) = &self.inside {
            let (action, turns) = (*action, inside.turns());
            match turns.checked_sub(1) {
                Some(turns) => self.look_into(action, turns),
                None => self.stand(self.cursor),
            }
            return Stop::Done;
        }
        let Some(steps) = self.cursor.checked_sub(1) else { return Stop::Start };
        self.stand(steps);
        let Some(action) = self.recorded() else { return Stop::Done };
        let turns = self.turns_of(action);
        if let Some(turns) = turns.checked_sub(1) {
            self.look_into(action, turns);
        }
        Stop::Done
    }

    /// Goes back to where a line began.
    pub fn back_line(&mut self) -> Stop {
        let lines = |this: &mut Self| this.begins_line();
        self.back_to(lines).map_or(Stop::Start, |()| Stop::Done)
    }

    /// Goes back to the last breakpoint, or to before the last change of a watched expression.
    pub fn back_run(&mut self) -> Stop {
        loop {
            if self.points.has_breaks() {
                let at_break =
                    |this: &mut Self| this.eip().and_then(|eip| this.stop_at(this.thread, eip));
                if self.back_within(|this| at_break(this).is_some()) {
                    return at_break(self).map_or(Stop::Done, Stop::Break);
                }
            }
            self.leave();
            if self.cursor == 0 {
                self.stand(0);
                return Stop::Start;
            }
            let after = self.watched();
            self.stand(self.cursor - 1);
            let now = self.watched();
            // As gdb does: what it was becomes what it had been before.
            let changed = self.compare(&after, &now);
            if !changed.is_empty() {
                return Stop::Watch(changed);
            }
            // From its end the whole step is looked through.
            if self.points.has_breaks()
                && let Some(action) = self.recorded()
            {
                let turns = self.turns_of(action);
                self.look_into(action, turns);
            }
            if self.is_stopped() {
                return Stop::Interrupted;
            }
        }
    }

    /// Goes back to the last moment of which `wanted` is true; none if that is the start.
    fn back_to(&mut self, wanted: impl Fn(&mut Self) -> bool + Copy) -> Option<()> {
        loop {
            if self.inside.is_some() {
                if !self.back_within(wanted) {
                    self.stand(self.cursor);
                }
                return Some(());
            }
            let steps = self.cursor.checked_sub(1)?;
            self.stand(steps);
            if let Some(action) = self.recorded() {
                let turns = self.turns_of(action);
                self.look_into(action, turns);
            }
        }
    }

    /// Goes back within the step that is looked into; false if nothing before is wanted there.
    fn back_within(&mut self, wanted: impl Fn(&mut Self) -> bool) -> bool {
        let Some((action, inside)) = &self.inside else { return false };
        let (action, now) = (*action, inside.turns());
        let mut last = None;
        self.enter(action);
        for turns in 0..now {
            self.follow_runner();
            if (turns > 0 || self.is_after_operation()) && wanted(self) {
                last = Some(turns);
            }
            let Some((_, inside)) = self.inside.as_mut() else { break };
            if !inside.turn(&self.program) {
                break;
            }
        }
        match last {
            Some(turns) => self.look_into(action, turns),
            None => self.leave(),
        }
        last.is_some()
    }

    /// Whether a line begins at the instruction of whoever runs.
    fn begins_line(&mut self) -> bool {
        let Some(eip) = self.eip() else { return false };
        self.lines.begins_at(self.image, eip).is_some()
    }

    /// How many instructions a step has after its visible operation.
    fn turns_of(&mut self, action: Action) -> u64 {
        if !self.enter(action) {
            return 0;
        }
        let Some((_, inside)) = self.inside.as_mut() else { return 0 };
        while inside.turn(&self.program) {}
        let turns = inside.turns();
        self.leave();
        turns
    }

    /// Looks so many instructions into a step.
    pub(crate) fn look_into(&mut self, action: Action, turns: u64) {
        self.enter(action);
        if let Some((_, inside)) = self.inside.as_mut() {
            while inside.turns() < turns && inside.turn(&self.program) {}
        }
        self.follow_runner();
    }
}
