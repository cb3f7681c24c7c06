//! Where a thread stands that did nothing wrong: its call stack, for trails and tables of threads.

use steam_image::{Activation, Image};
use steam_vm::Cpu;

use super::place::{self, Location};
use super::{classify, unwind};

/// How the address of a CPU belongs to what its thread does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stands {
    /// It is at the first byte of a function that the thread has called.
    AtEntry,
    /// It is at the instruction.
    At,
    /// It is after the instruction.
    Behind,
}

/// The call stack of the thread on a CPU, innermost first.
pub fn call_stack(image: &Image, cpu: &mut Cpu, stands: Stands) -> Vec<Location> {
    place::stack(image, &activations(image, cpu, stands))
}

/// The registers of the functions on the call stack of the thread on a CPU, innermost first.
pub fn activations(image: &Image, cpu: &mut Cpu, stands: Stands) -> Vec<Activation> {
    let mut activations = unwind::stack(image, cpu, stands == Stands::AtEntry);
    if let Some(innermost) = activations.first_mut().filter(|_| stands == Stands::Behind) {
        innermost.exact = false;
    }
    activations
}

/// The functions of one activation: those that were inlined there, then the one that was called.
pub fn locations(image: &Image, activation: &Activation) -> Vec<Location> {
    place::at(image, activation.probe())
}

/// The locations of an instruction and of remembered return addresses, innermost first.
pub fn remembered_stack(image: &Image, eip: u32, callers: &[u32]) -> Vec<Location> {
    let mut stack = place::at(image, eip);
    stack.extend(place::callers(image, callers));
    stack
}

/// The position of the innermost line that the user wrote, or else of the innermost line.
pub fn users_line(stack: &[Location]) -> Option<usize> {
    classify::culprit(stack)
}
