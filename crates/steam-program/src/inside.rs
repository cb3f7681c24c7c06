//! Looking inside a step: it is done again, instruction by instruction.
//!
//! What happens there beside the visible operation is invisible to all other threads, so the middle
//! of a step is no state: nothing is frozen, and whoever has looked enough does the step as a whole.

use steam_image::Activation;
use steam_linux::kernel::Pending;
use steam_report::{Stands, activations};
use steam_state::{Table, ThreadId};
use steam_visibility::{Mode, Watching};

use super::describe::stands;
use super::run_on::Start;
use super::{Action, Program, Worker};
use crate::machine::{Machine, Schedule};

/// A thread in the middle of its step.
pub struct Inside {
    worker: Worker,
    /// Where it runs on; none when the step is over.
    start: Option<Start>,
    turns: u64,
}

/// A thread that is looked at: its registers, and memory as it sees it.
pub struct Glimpse<'a> {
    program: &'a Program,
    machine: &'a mut Machine,
    stands: Stands,
}

impl Program {
    /// Does the visible operation of a step, and stands before what follows it. The worker must not
    /// be one that steps are done with later.
    pub fn enter(&self, mut worker: Worker, state: &Table, action: Action) -> Inside {
        worker.events = None;
        worker.machine.history.enable(false);
        let start = match worker.begin(self, state, action) {
            Ok(true) => Some(worker.start_run(self)),
            Ok(false) => worker.start_created(self),
            Err(_) => None,
        };
        Inside { worker, start, turns: 0 }
    }

    /// Looks at a thread of a state; none if there is no such thread. The rest as for
    /// [`enter`](Self::enter).
    pub fn glimpse<'a>(
        &'a self,
        worker: &'a mut Worker,
        state: &Table,
        thread: ThreadId,
    ) -> Option<Glimpse<'a>> {
        let pending = self.pending(state, thread)?;
        let machine = &mut worker.machine;
        machine.thaw(state, Schedule { thread, left: u64::MAX }).then(|| {
            machine.cpu.memory.watch(thread, Mode::Off);
            Glimpse { program: self, machine, stands: stands(pending) }
        })
    }

    /// The name of the function that is a pending operation.
    pub fn function_name(&self, worker: &Worker, pending: &Pending) -> Option<&'static str> {
        match pending {
            Pending::Function(id) => worker.machine.models.row(*id).map(|row| row.name),
            _ => None,
        }
    }
}

impl Inside {
    /// Does one instruction, or one function of the library that is modelled; whether there is more
    /// of the step. Threads that the step created run at its end, up to their first operation.
    pub fn turn(&mut self, program: &Program) -> bool {
        // The step is over.
        let Some(start) = &self.start else { return false };
        self.turns += 1;
        match self.worker.turn(program, start, 1) {
            Ok(true) => {}
            Ok(false) => self.start = self.worker.start_created(program),
            Err(_) => self.start = None,
        }
        !self.is_over()
    }

    /// Who runs.
    pub fn thread(&self) -> ThreadId {
        self.worker.machine.system.current
    }

    /// How often it was let go on.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Whether there is no more of the step.
    pub fn is_over(&self) -> bool {
        self.start.is_none()
    }

    /// The next instruction.
    pub fn eip(&self) -> u32 {
        self.worker.machine.cpu.eip
    }

    /// Looks at the thread.
    pub fn glimpse<'a>(&'a mut self, program: &'a Program) -> Glimpse<'a> {
        Glimpse { program, machine: &mut self.worker.machine, stands: Stands::At }
    }

    /// Gives back what it was looked at with.
    pub fn into_worker(self) -> Worker {
        self.worker
    }
}

impl Worker {
    /// Lets the next thread begin that the step created, if there is one.
    fn start_created(&mut self, program: &Program) -> Option<Start> {
        self.canonicalise(program);
        self.next_created()?;
        self.resumes = false;
        Some(self.start_run(program))
    }
}

impl Glimpse<'_> {
    /// Reads memory; false where the program could not read all of it.
    pub fn read(&mut self, address: u32, bytes: &mut [u8]) -> bool {
        self.machine.unwatched(|machine| {
            let memory = &mut machine.cpu.memory;
            memory.read_bytes(address, bytes).is_ok() || {
                memory.take_error();
                false
            }
        })
    }

    /// The registers of the functions on its call stack, innermost first.
    pub fn activations(&mut self) -> Vec<Activation> {
        let (image, stands) = (&self.program.image, self.stands);
        self.machine.unwatched(|machine| activations(image, &mut machine.cpu, stands))
    }

    /// Where gs points: the thread's own storage.
    pub fn thread_base(&self) -> u32 {
        self.machine.cpu.gs_base
    }
}
