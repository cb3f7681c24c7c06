//! Evaluating an expression against memory and registers.
//!
//! Nothing is allocated unless the value is a whole struct or array.

use steam_image::{Address, Place, Wanted};

use crate::scalar::{Kind, Scalar, WIDEST};
use crate::tree::{Expression, Field, Node, NodeId, Part, Root};
use crate::value::{Memory, Value};

/// Why there is no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    Unreadable(u32),
    Undefined(&'static str),
}

impl Expression {
    /// Returns the value in a state of the program.
    pub fn evaluate<M: Memory + ?Sized>(&self, memory: &mut M) -> Value {
        let value = match self.root {
            Root::Scalar { node, kind } => {
                self.scalar(node, memory).map(|value| self.number(kind, value))
            }
            Root::Pointer { node } => self
                .address(node, memory)
                .map(|address| Value::Pointer { type_id: self.type_id, address }),
            Root::Bytes { address, size } => self.bytes(address, size, memory),
            Root::HeldBytes { part, size } => self.held_bytes(part, size, memory),
        };
        value.unwrap_or_else(|stop| match stop {
            Stop::Unreadable(address) => Value::Unreadable(address),
            Stop::Undefined(why) => Value::Undefined(why),
        })
    }

    fn number(&self, kind: Kind, value: Scalar) -> Value {
        let type_id = self.type_id;
        match value {
            Scalar::Integer(value) if kind == Kind::U64 => {
                Value::Integer { type_id, value: i128::from(value as u64) }
            }
            Scalar::Integer(value) => Value::Integer { type_id, value: i128::from(value) },
            Scalar::Float(value) => Value::Float { type_id, value },
        }
    }

    fn scalar<M: Memory + ?Sized>(&self, id: NodeId, memory: &mut M) -> Result<Scalar, Stop> {
        let node = self.node(id);
        match node {
            Node::Constant(value) => Ok(value),
            Node::Register { register, offset } => {
                let base = register_of(memory, register)?;
                Ok(Scalar::Integer(i64::from(base.wrapping_add(offset))))
            }
            Node::Load { address, kind } => {
                let address = self.address(address, memory)?;
                let mut bytes = [0; WIDEST];
                let bytes = &mut bytes[..kind.size()];
                load(memory, address, bytes)?;
                Ok(kind.read(bytes))
            }
            Node::LoadBits { address, field } => {
                let address = self.address(address, memory)?;
                let mut bytes = [0; 16];
                load(memory, address, &mut bytes[..field.bytes()])?;
                Ok(field.read(bytes))
            }
            Node::Held { part, kind } => {
                let mut bytes = [0; WIDEST];
                let bytes = &mut bytes[..kind.size()];
                self.held(part, bytes, memory)?;
                Ok(kind.read(bytes))
            }
            Node::HeldBits { part, field } => {
                let mut bytes = [0; 16];
                self.held(part, &mut bytes[..field.bytes()], memory)?;
                Ok(field.read(bytes))
            }
            Node::Convert { operand, .. }
            | Node::Negate { operand, .. }
            | Node::Complement { operand, .. } => Ok(one(node, self.scalar(operand, memory)?)),
            Node::Compute { left, right, .. } | Node::Compare { left, right, .. } => {
                let left = self.scalar(left, memory)?;
                let right = self.scalar(right, memory)?;
                two(node, left, right).map_err(Stop::Undefined)
            }
            Node::Within { index, count } => {
                let index = self.scalar(index, memory)?;
                match (0..i64::from(count)).contains(&index.integer()) {
                    true => Ok(index),
                    false => Err(Stop::Undefined("an index outside of its array")),
                }
            }
            Node::And { left, right } => match self.scalar(left, memory)?.integer() {
                0 => Ok(Scalar::Integer(0)),
                _ => self.scalar(right, memory),
            },
            Node::Or { left, right } => match self.scalar(left, memory)?.integer() {
                0 => self.scalar(right, memory),
                _ => Ok(Scalar::Integer(1)),
            },
            Node::Choose { condition, yes, no } => {
                match self.scalar(condition, memory)?.integer() {
                    0 => self.scalar(no, memory),
                    _ => self.scalar(yes, memory),
                }
            }
        }
    }

    fn address<M: Memory + ?Sized>(&self, id: NodeId, memory: &mut M) -> Result<u32, Stop> {
        Ok(self.scalar(id, memory)?.integer() as u32)
    }

    fn bytes<M: Memory + ?Sized>(
        &self,
        address: NodeId,
        size: u32,
        memory: &mut M,
    ) -> Result<Value, Stop> {
        let address = self.address(address, memory)?;
        let mut bytes = vec![0; size as usize];
        load(memory, address, &mut bytes)?;
        Ok(Value::Aggregate { type_id: self.type_id, address: Some(address), bytes })
    }

