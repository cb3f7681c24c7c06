//! Which steps of a program commute, as far as its pending operations show.
//!
//! What a step does beside its visible operation touches nothing that another thread can see: that is
//! how visibility was learned. The exceptions are known from what the step changed: locks that it gave
//! up, and the end of its thread. Functions that run as a whole, system calls, signals and everything
//! within an atomic block may touch anything.

use std::ops::ControlFlow;

use steam_linux::kernel::{self, Asked, Cancellation, Channel, Children, Pending, Reason};
use steam_linux::syscalls::{self, Role};
use steam_model::{Change, Delta, Dependence};
use steam_state::{Access, Component, Context, Key, Reading, Table, ThreadId};
use steam_sync::{Address, Object, Operation, Thread};
use steam_visibility::{Discipline, OperationFact, OthersFact};
use vm_isa::request::Request;

use super::action::Choice;
use super::cancel;
use super::choices::Frozen;
use super::composed::AtomicBlock;
use super::plain::share_a_word;
use super::races::EIP;
use super::uses::Use;
use super::{Action, Granularity, Program, Worker};

/// What a step does to what threads have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Touch {
    /// Nothing.
    Nothing,
    /// It reads or writes memory.
    Memory {
        /// What it touches.
        access: Access,
        /// The instruction.
        eip: u32,
        /// Whether it locks the bus.
        locked: bool,
    },
    /// It does something as a whole that may touch anything.
    Whole {
        /// The instruction.
        eip: u32,
    },
    /// It does something to synchronisation objects.
    Object(Operation),
    /// The same, but as the objects are now no other thread can observe it: it wakes none, or takes a further level
    /// of a lock.
    Idle(Operation),
    /// It takes a lock, touches memory, and gives the lock back.
    AtomicBlock(AtomicBlock),
    /// It does something to what processes communicate by.
    Channel(Use),
    /// It waits for the end of a thread, or of the process whose first thread it is.
    Join(ThreadId),
    /// It waits for the end of any of several processes.
    JoinAny,
    /// It gave up an object that no thread tests without waiting.
    Gave {
        /// The object's place.
        object: Address,
        /// Whether others may have had it too, such as a read-write lock for reading.
        shared: bool,
    },
    /// It ended a thread.
    Ended(ThreadId),
    /// Anything.
    Everything,
}

