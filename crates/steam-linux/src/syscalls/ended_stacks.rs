//! Stacks of threads that end: from then on no thread may touch them, although they are still mapped.
//!
//! The library unmaps a stack only when the thread is joined, and that of a detached thread when another one
//! ends. Until then a pointer to a variable of the thread's function leads to memory that can be read. What the
//! library keeps for the thread lies at the upper end of the same mapping and stays in use: `pthread_join` takes
//! the result from there.
//!
//! A stack that the program provides (`pthread_attr_setstack`) is its own again when the thread has ended. Which ones are
//! not is known in two ways. In a search, the function that creates a thread is one operation: what it maps is the stack.
//! In a run it is seen at the end only: right before it the library gives what lies below the stack pointer back to the
//! kernel, and does that with its own stacks alone, if they are not small.

use steam_state::{Context, RegionKind, ThreadId};
use steam_visibility::{Memory, Mode, Watching};

use super::Call;
use crate::kernel::AtomicBlock;
use crate::world::Runner;

/// The thread on the CPU maps memory: in a function that creates a thread it is the stack.
pub(super) fn note_mapped(call: &mut Call<'_>, start: u32, end: u32) {
    let atomic_block = &mut call.system.own_thread().atomic_block;
    if let AtomicBlock::Function { creates: Some(stack), .. } = atomic_block {
        *stack = (start, end);
    }
}

/// Whether the stack of a thread that is created, given by its lowest address, is known to be the library's.
pub(super) fn is_of_library(call: &mut Call<'_>, low: u32) -> bool {
    let is_new = match call.system.own_thread().atomic_block {
        AtomicBlock::Function { creates: Some((start, end)), .. } => (start..end).contains(&low),
        _ => false,
    };
    let region = call.cpu.memory.regions().find(low).map(|(_, region)| region.kind);
    // That of a detached thread is taken again.
    is_new || matches!(region, Some(RegionKind::EndedStack { .. }))
}

/// The thread on the CPU gives memory back: whether that is what it no longer needs of its stack.
pub(super) fn note_given_back(call: &mut Call<'_>, start: u32, end: u32) {
    let esp = call.cpu.gpr[Context::ESP];
    if let Ok(record) = call.thread() {
        let (low, high) = record.stack;
        record.leaves_stack |= start <= low && low < end && end <= esp && esp < high;
    }
}

/// The thread on the CPU ends: what it leaves of its stack has no owner.
pub(super) fn leave(call: &mut Call<'_>) {
    let (thread, runner) = (call.system.current, call.system.world.runner);
    let record = call.system.own_record();
    let (low, top) = record.stack;
    let memory = &mut call.cpu.memory;
    if !record.leaves_stack || !matters(runner, memory, low, top) {
        return;
    }
    if let Some((start, region)) = memory.regions().find(low)
        && region.kind == RegionKind::Stack(thread)
    {
        if runner == (Runner::Search { learns: true }) {
            note_end(memory, thread, (low, top));
        }
        memory.set_kind(start, region.end, RegionKind::EndedStack { thread, top });
    }
}

/// Whether it matters that a stack has no owner.
///
/// A search that knows that no other thread touches it keeps it as it is: what is mapped is a part of the state that each step
/// looks at, and the steps of others are remembered as long as it is the same. Without that knowledge all of them count.
fn matters(runner: Runner, memory: &Memory, low: u32, top: u32) -> bool {
    match runner {
        Runner::Once | Runner::Search { learns: false } => true,
        Runner::Search { learns: true } => {
            memory.policy.sharing().is_any_shared(memory.place(low), top - low)
        }
    }
}

/// Notes that the end of a thread comes before or after what others do to its stack. The code in which threads end is
/// not watched.
fn note_end(memory: &mut Memory, thread: ThreadId, (low, top): (u32, u32)) {
    let mode = memory.policy.mode();
    memory.watch(thread, Mode::Atomic);
    memory.note(low, top, true);
    memory.watch(thread, mode);
}
