//! What the program says is one operation, and whether that is true.
//!
//! A claim takes nothing away from what is explored. What a claimed operation gains is that the locking
//! discipline is in use in such a program: what a lock protects is no step of its own, so that an
//! operation under a lock is one step, for a reason that was verified. So a lie cannot hide an error; it
//! is one itself, and here it is found.
//!
//! Whether a word is protected is learned by iterations, and only gets worse (`steam_visibility::Sharing`); the
//! same holds of locks that some thread tries without waiting. So what contradicts a claim in some iteration
//! does so in the last one, and the last one sees all calls with all that there is to know. Each deed is
//! judged when it is done, so that what is found does not depend on the order of search. Lipton's
//! condition is enough for a claim to be true, and not necessary: what is reported is a claim that
//! cannot be verified.
//!
//! Not judged are: what is done while no other thread can interfere, what a signal handler does in the
//! middle of an operation, and what the C library does for itself: it has locks of its own.

use steam_image::Image;
use steam_libc::Work;
use steam_linux::kernel::{AtomicBlock, Deed, OpenOperation, Turn};
use steam_linux::objects::place_of;
use steam_report::{Cause, Location, Stands, located};
use steam_state::{Access, Space};
use steam_sync::{Address, Call, Objects, Operation, SemaphoreCall, Thread};
use steam_visibility::{ObjectFact, Watching};
use vm_isa::request::{Request, bytes};

use super::step::{Flow, Halt, Worker};
use super::{Granularity, Options, Program};

/// Whether the code of a program makes a request.
pub(super) fn asks(image: &Image, request: Request) -> bool {
    let wanted = bytes(request);
    let code = image.segments.iter().filter(|segment| segment.execute);
    code.into_iter().any(|segment| segment.data.windows(wanted.len()).any(|it| it == wanted))
}

/// Whether operations of a program are to be judged. A check of the discipline lets all accesses to
/// shared words be steps, whether a lock protects them or not.
pub(super) fn are_judged(image: &Image, options: &Options) -> bool {
    options.annotations
        && options.granularity != Granularity::Line
        && !options.discipline.judges()
        && asks(image, Request::BeginOperation)
}

impl Worker {
    /// The program says that it begins an operation on an object.
    pub(super) fn begin_operation(&mut self, object: u32) {
        if !self.machine.stores.sharing.judges_operations() || self.is_in_handler() {
            return;
        }
        let begun = self.machine.cpu.eip.wrapping_sub(1);
        let operation = OpenOperation { object, begun, turn: None };
        self.machine.system.own_thread().operations.push(operation);
    }

    /// The program says that it has ended its last operation.
    pub(super) fn end_operation(&mut self) {
        if self.is_in_operation() && !self.is_in_handler() {
            self.change_operations(|operations| {
                operations.pop();
            });
        }
    }

    /// A jump out of functions: it is unknown which operations it leaves, so they are not judged.
    pub(super) fn leave_operations(&mut self) {
        if self.is_in_operation() {
            self.change_operations(Vec::clear);
        }
    }

    fn change_operations(&mut self, change: impl FnOnce(&mut Vec<OpenOperation>)) {
        change(&mut self.machine.system.own_thread().operations);
    }

    fn is_in_operation(&mut self) -> bool {
        // A look at the one thread that has been touched anyway.
        !self.machine.system.own_thread().operations.is_empty()
    }

    /// Whether what the thread on the CPU does counts in an operation.
    pub(super) fn judges_deeds(&mut self) -> bool {
        // Nothing is kept where no claim about operations was made: that would make more states.
        self.machine.stores.sharing.judges_operations()
            && self.is_in_operation()
            // An atomic block is one operation by itself, and cannot be interrupted by another one.
            && self.atomic_block() == AtomicBlock::None
            // While no other thread lives, no operation can come between.
            && !self.alone()
            // A handler runs beside the operation that it interrupts, and is no part of it.
            && !self.is_in_handler()
    }

