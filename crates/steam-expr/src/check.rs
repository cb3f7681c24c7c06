//! From syntax to an expression: names are resolved and C's rules of types applied.

mod objects;
mod operators;

use steam_image::{Address, Bits, Local, Place, TypeId, TypeKind, Types};

use crate::error::ExprError;
use crate::names::{Frame, Named};
use crate::nearest::nearest;
use crate::program::ProgramNames;
use crate::scalar::{Kind, Scalar};
use crate::syntax::{BaseName, BinarySign, Path, Syntax, SyntaxKind, TypeName, UnarySign};
use crate::tree::{Builder, Expression, Node, NodeId, Part, Root};
use crate::type_name::type_name;

/// The largest struct or array that is the value of an expression.
const LARGEST: u32 = 16 << 20;

/// Resolves names and types of an expression that stands in `frame`, if in any.
pub(crate) fn check(
    program: &mut ProgramNames<'_>,
    frame: Option<&Frame>,
    syntax: &Syntax,
) -> Result<Expression, ExprError> {
    let mut checker = Checker { program, frame, builder: Builder::default(), measuring: false };
    let operand = checker.expression(syntax)?;
    let (root, type_id) = checker.root(operand, syntax.at)?;
    let Builder { nodes, places } = checker.builder;
    Ok(Expression { nodes, places, root, type_id })
}

/// What is known while an expression is checked.
struct Checker<'p, 'i, 'f> {
    program: &'p mut ProgramNames<'i>,
    frame: Option<&'f Frame>,
    builder: Builder,
    /// Whether only the type matters, as after `sizeof`.
    measuring: bool,
}

/// A part of an expression, with its type.
#[derive(Debug, Clone, Copy)]
enum Operand {
    /// A number or a pointer.
    Value(Value),
    /// Something that has a place.
    Object(Object),
}

/// A number or a pointer, with its type.
#[derive(Debug, Clone, Copy)]
struct Value {
    node: NodeId,
    kind: Kind,
    type_id: TypeId,
}

/// Something that has a place, with its type.
#[derive(Debug, Clone, Copy)]
struct Object {
    home: Home,
    bits: Option<Bits>,
    type_id: TypeId,
}

/// Where an object is.
#[derive(Debug, Clone, Copy)]
enum Home {
    /// In memory, at the address that a node computes.
    Memory(NodeId),
    /// In registers, or nowhere as a constant.
    Held(Part),
}

type Checked<T> = Result<T, ExprError>;

