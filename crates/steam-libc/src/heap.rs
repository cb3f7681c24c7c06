//! The heap functions, on the heap pool.
//!
//! Invariant: a byte of the pool that belongs to no live block is zero, so that a fresh block reads
//! as zeros and states do not remember what was freed.

use steam_linux::memory_limits::{self, Verdict};
use steam_linux::room::linux_may_have;
use steam_report::FailureProblem;
use steam_state::{Block, FreeError};
use steam_visibility::{Mode, Watching, arena_word, returned_word};

use super::call::{Answer, LibraryCall, Stop};
use super::operators;
use super::origin::Library;

/// Out of memory.
const ENOMEM: u32 = 12;
/// An argument makes no sense.
const EINVAL: u32 = 22;
const PAGE: u32 = 4096;
/// `PTRDIFF_MAX`: no object may be larger.
const LARGEST: u32 = 0x7fff_ffff;
/// A block that grows moves if it is smaller than this: a program that keeps a pointer to the old
/// place then fails. Larger blocks stay where they are if they can, lest copying them dominates.
const ALWAYS_MOVED: u32 = 4096;

pub(super) fn malloc(call: &mut LibraryCall<'_>) -> Answer {
    let size = call.argument(0)?;
    allocate(call, Some(size), 1)
}

pub(super) fn calloc(call: &mut LibraryCall<'_>) -> Answer {
    let (count, size) = call.two()?;
    let address = allocate(call, count.checked_mul(size), 1)?;
    if address != 0 {
        call.cpu.memory.make_defined(address, count * size);
    }
    Ok(address)
}

pub(super) fn realloc(call: &mut LibraryCall<'_>) -> Answer {
    let (address, size) = call.two()?;
    reallocate(call, address, Some(size))
}

pub(super) fn reallocarray(call: &mut LibraryCall<'_>) -> Answer {
    let (address, count, size) = call.three()?;
    reallocate(call, address, count.checked_mul(size))
}

pub(super) fn free(call: &mut LibraryCall<'_>) -> Answer {
    let address = call.argument(0)?;
    let early = call.variables.frees_early;
    // What it has freed stays; else a fault of the library were one of every program.
    let stays = match early {
        Some((start, end)) => (start..end).contains(&call.site()?),
        None => false,
    };
    if address != 0 && !stays {
        operators::check(call, address)?;
        release(call, address)?;
    }
    Ok(0)
}

/// glibc rounds a bad alignment up to a power of two; musl refuses it.
pub(super) fn memalign(call: &mut LibraryCall<'_>) -> Answer {
    let (alignment, size) = call.two()?;
    let usable = match call.library {
        Library::Glibc => alignment.checked_next_power_of_two(),
        Library::Musl => Some(alignment).filter(|alignment| alignment.is_power_of_two()),
    };
    match usable {
        Some(alignment) => allocate(call, Some(size), alignment),
        None => fail(call, EINVAL),
    }
}

pub(super) fn aligned_alloc(call: &mut LibraryCall<'_>) -> Answer {
    memalign(call)
}

/// Answers an error number and leaves `errno` alone.
pub(super) fn posix_memalign(call: &mut LibraryCall<'_>) -> Answer {
    let (place, alignment, size) = call.three()?;
    if !alignment.is_power_of_two() || alignment < 4 {
        return Ok(EINVAL);
    }
    match take(call, Some(size), alignment)? {
        Some(block) => call.set_word(place, block.address).map(|()| 0),
        None => Ok(ENOMEM),
    }
}

pub(super) fn valloc(call: &mut LibraryCall<'_>) -> Answer {
    let size = call.argument(0)?;
    allocate(call, Some(size), PAGE)
}

pub(super) fn pvalloc(call: &mut LibraryCall<'_>) -> Answer {
    let size = call.argument(0)?;
    allocate(call, size.checked_next_multiple_of(PAGE), PAGE)
}

/// The size that was asked for: what lies after it is not the program's.
pub(super) fn malloc_usable_size(call: &mut LibraryCall<'_>) -> Answer {
    let address = call.argument(0)?;
    if address == 0 {
        return Ok(0);
    }
    known(call, address).map(|block| block.size)
}

/// A new block's address, or 0 and `ENOMEM`. `None` as size: it does not fit a register.
fn allocate(call: &mut LibraryCall<'_>, size: Option<u32>, alignment: u32) -> Answer {
    match take(call, size, alignment)? {
        Some(block) => Ok(block.address),
        None => fail(call, ENOMEM),
    }
}

fn fail(call: &mut LibraryCall<'_>, error: u32) -> Answer {
    if let Some(errno) = call.variables.errno {
        errno.set(call.cpu, error);
    }
    Ok(0)
}

