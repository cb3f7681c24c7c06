//! Functions of the library that a handler must not call where it may interrupt the same of its thread:
//! they are not async-signal-safe.
//!
//! Such a function is one operation here, and a handler never comes within it. But a handler that comes
//! right before it because of another actor, be it another thread, another process or a timer, may as well
//! come within it: whoever sends the signal does not wait for the function to begin. So what a handler
//! uses in this way is learned, the threads that handlers may interrupt then stand before it, and a
//! handler that comes there and uses the same is an error. A signal that the thread sends itself, and one
//! that finds it waiting, come nowhere else.

use steam_libc::{Row, Stream};
use steam_linux::kernel::Pending;
use steam_report::Cause;
use steam_visibility::ObjectFact;

use super::run_on::Next;
use super::step::{Flow, Halt, Worker};

/// What a function uses is one number: the address of a stream, which is a multiple of four, or one of the
/// first such addresses, where no object lies; and in its lowest bits whether it uses the heap and the list of
/// all streams.
const HEAP: u32 = 1;
const LIST: u32 = 2;
const RANDOM: u32 = 4;
const ALL_STREAMS: u32 = 8;
/// A mark: handlers use some stream.
const SOME_STREAM: u32 = 12;
const FLAGS: u32 = HEAP | LIST;

/// The marks of what a handler uses.
fn marks(used: u32) -> impl Iterator<Item = u32> {
    let object = used & !FLAGS;
    let some = if object > ALL_STREAMS { SOME_STREAM } else { 0 };
    [used & HEAP, used & LIST, object, some].into_iter().filter(|mark| *mark != 0)
}

/// The marks of handlers that must not come where something is used.
fn sensitive(used: u32) -> impl Iterator<Item = u32> {
    let object = used & !FLAGS;
    let others = match object {
        ALL_STREAMS => SOME_STREAM,
        0 | RANDOM => 0,
        _ => ALL_STREAMS,
    };
    [used & HEAP, used & LIST, object, others].into_iter().filter(|mark| *mark != 0)
}

/// Whether two functions use the same.
fn collide(one: u32, other: u32) -> bool {
    sensitive(one).any(|mark| marks(other).any(|it| it == mark))
}

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
        // Most functions may be called from a handler.
        let Some(used) = self.used_by(row) else { return Ok(None) };
        let sharing = &self.machine.stores.sharing;
        let space = self.machine.system.space;
        let site = |mark: u32| ObjectFact::UsedByHandler(space.at(mark));
        if in_handler {
            marks(used).for_each(|mark| sharing.learn(site(mark)));
            if let Some(interrupted) = self.interrupts(used) {
                return Err(self.refuse_unsafe(row, used & interrupted));
            }
        }
        let stands = self.meets_handlers()
            && sensitive(used).any(|mark| sharing.knows(site(mark)))
            && !self.is_within_atomic_block();
        Ok(stands.then_some(Next::Stands(Pending::Function(id))))
    }

    /// A handler is about to come where the thread on the CPU stands: what of the library the thread is about
    /// to use, by its place.
    pub(super) fn about_to_use(&mut self) -> u32 {
        // It stands before no function of the library, so the handler comes into none.
        let Pending::Function(id) = self.machine.system.own_thread().pending else { return 0 };
        self.used_by(self.model_of(id)).unwrap_or(0)
    }

    /// What the thread on the CPU was about to use where a handler came that uses the same.
    fn interrupts(&self, used: u32) -> Option<u32> {
        let interrupted = self.machine.system.own_record().interrupted.iter().map(|it| it.used);
        interrupted.filter(|it| *it != 0).find(|it| collide(*it, used))
    }

    fn refuse_unsafe(&mut self, row: &'static Row, common: u32) -> Halt {
        let what = match common {
            common if common & HEAP != 0 => "the heap",
            common if common & LIST != 0 => "the list of all streams",
            RANDOM => "the random numbers of the library",
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
        let used = row.used()?;
        let flags = (u32::from(used.heap) * HEAP) | (u32::from(used.list) * LIST);
        let stream = match used.stream {
            None => {
                if used.random {
                    RANDOM
                } else {
                    0
                }
            }
            Some(Stream::Argument(position)) => match self.argument(position) & !FLAGS {
                0 => ALL_STREAMS | LIST,
                stream => stream,
            },
            Some(Stream::Named(name)) => {
                let image = std::sync::Arc::clone(&self.machine.image);
                let variable = image.symbols.find(name).next()?.address;
                self.word_at(variable) & !FLAGS
            }
        };
        Some(flags | stream)
    }
}
