//! Whether the bytes of a synchronisation object of glibc are those of one.
//!
//! What the library's own code would keep there is in the lock pool, so most words stay zero from when
//! an object is initialised until its end, and a spin lock stays free; a mutex that `pthread_mutex_init` made says in one of them
//! where it lies. Other bytes tell of an object that was never initialised, overwritten or copied.

use steam_report::FailureProblem;
use steam_state::Space;
use steam_sync::{Agent, Family, Misuse, MisuseKind};

use super::call::{Call, Stop};
use super::origin::Library;

/// Words that are zero, and the one of a mutex that says where it lies.
const MUTEX_ZEROS: [u32; 3] = [0, 4, 16];
const MUTEX_ORIGIN: u32 = 20;
/// All bits that the kind of a mutex may have.
const MUTEX_KINDS: u32 = 0x3f3;
const CONDITION_ZEROS: [u32; 10] = [0, 4, 8, 12, 16, 20, 24, 28, 40, 44];
const READ_WRITE_ZEROS: [u32; 6] = [0, 4, 8, 12, 16, 20];
const BARRIER_ZEROS: [u32; 3] = [0, 4, 8];
const SEMAPHORE_ZEROS: [u32; 2] = [0, 12];
/// What `pthread_spin_init` writes; 0 is a lock that is taken.
const SPIN_FREE: u32 = 1;

/// Refuses a mutex whose bytes are none's; `kind` is its word that says of what kind it is.
pub(super) fn mutex(
    call: &mut Call<'_>,
    mutex: u32,
    kind: u32,
    destroyed: u32,
) -> Result<(), Stop> {
    if call.library != Library::Glibc {
        return Ok(());
    }
    if kind & !MUTEX_KINDS != 0 && kind != destroyed {
        return Err(misuse(call, Family::Mutex, MisuseKind::Overwritten));
    }
    zeros(call, Family::Mutex, mutex, &MUTEX_ZEROS)?;
    let origin = call.word(mutex.wrapping_add(MUTEX_ORIGIN))?;
    match origin != 0 && origin != lies_at(call, mutex) {
        true => Err(misuse(call, Family::Mutex, MisuseKind::Copied)),
        false => Ok(()),
    }
}

/// Refuses a condition whose bytes are none's.
pub(super) fn condition(call: &mut Call<'_>, condition: u32) -> Result<(), Stop> {
    zeros(call, Family::Condition, condition, &CONDITION_ZEROS)
}

/// Refuses a read-write lock whose bytes are none's.
pub(super) fn read_write(call: &mut Call<'_>, lock: u32) -> Result<(), Stop> {
    zeros(call, Family::ReadWrite, lock, &READ_WRITE_ZEROS)
}

/// Refuses a barrier whose bytes are none's.
pub(super) fn barrier(call: &mut Call<'_>, barrier: u32) -> Result<(), Stop> {
    zeros(call, Family::Barrier, barrier, &BARRIER_ZEROS)
}

/// Refuses a semaphore whose bytes are none's.
pub(super) fn semaphore(call: &mut Call<'_>, semaphore: u32) -> Result<(), Stop> {
    zeros(call, Family::Semaphore, semaphore, &SEMAPHORE_ZEROS)
}

/// Refuses a spin lock whose bytes are none's. Who holds it is in the lock pool, so they never change.
pub(super) fn spin(call: &mut Call<'_>, lock: u32) -> Result<(), Stop> {
    match call.library == Library::Glibc && call.word(lock)? != SPIN_FREE {
        true => Err(misuse(call, Family::Spin, MisuseKind::Overwritten)),
        false => Ok(()),
    }
}

/// Makes the bytes of a new condition those of one.
pub(super) fn make_condition(call: &mut Call<'_>, condition: u32) -> Result<(), Stop> {
    make(call, condition, &CONDITION_ZEROS)
}

/// Makes the bytes of a new read-write lock those of one.
pub(super) fn make_read_write(call: &mut Call<'_>, lock: u32) -> Result<(), Stop> {
    make(call, lock, &READ_WRITE_ZEROS)
}

/// Makes the bytes of a new barrier those of one.
pub(super) fn make_barrier(call: &mut Call<'_>, barrier: u32) -> Result<(), Stop> {
    make(call, barrier, &BARRIER_ZEROS)
}

/// Makes the bytes of a new semaphore those of one.
pub(super) fn make_semaphore(call: &mut Call<'_>, semaphore: u32) -> Result<(), Stop> {
    make(call, semaphore, &SEMAPHORE_ZEROS)
}

/// Makes the bytes of a new spin lock those of one. An unlock is the same function, and changes nothing.
pub(super) fn make_spin(call: &mut Call<'_>, lock: u32) -> Result<(), Stop> {
    match call.library == Library::Glibc && call.word(lock)? != SPIN_FREE {
        true => call.set_word(lock, SPIN_FREE),
        false => Ok(()),
    }
}

/// Writes into a new mutex where it lies.
pub(super) fn write_origin(call: &mut Call<'_>, mutex: u32) -> Result<(), Stop> {
    let place = lies_at(call, mutex);
    call.set_word(mutex.wrapping_add(MUTEX_ORIGIN), place)
}

/// A destroyed mutex lies nowhere.
pub(super) fn forget_origin(call: &mut Call<'_>, mutex: u32) -> Result<(), Stop> {
    call.set_word(mutex.wrapping_add(MUTEX_ORIGIN), 0)
}

/// Whether `pthread_mutex_init` made the mutex that lies at an address.
pub(super) fn was_made(call: &mut Call<'_>, mutex: u32) -> Result<bool, Stop> {
    if call.library != Library::Glibc {
        return Ok(false);
    }
    let origin = call.word(mutex.wrapping_add(MUTEX_ORIGIN))?;
    Ok(origin != 0 && origin == lies_at(call, mutex))
}

/// What a mutex says of where it lies; nothing in memory that has several addresses.
fn lies_at(call: &Call<'_>, mutex: u32) -> u32 {
    if call.cpu.memory.place(mutex).space() == Space::SHARED { 0 } else { mutex }
}

fn zeros(call: &mut Call<'_>, family: Family, object: u32, offsets: &[u32]) -> Result<(), Stop> {
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

fn make(call: &mut Call<'_>, object: u32, offsets: &[u32]) -> Result<(), Stop> {
    if call.library == Library::Glibc {
        for offset in offsets {
            call.set_word(object.wrapping_add(*offset), 0)?;
        }
    }
    Ok(())
}

fn misuse(call: &Call<'_>, family: Family, kind: MisuseKind) -> Stop {
    let misuse = Misuse { kind, family, agent: Agent(call.thread.0), other: None };
    Stop::Problem(FailureProblem::Misuse(misuse))
}
