//! Threads that are named where they must not be: gone ones, detached ones that are joined or detached again, the one
//! that names itself.
//!
//! The library refuses to join a thread that is detached or that joins itself, and to detach one a second time, at once
//! and by an error code. That is an error of the program unless it looks at the result; where such errors are not
//! looked for, the program goes on as the real one does.

use steam_libc::Work;
use steam_report::Cause;
use steam_visibility::OthersFact;

use super::Program;
use super::step::{Flow, Halt, Worker};

/// Functions that join a thread, beside those that wait for as long as it lives.
const IMPATIENT_JOINS: [&str; 3] =
    ["pthread_tryjoin_np", "pthread_timedjoin_np", "pthread_clockjoin_np"];

impl Worker {
    /// Whether no thread has its storage at an address: it was joined, or it was detached and has ended.
    pub(super) fn is_no_thread(&self, storage: u32) -> bool {
        self.machine.cpu.memory.regions().find(storage).is_none()
    }

    /// A function that deals with another thread must not be called for one that is gone.
    pub(super) fn refuse_gone_thread(&mut self, id: u16) -> Flow {
        let row = self.model_of(id);
        let named = self.argument(0);
        let gone = self.is_no_thread(named) || self.machine.system.is_forgotten(named);
        if !matches!(row.work, Work::Foreign { .. }) || !gone {
            return Ok(());
        }
        let message = format!(
            "{} of a thread that was joined before, or was detached and has ended, or is none",
            row.name
        );
        self.misnames("no-such-thread", message)
    }

    /// A thread that joins itself gets EDEADLK from the library.
    pub(super) fn refuse_own_join(&mut self, program: &Program) -> Flow {
        if !program.options.refused_joins || self.looks_at_result() {
            return Ok(());
        }
        let message =
            "pthread_join of the thread itself: it fails (EDEADLK), and its result is not checked";
        self.misnames("joins-itself", message.to_owned())
    }

    /// The thread on the CPU is about to do what a function of the library does: if that joins a detached thread, it
    /// gets EINVAL from the library. This is not certain once the detached thread has ended.
    pub(super) fn refuse_detached_join(&mut self, program: &Program, id: u16) -> Flow {
        // A function of the program's own joins by calling the library's, which is met then.
        let Some(row) = self.machine.models.row(id) else { return Ok(()) };
        if !matches!(row.work, Work::Join) && !IMPATIENT_JOINS.contains(&row.name) {
            return Ok(());
        }
        let storage = self.argument(0);
        let system = &self.machine.system;
        let target =
            system.thread_with_storage(storage).and_then(|thread| system.threads.get(thread));
        let lives = match target {
            Some(record) if record.detached => true,
            None if system.is_forgotten(storage) => false,
            _ => return Ok(()),
        };
        // The library looks once, when the join begins. A thread that detaches itself may also have ended by then.
        self.machine.stores.sharing.learn(OthersFact::DetachesJoined);
        if !program.options.refused_joins || lives && self.looks_at_result() {
            return Ok(());
        }
        let message = format!(
            "{} of a detached thread: it fails at once (EINVAL) and waits for nothing",
            row.name
        );
        self.misnames("joins-detached", message)
    }

    /// A thread that is detached a second time while it lives gets EINVAL from the library.
    pub(super) fn refuse_second_detach(&mut self, program: &Program, id: u16) -> Flow {
        if self.model_of(id).name != "pthread_detach" || !program.options.refused_joins {
            return Ok(());
        }
        let storage = self.argument(0);
        let system = &self.machine.system;
        let target = system.thread_with_storage(storage);
        let record = target.and_then(|target| system.threads.get(target));
        if !record.is_some_and(|record| record.detached) || self.looks_at_result() {
            return Ok(());
        }
        let message =
            "pthread_detach of a detached thread: it fails (EINVAL), and its result is not checked";
        self.misnames("detached-twice", message.to_owned())
    }

    /// Whether the program may look at what the function returns at whose first byte the CPU stands.
    fn looks_at_result(&mut self) -> bool {
        let behind = self.site();
        // A model returns something of its own, and takes its arguments from the stack.
        !self.machine.unwatched(|machine| {
            let models = &machine.models;
            machine.cpu.drops_result(behind, |at| models.id_at(at).is_some())
        })
    }

    fn misnames(&mut self, name: &'static str, message: String) -> Flow {
        Err(Halt::Ending(self.machine.violation(&Cause::BadCall { name, message })))
    }
}
