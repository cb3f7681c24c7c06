//! Threads that end, or end their process, while they hold a lock: no thread can ever release it.

use steam_linux::syscalls::{self, Role};
use steam_report::Cause;
use steam_state::Context;
use steam_sync::{Object, Thread};

use super::Program;
use super::step::{Flow, Halt, Worker};

impl Worker {
    /// The thread on the CPU stands after a system call, which may end it, where that is looked for.
    pub(super) fn judge_kept_locks(&mut self, program: &Program) -> Flow {
        if !program.options.kept_locks {
            return Ok(());
        }
        let call = syscalls::row(self.machine.cpu.gpr[Context::EAX]);
        let who = match call {
            call if call.has(Role::EndsThread) => "the thread ends",
            call if call.has(Role::EndsProcess) => "the thread ends its process",
            // Any other call leaves the thread where it is.
            _ => return Ok(()),
        };
        let system = &self.machine.system;
        let thread = Thread(system.current.0);
        let is_kept = |object: &Object| match object {
            // Whoever comes next learns it.
            Object::Mutex(mutex) if mutex.is_robust() => false,
            object => object.held_count(thread) > 0,
        };
        let objects = &system.objects;
        let kept = objects.all().into_iter().filter(|&place| is_kept(objects.at(place)));
        let kept: Vec<String> = kept.map(|place| program.object_name(place.address())).collect();
        if kept.is_empty() {
            return Ok(());
        }
        let message = format!("{who} while it holds {}", kept.join(" and "));
        Err(Halt::Ending(self.machine.violation(&Cause::LockKept { message })))
    }
}
