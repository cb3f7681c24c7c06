//! By visible operation: the steps that a check and a schedule are made of.

use steam_program::Action;
use steam_state::ThreadId;

use super::{Stop, Went};
use crate::simulation::Simulation;

impl Simulation<'_> {
    /// Lets the chosen thread make its step, or the rest of the one that is looked into.
    pub fn step_visible(&mut self) -> Result<Went, Stop> {
        let action = self.action_of(self.thread)?;
        Ok(self.take(action))
    }

    /// Makes a step that is possible here.
    pub fn take(&mut self, action: Action) -> Went {
        let from = self.cursor;
        let stop = self.commit(action).unwrap_or(Stop::Done);
        Went { made: from..self.cursor, stop }
    }

    /// Chooses the thread that goes on; what was looked into is left. False if there is none.
    pub fn choose_thread(&mut self, thread: ThreadId) -> bool {
        let lives = self.lives(thread);
        if lives && self.inside.as_ref().is_none_or(|(_, inside)| inside.thread() != thread) {
            self.leave();
            self.settle(thread);
        }
        self.frame = None;
        lives
    }

    /// Chooses how a thread goes on.
    pub fn choose(&mut self, action: Action) {
        self.leave();
        self.settle(action.thread);
        self.choice = Some(action.choice);
    }

    /// Goes to a number of steps, along the recorded ones.
    pub fn go_to(&mut self, steps: usize) -> Went {
        if steps <= self.cursor {
            self.stand(steps);
            return Went { made: steps..steps, stop: Stop::Done };
        }
        self.leave();
        let from = self.cursor;
        let mut stop = Stop::Done;
        while self.cursor < steps {
            let Some(action) = self.recorded() else { break };
            match self.commit(action) {
                // On the way to a place, what has changed is no reason to stop.
                None | Some(Stop::Watch(_)) => {}
                Some(end) => {
                    stop = end;
                    break;
                }
            }
        }
        if let (Some(action), Stop::Done) = (self.recorded(), &stop) {
            self.settle(action.thread);
        }
        Went { made: from..self.cursor, stop }
    }
}