fn take(
    call: &mut LibraryCall<'_>,
    size: Option<u32>,
    alignment: u32,
) -> Result<Option<Block>, Stop> {
    let site = operators::maker(call)?;
    let Some(size) = size.filter(|&size| size <= LARGEST) else { return Ok(None) };
    match memory_limits::judge(call.limit, size, call.cpu.memory.regions(), call.heap) {
        Verdict::Room => {}
        Verdict::Refused => return Ok(None),
        Verdict::Open => {
            let detail = "an allocation near a lower limit of memory";
            return Err(Stop::Problem(FailureProblem::NotModelled(detail)));
        }
    }
    let thread = call.cpu.memory.local(call.thread);
    let block = call.heap.allocate(thread, size, alignment, site);
    match &block {
        Some(block) => {
            call.cpu.memory.policy.note_block(block.address);
            note(call, block);
            note_arena(call, block);
            call.cpu.memory.set_valid(block.address, block.address + block.size, true);
            call.cpu.memory.make_undefined(block.address, block.address + block.size);
            call.history.allocated(block, call.thread, call.cpu);
        }
        None => return lacks_room(call, size),
    }
    Ok(block)
}

/// The pool has no room: then Linux has none either, or it is a limit of ours.
fn lacks_room(call: &LibraryCall<'_>, size: u32) -> Result<Option<Block>, Stop> {
    let in_blocks = call.heap.blocks().map(|block| u64::from(block.size)).sum();
    match linux_may_have(call.cpu.memory.regions(), in_blocks, size) {
        true => {
            let what = "a heap that is full at 1.3 GiB, where Linux has room";
            Err(Stop::Problem(FailureProblem::Limit(what)))
        }
        false => Ok(None),
    }
}

/// The live block that begins at an address.
fn known(call: &mut LibraryCall<'_>, address: u32) -> Result<Block, Stop> {
    call.heap.get(address).ok_or_else(|| {
        let inside = call.heap.covering(address);
        Stop::Problem(FailureProblem::Free { address, inside })
    })
}

fn release(call: &mut LibraryCall<'_>, address: u32) -> Result<(), Stop> {
    let thread = call.cpu.memory.local(call.thread);
    let block = call.heap.free(address, thread).map_err(|error| {
        let inside = match error {
            FreeError::Inside(block) => Some(block),
            FreeError::NoBlock => None,
        };
        Stop::Problem(FailureProblem::Free { address, inside })
    })?;
    note(call, &block);
    let memory = &mut call.cpu.memory;
    if memory.policy.mode().notes() {
        // In which order several give back makes no difference, only who takes it and when.
        match block.arena == thread {
            true => memory.note_word(arena_word(block.arena), thread, true),
            false => memory.note_word(returned_word(block.arena), thread, false),
        }
    }
    withdraw(call, block.address, block.address + block.size);
    let place = |address| call.cpu.memory.space().at(address);
    call.objects.forget(place(block.address), place(block.address + block.size));
    call.history.freed(&block, call.thread, call.cpu);
    Ok(())
}

/// For a search, a block that comes or goes is written as a whole.
fn note(call: &mut LibraryCall<'_>, block: &Block) {
    let memory = &mut call.cpu.memory;
    if memory.policy.mode() != Mode::Off {
        memory.note(block.address, block.address + block.size, true);
    }
}

/// For a search, an allocation writes the arena from which the block comes; and what others have
/// given back, if it depended on that.
fn note_arena(call: &mut LibraryCall<'_>, block: &Block) {
    let memory = &mut call.cpu.memory;
    if !memory.policy.mode().notes() {
        return;
    }
    let thread = memory.local(call.thread);
    memory.note_word(arena_word(block.arena), thread, true);
    if call.heap.has_looked_back() {
        memory.note_word(returned_word(thread), thread, true);
        memory.note_word(returned_word(block.arena), thread, true);
    }
}

/// Bytes that no longer belong to a block become zero.
fn withdraw(call: &mut LibraryCall<'_>, start: u32, end: u32) {
    if start < end {
        call.cpu.memory.clear(start, end);
        call.cpu.memory.set_valid(start, end, false);
    }
}

fn reallocate(call: &mut LibraryCall<'_>, address: u32, size: Option<u32>) -> Answer {
    if address == 0 {
        return allocate(call, size, 1);
    }
    let old = known(call, address)?;
    operators::check(call, address)?;
    if size == Some(0) && call.library == Library::Glibc {
        release(call, address)?;
        return Ok(0);
    }
    if let Some(size) = size.filter(|&size| size <= old.size || old.size >= ALWAYS_MOVED)
        && let Some(new) = call.heap.resize(address, size)
    {
        resized(call, old, new);
        return Ok(address);
    }
    let Some(new) = take(call, size, 1)? else { return fail(call, ENOMEM) };
    super::copy::bytes(call, new.address, old.address, old.size.min(new.size))?;
    release(call, address)?;
    Ok(new.address)
}

/// A block that stays where it is: its tail comes or goes.
fn resized(call: &mut LibraryCall<'_>, old: Block, new: Block) {
    withdraw(call, new.address + new.size, old.address + old.size);
    if new.size > old.size {
        let end = new.address + new.size;
        call.cpu.memory.set_valid(old.address + old.size, end, true);
        call.cpu.memory.make_undefined(old.address + old.size, end);
    }
    call.history.allocated(&new, call.thread, call.cpu);
}