impl Touch {
    /// Whether the order of two touches may matter. Each pair of kinds has its row here or in the row of the other one: a
    /// kind that is new does not compile before it has been decided what it depends on.
    fn depends_on(&self, other: &Self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Everything | Self::Whole { .. } => *other != Self::Nothing,
            Self::Memory { access, .. } => match other {
                Self::Memory { access: other, .. } => {
                    (access.write || other.write) && access.overlaps(*other)
                }
                Self::AtomicBlock(atomic_block) => {
                    atomic_block.conflicts_with(*access)
                        || is_about(&atomic_block.operation, *access)
                }
                Self::Nothing | Self::Everything | Self::Whole { .. } => other.depends_on(self),
                // It overwrites or copies the object.
                Self::Object(operation) | Self::Idle(operation) => is_about(operation, *access),
                &Self::Gave { object, .. } => lies_within(*access, (object, LOCK_BYTES)),
                // Where the words of a buffer matter, the operation is pending with an access of its own.
                Self::Channel(_) | Self::Join(_) | Self::JoinAny | Self::Ended(_) => false,
            },
            Self::AtomicBlock(atomic_block) => match other {
                Self::AtomicBlock(other) => atomic_block.conflicts(other),
                Self::Nothing | Self::Everything | Self::Whole { .. } | Self::Memory { .. } => {
                    other.depends_on(self)
                }
                // Its memory is only touched by memory accesses and by other atomic blocks.
                Self::Object(_)
                | Self::Idle(_)
                | Self::Gave { .. }
                | Self::Channel(_)
                | Self::Join(_)
                | Self::JoinAny
                | Self::Ended(_) => Self::Object(atomic_block.operation).depends_on(other),
            },
            Self::Object(operation) => match other {
                Self::Object(other) => operation.depends_on(other),
                Self::Idle(idle) => idle.idle_depends_on(operation),
                &Self::Gave { object, shared } => {
                    operation.touches(object) && !(shared && operation.shares(object))
                }
                Self::Nothing
                | Self::Everything
                | Self::Whole { .. }
                | Self::Memory { .. }
                | Self::AtomicBlock(_) => other.depends_on(self),
                // Synchronisation objects, channels and the ends of threads have nothing in common.
                Self::Channel(_) | Self::Join(_) | Self::JoinAny | Self::Ended(_) => false,
            },
            Self::Idle(_) => match other {
                // Neither changes what the other one finds: both wake no thread, or take a further level of a lock.
                Self::Idle(_) => false,
                // It wakes no thread whether an object is given up or not, and takes only what its thread holds.
                Self::Gave { .. } => false,
                Self::Nothing
                | Self::Everything
                | Self::Whole { .. }
                | Self::Memory { .. }
                | Self::AtomicBlock(_)
                | Self::Object(_) => other.depends_on(self),
                Self::Channel(_) | Self::Join(_) | Self::JoinAny | Self::Ended(_) => false,
            },
            &Self::Gave { object: one, shared: first } => match *other {
                // Threads that share a lock can give it up in any order.
                Self::Gave { object, shared } => one == object && !(first && shared),
                Self::Nothing
                | Self::Everything
                | Self::Whole { .. }
                | Self::Memory { .. }
                | Self::AtomicBlock(_)
                | Self::Object(_)
                | Self::Idle(_) => other.depends_on(self),
                Self::Channel(_) | Self::Join(_) | Self::JoinAny | Self::Ended(_) => false,
            },
            Self::Channel(one) => match other {
                Self::Channel(other) => one.depends_on(other),
                Self::Nothing
                | Self::Everything
                | Self::Whole { .. }
                | Self::Memory { .. }
                | Self::AtomicBlock(_)
                | Self::Object(_)
                | Self::Idle(_)
                | Self::Gave { .. } => other.depends_on(self),
                // A process that leaves something behind in a channel ends in a step that may touch anything.
                Self::Join(_) | Self::JoinAny | Self::Ended(_) => false,
            },
            Self::Join(one) | Self::Ended(one) => match other {
                Self::Join(other) | Self::Ended(other) => one == other,
                Self::JoinAny => true,
                Self::Nothing
                | Self::Everything
                | Self::Whole { .. }
                | Self::Memory { .. }
                | Self::AtomicBlock(_)
                | Self::Object(_)
                | Self::Idle(_)
                | Self::Gave { .. }
                | Self::Channel(_) => other.depends_on(self),
            },
            Self::JoinAny => match other {
                Self::JoinAny => true,
                Self::Nothing
                | Self::Everything
                | Self::Whole { .. }
                | Self::Memory { .. }
                | Self::AtomicBlock(_)
                | Self::Object(_)
                | Self::Idle(_)
                | Self::Gave { .. }
                | Self::Channel(_)
                | Self::Join(_)
                | Self::Ended(_) => other.depends_on(self),
            },
        }
    }

    /// Whether both access the same word of memory: what is remembered of it depends on who is first.
    fn meets_at_word(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Memory { access: one, .. }, Self::Memory { access: other, .. }) => {
                share_a_word(*one, *other)
            }
            _ => false,
        }
    }

    fn may_meet(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Object(one), Self::Object(other)) => one.may_meet(other),
            (Self::AtomicBlock(atomic_block), Self::Object(other))
            | (Self::Object(other), Self::AtomicBlock(atomic_block)) => {
                atomic_block.operation.may_meet(other)
            }
            // Who waits for it cannot go on before.
            (Self::Gave { .. } | Self::Ended(_), _) | (_, Self::Gave { .. } | Self::Ended(_)) => {
                false
            }
            _ => true,
        }
    }
}

/// So many bytes of a lock say whether it is one that is held.
const LOCK_BYTES: u32 = 24;

/// Whether an access is to bytes of an operation's objects.
fn is_about(operation: &Operation, access: Access) -> bool {
    operation.extents().any(|extent| lies_within(access, extent))
}

/// Whether an access is to some of so many bytes of an object.
fn lies_within(access: Access, (object, size): (Address, u32)) -> bool {
    let start = access.place.number();
    start < object + u64::from(size) && object < start + u64::from(access.size)
}

fn crosses_page(access: Access) -> bool {
    steam_state::page_of(access.address)
        != steam_state::page_of(access.address.wrapping_add(access.size - 1))
}

