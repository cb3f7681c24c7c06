//! What a thread runs as a whole: functions that are one step although the guest's code does them,
//! and what stands between two requests.

use steam_libc::Work;
use steam_linux::kernel::AtomicBlock;
use steam_state::{Context, ThreadId};
use steam_sync::{Object, Objects, Operation, SemaphoreCall, SyncChoice};
use steam_visibility::OperationFact;

use super::run_on::RETURN;
use super::step::{Flow, Worker};

impl Worker {
    /// What the thread on the CPU runs as a whole; nothing if it has just ended.
    pub(super) fn atomic_block(&mut self) -> AtomicBlock {
        let system = &mut self.machine.system;
        let current = system.current;
        system.threads.live(current).map_or(AtomicBlock::None, |live| live.atomic_block)
    }

    /// Whether the thread on the CPU is in the middle of what runs as a whole.
    pub(super) fn is_within_atomic_block(&mut self) -> bool {
        self.atomic_block() != AtomicBlock::None
    }

    /// Says what the thread on the CPU runs as a whole.
    pub(super) fn set_atomic_block(&mut self, atomic_block: AtomicBlock) {
        self.machine.system.own_thread().atomic_block = atomic_block;
    }

    /// Lets the guest's own code of the function at eip run as a whole.
    pub(super) fn begin_function(&mut self, id: u16) -> Flow {
        let requested = match self.atomic_block() {
            AtomicBlock::None => 0,
            AtomicBlock::Requested(depth) => depth,
            AtomicBlock::Function { .. } | AtomicBlock::Beginning { .. } | AtomicBlock::Ending => {
                self.machine.cpu.pass_intercept();
                return Ok(());
            }
        };
        self.refuse_gone_thread(id)?;
        self.publish_blocks();
        let (site, esp) = (self.site(), self.machine.cpu.gpr[Context::ESP]);
        let work = self.model_of(id).work;
        let creates = matches!(work, Work::Create);
        if creates {
            self.note_creation();
        }
        self.machine.cpu.memory.policy.take_touched();
        if creates {
            // Some libraries give the number of a thread only when it runs already.
            let epoch = self.machine.system.epoch_of_next();
            self.machine.cpu.memory.policy.set_epoch(epoch);
        }
        self.touch_arguments(id);
        if creates {
            self.learn_call(site);
        }
        if matches!(work, Work::Foreign { observes_end: true })
            && self.argument(0) != self.machine.cpu.gs_base
        {
            self.observe_end();
        }
        let arguments = [0, 1, 2].map(|position| self.argument(position));
        self.set_atomic_block(AtomicBlock::Function {
            site,
            esp,
            function: id,
            arguments,
            requested,
            creates: creates.then_some((0, 0)),
        });
        self.machine.cpu.intercept_once(site, RETURN);
        self.machine.cpu.pass_intercept();
        Ok(())
    }

    /// A thread that was created by a function of the library begins in its code.
    pub(super) fn begin_thread(&mut self, thread: ThreadId) {
        // A thread that the program creates itself begins in the program's code.
        let AtomicBlock::Function { arguments, creates: Some(_), .. } = self.atomic_block() else {
            return;
        };
        let live = self.machine.system.threads.live(thread);
        live.expect("a thread that was just created lives").atomic_block =
            AtomicBlock::Beginning { function: arguments[2] };
    }

    /// Lets the CPU stop where the atomic block ends, and where the thread's function does: within one
    /// step the one may end and then the other.
    pub(super) fn await_end(&mut self) {
        let end_of_block = match self.atomic_block() {
            AtomicBlock::Function { site, .. } => site,
            AtomicBlock::Beginning { function } => function,
            AtomicBlock::None | AtomicBlock::Requested(_) | AtomicBlock::Ending => 0,
        };
        for place in [end_of_block, self.returns_to()] {
            if place != 0 {
                self.machine.cpu.intercept_once(place, RETURN);
            }
        }
    }

