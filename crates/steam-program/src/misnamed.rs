//! Threads that are named where there are none: joined before, or the one that names itself.

use steam_libc::Work;
use steam_report::Cause;

use super::step::{Flow, Halt, Worker};

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

    /// A thread that joins itself gets EDEADLK from the library. That is an error of the program unless
    /// it looks at the result.
    pub(super) fn refuse_own_join(&mut self) -> Flow {
        let behind = self.site();
        if !self.machine.unwatched(|machine| machine.cpu.overwrites_result(behind)) {
            return Ok(());
        }
        let message =
            "pthread_join of the thread itself: it fails (EDEADLK), and nobody looks at that";
        self.misnames("joins-itself", message.to_owned())
    }

    fn misnames(&mut self, name: &'static str, message: String) -> Flow {
        Err(Halt::Ending(self.machine.violation(&Cause::BadCall { name, message })))
    }
}