    /// How often the thread on the CPU holds the object of an operation on it.
    pub(super) fn times_held(&self, operation: &Operation) -> u32 {
        let system = &self.machine.system;
        let lock = operation.acquires().unwrap_or(operation.address);
        system.objects.get(lock).held_count(Thread(system.current.0))
    }

    /// The thread on the CPU has synchronised; before, it held the object so often.
    pub(super) fn judge_synchronised(
        &mut self,
        program: &Program,
        operation: &Operation,
        before: u32,
    ) -> Flow {
        let requested = operation.is_request();
        let caller = if requested { self.machine.cpu.eip } else { self.site() }.wrapping_sub(1);
        if !program.accessor(caller).is_users {
            return Ok(());
        }
        let sharing = &self.machine.stores.sharing;
        let lock = operation.acquires().unwrap_or(operation.address);
        let tried = sharing.knows(ObjectFact::Tried(place_of(lock)));
        let posts = matches!(operation.call, Call::Semaphore(SemaphoreCall::Post));
        let deed = match (operation.acquires(), operation.is_release()) {
            // A recursive lock is taken and given up once.
            (Some(_), _) if before > 0 => return Ok(()),
            (None, true) if self.times_held(operation) > 0 => return Ok(()),
            (Some(_), _) | (None, true) if tried => Deed::Tries(lock),
            (Some(_), _) => Deed::Takes(lock),
            (None, true) => Deed::GivesUp(lock),
            (None, false) if posts && !tried => Deed::GivesUp(lock),
            (None, false) if operation.tries().is_some() => Deed::Tries(lock),
            (None, false) => Deed::Uses(lock),
        };
        self.judge_deed(program, deed, if requested { Stands::Behind } else { Stands::AtEntry })
    }

    /// The thread on the CPU creates another one, which may run at once.
    pub(super) fn note_creation(&mut self) {
        if self.judges_deeds() {
            let at = self.users_instruction(Stands::AtEntry);
            self.change_operations(|operations| {
                for operation in operations {
                    operation.follow(Deed::Creates, at);
                }
            });
        }
    }

    /// The thread on the CPU is about to do an access that is a step of its own.
    pub(super) fn judge_access(&mut self, program: &Program, access: Access) -> Flow {
        let Access { address, size, write, place } = access;
        if !program.accessor(self.machine.cpu.eip).is_users {
            return Ok(());
        }
        let locks = self.machine.cpu.locks_the_bus();
        let current = self.machine.system.current;
        let thread = match place.space() {
            Space::SHARED => current,
            _ => self.machine.cpu.memory.local(current),
        };
        let sharing = &self.machine.stores.sharing;
        let (first, last) = (place.address() & !3, place.address().saturating_add(size.max(1) - 1));
        let open = (first..=last)
            .step_by(4)
            .any(|word| sharing.is_seen_by_others(place.space().at(word), thread, write || locks));
        if !open {
            return Ok(());
        }
        self.judge_deed(program, Deed::Touches { address, size, write }, Stands::At)
    }

    /// The thread on the CPU calls a function that runs as a whole.
    pub(super) fn judge_call(&mut self, program: &Program, id: u16) -> Flow {
        let work = self.machine.models.row(id).map(|row| row.work);
        match work {
            Some(Work::Create) => Ok(()),
            _ => self.judge_other(program, Stands::AtEntry),
        }
    }

    /// The thread on the CPU does something else that is a step of its own.
    pub(super) fn judge_other(&mut self, program: &Program, stands: Stands) -> Flow {
        if self.judges_deeds() { self.judge_deed(program, Deed::Calls, stands) } else { Ok(()) }
    }

    /// The thread on the CPU does something that counts in the operations in which it is.
    pub(super) fn judge_deed(&mut self, program: &Program, deed: Deed, stands: Stands) -> Flow {
        let at = self.users_instruction(stands);
        let mut lie = None;
        self.change_operations(|operations| {
            // The innermost one says best what is meant.
            for operation in operations.iter_mut().rev() {
                if let Some(turn) = operation.follow(deed, at) {
                    lie.get_or_insert((*operation, turn));
                }
            }
        });
        // What the program says of itself is true so far.
        let Some((operation, turn)) = lie else { return Ok(()) };
        let message = self.contradiction(program, operation, turn, deed);
        Err(self.lied(message, stands))
    }

