//! What is not worth another try in the state where a random walk stands: steps that lead nowhere, or back to it.
//!
//! A thread that loops without effect would fill the walk, and one that leads nowhere would end it;
//! the others are let go on in its place.

use steam_model::Model;

use super::Visit;

/// The positions of such steps among those that are enabled.
#[derive(Default)]
pub(super) struct Idle {
    tried: Vec<usize>,
    /// What was chosen last.
    last: usize,
    /// Whether it led nowhere.
    again: bool,
}

impl Idle {
    /// Looks at the step that has led to a state.
    pub(super) fn enter<M: Model>(&mut self, visit: &Visit<'_, M>) {
        match visit.step {
            Some((_, _, delta)) if delta.changes().is_empty() => self.tried.push(self.last),
            _ => self.tried.clear(),
        }
    }

    /// The step that was chosen last led nowhere.
    pub(super) fn led_nowhere(&mut self) {
        self.tried.push(self.last);
        self.again = true;
    }

    /// The positions to choose from in a state from which so many steps were done; none where the walk ends.
    pub(super) fn left(&mut self, enabled: usize, done: usize) -> Vec<usize> {
        let goes_on = std::mem::take(&mut self.again) || done == 0;
        (0..enabled).filter(|position| goes_on && !self.tried.contains(position)).collect()
    }

    /// Takes note of what is chosen.
    pub(super) fn chosen(&mut self, position: usize) -> usize {
        self.last = position;
        position
    }
}
