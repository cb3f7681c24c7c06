//! String instructions: each iteration moves one element, and how often a comparing one goes on is a
//! branch.

use vm_isa::{Code, Op, Repeat};

use super::operands::glance;
use super::rules::{self, ALL, Carry, Partly};
use super::{EAX, ECX, Shadow, Uninitialised, Use};
use crate::cpu::Cpu;

const ESI: usize = 6;
const EDI: usize = 7;

/// Where a string instruction goes along.
#[derive(Clone, Copy, Default)]
pub(super) struct Walk {
    source: u32,
    target: u32,
    step: u32,
    count: u32,
}

/// Where the string instruction that comes next goes along.
pub(super) fn walk(cpu: &Cpu, op: &Op) -> Walk {
    let (bytes, short) = (op.bytes(), op.short_address());
    let register = |number: usize| cpu.gpr[number] & if short { 0xffff } else { u32::MAX };
    Walk {
        source: register(ESI).wrapping_add(cpu.segment_base(op.segment())),
        target: register(EDI),
        step: if cpu.direction() { bytes.wrapping_neg() } else { bytes },
        count: if op.repeat() == Repeat::Once { 1 } else { register(ECX) },
    }
}

impl Shadow {
    /// Addresses and the count must be defined.
    pub(super) fn look_at_string(&mut self, cpu: &Cpu, op: &Op) -> Result<(), Uninitialised> {
        if !matches!(op.code, Code::Stos | Code::Scas) {
            self.look_at_register(cpu, ESI, Use::Address)?;
        }
        if op.code != Code::Lods {
            self.look_at_register(cpu, EDI, Use::Address)?;
        }
        if op.repeat() != Repeat::Once {
            self.look_at_register(cpu, ECX, Use::Branch)?;
        }
        Ok(())
    }

    /// Follows a comparing instruction before it is done: what it compares decides how far it goes.
    pub(super) fn look_at_comparisons(
        &mut self,
        cpu: &mut Cpu,
        op: &Op,
    ) -> Result<(), Uninitialised> {
        let Walk { mut source, mut target, step, count } = walk(cpu, op);
        for _ in 0..count {
            // It is about to be refused there.
            if cpu.memory.peek(target & !3).is_none() || self.compares(cpu, op, source, target)? {
                break;
            }
            (source, target) = (source.wrapping_add(step), target.wrapping_add(step));
        }
        Ok(())
    }

    /// Moves the masks of the iterations that were done, of which the last may have been refused.
    pub(super) fn follow_string(&mut self, cpu: &mut Cpu, op: &Op, before: Walk, executed: bool) {
        let bytes = op.bytes();
        let done = match op.repeat() {
            Repeat::Once => u32::from(executed),
            _ => before.count.wrapping_sub(walk(cpu, op).count),
        };
        let Walk { mut source, mut target, step, .. } = before;
        let (accumulator, birth) = (self.register(0, bytes), self.now.births[EAX]);
        for _ in 0..done {
            match op.code {
                Code::Movs => {
                    let (mask, birth) = self.load(cpu, source, bytes);
                    self.store(cpu, target, bytes, mask, birth);
                }
                Code::Stos => self.store(cpu, target, bytes, u128::from(accumulator), birth),
                Code::Lods => {
                    let (mask, birth) = self.load(cpu, source, bytes);
                    self.set_register(0, bytes, mask as u32, birth);
                }
                // Followed before.
                _ => return,
            }
            (source, target) = (source.wrapping_add(step), target.wrapping_add(step));
        }
    }

    /// One comparison of `cmps` or `scas`: whether it is the last one.
    fn compares(
        &mut self,
        cpu: &mut Cpu,
        op: &Op,
        source: u32,
        target: u32,
    ) -> Result<bool, Uninitialised> {
        let (bytes, bits) = (op.bytes(), op.bits());
        let memory = |cpu: &mut Cpu, address| Partly {
            value: glance(cpu, address, bytes) as u32,
            mask: cpu.memory.undefined_bits(address, bytes) as u32,
        };
        let right = memory(cpu, target);
        let (left, birth) = match op.code {
            Code::Cmps => (memory(cpu, source), self.load(cpu, source, bytes).1),
            _ => (self.partly(cpu, 0, bytes), self.now.births[EAX]),
        };
        let birth = if left.mask != 0 { birth } else { self.load(cpu, target, bytes).1 };
        let made = rules::sub(left, right, Carry::default(), bits);
        (self.now.flags, self.now.flags_birth) = (made.flags, birth);
        let goes_on = match op.repeat() {
            Repeat::Once => return Ok(true),
            Repeat::WhileEqual => left.value == right.value,
            Repeat::WhileNotEqual => left.value != right.value,
        };
        if made.flags & rules::ZF != 0 {
            cpu.memory.make_defined(target, bytes);
            if op.code == Code::Cmps {
                cpu.memory.make_defined(source, bytes);
            }
            self.now.flags &= !ALL;
            self.now.gpr[EAX] = 0;
            return self.found(cpu, Use::Branch, birth);
        }
        Ok(!goes_on)
    }
}
