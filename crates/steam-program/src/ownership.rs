//! What threads claim for themselves, and who touches it nevertheless.
//!
//! Why a claim may make accesses invisible is said in `steam_visibility::Ownership`. Here claims are made and
//! given back, each by a step of its own, and an access to what another thread has claimed is an error:
//! when it is done, if it is a step of its own, and after what runs as a whole.

use std::sync::Arc;

use steam_linux::kernel::{AtomicBlock, Pending};
use steam_report::Stands;
use steam_state::{Access, Context, Space};
use steam_visibility::{MemoryFact, Operation};
use vm_isa::request::Request;

use super::Program;
use super::run_on::Next;
use super::step::{Flow, Halt, Worker};

/// The position of the second argument of a request among the registers.
const EDX: usize = 2;

impl Worker {
    /// The thread on the CPU is about to claim memory, or to give it back.
    pub(super) fn claim_reached(&mut self, program: &Program, request: Request) -> Flow<Next> {
        let argument = self.machine.cpu.gpr[Context::ECX];
        if !program.options.annotations {
            return Ok(Next::RunsOn);
        }
        if self.is_visible(program, &Operation::Ownership) {
            return Ok(Next::Stands(Pending::Request { number: request as u8, argument }));
        }
        self.do_claim(program, request)?;
        Ok(Next::RunsOn)
    }

    /// The thread on the CPU claims memory, or gives it back.
    pub(super) fn do_claim(&mut self, program: &Program, request: Request) -> Flow {
        let (start, size) = (self.machine.cpu.gpr[Context::ECX], self.machine.cpu.gpr[EDX]);
        let place = self.machine.cpu.memory.place(start);
        // What processes have in common is theirs, too, and claims are those of one process.
        if size == 0 || place.space() == Space::SHARED {
            return Ok(());
        }
        let last = start.saturating_add(size - 1);
        let thread = self.machine.system.current;
        let ownership = &self.machine.system.process.ownership;
        if ownership.other(start, last, thread).is_some() {
            let does = match request {
                Request::Unshared => "claims",
                _ => "gives back",
            };
            return Err(self.trespassed(program, does, (start, last), Stands::Behind));
        }
        if request == Request::Unshared {
            self.machine.stores.sharing.learn(MemoryFact::Claimed { start: place, size });
        }
        let known = match request {
            Request::Unshared => ownership.cover(start, last, thread),
            _ => !ownership.touch(start, last),
        };
        if known {
            return Ok(());
        }
        let ownership = Arc::make_mut(&mut self.machine.system.process.ownership);
        match request {
            Request::Unshared => ownership.take(start, last, thread),
            _ => ownership.give_back(start, last, thread),
        }
        Ok(())
    }

    /// The thread on the CPU is about to do an access that is a step of its own.
    pub(super) fn judge_claimed(&mut self, program: &Program, access: Access) -> Flow {
        let Access { address, size, write, place } = access;
        let system = &self.machine.system;
        let last = address.saturating_add(size.max(1) - 1);
        let claimed = place.space() != Space::SHARED
            && system.process.ownership.other(address, last, system.current).is_some();
        if !claimed {
            return Ok(());
        }
        let does = if write || self.machine.cpu.locks_the_bus() { "writes" } else { "reads" };
        Err(self.trespassed(program, does, (address, last), Stands::At))
    }

    /// Whether the thread on the CPU, in something that runs as a whole, touched what another one has
    /// claimed; that is reported when it has returned, or at the end of the step.
    pub(super) fn judge_trespass(&mut self, program: &Program, ends: bool) -> Flow {
        if !ends && matches!(self.atomic_block(), AtomicBlock::Function { .. }) {
            return Ok(());
        }
        // It has touched nothing that another thread has for itself.
        let Some(access) = self.machine.cpu.memory.policy.take_trespass() else { return Ok(()) };
        let last = access.address.saturating_add(access.size.max(1) - 1);
        let does = if access.write { "writes" } else { "reads" };
        Err(self.trespassed(program, does, (access.address, last), Stands::Behind))
    }

    fn trespassed(
        &mut self,
        program: &Program,
        does: &str,
        (start, last): (u32, u32),
        stands: Stands,
    ) -> Halt {
        let system = &self.machine.system;
        let thread = system.current;
        let owner = system.process.ownership.other(start, last, thread).unwrap_or(thread);
        let message = format!(
            "thread {} {does} {}, which thread {} has claimed for itself",
            thread.0,
            program.cell_name(start, last - start + 1),
            owner.0,
        );
        self.lied(message, stands)
    }
}
