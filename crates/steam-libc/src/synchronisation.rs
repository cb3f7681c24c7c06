//! From calls of pthread and semaphore functions to operations, and back to their results.
//!
//! The guest's bytes of a synchronisation object only say of what kind it is: they are written when
//! it is initialised or destroyed, and read when it is used, so that a use of freed memory is
//! found. All else is in the lock pool.

use steam_report::FailureProblem;
use steam_state::Space;
use steam_sync::{
    BarrierCall, ConditionCall, Done, Family, Misuse, MisuseKind, MutexCall, MutexKind, MutexType,
    Operation, Patience, ReadWriteCall, SemaphoreCall, SpinCall, Thread, Wait,
};

use super::call::{Answer, LibraryCall, Stop};
use super::intact;
use super::origin::Library;

/// What a synchronising function does, and how it answers.
#[derive(Clone, Copy, Debug)]
pub struct Synchronisation {
    /// Understands a call.
    pub(super) decode: fn(&mut LibraryCall<'_>) -> Result<Operation, Stop>,
    /// How the function answers.
    pub(super) style: Style,
    /// What it does to the guest's bytes in the end.
    pub(super) finish: fn(&mut LibraryCall<'_>) -> Result<(), Stop>,
}

/// A mutex that is about to be initialised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewMutex {
    /// Whether its attributes are refused.
    pub refused: bool,
    /// Whether it was initialised before, and not destroyed.
    pub made_before: bool,
}

/// How a function tells its caller of errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// By the error number itself.
    Number,
    /// By -1 and `errno`.
    Errno,
}

/// glibc: the offset of a mutex's kind, and its size.
const GLIBC_KIND: u32 = 12;
const MUTEX_SIZE: u32 = 24;
/// glibc: what `pthread_mutex_destroy` leaves as kind.
const DESTROYED: u32 = u32::MAX;
const GLIBC_ROBUST: u32 = 16;
const GLIBC_ROBUST_ATTRIBUTE: u32 = 0x4000_0000;
const MUSL_ROBUST: u32 = 4;
const GLIBC_SHARED_ATTRIBUTE: u32 = 0x8000_0000;
/// glibc: the protocol of a mutex by its attributes; the first that it cannot have together with robustness.
const GLIBC_PROTOCOL: u32 = 0x3000_0000;
const GLIBC_PROTECT: u32 = 0x2000_0000;
/// glibc: all bits of the attributes that are not the kind.
const GLIBC_FLAGS: u32 = 0xf0ff_f000;
/// The bit of a mutex's kind that says that several processes may use it, in both libraries.
const SHARED_MUTEX: u32 = 128;

/// Where objects that are not process-shared keep whose they are: in words that only the library's own
/// code would use, from where the object begins.
const MUTEX_OWNER: u32 = 8;
const CONDITION_OWNER: u32 = 32;
const READ_WRITE_OWNER: u32 = 28;
const BARRIER_OWNER: u32 = 16;
const SEMAPHORE_OWNER: u32 = 8;

/// Where glibc keeps whether several processes may use an object, and as which bits of a word.
const CONDITION_SHARED: (u32, u32) = (36, 1);
const READ_WRITE_SHARED: (u32, u32) = (24, 0xff00);
const BARRIER_SHARED: (u32, u32) = (12, u32::MAX);
const SEMAPHORE_SHARED: (u32, u32) = (4, u32::MAX);

impl Synchronisation {
    /// The function's result.
    pub(super) fn complete(&self, call: &mut LibraryCall<'_>, done: Done) -> Answer {
        (self.finish)(call)?;
        match (done, self.style) {
            (Done::Value(value), _) => {
                let place = call.argument(1)?;
                call.set_word(place, value)?;
                Ok(0)
            }
            (Done::Returns(0), _) => Ok(0),
            (Done::Returns(result), Style::Number) => Ok(result as u32),
            (Done::Returns(result), Style::Errno) => {
                if let Some(errno) = call.variables.errno {
                    errno.set(call.cpu, result as u32);
                }
                Ok(u32::MAX)
            }
            (Done::Continues(_) | Done::Blocked, _) => Ok(0),
        }
    }
}

