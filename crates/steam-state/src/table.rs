//! The frozen state: a sparse array from slots to component ids, copy-on-write.
//!
//! A tree of leaves of 128 ids under nodes of 8 children, as high as the largest slot needs: the
//! usual program has a root and a handful of leaves. A clone is one reference count. The first
//! `set` after a clone copies the nodes on the way to its leaf, later ones that meet the same nodes
//! write in place. The sizes are measured: larger leaves cost more to copy than they save in
//! height, larger nodes more reference counts.

use std::sync::Arc;

use crate::intern::Component;

const LEAF_BITS: u32 = 7;
const LEAF: usize = 1 << LEAF_BITS;
/// So many ids of a leaf are compared at once.
const PART: usize = 16;
const FAN_BITS: u32 = 3;
const FAN: usize = 1 << FAN_BITS;

type Leaf = [Component; LEAF];
type Inner = [Option<Node>; FAN];

#[derive(Clone, Debug)]
enum Node {
    Leaf(Arc<Leaf>),
    Inner(Arc<Inner>),
}

/// Which slot of a leaf holds a slot of the table.
const fn in_leaf(slot: u32) -> usize {
    slot as usize % LEAF
}

/// Which child of a node at a height leads to a slot; leaves have the height 0.
const fn child(slot: u32, height: u32) -> usize {
    (slot >> (LEAF_BITS + (height - 1) * FAN_BITS)) as usize % FAN
}

/// How many slots a tree of a height has.
const fn capacity(height: u32) -> u64 {
    1 << (LEAF_BITS + height * FAN_BITS)
}

impl Node {
    fn empty(height: u32) -> Self {
        match height {
            0 => Self::Leaf(Arc::new([Component(0); LEAF])),
            _ => Self::Inner(Arc::new([const { None }; FAN])),
        }
    }

    /// Whether no slot below is in use.
    fn is_empty(&self) -> bool {
        match self {
            Self::Leaf(leaf) => leaf.iter().all(|id| id.0 == 0),
            Self::Inner(inner) => inner.iter().flatten().all(Self::is_empty),
        }
    }
}

/// Whether two subtrees of one height hold the same ids.
fn equal(left: Option<&Node>, right: Option<&Node>) -> bool {
    match (left, right) {
        (None, None) => true,
        (Some(one), None) | (None, Some(one)) => one.is_empty(),
        (Some(Node::Leaf(a)), Some(Node::Leaf(b))) => Arc::ptr_eq(a, b) || a == b,
        (Some(Node::Inner(a)), Some(Node::Inner(b))) => {
            Arc::ptr_eq(a, b) || a.iter().zip(b.iter()).all(|(x, y)| equal(x.as_ref(), y.as_ref()))
        }
        _ => false,
    }
}

static EMPTY: Leaf = [Component(0); LEAF];

/// One of two trees that are compared: a subtree, which may be lower than the other one.
#[derive(Clone, Copy)]
struct Side<'a> {
    node: Option<&'a Node>,
    height: u32,
}

impl<'a> Side<'a> {
    /// The part below that holds a child of a node of some height.
    fn child(self, child: usize, height: u32) -> Self {
        let node = match self.node {
            _ if self.height < height => {
                return Self { node: self.node.filter(|_| child == 0), ..self };
            }
            Some(Node::Inner(inner)) => inner[child].as_ref(),
            _ => None,
        };
        Self { node, height: height - 1 }
    }

    fn leaf(self) -> &'a Leaf {
        match self.node {
            Some(Node::Leaf(leaf)) => leaf,
            _ => &EMPTY,
        }
    }
}

