//! What a thread leaves when it stands before its next operation, in its one form: no program may look below its
//! stack pointer, nor into registers that it overwrites before it reads them.
//!
//! States are equal more often that way, and an old pointer in a register that is dead does not keep its block in the
//! thread's reach (`privacy.rs`). Which registers are dead is found in the code (`vm_isa::liveness`). A thread that stands
//! at a call of a function which is done by us goes on where that returns: there the registers that callers keep are dead
//! or not. Where threads are cancelled, code that is found by unwinding may come instead, and read them.

use steam_linux::kernel::Pending;
use steam_state::{Context, Part};
use steam_sync::Call;
use steam_visibility::{Mode, OthersFact, Watching};
use vm_isa::liveness::Dead;

use super::step::Worker;
use super::{Granularity, Program};

/// What a call of a function makes dead at its first byte, whatever the function is: eax, ecx, edx, and the flags.
const AT_CALL: Dead = Dead { registers: 0b111, flags: true };
/// The registers that callers keep: ebx, ebp, esi, edi.
const KEPT_BY_CALLERS: u8 = 0b1110_1000;

impl Worker {
    /// Brings what the thread on the CPU leaves into its one form.
    pub(super) fn canonicalise(&mut self, program: &Program) {
        let machine = &mut self.machine;
        let current = machine.system.current;
        machine.cpu.memory.watch(current, Mode::Off);
        let esp = machine.cpu.gpr[Context::ESP];
        // Of a thread that has ended nothing is left.
        let Some(live) = machine.system.threads.live(current) else { return };
        // An instruction that has stored a part of what it pushes moves the stack pointer at its end.
        if !live.partial.contains(&Part::Wrote) {
            machine.cpu.memory.clear_below(esp);
        }
        let (begun, granularity) = (!live.partial.is_empty(), program.options.granularity);
        match live.pending {
            Pending::Access { .. } if granularity == Granularity::Shared && !begun => {
                let dead = self.dead_from(self.machine.cpu.eip);
                self.machine.cpu.clear_dead(dead);
                self.drop_counters(program);
            }
            Pending::Function(id) if machine.models.is_of_program(id) => {}
            // A request is made in the middle of a function.
            Pending::Sync { ref operation, .. } if matches!(operation.call, Call::Lock(_)) => {}
            Pending::Function(_) | Pending::Join { .. } | Pending::Sync { .. } => {
                self.canonicalise_call(granularity, esp);
            }
            _ => {}
        }
    }

    /// The same for what a thread has in registers that stands at the first byte of a function of the library.
    fn canonicalise_call(&mut self, granularity: Granularity, esp: u32) {
        if granularity == Granularity::Access {
            return;
        }
        self.machine.cpu.clear_dead(AT_CALL);
        let row = self.machine.models.row_at(self.machine.cpu.eip);
        if granularity == Granularity::Shared
            && row.is_some_and(|row| row.is_plain())
            && !self.may_unwind()
        {
            let return_address = self.word_at(esp);
            let registers = self.dead_from(return_address).registers & KEPT_BY_CALLERS;
            self.machine.cpu.clear_dead(Dead { registers, flags: false });
        }
    }

    /// What is overwritten before it is read from an address on.
    fn dead_from(&mut self, address: u32) -> Dead {
        let passes_calls = !self.may_unwind();
        let (cpu, models) = (&mut self.machine.cpu, &self.machine.models);
        let is_plain = |function| models.row_at(function).is_some_and(|row| row.is_plain());
        cpu.dead_from(address, passes_calls.then_some(&is_plain))
    }

    /// Whether a thread may go on in other code than what comes next, which is found by unwinding its stack.
    fn may_unwind(&self) -> bool {
        self.machine.stores.sharing.knows(OthersFact::CancelsThreads)
    }
}
