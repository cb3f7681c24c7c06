//! Whether the bytes of a synchronisation object of glibc are those of one.
//!
//! What the library's own code would keep there is in the lock pool, so most words stay zero from when an object is
//! initialised until its end, and a spin lock stays free. One word of what was initialised by a call says where it lies,
//! and of a semaphore that was posted to without that. Other bytes tell of an object that was never initialised,
//! overwritten or copied; so do bytes that say nothing where the lock pool knows of something that was initialised. A
//! mutex or read-write lock that is zero from the beginning says where it lies for as long as it is held, and is zero
//! again afterwards: it may be copied or made anew then. So what the bytes say is a function of the lock pool, and there
//! are no more states.

use steam_linux::objects::place_of;
use steam_report::FailureProblem;
use steam_state::Space;
use steam_sync::{Family, Misuse, MisuseKind, MutexType, Object, Objects, Operation, Thread};

use super::call::{LibraryCall, Stop};
use super::origin::Library;

/// Words that are zero, and the one that says where the object lies.
const MUTEX_ZEROS: [u32; 3] = [0, 4, 16];
const MUTEX_ORIGIN: u32 = 20;
const READ_WRITE_ORIGIN: u32 = 20;
const BARRIER_ORIGIN: u32 = 8;
const SEMAPHORE_ORIGIN: u32 = 12;
/// All bits that the kind of a mutex may have.
const MUTEX_KINDS: u32 = 0x3f3;
const CONDITION_ZEROS: [u32; 10] = [0, 4, 8, 12, 16, 20, 24, 28, 40, 44];
const READ_WRITE_ZEROS: [u32; 5] = [0, 4, 8, 12, 16];
const BARRIER_ZEROS: [u32; 2] = [0, 4];
const SEMAPHORE_ZEROS: [u32; 1] = [0];
/// What `pthread_spin_init` writes; 0 is a lock that is taken.
const SPIN_FREE: u32 = 1;

/// Where a mutex and a read-write lock say where they lie.
const LOCK_ORIGIN: u32 = MUTEX_ORIGIN;
/// What is added to the address of one that says so because it is held; objects lie at multiples of 4.
const WHILE_HELD: u32 = 1;
const _: () = assert!(MUTEX_ORIGIN == READ_WRITE_ORIGIN, "an operation may be on either");

/// Refuses a mutex whose bytes are none's; `kind` is its word that says of what kind it is. Returns whether it says
/// where it lies.
pub(super) fn mutex(
    call: &mut LibraryCall<'_>,
    mutex: u32,
    kind: u32,
    destroyed: u32,
) -> Result<bool, Stop> {
    if call.library != Library::Glibc {
        return Ok(false);
    }
    if kind & !MUTEX_KINDS != 0 && kind != destroyed {
        return Err(misuse(call, Family::Mutex, MisuseKind::Overwritten));
    }
    zeros(call, Family::Mutex, mutex, &MUTEX_ZEROS)?;
    origin(call, Family::Mutex, mutex, MUTEX_ORIGIN).map(|origin| origin.is_some())
}

/// Refuses a mutex that a thread holds and that is another one by its bytes than when it was locked.
pub(super) fn held_mutex(
    call: &mut LibraryCall<'_>,
    mutex: u32,
    now: MutexType,
) -> Result<(), Stop> {
    let changed = match call.objects.get(call.place(mutex)) {
        Object::Mutex(state) => state.is_changed(now),
        _ => false,
    };
    match changed {
        true => Err(misuse(call, Family::Mutex, MisuseKind::Overwritten)),
        false => Ok(()),
    }
}

/// Refuses a condition whose bytes are none's.
pub(super) fn condition(call: &mut LibraryCall<'_>, condition: u32) -> Result<(), Stop> {
    zeros(call, Family::Condition, condition, &CONDITION_ZEROS)
}

/// Refuses a read-write lock whose bytes are none's.
pub(super) fn read_write(call: &mut LibraryCall<'_>, lock: u32) -> Result<(), Stop> {
    zeros(call, Family::ReadWrite, lock, &READ_WRITE_ZEROS)?;
    let origin = origin(call, Family::ReadWrite, lock, READ_WRITE_ORIGIN)?;
    let marked = call.objects.get(call.place(lock)).held_mark() == Some(true);
    says(call, Family::ReadWrite, lock, !marked || origin.is_some())
}

