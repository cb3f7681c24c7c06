//! Which components a step has looked at: what its outcome depends on.
//!
//! A step is a function of the components that it reads. Everything that reads a state does so by a
//! [`Reading`], which says where it is noted: in the [`Recorder`] of the machine, or nowhere, for what is part of no step.
//! What looks for all components of a kind (threads, pages, objects) depends on those that were known of
//! then, which are noted too, and on that no others have become known since.
//!
//! All parts of a machine note into one recorder, in the order in which they read: the memo of steps relies on that the
//! next key is a function of what was found under those before it. A recording within another one is part of it.
//!
//! A recorder belongs to one machine, which runs on one thread at a time, so no lock is needed: its atomics are loaded and stored
//! as plain numbers would be. They are atomic because a machine may go on on another thread, with the parts
//! that share the recorder.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::context::ThreadId;
use crate::place::{PageNumber, Place, Space};
use crate::slots::Key;
use crate::table::Table;

/// A state that is read, and where that is noted.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    table: &'a Table,
    notes: Notes<'a>,
}

impl<'a> Reading<'a> {
    /// What may be part of a step reads a state.
    #[inline]
    pub fn recorded(table: &'a Table, recorder: &'a Recorder) -> Self {
        Self { table, notes: Notes::In(recorder) }
    }

    /// What is part of no step reads a state.
    #[inline]
    pub fn unrecorded(table: &'a Table) -> Self {
        Self { table, notes: Notes::Unrecorded }
    }

    /// Where it is noted what is read.
    #[inline]
    pub fn notes(self) -> Notes<'a> {
        self.notes
    }

    /// The state.
    #[inline]
    pub fn table(self) -> &'a Table {
        self.table
    }
}

/// Where it is noted what is read.
#[derive(Clone, Copy, Debug)]
pub enum Notes<'a> {
    /// In a recorder, for as long as it records.
    In(&'a Recorder),
    /// Nowhere: it is part of no step.
    Unrecorded,
}

impl Notes<'_> {
    /// Notes that a component is read.
    #[inline]
    pub(crate) fn note(self, key: Key) {
        if let Self::In(recorder) = self {
            recorder.note(key);
        }
    }

    /// Says that all keys of a kind are looked for, when so many are known of all kinds, and which
    /// ones were found.
    pub(crate) fn note_list(self, known: u32, keys: impl Iterator<Item = Key>) {
        if let Self::In(recorder) = self {
            recorder.note_list(known, keys);
        }
    }
}

/// What was read, in order; a key that is read again is noted again.
#[derive(Debug, Default)]
pub struct Reads {
    /// The keys of the components.
    pub keys: Vec<Key>,
    /// How many keys of all kinds were known when all of a kind were first looked for, if they were.
    pub listed: Option<u32>,
}

/// Where the parts of one machine note what they read. Clones of it are the same recorder.
#[derive(Clone, Debug, Default)]
pub struct Recorder(Arc<Log>);

/// A recording under way, to be ended.
#[must_use = "a recording that is not ended goes on for ever"]
#[derive(Debug)]
pub struct Recording {
    /// How many keys were noted before it began.
    start: u32,
    /// What was noted of lists by then, as in the log.
    listed: u32,
}

/// How many keys fit into the first chunk; each one after it has twice as much room as the one before.
const FIRST_CHUNK: u32 = 256;
const CHUNKS: usize = 24;

/// What is noted, by packed keys.
#[derive(Debug, Default)]
struct Log {
    /// How many recordings are under way, one within the other.
    depth: AtomicU32,
    length: AtomicU32,
    /// One more than the number of keys that were known when all of a kind were first looked for; 0 if they were not.
    listed: AtomicU32,
    chunks: [OnceLock<Box<[AtomicU64]>>; CHUNKS],
}

fn get(number: &AtomicU32) -> u32 {
    number.load(Ordering::Relaxed)
}

fn set(number: &AtomicU32, value: u32) {
    number.store(value, Ordering::Relaxed);
}

impl Log {
    /// The place of the key with a number.
    #[inline]
    fn place(&self, number: u32) -> &AtomicU64 {
        let shifted = number + FIRST_CHUNK;
        let bits = shifted.ilog2();
        let chunk = &self.chunks[(bits - FIRST_CHUNK.ilog2()) as usize];
        let chunk = chunk.get_or_init(|| (0..1_u32 << bits).map(|_| AtomicU64::new(0)).collect());
        &chunk[(shifted - (1 << bits)) as usize]
    }
}

impl Recorder {
    /// Begins to record.
    pub fn begin(&self) -> Recording {
        let log = &*self.0;
        set(&log.depth, get(&log.depth) + 1);
        let recording = Recording { start: get(&log.length), listed: get(&log.listed) };
        set(&log.listed, 0);
        recording
    }

    /// Ends the recording that was begun last; `reads` becomes what was noted in it.
    pub fn end(&self, recording: Recording, reads: &mut Reads) {
        let log = &*self.0;
        let key = |number| unpacked(log.place(number).load(Ordering::Relaxed));
        reads.keys.clear();
        reads.keys.extend((recording.start..get(&log.length)).map(key));
        reads.listed = get(&log.listed).checked_sub(1);
        if recording.listed != 0 {
            set(&log.listed, recording.listed);
        }
        let depth = get(&log.depth).checked_sub(1).expect("a recording that ends was begun");
        set(&log.depth, depth);
        if depth == 0 {
            set(&log.length, 0);
            set(&log.listed, 0);
        }
    }

