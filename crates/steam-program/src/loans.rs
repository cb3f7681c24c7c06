//! What a child of `vfork` may do while other threads of its parent go on.
//!
//! It lives in the memory of its parent, and works on a copy that stands for it (`steam_state`, `live/loan.rs`). That is
//! as good as long as it touches no word that others write, and writes none that they touch. What is more than
//! words (the heap, mappings, synchronisation objects) it must leave alone, as POSIX demands anyway.

use steam_report::Cause;
use steam_visibility::Stray;

use super::Program;
use super::step::{Flow, Halt, Worker};
use crate::machine::Ending;
use crate::machine::Machine;

impl Worker {
    /// How a step went in which what was lent may have been touched where others are at it.
    pub(super) fn judge_stray(&mut self, program: &Program, flow: Flow) -> Flow {
        match self.machine.cpu.memory.policy.take_stray() {
            None => flow,
            // What follows is left to the next iteration.
            Some(Stray::New) => Err(Halt::Infeasible),
            Some(Stray::Known(word)) => {
                let does = format!("touches {}, as they do,", program.cell_name(word, 4));
                Err(Halt::Ending(self.machine.unknown(&Cause::Borrower { does })))
            }
        }
    }
}

impl Machine {
    /// Why the process on the CPU may not do something, if it lives in the memory of a parent whose other threads
    /// go on.
    pub(crate) fn refuses_borrower(&mut self, does: &str) -> Option<Ending> {
        let borrows = self.system.process.loan.is_beside();
        borrows.then(|| self.unknown(&Cause::Borrower { does: does.to_owned() }))
    }
}
