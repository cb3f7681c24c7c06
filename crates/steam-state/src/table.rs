//! The page table: page number to component id, copy-on-write.
//!
//! Three levels of 7 bits. The lower 2^20 indices are the guest's pages; the upper half holds the
//! *validity pages* of the heap (one bit for each byte of eight guest pages, see `live`). A clone
//! is one reference count; a write copies three nodes of at most a kilobyte each.

use std::sync::Arc;

use crate::intern::Component;

const BITS: u32 = 7;
const FAN: usize = 1 << BITS;

type Leaf = [Component; FAN];
type Middle = [Option<Arc<Leaf>>; FAN];

/// A sparse array of component ids; what was never set is [`Component`] 0.
#[derive(Clone, Debug)]
pub struct PageTable {
    root: Arc<[Option<Arc<Middle>>; FAN]>,
}

impl Default for PageTable {
    fn default() -> Self {
        Self { root: Arc::new([const { None }; FAN]) }
    }
}

const fn split(index: u32) -> (usize, usize, usize) {
    let mask = FAN as u32 - 1;
    (
        ((index >> (2 * BITS)) & mask) as usize,
        ((index >> BITS) & mask) as usize,
        (index & mask) as usize,
    )
}

impl PageTable {
    /// The id at an index.
    pub fn get(&self, index: u32) -> Component {
        let (top, middle, low) = split(index);
        self.root[top]
            .as_ref()
            .and_then(|node| node[middle].as_ref())
            .map_or(Component(0), |leaf| leaf[low])
    }

    /// Sets the id at an index.
    pub fn set(&mut self, index: u32, id: Component) {
        if self.get(index) == id {
            return;
        }
        let (top, middle, low) = split(index);
        let root = Arc::make_mut(&mut self.root);
        let node = root[top].get_or_insert_with(|| Arc::new([const { None }; FAN]));
        let node = Arc::make_mut(node);
        let leaf = node[middle].get_or_insert_with(|| Arc::new([Component(0); FAN]));
        Arc::make_mut(leaf)[low] = id;
    }

    /// All indices whose id is not 0, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Component)> + '_ {
        self.root.iter().enumerate().flat_map(|(top, node)| {
            node.iter().flat_map(move |node| {
                node.iter().enumerate().flat_map(move |(middle, leaf)| {
                    leaf.iter().flat_map(move |leaf| {
                        leaf.iter().enumerate().filter(|(_, id)| id.0 != 0).map(
                            move |(low, &id)| {
                                (((top << (2 * BITS)) | (middle << BITS) | low) as u32, id)
                            },
                        )
                    })
                })
            })
        })
    }

    /// Whether two tables hold the same ids. Shared nodes are compared by address first.
    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.root, &other.root) || self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn agrees_with_a_map_and_keeps_old_versions() {
        let mut table = PageTable::default();
        let mut twin = BTreeMap::new();
        let mut seed = 1u32;
        let mut versions = Vec::new();
        for step in 0..5000 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let index = (seed >> 8) % (1 << 21);
            let index = if step % 2 == 0 { index } else { index % 300 };
            table.set(index, Component(step % 7));
            twin.insert(index, step % 7);
            if step % 1000 == 0 {
                versions.push((table.clone(), twin.clone()));
            }
        }
        versions.push((table, twin));
        for (table, twin) in versions {
            let expected: Vec<_> =
                twin.iter().filter(|(_, v)| **v != 0).map(|(k, v)| (*k, Component(*v))).collect();
            assert_eq!(table.iter().collect::<Vec<_>>(), expected);
        }
    }
}