/// Whether an object lies in memory that processes share.
fn is_common(call: &LibraryCall<'_>, object: u32) -> bool {
    call.cpu.memory.place(object).space() == Space::SHARED
}

/// An object in memory that processes share, but that is not process-shared, belongs to the process that
/// came first: others must not use it.
fn check_shared(
    call: &mut LibraryCall<'_>,
    family: Family,
    object: u32,
    shared: bool,
    owner: u32,
) -> Result<(), Stop> {
    if shared || !is_common(call, object) {
        return Ok(());
    }
    let own = call.cpu.memory.space().leader().0;
    let owner = object.wrapping_add(owner);
    match call.word(owner)? {
        0 => call.set_word(owner, own),
        other if other == own => Ok(()),
        other => {
            let (kind, thread, other) = (MisuseKind::NotShared, Thread(own), Some(Thread(other)));
            let misuse = Misuse { kind, family, thread, other };
            Err(Stop::Problem(FailureProblem::Misuse(misuse)))
        }
    }
}

/// The same for an object of glibc that says in a word whether it is shared.
fn check_word(
    call: &mut LibraryCall<'_>,
    family: Family,
    object: u32,
    (place, bits): (u32, u32),
    owner: u32,
) -> Result<(), Stop> {
    if call.library != Library::Glibc || !is_common(call, object) {
        return Ok(());
    }
    let shared = call.word(object.wrapping_add(place))? & bits != 0;
    check_shared(call, family, object, shared, owner)
}

/// Writes into a new object of glibc whether it is shared, and whose it is.
fn write_shared(
    call: &mut LibraryCall<'_>,
    (place, bits): (u32, u32),
    shared: bool,
    owner: u32,
) -> Result<(), Stop> {
    let object = call.argument(0)?;
    if call.library != Library::Glibc || !is_common(call, object) {
        return Ok(());
    }
    let own = if shared { 0 } else { call.cpu.memory.space().leader().0 };
    call.set_word(object.wrapping_add(place), if shared { bits } else { 0 })?;
    call.set_word(object.wrapping_add(owner), own)
}

/// A word of the attributes that are the second argument; 0 where there are none.
fn attribute(call: &mut LibraryCall<'_>, position: u32) -> Answer {
    let attributes = call.argument(1)?;
    if attributes == 0 { Ok(0) } else { call.word(attributes.wrapping_add(4 * position)) }
}

pub(super) fn write_condition(call: &mut LibraryCall<'_>) -> Result<(), Stop> {
    let condition = call.argument(0)?;
    intact::make_condition(call, condition)?;
    let shared = attribute(call, 0)? & 1 != 0;
    write_shared(call, CONDITION_SHARED, shared, CONDITION_OWNER)
}

pub(super) fn write_read_write(call: &mut LibraryCall<'_>) -> Result<(), Stop> {
    let lock = call.argument(0)?;
    intact::make_read_write(call, lock)?;
    let shared = attribute(call, 1)? != 0;
    write_shared(call, READ_WRITE_SHARED, shared, READ_WRITE_OWNER)
}

pub(super) fn write_barrier(call: &mut LibraryCall<'_>) -> Result<(), Stop> {
    let barrier = call.argument(0)?;
    intact::make_barrier(call, barrier)?;
    let shared = attribute(call, 0)? != 0;
    write_shared(call, BARRIER_SHARED, shared, BARRIER_OWNER)
}

pub(super) fn write_semaphore(call: &mut LibraryCall<'_>) -> Result<(), Stop> {
    let semaphore = call.argument(0)?;
    intact::make_semaphore(call, semaphore)?;
    let shared = call.argument(1)? != 0;
    write_shared(call, SEMAPHORE_SHARED, shared, SEMAPHORE_OWNER)
}

pub(super) fn mark_semaphore(call: &mut LibraryCall<'_>) -> Result<(), Stop> {
    let semaphore = call.argument(0)?;
    intact::mark_semaphore(call, semaphore)
}

pub(super) fn write_spin(call: &mut LibraryCall<'_>) -> Result<(), Stop> {
    let lock = call.argument(0)?;
    intact::make_spin(call, lock)
}

fn shared_condition(call: &mut LibraryCall<'_>, object: u32) -> Result<(), Stop> {
    intact::condition(call, object)?;
    check_word(call, Family::Condition, object, CONDITION_SHARED, CONDITION_OWNER)
}