impl Program {
    /// What a thread does next.
    fn touch(&self, state: &Table, frozen: &Frozen<'_>) -> Touch {
        if self.options.granularity == Granularity::Line
            || frozen.state.atomic_block != kernel::AtomicBlock::None
            || self.has_signal(state, frozen)
            || self.is_timed(Reading::unrecorded(state), frozen)
            || self.is_expiring(Reading::unrecorded(state), frozen)
        {
            return Touch::Everything;
        }
        let asked = frozen.record.cancellation == Cancellation::Asked;
        if frozen.is_timed() && self.knows_clock() {
            return Touch::Everything;
        }
        match &frozen.state.pending {
            // What lies on two pages may lie in two places.
            Pending::Access { access, .. } if crosses_page(*access) => Touch::Everything,
            Pending::Access { access, whole } => Touch::Memory {
                access: Access { write: access.write || *whole, ..*access },
                eip: frozen.state.registers[EIP],
                locked: *whole,
            },
            Pending::SystemCall => match self.moved_ends(state, frozen) {
                Some(channels) => {
                    let process = frozen.state.space.leader();
                    Touch::Channel(Use::Ends { channels, process })
                }
                None => Touch::Whole { eip: frozen.state.registers[EIP] },
            },
            Pending::Function(_) => Touch::Whole { eip: frozen.state.registers[EIP] },
            Pending::Sync { operation, .. } if asked && cancel::is_point(operation) => {
                Touch::Everything
            }
            pending if !pending.touches().is_empty() => {
                Touch::Whole { eip: frozen.state.registers[EIP] }
            }
            Pending::Sync { operation, .. } => {
                let idle = operation
                    .is_idle(Thread(frozen.thread.0), &self.objects_of(Reading::unrecorded(state)));
                if idle { Touch::Idle(*operation) } else { Touch::Object(*operation) }
            }
            // What a thread has claimed becomes free when it was joined.
            &Pending::Join { thread, .. } if self.has_claims(state, frozen, ThreadId(thread)) => {
                Touch::Everything
            }
            &Pending::Join { thread, .. } if !asked => Touch::Join(ThreadId(thread)),
            Pending::Request { number, .. }
                if Request::from_number(*number) == Some(Request::Toss) =>
            {
                // Whoever ends its process takes it away.
                let ends = self.stores.sharing.ends_process();
                if ends { Touch::Everything } else { Touch::Nothing }
            }
            // With the call ends what it has kept of what others closed.
            Pending::Waiting if !frozen.record.kept.is_empty() => Touch::Everything,
            // It gets descriptors, or drops what they stand for.
            Pending::Waiting if self.receives_rights(state, frozen) => Touch::Everything,
            // Its buffer lies in memory that others touch.
            Pending::Waiting if self.touches_memory(frozen) => Touch::Everything,
            Pending::Waiting => match frozen.record.waiting().map(|waiting| &waiting.reason) {
                Some(Reason::Child(Children::One(child))) => Touch::Join(*child),
                Some(Reason::Child(_)) => Touch::JoinAny,
                Some(Reason::ChildChange { .. }) => Touch::Everything,
                Some(reason) => Use::of(reason, self.is_ordered(reason))
                    .map_or(Touch::Everything, Touch::Channel),
                None => Touch::Everything,
            },
            Pending::Continue | Pending::Cut | Pending::Join { .. } | Pending::Request { .. } => {
                Touch::Everything
            }
        }
    }

    /// Whether the order of uses of a channel may be observed that commute by their contents: because a semaphore comes near
    /// its largest value, or because the program asks who used it last.
    fn is_ordered(&self, reason: &Reason) -> bool {
        let sharing = &self.stores.sharing;
        match reason {
            Reason::Semaphores { .. } => {
                sharing.knows(OthersFact::FillsSemaphore)
                    || sharing.knows(Asked::SemaphoreUsers.fact())
            }
            Reason::Message { .. } => sharing.knows(Asked::Queues.fact()),
            // No uses of other channels commute.
            _ => true,
        }
    }

    /// Whether a thread of the same process has claimed memory for itself.
    fn has_claims(&self, state: &Table, frozen: &Frozen<'_>, thread: ThreadId) -> bool {
        let process = self.unrecorded(state, Key::Process(frozen.state.space));
        self.stores.processes.get(process).ownership.has(thread)
    }

