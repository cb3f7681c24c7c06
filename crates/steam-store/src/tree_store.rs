//! The tree store: exact, small, and able to rebuild every state. The default.
//!
//! How small a [`Tree`] is depends on the arrangement of its slots, and which one is good is known
//! only after some steps. So the store takes a sample of steps; when it holds a certain number of
//! states and its tree is not small, it arranges the slots anew and moves all states into a new
//! tree. The numbers of states stay what they are, since the new tree takes them up in their
//! order. For twelve philosophers, a program with threads and mutexes whose first step starts all
//! of them, this makes 18 bytes for each of 1.7 million states out of 62, and takes less than half
//! the processor time.
//!
//! The worker that inserted the state with that number does this alone. It closes the old tree,
//! which then takes no new state; whoever is refused waits, and goes on with the new tree. A worker
//! that only reads need not wait: the old tree still answers for the states in it.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use steam_model::{Change, Delta, Full, Insert, StateId, Visited};

use crate::arrangement::Sample;
use crate::layout::{BLOCK, Layout};
use crate::tree::{MAX_HEIGHT, Tree, TreeCursor};

/// With how many states the arrangement is looked at, and how many states there are for each step
/// in the sample until then. The last look is late enough for what is learned to last, and early
/// enough for moving to be cheap.
const LOOKS: [(u32, u32); 3] = [(1 << 12, 1), (1 << 16, 1 << 4), (1 << 20, 1 << 8)];

/// What one worker of a [`TreeStore`] needs for itself.
pub struct TreeScratch {
    /// How often the states had moved when the worker took its tree.
    moves: u32,
    tree: Arc<Tree>,
    cursor: TreeCursor,
    /// The slots of the last change; only to be added to the sample.
    changed: Vec<u32>,
}

/// An exact set of vectors, compressed as a table of tree nodes.
///
/// It holds vectors of up to 16 million slots, of which some 100,000 may ever change, and some 850
/// million states and inner nodes each; beyond, it is full.
pub struct TreeStore {
    tree: RwLock<Arc<Tree>>,
    /// How often the states moved into a new tree; written while `tree` is locked.
    moves: AtomicU32,
    /// How many looks there were.
    looks: AtomicU32,
    /// Locked while the states move.
    sample: Mutex<Sample>,
    limit: u64,
}

impl Default for TreeStore {
    fn default() -> Self {
        Self::with_limit(u64::MAX)
    }
}

impl TreeStore {
    /// A store whose tables take at most about `limit` bytes.
    pub fn with_limit(limit: u64) -> Self {
        Self {
            tree: RwLock::new(Arc::new(Tree::new(Layout::new(), limit))),
            moves: AtomicU32::new(0),
            looks: AtomicU32::new(0),
            sample: Mutex::default(),
            limit,
        }
    }

    /// The number of inner nodes, roots not counted.
    pub fn inner_nodes(&self) -> u64 {
        self.tree().inner_nodes()
    }

    fn tree(&self) -> RwLockReadGuard<'_, Arc<Tree>> {
        self.tree.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn sample(&self) -> MutexGuard<'_, Sample> {
        self.sample.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the step to a new state to the sample, and takes a look when it is time.
    fn learn(&self, scratch: &mut TreeScratch, number: u32, changes: &[Change]) {
        let Some(&(at, every)) = LOOKS.get(self.looks.load(Ordering::Relaxed) as usize) else {
            return;
        };
        if number.is_multiple_of(every) {
            scratch.changed.clear();
            scratch.changed.extend(changes.iter().map(|change| change.slot));
            self.sample().add(&scratch.changed);
        }
        if number + 1 == at {
            self.look(StateId(number));
        }
    }

    /// Moves the states into a new tree if that may be worth it.
    fn look(&self, last: StateId) {
        let mut sample = self.sample();
        self.looks.fetch_add(1, Ordering::Relaxed);
        let blocks = std::mem::take(&mut *sample).blocks();
        let old = self.tree().clone();
        let small = old.inner_nodes() <= old.len() / 4;
        let tight = 2 * old.bytes() > self.limit;
        let high = blocks.len() * BLOCK as usize > 1 << (MAX_HEIGHT - 1);
        if small || tight || high {
            return;
        }
        old.close();
        if let Ok(new) = moved(&old, &blocks, last, self.limit) {
            let mut tree = self.tree.write().unwrap_or_else(PoisonError::into_inner);
            *tree = Arc::new(new);
            self.moves.fetch_add(1, Ordering::Release);
        }
    }
}

/// A tree with the same states, and with slots in these blocks.
fn moved(old: &Tree, blocks: &[Vec<u32>], typical: StateId, limit: u64) -> Result<Tree, Full> {
    let mut delta = Delta::new();
    // Slots that hardly ever change are mostly as in this state, and then take no room.
    old.difference(None, typical, &mut delta);
    let new = Tree::new(Layout::arranged(delta.changes().to_vec(), blocks), limit);
    let mut cursor = new.cursor();
    let mut base = None;
    for state in (0..old.len() as u32).map(StateId) {
        old.difference(base, state, &mut delta);
        let inserted = new.insert(&mut cursor, base, delta.changes())?;
        debug_assert_eq!(inserted, (state.0, true), "a state got another number");
        base = Some(state);
    }
    Ok(new)
}

impl Visited for TreeStore {
    type Key = StateId;
    type Scratch = TreeScratch;

    fn scratch(&self) -> TreeScratch {
        let tree = self.tree();
        let moves = self.moves.load(Ordering::Acquire);
        TreeScratch { moves, tree: tree.clone(), cursor: tree.cursor(), changed: Vec::new() }
    }

    fn id(key: StateId) -> StateId {
        key
    }

    fn insert(
        &self,
        scratch: &mut TreeScratch,
        base: Option<StateId>,
        changes: &[Change],
    ) -> Result<Insert<StateId>, Full> {
        loop {
            if scratch.moves != self.moves.load(Ordering::Acquire) {
                *scratch = self.scratch();
            }
            match scratch.tree.insert(&mut scratch.cursor, base, changes) {
                Ok((number, false)) => return Ok(Insert::Seen(Some(StateId(number)))),
                Ok((number, true)) => {
                    self.learn(scratch, number, changes);
                    return Ok(Insert::New(StateId(number)));
                }
                Err(Full) => {
                    // Perhaps the states are just moving.
                    drop(self.sample());
                    if scratch.moves == self.moves.load(Ordering::Acquire) {
                        return Err(Full);
                    }
                }
            }
        }
    }

    fn rebuilds(&self) -> bool {
        true
    }

    fn difference(&self, base: Option<StateId>, state: StateId, delta: &mut Delta) {
        self.tree().difference(base, state, delta);
    }

    fn exact(&self) -> bool {
        true
    }

    fn len(&self) -> usize {
        self.tree().len() as usize
    }

    fn bytes(&self) -> u64 {
        self.tree().bytes()
    }
}
