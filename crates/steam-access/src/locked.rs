//! The objects that instructions with a `lock` prefix access: evidence that their other accesses
//! are meant to be atomic too.

use std::collections::HashMap;
use std::sync::Arc;

use steam_image::{Declared, Function, Image, TypeId, TypeKind, Types};

use crate::code::instructions;
use crate::flow::Followed;
use crate::operand::Operand;

/// Objects with an instruction that accesses them.
pub(crate) struct Locked {
    addresses: HashMap<u32, u32>,
    /// By the name of the type, and the offset in it.
    members: HashMap<(String, u32), u32>,
}

impl Locked {
    /// Looks through all functions of the source.
    pub fn new(
        image: &Image,
        declared: &Declared,
        follow: impl Fn(&Function) -> Option<Arc<Followed>>,
    ) -> Locked {
        let mut locked = Locked { addresses: HashMap::new(), members: HashMap::new() };
        for function in declared.all_functions().filter(|function| !function.ranges.is_empty()) {
            if !instructions(image, function).iter().any(|it| it.is_whole()) {
                continue;
            }
            let followed = follow(function);
            let operands = followed.iter().flat_map(|all| &all.operands);
            let whole = operands.filter(|(_, operand)| operand.whole);
            for (&eip, operand) in whole {
                locked.add(declared.types(), eip, operand);
            }
        }
        locked
    }

    fn add(&mut self, types: &Types, eip: u32, operand: &Operand) {
        // The lowest one, whatever the order.
        let lowest = |known: &mut u32| *known = eip.min(*known);
        if let Some(address) = operand.address.exact_number() {
            self.addresses.entry(address).and_modify(lowest).or_insert(eip);
        }
        if let Some(key) = operand.member().and_then(|(id, at)| key(types, id, at)) {
            self.members.entry(key).and_modify(lowest).or_insert(eip);
        }
    }

    /// An instruction that accesses the object at an address.
    pub fn address(&self, address: u32) -> Option<u32> {
        self.addresses.get(&address).copied()
    }

    /// An instruction that accesses a member of a type.
    pub fn member(&self, types: &Types, id: TypeId, at: u32) -> Option<u32> {
        self.members.get(&key(types, id, at)?).copied()
    }
}

/// Members of structs are distinguished by name and offset; of a mere number nothing is known.
fn key(types: &Types, id: TypeId, at: u32) -> Option<(String, u32)> {
    let found = types.get(types.strip(id));
    match found.kind {
        TypeKind::Aggregate(_) => Some((found.qualified_name()?, at)),
        _ => None,
    }
}