    /// The pipes of which the call before which a thread stands closes an end, or gives it another
    /// descriptor, if it does nothing else. Whose descriptor is the last one is the same in any order.
    fn moved_ends(&self, state: &Table, frozen: &Frozen<'_>) -> Option<[u32; 2]> {
        let registers = &frozen.state.registers;
        let [first, second] = [registers[Context::EBX], registers[Context::ECX]];
        let moved =
            syscalls::row(registers[Context::EAX]).roles().iter().find_map(|role| match role {
                Role::MovesDescriptors(count) => Some(*count),
                _ => None,
            });
        let descriptors = &[first, second][..moved?];
        let component = |key| self.unrecorded(state, key);
        let process = self.stores.processes.get(component(Key::Process(frozen.state.space)));
        let kernel = self.stores.kernels.get(component(Key::Kernel));
        // They forget what is closed.
        if kernel
            .descriptions
            .values()
            .any(|description| matches!(description.object, kernel::Object::Watch(_)))
        {
            return None;
        }
        let mut pipes = [None; 2];
        for (pipe, descriptor) in pipes.iter_mut().zip(descriptors) {
            // One that is not open stands for no pipe; who opens it meanwhile depends on the whole call.
            let Some(descriptor) = process.descriptors.get(descriptor) else { continue };
            *pipe = match kernel.descriptions.get(&descriptor.description)?.object {
                kernel::Object::PipeReader(pipe) | kernel::Object::PipeWriter(pipe) => Some(pipe),
                kernel::Object::Output(_) | kernel::Object::Null => None,
                _ => return None,
            };
        }
        let some = pipes[0].or(pipes[1])?;
        Some(pipes.map(|pipe| pipe.unwrap_or(some)))
    }

    /// Whether descriptors wait where a thread receives.
    fn receives_rights(&self, state: &Table, frozen: &Frozen<'_>) -> bool {
        let waiting = frozen.record.waiting();
        // Only with what arrives at a socket come descriptors.
        let Some(&Reason::Arrival { channels: [channel, _], .. }) =
            waiting.map(|waiting| &waiting.reason)
        else {
            return false;
        };
        let component = self.unrecorded(state, Key::Channel(channel));
        match self.stores.channels.get(component) {
            Channel::Direction(direction) => direction.all_rights().next().is_some(),
            Channel::Socket(socket) => socket.has_rights(),
            _ => false,
        }
    }

    /// Whether the system call in which a thread waits may touch words that others touch. Which words
    /// those are is not learned where each access is a step.
    fn touches_memory(&self, frozen: &Frozen<'_>) -> bool {
        let number = frozen.state.registers[Context::EAX];
        let sharing = &self.stores.sharing;
        sharing.ends_process() || sharing.knows(OperationFact::SystemCall(number))
    }

    /// Whether a step may change what is said of every state: it writes to a word that is looked at, or what
    /// it does is not known as closely as that of an access or a lock.
    pub fn may_be_observed(&self, touch: &Touch) -> bool {
        let is_plain = matches!(
            touch,
            Touch::Nothing
                | Touch::Memory { .. }
                | Touch::Object(_)
                | Touch::Idle(_)
                | Touch::Gave { .. }
        );
        !is_plain || self.is_observed(touch)
    }

    /// Whether a step writes to a word that a property observes in every state.
    fn is_observed(&self, touch: &Touch) -> bool {
        // A write to such a word is an access of its own, or part of what depends on everything.
        let Touch::Memory { access, .. } = touch else { return false };
        let sharing = &self.stores.sharing;
        let (start, place) = (access.place.address() & !3, access.place);
        let end = place.address().saturating_add(access.size.max(1) - 1);
        access.write
            && sharing.observes()
            && (start..=end).step_by(4).any(|word| sharing.is_observed(place.space().at(word)))
    }

    /// Whether a thread ends in a step.
    fn ends_thread(&self, delta: &Delta) -> bool {
        delta.changes().iter().any(|change| {
            matches!(self.key_of(change.slot), Key::Thread(_))
                && self.is_over(Component(change.new))
        })
    }

    /// Whether a thread has ended that has this component now.
    fn is_over(&self, component: Component) -> bool {
        component == Component(0) || {
            let thread = self.stores.threads.get(component);
            !self.stores.records.get(thread.record).tls.iter().any(|it| it.used)
        }
    }
}

impl Dependence for Program {
    type Operation = Touch;

    fn pending(&self, worker: &mut Worker, state: &Table, visit: &mut dyn FnMut(u32, Touch)) {
        self.each_thread(Reading::unrecorded(state), |frozen| {
            let mut touch = self.touch(state, &frozen);
            if let Touch::Object(operation) = touch
                && let Some(atomic_block) = self.atomic_block(worker, state, &frozen, operation)
            {
                touch = Touch::AtomicBlock(atomic_block);
            }
            visit(frozen.thread.0, touch);
            ControlFlow::Continue(())
        });
    }

