//! Threads: creation, end, thread-local storage, yielding.

use std::sync::Arc;

use steam_state::{Context, Protection, RegionKind, Regions, ThreadId};
use steam_visibility::{THREAD_TABLE, Watching};

use super::{Answer, Call, ended_stacks};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{
    AlternateStack, Cancellation, Descent, FIRST_TLS_ENTRY, Reason, Status, ThreadRecord, TlsEntry,
    Waiting,
};
use crate::processes::Fork;
use crate::signals::number;
use crate::system::System;

/// Flags of `clone`.
mod flag {
    pub const MEMORY: u32 = 0x100;
    pub const HANDLERS: u32 = 0x800;
    pub const THREAD: u32 = 0x1_0000;
    pub const SET_TLS: u32 = 0x8_0000;
    pub const PARENT_SET_TID: u32 = 0x10_0000;
    pub const CHILD_CLEAR_TID: u32 = 0x20_0000;
    pub const CHILD_SET_TID: u32 = 0x100_0000;
    pub const OF_THREAD: u32 = MEMORY | HANDLERS | THREAD;
}

/// As many threads are modelled at once.
pub(super) const MOST_THREADS: u32 = 4096;

fn too_many_threads() -> Refusal {
    Refusal::Unknown(format!("more than {MOST_THREADS} threads at once"))
}

pub(super) fn clone(call: &mut Call<'_>) -> Answer {
    let [flags, stack, parent_place, tls, child_place, _] = call.arguments;
    if flags & flag::THREAD == 0 {
        return clone_process(call);
    }
    if flags & flag::OF_THREAD != flag::OF_THREAD {
        return Err(Refusal::Unknown("a thread with memory of its own".to_owned()));
    }
    if !call.system.threads.are_fewer_than(MOST_THREADS) {
        return Err(too_many_threads());
    }
    call.check_processes()?;
    let mut record = child_record(call, stack)?;
    if flags & flag::SET_TLS != 0 {
        let (index, entry) = read_entry(call, tls)?;
        *record.tls.get_mut(index).ok_or(Errno::EINVAL)? = entry;
    }
    let thread = call.system.free_number();
    let number = System::thread_number(thread);
    if flags & flag::PARENT_SET_TID != 0 {
        call.offer_word(parent_place, number)?;
    }
    if flags & flag::CHILD_SET_TID != 0 {
        call.offer_word(child_place, number)?;
    }
    if flags & flag::CHILD_CLEAR_TID != 0 {
        record.clear_at_exit = child_place;
    }
    let mut context = call.cpu.context();
    context.gpr[Context::EAX] = 0;
    if stack != 0 {
        context.gpr[Context::ESP] = stack;
    }
    context.fs_base = record.segment_base(context.selectors[4]).unwrap_or(0);
    context.gs_base = record.segment_base(context.selectors[5]).unwrap_or(0);
    own_stack(call, thread, record.stack);
    let others = !call.system.is_only_thread();
    let processes = !call.system.is_only_process();
    call.system.process.unjoined += 1;
    if call.system.process.ownership.has(thread) {
        // They are those of a thread that cannot be joined.
        Arc::make_mut(&mut call.system.process.ownership).forget(thread);
    }
    if call.system.current == call.system.space.leader() {
        call.system.process.created = record.epoch;
    }
    if let Some(entry) = record.tls.iter().find(|entry| entry.used) {
        call.system.process.storages.insert(entry.base, thread);
    }
    call.system.threads.insert(thread, call.system.space, record, context);
    call.system.created.push(thread);
    if others {
        // Others are there who may look for a free number too.
        call.cpu.memory.note_word(THREAD_TABLE, call.system.current, true);
    }
    if processes {
        call.cpu.memory.policy.note_common_word(THREAD_TABLE, true);
    }
    Ok(number)
}

fn child_record(call: &mut Call<'_>, stack: u32) -> Result<ThreadRecord, Refusal> {
    let asked = call.cpu.memory.policy.sharing().discipline().judges();
    let descent = if asked { call.thread()?.descent.create() } else { Descent::default() };
    let bounds = stack_bounds(call.cpu.memory.regions(), stack);
    let leaves_stack = ended_stacks::is_of_library(call, bounds.0);
    let scheduling = call.thread()?.scheduling.inherited();
    Ok(ThreadRecord {
        status: Status::Runnable,
        saved_mask: None,
        pending: Vec::new(),
        alternate_stack: AlternateStack::default(),
        clear_at_exit: 0,
        robust_list: 0,
        detached: false,
        returns_to: 0,
        epoch: call.system.epoch_of_next(),
        descent,
        cancellation: Cancellation::None,
        of_timer: call.system.is_signalled_by_timer(),
        cpu_time: call.system.no_cpu_time(),
        scheduling,
        stack: bounds,
        leaves_stack,
        ..call.thread()?.clone()
    })
}

