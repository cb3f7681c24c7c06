//! What an instruction does to registers and memory, without what it computes: for those who follow
//! code without running it.

use iced_x86::{Decoder, InstructionInfoFactory, OpAccess};

use crate::decode::OPTIONS;

use crate::liveness::bit_of;

/// What an instruction touches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// The general registers that it may change, by the bit of their number.
    pub changed: u8,
    /// The size in bytes of its memory operand, or zero where it accesses none. What it pushes or
    /// pops besides is not meant.
    pub size: u32,
    /// Whether it may write its memory operand.
    pub writes: bool,
}

/// Says what the instruction at the start of `bytes`, which lie at `address`, touches.
pub fn effects(bytes: &[u8], address: u32) -> Effects {
    let instruction = Decoder::with_ip(32, bytes, u64::from(address), OPTIONS).decode();
    let mut factory = InstructionInfoFactory::new();
    let info = factory.info(&instruction);
    let mut effects = Effects::default();
    for used in info.used_registers() {
        if writes(used.access()) {
            effects.changed |= bit_of(used.register());
        }
    }
    let operands = (0..instruction.op_count()).filter(|&at| {
        instruction.op_kind(at) == iced_x86::OpKind::Memory || is_string(instruction.op_kind(at))
    });
    for access in operands.map(|at| info.op_access(at)) {
        if access != OpAccess::NoMemAccess && access != OpAccess::None {
            effects.size = instruction.memory_size().size() as u32;
            effects.writes |= writes(access);
        }
    }
    effects
}

fn is_string(kind: iced_x86::OpKind) -> bool {
    use iced_x86::OpKind as K;
    matches!(kind, K::MemorySegESI | K::MemorySegEDI | K::MemoryESEDI)
}

fn writes(access: OpAccess) -> bool {
    use OpAccess as A;
    matches!(access, A::Write | A::CondWrite | A::ReadWrite | A::ReadCondWrite)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8]) -> (u8, u32, bool) {
        let Effects { changed, size, writes } = effects(bytes, 0x1000);
        (changed, size, writes)
    }

    #[test]
    fn loads_and_stores_have_the_size_of_their_operand() {
        // mov eax,[ecx+4]; mov [ecx+4],eax; movzx edx,byte [eax]; lea eax,[ecx+4]
        assert_eq!(of(&[0x8b, 0x41, 0x04]), (1, 4, false));
        assert_eq!(of(&[0x89, 0x41, 0x04]), (0, 4, true));
        assert_eq!(of(&[0x0f, 0xb6, 0x10]), (1 << 2, 1, false));
        assert_eq!(of(&[0x8d, 0x41, 0x04]), (1, 0, false));
        // fild qword [ecx]; lock cmpxchg [ecx],edx; add [ecx],eax
        assert_eq!(of(&[0xdf, 0x29]), (0, 8, false));
        assert_eq!(of(&[0xf0, 0x0f, 0xb1, 0x11]), (1, 4, true));
        assert_eq!(of(&[0x01, 0x01]), (0, 4, true));
    }

    #[test]
    fn the_stack_of_a_push_is_not_its_operand() {
        // push eax; push [ecx]; call next; rep movsd
        assert_eq!(of(&[0x50]), (1 << 4, 0, false));
        assert_eq!(of(&[0xff, 0x31]), (1 << 4, 4, false));
        assert_eq!(of(&[0xe8, 0, 0, 0, 0]), (1 << 4, 0, false));
        assert_eq!(of(&[0xf3, 0xa5]), (1 << 1 | 1 << 6 | 1 << 7, 4, true));
    }
}
