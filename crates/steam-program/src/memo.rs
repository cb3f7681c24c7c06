//! Steps that were done before, in states that looked the same to them.
//!
//! A step is a function of the components that it reads, and most states differ in components that
//! it does not read. So what a step read ([`Reads`]) and what it changed is kept: a tree in which a
//! node names the next slot to be looked at, or a question about the whole state, a branch what was found there, and a
//! leaf the components to be put in place, or the status with which the program ends. The tree
//! begins with the thread's own component, which says what the thread is about to do.
//!
//! Invariant: a leaf is reached only by looking at all that the recorded step looked at, with the
//! same result; so the step would do the same again. What an iteration of a search learns counts from
//! the next iteration on, and the tree lives for one iteration only.

use ahash::{HashMap, HashSet, RandomState};
use steam_model::Delta;
use steam_state::{Access, Component, Key, Reads, Recorder, Slots, Table};

use super::Action;
use super::finding::Violation;
use super::long_runs::Looped;

/// Steps that look at more components than this are not kept.
const MOST_READS: usize = 1000;
/// Nor is another branch where there are so many.
const MOST_BRANCHES: usize = 256;
/// When there are so many nodes, the tree begins anew.
const MOST_NODES: usize = 1 << 18;
/// After so many steps it is asked whether keeping them is worth it.
const TRIAL: u64 = 1 << 14;
/// Where it was not, it is tried again after so many steps: a program may come to a part in which
/// the same happens over and over.
const PAUSE: u64 = 8 * TRIAL;

/// Steps are kept that look for threads which are not there yet, up to so many numbers further.
const UNBORN: u32 = 16;

/// Of a step that did not look for all keys of a kind.
const UNLISTED: u32 = u32::MAX;

/// What begins a path: the thread, the chosen way, and the thread's component.
type Start = (u32, u32, u32);

/// What a step has looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Look {
    /// What lies in a slot.
    Slot(u32),
    /// The answer to a question about the whole state, by its number.
    Asked(u32),
}

/// Who answers questions about the state in which a step begins, by their numbers.
type Answers<'a> = dyn FnMut(u32) -> bool + 'a;

/// What a step begins with.
pub(super) struct Beginning<'a> {
    pub(super) state: &'a Table,
    /// The component of the thread whose step it is.
    pub(super) own: Component,
    pub(super) action: Action,
    pub(super) answers: &'a mut Answers<'a>,
}

impl Look {
    /// What is found in a state.
    fn found(self, state: &Table, answers: &mut Answers<'_>) -> u32 {
        match self {
            Self::Slot(slot) => state.get(slot).0,
            Self::Asked(number) => answers(number).into(),
        }
    }
}

enum Node {
    /// Look at something.
    Look {
        what: Look,
        /// What may be found there, and the node to go on with.
        branches: Vec<(u32, u32)>,
    },
    /// The step came to something.
    Leaf {
        came: Came,
        /// How many instructions it took, as far as that fits.
        effort: u32,
        /// How many keys had slots when all of a kind were looked for: what has become known since
        /// was not looked at. [`UNLISTED`] if they were not.
        listed: u32,
    },
}

/// A step that is to be kept.
pub(super) struct Kept {
    /// What it came to.
    pub(super) came: Came,
    /// How many instructions it took.
    pub(super) effort: u64,
}

/// What a step came to.
pub(super) enum Came {
    /// Components are put into slots.
    Changes {
        /// The slots with what is put there.
        changes: Box<[(u32, u32)]>,
        /// Whether the step was progress.
        progress: bool,
        /// Whether it read a clock.
        clock_read: bool,
        /// The shared memory that it touched as a whole.
        footprint: Box<[Access]>,
        /// The memory that it touched beside, as far as that is kept.
        beside: Box<[Access]>,
    },
    /// The program ends.
    End {
        /// With this status.
        status: i32,
        /// The shared memory that the step touched as a whole.
        footprint: Box<[Access]>,
    },
    /// Its thread runs on and on: that takes long to find out.
    Divergence {
        /// The error that this is.
        error: Violation,
        /// Whether it was seen to loop.
        looped: Looped,
    },
    /// This way does not count: against an assumption, or for as long as it is not known whether its
    /// thread runs on for ever.
    Nowhere(Looped),
}