/// Where a thread's stack lies, if it is a mapping of its own with a guard page before it; a stack
/// elsewhere may have anything below.
fn stack_bounds(regions: &Regions, stack: u32) -> (u32, u32) {
    // The address is bad: the thread fails at its first push, and that is reported.
    let Some((start, region)) = regions.find(stack.wrapping_sub(1)) else { return (0, 0) };
    let guard = regions.find(start.wrapping_sub(1));
    let guarded = guard.is_some_and(|(_, guard)| guard.protection == Protection::NONE);
    let kinds = matches!(
        region.kind,
        RegionKind::Mapped
            | RegionKind::FileCopy { .. }
            | RegionKind::Former { .. }
            | RegionKind::Stack(_)
            | RegionKind::EndedStack { .. }
    );
    if kinds && guarded { (start, stack) } else { (0, 0) }
}

/// From now on a stack is the thread's own.
fn own_stack(call: &mut Call<'_>, thread: ThreadId, stack: (u32, u32)) {
    if stack == (0, 0) {
        return;
    }
    let memory = &mut call.cpu.memory;
    if let Some((_, region)) = memory.regions().find(stack.0) {
        memory.set_kind(stack.0, region.end, RegionKind::Stack(thread));
    }
}

/// `clone` as `fork` and the like use it: a process of its own, with a copy of everything.
fn clone_process(call: &mut Call<'_>) -> Answer {
    const EXIT_SIGNAL: u32 = 0xff;
    const VFORK: u32 = 0x4000;
    const FILES: u32 = 0x400;
    const FILE_SYSTEM: u32 = 0x200;
    let [flags, stack, parent_place, _, child_place, _] = call.arguments;
    let set = |bit: u32, place: u32| if flags & bit != 0 { place } else { 0 };
    let borrows = flags & flag::MEMORY != 0;
    let unusual = flags & (FILES | FILE_SYSTEM | flag::HANDLERS | flag::SET_TLS) != 0
        || borrows != (flags & VFORK != 0)
        || flags & EXIT_SIGNAL != u32::from(number::CHLD);
    if unusual {
        return Err(Refusal::Unknown(format!("a new process with the flags {flags:#x}")));
    }
    make_process(
        call,
        Fork {
            stack,
            child_place: set(flag::CHILD_SET_TID, child_place),
            parent_place: set(flag::PARENT_SET_TID, parent_place),
            clear_at_exit: set(flag::CHILD_CLEAR_TID, child_place),
            borrows,
        },
    )
}

fn make_process(call: &mut Call<'_>, fork: Fork) -> Answer {
    if let Some(Waiting { reason: Reason::Borrowed(child), .. }) = call.resumed {
        return Ok(System::thread_number(child));
    }
    if !call.system.threads.are_fewer_than(MOST_THREADS) {
        return Err(too_many_threads());
    }
    call.check_processes()?;
    Err(Refusal::Fork(fork))
}

pub(super) fn fork(call: &mut Call<'_>) -> Answer {
    make_process(call, Fork::default())
}

pub(super) fn vfork(call: &mut Call<'_>) -> Answer {
    make_process(call, Fork { borrows: true, ..Fork::default() })
}

/// Reads a `struct user_desc`: which of the three entries it means, and the entry.
fn read_entry(call: &mut Call<'_>, address: u32) -> Result<(usize, TlsEntry), Refusal> {
    let [number, base, limit, flags] = call.words(address)?;
    // An empty descriptor frees the entry.
    let empty = base == 0 && limit == 0 && matches!(flags & 0x7f, 0x28 | 0);
    let entry = match empty {
        true => TlsEntry::default(),
        false => TlsEntry { base, limit, flags, used: true },
    };
    Ok((number.wrapping_sub(FIRST_TLS_ENTRY) as usize, entry))
}

pub(super) fn set_thread_area(call: &mut Call<'_>) -> Answer {
    const ANY: u32 = u32::MAX;
    let address = call.arguments[0];
    let (mut index, entry) = read_entry(call, address)?;
    if call.word(address)? == ANY {
        let free = call.thread()?.tls.iter().position(|entry| !entry.used);
        index = free.ok_or(Errno::ESRCH)?;
        call.put_word(address, FIRST_TLS_ENTRY + index as u32)?;
    }
    *call.thread()?.tls.get_mut(index).ok_or(Errno::EINVAL)? = entry;
    // A segment register that holds the entry sees its new base.
    let selector = ((FIRST_TLS_ENTRY + index as u32) << 3 | 3) as u16;
    if call.cpu.selectors[4] == selector {
        call.cpu.fs_base = entry.base;
    }
    if call.cpu.selectors[5] == selector {
        call.cpu.gs_base = entry.base;
    }
    Ok(0)
}

