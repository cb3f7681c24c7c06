//! What a thread that stands before an instruction will not look at any more: registers and flags that the code
//! overwrites before it reads them.
//!
//! This is the usual backward data-flow analysis of live variables, on the instructions that can come next. Conservative:
//! where it is not known what comes next (indirect jumps, returns, calls of the program's own functions, system calls), and
//! beyond some number of instructions, everything counts as read.

use std::collections::VecDeque;

use iced_x86::{
    Code, Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, OpAccess,
    Register, RflagsBits,
};

use crate::flags;

/// So many instructions are looked at.
const MOST_INSTRUCTIONS: usize = 48;
/// So many are, for what becomes of a result.
const MOST_FOLLOWED: usize = 64;
/// The bit of eax.
const RESULT: u8 = 1;
/// The flags that arithmetic sets.
pub(crate) const ARITHMETIC: u32 = RflagsBits::OF
    | RflagsBits::SF
    | RflagsBits::ZF
    | RflagsBits::AF
    | RflagsBits::CF
    | RflagsBits::PF;

/// The bit of `esp`. It always counts as read: whatever the program does with it next, the frame of a signal
/// handler goes below it.
const STACK_POINTER: u8 = 1 << 4;
/// The bits of eax, ecx and edx, which a function may change.
const SCRATCH: u8 = 0b111;

/// What is overwritten before it is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dead {
    /// The general registers, by the bit of their number.
    pub registers: u8,
    /// Whether the flags are that arithmetic sets, all of them.
    pub flags: bool,
}

/// General registers by the bit of their number, and flags as in EFLAGS.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Set {
    registers: u8,
    flags: u32,
}

impl Set {
    const NONE: Self = Self { registers: 0, flags: 0 };
    const ALL: Self = Self { registers: !0, flags: !0 };

    fn with(self, other: Self) -> Self {
        Self { registers: self.registers | other.registers, flags: self.flags | other.flags }
    }

    fn without(self, other: Self) -> Self {
        Self { registers: self.registers & !other.registers, flags: self.flags & !other.flags }
    }
}

/// One instruction, by what it does to registers and where control may go from it.
struct Node {
    address: u32,
    reads: Set,
    writes: Set,
    /// What may come next; nothing if that is not known.
    next: Option<[Option<u32>; 2]>,
}

/// What is overwritten before it is read from an address on. `fetch` gives the bytes at an address, `is_plain` says of
/// which functions it is known that they return to their caller if at all, read no registers, and may change those that
/// the caller does not expect back.
pub fn dead_from(
    address: u32,
    mut fetch: impl FnMut(u32) -> Option<([u8; 15], usize)>,
    is_plain: impl Fn(u32) -> bool,
) -> Dead {
    let mut factory = InstructionInfoFactory::new();
    let mut nodes: Vec<Node> = Vec::new();
    // The nearest ones first, so that the limit cuts off what lies far away.
    let mut ahead = VecDeque::from([address]);
    while let Some(at) = ahead.pop_front().filter(|_| nodes.len() < MOST_INSTRUCTIONS) {
        if nodes.iter().any(|node| node.address == at) {
            continue;
        }
        let Some(instruction) = decoded(at, &mut fetch) else { continue };
        let node = node(&instruction, &mut factory, &is_plain);
        ahead.extend(node.next.iter().flatten().flatten());
        nodes.push(node);
    }
    let live = live_at(&nodes, address);
    let dead = Set::ALL.without(live);
    Dead {
        registers: dead.registers & !STACK_POINTER,
        flags: dead.flags & ARITHMETIC == ARITHMETIC,
    }
}

fn decoded(
    at: u32,
    fetch: &mut impl FnMut(u32) -> Option<([u8; 15], usize)>,
) -> Option<Instruction> {
    let (bytes, length) = fetch(at)?;
    let options = DecoderOptions::NONE;
    let instruction = Decoder::with_ip(32, &bytes[..length], u64::from(at), options).decode();
    let understood = !instruction.is_invalid()
        && !instruction.is_save_restore_instruction()
        // It may be a request, with arguments in registers.
        && instruction.code() != Code::Nop_rm32;
    understood.then_some(instruction)
}

fn node(
    instruction: &Instruction,
    factory: &mut InstructionInfoFactory,
    is_plain: &impl Fn(u32) -> bool,
) -> Node {
    let (mut reads, mut writes) = (Set::NONE, Set::NONE);
    for used in factory.info(instruction).used_registers() {
        let register = used.register();
        match used.access() {
            OpAccess::Write if register.size() == 4 => writes.registers |= bit_of(register),
            _ => reads.registers |= bit_of(register),
        }
    }
    reads.flags = instruction.rflags_read();
    // What is undefined afterwards does not depend on what was there before.
    writes.flags = instruction.rflags_modified();
    let after = instruction.next_ip32();
    let next = match instruction.flow_control() {
        FlowControl::Next => Some([Some(after), None]),
        FlowControl::UnconditionalBranch => Some([Some(instruction.near_branch32()), None]),
        FlowControl::ConditionalBranch => Some([Some(after), Some(instruction.near_branch32())]),
        FlowControl::Call
            if instruction.is_call_near() && is_plain(instruction.near_branch32()) =>
        {
            writes = writes.with(Set { registers: SCRATCH, flags: ARITHMETIC });
            Some([Some(after), None])
        }
        _ => None,
    };
    Node { address: instruction.ip32(), reads, writes, next }
}

