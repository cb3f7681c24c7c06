//! Operators on numbers and pointers, by C's rules of conversion.

use steam_image::{Encoding, TypeId, TypeKind, Types};

use super::{Checked, Checker, Home, Object, Operand, Value};
use crate::error::ExprError;
use crate::scalar::{Kind, Scalar};
use crate::syntax::{Arithmetic, BinarySign, Relation, Syntax, UnarySign};
use crate::tree::Node;

impl Kind {
    /// Returns the kind of numbers of a type; addresses are numbers, too.
    pub(crate) fn of(types: &Types, type_id: TypeId) -> Option<Kind> {
        let size = types.size(type_id)?;
        match types.kind(type_id) {
            TypeKind::Pointer(_) => Some(Kind::U32),
            TypeKind::Enum(enumeration) => Kind::integer(size, enumeration.signed),
            TypeKind::Base(encoding) => match encoding {
                Encoding::Signed | Encoding::SignedCharacter => Kind::integer(size, true),
                Encoding::Unsigned | Encoding::UnsignedCharacter => Kind::integer(size, false),
                Encoding::Boolean => Some(Kind::Bool),
                Encoding::Float => match size {
                    4 => Some(Kind::F32),
                    8 => Some(Kind::F64),
                    _ => Some(Kind::F80),
                },
            },
            _ => None,
        }
    }

    /// Returns the type that a computed number of this kind has.
    fn type_id(self) -> TypeId {
        match self {
            Kind::I8 => Types::SIGNED_CHAR,
            Kind::U8 => Types::UNSIGNED_CHAR,
            Kind::I16 => Types::SHORT,
            Kind::U16 => Types::UNSIGNED_SHORT,
            Kind::I32 => Types::INT,
            Kind::U32 => Types::UNSIGNED,
            Kind::I64 => Types::LONG_LONG,
            Kind::U64 => Types::UNSIGNED_LONG_LONG,
            Kind::Bool => Types::BOOL,
            Kind::F32 => Types::FLOAT,
            Kind::F64 => Types::DOUBLE,
            Kind::F80 => Types::LONG_DOUBLE,
        }
    }
}

