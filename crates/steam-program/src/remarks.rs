//! What a program does of which a search sees a part alone: where it first does so, for the notes.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use steam_linux::kernel::AtomicBlock;
use steam_linux::syscalls::{self, Role, TimerForm};
use steam_state::{Access, Context};
use steam_sync::{Call, ConditionCall, Operation};

use super::Program;
use super::step::Worker;

/// Where the program first did something, as file and line.
#[derive(Default)]
pub(super) struct Remarks {
    /// It read a clock.
    clock: OnceLock<String>,
    /// It set a timer that goes off again and again.
    timer: OnceLock<String>,
    /// It printed a part of a line to what is no terminal any more.
    part_of_line: OnceLock<String>,
    /// Threads touch this at once, by a race or by atomics that are weaker than sequential.
    reorderable: Mutex<Reorderable>,
    /// It waited for a condition or at a futex, and no wait ends without a wake-up.
    waits: OnceLock<String>,
    /// It initialised an object that was initialised.
    pub(super) made_again: OnceLock<String>,
}

/// What a weaker memory model may reorder.
#[derive(Default)]
struct Reorderable {
    addresses: BTreeSet<u32>,
    /// The variables, each with the place of a store.
    names: BTreeSet<String>,
    /// Whether races are not looked for, so that it is not known whether others access it meanwhile.
    unjudged: bool,
}

/// So many words are asked for their names.
const WORDS: usize = 32;
/// At most so many names are listed.
const NAMED: usize = 5;

impl Reorderable {
    fn note(&self) -> Option<String> {
        let first: Vec<&str> = self.names.iter().take(NAMED).map(String::as_str).collect();
        let more = if self.names.len() > NAMED { " and others" } else { "" };
        let (are, them) = if first.len() > 1 { ("are", "them") } else { ("is", "it") };
        let what = format!("{}{more}", first.join(", "));
        let told = match self.unjudged {
            false => format!(
                "memory model: sequential consistency. {what} {are} written while others access {them}, by a \
                 race or by an atomic store weaker than memory_order_seq_cst: what hardware and compiler \
                 may reorder there is not explored"
            ),
            true => format!(
                "memory model: sequential consistency. {what} {are} shared and written without a lock, by \
                 stores weaker than memory_order_seq_cst, and races are not looked for: what hardware and \
                 compiler may reorder there is not explored"
            ),
        };
        (!first.is_empty()).then_some(told)
    }
}

impl Remarks {
    /// What the user should know, the clock standing still or not.
    pub(super) fn notes(&self, still: bool) -> impl Iterator<Item = String> {
        let clock = self.clock.get().map(|place| match still {
            true => format!(
                "the clock stands still, and the program reads it ({place}): what happens only when time \
                 has passed is not explored"
            ),
            false => format!(
                "the program reads the clock ({place}): in a check that goes on where a wait ends by its \
                 limit of time, and may leap ahead by ten minutes where it is read again, once; what \
                 happens only when more time has passed is not explored"
            ),
        });
        let timer = self.timer.get().map(|place| {
            format!(
                "a timer that goes off again and again ({place}) does so at most once between two steps of \
                 the first thread of its process"
            )
        });
        let part_of_line = self.part_of_line.get().map(|place| {
            format!(
                "standard output was in use before it became a pipe or a file, and has no buffer in a \
                 check: the part of a line that is printed there ({place}) is passed on at once"
            )
        });
        let waits = self.waits.get().map(|place| {
            format!(
                "waits ({place}) end by a wake-up or their limit of time alone; --spurious explores that they \
                 end without"
            )
        });
        let reorderable = self.lock_reorderable().note();
        let made_again = self.made_again.get().map(|place| {
            format!(
                "a mutex or barrier that is initialised already is initialised again ({place}): that is not \
                 defined unless it was destroyed before"
            )
        });
        let ends = part_of_line.into_iter().chain(waits).chain(made_again).chain(reorderable);
        clock.into_iter().chain(timer).chain(ends)
    }

    /// Threads access a word at once, and a weaker memory model may allow more than is explored.
    pub(super) fn note_reorderable(&self, word: u32, what: impl FnOnce() -> String) {
        let mut known = self.lock_reorderable();
        if known.addresses.len() < WORDS && known.addresses.insert(word) {
            known.names.insert(what());
        }
    }