impl Came {
    /// To the next state; whether that was progress, and whether a clock was read.
    pub(super) fn next(
        delta: &Delta,
        (progress, clock_read): (bool, bool),
        footprint: &[Access],
        beside: &[Access],
    ) -> Self {
        let changes = delta.changes().iter().map(|change| (change.slot, change.new)).collect();
        let (footprint, beside) = (footprint.into(), beside.into());
        Self::Changes { changes, progress, clock_read, footprint, beside }
    }

    /// The same from another state; its changes are in `delta`.
    fn recall(&self, state: &Table, delta: &mut Delta) -> Recalled<'_> {
        match self {
            Self::Changes { changes, progress, clock_read, footprint, beside } => {
                for &(slot, id) in changes {
                    let old = state.get(slot).0;
                    if old != id {
                        delta.record(slot, old, id);
                    }
                }
                let (progress, clock_read) = (*progress, *clock_read);
                Recalled::Next { progress, clock_read, footprint, beside }
            }
            Self::End { status, footprint } => Recalled::End { status: *status, footprint },
            Self::Divergence { error, looped } => Recalled::Divergence { error, looped: *looped },
            Self::Nowhere(looped) => Recalled::Nowhere(*looped),
        }
    }
}

/// What is known of a step.
pub(super) enum Recalled<'a> {
    /// It leads to the next state, and its changes are reported.
    Next {
        /// Whether it is progress.
        progress: bool,
        /// Whether it reads a clock.
        clock_read: bool,
        /// The shared memory that it touches as a whole.
        footprint: &'a [Access],
        /// The memory that it touches beside, as far as that is kept.
        beside: &'a [Access],
    },
    /// It ends the program.
    End {
        /// With this status.
        status: i32,
        /// The shared memory that it touches as a whole.
        footprint: &'a [Access],
    },
    /// Its thread runs on and on.
    Divergence {
        /// The error that this is.
        error: &'a Violation,
        /// Whether it was seen to loop.
        looped: Looped,
    },
    /// It leads nowhere.
    Nowhere(Looped),
}

/// The steps that one worker has done in an iteration.
pub(super) struct Memo {
    starts: HashMap<Start, u32>,
    nodes: Vec<Node>,
    iteration: u64,
    /// How many objects ever lay on the heap.
    heap_objects: usize,
    found: u64,
    missed: u64,
    /// Room for the keys that one step has looked at.
    seen: HashSet<Key>,
    /// Whether steps are kept: not where they are never found again.
    useful: bool,
    /// If not, after how many steps that is tried again.
    pause: u64,
    /// What the step reads which is looked for, where what is read is recorded.
    trace: Vec<Look>,
}

impl Default for Memo {
    fn default() -> Self {
        Self {
            starts: HashMap::with_hasher(RandomState::with_seeds(3, 1, 4, 1)),
            nodes: Vec::new(),
            iteration: 0,
            heap_objects: 0,
            found: 0,
            missed: 0,
            seen: HashSet::with_hasher(RandomState::with_seeds(2, 7, 1, 8)),
            useful: true,
            pause: 0,
            trace: Vec::new(),
        }
    }
}

impl Memo {
    /// Whether steps are to be looked for and kept in an iteration.
    pub(super) fn is_useful(&mut self, iteration: u64, heap_objects: usize) -> bool {
        // A block that is freed takes the objects in it with it; which ones those may be is known
        // by the slots of all objects on the heap.
        if iteration != self.iteration || heap_objects != self.heap_objects {
            *self = Self { iteration, heap_objects, ..Self::default() };
        }
        if self.useful && self.found + self.missed >= TRIAL {
            self.useful = self.found >= self.missed / 4;
            if !self.useful {
                self.clear();
                self.pause = PAUSE;
            }
            (self.found, self.missed) = (0, 0);
        }
        if !self.useful {
            self.pause -= 1;
            self.useful = self.pause == 0;
        }
        self.useful
    }

    fn clear(&mut self) {
        self.starts.clear();
        self.nodes.clear();
    }

