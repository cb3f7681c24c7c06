//! An expression with names resolved and types settled: a list of nodes, each after its operands.

use steam_image::{Bits, Place, TypeId};

use crate::eval;
use crate::scalar::{Kind, Scalar};
use crate::syntax::{Arithmetic, Relation};

/// A node in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodeId(pub u32);

/// One step of a computation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Node {
    Constant(Scalar),
    /// A register and an offset, modulo 2^32.
    Register {
        register: u8,
        offset: u32,
    },
    /// A number in memory.
    Load {
        address: NodeId,
        kind: Kind,
    },
    /// A bit-field in memory.
    LoadBits {
        address: NodeId,
        field: Field,
    },
    /// A number in a place that is not memory.
    Held {
        part: Part,
        kind: Kind,
    },
    /// A bit-field in a place that is not memory.
    HeldBits {
        part: Part,
        field: Field,
    },
    Convert {
        from: Kind,
        to: Kind,
        operand: NodeId,
    },
    Negate {
        kind: Kind,
        operand: NodeId,
    },
    Complement {
        kind: Kind,
        operand: NodeId,
    },
    Compute {
        operation: Arithmetic,
        kind: Kind,
        left: NodeId,
        right: NodeId,
    },
    Compare {
        relation: Relation,
        kind: Kind,
        left: NodeId,
        right: NodeId,
    },
    /// A number that has to be below another one: the index of an element.
    Within {
        index: NodeId,
        count: u32,
    },
    /// Both are true; operands are zero or one, and the second counts if the first is one.
    And {
        left: NodeId,
        right: NodeId,
    },
    /// One is true; operands are zero or one, and the second counts if the first is zero.
    Or {
        left: NodeId,
        right: NodeId,
    },
    Choose {
        condition: NodeId,
        yes: NodeId,
        no: NodeId,
    },
}

/// The bits of a bit-field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field {
    pub shift: u8,
    pub width: u8,
    pub signed: bool,
}

/// Bytes of a place that is not memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    /// Which of the expression's places.
    pub place: u32,
    /// Where in it they start.
    pub offset: u32,
}

/// What the whole expression yields.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Root {
    Scalar {
        node: NodeId,
        kind: Kind,
    },
    Pointer {
        node: NodeId,
    },
    /// A struct or an array in memory.
    Bytes {
        address: NodeId,
        size: u32,
    },
    /// A struct or an array elsewhere.
    HeldBytes {
        part: Part,
        size: u32,
    },
}

/// An expression over the variables of one program, ready to be evaluated.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    pub(crate) nodes: Vec<Node>,
    pub(crate) places: Vec<Place>,
    pub(crate) root: Root,
    pub(crate) type_id: TypeId,
}

impl Field {
    /// Makes the field of some bits of a number.
    pub fn new(bits: Bits, kind: Kind) -> Field {
        let signed = matches!(kind, Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64);
        Field { shift: bits.shift, width: bits.width, signed }
    }

    /// The bytes from the field's first one to its last one.
    pub fn bytes(self) -> usize {
        (usize::from(self.shift) + usize::from(self.width)).div_ceil(8)
    }
}

impl Expression {
    /// Returns the type of the value.
    pub fn type_id(&self) -> TypeId {
        self.type_id
    }

    /// Says whether it has one value, whatever memory holds.
    pub fn is_constant(&self) -> bool {
        let constant = |id: NodeId| matches!(self.node(id), Node::Constant(_));
        match self.root {
            Root::Scalar { node, .. } | Root::Pointer { node } => constant(node),
            Root::Bytes { .. } | Root::HeldBytes { .. } => false,
        }
    }

    /// Says whether it needs the registers of a thread, as locals and variables of a thread do.
    pub fn needs_thread(&self) -> bool {
        !self.places.is_empty()
            || self.nodes.iter().any(|node| matches!(node, Node::Register { .. }))
    }

    pub(crate) fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }
}

/// A list of nodes that grows; what is constant is computed at once.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    pub nodes: Vec<Node>,
    pub places: Vec<Place>,
}

impl Builder {
    /// Adds a number.
    pub fn constant(&mut self, value: Scalar) -> NodeId {
        self.add(Node::Constant(value))
    }

    fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Returns the number that a node is, if it is one.
    pub fn constant_of(&self, id: NodeId) -> Option<Scalar> {
        match self.nodes[id.0 as usize] {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Adds a node, or its value where all its operands are constant.
    pub fn push(&mut self, node: Node) -> NodeId {
        match node {
            Node::Convert { from, to, operand } if from == to => operand,
            Node::Convert { operand, .. }
            | Node::Negate { operand, .. }
            | Node::Complement { operand, .. } => {
                let value = self.constant_of(operand).map(|value| eval::one(node, value));
                self.folded(value, &[operand], node)
            }
            Node::Compute { left, right, .. } | Node::Compare { left, right, .. } => {
                let operands = self.constant_of(left).zip(self.constant_of(right));
                // What has no value, like a division by zero, stays to be reported.
                let value = operands.and_then(|(left, right)| eval::two(node, left, right).ok());
                self.folded(value, &[left, right], node)
            }
            Node::And { left, right } | Node::Or { left, right } => {
                let decides = i64::from(matches!(node, Node::Or { .. }));
                let operands = self.constant_of(left).zip(self.constant_of(right));
                let value = operands.map(|(left, right)| match left.integer() == decides {
                    true => left,
                    false => right,
                });
                self.folded(value, &[left, right], node)
            }
            _ => self.add(node),
        }
    }

    /// Adds a constant in the place of its operands, or else the node.
    fn folded(&mut self, value: Option<Scalar>, operands: &[NodeId], node: Node) -> NodeId {
        let Some(value) = value else { return self.add(node) };
        let first = self.nodes.len() - operands.len().min(self.nodes.len());
        if operands.iter().enumerate().all(|(index, id)| id.0 as usize == first + index) {
            self.nodes.truncate(first);
        }
        self.constant(value)
    }

    /// Adds a number of bytes to an address.
    pub fn offset(&mut self, address: NodeId, bytes: u32) -> NodeId {
        if bytes == 0 {
            return address;
        }
        if let Node::Register { register, offset } = self.nodes[address.0 as usize] {
            return self.add(Node::Register { register, offset: offset.wrapping_add(bytes) });
        }
        let right = self.constant(Scalar::Integer(i64::from(bytes)));
        self.push(Node::Compute {
            operation: Arithmetic::Add,
            kind: Kind::U32,
            left: address,
            right,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    /// They are looked at in every state.
    #[test]
    fn nodes_and_values_stay_small() {
        assert!(size_of::<Node>() <= 24, "{}", size_of::<Node>());
        assert!(size_of::<Value>() <= 48, "{}", size_of::<Value>());
    }

    #[test]
    fn constants_take_the_place_of_what_computes_them() {
        let mut builder = Builder::default();
        let one = builder.constant(Scalar::Integer(1));
        let two = builder.constant(Scalar::Integer(2));
        let kind = Kind::I32;
        let sum = Node::Compute { operation: Arithmetic::Add, kind, left: one, right: two };
        let sum = builder.push(sum);
        assert_eq!(builder.constant_of(sum), Some(Scalar::Integer(3)));
        assert_eq!(builder.nodes.len(), 1);
        // A division by zero is left to be reported when it is evaluated.
        let zero = builder.constant(Scalar::Integer(0));
        let operation = Arithmetic::Divide;
        let quotient = builder.push(Node::Compute { operation, kind, left: sum, right: zero });
        assert_eq!(builder.constant_of(quotient), None);
    }
}
