//! The limit of the first thread's stack: where it is lowered or raised, the stack ends elsewhere.

use steam_state::{Context, PAGE_SIZE};

use super::Call;
use super::resources::resource;
use crate::boot::STACK_END;
use crate::guest::Refusal;
use crate::system::System;

const PAGE: u32 = PAGE_SIZE as u32;
/// The stack can have so much: below are mappings.
const MOST: u32 = 128 << 20;

/// Nor less, if a program is to begin.
const LEAST: u32 = 128 << 10;

/// How large a stack may be with a limit.
fn size_of(limit: u64) -> u32 {
    u32::try_from(limit).unwrap_or(MOST).min(MOST) & !(PAGE - 1)
}

impl System {
    /// The size of the stack of a program that the process on the CPU goes on with.
    pub fn stack_size(&self) -> u32 {
        size_of(self.limit(resource::STACK).0).max(LEAST)
    }
}

/// Gives the first thread's stack the size of a limit.
pub(super) fn fit(call: &mut Call<'_>, limit: u64) -> Result<(), Refusal> {
    let leader = call.system.space.leader();
    // The first thread has ended: its stack is used no more.
    let Some(record) = call.system.threads.get(leader) else { return Ok(()) };
    let (low, high) = record.stack;
    if high != STACK_END {
        return Ok(());
    }
    let wanted = STACK_END - size_of(limit);
    if wanted > low {
        lower(call, low, wanted)?;
    } else if wanted < low {
        let regions = call.cpu.memory.regions();
        // The program has unmapped its stack: there is nothing to make larger.
        let Some((_, region)) = regions.find(low) else { return Ok(()) };
        if !regions.within(wanted, low).is_empty() {
            return Err(Refusal::Unknown("a larger stack where something else lies".to_owned()));
        }
        call.cpu.memory.map(wanted, low, region.protection, region.kind);
    }
    let current = call.system.current;
    if let Some(record) = call.system.threads.get_mut(leader) {
        record.stack = (wanted, STACK_END);
    }
    if current == leader {
        call.cpu.memory.set_stack(wanted, STACK_END);
    }
    Ok(())
}

/// Takes away what no longer belongs to the stack. Linux leaves what was in use already.
fn lower(call: &mut Call<'_>, low: u32, wanted: u32) -> Result<(), Refusal> {
    let memory = &mut call.cpu.memory;
    let mut page = [0; PAGE_SIZE];
    let used = |at: u32| memory.read_bytes(at, &mut page).is_err() || page != [0; PAGE_SIZE];
    let used = (low..wanted).step_by(PAGE_SIZE).any(used);
    let current = call.system.current == call.system.space.leader();
    if used || current && call.cpu.gpr[Context::ESP] < wanted {
        return Err(Refusal::Unknown("a lower limit of the stack than what was used".to_owned()));
    }
    call.cpu.memory.unmap(low, wanted);
    Ok(())
}
