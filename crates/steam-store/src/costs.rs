//! In how few steps each state was reached: 4 bytes for each state, for searches that reopen.

use steam_model::StateId;

/// The cheapest known way to each state.
#[derive(Default)]
pub struct Costs {
    costs: Vec<u32>,
}

impl Costs {
    /// The cost of a state; `u32::MAX` if it was not reached.
    pub fn get(&self, state: StateId) -> u32 {
        self.costs.get(state.0 as usize).copied().unwrap_or(u32::MAX)
    }

    /// Notes a way to a state, and says whether it is cheaper than all before.
    pub fn improve(&mut self, state: StateId, cost: u32) -> bool {
        let index = state.0 as usize;
        if index >= self.costs.len() {
            self.costs.resize(index + 1, u32::MAX);
        }
        let better = cost < self.costs[index];
        if better {
            self.costs[index] = cost;
        }
        better
    }

    /// Forgets all costs.
    pub fn clear(&mut self) {
        self.costs.clear();
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        (self.costs.capacity() * size_of::<u32>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cheaper_ways_count() {
        let mut costs = Costs::default();
        let state = StateId(3);
        assert!(costs.improve(state, 9));
        assert!(!costs.improve(state, 9));
        assert!(costs.improve(state, 2));
        assert_eq!((costs.get(state), costs.get(StateId(0))), (2, u32::MAX));
    }
}