    /// Something that the program says of itself is not true.
    pub(super) fn lied(&mut self, message: String, stands: Stands) -> Halt {
        let cause = Cause::Annotation { message, stands };
        // To look at the call stack is no access of the program.
        Halt::Ending(self.machine.unwatched(|machine| machine.violation(&cause)))
    }

    /// An address within the instruction that the thread on the CPU does, or within the innermost call
    /// that is the program's own.
    fn users_instruction(&mut self, stands: Stands) -> u32 {
        let eip = self.machine.cpu.eip;
        let own = match stands {
            Stands::At => Some(eip),
            Stands::Behind => Some(eip.wrapping_sub(1)),
            Stands::AtEntry => None,
        };
        let image = std::sync::Arc::clone(&self.machine.image);
        let is_users = |at: &u32| located(&image, *at).iter().any(Location::is_users);
        if let Some(own) = own.filter(|own| is_users(own)) {
            return own;
        }
        let callers = self.machine.unwatched(|machine| machine.callers());
        let mut callers = callers.into_iter().map(|caller| caller.wrapping_sub(1));
        let nearest = callers.clone().next().or(own).unwrap_or(eip);
        callers.find(is_users).unwrap_or(nearest)
    }

    fn contradiction(
        &self,
        program: &Program,
        operation: OpenOperation,
        turn: Turn,
        deed: Deed,
    ) -> String {
        let line = |at: u32| program.line_at(at);
        format!(
            "the operation on {} ({}) is not one: it {} ({}) and then {}, and others can come between",
            program.object_name(operation.object),
            line(operation.begun),
            program.deed_in_words(turn.deed),
            line(turn.at),
            program.deed_in_words(deed),
        )
    }
}

impl Program {
    /// What people call the object at an address.
    pub(super) fn object_name(&self, address: u32) -> String {
        let symbol = self.data_symbol(address).filter(|symbol| symbol.address == address);
        match symbol {
            Some(symbol) => format!("`{}`", symbol.name),
            None => self.cell_name(address, 1),
        }
    }

    /// The same without quotes, of what has a name.
    pub(super) fn plain_name(&self, address: u32) -> Option<String> {
        let name = self.object_name(address);
        Some(name.strip_prefix('`')?.trim_end_matches('`').to_owned())
    }

    /// What people call bytes of an object.
    pub(super) fn cell_name(&self, address: u32, size: u32) -> String {
        let named = self.atomics.name(address, size).or_else(|| {
            let symbol = self.data_symbol(address)?;
            Some(format!("{}+{}", symbol.name, address - symbol.address))
        });
        named.map_or_else(|| format!("the memory at {address:#x}"), |name| format!("`{name}`"))
    }

    /// The source line of an instruction, as reports show it.
    pub(super) fn line_at(&self, at: u32) -> String {
        let locations = located(&self.image, at);
        let users = locations.iter().find(|location| location.is_users());
        let place = users.or_else(|| locations.iter().find(|location| location.has_line()));
        place.map_or_else(|| format!("{at:#x}"), Location::line_position)
    }

    fn deed_in_words(&self, deed: Deed) -> String {
        let object = |lock: Address| self.object_name(place_of(lock).address());
        match deed {
            Deed::Takes(lock) => format!("takes {}", object(lock)),
            Deed::GivesUp(lock) => format!("gives up {}", object(lock)),
            Deed::Tries(lock) => {
                format!("uses {}, which some thread tries without waiting", object(lock))
            }
            Deed::Uses(lock) => format!("uses {}", object(lock)),
            Deed::Touches { address, size, write } => {
                let does = if write { "writes" } else { "reads" };
                format!("{does} {}, which no lock protects", self.cell_name(address, size))
            }
            Deed::Creates => "creates a thread".to_owned(),
            Deed::Calls => "calls what others may notice".to_owned(),
        }
    }
}
