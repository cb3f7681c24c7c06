//! Objects: members, elements, what pointers point to, and the values of all of them.

use steam_image::{Member, Offset, Place, TypeId, TypeKind, Types};

use super::{Checked, Checker, Home, Object, Operand, Value};
use crate::error::ExprError;
use crate::nearest::nearest;
use crate::scalar::{Kind, Scalar};
use crate::syntax::{Arithmetic, Path, Syntax, SyntaxKind};
use crate::tree::{Field, Node, NodeId};

/// Through so many base classes and anonymous members a name is searched.
const DEEPEST: usize = 16;
/// So many members are looked at for one name.
const MOST: usize = 20_000;

impl Checker<'_, '_, '_> {
    /// An object as it is used: a reference stands for what it refers to.
    pub(super) fn object(&mut self, object: Object, at: usize) -> Checked<Operand> {
        match *self.types().kind(object.type_id) {
            TypeKind::Reference(target) => {
                let address = self.load(object, Kind::U32);
                let home = Home::Memory(address);
                self.plain(Object { home, bits: None, type_id: target }, at)
            }
            _ => Ok(Operand::Object(object)),
        }
    }

    /// An object that is no reference.
    fn plain(&self, object: Object, at: usize) -> Checked<Operand> {
        match self.types().kind(object.type_id) {
            TypeKind::Reference(_) => Err(ExprError::new(at, "this is a reference to a reference")),
            _ => Ok(Operand::Object(object)),
        }
    }

    /// A node that reads a number.
    fn load(&mut self, object: Object, kind: Kind) -> NodeId {
        let field = object.bits.map(|bits| Field::new(bits, kind));
        self.builder.push(match (object.home, field) {
            (Home::Memory(address), None) => Node::Load { address, kind },
            (Home::Memory(address), Some(field)) => Node::LoadBits { address, field },
            (Home::Held(part), None) => Node::Held { part, kind },
            (Home::Held(part), Some(field)) => Node::HeldBits { part, field },
        })
    }

    /// The value of an operand; arrays and functions become pointers.
    pub(super) fn value(&mut self, operand: Operand, at: usize) -> Checked<Value> {
        let object = match operand {
            Operand::Value(value) => return Ok(value),
            Operand::Object(object) => object,
        };
        if let Some(inner) = self.atomic_member(object.type_id) {
            let inner = self.member(operand, false, inner, at)?;
            return self.value(inner, at);
        }
        match *self.types().kind(object.type_id) {
            TypeKind::Array(element, _) => self.pointer(object, element, at),
            TypeKind::Function(_) => self.pointer(object, object.type_id, at),
            _ => {
                let kind = self.kind(object.type_id, at)?;
                let node = self.load(object, kind);
                // A bit-field is computed with as `int` where that holds all its values.
                let kind = match (object.bits.map(|bits| bits.width), kind) {
                    (Some(..32), Kind::U32 | Kind::U64) | (Some(..=32), Kind::I64) => Kind::I32,
                    (Some(32), Kind::U64) => Kind::U32,
                    _ => kind,
                };
                Ok(Value { node, kind, type_id: object.type_id })
            }
        }
    }

    /// The member that holds the value of an atomic object of C++, as libstdc++ declares it.
    fn atomic_member(&self, type_id: TypeId) -> Option<&'static str> {
        let TypeKind::Aggregate(_) = self.types().kind(type_id) else { return None };
        let name = self.named(type_id);
        let bare = name.strip_prefix("struct ").or(name.strip_prefix("class "));
        let name = bare.unwrap_or(&name);
        if !name.starts_with("std::atomic") && !name.starts_with("std::__atomic") {
            return None;
        }
        let members = ["_M_i", "_M_base", "_M_b", "_M_p", "_M_fp"];
        members.into_iter().find(|member| find_member(self.types(), type_id, member).is_some())
    }

    fn pointer(&mut self, object: Object, target: TypeId, at: usize) -> Checked<Value> {
        let node = match object.home {
            Home::Memory(node) => node,
            Home::Held(_) if self.measuring => self.builder.constant(Scalar::Integer(0)),
            Home::Held(_) => {
                let message = "this lies in registers and has no address";
                return Err(ExprError::new(at, message));
            }
        };
        let type_id = self.program.types.pointer_to(target);
        Ok(Value { node, kind: Kind::U32, type_id })
    }

    /// The address of an operand.
    pub(super) fn address_of(&mut self, operand: Operand, at: usize) -> Checked<Operand> {
        match operand {
            Operand::Object(Object { bits: Some(_), .. }) => {
                Err(ExprError::new(at, "a bit-field has no address"))
            }
            Operand::Object(object) => self.pointer(object, object.type_id, at).map(Operand::Value),
            Operand::Value(_) => Err(ExprError::new(at, "`&` needs a variable or a part of one")),
        }
    }

    /// What a pointer points to.
    pub(super) fn follow(&mut self, value: Value, at: usize) -> Checked<Operand> {
        match *self.types().kind(value.type_id) {
            TypeKind::Pointer(target) => {
                if matches!(self.types().kind(target), TypeKind::Void) {
                    let message = "a `void *` must be cast before it is followed";
                    return Err(ExprError::new(at, message));
                }
                let home = Home::Memory(value.node);
                self.object(Object { home, bits: None, type_id: target }, at)
            }
            _ => {
                let message =
                    format!("only a pointer can be followed, not `{}`", self.named(value.type_id));
                Err(ExprError::new(at, message))
            }
        }
    }

    /// A member of an object, or of what a pointer points to.
    pub(super) fn member(
        &mut self,
        object: Operand,
        arrow: bool,
        name: &str,
        at: usize,
    ) -> Checked<Operand> {
        let object = match arrow {
            true if matches!(self.types().kind(object.type_id()), TypeKind::Aggregate(_)) => {
                let message =
                    format!("this is no pointer (`{}`): write `.`", self.named(object.type_id()));
                return Err(ExprError::new(at, message));
            }
            true => {
                let pointer = self.value(object, at)?;
                self.follow(pointer, at)?
            }
            false => object,
        };
        let is_pointer = matches!(self.types().kind(object.type_id()), TypeKind::Pointer(_));
        let Operand::Object(object) = object else {
            return Err(self.no_members(object.type_id(), is_pointer, arrow, at));
        };
        match self.types().kind(object.type_id) {
            TypeKind::Aggregate(_) => {}
            _ => return Err(self.no_members(object.type_id, is_pointer, arrow, at)),
        }
        let Some(path) = find_member(self.types(), object.type_id, name) else {
            return self.static_member(object.type_id, name, at);
        };
        let mut object = object;
        for member in path {
            object = self.step(object, &member, at)?;
        }
        self.object(object, at)
    }

    fn no_members(&self, type_id: TypeId, pointer: bool, arrow: bool, at: usize) -> ExprError {
        let name = self.named(type_id);
        ExprError::new(
            at,
            match (pointer, arrow, self.types().kind(type_id)) {
                (true, false, _) => format!("this is a pointer (`{name}`): write `->`"),
                (_, _, TypeKind::Declared(..)) => {
                    format!("the program declares `{name}`, but its members are not known")
                }
                _ => format!("`{name}` has no members"),
            },
        )
    }

    /// A member without room in the object: a static one of its class.
    fn static_member(&mut self, type_id: TypeId, name: &str, at: usize) -> Checked<Operand> {
        let class = self.types().get(self.types().strip(type_id));
        if let Some(scope) = class.qualified_name() {
            let mut parts: Vec<String> = scope.split("::").map(str::to_owned).collect();
            parts.push(name.to_owned());
            let path = Path { file: None, global: false, parts };
            let of_class = |it: &&steam_image::Variable| *it.scope == *scope;
            let found = self.program.declared.variables(name).find(of_class);
            if let Some((type_id, place)) = found.map(|it| (it.type_id, Place::clone(&it.place))) {
                return self.variable(type_id, place, &path, at);
            }
        }
        let members = member_names(self.types(), type_id);
        let near = nearest(name, members.iter().map(String::as_str));
        let all = match (near.is_empty(), members.len()) {
            (true, 1..=8) => format!("; it has {}", members.join(", ")),
            _ => near,
        };
        let message = format!("`{}` has no member `{name}`{all}", self.named(type_id));
        Err(ExprError::new(at, message))
    }

    /// A member of the object itself.
    fn step(&mut self, object: Object, member: &Member, at: usize) -> Checked<Object> {
        let home = match (object.home, member.offset) {
            (Home::Memory(address), Offset::Bytes(bytes)) => {
                Home::Memory(self.builder.offset(address, bytes))
            }
            (Home::Memory(address), Offset::Virtual(before)) => {
                Home::Memory(self.virtual_base(address, before))
            }
            (Home::Held(mut part), Offset::Bytes(bytes)) => {
                part.offset = part.offset.saturating_add(bytes);
                Home::Held(part)
            }
            (Home::Held(_), Offset::Virtual(_)) => {
                let message = "a virtual base of what lies in registers cannot be found";
                return Err(ExprError::new(at, message));
            }
        };
        Ok(Object { home, bits: member.bits, type_id: member.type_id })
    }

    /// The address of a virtual base: the object's virtual table has its offset.
    fn virtual_base(&mut self, address: NodeId, before: u32) -> NodeId {
        let table = self.builder.push(Node::Load { address, kind: Kind::U32 });
        let entry = self.builder.offset(table, before.wrapping_neg());
        let offset = self.builder.push(Node::Load { address: entry, kind: Kind::U32 });
        let (operation, kind) = (Arithmetic::Add, Kind::U32);
        self.builder.push(Node::Compute { operation, kind, left: address, right: offset })
    }

    /// An element of an array, or so many past its end.
    pub(super) fn element(
        &mut self,
        array: &Syntax,
        index: &Syntax,
        behind: u32,
        at: usize,
    ) -> Checked<Operand> {
        let is_member = matches!(array.kind, SyntaxKind::Member(..));
        let array = self.expression(array)?;
        let elements = match *self.types().kind(array.type_id()) {
            // The last member of a struct may stand for as many as there is room for.
            TypeKind::Array(_, Some(0 | 1)) if is_member => None,
            TypeKind::Array(_, elements) => elements,
            _ => None,
        };
        let array = self.value(array, at)?;
        let index = self.expression(index)?;
        let mut index = self.value(index, at)?;
        if let Some(elements) = elements.filter(|_| !self.measuring && !index.kind.is_float()) {
            index.node = self.within(index.node, elements, behind, at)?;
        }
        let element = self.sum(array, index, at)?;
        self.follow(element, at)
    }

    /// An index, which has to be one of an array's elements.
    fn within(&mut self, index: NodeId, elements: u32, behind: u32, at: usize) -> Checked<NodeId> {
        let count = elements.saturating_add(behind);
        match self.builder.constant_of(index).map(Scalar::integer) {
            Some(known) if (0..i64::from(count)).contains(&known) => Ok(index),
            Some(known) => {
                let message = format!(
                    "there is no element {known} of {elements}, which count from 0; what lies there is \
                     `*(array + {known})`"
                );
                Err(ExprError::new(at, message))
            }
            None => Ok(self.builder.push(Node::Within { index, count })),
        }
    }

    /// A pointer and a number of elements, or two numbers.
    pub(super) fn sum(&mut self, left: Value, right: Value, at: usize) -> Checked<Value> {
        let (left_target, right_target) = (self.target(left), self.target(right));
        match (left_target, right_target) {
            (Some(target), None) => self.advance(left, target, right, Arithmetic::Add, at),
            (None, Some(target)) => self.advance(right, target, left, Arithmetic::Add, at),
            (None, None) => self.arithmetic(Arithmetic::Add, left, right, at),
            (Some(_), Some(_)) => Err(ExprError::new(at, "two pointers cannot be added")),
        }
    }

    /// What a pointer points to, if it is one.
    pub(super) fn target(&self, value: Value) -> Option<TypeId> {
        match *self.types().kind(value.type_id) {
            TypeKind::Pointer(target) => Some(target),
            _ => None,
        }
    }

    /// The size of what a pointer points to; that of `void` and functions counts as one.
    pub(super) fn element_size(&self, target: TypeId, at: usize) -> Checked<u32> {
        match self.types().kind(target) {
            TypeKind::Void | TypeKind::Function(_) => Ok(1),
            _ => self.size(target, at),
        }
    }

    /// A pointer some elements further or back.
    pub(super) fn advance(
        &mut self,
        pointer: Value,
        target: TypeId,
        count: Value,
        operation: Arithmetic,
        at: usize,
    ) -> Checked<Value> {
        if count.kind.is_float() {
            return Err(ExprError::new(at, "elements are counted by integers"));
        }
        let size = self.element_size(target, at)?;
        let kind = Kind::U32;
        let (from, operand) = (count.kind, count.node);
        let count = self.builder.push(Node::Convert { from, to: kind, operand });
        let size = self.builder.constant(Scalar::Integer(i64::from(size)));
        let scale = Arithmetic::Multiply;
        let bytes = Node::Compute { operation: scale, kind, left: count, right: size };
        let bytes = self.builder.push(bytes);
        let sum = Node::Compute { operation, kind, left: pointer.node, right: bytes };
        Ok(Value { node: self.builder.push(sum), kind, type_id: pointer.type_id })
    }
}

