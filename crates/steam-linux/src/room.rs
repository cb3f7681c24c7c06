//! How much memory Linux would give, where the layout of ours has no room left.
//!
//! Heap, mappings and stacks lie in areas of fixed sizes, smaller than what a 32-bit process has on a
//! 64-bit kernel. A program whose request does not fit there must not take the way of one whose memory
//! is used up, unless it does so natively, too: only then a request fails, and else it is not modelled.

use steam_state::{RegionKind, Regions};

use crate::boot::STACK_END;

/// Whether Linux might have room for `size` bytes in one piece, in a process with these mappings and so
/// many bytes in heap blocks.
pub fn linux_may_have(regions: &Regions, in_blocks: u64, size: u32) -> bool {
    let others = regions.iter().filter(|(_, region)| region.kind != RegionKind::Heap);
    let mapped: u64 = others.map(|(start, region)| u64::from(region.end - start)).sum();
    let in_all = mapped + in_blocks + u64::from(size);
    in_all <= u64::from(STACK_END) && size <= largest_gap(regions)
}

/// The largest piece of memory beside the program and its `brk` area, which do not lie elsewhere natively.
fn largest_gap(regions: &Regions) -> u32 {
    let mut largest = 0;
    let mut end = 0;
    for (start, region) in regions.iter() {
        if matches!(region.kind, RegionKind::Image(_) | RegionKind::Break) {
            largest = largest.max(start - end);
            end = region.end;
        }
    }
    largest.max(STACK_END.saturating_sub(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use steam_state::{Protection, Region};

    fn with(parts: &[(u32, u32, RegionKind)]) -> Regions {
        let mut regions = Regions::default();
        for &(start, end, kind) in parts {
            regions.insert(
                start,
                Region { end, protection: Protection::READ_WRITE, kind, locked: false },
            );
        }
        regions
    }

    #[test]
    fn counts_what_a_process_has_and_not_our_heap_area() {
        let program = (0x0804_8000, 0x0810_0000, RegionKind::Image(0));
        let heap = (0x6000_0000, 0xc000_0000, RegionKind::Heap);
        let regions = with(&[program, heap]);
        assert!(linux_may_have(&regions, 0, 0xf000_0000));
        assert!(linux_may_have(&regions, 2 << 30, 1 << 30));
        assert!(!linux_may_have(&regions, 3 << 30, 1 << 30));
        let mapped = (0xc000_0000, 0xf000_0000, RegionKind::Mapped);
        assert!(!linux_may_have(&with(&[program, heap, mapped]), 0, 0xe000_0000));
    }

    #[test]
    fn knows_the_largest_piece_beside_the_program() {
        let regions = with(&[(0x5655_5000, 0x5660_0000, RegionKind::Image(0))]);
        assert!(linux_may_have(&regions, 0, 0xa000_0000));
        assert!(!linux_may_have(&regions, 0, 0xb000_0000));
    }
}
