//! Which spaces are copies of the memory of a process with several threads.
//!
//! `fork` copies what all threads of its process have done so far, and does not wait for them: what one
//! of them keeps to itself may be seen in the copy. So what a process with a copy looks at counts as
//! looked at in the original too, by the thread that made the copy. Where another thread writes there,
//! that is a conflict like any other, and its writes become steps; what the copy never looks at stays
//! as invisible as it was. A copy that a handler makes is one beside the code that it interrupts.
//!
//! What `vfork` makes has the memory itself and not a copy. As long as it touches nothing that other threads write,
//! and writes nothing that they touch, the difference cannot be observed.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use ahash::{HashMap, HashSet, RandomState};

use super::{Visitor, in_handlers};
use steam_state::{Place, Space, ThreadId};

/// What a space is a copy of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Origin {
    /// The space that was copied.
    pub space: Space,
    /// Who made the copy, by its number in its process: its stack there is that of the first thread of
    /// the copy. [`Origin::UNKNOWN`] where it is not known whose stack that was.
    pub by: ThreadId,
    /// In how many handlers it was.
    pub handlers: u32,
    /// Whether the copy only stands for the original, which was lent.
    pub lent: bool,
}

impl Origin {
    /// In place of a thread.
    pub const UNKNOWN: ThreadId = ThreadId(0);

    /// Who looks at the original when the copy looks.
    pub(crate) fn visitor(self) -> Visitor {
        in_handlers(self.by, self.handlers).into()
    }

    /// As text, with the space of the copy: `3=1/2/0` if process 3 has a copy of the memory of process 1 that
    /// its thread 2 made in no handler, `3=1/2/0/lent` if it has that memory itself.
    pub(crate) fn write(self, to: Space) -> String {
        let Self { space, by, handlers, lent } = self;
        let lent = if lent { LENT } else { "" };
        format!("{}={}/{}/{handlers}{lent}", to.leader().0, space.leader().0, by.0)
    }

    /// What [`Origin::write`] wrote.
    pub(crate) fn read(text: &str) -> Option<(Space, Self)> {
        let (text, lent) = match text.strip_suffix(LENT) {
            Some(text) => (text, true),
            None => (text, false),
        };
        let (to, from) = text.split_once('=')?;
        let (from, by) = from.split_once('/')?;
        let (by, handlers) = by.split_once('/')?;
        let space = |text: &str| Space::of(ThreadId(text.parse().ok()?));
        let by = ThreadId(by.parse().ok()?);
        let handlers = handlers.parse().ok()?;
        Some((space(to)?, Self { space: space(from)?, by, handlers, lent }))
    }
}

/// How an origin ends, as text, that is lent.
const LENT: &str = "/lent";

/// The copies that count.
#[derive(Debug)]
pub(super) struct Copies {
    any: AtomicBool,
    origins: RwLock<HashMap<Space, Arc<[Origin]>>>,
    /// Words at which copies look, where it is judged which locks protect words: a copy has none of them.
    seen: Mutex<HashSet<Place>>,
}

impl Default for Copies {
    fn default() -> Self {
        let none = HashMap::with_hasher(RandomState::with_seeds(8, 7, 6, 5));
        let seen = HashSet::with_hasher(RandomState::with_seeds(7, 6, 5, 4));
        Self { any: AtomicBool::new(false), origins: RwLock::new(none), seen: Mutex::new(seen) }
    }
}

impl Copies {
    /// Whether there are any.
    pub(super) fn any(&self) -> bool {
        self.any.load(Relaxed)
    }

    /// What a space may be a copy of.
    pub(super) fn origins(&self, space: Space) -> Arc<[Origin]> {
        let origins = self.origins.read().unwrap_or_else(PoisonError::into_inner);
        origins.get(&space).cloned().unwrap_or_default()
    }

    /// Notes that a copy looks at a word.
    pub(super) fn note_seen(&self, word: Place) {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(word);
    }

    /// Whether a copy was seen to look at a word.
    pub(super) fn is_seen(&self, word: Place) -> bool {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).contains(&word)
    }

    /// Lets these count: spaces, each with what it is a copy of. No worker may be under way.
    pub(super) fn set(&self, copies: impl Iterator<Item = (Space, Origin)>) {
        let mut copies: Vec<(Space, Origin)> = copies.collect();
        copies.sort_unstable();
        self.any.store(!copies.is_empty(), Relaxed);
        let mut origins = self.origins.write().unwrap_or_else(PoisonError::into_inner);
        origins.clear();
        for same in copies.chunk_by(|one, other| one.0 == other.0) {
            origins.insert(same[0].0, same.iter().map(|(_, origin)| *origin).collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(leader: u32) -> Space {
        Space::of(ThreadId(leader)).unwrap()
    }

    #[test]
    fn a_space_may_be_a_copy_of_several() {
        let copies = Copies::default();
        assert!(!copies.any() && copies.origins(space(3)).is_empty());
        let origin = |leader, by| Origin {
            space: space(leader),
            by: ThreadId(by),
            handlers: 0,
            lent: false,
        };
        let known = [(3, origin(2, 5)), (4, origin(1, 1)), (3, origin(1, 2))];
        copies.set(known.into_iter().map(|(to, from)| (space(to), from)));
        assert!(copies.any());
        assert_eq!(*copies.origins(space(3)), [origin(1, 2), origin(2, 5)]);
        assert_eq!((copies.origins(space(4)).len(), copies.origins(space(5)).len()), (1, 0));
        copies.set(std::iter::empty());
        assert!(!copies.any() && copies.origins(space(3)).is_empty());
    }

    #[test]
    fn what_is_no_copy_cannot_be_read() {
        for (lent, text) in [(false, "3=1/2/1"), (true, "3=1/2/1/lent")] {
            let origin = Origin { space: space(1), by: ThreadId(2), handlers: 1, lent };
            assert_eq!(origin.write(space(3)), text);
            assert_eq!(Origin::read(text), Some((space(3), origin)));
        }
        for wrong in
            ["", "3", "3=1", "3=/2", "0=1/2", "3=1/2", "3=1/x/0", "9999=1/2/0", "3=1/2/0/let"]
        {
            assert_eq!(Origin::read(wrong), None, "{wrong}");
        }
    }
}
