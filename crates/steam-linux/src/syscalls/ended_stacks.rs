//! Stacks of threads that end: from then on nobody may touch them, although they are still mapped.
//!
//! The library unmaps a stack only when the thread is joined, and that of a detached thread when another one
//! ends. Until then a pointer to a variable of the thread's function leads to memory that can be read. What the
//! library keeps for the thread lies at the upper end of the same mapping and stays in use: `pthread_join` takes
//! the result from there.
//!
//! A stack that the program provides (`pthread_attr_setstack`) is its own again when the thread has ended. The
//! library tells which ones are not: right before the end of a thread it gives what lies below the stack pointer
//! back to the kernel, and does that with its own stacks alone.

use steam_state::{Context, RegionKind};
use steam_visibility::{Memory, Mode, Watching};

use super::Call;

/// The thread on the CPU gives memory back: whether that is what it no longer needs of its stack.
pub(super) fn note_given_back(call: &mut Call<'_>, start: u32, end: u32) {
    let esp = call.cpu.gpr[Context::ESP];
    if let Ok(record) = call.thread() {
        let (low, high) = record.stack;
        record.leaves_stack |= start <= low && low < end && end <= esp && esp < high;
    }
}

/// The thread on the CPU ends: what it leaves of its stack is nobody's.
pub(super) fn leave(call: &mut Call<'_>) {
    let thread = call.system.current;
    let Some(record) = call.system.threads.get(thread) else { return };
    let (low, top) = record.stack;
    if !record.leaves_stack {
        return;
    }
    let searches = call.system.world.runner.searches();
    let memory = &mut call.cpu.memory;
    if let Some((start, region)) = memory.regions().find(low)
        && region.kind == RegionKind::Stack(thread)
        && (!searches || is_touched_by_others(memory, low, top))
    {
        // Who touches it does that before or after. The code in which threads end is not watched.
        let mode = memory.policy.mode();
        memory.watch(thread, Mode::Whole);
        memory.note(low, top, true);
        memory.watch(thread, mode);
        memory.set_kind(start, region.end, RegionKind::EndedStack { thread, top });
    }
}

/// Whether a search knows that other threads touch a stack. One that nobody else touches stays as it is: what is
/// mapped is a part of the state that each step looks at, and the steps of others are remembered as long as it is the
/// same.
fn is_touched_by_others(memory: &Memory, low: u32, top: u32) -> bool {
    memory.policy.sharing().is_any_shared(memory.place(low), top - low)
}
