//! Limits of memory (`RLIMIT_AS`, `RLIMIT_DATA`) that a program has lowered.
//!
//! How much memory a process has here is not exactly what it has on Linux. So a request is refused where it
//! would be too much by itself, allowed where all that there can be is below the limit, and not modelled in
//! between.

use steam_state::{HeapPool, RegionKind, Regions};

/// What a limit says to a request for more memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// There is room on Linux too.
    Room,
    /// There is none.
    Refused,
    /// It depends on what is not modelled.
    Open,
}

/// The larger ones leave room for all that a process can address.
pub const LARGEST: u64 = u32::MAX as u64;
/// What the library's allocator may have taken beyond what its blocks need: by the process, by each thread.
const SLACK: u64 = 4 << 20;
const SLACK_OF_THREAD: u64 = 2 << 20;

/// The most bytes that such a process has on Linux.
fn most(regions: &Regions, heap: &HeapPool) -> u64 {
    let of_region = |(start, region): (u32, steam_state::Region)| {
        let size = u64::from(region.end - start);
        match region.kind {
            // The blocks count, not the room for them.
            RegionKind::Heap => 0,
            RegionKind::Stack(_) | RegionKind::EndedStack { .. } => size + SLACK_OF_THREAD,
            _ => size,
        }
    };
    let blocks: u64 = heap.sizes().into_iter().map(u64::from).sum();
    SLACK + 2 * blocks + regions.iter().map(of_region).sum::<u64>()
}

/// What a limit says to a request for `size` bytes.
pub fn judge(limit: u64, size: u32, regions: &Regions, heap: &HeapPool) -> Verdict {
    let size = u64::from(size);
    match limit {
        LARGEST.. => Verdict::Room,
        _ if size > limit => Verdict::Refused,
        _ if most(regions, heap) + size <= limit => Verdict::Room,
        _ => Verdict::Open,
    }
}