/// Visits the slots in which two subtrees below a height differ; `first` is their first one.
fn differ(sides: [Side<'_>; 2], height: u32, first: u32, tell: &mut impl FnMut(u32)) {
    match sides.map(|side| side.node) {
        [None, None] => {}
        [Some(Node::Leaf(a)), Some(Node::Leaf(b))] if Arc::ptr_eq(a, b) => {}
        [Some(Node::Inner(a)), Some(Node::Inner(b))] if Arc::ptr_eq(a, b) => {}
        _ if height == 0 => {
            let [a, b] = sides.map(Side::leaf);
            let parts = a.chunks_exact(PART).zip(b.chunks_exact(PART));
            for (first, (a, b)) in (first..).step_by(PART).zip(parts) {
                let bits = a.iter().zip(b).fold(0, |bits, (one, other)| bits | (one.0 ^ other.0));
                if bits == 0 {
                    continue;
                }
                for (slot, (one, other)) in (first..).zip(a.iter().zip(b)) {
                    if one != other {
                        tell(slot);
                    }
                }
            }
        }
        _ => {
            let size = (capacity(height) / FAN as u64) as u32;
            for child in 0..FAN {
                let below = sides.map(|side| side.child(child, height));
                differ(below, height - 1, first + child as u32 * size, tell);
            }
        }
    }
}

/// A sparse array of component ids; what was never set is [`Component`] 0.
#[derive(Clone, Debug, Default)]
pub struct Table {
    root: Option<Node>,
    height: u32,
}

impl Table {
    /// About how many bytes a changed slot takes: the leaf that it lies in and the node above, which
    /// slots that lie together share.
    pub const BYTES_OF_CHANGE: u64 = (size_of::<Leaf>() + size_of::<Inner>()) as u64;

    /// The id at a slot.
    #[inline]
    pub fn get(&self, slot: u32) -> Component {
        self.leaf(slot).map_or(Component(0), |leaf| leaf[in_leaf(slot)])
    }

    /// The leaf that holds a slot, or how many slots from the slot's aligned subtree on are empty.
    #[inline]
    fn find(&self, slot: u32) -> Result<&Leaf, u64> {
        if u64::from(slot) >= capacity(self.height) {
            return Err(u64::MAX);
        }
        let mut node = self.root.as_ref();
        let mut height = self.height;
        loop {
            match node {
                None => return Err(capacity(height)),
                Some(Node::Leaf(leaf)) => return Ok(leaf),
                Some(Node::Inner(inner)) => node = inner[child(slot, height)].as_ref(),
            }
            height -= 1;
        }
    }

    #[inline]
    fn leaf(&self, slot: u32) -> Option<&Leaf> {
        self.find(slot).ok()
    }

    /// Sets the id at a slot and returns what was there.
    pub fn set(&mut self, slot: u32, id: Component) -> Component {
        let old = self.get(slot);
        if old != id {
            self.grow(slot);
            let root = self.root.get_or_insert_with(|| Node::empty(self.height));
            write(root, self.height, slot, id);
        }
        old
    }

    /// Makes the tree high enough for a slot.
    fn grow(&mut self, slot: u32) {
        while u64::from(slot) >= capacity(self.height) {
            self.height += 1;
            if let Some(root) = self.root.take() {
                let mut inner = [const { None }; FAN];
                inner[0] = Some(root);
                self.root = Some(Node::Inner(Arc::new(inner)));
            }
        }
    }

    /// All slots whose id is not 0, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Component)> + '_ {
        let mut next = 0u64;
        std::iter::from_fn(move || {
            while next < capacity(self.height) {
                let slot = next as u32;
                match self.find(slot) {
                    Err(empty) => next = (next + 1).checked_next_multiple_of(empty)?,
                    Ok(leaf) => {
                        next += 1;
                        let id = leaf[in_leaf(slot)];
                        if id.0 != 0 {
                            return Some((slot, id));
                        }
                    }
                }
            }
            None
        })
    }

    /// Visits the slots in which two tables hold different ids, ascending. What they share is passed
    /// over as a whole, so this costs what differs and not what is there.
    pub fn differences(&self, other: &Self, tell: &mut impl FnMut(u32)) {
        let sides = [self, other].map(|it| Side { node: it.root.as_ref(), height: it.height });
        differ(sides, self.height.max(other.height), 0, tell);
    }

    /// Whether two tables hold the same ids. Shared nodes are compared by address first.
    pub fn same(&self, other: &Self) -> bool {
        let (low, high) = if self.height <= other.height { (self, other) } else { (other, self) };
        let mut part = high.root.as_ref();
        for _ in low.height..high.height {
            if let Some(Node::Inner(inner)) = part {
                if !inner[1..].iter().flatten().all(Node::is_empty) {
                    return false;
                }
                part = inner[0].as_ref();
            }
        }
        equal(low.root.as_ref(), part)
    }
}

