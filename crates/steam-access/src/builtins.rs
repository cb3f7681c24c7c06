//! Which of the accesses at a call of an atomic operation in the source (`source.rs`) is the atomic one.
//!
//! The instructions at such a place also compute the address and the value, with plain accesses that
//! must not count as atomic: that would hide a race. So one is taken only where it is the only one that
//! can be; of an access at a fixed address the text must name the variable. Where several can be, none
//! is taken, and it is said that it is not known.
//!
//! What has no instruction of its own, such as an addition to a `double`, is a load of the old value and an
//! exchange with a `lock` prefix that fails if it is no longer that. Of eight bytes the load may be two, one
//! for each half. For OpenMP compilers give the load to whichever line came before: where that line does not
//! name the variable, nothing else can be meant. The line may as well be one of a loop after `reduction`, which
//! names the threads' own copies; but what goes straight on to the exchange is the load that it begins with.

use std::collections::{BTreeMap, HashMap};

use steam_image::TypeKind;
use vm_isa::Code;

use crate::code::Instruction;
use crate::context::Context;
use crate::operand::{Access, Operand};
use crate::operations::same_place;
use crate::source::{Call, Kind, Said};
use crate::value::Base;

/// The size of a register.
const WORD: u32 = 4;

/// Says which accesses are atomic by the text of the source, among those of one function.
pub(crate) fn settle(
    context: &Context<'_>,
    code: &BTreeMap<u32, Instruction>,
    operands: &mut HashMap<u32, Operand>,
) {
    // The same text may have been inlined several times.
    let mut calls: HashMap<(Call, Option<usize>), Vec<u32>> = HashMap::new();
    for (&eip, operand) in operands.iter_mut() {
        match context.sources.at(context.image, eip) {
            Said::Call(call) => calls.entry((call, operand.inlined)).or_default().push(eip),
            Said::Other => {}
            Said::Nothing => operand.may_be_builtin = operand.moves(),
        }
    }
    for ((call, inlined), mut instructions) in calls {
        if !call.by_address && matches!(call.kind, Kind::Update | Kind::Merge) {
            instructions.extend(strays(context, operands, &call, inlined, &instructions));
            instructions.extend(beginnings(code, operands, &instructions));
        }
        instructions.sort_unstable();
        instructions.dedup();
        settle_call(context, operands, &call, &instructions);
    }
}

/// Loads of what an update exchanges that stand on lines which do not name it.
fn strays(
    context: &Context<'_>,
    operands: &HashMap<u32, Operand>,
    call: &Call,
    inlined: Option<usize>,
    instructions: &[u32],
) -> Vec<u32> {
    let whole: Vec<&Operand> =
        instructions.iter().map(|eip| &operands[eip]).filter(|operand| operand.whole).collect();
    let is_stray = |eip: &u32, operand: &Operand| {
        !instructions.contains(eip)
            && operand.inlined == inlined
            && is_load(operand)
            && whole.iter().any(|it| is_read_by(operand, it))
            && !operand.address.is_nameless()
            && (call.kind == Kind::Merge && is_hidden(context, operand)
                || context.sources.leaves_out(context.image, *eip, &call.text))
    };
    let found = operands.iter().filter(|(eip, operand)| is_stray(eip, operand));
    found.map(|(&eip, _)| eip).collect()
}

/// The loads from which the code goes straight on to exchanges of what they read, whatever their lines are.
fn beginnings(
    code: &BTreeMap<u32, Instruction>,
    operands: &HashMap<u32, Operand>,
    instructions: &[u32],
) -> Vec<u32> {
    let exchanges = instructions.iter().filter(|eip| {
        let operand = &operands[eip];
        operand.whole && matches!(operand.op.code, Code::Cmpxchg | Code::Cmpxchg8b)
    });
    exchanges.flat_map(|&exchange| beginning(code, operands, exchange)).collect()
}

/// The load of what is exchanged from which the code goes straight on to the exchange; of eight bytes it may be
/// two.
fn beginning(
    code: &BTreeMap<u32, Instruction>,
    operands: &HashMap<u32, Operand>,
    exchange: u32,
) -> Vec<u32> {
    const LONGEST: usize = 64;
    let whole = &operands[&exchange];
    let registers = [whole.op.base, whole.op.index].into_iter().filter(|&number| number < 8);
    let registers = registers.fold(0, |all, number| all | 1u32 << number);
    let mut found = Vec::new();
    let mut behind = exchange;
    // Of an address of which nothing is known the registers tell.
    let mut changed = false;
    for (&at, instruction) in code.range(..exchange).rev().take(LONGEST) {
        let (next, target) = instruction.successors();
        let within = target.is_none_or(|target| (at + 1..=exchange).contains(&target));
        let goes_on = instruction.next == behind && (next.is_some() || target.is_some());
        let calls = matches!(instruction.op.code, Code::Call | Code::CallIndirect);
        if !goes_on || !within || calls {
            break;
        }
        behind = at;
        changed |= u32::from(instruction.effects.changed) & registers != 0;
        let loads = |operand: &&Operand| {
            let known = !operand.address.is_nameless() || !changed;
            known && is_load(operand) && is_read_by(operand, whole)
        };
        if operands.get(&at).filter(loads).is_some() {
            found.push(at);
            let half = instruction.effects.size < WORD * 2 && whole.op.code == Code::Cmpxchg8b;
            if !half || found.len() == 2 {
                break;
            }
        }
    }
    found
}

