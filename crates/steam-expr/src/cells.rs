//! Which bytes of memory an expression reads, where that does not depend on the state.

use std::ops::Range;

use steam_image::{Address, Place};

use crate::scalar::Scalar;
use crate::tree::{Expression, Node, NodeId, Root};

impl Expression {
    /// Returns the bytes that evaluating may read: ranges of addresses, ascending, without
    /// overlaps. None where the addresses depend on memory or on registers.
    pub fn cells(&self) -> Option<Vec<Range<u32>>> {
        let mut cells = Cells::default();
        for &node in &self.nodes {
            match node {
                Node::Load { address, kind } => {
                    cells.add(self.fixed(address)?, kind.size() as u32);
                }
                Node::LoadBits { address, field } => {
                    cells.add(self.fixed(address)?, field.bytes() as u32);
                }
                _ => {}
            }
        }
        if let Root::Bytes { address, size } = self.root {
            cells.add(self.fixed(address)?, size);
        }
        for place in &self.places {
            cells.add_place(place, u32::MAX)?;
        }
        Some(cells.merged())
    }

    fn fixed(&self, address: NodeId) -> Option<u32> {
        match self.node(address) {
            Node::Constant(Scalar::Integer(address)) => Some(address as u32),
            _ => None,
        }
    }
}

#[derive(Default)]
struct Cells(Vec<Range<u32>>);

impl Cells {
    fn add(&mut self, start: u32, size: u32) {
        self.0.push(start..start.saturating_add(size));
    }

    /// Adds what a place that is not simply in memory reads of memory.
    fn add_place(&mut self, place: &Place, size: u32) -> Option<()> {
        match place {
            Place::Memory(Address::Fixed(address)) => self.add(*address, size),
            Place::Memory(_) | Place::Value(Address::Loaded { .. }) => return None,
            Place::Pieces(pieces) => {
                for (piece, size) in pieces {
                    self.add_place(piece, *size)?;
                }
            }
            Place::Register(_)
            | Place::Value(_)
            | Place::Bytes(_)
            | Place::OptimisedAway
            | Place::Unsupported(_) => {}
        }
        Some(())
    }

    fn merged(mut self) -> Vec<Range<u32>> {
        self.0.sort_by_key(|range| (range.start, range.end));
        let mut merged: Vec<Range<u32>> = Vec::new();
        for range in self.0.into_iter().filter(|range| !range.is_empty()) {
            match merged.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        merged
    }
}