fn shared_read_write(call: &mut LibraryCall<'_>, object: u32) -> Result<(), Stop> {
    intact::read_write(call, object)?;
    check_word(call, Family::ReadWrite, object, READ_WRITE_SHARED, READ_WRITE_OWNER)
}

fn shared_barrier(call: &mut LibraryCall<'_>, object: u32) -> Result<(), Stop> {
    intact::barrier(call, object)?;
    check_word(call, Family::Barrier, object, BARRIER_SHARED, BARRIER_OWNER)
}

fn shared_semaphore(call: &mut LibraryCall<'_>, object: u32) -> Result<(), Stop> {
    intact::semaphore(call, object)?;
    check_word(call, Family::Semaphore, object, SEMAPHORE_SHARED, SEMAPHORE_OWNER)
}

/// Any process may use a spin lock, if it is one.
fn intact_spin(call: &mut LibraryCall<'_>, object: u32) -> Result<(), Stop> {
    intact::spin(call, object)
}

/// Any process may do it.
fn anybody(_: &mut LibraryCall<'_>, _: u32) -> Result<(), Stop> {
    Ok(())
}

/// Leaves the guest's bytes alone.
pub(super) fn nothing(_: &mut LibraryCall<'_>) -> Result<(), Stop> {
    Ok(())
}

/// The kind of the mutex at an address.
fn kind_of(call: &mut LibraryCall<'_>, mutex: u32) -> Result<MutexType, Stop> {
    let (word, robust) = match call.library {
        Library::Glibc => (call.word(mutex.wrapping_add(GLIBC_KIND))?, GLIBC_ROBUST),
        Library::Musl => (call.word(mutex)?, MUSL_ROBUST),
    };
    let marked = intact::mutex(call, mutex, word, DESTROYED)?;
    let kind = match word & 3 {
        1 => MutexKind::Recursive,
        2 => MutexKind::ErrorChecking,
        _ => MutexKind::Normal,
    };
    check_shared(call, Family::Mutex, mutex, word & SHARED_MUTEX != 0, MUTEX_OWNER)?;
    let attributes = MutexType { kind, robust: word & robust != 0, marked };
    intact::held_mutex(call, mutex, attributes)?;
    Ok(attributes)
}

/// An operation on the mutex that is the first argument.
fn mutex(
    call: &mut LibraryCall<'_>,
    operation: impl FnOnce(MutexType) -> MutexCall,
) -> Result<Operation, Stop> {
    let address = call.argument(0)?;
    let kind = kind_of(call, address)?;
    Ok(Operation::new(call.place(address), operation(kind)))
}

/// The kind of a mutex for who is about to lock it. Whether its bytes say where it lies is settled when that is done, and no
/// affair of a thread that still waits for it.
fn to_lock(kind: MutexType) -> MutexType {
    MutexType { marked: false, ..kind }
}

/// Locks the mutex that is the first argument.
fn lock(call: &mut LibraryCall<'_>, patience: Patience) -> Result<Operation, Stop> {
    mutex(call, |kind| MutexCall::Lock(to_lock(kind), patience))
}

pub(super) fn mutex_lock(call: &mut LibraryCall<'_>) -> Result<Operation, Stop> {
    lock(call, Patience::Endless)
}

pub(super) fn mutex_timed_lock(call: &mut LibraryCall<'_>) -> Result<Operation, Stop> {
    lock(call, Patience::Timed)
}

pub(super) fn mutex_try_lock(call: &mut LibraryCall<'_>) -> Result<Operation, Stop> {
    lock(call, Patience::Never)
}

pub(super) fn mutex_unlock(call: &mut LibraryCall<'_>) -> Result<Operation, Stop> {
    mutex(call, MutexCall::Unlock)
}

pub(super) fn mutex_consistent(call: &mut LibraryCall<'_>) -> Result<Operation, Stop> {
    mutex(call, MutexCall::Consistent)
}

pub(super) fn mutex_initialise(call: &mut LibraryCall<'_>) -> Result<Operation, Stop> {
    let address = call.argument(0)?;
    Ok(Operation::new(call.place(address), MutexCall::Initialise))
}

