//! Types with which larger ones begin. Behind a pointer to such a type there may be a larger object,
//! as C programs derive one struct from another; behind a pointer to any other there is one, or an
//! array of them.

use std::collections::HashSet;

use steam_image::{Offset, TypeId, TypeKind, Types};

/// The types with which larger ones begin.
pub(crate) struct Heads {
    /// By name: each file has types of its own.
    names: HashSet<String>,
    unnamed: HashSet<TypeId>,
}

impl Heads {
    pub fn new(types: &Types) -> Heads {
        let mut heads = Heads { names: HashSet::new(), unnamed: HashSet::new() };
        for larger in types.iter() {
            let TypeKind::Aggregate(aggregate) = &larger.kind else { continue };
            let first = aggregate.members.iter().filter(|member| member.offset == Offset::Bytes(0));
            for member in first {
                let id = element(types, member.type_id);
                match types.get(id).qualified_name() {
                    Some(name) => heads.names.insert(name),
                    None => heads.unnamed.insert(id),
                };
            }
        }
        heads
    }

    /// Says whether a larger type begins with a type.
    pub fn contains(&self, types: &Types, id: TypeId) -> bool {
        let id = types.strip(id);
        let name = types.get(id).qualified_name();
        name.map_or_else(|| self.unnamed.contains(&id), |name| self.names.contains(&name))
    }
}

/// The type behind names, or that of the elements of an array.
fn element(types: &Types, id: TypeId) -> TypeId {
    match types.kind(id) {
        TypeKind::Array(element, _) => types.strip(*element),
        _ => types.strip(id),
    }
}
