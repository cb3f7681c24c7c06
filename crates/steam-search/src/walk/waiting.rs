//! For how many successive states processes have been waiting: what VeriSoft calls a livelock is a limit
//! on that. (The usual notion speaks of cycles, which a search without a store does not see.)

/// The processes that cannot act in a state, each with the number of successive states for which that has
/// been so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Starving(Vec<(u32, u32)>);

impl Starving {
    /// What is so in the next state, in which these processes have something to do and those can do it.
    pub fn next(&self, pending: &[u32], able: &[u32]) -> Self {
        let waits = pending.iter().filter(|process| !able.contains(process));
        Self(waits.map(|&process| (process, self.states(process) + 1)).collect())
    }

    fn states(&self, process: u32) -> u32 {
        self.0.iter().find(|(other, _)| *other == process).map_or(0, |(_, states)| *states)
    }

    /// The first process that has been waiting for more than so many states.
    pub fn beyond(&self, most: u32) -> Option<u32> {
        self.0.iter().find(|(_, states)| *states > most).map(|(process, _)| *process)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_can_act_begins_anew() {
        let waiting = Starving::default().next(&[1, 2, 3], &[1]);
        assert_eq!((waiting.beyond(0), waiting.beyond(1)), (Some(2), None));
        let waiting = waiting.next(&[1, 2, 3], &[2]).next(&[1, 2, 3], &[]);
        assert_eq!((waiting.beyond(2), waiting.beyond(3)), (Some(3), None));
        assert_eq!(waiting.states(2), 1);
        // Who has ended waits for nothing.
        assert_eq!(waiting.next(&[1], &[1]), Starving::default());
    }
}
