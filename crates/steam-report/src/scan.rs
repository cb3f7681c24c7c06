//! Looks for a return address on the stack, where nothing says how to get to the caller.
//!
//! A word is taken for one if it points right after a `call` instruction of a known function. The
//! assembly code of a library (`clone`) and a stack that was overwritten leave no better way.

use steam_image::{Activation, Image};
use steam_state::Context;
use steam_vm::Cpu;

use super::unwind::{Code, word};

/// How far up the stack a return address is looked for, in words.
const WORDS: u32 = 64;
/// The longest call through memory: opcode, two bytes of addressing and a displacement.
const LONGEST: usize = 7;

/// What is asked of the call in front of a return address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Evidence {
    /// It calls the very function that runs.
    CallsThisFunction,
    /// It is any call.
    Call,
}

/// The caller by the first return address on the stack, from the stack pointer upwards.
pub(super) fn caller(
    here: &Activation,
    evidence: Evidence,
    image: &Image,
    cpu: &mut Cpu,
    code: &Code,
) -> Option<Activation> {
    let esp = here.gpr[Context::ESP];
    (0..WORDS).map_while(|position| esp.checked_add(4 * position)).find_map(|place| {
        let eip = word(cpu, place)?;
        let target = called(eip, image, cpu, code)?;
        let fits = match evidence {
            Evidence::Call => true,
            Evidence::CallsThisFunction => {
                target.is_some_and(|target| same_function(target, here.eip, image))
            }
        };
        let mut next = Activation { eip, exact: false, ..*here };
        next.gpr[Context::ESP] = place.wrapping_add(4);
        fits.then_some(next)
    })
}

/// Whether a call of a known function would return to an address.
pub(super) fn is_return_address(eip: u32, image: &Image, cpu: &mut Cpu, code: &Code) -> bool {
    called(eip, image, cpu, code).is_some()
}

/// If a call in a known function returns to `eip`: what it calls, where the instruction says so.
fn called(eip: u32, image: &Image, cpu: &mut Cpu, code: &Code) -> Option<Option<u32>> {
    let start = eip.checked_sub(LONGEST as u32)?;
    if !code.contains(start) || !code.contains(eip) {
        return None;
    }
    image.symbols.at(eip.wrapping_sub(1))?;
    let mut bytes = [0; LONGEST];
    if cpu.memory.read_bytes(start, &mut bytes).is_err() {
        cpu.memory.take_error();
        return None;
    }
    if let [_, _, 0xe8, distance @ ..] = bytes {
        let target = eip.wrapping_add(u32::from_le_bytes(distance));
        if code.contains(target) {
            return Some(Some(target));
        }
    }
    (2..=LONGEST).any(|length| is_indirect_call(&bytes[LONGEST - length..])).then_some(None)
}

/// Whether bytes are exactly one call through a register or memory.
fn is_indirect_call(bytes: &[u8]) -> bool {
    let [0xff, form, rest @ ..] = bytes else { return false };
    if form >> 3 & 7 != 2 {
        return false;
    }
    let (mode, operand) = (form >> 6, form & 7);
    let scaled = mode != 3 && operand == 4;
    let base = if scaled { rest.first().map_or(0, |byte| byte & 7) } else { operand };
    let displacement = match mode {
        0 if base == 5 => 4,
        1 => 1,
        2 => 4,
        _ => 0,
    };
    rest.len() == usize::from(scaled) + displacement
}

fn same_function(one: u32, other: u32, image: &Image) -> bool {
    let function = |address| image.symbols.at(address).map(|(symbol, _)| symbol.address);
    function(one).is_some_and(|found| Some(found) == function(other))
}

#[cfg(test)]
mod tests {
    use super::is_indirect_call;

    #[test]
    fn calls_are_known_by_their_form() {
        // call *%eax; *(%ecx); *8(%ebx); *4(%esp); *table(,%eax,4); *0x8000000; *0x100(%esi)
        let calls: [&[u8]; 7] = [
            &[0xff, 0xd0],
            &[0xff, 0x11],
            &[0xff, 0x53, 8],
            &[0xff, 0x54, 0x24, 4],
            &[0xff, 0x14, 0x85, 0, 0, 0, 8],
            &[0xff, 0x15, 0, 0, 0, 8],
            &[0xff, 0x96, 0, 1, 0, 0],
        ];
        for call in calls {
            assert!(is_indirect_call(call), "{call:x?}");
            assert!(!is_indirect_call(&[call, &[0x90]].concat()), "{call:x?}");
        }
        // jmp *%eax; push (%eax); a call without its displacement.
        for other in [&[0xff, 0xe0][..], &[0xff, 0x30], &[0xff, 0x15]] {
            assert!(!is_indirect_call(other), "{other:x?}");
        }
    }
}
