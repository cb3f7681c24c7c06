//! Which of the accesses within an atomic operation of the library is the atomic one.
//!
//! Optimising compilers give the instructions that compute an address to the call that uses it: a
//! plain load of a pointer may lie in the range of `std::atomic<int>::load`. Where a type says which
//! access is the atomic one, it is that and no other. Else it is the only one that can be, and where
//! several can, none is taken: a plain access that counts as atomic would hide a race.

use std::collections::{BTreeMap, HashMap};

use steam_image::{TypeId, TypeKind};

use crate::context::Context;
use crate::operand::{Access, Operand};
use crate::value::{Base, Value};

/// Says which accesses are atomic operations of the library, among those of one function.
pub(crate) fn settle(context: &Context<'_>, operands: &mut HashMap<u32, Operand>) {
    let mut calls: BTreeMap<Option<usize>, Vec<u32>> = BTreeMap::new();
    for (&eip, operand) in operands.iter() {
        if let Some(operation) = operand.operation {
            calls.entry(operation.call).or_default().push(eip);
        }
    }
    for instructions in calls.values() {
        let known = |eip: &u32| {
            let operand = &operands[eip];
            operand.access == Access::AtomicType || operand.whole && !operand.in_frame()
        };
        if instructions.iter().any(known) {
            continue;
        }
        let possible: Vec<u32> = instructions
            .iter()
            .copied()
            .filter(|eip| is_possible(context, &operands[eip]))
            .collect();
        let Some(first) = possible.first().map(|eip| operands[eip]) else { continue };
        // The same one may have been copied: the head of a loop.
        if possible.iter().all(|eip| same_place(&operands[eip], &first)) {
            for eip in &possible {
                if let Some(operand) = operands.get_mut(eip) {
                    operand.access = Access::Operation;
                }
            }
        }
    }
}

/// Whether an access can be the one that an operation is about.
fn is_possible(context: &Context<'_>, operand: &Operand) -> bool {
    let Some(on_plain) = operand.operation.map(|operation| operation.on_plain) else {
        return false;
    };
    let Value { base, add, .. } = operand.address;
    let parts = context.parts;
    let value = match base {
        _ if operand.access == Access::Open => return true,
        Base::Object(target, _) => u32::try_from(add).ok().and_then(|at| parts.value(target, at)),
        Base::Zero => {
            let within = context.objects.at(add as u32);
            within.and_then(|within| parts.value(within.type_id(), within.at))
        }
        _ => return false,
    };
    let target = on_plain.and_then(|function| first_target(context, function));
    match (value, target) {
        (Some(value), Some(target)) => parts.types.same(value, target),
        _ => false,
    }
}

/// The type to which the first parameter of a function points.
fn first_target(context: &Context<'_>, function: TypeId) -> Option<TypeId> {
    let types = context.parts.types;
    let TypeKind::Function(signature) = types.kind(function) else { return None };
    match types.kind(*signature.parameters.first()?) {
        TypeKind::Pointer(target) | TypeKind::Reference(target) => Some(*target),
        _ => None,
    }
}

/// Whether two instructions access the same memory.
pub(crate) fn same_place(one: &Operand, other: &Operand) -> bool {
    let text = |operand: &Operand| {
        let op = operand.op;
        (op.base, op.index, op.addressing, op.disp)
    };
    match one.address.base {
        Base::Unknown => other.address.base == Base::Unknown && text(one) == text(other),
        _ => one.address == other.address,
    }
}