/// Writes an id below a node of a height, copying the nodes that other tables share.
fn write(node: &mut Node, height: u32, slot: u32, id: Component) {
    match node {
        Node::Leaf(leaf) => Arc::make_mut(leaf)[in_leaf(slot)] = id,
        Node::Inner(inner) => {
            let below = &mut Arc::make_mut(inner)[child(slot, height)];
            let below = below.get_or_insert_with(|| Node::empty(height - 1));
            write(below, height - 1, slot, id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Pseudo-random slots: near each other, or anywhere.
    fn slots(count: u32) -> impl Iterator<Item = (u32, u32)> {
        let mut seed = 1u32;
        (0..count).map(move |step| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let slot = (seed >> 8) % (1 << 17);
            (step, if step % 2 == 0 { slot } else { slot % 300 })
        })
    }

    #[test]
    fn agrees_with_a_map_and_keeps_old_versions() {
        let mut table = Table::default();
        let mut twin = BTreeMap::new();
        let mut versions = vec![(table.clone(), twin.clone())];
        for (step, slot) in slots(5000) {
            let old = table.set(slot, Component(step % 7));
            assert_eq!(old.0, twin.insert(slot, step % 7).unwrap_or(0));
            assert_eq!(table.get(slot), Component(step % 7));
            if step % 1000 == 0 {
                versions.push((table.clone(), twin.clone()));
            }
        }
        versions.push((table, twin));
        for ((table, twin), (other, other_twin)) in versions.iter().zip(&versions[1..]) {
            for (one, another) in [(table, other), (other, table), (&versions[0].0, other)] {
                let at = |table: &Table, slot| table.get(slot);
                let expected: Vec<u32> =
                    (0..1 << 17).filter(|&slot| at(one, slot) != at(another, slot)).collect();
                let mut told = Vec::new();
                one.differences(another, &mut |slot| told.push(slot));
                assert_eq!(told, expected);
            }
            assert_ne!(twin, other_twin, "the test compares different versions");
        }
        for (table, twin) in versions {
            let expected: Vec<_> =
                twin.iter().filter(|(_, v)| **v != 0).map(|(k, v)| (*k, Component(*v))).collect();
            assert_eq!(table.iter().collect::<Vec<_>>(), expected);
            assert!((0..1 << 17).all(|slot| table.get(slot).0 == *twin.get(&slot).unwrap_or(&0)));
        }
    }

    #[test]
    fn equality_does_not_depend_on_history() {
        let mut forward = Table::default();
        let mut backward = Table::default();
        let all: Vec<_> = slots(3000).collect();
        let mut last = BTreeMap::new();
        for &(step, slot) in &all {
            forward.set(slot, Component(step % 5));
            last.insert(slot, step % 5);
        }
        backward.set((1 << 20) + 1, Component(1));
        for (&slot, &id) in last.iter().rev() {
            backward.set(slot, Component(id));
        }
        assert!(!forward.same(&backward) && !backward.same(&forward));
        backward.set((1 << 20) + 1, Component(0));
        assert!(forward.same(&backward) && backward.same(&forward));
        let mut other = forward.clone();
        assert_eq!(other.set(77, Component(99)), forward.get(77));
        assert!(!other.same(&forward));
        other.set(77, forward.get(77));
        assert!(other.same(&forward));
        let mut cleared = Table::default();
        for slot in [5, 3000, 5000] {
            cleared.set(slot, Component(1));
        }
        let mut never = Table::default();
        never.set(5, Component(1));
        never.set(5000, Component(1));
        cleared.set(3000, Component(0));
        assert!(cleared.same(&never) && never.same(&cleared));
        assert!(Table::default().same(&Table::default()));
        assert!(!Table::default().same(&forward));
    }
}
