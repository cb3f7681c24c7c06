//! What glibc reports of its heap: `mallinfo`. The figures are those that its allocator would have, as far as they
//! follow from the blocks that live.

use steam_report::FailureProblem;
use steam_state::Context;

use super::call::{Answer, LibraryCall, Stop};

/// A block of so many bytes is a mapping of its own.
const MAPPED: u32 = 128 << 10;
const PAGE: u32 = 4096;
/// Chunks have this alignment, and a word of the allocator's own.
const ALIGNMENT: u32 = 16;
const HEAD: u32 = 4;
/// The heap grows by multiples of this.
const GROWTH: u32 = 132 << 10;

/// The ten words of `struct mallinfo`, which are those of `struct mallinfo2` too.
fn figures(sizes: impl Iterator<Item = u32>) -> [u32; 10] {
    let (mut used, mut mappings, mut mapped) = (0_u32, 0, 0_u32);
    for size in sizes {
        if size >= MAPPED {
            mappings += 1;
            mapped = mapped.saturating_add((size + 2 * HEAD).next_multiple_of(PAGE));
        } else {
            used = used.saturating_add((size + HEAD).next_multiple_of(ALIGNMENT));
        }
    }
    let arena = used.checked_next_multiple_of(GROWTH).unwrap_or(u32::MAX);
    let rest = arena - used;
    [arena, 1, 0, mappings, mapped, 0, 0, used, rest, rest]
}

pub(super) fn mallinfo(call: &mut LibraryCall<'_>) -> Answer {
    if call.cpu.memory.policy.mode().notes() {
        // The blocks of other threads come and go, and nothing would notice that the order matters.
        return Err(not_modelled("the figures of the heap beside other threads"));
    }
    let place = call.argument(0)?;
    let words = figures(call.heap.sizes().into_iter());
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    call.save(place, &bytes)?;
    // The caller handed over where the result goes, and the function takes that from the stack.
    let site = call.site()?;
    let esp = call.esp().wrapping_add(4);
    call.set_word(esp, site)?;
    call.cpu.gpr[Context::ESP] = esp;
    Ok(place)
}

pub(super) fn in_words(_: &mut LibraryCall<'_>) -> Answer {
    Err(not_modelled("the figures of the heap in words"))
}

fn not_modelled(what: &'static str) -> Stop {
    Stop::Problem(FailureProblem::NotModelled(what))
}
