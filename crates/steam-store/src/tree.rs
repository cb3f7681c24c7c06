//! A set of vectors as a table of tree nodes: what the tree store consists of.
//!
//! A vector is the row of leaves of a binary tree; an inner node is the pair of its children,
//! interned, and named by a 30-bit reference; the roots lie in a table of their own, in which a
//! state's place is its number. States that share a part of their vector share its subtree, so
//! that in the limit a state costs one node of 8 bytes (Laarman, van de Pol, Weber, "Parallel
//! recursive state compression for free", 2011).
//!
//! Deviations from that paper: nodes lie densely in an arena with a separate index that grows;
//! a state is inserted as a change of another one by walking from that one's root down to the
//! changed slots and interning on the way back, which needs no unfolded copy of the tree; vectors
//! have any length; and which leaf a slot is does not follow from its number but is decided when
//! it first changes (see `layout`), and now and then anew (see `tree_store`). An empty subtree, in which everything is as in the first
//! vector, is the reference 0 and is never stored, and a root carries the height of its tree, the
//! smallest that holds all leaves in use. Because of sharing, two states are compared by
//! descending only where references differ.

use steam_model::{Change, Delta, Full, StateId};

use crate::layout::Layout;
use crate::table::{Cursor, Table, mix};

/// Below this height trees are padded, so that no root's children are leaves.
const MIN_HEIGHT: u32 = 3;
const REFERENCE_BITS: u32 = 30;
const REFERENCE_MASK: u64 = (1 << REFERENCE_BITS) - 1;
/// The heights that fit into the four bits beside two references, of which 0 is not used.
pub(crate) const MAX_HEIGHT: u32 = MIN_HEIGHT + 14;

/// A subtree: 0 if it is empty, else one more than its node's number. At height 0 it is a
/// component id, as the layout names it.
type Reference = u32;

/// The top of a tree, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Root {
    height: u32,
    left: Reference,
    right: Reference,
}

impl Root {
    const EMPTY: Self = Self { height: MIN_HEIGHT, left: 0, right: 0 };

    fn pack(self) -> u64 {
        (u64::from(self.height - MIN_HEIGHT + 1) << (2 * REFERENCE_BITS))
            | (u64::from(self.left) << REFERENCE_BITS)
            | u64::from(self.right)
    }

    fn unpack(word: u64) -> Self {
        Self {
            height: (word >> (2 * REFERENCE_BITS)) as u32 + MIN_HEIGHT - 1,
            left: ((word >> REFERENCE_BITS) & REFERENCE_MASK) as Reference,
            right: (word & REFERENCE_MASK) as Reference,
        }
    }
}

/// What one worker of a [`Tree`] needs for itself.
pub(crate) struct TreeCursor {
    nodes: NodeCursor,
    roots: Cursor,
    placed: Vec<Change>,
}

/// A cursor in the table of inner nodes, with the nodes that this worker interned last: most
/// nodes on the way up are among them, and a look here costs no cache miss.
struct NodeCursor {
    table: Cursor,
    recent: Box<[(u64, Reference)]>,
}

impl NodeCursor {
    const RECENT_BITS: u32 = 11;

    fn new(table: Cursor) -> Self {
        Self { table, recent: vec![(0, 0); 1 << Self::RECENT_BITS].into_boxed_slice() }
    }
}

/// An exact set of vectors with one arrangement of their slots.
pub(crate) struct Tree {
    layout: Layout,
    nodes: Table<1>,
    roots: Table<1>,
}

impl Tree {
    /// An empty tree whose tables take at most about `limit` bytes.
    pub(crate) fn new(layout: Layout, limit: u64) -> Self {
        // Neither table can know what the other will need; each may take most of the memory, and
        // the search watches the sum.
        Self { layout, nodes: Table::new(limit), roots: Table::new(limit) }
    }

    pub(crate) fn cursor(&self) -> TreeCursor {
        TreeCursor {
            nodes: NodeCursor::new(self.nodes.cursor()),
            roots: self.roots.cursor(),
            placed: Vec::new(),
        }
    }

    /// The number of states.
    pub(crate) fn len(&self) -> u64 {
        self.roots.len()
    }

    /// The number of inner nodes, roots not counted.
    pub(crate) fn inner_nodes(&self) -> u64 {
        self.nodes.len()
    }

    /// Bytes of the tables.
    pub(crate) fn bytes(&self) -> u64 {
        self.nodes.bytes() + self.roots.bytes() + self.layout.bytes()
    }

    /// Takes no new state from now on, as if it were full; those that are there are still found.
    pub(crate) fn close(&self) {
        self.roots.close();
    }

    /// The number of the state that differs from `base` (or from the empty vector) by the
    /// changes, and whether it is new.
    pub(crate) fn insert(
        &self,
        cursor: &mut TreeCursor,
        base: Option<StateId>,
        changes: &[Change],
    ) -> Result<(u32, bool), Full> {
        if !self.layout.holds(changes) {
            return Err(Full);
        }
        let TreeCursor { nodes, roots, placed } = cursor;
        match base {
            Some(_) => self.layout.place(changes, placed),
            None => self.layout.place(self.layout.changes_from_first(changes).changes(), placed),
        }
        let mut root = self.root(base);
        if let Some(last) = placed.last() {
            root = self.raise(nodes, root, last.slot)?;
        }
        let pair = (root.left, root.right);
        let (left, right) = self.update_pair(nodes, pair, root.height, placed)?;
        let root = self.lower(Root { left, right, ..root });
        self.roots.find_or_put(roots, [root.pack()])
    }

