//! What a thread does next, in words.

use steam_linux::kernel::Pending;
use steam_model::Model;
use steam_program::Worker;
use steam_state::{Table, ThreadId};
use vm_isa::request::Request;

use crate::Explainer;

impl Explainer<'_> {
    /// What a thread does next in a state, without the way in which it does it; the worker is any one of
    /// the program's.
    pub fn next_deed(&self, worker: &Worker, state: &Table, thread: ThreadId) -> Option<String> {
        let pending = self.program.pending(state, thread)?;
        Some(match pending {
            Pending::Continue | Pending::Cut => "goes on".to_owned(),
            Pending::Access { access, .. } => {
                let verb = if access.write { "writes" } else { "reads" };
                format!("{verb} {}", self.names.object(access.place.number()))
            }
            Pending::Sync { operation, second_half, .. } => {
                let call = self.operation(operation);
                if *second_half { format!("returns from {call}") } else { call }
            }
            Pending::Function(_) => {
                let name = self.program.function_name(worker, pending);
                format!("{}()", name.unwrap_or("a function"))
            }
            Pending::Join { thread: 0, .. } => "pthread_join(an ended thread)".to_owned(),
            Pending::Join { thread, .. } => format!("pthread_join(thread {thread})"),
            Pending::SystemCall => {
                let call = self.program.call_in_words(state, thread);
                call.unwrap_or_else(|| "a system call".to_owned())
            }
            Pending::Waiting => {
                let waiting = self.program.waiting_in(state, thread);
                let call = waiting.and_then(|waiting| self.call_in_words(waiting));
                call.unwrap_or_else(|| "a system call".to_owned())
            }
            Pending::Request { number, argument } => match Request::from_number(*number) {
                Some(Request::Toss) => format!("steam_toss({argument})"),
                Some(request) => request.name().to_owned(),
                None => "a request".to_owned(),
            },
        })
    }

    /// Who does what next, and where.
    pub fn next_step(&self, state: &Table, thread: ThreadId) -> String {
        let mut worker = self.program.worker();
        let place = self.place(&self.program.stack_of(&mut worker, state, thread));
        let deed = self.next_deed(&worker, state, thread);
        let deed = deed.unwrap_or_else(|| "does nothing".to_owned());
        format!("{} at {}: {deed}", self.who(thread), place.position())
    }
}
