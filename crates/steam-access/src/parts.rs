//! Which bytes of an object are atomic, by its type, and what else lies at an offset.
//!
//! Types come from a file that was not checked, so each question goes down a bounded number of
//! levels. Where members of a union say different things, the answer is that it is not known.

use std::collections::HashMap;

use steam_image::{Aggregate, Member, Offset, Qualifier, Type, TypeId, TypeKind, Types};

use crate::library;

/// Structs and arrays within each other that are looked into.
const DEEPEST: usize = 32;
/// So many offsets are compared where an index is not known.
const OFFSETS: u32 = 4096;

/// What some bytes of an object are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// All of them belong to one atomic object.
    Atomic,
    /// They do not.
    Plain,
    /// The type does not say.
    Open,
    /// They are not all within the object.
    Outside,
}

/// Members that the user wants to be atomic: by the qualified name of the type, their offsets and
/// sizes.
pub(crate) type Listed = HashMap<String, Vec<(u32, u32)>>;

/// Types, and what is atomic beyond what they say.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub types: &'a Types,
    pub listed: &'a Listed,
    /// Whether volatile objects count as atomic.
    pub volatile: bool,
}

/// A type behind its names.
enum Bare<'a> {
    Atomic,
    Other(&'a Type),
}

impl<'a> Parts<'a> {
    /// Says what `size` bytes from offset `at` of an object are.
    pub fn at(self, id: TypeId, at: u32, size: u32) -> Part {
        self.within(id, at, size, DEEPEST)
    }

    /// Says what the bytes at an offset are of which the remainder modulo `step` is known, and
    /// that they belong to elements of arrays within the object.
    pub fn indexed(self, id: TypeId, at: u32, step: u32, size: u32) -> Part {
        let end = self.types.size(id).unwrap_or(0).max(at.saturating_add(size));
        if end / step.max(1) > OFFSETS {
            return Part::Open;
        }
        let offsets = (at % step..end).step_by(step as usize);
        let elements = offsets.filter(|&offset| self.in_array(id, offset, DEEPEST));
        let elements: Vec<u32> = elements.collect();
        // What is as large as an element of one of the arrays is one of those.
        let as_large = |&offset: &u32| {
            self.value(id, offset).and_then(|found| self.types.size(found)) == Some(size)
        };
        let some_are = elements.iter().any(as_large);
        let elements = elements.into_iter().filter(|offset| !some_are || as_large(offset));
        let mut answers = elements.map(|offset| self.at(id, offset, size));
        match answers.next() {
            Some(first) if answers.all(|other| other == first) => first,
            _ => Part::Open,
        }
    }

    /// Says whether there is an array within a type, by whose elements an index may be counted.
    pub fn has_array(self, id: TypeId) -> bool {
        self.has_array_within(id, DEEPEST)
    }

