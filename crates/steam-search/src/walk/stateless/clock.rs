//! What an event knows of the others: for each process, up to which event (Mattern 1989).

/// For each process the number of steps of the execution up to and with its last event that comes
/// before; 0 where none does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock(Vec<u32>);

impl Clock {
    /// The number of steps up to and with the last event of a process that comes before, or 0.
    pub(super) fn get(&self, process: u32) -> u32 {
        self.0.get(process as usize).copied().unwrap_or(0)
    }

    /// Whether the event of a process at a position of the execution comes before.
    pub(super) fn knows(&self, process: u32, position: usize) -> bool {
        self.get(process) as usize > position
    }

    /// The position of the last event of a process that comes before.
    pub(super) fn last_of(&self, process: u32) -> Option<usize> {
        self.get(process).checked_sub(1).map(|position| position as usize)
    }

    /// Takes note of an event of a process at a position.
    pub(super) fn learn(&mut self, process: u32, position: usize) {
        self.set(process, position as u32 + 1);
    }

    /// Sets how many steps there are up to and with the last event of a process.
    pub(super) fn set(&mut self, process: u32, steps: u32) {
        let index = process as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, 0);
        }
        self.0[index] = steps;
    }

    /// A position before which there is no event that is not known, given the latest events of all; none
    /// if all of them are known.
    pub(super) fn first_unknown(&self, latest: &Self) -> Option<usize> {
        let known = self.0.iter().copied().chain(std::iter::repeat(0));
        let unknown = latest.0.iter().zip(known).filter(|(latest, known)| *latest > known);
        unknown.map(|(_, known)| known as usize).min()
    }

    /// Takes note of all that another one knows.
    pub(super) fn join(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knowledge_adds_up() {
        let (mut one, mut two) = (Clock::default(), Clock::default());
        assert!(!one.knows(3, 0));
        one.learn(3, 0);
        two.learn(1, 4);
        one.join(&two);
        assert!(one.knows(3, 0) && one.knows(1, 4) && one.knows(1, 2));
        assert!(!one.knows(1, 5) && !two.knows(3, 0));
        assert_eq!(one.first_unknown(&one), None);
        assert_eq!(
            (two.first_unknown(&one), Clock::default().first_unknown(&one)),
            (Some(0), Some(0))
        );
        let mut later = one.clone();
        later.learn(1, 9);
        assert_eq!((one.first_unknown(&later), later.first_unknown(&one)), (Some(5), None));
        assert_eq!((one.last_of(1), one.last_of(3), two.last_of(3)), (Some(4), Some(0), None));
    }
}
