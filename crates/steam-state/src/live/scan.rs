//! Runs of bytes: what library models scan, copy, compare and fill as whole slices.
//!
//! A *run* is the longest stretch of accessible bytes at an address that ends within its page. All
//! bytes of a run were checked like those of a plain access; a run of no bytes is a refusal, whose
//! error names the first byte, with size 1.

use std::ops::Range;

use super::{HEAP, LiveMemory, PAGE, WATCHED};
use crate::access::{AccessKind, Fault};
use crate::policy::Policy;

impl<P: Policy> LiveMemory<P> {
    /// The readable bytes at an address: at least one, at most `limit`, all in one page.
    pub fn readable(&mut self, address: u32, limit: u32, esp: u32) -> Result<&[u8], Fault> {
        let run = self.run(address, limit, AccessKind::Read, esp)?;
        Ok(&self.frames[run])
    }

    /// The writable bytes at an address; the rest as in [`LiveMemory::readable`].
    pub fn writable(&mut self, address: u32, limit: u32, esp: u32) -> Result<&mut [u8], Fault> {
        let run = self.run(address, limit, AccessKind::Write, esp)?;
        self.policy.note_overwritten(address, run.len() as u32);
        Ok(&mut self.frames[run])
    }

    /// Readable bytes at two addresses, equally many.
    pub fn readable_pair(
        &mut self,
        first: u32,
        second: u32,
        limit: u32,
        esp: u32,
    ) -> Result<(&[u8], &[u8]), Fault> {
        let left = self.run(first, limit, AccessKind::Read, esp)?;
        let right = self.run(second, left.len() as u32, AccessKind::Read, esp)?;
        let length = right.len();
        Ok((&self.frames[left.start..left.start + length], &self.frames[right]))
    }

    /// Copies one run of at most `limit` bytes and says how many they were. The two runs may
    /// overlap: what is written is what the source held before.
    pub fn copy_run(&mut self, to: u32, from: u32, limit: u32, esp: u32) -> Result<u32, Fault> {
        let readable = self.run(from, limit, AccessKind::Read, esp)?.len() as u32;
        let target = self.run(to, readable, AccessKind::Write, esp)?;
        // The first write to a page moves it to another frame, which may be the source's page.
        let source = self.run(from, target.len() as u32, AccessKind::Read, esp)?;
        let length = source.len();
        self.follow_run(from, source.clone());
        self.frames.copy_within(source, target.start);
        self.follow_store(to, length, target.start);
        if self.definedness.is_some() {
            self.copy_definedness(to, from, length as u32);
        }
        Ok(length as u32)
    }

    /// Where a run lies in the frames.
    fn run(
        &mut self,
        address: u32,
        limit: u32,
        kind: AccessKind,
        esp: u32,
    ) -> Result<Range<usize>, Fault> {
        let attempt = self.checked(address, 1, address, 1, kind, esp);
        let entry = match attempt {
            // The page holds decoded code, which is now marked as changed: once more.
            Err(Fault) if self.error.is_none() => {
                self.checked(address, 1, address, 1, kind, esp)?
            }
            other => other?,
        };
        let offset = address & 0xfff;
        let mut length = (PAGE - offset).min(limit);
        if entry.tag & HEAP != 0 {
            let bits = &self.frames[entry.validity as usize..entry.validity as usize + 512];
            length = valid_run(bits, offset, length);
        }
        if entry.tag & WATCHED != 0 {
            // Word by word, so that a search learns of what is touched and of nothing else.
            length = length.min(4 - (offset & 3));
            self.policy.note(&self.layout, address, address + length, kind == AccessKind::Write);
        }
        let start = (entry.frame + offset) as usize;
        Ok(start..start + length as usize)
    }
}

/// How many of at most `limit` bits from `first` on are set without a gap.
fn valid_run(bits: &[u8], first: u32, limit: u32) -> u32 {
    let mut length = 0;
    while length < limit {
        let at = first + length;
        let ones = (bits[at as usize / 8] >> (at % 8)).trailing_ones();
        // Zeros were shifted in from above: ones may reach up to the byte's end, not beyond.
        length += ones;
        if ones < 8 - at % 8 {
            break;
        }
    }
    length.min(limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Problem;
    use crate::live::tests::{empty, freeze};
    use crate::policy::Unwatched;
    use crate::region::{Protection, RegionKind};

    const HEAP_PAGE: u32 = 0x6000_0000;

    fn space() -> LiveMemory<Unwatched> {
        let mut live = empty();
        live.map(0x1000, 0x4000, Protection::READ_WRITE, RegionKind::Mapped);
        live.map(HEAP_PAGE, HEAP_PAGE + 0x4000, Protection::READ_WRITE, RegionKind::Heap);
        live
    }

    #[test]
    fn runs_agree_with_byte_by_byte_accesses() {
        let mut live = space();
        let mut seed = 11u32;
        let mut random = |bound: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % bound
        };
        for _ in 0..300 {
            let start = HEAP_PAGE + random(0x3f00);
            live.set_valid(start, start + random(200), random(3) > 0);
        }
        for _ in 0..5000 {
            let address = HEAP_PAGE + random(0x4000);
            let limit = 1 + random(300);
            let end = address.saturating_add(limit).min((address & !0xfff) + 0x1000);
            let naive = (address..end).take_while(|&at| live.load::<1>(at, 0).is_ok()).count();
            live.take_error();
            match live.readable(address, limit, 0) {
                Ok(run) => assert_eq!(run.len(), naive),
                Err(Fault) => {
                    assert_eq!(naive, 0);
                    let error = live.take_error().unwrap();
                    assert_eq!((error.problem, error.byte), (Problem::Heap, address));
                }
            }
        }
    }

    #[test]
    fn a_copy_within_a_fresh_page_reads_the_moved_frame() {
        let mut live = space();
        live.write_bytes(0x1ffc, &[1, 2, 3, 4, 5, 6]).unwrap();
        freeze(&mut live);
        assert_eq!(live.copy_run(0x1ffe, 0x1ffc, 100, 0), Ok(2));
        assert_eq!(live.copy_run(0x2000, 0x1ffc, 3, 0), Ok(3));
        let mut bytes = [0; 8];
        live.read_bytes(0x1ffc, &mut bytes).unwrap();
        assert_eq!(bytes, [1, 2, 1, 2, 1, 2, 1, 0]);
    }

    #[test]
    fn bytes_below_the_stack_pointer_are_refused() {
        let mut live = space();
        live.set_stack(0x1000, 0x4000);
        assert_eq!(live.readable(0x2010, 4, 0x2010).map(<[u8]>::len), Ok(4));
        assert_eq!(live.readable(0x200f, 4, 0x2010), Err(Fault));
        assert_eq!(live.take_error().unwrap().problem, Problem::BelowStackPointer);
    }
}
