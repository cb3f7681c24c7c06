//! Which of the accesses at a call of an atomic operation in the source (`source.rs`) is the atomic one.
//!
//! The instructions at such a place also compute the address and the value, with plain accesses that
//! must not count as atomic: that would hide a race. So one is taken only where it is the only one that
//! can be; of an access at a fixed address the text must name the variable. Where several can be, none
//! is taken, and it is said that it is not known.

use std::collections::HashMap;

use steam_image::TypeKind;

use crate::context::Context;
use crate::operand::{Access, Operand};
use crate::operations::same_place;
use crate::source::{Call, Kind, Said};
use crate::value::Base;

/// Says which accesses are atomic by the text of the source, among those of one function.
pub(crate) fn settle(context: &Context<'_>, operands: &mut HashMap<u32, Operand>) {
    // The same text may have been inlined several times.
    let mut calls: HashMap<(Call, Option<usize>), Vec<u32>> = HashMap::new();
    for (&eip, operand) in operands.iter_mut() {
        match context.sources.at(context.image, eip) {
            Said::Call(call) => calls.entry((call, operand.inlined)).or_default().push(eip),
            Said::Other => {}
            Said::Nothing => operand.may_be_builtin = operand.moves(),
        }
    }
    for ((call, _), mut instructions) in calls {
        instructions.sort_unstable();
        settle_call(context, operands, &call, &instructions);
    }
}

fn settle_call(
    context: &Context<'_>,
    operands: &mut HashMap<u32, Operand>,
    call: &Call,
    instructions: &[u32],
) {
    let decided =
        |eip: &u32| matches!(operands[eip].access, Access::AtomicType | Access::Operation);
    if instructions.iter().any(decided) {
        return;
    }
    let whole: Vec<Operand> =
        instructions.iter().map(|eip| operands[eip]).filter(|operand| operand.whole).collect();
    let can_be = |operand: &Operand| {
        let fits = match call.kind {
            Kind::Load => !operand.writes && !operand.whole,
            Kind::Store => operand.writes && !operand.whole,
            Kind::Update => whole.iter().any(|it| !operand.writes && same_place(it, operand)),
        };
        fits && operand.moves() && !operand.in_frame() && operand.access != Access::Never
    };
    let possible: Vec<u32> =
        instructions.iter().copied().filter(|eip| can_be(&operands[eip])).collect();
    // What lies at a fixed address is often the pointer by which the operation comes to its object.
    let fixed = |eip: &u32| operands[eip].access == Access::ByAddress;
    let chosen: Vec<u32> = match possible.iter().all(fixed) {
        true => possible.clone(),
        false => possible.iter().copied().filter(|eip| !fixed(eip)).collect(),
    };
    let Some(first) = chosen.first().map(|eip| operands[eip]) else { return };
    let alike = chosen.iter().all(|eip| same_place(&operands[eip], &first));
    let named = !call.by_address || !fixed(&chosen[0]) || names(context, call, &first);
    // It may as well be an element of an array in the frame.
    let in_frame = |eip: &u32| operands[eip].in_frame() && operands[eip].address.step != 0;
    let sure = alike && named && !instructions.iter().any(in_frame);
    for eip in if sure { &chosen } else { &possible } {
        if let Some(operand) = operands.get_mut(eip) {
            match sure {
                true => operand.access = Access::Operation,
                false => operand.may_be_builtin = true,
            }
        }
    }
}

/// Whether the first argument of a call is the address of the variable that an instruction accesses, or
/// of a part of it. In a function that was inlined the argument is a parameter, whatever its name is, and
/// the address is known already: a pointer would be read by what is no pointer.
fn names(context: &Context<'_>, call: &Call, operand: &Operand) -> bool {
    let Base::Zero = operand.address.base else { return false };
    let Some(within) = context.objects.at(operand.address.add as u32) else { return false };
    let is_pointer = matches!(
        context.parts.types.kind(within.type_id()),
        TypeKind::Pointer(_) | TypeKind::Reference(_)
    );
    let Some((name, goes_on)) = call.variable() else {
        let parameter = call.pointer().filter(|name| *within.variable.name != **name);
        return operand.inlined.is_some() && parameter.is_some() && !is_pointer;
    };
    *within.variable.name == *name && !(goes_on && is_pointer)
}
