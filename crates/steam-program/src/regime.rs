//! Under which rules the thread on the CPU runs, put together from the state, the options, and what was learned.

use steam_linux::kernel::AtomicBlock;
use steam_visibility::{Block, Company, Decision, Granularity, Operation, Regime};

use super::Program;
use super::step::Worker;

impl Worker {
    /// The rules under which the thread on the CPU runs now.
    pub(super) fn regime(&mut self, program: &Program) -> Regime {
        let block = self.block();
        let system = &self.machine.system;
        let sharing = &self.machine.stores.sharing;
        let granularity = program.options.granularity;
        let only = system.is_only_thread();
        let company = match only {
            false => Company::Threads,
            true if system.is_alone() => Company::Alone,
            true => Company::OnlyThread,
        };
        Regime {
            granularity,
            block,
            company,
            beside_processes: !system.is_only_process(),
            meets_own_handlers: only && system.process.has_handlers(),
            copied: system.process.copied && granularity == Granularity::Shared,
            maps_common_memory: self.machine.cpu.memory.shares(),
            ends_anywhere: sharing.ends_process(),
            observed: sharing.observes(),
            threads_observed: sharing.observes_threads(),
            starts: self.starts,
            races: program.options.races,
            judges_words: granularity == Granularity::Access && sharing.judges_words(),
            owns: !system.process.ownership.is_empty(),
        }
    }

    /// What the thread on the CPU runs as a whole.
    fn block(&mut self) -> Block {
        match self.atomic_block() {
            AtomicBlock::None => Block::None,
            AtomicBlock::Requested(_) => Block::Requested,
            AtomicBlock::Function { function, .. } => {
                Block::Function { noted: self.machine.models.is_noted(function) }
            }
            AtomicBlock::Beginning { .. } | AtomicBlock::Ending => Block::Bookkeeping,
        }
    }

    /// Whether an operation of the thread on the CPU is a step of its own.
    pub(super) fn decide(&mut self, program: &Program, operation: &Operation) -> Decision {
        steam_visibility::decide(operation, &self.regime(program))
    }

    /// Whether what comes next is no step of its own, whatever it is.
    pub(super) fn is_within_step(&mut self, program: &Program) -> bool {
        self.regime(program).is_within_step()
    }

    /// Whether an operation of the thread on the CPU is one before which it stands.
    pub(super) fn is_visible(&mut self, program: &Program, operation: &Operation) -> bool {
        self.decide(program, operation) == Decision::Visible
    }
}
