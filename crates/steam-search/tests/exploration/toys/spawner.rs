//! A first thread starts others and waits for the last of them to end: vectors grow and shrink.

use super::{Act, Action, Toy};

pub struct Spawner {
    pub most: usize,
    pub work: u32,
}

impl Toy for Spawner {
    /// The first slot says how often the first thread started and ended one; the others hold the
    /// threads' work, from 1 on.
    fn initial(&self) -> Vec<u32> {
        vec![1]
    }

    fn actions(&self, state: &[u32]) -> Vec<Action> {
        let mut actions = Vec::new();
        if state.len() <= self.most {
            actions.push((0, 0));
        }
        if state.len() > 1 && state[state.len() - 1] == self.work {
            actions.push((0, 1));
        }
        let able = (1..state.len()).filter(|&thread| state[thread] < self.work);
        actions.extend(able.map(|thread| (thread as u32, 0)));
        actions
    }

    fn act(&self, state: &mut Vec<u32>, (thread, what): Action) -> Act {
        match (thread, what) {
            (0, 0) => state.push(1),
            (0, _) => {
                state.pop();
                state[0] = state[0] % 3 + 1;
            }
            (thread, _) => state[thread as usize] += 1,
        }
        Act::Done
    }
}