/// What is read from an address on before it is overwritten: the least solution of the equations of the nodes.
fn live_at(nodes: &[Node], address: u32) -> Set {
    let mut live = vec![Set::NONE; nodes.len()];
    let of = |live: &[Set], at: u32| {
        let position = nodes.iter().position(|node| node.address == at);
        position.map_or(Set::ALL, |position| live[position])
    };
    loop {
        let mut changes = false;
        for (position, node) in nodes.iter().enumerate().rev() {
            let after = match node.next {
                None => Set::ALL,
                Some(next) => {
                    next.iter().flatten().fold(Set::NONE, |set, &at| set.with(of(&live, at)))
                }
            };
            let before = node.reads.with(after.without(node.writes));
            changes |= before != live[position];
            live[position] = before;
        }
        if !changes {
            return of(&live, address);
        }
    }
}

/// Whether the result of a call, in eax, is certainly overwritten before it is read, from the address after the call
/// on. Calls are followed, since a function of the program may take an argument in eax; `overwrites` says of which it is
/// known that they do not, and have a result of their own. Where the code may go elsewhere, it counts as read.
pub fn drops_result(
    behind: u32,
    mut fetch: impl FnMut(u32) -> Option<([u8; 15], usize)>,
    overwrites: impl Fn(u32) -> bool,
) -> bool {
    let mut factory = InstructionInfoFactory::new();
    let (mut at, mut returns) = (behind, Vec::new());
    for _ in 0..MOST_FOLLOWED {
        let Some(instruction) = decoded(at, &mut fetch) else { return false };
        let used = factory.info(&instruction).used_registers().iter();
        let mut of_result = used.filter(|it| bit_of(it.register()) == RESULT).peekable();
        if of_result.peek().is_some() {
            return of_result.all(|it| it.access() == OpAccess::Write && it.register().size() == 4);
        }
        at = match instruction.flow_control() {
            FlowControl::Next => instruction.next_ip32(),
            FlowControl::UnconditionalBranch => instruction.near_branch32(),
            FlowControl::Call if instruction.is_call_near() => {
                if overwrites(instruction.near_branch32()) {
                    return true;
                }
                returns.push(instruction.next_ip32());
                instruction.near_branch32()
            }
            FlowControl::Return => match returns.pop() {
                Some(behind) => behind,
                None => return false,
            },
            _ => return false,
        };
    }
    false
}

/// The bit of a general register, of which it may be a part; 0 for others.
pub(crate) fn bit_of(register: Register) -> u8 {
    let whole = register.full_register32();
    if whole.is_gpr32() { 1 << whole.number() } else { 0 }
}

/// The flags that [`Dead::flags`] speaks of, as bits of EFLAGS.
pub const ARITHMETIC_FLAGS: u32 =
    flags::CF | flags::PF | flags::AF | flags::ZF | flags::SF | flags::OF;

#[cfg(test)]
mod tests {
    use super::*;

    fn dead(code: &[u8]) -> Dead {
        dead_from(100, fetch_from(code), |_| false)
    }

    fn fetch_from(code: &[u8]) -> impl FnMut(u32) -> Option<([u8; 15], usize)> {
        move |at| {
            let rest = code.get(at as usize - 100..).filter(|rest| !rest.is_empty())?;
            let mut bytes = [0; 15];
            let length = rest.len().min(15);
            bytes[..length].copy_from_slice(&rest[..length]);
            Some((bytes, length))
        }
    }

    #[test]
    fn what_a_load_overwrites_is_not_read_any_more() {
        // mov edi,[ebp+0]; test edi,edi; je
        let found = dead(&[0x8b, 0x7d, 0x00, 0x85, 0xff, 0x74, 0x0a, 0x31, 0xc0]);
        assert_eq!(found, Dead { registers: 1 << 7, flags: true });
        // The address needs the register: mov edi,[edi]; ret
        assert_eq!(dead(&[0x8b, 0x3f, 0xc3]), Dead::default());
        // A part of it stays: mov dil is none, so mov al,[edx]; ret
        assert_eq!(dead(&[0x8a, 0x02, 0xc3]), Dead::default());
    }

    #[test]
    fn flags_that_somebody_reads_are_kept() {
        // mov eax,[edx]; adc eax,ecx
        let found = dead(&[0x8b, 0x02, 0x11, 0xc8]);
        assert_eq!(found, Dead { registers: 1, flags: false });
        // mov eax,[edx]; inc eax: the carry stays; then add eax,ecx sets it, too
        assert!(!dead(&[0x8b, 0x02, 0x40]).flags);
        assert!(dead(&[0x8b, 0x02, 0x40, 0x01, 0xc8]).flags);
        // cmove ecx,[edx] may leave ecx as it is.
        assert_eq!(dead(&[0x0f, 0x44, 0x0a, 0xc3]), Dead::default());
    }