/// Whether an access goes to what the compiler hands over to the threads of OpenMP, of which the source knows
/// nothing: a struct of its own, or what lies where a parameter points of which debug information says nothing.
fn is_hidden(context: &Context<'_>, operand: &Operand) -> bool {
    let id = match operand.address.base {
        Base::Object(id, _) => id,
        Base::Word(..) => return true,
        _ => return false,
    };
    let types = context.parts.types;
    types.get(types.strip(id)).artificial
}

fn is_load(operand: &Operand) -> bool {
    !operand.writes && operand.moves() && !operand.in_frame()
}

/// Whether a load reads what an exchange is about: all of it, or its second half.
fn is_read_by(load: &Operand, exchange: &Operand) -> bool {
    let mut second = *exchange;
    second.address.add = second.address.add.wrapping_add(WORD as i32);
    second.op.disp = second.op.disp.wrapping_add(WORD);
    same_place(load, exchange) || exchange.op.code == Code::Cmpxchg8b && same_place(load, &second)
}

fn settle_call(
    context: &Context<'_>,
    operands: &mut HashMap<u32, Operand>,
    call: &Call,
    instructions: &[u32],
) {
    let decided =
        |eip: &u32| matches!(operands[eip].access, Access::AtomicType | Access::Operation);
    if call.by_address && instructions.iter().any(decided) {
        return;
    }
    let whole: Vec<Operand> =
        instructions.iter().map(|eip| operands[eip]).filter(|operand| operand.whole).collect();
    let can_be = |operand: &Operand| {
        let fits = match call.kind {
            Kind::Load => !operand.writes && !operand.whole,
            Kind::Store => operand.writes && !operand.whole,
            Kind::Assembly => !operand.whole,
            Kind::Update | Kind::Merge => {
                whole.iter().any(|it| !operand.writes && is_read_by(operand, it))
            }
        };
        fits && operand.moves() && !operand.in_frame() && operand.access != Access::Never
    };
    let possible: Vec<u32> =
        instructions.iter().copied().filter(|eip| can_be(&operands[eip])).collect();
    // What lies at a fixed address is often the pointer by which the operation comes to its object.
    let fixed = |eip: &u32| operands[eip].access == Access::ByAddress;
    // So is what OpenMP hands over of a variable whose address is taken.
    let hidden = |eip: &u32| !call.by_address && is_hidden(context, &operands[eip]);
    let chosen = unless_all(unless_all(possible.clone(), fixed), hidden);
    let Some(first) = chosen.first().map(|eip| operands[eip]) else { return };
    let alike = match call.kind {
        Kind::Update | Kind::Merge => {
            whole.iter().any(|it| chosen.iter().all(|eip| is_read_by(&operands[eip], it)))
        }
        Kind::Load | Kind::Store | Kind::Assembly => {
            chosen.iter().all(|eip| same_place(&operands[eip], &first))
        }
    };
    let named = !call.by_address || !fixed(&chosen[0]) || names(context, call, &first);
    // It may as well be an element of an array in the frame.
    let in_frame = |eip: &u32| operands[eip].in_frame() && operands[eip].address.step != 0;
    let sure = alike && named && !instructions.iter().any(in_frame);
    for eip in if sure { &chosen } else { &possible } {
        if let Some(operand) = operands.get_mut(eip) {
            match sure {
                true if call.kind == Kind::Assembly => operand.access = Access::Assembly,
                true => operand.access = Access::Operation,
                false => operand.may_be_builtin = true,
            }
        }
    }
}

/// Leaves some instructions out, unless none would be left.
fn unless_all(all: Vec<u32>, is_out: impl Fn(&u32) -> bool) -> Vec<u32> {
    let (out, left): (Vec<u32>, Vec<u32>) = all.into_iter().partition(is_out);
    if left.is_empty() { out } else { left }
}

/// Whether the first argument of a call is the address of the variable that an instruction accesses, or
/// of a part of it. In a function that was inlined the argument is a parameter, whatever its name is, and
/// the address is known already: a pointer would be read by what is no pointer. So it is where the compiler
/// knows what a pointer of the program points to.
fn names(context: &Context<'_>, call: &Call, operand: &Operand) -> bool {
    let Base::Zero = operand.address.base else { return false };
    let Some(within) = context.objects.at(operand.address.add as u32) else { return false };
    let is_pointer = matches!(
        context.parts.types.kind(within.type_id()),
        TypeKind::Pointer(_) | TypeKind::Reference(_)
    );
    let Some((name, goes_on)) = call.variable() else {
        let parameter = call.pointer().filter(|name| *within.variable.name != **name);
        let is_given = operand.inlined.is_some() && parameter.is_some();
        return (is_given || call.follows_pointer()) && !is_pointer;
    };
    *within.variable.name == *name && !(goes_on && is_pointer)
}
