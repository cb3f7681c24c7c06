//! What a thread that stands before an instruction will not look at any more: registers and flags that
//! straight-line code overwrites before it reads them.
//!
//! Conservative: it follows a few instructions up to the first one that may go elsewhere; what is not
//! overwritten by then counts as read.

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, InstructionInfoFactory, OpAccess, Register, RflagsBits,
};

use crate::flags;

/// So many instructions are looked at.
const MOST_INSTRUCTIONS: usize = 4;
/// So many are, for what becomes of a result.
const MOST_FOLLOWED: usize = 64;
/// The bit of eax.
const RESULT: u8 = 1;
/// The flags that arithmetic sets.
const ARITHMETIC: u32 = RflagsBits::OF
    | RflagsBits::SF
    | RflagsBits::ZF
    | RflagsBits::AF
    | RflagsBits::CF
    | RflagsBits::PF;

/// The bit of `esp`. It always counts as read: whatever the program does with it next, the frame of a signal
/// handler goes below it.
const STACK_POINTER: u8 = 1 << 4;

/// What is overwritten before it is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dead {
    /// The general registers, by the bit of their number.
    pub registers: u8,
    /// Whether the flags are that arithmetic sets, all of them.
    pub flags: bool,
}

/// What is overwritten before it is read from an address on. `fetch` gives the bytes at an address.
pub fn dead_from(address: u32, mut fetch: impl FnMut(u32) -> Option<([u8; 15], usize)>) -> Dead {
    let (mut read, mut dead) = (STACK_POINTER, 0u8);
    let (mut flags_read, mut flags_dead) = (0, 0);
    let mut factory = InstructionInfoFactory::new();
    let mut at = address;
    for _ in 0..MOST_INSTRUCTIONS {
        let Some((bytes, length)) = fetch(at) else { break };
        let options = DecoderOptions::NONE;
        let instruction = Decoder::with_ip(32, &bytes[..length], u64::from(at), options).decode();
        if instruction.is_invalid() || instruction.is_save_restore_instruction() {
            break;
        }
        let (mut reads, mut writes) = (0, 0);
        for used in factory.info(&instruction).used_registers() {
            let register = used.register();
            let bit = bit_of(register);
            match used.access() {
                OpAccess::Write if register.size() == 4 => writes |= bit,
                _ => reads |= bit,
            }
        }
        read |= reads & !dead;
        dead |= writes & !read;
        flags_read |= instruction.rflags_read() & !flags_dead;
        // What is undefined afterwards does not depend on what was there before.
        flags_dead |= instruction.rflags_modified() & !flags_read;
        if instruction.flow_control() != FlowControl::Next {
            break;
        }
        at = instruction.next_ip32();
    }
    Dead { registers: dead, flags: flags_dead & ARITHMETIC == ARITHMETIC }
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
        let Some((bytes, length)) = fetch(at) else { return false };
        let options = DecoderOptions::NONE;
        let instruction = Decoder::with_ip(32, &bytes[..length], u64::from(at), options).decode();
        if instruction.is_invalid() || instruction.is_save_restore_instruction() {
            return false;
        }
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
        dead_from(100, fetch_from(code))
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
