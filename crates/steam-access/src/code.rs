//! The instructions of a function, decoded, and where each may go on.

use steam_image::{Function, Image};
use vm_isa::{Code, Effects, Op, decode, effects};

/// So many bytes of one function are decoded.
const LARGEST: u32 = 1 << 18;

/// Functions of the libraries that do not return, without the underscores before their names.
const NEVER_RETURN: &[&str] = &[
    "Unwind_Resume",
    "abort",
    "exit",
    "assert_fail",
    "stack_chk_fail",
    "pthread_exit",
    "cxa_throw",
    "cxa_rethrow",
    "cxa_bad_cast",
    "cxa_throw_bad_array_new_length",
    "ZSt9terminatev",
];

/// An instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instruction {
    pub address: u32,
    pub next: u32,
    pub op: Op,
    pub effects: Effects,
}

/// The instructions of a function, by ascending address.
pub(crate) fn instructions(image: &Image, function: &Function) -> Vec<Instruction> {
    let mut found = Vec::new();
    for &(start, end) in &function.ranges {
        let mut at = start;
        let end = end.min(start.saturating_add(LARGEST));
        while at < end {
            let Some(instruction) = instruction(image, at) else { break };
            found.push(instruction);
            at = instruction.next;
        }
    }
    found.sort_by_key(|instruction| instruction.address);
    found
}

fn instruction(image: &Image, address: u32) -> Option<Instruction> {
    let bytes = bytes(image, address)?;
    let decoded = decode(bytes, address)?;
    let next = address.checked_add(u32::from(decoded.length).max(1))?;
    Some(Instruction { address, next, op: decoded.op, effects: effects(bytes, address) })
}

/// The bytes of an instruction and those after it, up to the length of the longest one.
fn bytes(image: &Image, address: u32) -> Option<&[u8]> {
    let segment = image.segment_at(address).filter(|segment| segment.execute)?;
    let rest = segment.data.get((address - segment.address) as usize..)?;
    Some(&rest[..rest.len().min(15)])
}

/// The register into which a function loads its return address, if that is all that it does: how
/// position-independent code finds its own address.
pub(crate) fn program_counter_into(image: &Image, function: u32) -> Option<usize> {
    match bytes(image, function)? {
        [0x8b, modrm, 0x24, 0xc3, ..] if modrm & 0xc7 == 0x04 => Some(usize::from(modrm >> 3)),
        _ => None,
    }
}

/// Says whether a function is one that does not return: what stands after its call is another way.
pub(crate) fn never_returns(image: &Image, function: u32) -> bool {
    let Some((symbol, 0)) = image.symbols.at(function) else { return false };
    let name = symbol.name.trim_start_matches('_');
    let throwing = name.starts_with("ZSt") && name.contains("__throw_");
    throwing || NEVER_RETURN.contains(&name)
}

impl Instruction {
    /// Where it may go on: after itself, and at the target of a jump.
    pub fn successors(&self) -> (Option<u32>, Option<u32>) {
        use Code as C;
        match self.op.code {
            C::Jmp => (None, Some(self.op.imm)),
            C::Jo | C::Jno | C::Jb | C::Jae | C::Jz | C::Jnz | C::Jbe | C::Ja => {
                (Some(self.next), Some(self.op.imm))
            }
            C::Js | C::Jns | C::Jp | C::Jnp | C::Jl | C::Jge | C::Jle | C::Jg => {
                (Some(self.next), Some(self.op.imm))
            }
            C::Loop | C::Loope | C::Loopne | C::Jecxz => (Some(self.next), Some(self.op.imm)),
            C::JmpIndirect | C::Ret | C::Undefined | C::Privileged => (None, None),
            _ => (Some(self.next), None),
        }
    }

    /// Whether it does nothing: between two pieces of code it is there to align the second.
    pub fn is_padding(&self) -> bool {
        let op = &self.op;
        let same = op.code == Code::Lea && op.d == op.base && op.index >= 8 && op.disp == 0;
        same || op.code == Code::Nop
    }

    /// Whether it accesses memory that the program names: not what it pushes or pops.
    pub fn accesses(&self) -> bool {
        self.effects.size > 0
    }

    /// Whether the processor does it as a whole.
    pub fn is_whole(&self) -> bool {
        self.op.locked() || self.op.exchanges_memory()
    }
}
