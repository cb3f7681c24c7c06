//! Which components a step has looked at: what its outcome depends on.
//!
//! A step is a function of the components that it reads. Everything that reads a state goes through
//! [`crate::Stores::component`], which notes the key here while somebody records. What looks for all
//! components of a kind (threads, pages, objects) depends on those that were known of then, which are
//! noted too, and on that no others have become known since.
//!
//! The notes are the current thread's own: a step runs on one thread from beginning to end. A recording within another one
//! is part of it.

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
    /// The recording under way.
    static READS: RefCell<Option<Reads>> = const { RefCell::new(None) };
    /// Those that it is within, the innermost last.
    static OUTER: RefCell<Vec<Reads>> = const { RefCell::new(Vec::new()) };
}

impl Reads {
    /// Begins to record, in what may be the memory of an earlier recording.
    pub fn record(mut self) {
        self.keys.clear();
        self.listed = None;
        let outer = READS.with_borrow_mut(|reads| reads.replace(self));
        if let Some(outer) = outer {
            OUTER.with_borrow_mut(|all| all.push(outer));
        }
    }

    /// Ends the recording that was begun last.
    pub fn take() -> Self {
        let outer = OUTER.with_borrow_mut(Vec::pop);
        let reads = READS.with_borrow_mut(|reads| std::mem::replace(reads, outer));
        let reads = reads.unwrap_or_default();
        READS.with_borrow_mut(|outer| {
            if let Some(outer) = outer {
                outer.keys.extend_from_slice(&reads.keys);
                outer.listed = outer.listed.or(reads.listed);
            }
        });
        reads
    }

    /// Notes that a component is read.
    #[inline]
    pub fn note(key: Key) {
        READS.with_borrow_mut(|reads| {
            if let Some(reads) = reads {
                reads.keys.push(key);
            }
        });
    }

    /// Says that all keys of a kind are looked for, when so many are known of all kinds, and which
    /// ones were found.
    pub fn note_list(known: u32, keys: impl Iterator<Item = Key>) {
        READS.with_borrow_mut(|reads| {
            if let Some(reads) = reads {
                reads.listed.get_or_insert(known);
                reads.keys.extend(keys);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::ThreadId;

    fn key(number: u32) -> Key {
        Key::Thread(ThreadId(number))
    }

    #[test]
    fn a_recording_within_another_one_is_part_of_it() {
        Reads::note(key(9));
        Reads::default().record();
        Reads::note(key(1));
        Reads::default().record();
        Reads::note_list(7, [key(2), key(3)].into_iter());
        let inner = Reads::take();
        assert_eq!((inner.keys, inner.listed), (vec![key(2), key(3)], Some(7)));
        Reads::note(key(4));
        let outer = Reads::take();
        assert_eq!((outer.keys.len(), outer.listed), (4, Some(7)));
        assert!(Reads::take().keys.is_empty());
    }
}