    /// What is known of the step by an action, and how many instructions it took; its changes are in
    /// `delta` unless the program ends. What it has read is recorded as if it were done again.
    pub(super) fn recall(
        &mut self,
        beginning: Beginning<'_>,
        slots: &Slots,
        recorder: &Recorder,
        delta: &mut Delta,
    ) -> Option<(u64, Recalled<'_>)> {
        let Beginning { state, own, action, answers } = beginning;
        let (registered, records) = (slots.registered(), recorder.is_recording());
        let mut next = self.starts.get(&(action.thread.0, action.choice, own.0)).copied();
        self.trace.clear();
        while let Some(at) = next {
            match &self.nodes[at as usize] {
                Node::Look { what, branches } => {
                    if records {
                        self.trace.push(*what);
                    }
                    let found = what.found(state, answers);
                    next = branches.iter().find(|(id, _)| *id == found).map(|(_, node)| *node);
                }
                Node::Leaf { listed, .. } if *listed != UNLISTED && *listed != registered => break,
                Node::Leaf { came, effort, listed } => {
                    self.found += 1;
                    if records {
                        note_reads(&self.trace, *listed, slots, recorder);
                    }
                    return Some(((*effort).into(), came.recall(state, delta)));
                }
            }
        }
        self.missed += 1;
        None
    }

    /// Keeps a step that was done from a state, with what it came to.
    pub(super) fn keep(
        &mut self,
        beginning: Beginning<'_>,
        reads: &Reads,
        slots: &Slots,
        kept: Kept,
    ) {
        let Beginning { state, own, action, answers } = beginning;
        let mut looks: Vec<(Look, u32)> = Vec::with_capacity(reads.keys.len().min(MOST_READS));
        self.seen.clear();
        let most = slots.highest_thread().saturating_add(UNBORN);
        for &key in &reads.keys {
            // Who asks for any number that a thread might have is not given a slot for it.
            if matches!(key, Key::Thread(thread) if thread.0 > most) {
                return;
            }
            if key != Key::Thread(action.thread) && self.seen.insert(key) {
                let look = match key {
                    Key::Asked(number) => Look::Asked(number),
                    key => Look::Slot(slots.slot(key, action.thread)),
                };
                looks.push((look, look.found(state, answers)));
            }
            if looks.len() > MOST_READS {
                return;
            }
        }
        if self.nodes.len() > MOST_NODES {
            self.clear();
        }
        let effort = kept.effort.try_into().unwrap_or(u32::MAX);
        let listed = reads.listed.unwrap_or(UNLISTED);
        let leaf = Node::Leaf { came: kept.came, effort, listed };
        let start = (action.thread.0, action.choice, own.0);
        match self.starts.get(&start).copied() {
            None => {
                let first = self.chain(&looks, leaf);
                self.starts.insert(start, first);
            }
            Some(first) => self.branch(first, &looks, leaf),
        }
    }

    /// Goes along what is known and adds what is not.
    fn branch(&mut self, first: u32, looks: &[(Look, u32)], leaf: Node) {
        let mut at = first;
        for (position, &(look, id)) in looks.iter().enumerate() {
            let branches = match &self.nodes[at as usize] {
                Node::Look { what, branches } if *what == look => branches,
                // Known from when fewer keys were: the same components made it look elsewhere.
                _ => return self.replace(at, &looks[position..], leaf),
            };
            if branches.len() >= MOST_BRANCHES {
                return;
            }
            match branches.iter().find(|(known, _)| *known == id) {
                Some(&(_, node)) => at = node,
                None => {
                    let node = self.chain(&looks[position + 1..], leaf);
                    match &mut self.nodes[at as usize] {
                        Node::Look { branches, .. } => branches.push((id, node)),
                        Node::Leaf { .. } => unreachable!("it has just been looked at"),
                    }
                    return;
                }
            }
        }
        self.replace(at, &[], leaf);
    }

    /// Puts a row of looks in the place of a node.
    fn replace(&mut self, at: u32, looks: &[(Look, u32)], leaf: Node) {
        let node = self.chain(looks, leaf);
        self.nodes.swap(at as usize, node as usize);
    }

    /// New nodes for a row of looks; the first of them.
    fn chain(&mut self, looks: &[(Look, u32)], leaf: Node) -> u32 {
        self.nodes.push(leaf);
        let mut node = self.nodes.len() as u32 - 1;
        for &(what, found) in looks.iter().rev() {
            let branches = vec![(found, node)];
            self.nodes.push(Node::Look { what, branches });
            node = self.nodes.len() as u32 - 1;
        }
        node
    }
}

/// Notes what a step read that need not be done again.
fn note_reads(read: &[Look], listed: u32, slots: &Slots, recorder: &Recorder) {
    let key = |look: &Look| match *look {
        Look::Slot(slot) => slots.key(slot).expect("what was read from a slot has registered it"),
        Look::Asked(number) => Key::Asked(number),
    };
    read.iter().map(key).for_each(|key| recorder.note(key));
    if listed != UNLISTED {
        recorder.note_list(listed, std::iter::empty());
    }
}
