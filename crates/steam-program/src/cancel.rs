//! Cancellation: `pthread_cancel` asks, and the thread acts on it where POSIX says so.
//!
//! A thread that may be cancelled anywhere (`PTHREAD_CANCEL_ASYNCHRONOUS`) gets a signal from the library, whose own
//! handler ends it. To such a thread a handler may come that does not return, with all that follows from it
//! (`interruption.rs`): what clean-up functions touch is shared with what they interrupt.
//!
//! All others act where they may wait. Functions that run as the guest's own code look after themselves. Those that
//! are modelled and may wait test for cancellation when they are called, by a call of `pthread_testcancel` that returns
//! to their beginning; and a thread that waits in one of them may be taken out of it.

use steam_libc::{Row, Work};
use steam_linux::kernel::{Cancellation, Pending};
use steam_report::Cause;
use steam_state::Context;
use steam_sync::{Call, ConditionCall, Operation, Patience, SemaphoreCall, Thread};
use steam_visibility::OthersFact;

use super::run_on::Next;
use super::step::{Flow, Halt, Worker};

/// What a cancelled thread leaves as its result.
const CANCELED: u32 = u32::MAX;

/// Whether a thread may be cancelled in an operation.
pub(super) fn is_point(operation: &Operation) -> bool {
    match operation.call {
        Call::Condition(call) => matches!(call, ConditionCall::Wait(_) | ConditionCall::Return(_)),
        Call::Semaphore(SemaphoreCall::Wait(patience)) => patience != Patience::Never,
        _ => false,
    }
}

impl Worker {
    /// A thread is asked to end.
    pub(super) fn ask_to_end(&mut self, storage: u32) {
        let system = &mut self.machine.system;
        // One that has ended cannot be asked any more.
        let Some(thread) = system.thread_with_storage(storage) else { return };
        let record = system.threads.get_mut(thread).expect("who has its storage there lives");
        if record.cancellation == Cancellation::None && !record.asynchronous {
            record.cancellation = Cancellation::Asked;
        }
    }

    /// The thread on the CPU says where it may be cancelled.
    pub(super) fn choose_cancellation(&mut self) {
        const ASYNCHRONOUS: u32 = 1;
        let asynchronous = self.argument(0) == ASYNCHRONOUS;
        self.machine.system.own_record_mut().asynchronous = asynchronous;
    }

    /// Notes that threads are cancelled, and whether the one that is may be cancelled anywhere: the library sends it a
    /// signal, whose handler does not return.
    pub(super) fn note_cancellation(&mut self, id: u16) {
        if self.model_of(id).name != "pthread_cancel" {
            return;
        }
        let storage = self.argument(0);
        let system = &self.machine.system;
        let target =
            system.thread_with_storage(storage).and_then(|thread| system.threads.get(thread));
        let sharing = &self.machine.stores.sharing;
        sharing.learn(OthersFact::CancelsThreads);
        if target.is_some_and(|record| record.asynchronous) {
            sharing.learn(OthersFact::SendsSignals);
            sharing.learn(OthersFact::AbandonsInHandler);
        }
    }

    /// Whether it matters to other threads where the thread on the CPU may be cancelled: they cancel threads.
    pub(super) fn is_cancellation_seen(&self) -> bool {
        self.machine.stores.sharing.knows(OthersFact::CancelsThreads)
            && !self.machine.system.is_alone()
    }

    /// Whether the thread on the CPU may be cancelled wherever it stands, and some thread cancels such threads.
    pub(super) fn may_be_cancelled_anywhere(&self) -> bool {
        self.machine.system.own_record().asynchronous
            && self.machine.stores.sharing.knows(OthersFact::CancelsThreads)
    }

    fn cancellation(&self) -> Cancellation {
        self.machine.system.own_record().cancellation
    }

    fn set_cancellation(&mut self, cancellation: Cancellation) {
        self.machine.system.own_record_mut().cancellation = cancellation;
    }

    /// The CPU stands at the first byte of a function that may wait: whether it tests first.
    pub(super) fn tests_cancellation(&mut self, row: &'static Row) -> Flow<bool> {
        let state = self.cancellation();
        if matches!(state, Cancellation::None | Cancellation::Acting) {
            return Ok(false);
        }
        let may_wait = match &row.work {
            Work::Join => true,
            Work::Sync(synchronisation) => {
                let operation = self.machine.decode(row, synchronisation).map_err(Halt::Ending)?;
                is_point(&operation)
            }
            _ => false,
        };
        if !may_wait {
            return Ok(false);
        }
        if state == Cancellation::Tested {
            // It was disabled, or the thread would not be here.
            self.set_cancellation(Cancellation::Asked);
            return Ok(false);
        }
        self.set_cancellation(Cancellation::Tested);
        let entry = self.machine.cpu.eip;
        self.test_cancellation(Some(entry))?;
        Ok(true)
    }

    /// Calls the library's own test, which returns to an address, or else to where the modelled
    /// function would.
    fn test_cancellation(&mut self, returns_to: Option<u32>) -> Flow {
        let function = |names: &[&str]| {
            let symbols = &self.machine.image.symbols;
            names.iter().find_map(|name| symbols.find(name).next()).map(|it| it.address)
        };
        // The second is what glibc's own cancellation points call before they wait.
        let tests = ["pthread_testcancel", "__pthread_testcancel", "__pthread_enable_asynccancel"];
        let test = function(&tests);
        let exit = function(&["pthread_exit", "__pthread_exit"]);
        if let Some(place) = returns_to {
            self.push(place);
        }
        match (test, exit) {
            (Some(test), _) => self.machine.cpu.eip = test,
            (None, Some(exit)) => {
                self.push(CANCELED);
                self.push(self.machine.cpu.eip);
                self.machine.cpu.eip = exit;
            }
            (None, None) => {
                return Err(Halt::Ending(self.machine.unknown(&Cause::Cancellation)));
            }
        }
        Ok(())
    }

    fn push(&mut self, word: u32) {
        let esp = self.machine.cpu.gpr[Context::ESP].wrapping_sub(4);
        self.machine.cpu.gpr[Context::ESP] = esp;
        // Where nothing can be written, the function that is called finds that out.
        self.machine.unwatched(|machine| {
            if machine.cpu.memory.write_bytes(esp, &word.to_le_bytes()).is_err() {
                machine.cpu.memory.take_error();
            }
        });
    }

    /// A thread that waits is taken out of it, because it was asked to end.
    pub(super) fn leave_wait(&mut self, pending: &Pending) -> Flow<Next> {
        let thread = Thread(self.machine.system.current.0);
        let relock = match pending {
            Pending::Sync { operation, second_half: true, .. } => {
                operation.abandon(thread, &mut self.machine.system.objects)
            }
            _ => None,
        };
        match relock {
            Some(operation) => {
                self.set_cancellation(Cancellation::Acting);
                Ok(Next::Stands(Pending::second_half(operation)))
            }
            None => {
                self.set_cancellation(Cancellation::Tested);
                let entry = self.machine.cpu.eip;
                self.test_cancellation(Some(entry))?;
                Ok(Next::RunsOn)
            }
        }
    }

    /// A wait that was left for good has its mutex back: whether the thread now ends.
    pub(super) fn acts_on_cancellation(&mut self) -> Flow<bool> {
        if self.cancellation() != Cancellation::Acting {
            return Ok(false);
        }
        self.set_cancellation(Cancellation::Tested);
        self.test_cancellation(None)?;
        Ok(true)
    }
}