    #[test]
    fn nothing_is_known_behind_what_cannot_be_followed() {
        assert_eq!(dead(&[0xc3, 0x31, 0xc0]), Dead::default());
        assert_eq!(dead(&[]), Dead::default());
        // pusha; xor eax,eax
        assert_eq!(dead(&[0x60, 0x31, 0xc0]).registers, 0);
        // xchg [edx],eax reads what it writes.
        assert_eq!(dead(&[0x87, 0x02, 0xc3]), Dead::default());
    }

    #[test]
    fn both_ways_of_a_branch_count() {
        // test eax,eax; je +3; xor ecx,ecx; ret; and at its target: xor ecx,ecx; ret
        let both = [0x85, 0xc0, 0x74, 3, 0x31, 0xc9, 0xc3, 0x31, 0xc9, 0xc3];
        assert_eq!(dead(&both), Dead { registers: 1 << 1, flags: true });
        // One of them reads it: mov edx,ecx; ret
        let one = [0x85, 0xc0, 0x74, 3, 0x31, 0xc9, 0xc3, 0x89, 0xca, 0xc3];
        assert_eq!(dead(&one).registers, 0);
        // One of them goes where nothing is known: je far away
        assert_eq!(dead(&[0x85, 0xc0, 0x74, 100, 0x31, 0xc9, 0xc3]).registers, 0);
    }

    #[test]
    fn what_a_loop_never_reads_is_dead() {
        // cmp [edx],0; je back: nothing but edx is read as long as it lasts; then xor ecx,ecx; ret
        let spin = [0x83, 0x3a, 0, 0x74, 0xfb, 0x31, 0xc9, 0xc3];
        assert_eq!(dead(&spin), Dead { registers: 1 << 1, flags: true });
        // It counts: add ecx,1; cmp [edx],0; je back; xor ecx,ecx; ret
        let counts = [0x83, 0xc1, 1, 0x83, 0x3a, 0, 0x74, 0xf8, 0x31, 0xc9, 0xc3];
        assert_eq!(dead(&counts).registers, 0);
    }

    #[test]
    fn calls_are_passed_where_it_is_known_what_they_do() {
        // call +6 (to 111); mov esi,eax; xor ebx,ebx; ret
        let code = [0xe8, 6, 0, 0, 0, 0x89, 0xc6, 0x31, 0xdb, 0xc3];
        assert_eq!(dead(&code), Dead::default());
        let found = dead_from(100, fetch_from(&code), |at| at == 111);
        assert_eq!(found, Dead { registers: 0b0100_1111, flags: true });
    }

    #[test]
    fn a_request_may_read_registers() {
        // mov eax,[edx]; steam request; xor ecx,ecx; ret
        let mut code = vec![0x8b, 0x02];
        code.extend(crate::request::bytes(crate::request::Request::Assume));
        code.extend([0x31, 0xc9, 0xc3]);
        assert_eq!(dead(&code).registers, 1);
    }

    #[test]
    fn a_result_is_dropped_if_a_call_overwrites_it() {
        let drops = |code: &[u8], known: u32| drops_result(100, fetch_from(code), |at| at == known);
        // add esp,12; call +1; ret; push ebx; mov eax,[esp+8]
        let code = [0x83, 0xc4, 12, 0xe8, 1, 0, 0, 0, 0xc3, 0x53, 0x8b, 0x44, 0x24, 8];
        assert!(drops(&code, 0));
        // Not if the function takes it: push ebx; mov edx,eax
        let code = [0x83, 0xc4, 12, 0xe8, 1, 0, 0, 0, 0xc3, 0x53, 0x89, 0xc2];
        assert!(!drops(&code, 0));
        assert!(drops(&code, 109), "a function of which it is known");
        // A function that returns with it: call +3; xor eax,eax; ret; nop; ret
        assert!(drops(&[0xe8, 3, 0, 0, 0, 0x31, 0xc0, 0xc3, 0x90, 0xc3], 0));
        // The caller may look: ret
        assert!(!drops(&[0xc3], 0));
        // test eax,eax; and al alone: mov al,1
        assert!(!drops(&[0x85, 0xc0], 0));
        assert!(!drops(&[0xb0, 1], 0));
        // It may go elsewhere: je; xor eax,eax
        assert!(!drops(&[0x74, 0, 0x31, 0xc0], 0));
        // It goes elsewhere: jmp +1; ret; xor eax,eax
        assert!(drops(&[0xeb, 1, 0xc3, 0x31, 0xc0], 0));
    }

    #[test]
    fn the_stack_pointer_is_never_dead() {
        // mov eax,[edx]; leave; ret
        assert_eq!(dead(&[0x8b, 0x02, 0xc9, 0xc3]).registers, 1);
    }
}
