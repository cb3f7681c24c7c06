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
        dead_from(100, |at| {
            let rest = code.get(at as usize - 100..).filter(|rest| !rest.is_empty())?;
            let mut bytes = [0; 15];
            let length = rest.len().min(15);
            bytes[..length].copy_from_slice(&rest[..length]);
            Some((bytes, length))
        })
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
    fn the_stack_pointer_is_never_dead() {
        // mov eax,[edx]; leave; ret
        assert_eq!(dead(&[0x8b, 0x02, 0xc9, 0xc3]).registers, 1);
    }
}
