//! What waits in an open list.

/// A state that was reached and not yet expanded.
pub struct Node<K, P, S> {
    /// What finds the state in the store.
    pub(crate) key: K,
    /// Twice the depth, and one more if the state was expanded before. In one word, because open
    /// lists hold millions of nodes.
    depth_and_reopened: u32,
    /// What the heuristic remembers of the way.
    pub(crate) path: P,
    /// The state itself, where the store cannot rebuild it.
    pub(crate) state: Option<Box<S>>,
}

impl<K, P, S> Node<K, P, S> {
    pub(crate) fn new(key: K, depth: u32, path: P, state: Option<Box<S>>) -> Self {
        Self { key, depth_and_reopened: depth << 1, path, state }
    }

    /// The same node, marked as one for a state that was open or expanded before.
    pub(crate) fn reopened(mut self) -> Self {
        self.depth_and_reopened |= 1;
        self
    }

    pub(crate) fn depth(&self) -> u32 {
        self.depth_and_reopened >> 1
    }

    pub(crate) fn is_reopened(&self) -> bool {
        self.depth_and_reopened & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_small() {
        assert_eq!(size_of::<Node<u32, (), [u64; 9]>>(), 16);
    }

    #[test]
    fn reopening_keeps_the_depth() {
        let node = Node::<u32, (), ()>::new(1, 77, (), None);
        assert!(!node.is_reopened());
        let node = node.reopened();
        assert!(node.is_reopened());
        assert_eq!(node.depth(), 77);
    }
}