impl Checker<'_, '_, '_> {
    /// Converts a number to another kind.
    fn convert(&mut self, value: Value, to: Kind) -> Value {
        let node = Node::Convert { from: value.kind, to, operand: value.node };
        Value { node: self.builder.push(node), kind: to, type_id: to.type_id() }
    }

    /// A number as zero or one: whether it is true.
    pub(super) fn truth(&mut self, value: Value) -> Value {
        self.convert(value, Kind::Bool)
    }

    /// The kind with which a number takes part in computations.
    fn promoted(&self, value: Value) -> Kind {
        match self.types().kind(value.type_id) {
            // C++ takes `int` for an enumeration if it holds all constants.
            TypeKind::Enum(it)
                if it.cpp
                    && value.kind == Kind::U32
                    && it.constants.iter().all(|&(_, value)| i32::try_from(value).is_ok()) =>
            {
                Kind::I32
            }
            _ => value.kind.promoted(),
        }
    }

    /// `-`, `+` and `~`.
    pub(super) fn sign(&mut self, sign: UnarySign, value: Value, at: usize) -> Checked<Value> {
        self.number(value, at)?;
        let kind = self.promoted(value);
        if sign == UnarySign::Complement && kind.is_float() {
            return Err(ExprError::new(at, "`~` needs an integer"));
        }
        let value = self.convert(value, kind);
        let operand = value.node;
        let node = match sign {
            UnarySign::Minus => self.builder.push(Node::Negate { kind, operand }),
            UnarySign::Complement => self.builder.push(Node::Complement { kind, operand }),
            _ => operand,
        };
        Ok(Value { node, ..value })
    }

    /// Fails for pointers.
    fn number(&self, value: Value, at: usize) -> Checked<()> {
        match self.target(value) {
            Some(_) => Err(ExprError::new(at, "this operator needs numbers, not pointers")),
            None => Ok(()),
        }
    }

    pub(super) fn binary(
        &mut self,
        sign: BinarySign,
        left: Value,
        right: Value,
        at: usize,
    ) -> Checked<Value> {
        let int = |node| Value { node, kind: Kind::I32, type_id: Types::INT };
        match sign {
            BinarySign::And => {
                let (left, right) = (left.node, self.truth(right).node);
                Ok(int(self.builder.push(Node::And { left, right })))
            }
            BinarySign::Or => {
                let (left, right) = (left.node, self.truth(right).node);
                Ok(int(self.builder.push(Node::Or { left, right })))
            }
            BinarySign::Relation(relation) => {
                let node = self.comparison(relation, left, right, at)?;
                Ok(int(node))
            }
            BinarySign::Arithmetic(Arithmetic::Add) => self.sum(left, right, at),
            BinarySign::Arithmetic(Arithmetic::Subtract) => self.difference(left, right, at),
            BinarySign::Arithmetic(operation) => self.arithmetic(operation, left, right, at),
        }
    }

    /// Two numbers; each of a kind that both have after conversion.
    pub(super) fn arithmetic(
        &mut self,
        operation: Arithmetic,
        left: Value,
        right: Value,
        at: usize,
    ) -> Checked<Value> {
        self.number(left, at)?;
        self.number(right, at)?;
        let shift = matches!(operation, Arithmetic::ShiftLeft | Arithmetic::ShiftRight);
        let kind = match shift {
            true => self.promoted(left),
            false => self.promoted(left).common(self.promoted(right)),
        };
        let needs_integers = !matches!(
            operation,
            Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply | Arithmetic::Divide
        );
        if needs_integers && (kind.is_float() || right.kind.is_float()) {
            return Err(ExprError::new(at, "this operator needs integers"));
        }
        let left = self.convert(left, kind).node;
        // The number of bits of a shift keeps its own kind, so that a large one stays large.
        let right = match shift {
            true => right.node,
            false => self.convert(right, kind).node,
        };
        let node = self.builder.push(Node::Compute { operation, kind, left, right });
        Ok(Value { node, kind, type_id: kind.type_id() })
    }

    fn difference(&mut self, left: Value, right: Value, at: usize) -> Checked<Value> {
        match (self.target(left), self.target(right)) {
            (None, None) => self.arithmetic(Arithmetic::Subtract, left, right, at),
            (Some(target), None) => self.advance(left, target, right, Arithmetic::Subtract, at),
            (None, Some(_)) => {
                Err(ExprError::new(at, "a pointer cannot be subtracted from a number"))
            }
            (Some(target), Some(other)) => {
                let size = self.element_size(target, at)?;
                if size == 0 || self.element_size(other, at)? != size {
                    let message = format!(
                        "`{}` and `{}` point to elements of different sizes",
                        self.named(left.type_id),
                        self.named(right.type_id)
                    );
                    return Err(ExprError::new(at, message));
                }
                let (kind, operation) = (Kind::I32, Arithmetic::Subtract);
                let (left, right) = (self.convert(left, kind).node, self.convert(right, kind).node);
                let bytes = self.builder.push(Node::Compute { operation, kind, left, right });
                let right = self.builder.constant(Scalar::Integer(i64::from(size)));
                let operation = Arithmetic::Divide;
                let node = Node::Compute { operation, kind, left: bytes, right };
                Ok(Value { node: self.builder.push(node), kind, type_id: Types::INT })
            }
        }
    }

    fn comparison(
        &mut self,
        relation: Relation,
        left: Value,
        right: Value,
        at: usize,
    ) -> Checked<crate::tree::NodeId> {
        let pointer = self.target(left).is_some() || self.target(right).is_some();
        if pointer && (left.kind.is_float() || right.kind.is_float()) {
            return Err(ExprError::new(at, "a pointer cannot be compared with this number"));
        }
        let kind = match pointer {
            true => Kind::U32,
            false => self.promoted(left).common(self.promoted(right)),
        };
        let (left, right) = (self.convert(left, kind).node, self.convert(right, kind).node);
        Ok(self.builder.push(Node::Compare { relation, kind, left, right }))
    }

    pub(super) fn cast(&mut self, operand: Operand, to: TypeId, at: usize) -> Checked<Operand> {
        if matches!(self.types().kind(to), TypeKind::Aggregate(_))
            && self.types().same(operand.type_id(), to)
        {
            return Ok(operand);
        }
        let value = self.value(operand, at)?;
        let Some(kind) = Kind::of(self.types(), to) else {
            let message = format!("nothing can be cast to `{}`", self.named(to));
            return Err(ExprError::new(at, message));
        };
        let pointer = matches!(self.types().kind(to), TypeKind::Pointer(_));
        if (pointer && value.kind.is_float()) || (kind.is_float() && self.target(value).is_some()) {
            let message =
                format!("`{}` cannot be cast to `{}`", self.named(value.type_id), self.named(to));
            return Err(ExprError::new(at, message));
        }
        let value = self.convert(value, kind);
        Ok(Operand::Value(Value { type_id: to, ..value }))
    }

    /// `condition ? yes : no`
    pub(super) fn choice(
        &mut self,
        condition: &Syntax,
        yes: &Syntax,
        no: &Syntax,
        at: usize,
    ) -> Checked<Operand> {
        let condition = self.expression(condition)?;
        let condition = self.value(condition, at)?;
        let condition = self.truth(condition).node;
        let (yes, no) = (self.expression(yes)?, self.expression(no)?);
        if let (Operand::Object(yes), Operand::Object(no)) = (yes, no)
            && let (Home::Memory(one), Home::Memory(two)) = (yes.home, no.home)
            && matches!(self.types().kind(yes.type_id), TypeKind::Aggregate(_))
            && self.types().same(yes.type_id, no.type_id)
        {
            let home = Node::Choose { condition, yes: one, no: two };
            let home = Home::Memory(self.builder.push(home));
            return Ok(Operand::Object(Object { home, bits: None, type_id: yes.type_id }));
        }
        let (yes, no) = (self.value(yes, at)?, self.value(no, at)?);
        let (kind, type_id) = match (self.target(yes), self.target(no)) {
            (None, None) => {
                let kind = self.promoted(yes).common(self.promoted(no));
                (kind, kind.type_id())
            }
            (Some(_), None) if !no.kind.is_float() => (Kind::U32, yes.type_id),
            (None, Some(_)) if !yes.kind.is_float() => (Kind::U32, no.type_id),
            (Some(_), Some(_)) => (Kind::U32, yes.type_id),
            _ => return Err(ExprError::new(at, "the two sides of `:` have no common type")),
        };
        let (yes, no) = (self.convert(yes, kind).node, self.convert(no, kind).node);
        let node = self.builder.push(Node::Choose { condition, yes, no });
        Ok(Operand::Value(Value { node, kind, type_id }))
    }
}