    fn held_bytes<M: Memory + ?Sized>(
        &self,
        part: Part,
        size: u32,
        memory: &mut M,
    ) -> Result<Value, Stop> {
        let mut bytes = vec![0; size as usize];
        self.held(part, &mut bytes, memory)?;
        Ok(Value::Aggregate { type_id: self.type_id, address: None, bytes })
    }

    fn held<M: Memory + ?Sized>(
        &self,
        part: Part,
        bytes: &mut [u8],
        memory: &mut M,
    ) -> Result<(), Stop> {
        held_in(&self.places[part.place as usize], part.offset, bytes, memory)
    }
}

/// Reads the bytes of a variable that is not simply in memory.
fn held_in<M: Memory + ?Sized>(
    place: &Place,
    offset: u32,
    bytes: &mut [u8],
    memory: &mut M,
) -> Result<(), Stop> {
    match place {
        Place::Memory(address) => {
            let address = address_of(*address, memory)?.wrapping_add(offset);
            load(memory, address, bytes)
        }
        Place::Register(register) => {
            copy(&register_of(memory, *register)?.to_le_bytes(), offset, bytes)
        }
        Place::Value(address) => copy(&address_of(*address, memory)?.to_le_bytes(), offset, bytes),
        Place::Bytes(own) => copy(own, offset, bytes),
        Place::Pieces(pieces) => {
            let (mut start, end) = (0u32, offset.saturating_add(bytes.len() as u32));
            for (piece, size) in pieces {
                let next = start.saturating_add(*size);
                let (from, to) = (start.max(offset), next.min(end));
                if from < to {
                    let part = &mut bytes[(from - offset) as usize..(to - offset) as usize];
                    held_in(piece, from - start, part, memory)?;
                }
                start = next;
            }
            match start < end {
                true => Err(Stop::Undefined("optimised away")),
                false => Ok(()),
            }
        }
        Place::OptimisedAway => Err(Stop::Undefined("optimised away")),
        Place::Unsupported(why) => Err(Stop::Undefined(why)),
    }
}

fn copy(from: &[u8], offset: u32, bytes: &mut [u8]) -> Result<(), Stop> {
    let own = from.get(offset as usize..).and_then(|rest| rest.get(..bytes.len()));
    let own = own.ok_or(Stop::Undefined("only partly known"))?;
    bytes.copy_from_slice(own);
    Ok(())
}

fn address_of<M: Memory + ?Sized>(address: Address, memory: &mut M) -> Result<u32, Stop> {
    address.resolve(&mut |wanted| match wanted {
        Wanted::Register(register) => register_of(memory, register),
        Wanted::Word(from) => {
            let mut word = [0; 4];
            load(memory, from, &mut word)?;
            Ok(u32::from_le_bytes(word))
        }
    })
}

fn register_of<M: Memory + ?Sized>(memory: &M, register: u8) -> Result<u32, Stop> {
    memory.register(register).ok_or(Stop::Undefined("in a register that is not known here"))
}

fn load<M: Memory + ?Sized>(memory: &mut M, address: u32, bytes: &mut [u8]) -> Result<(), Stop> {
    match memory.read(address, bytes) {
        true => Ok(()),
        false => Err(Stop::Unreadable(address)),
    }
}

impl Field {
    /// Takes the field out of the bytes from its first one on.
    pub fn read(self, bytes: [u8; 16]) -> Scalar {
        let bits = (u128::from_le_bytes(bytes) >> self.shift) as u64;
        let unused = 64 - u32::from(self.width);
        Scalar::Integer(match self.signed {
            true => ((bits << unused) as i64) >> unused,
            false => ((bits << unused) >> unused) as i64,
        })
    }
}

/// Does a node with one operand.
pub(crate) fn one(node: Node, operand: Scalar) -> Scalar {
    match (node, operand) {
        (Node::Convert { from, to, .. }, operand) => from.convert(to, operand),
        (Node::Negate { kind, .. }, Scalar::Integer(value)) => {
            Scalar::Integer(kind.wrap(value.wrapping_neg()))
        }
        (Node::Negate { .. }, Scalar::Float(value)) => Scalar::Float(-value),
        (Node::Complement { kind, .. }, Scalar::Integer(value)) => {
            Scalar::Integer(kind.wrap(!value))
        }
        (_, operand) => operand,
    }
}

/// Does a node with two operands; the error says why there is no result.
pub(crate) fn two(node: Node, left: Scalar, right: Scalar) -> Result<Scalar, &'static str> {
    match node {
        Node::Compute { operation, kind, .. } => kind.compute(operation, left, right),
        Node::Compare { relation, kind, .. } => {
            Ok(Scalar::Integer(i64::from(kind.compare(relation, left, right))))
        }
        _ => Ok(right),
    }
}