    fn lock_reorderable(&self) -> MutexGuard<'_, Reorderable> {
        self.reorderable.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Worker {
    /// The thread on the CPU is about to store into a shared word. Where races are looked for, those who do
    /// note what may be reordered; else all is noted that is done without a lock.
    pub(super) fn note_store(&mut self, program: &Program, access: Access) {
        let locks = self.machine.system.own_thread().locks;
        let eip = self.machine.cpu.eip;
        let named = || program.atomics.name(access.address, access.size.min(4)).is_some();
        let shared = self.machine.stores.sharing.is_shared(access.place);
        // Where races are looked for, the search judges each pair of accesses itself. A read is never the store that is
        // delayed; a lock orders what is done under it; a word of one thread is observed by that thread alone; and what has
        // no name is the library's.
        if program.options.races || !access.write || locks > 0 || !shared || !named() {
            return;
        }
        let remarks = &program.remarks;
        remarks.note_reorderable(access.address, || program.stored_at(eip, access));
        remarks.lock_reorderable().unjudged = true;
    }

    /// Notes what the system call before eip does, if that is to be reported.
    pub(super) fn note_remarkable(&mut self, program: &Program) {
        let remarks = &program.remarks;
        for role in syscalls::row(self.machine.cpu.gpr[Context::EAX]).roles() {
            let remark = match role {
                Role::ReadsClock | Role::TellsTimeLeft => &remarks.clock,
                Role::SetsTimer(TimerForm::Seconds) if self.is_in_handler() => &remarks.timer,
                Role::SetsTimer(TimerForm::Interval)
                    if self.is_in_handler() || self.sets_interval() =>
                {
                    &remarks.timer
                }
                Role::Prints if self.prints_part_of_line() => &remarks.part_of_line,
                // The library waits again where it waits for something of its own, as in a join.
                Role::AtomicWord
                    if syscalls::futex_waits(self.machine.cpu.gpr[Context::ECX])
                        && !program.options.faults.spurious_wakeups
                        && !matches!(self.atomic_block(), AtomicBlock::Function { .. }) =>
                {
                    &remarks.waits
                }
                // Nothing about the others limits what a verdict says.
                _ => continue,
            };
            self.remark(program, remark);
        }
    }

    /// Notes where the thread on the CPU does an operation, if that is to be reported.
    pub(super) fn note_wait(&mut self, program: &Program, operation: &Operation) {
        let waits = matches!(operation.call, Call::Condition(ConditionCall::Wait(_)));
        if waits && !program.options.faults.spurious_wakeups {
            self.remark(program, &program.remarks.waits);
        }
    }

    /// Notes where the thread on the CPU is, if it is the first one to be noted for something.
    pub(super) fn remark(&mut self, program: &Program, remark: &OnceLock<String>) {
        if remark.get().is_some() {
            return;
        }
        let lines = |&address: &u32| {
            let frame = program.image.lines.frames(address.wrapping_sub(1)).into_iter().next()?;
            Some(format!("{}:{}", frame.file?, frame.line?))
        };
        let callers = self.callers();
        // Without debug information there are names at best.
        let function = |&address: &u32| {
            let (symbol, _) = program.image.symbols.at(address.wrapping_sub(1))?;
            Some(format!("in {}", symbol.name))
        };
        let place = callers.iter().find_map(lines).or_else(|| callers.iter().find_map(function));
        // Another worker may have been faster.
        let _ = remark.set(place.unwrap_or_else(|| format!("at {:#x}", self.machine.cpu.eip)));
    }

    /// Whether the timer that is set has an interval.
    fn sets_interval(&mut self) -> bool {
        let place = self.machine.cpu.gpr[Context::ECX];
        place != 0 && (self.word_at(place) != 0 || self.word_at(place.wrapping_add(4)) != 0)
    }

    /// Whether the library passes on what it would keep until the end of the line, had its output begun on
    /// a terminal.
    fn prints_part_of_line(&mut self) -> bool {
        let gpr = &self.machine.cpu.gpr;
        let end = gpr[Context::ECX].wrapping_add(gpr[Context::EDX]).wrapping_sub(1);
        if gpr[Context::EBX] != 1 || gpr[Context::EDX] == 0 || !self.machine.lost_buffer() {
            return false;
        }
        let image = std::sync::Arc::clone(&self.machine.image);
        let of_library = |&caller: &u32| {
            image.symbols.at(caller).is_some_and(|(symbol, _)| symbol.name.contains("_IO_"))
        };
        self.word_at(end) as u8 != b'\n' && self.callers().iter().any(of_library)
    }
}