    /// Whether it records.
    #[inline]
    pub fn is_recording(&self) -> bool {
        get(&self.0.depth) != 0
    }

    /// Notes that a component is read.
    #[inline]
    pub fn note(&self, key: Key) {
        if self.is_recording() {
            let length = get(&self.0.length);
            self.0.place(length).store(packed(key), Ordering::Relaxed);
            set(&self.0.length, length + 1);
        }
    }

    /// Says that all keys of a kind are looked for, when so many are known of all kinds, and which
    /// ones were found.
    pub fn note_list(&self, known: u32, keys: impl Iterator<Item = Key>) {
        if self.is_recording() {
            if get(&self.0.listed) == 0 {
                set(&self.0.listed, known + 1);
            }
            keys.for_each(|key| self.note(key));
        }
    }
}

/// Above the number of a place, which is the longest one.
const KIND: u32 = 48;

/// A key as a number.
#[inline]
fn packed(key: Key) -> u64 {
    let (kind, number) = match key {
        Key::Kernel => (0, 0),
        Key::Process(space) => (1, space.number().into()),
        Key::Regions(space) => (2, space.number().into()),
        Key::Page(page) => (3, page.number().into()),
        Key::Thread(thread) => (4, thread.0.into()),
        Key::Arena(space, thread) => (5, space.at(thread.0).number()),
        Key::Blocks(page) => (6, page.number().into()),
        Key::Object(place) => (7, place.number()),
        Key::Channel(number) => (8, number.into()),
        Key::Mark(place) => (9, place.number()),
        Key::Asked(number) => (10, number.into()),
    };
    kind << KIND | number
}

/// The key that a number stands for.
#[inline]
fn unpacked(number: u64) -> Key {
    let low = number as u32;
    let place = || {
        let place = Place::from_number(number & ((1 << KIND) - 1));
        place.expect("a key that was noted names a place")
    };
    match number >> KIND {
        0 => Key::Kernel,
        1 => Key::Process(Space::numbered(low)),
        2 => Key::Regions(Space::numbered(low)),
        3 => Key::Page(PageNumber::numbered(low)),
        4 => Key::Thread(ThreadId(low)),
        5 => Key::Arena(place().space(), ThreadId(low)),
        6 => Key::Blocks(PageNumber::numbered(low)),
        7 => Key::Object(place()),
        8 => Key::Channel(low),
        9 => Key::Mark(place()),
        10 => Key::Asked(low),
        kind => unreachable!("no key is of kind {kind}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u32) -> Key {
        Key::Thread(ThreadId(number))
    }

    #[test]
    fn a_recording_within_another_one_is_part_of_it() {
        let recorder = Recorder::default();
        // Another part of the machine.
        let part = recorder.clone();
        let (mut inner, mut outer) = (Reads::default(), Reads::default());
        recorder.note(key(9));
        let whole = recorder.begin();
        part.note(key(1));
        let within = recorder.begin();
        part.note_list(7, [key(2), key(3)].into_iter());
        recorder.end(within, &mut inner);
        assert_eq!((inner.keys, inner.listed), (vec![key(2), key(3)], Some(7)));
        recorder.note(key(4));
        part.note_list(8, [].into_iter());
        recorder.end(whole, &mut outer);
        assert_eq!((&outer.keys[..], outer.listed), (&[1, 2, 3, 4].map(key)[..], Some(7)));
        part.note(key(5));
        let next = recorder.begin();
        recorder.end(next, &mut outer);
        assert!(outer.keys.is_empty() && outer.listed.is_none() && !part.is_recording());
    }

    #[test]
    fn what_is_within_a_recording_does_not_know_of_lists_before_it() {
        let (recorder, mut reads) = (Recorder::default(), Reads::default());
        let whole = recorder.begin();
        recorder.note_list(7, [].into_iter());
        let within = recorder.begin();
        recorder.end(within, &mut reads);
        assert_eq!(reads.listed, None);
        let within = recorder.begin();
        recorder.note_list(8, [].into_iter());
        recorder.end(within, &mut reads);
        assert_eq!(reads.listed, Some(8));
        recorder.end(whole, &mut reads);
        assert_eq!(reads.listed, Some(7));
    }

    #[test]
    fn a_recording_may_be_long() {
        let (recorder, mut reads) = (Recorder::default(), Reads::default());
        let recording = recorder.begin();
        (0..10_000).for_each(|number| recorder.note(key(number)));
        recorder.end(recording, &mut reads);
        assert!(reads.keys.iter().copied().eq((0..10_000).map(key)));
    }

    #[test]
    fn every_key_is_noted_as_what_it_is() {
        let thread = ThreadId(u32::MAX);
        for space in [Space::FIRST, Space::numbered(77), Space::SHARED] {
            let (page, place) = (space.page(0x1f_ffff), space.at(0xffff_fffc));
            let keys = [
                Key::Kernel,
                Key::Process(space),
                Key::Regions(space),
                Key::Page(page),
                Key::Thread(thread),
                Key::Arena(space, thread),
                Key::Blocks(page),
                Key::Object(place),
                Key::Channel(u32::MAX),
                Key::Mark(place),
                Key::Asked(u32::MAX),
            ];
            assert_eq!(keys.map(|key| unpacked(packed(key))), keys);
        }
    }
}