/// Refuses a barrier whose bytes are none's.
pub(super) fn barrier(call: &mut LibraryCall<'_>, barrier: u32) -> Result<(), Stop> {
    zeros(call, Family::Barrier, barrier, &BARRIER_ZEROS)?;
    let origin = origin(call, Family::Barrier, barrier, BARRIER_ORIGIN)?;
    let initialised = matches!(*call.objects.get(call.place(barrier)), Object::Barrier(_));
    says(call, Family::Barrier, barrier, !initialised || origin.is_some())
}

/// Refuses a semaphore whose bytes are none's.
pub(super) fn semaphore(call: &mut LibraryCall<'_>, semaphore: u32) -> Result<(), Stop> {
    zeros(call, Family::Semaphore, semaphore, &SEMAPHORE_ZEROS)?;
    let origin = origin(call, Family::Semaphore, semaphore, SEMAPHORE_ORIGIN)?;
    let counts = matches!(*call.objects.get(call.place(semaphore)), Object::Semaphore(_));
    says(call, Family::Semaphore, semaphore, !counts || origin.is_some())
}

/// Refuses a spin lock whose bytes are none's. Who holds it is in the lock pool, so they never change.
pub(super) fn spin(call: &mut LibraryCall<'_>, lock: u32) -> Result<(), Stop> {
    match call.library == Library::Glibc && call.word(lock)? != SPIN_FREE {
        true => Err(misuse(call, Family::Spin, MisuseKind::Overwritten)),
        false => Ok(()),
    }
}

/// Makes the bytes of a new condition those of one.
pub(super) fn make_condition(call: &mut LibraryCall<'_>, condition: u32) -> Result<(), Stop> {
    make(call, condition, &CONDITION_ZEROS)
}

/// Makes the bytes of a new read-write lock those of one.
pub(super) fn make_read_write(call: &mut LibraryCall<'_>, lock: u32) -> Result<(), Stop> {
    make(call, lock, &READ_WRITE_ZEROS)?;
    write_origin(call, lock, READ_WRITE_ORIGIN)
}

/// Makes the bytes of a new barrier those of one.
pub(super) fn make_barrier(call: &mut LibraryCall<'_>, barrier: u32) -> Result<(), Stop> {
    make(call, barrier, &BARRIER_ZEROS)?;
    write_origin(call, barrier, BARRIER_ORIGIN)
}

/// Makes the bytes of a new semaphore those of one.
pub(super) fn make_semaphore(call: &mut LibraryCall<'_>, semaphore: u32) -> Result<(), Stop> {
    make(call, semaphore, &SEMAPHORE_ZEROS)?;
    write_origin(call, semaphore, SEMAPHORE_ORIGIN)
}

/// A semaphore was posted to: it says where it lies from then on, also if it was zero from the beginning.
pub(super) fn mark_semaphore(call: &mut LibraryCall<'_>, semaphore: u32) -> Result<(), Stop> {
    match call.library == Library::Glibc
        && call.word(semaphore.wrapping_add(SEMAPHORE_ORIGIN))? != lies_at(call, semaphore)
    {
        true => write_origin(call, semaphore, SEMAPHORE_ORIGIN),
        false => Ok(()),
    }
}

/// Makes the bytes of a new spin lock those of one. An unlock is the same function, and changes nothing.
pub(super) fn make_spin(call: &mut LibraryCall<'_>, lock: u32) -> Result<(), Stop> {
    match call.library == Library::Glibc && call.word(lock)? != SPIN_FREE {
        true => call.set_word(lock, SPIN_FREE),
        false => Ok(()),
    }
}

/// Writes into a new mutex where it lies.
pub(super) fn mark_mutex(call: &mut LibraryCall<'_>, mutex: u32) -> Result<(), Stop> {
    write_origin(call, mutex, MUTEX_ORIGIN)
}

