//! Which components a step has looked at: what its outcome depends on.
//!
//! A step is a function of the components that it reads. Everything that reads a state goes through
//! [`crate::Stores::component`], which notes the key here while somebody records. What looks for all
//! components of a kind (threads, pages, objects) depends on those that were known of then, which are
//! noted too, and on that no others have become known since.
//!
//! The notes are the current thread's own: a step runs on one thread from beginning to end.

use std::cell::RefCell;

use crate::slots::Key;

/// What was read, in order; a key that is read again is noted again.
#[derive(Debug, Default)]
pub struct Reads {
    /// The keys of the components.
    pub keys: Vec<Key>,
    /// How many keys of all kinds were known when all of a kind were first looked for, if they were.
    pub listed: Option<u32>,
}

thread_local! {
    static READS: RefCell<Option<Reads>> = const { RefCell::new(None) };
}

impl Reads {
    /// Begins to record, in what may be the memory of an earlier recording.
    pub fn record(mut self) {
        self.keys.clear();
        self.listed = None;
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

    /// Says that all keys of a kind are looked for, when so many are known of all kinds, and which
    /// ones were found.
    pub(crate) fn note_list(known: u32, keys: impl Iterator<Item = Key>) {
        READS.with_borrow_mut(|reads| {
            if let Some(reads) = reads {
                reads.listed.get_or_insert(known);
                reads.keys.extend(keys);
            }
        });
    }
}
