//! Which components a step has looked at: what its outcome depends on.
//!
//! A step is a function of the components that it reads. Everything that reads a state goes through
//! [`crate::Stores::component`], which notes the key here while somebody records; what looks at a
//! state in another way (all its threads, all its blocks) says so, and its step counts as one that
//! depends on everything.
//!
//! The notes are the current thread's own: a step runs on one thread from beginning to end.

use std::cell::RefCell;

use crate::slots::Key;

/// What was read, in order; a key that is read again is noted again.
#[derive(Debug, Default)]
pub struct Reads {
    /// The keys of the components.
    pub keys: Vec<Key>,
    /// Whether the state was looked at in a way that these keys do not tell.
    pub all: bool,
}

thread_local! {
    static READS: RefCell<Option<Reads>> = const { RefCell::new(None) };
}

impl Reads {
    /// Begins to record, in what may be the memory of an earlier recording.
    pub fn record(mut self) {
        self.keys.clear();
        self.all = false;
        READS.with_borrow_mut(|reads| *reads = Some(self));
    }

    /// Ends the recording.
    pub fn take() -> Self {
        READS.with_borrow_mut(Option::take).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn note(key: Key) {
        READS.with_borrow_mut(|reads| {
            if let Some(reads) = reads {
                reads.keys.push(key);
            }
        });
    }

    /// Says that the state is looked at in a way that no keys tell.
    pub fn note_all() {
        READS.with_borrow_mut(|reads| {
            if let Some(reads) = reads {
                reads.all = true;
            }
        });
    }
}
