//! From a signal handler to the function that the signal interrupted.
//!
//! A handler returns to a few instructions that ask the kernel to go on where the signal came.
//! They have no call frame information; debuggers know them by their bytes, and so do we.

use steam_image::Activation;
use steam_state::Context;
use steam_vm::Cpu;

use super::unwind::word;

/// `pop %eax; mov $119,%eax; int $0x80`: `sigreturn`.
const PLAIN: [u8; 8] = [0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80];
/// `mov $173,%eax; int $0x80`: `rt_sigreturn`.
const WITH_INFORMATION: [u8; 7] = [0xb8, 0xad, 0, 0, 0, 0xcd, 0x80];
/// Where the registers lie in what the kernel saved, in the order of [`Activation::gpr`].
const SAVED: [u32; 8] = [44, 40, 36, 32, 28, 24, 20, 16];
const SAVED_EIP: u32 = 56;

/// The function that a signal interrupted, if `here` is where its handler returns to.
pub(super) fn interrupted(here: &Activation, cpu: &mut Cpu) -> Option<Activation> {
    let mut code = [0; 8];
    if cpu.memory.read_bytes(here.eip, &mut code).is_err() {
        cpu.memory.take_error();
        return None;
    }
    // The handler's return took its return address; the signal's number is on top.
    let top = here.gpr[Context::ESP];
    let saved = if code == PLAIN {
        top.wrapping_add(4)
    } else if code.starts_with(&WITH_INFORMATION) {
        // The third argument of the handler; the registers follow flags, link and stack.
        word(cpu, top.wrapping_add(8))?.wrapping_add(20)
    } else {
        return None;
    };
    let mut next = Activation { eip: word(cpu, saved.wrapping_add(SAVED_EIP))?, ..*here };
    for (register, offset) in next.gpr.iter_mut().zip(SAVED) {
        *register = word(cpu, saved.wrapping_add(offset))?;
    }
    next.exact = true;
    Some(next)
}
