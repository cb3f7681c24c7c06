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
            settle_alternatives(context, operands, instructions);
            continue;
        }
        let possible: Vec<u32> = instructions
            .iter()
            .copied()
            .filter(|eip| is_possible(context, &operands[eip]))
            .collect();
        let Some(first) = possible.first().map(|eip| operands[eip]) else { continue };
        // The same one may have been copied: the head of a loop.
        let chosen = match possible.iter().all(|eip| same_place(&operands[eip], &first)) {
            true => possible,
            false => last_loads(operands, possible),
        };
        for eip in &chosen {
            if let Some(operand) = operands.get_mut(eip) {
                operand.access = Access::Operation;
            }
        }
    }
}

/// An operation on an object of a plain type may do the same access in several ways, one of which has a lock: where
/// the order of memory is a parameter, as in Rust.
fn settle_alternatives(
    context: &Context<'_>,
    operands: &mut HashMap<u32, Operand>,
    instructions: &[u32],
) {
    let own = || instructions.iter().map(|eip| (*eip, operands[eip]));
    let whole: Vec<Operand> = own().map(|(_, it)| it).filter(|it| it.whole).collect();
    let is_alternative = |operand: &Operand| {
        operand.moves()
            && operand.access != Access::Open
            && is_possible(context, operand)
            && whole.iter().any(|it| same_place(it, operand))
    };
    let chosen: Vec<u32> = own().filter(|(_, it)| is_alternative(it)).map(|(eip, _)| eip).collect();
    for eip in chosen {
        if let Some(operand) = operands.get_mut(&eip) {
            operand.access = Access::Operation;
        }
    }
}

/// Of several loads in one call, because the compiler has merged two calls, those by which no other one of them
/// comes to its address: the others may be plain loads of pointers. Where it is not known of one by which load it
/// comes there, none is taken.
fn last_loads(operands: &HashMap<u32, Operand>, possible: Vec<u32>) -> Vec<u32> {
    let source = |eip: &u32| match operands[eip].address {
        Value { base: Base::Opaque(from), step: 0, .. } => {
            let loads =
                operands.get(&from).is_some_and(|operand| !operand.writes && operand.moves());
            (loads && !operands[eip].writes).then_some(from)
        }
        _ => None,
    };
    let Some(sources) = possible.iter().map(source).collect::<Option<Vec<u32>>>() else {
        return Vec::new();
    };
    possible.into_iter().filter(|eip| !sources.contains(eip)).collect()
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
    let nameless = one.address.is_nameless() && other.address.is_nameless();
    let named = one.address.base != Base::Unknown && one.address == other.address;
    named || nameless && text(one) == text(other)
}