/// The path to a member: through base classes and anonymous members, the nearest first.
pub(super) fn find_member(types: &Types, class: TypeId, name: &str) -> Option<Vec<Member>> {
    let mut level = vec![(class, Vec::new())];
    let mut budget = MOST;
    for _ in 0..DEEPEST {
        let mut next = Vec::new();
        for (class, path) in level {
            let TypeKind::Aggregate(aggregate) = types.kind(class) else { continue };
            for member in &aggregate.members {
                budget = budget.checked_sub(1)?;
                let further = || {
                    let mut further = path.clone();
                    further.push(member.clone());
                    further
                };
                match &member.name {
                    Some(own) if own == name => return Some(further()),
                    Some(_) => {}
                    None => next.push((member.type_id, further())),
                }
            }
        }
        level = next;
    }
    None
}

/// The names of all members, those of base classes and anonymous members too.
fn member_names(types: &Types, class: TypeId) -> Vec<String> {
    let mut names = Vec::new();
    let mut pending = vec![(class, 0)];
    while let Some((class, depth)) = pending.pop() {
        let TypeKind::Aggregate(aggregate) = types.kind(class) else { continue };
        for member in &aggregate.members {
            match &member.name {
                Some(name) => names.push(name.clone()),
                None if depth < DEEPEST && pending.len() < MOST => {
                    pending.push((member.type_id, depth + 1));
                }
                None => {}
            }
            if names.len() > MOST {
                return names;
            }
        }
    }
    names
}