pub(super) fn get_thread_area(call: &mut Call<'_>) -> Answer {
    let address = call.arguments[0];
    let index = call.word(address)?.wrapping_sub(FIRST_TLS_ENTRY) as usize;
    let entry = *call.thread()?.tls.get(index).ok_or(Errno::EINVAL)?;
    let flags = if entry.used { entry.flags } else { 0x28 };
    call.put_words(address.wrapping_add(4), &[entry.base, entry.limit, flags])?;
    Ok(0)
}

pub(super) fn set_tid_address(call: &mut Call<'_>) -> Answer {
    call.thread()?.clear_at_exit = call.arguments[0];
    Ok(System::thread_number(call.system.current))
}

pub(super) fn set_robust_list(call: &mut Call<'_>) -> Answer {
    const HEAD_SIZE: u32 = 12;
    let [head, size, ..] = call.arguments;
    if size != HEAD_SIZE {
        return Err(Errno::EINVAL.into());
    }
    call.thread()?.robust_list = head;
    Ok(0)
}

pub(super) fn get_robust_list(call: &mut Call<'_>) -> Answer {
    let [number, head, size, ..] = call.arguments;
    let thread = match number {
        0 => call.system.current,
        _ => call.system.thread_of(number).ok_or(Errno::ESRCH)?,
    };
    let list = call.system.threads.get(thread).map_or(0, |record| record.robust_list);
    call.put_word(head, list)?;
    call.put_word(size, 12)?;
    Ok(0)
}

pub(super) fn sched_yield(call: &mut Call<'_>) -> Answer {
    call.system.yields = true;
    Ok(0)
}

pub(super) fn exit_group(call: &mut Call<'_>) -> Answer {
    Err(Refusal::Exit(exit_status(call)))
}

fn exit_status(call: &Call<'_>) -> i32 {
    (call.arguments[0] & 0xff) as i32
}

pub(super) fn exit(call: &mut Call<'_>) -> Answer {
    let thread = call.system.current;
    let status = exit_status(call);
    release_robust_list(call);
    let place = call.thread()?.clear_at_exit;
    let others = call.system.threads.has_others(call.system.space, thread);
    if place != 0 && others && call.put_word(place, 0).is_ok() {
        call.system.wake(call.place(place), 1, u32::MAX);
    }
    if thread == call.system.space.leader() {
        call.system.process.first_status = status;
    }
    if !others {
        return Err(Refusal::Exit(call.system.process.first_status));
    }
    keep_number(call, thread);
    ended_stacks::leave(call);
    call.system.end_thread(thread);
    Err(Refusal::ThreadEnds)
}

/// A thread that can be joined keeps its number beyond its end.
fn keep_number(call: &mut Call<'_>, thread: ThreadId) {
    let Some(record) = call.system.threads.get(thread) else { return };
    let storage = record.tls.iter().find(|entry| entry.used).map(|entry| entry.base);
    match storage {
        Some(storage) if !record.detached && thread != call.system.space.leader() => {
            let ended = &mut call.system.process.ended;
            let place = ended.partition_point(|entry| *entry < (thread, storage));
            ended.insert(place, (thread, storage));
        }
        Some(storage) => {
            call.system.process.storages.remove(&storage);
            call.cpu.memory.note_word(THREAD_TABLE, thread, true);
        }
        None => call.cpu.memory.note_word(THREAD_TABLE, thread, true),
    }
}

/// Marks the robust mutexes that the thread still holds, and wakes a waiter of each.
pub(super) fn release_robust_list(call: &mut Call<'_>) {
    const MOST_ENTRIES: u32 = 2048;
    let Ok(head) = call.thread().map(|record| record.robust_list) else { return };
    if head == 0 {
        return;
    }
    // As in Linux, a bad address in the list ends the walk.
    let Ok([first, offset, pending]) = call.words(head) else { return };
    let mut entry = first;
    for _ in 0..MOST_ENTRIES {
        if entry & !1 == head {
            break;
        }
        let Ok(next) = call.word(entry & !1) else { return };
        if entry != pending {
            release_robust(call, (entry & !1).wrapping_add(offset));
        }
        entry = next;
    }
    if pending != 0 {
        release_robust(call, (pending & !1).wrapping_add(offset));
    }
}

fn release_robust(call: &mut Call<'_>, place: u32) {
    const OWNER: u32 = 0x3fff_ffff;
    const WAITERS: u32 = 0x8000_0000;
    const OWNER_DIED: u32 = 0x4000_0000;
    let Ok(word) = call.word(place) else { return };
    if word & OWNER != System::thread_number(call.system.current) {
        return;
    }
    if call.put_word(place, word & WAITERS | OWNER_DIED).is_ok() && word & WAITERS != 0 {
        call.system.wake(call.place(place), 1, u32::MAX);
    }
}