pub(super) fn mutex_destroy(call: &mut LibraryCall<'_>) -> Result<Operation, Stop> {
    mutex(call, |_| MutexCall::Destroy)
}

/// Writes the bytes of a mutex as its attributes say.
pub(super) fn write_mutex(call: &mut LibraryCall<'_>) -> Result<(), Stop> {
    let (mutex, attributes) = call.two()?;
    let attributes = if attributes == 0 { 0 } else { call.word(attributes)? };
    if refuses(call.library, attributes) {
        return Ok(());
    }
    for offset in (0..MUTEX_SIZE).step_by(4) {
        call.set_word(mutex.wrapping_add(offset), 0)?;
    }
    match call.library {
        Library::Glibc => {
            let robust = attributes & GLIBC_ROBUST_ATTRIBUTE != 0;
            let shared = attributes & GLIBC_SHARED_ATTRIBUTE != 0;
            let kind = attributes & !GLIBC_FLAGS
                | if robust { GLIBC_ROBUST } else { 0 }
                | if shared { SHARED_MUTEX } else { 0 };
            call.set_word(mutex.wrapping_add(GLIBC_KIND), kind)?;
            intact::mark_mutex(call, mutex)?;
        }
        Library::Musl => call.set_word(mutex, attributes & 0xff)?,
    }
    let shared = match call.library {
        Library::Glibc => GLIBC_SHARED_ATTRIBUTE,
        Library::Musl => SHARED_MUTEX,
    };
    check_shared(call, Family::Mutex, mutex, attributes & shared != 0, MUTEX_OWNER)
}

/// Whether `pthread_mutex_init` refuses attributes, by ENOTSUP.
fn refuses(library: Library, attributes: u32) -> bool {
    let robust = attributes & GLIBC_ROBUST_ATTRIBUTE != 0;
    library == Library::Glibc && robust && attributes & GLIBC_PROTOCOL >= GLIBC_PROTECT
}

/// What is known of a call of `pthread_mutex_init` before it is done.
pub(super) fn about_new_mutex(call: &mut LibraryCall<'_>) -> Result<NewMutex, Stop> {
    let (mutex, attributes) = call.two()?;
    let attributes = if attributes == 0 { 0 } else { call.word(attributes)? };
    let refused = refuses(call.library, attributes);
    Ok(NewMutex { refused, made_before: intact::was_made(call, mutex)? })
}

/// A mutex that was destroyed must not be used before it is initialised again.
pub(super) fn check_mutex(call: &mut LibraryCall<'_>) -> Result<(), Stop> {
    let mutex = call.argument(0)?;
    if call.library != Library::Glibc || call.word(mutex.wrapping_add(GLIBC_KIND))? != DESTROYED {
        return Ok(());
    }
    let thread = Thread(call.thread.0);
    let misuse = Misuse { kind: MisuseKind::Destroyed, family: Family::Mutex, thread, other: None };
    Err(Stop::Problem(FailureProblem::Misuse(misuse)))
}

/// Marks a mutex as destroyed, as glibc does.
pub(super) fn write_destroyed(call: &mut LibraryCall<'_>) -> Result<(), Stop> {
    check_mutex(call)?;
    let mutex = call.argument(0)?;
    match call.library {
        Library::Glibc => {
            intact::forget_origin(call, mutex)?;
            call.set_word(mutex.wrapping_add(GLIBC_KIND), DESTROYED)
        }
        Library::Musl => Ok(()),
    }
}

fn wait(call: &mut LibraryCall<'_>, timed: bool) -> Result<Operation, Stop> {
    let (condition, mutex) = call.two()?;
    call.word(condition)?;
    shared_condition(call, condition)?;
    let attributes = to_lock(kind_of(call, mutex)?);
    let mutex = call.place(mutex);
    let wait = ConditionCall::Wait(Wait { mutex, attributes, timed });
    Ok(Operation::new(call.place(condition), wait))
}

pub(super) fn condition_wait(call: &mut LibraryCall<'_>) -> Result<Operation, Stop> {
    wait(call, false)
}

pub(super) fn condition_timed_wait(call: &mut LibraryCall<'_>) -> Result<Operation, Stop> {
    wait(call, true)
}