    /// The CPU stands at an intercept: a thread's function may begin or have returned there.
    pub(super) fn pass_thread_bounds(&mut self) {
        let eip = self.machine.cpu.eip;
        match self.atomic_block() {
            AtomicBlock::Beginning { function } if function == eip => {
                let site = self.site();
                self.set_atomic_block(AtomicBlock::None);
                self.set_return(site);
            }
            AtomicBlock::None if self.returns_to() == eip => {
                self.set_atomic_block(AtomicBlock::Ending)
            }
            // It stands elsewhere than at a bound, or at one that lies within what runs as a whole.
            AtomicBlock::None
            | AtomicBlock::Requested(_)
            | AtomicBlock::Function { .. }
            | AtomicBlock::Beginning { .. }
            | AtomicBlock::Ending => {}
        }
    }

    /// Whether the CPU stands where its thread's function has returned.
    pub(super) fn has_returned(&mut self) -> bool {
        self.returns_to() == self.machine.cpu.eip && self.atomic_block() == AtomicBlock::None
    }

    /// Where its thread's function returns to; 0 before it begins, and if the thread has just ended.
    fn returns_to(&self) -> u32 {
        let system = &self.machine.system;
        system.threads.get(system.current).map_or(0, |record| record.returns_to)
    }

    fn set_return(&mut self, site: u32) {
        self.machine.system.own_record_mut().returns_to = site;
        self.machine.cpu.intercept_once(site, RETURN);
    }

    /// A function of the library that calls destructors of the program, when a thread ends. After it
    /// the library is among itself again, also where the thread's function did not return but called
    /// `pthread_exit`.
    pub(super) fn call_destructors(&mut self) {
        let site = self.site();
        let exits =
            self.atomic_block() == AtomicBlock::None && self.machine.models.is_bookkeeping(site);
        if exits || self.atomic_block() == AtomicBlock::Ending {
            self.set_atomic_block(AtomicBlock::None);
            self.set_return(site);
        }
        self.machine.cpu.pass_intercept();
    }

    /// Ends a function that has returned, or was left in another way.
    pub(super) fn leave_function(&mut self) {
        let AtomicBlock::Function { site, esp, function, arguments, requested, creates: _ } =
            self.atomic_block()
        else {
            return;
        };
        if self.machine.cpu.gpr[Context::ESP] <= esp {
            return;
        }
        self.set_atomic_block(AtomicBlock::after_function(requested));
        let result = self.machine.cpu.gpr[Context::EAX];
        let row = self.model_of(function);
        match (row.name, row.work) {
            (_, Work::Join) if result == 0 => self.joined(arguments[0]),
            ("pthread_cancel", _) if result == 0 => self.ask_to_end(arguments[0]),
            ("pthread_detach", _) if result == 0 => self.machine.system.detach(arguments[0]),
            (_, Work::Create) => {
                self.note_detached(arguments);
                let touched = self.machine.cpu.memory.policy.take_touched();
                if touched {
                    self.machine.stores.sharing.learn(OperationFact::Call(site));
                }
            }
            ("sem_open", _) => self.adopt_semaphore(result),
            // Of others, and of those that failed, the guest's own code has done all.
            _ => {}
        }
    }

    /// A thread may be created so that no thread can join it: glibc's attributes say so.
    fn note_detached(&mut self, [place, attributes, _]: [u32; 3]) {
        const FLAGS: u32 = 8;
        const DETACHED: u32 = 1;
        if attributes != 0 && self.word_at(attributes.wrapping_add(FLAGS)) & DETACHED != 0 {
            let storage = self.word_at(place);
            self.machine.system.detach(storage);
        }
    }

    /// A named semaphore begins with the value that is in its file; from now on the lock pool has
    /// its value, and its bytes say 0.
    fn adopt_semaphore(&mut self, address: u32) {
        let mut word = [0; 4];
        let memory = &mut self.machine.cpu.memory;
        if memory.read_bytes(address, &mut word).is_err() {
            // It has failed: there is no semaphore.
            memory.take_error();
            return;
        }
        // glibc keeps a mark in the lowest bit.
        let value = u32::from_le_bytes(word) >> 1;
        let place = memory.place(address).number();
        let objects = &mut self.machine.system.objects;
        if value == 0 || *objects.get(place) != Object::Idle {
            return;
        }
        let operation = Operation::new(place, SemaphoreCall::Initialise(value));
        let thread = steam_sync::Thread(self.machine.system.current.0);
        let done = steam_sync::perform(&operation, SyncChoice::USUAL, thread, objects);
        if done.is_ok() && memory.write_bytes(address, &[0; 4]).is_err() {
            memory.take_error();
        }
    }
}
