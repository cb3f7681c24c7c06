//! Independent counters: the state space is a product whose size is known.

use super::{Act, Action, Toy};

pub struct Counters {
    pub count: usize,
    /// The largest value.
    pub top: u32,
    /// Whether a counter starts again after its largest value.
    pub cyclic: bool,
    /// A step to this value, by the last counter, is an error.
    pub wrong: Option<u32>,
}

impl Counters {
    pub fn new(count: usize, top: u32, cyclic: bool) -> Self {
        Self { count, top, cyclic, wrong: None }
    }
}

impl Toy for Counters {
    fn initial(&self) -> Vec<u32> {
        vec![0; self.count]
    }

    fn actions(&self, state: &[u32]) -> Vec<Action> {
        let able = |counter: &usize| self.cyclic || state[*counter] < self.top;
        (0..self.count).filter(able).map(|counter| (counter as u32, 0)).collect()
    }

    fn act(&self, state: &mut Vec<u32>, (counter, _): Action) -> Act {
        let value = &mut state[counter as usize];
        *value = (*value + 1) % (self.top + 1);
        if counter as usize + 1 == self.count && self.wrong == Some(*value) {
            return Act::Wrong(*value);
        }
        Act::Done
    }
}