/// Where glibc keeps the kind of a read-write lock.
const GLIBC_READ_WRITE_KIND: u32 = 24;
/// The kind whose readers wait behind writers that wait: who waits is nothing that an object knows.
const PREFERS_WRITERS: u32 = 2;

fn not_modelled() -> Stop {
    Stop::Problem(FailureProblem::NotModelled("a read-write lock that prefers writers"))
}

fn read(call: &mut LibraryCall<'_>, patience: Patience) -> Result<Operation, Stop> {
    let address = call.argument(0)?;
    shared_read_write(call, address)?;
    let kind = call.word(address.wrapping_add(GLIBC_READ_WRITE_KIND))? & 0xff;
    if call.library == Library::Glibc && kind == PREFERS_WRITERS {
        return Err(not_modelled());
    }
    Ok(Operation::new(call.place(address), ReadWriteCall::Read(patience)))
}

pub(super) fn rwlock_read(call: &mut LibraryCall<'_>) -> Result<Operation, Stop> {
    read(call, Patience::Endless)
}

pub(super) fn rwlock_try_read(call: &mut LibraryCall<'_>) -> Result<Operation, Stop> {
    read(call, Patience::Never)
}

pub(super) fn rwlock_timed_read(call: &mut LibraryCall<'_>) -> Result<Operation, Stop> {
    read(call, Patience::Timed)
}

pub(super) fn rwlock_initialise(call: &mut LibraryCall<'_>) -> Result<Operation, Stop> {
    let (address, attributes) = call.two()?;
    call.word(address & !3)?;
    if call.library == Library::Glibc
        && attributes != 0
        && call.word(attributes)? == PREFERS_WRITERS
    {
        return Err(not_modelled());
    }
    Ok(Operation::new(call.place(address), ReadWriteCall::Initialise))
}

/// An operation that needs to know nothing but where its object is, and whether the process may use it.
macro_rules! plain {
    ($($name:ident $shared:ident $operation:expr;)*) => {
        $(pub(super) fn $name(call: &mut LibraryCall<'_>) -> Result<Operation, Stop> {
            let address = call.argument(0)?;
            call.word(address & !3)?;
            $shared(call, address)?;
            Ok(Operation::new(call.place(address), $operation))
        })*
    };
}

plain! {
    condition_initialise anybody ConditionCall::Initialise;
    condition_destroy anybody ConditionCall::Destroy;
    condition_signal shared_condition ConditionCall::Signal;
    condition_broadcast shared_condition ConditionCall::Broadcast;
    rwlock_destroy anybody ReadWriteCall::Destroy;
    rwlock_write shared_read_write ReadWriteCall::Write(Patience::Endless);
    rwlock_try_write shared_read_write ReadWriteCall::Write(Patience::Never);
    rwlock_timed_write shared_read_write ReadWriteCall::Write(Patience::Timed);
    rwlock_unlock shared_read_write ReadWriteCall::Unlock;
    barrier_destroy anybody BarrierCall::Destroy;
    barrier_wait shared_barrier BarrierCall::Wait;
    spin_initialise anybody SpinCall::Initialise;
    spin_destroy anybody SpinCall::Destroy;
    spin_lock intact_spin SpinCall::Lock;
    spin_try_lock intact_spin SpinCall::Try;
    spin_unlock anybody SpinCall::Unlock;
    semaphore_destroy anybody SemaphoreCall::Destroy;
    semaphore_wait shared_semaphore SemaphoreCall::Wait(Patience::Endless);
    semaphore_try_wait shared_semaphore SemaphoreCall::Wait(Patience::Never);
    semaphore_timed_wait shared_semaphore SemaphoreCall::Wait(Patience::Timed);
    semaphore_post shared_semaphore SemaphoreCall::Post;
    semaphore_value shared_semaphore SemaphoreCall::Value;
}

pub(super) fn barrier_initialise(call: &mut LibraryCall<'_>) -> Result<Operation, Stop> {
    let (barrier, _, count) = call.three()?;
    Ok(Operation::new(call.place(barrier), BarrierCall::Initialise(count)))
}

pub(super) fn semaphore_initialise(call: &mut LibraryCall<'_>) -> Result<Operation, Stop> {
    let (semaphore, _, value) = call.three()?;
    Ok(Operation::new(call.place(semaphore), SemaphoreCall::Initialise(value)))
}