impl Checker<'_, '_, '_> {
    fn types(&self) -> &Types {
        &self.program.types
    }

    fn named(&self, type_id: TypeId) -> String {
        type_name(self.types(), type_id)
    }

    fn expression(&mut self, syntax: &Syntax) -> Checked<Operand> {
        let at = syntax.at;
        match &syntax.kind {
            &SyntaxKind::Integer(value, type_id) => {
                self.constant(Scalar::Integer(value as i64), type_id, at)
            }
            &SyntaxKind::Float(value, type_id) => self.constant(Scalar::Float(value), type_id, at),
            SyntaxKind::Name(path) => self.name(path, at),
            SyntaxKind::Unary(sign, operand) => self.unary(*sign, operand, at),
            SyntaxKind::Binary(sign, left, right) => {
                let left = self.expression(left)?;
                let left = self.value(left, at)?;
                // A truth value is made before the right side, so that it is not computed twice.
                let left = match sign {
                    BinarySign::And | BinarySign::Or => self.truth(left),
                    _ => left,
                };
                let right = self.expression(right)?;
                let right = self.value(right, at)?;
                self.binary(*sign, left, right, at).map(Operand::Value)
            }
            SyntaxKind::Conditional(condition, yes, no) => self.choice(condition, yes, no, at),
            SyntaxKind::Member(object, arrow, name) => {
                let object = self.expression(object)?;
                self.member(object, *arrow, name, at)
            }
            SyntaxKind::Index(array, index) => self.element(array, index, 0, at),
            SyntaxKind::Cast(type_name, operand) => {
                let type_id = self.type_of(type_name)?;
                let operand = self.expression(operand)?;
                self.cast(operand, type_id, at)
            }
            SyntaxKind::SizeOf(operand) => {
                // What the operand would compute is not computed.
                let (nodes, places) = (self.builder.nodes.len(), self.builder.places.len());
                let outer = std::mem::replace(&mut self.measuring, true);
                let type_id = self.expression(operand)?.type_id();
                self.measuring = outer;
                self.builder.nodes.truncate(nodes);
                self.builder.places.truncate(places);
                self.size_of(type_id, at)
            }
            SyntaxKind::SizeOfType(type_name) => {
                let type_id = self.type_of(type_name)?;
                self.size_of(type_id, at)
            }
        }
    }

    fn constant(&mut self, value: Scalar, type_id: TypeId, at: usize) -> Checked<Operand> {
        let kind = self.kind(type_id, at)?;
        let node = self.builder.constant(value);
        Ok(Operand::Value(Value { node, kind, type_id }))
    }

    fn size_of(&mut self, type_id: TypeId, at: usize) -> Checked<Operand> {
        let size = self.size(type_id, at)?;
        self.constant(Scalar::Integer(i64::from(size)), Types::UNSIGNED, at)
    }

    fn size(&self, type_id: TypeId, at: usize) -> Checked<u32> {
        self.types().size(type_id).ok_or_else(|| {
            ExprError::new(at, format!("the size of `{}` is not known", self.named(type_id)))
        })
    }

    /// The kind of numbers of a type.
    fn kind(&self, type_id: TypeId, at: usize) -> Checked<Kind> {
        Kind::of(self.types(), type_id).ok_or_else(|| {
            let found = match self.types().kind(type_id) {
                TypeKind::Other(what) => format!("{what}, which cannot be computed with"),
                _ => format!("of type `{}`, which is no number", self.named(type_id)),
            };
            ExprError::new(at, format!("this is {found}"))
        })
    }

    fn name(&mut self, path: &Path, at: usize) -> Checked<Operand> {
        if let Some(local) = self.frame.and_then(|frame| frame.local(path)) {
            let Local { type_id, place, .. } = local.clone();
            return self.variable(type_id, place, path, at);
        }
        if let Some(member) = self.own_member(path, at) {
            return member;
        }
        match self.program.find(path, self.frame, at) {
            Ok(Named::Variable(type_id, place)) => self.variable(type_id, place, path, at),
            Ok(Named::Function(type_id, address)) => {
                let address = self.builder.constant(Scalar::Integer(i64::from(address)));
                Ok(Operand::Object(Object { home: Home::Memory(address), bits: None, type_id }))
            }
            Ok(Named::Constant(type_id, value)) => {
                // In C, constants of enumerations are integers.
                let small = i32::try_from(value).is_ok();
                let type_id = match self.types().kind(type_id) {
                    TypeKind::Enum(it) if !it.cpp && small => Types::INT,
                    _ => type_id,
                };
                self.constant(Scalar::Integer(value), type_id, at)
            }
            Err(error) => match SyntaxKind::word(&path.spelling()) {
                Some(SyntaxKind::Integer(value, type_id)) => {
                    self.constant(Scalar::Integer(value as i64), type_id, at)
                }
                _ => Err(error),
            },
        }
    }

    /// In a function of a class, a member may be named without `this->`.
    fn own_member(&mut self, path: &Path, at: usize) -> Option<Checked<Operand>> {
        let bare = path.qualifiers().is_empty() && !path.global && path.file.is_none();
        let this = self.frame?.locals.iter().find(|local| local.name == "this" && bare)?.clone();
        let TypeKind::Pointer(class) = *self.types().kind(this.type_id) else { return None };
        objects::find_member(self.types(), class, path.name())?;
        let this_path = Path { file: None, global: false, parts: vec!["this".to_owned()] };
        let object = self.variable(this.type_id, this.place, &this_path, at);
        Some(object.and_then(|object| self.member(object, true, path.name(), at)))
    }

    fn variable(
        &mut self,
        type_id: TypeId,
        place: Place,
        path: &Path,
        at: usize,
    ) -> Checked<Operand> {
        let name = path.spelling();
        let home = match place {
            Place::Memory(address) => Home::Memory(self.address(address)),
            Place::OptimisedAway if !self.measuring => {
                let message = match self.frame {
                    Some(_) => format!("`{name}` is optimised away here: compile with -O0"),
                    None => format!("`{name}` is optimised away: compile with -O0"),
                };
                return Err(ExprError::new(at, message));
            }
            Place::Unsupported(what) if !self.measuring => {
                let message = format!("`{name}` cannot be found: its place is {what}");
                return Err(ExprError::new(at, message));
            }
            place => {
                self.builder.places.push(place);
                Home::Held(Part { place: self.builder.places.len() as u32 - 1, offset: 0 })
            }
        };
        self.object(Object { home, bits: None, type_id }, at)
    }

    /// A node that computes an address.
    fn address(&mut self, address: Address) -> NodeId {
        match address {
            Address::Fixed(address) => self.builder.constant(Scalar::Integer(i64::from(address))),
            Address::Register { register, offset } => {
                self.builder.push(Node::Register { register, offset })
            }
            Address::Loaded { register, offset, then } => {
                let from = self.builder.push(Node::Register { register, offset });
                let loaded = self.builder.push(Node::Load { address: from, kind: Kind::U32 });
                self.builder.offset(loaded, then)
            }
        }
    }

    fn type_of(&mut self, name: &TypeName) -> Checked<TypeId> {
        let mut type_id = match &name.base {
            BaseName::Standard(type_id) => *type_id,
            BaseName::Tagged(keyword, path) => self.program.tagged_type(*keyword, path, name.at)?,
            BaseName::Named(path) => self.program.named_type(path).ok_or_else(|| {
                let near = nearest(path.name(), self.program.declared.type_names());
                ExprError::new(name.at, format!("there is no type `{}`{near}", path.spelling()))
            })?,
        };
        for _ in 0..name.stars {
            type_id = self.program.types.pointer_to(type_id);
        }
        Ok(type_id)
    }

    fn unary(&mut self, sign: UnarySign, operand: &Syntax, at: usize) -> Checked<Operand> {
        if sign == UnarySign::Address {
            let operand = match &operand.kind {
                // What lies right after an array has an address too.
                SyntaxKind::Index(array, index) => self.element(array, index, 1, operand.at)?,
                _ => self.expression(operand)?,
            };
            return self.address_of(operand, at);
        }
        let operand = self.expression(operand)?;
        let value = self.value(operand, at)?;
        match sign {
            UnarySign::Follow => self.follow(value, at),
            UnarySign::Not => {
                let truth = self.truth(value);
                let one = self.builder.constant(Scalar::Integer(1));
                let operation = crate::syntax::Arithmetic::BitXor;
                let kind = Kind::I32;
                let node = Node::Compute { operation, kind, left: truth.node, right: one };
                let node = self.builder.push(node);
                Ok(Operand::Value(Value { node, kind: Kind::I32, type_id: Types::INT }))
            }
            _ => self.sign(sign, value, at).map(Operand::Value),
        }
    }

    /// What the whole expression yields, and its type.
    fn root(&mut self, operand: Operand, at: usize) -> Checked<(Root, TypeId)> {
        let object = match operand {
            Operand::Value(value) => return Ok((self.scalar_root(value), value.type_id)),
            Operand::Object(object) => object,
        };
        let type_id = object.type_id;
        match self.types().kind(type_id) {
            TypeKind::Aggregate(_) | TypeKind::Array(_, Some(_)) => {}
            _ => {
                // The type as it is declared, not as it is computed with.
                let value = self.value(Operand::Object(object), at)?;
                let decayed = matches!(
                    self.types().kind(type_id),
                    TypeKind::Array(..) | TypeKind::Function(_)
                );
                let type_id = if decayed { value.type_id } else { type_id };
                return Ok((self.scalar_root(value), type_id));
            }
        }
        let size = self.size(type_id, at)?;
        if size > LARGEST {
            let message = format!("`{}` is too large to be a value", self.named(type_id));
            return Err(ExprError::new(at, message));
        }
        let root = match object.home {
            Home::Memory(address) => Root::Bytes { address, size },
            Home::Held(part) => Root::HeldBytes { part, size },
        };
        Ok((root, type_id))
    }

    fn scalar_root(&self, value: Value) -> Root {
        match self.types().kind(value.type_id) {
            TypeKind::Pointer(_) => Root::Pointer { node: value.node },
            _ => Root::Scalar { node: value.node, kind: value.kind },
        }
    }
}

impl Operand {
    fn type_id(self) -> TypeId {
        match self {
            Operand::Value(value) => value.type_id,
            Operand::Object(object) => object.type_id,
        }
    }
}
