//! Whence each state was reached: 8 bytes for each state, from which trails are made.

use steam_model::StateId;

/// The last step of the way to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The state before; the initial state is its own.
    pub parent: StateId,
    /// The action's position among those enabled in the state before.
    pub choice: u32,
}

/// A tree of links over the states, with the initial state as its root.
#[derive(Default)]
pub struct Links {
    links: Vec<Link>,
}

impl Links {
    /// Sets or replaces the link of a state.
    pub fn set(&mut self, state: StateId, link: Link) {
        let index = state.0 as usize;
        if index >= self.links.len() {
            // Several workers number states faster than they are linked; the gaps are filled
            // later, and until then lead nowhere.
            let nowhere = |index| Link { parent: StateId(index), choice: 0 };
            let from = self.links.len() as u32;
            self.links.extend((from..=state.0).map(nowhere));
        }
        self.links[index] = link;
    }

    /// The choices that lead from the initial state to the given one.
    pub fn path(&self, state: StateId) -> Vec<u32> {
        let mut choices = Vec::new();
        let mut at = state;
        while let Some(link) = self.links.get(at.0 as usize)
            && link.parent != at
        {
            choices.push(link.choice);
            at = link.parent;
        }
        choices.reverse();
        choices
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        (self.links.capacity() * size_of::<Link>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_begins_at_the_initial_state() {
        let mut links = Links::default();
        links.set(StateId(2), Link { parent: StateId(0), choice: 5 });
        links.set(StateId(1), Link { parent: StateId(2), choice: 7 });
        assert_eq!(links.path(StateId(1)), [5, 7]);
        assert_eq!(links.path(StateId(0)), []);
        links.set(StateId(1), Link { parent: StateId(0), choice: 9 });
        assert_eq!(links.path(StateId(1)), [9]);
    }

    #[test]
    fn a_link_takes_eight_bytes() {
        assert_eq!(size_of::<Link>(), 8);
    }
}