    fn has_array_within(self, id: TypeId, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return true };
        match self.types.kind(id) {
            TypeKind::Array(..) => true,
            TypeKind::Aggregate(aggregate) => {
                let mut members = aggregate.members.iter();
                members.any(|member| self.has_array_within(member.type_id, depth))
            }
            _ => false,
        }
    }

    /// Says whether a type is no struct, or one that is atomic as a whole.
    pub fn is_scalar(self, id: TypeId) -> bool {
        match self.bare(id) {
            Bare::Atomic => true,
            Bare::Other(found) => !matches!(found.kind, TypeKind::Aggregate(_)),
        }
    }

    /// Returns the type of the number or pointer that starts at an offset.
    pub fn value(self, id: TypeId, at: u32) -> Option<TypeId> {
        self.value_within(id, at, DEEPEST)
    }

    /// Says whether what lies at an offset is a number or a pointer of the program's own, and no part of an
    /// object that a library takes care of.
    pub fn is_data(self, id: TypeId, at: u32) -> bool {
        let (mut id, mut at) = (id, at);
        for _ in 0..DEEPEST {
            let found = self.types.get(id);
            if library::takes_care_of(found) {
                return false;
            }
            (id, at) = match &found.kind {
                TypeKind::Qualified(Qualifier::Atomic, _) => return false,
                TypeKind::Typedef(next)
                | TypeKind::Qualified(_, next)
                | TypeKind::Declared(_, Some(next)) => (*next, at),
                TypeKind::Aggregate(aggregate) => {
                    let has = |(_, start, length): &(&Member, u32, u32)| {
                        (*start..start.saturating_add(*length)).contains(&at)
                    };
                    let Some((member, start, _)) = self.placed(aggregate).find(has) else {
                        return false;
                    };
                    (member.type_id, at - start)
                }
                TypeKind::Array(element, _) => match self.types.size(*element) {
                    Some(each) if each > 0 => (*element, at % each),
                    _ => return false,
                },
                TypeKind::Base(_) | TypeKind::Enum(_) | TypeKind::Pointer(_) => return true,
                _ => return false,
            };
        }
        false
    }

    fn bare(self, id: TypeId) -> Bare<'a> {
        let mut id = id;
        for _ in 0..DEEPEST {
            let found = self.types.get(id);
            id = match &found.kind {
                TypeKind::Typedef(next) | TypeKind::Declared(_, Some(next)) => *next,
                TypeKind::Qualified(Qualifier::Atomic, _) => return Bare::Atomic,
                TypeKind::Qualified(Qualifier::Volatile, _) if self.volatile => {
                    return Bare::Atomic;
                }
                TypeKind::Qualified(_, next) => *next,
                TypeKind::Aggregate(_) if library::is_atomic_class(found) => return Bare::Atomic,
                _ => return Bare::Other(found),
            };
        }
        Bare::Other(self.types.get(Types::VOID))
    }

    fn within(self, id: TypeId, at: u32, size: u32, depth: usize) -> Part {
        let Some(end) = at.checked_add(size) else { return Part::Outside };
        let Some(depth) = depth.checked_sub(1) else { return Part::Open };
        let inside = self.types.size(id).is_some_and(|size| end <= size);
        let found = match self.bare(id) {
            Bare::Atomic if inside => return Part::Atomic,
            Bare::Atomic => return Part::Outside,
            Bare::Other(found) => found,
        };
        match &found.kind {
            TypeKind::Aggregate(_) if inside && library::is_raw_storage(found) => Part::Open,
            TypeKind::Aggregate(aggregate) => {
                match self.in_members(found, aggregate, at, size, depth) {
                    Some(part) => part,
                    None if !inside => Part::Outside,
                    None if has_virtual_base(aggregate) => Part::Open,
                    // Padding.
                    None => Part::Plain,
                }
            }
            TypeKind::Array(element, count) => {
                let Some(each) = self.types.size(*element).filter(|&each| each > 0) else {
                    return Part::Open;
                };
                let bounded = count.is_some_and(|count| count > 0);
                match at % each {
                    _ if bounded && !inside => Part::Outside,
                    rest if rest.saturating_add(size) > each => Part::Plain,
                    rest => self.within(*element, rest, size, depth),
                }
            }
            _ if inside => Part::Plain,
            _ => Part::Outside,
        }
    }

    /// What the members say that have some of the bytes; nothing where none has.
    fn in_members(
        self,
        class: &Type,
        aggregate: &Aggregate,
        at: u32,
        size: u32,
        depth: usize,
    ) -> Option<Part> {
        let end = at.saturating_add(size);
        if !self.listed.is_empty()
            && let Some(own) = class.qualified_name().and_then(|name| self.listed.get(&name))
            && own.iter().any(|&(start, length)| start <= at && end <= start.saturating_add(length))
        {
            return Some(Part::Atomic);
        }
        let mut found = None;
        for (member, start, length) in self.placed(aggregate) {
            if end <= start || at >= start.saturating_add(length) {
                continue;
            }
            // What reaches over the border of a member is a copy of several.
            let whole = at >= start && end <= start.saturating_add(length);
            let library = member.name.as_ref();
            let part = match member.bits {
                _ if !whole => return Some(Part::Plain),
                _ if library.is_some_and(|name| library::is_atomic_member(class, name)) => {
                    Part::Atomic
                }
                Some(_) => Part::Plain,
                None => self.within(member.type_id, at - start, size, depth),
            };
            found = match found {
                None => Some(part),
                Some(before) if before == part => found,
                Some(_) => return Some(Part::Open),
            };
        }
        found
    }

    /// The members that take room, with their offsets and sizes.
    pub fn placed(
        self,
        aggregate: &'a Aggregate,
    ) -> impl Iterator<Item = (&'a Member, u32, u32)> + use<'a> {
        aggregate.members.iter().filter_map(move |member| {
            let Offset::Bytes(start) = member.offset else { return None };
            if self.is_empty(member.type_id, DEEPEST) {
                return None;
            }
            let length = match (member.bits, self.types.kind(member.type_id)) {
                (Some(bits), _) => (u32::from(bits.shift) + u32::from(bits.width)).div_ceil(8),
                // A flexible array at the end.
                (None, TypeKind::Array(_, None | Some(0))) => u32::MAX,
                (None, _) => self.types.size(member.type_id)?,
            };
            Some((member, start, length))
        })
    }

    /// Whether a type is a class without data, which shares its place with others.
    fn is_empty(self, id: TypeId, depth: usize) -> bool {
        let TypeKind::Aggregate(aggregate) = self.types.kind(id) else { return false };
        let Some(depth) = depth.checked_sub(1) else { return false };
        aggregate.members.iter().all(|member| self.is_empty(member.type_id, depth))
    }

    fn in_array(self, id: TypeId, at: u32, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match self.types.kind(id) {
            TypeKind::Array(..) => true,
            TypeKind::Aggregate(aggregate) => {
                self.placed(aggregate).any(|(member, start, length)| {
                    (start..start.saturating_add(length)).contains(&at)
                        && self.in_array(member.type_id, at - start, depth)
                })
            }
            _ => false,
        }
    }

    fn value_within(self, id: TypeId, at: u32, depth: usize) -> Option<TypeId> {
        let depth = depth.checked_sub(1)?;
        match self.types.kind(id) {
            TypeKind::Aggregate(aggregate) => {
                let mut found = None;
                for (member, start, length) in self.placed(aggregate) {
                    if !(start..start.saturating_add(length)).contains(&at) || member.bits.is_some()
                    {
                        continue;
                    }
                    let value = self.value_within(member.type_id, at - start, depth)?;
                    match found {
                        Some(before) if !self.types.same(before, value) => return None,
                        _ => found = Some(value),
                    }
                }
                found
            }
            TypeKind::Array(element, _) => {
                let each = self.types.size(*element).filter(|&each| each > 0)?;
                self.value_within(*element, at % each, depth)
            }
            _ => (at == 0).then_some(id),
        }
    }
}

fn has_virtual_base(aggregate: &Aggregate) -> bool {
    aggregate.members.iter().any(|member| matches!(member.offset, Offset::Virtual(_)))
}
