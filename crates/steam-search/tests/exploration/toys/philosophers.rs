//! Dining philosophers who loop: take left, take right, put left, put right.

use super::{Act, Action, Toy};

pub struct Philosophers {
    pub count: usize,
    /// Whether the last one takes the right fork first, so that there is no deadlock.
    pub careful: bool,
}

impl Philosophers {
    /// The fork of a philosopher's next operation, and whether it is taken (else put back).
    pub fn pending(&self, state: &[u32], philosopher: usize) -> (usize, bool) {
        let place = state[philosopher] as usize;
        let mut forks = [philosopher, (philosopher + 1) % self.count];
        if self.careful && philosopher + 1 == self.count {
            forks.reverse();
        }
        (forks[place % 2], place < 2)
    }

    pub fn is_blocked(&self, state: &[u32], philosopher: usize) -> bool {
        let (fork, takes) = self.pending(state, philosopher);
        takes && state[self.count + fork] != 0
    }

    pub fn held(&self, state: &[u32]) -> i64 {
        state[self.count..].iter().filter(|owner| **owner != 0).count() as i64
    }
}

impl Toy for Philosophers {
    fn initial(&self) -> Vec<u32> {
        vec![0; 2 * self.count]
    }

    fn actions(&self, state: &[u32]) -> Vec<Action> {
        let free = |philosopher: &usize| !self.is_blocked(state, *philosopher);
        (0..self.count).filter(free).map(|philosopher| (philosopher as u32, 0)).collect()
    }

    fn act(&self, state: &mut Vec<u32>, (philosopher, _): Action) -> Act {
        let (fork, takes) = self.pending(state, philosopher as usize);
        state[self.count + fork] = if takes { philosopher + 1 } else { 0 };
        state[philosopher as usize] = (state[philosopher as usize] + 1) % 4;
        Act::Done
    }
}
