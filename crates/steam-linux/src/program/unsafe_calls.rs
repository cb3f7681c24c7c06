//! Functions of the library that a handler must not call where it may interrupt the same of its thread:
//! they are not async-signal-safe.
//!
//! Such a function is one operation here, and a handler never comes within it. But a handler that comes
//! right before it because of somebody else, be it another thread, another process or a timer, may as well
//! come within it: whoever sends the signal does not wait for the function to begin. So what a handler
//! uses in this way is learned, the threads that handlers may interrupt then stand before it, and a
//! handler that comes there and uses the same is an error. A signal that the thread sends itself, and one
//! that finds it waiting, come nowhere else.

use steam_state::Site;

use super::run_on::Next;
use super::step::{Flow, Halt, Worker};
use crate::kernel::Pending;
use crate::models::{Row, Stream, Used};
use crate::report::Cause;

/// The places by which the heap and the random numbers of the library are known: no object lies there.
const HEAP: u32 = 1;
const RANDOM: u32 = 2;

impl Worker {
    /// The CPU stands at the first byte of a function of the library: whether a handler has to be able to come
    /// before it. A handler that must not call it is an error.
    pub(super) fn meets_unsafe_handler(
        &mut self,
        id: u16,
        row: &'static Row,
    ) -> Flow<Option<Next>> {
        let in_handler = self.is_in_handler();
        if !in_handler && !self.meets_handlers() {
            return Ok(None);
        }
        let Some(used) = self.used_by(row) else { return Ok(None) };
        let sharing = &self.machine.stores.state.sharing;
        let site = Site::Handled(self.machine.system.space.at(used));
        if in_handler {
            sharing.mark(site);
            if self.interrupts(used) {
                return Err(self.refuse_unsafe(row));
            }
        }
        let stands = self.meets_handlers() && sharing.is_marked(site) && !self.is_within_section();
        Ok(stands.then_some(Next::Stands(Pending::Function(id))))
    }

    /// A handler is about to come where the thread on the CPU stands: what of the library the thread is about
    /// to use, by its place.
    pub(super) fn about_to_use(&mut self) -> u32 {
        let system = &self.machine.system;
        let pending = system.threads.pending(system.current);
        let Some(&Pending::Function(id)) = pending else { return 0 };
        self.machine.models.row(id).and_then(|row| self.used_by(row)).unwrap_or(0)
    }

    /// Whether a handler of the thread on the CPU came where the thread was about to use something.
    fn interrupts(&self, used: u32) -> bool {
        let system = &self.machine.system;
        let record = system.threads.get(system.current);
        record.is_some_and(|record| record.interrupted.iter().any(|it| it.used == used))
    }

    fn refuse_unsafe(&mut self, row: &'static Row) -> Halt {
        let what = match row.used() {
            Some(Used::Heap) => "the heap",
            Some(Used::Random) => "the random numbers of the library",
            _ => "the same stream",
        };
        let message = format!(
            "{} in a signal handler that may interrupt a function that uses {what} in the same thread: it is \
             not async-signal-safe",
            row.name
        );
        let cause = Cause::BadCall { name: "async-signal-unsafe", message };
        Halt::Ending(self.machine.violation(&cause))
    }

    /// What of the library a function uses, by its place, if it must not be interrupted by itself.
    fn used_by(&mut self, row: &Row) -> Option<u32> {
        let stream = match row.used()? {
            Used::Heap => return Some(HEAP),
            Used::Random => return Some(RANDOM),
            Used::Stream(Stream::Argument(position)) => self.argument(position),
            Used::Stream(Stream::Named(name)) => {
                let image = std::sync::Arc::clone(&self.machine.image);
                let variable = image.symbols.find(name).next()?.address;
                self.word_at(variable)
            }
        };
        (stream > RANDOM).then_some(stream)
    }
}