    fn performed(
        &self,
        pending: &Touch,
        _: &Table,
        action: Action,
        delta: &Delta,
        operations: &mut Vec<Touch>,
    ) {
        let touch = match action.chosen() {
            Choice::Operation(_) | Choice::Leap => pending.clone(),
            // It did something else than what is pending.
            Choice::Delivery
            | Choice::Cancellation
            | Choice::Interruption
            | Choice::Alarm
            | Choice::Timer(_)
            | Choice::TimerFile(_) => Touch::Everything,
        };
        let followed = |change: &Change| match self.key_of(change.slot) {
            Key::Object(place) => {
                let object = place.number();
                let known = match &touch {
                    Touch::Object(operation)
                    | Touch::Idle(operation)
                    | Touch::AtomicBlock(AtomicBlock { operation, .. }) => {
                        operation.touches(object)
                    }
                    _ => false,
                };
                let before = self.stores.objects.get(Component(change.old));
                let shared = matches!(before, Object::ReadWrite(it) if it.writer().is_none());
                (!known).then_some(Touch::Gave { object, shared })
            }
            Key::Thread(thread) if self.is_over(Component(change.new)) => {
                Some(Touch::Ended(thread))
            }
            // It is not learned who touches the stack of the thread that has ended, which has no owner now.
            Key::Regions(_) if !self.options.granularity.learns() && self.ends_thread(delta) => {
                Some(Touch::Everything)
            }
            // What else a step changes belongs to its operation, or to what its thread does where none can observe it.
            _ => None,
        };
        let effects: Vec<Touch> = delta.changes().iter().filter_map(followed).collect();
        operations.push(touch);
        operations.extend(effects);
    }

    fn dependent(&self, one: &Touch, other: &Touch) -> bool {
        // Who looks at every state sees in which order words change.
        one.depends_on(other)
            || self.is_observed(one) && self.is_observed(other)
            || self.options.discipline == Discipline::Plain && one.meets_at_word(other)
    }

    fn clash(&self, one: &Touch, other: &Touch) -> Option<(u32, u32)> {
        if !self.options.races || self.knows_no_atomics() {
            return None;
        }
        let (one, other) = match (one, other) {
            (
                Touch::Memory { eip: one, locked: first, .. },
                Touch::Memory { eip: other, locked: second, .. },
            ) => (!(*first && *second)).then_some((*one, *other)),
            (Touch::Memory { eip: one, .. }, Touch::Whole { eip: other })
            | (Touch::Whole { eip: one }, Touch::Memory { eip: other, .. }) => Some((*one, *other)),
            _ => None,
        }?;
        Some((one.min(other), one.max(other)))
    }

    fn may_meet(&self, one: &Touch, other: &Touch) -> bool {
        one.may_meet(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use steam_sync::{LockCall, Patience, ReadWriteCall, SemaphoreCall};

    fn memory(address: u32, size: u32, write: bool) -> Touch {
        let place = steam_state::Space::FIRST.at(address);
        let access = Access { address, size, write, place };
        Touch::Memory { access, eip: 0, locked: false }
    }

    #[test]
    fn accesses_depend_where_they_overlap_and_one_writes() {
        assert!(memory(8, 4, true).depends_on(&memory(11, 1, false)));
        assert!(!memory(8, 4, true).depends_on(&memory(12, 4, true)));
        assert!(!memory(8, 4, false).depends_on(&memory(8, 4, false)));
        assert!(memory(u32::MAX - 3, 4, true).depends_on(&memory(u32::MAX, 1, false)));
    }

    #[test]
    fn what_followed_orders_but_is_no_choice() {
        let lock = Touch::Object(Operation::new(8, LockCall::Lock));
        let post = Touch::Object(Operation::new(16, SemaphoreCall::Post));
        let gave = |shared| Touch::Gave { object: 8, shared };
        for shared in [false, true] {
            assert!(lock.depends_on(&gave(shared)) && !lock.may_meet(&gave(shared)));
            assert!(!post.depends_on(&gave(shared)));
        }
        let read = Touch::Object(Operation::new(8, ReadWriteCall::Read(Patience::Endless)));
        assert!(read.depends_on(&gave(false)) && !read.depends_on(&gave(true)));
        let (join, ended) = (Touch::Join(ThreadId(2)), Touch::Ended(ThreadId(2)));
        assert!(join.depends_on(&ended) && !join.may_meet(&ended));
        assert!(!join.depends_on(&Touch::Ended(ThreadId(3))));
    }

    #[test]
    fn what_may_touch_anything_depends_on_all_that_touches_something() {
        for touch in [memory(8, 4, false), Touch::Join(ThreadId(2)), Touch::Everything] {
            assert!(Touch::Everything.depends_on(&touch) && touch.depends_on(&Touch::Everything));
        }
        assert!(!Touch::Everything.depends_on(&Touch::Nothing));
    }
}