    /// Replaces `delta` by the changes that lead from `base` (or from the empty vector) to a
    /// state.
    pub(crate) fn difference(&self, base: Option<StateId>, state: StateId, delta: &mut Delta) {
        delta.clear();
        if base.is_none() {
            self.layout.record_first(delta);
        }
        let (old, new) = (self.root(base), self.root(Some(state)));
        let height = old.height.min(new.height);
        let (mut old_cut, mut new_cut) = (Vec::new(), Vec::new());
        let old = self.descend(old, height, &mut old_cut);
        let new = self.descend(new, height, &mut new_cut);
        self.compare_pairs((old.left, old.right), (new.left, new.right), height, 0, delta);
        for &(subtree, height) in old_cut.iter().rev() {
            self.compare((subtree, 0), height, 1 << height, delta);
        }
        for &(subtree, height) in new_cut.iter().rev() {
            self.compare((0, subtree), height, 1 << height, delta);
        }
        delta.normalise();
    }

    fn root(&self, state: Option<StateId>) -> Root {
        state.map_or(Root::EMPTY, |id| Root::unpack(self.roots.get(id.0)[0]))
    }

    fn children(&self, node: Reference) -> (Reference, Reference) {
        match node.checked_sub(1) {
            None => (0, 0),
            Some(number) => {
                let [pair] = self.nodes.get(number);
                ((pair >> 32) as Reference, pair as Reference)
            }
        }
    }

    fn intern(
        &self,
        cursor: &mut NodeCursor,
        left: Reference,
        right: Reference,
    ) -> Result<Reference, Full> {
        let pair = (u64::from(left) << 32) | u64::from(right);
        if pair == 0 {
            return Ok(0);
        }
        let place = mix(pair) as usize & (cursor.recent.len() - 1);
        if cursor.recent[place].0 != pair {
            let reference = self.nodes.find_or_put(&mut cursor.table, [pair])?.0 + 1;
            cursor.recent[place] = (pair, reference);
        }
        Ok(cursor.recent[place].1)
    }

    /// The subtree that results from changes, all of which lie in it.
    fn update(
        &self,
        cursor: &mut NodeCursor,
        node: Reference,
        height: u32,
        changes: &[Change],
    ) -> Result<Reference, Full> {
        match changes {
            [] => Ok(node),
            [change, ..] if height == 0 => {
                debug_assert_eq!((changes.len(), change.old), (1, node), "a wrong delta");
                Ok(change.new)
            }
            _ => {
                let (left, right) = self.children(node);
                let (left, right) = self.update_pair(cursor, (left, right), height, changes)?;
                self.intern(cursor, left, right)
            }
        }
    }

    /// The two children that result from changes below their parent of the given height.
    fn update_pair(
        &self,
        cursor: &mut NodeCursor,
        (left, right): (Reference, Reference),
        height: u32,
        changes: &[Change],
    ) -> Result<(Reference, Reference), Full> {
        let half = 1u32 << (height - 1);
        let (low, high) =
            changes.split_at(changes.partition_point(|change| change.slot & half == 0));
        Ok((
            self.update(cursor, left, height - 1, low)?,
            self.update(cursor, right, height - 1, high)?,
        ))
    }

    /// Lifts a root until its tree holds the place.
    fn raise(&self, cursor: &mut NodeCursor, mut root: Root, place: u32) -> Result<Root, Full> {
        if place >> MAX_HEIGHT != 0 {
            return Err(Full);
        }
        while place >> root.height != 0 {
            let left = self.intern(cursor, root.left, root.right)?;
            root = Root { height: root.height + 1, left, right: 0 };
        }
        Ok(root)
    }

    /// Takes empty upper halves away, so that equal vectors have equal roots.
    fn lower(&self, mut root: Root) -> Root {
        while root.right == 0 && root.height > MIN_HEIGHT {
            let (left, right) = self.children(root.left);
            root = Root { height: root.height - 1, left, right };
        }
        root
    }

    /// Records where two subtrees differ; `place` is the first one below them.
    fn compare(
        &self,
        (old, new): (Reference, Reference),
        height: u32,
        place: u32,
        delta: &mut Delta,
    ) {
        if old == new {
            return;
        }
        if height == 0 {
            return self.layout.record(place, old, new, delta);
        }
        self.compare_pairs(self.children(old), self.children(new), height, place, delta);
    }

    fn compare_pairs(
        &self,
        old: (Reference, Reference),
        new: (Reference, Reference),
        height: u32,
        place: u32,
        delta: &mut Delta,
    ) {
        self.compare((old.0, new.0), height - 1, place, delta);
        self.compare((old.1, new.1), height - 1, place + (1 << (height - 1)), delta);
    }

    /// The children of a root's leftmost subtree of the given height, and the right halves cut
    /// off on the way down, each with its height.
    fn descend(&self, mut root: Root, height: u32, cut: &mut Vec<(Reference, u32)>) -> Root {
        while root.height > height {
            cut.push((root.right, root.height - 1));
            let (left, right) = self.children(root.left);
            root = Root { height: root.height - 1, left, right };
        }
        root
    }
}
