//! Copies of structs with atomic members through pointers: `*copy = *live` reads the atomic member like any
//! other, which is no atomic access in C.
//!
//! Types alone do not tell such a copy from an atomic access to the member: the compiler makes the same moves
//! of both. The text of the line does: it names the struct as a whole, by a pointer to it (`*p`, `p[i]`,
//! `memcpy(q, p, ...)`) or by a member that contains the atomic one, and not the atomic member. C++ has no such
//! copies: `std::atomic` cannot be copied.

use std::collections::HashMap;

use steam_image::{Placed, Qualifier, TypeId, TypeKind, Types};

use crate::context::Context;
use crate::operand::{Access, Operand};
use crate::value::Base;

/// Structs and arrays within each other that are looked into.
const DEEPEST: usize = 32;

/// Says which accesses to atomic members are part of a copy of the whole, among those of one function.
pub(crate) fn settle(
    context: &Context<'_>,
    variables: &[Placed],
    operands: &mut HashMap<u32, Operand>,
) {
    let sources = context.sources;
    for (&eip, operand) in operands.iter_mut().filter(|(_, operand)| operand.moves()) {
        let copies = match target(context, operand) {
            Some((id, at)) => {
                let path = MemberPath::new(context, id, at);
                let points = |name: &str| path.is_reached_by(context, variables, name);
                path.names.split_last().filter(|_| path.atomic).is_some_and(|(part, outer)| {
                    sources.copies_whole(context.image, eip, &[part], outer, points)
                })
            }
            None if operand.access == Access::Open => is_copy(context, variables, eip),
            None => false,
        };
        if copies {
            operand.access = Access::Never;
        }
    }
}

/// Whether an instruction of which it is not known what it accesses stands on a line that does nothing atomic: it
/// accesses a struct with atomic members as a whole, and names neither one of those nor another atomic variable.
fn is_copy(context: &Context<'_>, variables: &[Placed], eip: u32) -> bool {
    let types = context.parts.types;
    let mut parts: Vec<&str> = Vec::new();
    let names = context.sources.wholes(context.image, eip);
    for id in names.iter().flat_map(|name| types_of(context, variables, name)) {
        if let TypeKind::Pointer(target) | TypeKind::Array(target, _) = types.kind(id) {
            atomic_members(types, *target, DEEPEST, &mut parts);
        }
    }
    let atomic = |name: &str| {
        types_of(context, variables, name).any(|id| {
            let target = match types.kind(id) {
                TypeKind::Pointer(target) | TypeKind::Array(target, _) => is_atomic(types, *target),
                _ => false,
            };
            is_atomic(types, id) || target
        })
    };
    !parts.is_empty()
        && context
            .sources
            .copies_whole(context.image, eip, &parts, &[], |name| names.iter().any(|it| it == name))
        && !context.sources.names(context.image, eip).iter().any(|name| atomic(name))
}

/// The types of the variables with a name: those of the function, or else those of whichever file or function,
/// also where they have no place because they are constant.
fn types_of<'a>(
    context: &'a Context<'_>,
    variables: &'a [Placed],
    name: &'a str,
) -> impl Iterator<Item = TypeId> {
    let own = variables.iter().filter(move |it| *it.name == *name).map(|it| it.type_id);
    let found = variables.iter().any(|variable| *variable.name == *name);
    let others = context.declared.all_variables().filter(move |it| !found && *it.name == *name);
    own.chain(others.map(|it| it.type_id))
}

/// Adds the names of the members of a struct that are declared `_Atomic`.
fn atomic_members<'a>(types: &'a Types, id: TypeId, depth: usize, names: &mut Vec<&'a str>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match types.kind(id) {
        TypeKind::Aggregate(aggregate) => {
            for member in &aggregate.members {
                match is_atomic_element(types, member.type_id) {
                    true => names.extend(member.name.as_deref()),
                    false => atomic_members(types, member.type_id, depth, names),
                }
            }
        }
        TypeKind::Array(element, _) => atomic_members(types, *element, depth, names),
        _ => {}
    }
}

/// Whether a type, or that of the elements of an array, is declared `_Atomic`.
fn is_atomic_element(types: &Types, id: TypeId) -> bool {
    let mut id = id;
    for _ in 0..DEEPEST {
        match types.kind(id) {
            _ if is_atomic(types, id) => return true,
            TypeKind::Array(element, _) => id = *element,
            _ => return false,
        }
    }
    false
}

/// The type of the object that an instruction accesses, and the offset in it, as far as that may be atomic.
fn target(context: &Context<'_>, operand: &Operand) -> Option<(TypeId, u32)> {
    let at = u32::try_from(operand.address.add).ok();
    match (operand.access, operand.address.base) {
        (Access::AtomicType, Base::Object(id, _)) => {
            let size = context.parts.types.size(id).filter(|&size| size > 0)?;
            Some((id, at? % size))
        }
        (Access::ByAddress, Base::Zero) if operand.address.step == 0 => {
            let within = context.objects.at(operand.address.add as u32)?;
            Some((within.type_id(), within.at))
        }
        _ => None,
    }
}

/// The structs on the path to a byte, from the outermost one on.
struct MemberPath<'a> {
    structs: Vec<TypeId>,
    /// The members.
    names: Vec<&'a str>,
    /// Whether the last one is declared `_Atomic`.
    atomic: bool,
}

impl<'a> MemberPath<'a> {
    fn new(context: &Context<'a>, id: TypeId, at: u32) -> Self {
        let parts = context.parts;
        let mut path = Self { structs: Vec::new(), names: Vec::new(), atomic: false };
        let (mut id, mut at) = (id, at);
        for _ in 0..DEEPEST {
            if is_atomic(parts.types, id) {
                path.atomic = true;
                break;
            }
            match parts.types.kind(id) {
                TypeKind::Aggregate(aggregate) => {
                    let has = |(_, start, length): &(_, u32, u32)| {
                        (*start..start.saturating_add(*length)).contains(&at)
                    };
                    let Some((member, start, _)) = parts.placed(aggregate).find(has) else { break };
                    path.structs.push(id);
                    path.names.extend(member.name.as_deref());
                    (id, at) = (member.type_id, at - start);
                }
                TypeKind::Array(element, _) => {
                    let each = parts.types.size(*element).filter(|&each| each > 0);
                    let Some(each) = each else { break };
                    (id, at) = (*element, at % each);
                }
                _ => break,
            }
        }
        path
    }

    /// Whether a name is that of a pointer to one of the structs, or of an array of them.
    fn is_reached_by(&self, context: &Context<'_>, variables: &[Placed], name: &str) -> bool {
        let types = context.parts.types;
        let leads = |id: TypeId| match types.kind(id) {
            TypeKind::Pointer(target) | TypeKind::Array(target, _) => {
                !is_atomic(types, *target) && self.structs.iter().any(|&it| types.same(it, *target))
            }
            _ => false,
        };
        types_of(context, variables, name).any(leads)
    }
}

/// Whether a type is declared `_Atomic`.
fn is_atomic(types: &Types, id: TypeId) -> bool {
    let mut id = id;
    for _ in 0..DEEPEST {
        id = match types.get(id).kind {
            TypeKind::Qualified(Qualifier::Atomic, _) => return true,
            TypeKind::Typedef(next)
            | TypeKind::Qualified(_, next)
            | TypeKind::Declared(_, Some(next)) => next,
            _ => return false,
        };
    }
    false
}