/// An operation was done: the lock that it took says where it lies from now on, and one that said so because it was held
/// does not any more.
pub(super) fn settle(call: &mut LibraryCall<'_>, operation: &Operation) -> Result<(), Stop> {
    // One in memory that processes share has several addresses.
    let place = operation.lock().map(place_of).filter(|it| it.space() == call.cpu.memory.space());
    let Some(place) = place.filter(|_| call.library == Library::Glibc) else { return Ok(()) };
    let origin = place.address().wrapping_add(LOCK_ORIGIN);
    let held = call.objects.get(place.number()).held_mark();
    match held {
        // It said so when it was taken: if it does not now, it was overwritten.
        Some(true) => Ok(()),
        Some(false) => {
            if call.word(origin)? == 0 {
                call.save(origin, &(place.address() | WHILE_HELD).to_le_bytes())?;
            }
            let marked = call.objects.get(place.number()).with_mark();
            call.objects.set(place.number(), marked);
            Ok(())
        }
        None if call.word(origin)? == place.address() | WHILE_HELD => call.save(origin, &[0; 4]),
        None => Ok(()),
    }
}

/// A destroyed mutex lies nowhere.
pub(super) fn forget_origin(call: &mut LibraryCall<'_>, mutex: u32) -> Result<(), Stop> {
    call.set_word(mutex.wrapping_add(MUTEX_ORIGIN), 0)
}

/// Whether `pthread_mutex_init` made the mutex that lies at an address.
pub(super) fn was_made(call: &mut LibraryCall<'_>, mutex: u32) -> Result<bool, Stop> {
    if call.library != Library::Glibc {
        return Ok(false);
    }
    let origin = call.word(mutex.wrapping_add(MUTEX_ORIGIN))?;
    Ok(origin != 0 && origin == lies_at(call, mutex))
}

/// What an object says of where it lies; nothing in memory that has several addresses.
fn lies_at(call: &LibraryCall<'_>, object: u32) -> u32 {
    if call.cpu.memory.place(object).space() == Space::SHARED { 0 } else { object }
}

/// Writes into a new object where it lies.
fn write_origin(call: &mut LibraryCall<'_>, object: u32, offset: u32) -> Result<(), Stop> {
    if call.library != Library::Glibc {
        return Ok(());
    }
    let place = lies_at(call, object);
    call.set_word(object.wrapping_add(offset), place)
}

/// Where an object says that it lies, if it says so; refuses one that lies elsewhere.
fn origin(
    call: &mut LibraryCall<'_>,
    family: Family,
    object: u32,
    offset: u32,
) -> Result<Option<u32>, Stop> {
    if call.library != Library::Glibc {
        return Ok(None);
    }
    match call.word(object.wrapping_add(offset))? {
        0 => Ok(None),
        origin if origin & !WHILE_HELD == lies_at(call, object) => Ok(Some(origin)),
        _ => Err(misuse(call, family, MisuseKind::Copied)),
    }
}

/// Refuses an object that does not say where it lies, unless that `may` be so.
fn says(call: &LibraryCall<'_>, family: Family, object: u32, may: bool) -> Result<(), Stop> {
    let speaks = call.library == Library::Glibc && lies_at(call, object) != 0;
    match speaks && !may {
        true => Err(misuse(call, family, MisuseKind::Overwritten)),
        false => Ok(()),
    }
}

fn zeros(
    call: &mut LibraryCall<'_>,
    family: Family,
    object: u32,
    offsets: &[u32],
) -> Result<(), Stop> {
    if call.library != Library::Glibc {
        return Ok(());
    }
    for offset in offsets {
        if call.word(object.wrapping_add(*offset))? != 0 {
            return Err(misuse(call, family, MisuseKind::Overwritten));
        }
    }
    Ok(())
}

fn make(call: &mut LibraryCall<'_>, object: u32, offsets: &[u32]) -> Result<(), Stop> {
    if call.library == Library::Glibc {
        for offset in offsets {
            call.set_word(object.wrapping_add(*offset), 0)?;
        }
    }
    Ok(())
}

fn misuse(call: &LibraryCall<'_>, family: Family, kind: MisuseKind) -> Stop {
    let misuse = Misuse { kind, family, thread: Thread(call.thread.0), other: None };
    Stop::Problem(FailureProblem::Misuse(misuse))
}
