//! Memory whose accesses are watched, and what is said to its watch.

use std::sync::Arc;

use steam_state::{Access, LiveMemory, Place, Policy, ThreadId};

use crate::ownership::Ownership;
use crate::sharing::{Epoch, Held, Origin};
use crate::watch::{Mode, Watch, local};

/// Memory whose accesses are watched.
pub type Memory = LiveMemory<Watch>;

/// All that is said of a thread before it runs: how its accesses are watched, and as whose they count.
#[derive(Debug, Default)]
pub struct Turn {
    /// The thread that runs.
    pub thread: ThreadId,
    /// How its accesses are watched.
    pub mode: Mode,
    /// Where it stands among the threads that the first thread creates; nothing is ordered where that is not known.
    pub epoch: Option<Epoch>,
    /// In how many handlers it counts as being, and from which stack pointer on the stack is that of what was
    /// interrupted.
    pub interrupted: Option<(u32, u32)>,
    /// What threads of the process have claimed for themselves.
    pub ownership: Arc<Ownership>,
    /// Whether what a thread does to what it has claimed concerns no other thread.
    pub secluded: bool,
    /// What the memory is a copy of, if that was copied while others were at it.
    pub origins: Option<Arc<[Origin]>>,
    /// Where the thread stands that has lent the memory.
    pub lent_at: Option<Epoch>,
    /// Where the stack ends that was made for who works with lent memory.
    pub apart: Option<u32>,
    /// The stack pointer.
    pub esp: u32,
}

/// What the locking discipline asks of a thread that runs.
#[derive(Debug, Default)]
pub struct Judged {
    /// The locks that it holds.
    pub held: Held,
    /// Blocks that it initialises, first and last byte.
    pub fresh: Vec<(u32, u32)>,
    /// A number for it that is the same in all executions.
    pub who: u32,
}

/// What is said to the watch of a memory and needs to know what is mapped where.
pub trait Watching {
    /// Accesses are those of a thread from now on.
    fn begin_turn(&mut self, turn: Turn);

    /// The same, where all that changes is the thread or how it is watched.
    fn watch(&mut self, thread: ThreadId, mode: Mode);

    /// Says what the memory is a copy of, if that was copied while others were at it.
    fn set_origins(&mut self, origins: Option<Arc<[Origin]>>);

    /// The number of a thread within its process.
    fn local(&self, thread: ThreadId) -> ThreadId;

    /// Notes an access that is not done here, such as the freeing of a block.
    fn note(&mut self, start: u32, end: u32, write: bool);

    /// Notes an access that the next step will make, with what the thread holds now; returns the parts
    /// of it that others can observe.
    fn note_ahead(&mut self, start: u32, end: u32, write: bool) -> Vec<Access>;

    /// Notes that the word of an object is looked at that processes have in common, wherever the
    /// thread sees it.
    fn note_common_object(&mut self, place: Place);

    /// Notes that a thread uses something that stands for one word, such as a heap arena.
    fn note_word(&mut self, word: u32, thread: ThreadId, write: bool);

    /// Notes that something in what the memory is a copy of is looked at, by another way than an access.
    fn look_at_originals(&self, place: Place, size: u32);
}

impl Watching for Memory {
    fn begin_turn(&mut self, turn: Turn) {
        self.reconsider(|watch, layout| watch.begin_turn(layout, turn));
    }

    fn watch(&mut self, thread: ThreadId, mode: Mode) {
        self.reconsider(|watch, layout| watch.follow(layout, thread, mode));
    }

    fn set_origins(&mut self, origins: Option<Arc<[Origin]>>) {
        self.reconsider(|watch, _| watch.set_origins(origins));
    }

    fn local(&self, thread: ThreadId) -> ThreadId {
        local(self.space(), thread)
    }

    fn note(&mut self, start: u32, end: u32, write: bool) {
        let (layout, watch) = self.with_policy();
        watch.note(layout, start, end, write);
    }

    fn note_ahead(&mut self, start: u32, end: u32, write: bool) -> Vec<Access> {
        let (layout, watch) = self.with_policy();
        watch.note_ahead(layout, start, end, write)
    }

    fn note_common_object(&mut self, place: Place) {
        let (layout, watch) = self.with_policy();
        watch.note_common_object(layout, place);
    }

    fn note_word(&mut self, word: u32, thread: ThreadId, write: bool) {
        let (layout, watch) = self.with_policy();
        watch.note_word(layout, word, thread, write);
    }

    fn look_at_originals(&self, place: Place, size: u32) {
        self.policy.look_at_originals(self.layout(), place, size);
    }
}
