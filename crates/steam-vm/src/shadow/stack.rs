//! The stack: what a function makes room for is undefined, and was born by that instruction.

use steam_state::Birth;
use vm_isa::{Code, Op};

use super::{ESP, Seen, Shadow};
use crate::cpu::Cpu;

/// A stack pointer that moves by more goes over to another stack.
const FARTHEST: u32 = 2 << 20;

impl Shadow {
    /// The stack pointer is another one: room that was made is undefined.
    pub(super) fn stack_moved(&mut self, cpu: &mut Cpu, op: &Op, place: usize, seen: &Seen) {
        let (new, old) = (cpu.gpr[ESP], seen.esp);
        let pushes = matches!(
            op.code,
            Code::Push
                | Code::Call
                | Code::CallIndirect
                | Code::Pushf
                | Code::Pusha
                | Code::PushSegment
        );
        if new > old || old - new > FARTHEST || pushes {
            return;
        }
        // Those of functions that have returned.
        while self.now.frames.last().is_some_and(|&(low, _)| low < old) {
            self.now.frames.pop();
        }
        self.now.frames.push((new, cpu.code.place(place).address));
        cpu.memory.make_undefined(new, old);
    }

    /// A birth with the instruction that made room for it, if it lies on the running thread's stack.
    pub(super) fn framed(&self, cpu: &Cpu, birth: Birth) -> Birth {
        let (low, high) = cpu.memory.stack();
        if birth.eip != 0 || !(low..high).contains(&birth.address) {
            return birth;
        }
        let frames = &self.now.frames;
        let at = frames.partition_point(|&(low, _)| low > birth.address);
        Birth { eip: frames.get(at).map_or(0, |&(_, eip)| eip), ..birth }
    }

    /// Stores a mask where an op has pushed.
    pub(super) fn pushed(&self, cpu: &mut Cpu, bytes: u32, mask: u32, birth: Birth) {
        self.store(cpu, cpu.gpr[ESP], bytes, u128::from(mask), birth);
    }
}
